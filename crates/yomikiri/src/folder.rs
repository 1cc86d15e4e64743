//! Directories of outputs, a file or more a problem.
//!
//! Nobody has named these files one by one, so none that is there is replaced unless --force says so.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use yomikiri_files as files;
use yomikiri_question::lang::text;

/// Makes a directory, if it is not there.
pub fn make(path: &Path) -> Result<()> {
    let name = path.display();
    fs::create_dir_all(path)
        .with_context(|| text!("cannot make the directory {name}", "フォルダ {name} を作れません"))
}

/// Fails where one of these files is there, unless they may be replaced; and where one is an input.
pub fn check(paths: impl IntoIterator<Item = PathBuf>, force: bool) -> Result<()> {
    let mut there = Vec::new();
    for path in paths.into_iter().filter(|path| path.symlink_metadata().is_ok()) {
        files::check(&path)?;
        there.push(path);
    }
    let Some(first) = there.first().filter(|_| !force) else { return Ok(()) };
    let (first, all, more) = (first.display(), there.len(), there.len() - 1);
    match more {
        0 => bail!(text!(
            "{first} exists: --force replaces it",
            "{first} はすでにあります。置き換えるなら --force を付けてください"
        )),
        _ => bail!(text!(
            "{first} and {more} more files exist: --force replaces them",
            "{first} など{all}個のファイルがすでにあります。置き換えるなら --force を付けてください"
        )),
    }
}
