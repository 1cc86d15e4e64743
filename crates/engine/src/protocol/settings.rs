//! The options of an engine of ours: one table for `option` lines, for `setoption`, for the
//! defaults and for the help.
//!
//! ```
//! use yomikiri_engine::protocol::{Domain, OptionTable, Setting};
//!
//! static OPTIONS: OptionTable<u64> = OptionTable(&[Setting {
//!     name: "Threads",
//!     domain: Domain::Spin { default: 1, min: 1, max: 64 },
//!     what: "Threads of a search.",
//!     set: |threads, value| *threads = value.number(),
//! }]);
//!
//! let mut threads = 7;
//! OPTIONS.set_defaults(&mut threads);
//! assert_eq!(threads, 1);
//! assert!(OPTIONS.set(&mut threads, "threads", Some("4")).is_ok());
//! assert_eq!(threads, 4);
//! let error = OPTIONS.set(&mut threads, "Threads", Some("many")).unwrap_err();
//! assert_eq!(error.to_string(), "option Threads is a whole number from 1 to 64, not 'many'");
//! ```

use super::option::{OptionKind, OptionSpec};
use super::words::shown;

/// An option: to set it changes a `T`, and may ask for something more to be done, a `C`.
pub struct Setting<T, C = ()> {
    /// Its name; may have spaces. It is found in any case.
    pub name: &'static str,
    /// What it takes, and what it is at first.
    pub domain: Domain,
    /// What it is for, in a sentence.
    pub what: &'static str,
    /// Sets it. The value is one that the domain has.
    pub set: fn(&mut T, Value) -> C,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A whole number.
    Spin {
        /// What it is at first.
        default: u64,
        /// The least.
        min: u64,
        /// The most; at most what an `i64` has.
        max: u64,
    },
    /// `true` or `false`.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// One of some words; the first is the default.
    Combo {
        /// All of them; at least one.
        words: &'static [&'static str],
    },
    /// Nothing: it is pressed.
    Button,
}

/// A value that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`Domain::Spin`].
    Number(u64),
    /// Of [`Domain::Check`].
    Truth(bool),
    /// Of [`Domain::Combo`], as the table spells it.
    Word(&'static str),
    /// Of [`Domain::Button`].
    Pressed,
}

impl Value {
    /// The number; 0 if it is none.
    pub fn number(self) -> u64 {
        if let Value::Number(number) = self { number } else { 0 }
    }

    /// The number where 0 stands for "no limit".
    pub fn limit(self) -> Option<u64> {
        Some(self.number()).filter(|&number| number > 0)
    }

    /// Is it `true`?
    pub fn is_true(self) -> bool {
        self == Value::Truth(true)
    }

    /// Is it this word?
    pub fn is(self, word: &str) -> bool {
        matches!(self, Value::Word(it) if it == word)
    }
}

/// Why an option stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// There is none of that name.
    #[error("there is no option '{}'; there are {names}", shown(name))]
    Unknown {
        /// The name that was said.
        name: String,
        /// The names that there are.
        names: String,
    },
    /// It does not take that value.
    #[error("option {name} is {wanted}, not '{}'", shown(value))]
    Refused {
        /// The name of the option.
        name: &'static str,
        /// What it takes, in words.
        wanted: String,
        /// What was said.
        value: String,
        /// The nearest number that it does take, if a number was said.
        nearest: Option<u64>,
    },
}

impl Domain {
    /// What it is at first; a button is nothing.
    fn default(self) -> Option<Value> {
        match self {
            Domain::Spin { default, .. } => Some(Value::Number(default)),
            Domain::Check { default } => Some(Value::Truth(default)),
            Domain::Combo { words } => words.first().map(|word| Value::Word(word)),
            Domain::Button => None,
        }
    }

    /// Reads a value. Case does not matter, as UCI demands.
    fn read(self, text: &str) -> Option<Value> {
        match self {
            Domain::Spin { min, max, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                number.map(Value::Number)
            }
            Domain::Check { .. } => {
                let truths = [("true", true), ("false", false)];
                let found = truths.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
                found.map(|&(_, truth)| Value::Truth(truth))
            }
            Domain::Combo { words } => {
                let found = words.iter().find(|word| word.eq_ignore_ascii_case(text));
                found.map(|word| Value::Word(word))
            }
            Domain::Button => Some(Value::Pressed),
        }
    }

    /// What it takes, in words.
    fn wanted(self) -> String {
        match self {
            Domain::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Domain::Check { .. } => "true or false".into(),
            Domain::Combo { words } => words.join(" or "),
            Domain::Button => "a button".into(),
        }
    }

    fn nearest(self, text: &str) -> Option<u64> {
        match self {
            Domain::Spin { min, max, .. } => Some(text.parse::<u64>().ok()?.clamp(min, max)),
            _ => None,
        }
    }
}

impl<T, C> Setting<T, C> {
    /// As it is advertised.
    fn spec(&self) -> OptionSpec {
        let default = self.domain.default().map(|value| match value {
            Value::Number(number) => number.to_string(),
            Value::Truth(truth) => truth.to_string(),
            Value::Word(word) => word.into(),
            Value::Pressed => String::new(),
        });
        let spec = |kind| OptionSpec {
            name: self.name.into(),
            kind,
            default,
            min: None,
            max: None,
            vars: Vec::new(),
        };
        let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
        match self.domain {
            Domain::Spin { min, max, .. } => OptionSpec {
                min: Some(number(min)),
                max: Some(number(max)),
                ..spec(OptionKind::Spin)
            },
            Domain::Check { .. } => spec(OptionKind::Check),
            Domain::Combo { words } => OptionSpec {
                vars: words.iter().map(|&word| word.into()).collect(),
                ..spec(OptionKind::Combo)
            },
            Domain::Button => spec(OptionKind::Button),
        }
    }
}

/// All options of an engine.
pub struct OptionTable<T: 'static, C: 'static = ()>(pub &'static [Setting<T, C>]);

impl<T, C> OptionTable<T, C> {
    /// The options as they are advertised.
    pub fn specs(&self) -> impl Iterator<Item = OptionSpec> + use<T, C> {
        self.0.iter().map(Setting::spec)
    }

    /// Sets every option to its default.
    pub fn set_defaults(&self, target: &mut T) {
        for setting in self.0 {
            if let Some(value) = setting.domain.default() {
                (setting.set)(target, value);
            }
        }
    }

    /// Is there an option of this name?
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Sets an option. What is wrong changes nothing.
    ///
    /// # Errors
    /// If there is no such option, or it does not take the value.
    pub fn set(&self, target: &mut T, name: &str, value: Option<&str>) -> Result<C, SetError> {
        let Some(setting) = self.find(name) else {
            let names: Vec<&str> = self.0.iter().map(|setting| setting.name).collect();
            return Err(SetError::Unknown { name: name.into(), names: names.join(", ") });
        };
        let text = value.unwrap_or_default().trim();
        match setting.domain.read(text) {
            Some(value) => Ok((setting.set)(target, value)),
            None => Err(SetError::Refused {
                name: setting.name,
                wanted: setting.domain.wanted(),
                value: text.into(),
                nearest: setting.domain.nearest(text),
            }),
        }
    }

    /// The options for people: name, what it is for, default.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        for Setting { name, domain, what, .. } in self.0 {
            let values = match domain {
                Domain::Spin { default, .. } => default.to_string(),
                Domain::Check { default } => default.to_string(),
                Domain::Combo { words } => words.join("|"),
                Domain::Button => "button".into(),
            };
            text += &format!("  {name:<23}{what}\n  {:<23}[{values}]\n", "");
        }
        text
    }

    fn find(&self, name: &str) -> Option<&'static Setting<T, C>> {
        self.0.iter().find(|setting| setting.name.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Dialect, Reply};

    #[derive(Debug, Default, PartialEq, Eq)]
    struct Set {
        number: u64,
        truth: bool,
        word: &'static str,
        presses: u32,
    }

    const TABLE: OptionTable<Set, &str> = OptionTable(&[
        Setting {
            name: "A number",
            domain: Domain::Spin { default: 5, min: 2, max: 9 },
            what: "A number.",
            set: |set, value| {
                set.number = value.number();
                "number"
            },
        },
        Setting {
            name: "Truth",
            domain: Domain::Check { default: true },
            what: "True or not.",
            set: |set, value| {
                set.truth = value.is_true();
                "truth"
            },
        },
        Setting {
            name: "Word",
            domain: Domain::Combo { words: &["One", "Two"] },
            what: "A word.",
            set: |set, value| {
                set.word = if value.is("Two") { "two" } else { "one" };
                "word"
            },
        },
        Setting {
            name: "Press",
            domain: Domain::Button,
            what: "Something is done.",
            set: |set, value| {
                assert_eq!(value, Value::Pressed);
                set.presses += 1;
                "press"
            },
        },
    ]);

    #[test]
    fn what_is_advertised_is_taken() {
        let lines: Vec<String> =
            TABLE.specs().map(|spec| Reply::Option(spec).to_line(Dialect::Uci)).collect();
        assert_eq!(
            lines,
            [
                "option name A number type spin default 5 min 2 max 9",
                "option name Truth type check default true",
                "option name Word type combo default One var One var Two",
                "option name Press type button",
            ]
        );
        let mut defaults = Set::default();
        TABLE.set_defaults(&mut defaults);
        assert_eq!(defaults, Set { number: 5, truth: true, word: "one", presses: 0 });
        let mut set = Set::default();
        for spec in TABLE.specs() {
            assert!(spec.kind == OptionKind::Button || spec.accepts(spec.default.as_deref()));
            TABLE.set(&mut set, &spec.name, spec.default.as_deref()).expect("its default");
        }
        assert_eq!(set, Set { presses: 1, ..defaults });
    }

    #[test]
    fn values_are_read_in_any_case_and_checked() {
        let mut set = Set::default();
        TABLE.set_defaults(&mut set);
        for (name, value, what) in [
            ("a NUMBER", Some(" 9 "), "number"),
            ("truth", Some("FALSE"), "truth"),
            ("WORD", Some("two"), "word"),
            ("press", None, "press"),
        ] {
            assert_eq!(TABLE.set(&mut set, name, value), Ok(what));
        }
        let good = Set { number: 9, truth: false, word: "two", presses: 1 };
        assert_eq!(set, good);
        for (name, value, error, nearest) in [
            (
                "A number",
                Some("1"),
                "option A number is a whole number from 2 to 9, not '1'",
                Some(2),
            ),
            ("A number", Some("99"), "not '99'", Some(9)),
            ("A number", Some("-3"), "not '-3'", None),
            ("A number", Some("1.5"), "not '1.5'", None),
            ("A number", Some("99999999999999999999"), "whole number", None),
            ("A number", None, "not ''", None),
            ("Truth", Some("yes"), "option Truth is true or false, not 'yes'", None),
            ("Truth", Some("a\u{7}b"), "not 'a\u{fffd}b'", None),
            ("Word", Some("Three"), "option Word is One or Two, not 'Three'", None),
        ] {
            let refused = TABLE.set(&mut set, name, value).expect_err("a wrong value");
            assert!(refused.to_string().contains(error), "{refused}");
            assert!(
                matches!(refused, SetError::Refused { nearest: found, .. } if found == nearest),
                "{refused:?}"
            );
        }
        let error = TABLE.set(&mut set, "No\nsuch", Some("1")).expect_err("no such option");
        let names = "A number, Truth, Word, Press";
        assert_eq!(
            error.to_string(),
            format!("there is no option 'No\u{fffd}such'; there are {names}")
        );
        assert_eq!(set, good);
        assert!(TABLE.has("word") && !TABLE.has("words"));
    }
}
