//! Any line of UCI and USI, from either side: it is read without a panic, and what it was read as
//! is written as one line that is read as the same.
#![no_main]

// The room as it is, without the network and all that it needs.
#[allow(dead_code, unused_imports, reason = "shared with the engine crate, which uses more of it")]
#[path = "../../crates/engine/src/protocol/mod.rs"]
mod protocol;

use libfuzzer_sys::fuzz_target;
use protocol::{BestMove, Command, Dialect, Reply};

fuzz_target!(|text: &str| {
    for line in text.lines() {
        for dialect in [Dialect::Uci, Dialect::Usi] {
            let command = Command::parse(line, dialect);
            let written = one(command.to_line(dialect));
            let again = Command::parse(&written, dialect);
            assert_eq!(again.to_line(dialect), written);
            let reply = Reply::parse(line, dialect);
            let written = one(reply.to_line(dialect));
            let reply_again = Reply::parse(&written, dialect);
            assert_eq!(reply_again.to_line(dialect), written);
            // Control characters are written as blanks.
            if line.contains(|c: char| c.is_control() && c != '\t') {
                continue;
            }
            assert_eq!(again, command, "{line:?}");
            // Without a move there is nothing to ponder on.
            if !matches!(reply, Reply::BestMove { best: BestMove::None, .. }) {
                assert_eq!(reply_again, reply, "{line:?}");
            }
        }
    }
});

fn one(line: String) -> String {
    assert!(!line.contains(['\n', '\r']), "{line:?} is more than a line");
    line
}
