//! The file in which an experiment writes every result down at once, so that a run that was ended
//! goes on from there.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, at};

/// `raw.csv` in the output folder: a line that says with what settings the searches were run, a line
/// of column names, and a line for each search.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    head: String,
    file: File,
}

impl Journal {
    /// Opens the journal in a folder, or begins one, and gives every line that is there to `read`,
    /// which says whether it understood it. A journal with other settings is refused.
    pub fn open(
        folder: &Path,
        settings: &str,
        columns: &str,
        mut read: impl FnMut(&str) -> bool,
    ) -> Result<Journal> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let path = folder.join("raw.csv");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::File { path, source }),
        };
        // A run that was killed may have left half a line: it is dropped.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let found = whole.lines().next().unwrap_or(settings);
        if found != settings {
            let (found, wanted) = (found.to_owned(), settings.to_owned());
            return Err(Error::OtherRun { path, found, wanted });
        }
        let lines = whole.lines().enumerate().skip(1).filter(|&(_, line)| line != columns);
        for (i, line) in lines {
            if !read(line) {
                return Err(Error::BadRow { path, line: i + 1, text: line.into() });
            }
        }
        let mut file =
            OpenOptions::new().append(true).create(true).open(&path).map_err(at(&path))?;
        file.set_len(whole.len() as u64).map_err(at(&path))?;
        let head = format!("{settings}\n{columns}\n");
        if whole.is_empty() {
            file.write_all(head.as_bytes()).map_err(at(&path))?;
        }
        Ok(Journal { path, head, file })
    }

    /// Adds a line.
    pub fn add(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(at(&self.path))
    }

    /// Writes all lines anew, in this order.
    pub fn rewrite(&self, lines: impl Iterator<Item = String>) -> Result<()> {
        let text = lines.fold(self.head.clone(), |text, line| text + &line + "\n");
        let sorted = self.path.with_extension("csv.new");
        fs::write(&sorted, text).map_err(at(&sorted))?;
        fs::rename(&sorted, &self.path).map_err(at(&self.path))
    }
}
