//! A place in memory that takes so many bytes and no more.

use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

/// The place. What would make it larger is refused, and it says so afterwards.
pub struct Bounded {
    bytes: Cursor<Vec<u8>>,
    most: usize,
    is_full: bool,
}

impl Bounded {
    /// An empty one.
    pub fn new(most: usize) -> Bounded {
        Bounded { bytes: Cursor::default(), most, is_full: false }
    }

    /// Was something refused?
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_inner()
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.position() + bytes.len() as u64 > self.most as u64 {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Bounded {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(bytes)
    }
}

impl Seek for Bounded {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(place)
    }
}
