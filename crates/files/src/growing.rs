//! Files that grow: what was written so far is there, whatever happens.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::{Result, reading, writing};
use crate::place::Place;
use crate::same::Output;
use crate::standard::take_output;

/// A file that is written at its end, piece by piece. Of what is no file nothing can be read, and
/// nothing is cut off.
#[derive(Debug)]
pub struct Growing {
    path: PathBuf,
    out: Out,
    _output: Output,
}

#[derive(Debug)]
enum Out {
    Standard,
    Stream(File),
    File(File),
}

impl Growing {
    /// Opens a file, or makes an empty one. What is in it stays. Fails where it is an input.
    pub fn open(path: &Path) -> Result<Growing> {
        let place = Place::of(path).map_err(writing(path))?;
        let output = Output::new(path, &place)?;
        let mut options = OpenOptions::new();
        options.append(true);
        let out = match place {
            Place::Standard => take_output().map(|()| Out::Standard)?,
            Place::Stream(path) => Out::Stream(options.open(&path).map_err(writing(&path))?),
            Place::File(file) => {
                Out::File(options.create(true).read(true).open(file).map_err(writing(path))?)
            }
        };
        Ok(Growing { path: path.into(), out, _output: output })
    }

    /// Its path, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that is there, up to a letter at its end that was being written when the power went
    /// or the disk was full.
    pub fn read(&mut self) -> Result<String> {
        let mut bytes = Vec::new();
        if let Out::File(file) = &mut self.out {
            file.read_to_end(&mut bytes).map_err(reading(&self.path))?;
        }
        if let Err(error) = str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            bytes.truncate(error.valid_up_to());
        }
        let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
        String::from_utf8(bytes).map_err(invalid).map_err(reading(&self.path))
    }

    /// Cuts off what is beyond so many bytes.
    pub fn cut(&mut self, length: usize) -> Result<()> {
        match &self.out {
            Out::File(file) => file.set_len(length as u64).map_err(writing(&self.path)),
            Out::Standard | Out::Stream(_) => Ok(()),
        }
    }

    /// Adds a text at the end. It is there when this returns.
    pub fn add(&mut self, text: &str) -> Result<()> {
        let written = match &mut self.out {
            Out::Standard => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            Out::Stream(file) | Out::File(file) => file.write_all(text.as_bytes()),
        };
        written.map_err(writing(&self.path))
    }

    /// Keeps others out who ask. Gives whether nobody was there before; a file system without locks
    /// is no reason to give up.
    pub fn lock(&self) -> bool {
        match &self.out {
            Out::File(file) => !matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
            Out::Standard | Out::Stream(_) => true,
        }
    }
}

impl Drop for Growing {
    /// Closing the file alone would keep the lock as long as a program that is just being started
    /// has a copy of it.
    fn drop(&mut self) {
        if let Out::File(file) = &self.out {
            let _ = file.unlock();
        }
    }
}
