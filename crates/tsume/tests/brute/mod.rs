//! A search for mate as plain as can be: tries every check and every reply to a fixed depth. It
//! shares the board and the legal moves with the program and nothing else. And small random
//! positions to try it on.
#![allow(dead_code)]

use andor::SplitMix64;
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};
use yomikiri_tsume::Futile;

/// The plain search.
pub struct Brute {
    pub attacker: Color,
    pub futile: Futile,
    /// How many positions it may still look at; it answers nothing after that.
    pub nodes: u64,
}

/// Too many positions.
#[derive(Debug)]
pub struct TooMany;

impl Brute {
    /// A search of at most so many positions.
    pub fn new(position: &Position, futile: Futile, nodes: u64) -> Brute {
        let turn = position.turn();
        let attacker = if position.is_check() { !turn } else { turn };
        Brute { attacker, futile, nodes }
    }

    fn count(&mut self) -> Result<(), TooMany> {
        self.nodes = self.nodes.checked_sub(1).ok_or(TooMany)?;
        Ok(())
    }

    /// Every legal move of the attacker that leaves the other king in check.
    pub fn checks(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.retain(|&m| {
            let mut after = position.clone();
            after.play(m);
            after.is_check()
        });
        moves
    }

    pub fn replies(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves
    }

    /// With the defender to move: is the game over, and lost for him?
    pub fn is_mate(&self, position: &Position) -> bool {
        position.is_check()
            && (self.replies(position).is_empty()
                || self.futile == Futile::NotCounted && only_in_vain(position))
    }

    /// Is there a mate within `plies` plies?
    pub fn mates(&mut self, position: &Position, plies: u16) -> Result<bool, TooMany> {
        self.count()?;
        if position.turn() == self.attacker {
            if plies == 0 {
                return Ok(false);
            }
            for m in self.checks(position) {
                let mut after = position.clone();
                after.play(m);
                if self.mates(&after, plies - 1)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if self.is_mate(position) {
            return Ok(true);
        }
        if plies < 2 || !position.is_check() {
            return Ok(false);
        }
        for m in self.replies(position) {
            let mut after = position.clone();
            after.play(m);
            if !self.mates(&after, plies - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The length of the shortest mate of at most `most` plies.
    pub fn length(&mut self, position: &Position, most: u16) -> Result<Option<u16>, TooMany> {
        let first = u16::from(position.turn() == self.attacker);
        for plies in (first..=most).step_by(2) {
            if self.mates(position, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// The conventional length at a position of exact length `left`, straight from its definition:
    /// none where the attacker has more than one shortest move and the definition leaves it open.
    pub fn conventional(&mut self, position: &Position, left: u16) -> Result<Option<u16>, TooMany> {
        if position.turn() == self.attacker {
            let mut shortest = Vec::new();
            for m in self.checks(position) {
                let mut after = position.clone();
                after.play(m);
                if self.mates(&after, left - 1)? {
                    shortest.push(after);
                }
            }
            let [after] = &shortest[..] else { return Ok(None) };
            return Ok(self.conventional(after, left - 1)?.map(|length| length + 1));
        }
        if self.is_mate(position) {
            return Ok(Some(0));
        }
        let king = position.king(position.turn()).expect("the defender has a king");
        let checker = position.checkers().first().expect("the defender is in check");
        let mut groups: Vec<(Option<Square>, Vec<Move>)> = vec![(None, Vec::new())];
        let mut drops: Vec<Square> = Vec::new();
        for m in self.replies(position) {
            let mut after = position.clone();
            after.play(m);
            let mut takes = self.checks(&after);
            takes.retain(|take| take.from() == Some(checker) && take.to() == m.to());
            if !m.is_drop() || takes.is_empty() {
                groups[0].1.push(m);
            } else {
                drops.push(m.to());
            }
        }
        drops.sort_by_key(|&square| steps(king, square));
        drops.dedup();
        for square in drops {
            let moves = self.replies(position);
            let here = moves.into_iter().filter(|m| m.is_drop() && m.to() == square).collect();
            groups.push((Some(square), here));
        }
        let mut best = 0;
        for (square, moves) in groups {
            if let Some(square) = square {
                // Drops that cannot make it longer are not asked about.
                let mut longest = 0;
                for &m in &moves {
                    let mut after = position.clone();
                    after.play(m);
                    let Some(length) = self.length(&after, left - 1)? else { panic!("no mate") };
                    longest = longest.max(length + 1);
                }
                if longest <= best {
                    continue;
                }
                let mut sooner: Option<(u16, Position)> = None;
                for taken in slid(position, checker, square) {
                    let between = steps(king, square) as u16 - 1;
                    if let Some(length) = self.length(&taken, left + 2 * between)?
                        && sooner.as_ref().is_none_or(|&(known, _)| length < known)
                    {
                        sooner = Some((length, taken));
                    }
                }
                if let Some((length, taken)) = sooner.filter(|_| best > 0) {
                    let Some(length) = self.conventional(&taken, length)? else {
                        return Ok(None);
                    };
                    if length <= best {
                        continue;
                    }
                }
            }
            for m in moves {
                let mut after = position.clone();
                after.play(m);
                let Some(length) = self.length(&after, left - 1)? else { panic!("no mate") };
                if length < best {
                    continue;
                }
                let Some(length) = self.conventional(&after, length)? else { return Ok(None) };
                best = best.max(length + 1);
            }
        }
        Ok(Some(best))
    }
}

/// How far apart two squares on a line are.
fn steps(a: Square, b: Square) -> i32 {
    let files = i32::from(a.file()) - i32::from(b.file());
    let ranks = i32::from(a.rank()) - i32::from(b.rank());
    files.abs().max(ranks.abs())
}

/// The squares between two squares, by steps.
fn between(a: Square, b: Square) -> Vec<Square> {
    let distance = steps(a, b);
    let at = |n: i32, a: u8, b: u8| i32::from(a) + (i32::from(b) - i32::from(a)) * n / distance;
    (1..distance)
        .filter_map(|n| {
            Square::new(at(n, a.file(), b.file()) as u8, at(n, a.rank(), b.rank()) as u8)
        })
        .collect()
}

/// The positions in which the checking piece stands on a square between, promoted or not.
fn slid(position: &Position, checker: Square, square: Square) -> Vec<Position> {
    let piece = position.piece(checker).expect("a piece gives check");
    let (color, kind) = (piece.color(), piece.kind());
    let zone = [checker, square].iter().any(|square| match color {
        Color::Black => square.rank() <= 3,
        Color::White => square.rank() >= 7,
    });
    let mut pieces = vec![piece];
    if kind.can_promote() && zone {
        pieces.push(Piece::new(color, kind.promoted()));
    }
    let slid = pieces.into_iter().map(|piece| {
        let mut after = position.clone();
        after.set(checker, None);
        after.set(square, Some(piece));
        after
    });
    slid.filter(|after| {
        let own = after.king(color);
        own.is_none_or(|own| !after.is_attacked(!color, own, after.occupied()))
    })
    .collect()
}

/// Can the side in check only drop pieces between, and is that so again wherever the checking piece
/// takes them?
fn only_in_vain(position: &Position) -> bool {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.iter().any(|m| !m.is_drop()) {
        return false;
    }
    let checkers = position.checkers();
    if checkers.count() != 1 {
        return checkers.count() > 1;
    }
    let checker = checkers.into_iter().next().expect("there is one");
    let king = position.king(position.turn()).expect("the defender has a king");
    between(king, checker).into_iter().all(|square| {
        slid(position, checker, square).first().is_some_and(|after| {
            after.piece(square) == position.piece(checker) && only_in_vain(after)
        })
    })
}

/// A small position: a king with little around him, some pieces of the attacker near, few in hand.
pub fn random(random: &mut SplitMix64) -> Position {
    loop {
        if let Some(position) = attempt(random) {
            return position;
        }
    }
}

fn attempt(random: &mut SplitMix64) -> Option<Position> {
    let mut below = |n: usize| random.below(n) as u64;
    let mut position = Position::empty();
    let king = Square::new(1 + below(5) as u8, 1 + below(4) as u8)?;
    position.set(king, Some(Piece::new(Color::White, Kind::KING)));
    let mut used = Hand::EMPTY;
    let mut add = |kind: Kind| {
        let full = used.count(kind) >= Kind::SET[kind.raw().index()];
        (!full).then(|| used = used.plus(kind)).is_some()
    };
    let (ours, theirs) = (2 + below(3), below(4));
    for i in 0..ours + theirs {
        let color = if i < ours { Color::Black } else { Color::White };
        let kind = Kind::ALL[below(14) as usize];
        let reach = if below(3) == 0 { 9 } else { 3_usize };
        let file = i64::from(king.file()) + below(2 * reach + 1) as i64 - reach as i64;
        let rank = i64::from(king.rank()) + below(2 * reach + 1) as i64 - reach as i64;
        let square = Square::new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)?;
        if kind == Kind::KING || position.piece(square).is_some() || !add(kind) {
            continue;
        }
        position.set(square, Some(Piece::new(color, kind)));
    }
    for (color, pieces) in [(Color::Black, 1 + below(3)), (Color::White, below(3))] {
        for _ in 0..pieces {
            let kind = Kind::HAND[below(7) as usize];
            if add(kind) {
                position.set_hand(color, position.hand(color).plus(kind));
            }
        }
    }
    if below(4) == 0 {
        let own = Square::new(1 + below(9) as u8, 5 + below(5) as u8)?;
        if position.piece(own).is_none() {
            position.set(own, Some(Piece::new(Color::Black, Kind::KING)));
        }
    }
    position.validate().ok()?;
    (!position.is_check()).then_some(position)
}

/// A position with a slider of the attacker and a defender who has something to interpose.
pub fn random_with_slider(random: &mut SplitMix64) -> Position {
    const SLIDERS: [Kind; 5] = [Kind::ROOK, Kind::BISHOP, Kind::LANCE, Kind::DRAGON, Kind::HORSE];
    const HELPERS: [Kind; 5] = [Kind::PAWN, Kind::SILVER, Kind::GOLD, Kind::PRO_PAWN, Kind::KNIGHT];
    const HELD: [Kind; 4] = [Kind::BISHOP, Kind::LANCE, Kind::GOLD, Kind::SILVER];
    loop {
        let mut below = |n: usize| random.below(n) as u8;
        let mut position = Position::empty();
        let (file, rank) = (1 + below(4), 1 + below(3));
        let mut put = |file: u8, rank: u8, color: Color, kind: Kind| {
            if let Some(square) = Square::new(file, rank)
                && position.piece(square).is_none()
            {
                position.set(square, Some(Piece::new(color, kind)));
            }
        };
        put(file, rank, Color::White, Kind::KING);
        put(1 + below(9), 1 + below(9), Color::Black, SLIDERS[below(5) as usize]);
        for _ in 0..1 + below(3) {
            let (near, under) = (file + below(5), rank + below(4));
            put(near.saturating_sub(2), under, Color::Black, HELPERS[below(5) as usize]);
        }
        if below(2) == 0 {
            put(1 + below(5), 1 + below(4), Color::White, HELPERS[below(3) as usize]);
        }
        let held = if below(3) == 0 { Hand::EMPTY.plus(Kind::LANCE) } else { Hand::EMPTY };
        let ours =
            (0..1 + below(2)).fold(Hand::EMPTY, |hand, _| hand.plus(HELD[below(4) as usize]));
        position.set_hand(Color::White, held.plus(Kind::PAWN));
        position.set_hand(Color::Black, ours);
        if position.validate().is_ok() && !position.is_check() {
            return position;
        }
    }
}
