//! The auditor looks at tsume-shogi: hands as stock, interpositions that wait, mates that are seen.

use andor::audit;
use yomikiri_shogi::Position;
use yomikiri_tsume::{OWN_PROBLEMS, Tsume};

#[test]
fn tsume_shogi_breaks_no_law() {
    let rows = OWN_PROBLEMS.lines().filter(|row| !row.starts_with('#'));
    let mut values = 0;
    for row in rows.step_by(10) {
        let sfen = row.split('\t').next().unwrap_or_default();
        let position: Position = sfen.parse().expect("a position");
        let audit =
            audit(&Tsume::new(position), 10).unwrap_or_else(|breach| panic!("{row}: {breach}"));
        values += audit.values;
    }
    assert!(values > 100, "{values}");
}
