//! The engine's options: one table for `option` lines and for `setoption`.

use std::time::Duration;

use yomikiri_engine::protocol::{OptionKind, OptionSpec, TABLE_REPORT};

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Default for Options {
    fn default() -> Options {
        Options { hash: 16, multipv: 1, chess960: false, overhead: Duration::from_millis(10) }
    }
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

const HASH: &str = "Hash";
const CLEAR: &str = "Clear Hash";
const MULTIPV: &str = "MultiPV";
const PONDER: &str = "Ponder";
const CHESS960: &str = "UCI_Chess960";
const OVERHEAD: &str = "Move Overhead";

/// The options as they are advertised. `Ponder` and the table report need no setting: they are
/// done when they are asked for.
pub fn specs() -> Vec<OptionSpec> {
    let option = |name: &str, kind, default: Option<&str>, limits: Option<(i64, i64)>| OptionSpec {
        name: name.into(),
        kind,
        default: default.map(String::from),
        min: limits.map(|limits| limits.0),
        max: limits.map(|limits| limits.1),
        vars: Vec::new(),
    };
    vec![
        option(HASH, OptionKind::Spin, Some("16"), Some((1, 65_536))),
        option(CLEAR, OptionKind::Button, None, None),
        option(MULTIPV, OptionKind::Spin, Some("1"), Some((1, 256))),
        option(PONDER, OptionKind::Check, Some("false"), None),
        option(CHESS960, OptionKind::Check, Some("false"), None),
        option(OVERHEAD, OptionKind::Spin, Some("10"), Some((0, 5_000))),
        option(TABLE_REPORT, OptionKind::Check, Some("false"), None),
    ]
}

impl Options {
    /// Sets an option, or says what is wrong. Names are taken in any case.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let specs = specs();
        let Some(spec) = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
            return Err(format!("no option `{name}`; there are {}", names.join(", ")));
        };
        let value = value.map(str::trim);
        let number = value.and_then(|value| value.parse::<i64>().ok());
        let is_bad = spec.kind != OptionKind::Button && !spec.accepts(value);
        if is_bad {
            let wanted = match (spec.kind, spec.min, spec.max) {
                (OptionKind::Spin, Some(min), Some(max)) => format!("a number from {min} to {max}"),
                _ => "true or false".into(),
            };
            let value = value.unwrap_or_default();
            return Err(format!("option {} is {wanted}, not `{value}`", spec.name));
        }
        match (spec.name.as_str(), number) {
            (HASH, Some(mib)) => {
                self.hash = mib as usize;
                return Ok(Change::Resize);
            }
            (CLEAR, _) => return Ok(Change::Clear),
            (MULTIPV, Some(lines)) => self.multipv = lines as usize,
            (OVERHEAD, Some(ms)) => self.overhead = Duration::from_millis(ms as u64),
            (CHESS960, _) => self.chess960 = value == Some("true"),
            _ => {}
        }
        Ok(Change::None)
    }
}
