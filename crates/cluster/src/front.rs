//! The master as one engine: its dialogue with a user interface, in UCI or USI, and its clock.
//!
//! The answer never waits for a worker: when the time is over, or `stop` comes, the best move by
//! what is known is played. With the option `Ponder` the workers go on in the opponent's time, on
//! the tree below the move that was played; `go ponder` changes nothing then, for the expected
//! answer is in that tree, with the others beside it.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use yomikiri_engine::protocol::{
    BestMove, Command, Dialect, Go, Id, Info, OptionKind, OptionSpec, PositionText, Reply, Value,
};

use crate::board::{Board, Game};
use crate::clock::budget;
use crate::growth::Growth;
use crate::master::{Decision, Master, WorkerId};
use crate::pool::{Happening, Pool};
use crate::ranks::Ranks;
use crate::status::Status;

/// How a front is set up.
pub struct Setup {
    /// The protocol, and with it the game.
    pub dialect: Dialect,
    /// How the tree grows.
    pub growth: Growth,
    /// The probabilities of ranks.
    pub ranks: Ranks,
    /// The name that the master has for others.
    pub name: String,
    /// Where it shows its tree from time to time, as JSON of [`Status`]. It does not wait for a
    /// place in the channel.
    pub publish: Option<mpsc::Sender<Vec<u8>>>,
}

/// The dialogue.
pub struct Front {
    setup: Setup,
    master: Master,
    pool: Pool,
    output: mpsc::UnboundedSender<String>,
    position: PositionText,
    thinking: Option<Thinking>,
    /// Commands that wait for the answer to `isready`, and since when.
    waiting: Option<(Instant, VecDeque<Command>)>,
    /// `isready` was answered: from then on nobody waits for a worker that is started again.
    was_ready: bool,
    ponder: bool,
    debug: bool,
    overhead: Duration,
    /// When idle workers may be given something to do again, and since when reports are awaited.
    growth_at: Instant,
    asked_at: Instant,
    shown_at: Instant,
    published_at: Instant,
    shown: Option<Decision>,
}

/// A search that is to be answered.
struct Thinking {
    go: Go,
    position: PositionText,
    start: Instant,
    deadline: Option<Instant>,
    nodes_before: u64,
    /// `ponderhit` has not come yet.
    pondering: bool,
    /// The workers were told to stop: whose last words have not come yet, and until when they are
    /// waited for.
    last_words: Option<(Instant, BTreeSet<WorkerId>)>,
}

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(5);
/// How long the last words of workers are waited for. Many engines say what they found since their
/// last iteration only when they stop, and an iteration may take half of the time.
const LAST_WORDS: Duration = Duration::from_millis(8);
/// How often idle workers are given something to do, as far as that is known.
const GROW: Duration = Duration::from_millis(10);
/// Table reports that have not come by then are not waited for.
const LATE: Duration = Duration::from_millis(30);
/// How often the state of a search is shown.
const SHOW: Duration = Duration::from_millis(250);
/// How often the tree is published.
const PUBLISH: Duration = Duration::from_millis(500);
/// `isready` is answered by then, with or without workers.
const READY: Duration = Duration::from_secs(20);
/// A search without a limit of time is answered by then, if it has no other limit either or there
/// is no worker.
const PATIENCE: Duration = Duration::from_secs(5);

impl Front {
    /// A dialogue that writes its lines to a channel.
    pub fn new(setup: Setup, pool: Pool, output: mpsc::UnboundedSender<String>) -> Front {
        let game = Game::from(setup.dialect);
        let master = Master::new(game, setup.ranks.clone(), setup.growth)
            .unwrap_or_else(|error| unreachable!("the start of a game is a position: {error}"));
        let now = Instant::now();
        Front {
            setup,
            master,
            pool,
            output,
            position: PositionText::initial(),
            thinking: None,
            waiting: None,
            was_ready: false,
            ponder: false,
            debug: false,
            overhead: Duration::from_millis(20),
            growth_at: now,
            asked_at: now,
            shown_at: now,
            published_at: now,
            shown: None,
        }
    }

    /// Talks until `quit`, or the end of the input.
    pub async fn run(mut self, mut input: mpsc::Receiver<String>) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.due();
            tokio::select! {
                biased;
                line = input.recv() => {
                    let Some(line) = line else { return };
                    let command = Command::parse(&line, self.setup.dialect);
                    if command == Command::Quit {
                        if self.thinking.as_ref().is_some_and(|t| t.last_words.is_some()) {
                            self.finish();
                        }
                        return;
                    }
                    self.hear(command);
                }
                _ = tick.tick() => self.look_at_the_clock(),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.look_at_the_clock();
                }
                happening = self.pool.next() => self.notice(happening),
            }
            self.obey();
            if self.output.is_closed() {
                return;
            }
        }
    }

    fn say(&self, reply: Reply) {
        // Nobody listens any more: the loop sees that and ends.
        let _ = self.output.send(reply.to_line(self.setup.dialect));
    }

    fn remark(&self, text: impl Into<String>) {
        self.say(Reply::Info(Box::new(Info::string(text))));
    }

    fn obey(&mut self) {
        for order in self.master.orders() {
            self.pool.obey(order);
        }
    }

    fn hear(&mut self, command: Command) {
        if let Some((_, queue)) = &mut self.waiting {
            queue.push_back(command);
            return;
        }
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        if ends && !matches!(command, Command::Stop | Command::Nothing) {
            // Answers come in the order of the questions.
            self.finish();
        }
        match command {
            Command::Handshake => self.introduce(),
            Command::IsReady => {
                self.waiting = Some((Instant::now(), VecDeque::new()));
                self.answer_ready();
            }
            Command::NewGame => {
                self.finish_if_thinking();
                self.position = PositionText::initial();
                self.master.new_game();
                self.pool.new_game();
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position(text) => match Board::new(self.game(), &text) {
                Ok(_) => self.position = text,
                Err(error) => self.remark(format!("{error}; the position stays as it was")),
            },
            Command::Go(go) => self.go(go),
            Command::Stop => self.end(),
            Command::PonderHit => self.ponder_hit(),
            Command::GameOver(_) => {
                self.finish_if_thinking();
                self.master.rest();
            }
            Command::Debug(on) => self.debug = on,
            Command::TableReport(_) => self.say(Reply::TableEnd),
            Command::Unknown(line) if line.trim() == "tree" => self.show_tree(),
            Command::Unknown(line) => {
                let shown: String = line.chars().take(60).collect();
                self.remark(format!("unknown command '{shown}'"));
            }
            Command::Register(_) | Command::Nothing | Command::Quit => {}
        }
    }

    fn game(&self) -> Game {
        Game::from(self.setup.dialect)
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.say(Reply::Id(Id::Name(format!("Yomikiri cluster {version}"))));
        self.say(Reply::Id(Id::Author("the Yomikiri authors".into())));
        let spin = |name: &str, default: i64, min: i64, max: i64| OptionSpec {
            name: name.into(),
            kind: OptionKind::Spin,
            default: Some(default.to_string()),
            min: Some(min),
            max: Some(max),
            vars: Vec::new(),
        };
        let (hash, ponder) = match self.setup.dialect {
            Dialect::Uci => ("Hash", "Ponder"),
            Dialect::Usi => ("USI_Hash", "USI_Ponder"),
        };
        self.say(Reply::Option(spin(hash, 16, 1, 1 << 20)));
        let check = OptionSpec {
            kind: OptionKind::Check,
            default: Some("false".into()),
            min: None,
            max: None,
            ..spin(ponder, 0, 0, 0)
        };
        self.say(Reply::Option(check));
        self.say(Reply::Option(spin("MoveOverhead", 20, 0, 10_000)));
        self.say(Reply::HandshakeOk);
    }

    fn set_option(&mut self, name: &str, value: Option<String>) {
        let text = value.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
        match &name.to_ascii_lowercase()[..] {
            "ponder" | "usi_ponder" => {
                self.ponder = text == "true";
                if !self.ponder && self.thinking.is_none() {
                    self.master.rest();
                }
            }
            "moveoverhead" | "move overhead" => match text.parse::<u64>() {
                Ok(millis) if millis <= 10_000 => self.overhead = Duration::from_millis(millis),
                _ => self.remark(format!("MoveOverhead is a number of ms, not '{text}'")),
            },
            "hash" | "usi_hash" => match text.parse::<u32>() {
                Ok(1..) => self.pool.set_option(name, value),
                _ => self.remark(format!("{name} is a number of MiB, not '{text}'")),
            },
            // Everything else is the engines' business; one that does not know it says so.
            _ => self.pool.set_option(name, value),
        }
    }

    /// Says that it is ready as soon as the workers are, or there is no hope of any.
    fn answer_ready(&mut self) {
        let Some((since, _)) = &self.waiting else { return };
        let late = self.was_ready || since.elapsed() > READY;
        if !late && self.pool.has_hope() && !self.pool.is_ready() {
            return;
        }
        if !self.pool.is_ready() {
            let (ready, all) = self
                .pool
                .members()
                .fold((0, 0), |(ready, all), member| (ready + usize::from(member.2), all + 1));
            self.remark(match ready {
                0 => "no worker is ready: any legal move will be played until one is".into(),
                _ => format!("{ready} of {all} workers are ready; the others join later"),
            });
        }
        self.say(Reply::ReadyOk);
        self.was_ready = true;
        if let Some((_, queue)) = self.waiting.take() {
            let mut queue = queue;
            while let Some(command) = queue.pop_front() {
                self.hear(command);
                // A second `isready` may make the rest wait again.
                if let Some((_, waiting)) = &mut self.waiting {
                    waiting.append(&mut queue);
                }
            }
        }
    }

    fn go(&mut self, go: Go) {
        self.finish_if_thinking();
        if self.setup.dialect == Dialect::Usi && go.mate.is_some() {
            self.say(Reply::Checkmate(yomikiri_engine::protocol::Checkmate::NotImplemented));
            return;
        }
        let pondering = go.ponder;
        let position = self.position.clone();
        self.thinking = Some(Thinking {
            go,
            position,
            start: Instant::now(),
            deadline: None,
            nodes_before: self.master.nodes(),
            pondering,
            last_words: None,
        });
        self.shown = None;
        if pondering {
            // The tree is that of the position before the expected move, if that is where it is.
            let mut before = self.position.clone();
            before.moves.pop();
            if before != *self.master.tree().text() {
                self.take_up();
            }
        } else {
            self.take_up();
            self.start_clock();
        }
        if self.thinking.is_some() {
            self.master.resume();
        }
    }

    /// Makes the position of the search the root.
    fn take_up(&mut self) {
        let Some(thinking) = &self.thinking else { return };
        let (position, only) = (thinking.position.clone(), &thinking.go.searchmoves);
        let taken = match only.is_empty() {
            true => self.master.set_position(position),
            false => self.master.set_restricted(position, only),
        };
        if let Err(error) = taken {
            // It was checked when it came.
            self.remark(error.to_string());
        }
        self.grow_anew();
    }

    /// The root is another: who is idle now gets something to do at once, if no table is awaited.
    fn grow_anew(&mut self) {
        self.asked_at = Instant::now();
        self.growth_at = self.asked_at;
        self.grow(self.asked_at);
    }

    fn start_clock(&mut self) {
        let overhead = self.overhead;
        let root = self.master.tree().get(self.master.tree().root());
        let (side, moves) = root.map_or((0, 0), |root| (root.board().turn(), root.legal().len()));
        let Some(thinking) = &mut self.thinking else { return };
        thinking.start = Instant::now();
        let mut time = budget(&thinking.go, side, overhead);
        let is_bound = thinking.go.infinite
            || thinking.go.depth.is_some()
            || thinking.go.nodes.is_some()
            || thinking.go.mate.is_some();
        if moves <= 1 && time.is_some() && thinking.go.movetime.is_none() {
            time = Some(Duration::ZERO);
        }
        if moves == 0 && !thinking.go.infinite {
            time = Some(Duration::ZERO);
        }
        if time.is_none() && !is_bound {
            // A bare `go`: an answer must come some time.
            time = Some(PATIENCE);
        }
        // The last words need their time too, though seldom all of it.
        let words = if self.ponder { Duration::ZERO } else { LAST_WORDS / 2 };
        thinking.deadline = time.map(|time| thinking.start + time - words.min(time / 4));
        if time == Some(Duration::ZERO) {
            self.finish();
        }
    }

    fn ponder_hit(&mut self) {
        match &mut self.thinking {
            Some(thinking) if thinking.pondering => {
                thinking.pondering = false;
                self.take_up();
                self.start_clock();
            }
            _ => self.remark("ponderhit, but nothing is pondered"),
        }
    }

    fn finish_if_thinking(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            if std::mem::take(&mut thinking.pondering) {
                self.take_up();
            }
            self.finish();
        }
    }

    /// Comes to an end: workers that are not to go on are stopped, and have the last word.
    fn end(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        if self.ponder || thinking.pondering {
            return self.finish_if_thinking();
        }
        if thinking.last_words.is_none() {
            let stopped: BTreeSet<WorkerId> = self.master.halt().into_iter().collect();
            thinking.last_words = Some((Instant::now() + LAST_WORDS, stopped));
        }
        self.finish_if_all_said();
    }

    /// Nothing more is to be expected of a worker.
    fn has_said_all(&mut self, worker: WorkerId) {
        let thinking = self.thinking.as_mut();
        if let Some((_, waited)) = thinking.and_then(|thinking| thinking.last_words.as_mut()) {
            waited.remove(&worker);
            self.finish_if_all_said();
        }
    }

    fn finish_if_all_said(&mut self) {
        let last_words = self.thinking.as_ref().and_then(|thinking| thinking.last_words.as_ref());
        if last_words.is_some_and(|(until, waited)| waited.is_empty() || Instant::now() >= *until) {
            self.finish();
        }
    }

    /// Answers.
    fn finish(&mut self) {
        let decision = self.master.decide();
        self.show(&decision);
        let Some(thinking) = self.thinking.take() else { return };
        if thinking.last_words.is_some() {
            self.master.rest();
        }
        if self.debug {
            self.show_tree();
        }
        let best = decision.best.clone().map_or(BestMove::None, BestMove::Move);
        self.say(Reply::BestMove { best, ponder: decision.ponder });
        match decision.best.filter(|_| self.ponder) {
            Some(best) => {
                let mut next = thinking.position;
                next.moves.push(best);
                match self.master.set_position(next) {
                    Ok(()) => self.master.resume(),
                    Err(_) => self.master.rest(),
                }
                self.grow_anew();
            }
            None => self.master.rest(),
        }
    }

    /// When the answer is due: a tick is too coarse for that.
    fn due(&self) -> Option<Instant> {
        let thinking = self.thinking.as_ref()?;
        match &thinking.last_words {
            Some((until, _)) => Some(*until),
            None => thinking.deadline,
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        self.answer_ready();
        if let Some(thinking) = &self.thinking {
            if thinking.last_words.is_some() {
                self.finish_if_all_said();
            } else if thinking.deadline.is_some_and(|deadline| now >= deadline) || self.has_enough()
            {
                self.end();
            }
        }
        self.grow(now);
        // As long as it ponders, the tree is that of the position before.
        let shows = self.thinking.as_ref().is_some_and(|thinking| !thinking.pondering);
        if shows && now >= self.shown_at + SHOW {
            let decision = self.master.decide();
            if self.shown.as_ref() != Some(&decision) {
                self.show(&decision);
                self.shown = Some(decision);
            }
            self.shown_at = now;
        }
        if now >= self.published_at + PUBLISH {
            self.published_at = now;
            self.publish();
        }
    }

    /// Is what `go` asked for found?
    fn has_enough(&self) -> bool {
        let Some(thinking) = self.thinking.as_ref().filter(|thinking| !thinking.pondering) else {
            return false;
        };
        let go = &thinking.go;
        if go.infinite {
            return false;
        }
        if self.master.workers().0 == 0 && thinking.start.elapsed() >= PATIENCE {
            return true;
        }
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        if go.nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        if go.depth.is_none() && go.mate.is_none() {
            return false;
        }
        let decision = self.master.decide();
        let mates = || matches!(decision.score.map(|score| score.value), Some(Value::Mate(1..)));
        go.depth.is_some_and(|depth| decision.depth >= depth) || go.mate.is_some() && mates()
    }

    /// Gives idle workers something to do.
    fn grow(&mut self, now: Instant) {
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        let rests = self.thinking.is_none() && !self.ponder;
        if self.master.workers().1 == 0 || ends || rests {
            return;
        }
        if self.master.is_waiting() {
            if now >= self.asked_at + LATE {
                self.master.grow();
                self.growth_at = now + GROW;
            }
        } else if now >= self.growth_at {
            self.master.ask_for_growth();
            self.asked_at = now;
            if !self.master.is_waiting() {
                self.master.grow();
                self.growth_at = now + GROW;
            }
        }
    }

    fn notice(&mut self, happening: Happening) {
        match happening {
            Happening::Joined { worker, reports } => {
                self.master.join(worker, reports);
                self.answer_ready();
            }
            Happening::Left { worker, reason } => {
                self.master.leave(worker);
                self.has_said_all(worker);
                self.remark(format!("worker {} ({}): {reason}", worker.0, self.pool.name(worker)));
            }
            Happening::SetAside { worker, reason } => {
                self.master.leave(worker);
                self.has_said_all(worker);
                self.remark(format!("worker {} is set aside: {reason}", worker.0));
                self.answer_ready();
            }
            Happening::Info(worker, job, info) => {
                if !self.master.info(worker, job, &info) {
                    let m = info.pv.first().cloned().unwrap_or_default();
                    self.pool.complain(worker, &format!("its line begins with '{m}', not legal"));
                }
            }
            Happening::Ended(worker, job, best) => {
                if let BestMove::Move(m) = best
                    && !self.master.is_legal(worker, job, &m)
                {
                    self.pool.complain(worker, &format!("its move '{m}' is not legal"));
                }
                self.has_said_all(worker);
            }
            Happening::Table(worker, job, entries) => {
                self.master.table_report(worker, job, &entries);
                if !self.master.is_waiting() && self.master.workers().1 > 0 {
                    self.master.grow();
                    self.growth_at = Instant::now() + GROW;
                }
            }
            Happening::Remark(text) => self.remark(text),
        }
    }

    fn show(&self, decision: &Decision) {
        let Some(thinking) = &self.thinking else { return };
        let Some(score) = decision.score else { return };
        let elapsed = thinking.start.elapsed();
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        let millis = elapsed.as_millis() as u64;
        self.say(Reply::Info(Box::new(Info {
            depth: Some(decision.depth),
            score: Some(score),
            nodes: Some(nodes),
            time: Some(millis),
            nps: Some(nodes * 1000 / millis.max(1)),
            pv: decision.pv.clone(),
            ..Info::default()
        })));
    }

    fn show_tree(&self) {
        for line in Status::of(&self.setup.name, &self.master).to_string().lines() {
            self.remark(line);
        }
    }

    fn publish(&self) {
        let Some(publish) = &self.setup.publish else { return };
        let status = Status::of(&self.setup.name, &self.master);
        if let Ok(json) = serde_json::to_vec(&status) {
            // Where there is no place for it, it is shown another time.
            let _ = publish.try_send(json);
        }
    }
}
