//! Files that appear only when they are complete.
//!
//! A draft is written beside its final place, brought to the disk, and renamed: whoever looks sees
//! the old file or the new one, also after a power cut. What is no file is not renamed over: its
//! draft lies in the folder for temporary files and is copied when it is complete, so that half an
//! output goes nowhere either. (Names are our own, not those of the crate `tempfile`: one run that
//! is to write two outputs to one file is told so.)

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Result, writing};
use crate::place::{Place, parent};
use crate::standard::take_output;

/// Drafts so far, for names of their own.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A file being written beside its final place. It takes that place, and the place of what was
/// there before, with [`finish`](AtomicFile::finish); otherwise nothing remains of it.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    place: Place,
    path: PathBuf,
    file: File,
    is_placed: bool,
}

impl AtomicFile {
    /// Begins a file that shall become `target`, or be written to it if that is `-`, a device or a
    /// pipe. Fails early where that cannot be.
    pub fn new(target: &Path) -> Result<AtomicFile> {
        let place = Place::of(target).map_err(writing(target))?;
        let path = match &place {
            Place::File(file) => beside(file),
            Place::Standard | Place::Stream(_) => {
                let number = COUNT.fetch_add(1, Ordering::Relaxed);
                let name = format!("yomikiri.{}.{number}.part", std::process::id());
                std::env::temp_dir().join(name)
            }
        };
        if place == Place::Standard {
            take_output()?;
        }
        let open = OpenOptions::new().create_new(true).read(true).write(true).open(&path);
        let file = open.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                let reason = format!("it is being written to already, in {}", path.display());
                writing(target)(io::Error::new(error.kind(), reason))
            }
            _ => writing(target)(error),
        })?;
        Ok(AtomicFile { target: target.into(), place, path, file, is_placed: false })
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The final place, as it was named.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        let done = match self.place.clone() {
            Place::File(file) => self.rename(&file),
            Place::Standard => self.copy(&mut io::stdout().lock()),
            // Nothing that is there is cut off, and a pipe waits here for its reader.
            Place::Stream(path) => {
                let open = OpenOptions::new().append(true).open(path);
                open.and_then(|mut stream| self.copy(&mut stream))
            }
        };
        done.map_err(writing(&self.target))
    }

    fn rename(&mut self, place: &Path) -> io::Result<()> {
        if let Ok(before) = fs::metadata(place) {
            self.file.set_permissions(before.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(&self.path, place)?;
        self.is_placed = true;
        sync_folder(parent(place))
    }

    fn copy(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.file.rewind()?;
        io::copy(&mut self.file, out)?;
        out.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // There is nobody to tell if this fails, and nothing better to do.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// The name of a draft beside its place.
fn beside(place: &Path) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    place.with_file_name(format!(".{name}.{}.part", std::process::id()))
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
