//! Lines out of bytes: of any length in little memory, whatever the bytes are.
//!
//! What is no UTF-8 is replaced, a `\r` before the end of a line is dropped, a last line without an
//! end counts, and of a line that is too long only the beginning is kept: whoever reads must not
//! take that for the whole. [`LineBuffer`] does it for bytes from anywhere; [`read_line`] and
//! [`listen`] for what can be waited for.

use std::io::{self, BufRead};
use std::thread;

/// A longer line of a user interface is no command: a game of five thousand moves takes a tenth of
/// it.
pub const LONGEST_COMMAND: usize = 1 << 20;

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// All of it.
    Whole(String),
    /// It was too long.
    Cut {
        /// Its beginning.
        start: String,
        /// How many bytes it had.
        bytes: usize,
    },
}

/// A line of so many bytes is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a line of {0} bytes is too long to be a command")]
pub struct TooLong(pub usize);

impl Line {
    /// The whole line, if it is there.
    pub fn text(self) -> Result<String, TooLong> {
        match self {
            Line::Whole(text) => Ok(text),
            Line::Cut { bytes, .. } => Err(TooLong(bytes)),
        }
    }
}

/// A line on its way: bytes come in pieces of any size.
#[derive(Clone, Debug)]
pub struct LineBuffer {
    most: usize,
    kept: Vec<u8>,
    bytes: usize,
}

impl LineBuffer {
    /// For lines of at most so many bytes.
    pub fn new(most: usize) -> LineBuffer {
        LineBuffer { most, kept: Vec::new(), bytes: 0 }
    }

    /// Takes bytes up to the end of a line: how many it took, and the line if it ended.
    pub fn take(&mut self, bytes: &[u8]) -> (usize, Option<Line>) {
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = self.most - self.kept.len();
        self.kept.extend_from_slice(&part[..part.len().min(room)]);
        self.bytes += part.len();
        match end {
            Some(end) => (end + 1, Some(self.line())),
            None => (bytes.len(), None),
        }
    }

    /// Nothing more comes: the last line, if it had no end.
    pub fn end(&mut self) -> Option<Line> {
        if self.bytes == 0 { None } else { Some(self.line()) }
    }

    fn line(&mut self) -> Line {
        let kept = std::mem::take(&mut self.kept);
        let bytes = std::mem::take(&mut self.bytes);
        let text = String::from_utf8_lossy(kept.strip_suffix(b"\r").unwrap_or(&kept)).into_owned();
        if bytes > self.most { Line::Cut { start: text, bytes } } else { Line::Whole(text) }
    }
}

/// The next line of at most so many bytes; none at the end.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut buffer = LineBuffer::new(most);
    loop {
        let bytes = match input.fill_buf() {
            Ok([]) => return Ok(buffer.end()),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let (taken, line) = buffer.take(bytes);
        input.consume(taken);
        if line.is_some() {
            return Ok(line);
        }
    }
}

/// Hears a user interface in a thread of its own: `hear` is called with every line, and at last
/// with the end or an error. It ends before that when `hear` says `false`.
///
/// # Errors
/// If there is no thread to be had.
pub fn listen(
    mut input: impl BufRead + Send + 'static,
    mut hear: impl FnMut(io::Result<Option<Line>>) -> bool + Send + 'static,
) -> io::Result<()> {
    let run = move || {
        loop {
            let line = read_line(&mut input, LONGEST_COMMAND);
            let is_line = matches!(line, Ok(Some(_)));
            if !hear(line) || !is_line {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".into()).spawn(run).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_their_bytes_and_length() {
        const MOST: usize = 1000;
        let mut bytes = b"usi\r\n\n\xff\x01\r\r\n".to_vec();
        bytes.extend_from_slice(&[b'w'; MOST]);
        bytes.push(b'\n');
        bytes.extend_from_slice(&[b'x'; MOST + 1]);
        bytes.extend_from_slice(b"\nstop");
        // Lines are put together from pieces of any size.
        for size in [1, 7, 999, 1000, 1001, 1 << 16] {
            let mut input = io::BufReader::with_capacity(size, &bytes[..]);
            let mut next = || read_line(&mut input, MOST).expect("readable");
            let whole = |text: &str| Some(Line::Whole(text.into()));
            assert_eq!(next(), whole("usi"));
            assert_eq!(next(), whole(""));
            assert_eq!(next(), whole("\u{fffd}\u{1}\r"));
            assert_eq!(next(), whole(&"w".repeat(MOST)));
            assert_eq!(next(), Some(Line::Cut { start: "x".repeat(MOST), bytes: MOST + 1 }));
            assert_eq!(next(), whole("stop"));
            assert_eq!(next(), None);
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn a_line_that_was_cut_is_no_text() {
        assert_eq!(Line::Whole("go".into()).text(), Ok("go".into()));
        let cut = Line::Cut { start: "position startpos".into(), bytes: 2_000_000 };
        let error = cut.text().expect_err("it is cut").to_string();
        assert_eq!(error, "a line of 2000000 bytes is too long to be a command");
    }

    #[test]
    fn a_listener_hears_the_end_and_may_go_before_it() {
        let heard = |most: usize| {
            let (sender, receiver) = std::sync::mpsc::channel();
            let mut count = 0;
            let hear = move |line: io::Result<Option<Line>>| {
                count += 1;
                sender.send(line.expect("readable")).is_ok() && count < most
            };
            listen(&b"a\nb"[..], hear).expect("a thread");
            receiver.iter().collect::<Vec<_>>()
        };
        let line = |text: &str| Some(Line::Whole(text.into()));
        assert_eq!(heard(9), [line("a"), line("b"), None]);
        assert_eq!(heard(1), [line("a")]);
    }
}
