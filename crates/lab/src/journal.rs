//! The file in which an experiment writes every result down at once, so that a run that was ended
//! goes on from there.

use std::fs;
use std::path::{Path, PathBuf};

use yomikiri_files::Growing;
use yomikiri_origin::machine;

use crate::error::{Error, Result, at};
use crate::origin;

/// What the line begins with that names the build.
const BUILD: &str = "# build: ";
/// And the one that names a machine.
const MACHINE: &str = "# machine: ";

/// `raw.csv` in the output folder: a line that says with what settings the searches were run, one
/// that says by which build, one that says on which machine, a line of column names, and a line for
/// each search. What other settings or another build have found is not mixed with what this one
/// finds. Nor is what was found on another machine, if seconds are recorded; if not, the run goes
/// on, and a line names that machine, too.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    head: String,
    file: Growing,
    /// Bytes of whole lines.
    length: usize,
}

/// Who writes a journal.
struct Writer<'a> {
    build: &'a str,
    machine: &'a str,
    /// Are there seconds in it?
    is_timed: bool,
}

impl Writer<'_> {
    /// The build that runs.
    fn here(machine: &str, is_timed: bool) -> Result<Writer<'_>> {
        Ok(Writer { build: origin::build()?, machine, is_timed })
    }
}

impl Journal {
    /// Opens the journal in a folder, or begins one, and gives every line that is there to `read`,
    /// which says whether it understood it. A journal with other settings, or of another build, or that
    /// another run is writing, is refused.
    pub fn open(
        folder: &Path,
        settings: &str,
        columns: &str,
        read: impl FnMut(&str) -> bool,
    ) -> Result<Journal> {
        let machine = &machine();
        Journal::open_for(&Writer::here(machine, false)?, folder, settings, columns, read)
    }

    /// The same for a journal with seconds in it: one of another machine is refused.
    pub fn open_timed(
        folder: &Path,
        settings: &str,
        columns: &str,
        read: impl FnMut(&str) -> bool,
    ) -> Result<Journal> {
        let machine = &machine();
        Journal::open_for(&Writer::here(machine, true)?, folder, settings, columns, read)
    }

    fn open_for(
        &Writer { build, machine, is_timed }: &Writer<'_>,
        folder: &Path,
        settings: &str,
        columns: &str,
        mut read: impl FnMut(&str) -> bool,
    ) -> Result<Journal> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let path = folder.join("raw.csv");
        let mut file = Growing::open(&path)?;
        if !file.lock() {
            return Err(Error::InUse(path));
        }
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
        let mut machines = Vec::new();
        for (i, line) in lines.filter(|&(_, line)| line != columns) {
            if let Some(found) = line.strip_prefix(MACHINE) {
                machines.push(found);
            } else if !read(line) {
                return Err(Error::BadRow { path, line: i + 1, text: line.into() });
            }
        }
        if is_timed && !whole.is_empty() && machines != [machine] {
            let found =
                if machines.is_empty() { "not recorded".into() } else { machines.join("; ") };
            return Err(Error::OtherMachine { path, found, wanted: machine.into() });
        }
        let is_new = !machines.contains(&machine);
        machines.extend(is_new.then_some(machine));
        let named: String = machines.iter().map(|name| format!("{MACHINE}{name}\n")).collect();
        let head = format!("{settings}\n{BUILD}{build}\n{named}{columns}\n");
        file.cut(whole.len())?;
        let mut journal = Journal { path, head, file, length: whole.len() };
        if whole.is_empty() {
            journal.add_text(&journal.head.clone())?;
        } else if is_new {
            journal.add_text(&format!("{MACHINE}{machine}\n"))?;
        }
        Ok(journal)
    }

    /// Adds a line.
    pub fn add(&mut self, line: &str) -> Result<()> {
        self.add_text(&format!("{line}\n")).map_err(Error::NotRecorded)
    }

    /// Adds whole lines, or nothing: half a line would spoil the next one.
    fn add_text(&mut self, text: &str) -> std::result::Result<(), yomikiri_files::Error> {
        let added = self.file.add(text);
        match added {
            Ok(()) => self.length += text.len(),
            // What it was is told, and not that it could not be undone.
            Err(_) => drop(self.file.cut(self.length)),
        }
        added
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

    /// Opens a journal as a build would on a machine; the lines that it finds.
    fn open_on(
        writer: &Writer<'_>,
        folder: &Path,
        settings: &str,
    ) -> Result<(Journal, Vec<String>)> {
        let mut lines = Vec::new();
        let journal = Journal::open_for(writer, folder, settings, "a,b", |line| {
            lines.push(line.to_owned());
            line.contains(',')
        })?;
        Ok((journal, lines))
    }

    fn open(build: &str, folder: &Path, settings: &str) -> Result<(Journal, Vec<String>)> {
        open_on(&Writer { build, machine: "M", is_timed: true }, folder, settings)
    }

    /// A folder of a test, which is not there yet.
    fn folder(name: &str) -> PathBuf {
        let name = format!("yomikiri-journal-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn two_runs_do_not_write_at_once() {
        let folder = folder("two-runs");
        let (mut journal, _) = open("one", &folder, "# x").unwrap();
        journal.add("1,2").unwrap();
        // The line that it is just writing.
        journal.file.add("3,").unwrap();
        let text = || fs::read_to_string(folder.join("raw.csv")).unwrap();
        let before = text();
        let error = open("one", &folder, "# x").unwrap_err();
        assert!(matches!(error, Error::InUse(_)), "{error}");
        assert!(error.to_string().contains("--out") && text() == before, "{error}");
        drop(journal);
        assert_eq!(open("one", &folder, "# x").unwrap().1, ["1,2"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn seconds_of_two_machines_are_not_mixed() {
        let folder = folder("machines");
        let on = |machine, is_timed| {
            open_on(&Writer { build: "one", machine, is_timed }, &folder, "# x")
        };
        let text = || fs::read_to_string(folder.join("raw.csv")).unwrap();
        on("M", true).unwrap().0.add("1,2").unwrap();
        let before = text();
        assert_eq!(before, "# x\n# build: one\n# machine: M\na,b\n1,2\n");
        let error = on("N, 2 cores", true).unwrap_err();
        assert!(matches!(error, Error::OtherMachine { .. }), "{error}");
        let error = error.to_string();
        assert!(error.contains("there: M\n") && error.contains("here:  N, 2 cores"), "{error}");
        assert!(error.contains("--out"), "{error}");
        assert_eq!(text(), before, "nothing is written");

        // Without seconds the run goes on, and both are named, in the order that they came in.
        for _ in 0..2 {
            let (_, found) = on("N, 2 cores", false).unwrap();
            assert_eq!(found, ["1,2"]);
            assert_eq!(text(), format!("{before}# machine: N, 2 cores\n"));
        }
        let (journal, _) = on("M", false).unwrap();
        journal.rewrite(["1,2".to_owned()].into_iter()).unwrap();
        drop(journal);
        let head = "# x\n# build: one\n# machine: M\n# machine: N, 2 cores\na,b\n";
        assert_eq!(text(), format!("{head}1,2\n"));
        let error = on("M", true).unwrap_err().to_string();
        assert!(error.contains("there: M; N, 2 cores\n"), "{error}");

        fs::write(folder.join("raw.csv"), "# x\n# build: one\na,b\n1,2\n").unwrap();
        let error = on("M", true).unwrap_err().to_string();
        assert!(error.contains("another machine") && error.contains("not recorded"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn another_build_or_other_settings_are_not_mixed_in() {
        let folder = folder("builds");
        let (mut journal, found) = open("one", &folder, "# x").unwrap();
        assert!(found.is_empty());
        journal.add("1,2").unwrap();
        drop(journal);
        // A line that was cut off.
        fs::write(folder.join("raw.csv"), "# x\n# build: one\n# machine: M\na,b\n1,2\n3,").unwrap();
        let (journal, found) = open("one", &folder, "# x").unwrap();
        assert_eq!(found, ["1,2"]);
        journal.rewrite(["3,4".to_owned()].into_iter()).unwrap();
        drop(journal);
        let text = || fs::read_to_string(folder.join("raw.csv")).unwrap();
        assert_eq!(text(), "# x\n# build: one\n# machine: M\na,b\n3,4\n");
        let error = open("two", &folder, "# x").unwrap_err();
        assert!(matches!(error, Error::OtherBuild { .. }), "{error}");
        let error = error.to_string();
        assert!(error.contains("one") && error.contains("two") && error.contains("--out"));
        let error = open("one", &folder, "# y").unwrap_err();
        assert!(matches!(error, Error::OtherRun { .. }), "{error}");
        assert_eq!(text(), "# x\n# build: one\n# machine: M\na,b\n3,4\n", "nothing is written");
        // A journal of a time when builds were not written down.
        fs::write(folder.join("raw.csv"), "# x\na,b\n3,4\n").unwrap();
        let error = open("one", &folder, "# x").unwrap_err();
        assert!(error.to_string().contains("not recorded"), "{error}");
        fs::write(folder.join("raw.csv"), "# x\n# build: one\n# machine: M\na,b\nthree\n").unwrap();
        let error = open("one", &folder, "# x").unwrap_err();
        assert!(matches!(error, Error::BadRow { line: 5, .. }), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }
}
