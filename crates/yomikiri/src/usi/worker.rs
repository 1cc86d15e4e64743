//! The thread of one search.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use andor::{Stop, Table};
use yomikiri_shogi::{Move, Tsume};

use super::info::{Info, Score};
use super::session::Event;
use crate::line;
use yomikiri_shogi::{Answer, Futile, Length, Mate, MateLimits, MateProgress, MateVerdict, Phase};

/// What is to be searched.
pub struct Order {
    /// The number of the search.
    pub number: u64,
    /// The problem.
    pub problem: Tsume,
    /// Are interpositions in vain left out of the line?
    pub futile: Futile,
    /// What is known, and where to remember more.
    pub table: Arc<Table>,
    /// How many threads search.
    pub threads: usize,
    /// Go on to the shortest mate?
    pub shortest: bool,
    /// The longest mate of interest.
    pub plies: Option<u16>,
    /// The most nodes.
    pub nodes: Option<u64>,
    /// Between two reports.
    pub interval: Option<Duration>,
    /// Raised to end it.
    pub stop: Stop,
    /// The search before, which has to end first: two at a time would not be repeatable.
    pub before: Option<JoinHandle<()>>,
}

/// What a search says.
#[derive(Debug)]
pub enum News {
    /// How far it has come.
    Progress(Info),
    /// A mate; the search goes on for the shortest.
    Found(Found),
    /// It is over.
    Done(Box<Answer>, Info),
    /// It broke down.
    Failed,
}

/// A mate that may not be the shortest.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its line.
    pub line: Vec<Move>,
    /// What it took.
    pub info: Info,
}

/// Tells of the end, however it comes.
struct Teller {
    number: u64,
    events: SyncSender<Event>,
    ended: bool,
}

impl Teller {
    /// Says what must be heard.
    fn say(&self, news: News) {
        // If nobody listens any more the program is ending.
        drop(self.events.send(Event::News(self.number, news)));
    }

    /// Says what may be lost if nobody has time to listen.
    fn mention(&self, news: News) {
        drop(self.events.try_send(Event::News(self.number, news)));
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if !self.ended {
            self.say(News::Failed);
        }
    }
}

/// Starts the search in a thread of its own.
pub fn start(order: Order, events: SyncSender<Event>) -> io::Result<JoinHandle<()>> {
    let mut teller = Teller { number: order.number, events, ended: false };
    thread::Builder::new().name("search".into()).spawn(move || {
        let mut order = order;
        if let Some(before) = order.before.take() {
            // If it broke down, that was said then.
            drop(before.join());
        }
        let (answer, info) = search(&order, &teller);
        teller.ended = true;
        // The table goes before the news, so that it is not the last to hold it.
        drop(order);
        teller.say(News::Done(Box::new(answer), info));
    })
}

/// The first mate, then the shortest if it is wanted.
fn search(order: &Order, teller: &Teller) -> (Answer, Info) {
    let Order { problem, table, .. } = order;
    let start = Instant::now();
    let mate = Mate::new(table).with_threads(order.threads);
    let mut limits = MateLimits {
        nodes: order.nodes,
        time: None,
        stop: order.stop.clone(),
        length: Length::First,
        plies: order.plies,
    };
    let mut watch = Watch { order, teller, start, said: start, deepest: 0, before: 0, found: None };
    let first = mate.solve_watched(problem, &limits, &mut |progress| watch.see(progress));
    let info = watch.last(&first);
    let MateVerdict::Mate(solution) = &first.verdict else { return (first, info) };
    let is_open = order.shortest && !solution.exact && solution.complete && solution.length > 1;
    if !is_open {
        return (first, info);
    }
    let found = Found { line: info.line.clone(), info };
    teller.say(News::Found(found.clone()));
    watch.before = first.nodes;
    watch.found = Some(found);
    limits.length = Length::Shortest;
    limits.nodes = order.nodes.map(|nodes| nodes.saturating_sub(first.nodes));
    let answer = mate.solve_watched(problem, &limits, &mut |progress| watch.see(progress));
    let info = watch.last(&answer);
    (answer, info)
}

/// Sees how the search gets on, and tells of it now and then.
struct Watch<'a> {
    order: &'a Order,
    teller: &'a Teller,
    start: Instant,
    said: Instant,
    deepest: usize,
    /// Nodes of searches before this one.
    before: u64,
    found: Option<Found>,
}

impl Watch<'_> {
    fn see(&mut self, progress: &MateProgress<'_>) {
        let depths = progress.agents.iter().map(|agent| agent.depth);
        self.deepest = depths.fold(self.deepest.max(progress.depth), usize::max);
        if self.order.interval.is_none_or(|interval| self.said.elapsed() < interval) {
            return;
        }
        self.said = Instant::now();
        let mut info = self.info(progress.nodes, progress.depth);
        match (&self.found, progress.phase) {
            (Some(found), phase) => {
                info.line = found.line.clone();
                let known = match phase {
                    Phase::Shortest { known, .. } => usize::from(known),
                    _ => found.line.len(),
                };
                info.score = Some(Score::new(&self.order.problem, known));
            }
            (None, _) => info.line = line::expected(&self.order.problem, &self.order.table),
        }
        self.teller.mention(News::Progress(info));
    }

    /// The last line of a search.
    fn last(&self, answer: &Answer) -> Info {
        let mut info = self.info(answer.nodes, self.deepest);
        if let MateVerdict::Mate(solution) = &answer.verdict {
            info.line = match self.order.futile {
                Futile::Counted => solution.line.clone(),
                Futile::NotCounted => solution.shown_line().to_vec(),
            };
            // A line that ends in mate may be shorter than what is proven of all defences.
            let length = match solution.complete {
                true => info.line.len(),
                false => usize::from(solution.length),
            };
            info.depth = length;
            info.score = Some(Score::new(&self.order.problem, length));
        }
        info
    }

    fn info(&self, nodes: u64, depth: usize) -> Info {
        let Order { table, .. } = self.order;
        Info {
            depth,
            deepest: self.deepest.max(depth),
            elapsed: self.start.elapsed(),
            nodes: self.before + nodes,
            full: (table.stored() * 1000 / table.capacity().max(1)) as u32,
            score: None,
            line: Vec::new(),
        }
    }
}
