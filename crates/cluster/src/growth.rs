//! Where the master tree grows.
//!
//! *Realization probability* (Tsuruoka et al. 2002): the product of the probabilities of the moves
//! that lead to a node, here those of their [ranks](crate::Ranks). P-GPP (Yokoyama, Kaneko and
//! Tanaka 2015) adds the node of the largest probability, again and again. That gives the tree of
//! the largest *utility* `U(T) = Σ p_v·d_v`: the expected number of coming plies that are in the
//! tree already, and were searched in advance. The nodes are *virtual* at first, for nobody knows
//! the moves of rank n below a leaf; they are counted, and where n are wanted, the n positions
//! that the worker there has searched deepest are taken.
//!
//! To compare with: [`Growth::Random`] (the paper's baseline), [`Growth::Gpp`] (the shares
//! `r₀·r^(k−1)` of Tanaka and Kaneko 2010), [`Growth::Pv`] (one line, as in optimistic pondering).

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::str::FromStr;

use crate::ranks::Ranks;
use crate::tree::{NodeId, Place, Tree};

/// A way to choose new nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Growth {
    /// By realization probability.
    #[default]
    Pgpp,
    /// The best move of a node, and random positions besides.
    Random,
    /// A fixed share of the workers for each move by its rank.
    Gpp,
    /// Along the principal variation.
    Pv,
}

impl Growth {
    /// All of them.
    pub const ALL: [Growth; 4] = [Growth::Pgpp, Growth::Random, Growth::Gpp, Growth::Pv];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Growth::Pgpp => "pgpp",
            Growth::Random => "random",
            Growth::Gpp => "gpp",
            Growth::Pv => "pv",
        }
    }

    /// Adds up to `n` nodes. Fewer if not enough is known; then it may be asked again later.
    /// `random` is the state of the random choices.
    pub fn grow(self, tree: &mut Tree, ranks: &Ranks, n: usize, random: &mut u64) -> usize {
        match self {
            Growth::Pgpp => {
                let shares = shares(tree, ranks, n);
                shares.into_iter().map(|(id, n)| deepest(tree, id, n)).sum()
            }
            Growth::Random => {
                let shares = shares(tree, ranks, n);
                shares.into_iter().map(|(id, n)| scattered(tree, id, n, random)).sum()
            }
            Growth::Gpp => gpp(tree, n),
            Growth::Pv => (0..n).take_while(|_| along_the_line(tree)).count(),
        }
    }
}

/// A text that names no way to grow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no growth '{0}'; known are pgpp, random, gpp and pv")]
pub struct UnknownGrowth(pub String);

impl FromStr for Growth {
    type Err = UnknownGrowth;

    fn from_str(text: &str) -> Result<Growth, UnknownGrowth> {
        let found = Growth::ALL.into_iter().find(|growth| growth.name() == text);
        found.ok_or_else(|| UnknownGrowth(text.into()))
    }
}

/// The realization probability of every node.
pub fn probabilities(tree: &Tree, ranks: &Ranks) -> BTreeMap<NodeId, f64> {
    let mut found = BTreeMap::from([(tree.root(), 1.0)]);
    for (id, node) in tree.nodes() {
        let (Some(&here), legal) = (found.get(&id), Some(node.legal().len())) else { continue };
        for (at, (place, _)) in tree.ranked(id).into_iter().enumerate() {
            if let Place::Child(child) = place {
                found.insert(child, here * ranks.probability(at + 1, legal));
            }
        }
    }
    found
}

/// How many virtual nodes the greedy choice puts below each node.
pub fn shares(tree: &Tree, ranks: &Ranks, n: usize) -> BTreeMap<NodeId, usize> {
    let probabilities = probabilities(tree, ranks);
    let mut heap = BinaryHeap::new();
    for (id, node) in tree.nodes() {
        let probability = probabilities.get(&id).copied().unwrap_or_default();
        // The others' best move has the others' rank; the moves after it have those that are left.
        let taken = tree
            .ranked(id)
            .into_iter()
            .enumerate()
            .filter(|(_, (place, _))| matches!(place, Place::Child(_)))
            .map(|(at, _)| at + 1)
            .collect();
        let legal = Some(node.legal().len());
        heap.extend(Candidate::first(id, probability, Below { ranks, legal, taken }));
    }
    let mut shares = BTreeMap::new();
    for _ in 0..n {
        let Some(best) = heap.pop() else { break };
        *shares.entry(best.concrete).or_insert(0) += 1;
        let below = Below { ranks, legal: None, taken: Vec::new() };
        heap.extend(Candidate::first(best.concrete, best.probability, below));
        heap.extend(best.next());
    }
    shares
}

/// The utility of a tree: the sum over its nodes of the probability that play leaves the tree
/// there (none of the node's children is played), times the node's depth.
pub fn utility(tree: &Tree, ranks: &Ranks) -> f64 {
    let probabilities = probabilities(tree, ranks);
    let of = |id: NodeId| probabilities.get(&id).copied().unwrap_or_default();
    tree.nodes()
        .map(|(id, node)| {
            let left = of(id) - node.children().iter().map(|&child| of(child)).sum::<f64>();
            left * tree.depth(id) as f64
        })
        .sum()
}

/// The utility of the tree of `n` nodes that the greedy choice builds by ranks alone.
pub fn simulated_utility(ranks: &Ranks, n: usize) -> f64 {
    // A node of path probability p adds p: it takes p away from its parent, one ply above.
    let nothing = || Below { ranks, legal: None, taken: Vec::new() };
    let mut heap: BinaryHeap<Candidate<'_>> =
        Candidate::first((), 1.0, nothing()).into_iter().collect();
    let mut utility = 0.0;
    for _ in 1..n {
        let Some(best) = heap.pop() else { break };
        utility += best.probability;
        heap.extend(Candidate::first((), best.probability, nothing()));
        heap.extend(best.next());
    }
    utility
}

/// What may be below a node.
struct Below<'a> {
    ranks: &'a Ranks,
    /// How many legal moves there are, where that is known.
    legal: Option<usize>,
    /// The ranks that are in the tree already.
    taken: Vec<usize>,
}

impl Below<'_> {
    /// The likeliest rank that is not taken, and its probability. Measured tables do not always
    /// fall: in the paper's, rank 10 is likelier than rank 9.
    fn likeliest(&self) -> Option<(usize, f64)> {
        let last = self.legal.unwrap_or(usize::MAX).min(self.ranks.listed().len() + 1);
        let beyond = self.taken.iter().copied().max().unwrap_or(0) + 1;
        let listed = (1..=last).filter(|rank| !self.taken.contains(rank));
        // After the listed ranks all are alike.
        let more = self.legal.is_none_or(|legal| beyond <= legal).then_some(beyond.max(last));
        listed
            .chain(more)
            .map(|rank| (rank, self.ranks.probability(rank, self.legal)))
            .filter(|&(_, probability)| probability > 0.0)
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }
}

/// A node that may be added next.
struct Candidate<'a, C = ()> {
    probability: f64,
    /// The concrete node it hangs from, through virtual ones.
    concrete: C,
    parent: f64,
    rank: usize,
    below: Below<'a>,
}

impl<'a, C: Copy> Candidate<'a, C> {
    fn first(concrete: C, parent: f64, below: Below<'a>) -> Option<Candidate<'a, C>> {
        let (rank, probability) = below.likeliest()?;
        Some(Candidate { probability: parent * probability, concrete, parent, rank, below })
    }

    /// The next one below the same node.
    fn next(mut self) -> Option<Candidate<'a, C>> {
        self.below.taken.push(self.rank);
        Candidate::first(self.concrete, self.parent, self.below)
    }
}

impl<C> Ord for Candidate<'_, C> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.probability.total_cmp(&other.probability).then(other.rank.cmp(&self.rank))
    }
}

impl<C> PartialOrd for Candidate<'_, C> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<C> PartialEq for Candidate<'_, C> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<C> Eq for Candidate<'_, C> {}

/// The best of the moves that a node's worker searches.
fn best_move(tree: &Tree, id: NodeId) -> Option<String> {
    let node = tree.get(id)?;
    let known = node.known().and_then(|report| report.pv.first().cloned());
    known.or_else(|| {
        let others = tree.others(id);
        let deepest = node.lines().deepest(1, |m| others.iter().any(|other| other == m));
        deepest.into_iter().next().map(|mut moves| moves.swap_remove(0))
    })
}

/// Adds the `n` positions below a node that were searched deepest; if it is one, the best move's.
fn deepest(tree: &mut Tree, id: NodeId, n: usize) -> usize {
    if n == 1 {
        return usize::from(best_move(tree, id).is_some_and(|m| tree.add(id, &m).is_some()));
    }
    let Some(node) = tree.get(id) else { return 0 };
    let others = tree.others(id);
    let paths = node.lines().deepest(n, |m| others.iter().any(|other| other == m));
    let mut made: BTreeMap<Vec<String>, NodeId> = BTreeMap::new();
    for path in paths {
        let Some((last, above)) = path.split_last() else { continue };
        let parent = if above.is_empty() { Some(id) } else { made.get(above).copied() };
        if let Some(child) = parent.and_then(|parent| tree.add(parent, last)) {
            made.insert(path, child);
        }
    }
    made.len()
}

/// Adds the best move's position and `n − 1` random ones at or below a node.
fn scattered(tree: &mut Tree, id: NodeId, n: usize, random: &mut u64) -> usize {
    let Some(first) = best_move(tree, id).and_then(|m| tree.add(id, &m)) else { return 0 };
    let mut places = vec![id, first];
    let mut draw = |below: usize| {
        *random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (andor::mix64(*random) % below.max(1) as u64) as usize
    };
    // A place where every move is taken is drawn again, but not for ever.
    for _ in 0..8 * n {
        if places.len() > n {
            break;
        }
        let place = places[draw(places.len())];
        let others = tree.others(place);
        if let Some(m) = others.get(draw(others.len())) {
            places.extend(tree.add(place, m));
        }
    }
    places.len() - 1
}

/// Adds a node at the end of the best line that is in the tree.
fn along_the_line(tree: &mut Tree) -> bool {
    let mut at = tree.root();
    while let Some((_, Place::Child(child))) = tree.value(at) {
        at = child;
    }
    best_move(tree, at).is_some_and(|m| tree.add(at, &m).is_some())
}

/// GPP's shares: of the N workers at a node, the k-th best move gets `r₀·r^(k−1)·N`.
fn gpp(tree: &mut Tree, n: usize) -> usize {
    let before = tree.len();
    // What rounding leaves over is given out by pretending that there are more workers.
    for workers in before + n..=4 * (before + n) {
        share_out(tree, tree.root(), workers, before + n);
        if tree.len() >= before + n {
            break;
        }
    }
    tree.len() - before
}

fn share_out(tree: &mut Tree, id: NodeId, workers: usize, limit: usize) {
    let (first, ratio) = if id == tree.root() { (0.25, 0.75) } else { (0.5, 0.5) };
    let mut share = first * workers as f64;
    let mut children: Vec<NodeId> = tree
        .ranked(id)
        .into_iter()
        .filter_map(|(place, _)| match place {
            Place::Child(child) => Some(child),
            Place::Others => None,
        })
        .collect();
    children.reverse();
    while share >= 1.0 {
        let child = match children.pop() {
            Some(child) => Some(child),
            None if tree.len() < limit => best_move(tree, id).and_then(|m| tree.add(id, &m)),
            None => None,
        };
        let Some(child) = child else { return };
        share_out(tree, child, share as usize, limit);
        share *= ratio;
    }
}
