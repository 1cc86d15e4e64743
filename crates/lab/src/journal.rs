//! The file in which an experiment writes every result down at once, so that a run that was ended
//! goes on from there.

use std::fs;
use std::path::{Path, PathBuf};

use yomikiri_files::Growing;

use crate::error::{Error, Result, at};
use crate::origin;

/// What the line begins with that names the build.
const BUILD: &str = "# build: ";

/// `raw.csv` in the output folder: a line that says with what settings the searches were run, one
/// that says by which build, a line of column names, and a line for each search. What other
/// settings or another build have found is not mixed with what this one finds.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    head: String,
    file: Growing,
}

impl Journal {
    /// Opens the journal in a folder, or begins one, and gives every line that is there to `read`,
    /// which says whether it understood it. A journal with other settings, or of another build, is
    /// refused.
    pub fn open(
        folder: &Path,
        settings: &str,
        columns: &str,
        read: impl FnMut(&str) -> bool,
    ) -> Result<Journal> {
        Journal::open_for(origin::build()?, folder, settings, columns, read)
    }

    fn open_for(
        build: &str,
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
        let mut lines = whole.lines().enumerate();
        if let Some((_, found)) = lines.next() {
            let other = |found: &str, wanted: &str| (found.to_owned(), wanted.to_owned());
            if found != settings {
                let (found, wanted) = other(found, settings);
                return Err(Error::OtherRun { path, found, wanted });
            }
            let found = lines.next().and_then(|(_, line)| line.strip_prefix(BUILD));
            if found != Some(build) {
                let (found, wanted) = other(found.unwrap_or("not recorded"), build);
                return Err(Error::OtherBuild { path, found, wanted });
            }
        }
        for (i, line) in lines.filter(|&(_, line)| line != columns) {
            if !read(line) {
                return Err(Error::BadRow { path, line: i + 1, text: line.into() });
            }
        }
        file.cut(whole.len())?;
        let head = format!("{settings}\n{BUILD}{build}\n{columns}\n");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Opens a journal as a build would; the lines that it finds.
    fn open(build: &str, folder: &Path, settings: &str) -> Result<(Journal, Vec<String>)> {
        let mut lines = Vec::new();
        let journal = Journal::open_for(build, folder, settings, "a,b", |line| {
            lines.push(line.to_owned());
            line.contains(',')
        })?;
        Ok((journal, lines))
    }

    #[test]
    fn another_build_or_other_settings_are_not_mixed_in() {
        let name = format!("yomikiri-journal-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        let (mut journal, found) = open("one", &folder, "# x").unwrap();
        assert!(found.is_empty());
        journal.add("1,2").unwrap();
        // A line that was cut off.
        fs::write(folder.join("raw.csv"), "# x\n# build: one\na,b\n1,2\n3,").unwrap();
        let (journal, found) = open("one", &folder, "# x").unwrap();
        assert_eq!(found, ["1,2"]);
        journal.rewrite(["3,4".to_owned()].into_iter()).unwrap();
        let text = || fs::read_to_string(folder.join("raw.csv")).unwrap();
        assert_eq!(text(), "# x\n# build: one\na,b\n3,4\n");
        let error = open("two", &folder, "# x").unwrap_err();
        assert!(matches!(error, Error::OtherBuild { .. }), "{error}");
        let error = error.to_string();
        assert!(error.contains("one") && error.contains("two") && error.contains("--out"));
        let error = open("one", &folder, "# y").unwrap_err();
        assert!(matches!(error, Error::OtherRun { .. }), "{error}");
        assert_eq!(text(), "# x\n# build: one\na,b\n3,4\n", "nothing is written");
        // A journal of a time when builds were not written down.
        fs::write(folder.join("raw.csv"), "# x\na,b\n3,4\n").unwrap();
        let error = open("one", &folder, "# x").unwrap_err();
        assert!(error.to_string().contains("not recorded"), "{error}");
        fs::write(folder.join("raw.csv"), "# x\n# build: one\na,b\nthree\n").unwrap();
        let error = open("one", &folder, "# x").unwrap_err();
        assert!(matches!(error, Error::BadRow { line: 4, .. }), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
