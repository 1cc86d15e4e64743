//! Texts of several records are cut where one ends and the next begins.

use andor::SplitMix64;
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::{Format, Part, cut, parse, parse_as, write};

use super::games::{self, Wanted};

fn texts(text: &str) -> Vec<&str> {
    cut(text).iter().map(|part| part.text).collect()
}

/// Records put one after the other, in any format, come apart as they were.
#[test]
fn what_was_put_together_comes_apart() {
    for (format, between) in [
        (Format::Kif, ""),
        (Format::Kif, "\n\n"),
        (Format::Kif, "# ---- Kifu for Windows ----\n"),
        (Format::Ki2, "\n"),
        (Format::Csa, "/\n"),
        (Format::Jkf, ""),
        (Format::Jkf, "\n"),
    ] {
        for seed in 0..60 {
            let mut rng = SplitMix64::new(seed);
            let records: Vec<String> = (0..1 + rng.below(5))
                .map(|game| {
                    let plies = [0, 1, 30][rng.below(3)];
                    let start = match game % 3 {
                        0 => Position::start(),
                        _ => games::problem(&mut rng),
                    };
                    let variations = if plies > 0 { rng.below(5) } else { 0 };
                    let wanted = Wanted { plies, variations, words: true, times: true };
                    write(&games::record(&mut rng, start, wanted), format)
                })
                .collect();
            let whole = records.join(between);
            let parts = cut(&whole);
            assert_eq!(parts.len(), records.len(), "{format} {seed}:\n{whole}");
            for (Part { line, text }, record) in parts.iter().zip(&records) {
                let (part, alone) = (parse_as(text, format), parse_as(record, format));
                let (part, alone) = (part.expect("a record"), alone.expect("a record"));
                assert_eq!(part.position, alone.position, "{whole}");
                assert_eq!(part.main_line(), alone.main_line(), "{whole}");
                assert_eq!(part.header, alone.header, "{whole}");
                let before: usize = whole.lines().take(*line).map(|l| l.len() + 1).sum();
                assert!(whole[before..].starts_with(text), "{whole}");
            }
            assert_eq!(texts(&whole).concat(), whole);
        }
    }
}

const BOARD: &str = "\
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ 歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
";

#[test]
fn boards_come_as_people_write_them() {
    let hand = "先手の持駒：金\n";
    let board = format!("{BOARD}{hand}");
    // Boards alone, with and without blank lines, titles before them, and the hand above.
    for one in [
        board.clone(),
        format!("{board}\n"),
        format!("作品名：夢\n{board}"),
        format!("後手の持駒：残り全部\n{board}"),
        format!("{hand}{BOARD}"),
        format!(
            "# 第一番\n{board}手数----指手---------消費時間--\n   1 １二金打\n   2 詰み\nまで1手で詰み\n"
        ),
        format!("{board}先手：甲\n後手：乙\n手数----指手--\n   1 １二金打\n*これまで\n"),
        format!("{board}▲１二金打\nまで1手で詰み\n備考：なし\n"),
        format!("{BOARD}{hand}先手番\n"),
    ] {
        for count in 1..4 {
            let text = one.repeat(count);
            let parts = texts(&text);
            assert_eq!(parts.len(), count, "{text}");
            for part in &parts {
                let record = parse(part).unwrap_or_else(|error| panic!("{error}\n{part}"));
                assert_eq!(record.position.occupied().count(), 2, "{part}");
            }
            assert_eq!(parts.concat(), text);
        }
    }
    // A title that only the second has goes with the second.
    let text = format!("{board}作品名：二番\n{board}");
    let parts = texts(&text);
    assert_eq!(parts[1], format!("作品名：二番\n{board}"));
    // A rank too few: the other is whole.
    let broken = board.replacen("| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n", "", 1);
    let text = format!("手合割：その他\n{broken}手合割：その他\n{board}");
    let read: Vec<bool> = texts(&text).into_iter().map(|part| parse(part).is_ok()).collect();
    assert_eq!(read, [false, true]);
    // Other texts are one part.
    for text in ["", "\n", "nothing", "8k/9/8P/9/9/9/9/9/9 b G 1", "{", "{} x {}"] {
        assert_eq!(texts(text).concat(), text);
        assert!(cut(text).len() <= 2, "{text}");
    }
}
