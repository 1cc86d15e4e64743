//! One problem put to one engine.
//!
//! Every problem has an engine of its own, so that one that hangs or dies takes nothing else with
//! it and no problem gains by another. Starting and getting ready are outside of the clock. The
//! limit is on the processor time of the engine and all that it has started; wall time is a
//! backstop for one that sleeps, and stands in where the system does not tell the other.

use std::path::PathBuf;
use std::process::Command as Process;
use std::time::{Duration, Instant};

use andor::{NodeKind, Rules, Stop, Value};
use anyhow::Result;
use yomikiri_engine::protocol::{Checkmate, Command, Dialect, Reply};
use yomikiri_question::games::shogi;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{Futile, Tsume};

use crate::commands::bench::program::{Heard, Program};
use crate::cpu;

/// How engines are started and asked.
pub struct Player {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// The command that asks, such as `go mate infinite`.
    pub go: String,
    /// The most processor time for a problem.
    pub time: Duration,
    /// The most time that passes.
    pub wall: Duration,
    /// So long may it take to start and to get ready, each.
    pub patience: Duration,
}

/// So long may it take from `stop` to an answer.
const STOP: Duration = Duration::from_secs(3);

/// So often the clocks are read.
const LOOK: Duration = Duration::from_millis(20);

/// What became of a problem. The names are those of the tables ([`super::table`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// A mate, with a line of legal moves.
    Mate,
    /// There is none.
    NoMate,
    /// Not decided within the limit, or the engine gave up before.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
    /// It has ended, or did not start.
    Died,
    /// It does not answer.
    Hung,
    /// It answered something that is no answer.
    Garbage,
}

impl Status {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Mate => "mate",
            Status::NoMate => "nomate",
            Status::Timeout => "timeout",
            Status::NotImplemented => "notimplemented",
            Status::Died => "died",
            Status::Hung => "hung",
            Status::Garbage => "garbage",
        }
    }

    /// Is the problem decided?
    pub fn is_decided(self) -> bool {
        matches!(self, Status::Mate | Status::NoMate)
    }

    /// Did the engine fail?
    pub fn is_fault(self) -> bool {
        matches!(self, Status::Died | Status::Hung | Status::Garbage)
    }
}

/// What an engine made of a problem.
pub struct Outcome {
    /// What became of it.
    pub status: Status,
    /// The moves of the line.
    pub length: Option<usize>,
    /// Nodes, as the engine counts them.
    pub nodes: Option<u64>,
    /// Seconds that passed from `go` on.
    pub seconds: f64,
    /// Seconds of the processor, where the system tells them.
    pub cpu_seconds: Option<f64>,
    /// What else is to be said.
    pub remark: Option<String>,
    /// Options to be set that the engine does not announce.
    pub unknown_options: Vec<String>,
}

impl Outcome {
    fn new() -> Outcome {
        Outcome {
            status: Status::Timeout,
            length: None,
            nodes: None,
            seconds: 0.0,
            cpu_seconds: None,
            remark: None,
            unknown_options: Vec::new(),
        }
    }

    fn failed(mut self, status: Status, remark: impl Into<String>) -> Outcome {
        self.status = status;
        self.remark = Some(remark.into());
        self
    }
}

impl Player {
    /// Puts a problem to a fresh engine. None if it is broken off.
    pub fn ask(&self, position: &Position, stop: &Stop) -> Result<Option<Outcome>> {
        let mut outcome = Outcome::new();
        let mut command = Process::new(&self.program);
        let name = self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy();
        let engine = Program::speaking(&name, command.args(&self.arguments));
        let mut engine = match engine {
            Ok(engine) => engine,
            Err(error) => return Ok(Some(outcome.failed(Status::Died, format!("{error:#}")))),
        };
        let mut offered = vec!["USI_Hash".to_owned(), "USI_Ponder".to_owned()];
        say(&mut engine, Command::Handshake)?;
        let greeted = self.wait(&mut engine, "usiok", stop, |reply| match reply {
            Reply::HandshakeOk => true,
            Reply::Option(option) => {
                offered.push(option.name);
                false
            }
            _ => false,
        })?;
        match greeted {
            Waited::Heard => {}
            Waited::Failed(status, remark) => return Ok(Some(outcome.failed(status, remark))),
            Waited::BrokenOff => return Ok(None),
        }
        for (name, value) in &self.options {
            if !offered.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                outcome.unknown_options.push(name.clone());
            }
            let (name, value) = (name.clone(), Some(value.clone()));
            say(&mut engine, Command::SetOption { name, value })?;
        }
        say(&mut engine, Command::IsReady)?;
        match self.wait(&mut engine, "readyok", stop, |reply| reply == Reply::ReadyOk)? {
            Waited::Heard => {}
            Waited::Failed(status, remark) => return Ok(Some(outcome.failed(status, remark))),
            Waited::BrokenOff => return Ok(None),
        }
        say(&mut engine, Command::NewGame)?;
        engine.say(&format!("position sfen {position}"))?;
        // What that costs is not counted.
        std::thread::sleep(LOOK);
        self.search(engine, position, stop, outcome)
    }

    /// Listens for a reply.
    fn wait(
        &self,
        engine: &mut Program,
        what: &str,
        stop: &Stop,
        mut is_it: impl FnMut(Reply) -> bool,
    ) -> Result<Waited> {
        let end = Instant::now() + self.patience;
        loop {
            match engine.listen(LOOK) {
                Heard::Line(line) if is_it(Reply::parse(&line, Dialect::Usi)) => {
                    return Ok(Waited::Heard);
                }
                Heard::Line(_) | Heard::Silence => {}
                Heard::End => {
                    let remark = format!("it ended without {what}{}", engine.last_words());
                    return Ok(Waited::Failed(Status::Died, remark));
                }
            }
            if stop.is_raised() {
                engine.kill();
                return Ok(Waited::BrokenOff);
            }
            if Instant::now() >= end {
                engine.kill();
                let remark = format!("no {what} within {:?}", self.patience);
                return Ok(Waited::Failed(Status::Hung, remark));
            }
        }
    }

    /// From `go` to the answer.
    fn search(
        &self,
        mut engine: Program,
        position: &Position,
        stop: &Stop,
        mut outcome: Outcome,
    ) -> Result<Option<Outcome>> {
        let before = cpu::of_process(engine.id());
        let start = Instant::now();
        let (mut looked, mut stopped) = (start, None);
        engine.say(&self.go)?;
        loop {
            let heard = engine.listen(LOOK);
            let is_over = match &heard {
                Heard::Line(line) => match Reply::parse(line, Dialect::Usi) {
                    Reply::Info(info) => {
                        outcome.nodes = info.nodes.or(outcome.nodes);
                        false
                    }
                    Reply::Checkmate(_) | Reply::BestMove { .. } => true,
                    _ => false,
                },
                Heard::Silence => false,
                Heard::End => true,
            };
            if !is_over && looked.elapsed() < LOOK {
                continue;
            }
            looked = Instant::now();
            if stopped.is_none() {
                let now = cpu::of_process(engine.id());
                let used = now.zip(before).map(|(now, before)| now.saturating_sub(before));
                // Nothing is told of one that has ended: what was told last counts.
                outcome.cpu_seconds = used.map(|used| used.as_secs_f64()).or(outcome.cpu_seconds);
                outcome.seconds = start.elapsed().as_secs_f64();
            }
            if let Heard::Line(line) = heard
                && is_over
            {
                match stopped {
                    // What comes after `stop` comes too late.
                    Some(_) => {}
                    None => outcome.judge(Reply::parse(&line, Dialect::Usi), &line, position),
                }
                return Ok(Some(outcome));
            }
            if is_over {
                let last = engine.last_words();
                return Ok(Some(outcome.failed(Status::Died, format!("it ended at work{last}"))));
            }
            if stop.is_raised() {
                engine.kill();
                return Ok(None);
            }
            let limit = self.time.as_secs_f64();
            match stopped {
                None if outcome.cpu_seconds.unwrap_or(outcome.seconds) >= limit
                    || start.elapsed() >= self.wall =>
                {
                    engine.say("stop")?;
                    stopped = Some(Instant::now());
                    if outcome.cpu_seconds.is_some_and(|used| used < limit) {
                        let wall = self.wall;
                        outcome.remark = Some(format!("stopped when {wall:?} had passed (--wall)"));
                    }
                }
                Some(since) if since.elapsed() >= STOP => {
                    engine.kill();
                    let remark = format!("no answer within {STOP:?} of stop");
                    return Ok(Some(outcome.failed(Status::Hung, remark)));
                }
                _ => {}
            }
        }
    }
}

/// How a wait ended.
enum Waited {
    Heard,
    Failed(Status, String),
    BrokenOff,
}

fn say(engine: &mut Program, command: Command) -> Result<()> {
    engine.say(&command.to_line(Dialect::Usi))
}

impl Outcome {
    /// Takes in the answer of an engine.
    fn judge(&mut self, reply: Reply, line: &str, position: &Position) {
        let checkmate = match reply {
            Reply::Checkmate(checkmate) => checkmate,
            _ => return self.is_garbage(line, "is no answer to go mate"),
        };
        self.status = match checkmate {
            Checkmate::NoMate => Status::NoMate,
            Checkmate::Timeout => Status::Timeout,
            Checkmate::NotImplemented => Status::NotImplemented,
            Checkmate::Moves(moves) => {
                self.length = Some(moves.len());
                match follow(position, &moves) {
                    Ok(true) => {}
                    Ok(false) => self.remark = Some("its line does not end in mate".into()),
                    Err(reason) => return self.is_garbage(line, &reason),
                }
                Status::Mate
            }
        };
    }

    fn is_garbage(&mut self, line: &str, reason: &str) {
        let shown: String = line.chars().filter(|c| !c.is_control()).take(60).collect();
        self.status = Status::Garbage;
        self.length = None;
        self.remark = Some(format!("'{shown}': {reason}"));
    }
}

/// Plays a line of a mate. Does it end in mate, but for interpositions in vain? An error if a move
/// is not legal, or one of the attacker's no check.
fn follow(position: &Position, moves: &[String]) -> Result<bool, String> {
    let attacker = shogi::attacker(position, true);
    let mut at = Tsume::with_attacker(position.clone(), attacker).with_futile(Futile::Counted);
    let mut legal = Vec::new();
    for (number, text) in (1..).zip(moves) {
        legal.clear();
        at.legal_moves(&mut legal);
        let m = Move::from_usi(text).filter(|m| legal.contains(m));
        let Some(m) = m else {
            let text: String = text.chars().filter(|c| !c.is_control()).take(10).collect();
            return Err(format!("move {number}, {text}, is not legal, or no check"));
        };
        at.play(m);
    }
    let is_end = at.kind() == NodeKind::And;
    let at = at.with_futile(Futile::NotCounted);
    legal.clear();
    at.legal_moves(&mut legal);
    Ok(is_end && (at.terminal() == Some(Value::Proven) || legal.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";

    fn judged(line: &str) -> (Status, Option<usize>, Option<String>) {
        let position = Position::from_sfen(THREE).expect("a position");
        let mut outcome = Outcome::new();
        outcome.judge(Reply::parse(line, Dialect::Usi), line, &position);
        (outcome.status, outcome.length, outcome.remark)
    }

    #[test]
    fn an_answer_is_played_out() {
        assert_eq!(judged("checkmate 3d3a 1a1b G*1c"), (Status::Mate, Some(3), None));
        assert_eq!(judged("checkmate nomate").0, Status::NoMate);
        assert_eq!(judged("checkmate timeout").0, Status::Timeout);
        assert_eq!(judged("checkmate notimplemented").0, Status::NotImplemented);
        let (status, length, remark) = judged("checkmate 3d3a 1a1b");
        assert_eq!((status, length), (Status::Mate, Some(2)));
        assert!(remark.is_some_and(|remark| remark.contains("does not end in mate")));
        for (garbage, reason) in [
            ("checkmate none", "move 1, none"),
            ("checkmate 3d3a 1a1b G*9i", "move 3, G*9i"),
            ("checkmate 5b4a", "no check"),
            ("checkmate 3d3a 3d3a", "move 2"),
            ("bestmove 3d3a", "no answer to go mate"),
        ] {
            let (status, length, remark) = judged(garbage);
            assert_eq!((status, length), (Status::Garbage, None), "{garbage}");
            assert!(remark.is_some_and(|remark| remark.contains(reason)), "{garbage}");
        }
    }
}
