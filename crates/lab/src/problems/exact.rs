//! A problem without dominance: what is known of a position says nothing of one with another hand.
//!
//! Takano et al. do not mention dominance. Here the stock becomes a part of the position: of its
//! key, and of what tells positions apart. The game's knowledge (first
//! numbers, order, small solvers) is left out too, so it serves the bases that use none.

use andor::{Key, NodeKind, Problem, Repetition, Rules, Stock, Value, mix64};

/// The problem whose every stock is a position of its own.
#[derive(Clone, Debug)]
pub(super) struct Exact<P>(pub P);

impl<P: Rules> Rules for Exact<P> {
    type Move = P::Move;
    type Undo = P::Undo;
    type Stock = ();
    type Identity = (P::Identity, u32);

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = P::REPETITION_MAY_FAVOUR_ATTACKER;

    fn kind(&self) -> NodeKind {
        self.0.kind()
    }

    fn repetition(&self) -> Repetition {
        self.0.repetition()
    }

    fn terminal(&self) -> Option<Value> {
        self.0.terminal()
    }

    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, m: P::Move) -> P::Undo {
        self.0.play(m)
    }

    fn undo(&mut self, m: P::Move, undo: P::Undo) {
        self.0.undo(m, undo);
    }

    fn identity(&self) -> (P::Identity, u32) {
        (self.0.identity(), self.0.stock().pack())
    }

    fn stock(&self) {}

    fn encode_move(m: P::Move) -> u32 {
        P::encode_move(m)
    }

    fn describe_move(&self, m: P::Move) -> String {
        self.0.describe_move(m)
    }
}

impl<P: Problem> Problem for Exact<P> {
    fn key(&self) -> Key {
        with_stock(self.0.key(), self.0.stock())
    }

    fn key_after(&mut self, m: P::Move) -> (Key, ()) {
        let (key, stock) = self.0.key_after(m);
        (with_stock(key, stock), ())
    }
}

fn with_stock<S: Stock>(key: Key, stock: S) -> Key {
    let packed = u64::from(stock.pack());
    Key::from_halves(key.low() ^ mix64(packed), key.high() ^ mix64(packed ^ 0xd1b5_4a32_d192_ed03))
}

andor::solvable!(Exact<yomikiri_tsume::Tsume>);

#[cfg(test)]
mod tests {
    use andor::{Algorithm, Control, Dfpn, Limits, Table, audit};
    use yomikiri_tsume::Tsume;

    use super::*;
    use crate::problems::{Set, Subject};

    fn problems() -> Vec<Tsume> {
        let set = Set::own("own", 100, 50).expect("our own set");
        let tsume = set.items.into_iter().filter_map(|item| match item.subject {
            Subject::Tsume(tsume) => Some(*tsume),
            _ => None,
        });
        tsume.collect()
    }

    #[test]
    fn it_keeps_the_laws_of_a_game() {
        for tsume in problems() {
            let looked = audit(&Exact(tsume), 20).unwrap_or_else(|breach| panic!("{breach}"));
            assert!(looked.positions > 0);
        }
    }

    /// The same verdicts; and more entries, for no hand answers for another.
    #[test]
    fn nothing_but_dominance_is_missing() {
        let mut table = Table::new(16 << 20).expect("a table");
        let (mut with, mut without) = (0, 0);
        for tsume in problems() {
            let algorithm = Algorithm::Dfpn(Dfpn { heuristics: false, ..Dfpn::default() });
            let limits = Limits { nodes: Some(200_000), time: None };
            table.clear();
            let found = andor::search(&tsume, &algorithm, &table, &mut Control::new(limits));
            table.clear();
            let exact = Exact(tsume);
            let other = andor::search(&exact, &algorithm, &table, &mut Control::new(limits));
            assert_eq!(found.value(), other.value());
            with += found.nodes;
            without += other.nodes;
        }
        assert!(without > with, "{with} nodes with dominance, {without} without");
    }
}
