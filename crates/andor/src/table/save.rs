//! Saving a table and loading it again, so that a long search can be resumed.
//!
//! The file is a header (magic, format version, a tag that names the problem it belongs to, the
//! number of clusters), then every cluster that holds something as its number and its fifteen
//! words, then a checksum. All numbers are little-endian. A table loads only into one of the same
//! size and tag.

use std::io::{self, Read, Write};

use super::entry::{ENTRIES, Entry, WORDS, Words};
use super::memory::SizeError;
use super::store::Table;
use crate::problem::mix64;

const MAGIC: &[u8; 8] = b"YOMITABL";
const VERSION: u32 = 1;
const END: u64 = u64::MAX;

/// A saved table could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Not a table at all.
    #[error("this is not a saved table")]
    NotATable,
    /// Written by another version.
    #[error("the table was saved in format {found}; this program reads format {VERSION}")]
    Version {
        /// The version found.
        found: u32,
    },
    /// Saved for another problem.
    #[error("the table belongs to another problem ({found})")]
    Tag {
        /// The tag found.
        found: String,
    },
    /// Saved with another size.
    #[error("the table was saved with {found} bytes, this one has {expected}: use the same --hash")]
    Size {
        /// Bytes of the saved table.
        found: u64,
        /// Bytes of this one.
        expected: u64,
    },
    /// There can be no table of the size asked for.
    #[error(transparent)]
    Memory(#[from] SizeError),
    /// Cut short or changed.
    #[error("the saved table is damaged")]
    Damaged,
    /// The file could not be read.
    #[error("cannot read the saved table: {0}")]
    Io(io::Error),
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => LoadError::Damaged,
            _ => LoadError::Io(error),
        }
    }
}

#[derive(Default)]
struct Checksum(u64);

impl Checksum {
    fn add(&mut self, word: u64) {
        self.0 = mix64(self.0.rotate_left(1) ^ word);
    }
}

impl Table {
    /// Writes the table. `tag` names the problem (game, goal) that its keys belong to.
    pub fn save(&self, tag: &str, mut out: impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(tag.len() as u32).to_le_bytes())?;
        out.write_all(tag.as_bytes())?;
        let mut checksum = Checksum::default();
        let mut put = |out: &mut dyn Write, word: u64| {
            checksum.add(word);
            out.write_all(&word.to_le_bytes())
        };
        put(&mut out, self.clusters.len() as u64)?;
        for (place, cluster) in self.clusters.iter().enumerate() {
            let words: Words = cluster.read(|view| view.words());
            if (0..ENTRIES).all(|i| Entry::read(&words, i).is_free()) {
                continue;
            }
            put(&mut out, place as u64)?;
            for &word in &words[1..] {
                put(&mut out, word)?;
            }
        }
        put(&mut out, END)?;
        let sum = checksum.0;
        out.write_all(&sum.to_le_bytes())?;
        out.flush()
    }

    /// Reads a table of `bytes` bytes that was saved with `tag`.
    pub fn load(bytes: usize, tag: &str, mut input: impl Read) -> Result<Table, LoadError> {
        let table = Table::new(bytes)?;
        let mut magic = [0; 8];
        input.read_exact(&mut magic).map_err(|_| LoadError::NotATable)?;
        if &magic != MAGIC {
            return Err(LoadError::NotATable);
        }
        let found = read_u32(&mut input)?;
        if found != VERSION {
            return Err(LoadError::Version { found });
        }
        let length = read_u32(&mut input)? as usize;
        if length > 1 << 16 {
            return Err(LoadError::Damaged);
        }
        let mut name = vec![0; length];
        input.read_exact(&mut name)?;
        if name != tag.as_bytes() {
            let found = String::from_utf8_lossy(&name).into_owned();
            return Err(LoadError::Tag { found });
        }
        let mut checksum = Checksum::default();
        let mut next = |input: &mut dyn Read| -> Result<u64, LoadError> {
            let mut bytes = [0; 8];
            input.read_exact(&mut bytes)?;
            let word = u64::from_le_bytes(bytes);
            checksum.add(word);
            Ok(word)
        };
        let clusters = next(&mut input)?;
        if clusters != table.clusters.len() as u64 {
            return Err(LoadError::Size {
                found: clusters.saturating_mul(128),
                expected: table.bytes() as u64,
            });
        }
        loop {
            let place = next(&mut input)?;
            if place == END {
                break;
            }
            if place >= clusters {
                return Err(LoadError::Damaged);
            }
            let cluster = table.clusters.cluster_to_fill(place as usize);
            let mut loaded = [0; WORDS];
            for word in &mut loaded[1..] {
                *word = next(&mut input)?;
            }
            let entries = (0..ENTRIES).filter(|&i| !Entry::read(&loaded, i).is_free()).count();
            table.stored.add(place as usize, entries as isize);
            cluster.write(|words| words[1..].copy_from_slice(&loaded[1..]));
        }
        let expected = checksum.0;
        let mut sum = [0; 8];
        input.read_exact(&mut sum)?;
        if u64::from_le_bytes(sum) != expected {
            return Err(LoadError::Damaged);
        }
        Ok(table)
    }
}

fn read_u32(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
