//! A worker's part of a search: one OR node of the leader's path, its children from the worst up.
//!
//! A worker (multiple-paths search and hierarchical pincers: Takano et al. 2009) is an agent whose
//! path begins with the leader's, down to the node where it branches off. There it takes the
//! children from the largest proof number down, where df-pn would take the least, and searches
//! below each with df-pn. The numbers of such a child are beyond the thresholds that the leader has
//! for its own child, so the thresholds are raised to cover them ([`Cover`]). When every child but
//! the leader's has had its turn, or the node is solved, the worker is idle and wants another node.
//! It goes there from where it is: the part of the path that both have is not played again.

use super::agent::Agent;
use super::branch::{Branch, Cover, Waypoint};
use super::descend::less;
use super::epsilon;
use super::node::Frame;
use super::sums::Sums;
use crate::number::{INFINITY, Number};
use crate::problem::Problem;
use crate::pulse::Interrupted;
use crate::table::Lookup;

impl<P: Problem> Agent<'_, P> {
    /// The nodes on its path, from the root to the last but one.
    pub(crate) fn waypoints(&self) -> impl Iterator<Item = Waypoint<P::Move>> + '_ {
        self.frames.windows(2).filter_map(|pair| {
            let [frame, next] = pair else { return None };
            let children = &self.children[frame.first..next.first];
            Some(Waypoint {
                key: frame.key,
                kind: frame.kind,
                open: children.iter().filter(|child| !child.is_solved()).count(),
                thresholds: (frame.th_pn, frame.th_dn),
                m: next.arrival.as_ref()?.0,
                next_th_pn: next.th_pn,
            })
        })
    }

    /// Makes the agent a worker at the last node of `way`, a path from the root that was an
    /// agent's: it takes every child of that node but the one that the path went on to, and searches
    /// each as far as `cover` says. It is idle at once if there is nothing to do, or if it is
    /// interrupted before it has begun.
    pub(crate) fn take_branch(&mut self, way: &[Waypoint<P::Move>], cover: Cover) {
        let Some((at, stem)) = way.split_last() else { return };
        self.leave_branch(stem);
        for above in self.frames.len()..stem.len() {
            let Some(frame) = self.open_frame(way, above) else { break };
            self.push_stem(frame);
        }
        let last = match self.frames.len() == stem.len() {
            true => self.open_frame(way, stem.len()),
            false => None,
        };
        let base = self.frames.len();
        self.branch = Some(Branch {
            base,
            thresholds: at.thresholds,
            next_th_pn: at.next_th_pn,
            cover,
            done: Vec::new(),
        });
        if let Some(frame) = last
            && self.enter(frame).is_ok()
            && self.frames.len() == base + 1
            && let Some(branch) = &mut self.branch
        {
            let children = &self.children[self.frames[base].first..];
            branch.done = children.iter().map(|child| child.m == at.m).collect();
        }
    }

    /// Plays on to the node at `depth` of the way, from the one above it. It has what the table has
    /// noted of it, as if df-pn went there. Nothing if it is solved, here or above: then the agent
    /// stays where it is.
    fn open_frame(&mut self, way: &[Waypoint<P::Move>], depth: usize) -> Option<Frame<P>> {
        let above = depth.checked_sub(1).map(|above| way[above].m);
        let arrival = above.map(|m| (m, self.problem.play(m)));
        let (key, stock) = (self.problem.key(), self.problem.stock());
        debug_assert!(key == way[depth].key);
        let top = self.frames.last();
        let plies = top.map_or(self.settings.plies, |above| above.plies.one_less());
        let parent = top.map_or(0, |above| above.slot);
        let open = match self.table.lookup(key, stock, plies) {
            Lookup::Solved(_) => {
                if let Some((m, undo)) = arrival {
                    self.problem.undo(m, undo);
                }
                return None;
            }
            Lookup::Open(open) => Some(open),
            Lookup::Missing => None,
        };
        let depth = depth.min(u16::MAX as usize) as u16;
        Some(Frame {
            arrival,
            min_depth: open.map_or(depth, |open| open.min_depth.min(depth)),
            effort: open.map_or(0, |open| open.effort),
            extra: open.map_or(0, |open| open.extra),
            parent: open.map(|open| open.parent).filter(|&slot| slot != 0).unwrap_or(parent),
            fresh: false,
            ..Frame::new(key, stock, self.problem.kind(), plies, self.nodes)
        })
    }

    fn push_stem(&mut self, mut frame: Frame<P>) {
        if self.follows_path() {
            frame.same_board = self.path.enter(frame.key.high(), self.frames.len() as u32);
        }
        if self.settings.sums == Sums::Dag {
            frame.slot = self.table.slot_of(frame.key, frame.stock);
        }
        if let Some(member) = &self.member {
            frame.marked = true;
            member.mark(frame.key, frame.stock);
        }
        self.frames.push(frame);
    }

    /// Leaves the branch node, and goes back as far as the path is not that of `stem`.
    fn leave_branch(&mut self, stem: &[Waypoint<P::Move>]) {
        self.unwind_below(self.base());
        let is_common = |(depth, frame): &(usize, &Frame<P>)| match &frame.arrival {
            Some((m, _)) => *m == stem[depth - 1].m,
            None => true,
        };
        let frames = self.frames.iter().take(stem.len()).enumerate();
        let common = frames.take_while(is_common).count();
        while self.frames.len() > common {
            if let Some(frame) = self.frames.pop() {
                self.go_back(frame);
            }
        }
        self.leans.clear();
        self.branch = None;
    }

    /// Nodes above the one that a worker branches off at.
    pub(super) fn base(&self) -> usize {
        self.branch.as_ref().map_or(0, |branch| branch.base)
    }

    /// Is it a worker that has left its node?
    pub(crate) fn is_idle(&self) -> bool {
        self.branch.as_ref().is_some_and(|branch| self.frames.len() <= branch.base)
    }

    /// Is the top node the one that a worker branches off at?
    pub(super) fn is_at_branch(&self) -> bool {
        self.branch.as_ref().is_some_and(|branch| self.frames.len() == branch.base + 1)
    }

    /// Goes down to the child of the largest proof number that had no turn yet; leaves the node if
    /// there is none.
    pub(super) fn descend_from_branch(&mut self) -> Result<(), Interrupted> {
        let frame = self.top();
        let (first, kind) = (frame.first, frame.kind);
        let Some(branch) = &self.branch else { return Ok(()) };
        let children = &self.children[first..];
        let mut settled = true;
        let mut worst: Option<(Number, usize)> = None;
        for (i, child) in children.iter().enumerate() {
            if child.late && !settled {
                continue;
            }
            let (sel, acc) = child.numbers(kind);
            settled = acc == 0;
            let is_open = !child.is_solved() && branch.done.get(i) == Some(&false);
            if is_open && worst.is_none_or(|(number, _)| sel > number) {
                worst = Some((sel, i));
            }
        }
        let Some((_, i)) = worst else {
            let summary = self.summarise();
            self.leave(&summary);
            return Ok(());
        };
        let child = &children[i];
        let (cost_pn, cost_dn) = child.cost;
        let beyond = |threshold: Number, number: Number| {
            threshold.max(epsilon::beyond(number, self.settings.epsilon))
        };
        let (of_node, own_th_dn) = branch.thresholds;
        let (th_pn, th_dn) = match branch.cover {
            Cover::Solved => (INFINITY, INFINITY),
            cover @ (Cover::Least | Cover::Branch) => {
                let th_pn = match cover {
                    Cover::Branch => less(of_node, cost_pn),
                    _ => branch.next_th_pn,
                };
                let sum = self.summarise().sum;
                let th_dn = sum.child_threshold(own_th_dn, child.numbers(kind).1, child.meets);
                (beyond(th_pn, child.pn), beyond(less(th_dn, cost_dn), child.dn))
            }
        };
        self.go_to(i, th_pn, th_dn)?;
        if let Some(branch) = &mut self.branch {
            branch.done[i] = true;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dfpn, Sums};
    use super::*;
    use crate::number::add;
    use crate::plies::Plies;
    use crate::problem::{Evaluation, Key, mix64};
    use crate::rules::{NodeKind, Repetition, Rules, Value};
    use crate::table::Table;
    use crate::team::virtual_number::Virtual;
    use crate::team::{Member, Team};
    use crate::{Step, Stop};

    /// A random graph in which lines meet again: from each place on a level three moves lead to
    /// places on the next one, and who has won is known on the last.
    #[derive(Clone)]
    struct Levels {
        seed: u64,
        level: u64,
        place: u64,
        /// The game's first numbers are 1, or so much at most.
        most: Number,
    }

    impl Rules for Levels {
        type Move = u64;
        type Undo = u64;
        type Stock = ();
        type Identity = (u64, u64);

        fn kind(&self) -> NodeKind {
            if self.level.is_multiple_of(2) { NodeKind::Or } else { NodeKind::And }
        }

        fn repetition(&self) -> Repetition {
            Repetition::Never
        }

        fn terminal(&self) -> Option<Value> {
            let is_won = mix64(self.seed ^ mix64(self.place)) % 100 < 55;
            (self.level == 12).then_some(if is_won { Value::Proven } else { Value::Disproven })
        }

        fn legal_moves(&self, moves: &mut Vec<u64>) {
            moves.extend(0..3);
        }

        fn play(&mut self, m: u64) -> u64 {
            let place = mix64(self.seed ^ mix64(self.place << 8 | self.level << 2 | m)) % 600;
            self.level += 1;
            std::mem::replace(&mut self.place, place)
        }

        fn undo(&mut self, _: u64, place: u64) {
            (self.level, self.place) = (self.level - 1, place);
        }

        fn identity(&self) -> (u64, u64) {
            (self.level, self.place)
        }

        fn stock(&self) {}

        fn encode_move(m: u64) -> u32 {
            m as u32
        }

        fn describe_move(&self, m: u64) -> String {
            m.to_string()
        }
    }

    impl Problem for Levels {
        fn key(&self) -> Key {
            Key::of(&self.identity())
        }

        fn evaluate(&mut self) -> Evaluation<()> {
            let number = |salt| 1 + mix64(self.place ^ salt) as Number % self.most;
            match self.terminal() {
                Some(value) => {
                    Evaluation::Solved { value, stock: (), plies: Plies::NONE, nodes: 0 }
                }
                None => Evaluation::Open { pn: number(1), dn: number(2), nodes: 0 },
            }
        }
    }

    impl Levels {
        fn new(seed: u64) -> Levels {
            Levels { seed, level: 0, place: 0, most: 1 }
        }
    }

    /// Searches of one size each, which are not over after so many nodes: with the leader there.
    fn each_leader(sums: Sums, mut look: impl FnMut(&Levels, &Table, Dfpn, &[Waypoint<u64>])) {
        let mut table = Table::new(1 << 22).expect("a table");
        for seed in 0..40 {
            table.clear();
            let problem = Levels::new(seed);
            let settings = Dfpn { sums, epsilon: 0.0, ..Dfpn::default() };
            let mut leader = Agent::new(problem.clone(), settings, &table, Stop::new());
            if leader.run(500) == Step::Budget {
                let way: Vec<_> = leader.waypoints().collect();
                look(&problem, &table, settings, &way);
            }
        }
    }

    fn work(worker: &mut Agent<'_, Levels>, way: &[Waypoint<u64>], cover: Cover) {
        worker.take_branch(way, cover);
        while !worker.is_idle() {
            let _ = worker.run(10_000);
        }
    }

    fn branches(way: &[Waypoint<u64>]) -> impl Iterator<Item = usize> + '_ {
        (0..way.len()).filter(|&depth| way[depth].kind == NodeKind::Or && way[depth].open > 1)
    }

    fn at(problem: &Levels, way: &[Waypoint<u64>]) -> Levels {
        let mut node = problem.clone();
        way.iter().for_each(|step| {
            node.play(step.m);
        });
        node
    }

    /// What is known of the position after a move: its numbers.
    fn numbers_after(table: &Table, node: &Levels, m: u64) -> (Number, Number) {
        let mut child = node.clone();
        child.play(m);
        match (child.terminal(), table.lookup(child.key(), (), Plies::UNBOUNDED)) {
            (Some(value), _) => crate::table::numbers(value),
            (None, Lookup::Solved(solved)) => crate::table::numbers(solved.value),
            (None, Lookup::Open(open)) => (open.pn, open.dn),
            (None, Lookup::Missing) => (1, 1),
        }
    }

    /// The effort, which children meet again, the depth and the parent stay as they were.
    #[test]
    fn the_branch_node_keeps_what_was_noted_of_it() {
        let mut compared = 0;
        each_leader(Sums::Dag, |problem, table, settings, way| {
            let mut worker = Agent::new(problem.clone(), settings, table, Stop::new());
            for depth in branches(way) {
                let key = at(problem, &way[..depth]).key();
                let look = || table.lookup(key, (), Plies::UNBOUNDED);
                let Lookup::Open(before) = look() else { continue };
                work(&mut worker, &way[..=depth], Cover::Least);
                let Lookup::Open(after) = look() else { continue };
                assert_eq!(after.parent, before.parent);
                assert_eq!(after.min_depth, before.min_depth);
                assert_eq!(after.extra & before.extra, before.extra);
                assert!(after.effort >= before.effort, "{before:?} {after:?}");
                compared += usize::from(after.effort > before.effort);
            }
        });
        assert!(compared > 20, "{compared}");
    }

    /// Every child but the leader's is searched as far as the cover says, and not further.
    #[test]
    fn children_are_searched_as_far_as_the_cover_says() {
        let (mut within, mut beyond, mut solved) = (0, 0, 0);
        for cover in [Cover::Least, Cover::Branch, Cover::Solved] {
            each_leader(Sums::Plain, |problem, table, settings, way| {
                // The deepest ones: after those above them they would be solved.
                for depth in branches(way).collect::<Vec<_>>().into_iter().rev().take(2) {
                    let (at_node, node) = (&way[depth], at(problem, &way[..depth]));
                    let look = || [0, 1, 2].map(|m| numbers_after(table, &node, m));
                    let before = look();
                    let mut worker = Agent::new(problem.clone(), settings, table, Stop::new());
                    work(&mut worker, &way[..=depth], cover);
                    let after = look();
                    if after.iter().any(|&(pn, _)| pn == 0) {
                        continue;
                    }
                    let (th_pn, th_dn) = at_node.thresholds;
                    let dn = after.iter().fold(0, |sum, &(_, dn)| add(sum, dn));
                    for m in (0..3).filter(|&m| m != at_node.m && before[m as usize].1 != 0) {
                        let (old, (pn, own_dn)) = (before[m as usize].0, after[m as usize]);
                        let is_solved = own_dn == 0;
                        let told = format!("{cover}: {old} to {pn} ({own_dn}), {at_node:?}");
                        match cover {
                            Cover::Least => {
                                assert!(is_solved || pn > old || dn >= th_dn, "{told}");
                                // As no other cover leaves it.
                                let is_within = pn < th_pn && dn < th_dn;
                                within += usize::from(is_within && !is_solved);
                            }
                            Cover::Branch => {
                                assert!(is_solved || pn >= th_pn || dn >= th_dn, "{told}");
                                beyond += usize::from(!is_solved);
                            }
                            Cover::Solved => {
                                assert!(is_solved, "{told}");
                                solved += 1;
                            }
                        }
                    }
                }
            });
        }
        println!("{within} within, {beyond} beyond, {solved} solved");
        assert!(within > 10 && beyond > 5 && solved > 10, "{within} {beyond} {solved}");
    }

    /// A worker that goes from node to node along a path is where one is that comes from the root.
    #[test]
    fn the_part_of_the_path_that_stays_is_not_played_again() {
        let mut compared = 0;
        each_leader(Sums::Plain, |problem, table, settings, way| {
            let mut worker = Agent::new(problem.clone(), settings, table, Stop::new());
            let depths: Vec<usize> = branches(way).collect();
            for &depth in depths.iter().chain(depths.iter().rev()) {
                worker.take_branch(&way[..=depth], Cover::Least);
                if worker.is_idle() {
                    continue;
                }
                assert_eq!(worker.problem.identity(), at(problem, &way[..depth]).identity());
                assert_eq!(worker.base(), depth);
                let moves: Vec<u64> = worker.line().collect();
                assert_eq!(moves, way[..depth].iter().map(|step| step.m).collect::<Vec<_>>());
                compared += 1;
            }
        });
        assert!(compared > 20, "{compared}");
    }

    /// What an agent has only just entered has an entry with the game's own numbers: others that look
    /// at it meanwhile see what the agent saw. With (1, 1) they would be drawn there.
    #[test]
    fn what_was_just_entered_has_its_first_numbers_in_the_table() {
        let mut more_than_one = 0;
        for seed in 0..1000 {
            let table = Table::new(1 << 16).expect("a small table");
            let problem = Levels { most: 5, ..Levels::new(seed) };
            let settings = Dfpn { sums: Sums::Dag, ..Dfpn::default() };
            let mut agent = Agent::new(problem.clone(), settings, &table, Stop::new());
            assert_eq!(agent.run(2), Step::Budget);
            if agent.depth() < 2 {
                continue;
            }
            let mut child = at(&problem, &agent.waypoints().collect::<Vec<_>>());
            let Evaluation::Open { pn, dn, .. } = child.evaluate() else { panic!("not so soon") };
            let known = table.lookup(child.key(), (), Plies::UNBOUNDED);
            let Lookup::Open(open) = known else { panic!("{known:?}") };
            assert_eq!((open.pn, open.dn), (pn, dn));
            more_than_one += u32::from((pn, dn) != (1, 1));
        }
        assert!(more_than_one > 20, "{more_than_one}");
    }

    /// A worker's turn ends when it has told the leader something: once for all of it.
    #[test]
    fn a_turn_ends_once_for_what_the_leader_is_told() {
        let mut told = 0;
        let mut table = Table::new(1 << 22).expect("a table");
        for seed in 0..200 {
            table.clear();
            let problem = Levels::new(seed);
            let settings = Dfpn { sums: Sums::Plain, epsilon: 0.0, ..Dfpn::default() };
            let team = Team::new(&problem, 2, &settings, &table);
            let [mut leader, mut worker] = [0, 1].map(|id| {
                let mut agent = Agent::new(problem.clone(), settings, &table, Stop::new());
                agent.join(Member::new(&team, id, Virtual::OFF).yielding());
                agent
            });
            if leader.run(500) != Step::Budget {
                continue;
            }
            let way: Vec<_> = leader.waypoints().collect();
            for depth in branches(&way) {
                worker.take_branch(&way[..=depth], Cover::Solved);
                while !worker.is_idle() && worker.run(10_000) == Step::Budget {
                    // Who goes on without a word to the leader gets nowhere.
                    let (nodes, yields) = (worker.nodes(), worker.has_to_yield());
                    assert!(!yields || (worker.run(1) == Step::Budget && worker.nodes() == nodes));
                    assert_eq!(worker.yields(), yields);
                    assert!(!worker.has_to_yield());
                    told += u32::from(yields);
                }
            }
        }
        assert!(told > 10, "{told}");
    }

    /// As long as its workers find nothing a leader takes the way of df-pn node for node, though it
    /// is one of a team.
    #[test]
    fn a_leader_is_plain_dfpn() {
        let mut table = Table::new(1 << 22).expect("a table");
        let mut nodes = 0;
        for (seed, sums) in (0..40).flat_map(|seed| [(seed, Sums::Plain), (seed, Sums::Dag)]) {
            let problem = Levels::new(seed);
            let settings = Dfpn { sums, ..Dfpn::default() };
            let team = Team::new(&problem, 3, &settings, &table);
            let mut search = |member: Option<Member<'_>>| {
                table.clear();
                let mut agent = Agent::new(problem.clone(), settings, &table, Stop::new());
                if let Some(member) = member {
                    agent.join(member);
                }
                let _ = agent.run(20_000);
                (agent.nodes(), agent.entered(), agent.root_numbers(), table.stored())
            };
            let alone = search(None);
            let leader = Member::new(&team, 0, Virtual::OFF).yielding();
            assert_eq!(search(Some(leader)), alone, "seed {seed}, {sums:?}");
            nodes += alone.0;
        }
        println!("{nodes} nodes");
        assert!(nodes > 20_000, "{nodes}");
    }
}
