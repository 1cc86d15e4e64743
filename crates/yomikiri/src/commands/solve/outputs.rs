//! The files that `solve` writes.

use std::fs;
use std::path::{Path, PathBuf};

use andor::{Claim, Solvable};
use anyhow::{Context, Result, bail};
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_question::certificate::Source;
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::text;

use super::args::Args;
use super::length;
use super::report::CertificateReport;
use crate::certificate_file;
use crate::input::output_name;

/// Files begun before the search, so that it is not in vain.
pub struct Places {
    /// The certificate; for the shortest mate one more that there is no shorter one, for an exact
    /// score one that it is not more.
    pub certificates: Vec<AtomicFile>,
    /// The solution.
    pub kif: Option<AtomicFile>,
}

impl Places {
    /// Begins them. For several problems, the paths given are directories. `second` is the extension
    /// of the certificate beside the first, where the answer has two.
    pub fn new(
        args: &Args,
        any: &AnyProblem,
        several: bool,
        (certificate, second): (Option<&Path>, Option<&str>),
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
            let name = directory.display();
            let cannot =
                || text!("cannot make the directory {name}", "フォルダ {name} を作れません");
            fs::create_dir_all(directory).with_context(cannot)?;
        }
        let mut paths: Vec<PathBuf> = certificate.into_iter().map(Path::to_owned).collect();
        if let Some(extension) = second {
            let certificate = certificate.filter(|path| files::is_file(path));
            paths.extend(certificate.map(|path| path.with_extension(extension)));
        }
        let certificates =
            paths.iter().map(|path| AtomicFile::new(path)).collect::<Result<_, _>>()?;
        Ok(Places { certificates, kif: kif.map(AtomicFile::new).transpose()? })
    }
}

/// Writes a certificate; none if Ctrl-C came.
pub fn certify<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: AtomicFile,
) -> Result<Option<CertificateReport>> {
    let file = output_name(draft.target());
    let written = certificate_file::write(claim, any, source, draft)?;
    Ok(written.map(|written| {
        let (positions, nodes) = (written.positions, written.nodes);
        CertificateReport { file, positions, nodes, checked: true }
    }))
}
