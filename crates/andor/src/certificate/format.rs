//! Bytes and lines of a certificate: shared by the writer and the checker, and knowing nothing
//! else.

use std::io::{self, BufRead, Read, Write};

use crate::plies::Plies;
use crate::verdict::Claim;

pub(super) const OVER: u8 = 0;
pub(super) const EXPAND: u8 = 1;
pub(super) const KNOWN: u8 = 2;
pub(super) const WEAKEN: u8 = 3;
pub(super) const CUT: u8 = 4;
pub(super) const RAISE: u8 = 5;
pub(super) const END: u8 = 0xff;

const MAGIC: &str = "yomikiri certificate ";
/// No header line is longer: a graph of a million edges fits.
const LONGEST_LINE: u64 = 64 << 20;

/// The formats of certificates, one for each change. All are read; the latest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Format 1. Children stand in the order in which [`Rules::legal_moves`](crate::Rules::legal_moves)
    /// yields moves.
    Plain = 1,
    /// Format 2: bounded disproofs may *raise*.
    Raising,
    /// Format 3: children stand in the order of their move numbers, so that a checker needs to know of
    /// no move generator in which order it works.
    Sorted,
}

impl Format {
    /// The format that is written.
    pub const LATEST: Format = Format::Sorted;

    const ALL: [Format; 3] = [Format::Plain, Format::Raising, Format::Sorted];

    fn number(self) -> u8 {
        self as u8
    }
}

/// What a certificate claims, and how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The format of the body.
    pub format: Format,
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
    #[error(
        "the certificate has format {written}; this program reads formats 1 to {}",
        Format::LATEST.number()
    )]
    Version {
        /// What stands there.
        written: String,
    },
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
        writeln!(out, "{MAGIC}{}", self.format.number())?;
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
        let version = line(MAGIC, "yomikiri certificate N").map_err(|error| match error {
            HeaderError::Line { .. } => HeaderError::NotACertificate,
            other => other,
        })?;
        let format = Format::ALL.into_iter().find(|f| f.number().to_string() == version);
        let Some(format) = format else { return Err(HeaderError::Version { written: version }) };
        let game = line("game: ", "game: NAME")?;
        let problem = unescape(&line("problem: ", "problem: TEXT")?);
        let expected = "verdict: proven|disproven";
        let value = line("verdict: ", expected)?.parse();
        let value = value.map_err(|_| HeaderError::Line { line: 4, expected })?;
        let expected = "plies: N|-";
        let plies = match line("plies: ", expected)?.as_str() {
            "-" => Plies::UNBOUNDED,
            // Digits as this program writes them: no sign, no zeros before them.
            written => match written.parse().map(Plies::at_most) {
                Ok(plies) if plies.is_bounded() && plies.to_string() == written => plies,
                _ => return Err(HeaderError::Line { line: 5, expected }),
            },
        };
        if !line("", "an empty line")?.is_empty() {
            return Err(HeaderError::Line { line: 6, expected: "an empty line" });
        }
        Ok(Header { format, game, claim: Claim::new(problem, value, plies) })
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

/// Reads a number, and how many bytes it has; `None` if it does not end or does not fit.
pub(super) fn read_number(input: &mut dyn Read) -> io::Result<Option<(u64, u64)>> {
    let mut number = 0u64;
    for bytes in 0..9 {
        let byte = read_byte(input)?;
        number |= ((byte & 0x7f) as u64) << (7 * bytes);
        if byte & 0x80 == 0 {
            return Ok(Some((number, bytes + 1)));
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
