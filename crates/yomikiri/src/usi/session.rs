//! The dialogue: one loop that hears the user interface, the search and the clock.
//!
//! All output is written here, and nothing here takes long: lines are read by one thread
//! ([`reader`](super::reader)), searches run in another ([`worker`]), and tables are
//! given back to the system in a third. So `stop` is answered at once, whatever the search is
//! doing: if it does not stop within [`PATIENCE`], the session answers with what it was told last.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use andor::{Stop, Table, UNBOUNDED};
use anyhow::{Context, Result};
use yomikiri_shogi::{Answer, Color, Move, Position, Tsume};

use super::answer::Outcome;
use super::command::{Budget, Clock, Command, shown};
use super::debug;
use super::info::Info;
use super::options::{OPTIONS, Options};
use super::worker::{self, Found, News, Order};
use crate::games::shogi;
use crate::memory;

/// What the session hears.
#[derive(Debug)]
pub enum Event {
    /// A line of the user interface.
    Line(String),
    /// A line of so many bytes: too long.
    LongLine(usize),
    /// The user interface is gone, perhaps for a reason.
    End(Option<String>),
    /// The memory of the table is there.
    Ready,
    /// The search of this number has something to say.
    News(u64, News),
}

/// How long a search may take to notice that it is to stop.
const PATIENCE: Duration = Duration::from_millis(5);

/// So much of the time for a mate is kept for the answer.
const MARGIN: Duration = Duration::from_millis(20);

/// What kind of answer is expected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// `checkmate …`
    Mate,
    /// `bestmove …`
    Play,
}

/// A search that has not been answered.
struct Running {
    number: u64,
    asked: Asked,
    problem: Tsume,
    stop: Stop,
    /// When it is to stop.
    deadline: Option<Instant>,
    /// When it is answered whether it has stopped or not.
    answer_by: Option<Instant>,
    /// The limit of a search that waits for `ponderhit`.
    after_ponder: Option<Duration>,
    /// Is no answer wanted before `stop` or `ponderhit`?
    held: bool,
    /// Is the shortest mate wanted?
    shortest: bool,
    info: Info,
    /// A mate that is not known to be the shortest yet.
    found: Option<Found>,
    /// The answer that is held.
    done: Option<Box<Answer>>,
}

/// Why there is nothing to search.
enum Place {
    /// A position.
    At(Box<Position>),
    /// The last one was refused.
    Refused(String),
}

/// The engine's side of the dialogue.
pub struct Session<W> {
    out: W,
    events: (SyncSender<Event>, Receiver<Event>),
    options: Options,
    /// The table, and the bytes that were asked for.
    table: Option<(Arc<Table>, usize)>,
    place: Place,
    running: Option<Running>,
    searches: u64,
    /// The thread of the last search.
    thread: Option<JoinHandle<()>>,
}

impl<W: Write> Session<W> {
    /// A session that has not begun. Events come through the channel.
    pub fn new(out: W, events: (SyncSender<Event>, Receiver<Event>), options: Options) -> Self {
        Session {
            out,
            events,
            options,
            table: None,
            place: Place::At(Box::new(Position::start())),
            running: None,
            searches: 0,
            thread: None,
        }
    }

    /// Speaks until `quit` or until nobody listens.
    pub fn run(&mut self) -> Result<()> {
        loop {
            match self.next_event() {
                Some(Event::Line(line)) => {
                    if !self.hear(&line)? {
                        return Ok(());
                    }
                }
                Some(Event::LongLine(length)) => {
                    self.remark(&format!("a line of {length} bytes is too long to be a command"))?;
                }
                Some(Event::News(number, news)) => self.learn(number, news)?,
                Some(Event::Ready) => self.say("readyok")?,
                Some(Event::End(reason)) => {
                    if let Some(reason) = reason {
                        self.remark(&format!("cannot read on: {}", shown(&reason)))?;
                    }
                    if let Some(running) = self.running.as_mut() {
                        running.held = false;
                        return self.answer();
                    }
                    return Ok(());
                }
                None => self.look_at_clock()?,
            }
        }
    }

    /// The next event, or none when it is time to look at the clock.
    fn next_event(&mut self) -> Option<Event> {
        let running = self.running.as_ref();
        let wake = running.and_then(|r| r.deadline.into_iter().chain(r.answer_by).min());
        let event = match wake {
            Some(wake) => {
                self.events.1.recv_timeout(wake.saturating_duration_since(Instant::now()))
            }
            None => self.events.1.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End(None)),
        }
    }

    fn look_at_clock(&mut self) -> Result<()> {
        let Some(running) = self.running.as_mut() else { return Ok(()) };
        let now = Instant::now();
        if running.answer_by.is_some_and(|by| now >= by) {
            return self.answer();
        }
        if running.deadline.is_some_and(|deadline| now >= deadline) {
            self.halt()?;
        }
        Ok(())
    }

    /// Ends the search: it is answered when it says so, or else very soon.
    fn halt(&mut self) -> Result<()> {
        let Some(running) = self.running.as_mut() else { return Ok(()) };
        running.stop.raise();
        running.deadline = None;
        running.held = false;
        running.answer_by.get_or_insert_with(|| Instant::now() + PATIENCE);
        if running.done.is_some() { self.answer() } else { Ok(()) }
    }

    /// Does what a line says. False: it says `quit`.
    fn hear(&mut self, line: &str) -> Result<bool> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(error) => {
                self.remark(&error)?;
                // Whoever sends a `go` waits for an answer.
                let mut words = line.split_whitespace();
                if words.next() == Some("go") && self.running.is_none() {
                    match words.next() {
                        Some("mate") => self.say("checkmate notimplemented")?,
                        _ => self.say("bestmove resign")?,
                    }
                }
                return Ok(true);
            }
        };
        match command {
            Command::Nothing => {}
            Command::Usi => self.introduce()?,
            Command::IsReady if self.running.is_some() => self.say("readyok")?,
            Command::IsReady => {
                let table = self.fit_table()?;
                match self.options.takes_hash {
                    true => self.take_memory(table)?,
                    false => self.say("readyok")?,
                }
            }
            Command::NewGame if self.running.is_some() => {
                self.remark("usinewgame is not heard during a search: stop it first")?;
            }
            Command::NewGame => {
                if self.table.as_ref().is_some_and(|(table, _)| table.stored() > 0) {
                    self.drop_table();
                }
                self.fit_table()?;
            }
            Command::SetOption { name, value } => match self.options.set(&name, &value) {
                Ok(remark) => remark.map_or(Ok(()), |remark| self.remark(&remark))?,
                Err(error) => self.remark(&error)?,
            },
            Command::Position(line) => match Position::from_sfen(line) {
                Ok(position) => self.place = Place::At(Box::new(position)),
                Err(error) => {
                    let refusal = format!("the position is refused: {error}");
                    self.remark(&refusal)?;
                    self.place = Place::Refused(refusal);
                }
            },
            Command::GoMate(_) | Command::Go(_) if self.running.is_some() => {
                self.remark("go is not heard during a search: stop it first")?;
            }
            Command::GoMate(budget) => self.go_mate(budget)?,
            Command::Go(clock) => self.go(clock)?,
            Command::Stop => self.halt()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::GameOver => {
                if let Some(running) = self.running.take() {
                    running.stop.raise();
                }
            }
            Command::Debug(moves) => self.debug(&moves)?,
            Command::Quit => {
                if let Some(running) = &self.running {
                    running.stop.raise();
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn introduce(&mut self) -> Result<()> {
        self.say(&format!("id name Yomikiri {}", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Yomikiri developers")?;
        for option in OPTIONS {
            self.say(&option.to_string())?;
        }
        self.say("usiok")
    }

    /// Makes the table as large as it is wanted. The system hands out memory when it is used, so
    /// this takes no time.
    fn fit_table(&mut self) -> Result<Arc<Table>> {
        let wanted = self.options.hash;
        if let Some((table, size)) = &self.table
            && *size == wanted
        {
            return Ok(table.clone());
        }
        self.drop_table();
        let available = memory::available().unwrap_or(u64::MAX);
        let mut bytes = wanted.min(usize::try_from(available).unwrap_or(usize::MAX));
        let table = loop {
            match Table::new(bytes) {
                Ok(table) => break table,
                Err(error) if bytes <= 1 << 20 => return Err(error.into()),
                Err(_) => bytes /= 2,
            }
        };
        if bytes < wanted {
            let (wanted, bytes) = (wanted >> 20, bytes >> 20);
            self.remark(&format!("USI_Hash {wanted}: there is memory for {bytes} MiB only"))?;
        }
        let table = Arc::new(table);
        self.table = Some((table.clone(), wanted));
        Ok(table)
    }

    /// Makes the memory of the table real, in a thread of its own: that of a large one takes a
    /// while.
    fn take_memory(&mut self, table: Arc<Table>) -> Result<()> {
        let events = self.events.0.clone();
        let take = move || {
            table.make_real();
            drop(table);
            // If nobody listens any more the program is ending.
            drop(events.send(Event::Ready));
        };
        let thread = thread::Builder::new().name("memory".into()).spawn(take);
        thread.map(drop).context("cannot start a thread for the memory")
    }

    /// Gives the table back, in a thread of its own: that of a large one takes a while.
    fn drop_table(&mut self) {
        if let Some((table, _)) = self.table.take() {
            let dropped = thread::Builder::new().name("janitor".into()).spawn(move || drop(table));
            // Without a thread it was dropped here, which only takes longer.
            drop(dropped);
        }
    }

    /// The problem of a position: who attacks?
    fn problem(&self, position: &Position) -> Tsume {
        let attacker = shogi::attacker(position, self.options.defends_in_check);
        Tsume::with_attacker(position.clone(), attacker).with_futile(self.options.futile)
    }

    fn go_mate(&mut self, budget: Budget) -> Result<()> {
        let nodes = budget.nodes.into_iter().chain(self.options.nodes).min();
        match self.start(Asked::Mate, nodes)? {
            Some(running) => {
                // The answer is to be there in time.
                let time = budget.time.map(|time| time - (time / 10).min(MARGIN));
                running.deadline = time.and_then(|time| Instant::now().checked_add(time));
                Ok(())
            }
            None => self.say("checkmate notimplemented"),
        }
    }

    fn go(&mut self, clock: Clock) -> Result<()> {
        let nodes = clock.nodes.into_iter().chain(self.options.nodes).min();
        let Some(running) = self.start(Asked::Play, nodes)? else {
            return self.say("bestmove resign");
        };
        let side = running.problem.position().turn().index();
        let time = clock.time(side);
        running.held = clock.infinite || clock.ponder;
        if clock.ponder {
            running.after_ponder = Some(time);
        } else if !clock.infinite && (clock.nodes.is_none() || clock.movetime.is_some()) {
            running.deadline = Instant::now().checked_add(time);
        }
        Ok(())
    }

    fn ponder_hit(&mut self) -> Result<()> {
        let Some(running) = self.running.as_mut() else { return Ok(()) };
        let Some(time) = running.after_ponder.take() else { return Ok(()) };
        running.held = false;
        running.deadline = Instant::now().checked_add(time);
        if running.done.is_some() { self.answer() } else { Ok(()) }
    }

    /// Begins a search, if there is a position.
    fn start(&mut self, asked: Asked, nodes: Option<u64>) -> Result<Option<&mut Running>> {
        let position = match &self.place {
            Place::At(position) => Position::clone(position),
            Place::Refused(reason) => {
                let reason = reason.clone();
                self.remark(&reason)?;
                return Ok(None);
            }
        };
        let table = self.fit_table()?;
        let problem = self.problem(&position);
        self.searches += 1;
        let (number, stop) = (self.searches, Stop::new());
        let order = Order {
            number,
            problem: problem.clone(),
            futile: self.options.futile,
            table,
            threads: self.options.threads,
            shortest: self.options.shortest,
            plies: self.options.plies,
            nodes,
            interval: self.options.interval,
            stop: stop.clone(),
            before: self.thread.take(),
        };
        let thread = worker::start(order, self.events.0.clone());
        self.thread = Some(thread.context("cannot start a thread for the search")?);
        self.running = Some(Running {
            number,
            asked,
            problem,
            stop,
            deadline: None,
            answer_by: None,
            after_ponder: None,
            held: false,
            shortest: self.options.shortest,
            info: Info::default(),
            found: None,
            done: None,
        });
        Ok(self.running.as_mut())
    }

    /// Takes in what a search says, unless it has been answered.
    fn learn(&mut self, number: u64, news: News) -> Result<()> {
        let Some(running) = self.running.as_mut().filter(|running| running.number == number) else {
            return Ok(());
        };
        match news {
            News::Progress(info) => {
                running.info = info;
                let line = running.info.to_string();
                self.say(&line)
            }
            News::Found(found) => {
                running.info = found.info.clone();
                running.found = Some(found);
                let line = running.info.to_string();
                self.say(&line)
            }
            News::Done(answer, info) => {
                running.info = info;
                running.done = Some(answer);
                if running.held { Ok(()) } else { self.answer() }
            }
            News::Failed => {
                self.remark("the search broke down: please report this position")?;
                self.answer()
            }
        }
    }

    /// Says what became of the search, and ends it.
    fn answer(&mut self) -> Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        running.stop.raise();
        let Running { done, info, found, shortest, .. } = &running;
        let result = Outcome::of(done.as_deref(), info, found.as_ref(), *shortest);
        if running.done.is_some() {
            self.say(&running.info.to_string())?;
        }
        for remark in &result.remarks {
            self.remark(remark)?;
        }
        match running.asked {
            Asked::Mate => self.say(&result.checkmate()),
            Asked::Play => {
                let best = self.best_move(&running, &result)?;
                let best = best.map_or("resign".into(), |m| m.to_string());
                self.say(&format!("bestmove {best}"))
            }
        }
    }

    /// The move to play: that of the mate; in check, the one that holds out best; or none.
    fn best_move(&mut self, running: &Running, result: &Outcome) -> Result<Option<Move>> {
        if let Some(&first) = result.line.as_deref().and_then(<[Move]>::first) {
            return Ok(Some(first));
        }
        let problem = &running.problem;
        if problem.position().turn() == problem.attacker() {
            self.remark("no mate was found, and this engine solves mates only")?;
            return Ok(None);
        }
        Ok(self.table.as_ref().and_then(|(table, _)| debug::best_defence(problem, table)))
    }

    fn debug(&mut self, moves: &[&str]) -> Result<()> {
        let Place::At(position) = &self.place else {
            return self.remark("there is no position: the last one was refused");
        };
        let mut position = Position::clone(position);
        for &text in moves {
            let m = Move::from_usi(text).filter(|&m| position.is_legal(m));
            let Some(m) = m else {
                return self.remark(&format!("'{}' is no legal move there", shown(text)));
            };
            position.play(m);
        }
        let Some((table, _)) = &self.table else {
            return self.remark("nothing is known before the first search");
        };
        // The attacker of the position given, whoever is to move after the moves.
        let Place::At(root) = &self.place else { return Ok(()) };
        let attacker: Color = self.problem(root).attacker();
        let problem = Tsume::with_attacker(position, attacker).with_futile(self.options.futile);
        let lines = debug::describe(&problem, table, self.options.plies.unwrap_or(UNBOUNDED));
        lines.iter().try_for_each(|line| self.remark(line))
    }

    fn remark(&mut self, text: &str) -> Result<()> {
        self.say(&format!("info string {text}"))
    }

    fn say(&mut self, line: &str) -> Result<()> {
        let said: io::Result<()> = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        said.map_err(anyhow::Error::from)
    }
}
