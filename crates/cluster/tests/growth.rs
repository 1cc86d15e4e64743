//! The greedy choice against all trees there are.

use std::collections::BTreeMap;

use yomikiri_cluster::growth::{self, probabilities, shares, simulated_utility, utility};
use yomikiri_cluster::{Game, NodeId, Ranks, Report, Tree, Value};
use yomikiri_engine::protocol::{Bound, PositionText};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    /// A table of so many ranks; not always falling, as measured ones are not.
    fn ranks(&mut self, n: usize) -> Ranks {
        let weights: Vec<f64> = (0..n).map(|_| 1.0 + self.below(1000) as f64).collect();
        let sum: f64 = weights.iter().sum::<f64>() * (1.0 + self.below(2) as f64 / 10.0);
        Ranks::new(weights.into_iter().map(|w| w / sum).collect()).unwrap()
    }
}

/// Every tree of `n` nodes whose nodes have children of ranks 1 to `width`, as the paper's sum of
/// `p_v·d_v`: the largest. A tree is grown by adding children to nodes in the order in which the
/// nodes were made, so that none is made twice.
fn enumerate(ranks: &Ranks, width: usize, n: usize) -> f64 {
    fn sum(nodes: &[(f64, usize, f64)]) -> f64 {
        nodes.iter().map(|&(path, depth, below)| (path - below) * depth as f64).sum()
    }
    // A node: the probability of its path, its depth, the probability of its children together.
    fn go(
        ranks: &Ranks,
        width: usize,
        n: usize,
        nodes: &mut Vec<(f64, usize, f64)>,
        next: (usize, usize),
    ) -> f64 {
        if nodes.len() == n {
            return sum(nodes);
        }
        let mut best = f64::MIN;
        for parent in next.0..nodes.len() {
            for rank in if parent == next.0 { next.1 } else { 1 }..=width {
                let p = nodes[parent].0 * ranks.probability(rank, None);
                nodes[parent].2 += p;
                nodes.push((p, nodes[parent].1 + 1, 0.0));
                best = best.max(go(ranks, width, n, nodes, (parent, rank + 1)));
                nodes.pop();
                nodes[parent].2 -= p;
            }
        }
        best
    }
    go(ranks, width, n, &mut vec![(1.0, 0, 0.0)], (0, 1))
}

/// The largest utility that k nodes can add below a node, of probability 1, with these ranks free:
/// every way to deal them out is tried.
fn best_below(ranks: &Ranks, free: &[f64], k: usize, memo: &mut BTreeMap<usize, f64>) -> f64 {
    let Some((&p, rest)) = free.split_first() else { return if k == 0 { 0.0 } else { f64::MIN } };
    let mut best = f64::MIN;
    for here in 0..=k {
        let below = match here {
            0 => 0.0,
            _ => p * (1.0 + unknown(ranks, here - 1, memo)),
        };
        best = best.max(below + best_below(ranks, rest, k - here, memo));
    }
    best
}

/// The same below a node of which nothing is known.
fn unknown(ranks: &Ranks, k: usize, memo: &mut BTreeMap<usize, f64>) -> f64 {
    if let Some(&known) = memo.get(&k) {
        return known;
    }
    let free: Vec<f64> =
        (1..=ranks.listed().len() + k).map(|r| ranks.probability(r, None)).collect();
    let best = if k == 0 { 0.0 } else { best_below(ranks, &free, k, memo) };
    memo.insert(k, best);
    best
}

#[test]
fn the_greedy_tree_has_the_largest_utility() {
    let mut random = Random(1);
    for case in 0..1000 {
        // All trees of ten nodes of width two, of eight of width three, or of six of width four.
        let (width, most) = [(2, 10), (3, 8), (4, 6)][case % 3];
        let n = 1 + random.below(most);
        let listed = random.ranks(width);
        // Nothing is left for further ranks, so that they may be left out.
        let whole: f64 = listed.listed().iter().sum();
        let ranks = Ranks::new(listed.listed().iter().map(|p| p / whole * (1.0 - 1e-12)).collect());
        let ranks = ranks.unwrap();
        let (found, best) = (simulated_utility(&ranks, n), enumerate(&ranks, width, n));
        assert!((found - best).abs() < 1e-6, "case {case}: {found} of {best} with {n} nodes");
    }
}

#[test]
fn the_shares_below_a_real_tree_are_the_best() {
    let mut random = Random(7);
    for case in 0..300 {
        let ranks = random.ranks(1 + case % 12);
        let tree = some_tree(&mut random, 1 + case % 6);
        let n = random.below(5);
        let p = probabilities(&tree, &ranks);
        let mut memo = BTreeMap::new();
        // What k more nodes below a concrete node are worth at most.
        let mut worth = |id: NodeId, k: usize| {
            let legal = tree.get(id).unwrap().legal().len();
            let taken: Vec<usize> = tree
                .ranked(id)
                .iter()
                .enumerate()
                .filter(|(_, (place, _))| matches!(place, yomikiri_cluster::Place::Child(_)))
                .map(|(at, _)| at + 1)
                .collect();
            let free: Vec<f64> = (1..=legal.min(ranks.listed().len() + 8))
                .filter(|rank| !taken.contains(rank))
                .map(|rank| ranks.probability(rank, Some(legal)))
                .collect();
            p[&id] * best_below(&ranks, &free, k, &mut memo)
        };
        let ids: Vec<NodeId> = tree.nodes().map(|(id, _)| id).collect();
        let mut best = vec![0.0; n + 1];
        for &id in &ids {
            let gains: Vec<f64> = (0..=n).map(|k| worth(id, k)).collect();
            best = (0..=n)
                .map(|k| (0..=k).map(|here| best[k - here] + gains[here]).fold(f64::MIN, f64::max))
                .collect();
        }
        let greedy = shares(&tree, &ranks, n);
        assert_eq!(greedy.values().sum::<usize>(), n);
        let found: f64 = greedy.iter().map(|(&id, &k)| worth(id, k)).sum();
        assert!((found - best[n]).abs() < 1e-9, "case {case}: {found} of {}", best[n]);
    }
}

/// A tree with scores at random.
fn some_tree(random: &mut Random, nodes: usize) -> Tree {
    let mut tree = Tree::new(Game::Chess, PositionText::initial()).unwrap();
    let mut ids = vec![tree.root()];
    while ids.len() < nodes {
        let parent = ids[random.below(ids.len())];
        let others = tree.others(parent);
        ids.extend(tree.add(parent, &others[random.below(others.len())]));
    }
    for id in ids {
        let others = tree.others(id);
        let pv = vec![others[random.below(others.len())].clone()];
        let value = Value::cp(random.below(200) as i32 - 100);
        tree.report(id, Report { depth: 5, value, bound: Bound::Exact, pv });
    }
    tree.check().unwrap();
    tree
}

#[test]
fn utility_is_the_expected_depth_at_which_play_leaves_the_tree() {
    let ranks = Ranks::new(vec![0.5, 0.3]).unwrap();
    let mut tree = Tree::new(Game::Chess, PositionText::initial()).unwrap();
    assert_eq!(utility(&tree, &ranks), 0.0);
    let root = tree.root();
    let first = tree.add(root, "e2e4").unwrap();
    // Nothing is known: the child is ranked first, as it was made for the best move.
    assert!((utility(&tree, &ranks) - 0.5).abs() < 1e-12);
    tree.add(first, "e7e5").unwrap();
    assert!((utility(&tree, &ranks) - 0.75).abs() < 1e-12);
    // The paper's simulation by ranks alone agrees on such a chain.
    assert!((simulated_utility(&ranks, 2) - 0.5).abs() < 1e-12);
}

#[test]
fn every_growth_adds_what_it_is_asked_for() {
    let mut random = Random(3);
    for growth in growth::Growth::ALL {
        let mut tree = Tree::new(Game::Chess, PositionText::initial()).unwrap();
        let root = tree.root();
        let pv = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].map(String::from).to_vec();
        tree.report(root, Report { depth: 9, value: Value::cp(20), bound: Bound::Exact, pv });
        let mut state = random.below(1000) as u64;
        let grown = growth.grow(&mut tree, &Ranks::paper(), 3, &mut state);
        tree.check().unwrap();
        assert_eq!(tree.len(), 1 + grown, "{growth:?}");
        assert!((1..=3).contains(&grown), "{growth:?} added {grown}");
        assert!(!tree.get(root).unwrap().children().is_empty());
    }
}
