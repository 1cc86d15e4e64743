//! The master as one engine: its dialogue with a user interface, in UCI or USI, and its clock.
//!
//! The answer waits for no worker in particular: when the time is over, or `stop` comes, the best
//! move by what is known is played. As long as nothing is known it takes more of its clock; when
//! that is over too, or `stop` comes, it plays a move of its own (`own`). With the option `Ponder`
//! the workers go on in the opponent's time, on the tree below the move that was played; `go ponder`
//! changes nothing then, for the expected answer is in that tree, with the others beside it.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use yomikiri_engine::protocol::{
    BestMove, Checkmate, Clock, Command, Dialect, Go, Id, Info, Line, PositionText, Reply, Value,
    shown,
};

use crate::board::{Board, Game};
use crate::clock::{Budget, budget};
use crate::growth::Growth;
use crate::master::{Decision, Master, WorkerId};
use crate::mates::{self, Mates};
use crate::multipv;
use crate::options::{self, Change, Options};
use crate::own;
use crate::pace::Pace;
use crate::pool::{Happening, Pool};
use crate::ranks::Ranks;
use crate::readiness::{Readiness, Standing};
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
    mates: Mates,
    /// `isready` waits for its answer.
    waiting: Option<Readiness>,
    options: Options,
    /// The patience that it was started with.
    patience: Duration,
    debug: bool,
    pace: Pace,
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
    /// The deadline as long as nobody has said anything.
    latest: Option<Instant>,
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
/// How often the state of a search is shown.
const SHOW: Duration = Duration::from_millis(250);
/// How often the tree is published.
const PUBLISH: Duration = Duration::from_millis(500);
/// How long the master looks at a position itself, if nobody else has.
const OWN: Duration = Duration::from_millis(20);
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
        let patience = pool.patience();
        let options = Options::new(setup.dialect, patience);
        Front {
            setup,
            master,
            pool,
            output,
            position: PositionText::initial(),
            thinking: None,
            mates: Mates::new(),
            waiting: None,
            options,
            patience,
            debug: false,
            pace: Pace::new(now),
            shown_at: now,
            published_at: now,
            shown: None,
        }
    }

    /// Talks until `quit`, or the end of the input.
    pub async fn run(mut self, mut input: mpsc::Receiver<Line>) {
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let due = self.due();
            tokio::select! {
                biased;
                line = input.recv() => {
                    match line.map(Line::text) {
                        None => return,
                        Some(Err(error)) => self.remark(error.to_string()),
                        Some(Ok(line)) => match Command::parse(&line, self.setup.dialect) {
                            Command::Quit => return self.quit(),
                            command => self.hear(command),
                        },
                    }
                }
                _ = tick.tick() => self.look_at_the_clock(),
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.look_at_the_clock();
                }
                happening = self.pool.next() => self.notice(happening),
                (job, answer) = self.mates.next() => {
                    let outcome = self.mates.solved(job, answer, &self.pool);
                    self.answer_mate(outcome);
                }
            }
            self.obey();
            if self.output.is_closed() {
                return;
            }
        }
    }

    /// An answer that is due is given.
    fn quit(&mut self) {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some()) {
            self.finish();
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
        if let Some(waiting) = &mut self.waiting {
            waiting.commands.push_back(command);
            return;
        }
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        if ends && !matches!(command, Command::Stop | Command::Nothing) {
            // Answers come in the order of the questions.
            self.finish();
        }
        match command {
            Command::Handshake => self.introduce(),
            // During a search the question is whether we live.
            Command::IsReady if self.thinking.is_some() || self.mates.is_searching() => {
                self.say(Reply::ReadyOk);
            }
            Command::IsReady => {
                self.waiting = Some(Readiness::ask(&mut self.pool));
                self.answer_ready();
            }
            Command::NewGame => {
                self.finish_if_thinking();
                self.position = PositionText::initial();
                self.master.rest();
                self.master.new_game();
                self.pool.new_game();
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position(text) => match Board::new(self.game(), &text) {
                Ok(_) => self.position = text,
                Err(error) => self.remark(format!("{error}; the position stays as it was")),
            },
            Command::Go(go) => self.go(go),
            Command::Stop => {
                self.call_off_mate();
                self.end();
            }
            Command::PonderHit => self.ponder_hit(),
            Command::GameOver(_) => {
                self.finish_if_thinking();
                self.master.rest();
            }
            Command::Debug(on) => self.debug = on,
            Command::TableReport(_) => self.say(Reply::TableEnd),
            Command::Unknown(line) if line.trim() == "tree" => self.show_tree(),
            Command::Unknown(line) => {
                self.remark(format!("unknown command '{}'", shown(&line)));
            }
            Command::Register(_) | Command::Nothing | Command::Quit => {}
        }
    }

    fn game(&self) -> Game {
        match self.options.chess960 {
            true => Game::Chess960,
            false => Game::from(self.setup.dialect),
        }
    }

    fn introduce(&self) {
        let version = env!("CARGO_PKG_VERSION");
        self.say(Reply::Id(Id::Name(format!("Yomikiri cluster {version}"))));
        self.say(Reply::Id(Id::Author("the Yomikiri authors".into())));
        for option in options::specs(self.setup.dialect, self.patience) {
            self.say(Reply::Option(option));
        }
        self.say(Reply::HandshakeOk);
    }

    fn set_option(&mut self, name: &str, value: Option<String>) {
        let change = self.options.set(self.setup.dialect, name, value.as_deref());
        // It is worked off between searches: who thinks in the opponent's time ends that.
        let is_own = matches!(change, Ok(Change::Own | Change::Patience));
        if self.thinking.is_none() && (!is_own || !self.options.ponder) {
            self.master.rest();
        }
        match change {
            Err(error) => return self.remark(error.to_string()),
            Ok(Change::Own) => return,
            Ok(Change::Patience) => return self.pool.set_patience(self.options.patience),
            Ok(Change::Pass) => {}
            Ok(Change::Notation) => {
                self.finish_if_thinking();
                self.position = PositionText::initial();
                self.master.change_game(self.game());
            }
        }
        self.pool.set_option(name, value);
    }

    /// Says that it is ready as soon as the workers are, or there is no hope of any.
    fn answer_ready(&mut self) {
        let Some(waiting) = &mut self.waiting else { return };
        let remark = match waiting.look(&self.pool) {
            Standing::Waits(remark) => {
                remark.into_iter().for_each(|remark| self.remark(remark));
                return;
            }
            Standing::Ready(remark) => remark,
        };
        remark.into_iter().for_each(|remark| self.remark(remark));
        self.say(Reply::ReadyOk);
        let mut queue = self.waiting.take().map(|waiting| waiting.commands).unwrap_or_default();
        while let Some(command) = queue.pop_front() {
            self.hear(command);
            // A second `isready` may make the rest wait again.
            if let Some(waiting) = &mut self.waiting {
                waiting.commands.append(&mut queue);
            }
        }
    }

    fn go(&mut self, go: Go) {
        self.finish_if_thinking();
        if self.setup.dialect == Dialect::Usi && go.mate.is_some() {
            self.master.rest();
            // They stop before they are asked for a mate.
            self.obey();
            return self.mates.begin(&self.position, &go, self.options.overhead, &self.pool);
        }
        let pondering = go.ponder;
        let position = self.position.clone();
        self.thinking = Some(Thinking {
            go,
            position,
            start: Instant::now(),
            deadline: None,
            latest: None,
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
        self.pace.begin(&mut self.master);
    }

    fn start_clock(&mut self) {
        let root = self.master.tree().get(self.master.tree().root());
        let (side, moves) = root.map_or((0, 0), |root| (root.board().turn(), root.legal().len()));
        let Some(thinking) = &mut self.thinking else { return };
        thinking.start = Instant::now();
        let go = &thinking.go;
        let clock = Clock::of(go, side);
        let mut time = budget(&clock, self.options.overhead).filter(|_| !go.infinite);
        let is_bound = go.infinite || go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        if moves <= 1 && time.is_some() && thinking.go.movetime.is_none() {
            time = Some(Budget::NONE);
        }
        if moves == 0 && !thinking.go.infinite {
            time = Some(Budget::NONE);
        }
        if time.is_none() && !is_bound {
            // A bare `go`: an answer must come some time.
            time = Some(Budget::exactly(PATIENCE));
        }
        // The last words need their time too, though seldom all of it; so does a look of our own.
        let words = if self.options.ponder { Duration::ZERO } else { LAST_WORDS / 2 };
        let less = |time: Duration, part: Duration| thinking.start + time - part.min(time / 4);
        thinking.deadline = time.map(|time| less(time.usual, words));
        thinking.latest = time.map(|time| less(time.most, OWN));
        if time == Some(Budget::NONE) {
            self.finish();
        }
    }

    /// When it has to answer, by what it knows. Where there is nobody whose word it could wait for it
    /// takes no more time than usual.
    fn deadline(&self) -> Option<Instant> {
        let thinking = self.thinking.as_ref()?;
        match self.master.is_known() || !self.pool.has_hope() {
            true => thinking.deadline,
            false => thinking.latest,
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
        self.call_off_mate();
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
        if self.options.ponder || thinking.pondering {
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
        let mut decision = self.master.decide();
        if let (None, Some((own, remark))) = (decision.score, own::decide(&self.master, OWN)) {
            decision = own;
            remark.into_iter().for_each(|remark| self.remark(remark));
        }
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
        match decision.best.filter(|_| self.options.ponder) {
            Some(best) => {
                let mut next = thinking.position;
                next.moves.push(best);
                match self.master.set_position(next) {
                    Ok(()) => self.master.resume(),
                    Err(_) => self.master.rest(),
                }
                self.pace.begin(&mut self.master);
            }
            None => self.master.rest(),
        }
    }

    fn call_off_mate(&mut self) {
        let outcome = self.mates.finish(Checkmate::Timeout, None, &self.pool);
        self.answer_mate(outcome);
    }

    fn answer_mate(&self, outcome: Option<mates::Outcome>) {
        if let Some(outcome) = outcome {
            self.say(Reply::Info(Box::new(outcome.info)));
            self.say(Reply::Checkmate(outcome.checkmate));
        }
    }

    /// When the answer is due: a tick is too coarse for that.
    fn due(&self) -> Option<Instant> {
        let Some(thinking) = &self.thinking else { return self.mates.due() };
        match &thinking.last_words {
            Some((until, _)) => Some(*until),
            None => self.deadline(),
        }
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        self.answer_ready();
        if let Some(thinking) = &self.thinking {
            if thinking.last_words.is_some() {
                self.finish_if_all_said();
            } else if self.deadline().is_some_and(|deadline| now >= deadline) || self.has_enough() {
                self.end();
            }
        }
        if self.mates.due().is_some_and(|deadline| now >= deadline) {
            self.call_off_mate();
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
        let most = self.options.multipv;
        let is_deep = |depth| decision.depth >= depth && self.master.has_lines(most, depth);
        go.depth.is_some_and(is_deep) || go.mate.is_some() && mates()
    }

    /// Gives idle workers something to do.
    fn grow(&mut self, now: Instant) {
        let ends = self.thinking.as_ref().is_some_and(|thinking| thinking.last_words.is_some());
        let rests = self.thinking.is_none() && !self.options.ponder;
        if !ends && !rests {
            self.pace.grow(&mut self.master, now);
        }
    }

    fn notice(&mut self, happening: Happening) {
        match happening {
            Happening::Joined { worker, reports } => {
                self.master.join(worker, reports);
                self.answer_ready();
            }
            Happening::Left { worker, reason } => {
                self.lose(worker);
                self.remark(format!("worker {} ({}): {reason}", worker.0, self.pool.name(worker)));
                self.answer_ready();
            }
            Happening::SetAside { worker, reason } => {
                self.lose(worker);
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
                    && !self.master.ended(worker, job, &m)
                {
                    self.pool.complain(worker, &format!("its move '{m}' is not legal"));
                }
                if self.mates.is_asked(worker, job) {
                    let outcome = self.mates.does_not_know(worker, &self.pool);
                    self.answer_mate(outcome);
                }
                self.has_said_all(worker);
            }
            Happening::Checkmate(worker, job, checkmate) => {
                let outcome = self.mates.heard(worker, job, checkmate, &self.pool);
                self.answer_mate(outcome);
            }
            Happening::Ready => self.answer_ready(),
            Happening::Table(worker, job, entries) => {
                self.master.table_report(worker, job, &entries);
                self.pace.reported(&mut self.master);
            }
            Happening::Remark(text) => self.remark(text),
        }
    }

    /// A worker is gone, for now or for ever.
    fn lose(&mut self, worker: WorkerId) {
        self.master.leave(worker);
        self.has_said_all(worker);
        let outcome = self.mates.left(worker, &self.pool);
        self.answer_mate(outcome);
    }

    fn show(&self, decision: &Decision) {
        let Some(thinking) = &self.thinking else { return };
        let nodes = self.master.nodes().saturating_sub(thinking.nodes_before);
        let (time, most) = (thinking.start.elapsed(), self.options.multipv);
        for info in multipv::infos(&self.master, decision, most, nodes, time) {
            self.say(Reply::Info(Box::new(info)));
        }
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
