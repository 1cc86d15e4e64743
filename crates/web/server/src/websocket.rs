//! WebSockets (RFC 6455), the server's side: the handshake, and frames in and out.
//!
//! Libraries for this read a message as long as its sender says into a buffer that they keep, and only then
//! show it. Here whoever listens sees the head of a frame first, and reads on when there is room for the
//! rest. What is sent goes out in pieces, so that a long answer is not copied as a whole. Nothing that is
//! larger than such a piece stays with a connection.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

/// Bytes of a message that go into one frame.
const PIECE: usize = 16 << 10;

/// The headers that answer a request for a WebSocket; none if it is no such request.
pub(crate) fn accept(
    method: &Method,
    headers: &HeaderMap,
) -> Option<[(HeaderName, HeaderValue); 3]> {
    const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    let says = |name, word| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(','))
            .any(|value| value.trim().eq_ignore_ascii_case(word))
    };
    let is_asked = *method == Method::GET
        && says(CONNECTION, "upgrade")
        && says(UPGRADE, "websocket")
        && says(SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(SEC_WEBSOCKET_KEY).filter(|_| is_asked)?;
    let digest = Sha1::new().chain_update(key.as_bytes()).chain_update(GUID).finalize();
    Some([
        (CONNECTION, HeaderValue::from_static("upgrade")),
        (UPGRADE, HeaderValue::from_static("websocket")),
        (SEC_WEBSOCKET_ACCEPT, STANDARD.encode(digest).parse().ok()?),
    ])
}

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// What has begun goes on.
    More = 0,
    /// Text begins.
    Text = 1,
    /// Bytes begin.
    Binary = 2,
    /// The other side has said all that it wants to say.
    Close = 8,
    /// To be answered with a pong of the same contents.
    Ping = 9,
    /// The answer to a ping.
    Pong = 10,
}

impl Kind {
    fn of(code: u8) -> Option<Kind> {
        use Kind::{Binary, Close, More, Ping, Pong, Text};
        [More, Text, Binary, Close, Ping, Pong].into_iter().find(|kind| *kind as u8 == code)
    }

    /// Does it stand between the frames of a message?
    pub fn is_control(self) -> bool {
        matches!(self, Kind::Close | Kind::Ping | Kind::Pong)
    }
}

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// What it is.
    pub kind: Kind,
    /// Does it end its message?
    pub is_last: bool,
    /// Bytes that follow.
    pub length: usize,
    mask: [u8; 4],
}

/// Nothing more can be read.
#[derive(Debug, PartialEq, Eq)]
pub enum Broken {
    /// The other side has gone.
    Gone,
    /// What it sends are no frames; why not.
    Wrong(&'static str),
}

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Broken {
        Broken::Gone
    }
}

/// When the other side was heard last.
#[derive(Clone)]
pub struct Heard(Arc<Mutex<Instant>>);

impl Heard {
    /// It is heard now, or cannot be.
    pub fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long ago that was.
    pub fn elapsed(&self) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }
}

/// Reads frames.
pub struct Reader<R> {
    from: BufReader<R>,
    /// A message has begun, and not ended.
    is_open: bool,
    /// When something came last.
    pub heard: Heard,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    /// A reader of what a client sends.
    pub fn new(from: R) -> Reader<R> {
        let heard = Heard(Arc::new(Mutex::new(Instant::now())));
        Reader { from: BufReader::with_capacity(4 << 10, from), is_open: false, heard }
    }

    /// The head of the next frame. What follows it is to be [read](Reader::read) before the next.
    pub async fn head(&mut self) -> Result<Head, Broken> {
        let [first, second] = self.bytes().await?;
        let kind = Kind::of(first & 0x0f).ok_or(Broken::Wrong("a frame of an unknown kind"))?;
        let is_last = first & 0x80 != 0;
        if first & 0x70 != 0 {
            return Err(Broken::Wrong("an extension that was not agreed on"));
        }
        if second & 0x80 == 0 {
            return Err(Broken::Wrong("a frame without a mask"));
        }
        let length = match second & 0x7f {
            126 => u16::from_be_bytes(self.bytes().await?).into(),
            127 => u64::from_be_bytes(self.bytes().await?),
            length => length.into(),
        };
        if kind.is_control() {
            if !is_last || length > 125 {
                return Err(Broken::Wrong("a control frame that is too long"));
            }
        } else if (kind == Kind::More) != self.is_open {
            return Err(Broken::Wrong("a message inside of another, or none to go on with"));
        } else {
            self.is_open = !is_last;
        }
        let mask = self.bytes().await?;
        let length = length.try_into().unwrap_or(usize::MAX);
        Ok(Head { kind, is_last, length, mask })
    }

    /// Reads some of what follows a head to the end of `into`: how many bytes. The head is of the rest then.
    pub async fn read(&mut self, head: &mut Head, into: &mut Vec<u8>) -> Result<usize, Broken> {
        let before = into.len();
        into.reserve_exact(head.length);
        let count = (&mut self.from).take(head.length as u64).read_buf(into).await?;
        if count == 0 && head.length > 0 {
            return Err(Broken::Gone);
        }
        for four in into[before..].chunks_mut(4) {
            four.iter_mut().zip(head.mask).for_each(|(byte, mask)| *byte ^= mask);
        }
        head.mask.rotate_left(count % 4);
        head.length -= count;
        self.heard.now();
        Ok(count)
    }

    /// Reads until the other side takes leave or has gone, or says more than so many bytes at once.
    pub async fn leaves(&mut self, most: usize) {
        while let Ok(mut head) = self.head().await
            && head.kind != Kind::Close
            && head.length <= most
        {
            while head.length > 0 && self.read(&mut head, &mut Vec::new()).await.is_ok() {}
        }
    }

    /// Reads until the other side has gone, and forgets what it says.
    pub async fn drain(&mut self) {
        let mut forgotten = [0; 256];
        while matches!(self.from.read(&mut forgotten).await, Ok(1..)) {}
    }

    async fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Broken> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).await?;
        self.heard.now();
        Ok(bytes)
    }
}

/// Writes frames.
pub struct Writer<W> {
    to: W,
    frame: Vec<u8>,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    /// A writer of what a server sends.
    pub fn new(to: W) -> Writer<W> {
        Writer { to, frame: Vec::new() }
    }

    /// Sends a text, in pieces; `sent` hears of each how many bytes it has.
    pub async fn text(&mut self, text: &str, sent: impl Fn(usize)) -> io::Result<()> {
        let mut pieces = text.as_bytes().chunks(PIECE).peekable();
        let mut kind = Kind::Text;
        loop {
            let piece = pieces.next().unwrap_or_default();
            let is_last = pieces.peek().is_none();
            self.frame(kind, is_last, piece).await?;
            sent(piece.len());
            if is_last {
                return Ok(());
            }
            kind = Kind::More;
        }
    }

    /// Asks for a sign of life.
    pub async fn ping(&mut self) -> io::Result<()> {
        self.frame(Kind::Ping, true, &[]).await
    }

    /// Gives one.
    pub async fn pong(&mut self, contents: &[u8]) -> io::Result<()> {
        self.frame(Kind::Pong, true, contents).await
    }

    /// Takes leave.
    pub async fn close(&mut self, code: u16) -> io::Result<()> {
        self.frame(Kind::Close, true, &code.to_be_bytes()).await
    }

    async fn frame(&mut self, kind: Kind, is_last: bool, contents: &[u8]) -> io::Result<()> {
        self.frame.clear();
        self.frame.push(u8::from(is_last) << 7 | kind as u8);
        match contents.len() {
            length @ ..=125 => self.frame.push(length as u8),
            length => {
                // No piece is longer.
                self.frame.push(126);
                self.frame.extend((length as u16).to_be_bytes());
            }
        }
        self.frame.extend(contents);
        self.to.write_all(&self.frame).await?;
        self.to.flush().await
    }
}
