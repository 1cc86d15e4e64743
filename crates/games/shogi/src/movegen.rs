//! Legal moves, checks and evasions, each generated as such and fully legal.
//!
//! A generator that looks for checks need not look at all moves: a piece gives check directly from
//! a square that the king would attack if he moved as that piece, or by leaving a line on which a
//! slider of its side waits. Both sets are found once for a position, and every piece's moves are
//! cut down to them before a move is made of them.

use crate::attacks;
use crate::moves::Move;
use crate::piece::{Color, Kind};
use crate::position::Position;
use crate::square::{Bitboard, Square};

/// Squares on which a piece of a kind could never move again.
#[inline]
fn dead_end(kind: Kind, color: Color) -> Bitboard {
    match kind {
        Kind::PAWN | Kind::LANCE => Bitboard::rank(color, 1),
        Kind::KNIGHT => Bitboard::rank(color, 1) | Bitboard::rank(color, 2),
        _ => Bitboard::EMPTY,
    }
}

/// From where a side gives check to the king of the other, and by which of its pieces leaving a
/// line.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// The king.
    pub king: Square,
    /// Squares from which a piece of each kind gives check, by the kind's number.
    squares: [Bitboard; 16],
    /// The pieces of the checking side that stand between the king and their own slider.
    pub discoverers: Bitboard,
    /// The king's own pieces that stand between him and such a slider.
    pinned: Bitboard,
}

impl CheckInfo {
    /// For the side to move, if the other side has a king.
    #[inline]
    pub fn new(position: &Position) -> Option<CheckInfo> {
        let us = position.turn();
        let king = position.king(!us)?;
        let occupied = position.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (gold, near) = (attacks::gold(!us, king), attacks::king(king));
        let squares = [
            attacks::pawn(!us, king),
            rook & attacks::lance_ray(!us, king),
            attacks::knight(!us, king),
            attacks::silver(!us, king),
            gold,
            bishop,
            rook,
            Bitboard::EMPTY,
            gold,
            gold,
            gold,
            gold,
            Bitboard::EMPTY,
            bishop | near,
            rook | near,
            Bitboard::EMPTY,
        ];
        let blockers = position.blockers(us, king);
        let (discoverers, pinned) = (blockers & position.of(us), blockers & position.of(!us));
        Some(CheckInfo { king, squares, discoverers, pinned })
    }

    /// Squares from which a piece of this kind gives check.
    #[inline]
    pub fn squares(&self, kind: Kind) -> Bitboard {
        self.squares[kind.index()]
    }
}

impl Position {
    /// The squares to which a piece of this kind may be dropped, as far as its own rules go.
    #[inline]
    pub fn drop_squares(&self, kind: Kind) -> Bitboard {
        let us = self.turn();
        let mut squares = !(self.occupied() | dead_end(kind, us));
        if kind == Kind::PAWN {
            squares &= !self.pieces(us, Kind::PAWN).files();
        }
        squares
    }

    /// The pieces of the side to move that must not leave their line with their king.
    #[inline]
    fn pinned(&self) -> Bitboard {
        let us = self.turn();
        match self.king(us) {
            Some(king) => self.blockers(!us, king) & self.of(us),
            None => Bitboard::EMPTY,
        }
    }

    /// Appends every legal move.
    pub fn legal_moves(&self, moves: &mut Vec<Move>) {
        let checkers = self.checkers();
        if !checkers.is_empty() {
            return self.evasions_from(checkers, moves);
        }
        let us = self.turn();
        self.board_moves(!self.of(us), self.pinned(), moves);
        self.king_moves(moves);
        self.drops(!self.occupied(), moves);
    }

    /// Appends every legal move of a side in check.
    pub fn evasions(&self, moves: &mut Vec<Move>) {
        self.evasions_from(self.checkers(), moves);
    }

    /// Appends every legal move of a side in check by these pieces.
    pub fn evasions_from(&self, checkers: Bitboard, moves: &mut Vec<Move>) {
        let us = self.turn();
        self.king_moves(moves);
        let (Some(king), Some(checker)) = (self.king(us), checkers.first()) else { return };
        if checkers.is_many() {
            return;
        }
        let between = attacks::between(king, checker);
        self.board_moves(between | checkers, self.pinned(), moves);
        if !between.is_empty() {
            self.drops(between, moves);
        }
    }

    /// Moves of all pieces but the king to `targets`.
    #[inline]
    fn board_moves(&self, targets: Bitboard, pinned: Bitboard, moves: &mut Vec<Move>) {
        let us = self.turn();
        let (ours, occupied) = (self.of(us), self.occupied());
        let zone = Bitboard::zone(us);
        let king = self.king(us);
        let pawns = self.kind(Kind::PAWN) & ours;
        // Pawns all at once: a pawn's target is the square before it.
        let steps = match us {
            Color::Black => Bitboard((pawns & !pinned).0 >> 1),
            Color::White => Bitboard((pawns & !pinned).0 << 1),
        } & targets;
        let behind = |to: Square| match us {
            Color::Black => Square(to.0 + 1),
            Color::White => Square(to.0 - 1),
        };
        for to in steps & zone {
            moves.push(Move::new(behind(to), to, true));
        }
        for to in steps & !dead_end(Kind::PAWN, us) {
            moves.push(Move::new(behind(to), to, false));
        }
        let mut rest = ours & !(self.kind(Kind::KING) | (pawns & !pinned));
        if let Some(to) = targets.first()
            && !targets.is_many()
        {
            rest &= self.attackers(us, to, occupied);
        }
        if rest.is_empty() {
            return;
        }
        for from in &mut rest {
            let Some(piece) = self.piece(from) else { continue };
            let kind = piece.kind();
            let mut to = attacks::attacks(kind, us, from, occupied) & targets;
            if pinned.contains(from)
                && let Some(king) = king
            {
                to &= attacks::line(king, from);
            }
            if to.is_empty() {
                continue;
            }
            if kind.can_promote() {
                let promoting = if zone.contains(from) { to } else { to & zone };
                for to in promoting {
                    moves.push(Move::new(from, to, true));
                }
                to &= !dead_end(kind, us);
            }
            for to in to {
                moves.push(Move::new(from, to, false));
            }
        }
    }

    #[inline]
    fn king_moves(&self, moves: &mut Vec<Move>) {
        let us = self.turn();
        let Some(king) = self.king(us) else { return };
        for to in self.king_targets(king) {
            moves.push(Move::new(king, to, false));
        }
    }

    /// Where the king of the side to move can go.
    #[inline]
    pub fn king_targets(&self, king: Square) -> Bitboard {
        let us = self.turn();
        let around = attacks::king(king) & !self.of(us);
        around & !self.attacked_around(!us, king, around, self.occupied() ^ king.bit())
    }

    #[inline]
    fn drops(&self, targets: Bitboard, moves: &mut Vec<Move>) {
        let hand = self.hand(self.turn());
        if hand.is_empty() {
            return;
        }
        for kind in Kind::HAND {
            if !hand.has(kind) {
                continue;
            }
            for to in self.drop_squares(kind) & targets {
                if kind != Kind::PAWN || !self.is_pawn_drop_mate(to) {
                    moves.push(Move::drop(kind, to));
                }
            }
        }
    }

    /// Would a pawn dropped here by the side to move be mate (打ち歩詰め)?
    pub fn is_pawn_drop_mate(&self, to: Square) -> bool {
        let us = self.turn();
        let Some(king) = self.king(!us) else { return false };
        if !attacks::pawn(us, to).contains(king) {
            return false;
        }
        let occupied = self.occupied() | to.bit();
        // The king goes elsewhere, or takes.
        let around = attacks::king(king) & !self.of(!us);
        if self.attacked_around(us, king, around, occupied ^ king.bit()) != around {
            return false;
        }
        // Another piece takes.
        let takers = self.attackers(!us, to, occupied) & !king.bit();
        let pinned = self.blockers(us, king);
        takers
            .into_iter()
            .all(|taker| pinned.contains(taker) && !attacks::line(king, taker).contains(to))
    }

    /// Is the side to move, in check by `checkers`, mated?
    pub fn is_mated_by(&self, checkers: Bitboard) -> bool {
        !self.has_move_without_drop(checkers) && !self.can_interpose(checkers)
    }

    /// Can the side to move, in check by `checkers`, do anything but drop a piece between?
    pub fn has_move_without_drop(&self, checkers: Bitboard) -> bool {
        let us = self.turn();
        let (Some(king), Some(checker)) = (self.king(us), checkers.first()) else { return true };
        !self.king_targets(king).is_empty()
            || !checkers.is_many()
                && self.has_board_move_to(attacks::between(king, checker) | checkers)
    }

    /// Can the side to move, in check by `checkers`, drop a piece between?
    pub fn can_interpose(&self, checkers: Bitboard) -> bool {
        let us = self.turn();
        let (Some(king), Some(checker)) = (self.king(us), checkers.first()) else { return false };
        let hand = self.hand(us);
        if hand.is_empty() || checkers.is_many() {
            return false;
        }
        let between = attacks::between(king, checker);
        !between.is_empty()
            && Kind::HAND.into_iter().filter(|&kind| hand.has(kind)).any(|kind| {
                let squares = self.drop_squares(kind) & between;
                match kind {
                    Kind::PAWN => squares.into_iter().any(|to| !self.is_pawn_drop_mate(to)),
                    _ => !squares.is_empty(),
                }
            })
    }

    /// Is the side to move mated?
    pub fn is_mated(&self) -> bool {
        let checkers = self.checkers();
        !checkers.is_empty() && self.is_mated_by(checkers)
    }

    /// Does a legal move of the side to move give check?
    pub fn gives_check(&self, info: &CheckInfo, m: Move) -> bool {
        let (us, to) = (self.turn(), m.to());
        let Some(from) = m.from() else {
            return m.dropped().is_some_and(|kind| info.squares(kind).contains(to));
        };
        if info.discoverers.contains(from) && !attacks::line(info.king, from).contains(to) {
            return true;
        }
        let Some(piece) = self.piece_after(m) else { return false };
        let occupied = self.occupied() ^ from.bit() | to.bit();
        attacks::attacks(piece.kind(), us, to, occupied).contains(info.king)
    }

    /// Appends every legal move that gives check.
    pub fn checks(&self, moves: &mut Vec<Move>) {
        if let Some(info) = CheckInfo::new(self) {
            self.checks_with(&info, moves);
        }
    }

    /// Appends every legal move that gives check, with what is known of checks already. Gives the
    /// squares where the king could go now, for the pieces that may give check are those that guard
    /// them.
    pub fn checks_with(&self, info: &CheckInfo, moves: &mut Vec<Move>) -> Bitboard {
        let us = self.turn();
        if self.is_check() {
            let start = moves.len();
            self.evasions(moves);
            let mut kept = start;
            for i in start..moves.len() {
                let m = moves[i];
                if self.gives_check(info, m) {
                    moves[kept] = m;
                    kept += 1;
                }
            }
            moves.truncate(kept);
            return self.free_squares(info);
        }
        let (ours, occupied) = (self.of(us), self.occupied());
        let pinned = self.pinned();
        let own_king = self.king(us);
        let zone = Bitboard::zone(us);
        let around = attacks::king(info.king) & !self.of(!us);
        let mut guarded = Bitboard::EMPTY;
        let near = attacks::two_steps(info.king) | self.sliders(us) | info.discoverers;
        for from in ours & near {
            let Some(piece) = self.piece(from) else { continue };
            let kind = piece.kind();
            let (mut plain, mut promoted) = (info.squares(kind), Bitboard::EMPTY);
            if kind.can_promote() {
                promoted = info.squares(Kind(kind.0 | 8));
            }
            if info.discoverers.contains(from) {
                let free = !attacks::line(info.king, from);
                plain |= free & !dead_end(kind, us);
                promoted |= free;
            }
            // Most pieces are nowhere near: do not work out what they attack.
            if ((plain | promoted | around) & attacks::reach(kind, us, from)).is_empty() {
                continue;
            }
            let mut to = attacks::attacks(kind, us, from, occupied);
            guarded |= to;
            to &= !ours;
            if kind == Kind::KING {
                to &= self.king_targets(from);
            } else if pinned.contains(from)
                && let Some(king) = own_king
            {
                to &= attacks::line(king, from);
            }
            if kind.can_promote() {
                let promoting = if zone.contains(from) { to } else { to & zone };
                for to in promoting & promoted {
                    moves.push(Move::new(from, to, true));
                }
            }
            for to in to & plain {
                moves.push(Move::new(from, to, false));
            }
        }
        let free = around & !guarded;
        for kind in self.hand(us).kinds() {
            for to in info.squares(kind) & !occupied {
                if kind != Kind::PAWN || self.may_drop_pawn(to, free) {
                    moves.push(Move::drop(kind, to));
                }
            }
        }
        free
    }

    /// May the side to move drop a pawn on this empty square before the other king, who has these
    /// `free` squares? Where he has one it is no mate: that square stays free, or he takes the pawn.
    #[inline]
    fn may_drop_pawn(&self, to: Square, free: Bitboard) -> bool {
        (self.pieces(self.turn(), Kind::PAWN) & Bitboard::file_of(to)).is_empty()
            && (!free.is_empty() || !self.is_pawn_drop_mate(to))
    }

    /// Is the move legal here?
    pub fn is_legal(&self, m: Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.contains(&m)
    }
}

impl Position {
    /// Has the side to move a piece other than the king that can legally go to one of these
    /// squares, where that ends a check?
    #[inline]
    pub fn has_board_move_to(&self, targets: Bitboard) -> bool {
        let us = self.turn();
        let Some(king) = self.king(us) else { return false };
        let occupied = self.occupied();
        // Mostly nothing can go there.
        let mut pinned = None;
        targets.into_iter().any(|to| {
            (self.attackers(us, to, occupied) & !king.bit()).into_iter().any(|mover| {
                let pinned = pinned.get_or_insert_with(|| self.blockers(!us, king));
                !pinned.contains(mover) || attacks::line(king, mover).contains(to)
            })
        })
    }

    /// How many ways out of a check there are: king moves, other moves (with and without promotion
    /// counted as one), and squares on which something can be dropped.
    pub fn ways_out(&self, checkers: Bitboard) -> u32 {
        let (flights, others) = self.moves_out(checkers);
        flights.count() + others + self.drops_out(checkers)
    }

    /// The ways out of a check by pieces on the board: where the king can go, and how many moves of
    /// other pieces there are.
    pub fn moves_out(&self, checkers: Bitboard) -> (Bitboard, u32) {
        let us = self.turn();
        let (Some(king), Some(checker)) = (self.king(us), checkers.first()) else {
            return (Bitboard::EMPTY, 0);
        };
        let flights = self.king_targets(king);
        if checkers.is_many() {
            return (flights, 0);
        }
        let mut ways = 0;
        let occupied = self.occupied();
        let mut pinned = None;
        for to in attacks::between(king, checker) | checkers {
            for mover in self.attackers(us, to, occupied) & !king.bit() {
                let pinned = pinned.get_or_insert_with(|| self.blockers(!us, king));
                ways +=
                    u32::from(!pinned.contains(mover) || attacks::line(king, mover).contains(to));
            }
        }
        (flights, ways)
    }

    /// The squares on which something can be dropped against a check.
    pub fn drops_out(&self, checkers: Bitboard) -> u32 {
        let us = self.turn();
        let (Some(king), Some(checker)) = (self.king(us), checkers.first()) else { return 0 };
        let (between, hand) = (attacks::between(king, checker), self.hand(us));
        if between.is_empty() || hand.is_empty() || checkers.is_many() {
            return 0;
        }
        let mut squares = Bitboard::EMPTY;
        for kind in Kind::HAND.into_iter().rev().filter(|&kind| hand.has(kind)) {
            if squares == between {
                break;
            }
            for to in self.drop_squares(kind) & between & !squares {
                if kind != Kind::PAWN || !self.is_pawn_drop_mate(to) {
                    squares |= to.bit();
                }
            }
        }
        squares.count()
    }
}

impl Position {
    /// Of these checks of the side to move, one that mates, and the checkers after it.
    ///
    /// Most checks leave the king a square, and most of these squares were free before the move and
    /// have nothing to do with it. Those are found once, and a check after which one of them is
    /// surely still free is not played at all; nor is one by a piece that can be taken.
    pub fn mate_in_one(&mut self, info: &CheckInfo, checks: &[Move]) -> Option<(Move, Bitboard)> {
        let free = self.free_squares(info);
        let found = self.mating_check(info, free, checks, |position, checkers| {
            position.is_mated_by(checkers).then_some(checkers)
        });
        found.ok()
    }

    /// Of these checks of the side to move, the first after which `is_mate` finds one. It is asked with
    /// the check played and given the checkers, and only where the king seems to have no square left
    /// of those that are [free](Position::free_squares) now, and nothing seems to take the piece. If
    /// there is none: the least number of free squares that surely stay free after one of the checks.
    pub fn mating_check<T>(
        &mut self,
        info: &CheckInfo,
        free: Bitboard,
        checks: &[Move],
        is_mate: impl Fn(&Position, Bitboard) -> Option<T>,
    ) -> Result<(Move, T), u32> {
        let without_king = self.occupied() ^ info.king.bit();
        let mut least = free.count();
        for &m in checks {
            let left = self.left_free(m, free, without_king, least);
            least = least.min(left);
            if left != 0 || self.is_taken(info, m) {
                continue;
            }
            let undo = self.play(m);
            let checkers = if m.is_drop() { m.to().bit() } else { self.checkers() };
            let mate = is_mate(self, checkers);
            self.undo(m, undo);
            if let Some(mate) = mate {
                return Ok((m, mate));
            }
        }
        Err(least)
    }

    /// Where the king of the side that is not to move could go now.
    pub fn free_squares(&self, info: &CheckInfo) -> Bitboard {
        let us = self.turn();
        let around = attacks::king(info.king) & !self.of(!us);
        let occupied = self.occupied() ^ info.king.bit();
        around & !self.attacked_around(us, info.king, around, occupied)
    }

    /// How many of the king's `free` squares are surely still free after the check `m`? From `enough`
    /// on any number will do.
    #[inline]
    fn left_free(&self, m: Move, free: Bitboard, without_king: Bitboard, enough: u32) -> u32 {
        if free.is_empty() {
            return 0;
        }
        let us = self.turn();
        let to = m.to();
        let Some(piece) = self.piece_after(m) else { return 0 };
        let mut occupied = without_king | to.bit();
        let mut left = free;
        if let Some(from) = m.from() {
            occupied &= !from.bit();
            left &= !to.bit();
            // Lines of our sliders that the move may open.
            let rays = attacks::bishop_rays(from) | attacks::rook_rays(from);
            for slider in self.sliders(us) & rays {
                left &= !attacks::beyond(slider, from);
            }
        }
        let kind = piece.kind();
        // Mostly it cannot even reach them on an empty board.
        let out_of_reach = (left & !attacks::reach(kind, us, to)).count();
        if !kind.slides() || out_of_reach >= enough.max(1) {
            return out_of_reach;
        }
        (left & !attacks::attacks(kind, us, to, occupied)).count()
    }

    /// Can the piece that gives the check `m` surely be taken: by the king, who stands next to it, or by
    /// another? Where the move opens no line to the king, it is the only checker, and what was not
    /// pinned is not pinned now.
    #[inline]
    fn is_taken(&self, info: &CheckInfo, m: Move) -> bool {
        let (us, to) = (self.turn(), m.to());
        let mut occupied = self.occupied() | to.bit();
        if let Some(from) = m.from() {
            occupied ^= from.bit();
            if attacks::king(info.king).contains(to) {
                let guards = self.attackers(us, to, occupied ^ info.king.bit());
                if (guards & !from.bit()).is_empty() {
                    return true;
                }
            }
            if !attacks::line(info.king, from).is_empty() {
                return false;
            }
        }
        let takers = self.attackers(!us, to, occupied);
        !(takers & !(info.pinned | info.king.bit())).is_empty()
    }
}
