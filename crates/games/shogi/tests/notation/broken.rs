//! Broken texts: whatever the bytes are, reading gives a record or a reason, never a panic.

use proptest::prelude::*;
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::{Encoding, Format, decode, encode, read, write};

use super::games::{self, Wanted};
use crate::support::records::read_anyhow;

fn sample(seed: u64, format: Format, encoding: Encoding) -> Vec<u8> {
    let mut rng = andor::SplitMix64::new(seed);
    let start = if seed.is_multiple_of(2) { Position::start() } else { games::problem(&mut rng) };
    let wanted = Wanted { plies: 12, variations: 3, words: true, times: true };
    let record = games::record(&mut rng, start, wanted);
    encode(&write(&record, format), encoding).expect("samples are in both encodings")
}

fn formats() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

fn encodings() -> impl Strategy<Value = Encoding> {
    prop::sample::select(vec![Encoding::Utf8, Encoding::ShiftJis])
}

/// Pieces of text that mean something somewhere.
const PIECES: [&str; 40] = [
    "変化：3手\n",
    "変化：0手\n",
    "変化：99999999999手\n",
    "同",
    "　",
    "打",
    "成",
    "不成",
    "右",
    "(77)",
    "(00)",
    "残り全部",
    "手合割：",
    "後手の持駒：",
    "|",
    "v玉",
    "\n",
    "\r\n",
    "*",
    "まで",
    "投了",
    "+7776FU\n",
    "P-00AL\n",
    "PI\n",
    "%TSUMI\n",
    "T9999999999\n",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\\u",
    "forks",
    "null",
    "0",
    "９",
    "moves",
    "\u{feff}",
];

/// At least 1,500; more if `PROPTEST_CASES` says so.
fn cases() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.max(1500), failure_persistence: None, ..config }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_anyhow(&bytes);
    }

    #[test]
    fn any_text(text in "\\PC{0,100}") {
        read_anyhow(text.as_bytes());
    }

    #[test]
    fn changed_bytes(
        seed in 0..200u64,
        format in formats(),
        encoding in encodings(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
    ) {
        let mut bytes = sample(seed, format, encoding);
        for (at, byte, how) in changes {
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
            if bytes.is_empty() {
                break;
            }
        }
        read_anyhow(&bytes);
    }

    #[test]
    fn changed_text(
        seed in 0..200u64,
        format in formats(),
        encoding in encodings(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..PIECES.len(), 0..12usize),
            1..6,
        ),
    ) {
        let bytes = sample(seed, format, encoding);
        let mut chars: Vec<char> = decode(&bytes).expect("it was encoded").0.chars().collect();
        for (at, piece, removed) in changes {
            let at = at.index(chars.len() + 1);
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, PIECES[piece].chars());
        }
        let text: String = chars.into_iter().collect();
        if let Ok(bytes) = encode(&text, encoding) {
            read_anyhow(&bytes);
        }
        read_anyhow(text.as_bytes());
    }

    #[test]
    fn lines_in_another_order(
        seed in 0..200u64,
        format in formats(),
        swaps in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()),
            1..5,
        ),
    ) {
        let text = String::from_utf8(sample(seed, format, Encoding::Utf8)).expect("UTF-8");
        let mut lines: Vec<&str> = text.split('\n').collect();
        for (a, b, remove) in swaps {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
            if remove && lines.len() > 1 {
                lines.remove(a);
            }
        }
        read_anyhow(lines.join("\n").as_bytes());
    }
}

#[test]
fn cut_off_anywhere() {
    for format in Format::ALL {
        for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
            let bytes = sample(7, format, encoding);
            for length in 0..bytes.len() {
                read_anyhow(&bytes[..length]);
            }
        }
    }
}

#[test]
fn deep_and_long_texts() {
    let deep = format!("{{\"moves\":{}", "[{\"forks\":[".repeat(50_000));
    read_anyhow(deep.as_bytes());
    let closed = format!("{{\"moves\":{}{}}}", "[{\"forks\":[".repeat(600), "]}]".repeat(600));
    let error = read(closed.as_bytes()).expect_err("too deep");
    assert!(error.to_string().contains("deep"), "{error}");
    read_anyhow("[".repeat(100_000).as_bytes());
    read_anyhow("変化：1手\n".repeat(50_000).as_bytes());
    let mut long = String::from("手合割：平手\n");
    for (i, m) in ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"]
        .iter()
        .cycle()
        .take(20_000)
        .enumerate()
    {
        long += &format!("{} {m}\n", i + 1);
    }
    assert_eq!(read(long.as_bytes()).expect("a long game").tree.len(), 20_000);
}
