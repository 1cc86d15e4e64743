//! Certificates as files.

use andor::certificate::Written;
use andor::{Claim, Solvable};
use anyhow::Result;
use yomikiri_files::AtomicFile;
use yomikiri_question::certificate::{self, Source};
use yomikiri_question::games::AnyProblem;

/// Writes a certificate of a claim about `any`, checks it, and only then lets the draft become the
/// file. None, and no file, if it was stopped.
pub fn write<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: AtomicFile,
) -> Result<Option<Written>> {
    match certificate::write(claim, any, source, &mut draft.file()) {
        Ok(written) => {
            draft.finish()?;
            Ok(Some(written))
        }
        Err(error) if error.is_stopped() => Ok(None),
        Err(error) => Err(error.into()),
    }
}
