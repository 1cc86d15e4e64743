//! Finds the problem sets of other collections, which are for measuring and not part of the
//! repository.
//!
//! They are looked for in the folder that the environment variable `YOMIKIRI_PROBLEMS` names, then
//! in `shared/problems` beside the repository, if the program is run somewhere in it. (The folder is
//! not found out when the program is compiled: it would carry a path of that machine.) Tests and benches that want one and do not find it
//! say so and pass.

use std::io::Write;
use std::path::PathBuf;

/// The folder that holds the problem sets, if there is one.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("YOMIKIRI_PROBLEMS").map(PathBuf::from);
    let here = std::env::current_dir().unwrap_or_default();
    let above = here.ancestors().map(|folder| folder.join("shared/problems"));
    named.into_iter().chain(above).find(|folder| folder.is_dir())
}

/// The text of a problem set such as `ffo.tsv`. Says on standard error that it is skipped if it is
/// not found.
pub fn read(name: &str) -> Option<String> {
    let text = folder().and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
    if text.is_none() {
        // Not by `eprintln!`, which a passing test hides.
        let said = writeln!(
            std::io::stderr(),
            "skipped: needs problem sets ({name}); set YOMIKIRI_PROBLEMS to their folder"
        );
        drop(said);
    }
    text
}
