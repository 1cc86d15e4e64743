//! The problem sets.

use std::fmt::Display;

use andor::{Dfpn, Value};
use yomikiri_hex::Hex;
use yomikiri_othello::{ExpertOthello, Goal};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Tsume, settings};

use crate::error::{Error, Result};

/// Our own problems, which stand in for the papers' in a quick run where those are not found.
const OWN: &str = yomikiri_tsume::OWN_PROBLEMS;
/// A quick run takes one problem in so many.
const QUICK_STEP: usize = 10;

/// Openings of Hex 7×7, the second player to move, and whether he wins.
const HEX: [(&str, &str, Value); 2] = [
    (
        "hex7-g4",
        "hex 7 ......./......./......./......B/......./......./....... W",
        Value::Disproven,
    ),
    (
        "hex7-a4",
        "hex 7 ......./......./......./B....../......./......./....... W",
        Value::Disproven,
    ),
];

/// Positions of the FFO set.
const OTHELLO: [(&str, &str); 2] = [
    ("ffo51", "----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O"),
    ("ffo52", "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O"),
];

/// What is asked.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Is there a mate?
    Tsume(Box<Tsume>),
    /// Does the side to move reach the goal?
    Othello(ExpertOthello),
    /// Does the side to move win? And what is known of it.
    Hex(Hex, Value),
}

impl Subject {
    /// The settings of df-pn that serve the game best.
    pub fn dfpn(&self) -> Dfpn {
        match self {
            Subject::Tsume(_) => settings::dfpn(),
            Subject::Othello(_) | Subject::Hex(..) => Dfpn::default(),
        }
    }
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name.
    pub id: String,
    /// The problem.
    pub subject: Subject,
}

/// A set of problems.
#[derive(Clone, Debug)]
pub struct Set {
    /// Its name, such as `muso`.
    pub name: String,
    /// The problems.
    pub items: Vec<Item>,
}

impl Set {
    /// Reads lines of SFEN, name and length, with tabs between them. Lines that begin with `#` say
    /// nothing.
    pub fn parse(name: &str, text: &str) -> Result<Set> {
        let mut items = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let bad =
                |reason: String| Error::BadProblem { set: name.into(), line: number + 1, reason };
            let mut fields = line.split('\t');
            let (Some(sfen), Some(id)) = (fields.next(), fields.next()) else {
                return Err(bad("expected SFEN, name and length with tabs between them".into()));
            };
            if id.contains(',') {
                return Err(bad(format!("a comma in the name `{id}`")));
            }
            let position = Position::from_sfen(sfen).map_err(|error| bad(error.to_string()))?;
            items.push(Item {
                id: id.into(),
                subject: Subject::Tsume(Box::new(Tsume::new(position))),
            });
        }
        Ok(Set { name: name.into(), items })
    }

    /// Our own problems, one in so many, from the n-th on.
    pub fn own(name: &str, from: usize, step: usize) -> Result<Set> {
        let set = Set::parse(name, OWN)?;
        let items = set.items.into_iter().skip(from).step_by(step.max(1)).collect();
        Ok(Set { name: name.into(), items })
    }

    /// Hex 7×7 after one move, the hardest ones. Who wins is known.
    pub fn hex() -> Result<Set> {
        let bad = |error: &dyn Display| Error::BadProblem {
            set: "hex".into(),
            line: 0,
            reason: error.to_string(),
        };
        let item = |id: &str, text: &str, value| {
            let hex: Hex = text.parse().map_err(|error| bad(&error))?;
            Ok(Item { id: id.into(), subject: Subject::Hex(hex, value) })
        };
        let items = HEX.into_iter().map(|(id, text, value)| item(id, text, value));
        Ok(Set { name: "hex".into(), items: items.collect::<Result<_>>()? })
    }

    /// Large endgames of Othello, from the FFO set: does the side to move win?
    pub fn othello() -> Result<Set> {
        let item = |(id, text): (&str, &str)| {
            let position = yomikiri_othello::Position::parse(text).map_err(|error| {
                Error::BadProblem { set: "othello".into(), line: 0, reason: error.to_string() }
            })?;
            Ok(Item {
                id: id.into(),
                subject: Subject::Othello(ExpertOthello::new(position, Goal::Wins)),
            })
        };
        let items = OTHELLO.into_iter().map(item).collect::<Result<_>>()?;
        Ok(Set { name: "othello".into(), items })
    }

    /// The name for people: `Muso`.
    pub fn title(&self) -> String {
        title(&self.name)
    }
}

/// A name that begins with a capital.
pub(crate) fn title(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// The sets of these names, such as `zuko`. A quick run takes a tenth of each; where they are not
/// found it takes a tenth of our own set instead, under the name `own`.
pub fn sets(names: &[&str], quick: bool) -> Result<Vec<Set>> {
    let folder = yomikiri_problems::folder();
    let has = |name: &&str| {
        folder.as_ref().is_some_and(|folder| folder.join(format!("{name}.tsv")).is_file())
    };
    if !names.iter().all(has) {
        if quick {
            return Ok(vec![Set::own("own", 0, QUICK_STEP)?]);
        }
        return Err(Error::NeedsProblems(names.join(", ")));
    }
    let read = |name: &&str| {
        let text = yomikiri_problems::read(&format!("{name}.tsv"));
        let mut set =
            Set::parse(name, &text.ok_or_else(|| Error::NeedsProblems(name.to_string()))?)?;
        if quick {
            // The last of each ten: Muso 100 is among them.
            set.items = set.items.into_iter().skip(QUICK_STEP - 1).step_by(QUICK_STEP).collect();
        }
        Ok(set)
    };
    names.iter().map(read).collect()
}
