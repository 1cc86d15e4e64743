//! Any text: it is read without a panic, or refused with a place and a reason; and if it is a
//! position, every law of the board holds in it.
#![no_main]

#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../../crates/games/shogi/tests/support/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;
use yomikiri_shogi::Position;

fuzz_target!(|text: &str| {
    laws::reading(text);
    if let Ok(position) = Position::from_sfen(text) {
        laws::position(&position);
    }
});
