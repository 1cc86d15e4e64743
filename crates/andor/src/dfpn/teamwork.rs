//! An agent among others on one table: what it does besides searching.
//!
//! It marks the nodes on its path, counts the others' marks as virtual numbers
//! ([`virtual_numbers`](crate::virtual_numbers)), unwinds when it is told that a node on its path
//! is solved, and looks its children up again after a while, for others change them too. Virtual
//! numbers steer this agent alone: what it stores are the true ones. An agent for which the others'
//! marks do not count (`T = 0`, and every leader and worker) does none of this but mark and unwind: as
//! long as nobody solves a node of its path it is plain df-pn on a table that others write to.

use super::agent::{Agent, NodeResult};
use super::node::{self, Child, Summary};
use super::repetition::Lean;
use crate::number::{INFINITY, Number, add};
use crate::problem::Problem;
use crate::rules::NodeKind;
use crate::table::Lookup;
use crate::team::Member;

impl<'t, P: Problem> Agent<'t, P> {
    /// Makes the agent one of a team, before it runs for the first time.
    pub(crate) fn join(&mut self, member: Member<'t>) {
        assert!(self.frames.is_empty(), "an agent joins before it searches");
        self.member = Some(member);
    }

    /// Has its turn to end, because the leader has something to read?
    #[inline]
    pub(crate) fn has_to_yield(&self) -> bool {
        self.member.is_some_and(|member| member.yields_to(self.told))
    }

    /// Did its turn [end](Agent::has_to_yield) for that? The leader, who reads it now, is told once.
    pub(crate) fn yields(&mut self) -> bool {
        let yields = self.has_to_yield();
        self.told = 0;
        yields
    }

    /// The moves from the root to where the agent is.
    pub(crate) fn line(&self) -> impl Iterator<Item = P::Move> + '_ {
        self.frames.iter().filter_map(|frame| frame.arrival.as_ref()).map(|&(m, _)| m)
    }

    /// Takes its marks off.
    pub(super) fn unmark_path(&mut self) {
        if let Some(member) = &self.member {
            let marked = self.frames.iter().filter(|frame| frame.marked);
            marked.for_each(|frame| member.unmark(frame.key, frame.stock));
        }
    }

    /// Unwinds to the shallowest node of its path that others have solved, if it was told of one.
    #[inline]
    pub(super) fn heed_notices(&mut self) {
        let Some(member) = self.member else { return };
        let mut solved_at = None;
        member.read_notices(|check| {
            let mut next = self.path.depth(check);
            while let Some(depth) = next {
                let frame = &self.frames[depth as usize];
                let known = self.table.lookup(frame.key, frame.stock, frame.plies);
                if matches!(known, Lookup::Solved(_)) && solved_at.is_none_or(|at| depth < at) {
                    solved_at = Some(depth);
                }
                next = frame.same_board;
            }
        });
        match solved_at {
            Some(depth) if (depth as usize) < self.base() => self.unwind_below(self.base()),
            Some(depth) => self.unwind(depth as usize),
            None => {}
        }
    }

    /// Leaves nodes until so many are left.
    pub(super) fn unwind_below(&mut self, frames: usize) {
        while self.frames.len() > frames {
            let summary = self.summarise();
            self.leave(&summary);
        }
    }

    /// Leaves all nodes below the one at `depth`, which the table knows to be solved, and that one.
    fn unwind(&mut self, depth: usize) {
        self.unwind_below(depth + 1);
        let frame = self.top();
        let known = self.table.lookup(frame.key, frame.stock, frame.plies);
        // Garbage collection may have taken it meanwhile; or leaving a node below has settled it.
        let (Lookup::Solved(solved), true) = (known, self.frames.len() == depth + 1) else {
            return;
        };
        let frame = self.frames.pop().expect("a frame was just looked at");
        self.leans.leave(frame.leans, depth as u32, std::iter::empty());
        let effort = frame.effort_now(self.nodes);
        self.go_back(frame);
        self.report(NodeResult::Solved(solved, Lean::FREE), effort);
    }

    /// The child to search, and the number of its best rival. Of the children that are within the
    /// node's threshold it is the one of least virtual number. Whether others are below a child is
    /// looked at when it would be taken: to look at all of them would cost more than it is worth, for
    /// what others have just written lies in their caches.
    #[inline]
    pub(super) fn choose(&mut self, depth: usize, summary: &Summary) -> (usize, Number) {
        let steering = self.member.filter(|member| member.steers() && self.settings.deep >= 1.0);
        let Some(member) = steering else { return (summary.best, summary.second) };
        let range = self.children_of(depth);
        for _ in range.clone() {
            let chosen = match self.frames[depth].crowded {
                true => self.least_virtual(depth, summary),
                false => (summary.best, summary.second),
            };
            let child = &mut self.children[range.start + chosen.0];
            let crowd = member.crowd(child.key, child.stock);
            if crowd == child.crowd {
                return chosen;
            }
            child.crowd = crowd;
            self.frames[depth].crowded = true;
        }
        self.least_virtual(depth, summary)
    }

    /// The child of least virtual number, by what is known of who is where, and the number of its best
    /// rival.
    fn least_virtual(&self, depth: usize, summary: &Summary) -> (usize, Number) {
        let frame = &self.frames[depth];
        let threshold = match frame.kind {
            NodeKind::Or => frame.th_pn,
            NodeKind::And => frame.th_dn,
        };
        let threshold = self.control.threshold(threshold, summary.phi);
        let (mut best, mut least, mut second) = (summary.best, INFINITY, INFINITY);
        let mut settled = true;
        for (i, child) in self.children[self.children_of(depth)].iter().enumerate() {
            if child.late && !settled {
                continue;
            }
            let (sel, acc) = child.numbers(frame.kind);
            settled = acc == 0;
            let number = add(sel, child.crowd);
            if number < least && sel < threshold {
                (best, second, least) = (i, least, number);
            } else {
                second = second.min(number);
            }
        }
        let (sel, _) = self.children[frame.first + best].numbers(frame.kind);
        (best, second.max(sel))
    }

    /// The top node's numbers have reached its thresholds. Would the node above choose it again at
    /// once, because others have changed its rivals meanwhile? Then it gets new thresholds and the
    /// search stays below it.
    pub(super) fn stays(&mut self, summary: &Summary) -> bool {
        let depth = self.frames.len() - 1;
        if !self.member.is_some_and(|member| member.steers()) || depth == 0 {
            return false;
        }
        let (above, top) = (depth - 1, self.top());
        let (pn, dn) = summary.numbers(top.kind);
        if pn == 0 || dn == 0 || top.raising_before {
            return false;
        }
        if !self.look_again(above) {
            // Nothing has changed since its thresholds were set.
            return false;
        }
        let children = self.children_of(above);
        let frame = &self.frames[above];
        let child = &mut self.children[children.start + frame.selected];
        if child.is_solved() {
            return false;
        }
        (child.pn, child.dn) = (pn, dn);
        let over = Summary::of(frame.kind, &self.children[children], &self.settings);
        let (above_pn, above_dn) = over.numbers(frame.kind);
        if above_pn >= frame.th_pn || above_dn >= frame.th_dn {
            return false;
        }
        let selected = frame.selected;
        let (best, th_pn, th_dn) = self.way_on(above, &over);
        if best != selected || pn >= th_pn || dn >= th_dn {
            return false;
        }
        if let Some(top) = self.frames.last_mut() {
            (top.th_pn, top.th_dn) = (th_pn, th_dn);
        }
        true
    }

    /// Looks the children of the node at `depth` up again, if enough was searched since; and now and
    /// then lets the others know what the node's numbers are by now. Did it look?
    pub(super) fn look_again(&mut self, depth: usize) -> bool {
        /// Nodes that all agents together search for each child before it is worth a look.
        const PATIENCE: u64 = 64;
        /// Nodes between two stores: every store costs those who read the entry a cache miss.
        const PUBLISH: u64 = 1000;
        let Some(member) = self.member.filter(|member| !member.is_blind()) else {
            return false;
        };
        let range = self.children_of(depth);
        let frame = &mut self.frames[depth];
        let children = &mut self.children[range];
        let searched = (self.nodes - frame.looked) * member.agents() as u64;
        let patience = if member.keeps_to_paper() { 0 } else { PATIENCE };
        if searched < patience * children.len() as u64 {
            return false;
        }
        frame.looked = self.nodes;
        frame.crowded = false;
        let (kind, plies) = (frame.kind, frame.plies.one_less());
        let is_open = |child: &Child<P::Move, P::Stock>| !child.is_solved() && !child.fresh;
        for child in children.iter().filter(|child| is_open(child)) {
            self.table.touch(child.key);
        }
        for child in children.iter_mut().filter(|child| !child.is_solved() && !child.unseen) {
            match self.table.lookup(child.key, child.stock, plies) {
                Lookup::Solved(solved) => {
                    child.solve(solved, Lean::FREE);
                    continue;
                }
                Lookup::Open(open) => {
                    child.fresh = false;
                    (child.pn, child.dn) = (open.pn, open.dn);
                    child.effort = child.effort.max(open.effort);
                }
                Lookup::Missing => {}
            }
            if child.crowd > 0 || member.keeps_to_paper() {
                child.meet_crowd(&member, kind);
            }
            frame.crowded |= child.crowd > 0;
        }
        if self.nodes - frame.published < PUBLISH || member.keeps_to_paper() {
            return true;
        }
        frame.published = self.nodes;
        let summary = Summary::of(frame.kind, children, &self.settings);
        let (pn, dn) = summary.numbers(frame.kind);
        if pn != 0 && dn != 0 {
            let extra = node::extra(&summary, children, &self.settings);
            let open = frame.open(pn, dn, extra, self.nodes);
            self.table.store_open(frame.key, frame.stock, frame.plies, open);
        }
        true
    }
}

impl<P: Problem> Drop for Agent<'_, P> {
    fn drop(&mut self) {
        self.unmark_path();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Stop;
    use crate::dfpn::Dfpn;
    use crate::dfpn::sums::Sums;
    use crate::rules::{Repetition, Value};
    use crate::simple::{Game, Simple};
    use crate::table::Table;
    use crate::team::Team;
    use crate::team::virtual_number::Virtual;

    /// A tree where the attacker has two moves and the defender one; lost for the attacker after 20.
    /// The moves so far, after a 1.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Twos(u32);

    impl Game for Twos {
        type Move = u32;
        const REPETITION: Repetition = Repetition::Never;
        fn kind(&self) -> NodeKind {
            if self.0.ilog2() & 1 == 0 { NodeKind::Or } else { NodeKind::And }
        }
        fn over(&self) -> Option<Value> {
            (self.0.ilog2() == 20).then_some(Value::Disproven)
        }
        fn moves(&self) -> Vec<u32> {
            (0..if self.kind() == NodeKind::Or { 2 } else { 1 }).collect()
        }
        fn after(&self, m: u32) -> Twos {
            Twos(self.0 << 1 | m)
        }
    }

    #[test]
    fn the_second_agent_goes_where_the_first_is_not() {
        for (sums, numbers) in [
            (Sums::Dag, Virtual::Usual),
            (Sums::Dag, Virtual::Paper),
            (Sums::Plain, Virtual::Paper),
            (Sums::Plain, Virtual::Usual),
        ] {
            let (table, settings) = (Table::new(1 << 16), Dfpn { sums, ..Dfpn::default() });
            let table = table.expect("a small table");
            let team = Team::new(&Simple(Twos(1)), 2, &settings, &table);
            let [first, second] = [0, 1].map(|id| {
                let mut agent = Agent::new(Simple(Twos(1)), settings, &table, Stop::new());
                agent.join(Member::new(&team, id, numbers));
                assert_eq!(agent.run(3), crate::dfpn::Step::Budget);
                agent
            });
            let begins = |agent: &Agent<'_, _>| agent.line().next();
            assert_ne!(begins(&first), begins(&second), "{sums:?}, {numbers:?}");
        }
    }
}
