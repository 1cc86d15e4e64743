//! The auditor looks at Hex.

use andor::audit;
use yomikiri_hex::{Hex, StrongHex};

#[test]
fn hex_breaks_no_law() {
    for text in [
        "hex 3 .../.../... B",
        "hex 4 ..../.B../..W./.... W",
        "hex 5 ...../...../..B../...../..... W",
    ] {
        let hex: Hex = text.parse().expect("a position");
        for done in [audit(&hex, 50), audit(&StrongHex::new(hex), 20)] {
            let audit = done.unwrap_or_else(|breach| panic!("{text}: {breach}"));
            assert!(audit.positions > 50 && audit.values > 20, "{text}: {audit}");
        }
    }
}
