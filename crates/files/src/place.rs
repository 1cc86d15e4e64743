//! Where an output goes, once all links are followed.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard output.
    Standard,
    /// A device, a pipe, or a file that is open already: written to as it is.
    Stream(PathBuf),
    /// An ordinary file, there or not yet.
    File(PathBuf),
}

/// More links than this lead in a circle.
const LINKS: usize = 40;

impl Place {
    /// Where an output of this name goes.
    pub fn of(path: &Path) -> io::Result<Place> {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            if crate::name::is_standard(&path) || is_descriptor(&path, "1", "/dev/stdout") {
                return Ok(Place::Standard);
            }
            // The links there are not names of files: they stand for files that are open.
            let folder = parent(&path).canonicalize();
            if folder.is_ok_and(|folder| folder.starts_with("/proc")) {
                return Ok(Place::Stream(path));
            }
            match fs::read_link(&path) {
                Ok(link) => path = parent(&path).join(link),
                Err(_) => return Place::without_links(path),
            }
        }
        Err(io::Error::other("its links lead in a circle"))
    }

    fn without_links(path: PathBuf) -> io::Result<Place> {
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => Ok(Place::File(path)),
            Ok(_) => Ok(Place::Stream(path)),
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            Err(_) if path.file_name().is_none() => {
                Err(io::Error::new(ErrorKind::InvalidInput, "that is not the name of a file"))
            }
            Err(_) => Ok(Place::File(path)),
        }
    }
}

/// Is this one of the names that systems have for a descriptor?
fn is_descriptor(path: &Path, number: &str, device: &str) -> bool {
    path == Path::new(device)
        || ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"]
            .iter()
            .any(|folder| path == Path::new(folder).join(number))
}

/// The folder that a path lies in.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Does an output of this name become an ordinary file, so that others can lie beside it?
pub fn is_file(path: &Path) -> bool {
    matches!(Place::of(path), Ok(Place::File(_)))
}
