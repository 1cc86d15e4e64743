//! The options of the master.
//!
//! They have the names that engines have for them. Everything that is not here is the workers'
//! business, and passed on.

use std::time::Duration;

use yomikiri_engine::protocol::{Dialect, Domain, OptionSpec, OptionTable, SetError, Setting};

/// What can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The workers go on in the opponent's time.
    pub ponder: bool,
    /// What the way of a move to the clock may cost.
    pub overhead: Duration,
    /// So many lines are shown.
    pub multipv: usize,
    /// Castling is written as the king that takes his rook.
    pub chess960: bool,
    /// A worker may take so long for whatever it owes.
    pub patience: Duration,
}

/// What setting an option asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing more.
    Own,
    /// The workers are to know it.
    Pass,
    /// The workers are to know it, and all moves are written in another way.
    Notation,
    /// The workers are waited for longer, or less long.
    Patience,
}

type Own = Setting<Options, Change>;

const fn hash(name: &'static str) -> Own {
    Setting {
        name,
        domain: Domain::Spin { default: 16, min: 1, max: 1 << 20 },
        what: "MiB for the table of each worker.",
        set: |_, _| Change::Pass,
    }
}

const fn ponder(name: &'static str) -> Own {
    Setting {
        name,
        domain: Domain::Check { default: false },
        what: "The workers go on in the opponent's time.",
        set: |options, value| {
            options.ponder = value.is_true();
            Change::Own
        },
    }
}

const MULTIPV: Own = Setting {
    name: "MultiPV",
    domain: Domain::Spin { default: 1, min: 1, max: 256 },
    what: "So many lines are shown.",
    set: |options, value| {
        options.multipv = value.number() as usize;
        Change::Pass
    },
};

const OVERHEAD: Own = Setting {
    name: "Move Overhead",
    domain: Domain::Spin { default: 20, min: 0, max: 5_000 },
    what: "Milliseconds that the way of a move to the clock may cost.",
    set: |options, value| {
        options.overhead = Duration::from_millis(value.number());
        Change::Own
    },
};

const PATIENCE: Own = Setting {
    name: "Patience",
    domain: Domain::Spin { default: 60, min: 1, max: 86_400 },
    what: "Seconds that a worker may take for any step before it is started again.",
    set: |options, value| {
        options.patience = Duration::from_secs(value.number());
        Change::Patience
    },
};

const CHESS960: Own = Setting {
    name: "UCI_Chess960",
    domain: Domain::Check { default: false },
    what: "Castling is written as the king that takes his rook.",
    set: |options, value| {
        options.chess960 = value.is_true();
        Change::Notation
    },
};

/// Every option.
const fn table(dialect: Dialect) -> OptionTable<Options, Change> {
    const UCI: &[Own] = &[hash("Hash"), ponder("Ponder"), MULTIPV, OVERHEAD, PATIENCE, CHESS960];
    const USI: &[Own] = &[hash("USI_Hash"), ponder("USI_Ponder"), MULTIPV, OVERHEAD, PATIENCE];
    match dialect {
        Dialect::Uci => OptionTable(UCI),
        Dialect::Usi => OptionTable(USI),
    }
}

/// The options as they are advertised. Many user interfaces set them all to what is said here, so
/// it is what the patience is at the start, whoever has chosen it.
pub fn specs(dialect: Dialect, patience: Duration) -> impl Iterator<Item = OptionSpec> {
    table(dialect).specs().map(move |spec| match spec.name == PATIENCE.name {
        true => OptionSpec { default: Some(patience.as_secs().max(1).to_string()), ..spec },
        false => spec,
    })
}

impl Options {
    /// As they are at first.
    pub fn new(dialect: Dialect, patience: Duration) -> Options {
        let mut options = Options::default();
        table(dialect).set_defaults(&mut options);
        Options { patience, ..options }
    }

    /// Sets an option, or says what is wrong. What is not ours is passed on.
    pub fn set(
        &mut self,
        dialect: Dialect,
        name: &str,
        value: Option<&str>,
    ) -> Result<Change, SetError> {
        match table(dialect).set(self, name, value) {
            Err(SetError::Unknown { .. }) => Ok(Change::Pass),
            set => set,
        }
    }
}
