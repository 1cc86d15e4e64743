//! The options of the engine: one table that feeds the `option` lines, `setoption`, and the help.

use std::fmt;
use std::time::Duration;

use yomikiri_tsume::Futile;

use crate::scheme::MOST_THREADS;

/// What the user has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Bytes for the table.
    pub hash: usize,
    /// Take the memory of the whole table before `readyok`?
    pub takes_hash: bool,
    /// Threads of a search.
    pub threads: usize,
    /// Nodes after which a search gives up.
    pub nodes: Option<u64>,
    /// The longest mate that is looked for, in plies.
    pub plies: Option<u16>,
    /// Go on to the shortest mate?
    pub shortest: bool,
    /// Does the side to move defend if it is in check?
    pub defends_in_check: bool,
    /// How interpositions that gain nothing count.
    pub futile: Futile,
    /// Between two reports of a running search; none: no reports.
    pub interval: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        let mut options = Options {
            hash: 0,
            takes_hash: true,
            threads: 1,
            nodes: None,
            plies: None,
            shortest: true,
            defends_in_check: true,
            futile: Futile::Counted,
            interval: None,
        };
        for spec in OPTIONS {
            let value = match spec.kind {
                Kind::Spin { default, .. } => Value::Number(default),
                Kind::Check { default } => Value::Truth(default),
                Kind::Combo { words } => Value::Word(0, words),
            };
            (spec.set)(&mut options, value);
        }
        options
    }
}

/// An option as the user interface sees it.
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// What it is for.
    pub what: &'static str,
    set: fn(&mut Options, Value),
}

/// The values that an option takes.
pub enum Kind {
    /// A whole number.
    Spin {
        /// What it is at first.
        default: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// Yes or no.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// One of some words; the first is the default.
    Combo {
        /// All of them.
        words: &'static [&'static str],
    },
}

/// A value that suits the kind of its option.
#[derive(Clone, Copy)]
enum Value {
    Number(u64),
    Truth(bool),
    Word(usize, &'static [&'static str]),
}

impl Value {
    /// The number; none for 0, which stands for "no limit".
    fn limit(self) -> Option<u64> {
        match self {
            Value::Number(n) if n > 0 => Some(n),
            _ => None,
        }
    }

    fn is_true(self) -> bool {
        matches!(self, Value::Truth(true))
    }

    fn is(self, word: &str) -> bool {
        matches!(self, Value::Word(at, words) if words.get(at) == Some(&word))
    }
}

/// Every option.
pub const OPTIONS: &[Spec] = &[
    Spec {
        name: "USI_Hash",
        kind: Kind::Spin { default: 1024, min: 1, max: 1 << 24 },
        what: "The most memory for the table, in MiB.",
        set: |options, value| {
            let mib = usize::try_from(value.limit().unwrap_or(1)).unwrap_or(usize::MAX);
            options.hash = mib.saturating_mul(1 << 20);
        },
    },
    Spec {
        name: "PrepareHash",
        kind: Kind::Check { default: true },
        what: "Take all of that memory at isready; searches are faster then.",
        set: |options, value| options.takes_hash = value.is_true(),
    },
    Spec {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: MOST_THREADS as u64 },
        what: "Threads of a search; only with 1 the same lines give the same nodes.",
        set: |options, value| {
            options.threads = usize::try_from(value.limit().unwrap_or(1)).unwrap_or(1);
        },
    },
    Spec {
        name: "PostSearchLevel",
        kind: Kind::Combo { words: &["MinLength", "None"] },
        what: "MinLength: the shortest mate. None: the first one found.",
        set: |options, value| options.shortest = value.is("MinLength"),
    },
    Spec {
        name: "NodesLimit",
        kind: Kind::Spin { default: 0, min: 0, max: i64::MAX as u64 },
        what: "Give up after so many nodes; 0: never.",
        set: |options, value| options.nodes = value.limit(),
    },
    Spec {
        name: "DepthLimit",
        kind: Kind::Spin { default: 0, min: 0, max: 10_000 },
        what: "Look for mates of at most so many plies; 0: of any length.",
        set: |options, value| options.plies = value.limit().and_then(|n| u16::try_from(n).ok()),
    },
    Spec {
        name: "RootIsAndNodeIfChecked",
        kind: Kind::Check { default: true },
        what: "Does the side to move defend if it is in check?",
        set: |options, value| options.defends_in_check = value.is_true(),
    },
    Spec {
        name: "FutileInterpositions",
        kind: Kind::Combo { words: &["Counted", "NotCounted"] },
        what: "Do interpositions that gain nothing (無駄合い) count as moves?",
        set: |options, value| {
            let counted = value.is("Counted");
            options.futile = if counted { Futile::Counted } else { Futile::NotCounted };
        },
    },
    Spec {
        name: "PvInterval",
        kind: Kind::Spin { default: 1000, min: 0, max: 1_000_000_000 },
        what: "Milliseconds between info lines during a search; 0: none.",
        set: |options, value| options.interval = value.limit().map(Duration::from_millis),
    },
];

/// Options that user interfaces set whether an engine has them or not.
const NOT_OURS: [&str; 2] = ["USI_Ponder", "USI_MultiPV"];

impl fmt::Display for Spec {
    /// The `option` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} ", self.name)?;
        match &self.kind {
            Kind::Spin { default, min, max } => {
                write!(f, "type spin default {default} min {min} max {max}")
            }
            Kind::Check { default } => write!(f, "type check default {default}"),
            Kind::Combo { words } => {
                write!(f, "type combo default {}", words.first().unwrap_or(&""))?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
        }
    }
}

impl Options {
    /// Sets an option. The error, or the remark, says what became of it.
    pub fn set(&mut self, name: &str, text: &str) -> Result<Option<String>, String> {
        if NOT_OURS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(None);
        }
        let spec = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let Some(spec) = spec else {
            let names: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
            return Err(format!("there is no option '{name}'; there are {}", names.join(", ")));
        };
        let name = spec.name;
        let mut remark = None;
        let value = match spec.kind {
            Kind::Spin { min, max, .. } => {
                let number = text.parse::<u64>().map_err(|_| {
                    format!("{name} is a whole number from {min} to {max}, not '{text}'")
                })?;
                let within = number.clamp(min, max);
                if within != number {
                    remark = Some(format!("{name} {number} is taken for {within}"));
                }
                Value::Number(within)
            }
            Kind::Check { .. } => match text {
                "true" => Value::Truth(true),
                "false" => Value::Truth(false),
                _ => return Err(format!("{name} is true or false, not '{text}'")),
            },
            Kind::Combo { words } => {
                let at = words.iter().position(|word| word.eq_ignore_ascii_case(text));
                let words_given = words.join(" or ");
                let at = at.ok_or_else(|| format!("{name} is {words_given}, not '{text}'"))?;
                Value::Word(at, words)
            }
        };
        (spec.set)(self, value);
        Ok(remark)
    }
}

/// The options for people.
pub fn describe() -> String {
    let mut text = String::new();
    for Spec { name, kind, what, .. } in OPTIONS {
        let values = match kind {
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Check { default } => default.to_string(),
            Kind::Combo { words } => words.join("|"),
        };
        text += &format!("  {:<23}{what}\n  {:<23}[{values}]\n", name, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_default() {
        let mut options = Options::default();
        for spec in OPTIONS {
            let line = spec.to_string();
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|&word| word == "default").expect("a default");
            assert_eq!(options.set(spec.name, words[at + 1]), Ok(None), "{line}");
        }
        assert_eq!(options, Options::default());
        assert_eq!(options.hash, 1 << 30);
        assert!(options.shortest && options.defends_in_check);
    }

    #[test]
    fn bad_values_change_nothing_and_large_ones_are_cut() {
        let mut options = Options::default();
        assert!(options.set("NoSuchThing", "1").is_err());
        assert!(options.set("USI_Hash", "-3").is_err());
        assert!(options.set("USI_Hash", "").is_err());
        assert!(options.set("PostSearchLevel", "Max").is_err());
        assert!(options.set("RootIsAndNodeIfChecked", "yes").is_err());
        assert_eq!(options, Options::default());
        assert!(options.set("Threads", "two").is_err());
        assert_eq!(options, Options::default());
        assert!(options.set("Threads", "100").is_ok_and(|remark| remark.is_some()));
        assert_eq!(options.threads, 64);
        assert_eq!(options.set("Threads", "16"), Ok(None));
        assert_eq!(options.threads, 16);
        assert_eq!(options.set("usi_hash", "16"), Ok(None));
        assert_eq!(options.hash, 16 << 20);
        assert_eq!(options.set("PostSearchLevel", "none"), Ok(None));
        assert!(!options.shortest);
        assert_eq!(options.set("USI_Ponder", "true"), Ok(None));
    }
}
