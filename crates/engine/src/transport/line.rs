//! Lines of an engine, as they come.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::Incoming;
use crate::protocol::{Line, LineBuffer};

/// Longer lines are cut.
pub const MAX_LINE: usize = 64 * 1024;

/// Reads [lines](Line) of at most [`MAX_LINE`] bytes.
pub struct LineReader<R> {
    input: BufReader<R>,
    line: LineBuffer,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// Reads from there.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input: BufReader::new(input), line: LineBuffer::new(MAX_LINE) }
    }

    /// The next line; nothing at the end. A last line without an end counts.
    pub async fn next(&mut self) -> std::io::Result<Option<Incoming>> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(self.line.end().map(Incoming::from));
            }
            let (taken, line) = self.line.take(bytes);
            self.input.consume(taken);
            if line.is_some() {
                return Ok(line.map(Incoming::from));
            }
        }
    }
}

impl From<Line> for Incoming {
    fn from(line: Line) -> Incoming {
        match line {
            Line::Whole(text) => Incoming::Line(text),
            Line::Cut { start, .. } => Incoming::Cut(start),
        }
    }
}
