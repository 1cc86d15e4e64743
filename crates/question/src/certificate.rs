//! Certificates of any problem: written from what a search left in its table, and checked.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write as _};

use andor::certificate::{
    CheckError, Checked, Checking, Format, Header, HeaderError, WriteError, Written,
};
use andor::{Claim, Dfpn, Pulse, Solvable, Stop, Table};

use crate::diagnostic::Located;
use crate::games::{self, AnyProblem, Visitor};
use crate::lang::{Japanese, Lang, Text, text};

/// Why there is no certificate that the checker accepts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Its first lines are not those of a certificate.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Its problem is unknown, cannot be read, or is not the one that was expected.
    #[error("{0}")]
    Problem(Text),
    /// It was not accepted.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It could not be made.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The place for it fails.
    #[error("{0}")]
    Place(Text, #[source] io::Error),
    /// The checker does not accept what was just made.
    #[error("{0}")]
    Rejected(Text, #[source] Box<Error>),
}

impl Error {
    /// Was it ended, by the stop flag or the clock, before it came to an answer?
    pub fn is_stopped(&self) -> bool {
        matches!(self, Error::Check(CheckError::Stopped(_)) | Error::Write(WriteError::Stopped))
    }

    /// Is the certificate wrong? Else nobody knows: it could not be read, or not to its end.
    pub fn is_rejection(&self) -> bool {
        match self {
            Error::Header(error) => !matches!(error, HeaderError::Io(_)),
            Error::Check(error) => error.is_rejection(),
            Error::Problem(_) => true,
            _ => false,
        }
    }
}

impl Japanese for Error {
    fn japanese(&self) -> String {
        match self {
            Error::Header(error) => error.japanese(),
            Error::Check(error) => error.japanese(),
            Error::Write(error) => error.japanese(),
            Error::Problem(text) | Error::Place(text, _) | Error::Rejected(text, _) => {
                text.as_str(Lang::Ja).into()
            }
        }
    }
}

/// A certificate that the checker accepted.
pub struct Accepted {
    /// What it says, and of which problem.
    pub claim: Claim<AnyProblem>,
    /// Positions treated in full.
    pub positions: u64,
}

impl Accepted {
    /// The claim in words.
    pub fn words(&self) -> Text {
        words(&self.claim)
    }
}

/// A claim in words.
pub fn words(claim: &Claim<AnyProblem>) -> Text {
    claim.problem.answer(claim.value, claim.plies)
}

/// The first lines of a certificate.
#[derive(Debug)]
pub struct Opening {
    /// What it claims, and of which problem.
    pub claim: Claim<AnyProblem>,
    /// How its body is written.
    pub format: Format,
}

impl Opening {
    /// Reads them. The certificate must be about `expected`, if that is given.
    pub fn read(input: &mut impl BufRead, expected: Option<&AnyProblem>) -> Result<Opening, Error> {
        let Header { format, game, claim } = Header::read(input)?;
        let Some(game) = games::find(&game) else {
            let known = games::names();
            return Err(Error::Problem(text!(
                "the certificate is about `{game}`; known are {known}",
                "証明書のゲーム `{game}` を知りません。知っているのは `{known}` です"
            )));
        };
        let problem = games::parse(&claim.problem, Some(game), None).map_err(|diagnostic| {
            let text = claim.problem.as_str();
            let source = &text!("the certificate's problem", "証明書の問題");
            let located = Located { diagnostic: &diagnostic, text, source, offset: (0, 0) };
            Error::Problem(Text::new(|_| located.to_string()))
        })?;
        if expected.is_some_and(|expected| !expected.is_same_question(&problem)) {
            let other = problem.text();
            return Err(Error::Problem(text!(
                "the certificate is about another problem: {other}",
                "別の問題の証明書です: `{other}`"
            )));
        }
        Ok(Opening { claim: claim.about(problem), format })
    }
}

/// What a check may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckLimits {
    /// Bytes of the certificate, if known: so a record that cannot be completed is refused at once.
    pub length: Option<u64>,
    /// Bytes of memory, about.
    pub memory: Option<usize>,
}

struct Check<'a, R> {
    opening: &'a Opening,
    limits: CheckLimits,
    pulse: &'a Pulse,
    input: &'a mut R,
}

impl<R: Read> Visitor for Check<'_, R> {
    type Output = Result<Checked, CheckError>;

    fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
        let Check { opening, limits, pulse, input } = self;
        let mut checking = Checking::new(opening.claim.about(problem), opening.format)?;
        if let Some(length) = limits.length {
            checking = checking.with_length(length);
        }
        if let Some(memory) = limits.memory {
            checking = checking.with_memory(memory);
        }
        P::run_check(&mut checking, pulse, input)
    }
}

/// A reader that counts what it has read.
struct Counted<R> {
    input: R,
    read: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.read += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.read += bytes as u64;
        self.input.consume(bytes);
    }
}

/// Checks a certificate with the rules alone, until the pulse says that it is enough. It must be
/// about `expected`, if that is given.
pub fn check(
    input: impl BufRead,
    expected: Option<&AnyProblem>,
    mut limits: CheckLimits,
    pulse: &Pulse,
) -> Result<Accepted, Error> {
    let mut input = Counted { input, read: 0 };
    let opening = Opening::read(&mut input, expected)?;
    limits.length = limits.length.map(|length| length.saturating_sub(input.read));
    let check = Check { opening: &opening, limits, pulse, input: &mut input };
    let checked = opening.claim.problem.visit(true, check)?;
    Ok(Accepted { claim: opening.claim, positions: checked.positions })
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

struct Write<'a, W> {
    claim: &'a Claim<AnyProblem>,
    source: &'a Source<'a>,
    place: &'a mut W,
}

impl<W: Read + io::Write + Seek> Visitor for Write<'_, W> {
    type Output = Result<Written, Error>;

    fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
        write(self.claim.about(problem), &self.claim.problem, self.source, self.place)
    }
}

/// The same as [`write`](fn@write), of a claim about a problem of any game.
pub fn write_any(
    claim: &Claim<AnyProblem>,
    source: &Source<'_>,
    place: &mut (impl Read + io::Write + Seek),
) -> Result<Written, Error> {
    claim.problem.visit(false, Write { claim, source, place })
}

/// Writes a certificate of a claim about `any` to an empty place, reads it back from there, and
/// checks it.
pub fn write<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    place: &mut (impl Read + io::Write + Seek),
) -> Result<Written, Error> {
    let Source { dfpn, table, stop } = *source;
    let cannot_write = |error| {
        Error::Place(text!("cannot write the certificate", "証明書を書き込めません"), error)
    };
    let mut out = BufWriter::new(&mut *place);
    let (format, game) = (Format::LATEST, any.game().name.into());
    let header = Header { format, game, claim: claim.about(any.text()) };
    header.write(&mut out).map_err(cannot_write)?;
    let written = P::write_certificate(claim, dfpn, table, stop, &mut out)?;
    out.flush().map_err(cannot_write)?;
    drop(out);
    place.rewind().map_err(|error| {
        let cannot = text!("cannot read the certificate back", "書いた証明書を読み直せません");
        Error::Place(cannot, error)
    })?;
    let pulse = Pulse::new(stop.clone());
    match check(BufReader::new(place), Some(any), CheckLimits::default(), &pulse) {
        Ok(_) => Ok(written),
        Err(error) if error.is_stopped() => Err(WriteError::Stopped.into()),
        Err(error) => {
            let rejects =
                text!("the checker rejects the new certificate", "書いた証明書が検査を通りません");
            Err(Error::Rejected(rejects, Box::new(error)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use andor::{Control, Limits};

    use super::*;

    /// Searches a problem, and writes what was found into memory.
    struct Certify<'a>(&'a AnyProblem, Stop);

    impl Visitor for Certify<'_> {
        type Output = Result<Vec<u8>, Error>;

        fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
            let Certify(any, stop) = self;
            let table = Table::new(1 << 20).expect("a small table");
            let dfpn = any.dfpn();
            let mut control = Control::new(Limits::default());
            let outcome = problem.search(&andor::Algorithm::Dfpn(dfpn), &table, &mut control);
            let claim = outcome.claim(problem).expect("a problem that is decided");
            let mut place = Cursor::new(Vec::new());
            write(claim, any, &Source { dfpn, table: &table, stop: &stop }, &mut place)?;
            Ok(place.into_inner())
        }
    }

    fn read(text: &str) -> AnyProblem {
        games::parse(text, None, None).unwrap_or_else(|wrong| panic!("{wrong:?}"))
    }

    fn certificate(any: &AnyProblem) -> Vec<u8> {
        any.visit(false, Certify(any, Stop::new())).expect("a certificate")
    }

    #[test]
    fn a_certificate_in_memory_is_of_its_problem_alone() {
        let pulse = Pulse::new(Stop::new());
        for text in ["hex 3 .../.../... B", "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1"] {
            let any = read(text);
            let bytes = certificate(&any);
            let accepted = check(bytes.as_slice(), Some(&any), CheckLimits::default(), &pulse)
                .expect("accepted");
            assert_eq!(accepted.claim.problem, any);
            assert!(accepted.positions > 0);

            let other = read("hex 1 . B");
            let error = check(bytes.as_slice(), Some(&other), CheckLimits::default(), &pulse)
                .err()
                .expect("another");
            assert!(error.to_string().contains("another problem"), "{error}");
            assert!(error.japanese().contains("別の問題"), "{}", error.japanese());
        }
    }

    #[test]
    fn what_is_not_accepted_says_why_in_both_languages() {
        let any = read("hex 3 .../.../... B");
        let bytes = certificate(&any);
        let pulse = Pulse::new(Stop::new());
        let header = String::from_utf8_lossy(&bytes).into_owned();
        let foreign = header.replacen("hex", "go", 1);
        let cases: [(&[u8], &str, &str); 3] = [
            (b"no certificate", "this is not a certificate", "証明書ではありません"),
            (foreign.as_bytes(), "known are graph, othello", "ゲーム `go` を知りません"),
            (&bytes[..bytes.len() - 4], "truncated", "途中で切れています"),
        ];
        for (bytes, english, japanese) in cases {
            let error =
                check(bytes, None, CheckLimits::default(), &pulse).err().expect("not accepted");
            assert!(error.to_string().contains(english), "{error}");
            assert!(error.japanese().contains(japanese), "{}", error.japanese());
            assert!(!error.is_stopped());
        }
    }

    #[test]
    fn it_ends_when_it_has_to() {
        let any = read("hex 3 .../.../... B");
        let bytes = certificate(&any);
        let stop = Stop::new();
        stop.raise();
        let checked =
            check(bytes.as_slice(), None, CheckLimits::default(), &Pulse::new(stop.clone()));
        assert!(checked.err().is_some_and(|error| error.is_stopped()));
        let written = any.visit(false, Certify(&any, stop));
        assert!(written.err().is_some_and(|error| error.is_stopped()));
    }
}
