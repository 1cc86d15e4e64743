//! One search, and what is told of it.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use andor::{Stop, Table};
use yomikiri_tsume::{
    Answer, Event as MateEvent, Futile, Length, Mate, MateLimits, MateProgress, Phase, Solution,
    Tsume,
};

use super::info::{Info, mate};
use super::news::{Event, Found, News};
use crate::explain;

/// What is to be searched.
pub struct Order {
    /// The number of the search.
    pub number: u64,
    /// The problem.
    pub problem: Tsume,
    /// Are interpositions in vain left out of the line?
    pub futile: Futile,
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
    let mut watch = Watch { order, table, events, start, said: start, deepest: 0, found: None };
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
}

impl Watch<'_> {
    fn see(&mut self, event: MateEvent<'_>) {
        match event {
            MateEvent::Progress(progress) => self.tell(progress),
            // One line is enough: those of shorter mates would cost more than they tell.
            MateEvent::Found { nodes, solution, .. } if self.found.is_none() => {
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
    }

    fn tell(&mut self, progress: &MateProgress<'_>) {
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
                info.score = Some(mate(&self.order.problem, known));
            }
            (None, _) => info.line = explain::expected_line(&self.order.problem, self.table),
        }
        // It may be lost if nobody has time to listen.
        drop(self.events.try_send(Event::News(self.order.number, News::Progress(info))));
    }

    /// What is told of a mate, or at the end of a search.
    fn last(&self, nodes: u64, solution: Option<&Solution>) -> Info {
        let mut info = self.info(nodes, self.deepest);
        if let Some(solution) = solution {
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
            info.score = Some(mate(&self.order.problem, length));
        }
        info
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
