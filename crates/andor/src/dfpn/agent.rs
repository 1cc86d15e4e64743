//! The agent: its state, and the loop that goes down and comes back up.

use std::ops::Range;
use std::time::Duration;

use super::branch::Branch;
use super::evaluations::Evaluations;
use super::node::{Child, Frame, Summary};
use super::repetition::{Lean, Leans, PathMap, SharedResults};
use super::settings::Dfpn;
use super::sums::Sums;
use super::threshold_control::ThresholdControl;
use crate::clock::Instant;
use crate::control::Stop;
use crate::number::Number;
use crate::plies::Plies;
use crate::problem::{Key, MoveList, Problem};
use crate::pulse::Pulse;
use crate::rules::Repetition;
use crate::table::{Solved, Table, numbers};
use crate::team::Member;
use crate::totals::Totals;

/// Where [`Agent::run`] stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// The root is solved: see [`Agent::result`].
    Solved,
    /// The budget is used up, or a worker has no branch to search; call again to go on.
    Budget,
    /// The stop flag was raised, or the [deadline](Agent::set_deadline) is past; call again (with the
    /// flag lowered, or another deadline) to go on.
    Stopped,
}

/// What a node turned out to be when the search left it.
#[derive(Clone, Copy, Debug)]
pub(super) enum NodeResult<S> {
    Solved(Solved<S>, Lean),
    Open { pn: Number, dn: Number, extra: u16 },
}

/// A df-pn search that can be run piece by piece.
pub struct Agent<'t, P: Problem> {
    pub(super) problem: P,
    pub(super) table: &'t Table,
    pub(super) settings: Dfpn,
    pub(super) pulse: Pulse,
    /// Can positions repeat?
    pub(super) cyclic: bool,
    /// Does the game leave out moves that matter for lengths?
    pub(super) prunes: bool,
    /// Is the game's knowledge used? Not where it would spoil a bound on length.
    pub(super) heuristics: bool,
    pub(super) control: ThresholdControl,
    pub(super) frames: Vec<Frame<P>>,
    /// The children of all frames, those of the deepest frame last.
    pub(super) children: Vec<Child<P::Move, P::Stock>>,
    pub(super) path: PathMap,
    pub(super) leans: Leans,
    /// Disproofs that lean on a path, where the agent does not share a team's.
    pub(super) own_results: SharedResults,
    pub(super) evaluations: Evaluations<P::Stock>,
    pub(super) list: MoveList<P::Move>,
    pub(super) scratch: Vec<P::Move>,
    /// The moves of the nodes being settled at the horizon.
    pub(super) last_moves: Vec<P::Move>,
    /// Keys and stocks of the children being looked up, without those that wait.
    pub(super) keys: Vec<(Key, P::Stock)>,
    pub(super) depths: Vec<u32>,
    pub(super) nodes: u64,
    pub(super) entered: u64,
    /// Calls of the game's `evaluate`, and the nodes that these took.
    pub(super) evaluated: u64,
    pub(super) result: Option<Solved<P::Stock>>,
    pub(super) best_move: Option<P::Move>,
    pub(super) root_numbers: (Number, Number),
    /// The agents it searches together with.
    pub(super) member: Option<Member<'t>>,
    /// A worker's part of the problem.
    pub(super) branch: Option<Branch>,
    /// Whom it told of a solved node since its last turn ended, a bit each.
    pub(super) told: u64,
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
            last_moves: Vec::new(),
            keys: Vec::new(),
            depths: Vec::new(),
            nodes: 0,
            entered: 0,
            evaluated: 0,
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
        self.restart_with(problem, Dfpn { plies, ..self.settings });
    }

    /// The same with other settings. (The room for results that hold on one path stays what it is.)
    pub fn restart_with(&mut self, problem: P, settings: Dfpn) {
        self.problem = problem;
        self.settings = settings;
        self.heuristics = settings.heuristics && !(self.prunes && settings.plies.is_bounded());
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

    /// All that is counted.
    pub fn totals(&self) -> Totals {
        Totals { nodes: self.nodes, entered: self.entered, evaluated: self.evaluated }
    }

    /// Proof and disproof number of the root, as known now.
    pub fn root_numbers(&self) -> (Number, Number) {
        self.root_numbers
    }

    /// Length of the line being looked at.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// When it has to [stop](Step::Stopped), if it has to.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.pulse.set_deadline(deadline);
    }

    /// Goes on for about `budget` nodes, however long they take.
    pub fn run(&mut self, budget: u64) -> Step {
        let (start, end) = (self.nodes, self.nodes.saturating_add(budget));
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
            if let Some(due) = summary.due {
                if self.look_at_due(due).is_err() {
                    return Step::Stopped;
                }
                continue;
            }
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

    pub(super) fn top(&self) -> &Frame<P> {
        self.frames.last().expect("a search that is not over has a root")
    }

    pub(super) fn summarise(&self) -> Summary {
        let frame = self.top();
        Summary::of(frame.kind, &self.children[frame.first..], &self.settings)
    }

    /// Where the children of the node at `depth` are.
    pub(super) fn children_of(&self, depth: usize) -> Range<usize> {
        let end = self.frames.get(depth + 1).map_or(self.children.len(), |below| below.first);
        self.frames[depth].first..end
    }

    /// Keeps track of the path only where something asks for it.
    pub(super) fn follows_path(&self) -> bool {
        self.cyclic || self.settings.sums == Sums::Dag || self.member.is_some()
    }

    pub(super) fn finish(&mut self, solved: Solved<P::Stock>) {
        self.result = Some(solved);
        self.root_numbers = numbers(solved.value);
    }
}
