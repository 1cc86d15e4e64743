//! One search, and what is told of it.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use andor::{Stop, Table};
use yomikiri_tsume::{
    Answer, Event as MateEvent, Futile, Length, Mate, MateLimits, MateProgress, Phase, Solution,
    Tsume,
};

use super::info::{Info, mate, some_mate};
use super::news::{Event, Found, News};
use crate::explain;

/// What is to be searched.
pub struct Order {
    /// The number of the search.
    pub number: u64,
    /// The problem.
    pub problem: Tsume,
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
}

/// One solve: the first mate, then the shortest if it is wanted.
pub fn search(order: &Order, table: &Table, events: &SyncSender<Event>) -> (Answer, Info) {
    let limits = MateLimits {
        nodes: order.nodes,
        time: None,
        stop: order.stop.clone(),
        length: if order.shortest { Length::Shortest } else { Length::First },
        plies: order.plies.into(),
    };
    let solver = Mate::new(table).with_threads(order.threads);
    let start = Instant::now();
    let mut watch =
        Watch { order, table, events, start, said: start, deepest: 0, found: None, told: (0, 0) };
    let answer = solver.solve_watched(&order.problem, &limits, &mut |event| watch.see(event));
    let info = watch.last(answer.outcome.nodes, answer.solution.as_ref());
    (answer, info)
}

/// Sees how the search gets on, and tells of it now and then.
struct Watch<'a> {
    order: &'a Order,
    table: &'a Table,
    events: &'a SyncSender<Event>,
    start: Instant,
    said: Instant,
    deepest: usize,
    found: Option<Found>,
    /// The interval that was told last.
    told: (u16, u16),
}

impl Watch<'_> {
    fn see(&mut self, event: MateEvent<'_>) {
        match event {
            MateEvent::Progress(progress) => self.tell(progress),
            // What is known to be the shortest is told at the end, with the line for people.
            MateEvent::Found { least, plies, nodes, solution } if least < plies => {
                self.show(nodes, &solution());
            }
            MateEvent::Found { .. } | MateEvent::NotShorter { .. } => {}
        }
    }

    /// A mate is found, and may not be the shortest.
    fn show(&mut self, nodes: u64, solution: &Solution) {
        if !solution.complete {
            return;
        }
        let info = self.last(nodes, Some(solution));
        let found = Found { line: info.line.clone(), info };
        self.found = Some(found.clone());
        // If nobody listens any more the program is ending.
        drop(self.events.send(Event::News(self.order.number, News::Found(found))));
        self.tell_interval(solution.least, solution.length);
    }

    /// Tells between which lengths the shortest mate lies, if that is new.
    fn tell_interval(&mut self, least: u16, most: u16) {
        if least < most && self.told != (least, most) {
            self.told = (least, most);
            let news = News::Interval(least, most);
            drop(self.events.send(Event::News(self.order.number, news)));
        }
    }

    fn tell(&mut self, progress: &MateProgress<'_>) {
        let depths = progress.agents.iter().map(|agent| agent.depth);
        self.deepest = depths.fold(self.deepest.max(progress.depth), usize::max);
        if self.order.interval.is_none_or(|interval| self.said.elapsed() < interval) {
            return;
        }
        self.said = Instant::now();
        let mut info = self.info(progress.nodes, progress.depth);
        match &self.found {
            // The score is that of the line, though a shorter mate may be known already.
            Some(found) => {
                info.line = found.line.clone();
                info.score = found.info.score;
            }
            None => info.line = explain::expected_line(&self.order.problem, self.table),
        }
        // It may be lost if nobody has time to listen.
        drop(self.events.try_send(Event::News(self.order.number, News::Progress(info))));
        if let (Some(_), Phase::Shortest { least, known, .. }) = (&self.found, progress.phase) {
            self.tell_interval(least, known);
        }
    }

    /// What is told of a mate, or at the end of a search.
    fn last(&self, nodes: u64, solution: Option<&Solution>) -> Info {
        let mut info = self.info(nodes, self.deepest);
        match (solution, &self.found) {
            (Some(solution), _) if solution.complete => self.mated(&mut info, solution),
            // A part of a line would say another length than the score: rather the last whole one.
            (Some(_), Some(found)) => {
                info.line = found.line.clone();
                info.score = found.info.score;
                info.depth = found.line.len();
            }
            (Some(solution), None) => {
                info.depth = usize::from(solution.length);
                info.score = Some(some_mate(&self.order.problem));
            }
            (None, _) => {}
        }
        info
    }

    /// The line of a mate, and its length.
    fn mated(&self, info: &mut Info, solution: &Solution) {
        info.line = match self.order.problem.futile() {
            Futile::Counted => solution.line.clone(),
            Futile::NotCounted => solution.shown_line().to_vec(),
        };
        info.depth = info.line.len();
        info.score = Some(mate(&self.order.problem, info.line.len()));
    }

    fn info(&self, nodes: u64, depth: usize) -> Info {
        let table = self.table;
        Info {
            depth,
            deepest: self.deepest.max(depth),
            elapsed: self.start.elapsed(),
            nodes,
            full: (table.stored() * 1000 / table.capacity().max(1)) as u32,
            score: None,
            line: Vec::new(),
        }
    }
}
