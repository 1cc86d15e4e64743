//! Lines of any length in little memory.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::Incoming;

/// Longer lines are cut.
pub const MAX_LINE: usize = 64 * 1024;

/// Reads lines: what is no UTF-8 is replaced, `\r` before the end is dropped, and of a line longer
/// than [`MAX_LINE`] only the beginning is kept.
pub struct LineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    is_cut: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Reads from there.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input: BufReader::new(input), line: Vec::new(), is_cut: false }
    }

    /// The next line; nothing at the end. A last line without an end counts.
    pub async fn next(&mut self) -> std::io::Result<Option<Incoming>> {
        loop {
            let buffer = self.input.fill_buf().await?;
            let is_end = buffer.is_empty();
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = MAX_LINE - self.line.len();
            self.is_cut |= part.len() > room;
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_end && self.line.is_empty() {
                return Ok(None);
            }
            if is_end || end.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Incoming {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        let text = String::from_utf8_lossy(line).into_owned();
        self.line.clear();
        if std::mem::take(&mut self.is_cut) { Incoming::Cut(text) } else { Incoming::Line(text) }
    }
}
