//! A search under way: what is said during it, and when it stops.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use cozy_chess::{Board, Move};
use yomikiri_chess::Position;
use yomikiri_engine::protocol::{self, Command, Dialect, Info, Reply, TableEntry, Value, shown};

use crate::clock::Plan;
use crate::control::{Control, Next, View};
use crate::evaluation::evaluate;
use crate::iterate::Outcome;
use crate::report::ReportEntry;
use crate::score::{Bound, Score};

/// A command, and when it came: a clock runs from there, not from when somebody had time to look.
pub type Heard = (Command, Instant);

/// Commands are looked for after so many nodes, about a millisecond.
const NODES: u64 = 1_024;

/// A search that is stopped before its first iteration is complete may go on for so many nodes.
const FIRST_NODES: u64 = 4_096;

/// Writes replies, one line each.
pub struct Output<W> {
    writer: W,
    /// Is castling written as the king that takes its rook?
    pub chess960: bool,
    /// The first error; nothing is written after it.
    pub error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub fn new(writer: W) -> Output<W> {
        Output { writer, chess960: false, error: None }
    }

    pub fn say(&mut self, reply: &Reply) {
        if self.error.is_none() {
            let line = reply.to_line(Dialect::Uci);
            let written = writeln!(self.writer, "{line}").and_then(|()| self.writer.flush());
            self.error = written.err();
        }
    }

    /// `info string …`
    pub fn remark(&mut self, text: impl Into<String>) {
        self.say(&Reply::Info(Box::new(Info::string(text))));
    }

    /// The answer to `tablereport`.
    pub fn report(&mut self, root: &Board, entries: &[ReportEntry]) {
        for entry in entries {
            self.say(&Reply::TableEntry(TableEntry {
                depth: entry.depth.into(),
                score: score(entry.score, entry.bound),
                moves: self.write_moves(root, &entry.moves),
            }));
        }
        self.say(&Reply::TableEnd);
    }

    /// A line of moves from the root.
    pub fn write_moves(&self, root: &Board, moves: &[Move]) -> Vec<String> {
        let mut position = Position::from(root.clone());
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves {
            texts.push(if self.chess960 { mv.to_string() } else { position.uci(mv) });
            position.play(mv);
        }
        texts
    }
}

fn score(score: Score, bound: Bound) -> protocol::Score {
    let value = match score {
        Score::Cp(value) => Value::Cp(value),
        Score::Mate(moves) => Value::Mate(moves),
    };
    let bound = match bound {
        Bound::Exact => protocol::Bound::Exact,
        Bound::Lower => protocol::Bound::Lower,
        Bound::Upper => protocol::Bound::Upper,
    };
    protocol::Score { value, bound }
}

/// The control of a search for a user interface.
pub struct Steer<'a, W> {
    pub commands: &'a Receiver<Heard>,
    pub output: &'a mut Output<W>,
    /// What waits until the search is over.
    pub deferred: &'a mut VecDeque<Command>,
    /// When the search began.
    pub begin: Instant,
    /// When our clock began to run.
    pub clock_start: Instant,
    pub plan: Option<Plan>,
    pub is_pondering: bool,
    pub is_infinite: bool,
    pub is_stopped: bool,
    pub is_quit: bool,
    /// Has a score been told?
    pub has_told: bool,
}

impl<W: Write> Steer<'_, W> {
    /// Is no answer wanted before `stop` or `ponderhit`?
    pub fn is_held(&self) -> bool {
        (self.is_pondering || self.is_infinite) && !self.is_stopped
    }

    /// Hears a command, or that nobody is left to give one.
    pub fn hear(&mut self, heard: Option<Heard>, root: &Board, report: Report<'_>) {
        let (command, at) = heard.map_or((None, Instant::now()), |(heard, at)| (Some(heard), at));
        match command {
            None | Some(Command::Quit) => (self.is_quit, self.is_stopped) = (true, true),
            Some(Command::Stop) => self.is_stopped = true,
            Some(Command::PonderHit) if self.is_pondering => {
                self.is_pondering = false;
                self.clock_start = at;
            }
            Some(Command::TableReport(most)) => {
                let entries = report(usize::try_from(most).unwrap_or(usize::MAX));
                self.output.report(root, &entries);
            }
            Some(
                command @ (Command::Handshake
                | Command::NewGame
                | Command::SetOption { .. }
                | Command::Position(_)
                | Command::Go(_)),
            ) => self.deferred.push_back(command),
            Some(command) => simple(command, self.output),
        }
    }

    /// Every answer comes with a score, also that of a search which ended before its first
    /// iteration: what the position is worth as it stands.
    pub fn tell_at_least(&mut self, root: &Board, outcome: &Outcome) {
        if self.has_told {
            return;
        }
        let value = match outcome.best {
            None if root.checkers().is_empty() => Score::Cp(0),
            None => Score::Mate(0),
            Some(_) => Score::new(evaluate(root)),
        };
        let info = Info {
            depth: Some(0),
            score: Some(score(value, Bound::Exact)),
            nodes: Some(outcome.nodes),
            time: Some(self.begin.elapsed().as_millis() as u64),
            pv: self.output.write_moves(root, outcome.best.as_slice()),
            ..Info::default()
        };
        self.output.say(&Reply::Info(Box::new(info)));
    }

    fn elapsed(&self) -> Duration {
        self.clock_start.elapsed()
    }
}

/// Gives up to so many positions of the table.
pub type Report<'a> = &'a dyn Fn(usize) -> Vec<ReportEntry>;

/// Answers commands that need no more than an answer, at any time.
pub fn simple<W: Write>(command: Command, output: &mut Output<W>) {
    match command {
        Command::IsReady => output.say(&Reply::ReadyOk),
        Command::PonderHit => output.remark("ponderhit without ponder: nothing to do"),
        Command::Unknown(text) => {
            output.remark(format!("not understood: {}", shown(&text)));
        }
        _ => {}
    }
}

impl<W: Write> Control for Steer<'_, W> {
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next {
        // What comes after `stop` is for the next search.
        while !self.is_stopped {
            let command = match self.commands.try_recv() {
                Ok(command) => Some(command),
                Err(TryRecvError::Disconnected) => None,
                Err(TryRecvError::Empty) => break,
            };
            self.hear(command, view.root(), &|most| view.table_report(most));
        }
        let hard = self.plan.filter(|_| !self.is_held()).map(|plan| plan.hard);
        let is_late = hard.is_some_and(|hard| self.elapsed() >= hard);
        match self.is_stopped || is_late || self.output.error.is_some() {
            // Even a move asked for at once is looked at: the first iteration takes no time.
            true if view.depth() == 0 && nodes < FIRST_NODES => Next::Until(FIRST_NODES),
            true => Next::Stop,
            false => Next::Until(nodes + NODES),
        }
    }

    fn line(&mut self, view: &View<'_>, index: usize) {
        self.has_told = true;
        let line = &view.lines()[index];
        let time = self.begin.elapsed();
        let speed = view.nodes() as f64 / time.as_secs_f64().max(1e-6);
        let info = Info {
            depth: Some(line.depth.into()),
            seldepth: Some(line.seldepth.into()),
            multipv: Some(index as u64 + 1),
            score: Some(score(line.score, line.bound)),
            nodes: Some(view.nodes()),
            nps: Some(speed as u64),
            time: Some(time.as_millis() as u64),
            hashfull: Some(view.table_permille().into()),
            pv: self.output.write_moves(view.root(), &line.pv),
            ..Info::default()
        };
        self.output.say(&Reply::Info(Box::new(info)));
    }

    fn wants_more(&mut self, view: &View<'_>) -> bool {
        if self.is_stopped {
            return false;
        }
        let Some(plan) = self.plan.filter(|_| !self.is_held()) else { return true };
        // A clock, not a fixed time: what is decided needs no more of it.
        let is_saving = plan.soft < plan.hard;
        let plies = match view.lines()[0].score {
            Score::Mate(moves) => 2 * moves.unsigned_abs(),
            Score::Cp(_) => u32::MAX,
        };
        let is_decided = view.root_moves().len() == 1 || plies < view.depth();
        !(is_saving && is_decided) && self.elapsed() < plan.soft
    }
}
