//! The algorithms there are: one table that feeds `--algorithm`, its help and the `algorithms`
//! command.

use andor::{Algorithm, Dfpn, Plies, PnSearch, Repetition, Selection, Sums};

use crate::lang::{Text, text};
use crate::team_options::{self, Misuse, Team};

/// An algorithm with a name.
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// How it works with several agents.
    pub team: Team,
    /// Its settings for a game.
    make: fn(&Traits) -> Algorithm,
}

/// What an algorithm needs to know of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// Which side a repeated position favours.
    pub repetition: Repetition,
    /// The settings of df-pn that serve the game best.
    pub dfpn: Dfpn,
}

impl Default for Traits {
    fn default() -> Traits {
        Traits { repetition: Repetition::Never, dfpn: Dfpn::default() }
    }
}

impl Traits {
    /// These settings, with as much room for results on one path as the game wants.
    fn with(&self, dfpn: Dfpn) -> Algorithm {
        Algorithm::Dfpn(Dfpn { path_bytes: self.dfpn.path_bytes, ..dfpn })
    }
}

/// Every algorithm. The first is the default.
pub const ALGORITHMS: &[Entry] = &[
    Entry {
        name: "auto",
        what: "what serves best: dfpn; in shogi dfpn-dag with shares and other hands' numbers",
        paper: "see dfpn and dfpn-dag",
        team: Team::Threads,
        make: |game| Algorithm::Dfpn(game.dfpn),
    },
    Entry {
        name: "dfpn",
        what: "depth-first proof-number search with first numbers, 1+ε and threshold control",
        paper: "Nagai 2002; Pawlewicz and Lew 2007; Kishimoto 2010",
        team: Team::Threads,
        make: |game| game.with(Dfpn::default()),
    },
    Entry {
        name: "dfpn-plain",
        what: "the textbook's df-pn; threshold control only where positions repeat",
        paper: "Nagai 1999",
        team: Team::Threads,
        make: |game| {
            let threshold_control = game.repetition != Repetition::Never;
            game.with(Dfpn { threshold_control, ..Dfpn::plain() })
        },
    },
    Entry {
        name: "dfpn-dag",
        what: "dfpn that counts children which meet again once",
        paper: "Nagai 2002; Kishimoto 2010",
        team: Team::Threads,
        make: |game| game.with(Dfpn { sums: Sums::Dag, ..Dfpn::default() }),
    },
    Entry {
        name: "dfpn-weak",
        what: "dfpn with weak proof numbers: maximum plus unsolved children less one",
        paper: "Ueda, Hashimoto, Hashimoto and Iida 2008",
        team: Team::Threads,
        make: |game| game.with(Dfpn { sums: Sums::Weak, ..Dfpn::default() }),
    },
    Entry {
        name: "deep-dfpn",
        what: "dfpn with deep values; R suits the game unless --r says otherwise",
        paper: "Ishitobi, Plaat, Iida and van den Herik 2015, carried over to df-pn",
        team: Team::Threads,
        make: |game| game.with(Dfpn { deep: 0.8, ..Dfpn::default() }),
    },
    Entry {
        name: "virtual",
        what: "auto with virtual proof numbers, as with --threads; 2 threads unless told otherwise",
        paper: "Kaneko 2010",
        team: Team::Virtual,
        make: |game| Algorithm::Dfpn(game.dfpn),
    },
    Entry {
        name: "mps",
        what: "auto with pseudo-threads on one thread: a leader, and workers on other paths",
        paper: "Takano, Maekawa and Kasahara 2009",
        team: Team::Mps,
        make: |game| Algorithm::Dfpn(game.dfpn),
    },
    Entry {
        name: "pincers",
        what: "AOHPAS: auto as leader and workers from the other side, a thread each",
        paper: "Takano et al. 2004",
        team: Team::Pincers,
        make: |game| Algorithm::Dfpn(game.dfpn),
    },
    Entry {
        name: "pmps",
        what: "parallel mps: pseudo-threads on the threads of an --assignment",
        paper: "Takano, Maekawa, Kasahara and Narita",
        team: Team::Pmps,
        make: |game| Algorithm::Dfpn(game.dfpn),
    },
    Entry {
        name: "pn",
        what: "best-first proof-number search; --hash bounds its tree",
        paper: "Allis, van der Meulen and van den Herik 1994",
        team: Team::Alone,
        make: |_| Algorithm::Pn(PnSearch::default()),
    },
    Entry {
        name: "pn-deepest",
        what: "pn with ties broken towards the deepest frontier",
        paper: "Ishitobi, Plaat, Iida and van den Herik 2015, §3.1",
        team: Team::Alone,
        make: |_| Algorithm::Pn(PnSearch { selection: Selection::Deepest, ..PnSearch::default() }),
    },
    Entry {
        name: "deep-pn",
        what: "DeepPN: pn with deep values; R suits the game unless --r says otherwise",
        paper: "Ishitobi, Plaat, Iida and van den Herik 2015",
        team: Team::Alone,
        make: |_| {
            Algorithm::Pn(PnSearch { selection: Selection::Deep(0.65), ..PnSearch::default() })
        },
    },
];

/// What the command line may change about an algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// `R` of the deep algorithms.
    pub r: Option<f64>,
    /// ε of df-pn.
    pub epsilon: Option<f32>,
    /// Sums of df-pn.
    pub sums: Option<Sums>,
    /// The most plies of a proof, for df-pn.
    pub plies: Plies,
    /// No heuristics.
    pub plain: bool,
    /// Bytes for the tree of pn.
    pub bytes: usize,
    /// Several agents.
    pub team: team_options::Options,
}

impl Entry {
    /// The entry of that name.
    pub fn find(name: &str) -> Option<&'static Entry> {
        ALGORITHMS.iter().find(|entry| entry.name == name)
    }

    /// The algorithm with these changes, or why they make no sense.
    pub fn settings(&self, game: &Traits, changes: &Changes) -> Result<Algorithm, Text> {
        let mut algorithm = (self.make)(game);
        let name = self.name;
        if let Some(r) = changes.r {
            if algorithm.r().is_none() {
                return Err(text!(
                    "--r is for deep-pn and deep-dfpn, not for {name}",
                    "--r は `deep-pn` と `deep-dfpn` 用で、`{name}` では使えません"
                ));
            }
            algorithm = algorithm.with_r(r);
        }
        if changes.plies.is_bounded() && game.repetition == Repetition::FavoursAttacker {
            return Err(text!(
                "--plies is for problems in which repetition does not favour the attacker",
                "--plies は、同一局面が攻方に有利でない問題で使えます"
            ));
        }
        let scheme = self.team.scheme(&changes.team).map_err(|misuse| {
            let Misuse { option, takers, hint } = misuse;
            let takers = names(takers);
            text!(
                "{option} is for {takers}, not for {name}{hint}",
                "{option} は {takers} 用で、`{name}` では使えません{hint}"
            )
        })?;
        if let (Algorithm::Dfpn(dfpn), Some(scheme)) = (algorithm, scheme) {
            algorithm = Algorithm::Team(dfpn, scheme);
        }
        match &mut algorithm {
            Algorithm::Dfpn(dfpn) | Algorithm::Team(dfpn, _) => {
                dfpn.epsilon = changes.epsilon.unwrap_or(dfpn.epsilon);
                dfpn.sums = changes.sums.unwrap_or(dfpn.sums);
                dfpn.plies = dfpn.plies.min(changes.plies);
                dfpn.heuristics &= !changes.plain;
                if dfpn.deep < 1.0 && dfpn.sums == Sums::Dag {
                    return Err(text!(
                        "--sums dag and deep values do not go together",
                        "`--sums dag` と深さの値は一緒に使えません"
                    ));
                }
            }
            Algorithm::Pn(pn) => {
                for (given, option) in [
                    (changes.epsilon.is_some(), "--epsilon"),
                    (changes.sums.is_some(), "--sums"),
                    (changes.plies.is_bounded(), "--plies"),
                ] {
                    if given {
                        return Err(text!(
                            "{option} is for the df-pn algorithms, not for {name}",
                            "{option} は df-pn 系の探索法用で、`{name}` では使えません"
                        ));
                    }
                }
                pn.heuristics &= !changes.plain;
                pn.bytes = changes.bytes;
            }
        }
        Ok(algorithm)
    }
}

/// The algorithms that work so, in words.
fn names(teams: &[Team]) -> Text {
    let names = ALGORITHMS.iter().filter(|entry| teams.contains(&entry.team));
    let names: Vec<&str> = names.map(|entry| entry.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => {
            let (others, all) = (others.join(", "), names.join("`、`"));
            text!("{others} and {last}", "`{all}`")
        }
        None => text!("nothing", "なし"),
    }
}

#[cfg(test)]
mod tests {
    use andor::{Cover, Quanta, Virtual};

    use super::*;
    use crate::team_options::{Options, TAKEN_BY, parse_assignment};

    #[test]
    fn every_team_takes_its_options_and_refuses_the_others() {
        let all = Options {
            threads: Some(4),
            r#virtual: Some(Virtual::Paper),
            turns: Some(10),
            pseudo_threads: Some(3),
            assignment: parse_assignment("L,S|S").ok(),
            quantum: Some(50),
            quanta: Some(Quanta::Tenth),
            cover: Some(Cover::Branch),
        };
        let none = Options::default();
        let only = |option: &str| match option {
            "--threads" => Options { threads: all.threads, ..none },
            "--virtual" => Options { r#virtual: all.r#virtual, ..none },
            "--turns" => Options { turns: all.turns, ..none },
            "--pseudo-threads" => Options { pseudo_threads: all.pseudo_threads, ..none },
            "--assignment" => Options { assignment: all.assignment, ..none },
            "--quantum" => Options { quantum: all.quantum, ..none },
            "--quanta" => Options { quanta: all.quanta, ..none },
            _ => Options { cover: all.cover, ..none },
        };
        for entry in ALGORITHMS {
            let usual = entry.team.scheme(&none).expect("no options");
            for (option, teams) in TAKEN_BY {
                let scheme = entry.team.scheme(&only(option));
                assert_eq!(scheme.is_ok(), teams.contains(&entry.team), "{} {option}", entry.name);
                assert!(scheme.is_err() || scheme.ok() != Some(usual), "{} {option}", entry.name);
            }
            let one = Options { threads: Some(1), ..none };
            assert!(entry.team.scheme(&one).is_ok(), "{}", entry.name);
        }
        assert_eq!(Team::Threads.scheme(&none).ok(), Some(None));
    }
}
