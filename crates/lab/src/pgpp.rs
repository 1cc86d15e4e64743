//! P-GPP (Yokoyama, Kaneko and Tanaka 2015): Fig. 4a and 4b, in virtual time.
//!
//! Clusters of our own engine play against one worker. Time is counted in nodes, so that sixty
//! workers need not sixty cores and every game can be repeated (see
//! [`virtual_time`](yomikiri_cluster::virtual_time)). Unlike the paper:
//!
//! - the worker is our small engine and not Stockfish DD, and gets nodes instead of a second;
//! - openings are played twice with sides exchanged, and intervals are taken over pairs;
//! - a game ends when both sides have long agreed on its winner;
//! - trees also grow while a move is thought about, as soon as a worker is idle; with `@root` they
//!   grow when the root changes and at no other time, as the paper's (its Table 1).
//!
//! As in the paper, both sides think in the opponent's time, a single worker about the position on
//! the board; clusters get 5 % less time; *linear speed-up* is one worker with n times the nodes,
//! but not in the opponent's time. What n workers gain is also told as a share of what linear
//! speed-up gains, in Elo.

mod arm;
mod options;
mod report;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use yomikiri_chess::Position;
use yomikiri_cluster::tally::{Points, Tally};
use yomikiri_cluster::virtual_time::{Budget, Played, Setup, VirtualCluster, Winner, play};

use self::report::report;
use crate::error::{Error, Result};
use crate::journal::Journal;
use crate::stats::bootstrap;

pub use arm::{Arm, UnknownArm};
pub use options::Options;
pub use report::{Line, Share, Summary};

/// The results of a pair of games.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    results: [Points; 2],
    /// Plies foreseen, and moves they are counted over.
    foreseen: (u64, u64),
}

const COLUMNS: &str = "arm,pair,first,second,foreseen,moves";

/// Plays all games, calling `progress` with how many pairs are done and how many there are. Pairs
/// already recorded in the folder are taken from there.
pub fn run(options: &Options, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Summary> {
    let start = Instant::now();
    let lines = lines_of_openings(options)?;
    let openings = openings(&lines, options.pairs)?;
    let mut found: BTreeMap<(String, usize), Pair> = BTreeMap::new();
    let settings = options.settings(&lines);
    let journal = Journal::open(&options.out, &settings, COLUMNS, |line| {
        read(line).map(|(key, pair)| found.insert(key, pair)).is_some()
    })?;
    let mut missing = Vec::new();
    for pair in 0..options.pairs {
        for arm in &options.arms {
            if !found.contains_key(&(arm.to_string(), pair)) {
                missing.push((*arm, pair));
            }
        }
    }
    let total = options.pairs * options.arms.len();
    let shared = Mutex::new((journal, found));
    let next = AtomicUsize::new(0);
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    progress(total - missing.len(), total);
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                while let Some(&(arm, number)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if options.stop.is_raised() || failed.lock().is_ok_and(|f| f.is_some()) {
                        return;
                    }
                    let played = play_pair(options, arm, &openings[number]);
                    let saved = played.and_then(|pair| {
                        let Ok(mut shared) = shared.lock() else { return Ok(()) };
                        shared.0.add(&write(arm, number, &pair))?;
                        shared.1.insert((arm.to_string(), number), pair);
                        progress(shared.1.len().min(total), total);
                        Ok(())
                    });
                    if let (Err(error), Ok(mut failed)) = (saved, failed.lock()) {
                        failed.get_or_insert(error);
                    }
                }
            });
        }
    });
    if let Ok(Some(error)) = failed.into_inner() {
        return Err(error);
    }
    let (journal, found) = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    journal.rewrite(found.iter().map(|((arm, number), pair)| row(arm, *number, pair)))?;
    let wanted = |arm: &Arm, number: usize| found.get(&(arm.to_string(), number));
    let linear = |arm: &Arm| arm.workers().map(Arm::Linear).filter(|it| options.arms.contains(it));
    let lines: Vec<Line> = options
        .arms
        .iter()
        .map(|arm| {
            let (mut tally, mut foreseen, mut moves) = (Tally::default(), 0, 0);
            for pair in (0..options.pairs).filter_map(|number| wanted(arm, number)) {
                tally.add_pair(pair.results);
                foreseen += pair.foreseen.0;
                moves += pair.foreseen.1;
            }
            let utility = foreseen as f64 / moves.max(1) as f64;
            let of_linear = linear(arm).and_then(|linear| {
                let both = (0..options.pairs).filter_map(|number| {
                    Some((wanted(arm, number)?.results, wanted(&linear, number)?.results))
                });
                of_linear(&both.collect::<Vec<_>>())
            });
            Line { arm: *arm, tally, utility, of_linear }
        })
        // Of who has not played nothing is told.
        .filter(|line| !line.tally.is_empty())
        .collect();
    // What there is of the figures is told, even if the run was ended.
    let done = lines.iter().map(|line| line.tally.len() as usize).sum();
    if done == 0 {
        return Err(Error::Stopped { done, total });
    }
    let unfinished = (done < total).then_some((done, total));
    report(options, lines, unfinished, start)
}

const OPENINGS: &str = "openings_3moves.epd";

/// The lines of all openings: those of the set if it is there and no others were given.
fn lines_of_openings(options: &Options) -> Result<Vec<String>> {
    let text = options.openings.clone().or_else(|| yomikiri_problems::read(OPENINGS));
    let text = text.unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() { Err(Error::NeedsProblems(OPENINGS.into())) } else { Ok(lines) }
}

/// Where so many pairs of games begin.
fn openings(lines: &[String], pairs: usize) -> Result<Vec<Position>> {
    let opening = |pair: usize| {
        // All over the file, which is sorted.
        let line = (pair * 389) % lines.len();
        Position::from_fen(&lines[line]).map_err(|error| Error::BadProblem {
            set: OPENINGS.into(),
            line: line + 1,
            reason: error.to_string(),
        })
    };
    (0..pairs).map(opening).collect()
}

/// The nodes of an arm's workers, and those of the one that it plays against.
fn budgets(options: &Options, arm: Arm) -> [Budget; 2] {
    let thinking = match arm {
        Arm::Cluster { .. } => options.nodes * (100 - options.penalty.min(99)) / 100,
        Arm::Linear(times) => options.nodes * u64::from(times),
        Arm::Forgetful => options.nodes,
    };
    // A side ponders as long as the other thinks, but not in the time that linear speed-up adds.
    let ponders = |others: u64| if options.ponder { others.min(options.nodes) } else { 0 };
    [
        Budget { thinking, pondering: ponders(options.nodes) },
        Budget { thinking: options.nodes, pondering: ponders(thinking) },
    ]
}

fn play_pair(options: &Options, arm: Arm, opening: &Position) -> Result<Pair> {
    let single = Setup {
        reports: options.reports,
        table_mib: options.table_mib,
        ranks: options.ranks.clone(),
        ..Setup::new(1)
    };
    let setup = match arm {
        Arm::Cluster { growth, workers, new_roots_only } => {
            Setup { workers, growth, new_roots_only, ..single.clone() }
        }
        Arm::Linear(_) => single.clone(),
        Arm::Forgetful => Setup { forgetful: true, ..single.clone() },
    };
    let [budget, plain] = budgets(options, arm);
    let mut first = VirtualCluster::new(setup)?;
    let mut second = VirtualCluster::new(single)?;
    let white = play(opening, [&mut first, &mut second], [budget, plain])?;
    let black = play(opening, [&mut second, &mut first], [plain, budget])?;
    let points = |played: &Played, ours: Winner| match played.winner {
        Winner::Nobody => Points::Draw,
        winner if winner == ours => Points::Win,
        _ => Points::Loss,
    };
    let (a, b) = (white.foreseen[0], black.foreseen[1]);
    Ok(Pair {
        results: [points(&white, Winner::White), points(&black, Winner::Black)],
        foreseen: (a.0 + b.0, a.1 + b.1),
    })
}

/// What the first of two arms gains in Elo, as a share of what the second gains, from pairs of both in
/// the same openings; the interval is over pairs, by the bootstrap.
fn of_linear(pairs: &[([Points; 2], [Points; 2])]) -> Option<Share> {
    let tallies = |numbers: &mut dyn Iterator<Item = usize>| {
        let mut tallies = [Tally::default(); 2];
        for number in numbers {
            tallies[0].add_pair(pairs[number].0);
            tallies[1].add_pair(pairs[number].1);
        }
        tallies
    };
    let share = |[one, two]: [Tally; 2]| one.elo().0 / two.elo().0;
    let all = tallies(&mut (0..pairs.len()));
    let is_finite = all.iter().all(|tally| tally.rate() > 0.0 && tally.rate() < 1.0);
    // By nothing, or what may be nothing, there is no share.
    let gains = all[1].elo().1[0] > 0.0;
    (is_finite && gains).then(|| {
        (share(all), bootstrap(pairs.len(), |drawn| share(tallies(&mut drawn.iter().copied()))))
    })
}

fn row(arm: &str, number: usize, pair: &Pair) -> String {
    let [first, second] = pair.results.map(|result| result as u8);
    format!("{arm},{number},{first},{second},{},{}", pair.foreseen.0, pair.foreseen.1)
}

fn write(arm: Arm, number: usize, pair: &Pair) -> String {
    row(&arm.to_string(), number, pair)
}

fn read(line: &str) -> Option<((String, usize), Pair)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [arm, number, first, second, foreseen, moves] = fields[..] else { return None };
    let points = |text| match text {
        "0" => Some(Points::Loss),
        "1" => Some(Points::Draw),
        "2" => Some(Points::Win),
        _ => None,
    };
    let results = [points(first)?, points(second)?];
    let foreseen = (foreseen.parse().ok()?, moves.parse().ok()?);
    Some(((arm.into(), number.parse().ok()?), Pair { results, foreseen }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: [Points; 2] = [Points::Win, Points::Win];
    const EVEN: [Points; 2] = [Points::Win, Points::Loss];
    const LOST: [Points; 2] = [Points::Loss, Points::Loss];

    /// Nodes of thinking and of pondering: of an arm, and of the one worker against it.
    #[test]
    fn a_side_ponders_as_long_as_the_other_thinks() {
        let mut options = Options { nodes: 4000, penalty: 5, ..Options::new(true) };
        let told = |options: &Options, arm: &str| {
            budgets(options, arm.parse().unwrap()).map(|it| (it.thinking, it.pondering))
        };
        assert_eq!(told(&options, "pgpp-8"), [(3800, 4000), (4000, 3800)]);
        assert_eq!(told(&options, "random-1@root"), [(3800, 4000), (4000, 3800)]);
        assert_eq!(told(&options, "forgetful"), [(4000, 4000), (4000, 4000)]);
        // What linear speed-up adds is not time in which the other could ponder.
        assert_eq!(told(&options, "linear-8"), [(32_000, 4000), (4000, 4000)]);
        options.ponder = false;
        assert_eq!(told(&options, "pgpp-8"), [(3800, 0), (4000, 0)]);
        assert_eq!(told(&options, "linear-8"), [(32_000, 0), (4000, 0)]);
    }

    #[test]
    fn who_has_more_nodes_has_them_in_both_games() {
        let options = Options { nodes: 30, ..Options::new(true) };
        let pair = play_pair(&options, Arm::Linear(100), &Position::start()).unwrap();
        assert_eq!(pair.results, WON);
    }

    #[test]
    fn a_share_of_linear_speed_up_is_that_of_the_elo_over_the_same_openings() {
        // Three quarters of the points against nine tenths: 190.85 of 381.70 Elo.
        let ours = [[WON; 2], [EVEN; 2]].concat().repeat(50);
        let linear = [vec![WON; 160], vec![EVEN; 40]].concat();
        let both: Vec<_> = ours.into_iter().zip(linear).collect();
        let (share, (low, high)) = of_linear(&both).unwrap();
        assert!((share - 0.5).abs() < 1e-4, "{share}");
        assert!(0.35 < low && low < 0.45 && 0.55 < high && high < 0.7, "{low} to {high}");
        // Less than nothing is a share, too.
        let worse: Vec<_> =
            both.iter().map(|&(_, linear)| (LOST, linear)).skip(10).chain([(WON, WON)]).collect();
        assert!(of_linear(&worse).unwrap().0 < 0.0);
        // Of no gain, of what may be none, of what cannot be told in Elo, and of nothing.
        let with =
            |pair: [Points; 2]| both.iter().map(|&(ours, _)| (ours, pair)).collect::<Vec<_>>();
        assert_eq!(of_linear(&with(EVEN)), None);
        assert_eq!(of_linear(&with(WON)), None);
        let doubtful = [(EVEN, WON), (WON, EVEN), (WON, LOST), (EVEN, WON)];
        assert_eq!(of_linear(&doubtful), None);
        assert_eq!(of_linear(&[]), None);
    }
}
