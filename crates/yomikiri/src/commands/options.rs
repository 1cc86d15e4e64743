//! Options that several commands have.

use std::time::Duration;

use yomikiri_shogi::Color;
use yomikiri_tsume::Futile;

/// How interpositions that gain nothing count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FutileName {
    /// As any other move
    Counted,
    /// Not at all: where nothing else is left it is mate
    NotCounted,
}

impl From<FutileName> for Futile {
    fn from(name: FutileName) -> Futile {
        match name {
            FutileName::Counted => Futile::Counted,
            FutileName::NotCounted => Futile::NotCounted,
        }
    }
}

/// Who is to give mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum AttackerName {
    /// 先手
    Black,
    /// 後手
    White,
    /// The side to move, unless it is in check or alone has a king
    Auto,
}

impl From<AttackerName> for Option<Color> {
    fn from(name: AttackerName) -> Option<Color> {
        match name {
            AttackerName::Black => Some(Color::Black),
            AttackerName::White => Some(Color::White),
            AttackerName::Auto => None,
        }
    }
}

/// MiB to bytes.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    let mib: usize = text.parse().map_err(|_| "expected a whole number of MiB".to_owned())?;
    if mib == 0 {
        return Err("a search needs a table of at least 1 MiB".into());
    }
    let bytes = mib.checked_mul(1 << 20).filter(|&bytes| bytes <= isize::MAX as usize);
    bytes.ok_or_else(|| "that is more than this machine can address".into())
}

/// A number of nodes, such as 500000, 500k or 20M.
pub fn parse_nodes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.chars().last() {
        Some('k') => (&text[..text.len() - 1], 1_000),
        Some('M') => (&text[..text.len() - 1], 1_000_000),
        Some('G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let nodes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    nodes.ok_or_else(|| "expected a whole number, such as 500000, 500k or 20M".into())
}

/// Seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| "expected a number of seconds".into())
}
