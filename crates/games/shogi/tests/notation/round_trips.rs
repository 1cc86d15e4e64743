//! What is written is read again, in every format and both encodings.

use andor::SplitMix64;
use yomikiri_shogi::notation::{
    self, Encoding, Format, Record, encode, parse_as, read_and_tell, recognise, write,
};
use yomikiri_shogi::{Color, Position};

use super::games::{self, Wanted};

fn positions(seed: u64, games: usize) -> impl Iterator<Item = (SplitMix64, Position)> {
    (0..games).map(move |game| {
        let mut rng = SplitMix64::new(seed.wrapping_add(game as u64));
        let position = if game % 3 == 0 { Position::start() } else { games::problem(&mut rng) };
        (rng, position)
    })
}

/// Writes, looks whether the format is recognised, and reads.
fn through(record: &Record, format: Format) -> Record {
    let text = write(record, format);
    assert_eq!(recognise(&text), Some(format), "{text}");
    let read = parse_as(&text, format).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
        let bytes = encode(&text, encoding).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (again, as_format, as_encoding) =
            read_and_tell(&bytes).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again == read, "{text}");
        assert_eq!(as_format, format);
        assert!(as_encoding == encoding || text.is_ascii());
    }
    read
}

#[test]
fn kif_and_jkf_keep_everything() {
    let mut nodes = 0;
    for (mut rng, position) in positions(1, 300) {
        let wanted = Wanted { plies: 60, variations: rng.below(12), words: true, times: true };
        let record = games::record(&mut rng, position, wanted);
        nodes += record.tree.len();
        let kif = write(&record, Format::Kif);
        assert!(through(&record, Format::Kif) == record, "{kif}");
        let csa_endings = games::with_csa_endings(&record);
        assert!(through(&record, Format::Jkf) == csa_endings, "{kif}");
    }
    println!("{nodes} nodes");
}

#[test]
fn ki2_keeps_everything_but_times() {
    for (mut rng, position) in positions(1000, 300) {
        let wanted = Wanted { plies: 60, variations: rng.below(12), words: true, times: true };
        let record = games::record(&mut rng, position, wanted);
        let expected = games::without_times(&record);
        assert!(through(&record, Format::Ki2) == expected, "{}", write(&record, Format::Ki2));
    }
}

#[test]
fn csa_keeps_the_main_line() {
    for (mut rng, position) in positions(2000, 300) {
        let wanted = Wanted { plies: 120, variations: 0, words: true, times: true };
        let record = games::with_csa_endings(&games::record(&mut rng, position, wanted));
        assert!(through(&record, Format::Csa) == record, "{}", write(&record, Format::Csa));
        let wanted = Wanted { plies: 20, variations: 5, words: false, times: false };
        let record = games::record(&mut rng, record.position, wanted);
        assert_eq!(through(&record, Format::Csa).main_line(), record.main_line());
    }
}

#[test]
fn sfen_keeps_the_moves() {
    for (mut rng, position) in positions(3000, 200) {
        let wanted = Wanted { plies: 80, variations: 0, words: false, times: false };
        let record = games::record(&mut rng, position, wanted);
        let read = through(&record, Format::Sfen);
        assert_eq!((&read.position, read.main_line()), (&record.position, record.main_line()));
        assert_eq!(read.final_position(), record.final_position());
    }
}

#[test]
fn handicap_games_have_their_names() {
    let names = [
        "平手",
        "香落ち",
        "右香落ち",
        "角落ち",
        "飛車落ち",
        "飛香落ち",
        "二枚落ち",
        "三枚落ち",
        "四枚落ち",
        "五枚落ち",
        "左五枚落ち",
        "六枚落ち",
        "左七枚落ち",
        "右七枚落ち",
        "八枚落ち",
        "十枚落ち",
    ];
    for (seed, name) in (4000..).zip(names) {
        let start = notation::parse(&format!("手合割：{name}　\n")).unwrap().position;
        let mut rng = SplitMix64::new(seed);
        let wanted = Wanted { plies: 40, variations: 4, words: false, times: false };
        let record = games::record(&mut rng, start, wanted);
        let text = write(&record, Format::Kif);
        assert!(text.starts_with(&format!("手合割：{name}\n")), "{text}");
        for format in [Format::Kif, Format::Ki2] {
            assert!(through(&record, format) == record, "{text}");
        }
        assert!(through(&record, Format::Jkf) == games::with_csa_endings(&record), "{text}");
        assert_eq!(through(&record, Format::Csa).main_line(), record.main_line());
    }
}

#[test]
fn deep_variations() {
    // Every move has another one beside it, in the line of the other one.
    let mut record = Record::new(Position::start());
    let mut position = Position::start();
    let (mut parent, mut depth) = (None, 0);
    while depth < 400 {
        let moves = games::legal(&position);
        assert!(moves.len() > 1);
        record.tree.add(parent, notation::Step::Move(moves[0]));
        parent = Some(record.tree.add(parent, notation::Step::Move(moves[1])));
        position.play(moves[1]);
        depth += 1;
    }
    for format in [Format::Kif, Format::Ki2, Format::Jkf] {
        assert!(through(&record, format) == record, "{format}");
    }
}

#[test]
fn a_record_takes_over_what_another_says() {
    let read = |text: &str| parse_as(text, Format::Kif).expect("KIF");
    let theirs = "先手：甲\nここだけ：残る\n手数----指手--\n*前置き\n*同じ\n\
        1 ７六歩(77) ( 0:05/)\n*一手目\n2 ３四歩(33) ( 0:07/)\n3 投了 ( 0:09/)\n*終わり\n\
        変化：2手\n2 ８四歩(83)\n*変化\n3 中断\n*変化の終わり\n";
    let ours = "戦型：不明\n手数----指手--\n*同じ\n*うち\n1 ７六歩(77)\n2 ３四歩(33)\n3 詰み\n\
        変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n";
    let mut both = read(ours);
    both.take_over(&read(theirs));
    let wanted = "先手：甲\nここだけ：残る\n戦型：不明\n手数----指手--\n*前置き\n*同じ\n*うち\n\
        1 ７六歩(77) ( 0:05/)\n*一手目\n2 ３四歩(33) ( 0:07/)\n3 詰み ( 0:09/)\n*終わり\n\
        変化：2手\n2 ８四歩(83)\n*変化の終わり\n*変化\n3 ２六歩(27)\n";
    let pieces = |record: &Record| write(record, Format::Kif);
    assert_eq!(pieces(&both), pieces(&read(wanted)));
    // Once is enough.
    let once = both.clone();
    both.take_over(&read(theirs));
    assert_eq!(both, once);
    // Words about another position say nothing here, but the header is of the whole.
    let mut elsewhere = Record::new(both.final_position());
    elsewhere.take_over(&read(theirs));
    assert_eq!((elsewhere.header.len(), elsewhere.comments.len()), (2, 0));
    assert!(elsewhere.tree.is_empty());
    // After some moves, too.
    let after = read(theirs).after(1);
    assert_eq!((after.header.len(), &after.comments[..]), (2, &["一手目".to_owned()][..]));
    assert!(after.tree.is_empty() && after.position.turn() == Color::White);
    assert_eq!(read(theirs).after(0), read(theirs));
}
