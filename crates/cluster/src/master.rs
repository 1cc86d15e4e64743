//! The master of P-GPP: it owns the tree, gives workers their positions, and decides on a move.
//!
//! It does no input or output. Whoever drives it tells it what workers said and which position is
//! on the board, and carries out its [orders](Order). A worker whose part of the tree stays the
//! same gets no order at all: that is the *tree-style pipeline*.

use std::collections::BTreeMap;

use yomikiri_engine::protocol::{Dialect, Info, PositionText, Score, TableEntry};

use crate::board::{BoardError, Game};
use crate::growth::{self, Growth};
use crate::multipv::{self, Further, Variation};
use crate::ranks::Ranks;
use crate::report::Report;
use crate::tree::{BrokenTree, NodeId, Place, Rerooted, Tree};
use crate::value::Value;

/// The name of a worker, given by whoever drives the master.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u32);

/// What a worker is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Search a position; if it searches something else, stop that first.
    Search {
        /// Who.
        worker: WorkerId,
        /// The name of the search: what the worker says of it is to be told with this name.
        job: u64,
        /// The position.
        position: PositionText,
        /// Only these moves; all if empty.
        searchmoves: Vec<String>,
        /// To this depth, or as deep as it can; without limit if there is none.
        depth: Option<u64>,
    },
    /// Stop searching.
    Stop {
        /// Who.
        worker: WorkerId,
    },
    /// Report the positions of the table, of the search that is going on.
    Report {
        /// Who.
        worker: WorkerId,
        /// The search.
        job: u64,
        /// How many positions at most.
        entries: usize,
    },
}

/// What the master would play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The move; none if the game is over, or no worker has said anything of it yet.
    pub best: Option<String>,
    /// The answer that is expected.
    pub ponder: Option<String>,
    /// The value for the side to move, if a worker said something yet.
    pub score: Option<Score>,
    /// The line, the best move first.
    pub pv: Vec<String>,
    /// How deep the search was at the end of the line, counted from the root.
    pub depth: u64,
}

/// What is wrong with a master's tree or orders: see [`Master::check`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inconsistency {
    /// The tree itself.
    #[error(transparent)]
    Tree(#[from] BrokenTree),
    /// A worker has a post and no order.
    #[error("{0:?} on {1:?} was told nothing")]
    NoOrder(WorkerId, NodeId),
    /// A worker searches other moves than those that its post leaves over.
    #[error("{worker:?} searches {told:?} of {searched:?}, not the others of {post:?}")]
    OtherMoves {
        /// Who.
        worker: WorkerId,
        /// Where it should search.
        post: NodeId,
        /// Where it searches.
        searched: NodeId,
        /// What it searches there.
        told: Vec<String>,
    },
    /// A worker searches another position than that of its post.
    #[error("{0:?} searches another position than {1:?}")]
    OtherPosition(WorkerId, NodeId),
}

/// A worker, as the master sees it.
#[derive(Clone, Debug)]
struct Worker {
    /// Can it report its table?
    reports: bool,
    /// What it was last told to search; the node may be gone by now.
    job: Option<Job>,
}

#[derive(Clone, Debug)]
struct Job {
    number: u64,
    node: NodeId,
    searchmoves: Vec<String>,
    depth: Option<u64>,
    /// All moves from the start of the game to the position.
    moves: Vec<String>,
    /// The nodes that it has searched, as it said last.
    nodes: u64,
    /// It was told to stop, and may still say something.
    halted: bool,
    /// It has ended by itself.
    ended: bool,
}

/// The positions asked for in a table report.
const REPORTED: usize = 32;

/// The master.
#[derive(Clone, Debug)]
pub struct Master {
    tree: Tree,
    ranks: Ranks,
    growth: Growth,
    workers: BTreeMap<WorkerId, Worker>,
    /// Who is on which node.
    posts: BTreeMap<NodeId, WorkerId>,
    jobs: u64,
    /// Table reports that were asked for and have not come.
    awaited: BTreeMap<WorkerId, u64>,
    /// Nodes of searches that have ended.
    past_nodes: u64,
    /// A worker's search was ended though its node stays in the tree, so often.
    restarts: u64,
    random: u64,
    orders: Vec<Order>,
    /// Nothing is searched now.
    resting: bool,
    /// Some were told to stop and still speak: they get nothing new to do.
    is_ending: bool,
    /// How deep a worker is to search.
    depth: Option<u64>,
    /// The further lines of the root.
    further: Further,
    /// A move of this node that a worker named without a value.
    last_word: Option<(NodeId, String)>,
}

impl Master {
    /// A master without workers, at the start of a game.
    pub fn new(game: Game, ranks: Ranks, growth: Growth) -> Result<Master, BoardError> {
        Ok(Master {
            tree: Tree::new(game, PositionText::initial())?,
            ranks,
            growth,
            workers: BTreeMap::new(),
            posts: BTreeMap::new(),
            jobs: 0,
            awaited: BTreeMap::new(),
            past_nodes: 0,
            restarts: 0,
            random: 0,
            orders: Vec::new(),
            resting: true,
            is_ending: false,
            depth: None,
            further: Further::default(),
            last_word: None,
        })
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The probabilities of ranks.
    pub fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Who is on a node.
    pub fn worker_on(&self, id: NodeId) -> Option<WorkerId> {
        self.posts.get(&id).copied()
    }

    /// How many workers there are, and how many have nothing to do.
    pub fn workers(&self) -> (usize, usize) {
        (self.workers.len(), self.workers.len() - self.posts.len())
    }

    /// The nodes that all workers have searched for this position and those before it.
    pub fn nodes(&self) -> u64 {
        let now = self.workers.values().filter_map(|worker| worker.job.as_ref());
        self.past_nodes + now.map(|job| job.nodes).sum::<u64>()
    }

    /// How often a search was ended though its node stayed in the tree: a child was added to the
    /// node or taken away.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    fn dialect(&self) -> Dialect {
        self.tree.game().dialect()
    }

    /// The orders since the last call, in the order in which they are to be carried out.
    pub fn orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// A worker is there.
    pub fn join(&mut self, id: WorkerId, reports: bool) {
        self.leave(id);
        self.workers.insert(id, Worker { reports, job: None });
        self.man();
    }

    /// A worker is gone, or does not know any longer what it was told. Its part goes to others.
    pub fn leave(&mut self, id: WorkerId) {
        self.awaited.remove(&id);
        if let Some(job) = self.workers.remove(&id).and_then(|worker| worker.job) {
            self.past_nodes += job.nodes;
        }
        self.posts.retain(|_, worker| *worker != id);
        self.man();
    }

    /// This position is on the board. Nodes that can still be reached stay as they are.
    pub fn set_position(&mut self, text: PositionText) -> Result<(), BoardError> {
        let root = self.tree.get(self.tree.root());
        if text == *self.tree.text() && !root.is_some_and(|root| root.is_restricted()) {
            return Ok(());
        }
        let near = match self.tree.reroot(text)? {
            Rerooted::Kept(gone) => {
                self.posts.retain(|node, _| !gone.contains(node));
                None
            }
            Rerooted::Fresh { near, .. } => {
                let worker = near.and_then(|near| self.posts.get(&near).copied());
                self.posts.clear();
                worker
            }
        };
        // Who has searched where the new root lay knows most of it.
        if let Some(worker) = near
            && self.tree.has_others(self.tree.root())
        {
            self.ask(worker);
            self.posts.insert(self.tree.root(), worker);
        }
        self.ask_for_growth();
        self.man();
        Ok(())
    }

    /// This position is on the board, and only these moves of it are to be searched.
    pub fn set_restricted(
        &mut self,
        text: PositionText,
        searchmoves: &[String],
    ) -> Result<(), BoardError> {
        let mut fresh = Tree::restricted(self.tree.game(), text, searchmoves)?;
        fresh.follow(&self.tree);
        self.tree = fresh;
        self.posts.clear();
        self.awaited.clear();
        self.man();
        Ok(())
    }

    /// The game is a new one: nothing is known.
    pub fn new_game(&mut self) {
        self.change_game(self.tree.game());
    }

    /// The game is a new one of this kind: nothing is known.
    pub fn change_game(&mut self, game: Game) {
        if let Ok(mut tree) = Tree::new(game, PositionText::initial()) {
            tree.follow(&self.tree);
            self.tree = tree;
        }
        self.posts.clear();
        self.awaited.clear();
        self.man();
    }

    /// Workers are to search to this depth, or as deep as they can; without limit if there is none.
    /// They are told with the next orders. An engine ends at its greatest depth then, where it would
    /// wait for ever in a search without limit.
    pub fn set_depth(&mut self, depth: Option<u64>) {
        self.depth = depth;
    }

    /// Have all searches ended by themselves? Then nothing more is to be expected.
    pub fn has_ended(&self) -> bool {
        let mut jobs = self.workers.values().filter_map(|worker| worker.job.as_ref()).peekable();
        jobs.peek().is_some() && jobs.all(|job| job.ended)
    }

    /// Let the workers search.
    pub fn resume(&mut self) {
        (self.resting, self.is_ending) = (false, false);
        self.man();
    }

    /// Lets workers stop, but listens to what they still say: an engine may tell what it found since
    /// its last iteration only now. If the workers are to go on when the best move is played
    /// (`goes_on`), those whose part stays in the tree then are left alone. Who was stopped; to be
    /// followed by [`Master::rest`] or [`Master::resume`].
    pub fn halt(&mut self, goes_on: bool) -> Vec<WorkerId> {
        self.is_ending = true;
        let best = match self.tree.value(self.tree.root()) {
            Some((_, Place::Child(child))) if goes_on => Some(child),
            _ => None,
        };
        let tree = &self.tree;
        let stays = |id| best.is_some_and(|best| tree.is_below(id, best));
        let mut halted = Vec::new();
        for (&id, worker) in &mut self.workers {
            let is_asked = |job: &&mut Job| !job.halted && !job.ended && !stays(job.node);
            if let Some(job) = worker.job.as_mut().filter(is_asked) {
                job.halted = true;
                self.orders.push(Order::Stop { worker: id });
                halted.push(id);
            }
        }
        halted
    }

    /// Let all workers stop. The tree stays.
    pub fn rest(&mut self) {
        (self.resting, self.is_ending) = (true, false);
        self.man();
    }

    /// A worker says something of its search. False if its line begins with a move that is not
    /// legal: then it is not to be trusted.
    pub fn info(&mut self, id: WorkerId, job: u64, info: &Info) -> bool {
        let dialect = self.dialect();
        let Some(current) = self.job(id, job) else { return true };
        current.nodes = info.nodes.unwrap_or(current.nodes).max(current.nodes);
        let node = current.node;
        let first = info.multipv.is_none_or(|line| line == 1);
        if let (Some(depth), Some(score)) = (info.depth, info.score) {
            let value = Value::of(score, dialect);
            let report = Report { depth, value, bound: score.bound, pv: info.pv.clone() };
            match info.multipv.filter(|_| !first) {
                None => {
                    let is_news = self.tree.report(node, report);
                    // One worker alone is the engine itself: its word counts as soon as it has one.
                    if is_news && self.workers.len() == 1 {
                        self.tree.forget_before(node);
                    }
                }
                Some(rank) if node == self.tree.root() => self.further.report(node, rank, report),
                Some(_) => {}
            }
        } else if let Some(m) = info.pv.first() {
            self.last_word = Some((node, m.clone()));
        }
        let legal = |m: &String| self.tree.get(node).is_none_or(|node| node.is_legal(m));
        info.pv.first().is_none_or(legal)
    }

    /// A worker's search has ended, with this move if it has one. False if that is not legal: then
    /// it is not to be trusted.
    pub fn ended(&mut self, id: WorkerId, job: u64, m: Option<&str>) -> bool {
        let Some(node) = self.job(id, job).map(|current| current.node) else { return true };
        let is_legal = |m| self.tree.get(node).is_none_or(|node| node.is_legal(m));
        if !m.is_none_or(is_legal) {
            return false;
        }
        if let Some(m) = m {
            self.last_word = Some((node, m.into()));
        }
        if let Some(current) = self.job(id, job) {
            current.ended = true;
        }
        true
    }

    /// The move of the root that a worker named last, if it is to be searched and nobody gave it a
    /// value.
    pub fn last_word(&self) -> Option<&String> {
        let root = self.tree.get(self.tree.root())?;
        let (node, m) = self.last_word.as_ref()?;
        Some(m).filter(|m| *node == self.tree.root() && root.legal().contains(m))
    }

    /// The best lines, at most so many, of this depth if there are enough.
    pub fn variations(&self, most: usize, wanted: u64) -> Vec<Variation> {
        self.further.variations(&self.tree, most, wanted)
    }

    /// Are so many lines there, each of this depth, or can there be no more?
    pub fn has_lines(&self, most: usize, depth: u64) -> bool {
        most <= 1 || self.further.has(&self.tree, most, depth)
    }

    /// A worker reports positions of its table.
    pub fn table_report(&mut self, id: WorkerId, job: u64, entries: &[TableEntry]) {
        let dialect = self.dialect();
        if self.awaited.get(&id) == Some(&job) {
            self.awaited.remove(&id);
        }
        // The search may have been another one; what it knows of the tree is still true.
        let Some(from) = self.reported(id, job) else { return };
        let root = self.tree.text().moves.len();
        let mut at = self.tree.root();
        if from.len() > root {
            let Some(node) = self.find(&from[root..]) else { return };
            at = node;
        }
        let skipped = self.tree.text().moves.get(from.len()..).unwrap_or_default().to_vec();
        let below: Vec<TableEntry> = entries
            .iter()
            .filter(|entry| entry.moves.len() > skipped.len() && entry.moves.starts_with(&skipped))
            .map(|entry| TableEntry {
                moves: entry.moves[skipped.len()..].to_vec(),
                ..entry.clone()
            })
            .collect();
        self.tree.add_lines(at, |lines| lines.add_table(&below, dialect));
    }

    /// The moves from the start of the game to the position of a search, if they agree with the
    /// game as it is now.
    fn reported(&self, id: WorkerId, job: u64) -> Option<Vec<String>> {
        let current =
            self.workers.get(&id)?.job.as_ref().filter(|current| current.number == job)?;
        let (a, b) = (&current.moves, &self.tree.text().moves);
        let common = a.len().min(b.len());
        (a[..common] == b[..common]).then(|| a.clone())
    }

    /// The node after these moves from the root.
    fn find(&self, moves: &[String]) -> Option<NodeId> {
        moves.iter().try_fold(self.tree.root(), |at, m| {
            let children = self.tree.get(at)?.children();
            children.iter().copied().find(|&id| self.tree.get(id).is_some_and(|n| n.by() == m))
        })
    }

    /// Are table reports still to come?
    pub fn is_waiting(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Gives workers without a node something to do, as far as enough is known; true if the tree
    /// has grown. To be called when no report [is awaited](Master::is_waiting), or they are late,
    /// and from time to time as long as there are idle workers.
    pub fn grow(&mut self) -> bool {
        let free = self.workers.len() - self.posts.len();
        self.awaited.clear();
        if free == 0 || self.tree.get(self.tree.root()).is_none_or(|root| root.legal().is_empty()) {
            return false;
        }
        let grown = self.growth.grow(&mut self.tree, &self.ranks, free, &mut self.random);
        self.man();
        grown > 0
    }

    /// Asks the workers below which more than one node is to be added for their tables.
    pub fn ask_for_growth(&mut self) {
        let free = self.workers.len() - self.posts.len();
        if free == 0 || self.growth != Growth::Pgpp {
            return;
        }
        for (node, n) in growth::shares(&self.tree, &self.ranks, free) {
            if let (Some(&worker), true) = (self.posts.get(&node), n > 1) {
                self.ask(worker);
            }
        }
    }

    fn ask(&mut self, id: WorkerId) {
        let Some(worker) = self.workers.get(&id) else { return };
        if let (true, Some(job)) = (worker.reports, &worker.job) {
            self.awaited.insert(id, job.number);
            let entries = REPORTED.max(2 * self.workers.len());
            self.orders.push(Order::Report { worker: id, job: job.number, entries });
        }
    }

    fn job(&mut self, id: WorkerId, number: u64) -> Option<&mut Job> {
        self.workers.get_mut(&id)?.job.as_mut().filter(|job| job.number == number)
    }

    /// What to play now.
    pub fn decide(&self) -> Decision {
        let root = self.tree.root();
        let pv = self.tree.best_line(root);
        // A line that ended here told a value, but no move: that is not enough to play on.
        let is_over = self.tree.get(root).is_some_and(|root| root.legal().is_empty());
        let value = self.tree.value(root).filter(|_| is_over || !pv.is_empty());
        let value = value.map(|(value, _)| value);
        Decision {
            best: pv.first().cloned(),
            ponder: pv.get(1).cloned(),
            score: value.map(|value| value.score(self.dialect())),
            depth: multipv::depth(&self.tree, root),
            pv,
        }
    }

    /// What to play at the root, or at a position one move after it, as far as it is known now,
    /// without another root.
    pub fn decide_at(&self, text: &PositionText) -> Option<Decision> {
        let (root, here) = (self.tree.root(), self.tree.text());
        let same = text.start == here.start;
        match text.moves.strip_prefix(&here.moves[..]).filter(|_| same)? {
            [] => Some(self.decide()),
            [m] => {
                let known = self.tree.known_after(root, m)?;
                Some(Decision {
                    best: known.pv.first().cloned(),
                    ponder: known.pv.get(1).cloned(),
                    score: Some(known.value.score(self.dialect())),
                    depth: known.depth,
                    pv: known.pv,
                })
            }
            _ => None,
        }
    }

    /// Has anybody said anything of the position, with a move to play?
    pub fn is_known(&self) -> bool {
        self.decide().score.is_some()
    }

    /// Sees to it that every node that needs a worker has one, and gives the orders for that. If
    /// there are too few, the least likely leaves are given up; what they covered is searched by
    /// the workers above them again.
    fn man(&mut self) {
        self.posts.retain(|&node, _| self.tree.has_others(node));
        let needed = |tree: &Tree| tree.nodes().filter(|&(id, _)| tree.has_others(id)).count();
        if needed(&self.tree) > self.workers.len().max(1) {
            self.thin_out(self.workers.len().max(1));
        }
        let mut idle: Vec<WorkerId> = self
            .workers
            .keys()
            .copied()
            .filter(|worker| !self.posts.values().any(|other| other == worker))
            .collect();
        idle.reverse();
        let vacant: Vec<NodeId> = self
            .tree
            .nodes()
            .map(|(id, _)| id)
            .filter(|&id| self.tree.has_others(id) && !self.posts.contains_key(&id))
            .collect();
        for node in vacant {
            // A node whose parent needs its worker no more is taken over by that worker: it knows
            // the position best.
            let parent = self.tree.get(node).and_then(|node| node.parent());
            let known = idle.iter().position(|worker| {
                let job = self.workers[worker].job.as_ref();
                job.is_some_and(|job| Some(job.node) == parent || job.node == node)
            });
            let Some(worker) = known.map(|at| idle.remove(at)).or_else(|| idle.pop()) else {
                break;
            };
            self.posts.insert(node, worker);
        }
        self.give_orders();
    }

    /// Gives up the least likely leaves until so many nodes need a worker.
    fn thin_out(&mut self, workers: usize) {
        loop {
            let needed = self.tree.nodes().filter(|&(id, _)| self.tree.has_others(id)).count();
            if needed <= workers {
                return;
            }
            let probabilities = growth::probabilities(&self.tree, &self.ranks);
            let of = |id: NodeId| probabilities.get(&id).copied().unwrap_or_default();
            let leaves = self
                .tree
                .nodes()
                .filter(|(id, node)| node.children().is_empty() && *id != self.tree.root());
            // Among equals one that nobody searches.
            let least = leaves.map(|(id, _)| id).min_by(|&a, &b| {
                let manned = |id| self.posts.contains_key(&id);
                of(a).total_cmp(&of(b)).then(manned(a).cmp(&manned(b)))
            });
            let Some(leaf) = least else { return };
            self.tree.remove_leaf(leaf);
            self.posts.remove(&leaf);
        }
    }

    /// Tells every worker what it does not know yet.
    fn give_orders(&mut self) {
        let posts: BTreeMap<WorkerId, NodeId> =
            self.posts.iter().map(|(&node, &worker)| (worker, node)).collect();
        for (&id, worker) in &mut self.workers {
            let node = posts.get(&id).copied().filter(|_| !self.resting);
            let Some(node) = node else {
                if let Some(job) = worker.job.take() {
                    self.past_nodes += job.nodes;
                    if !job.halted && !job.ended {
                        self.orders.push(Order::Stop { worker: id });
                    }
                }
                continue;
            };
            let inner = self.tree.get(node).is_some_and(|node| !node.children().is_empty());
            let part = self.tree.get(node).is_some_and(|node| node.is_restricted());
            let searchmoves = if inner || part { self.tree.others(node) } else { Vec::new() };
            if let Some(job) = &worker.job {
                let is_same = job.searchmoves == searchmoves && job.depth == self.depth;
                if job.node == node && is_same && (!job.halted || self.is_ending) {
                    continue;
                }
                self.past_nodes += job.nodes;
                self.restarts += u64::from(job.node == node);
            }
            self.jobs += 1;
            let position = self.tree.position(node);
            let (number, moves) = (self.jobs, position.moves.clone());
            let depth = self.depth;
            worker.job = Some(Job {
                number,
                node,
                searchmoves: searchmoves.clone(),
                depth,
                moves,
                nodes: 0,
                halted: false,
                ended: false,
            });
            self.tree.begin(node);
            self.further.begin(node);
            let (worker, job) = (id, number);
            self.orders.push(Order::Search { worker, job, position, searchmoves, depth });
        }
    }

    /// Does every part of the tree have at most one worker, told exactly the moves that no other
    /// part covers? For tests; the error says what is wrong.
    pub fn check(&self) -> Result<(), Inconsistency> {
        self.tree.check()?;
        for (&node, worker) in &self.posts {
            let Some(job) = self.workers.get(worker).and_then(|worker| worker.job.as_ref()) else {
                if self.resting {
                    continue;
                }
                return Err(Inconsistency::NoOrder(*worker, node));
            };
            let whole = self.tree.get(node).is_some_and(|node| node.children().is_empty());
            let told = if job.searchmoves.is_empty() && whole {
                self.tree.others(node)
            } else {
                job.searchmoves.clone()
            };
            if job.node != node || told != self.tree.others(node) {
                let (worker, searched) = (*worker, job.node);
                return Err(Inconsistency::OtherMoves { worker, post: node, searched, told });
            }
            if job.moves != self.tree.position(node).moves {
                return Err(Inconsistency::OtherPosition(*worker, node));
            }
        }
        Ok(())
    }
}
