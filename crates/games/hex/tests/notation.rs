//! Reading and writing positions.

use crate::support::{Random, random_position};
use proptest::prelude::*;
use yomikiri_hex::{Hex, MAX_SIZE, NotationError as Error, Side};

fn read(text: &str) -> Result<Hex, Error> {
    text.parse()
}

#[test]
fn what_is_written_is_read_back() {
    let mut random = Random(31);
    for round in 0..300 {
        let size = 1 + round % MAX_SIZE;
        let vacant = random.below(size * size + 1);
        let hex = random_position(&mut random, size, vacant);
        assert_eq!(read(&hex.to_string()), Ok(hex));
    }
}

#[test]
fn both_forms_mean_the_same() {
    let rows = read("hex 3 .b./..W/... B").unwrap();
    assert_eq!(read("  HEX 3 moves b1 C2\n"), Ok(rows));
    let empty = read("hex 2 moves").unwrap();
    assert_eq!(empty.to_string(), "hex 2 ../.. B");
    assert_eq!(read("hex 3 moves a1").unwrap().attacker(), Side::White);
}

#[test]
fn the_board_slants_and_fits_a_narrow_terminal() {
    let hex = read("hex 3 .B./..W/... B").unwrap();
    assert_eq!(hex.diagram(), "   a b c\n 1 . B .\n  2 . . W\n   3 . . .\n");
    let large = read("hex 11 moves k11").unwrap().diagram();
    let rows: Vec<&str> = large.lines().collect();
    assert_eq!(rows[0], "   a b c d e f g h i j k");
    assert_eq!(rows[11], "          11 . . . . . . . . . . B");
    assert!(rows.iter().all(|row| row.len() <= 38), "{large}");
    // The neighbours of f6 stand one column beside it in its row, and half of that in the next ones.
    let at = |column: usize, row: usize| 3 + 2 * column + row;
    let text = "hex 11 moves f6 a1 g6 a2 f7 a3 e7 a4 e6 a5 f5 a6 g5";
    let around = read(text).unwrap().diagram();
    let rows: Vec<Vec<char>> = around.lines().skip(1).map(|row| row.chars().collect()).collect();
    let middle = at(5, 5);
    for (row, place) in [
        (5, middle + 2),
        (5, middle - 2),
        (4, middle - 1),
        (4, middle + 1),
        (6, middle - 1),
        (6, middle + 1),
    ] {
        assert_eq!(rows[row][place], 'B', "{row} {place}\n{around}");
    }
}

#[test]
fn errors_name_the_character() {
    let cases = [
        ("", Error::NotHex { at: 0 }),
        ("  go 3", Error::NotHex { at: 2 }),
        ("hex", Error::BadSize { at: 3 }),
        ("hex 0 . B", Error::BadSize { at: 4 }),
        ("hex 12 moves", Error::BadSize { at: 4 }),
        ("hex +3 moves", Error::BadSize { at: 4 }),
        ("hex 99999999999999999999999 moves", Error::BadSize { at: 4 }),
        ("hex 3", Error::NoBoard { at: 5 }),
        ("hex 2 .x/.. B", Error::BadCell { at: 7, found: 'x' }),
        ("hex 2 .六/.. B", Error::BadCell { at: 7, found: '六' }),
        ("hex 2 ./.. B", Error::ShortRow { at: 7, cells: 1, size: 2 }),
        ("hex 2 ../. B", Error::ShortRow { at: 10, cells: 1, size: 2 }),
        ("hex 2 .../.. B", Error::LongRow { at: 8, size: 2 }),
        ("hex 2 .. B", Error::FewRows { at: 8, rows: 1, size: 2 }),
        ("hex 2 ../../.. B", Error::ManyRows { at: 11, size: 2 }),
        ("hex 2 ../..", Error::BadSide { at: 11 }),
        ("hex 2 ../.. X", Error::BadSide { at: 12 }),
        ("hex 2 ../.. B W", Error::Trailing { at: 14 }),
        ("hex 2 moves c1", Error::BadMove { at: 12 }),
        ("hex 2 moves a0", Error::BadMove { at: 12 }),
        ("hex 2 moves a+1", Error::BadMove { at: 12 }),
        ("hex 2 moves a", Error::BadMove { at: 12 }),
        ("hex 2 moves a1 六2", Error::BadMove { at: 15 }),
        ("hex 2 moves a1 a1", Error::Occupied { at: 15 }),
        ("hex 1 moves a1 a1", Error::GameOver { at: 15 }),
    ];
    for (text, error) in cases {
        assert_eq!(read(text), Err(error), "{text:?}");
        assert!(error.to_string().starts_with("character "));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_panics(text in ".{0,40}", size in 0..14_u8, cells in "[BWbwx./ a1-9]{0,30}") {
        let _ = read(&text);
        let _ = read(&format!("hex {size} {cells}"));
        let _ = read(&format!("hex {size} moves {cells}"));
    }
}
