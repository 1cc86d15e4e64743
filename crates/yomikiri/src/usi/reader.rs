//! The thread that reads what the user interface says.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;

use super::session::Event;

/// A longer line is not a command. The longest solution known takes a hundredth of it.
pub const MOST_BYTES: usize = 1 << 20;

/// Reads lines until the end, in a thread of its own. Bytes that are no text are made visible.
pub fn start(
    mut input: impl BufRead + Send + 'static,
    events: SyncSender<Event>,
) -> io::Result<()> {
    let read = move || {
        loop {
            let event = match read_line(&mut input) {
                Ok(event) => event,
                Err(error) => Event::End(Some(error.to_string())),
            };
            let is_end = matches!(event, Event::End(_));
            if events.send(event).is_err() || is_end {
                return;
            }
        }
    };
    thread::Builder::new().name("reader".into()).spawn(read).map(drop)
}

fn read_line(input: &mut impl BufRead) -> io::Result<Event> {
    let (mut line, mut length) = (Vec::new(), 0);
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        length += part.len();
        if length <= MOST_BYTES {
            line.extend_from_slice(part);
        }
        let is_over = buffer.is_empty();
        let read = end.map_or(buffer.len(), |end| end + 1);
        input.consume(read);
        if is_over && length == 0 {
            return Ok(Event::End(None));
        }
        if is_over || end.is_some() {
            return Ok(match length <= MOST_BYTES {
                true => Event::Line(String::from_utf8_lossy(&line).into_owned()),
                false => Event::LongLine(length),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_their_bytes_and_length() {
        let mut bytes = b"usi\r\n\n\xff\x00\n".to_vec();
        bytes.extend_from_slice(&vec![b'x'; MOST_BYTES + 1]);
        bytes.extend_from_slice(b"\nstop");
        // A small buffer, so that lines are put together from pieces.
        let mut input = io::BufReader::with_capacity(7, &bytes[..]);
        let mut next = || format!("{:?}", read_line(&mut input).expect("readable"));
        assert_eq!(next(), r#"Line("usi\r")"#);
        assert_eq!(next(), r#"Line("")"#);
        assert_eq!(next(), r#"Line("\u{fffd}\0")"#.replace("\\u{fffd}", "\u{fffd}"));
        assert_eq!(next(), format!("LongLine({})", MOST_BYTES + 1));
        assert_eq!(next(), r#"Line("stop")"#);
        assert_eq!(next(), "End(None)");
        assert_eq!(next(), "End(None)");
    }
}
