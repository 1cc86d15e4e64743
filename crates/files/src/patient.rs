//! Inputs that may keep their reader waiting: pipes whose other end says nothing.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::error::{Result, reading};
use crate::name::is_standard;

/// How often it is asked whether that is enough.
const EVERY: Duration = Duration::from_millis(20);
/// So much is read at once, and so many pieces ahead.
const PIECE: usize = 1 << 16;
const AHEAD: usize = 4;

/// What is read on a thread of its own. The thread stays behind where its pipe does not end: nobody
/// can wake it, and it ends with the program.
struct Patient<F> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    at: usize,
    is_over: F,
}

/// Reads a pipe, or standard input (`-`), until `is_over`; then there is an error of the kind
/// [`ErrorKind::TimedOut`].
pub(crate) fn open<'a>(
    path: &Path,
    is_over: impl Fn() -> bool + 'a,
) -> Result<Box<dyn BufRead + 'a>> {
    let (sender, pieces) = sync_channel(AHEAD);
    let from: PathBuf = path.into();
    let thread = thread::Builder::new().spawn(move || {
        // To open a pipe waits for its writer.
        let input: io::Result<Box<dyn Read>> = match is_standard(&from) {
            true => Ok(Box::new(io::stdin())),
            false => File::open(&from).map(|file| Box::new(file) as Box<dyn Read>),
        };
        match input {
            Ok(input) => pass_on(input, &sender),
            // Nobody minds if the reader has gone.
            Err(error) => drop(sender.send(Err(error))),
        }
    });
    thread.map_err(reading(path))?;
    Ok(Box::new(Patient { pieces, piece: Vec::new(), at: 0, is_over }))
}

/// Reads to the end, to an error, or until nobody listens.
fn pass_on(mut input: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut piece = vec![0; PIECE];
    loop {
        let read = match input.read(&mut piece) {
            Ok(0) => return,
            Ok(length) => Ok(piece[..length].to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        let is_broken = read.is_err();
        if sender.send(read).is_err() || is_broken {
            return;
        }
    }
}

impl<F: Fn() -> bool> BufRead for Patient<F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at == self.piece.len() {
            if (self.is_over)() {
                return Err(ErrorKind::TimedOut.into());
            }
            match self.pieces.recv_timeout(EVERY) {
                Ok(piece) => (self.piece, self.at) = (piece?, 0),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(&self.piece[self.at..])
    }

    fn consume(&mut self, length: usize) {
        self.at = (self.at + length).min(self.piece.len());
    }
}

impl<F: Fn() -> bool> Read for Patient<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let length = ready.len().min(out.len());
        out[..length].copy_from_slice(&ready[..length]);
        self.consume(length);
        Ok(length)
    }
}
