//! Certificates as files: written from a search's table, read back, and checked.

use std::io::{BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::time::{Duration, Instant};

use andor::certificate::{CheckError, Checked, Header, WriteError, Written};
use andor::{Claim, Dfpn, Pulse, Solvable, Stop, Table};
use anyhow::{Context, Result, anyhow, bail};
use yomikiri_files::AtomicFile;
use yomikiri_question::diagnostic::Located;
use yomikiri_question::games::{self, AnyProblem, Visitor};
use yomikiri_question::lang::{Text, text};

/// A certificate that the checker accepted.
pub struct Accepted {
    /// What it says, and of which problem.
    pub claim: Claim<AnyProblem>,
    /// Positions treated in full.
    pub positions: u64,
    /// How long the check took.
    pub elapsed: Duration,
}

impl Accepted {
    /// The claim in words.
    pub fn words(&self) -> Text {
        self.claim.problem.answer(self.claim.value, self.claim.plies)
    }
}

struct Check<'a, R> {
    claim: &'a Claim<String>,
    pulse: &'a Pulse,
    input: &'a mut R,
}

impl<R: Read> Visitor for Check<'_, R> {
    type Output = Result<Checked, CheckError>;

    fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
        P::check_certificate(self.claim.about(problem), self.pulse, self.input)
    }
}

/// Checks a certificate with the rules alone, until the pulse says that it is enough. It must be
/// about `expected`, if that is given.
pub fn check(
    mut input: impl BufRead,
    expected: Option<&AnyProblem>,
    pulse: &Pulse,
) -> Result<Accepted> {
    let start = Instant::now();
    let Header { game, claim } = Header::read(&mut input)?;
    let game = games::find(&game).with_context(|| {
        let known = games::names();
        text!(
            "the certificate is about `{game}`; known are {known}",
            "証明書のゲーム `{game}` を知りません。知っているのは `{known}` です"
        )
    })?;
    let problem = games::parse(&claim.problem, Some(game), None).map_err(|diagnostic| {
        let text = claim.problem.as_str();
        let source = &text!("the certificate's problem", "証明書の問題");
        let located = Located { diagnostic: &diagnostic, text, source, offset: (0, 0) };
        anyhow!(Text::new(|_| located.to_string()))
    })?;
    if expected.is_some_and(|expected| *expected != problem) {
        let other = claim.problem.trim_end();
        bail!(text!(
            "the certificate is about another problem: {other}",
            "別の問題の証明書です: `{other}`"
        ));
    }
    let checked = problem.visit(true, Check { claim: &claim, pulse, input: &mut input })?;
    let claim = claim.about(problem);
    Ok(Accepted { claim, positions: checked.positions, elapsed: start.elapsed() })
}

/// Was a check ended before it came to an answer?
pub fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(CheckError::Stopped(_)))
}

/// What the search left, from which a certificate is written.
pub struct Source<'a> {
    /// Settings for positions that must be searched again.
    pub dfpn: Dfpn,
    /// The table.
    pub table: &'a Table,
    /// Raised to end it.
    pub stop: &'a Stop,
}

/// Writes a certificate of a claim about `any`, checks it, and only then lets the draft become the
/// file.
pub fn write<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: AtomicFile,
) -> Result<Written> {
    let Source { dfpn, table, stop } = *source;
    let mut out = BufWriter::new(draft.file());
    let cannot = || text!("cannot write the certificate", "証明書を書き込めません");
    let header = Header { game: any.game().name.into(), claim: claim.about(any.text()) };
    header.write(&mut out).with_context(cannot)?;
    let written = P::write_certificate(claim, dfpn, table, stop, &mut out)?;
    out.flush().with_context(cannot)?;
    drop(out);
    let mut file = draft.file();
    file.rewind().with_context(|| {
        text!("cannot read the certificate back", "書いた証明書を読み直せません")
    })?;
    let checked = check(BufReader::new(file), Some(any), &Pulse::new(stop.clone()));
    checked.map_err(|error| match is_stopped(&error) {
        true => WriteError::Stopped.into(),
        false => error.context(text!(
            "the checker rejects the new certificate",
            "書いた証明書が検査を通りません"
        )),
    })?;
    draft.finish()?;
    Ok(written)
}
