//! What is played.

use std::path::PathBuf;

use andor::Stop;
use yomikiri_cluster::{Growth, Ranks};
use yomikiri_origin::fingerprint;

use super::arm::Arm;
use crate::folder;

/// What to run and where to put it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for the results.
    pub out: PathBuf,
    /// Who plays.
    pub arms: Vec<Arm>,
    /// Pairs of games for each.
    pub pairs: usize,
    /// The text of the openings, a FEN a line; `None`: the set of three moves, if it is found.
    pub openings: Option<String>,
    /// The nodes of a worker for a move.
    pub nodes: u64,
    /// By how many percent the time of clusters is less.
    pub penalty: u64,
    /// Do both sides think in the opponent's time?
    pub ponder: bool,
    /// Do workers report their tables?
    pub reports: bool,
    /// The table of a worker, in MiB.
    pub table_mib: usize,
    /// Games at a time.
    pub threads: usize,
    /// The probabilities of ranks.
    pub ranks: Ranks,
    /// Where they come from.
    pub ranks_from: String,
    /// Ends the run; what was played is kept.
    pub stop: Stop,
}

impl Options {
    /// The experiment, or a minute of it.
    pub fn new(quick: bool) -> Options {
        let counts: &[u32] = if quick { &[1, 4] } else { &[1, 4, 8, 16, 32, 60] };
        let cluster = |growth, workers| Arm::Cluster { growth, workers, new_roots_only: false };
        let clusters = |growth| counts.iter().map(move |&n| cluster(growth, n));
        // What the paper has no curve of is played once.
        let once = if quick { 4 } else { 8 };
        let paper = Arm::Cluster { growth: Growth::Pgpp, workers: once, new_roots_only: true };
        let arms = clusters(Growth::Pgpp)
            .chain(clusters(Growth::Random))
            .chain(counts.iter().filter(|&&n| n <= 16).map(|&n| Arm::Linear(n)))
            .chain([Arm::Forgetful, paper])
            .chain([Growth::Gpp, Growth::Pv].map(|growth| cluster(growth, once)));
        Options {
            out: folder("pgpp", quick),
            arms: arms.collect(),
            pairs: if quick { 5 } else { 200 },
            openings: None,
            nodes: if quick { 1_000 } else { 4_000 },
            penalty: 5,
            ponder: true,
            reports: true,
            table_mib: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            ranks: Ranks::paper(),
            ranks_from: "the paper".into(),
            stop: Stop::default(),
        }
    }

    /// What two runs must have in common for their results to be mixed.
    pub(super) fn settings(&self, openings: &[String]) -> String {
        format!(
            "# pgpp: {} nodes a move, {}{}clusters {} % less, tables of {} MiB, {} openings {:016x}, ranks of {}: {}",
            self.nodes,
            if self.ponder { "" } else { "no pondering, " },
            if self.reports { "" } else { "no table reports, " },
            self.penalty,
            self.table_mib,
            openings.len(),
            fingerprint(openings.join("\n").as_bytes()),
            self.ranks_from,
            self.rank_list()
        )
    }

    pub(super) fn rank_list(&self) -> String {
        let listed: Vec<String> =
            self.ranks.listed().iter().map(|rank| format!("{rank:.4}")).collect();
        listed.join(" ")
    }
}
