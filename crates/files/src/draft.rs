//! Drafts: the files in which outputs grow until they are complete.
//!
//! The draft of `a.cert` is `.a.cert.part`, beside it, and locked as long as somebody writes it. So
//! its name is at once the claim to the output: who finds it locked knows that another run is
//! writing, and who can lock it knows that its writer was killed, and takes it over. The system
//! lifts a lock when its process ends, however it ends; the number of a process would say nothing of
//! processes on other machines, and come round again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Drafts in the folder for temporary files so far, for names of their own.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// A draft, empty and locked.
#[derive(Debug)]
pub(crate) struct Draft {
    pub file: File,
    /// Where it is, if it has a name.
    pub path: Option<PathBuf>,
}

/// Why there is no draft.
pub(crate) enum Refused {
    /// Somebody writes it.
    InUse,
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Io(error)
    }
}

impl Draft {
    /// Begins the draft of a file that is to lie at `place`.
    pub fn beside(place: &Path) -> Result<Draft, Refused> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let path = place.with_file_name(format!(".{name}.part"));
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(Refused::InUse),
                // A file system without locks. The process is the best that there is to tell writers
                // apart; what is there already may be somebody's.
                Err(TryLockError::Error(_)) => {
                    drop(fs::remove_file(&path));
                    let own = format!(".{name}.{}.part", std::process::id());
                    let path = place.with_file_name(own);
                    return match create(&path) {
                        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                            Err(Refused::InUse)
                        }
                        file => Ok(Draft { file: file?, path: Some(path) }),
                    };
                }
                Ok(()) => {}
            }
            // Between the opening and the locking its writer may have put it in its place.
            if is_at(&file, &path)? {
                file.set_len(0)?;
                return Ok(Draft { file, path: Some(path) });
            }
        }
    }

    /// Begins the draft of what goes to a device or a pipe. Where the system can do without, it has no
    /// name, so that nothing can be left of it.
    pub fn elsewhere() -> io::Result<Draft> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("yomikiri.{}.{number}.part", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = create(&path)?;
        let path = if cfg!(unix) && fs::remove_file(&path).is_ok() { None } else { Some(path) };
        Ok(Draft { file, path })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // There is nobody to tell if this fails, and nothing better to do.
            drop(fs::remove_file(path));
        }
        // Closing the file alone would keep the lock as long as a program that is just being started
        // has a copy of it.
        let _ = self.file.unlock();
    }
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().create_new(true).read(true).write(true).open(path)
}

/// Opens a draft that may be there already. A link in its place is nobody's draft.
fn open(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        let reason = format!("{} is in the way", path.display());
        return Err(io::Error::new(ErrorKind::AlreadyExists, reason));
    }
    OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)
}

/// Is this the file of that name?
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A file that is open and locked is not renamed elsewhere.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    Ok(path.exists())
}
