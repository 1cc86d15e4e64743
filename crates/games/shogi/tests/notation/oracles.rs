//! Other people's readers and writers: they read what we write, and we read what they write.

use std::collections::BTreeSet;

use andor::SplitMix64;
use shogi_kifu_converter::converter::{ToCsa, ToKi2, ToKif};
use shogi_kifu_converter::{JKF, jkf, parser};
use yomikiri_shogi::notation::{
    Ending, Format, NodeId, Record, Step, decode, parse_as, read_and_tell, write,
};
use yomikiri_shogi::{Color, Position};

use super::games::{self, Wanted};

/// A tree of moves: the position, the main line, and all lines in the order of the alphabet (not
/// everybody keeps the order of variations).
#[derive(Debug, PartialEq, Eq)]
struct Sketch {
    position: String,
    main: String,
    lines: BTreeSet<String>,
}

impl Sketch {
    /// From a tree whose nodes are told by `children`, in order, and `usi`.
    fn of<Id: Copy>(
        position: String,
        root: Id,
        children: impl Fn(Id) -> Vec<Id>,
        usi: impl Fn(Id) -> Option<String>,
    ) -> Sketch {
        let (mut main, mut lines) = (None, BTreeSet::new());
        let mut todo = vec![(root, String::new())];
        while let Some((node, line)) = todo.pop() {
            let following = children(node);
            for &child in following.iter().rev() {
                let step = usi(child).map_or(String::new(), |usi| format!(" {usi}"));
                todo.push((child, format!("{line}{step}")));
            }
            if following.is_empty() {
                main.get_or_insert(line.clone());
                lines.insert(line);
            }
        }
        Sketch { position, main: main.unwrap_or_default(), lines }
    }
}

fn sketch(record: &Record) -> Sketch {
    Sketch::of(
        record.position.to_string(),
        None,
        |node| record.tree.children(node).iter().map(|&child| Some(child)).collect(),
        |node: Option<NodeId>| Some(record.tree.node(node?).step.as_move()?.to_string()),
    )
}

fn sketch_rsshogi(record: &rsshogi::records::Record) -> Sketch {
    // Normalised by their own board.
    let position = rsshogi::board::Position::from_sfen(record.init_position_sfen());
    Sketch::of(
        position.expect("their own position").to_sfen(Some(1)),
        record.root_id(),
        |node| record.children(node).to_vec(),
        |node| Some(record.node(node).mv()?.mv().to_usi()),
    )
}

fn sketch_jkf(record: &JKF) -> Sketch {
    fn usi(m: &jkf::MoveMoveFormat) -> String {
        let square =
            |place: jkf::PlaceFormat| format!("{}{}", place.x, (b'a' + place.y - 1) as char);
        let plus = if m.promote == Some(true) { "+" } else { "" };
        let letters = ["P", "L", "N", "S", "G", "B", "R"];
        let from = match m.from {
            Some(from) => square(from),
            None => format!("{}*", letters[m.piece as usize]),
        };
        format!(" {from}{}{plus}", square(m.to))
    }
    fn walk(moves: &[jkf::MoveFormat], mut line: String, lines: &mut BTreeSet<String>) -> String {
        for item in moves {
            for fork in item.forks.iter().flatten() {
                walk(fork, line.clone(), lines);
            }
            line += &item.move_.as_ref().map_or(String::new(), usi);
        }
        lines.insert(line.clone());
        line
    }
    let position = shogi_core::Position::try_from(&JKF { moves: vec![], ..record.clone() });
    let mut lines = BTreeSet::new();
    let main = walk(&record.moves, String::new(), &mut lines);
    Sketch { position: position.expect("their own position").to_sfen_owned(), main, lines }
}

fn records(seed: u64, count: usize) -> impl Iterator<Item = Record> {
    (0..count).map(move |game| {
        let mut rng = SplitMix64::new(seed + game as u64);
        let start = match game % 3 {
            0 => Position::start(),
            _ => games::problem(&mut rng),
        };
        let variations = [0, 3, 8][rng.below(3)];
        let wanted = Wanted { plies: 50, variations, words: false, times: game % 2 == 0 };
        games::record(&mut rng, start, wanted)
    })
}

const FORMATS: [Format; 4] = [Format::Kif, Format::Ki2, Format::Jkf, Format::Csa];

fn main_line(record: &Record) -> Record {
    Record::from_moves(record.position.clone(), record.main_line(), record.ending())
}

/// It drops all variations of a KIF or KI2 whose main line has an end, so they are compared without
/// ends, and games with ends without variations. It writes the variations of KIF and KI2 in another
/// order than it reads them, so those are not read back.
#[test]
fn rsshogi_reads_what_we_write_and_we_what_it_writes() {
    let mut nodes = 0;
    for record in records(10_000, 300) {
        let ended = games::rebuilt(&main_line(&record), |step| match step {
            Step::End(_) => Some(Step::End(Ending::Resigned)),
            step => Some(step),
        });
        let endless = games::rebuilt(&record, |step| step.as_move().map(Step::Move));
        for record in [ended, endless] {
            nodes += record.tree.len();
            FORMATS.iter().for_each(|&format| compare_with_rsshogi(&record, format));
        }
    }
    println!("{nodes} nodes in 4 formats, both ways");
}

fn compare_with_rsshogi(record: &Record, format: Format) {
    use rsshogi::records::*;
    let text = write(record, format);
    let theirs = match format {
        Format::Kif => parse_kif_str(&text).map_err(|error| error.to_string()),
        Format::Ki2 => parse_ki2_str(&text).map_err(|error| error.to_string()),
        Format::Jkf => parse_jkf_str(&text).map_err(|error| error.to_string()),
        _ => parse_csa_str(&text).map_err(|error| error.to_string()),
    };
    let theirs = theirs.unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
    let expected = match format {
        Format::Csa => sketch(&main_line(record)),
        _ => sketch(record),
    };
    assert_eq!(sketch_rsshogi(&theirs), expected, "{format}\n{text}");
    let has_variations = record.tree.len() > main_line(record).tree.len();
    if has_variations && matches!(format, Format::Kif | Format::Ki2) {
        return;
    }
    let back = match format {
        Format::Kif => export_kif(&theirs).expect("KIF"),
        Format::Ki2 => export_ki2(&theirs).expect("KI2"),
        Format::Jkf => export_jkf(&theirs).expect("JKF"),
        _ => export_csa(&theirs).expect("CSA"),
    };
    let read = parse_as(&back, format).unwrap_or_else(|e| panic!("{format}: {e}\n{back}"));
    assert_eq!(sketch(&read), expected, "{format}\n{back}");
    // It writes an end where there was none.
    if record.ending().is_some() {
        assert_eq!(read.ending(), record.ending(), "{format}\n{back}");
    }
}

/// Its KI2 has no variations, and it does not know 後手番. In KI2 and JKF it takes a drop for a move
/// of a piece that could go there too, does not know which of two dragons is 左, and stops at 右成;
/// those moves are left away.
#[test]
fn shogi_kifu_converter_reads_what_we_write_and_we_what_it_writes() {
    let mut nodes = 0;
    for record in records(20_000, 150) {
        // It knows the endings of JKF.
        let record = games::rebuilt(&record, |step| match step {
            Step::End(ending) if CONVERTER_ENDINGS.contains(&ending) => Some(step),
            Step::End(_) => Some(Step::End(Ending::Resigned)),
            step => Some(step),
        });
        nodes += record.tree.len();
        FORMATS.iter().for_each(|&format| compare_with_converter(&record, format));
    }
    println!("{nodes} nodes in 4 formats, both ways");
}

const CONVERTER_ENDINGS: [Ending; 4] =
    [Ending::Resigned, Ending::Interrupted, Ending::Repetition, Ending::Mate];

/// JKF without the words such as 右: all of them, or only those where a piece may promote.
fn without_relatives(json: &serde_json::Value, all: bool) -> serde_json::Value {
    use serde_json::Value;
    match json {
        Value::Array(parts) => parts.iter().map(|part| without_relatives(part, all)).collect(),
        Value::Object(parts) => {
            let drop = all || parts.contains_key("promote");
            let kept = parts.iter().filter(|(name, _)| !(drop && *name == "relative"));
            kept.map(|(name, part)| (name.clone(), without_relatives(part, all))).collect()
        }
        _ => json.clone(),
    }
}

fn compare_with_converter(record: &Record, format: Format) {
    let beyond_it = |name: &str| {
        let name = name.replace(['龍', '馬'], "王").replace(['右', '左', '上', '寄', '引'], "右");
        ["打", "直", "王右", "右成", "右不成"].iter().any(|words| name.contains(words))
    };
    if record.position.turn() == Color::White && matches!(format, Format::Kif | Format::Ki2) {
        return;
    }
    let pruned;
    let record = match format {
        Format::Ki2 | Format::Jkf => {
            pruned = games::without_names(record, beyond_it);
            &pruned
        }
        _ => record,
    };
    // It writes nothing at all of a game without moves.
    if record.main_line().is_empty() {
        return;
    }
    let text = write(record, format);
    let theirs = match format {
        Format::Kif => parser::parse_kif_str(&text),
        Format::Ki2 => parser::parse_ki2_str(&text),
        Format::Jkf => parser::parse_jkf_str(&text),
        _ => parser::parse_csa_str(&text),
    };
    let theirs = theirs.unwrap_or_else(|error| panic!("{format}: {error}\n{text}"));
    let expected = match format {
        Format::Csa | Format::Ki2 => sketch(&main_line(record)),
        _ => sketch(record),
    };
    assert_eq!(sketch_jkf(&theirs), expected, "{format}\n{text}");
    if format == Format::Jkf {
        // Word for word: what it works out of the moves is what we wrote. Where a piece may
        // promote, it finds no words such as 右.
        let ours: serde_json::Value = serde_json::from_str(&text).expect("we write JSON");
        let plain = parser::parse_jkf_str(&without_relatives(&ours, true).to_string());
        let theirs = serde_json::to_value(plain.expect("it reads it")).expect("it writes JSON");
        assert_eq!(theirs, without_relatives(&ours, false));
    }
    let back = match format {
        Format::Kif => theirs.to_kif_owned(),
        Format::Ki2 => theirs.to_ki2_owned(),
        Format::Jkf => serde_json::to_string(&theirs).expect("JSON"),
        _ => theirs.to_csa_owned(),
    };
    let read = parse_as(&back, format).unwrap_or_else(|e| panic!("{format}: {e}\n{back}"));
    assert_eq!(sketch(&read), expected, "{format}\n{back}");
    if format != Format::Ki2 {
        assert_eq!(read.ending(), record.ending(), "{format}\n{back}");
    }
}

/// The sample files, except for those that say 残り全部: both take it for an empty hand.
#[test]
fn sample_files_are_read_alike() {
    macro_rules! sample {
        ($name:literal) => {
            include_bytes!(concat!("../data/notation/", $name)).as_slice()
        };
    }
    let samples = [
        sample!("three.kifu"),
        sample!("handicap.kif"),
        sample!("game.ki2"),
        sample!("three.csa"),
        sample!("pieces.csa"),
        sample!("three.jkf"),
    ];
    for bytes in samples {
        let (record, format, _) = read_and_tell(bytes).expect("a sample");
        let (text, _) = decode(bytes).expect("a sample");
        // It drops the variations of a main line with an end.
        let expected = match format {
            Format::Kif => sketch(&main_line(&record)),
            _ => sketch(&record),
        };
        let theirs = match format {
            Format::Kif => rsshogi::records::parse_kif_str(&text).expect("KIF"),
            Format::Ki2 => rsshogi::records::parse_ki2_str(&text).expect("KI2"),
            Format::Csa => rsshogi::records::parse_csa_str(&text).expect("CSA"),
            _ => rsshogi::records::parse_jkf_str(&text).expect("JKF"),
        };
        let of_rsshogi = sketch_rsshogi(&theirs);
        let theirs = match format {
            Format::Kif => parser::parse_kif_str(&text),
            Format::Ki2 => parser::parse_ki2_str(&text),
            Format::Csa => parser::parse_csa_str(&text),
            _ => parser::parse_jkf_str(&text),
        };
        let of_converter = sketch_jkf(&theirs.unwrap_or_else(|error| panic!("{error}\n{text}")));
        // For 00AL one gives half a set, the other forgets what Black holds.
        if text.contains("00AL") {
            assert_eq!(
                (of_rsshogi.main, of_converter.main),
                (expected.main.clone(), expected.main)
            );
        } else {
            assert_eq!(of_rsshogi, expected, "{text}");
            assert_eq!(of_converter, sketch(&record), "{text}");
        }
    }
}
