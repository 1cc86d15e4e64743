//! The dialogue: one loop that hears the user interface, the search and the clock.
//!
//! All output is written here, and nothing here takes long: lines are read by one thread
//! ([`listen`](yomikiri_engine::protocol::listen)), and all that is done with the table is done by others
//! ([`Store`]). So `stop` is answered at once, whatever the search is doing: if it does not stop
//! within [`PATIENCE`], the session answers with what it was told last.
//!
//! What is heard between `isready` and `readyok` waits, but for `quit`; so does what is heard between
//! the end of a search and its answer. So answers come in the order of the questions, also where
//! somebody pipes in a whole dialogue. When the input ends, what was asked is still answered, as soon as
//! that can be done.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use andor::{Stop, Table};
use anyhow::{Result, bail};
use yomikiri_engine::protocol::{self, BestMove, Checkmate, Clock, Command, Dialect, Go, Id, Line};
use yomikiri_engine::protocol::{Misread, PositionText, Reply, shown};
use yomikiri_question::games::shogi;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{Answer, Futile, Tsume};

use super::answer::{Outcome, interval};
use super::clock;
use super::info::Info;
use super::news::{Event, Found, News};
use super::options::{OPTIONS, Options};
use super::store::Store;
use super::worker::{self, Order};
use crate::explain;

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
    store: Store,
    /// Is `readyok` still to be said?
    is_getting_ready: bool,
    /// What was heard meanwhile.
    waiting: VecDeque<Event>,
    place: Place,
    running: Option<Running>,
    searches: u64,
}

impl<W: Write> Session<W> {
    /// A session that has not begun. Events come through the channel.
    pub fn new(out: W, events: (SyncSender<Event>, Receiver<Event>), options: Options) -> Self {
        Session {
            out,
            store: Store::new(events.0.clone()),
            events,
            options,
            is_getting_ready: false,
            waiting: VecDeque::new(),
            place: Place::At(Box::new(Position::start())),
            running: None,
            searches: 0,
        }
    }

    /// Speaks until `quit` or until nobody listens.
    pub fn run(&mut self) -> Result<()> {
        loop {
            match self.next_event() {
                Some(Event::Line(line)) => match line.text() {
                    Ok(text) => {
                        if !self.hear(&text)? {
                            return Ok(());
                        }
                    }
                    Err(error) => self.remark(&error.to_string())?,
                },
                Some(Event::News(number, news)) => self.learn(number, news)?,
                Some(Event::Ready) => {
                    self.is_getting_ready = false;
                    self.say(Reply::ReadyOk)?;
                }
                Some(Event::NoMemory(reason)) => bail!(reason),
                Some(Event::Remark(remark)) => self.remark(&remark)?,
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
        let is_answer_due =
            self.running.as_ref().is_some_and(|running| running.answer_by.is_some());
        let is_busy = self.is_getting_ready || is_answer_due;
        if !is_busy && let Some(event) = self.waiting.pop_front() {
            return Some(event);
        }
        loop {
            let event = self.receive()?;
            let can_wait = match &event {
                Event::Line(Line::Whole(line)) => read(line) != Ok(Command::Quit),
                Event::Line(Line::Cut { .. }) => true,
                Event::End(_) => {
                    self.store.hurry();
                    true
                }
                _ => false,
            };
            if !can_wait || !is_busy {
                return Some(event);
            }
            self.waiting.push_back(event);
        }
    }

    /// What comes from the other threads.
    fn receive(&mut self) -> Option<Event> {
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
        match read(line) {
            Ok(Command::Quit) => {
                if let Some(running) = &self.running {
                    running.stop.raise();
                }
                return Ok(false);
            }
            Ok(command) => self.obey(command)?,
            Err(misread) => self.refuse(&misread)?,
        }
        Ok(true)
    }

    /// Does what a command says.
    fn obey(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Handshake => self.introduce(),
            Command::IsReady if self.running.is_some() => self.say(Reply::ReadyOk),
            Command::IsReady => {
                self.is_getting_ready = true;
                self.store.get_ready(self.options.hash, self.options.takes_hash)
            }
            Command::NewGame if self.running.is_some() => {
                self.remark("usinewgame is not heard during a search: stop it first")
            }
            Command::NewGame => self.store.empty(self.options.hash),
            Command::SetOption { name, value } => match self.options.set(&name, value.as_deref()) {
                Ok(remark) => remark.map_or(Ok(()), |remark| self.remark(&remark)),
                Err(error) => self.remark(&error.to_string()),
            },
            Command::Position(text) => self.take_up(&text),
            Command::Go(_) if self.running.is_some() => {
                self.remark("go is not heard during a search: stop it first")
            }
            Command::Go(go) if !go.searchmoves.is_empty() => {
                let word = "searchmoves".into();
                self.refuse(&match go.mate {
                    Some(_) => Misread::GoMate(word),
                    None => Misread::GoWord(word),
                })
            }
            Command::Go(go) if go.mate.is_some() => self.go_mate(&go),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.halt(),
            Command::PonderHit => self.ponder_hit(),
            Command::GameOver(_) => {
                if let Some(running) = self.running.take() {
                    running.stop.raise();
                }
                Ok(())
            }
            Command::Nothing | Command::Quit => Ok(()),
            command => self.refuse(&Misread::Unknown(command.to_line(Dialect::Usi))),
        }
    }

    /// Says what is wrong with a line; and does what it says if it is a command that only we have.
    fn refuse(&mut self, misread: &Misread) -> Result<()> {
        let mut words = match misread {
            Misread::Unknown(line) => line.split_whitespace(),
            _ => "".split_whitespace(),
        };
        if words.next() == Some("matedebug") {
            let moves: Vec<&str> = words.filter(|&word| word != "moves").collect();
            return self.debug(&moves);
        }
        if matches!(misread, Misread::Position { .. }) {
            return self.refuse_position(misread);
        }
        self.remark(&misread.to_string())?;
        // Whoever sends a `go` waits for an answer.
        match misread {
            _ if self.running.is_some() => Ok(()),
            Misread::GoMate(_) => self.say(Reply::Checkmate(Checkmate::NotImplemented)),
            Misread::GoWord(_) | Misread::GoNumber { .. } => self.best(BestMove::Resign),
            _ => Ok(()),
        }
    }

    fn take_up(&mut self, text: &PositionText) -> Result<()> {
        match Position::from_sfen(&text.to_text(Dialect::Usi)) {
            Ok(position) => self.place = Place::At(Box::new(position)),
            Err(error) => self.refuse_position(&error)?,
        }
        Ok(())
    }

    fn refuse_position(&mut self, error: &dyn std::error::Error) -> Result<()> {
        let refusal = format!("the position is refused: {error}");
        self.remark(&refusal)?;
        self.place = Place::Refused(refusal);
        Ok(())
    }

    fn introduce(&mut self) -> Result<()> {
        for id in Id::of_yomikiri("Yomikiri") {
            self.say(id)?;
        }
        for option in OPTIONS.specs() {
            self.say(Reply::Option(option))?;
        }
        self.say(Reply::HandshakeOk)
    }

    /// The problem of a position: who attacks? A game is played by the rules, where every move counts.
    fn problem(&self, position: &Position, asked: Asked) -> Tsume {
        let attacker = shogi::attacker(position, self.options.defends_in_check);
        let futile = match asked {
            Asked::Mate => self.options.futile,
            Asked::Play => Futile::Counted,
        };
        Tsume::with_attacker(position.clone(), attacker).with_futile(futile)
    }

    fn go_mate(&mut self, go: &Go) -> Result<()> {
        let nodes = go.nodes.into_iter().chain(self.options.nodes).min();
        match self.start(Asked::Mate, nodes)? {
            Some(running) => {
                // The answer is to be there in time.
                let time = match go.mate {
                    Some(protocol::Mate::Within(millis)) => Some(Duration::from_millis(millis)),
                    _ => None,
                };
                let time = time.map(|time| time - (time / 10).min(MARGIN));
                running.deadline = time.and_then(|time| Instant::now().checked_add(time));
                Ok(())
            }
            None => self.say(Reply::Checkmate(Checkmate::NotImplemented)),
        }
    }

    fn go(&mut self, go: &Go) -> Result<()> {
        let nodes = go.nodes.into_iter().chain(self.options.nodes).min();
        let Some(running) = self.start(Asked::Play, nodes)? else {
            return self.best(BestMove::Resign);
        };
        let time = clock::time(&Clock::of(go, running.problem.position().turn().index()));
        running.held = go.infinite || go.ponder;
        if go.ponder {
            running.after_ponder = Some(time);
        } else if !go.infinite && (go.nodes.is_none() || go.movetime.is_some()) {
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
        let problem = self.problem(&position, asked);
        self.searches += 1;
        let (number, stop) = (self.searches, Stop::new());
        let order = Order {
            number,
            problem: problem.clone(),
            threads: self.options.threads,
            shortest: self.options.shortest,
            plies: self.options.plies,
            nodes,
            interval: self.options.interval,
            stop: stop.clone(),
        };
        self.store.search(self.options.hash, number, move |table, events| {
            worker::search(&order, table, events)
        })?;
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
                let line = running.info.reply();
                self.say(line)
            }
            News::Found(found) => {
                running.info = found.info.clone();
                running.found = Some(found);
                let line = running.info.reply();
                self.say(line)
            }
            News::Interval(least, most) => self.remark(&interval(least, most)),
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
        let Running { problem, done, info, found, shortest, .. } = &running;
        let result = Outcome::of(problem, done.as_deref(), info, found.as_ref(), *shortest);
        if running.done.is_some() {
            self.say(running.info.reply())?;
        }
        for remark in &result.remarks {
            self.remark(remark)?;
        }
        match running.asked {
            Asked::Mate => self.say(Reply::Checkmate(result.checkmate())),
            Asked::Play => {
                let best = self.best_move(&running, &result)?;
                self.best(best.map_or(BestMove::Resign, |m| BestMove::Move(m.to_string())))
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
        if let Some(best) = self.store.look(|table| explain::best_defence(problem, table)) {
            return Ok(best);
        }
        // Before the first search there is no table: what the game sees must do.
        Ok(explain::best_defence(problem, &Table::new(andor::table::MIN_BYTES)?))
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
        // The attacker of the position given, whoever is to move after the moves.
        let Place::At(root) = &self.place else { return Ok(()) };
        let root = self.problem(root, Asked::Mate);
        let problem = Tsume::with_attacker(position, root.attacker()).with_futile(root.futile());
        let plies = self.options.plies.into();
        let lines = self.store.look(|table| explain::describe(&problem, table, plies));
        let Some(lines) = lines else {
            return self.remark("nothing is known before the first search");
        };
        self.remark(&problem.position().to_string())?;
        lines.iter().try_for_each(|line| self.remark(line))
    }

    fn best(&mut self, best: BestMove) -> Result<()> {
        self.say(Reply::BestMove { best, ponder: None })
    }

    fn remark(&mut self, text: &str) -> Result<()> {
        self.say(Reply::Info(Box::new(protocol::Info::string(text))))
    }

    fn say(&mut self, reply: Reply) -> Result<()> {
        let line = reply.to_line(Dialect::Usi);
        let said: io::Result<()> = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
        said.map_err(anyhow::Error::from)
    }
}

/// Reads a line: what is not understood is refused, for an answer to half of a question would be
/// taken for one to the whole.
fn read(line: &str) -> Result<Command, Misread> {
    Command::parse_strictly(line, Dialect::Usi)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// Whoever has gone does not wait for memory; what is being got ready is ready soon.
    #[test]
    fn the_end_of_input_is_heard_while_memory_is_taken() {
        let (sender, receiver) = sync_channel(16);
        let mut session = Session::new(Vec::new(), (sender.clone(), receiver), Options::default());
        session.is_getting_ready = true;
        sender.send(Event::End(None)).expect("it listens");
        sender.send(Event::Ready).expect("it listens");
        assert!(matches!(session.next_event(), Some(Event::Ready)));
        session.store.get_ready(4 << 20, true).expect("a thread");
        assert!(matches!(session.next_event(), Some(Event::Ready)));
        assert_eq!(session.store.look(Table::is_real), Some(false));
        session.is_getting_ready = false;
        assert!(matches!(session.next_event(), Some(Event::End(None))));
    }
}
