//! Lines of an engine, as they come.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::link::Incoming;
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

/// Writes the lines of a channel until one side ends.
pub(super) async fn write_lines(
    mut lines: mpsc::Receiver<String>,
    mut output: impl AsyncWrite + Unpin,
) {
    while let Some(mut line) = lines.recv().await {
        // All that waits goes out in one write.
        line.push('\n');
        while let Ok(next) = lines.try_recv() {
            line.push_str(&next);
            line.push('\n');
        }
        if output.write_all(line.as_bytes()).await.is_err() || output.flush().await.is_err() {
            break;
        }
    }
}

/// Reads lines into a channel until one side ends. Is the reading side still there?
pub(super) async fn read_lines(
    input: impl AsyncRead + Unpin,
    lines: &mpsc::Sender<Incoming>,
) -> bool {
    let mut reader = LineReader::new(input);
    while let Ok(Some(incoming)) = reader.next().await {
        if lines.send(incoming).await.is_err() {
            return false;
        }
    }
    true
}
