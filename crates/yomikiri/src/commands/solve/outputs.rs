//! The files that `solve` writes.

use std::path::{Path, PathBuf};

use andor::{Claim, Solvable};
use anyhow::{Result, bail};
use yomikiri_files::AtomicFile;
use yomikiri_question::certificate::Source;
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::text;

use super::args::Args;
use super::length;
use super::report::CertificateReport;
use crate::certificate_file::{self, Certificates, Draft, Second};
use crate::folder;
use crate::input::output_name;

/// Files begun before the search, so that it is not in vain.
pub struct Places {
    /// The certificate; for the shortest mate one more that there is no shorter one, for an exact
    /// score one that it is not more.
    pub certificates: Certificates,
    /// The solution.
    pub kif: Option<AtomicFile>,
}

impl Places {
    /// Begins them. For several problems, the paths given are directories. `second` is the
    /// certificate beside the first, where the answer has two.
    pub fn new(
        args: &Args,
        any: &AnyProblem,
        several: bool,
        (certificate, second): (Option<&Path>, Option<Second>),
        kif: Option<&Path>,
    ) -> Result<Places> {
        let is_shogi = any.is_shogi();
        let only = [("--any-mate", args.any_mate), ("--kif", args.kif.is_some())];
        if let Some((option, _)) = only.iter().find(|(_, given)| *given && !is_shogi) {
            let game = any.game();
            let (name, title) = (game.name, game.title());
            bail!(text!(
                "{option} is for shogi, not for {name}",
                "{option} は将棋用で、{title}では使えません"
            ));
        }
        length::check(args, any)?;
        for directory in [&args.certificate, &args.kif].into_iter().flatten().filter(|_| several) {
            folder::make(directory)?;
        }
        let certificates = certificate.map(|path| Certificates::new(path, second)).transpose()?;
        let certificates = certificates.unwrap_or_default();
        Ok(Places { certificates, kif: kif.map(AtomicFile::new).transpose()? })
    }
}

/// The files that problems with names like these get in the directories given.
pub fn in_folders<'a>(
    args: &'a Args,
    stems: impl IntoIterator<Item = &'a str> + 'a,
) -> impl Iterator<Item = PathBuf> + 'a {
    stems.into_iter().flat_map(|stem| {
        let place = |path: &Option<PathBuf>, extension: &str| {
            path.as_ref().map(|path| path.join(format!("{stem}.{extension}")))
        };
        let certificate = place(&args.certificate, "cert");
        let certificates = certificate.iter().flat_map(|path| certificate_file::names(path));
        certificates.chain(place(&args.kif, "kif")).collect::<Vec<_>>()
    })
}

/// Writes a certificate; none if Ctrl-C came.
pub fn certify<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: Draft,
) -> Result<Option<CertificateReport>> {
    let file = output_name(draft.target());
    let written = draft.write(claim, any, source)?;
    Ok(written.map(|written| {
        let (positions, nodes) = (written.positions, written.nodes);
        CertificateReport { file, positions, nodes, checked: true }
    }))
}
