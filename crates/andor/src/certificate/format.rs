//! Bytes and lines of a certificate: shared by the writer and the checker, and knowing nothing
//! else.

use std::io::{self, BufRead, Read, Write};

use crate::plies::Plies;
use crate::rules::Value;
use crate::verdict::Claim;

pub(super) const OVER: u8 = 0;
pub(super) const EXPAND: u8 = 1;
pub(super) const KNOWN: u8 = 2;
pub(super) const WEAKEN: u8 = 3;
pub(super) const CUT: u8 = 4;
pub(super) const RAISE: u8 = 5;
pub(super) const END: u8 = 0xff;

const MAGIC: &str = "yomikiri certificate ";
/// The version without and with records of more plies than were asked for.
const VERSION: &str = "1";
const RAISING: &str = "2";
/// No header line is longer: a graph of a million edges fits.
const LONGEST_LINE: u64 = 64 << 20;

/// What a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// The claim, of the problem as the game writes it. Line breaks are kept.
    pub claim: Claim<String>,
}

/// The header of a certificate could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The first line is another.
    #[error("this is not a certificate")]
    NotACertificate,
    /// A version that this program does not know.
    #[error("the certificate has format {0}; this program reads formats {VERSION} and {RAISING}")]
    Version(String),
    /// A header line is missing or wrong.
    #[error("line {line} of the certificate should be `{expected}`")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What belongs there.
        expected: &'static str,
    },
    /// The file could not be read.
    #[error("cannot read the certificate: {0}")]
    Io(#[from] io::Error),
}

impl Header {
    /// Writes the header.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Claim { problem, value, plies } = &self.claim;
        let problem = problem.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "");
        let may_raise = *value == Value::Disproven && plies.is_bounded();
        writeln!(out, "{MAGIC}{}", if may_raise { RAISING } else { VERSION })?;
        writeln!(out, "game: {}", self.game)?;
        writeln!(out, "problem: {problem}")?;
        writeln!(out, "verdict: {value}")?;
        match plies.bounded() {
            None => writeln!(out, "plies: -")?,
            Some(plies) => writeln!(out, "plies: {plies}")?,
        }
        writeln!(out)
    }

    /// Reads a header and leaves `input` at the body.
    pub fn read(input: &mut impl BufRead) -> Result<Header, HeaderError> {
        let mut number = 0;
        let mut line = |prefix: &str, expected| {
            number += 1;
            let error = HeaderError::Line { line: number, expected };
            let mut bytes = Vec::new();
            input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
            let Ok(text) = String::from_utf8(bytes) else { return Err(error) };
            let text = text.strip_suffix('\n').and_then(|text| text.strip_prefix(prefix));
            text.map(str::to_owned).ok_or(error)
        };
        let version = line(MAGIC, "yomikiri certificate 1").map_err(|error| match error {
            HeaderError::Line { .. } => HeaderError::NotACertificate,
            other => other,
        })?;
        if ![VERSION, RAISING].contains(&version.as_str()) {
            return Err(HeaderError::Version(version));
        }
        let game = line("game: ", "game: NAME")?;
        let problem = unescape(&line("problem: ", "problem: TEXT")?);
        let expected = "verdict: proven|disproven";
        let value = line("verdict: ", expected)?.parse();
        let value = value.map_err(|_| HeaderError::Line { line: 4, expected })?;
        let expected = "plies: N|-";
        let plies = match line("plies: ", expected)?.as_str() {
            "-" => Plies::UNBOUNDED,
            plies => match plies.parse().map(Plies::at_most) {
                Ok(plies) if plies.is_bounded() => plies,
                _ => return Err(HeaderError::Line { line: 5, expected }),
            },
        };
        if !line("", "an empty line")?.is_empty() {
            return Err(HeaderError::Line { line: 6, expected: "an empty line" });
        }
        Ok(Header { game, claim: Claim::new(problem, value, plies) })
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => {}
            },
            other => out.push(other),
        }
    }
    out
}

/// Writes a number, seven bits a byte.
pub(super) fn write_number(out: &mut dyn Write, mut number: u64) -> io::Result<()> {
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            return out.write_all(&[low]);
        }
        out.write_all(&[low | 0x80])?;
    }
}

/// Reads a number; `None` if it does not end or does not fit.
pub(super) fn read_number(input: &mut dyn Read) -> io::Result<Option<u64>> {
    let mut number = 0u64;
    for shift in (0..63).step_by(7) {
        let byte = read_byte(input)?;
        number |= ((byte & 0x7f) as u64) << shift;
        if byte & 0x80 == 0 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Reads one byte.
pub(super) fn read_byte(input: &mut dyn Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}
