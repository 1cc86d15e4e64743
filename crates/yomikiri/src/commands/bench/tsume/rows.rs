//! What `bench tsume` prints: a row for each problem, and a total for each set.

use std::time::Duration;

use andor::Verdict;
use serde::{Serialize, Serializer};
use yomikiri_question::display;
use yomikiri_question::lang::Text;
use yomikiri_question::team_options::SharesReport;
use yomikiri_tsume::Answer;

use crate::columns;
use crate::input::Item;

/// What became of a problem.
#[derive(Serialize)]
pub struct Row<'a> {
    pub set: &'a str,
    pub id: &'a str,
    #[serde(serialize_with = "serialize_word")]
    pub verdict: Verdict,
    pub decided: bool,
    /// The length that is proven.
    pub length: Option<u16>,
    /// The same without interpositions in vain.
    pub conventional_length: Option<u16>,
    pub exact: bool,
    /// The moves of the line that was found.
    pub line: Option<usize>,
    pub recorded: Option<u16>,
    pub nodes: u64,
    pub seconds: f64,
    /// Of one agent alone.
    pub cpu_seconds: Option<f64>,
    pub hash_mib: usize,
    pub threads: usize,
    pub scheme: Option<Text>,
    /// Who searched the nodes, where a leader and workers did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<SharesReport>,
    /// Certificates that the checker accepted, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<usize>,
    /// And that were not written, or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<usize>,
}

/// The word for a verdict in these tables.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proven => "mate",
        Verdict::Disproven => "no mate",
        Verdict::Unknown(_) => "unknown",
    }
}

fn serialize_word<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(word(*verdict))
}

/// What became of a set.
#[derive(Serialize)]
pub struct Total<'a> {
    pub set: &'a str,
    pub problems: usize,
    pub decided: usize,
    pub mates: usize,
    pub no_mates: usize,
    /// Lines of the recorded length, or of the proven one where it is exact.
    pub as_recorded: usize,
    /// Seconds of that clock, with the limit for what is not decided.
    pub seconds: f64,
    /// `processor` or `wall`.
    pub clock: &'static str,
    pub threads: usize,
    pub scheme: Option<Text>,
    /// Problems that were searched at a time.
    pub jobs: usize,
    /// The table of each.
    pub hash_mib: usize,
    pub limit: f64,
    pub nodes: u64,
    /// Nodes over the decided ones alone: these do not depend on the clock.
    pub nodes_decided: u64,
    pub nodes_per_second: f64,
    /// Of the whole program so far.
    pub peak_memory_mib: Option<f64>,
    pub bad: usize,
    /// Certificates that the checker accepted, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<usize>,
    /// And that were not written, or rejected.
    pub rejected: usize,
}

impl<'a> Row<'a> {
    /// The row of an answer that took so many seconds within a limit. `shortest` asks for an exact
    /// length.
    pub fn new(
        (set, item): (&'a str, &'a Item),
        answer: &Answer,
        counted: f64,
        limit: Duration,
        shortest: bool,
    ) -> Self {
        let solution = answer.solution.as_ref();
        let exact = solution.is_some_and(|solution| solution.exact);
        let in_time = counted <= limit.as_secs_f64() * 1.01;
        let verdict = answer.outcome.verdict;
        let decided = match verdict {
            Verdict::Proven => in_time && (exact || !shortest),
            Verdict::Disproven => in_time,
            Verdict::Unknown(_) => false,
        };
        Row {
            set,
            id: &item.id,
            verdict,
            decided,
            length: solution.map(|solution| solution.length),
            conventional_length: solution.map(|solution| solution.shown_length()),
            exact,
            line: solution.filter(|solution| solution.complete).map(|found| found.line.len()),
            recorded: item.recorded,
            nodes: answer.outcome.nodes,
            seconds: answer.outcome.elapsed.as_secs_f64(),
            cpu_seconds: Some(counted),
            hash_mib: 0,
            threads: 1,
            scheme: None,
            shares: SharesReport::new(&answer.outcome.shares),
            accepted: None,
            rejected: None,
        }
    }

    /// The seconds that count.
    pub fn counted(&self) -> f64 {
        self.cpu_seconds.unwrap_or(self.seconds)
    }

    /// Is the length the recorded one?
    pub fn is_as_recorded(&self) -> bool {
        let conventional = self.conventional_length.map(usize::from);
        let found = if self.exact { conventional } else { self.line };
        found.is_some() && found == self.recorded.map(usize::from)
    }
}

impl std::fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let length = match (self.conventional_length, self.line) {
            (Some(length), _) if self.exact => format!("={length}"),
            (_, Some(line)) => line.to_string(),
            (Some(length), None) => format!("<={length}"),
            (None, None) => "-".into(),
        };
        let recorded = self.recorded.map_or("-".into(), |length| length.to_string());
        let id = columns::pad(self.id, 16);
        write!(
            f,
            "{id} {:<8} {length:>6} /{recorded:>5} {:>11} nodes {:>8.2} s",
            word(self.verdict),
            self.nodes,
            self.counted()
        )?;
        if self.decided { Ok(()) } else { write!(f, "  not decided") }
    }
}

impl std::fmt::Display for Total<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Total { set, problems, decided, no_mates, as_recorded, seconds, limit, .. } = self;
        let plural = if *no_mates == 1 { "" } else { "s" };
        write!(
            f,
            "{set}: {decided}/{problems} decided in {seconds:.1} s ({limit} s for each that is not), \
             {no_mates} no-mate{plural}, {as_recorded} lengths as recorded, {} nodes over the decided, \
             {}/s",
            display::count(self.nodes_decided),
            display::count(self.nodes_per_second as u64),
        )?;
        match &self.scheme {
            Some(scheme) => {
                let plural = if self.threads == 1 { "" } else { "s" };
                write!(f, "; wall time, {} thread{plural} ({scheme})", self.threads)?;
            }
            None => write!(f, "; processor time")?,
        }
        if self.jobs > 1 {
            write!(f, "; {} jobs of {} MiB", self.jobs, self.hash_mib)?;
        }
        if let Some(accepted) = self.accepted {
            write!(f, "; {accepted} certificates accepted, {} rejected", self.rejected)?;
        }
        Ok(())
    }
}
