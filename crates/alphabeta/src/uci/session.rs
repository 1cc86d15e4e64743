//! The dialogue: commands in, replies out.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::time::Instant;

use cozy_chess::{Color, Move};
use yomikiri_chess::Position;
use yomikiri_engine::protocol::{
    BestMove, Clock, Command, Go, Id, Mate, PositionText, Reply, Start,
};

use super::options::{Change, OPTIONS, Options};
use super::steer::{Heard, Output, Steer, simple};
use crate::clock::{Lag, Timing};
use crate::iterate::Searcher;
use crate::job::{Job, Limits};

pub struct Session<W> {
    commands: Receiver<Heard>,
    /// Commands that came during a search and waited for its end.
    deferred: VecDeque<Command>,
    output: Output<W>,
    options: Options,
    searcher: Searcher,
    /// The position and its game; none if the last one given was refused.
    job: Option<Job>,
    lag: Lag,
}

impl<W: Write> Session<W> {
    pub fn new(commands: Receiver<Heard>, output: W) -> Session<W> {
        let options = Options::new();
        Session {
            commands,
            deferred: VecDeque::new(),
            output: Output::new(output),
            options,
            searcher: Searcher::new(options.hash),
            job: Some(Job::new(Position::start().board().clone())),
            lag: Lag::default(),
        }
    }

    pub fn run(mut self) -> io::Result<()> {
        while let Some((command, at)) = self.next() {
            match command {
                Command::Quit => break,
                Command::Handshake => self.introduce(),
                Command::NewGame => {
                    self.searcher.new_game();
                    self.lag = Lag::default();
                }
                Command::SetOption { name, value } => self.set(&name, value.as_deref()),
                Command::Position(text) => self.take_up(&text),
                Command::TableReport(most) => self.report(most),
                Command::Go(go) => {
                    if self.go(&go, at) {
                        break;
                    }
                }
                command => simple(command, &mut self.output),
            }
            if self.output.error.is_some() {
                break;
            }
        }
        self.output.error.map_or(Ok(()), Err)
    }

    /// The next command and when it came. What had to wait comes when its turn does.
    fn next(&mut self) -> Option<Heard> {
        let waited = self.deferred.pop_front().map(|command| (command, Instant::now()));
        waited.or_else(|| self.commands.recv().ok())
    }

    fn introduce(&mut self) {
        Id::of_yomikiri("Yomikiri alphabeta").iter().for_each(|id| self.output.say(id));
        for option in OPTIONS.specs() {
            self.output.say(&Reply::Option(option));
        }
        self.output.say(&Reply::HandshakeOk);
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        match OPTIONS.set(&mut self.options, name, value) {
            Err(error) => self.output.remark(error.to_string()),
            Ok(Change::None) => self.output.chess960 = self.options.chess960,
            Ok(Change::Clear) => self.searcher.new_game(),
            Ok(Change::Resize) => {
                if self.searcher.resize(self.options.hash).is_err() {
                    let mib = self.searcher.table().mib();
                    self.output.remark(format!("not enough memory; the table has {mib} MiB"));
                }
            }
        }
    }

    fn take_up(&mut self, text: &PositionText) {
        self.job = match read(text) {
            Ok(job) => Some(job),
            Err(error) => {
                self.output.remark(format!("position refused: {error}"));
                None
            }
        };
    }

    fn report(&mut self, most: u64) {
        let Some(job) = &self.job else { return self.output.say(&Reply::TableEnd) };
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let entries = self.searcher.table_report(job, most);
        self.output.report(&job.position, &entries);
    }

    /// Searches and answers; the clock runs since `at`. Was it the end?
    fn go(&mut self, go: &Go, at: Instant) -> bool {
        let Some(mut job) = self.prepare(go) else {
            self.output.say(&Reply::BestMove { best: BestMove::None, ponder: None });
            return false;
        };
        let timing = self.timing(go, job.position.side_to_move());
        let plan = timing.plan();
        let is_unlimited = plan.is_none() && job.limits == Limits::default();
        let mut steer = Steer {
            commands: &self.commands,
            output: &mut self.output,
            deferred: &mut self.deferred,
            begin: at,
            clock_start: at,
            plan,
            is_pondering: go.ponder,
            is_infinite: go.infinite || is_unlimited && !go.ponder,
            is_stopped: false,
            is_quit: false,
            has_told: false,
        };
        let outcome = self.searcher.search(&job, &mut steer);
        while steer.is_held() && steer.output.error.is_none() {
            let command = steer.commands.recv().ok();
            let report = |most| self.searcher.table_report(&job, most);
            steer.hear(command, &job.position, &report);
        }
        steer.tell_at_least(&job.position, &outcome);
        let (is_quit, since) = (steer.is_quit, steer.clock_start);

        let moves: Vec<Move> = outcome.best.into_iter().chain(outcome.ponder).collect();
        let mut texts = self.output.write_moves(&job.position, &moves).into_iter();
        let best = texts.next().map_or(BestMove::None, BestMove::Move);
        self.output.say(&Reply::BestMove { best, ponder: texts.next() });
        self.lag.answered(&timing, since.elapsed());
        // What is asked about the table from now on is about the moves searched last.
        job.limits = Limits::default();
        self.job = Some(job);
        is_quit
    }

    /// What to search. Nothing, with a remark, if the position or all the moves were refused.
    fn prepare(&mut self, go: &Go) -> Option<Job> {
        let Some(mut job) = self.job.clone() else {
            self.output.remark("there is no position to search");
            return None;
        };
        let position = Position::from(job.position.clone());
        job.searchmoves.clear();
        for text in &go.searchmoves {
            match position.parse_uci(text) {
                Ok(mv) => job.searchmoves.push(mv),
                Err(error) => self.output.remark(format!("searchmoves: {error}")),
            }
        }
        if job.searchmoves.is_empty() && !go.searchmoves.is_empty() {
            return None;
        }
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        job.multipv = self.options.multipv;
        job.limits = Limits {
            depth: go.depth.map(small),
            nodes: go.nodes,
            mate: match go.mate {
                Some(Mate::Within(moves)) => Some(small(moves)),
                _ => None,
            },
        };
        Some(job)
    }

    fn timing(&mut self, go: &Go, color: Color) -> Timing {
        let clock = Clock::of(go, if color == Color::White { 0 } else { 1 });
        self.lag.see(clock.left);
        Timing { clock, overhead: self.options.overhead, lag: self.lag }
    }
}

fn read(text: &PositionText) -> Result<Job, String> {
    let start = match &text.start {
        Start::Initial => Position::start(),
        Start::Fen(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
    };
    let mut job = Job::new(start.board().clone());
    for text in &text.moves {
        let position = Position::from(job.position.clone());
        job.play(position.parse_uci(text).map_err(|error| error.to_string())?);
    }
    Ok(job)
}
