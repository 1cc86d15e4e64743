//! Files that appear only when they are complete.
//!
//! A draft is written beside its final place, brought to the disk, and renamed: whoever looks sees
//! the old file or the new one, also after a power cut. What is no file is not renamed over: its
//! draft lies in the folder for temporary files and is copied when it is complete, so that half an
//! output goes nowhere either.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::draft::{Draft, Refused};
use crate::error::{Error, Result, writing};
use crate::place::{Place, parent};
use crate::same::Output;
use crate::standard::take_output;

/// A file being written beside its final place. It takes that place, and the place of what was
/// there before, with [`finish`](AtomicFile::finish); otherwise nothing remains of it.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    place: Place,
    draft: Draft,
    _output: Output,
}

impl AtomicFile {
    /// Begins a file that shall become `target`, or be written to it if that is `-`, a device or a
    /// pipe. Fails early where that cannot be, where it is an input, and where somebody else is
    /// writing it.
    pub fn new(target: &Path) -> Result<AtomicFile> {
        let place = Place::of(target).map_err(writing(target))?;
        let output = Output::new(target, &place)?;
        if place == Place::Standard {
            take_output()?;
        }
        let draft = match &place {
            Place::File(file) => Draft::beside(file),
            Place::Standard | Place::Stream(_) => Draft::elsewhere().map_err(Refused::Io),
        };
        let draft = draft.map_err(|refused| match refused {
            Refused::InUse => Error::InUse(target.into()),
            Refused::Io(error) => writing(target)(error),
        })?;
        Ok(AtomicFile { target: target.into(), place, draft, _output: output })
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.draft.file
    }

    /// The final place, as it was named.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        self.put()
    }

    /// Puts files that belong together in their places. The old ones of all places but the first, and
    /// of `outdated`, go before: so there is never a new one beside an old one, whenever this ends.
    pub fn finish_together(mut files: Vec<AtomicFile>, outdated: &[PathBuf]) -> Result<()> {
        for file in &files {
            file.draft.file.sync_all().map_err(writing(&file.target))?;
        }
        for place in files.iter().skip(1).filter_map(AtomicFile::file_place).chain(outdated) {
            match fs::remove_file(place) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(writing(place)(error));
                }
                _ => {}
            }
        }
        // All of them stay claimed until the last one is there.
        files.iter_mut().try_for_each(AtomicFile::put)
    }

    /// Where it goes, if it becomes an ordinary file.
    fn file_place(&self) -> Option<&PathBuf> {
        match &self.place {
            Place::File(file) => Some(file),
            Place::Standard | Place::Stream(_) => None,
        }
    }

    fn put(&mut self) -> Result<()> {
        let done = match self.place.clone() {
            Place::File(file) => self.rename(&file),
            Place::Standard => self.copy(&mut io::stdout().lock()),
            // Nothing that is there is cut off, and a pipe waits here for its reader.
            Place::Stream(path) => {
                let open = fs::OpenOptions::new().append(true).open(path);
                open.and_then(|mut stream| self.copy(&mut stream))
            }
        };
        done.map_err(writing(&self.target))
    }

    fn rename(&mut self, place: &Path) -> io::Result<()> {
        let Some(path) = &self.draft.path else { return Ok(()) };
        if let Ok(before) = fs::metadata(place) {
            self.draft.file.set_permissions(before.permissions())?;
        }
        self.draft.file.sync_all()?;
        fs::rename(path, place)?;
        self.draft.path = None;
        sync_folder(parent(place))
    }

    fn copy(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.draft.file.rewind()?;
        io::copy(&mut self.draft.file, out)?;
        out.flush()
    }
}

/// Brings a renaming to the disk. Some file systems do not know how, and lose nothing by it.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            done => return done,
        }
    }
    Ok(())
}

/// Writes a whole file.
pub fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    let draft = AtomicFile::new(path)?;
    draft.file().write_all(text.as_ref()).map_err(writing(path))?;
    draft.finish()
}
