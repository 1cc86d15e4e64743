//! Tsume-shogi: the attacker gives check with every move until the defender is mated.
//!
//! [`Tsume`] is the rules and the [`Problem`]. Repetition favours the defender; the stock is the
//! attacker's hand. What the attacker does not hold and what is not on the board the defender
//! holds, so the board and the attacker's hand say everything, and a larger hand of the attacker
//! (with a smaller one of the defender) never hurts the attacker: a pawn-drop mate is illegal
//! whatever the hands are, for a check by a pawn cannot be interposed.

use andor::{Evaluation, Key, MoveList, NodeKind, Plies, Problem, Repetition, Rules, Value, mix64};
use yomikiri_shogi::{
    Bitboard, CheckInfo, Color, Hand, Kind, Move, Position, Square, Undo, attacks,
};

use crate::first_numbers;
use crate::stock::AttackersHand;

/// How interpositions that gain nothing (無駄合い) count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum Futile {
    /// As any other move.
    #[default]
    Counted,
    /// A position in which the defender can only interpose in vain is mate already: see
    /// [`Tsume::is_mate_but_for_futile_interpositions`].
    NotCounted,
}

/// What a check may cost (`Cost` of df-pn⁺): it steers the search, and changes no verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckCost {
    /// A promotion that is forgone: 1.
    #[default]
    Promotion,
    /// A piece that is given away, as in Kaneko (2010): 1 for a check by a piece that can be taken
    /// and takes nothing itself.
    Sacrifice,
}

/// A tsume-shogi position: the attacker is to give mate by checks alone.
#[derive(Debug)]
pub struct Tsume {
    position: Position,
    attacker: Color,
    futile: Futile,
    cost: CheckCost,
    /// Tells problems with different material or rules apart in one table.
    salt: u128,
    buffer: Vec<Move>,
}

/// The position, without the room for its moves: most copies never list any.
impl Clone for Tsume {
    fn clone(&self) -> Tsume {
        Tsume { position: self.position.clone(), buffer: Vec::new(), ..*self }
    }
}

impl Tsume {
    /// The side to move attacks, unless it is in check: then it defends.
    pub fn new(position: Position) -> Tsume {
        let turn = position.turn();
        let attacker = if position.is_check() { !turn } else { turn };
        Tsume::with_attacker(position, attacker)
    }

    /// A problem with the attacker named.
    pub fn with_attacker(position: Position, attacker: Color) -> Tsume {
        let (futile, cost) = Default::default();
        let mut tsume = Tsume { position, attacker, futile, cost, salt: 0, buffer: Vec::new() };
        tsume.set_salt();
        tsume
    }

    /// The same problem with other costs of checks.
    pub fn with_cost(self, cost: CheckCost) -> Tsume {
        Tsume { cost, ..self }
    }

    /// The same problem with another rule for futile interpositions.
    pub fn with_futile(mut self, futile: Futile) -> Tsume {
        self.futile = futile;
        self.set_salt();
        self
    }

    fn set_salt(&mut self) {
        let rules = u64::from(self.attacker == Color::White) | u64::from(self.is_lenient()) << 1;
        let low = mix64(u64::from(self.position.material().pack()) << 2 | rules);
        self.salt = u128::from(mix64(low ^ 0x7a5e)) << 64 | u128::from(low);
    }

    fn is_lenient(&self) -> bool {
        self.futile == Futile::NotCounted
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How futile interpositions count.
    pub fn futile(&self) -> Futile {
        self.futile
    }

    /// The side that is to give mate.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// The attacker's hand.
    #[inline]
    pub fn attackers_hand(&self) -> Hand {
        self.position.hand(self.attacker)
    }

    /// What both sides hold together.
    #[inline]
    fn rest(&self) -> Hand {
        self.position.hand(Color::Black).and(self.position.hand(Color::White))
    }

    /// The squares where the defender, to move, can put something between his king and the only
    /// checker.
    #[inline]
    fn interposition_squares(&self, checkers: Bitboard) -> Bitboard {
        match (self.position.king(!self.attacker), checkers.first()) {
            (Some(king), Some(checker)) if !checkers.is_many() => attacks::between(king, checker),
            _ => Bitboard::EMPTY,
        }
    }

    /// With the defender to move: is it mate, or can he only drop pieces between that the checking
    /// piece takes at once, with the same result? Such interpositions are futile (無駄合い) by the
    /// convention of tsume-shogi: they are not counted in the length. It is asked of every square
    /// between, whether the defender holds a piece for it or not.
    pub fn is_mate_but_for_futile_interpositions(&self) -> bool {
        let checkers = self.position.checkers();
        !checkers.is_empty() && is_lenient_mate(&self.position, checkers)
    }
}

/// Can the defender, to move and in check, do nothing but interpose in vain?
fn is_lenient_mate(position: &Position, checkers: Bitboard) -> bool {
    !position.has_move_without_drop(checkers) && interposes_in_vain(position, checkers)
}

/// Is it in vain whatever the defender, in check and without another move, could drop between?
fn interposes_in_vain(position: &Position, checkers: Bitboard) -> bool {
    let king = position.king(position.turn());
    let (Some(king), Some(checker)) = (king, checkers.first()) else { return false };
    checkers.is_many()
        || attacks::between(king, checker).into_iter().all(|to| is_futile(position, checker, to))
}

/// Does a piece dropped on `square` only let the checking piece take it with the same effect?
fn is_futile(position: &Position, checker: Square, square: Square) -> bool {
    let us = position.turn();
    let Some(piece) = position.piece(checker) else { return false };
    // The checker takes and stands on the square; what it took is of no matter here.
    let mut after = position.clone();
    after.set(checker, None);
    after.set(square, Some(piece));
    let Some(king) = after.king(us) else { return false };
    // The attacker's own king must not have been exposed.
    if let Some(own) = after.king(!us)
        && after.is_attacked(us, own, after.occupied())
    {
        return false;
    }
    let checkers = after.attackers(!us, king, after.occupied());
    is_lenient_mate(&after, checkers)
}

/// Lists the drops on a square as a chain, which goes on with the move before if `late`. Were there
/// any?
fn list_drops(list: &mut MoveList<Move>, moves: &[Move], square: Square, late: bool) -> bool {
    let mut late = late;
    let mut any = false;
    for &m in moves.iter().filter(|m| m.is_drop() && m.to() == square) {
        if late {
            list.push_late(m)
        } else {
            list.push(m)
        }
        (late, any) = (true, true);
    }
    any
}

impl Rules for Tsume {
    type Move = Move;
    type Undo = Undo;
    type Stock = AttackersHand;
    /// The board, five bits a square, and the side to move.
    type Identity = [u64; 7];

    const REPETITION_MAY_FAVOUR_ATTACKER: bool = false;

    fn kind(&self) -> NodeKind {
        if self.position.turn() == self.attacker { NodeKind::Or } else { NodeKind::And }
    }

    fn repetition(&self) -> Repetition {
        Repetition::FavoursDefender
    }

    fn terminal(&self) -> Option<Value> {
        if self.position.turn() == self.attacker {
            return None;
        }
        let checkers = self.position.checkers();
        if checkers.is_empty() {
            return Some(Value::Disproven);
        }
        (self.is_lenient() && is_lenient_mate(&self.position, checkers)).then_some(Value::Proven)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.position.turn() == self.attacker {
            self.position.checks(moves);
        } else {
            self.position.evasions(moves);
        }
    }

    #[inline]
    fn play(&mut self, m: Move) -> Undo {
        self.position.play(m)
    }

    #[inline]
    fn undo(&mut self, m: Move, undo: Undo) {
        self.position.undo(m, undo);
    }

    fn identity(&self) -> [u64; 7] {
        let mut words = [0; 7];
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece(square) {
                let at = square.index();
                words[at / 12] |= (piece.index() as u64 + 1) << (5 * (at % 12));
            }
        }
        words[6] |= (self.position.turn() as u64) << 63;
        words
    }

    fn stock(&self) -> AttackersHand {
        AttackersHand(self.attackers_hand())
    }

    fn encode_move(m: Move) -> u32 {
        u32::from(m.code())
    }

    fn describe_move(&self, m: Move) -> String {
        m.to_string()
    }
}

impl Problem for Tsume {
    #[inline]
    fn key(&self) -> Key {
        Key(self.position.key() ^ self.salt)
    }

    #[inline]
    fn key_after(&mut self, m: Move) -> (Key, AttackersHand) {
        let (key, hand) = self.position.after(m);
        let stock =
            if self.position.turn() == self.attacker { hand } else { self.attackers_hand() };
        (Key(key ^ self.salt), AttackersHand(stock))
    }

    fn moves(&mut self, list: &mut MoveList<Move>, scratch: &mut Vec<Move>) {
        if self.position.turn() == self.attacker {
            self.position.checks(scratch);
            scratch.iter().for_each(|&m| list.push(m));
        } else {
            self.order_evasions(list, scratch);
        }
    }

    fn evaluate(&mut self) -> Evaluation<AttackersHand> {
        if self.position.turn() == self.attacker {
            self.look_at_checks()
        } else {
            self.look_at_evasions()
        }
    }

    fn length_step(&self) -> u16 {
        2
    }

    fn open_takes(&self) -> u16 {
        // What is no mate takes two plies more; with the attacker to move there is no mate in one.
        if self.position.turn() == self.attacker { 2 } else { 3 }
    }

    /// A check by a piece that forgoes its promotion is of use only where a pawn drop would be mate
    /// otherwise. (To open it late, when the promotion is refuted, is far worse: in problems that
    /// turn on it the refutation may be the hardest part.)
    fn cost(&self, m: Move) -> (u32, u32) {
        if self.position.turn() != self.attacker {
            return (0, 0);
        }
        let costs = match self.cost {
            CheckCost::Promotion => self.forgoes_promotion(m),
            CheckCost::Sacrifice => self.gives_away(m),
        };
        (u32::from(costs), 0)
    }

    fn proof_stock_before(&self, m: Move, AttackersHand(after): AttackersHand) -> AttackersHand {
        if self.position.turn() != self.attacker {
            return AttackersHand(after);
        }
        AttackersHand(match m.dropped() {
            Some(kind) => after.plus(kind),
            None => match self.position.piece(m.to()) {
                Some(taken) if after.has(taken.kind()) => after.minus(taken.kind()),
                _ => after,
            },
        })
    }

    fn disproof_stock_before(&self, m: Move, AttackersHand(after): AttackersHand) -> AttackersHand {
        let attacks = self.position.turn() == self.attacker;
        AttackersHand(match m.dropped() {
            Some(kind) if attacks => after.meet(self.rest().minus(kind)).plus(kind),
            Some(kind) => after.meet(self.rest().minus(kind)),
            None => match self.position.piece(m.to()) {
                Some(taken) if attacks && after.has(taken.kind()) => after.minus(taken.kind()),
                _ => after,
            },
        })
    }

    fn proof_stock_here(&self, joined: AttackersHand) -> AttackersHand {
        let between = self.interposition_squares(self.position.checkers());
        if between.is_empty() {
            return joined;
        }
        let (ours, theirs) = (self.attackers_hand(), self.position.hand(!self.attacker));
        let AttackersHand(mut stock) = joined;
        for kind in Kind::HAND {
            if ours.count(kind) > stock.count(kind)
                && !theirs.has(kind)
                && !(self.position.drop_squares(kind) & between).is_empty()
            {
                stock = stock.with(kind, ours.count(kind));
            }
        }
        AttackersHand(stock)
    }

    fn disproof_stock_here(&self, met: AttackersHand) -> AttackersHand {
        let hand = self.attackers_hand();
        let AttackersHand(mut stock) = met;
        let mut info = None;
        for kind in Kind::HAND {
            if hand.has(kind) || !stock.has(kind) {
                continue;
            }
            let info = info.get_or_insert_with(|| CheckInfo::new(&self.position));
            let Some(info) = info else { break };
            let squares = self.position.drop_squares(kind) & info.squares(kind);
            let useless = match kind {
                Kind::PAWN => squares.into_iter().all(|to| self.position.is_pawn_drop_mate(to)),
                _ => squares.is_empty(),
            };
            if !useless {
                stock = stock.without(kind);
            }
        }
        AttackersHand(stock)
    }

    fn largest_stock(&self) -> AttackersHand {
        AttackersHand(self.rest())
    }

    fn least_stock(&self) -> AttackersHand {
        AttackersHand(Hand::EMPTY)
    }
}

impl Tsume {
    /// Does a piece stay unpromoted that would only gain by promoting: pawn, bishop or rook?
    fn forgoes_promotion(&self, m: Move) -> bool {
        let Some(from) = m.from().filter(|_| !m.promotes()) else { return false };
        let gains = self.position.kind(Kind::PAWN)
            | self.position.kind(Kind::BISHOP)
            | self.position.kind(Kind::ROOK);
        gains.contains(from)
            && !(Bitboard::zone(self.attacker) & (from.bit() | m.to().bit())).is_empty()
    }

    /// Can the piece be taken, by the king only if nothing protects it, and takes nothing itself?
    fn gives_away(&self, m: Move) -> bool {
        let to = m.to();
        if self.position.piece(to).is_some() {
            return false;
        }
        let from = m.from().map_or(Bitboard::EMPTY, |from| from.bit());
        let occupied = (self.position.occupied() ^ from) | to.bit();
        let takers = self.position.attackers(!self.attacker, to, occupied);
        let king = self.position.kind(Kind::KING);
        !(takers & !king).is_empty()
            || (!takers.is_empty()
                && (self.position.attackers(self.attacker, to, occupied) & !from).is_empty())
    }

    /// Moves of pieces, then drops between the king and the checker. On one square the cheapest
    /// piece stands for all others until it is proven: the attacker, who takes it, has won least.
    /// Squares that no piece of the defender protects are chained in the same way, from the king
    /// outwards: what is dropped there is lost for nothing, and mostly in vain.
    fn order_evasions(&self, list: &mut MoveList<Move>, scratch: &mut Vec<Move>) {
        let checkers = self.position.checkers();
        self.position.evasions_from(checkers, scratch);
        if self.is_lenient()
            && scratch.iter().all(|m| m.is_drop())
            && interposes_in_vain(&self.position, checkers)
        {
            return;
        }
        scratch.iter().filter(|m| !m.is_drop()).for_each(|&m| list.push(m));
        let between = self.interposition_squares(checkers);
        let (Some(king), false) = (self.position.king(!self.attacker), between.is_empty()) else {
            return;
        };
        let occupied = self.position.occupied();
        let mut exposed = Bitboard::EMPTY;
        for square in between {
            if self.position.is_attacked(!self.attacker, square, occupied) {
                list_drops(list, scratch, square, false);
            } else {
                exposed |= square.bit();
            }
        }
        let mut chained = false;
        for distance in 0..8 {
            let at = |square: &Square| attacks::between(king, *square).count() == distance;
            if let Some(square) = exposed.into_iter().find(at) {
                chained |= list_drops(list, scratch, square, chained);
            }
        }
    }

    /// With the defender to move: mate, or numbers by the ways out (drops on one square count as one).
    fn look_at_evasions(&mut self) -> Evaluation<AttackersHand> {
        let checkers = self.position.checkers();
        if checkers.is_empty() {
            let (value, stock) = (Value::Disproven, self.largest_stock());
            return Evaluation::Solved { value, stock, plies: Plies::UNBOUNDED, nodes: 0 };
        }
        let (flights, others) = self.position.moves_out(checkers);
        let squares = self.position.drops_out(checkers);
        let has_moves = !flights.is_empty() || others != 0;
        let lenient = self.is_lenient();
        let in_vain = lenient && !has_moves && interposes_in_vain(&self.position, checkers);
        let ways = has_moves || squares != 0;
        if !ways || in_vain {
            let nothing = self.least_stock();
            let stock = if lenient && ways { nothing } else { self.proof_stock_here(nothing) };
            return Evaluation::Solved {
                value: Value::Proven,
                stock,
                plies: Plies::NONE,
                nodes: 0,
            };
        }
        let taking = (flights & self.position.of(self.attacker)).count();
        let pn = first_numbers::of_answers(flights.count(), taking, others, squares);
        Evaluation::Open { pn, dn: 1, nodes: 0 }
    }

    /// With the attacker to move: no check left, mate in one, or numbers: the disproof number is
    /// that of the checks.
    fn look_at_checks(&mut self) -> Evaluation<AttackersHand> {
        let mut moves = std::mem::take(&mut self.buffer);
        moves.clear();
        let found = match CheckInfo::new(&self.position) {
            Some(info) => {
                let free = self.position.checks_with(&info, &mut moves);
                self.judge_checks(&info, free, &moves)
            }
            None => self.no_check_left(),
        };
        self.buffer = moves;
        found
    }

    fn no_check_left(&self) -> Evaluation<AttackersHand> {
        let stock = self.disproof_stock_here(self.largest_stock());
        let (value, plies) = (Value::Disproven, Plies::UNBOUNDED);
        Evaluation::Solved { value, stock, plies, nodes: 0 }
    }

    /// The checks, and the squares where the king could go before them.
    fn judge_checks(
        &mut self,
        info: &CheckInfo,
        free: Bitboard,
        moves: &[Move],
    ) -> Evaluation<AttackersHand> {
        if moves.is_empty() {
            return self.no_check_left();
        }
        // With futile interpositions left out it may be mate by that alone, or without it.
        let is_lenient = self.is_lenient();
        let mate = self.position.mating_check(info, free, moves, |position, checkers| {
            if position.has_move_without_drop(checkers) {
                return None;
            }
            let lenient = is_lenient && interposes_in_vain(position, checkers);
            (lenient || !position.can_interpose(checkers)).then_some(lenient)
        });
        let (m, lenient) = match mate {
            Ok(mate) => mate,
            Err(room) => {
                let pn = first_numbers::of_checks(free.count(), room);
                return Evaluation::Open { pn, dn: moves.len() as u32, nodes: 0 };
            }
        };
        let mut stock = self.least_stock();
        if !lenient {
            let undo = self.position.play(m);
            stock = self.proof_stock_here(stock);
            self.position.undo(m, undo);
        }
        let stock = self.proof_stock_before(m, stock);
        Evaluation::Solved { value: Value::Proven, stock, plies: Plies::at_most(1), nodes: 0 }
    }
}
