//! What agents share that search one problem together, besides the table.
//!
//! Four small things, none of them under a lock that all would wait for: marks of who is where
//! ([`marks`]), notices of what was solved ([`notices`]), what the game said of positions
//! (`evaluations`), and the disproofs that lean on a path (`dfpn::repetition`), in many parts with a
//! lock each. Marks and notices steer the search and never decide anything: one that is missing or
//! left over costs time and no more. The other two hold verdicts, each under the key of its
//! position, and are as much to be trusted as the table.

pub(crate) mod desk;
mod evaluations;
pub(crate) mod lead;
pub(crate) mod marks;
pub(crate) mod notices;
pub(crate) mod virtual_number;

use crate::dfpn::repetition::SharedResults;
use crate::dfpn::settings::Dfpn;
use crate::dfpn::sums::Sums;
use crate::number::Number;
use crate::problem::{Key, Problem, mix64};
use crate::rules::Stock;
use crate::table::Table;
use evaluations::SharedEvaluations;
use marks::Marks;
use notices::Notices;
use virtual_number::Virtual;

/// How many agents can be told apart. More of them share marks and notices.
pub const MOST: usize = 64;

/// What the agents of one search share.
#[derive(Debug)]
pub struct Team {
    marks: Marks,
    /// How the numbers of the search are added up.
    sums: Sums,
    notices: Notices,
    results: SharedResults,
    /// Where the game takes long to say something.
    evaluations: Option<SharedEvaluations>,
}

impl Team {
    /// For so many agents that search this problem on this table, with these settings.
    pub fn new<P: Problem>(problem: &P, agents: usize, settings: &Dfpn, table: &Table) -> Team {
        /// Parts of the disproofs that lean on a path, each with its own lock.
        const PARTS: usize = 64;
        /// A part that is too small to keep results makes searches endless that need them.
        const SMALLEST: usize = 1 << 16;
        let path_bytes = settings.path_bytes_on(table);
        let parts = if agents > 1 { (path_bytes / SMALLEST).clamp(1, PARTS) } else { 1 };
        Team {
            sums: settings.sums,
            marks: Marks::new(if agents > 1 { marks::SLOTS } else { 1 }),
            notices: Notices::new(agents.min(MOST)),
            results: SharedResults::new(path_bytes, parts),
            evaluations: (agents > 1 && settings.heuristics && problem.looks_long())
                .then(SharedEvaluations::new)
                .flatten(),
        }
    }
}

/// An agent's place in a team.
#[derive(Clone, Copy, Debug)]
pub struct Member<'t> {
    team: &'t Team,
    id: usize,
    /// How the others' marks count for it.
    numbers: Virtual,
    /// Does it end its turn when it has told the leader something?
    yields: bool,
}

impl<'t> Member<'t> {
    /// The agent with this number. It marks its path, and `numbers` says how it heeds the marks of
    /// others.
    pub fn new(team: &'t Team, id: usize, numbers: Virtual) -> Member<'t> {
        let numbers = numbers.with(team.sums);
        Member { team, id: id % team.notices.len(), numbers, yields: false }
    }

    /// The same, but its turn ends when it has told the leader, who is the agent 0, of a solved
    /// node.
    pub fn yielding(self) -> Member<'t> {
        Member { yields: true, ..self }
    }

    /// Has an agent that told these to end its turn?
    #[inline]
    pub(crate) fn yields_to(&self, told: u64) -> bool {
        self.yields && told & 1 != 0
    }

    /// How many agents there are.
    pub(crate) fn agents(&self) -> usize {
        self.team.notices.len()
    }

    /// Do the others' marks not count?
    pub(crate) fn is_blind(&self) -> bool {
        self.numbers == Virtual::OFF
    }

    /// Do they count, and for the choice of a child only?
    pub(crate) fn steers(&self) -> bool {
        !self.is_blind() && !self.keeps_to_paper()
    }

    /// Do they count in thresholds and in what is stored too, as in the paper?
    pub(crate) fn keeps_to_paper(&self) -> bool {
        self.numbers == Virtual::Paper
    }

    pub(crate) fn results(&self) -> &'t SharedResults {
        &self.team.results
    }

    pub(crate) fn evaluations(&self) -> Option<&'t SharedEvaluations> {
        self.team.evaluations.as_ref()
    }

    fn name<S: Stock>(key: Key, stock: S) -> u64 {
        key.low() ^ mix64(u64::from(stock.pack()))
    }

    pub(crate) fn mark<S: Stock>(&self, key: Key, stock: S) {
        self.team.marks.mark(Self::name(key, stock), self.id);
    }

    pub(crate) fn unmark<S: Stock>(&self, key: Key, stock: S) {
        self.team.marks.unmark(Self::name(key, stock), self.id);
    }

    /// `T(n, c)` for a child.
    #[inline]
    pub(crate) fn crowd<S: Stock>(&self, key: Key, stock: S) -> Number {
        if self.is_blind() {
            return 0;
        }
        let agents = self.team.marks.agents(Self::name(key, stock)) & !(1 << self.id);
        self.numbers.of(agents.count_ones())
    }

    /// Tells all others that are below this node that it is solved. Gives a bit for each.
    pub(crate) fn tell<S: Stock>(&self, key: Key, stock: S) -> u64 {
        let agents = self.team.marks.agents(Self::name(key, stock)) & !(1 << self.id);
        self.team.notices.send(agents, key.high());
        agents
    }

    /// Runs `read` on every node that others found solved and thought this agent to be below of.
    #[inline]
    pub(crate) fn read_notices(&self, read: impl FnMut(u64)) {
        self.team.notices.receive(self.id, read);
    }
}
