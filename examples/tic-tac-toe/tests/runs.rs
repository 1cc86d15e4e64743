//! The example as a stranger would run it.

use std::process::Command;

#[test]
fn the_first_player_cannot_force_a_win() {
    let run = Command::new(env!("CARGO_BIN_EXE_tic-tac-toe")).output().expect("it runs");
    let text = String::from_utf8(run.stdout).expect("a text");
    assert!(run.status.success(), "{text}");
    assert!(text.contains("no law broken") && text.contains("Disproven: a certificate"), "{text}");
}
