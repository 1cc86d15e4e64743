//! What the messages mean.

use std::time::Duration;

use andor::{Reason, Stop, Table, Verdict, certificate};
use serde::{Deserialize, Serialize};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Answer, Mate, MateLimits, Tsume};

/// What the page asks.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
enum Question {
    /// Is there a mate in this position of shogi?
    Solve {
        /// The position as SFEN.
        text: String,
        /// MiB for the table.
        #[serde(default = "usual_hash")]
        hash: u32,
        /// How many threads search it.
        #[serde(default = "one")]
        threads: u32,
    },
}

fn usual_hash() -> u32 {
    64
}

fn one() -> u32 {
    1
}

/// What it is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Message<'a> {
    /// The question could not be understood, or not be begun.
    Error { message: &'a str },
    /// The search goes on.
    Progress { nodes: u64, seconds: f64, pn: u32, dn: u32 },
    /// The search is over.
    Answer {
        verdict: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        plies: Option<u16>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        nodes: u64,
        seconds: f64,
        /// Positions of the certificate that the checker has accepted.
        #[serde(skip_serializing_if = "Option::is_none")]
        certificate: Option<u64>,
    },
}

/// A slice is not shorter than this: what leans on the path is found again in each, and a slice without
/// a node would lead nowhere.
const SHORTEST: Duration = Duration::from_millis(10);

/// Where messages go.
type Send<'a> = &'a mut dyn FnMut(&str);

fn tell(message: &Message<'_>, send: Send<'_>) {
    // Words and numbers have a form in JSON, always.
    if let Ok(text) = serde_json::to_string(message) {
        send(&text);
    }
}

fn complain(message: &str, send: Send<'_>) {
    tell(&Message::Error { message }, send);
}

/// A question that is being searched.
struct Task {
    problem: Tsume,
    threads: usize,
    /// Of all slices so far.
    nodes: u64,
    time: Duration,
}

/// One visitor's engine: a table that stays, and at most one question at a time.
#[derive(Default)]
pub struct Engine {
    table: Option<Table>,
    task: Option<Task>,
}

impl Engine {
    /// Takes a message: a JSON object in UTF-8. A new question takes the place of the one before it.
    pub fn receive(&mut self, message: &[u8], send: Send<'_>) {
        match serde_json::from_slice(message) {
            Ok(Question::Solve { text, hash, threads }) => match self.begin(&text, hash, threads) {
                Ok(()) => {}
                Err(message) => complain(&message, send),
            },
            Err(error) => complain(&format!("a message that is not understood: {error}"), send),
        }
    }

    fn begin(&mut self, text: &str, hash: u32, threads: u32) -> Result<(), String> {
        let position = Position::from_sfen(text).map_err(|error| error.to_string())?;
        let bytes = usize::try_from(u64::from(hash) << 20).unwrap_or(usize::MAX);
        self.task = None;
        if self.table.as_ref().is_none_or(|table| table.bytes() != bytes) {
            // The old one first: there may be no room for both.
            self.table = None;
            self.table = Some(Table::new(bytes).map_err(|error| error.to_string())?);
        }
        let (problem, threads) = (Tsume::new(position), threads as usize);
        self.task = Some(Task { problem, threads, nodes: 0, time: Duration::ZERO });
        Ok(())
    }

    /// Works for about so long (or some milliseconds, if that is more), if there is anything to do, and
    /// tells how far it has come. Is there more to do? The certificate is written in one go.
    pub fn step(&mut self, time: Duration, send: Send<'_>) -> bool {
        let (Some(table), Some(task)) = (&self.table, &mut self.task) else { return false };
        let mate = Mate::new(table).with_threads(task.threads);
        let limits = MateLimits { time: Some(time.max(SHORTEST)), ..MateLimits::default() };
        let answer = mate.solve(&task.problem, &limits);
        task.nodes += answer.outcome.nodes;
        task.time += answer.outcome.elapsed;
        let (nodes, seconds) = (task.nodes, task.time.as_secs_f64());
        if answer.outcome.verdict == Verdict::Unknown(Reason::Time) {
            let (pn, dn) = answer.outcome.numbers;
            tell(&Message::Progress { nodes, seconds, pn, dn }, send);
            return true;
        }
        match certified(&mate, &answer) {
            Ok(certificate) => {
                let reason = match answer.outcome.verdict {
                    Verdict::Unknown(Reason::Threads) => Some("threads"),
                    Verdict::Unknown(_) => Some("stopped"),
                    _ => None,
                };
                let verdict = &answer.outcome.verdict.to_string();
                let plies = answer.solution.as_ref().map(|solution| solution.length);
                tell(
                    &Message::Answer { verdict, plies, reason, nodes, seconds, certificate },
                    send,
                );
            }
            Err(message) => complain(&message, send),
        }
        self.task = None;
        false
    }
}

/// Writes the certificates of an answer and lets the checker look at them: how many positions they have,
/// if the answer claims anything.
fn certified(mate: &Mate<'_>, answer: &Answer) -> Result<Option<u64>, String> {
    let mut positions = None;
    for claim in answer.claims() {
        let mut file = Vec::new();
        mate.certify(&claim, &Stop::new(), &mut file).map_err(|error| error.to_string())?;
        let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
        let checked = checked.map_err(|error| error.to_string())?;
        positions = Some(positions.unwrap_or(0) + checked.positions);
    }
    Ok(positions)
}
