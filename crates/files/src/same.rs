//! Inputs and outputs of this run: none may be both.
//!
//! A file is known by the system's own number for it, not by its name, so links, other paths to it
//! and a redirected standard input are seen through. Devices and pipes are no files in this sense:
//! a terminal is read and written at once. Inputs count to the end of the run, for what is written
//! from one may be written long after it was read; an output counts until it is in its place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::name::is_standard;
use crate::place::Place;

/// A file that is there, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity(Number);

/// The device and the number of the file on it.
#[cfg(unix)]
type Number = (u64, u64);
/// The path without links: elsewhere there is no number to be had.
#[cfg(not(unix))]
type Number = PathBuf;

impl Identity {
    /// Of an ordinary file.
    pub fn of(path: &Path) -> Option<Identity> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        return Some(Identity::of_metadata(&metadata));
        #[cfg(not(unix))]
        return path.canonicalize().ok().map(Identity).filter(|_| metadata.is_file());
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &fs::Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity((metadata.dev(), metadata.ino()))
    }

    /// Of what an open stream is redirected to, if that is an ordinary file.
    #[cfg(unix)]
    fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
        let copy = stream.as_fd().try_clone_to_owned().ok()?;
        let metadata = fs::File::from(copy).metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Identity::of_metadata(&metadata))
    }

    #[cfg(not(unix))]
    fn of_stream<T>(_: T) -> Option<Identity> {
        None
    }

    fn of_place(place: &Place) -> Option<Identity> {
        match place {
            Place::Standard => Identity::of_stream(io::stdout()),
            Place::Stream(path) | Place::File(path) => Identity::of(path),
        }
    }
}

type List = Mutex<Vec<(Identity, PathBuf)>>;

static INPUTS: List = List::new(Vec::new());
static OUTPUTS: List = List::new(Vec::new());

fn locked(list: &List) -> MutexGuard<'_, Vec<(Identity, PathBuf)>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name in a list of this file. Where the name leads elsewhere by now, the file of then is gone,
/// and its number may have been given to another.
fn find(list: &List, file: &Identity) -> Option<PathBuf> {
    let is_it = |path: &Path| is_standard(path) || Identity::of(path).as_ref() == Some(file);
    let found = locked(list).iter().find(|(known, path)| known == file && is_it(path)).cloned();
    found.map(|(_, path)| path)
}

/// Notes that a file is read. Fails if it is being written.
pub(crate) fn note_input(path: &Path) -> Result<()> {
    let file =
        if is_standard(path) { Identity::of_stream(io::stdin()) } else { Identity::of(path) };
    let Some(file) = file else { return Ok(()) };
    if let Some(output) = find(&OUTPUTS, &file) {
        return Err(Error::Both { input: path.into(), output });
    }
    if find(&INPUTS, &file).is_none() {
        locked(&INPUTS).push((file, path.into()));
    }
    Ok(())
}

/// Fails if an output of this name and place is read.
pub(crate) fn check_output(path: &Path, place: &Place) -> Result<()> {
    match Identity::of_place(place).and_then(|file| find(&INPUTS, &file)) {
        Some(input) => Err(Error::Both { input, output: path.into() }),
        None => Ok(()),
    }
}

/// A file that is being written. It is forgotten when this is dropped.
#[derive(Debug)]
pub(crate) struct Output(Option<Identity>);

impl Output {
    /// Notes that a file of this name and place is written. Fails if it is read.
    pub fn new(path: &Path, place: &Place) -> Result<Output> {
        check_output(path, place)?;
        let file = Identity::of_place(place);
        locked(&OUTPUTS).extend(file.clone().map(|file| (file, path.to_owned())));
        Ok(Output(file))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let mut outputs = locked(&OUTPUTS);
        if let Some(at) = outputs.iter().position(|(file, _)| Some(file) == self.0.as_ref()) {
            outputs.swap_remove(at);
        }
    }
}
