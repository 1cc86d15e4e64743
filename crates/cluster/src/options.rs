//! The options of the master: one table for `option` lines and for `setoption`.
//!
//! They have the names that engines have for them. Everything that is not here is the workers'
//! business, and passed on.

use std::time::Duration;

use yomikiri_engine::protocol::{Dialect, OptionKind, OptionSpec};

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The workers go on in the opponent's time.
    pub ponder: bool,
    /// What the way of a move to the clock may cost.
    pub overhead: Duration,
    /// So many lines are shown.
    pub multipv: usize,
    /// Castling is written as the king that takes his rook.
    pub chess960: bool,
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
}

const MULTIPV: &str = "MultiPV";
const CHESS960: &str = "UCI_Chess960";
const OVERHEAD: &str = "Move Overhead";

impl Default for Options {
    fn default() -> Options {
        let overhead = Duration::from_millis(20);
        Options { ponder: false, overhead, multipv: 1, chess960: false }
    }
}

fn hash(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "Hash",
        Dialect::Usi => "USI_Hash",
    }
}

fn ponder(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "Ponder",
        Dialect::Usi => "USI_Ponder",
    }
}

/// The options as they are advertised.
pub fn specs(dialect: Dialect) -> Vec<OptionSpec> {
    let option = |name: &str, kind, default: &str, limits: Option<(i64, i64)>| OptionSpec {
        name: name.into(),
        kind,
        default: Some(default.into()),
        min: limits.map(|limits| limits.0),
        max: limits.map(|limits| limits.1),
        vars: Vec::new(),
    };
    let mut specs = vec![
        option(hash(dialect), OptionKind::Spin, "16", Some((1, 1 << 20))),
        option(ponder(dialect), OptionKind::Check, "false", None),
        option(MULTIPV, OptionKind::Spin, "1", Some((1, 256))),
        option(OVERHEAD, OptionKind::Spin, "20", Some((0, 5_000))),
    ];
    if dialect == Dialect::Uci {
        specs.push(option(CHESS960, OptionKind::Check, "false", None));
    }
    specs
}

impl Options {
    /// Sets an option, or says what is wrong. Names are taken in any case.
    pub fn set(
        &mut self,
        dialect: Dialect,
        name: &str,
        value: Option<&str>,
    ) -> Result<Change, String> {
        let specs = specs(dialect);
        let Some(spec) = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            return Ok(Change::Pass);
        };
        let value = value.unwrap_or_default().trim().to_ascii_lowercase();
        if !spec.accepts(Some(&value)) {
            let wanted = match (spec.min, spec.max) {
                (Some(min), Some(max)) => format!("a number from {min} to {max}"),
                _ => "true or false".into(),
            };
            return Err(format!("option {} is {wanted}, not '{value}'", spec.name));
        }
        let number = value.parse().unwrap_or_default();
        match &spec.name[..] {
            OVERHEAD => self.overhead = Duration::from_millis(number),
            MULTIPV => {
                self.multipv = number as usize;
                return Ok(Change::Pass);
            }
            CHESS960 => {
                self.chess960 = value == "true";
                return Ok(Change::Notation);
            }
            name if name == ponder(dialect) => self.ponder = value == "true",
            _ => return Ok(Change::Pass),
        }
        Ok(Change::Own)
    }
}
