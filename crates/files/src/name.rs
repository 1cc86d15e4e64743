//! What a user calls a file: a path, or `-`.

use std::path::Path;

/// Is this `-`, standard input or standard output?
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What to call a file in messages: its path, or `standard` if that is what it is.
pub fn name(path: &Path, standard: &str) -> String {
    if is_standard(path) { standard.into() } else { path.display().to_string() }
}
