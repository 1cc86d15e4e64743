//! Certificates as files: written from a search's table, read back, and checked.

use std::io::{BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::time::{Duration, Instant};

use andor::certificate::{CheckError, Checked, Header, Written};
use andor::{Dfpn, Plies, Solvable, Stop, Table, Value};
use anyhow::{Context, Result, anyhow, ensure};
use yomikiri_files::AtomicFile;

use crate::fault::Located;
use crate::games::{self, AnyProblem, Visitor};

/// A certificate that the checker accepted.
pub struct Accepted {
    /// The problem it is about.
    pub problem: AnyProblem,
    /// What it says of it.
    pub header: Header,
    /// Positions treated in full.
    pub positions: u64,
    /// How long the check took.
    pub elapsed: Duration,
}

impl Accepted {
    /// The claim in words.
    pub fn claim(&self) -> String {
        self.problem.answer(self.header.value, self.header.plies)
    }
}

struct Check<'a, R> {
    header: &'a Header,
    input: &'a mut R,
}

impl<R: Read> Visitor for Check<'_, R> {
    type Output = Result<Checked, CheckError>;

    fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
        problem.check_certificate(self.header.value, self.header.plies, self.input)
    }
}

/// Checks a certificate with the rules alone. It must be about `expected`, if that is given.
pub fn check(mut input: impl BufRead, expected: Option<&AnyProblem>) -> Result<Accepted> {
    let start = Instant::now();
    let header = Header::read(&mut input)?;
    let game = games::find(&header.game).with_context(|| {
        format!("the certificate is about `{}`; known are {}", header.game, games::names())
    })?;
    let problem = games::parse(&header.problem, Some(game), None).map_err(|fault| {
        let (text, source) = (header.problem.as_str(), "the certificate's problem");
        anyhow!("{}", Located { fault: &fault, text, source, offset: (0, 0) })
    })?;
    ensure!(
        expected.is_none_or(|expected| *expected == problem),
        "the certificate is about another problem: {}",
        header.problem.trim_end()
    );
    let checked = problem.visit(true, Check { header: &header, input: &mut input })?;
    Ok(Accepted { problem, header, positions: checked.positions, elapsed: start.elapsed() })
}

/// What is to be certified, and what the search left.
pub struct Solution<'a> {
    /// The problem in its certificate.
    pub any: &'a AnyProblem,
    /// Its value.
    pub value: Value,
    /// The bound on plies.
    pub plies: Plies,
    /// Settings for positions that must be searched again.
    pub dfpn: Dfpn,
    /// What the search left.
    pub table: &'a Table,
    /// Raised to end it.
    pub stop: &'a Stop,
}

/// Writes a certificate, checks it, and only then lets the draft become the file.
pub fn write<P: Solvable>(
    problem: &P,
    solution: &Solution<'_>,
    draft: AtomicFile,
) -> Result<Written> {
    let Solution { any, value, plies, dfpn, table, stop } = *solution;
    let mut out = BufWriter::new(draft.file());
    let header = Header { game: any.game().name.into(), problem: any.text(), value, plies };
    header.write(&mut out).context("cannot write the certificate")?;
    let written = problem.write_certificate(value, plies, dfpn, table, stop, &mut out)?;
    out.flush().context("cannot write the certificate")?;
    drop(out);
    let mut file = draft.file();
    file.rewind().context("cannot read the certificate back")?;
    check(BufReader::new(file), Some(any)).context("the checker rejects the new certificate")?;
    draft.finish()?;
    Ok(written)
}
