//! The file in which an experiment writes every result down at once, so that a run that was ended
//! goes on from there.

use std::fs;
use std::path::{Path, PathBuf};

use yomikiri_files::Growing;

use crate::error::{Error, Result, at};

/// `raw.csv` in the output folder: a line that says with what settings the searches were run, a line
/// of column names, and a line for each search.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    head: String,
    file: Growing,
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
        let mut file = Growing::open(&path)?;
        let text = file.read()?;
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
        file.cut(whole.len())?;
        let head = format!("{settings}\n{columns}\n");
        if whole.is_empty() {
            file.add(&head)?;
        }
        Ok(Journal { path, head, file })
    }

    /// Adds a line.
    pub fn add(&mut self, line: &str) -> Result<()> {
        Ok(self.file.add(&format!("{line}\n"))?)
    }

    /// Writes all lines anew, in this order.
    pub fn rewrite(&self, lines: impl Iterator<Item = String>) -> Result<()> {
        let text = lines.fold(self.head.clone(), |text, line| text + &line + "\n");
        Ok(yomikiri_files::write(&self.path, text)?)
    }
}
