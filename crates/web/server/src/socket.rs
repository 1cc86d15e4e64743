//! A visitor's connection: messages in and out, in time and within their room.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, split};
use tokio::sync::Notify;
use tokio::time::{interval, timeout};
use yomikiri_question::lang::{Text, text};
use yomikiri_session::contract::VERSION;
use yomikiri_session::{Ceilings, Place, Reply, Request, Session};

use crate::entrance::Guest;
use crate::house::{House, Pace, Settings};
use crate::outbox::Outbox;
use crate::room::{BYTES_A_SECOND, Door, Postage, Seat};
use crate::visitor::{self, Visitor};
use crate::websocket::{Broken, Head, Heard, Kind, Reader, Writer};

/// What a connection ends with: a number that WebSockets have for it, and what the visitor is told.
struct End(u16, Option<Text>);

/// The visitor has gone by itself.
const LEFT: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const BROKEN: u16 = 1002;
const NOT_TEXT: u16 = 1003;
const BAD_TEXT: u16 = 1007;
const REFUSED: u16 = 1008;
const TOO_LONG: u16 = 1009;
const FAULT: u16 = 1011;
const TRY_AGAIN: u16 = 1013;

/// Bytes of the first message: a version, and a token.
const HELLO: usize = 4 << 10;

/// Receives a visitor, and sees him off.
pub(crate) async fn visit(io: impl AsyncRead + AsyncWrite + Unpin, guest: Guest, house: &House) {
    let (read, write) = split(io);
    let (mut reader, mut writer) = (Reader::new(read), Writer::new(write));
    let mut closing = house.closing.subscribe();
    let talk = async {
        let hello = tokio::select! {
            hello = greet(&mut reader, house) => hello,
            // Others have come since, and there is no more room for those who say nothing.
            () = guest.displaced() => return End(TRY_AGAIN, None),
        };
        let (hello, seat) = match hello.map(|hello| (hello, house.room.sit())) {
            Err(end) => return end,
            Ok((_, None)) => return End(TRY_AGAIN, None),
            Ok((hello, Some(seat))) => (hello, seat),
        };
        drop(guest);
        talk(&mut reader, &mut writer, seat, hello, house).await
    };
    let End(code, said) = tokio::select! {
        end = talk => end,
        () = async { drop(closing.wait_for(|closing| *closing).await) } => End(GOING_AWAY, None),
    };
    let goodbye = async {
        if let Some(message) = said {
            writer.text(&Reply::error(None, message).to_json(), |_| ()).await?;
        }
        writer.close(code).await?;
        // Until the other side has read that, or it would be lost with what is unread here.
        reader.drain().await;
        Ok::<(), std::io::Error>(())
    };
    // Who does not listen does not hear it.
    let _ = timeout(house.settings.pace.goodbye, goodbye).await;
}

/// Waits for `hello`, with the token where one is needed.
async fn greet<R: AsyncRead + Unpin>(
    reader: &mut Reader<R>,
    house: &House,
) -> Result<Request, End> {
    let Settings { pace, token: own, .. } = &house.settings;
    let mut ear = Ear { reader, most: HELLO, pace, visitor: None };
    let said = timeout(pace.hello, ear.message()).await.map_err(|_| {
        End(REFUSED, Some(text!("nobody has said hello", "hello がありませんでした")))
    })??;
    let request = serde_json::from_str(&said.0).ok();
    let Some(Request::Hello { version, token }) = request else {
        return Err(End(
            REFUSED,
            Some(text!(
                "the first message must be hello",
                "最初の電文は hello でなければなりません"
            )),
        ));
    };
    let is_let_in = match (own, &token) {
        (None, _) => true,
        (Some(own), Some(guess)) => own.is(guess),
        (Some(_), None) => false,
    };
    if !is_let_in {
        return Err(End(
            REFUSED,
            Some(text!(
                "this server wants its token, and this is not it",
                "このサーバーにはトークンが必要です。トークンがないか、違っています"
            )),
        ));
    }
    if version != VERSION {
        return Err(End(
            REFUSED,
            Some(text!(
                "the page speaks version {version}, the server {VERSION}: load the page again",
                "ページは版{version}、サーバーは版{VERSION}です。ページを読み込み直してください"
            )),
        ));
    }
    Ok(Request::Hello { version, token: None })
}

/// Hands messages on, both ways, until one side has enough.
async fn talk<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    reader: &mut Reader<R>,
    writer: &mut Writer<W>,
    seat: Seat,
    hello: Request,
    house: &House,
) -> End {
    let Settings { pace, ceilings, .. } = &house.settings;
    let (door, outbox) = (seat.door(), Outbox::default());
    let engine = {
        let (outbox, shelf) = (outbox.clone(), house.settings.shelf.clone());
        let reading = ceilings.reading.min(house.settings.memory);
        let (slice, ceilings) = (pace.slice, Ceilings { reading, ..*ceilings });
        move || {
            // Not sent from thread to thread: an open certificate need not be fit for that.
            let session = Session::new(Place::Server, ceilings).with_shelf(shelf);
            Visitor::new(session, ceilings, seat, outbox, slice).run(hello);
        }
    };
    if std::thread::Builder::new().name("visitor".into()).spawn(engine).is_err() {
        return End(
            FAULT,
            Some(text!(
                "the server has no thread left: try again later",
                "サーバーに余裕がありません。しばらくしてからもう一度試してください"
            )),
        );
    }
    let _leave = Leave(&door, &outbox);
    let (heard, pongs) = (reader.heard.clone(), Pongs::default());
    let ear = Ear { reader, most: house.settings.longest(), pace, visitor: Some((&door, &pongs)) };
    tokio::select! {
        end = listen(ear, &door) => end,
        end = tell(writer, &outbox, &door, &pongs, &heard, pace) => end,
        () = door.expelled() => End(TRY_AGAIN, Some(text!(
            "others needed the memory that your messages took: read and send faster, or try again later",
            "ほかの訪問者がメモリを必要としたため、接続を切りました。送受信に時間がかかりすぎています"
        ))),
    }
}

/// Hands on what a visitor says.
async fn listen<R: AsyncRead + Unpin>(mut ear: Ear<'_, R>, door: &Door) -> End {
    loop {
        match ear.message().await {
            Err(end) => return end,
            Ok((message, _)) if stops(door, &message) => {}
            Ok((message, postage)) => {
                if door.post(message, postage).is_err() {
                    return End(
                        REFUSED,
                        Some(text!(
                            "too many questions at once: wait for the answers",
                            "一度に質問が多すぎます。答えを待ってください"
                        )),
                    );
                }
            }
        }
    }
}

/// Tells a visitor what the engine says, and asks for signs of life.
async fn tell<W: AsyncWrite + Unpin>(
    writer: &mut Writer<W>,
    outbox: &Outbox,
    door: &Door,
    pongs: &Pongs,
    heard: &Heard,
    pace: &Pace,
) -> End {
    let mut ping = interval(pace.ping);
    loop {
        let sent = tokio::select! {
            said = outbox.pop() => match said {
                Some(said) => {
                    let sent = writer.text(&said, |bytes| door.sent.add(bytes));
                    timeout(patience(pace, said.len()), sent).await
                }
                None => return End(FAULT, Some(text!(
                    "the engine has failed: this is a fault of the server",
                    "エンジンが異常終了しました。サーバーの不具合です"
                ))),
            },
            contents = pongs.next() => timeout(pace.stall, writer.pong(&contents)).await,
            _ = ping.tick() => {
                if heard.elapsed() > pace.silence {
                    return End(REFUSED, None);
                }
                timeout(pace.stall, writer.ping()).await
            }
        };
        if !matches!(sent, Ok(Ok(()))) {
            // Gone, or it reads nothing.
            return End(LEFT, None);
        }
    }
}

/// Hears messages.
struct Ear<'a, R> {
    reader: &'a mut Reader<R>,
    /// Bytes of the longest.
    most: usize,
    pace: &'a Pace,
    /// Where pings go; and where room for long messages is made.
    visitor: Option<(&'a Door, &'a Pongs)>,
}

impl<R: AsyncRead + Unpin> Ear<'_, R> {
    /// The next message, and the room that was made for it, if it is long.
    async fn message(&mut self) -> Result<(String, Option<Postage>), End> {
        let (mut message, mut postage) = (Vec::new(), None);
        loop {
            let head = self.reader.head().await.map_err(End::of)?;
            if head.kind == Kind::Binary {
                return Err(End(
                    NOT_TEXT,
                    Some(text!("messages are text", "電文は文字列でなければなりません")),
                ));
            }
            if head.kind.is_control() {
                let mut contents = Vec::new();
                self.read(head, &mut contents).await?;
                match (head.kind, self.visitor) {
                    (Kind::Close, _) => return Err(End(LEFT, None)),
                    (Kind::Ping, Some((_, pongs))) => pongs.put(contents),
                    _ => {}
                }
                continue;
            }
            let (bytes, most) = (message.len().saturating_add(head.length), self.most);
            if bytes > most {
                return Err(End(
                    TOO_LONG,
                    Some(text!(
                        "this message is too long: at most {most} bytes are read",
                        "電文が長すぎます。読めるのは{most}バイトまでです"
                    )),
                ));
            }
            if let Some((door, _)) = self.visitor
                && postage.is_none()
                && bytes > visitor::SHORT
            {
                // How long it will be in the end is not said but in its last frame.
                let bytes = if head.is_last { bytes } else { most };
                let heard = &self.reader.heard;
                postage = door.make_room(bytes, || heard.now()).await;
            }
            self.read(head, &mut message).await?;
            if head.is_last {
                let message = String::from_utf8(message).map_err(|_| {
                    End(
                        BAD_TEXT,
                        Some(text!(
                            "this cannot be read: it is not UTF-8",
                            "UTF-8 の文字列ではないため、読めません"
                        )),
                    )
                })?;
                if let Some(postage) = &mut postage {
                    postage.shrink(message.len());
                }
                return Ok((message, postage));
            }
        }
    }

    /// Reads what follows a head.
    async fn read(&mut self, mut head: Head, into: &mut Vec<u8>) -> Result<(), End> {
        let read = timeout(patience(self.pace, head.length), async {
            while head.length > 0 {
                let bytes = self.reader.read(&mut head, into).await?;
                self.visitor.inspect(|(door, _)| door.received.add(bytes));
            }
            Ok(())
        });
        read.await.unwrap_or(Err(Broken::Gone)).map_err(End::of)
    }
}

impl End {
    fn of(broken: Broken) -> End {
        match broken {
            Broken::Gone => End(LEFT, None),
            Broken::Wrong(why) => End(
                BROKEN,
                Some(text!("this cannot be read: {why}", "通信の形式が正しくありません（{why}）")),
            ),
        }
    }
}

/// The contents of the newest ping that is not answered. Older ones need no answer.
#[derive(Default)]
struct Pongs(Mutex<Option<Vec<u8>>>, Notify);

impl Pongs {
    fn put(&self, contents: Vec<u8>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(contents);
        self.1.notify_one();
    }

    async fn next(&self) -> Vec<u8> {
        loop {
            if let Some(contents) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return contents;
            }
            self.1.notified().await;
        }
    }
}

/// Whatever ends a talk, the engine hears of it.
struct Leave<'a>(&'a Door, &'a Outbox);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.leave();
        self.1.close();
    }
}

/// Does this message stop what runs? Then it has done so, whatever the engine is at.
fn stops(door: &Door, message: &str) -> bool {
    const LONGEST: usize = 256;
    let request = (message.len() <= LONGEST).then(|| serde_json::from_str(message).ok());
    matches!(request.flatten(), Some(Request::Stop { id }) if door.stop(id))
}

/// How long so many bytes may take: a slow line is no reason to be thrown out.
fn patience(pace: &Pace, bytes: usize) -> Duration {
    pace.stall + Duration::from_secs((bytes / BYTES_A_SECOND) as u64)
}
