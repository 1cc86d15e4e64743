//! The deep value of DeepPN (Ishitobi, Plaat, Iida and van den Herik, 2015).
//!
//! Proof-number search seesaws: two subtrees of equal size take turns at being the most proving
//! one, and neither gets deep enough to be decided. DeepPN mixes the proof number with how deep a
//! subtree has got. A frontier node at depth *d* has `deep = 1/d`; an inner node has the `deep` of
//! its unsolved child of least `DPN`; and the search follows, and compares by,
//!
//! `DPN(n) = (1 − 1/n.δ)·R + n.deep·(1 − R)`
//!
//! where `n.δ` is what the parent minimises: the proof number below an OR node, the disproof number
//! below an AND node. `R = 1` is proof-number search, `R = 0` goes depth-first. The formula serves
//! best-first search ([`pn_search`](crate::pn_search)) and df-pn ([`dfpn`](crate::dfpn)) alike.

use crate::number::{INFINITY, Number};
use crate::random::SplitMix64;
use crate::rules::Rules;

/// `DPN` of a node with number `delta`, whose frontier lies at `depth`.
pub fn dpn(delta: Number, depth: u16, r: f64) -> f64 {
    debug_assert!(delta != 0 && delta != INFINITY);
    (1.0 - 1.0 / delta as f64) * r + deep(depth) * (1.0 - r)
}

/// The deep value of a frontier at `depth`.
pub fn deep(depth: u16) -> f64 {
    1.0 / depth.max(1) as f64
}

/// The least δ at which a node with its frontier at `depth` has a larger `DPN` than `rival`.
pub fn delta_beyond(rival: f64, depth: u16, r: f64) -> Number {
    if r <= 0.0 {
        return INFINITY;
    }
    // (1 − 1/δ)·R + deep·(1 − R) > rival   ⇔   1/δ < 1 − (rival − deep·(1 − R))/R
    let gap = 1.0 - (rival - deep(depth) * (1.0 - r)) / r;
    if gap <= 0.0 {
        INFINITY
    } else {
        let delta = (1.0 / gap).floor() + 1.0;
        if delta >= INFINITY as f64 { INFINITY } else { delta as Number }
    }
}

/// An `R` that suits a problem, found from some random games.
///
/// The paper leaves the choice open and has two games: one where every line is about equally long (Othello, a
/// *suitable tree* in its words), with a good `R` near 0.65, and one where a line may end early (Hex),
/// with the best near 0.95. So we play random games from the root and look at how much shorter than
/// the longest a game may be. The two values of `R` were chosen on these two games; no other was tried.
pub fn suggest_r<R: Rules>(root: &R) -> f64 {
    const GAMES: u64 = 64;
    /// No game is followed further; one that goes on counts as of another length.
    const LONGEST: usize = 1_000;
    /// Lines are equally long if none is shorter than this share of the longest.
    const EVEN: f64 = 0.85;
    const FOR_EVEN: f64 = 0.6;
    const FOR_UNEVEN: f64 = 0.95;

    let mut moves = Vec::new();
    let mut lengths = (0..GAMES).map(|seed| {
        let (mut random, mut position) = (SplitMix64::new(seed), root.clone());
        (0..LONGEST)
            .find(|_| {
                moves.clear();
                if position.terminal().is_none() {
                    position.legal_moves(&mut moves);
                }
                if let Some(&m) = moves.get(random.below(moves.len())) {
                    position.play(m);
                }
                moves.is_empty()
            })
            .unwrap_or(0)
    });
    let first = lengths.next().unwrap_or(0);
    let (least, most) = lengths.fold((first, first), |(a, b), n| (a.min(n), b.max(n)));
    if least as f64 >= EVEN * most as f64 { FOR_EVEN } else { FOR_UNEVEN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r_one_orders_by_proof_number_and_r_zero_by_depth() {
        for delta in 1..5_000 {
            assert!(dpn(delta, 3, 1.0) < dpn(delta + 1, 30, 1.0));
        }
        assert!(dpn(900, 12, 0.0) < dpn(1, 11, 0.0));
    }

    #[test]
    fn delta_beyond_is_the_first_to_exceed() {
        for r in [0.3, 0.65, 0.95] {
            for depth in [1, 4, 16] {
                for rival_delta in [1, 2, 7, 100] {
                    let rival = dpn(rival_delta, 8, r);
                    let delta = delta_beyond(rival, depth, r);
                    if delta != INFINITY {
                        assert!(dpn(delta, depth, r) > rival - 1e-12);
                        assert!(delta == 1 || dpn(delta - 1, depth, r) <= rival + 1e-12);
                    }
                }
            }
        }
    }
}
