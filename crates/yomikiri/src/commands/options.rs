//! Options that several commands have.

use std::time::Duration;

use yomikiri_question::lang::{Text, text};
use yomikiri_shogi::Color;
use yomikiri_tsume::Futile;
use yomikiri_tsume::make::Soundness;

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

/// What a problem that is made has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum SoundName {
    /// One solution alone, and no needless piece
    #[default]
    Strict,
    /// Hard, with an exact length; other solutions are possible
    Length,
}

impl From<SoundName> for Soundness {
    fn from(name: SoundName) -> Soundness {
        match name {
            SoundName::Strict => Soundness::Strict,
            SoundName::Length => Soundness::Length,
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
pub fn parse_hash(text: &str) -> Result<usize, Text> {
    let mib: usize = text
        .parse()
        .map_err(|_| text!("expected a whole number of MiB", "MiB 単位の整数を指定してください"))?;
    if mib == 0 {
        return Err(text!(
            "a search needs a table of at least 1 MiB",
            "探索には 1 MiB 以上の置換表が要ります"
        ));
    }
    let bytes = mib.checked_mul(1 << 20).filter(|&bytes| bytes <= isize::MAX as usize);
    bytes.ok_or_else(|| {
        text!(
            "that is more than this machine can address",
            "このコンピューターで扱える大きさを超えています"
        )
    })
}

/// A number of nodes, such as 500000, 500k or 20M.
pub fn parse_nodes(text: &str) -> Result<u64, Text> {
    let (digits, unit) = match text.chars().last() {
        Some('k') => (&text[..text.len() - 1], 1_000),
        Some('M') => (&text[..text.len() - 1], 1_000_000),
        Some('G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let nodes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    nodes.ok_or_else(|| {
        text!(
            "expected a whole number, such as 500000, 500k or 20M",
            "500000、500k、20M のような整数を指定してください"
        )
    })
}

/// Seconds.
pub fn parse_time(text: &str) -> Result<Duration, Text> {
    let seconds = text.parse().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    seconds.ok_or_else(|| text!("expected a number of seconds", "秒数を指定してください"))
}

/// A whole number within these bounds.
pub fn parse_whole<N: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<N, Text> + Clone {
    move |text| {
        let number = text.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
        number.and_then(|n| N::try_from(n).ok()).ok_or_else(|| match most {
            u64::MAX => text!(
                "expected a whole number, {least} or more",
                "{least} 以上の整数を指定してください"
            ),
            _ => text!(
                "expected a whole number from {least} to {most}",
                "{least} から {most} までの整数を指定してください"
            ),
        })
    }
}
