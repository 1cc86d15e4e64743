//! Files that appear only when they are complete.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file being written beside its final place. It takes that place, and the place of what was
/// there before, with [`finish`](Draft::finish); otherwise nothing remains of it.
pub struct Draft {
    target: PathBuf,
    path: PathBuf,
    file: Option<File>,
}

impl Draft {
    /// Begins a file that shall become `target`. Fails early where that cannot be.
    pub fn new(target: &Path) -> Result<Draft> {
        if target.exists() && !target.is_file() {
            bail!("{} is there and is not an ordinary file", target.display());
        }
        let Some(name) = target.file_name() else {
            bail!("`{}` is not the name of a file", target.display());
        };
        let name = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
        let path = target.with_file_name(name);
        let file = OpenOptions::new()
            .create_new(true)
            .read(true)
            .write(true)
            .open(&path)
            .with_context(|| format!("cannot write {}", target.display()))?;
        Ok(Draft { target: target.into(), path, file: Some(file) })
    }

    /// The file.
    pub fn file(&self) -> Result<&File> {
        self.file.as_ref().context("the file is closed")
    }

    /// The final place.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> Result<()> {
        fs::rename(&self.path, &self.target)
            .with_context(|| format!("cannot write {}", self.target.display()))?;
        self.file = None;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // There is nobody to tell if this fails, and nothing better to do.
            drop(fs::remove_file(&self.path));
        }
    }
}
