//! The engine's options.

use std::time::Duration;

use yomikiri_engine::protocol::{Domain, OptionTable, Setting, TABLE_REPORT};

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// MiB of the table.
    pub hash: usize,
    /// Lines to search.
    pub multipv: usize,
    /// Is castling written as the king that takes its rook?
    pub chess960: bool,
    /// What the way of a move to the clock may cost.
    pub overhead: Duration,
}

/// What setting an option asks the session to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing more.
    None,
    /// A table of another size.
    Resize,
    /// An empty table.
    Clear,
}

/// Every option. `Ponder` and the table report need no setting: they are done when they are asked
/// for.
pub const OPTIONS: OptionTable<Options, Change> = OptionTable(&[
    Setting {
        name: "Hash",
        domain: Domain::Spin { default: 16, min: 1, max: 65_536 },
        what: "MiB of the table.",
        set: |options, value| {
            options.hash = value.number() as usize;
            Change::Resize
        },
    },
    Setting {
        name: "Clear Hash",
        domain: Domain::Button,
        what: "Forget all of it.",
        set: |_, _| Change::Clear,
    },
    Setting {
        name: "MultiPV",
        domain: Domain::Spin { default: 1, min: 1, max: 256 },
        what: "Lines to search.",
        set: |options, value| {
            options.multipv = value.number() as usize;
            Change::None
        },
    },
    Setting {
        name: "Ponder",
        domain: Domain::Check { default: false },
        what: "The interface may ask for a search in the opponent's time.",
        set: |_, _| Change::None,
    },
    Setting {
        name: "UCI_Chess960",
        domain: Domain::Check { default: false },
        what: "Castling is written as the king that takes its rook.",
        set: |options, value| {
            options.chess960 = value.is_true();
            Change::None
        },
    },
    Setting {
        name: "Move Overhead",
        domain: Domain::Spin { default: 10, min: 0, max: 5_000 },
        what: "Milliseconds that the way of a move to the clock may cost.",
        set: |options, value| {
            options.overhead = Duration::from_millis(value.number());
            Change::None
        },
    },
    Setting {
        name: TABLE_REPORT,
        domain: Domain::Check { default: false },
        what: "There is a table report.",
        set: |_, _| Change::None,
    },
]);

impl Options {
    /// As they are at first.
    pub fn new() -> Options {
        let mut options = Options::default();
        OPTIONS.set_defaults(&mut options);
        options
    }
}
