//! Depth-first proof-number search as a resumable agent.
//!
//! Df-pn (Nagai 1999, 2002) expands the same nodes as proof-number search but keeps no tree: it
//! goes down from the root with a pair of thresholds, stays below a node while both its numbers are
//! under them, and remembers what it found in the transposition table. It is written here as a
//! machine with an explicit stack: [`Agent::run`] goes on for a budget of nodes and can be called
//! again, so every driver (one agent, many in turns, many threads on one table) is a loop around
//! it, and no line of play is too long for the program's stack.
//!
//! Each technique on top of the plain algorithm has its own module and its own switch in [`Dfpn`]:
//! first numbers and costs of df-pn⁺ (`heuristics`), the 1+ε trick ([`epsilon`]), sums ([`sums`]
//! and [`double_count`]), threshold control ([`threshold_control`]), deep values ([`deep`]), and
//! sound repetition ([`repetition`]), which is always on where positions can repeat.
//!
//! Symbols: at an OR node φ is the proof number and δ the disproof number, at an AND node the
//! reverse. So φ is the least of what the children offer, and δ the sum of what they cost.

mod branch;
pub mod double_count;
pub mod epsilon;
mod evaluations;
mod node;
pub mod repetition;
mod settings;
pub mod sums;
mod teamwork;
pub mod threshold_control;

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::control::Stop;
use crate::deep;
use crate::number::{INFINITY, MAX_FINITE, Number};
use crate::plies::Plies;
use crate::problem::{Evaluation, Key, MoveList, Problem};
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Stock, Value};
use crate::table::{Lookup, Open, Solved, Table, numbers};
use crate::team::Member;
use branch::Branch;
use evaluations::Evaluations;
use node::{Child, Frame, Summary};
use repetition::{Lean, Leans, PathMap, SharedResults};
use threshold_control::ThresholdControl;

pub use branch::Waypoint;
pub use settings::Dfpn;
pub use sums::Sums;

/// Where [`Agent::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The root is solved: see [`Agent::result`].
    Solved,
    /// The budget is used up, or a worker [is idle](Agent::is_idle); call again to go on.
    Budget,
    /// The stop flag was raised, or the [deadline](Agent::set_deadline) is past; call again (with the
    /// flag lowered, or another deadline) to go on.
    Stopped,
}

/// What a node turned out to be when the search left it.
#[derive(Clone, Copy, Debug)]
enum NodeResult<S> {
    Solved(Solved<S>, Lean),
    Open { pn: Number, dn: Number, extra: u16 },
}

/// A df-pn search that can be run piece by piece.
pub struct Agent<'t, P: Problem> {
    problem: P,
    table: &'t Table,
    settings: Dfpn,
    pulse: Pulse,
    /// Can positions repeat?
    cyclic: bool,
    /// Does the game leave out moves that matter for lengths?
    prunes: bool,
    /// Is the game's knowledge used? Not where it would spoil a bound on length.
    heuristics: bool,
    control: ThresholdControl,
    frames: Vec<Frame<P>>,
    /// The children of all frames, those of the deepest frame last.
    children: Vec<Child<P::Move, P::Stock>>,
    path: PathMap,
    leans: Leans,
    /// Disproofs that lean on a path, where the agent does not share a team's.
    own_results: SharedResults,
    evaluations: Evaluations<P::Stock>,
    list: MoveList<P::Move>,
    scratch: Vec<P::Move>,
    /// Keys and stocks of the children being looked up.
    keys: Vec<(Key, P::Stock)>,
    depths: Vec<u32>,
    nodes: u64,
    entered: u64,
    result: Option<Solved<P::Stock>>,
    best_move: Option<P::Move>,
    root_numbers: (Number, Number),
    /// The agents it searches together with.
    member: Option<Member<'t>>,
    /// A worker's part of the problem.
    branch: Option<Branch>,
    /// Whom it told of a solved node in this turn, a bit each.
    told: u64,
}

impl<'t, P: Problem> Agent<'t, P> {
    /// An agent that is to solve `problem`.
    pub fn new(problem: P, settings: Dfpn, table: &'t Table, stop: Stop) -> Self {
        let repetition = problem.repetition();
        assert!(
            repetition != Repetition::FavoursAttacker,
            "wrap the problem in Mirror: an agent takes repetition to favour the defender"
        );
        let cyclic = repetition != Repetition::Never;
        let prunes = problem.prunes();
        assert!(!(cyclic && prunes), "a game in which positions repeat must not prune");
        let path_bytes = if cyclic { settings.path_bytes_on(table) } else { 0 };
        Agent {
            table,
            pulse: Pulse::new(stop),
            cyclic,
            prunes,
            heuristics: settings.heuristics && !(prunes && settings.plies.is_bounded()),
            control: ThresholdControl::new(settings.threshold_control),
            frames: Vec::new(),
            children: Vec::new(),
            path: PathMap::default(),
            leans: Leans::default(),
            own_results: SharedResults::new(path_bytes, 1),
            evaluations: Evaluations::default(),
            list: MoveList::default(),
            scratch: Vec::new(),
            keys: Vec::new(),
            depths: Vec::new(),
            nodes: 0,
            entered: 0,
            result: None,
            best_move: None,
            root_numbers: (1, 1),
            member: None,
            branch: None,
            told: 0,
            problem,
            settings,
        }
    }

    /// Turns to another root of the same problem (same repetition rule), with another bound on
    /// plies. The table stays; nodes go on counting.
    pub fn restart(&mut self, problem: P, plies: Plies) {
        self.problem = problem;
        self.settings.plies = plies;
        self.heuristics = self.settings.heuristics && !(self.prunes && plies.is_bounded());
        self.control = ThresholdControl::new(self.settings.threshold_control);
        self.unmark_path();
        self.branch = None;
        self.frames.clear();
        self.children.clear();
        self.path.clear();
        self.leans.clear();
        self.own_results.clear();
        self.evaluations.clear();
        self.result = None;
        self.best_move = None;
        self.root_numbers = (1, 1);
    }

    /// The solved root, once there is one.
    pub fn result(&self) -> Option<Solved<P::Stock>> {
        self.result
    }

    /// The move that solves the root for the side to move, if the search found it (and not the
    /// table or the game's own look).
    pub fn best_move(&self) -> Option<P::Move> {
        self.best_move
    }

    /// Nodes visited so far: positions entered and positions seen by the game's small solver.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions entered so far.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// Proof and disproof number of the root, as known now.
    pub fn root_numbers(&self) -> (Number, Number) {
        self.root_numbers
    }

    /// Length of the line being looked at.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Goes beneath the root even if the table or the game knows its value, so that
    /// [`best_move`](Agent::best_move) is found.
    pub(crate) fn open_root(&mut self) -> Result<(), Interrupted> {
        let (key, stock) = (self.problem.key(), self.problem.stock());
        self.enter_at_root(key, stock, None)
    }

    /// When it has to [stop](Step::Stopped), if it has to.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.pulse.set_deadline(deadline);
    }

    /// Goes on for about `budget` nodes, however long they take.
    pub fn run(&mut self, budget: u64) -> Step {
        let (start, end) = (self.nodes, self.nodes.saturating_add(budget));
        self.told = 0;
        let is_new = self.frames.is_empty() && self.result.is_none() && self.branch.is_none();
        if is_new && self.enter_root().is_err() {
            return Step::Stopped;
        }
        while self.result.is_none() {
            self.heed_notices();
            if self.result.is_some() {
                break;
            } else if self.is_idle() || self.has_to_yield() {
                return Step::Budget;
            }
            let summary = self.summarise();
            let frame = self.top();
            let (pn, dn) = summary.numbers(frame.kind);
            if pn >= self.control.threshold(frame.th_pn, pn)
                || dn >= self.control.threshold(frame.th_dn, dn)
            {
                if !self.stays(&summary) {
                    self.leave(&summary);
                }
            } else if self.nodes >= end {
                return Step::Budget;
            } else if self.pulse.tick().is_err() {
                return Step::Stopped;
            } else if self.nodes > start && self.pulse.pauses() {
                return Step::Budget;
            } else {
                let went = if self.is_at_branch() {
                    self.descend_from_branch()
                } else {
                    self.descend(&summary)
                };
                if went.is_err() {
                    return Step::Stopped;
                }
            }
        }
        Step::Solved
    }

    /// Goes on for about `budget` nodes or about so long, whichever is less, but for one node at
    /// least. Where it pauses makes no difference to the search.
    pub fn run_for(&mut self, budget: u64, time: Duration) -> Step {
        self.pulse.set_pause(Instant::now().checked_add(time));
        let step = self.run(budget);
        self.pulse.set_pause(None);
        step
    }

    fn top(&self) -> &Frame<P> {
        self.frames.last().expect("a search that is not over has a root")
    }

    fn summarise(&self) -> Summary {
        let frame = self.top();
        let rule = (self.settings.sums, self.settings.deep);
        Summary::of(frame.kind, &self.children[frame.first..], rule.0, rule.1)
    }

    /// Where the children of the node at `depth` are.
    fn children_of(&self, depth: usize) -> Range<usize> {
        let end = self.frames.get(depth + 1).map_or(self.children.len(), |below| below.first);
        self.frames[depth].first..end
    }

    /// Keeps track of the path only where something asks for it.
    fn follows_path(&self) -> bool {
        self.cyclic || self.settings.sums == Sums::Dag || self.member.is_some()
    }

    fn enter_root(&mut self) -> Result<(), Interrupted> {
        let (key, stock, plies) = (self.problem.key(), self.problem.stock(), self.settings.plies);
        let known = match self.table.lookup(key, stock, plies) {
            Lookup::Solved(solved) => {
                self.finish(solved);
                return Ok(());
            }
            Lookup::Open(open) => Some(open),
            Lookup::Missing => None,
        };
        let before = self.nodes;
        if let NodeResult::Solved(solved, _) = self.evaluate(key, plies)? {
            self.finish(solved);
            return Ok(());
        }
        let looked = self.nodes - before;
        let entered = self.enter_at_root(key, stock, known);
        if entered.is_err() {
            // That look will come again. (Looks at children are remembered.)
            self.nodes -= looked;
        }
        entered
    }

    fn finish(&mut self, solved: Solved<P::Stock>) {
        self.result = Some(solved);
        self.root_numbers = numbers(solved.value);
    }

    fn enter_at_root(
        &mut self,
        key: Key,
        stock: P::Stock,
        known: Option<Open>,
    ) -> Result<(), Interrupted> {
        self.enter(Frame {
            key,
            stock,
            kind: self.problem.kind(),
            arrival: None,
            first: 0,
            selected: 0,
            th_pn: INFINITY,
            th_dn: INFINITY,
            plies: self.settings.plies,
            min_depth: 0,
            effort: known.map_or(0, |open| open.effort),
            nodes_before: self.nodes,
            same_board: None,
            leans: 0,
            slot: 0,
            parent: 0,
            extra: known.map_or(0, |open| open.extra),
            fresh: known.is_none(),
            raising_before: false,
            looked: self.nodes,
            published: self.nodes,
            marked: false,
        })
    }

    /// Goes down to the most promising child.
    fn descend(&mut self, summary: &Summary) -> Result<(), Interrupted> {
        let (best, th_pn, th_dn) = self.way_on(self.frames.len() - 1, summary);
        self.go_to(best, th_pn, th_dn)
    }

    /// The child to search of the node at `depth`, and its thresholds.
    fn way_on(&self, depth: usize, summary: &Summary) -> (usize, Number, Number) {
        let frame = &self.frames[depth];
        let (best, second) = self.choose(depth, summary);
        let child = &self.children[frame.first + best];
        let (sel_cost, acc_cost) = child.costs(frame.kind);
        let (th_pn, th_dn) = (
            self.control.threshold(frame.th_pn, summary.numbers(frame.kind).0),
            self.control.threshold(frame.th_dn, summary.numbers(frame.kind).1),
        );
        let (th_phi, th_delta) = match frame.kind {
            NodeKind::Or => (th_pn, th_dn),
            NodeKind::And => (th_dn, th_pn),
        };
        let (sel, acc) = child.numbers(frame.kind);
        let th_sel = if self.settings.deep < 1.0 {
            deep::delta_beyond(summary.second_dpn, child.extra, self.settings.deep)
                .max(sel.saturating_add(1))
        } else {
            th_phi.min(epsilon::beyond(second, self.settings.epsilon))
        };
        let th_acc = summary.sum.child_threshold(th_delta, acc, child.meets);
        let (th_sel, th_acc) = (less(th_sel, sel_cost), less(th_acc, acc_cost));
        let (th_pn, th_dn) = match frame.kind {
            NodeKind::Or => (th_sel, th_acc),
            NodeKind::And => (th_acc, th_sel),
        };
        (best, th_pn, th_dn)
    }

    /// Goes down to a child, with thresholds.
    fn go_to(&mut self, selected: usize, th_pn: Number, th_dn: Number) -> Result<(), Interrupted> {
        let depth = self.frames.len();
        let first = self.children.len();
        let frame = self.frames.last_mut().expect("there is a frame to go down from");
        frame.selected = selected;
        if let Some(member) = self.member.as_ref().filter(|_| !frame.marked) {
            // Not when it is entered: most nodes are left at once.
            frame.marked = true;
            member.mark(frame.key, frame.stock);
        }
        let child = &mut self.children[frame.first + selected];
        let plies = frame.plies.one_less();
        let (m, key, stock) = (child.m, child.key, child.stock);
        let fresh = std::mem::replace(&mut child.fresh, false);
        let frame = Frame {
            key,
            stock,
            kind: frame.kind,
            arrival: None,
            first,
            selected: 0,
            th_pn,
            th_dn,
            plies,
            min_depth: child.min_depth.min(depth.min(u16::MAX as usize) as u16),
            effort: child.effort,
            nodes_before: self.nodes,
            same_board: None,
            leans: 0,
            slot: 0,
            parent: if child.parent != 0 { child.parent } else { frame.slot },
            extra: if fresh { 0 } else { child.extra },
            fresh,
            raising_before: false,
            looked: self.nodes,
            published: self.nodes,
            marked: false,
        };
        let undo = self.problem.play(m);
        let kind = self.problem.kind();
        self.enter(Frame { kind, arrival: Some((m, undo)), ..frame })
    }

    /// Enters the position just played: generates its moves and looks them up, until one settles
    /// it. If that is interrupted, the agent is back where it was; what the game has said of some
    /// children by then is remembered.
    fn enter(&mut self, mut frame: Frame<P>) -> Result<(), Interrupted> {
        debug_assert!(frame.key == self.problem.key());
        if let Err(interrupted) = self.generate_moves() {
            self.turn_back(frame);
            return Err(interrupted);
        }
        self.nodes += 1;
        self.entered += 1;
        if frame.plies == Plies::NONE && !self.list.moves.is_empty() {
            let solved = Solved { value: Value::Disproven, stock: frame.stock, plies: Plies::NONE };
            self.table.store_solved(frame.key, solved, 1);
            self.list.moves.clear();
            if let Some((m, undo)) = frame.arrival {
                self.problem.undo(m, undo);
            }
            self.report(NodeResult::Solved(solved, Lean::FREE), 1);
            return Ok(());
        }
        let depth = self.frames.len() as u32;
        if self.follows_path() {
            frame.same_board = self.path.enter(frame.key.high(), depth);
        }
        if self.settings.sums == Sums::Dag {
            frame.slot = self.table.slot_of(frame.key, frame.stock);
            if frame.slot == 0 {
                let open = Open {
                    pn: 1,
                    dn: 1,
                    min_depth: frame.min_depth,
                    extra: 0,
                    effort: 1,
                    parent: frame.parent,
                };
                frame.slot = self.table.store_open(frame.key, frame.stock, frame.plies, open);
            }
        }
        frame.leans = self.leans.mark();
        let (kind, min_depth, fresh) = (frame.kind, frame.min_depth, frame.fresh);
        self.frames.push(frame);
        let mut old_child = false;
        let mut looked = Ok(());
        let moves = std::mem::take(&mut self.list.moves);
        self.keys.clear();
        for &(m, _) in &moves {
            let (key, stock) = self.problem.key_after(m);
            self.table.touch(key);
            self.keys.push((key, stock));
        }
        self.keys.iter().for_each(|&(key, stock)| self.evaluations.touch(key, stock));
        for (i, &(m, late)) in moves.iter().enumerate() {
            let mut child = match self.look_at(m, late, i) {
                Ok(child) => child,
                Err(interrupted) => {
                    looked = Err(interrupted);
                    break;
                }
            };
            old_child |= !child.fresh && !child.is_solved() && child.min_depth <= min_depth;
            let settles = child.numbers(kind).0 == 0;
            child.late &= !settles;
            self.children.push(child);
            if settles {
                break;
            }
        }
        self.list.moves = moves;
        self.list.moves.clear();
        if looked.is_err() {
            self.withdraw();
            return looked;
        }
        if self.settings.sums == Sums::Dag {
            self.find_meetings();
        }
        let before = self.control.enter(fresh, old_child);
        if let Some(frame) = self.frames.last_mut() {
            frame.raising_before = before;
        }
        Ok(())
    }

    /// Takes the top node off again, of whose children only some have been looked at.
    #[cold]
    fn withdraw(&mut self) {
        let frame = self.frames.pop().expect("a node that is being entered");
        self.nodes -= 1;
        self.entered -= 1;
        self.children.truncate(frame.first);
        self.leans.leave(frame.leans, self.frames.len() as u32, std::iter::empty());
        if self.follows_path() {
            self.path.leave(frame.key.high(), frame.same_board);
        }
        self.turn_back(frame);
    }

    /// Goes back to the node above from one that has not been entered.
    #[cold]
    fn turn_back(&mut self, frame: Frame<P>) {
        if let Some(above) = self.frames.last().filter(|_| frame.fresh) {
            self.children[above.first + above.selected].fresh = true;
        }
        if let Some((m, undo)) = frame.arrival {
            self.problem.undo(m, undo);
        }
    }

    fn generate_moves(&mut self) -> Result<(), Interrupted> {
        debug_assert!(self.list.moves.is_empty());
        self.scratch.clear();
        if self.heuristics {
            self.problem.prepare(&self.pulse)?;
            self.problem.moves(&mut self.list, &mut self.scratch);
        } else {
            self.problem.legal_moves(&mut self.scratch);
            self.scratch.iter().for_each(|&m| self.list.push(m));
        }
        Ok(())
    }

    /// What is known of the child by `m`, the `i`-th move of the top frame.
    fn look_at(
        &mut self,
        m: P::Move,
        late: bool,
        i: usize,
    ) -> Result<Child<P::Move, P::Stock>, Interrupted> {
        let (key, stock) = self.keys[i];
        let depth = self.frames.len();
        let frame = self.top();
        let meets = self.settings.deep >= 1.0 && i < 16 && frame.extra >> i & 1 != 0;
        let plies = frame.plies.one_less();
        let cost = if self.heuristics { self.problem.cost(m) } else { (0, 0) };
        let mut child = Child {
            m,
            key,
            stock,
            pn: 1,
            dn: 1,
            cost,
            crowd: 0,
            plies: Plies::NONE,
            lean: Lean::FREE,
            min_depth: depth.min(u16::MAX as usize) as u16,
            extra: depth.min(u16::MAX as usize) as u16,
            effort: 0,
            parent: 0,
            late,
            fresh: true,
            meets: meets && self.settings.sums == Sums::Dag,
        };
        if self.cyclic
            && let Some((stock, depth)) = repeated(&self.frames, &self.path, key.high(), stock)
        {
            let value = Value::Disproven;
            let lean = self.leans.on(depth);
            child.solve(Solved { value, stock, plies: Plies::UNBOUNDED }, lean);
            return Ok(child);
        }
        match self.table.lookup(key, stock, plies) {
            Lookup::Solved(solved) => child.solve(solved, Lean::FREE),
            Lookup::Open(open) => {
                child.fresh = false;
                child.pn = open.pn;
                child.dn = open.dn;
                child.min_depth = open.min_depth;
                child.extra = open.extra;
                child.effort = open.effort;
                child.parent = open.parent;
                if self.cyclic
                    && let Some((solved, lean)) = self.result_on_path(key, stock, plies)
                {
                    child.solve(solved, lean);
                } else if let Some(member) = &self.member {
                    child.crowd = member.crowd(key, stock);
                }
            }
            Lookup::Missing => {
                let result = self.evaluate_child(m, key, stock, plies)?;
                match result {
                    NodeResult::Solved(solved, lean) => child.solve(solved, lean),
                    NodeResult::Open { pn, dn, .. } => (child.pn, child.dn) = (pn, dn),
                }
            }
        }
        Ok(child)
    }

    /// The game's own view of the position after `m`, which was never searched.
    fn evaluate_child(
        &mut self,
        m: P::Move,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> Result<NodeResult<P::Stock>, Interrupted> {
        let known = self.evaluations.get(key, stock);
        let evaluation = match known {
            Some(evaluation) => evaluation,
            None => {
                let undo = self.problem.play(m);
                let evaluation = self.ask_game();
                self.problem.undo(m, undo);
                let evaluation = evaluation?;
                self.evaluations.put(key, stock, evaluation);
                evaluation
            }
        };
        let result = self.judge(evaluation, key, stock, plies);
        if known.is_none() {
            self.pulse.tick()?;
        }
        // Of a position that the game sees solved, but in more plies than asked for, `open_takes`
        // says nothing.
        let least = match evaluation {
            Evaluation::Open { .. } if self.heuristics => self.problem.open_takes(),
            _ => 0,
        };
        if !plies.allow(least.into()) {
            let (value, plies) = (Value::Disproven, Plies::at_most(least - 1));
            return Ok(NodeResult::Solved(Solved { value, stock, plies }, Lean::FREE));
        }
        Ok(result)
    }

    /// The same of the current position.
    fn evaluate(&mut self, key: Key, plies: Plies) -> Result<NodeResult<P::Stock>, Interrupted> {
        let (evaluation, stock) = (self.ask_game()?, self.problem.stock());
        Ok(self.judge(evaluation, key, stock, plies))
    }

    fn ask_game(&mut self) -> Result<Evaluation<P::Stock>, Interrupted> {
        if self.heuristics {
            self.problem.prepare(&self.pulse)?;
            return Ok(self.problem.evaluate());
        }
        Ok(match self.problem.terminal() {
            Some(value) => {
                let stock = self.problem.stock();
                Evaluation::Solved { value, stock, plies: Plies::NONE, nodes: 0 }
            }
            None => Evaluation::Open { pn: 1, dn: 1, nodes: 0 },
        })
    }

    fn judge(
        &mut self,
        evaluation: Evaluation<P::Stock>,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> NodeResult<P::Stock> {
        /// A verdict that took the game's solver so many nodes is worth an entry.
        const WORTH_STORING: u32 = 16;
        match evaluation {
            Evaluation::Solved { value, stock: holds, plies: within, nodes } => {
                self.nodes += nodes as u64;
                let has_length = value == Value::Proven && !(self.prunes && self.heuristics);
                let within = if has_length { within } else { Plies::UNBOUNDED };
                let solved = Solved { value, stock: holds, plies: within };
                if nodes >= WORTH_STORING {
                    self.table.store_solved(key, solved, nodes as u64);
                }
                if solved.holds_for(stock, plies) {
                    NodeResult::Solved(solved, Lean::FREE)
                } else {
                    NodeResult::Open { pn: 1, dn: 1, extra: 0 }
                }
            }
            Evaluation::Open { pn, dn, nodes } => {
                self.nodes += nodes as u64;
                let finite = |n: Number| n.clamp(1, MAX_FINITE);
                NodeResult::Open { pn: finite(pn), dn: finite(dn), extra: 0 }
            }
        }
    }

    /// A disproof of this child that leaned on other positions when it was found, if all of them
    /// are on this path too or are disproven by now. In the latter case it leans on nothing any
    /// more and goes to the table.
    fn result_on_path(
        &mut self,
        key: Key,
        stock: P::Stock,
        plies: Plies,
    ) -> Option<(Solved<P::Stock>, Lean)> {
        let shared = self.member.as_ref().map_or(&self.own_results, |member| member.results());
        let results = shared.look(key)?;
        for result in results.candidates(key) {
            let solved = result.solved();
            if !solved.holds_for(stock, plies) {
                continue;
            }
            let Some(leaned) = results.leaned(result) else { continue };
            self.depths.clear();
            let holds = leaned.into_iter().all(|(key, packed)| {
                let stock = P::Stock::unpack(packed);
                if let Some((_, depth)) = repeated(&self.frames, &self.path, key.high(), stock) {
                    self.depths.push(depth);
                    return true;
                }
                let known = self.table.lookup(key, stock, Plies::UNBOUNDED);
                matches!(known, Lookup::Solved(solved) if solved.value == Value::Disproven)
            });
            if holds {
                let lean = self.leans.collect(self.depths.iter().copied());
                if lean == Lean::FREE {
                    self.table.store_solved(key, solved, result.effort);
                }
                return Some((solved, lean));
            }
        }
        None
    }

    /// Marks the children, here and above, that lead to a child of the top frame by two ways.
    fn find_meetings(&mut self) {
        let (first, slot) = (self.top().first, self.top().slot);
        for i in first..self.children.len() {
            let child = &self.children[i];
            if child.parent == 0 || child.parent == slot || child.is_solved() {
                continue;
            }
            let found =
                double_count::parting(self.table, &self.path, child.key.high(), child.parent);
            let Some((depth, below)) = found else { continue };
            let depth = depth as usize;
            if depth + 1 >= self.frames.len() {
                continue;
            }
            let (first, ours) = (self.frames[depth].first, self.frames[depth].selected);
            let range = first..self.frames[depth + 1].first;
            let other = range.clone().find(|&j| self.children[j].key.high() == below);
            if let Some(other) = other.filter(|&other| other != first + ours) {
                self.children[other].meets = true;
                self.children[first + ours].meets = true;
            }
        }
    }

    /// Leaves the top node: remembers what it turned out to be and tells the node above.
    fn leave(&mut self, summary: &Summary) {
        let frame = self.frames.pop().expect("leave is called on a frame");
        let depth = self.frames.len() as u32;
        let children = &self.children[frame.first..];
        let effort = frame.effort_now(self.nodes);
        let (pn, dn) = summary.numbers(frame.kind);
        let result = match node::solve(&self.problem, frame.kind, children, pn, dn) {
            Some((mut solved, best)) => {
                if self.prunes && self.heuristics && solved.value == Value::Proven {
                    solved.plies = Plies::UNBOUNDED;
                }
                let range = best.map_or(0..children.len(), |best| best..best + 1);
                let leans = children[range].iter().map(|child| child.lean);
                let lean = self.leans.leave(frame.leans, depth, leans);
                if lean == Lean::FREE {
                    if depth == 0 {
                        self.best_move = best.map(|best| children[best].m);
                    }
                    self.table.store_solved(frame.key, solved, effort);
                    if let Some(member) = &self.member {
                        self.told |= member.tell(frame.key, frame.stock);
                    }
                } else {
                    if let Some(depths) = self.leans.all(lean) {
                        let leaned = depths.iter().map(|&depth| {
                            let frame = &self.frames[depth as usize];
                            (frame.key, frame.stock.pack())
                        });
                        let shared =
                            self.member.as_ref().map_or(&self.own_results, |m| m.results());
                        shared.add(frame.key).store(frame.key, solved, leaned, effort);
                    }
                    self.remember_visit(&frame, effort);
                }
                NodeResult::Solved(solved, lean)
            }
            None => {
                self.leans.leave(frame.leans, depth, std::iter::empty());
                let extra = node::extra(summary, children, &self.settings);
                let open = frame.open(pn, dn, extra, self.nodes);
                self.table.store_open(frame.key, frame.stock, frame.plies, open);
                NodeResult::Open { pn, dn, extra }
            }
        };
        self.go_back(frame);
        self.report(result, effort);
    }

    /// Takes back the move to a node that was just taken off the stack.
    fn go_back(&mut self, frame: Frame<P>) {
        self.children.truncate(frame.first);
        self.control.leave(frame.raising_before);
        if let Some(member) = self.member.as_ref().filter(|_| frame.marked) {
            member.unmark(frame.key, frame.stock);
        }
        if self.follows_path() {
            self.path.leave(frame.key.high(), frame.same_board);
        }
        if let Some((m, undo)) = frame.arrival {
            self.problem.undo(m, undo);
        }
    }

    /// A node was solved for this path only. On other paths it is as open as before, but it must
    /// not pass for a fresh leaf again: threshold control counts on that.
    fn remember_visit(&self, frame: &Frame<P>, effort: u64) {
        let Some(above) = self.frames.last().filter(|_| !self.is_idle()) else { return };
        let child = &self.children[above.first + above.selected];
        if child.is_solved() {
            return;
        }
        let open = Open {
            pn: child.pn,
            dn: child.dn,
            min_depth: frame.min_depth,
            extra: frame.extra,
            effort,
            parent: frame.parent,
        };
        self.table.store_open(frame.key, frame.stock, frame.plies, open);
    }

    /// Tells the top frame what its selected child turned out to be, or the caller if that was the
    /// root.
    fn report(&mut self, result: NodeResult<P::Stock>, effort: u64) {
        if self.is_idle() && !(self.frames.is_empty() && matches!(result, NodeResult::Solved(..))) {
            // A worker is done with its node. Only if that was the root there is more to say.
            return;
        }
        let Some(frame) = self.frames.last() else {
            match result {
                NodeResult::Solved(solved, _) => self.finish(solved),
                NodeResult::Open { .. } => unreachable!("nothing exceeds the root's thresholds"),
            }
            return;
        };
        let child = &mut self.children[frame.first + frame.selected];
        match result {
            NodeResult::Solved(solved, lean) => child.solve(solved, lean),
            // Others have solved it meanwhile, and this agent knows.
            NodeResult::Open { .. } if child.is_solved() => {}
            NodeResult::Open { pn, dn, extra } => {
                (child.pn, child.dn) = (pn, dn);
                child.extra = extra;
                child.effort = effort;
            }
        }
        if self.member.is_some() {
            self.look_again(self.frames.len() - 1);
        }
        if self.frames.len() == 1 {
            let summary = self.summarise();
            self.root_numbers = summary.numbers(self.top().kind);
        }
    }
}

/// Does the position with this check and stock repeat one on the path, with no more stock?
/// Gives the stock and depth of the latest such one.
fn repeated<P: Problem>(
    frames: &[Frame<P>],
    path: &PathMap,
    check: u64,
    stock: P::Stock,
) -> Option<(P::Stock, u32)> {
    let mut next = path.depth(check);
    while let Some(depth) = next {
        let frame = &frames[depth as usize];
        if stock.within(frame.stock) {
            return Some((frame.stock, depth));
        }
        next = frame.same_board;
    }
    None
}

/// A threshold less a cost, but still to be exceeded by something.
fn less(threshold: Number, cost: Number) -> Number {
    if threshold == INFINITY { INFINITY } else { threshold.saturating_sub(cost).max(1) }
}
