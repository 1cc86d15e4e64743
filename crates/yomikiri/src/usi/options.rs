//! The options of the engine.

use std::time::Duration;

use yomikiri_engine::protocol::{Domain, OptionTable, SetError, Setting};
use yomikiri_question::team_options::MOST_THREADS;
use yomikiri_tsume::Futile;

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
            futile: Futile::NotCounted,
            interval: None,
        };
        OPTIONS.set_defaults(&mut options);
        options
    }
}

/// Every option.
pub const OPTIONS: OptionTable<Options> = OptionTable(&[
    Setting {
        name: "USI_Hash",
        domain: Domain::Spin { default: 1024, min: 1, max: 1 << 24 },
        what: "The most memory for the table, in MiB; a tenth of what is free is left.",
        set: |options, value| {
            let mib = usize::try_from(value.number()).unwrap_or(usize::MAX);
            options.hash = mib.saturating_mul(1 << 20);
        },
    },
    Setting {
        name: "PrepareHash",
        domain: Domain::Check { default: true },
        what: "Take all of that memory at isready; searches are faster then.",
        set: |options, value| options.takes_hash = value.is_true(),
    },
    Setting {
        name: "Threads",
        domain: Domain::Spin { default: 1, min: 1, max: MOST_THREADS as u64 },
        what: "Threads of a search; only with 1 the same lines give the same nodes.",
        set: |options, value| options.threads = usize::try_from(value.number()).unwrap_or(1),
    },
    Setting {
        name: "PostSearchLevel",
        domain: Domain::Combo { words: &["MinLength", "None"] },
        what: "MinLength: the shortest mate. None: the first one found.",
        set: |options, value| options.shortest = value.is("MinLength"),
    },
    Setting {
        name: "NodesLimit",
        domain: Domain::Spin { default: 0, min: 0, max: i64::MAX as u64 },
        what: "Give up after so many nodes; 0: never.",
        set: |options, value| options.nodes = value.limit(),
    },
    Setting {
        name: "DepthLimit",
        domain: Domain::Spin { default: 0, min: 0, max: 10_000 },
        what: "Look for mates of at most so many plies; 0: of any length.",
        set: |options, value| options.plies = value.limit().and_then(|n| u16::try_from(n).ok()),
    },
    Setting {
        name: "RootIsAndNodeIfChecked",
        domain: Domain::Check { default: true },
        what: "Does the side to move defend if it is in check?",
        set: |options, value| options.defends_in_check = value.is_true(),
    },
    Setting {
        name: "FutileInterpositions",
        domain: Domain::Combo { words: &["NotCounted", "Counted"] },
        what: "Do interpositions in vain (無駄合い) count? By default not, as in solve.",
        set: |options, value| {
            let counted = value.is("Counted");
            options.futile = if counted { Futile::Counted } else { Futile::NotCounted };
        },
    },
    Setting {
        name: "PvInterval",
        domain: Domain::Spin { default: 1000, min: 0, max: 1_000_000_000 },
        what: "Milliseconds between info lines during a search; 0: none.",
        set: |options, value| options.interval = value.limit().map(Duration::from_millis),
    },
]);

/// Options that user interfaces set whether an engine has them or not.
const NOT_OURS: [&str; 2] = ["USI_Ponder", "USI_MultiPV"];

impl Options {
    /// Sets an option. A number out of its range is taken for the nearest in it, and the remark
    /// says so.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, SetError> {
        if NOT_OURS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return Ok(None);
        }
        match OPTIONS.set(self, name, value) {
            Ok(()) => Ok(None),
            Err(SetError::Refused { name, value, nearest: Some(nearest), .. }) => {
                OPTIONS.set(self, name, Some(&nearest.to_string()))?;
                Ok(Some(format!("{name} {value} is taken for {nearest}")))
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_set_to_its_default() {
        let mut options = Options::default();
        for spec in OPTIONS.specs() {
            assert_eq!(options.set(&spec.name, spec.default.as_deref()), Ok(None), "{spec:?}");
        }
        assert_eq!(options, Options::default());
        assert_eq!(options.hash, 1 << 30);
        assert!(options.shortest && options.defends_in_check);
    }

    #[test]
    fn bad_values_change_nothing_and_large_ones_are_cut() {
        let mut options = Options::default();
        let mut set = |name: &str, value: &str| {
            let result = options.set(name, Some(value));
            (result, options.clone())
        };
        for (name, value) in [
            ("NoSuchThing", "1"),
            ("USI_Hash", "-3"),
            ("USI_Hash", ""),
            ("PostSearchLevel", "Max"),
            ("RootIsAndNodeIfChecked", "yes"),
            ("Threads", "two"),
        ] {
            let (result, options) = set(name, value);
            assert!(result.is_err(), "{name} {value}");
            assert_eq!(options, Options::default());
        }
        let (remark, options) = set("Threads", "100");
        assert!(remark.is_ok_and(|remark| remark.is_some()));
        assert_eq!(options.threads, 64);
        assert_eq!(set("Threads", "16").0, Ok(None));
        assert_eq!(set("usi_hash", "16").0, Ok(None));
        let (result, options) = set("PostSearchLevel", "none");
        assert_eq!(result, Ok(None));
        assert!(!options.shortest && options.threads == 16 && options.hash == 16 << 20);
        assert_eq!(set("USI_Ponder", "true").0, Ok(None));
    }
}
