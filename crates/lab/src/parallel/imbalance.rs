//! Fig. 7: how uneven the tree is that was searched below the nodes of a proof.
//!
//! The size of a position is the number of positions that the sequential df-pn⁺ entered at or
//! below it, over all its visits; what the game solved without entering it, or the table by
//! dominance, has size 0. [`Counted`] finds it out: between the move that leads to a
//! position and the one that takes it back, the count of positions entered grows by what was
//! searched below. The proof is that of the certificate. At each of its positions, the size of the
//! primary child (at an AND node the largest, at an OR node the one that is proven) is divided by
//! the size of the position.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use andor::{
    Algorithm, Claim, Control, Evaluation, Interrupted, Key, MoveList, NodeKind, Problem, Pulse,
    Repetition, Rules, Solvable, Stock, Table, Value, certificate,
};
use yomikiri_tsume::Tsume;

use crate::error::{Error, Result};
use crate::problems::{Base, Common, Item, Subject};

/// One position of a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Whose turn it is.
    pub kind: NodeKind,
    /// Positions entered at or below it.
    pub size: u64,
    /// The part of these that is below the primary child.
    pub share: f64,
}

#[derive(Debug, Default)]
struct Tally {
    entered: u64,
    sizes: HashMap<(Key, u32), u64>,
}

/// A problem that counts the positions entered below each position.
#[derive(Clone)]
struct Counted<P> {
    problem: P,
    /// What had been entered when each move of the current line was played.
    before: Vec<u64>,
    tally: Arc<Mutex<Tally>>,
}

impl<P: Problem> Counted<P> {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn name<P: Problem>(problem: &P) -> (Key, u32) {
    (problem.key(), problem.stock().pack())
}

impl<P: Problem> Rules for Counted<P> {
    type Move = P::Move;
    type Undo = P::Undo;
    type Stock = P::Stock;
    type Identity = P::Identity;

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = P::REPETITION_MAY_FAVOUR_ATTACKER;

    fn kind(&self) -> NodeKind {
        self.problem.kind()
    }
    fn repetition(&self) -> Repetition {
        self.problem.repetition()
    }
    fn terminal(&self) -> Option<Value> {
        self.problem.terminal()
    }
    fn legal_moves(&self, moves: &mut Vec<P::Move>) {
        self.problem.legal_moves(moves);
    }
    fn play(&mut self, m: P::Move) -> P::Undo {
        let entered = self.tally().entered;
        self.before.push(entered);
        self.problem.play(m)
    }
    fn undo(&mut self, m: P::Move, undo: P::Undo) {
        let before = self.before.pop();
        let mut tally = self.tally();
        let below = tally.entered - before.unwrap_or(tally.entered);
        if below > 0 {
            *tally.sizes.entry(name(&self.problem)).or_default() += below;
        }
        drop(tally);
        self.problem.undo(m, undo);
    }
    fn identity(&self) -> P::Identity {
        self.problem.identity()
    }
    fn stock(&self) -> P::Stock {
        self.problem.stock()
    }
    fn encode_move(m: P::Move) -> u32 {
        P::encode_move(m)
    }
    fn describe_move(&self, m: P::Move) -> String {
        self.problem.describe_move(m)
    }
    // Weakened positions occur in certificates only.
}

impl<P: Problem> Problem for Counted<P> {
    fn key(&self) -> Key {
        self.problem.key()
    }
    fn key_after(&mut self, m: P::Move) -> (Key, P::Stock) {
        self.problem.key_after(m)
    }
    /// The search asks for the moves of a position when it enters it, and at no other time.
    fn moves(&mut self, list: &mut MoveList<P::Move>, scratch: &mut Vec<P::Move>) {
        self.tally().entered += 1;
        self.problem.moves(list, scratch);
    }
    fn prunes(&self) -> bool {
        self.problem.prunes()
    }
    fn prepare(&mut self, pulse: &Pulse) -> std::result::Result<(), Interrupted> {
        self.problem.prepare(pulse)
    }
    fn evaluate(&mut self) -> Evaluation<P::Stock> {
        self.problem.evaluate()
    }
    fn looks_long(&self) -> bool {
        self.problem.looks_long()
    }
    fn open_takes(&self) -> u16 {
        self.problem.open_takes()
    }
    fn cost(&self, m: P::Move) -> (u32, u32) {
        self.problem.cost(m)
    }
    fn proof_stock_before(&self, m: P::Move, after: P::Stock) -> P::Stock {
        self.problem.proof_stock_before(m, after)
    }
    fn disproof_stock_before(&self, m: P::Move, after: P::Stock) -> P::Stock {
        self.problem.disproof_stock_before(m, after)
    }
    fn proof_stock_here(&self, joined: P::Stock) -> P::Stock {
        self.problem.proof_stock_here(joined)
    }
    fn disproof_stock_here(&self, met: P::Stock) -> P::Stock {
        self.problem.disproof_stock_here(met)
    }
    fn largest_stock(&self) -> P::Stock {
        self.problem.largest_stock()
    }
    fn least_stock(&self) -> P::Stock {
        self.problem.least_stock()
    }
}

/// Searches a problem and measures its proof. Gives the nodes of the search too; nothing if no
/// proof is found within the limits.
pub(super) fn measure(common: &Common, item: &Item) -> Result<Option<(u64, Vec<Share>)>> {
    let Subject::Tsume(root) = &item.subject else { return Ok(None) };
    let table = Table::new(common.hash)?;
    let tally = Arc::new(Mutex::new(Tally::default()));
    let counted =
        Counted { problem: (**root).clone(), before: Vec::new(), tally: Arc::clone(&tally) };
    let mut control = Control::new(common.limits);
    control.stop = common.stop.clone();
    let settings = Base::Dfpn.settings(item.subject.dfpn());
    let outcome = andor::search(&counted, &Algorithm::Dfpn(settings), &table, &mut control);
    if outcome.value() != Some(Value::Proven) {
        return Ok(None);
    }
    let mut body = Vec::new();
    let wrong = |reason: String| Error::Uncertified {
        problem: item.id.clone(),
        search: "df-pn".into(),
        reason,
    };
    let root = &**root;
    let claim = Claim::new(root, Value::Proven, outcome.plies);
    match Tsume::write_certificate(claim, settings, &table, &common.stop, &mut body) {
        Ok(_) => {}
        Err(certificate::WriteError::Stopped) => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    }
    match Tsume::check_certificate(claim, &Pulse::new(common.stop.clone()), &mut body.as_slice()) {
        Ok(_) => {}
        Err(certificate::CheckError::Stopped(_)) => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    }
    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    let entered = tally.entered;
    tally.sizes.insert(name(root), entered);
    let shares = shares(root, &body, &tally.sizes);
    let shares = shares.ok_or_else(|| wrong("its body cannot be read again".into()))?;
    Ok(Some((outcome.nodes, shares)))
}

/// Walks the body of a proof's certificate, whose format is told in [`andor::certificate`].
fn shares(root: &Tsume, mut body: &[u8], sizes: &HashMap<(Key, u32), u64>) -> Option<Vec<Share>> {
    const EXPAND: u8 = 1;
    let size = |tsume: &Tsume| sizes.get(&name(tsume)).copied().unwrap_or(0);
    let mut levels: Vec<(Tsume, Vec<_>)> = Vec::new();
    let mut shares = Vec::new();
    let mut position = root.clone();
    loop {
        let (&record, rest) = body.split_first()?;
        body = rest;
        if record == EXPAND {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            if position.kind() == NodeKind::Or {
                let code = number(&mut body)?;
                moves.retain(|&m| u64::from(Tsume::encode_move(m)) == code);
            }
            let after = |&m: &_| {
                let mut child = position.clone();
                child.play(m);
                size(&child)
            };
            let (here, largest) = (size(&position), moves.iter().map(after).max().unwrap_or(0));
            if here > 0 {
                // Another way may lead to the child too, so it can be larger than the position.
                let share = largest.min(here) as f64 / here as f64;
                shares.push(Share { kind: position.kind(), size: here, share });
            }
            moves.reverse();
            levels.push((position, moves));
        }
        // The next child of the last position that has one left; the others are complete.
        position = loop {
            let Some((above, moves)) = levels.last_mut() else { return Some(shares) };
            if let Some(m) = moves.pop() {
                let mut child = above.clone();
                child.play(m);
                break child;
            }
            number(&mut body)?;
            levels.pop();
        };
    }
}

/// A number of the certificate: seven bits a byte, least first.
fn number(body: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = body.split_first()?;
        *body = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::Options;
    use crate::problems::Set;

    #[test]
    fn sizes_add_up() {
        let set = Set::own("own", 300, 50).expect("our own set");
        for item in &set.items {
            let (nodes, shares) =
                measure(&Options::new(true).common, item).expect("no error").expect("a mate");
            let root = shares.first();
            assert!(root.is_none_or(|root| root.size <= nodes), "{}", item.id);
            for share in &shares {
                assert!((0.0..=1.0).contains(&share.share), "{}: {share:?}", item.id);
                assert!(share.size <= root.map_or(0, |root| root.size), "{}", item.id);
            }
        }
    }
}
