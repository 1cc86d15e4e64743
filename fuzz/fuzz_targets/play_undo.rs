//! A walk: the first bytes choose where it starts, every other byte a legal move. Every law of the
//! board holds on the way, and the whole walk can be taken back.
#![no_main]

#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../../crates/games/shogi/tests/support/laws.rs"]
mod laws;
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../../crates/games/shogi/tests/support/positions.rs"]
mod positions;

use andor::SplitMix64;
use libfuzzer_sys::fuzz_target;
use positions::Root;

/// Laws are checked move by move, which is slow: longer walks would find less in the same time.
const LONGEST: usize = 40;

fuzz_target!(|bytes: &[u8]| {
    let [root, seed, choices @ ..] = bytes else { return };
    let mut random = SplitMix64::new(u64::from(*seed));
    let root = Root::ALL[usize::from(*root) % Root::ALL.len()];
    let mut position = root.position(&mut random);
    let mut played = Vec::new();
    for &choice in choices.iter().take(LONGEST) {
        laws::position(&position);
        // An odd byte gives check if it can.
        let (legal, checks) = (laws::legal(&position), laws::checks(&position));
        let moves = if choice % 2 == 1 && !checks.is_empty() { checks } else { legal };
        if moves.is_empty() {
            break;
        }
        // A byte does not reach every one of 593 moves: spread it over them.
        let m = moves[usize::from(choice / 2) * moves.len() / 128];
        let before = position.clone();
        played.push((before, m, position.play(m)));
    }
    while let Some((before, m, undo)) = played.pop() {
        position.undo(m, undo);
        assert_eq!(position, before, "{m}");
        assert_eq!(position.key(), before.key(), "{before}: {m}");
    }
});
