//! Records of solutions, as files.

use std::io::Write;

use anyhow::{Context, Result};
use yomikiri_files::AtomicFile;
use yomikiri_question::lang::text;
use yomikiri_shogi::notation::{self, Format, Record};

/// Writes a record as KIF.
pub fn write(record: &Record, draft: AtomicFile) -> Result<()> {
    let text = notation::write(record, Format::Kif);
    draft
        .file()
        .write_all(text.as_bytes())
        .with_context(|| text!("cannot write the solution", "解答を書き込めません"))?;
    Ok(draft.finish()?)
}
