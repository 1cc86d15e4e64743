//! H-search: virtual connections, built up from neighbours by two rules (Anshelevich, 2002).
//!
//! A *connection* of one side joins two ends, each an edge, a group of stones or a vacant cell, and
//! has a *carrier*, the vacant cells it needs. It is *full* if the side joins the ends even when
//! the other side moves first, and *semi* if it must move first itself. A vacant end counts as if
//! the side had a stone there.
//!
//! * Neighbours are fully connected, with an empty carrier.
//! * AND: full connections x–z and z–y whose carriers are disjoint give x–y: a full one if z has
//!   stones, else a semi one with z in the carrier (z is then its *key*, the move that completes
//!   it).
//! * OR: semi connections x–y whose carriers have no cell in common give a full one, since any
//!   intrusion leaves at least one of them untouched.
//!
//! Bridges and edge templates come out of these rules by themselves. What matters in the end is the
//! pair of edges: a side with a full connection between them wins, and so does the side to move
//! with a semi one. Short of that, the cells common to the carriers of *all* semi connections of
//! the opponent are the *must-play region*: any other move leaves one of them in place, and loses.
//!
//! Differs from the usual presentation in its order: connections are settled by the size of their
//! carriers, smallest first. No rule makes a carrier smaller than those it came from, so what is
//! settled stays minimal, and the limits below keep the smallest carriers. Every limit only makes
//! connections go unnoticed; a connection found is real.

use std::cell::RefCell;

use andor::{Interrupted, Pulse};

use crate::board::{Board, Cell, Cells, Side, each};

/// How many full connections are kept for a pair of ends. Higher: stronger and slower.
const FULL: usize = 6;
/// How many semi connections are kept for a pair of ends. Higher: stronger and slower.
const SEMI: usize = 12;
/// How many semi connections the OR rule joins at most. Higher: stronger and slower.
const JOINED: u32 = 4;
/// The largest carrier kept between two vacant cells. Such connections are by far the most
/// numerous and the least useful. Higher: stronger and slower.
const BETWEEN_VACANT: u32 = 4;

/// The two edges are always the first two ends.
const EDGES: usize = 2;

/// What a search for connections between a side's two edges has found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// The side wins (moving first, if that was asked). Its connection needs only `carrier`;
    /// `key` is the move that completes it, if one must be made.
    Connection { carrier: Cells, key: Option<Cell> },
    /// No winning connection. The opponent, to move, must play in `must_play`.
    Open { must_play: Cells },
}

/// A short list of carriers, smallest first.
#[derive(Clone, Copy)]
struct Carriers<const N: usize> {
    len: usize,
    items: [Cells; N],
}

impl<const N: usize> Carriers<N> {
    const EMPTY: Self = Carriers { len: 0, items: [0; N] };

    fn as_slice(&self) -> &[Cells] {
        &self.items[..self.len]
    }

    fn covers(&self, carrier: Cells) -> bool {
        self.as_slice().iter().any(|&smaller| smaller & !carrier == 0)
    }

    /// Adds a carrier unless a smaller one does its work or the list is full.
    fn settle(&mut self, carrier: Cells) -> bool {
        if self.len == N || self.covers(carrier) {
            return false;
        }
        self.items[self.len] = carrier;
        self.len += 1;
        true
    }
}

/// What is known of the connections between two ends.
#[derive(Clone)]
struct Pair {
    full: Carriers<FULL>,
    semi: Carriers<SEMI>,
    /// The cells that all semi connections settled so far have in common.
    common: Cells,
}

impl Pair {
    const EMPTY: Pair = Pair { full: Carriers::EMPTY, semi: Carriers::EMPTY, common: Cells::MAX };

    fn forget(&mut self) {
        self.full.len = 0;
        self.semi.len = 0;
        self.common = Cells::MAX;
    }
}

#[derive(Clone, Copy)]
struct Waiting {
    ends: (u8, u8),
    full: bool,
    carrier: Cells,
}

/// Looks for a connection between the edges of `side`. With `moves_first` the side is to move, so a
/// semi connection will do. Nobody may have won yet.
pub(crate) fn search(
    board: &Board,
    side: Side,
    moves_first: bool,
    pulse: &Pulse,
) -> Result<Found, Interrupted> {
    thread_local! {
        /// Kept between searches to spare the allocations.
        static WORKSPACE: RefCell<HSearch> = RefCell::default();
    }
    WORKSPACE.with_borrow_mut(|workspace| workspace.run(board, side, moves_first, pulse))
}

/// The state of a search.
#[derive(Default)]
struct HSearch {
    /// The cells of each end: edges first, then groups of stones, then vacant cells.
    ends: Vec<Cells>,
    /// From which number on the ends are vacant cells.
    first_vacant: usize,
    /// The cell of each end if it is vacant, else nothing.
    vacant: Vec<Cells>,
    /// The ends to which each end has a settled full connection, by number.
    linked: Vec<u128>,
    pairs: Vec<Pair>,
    /// Connections not settled yet, by the size of their carriers.
    waiting: Vec<Vec<Waiting>>,
    moves_first: bool,
    /// The carriers that the must-play region is made of, united.
    threats: Cells,
    must_play: Cells,
    won: Option<(Cells, Option<Cell>)>,
}

impl HSearch {
    fn run(
        &mut self,
        board: &Board,
        side: Side,
        moves_first: bool,
        pulse: &Pulse,
    ) -> Result<Found, Interrupted> {
        self.moves_first = moves_first;
        self.prepare(board, side);
        let settled = self.settle(pulse);
        for bucket in &mut self.waiting {
            bucket.clear();
        }
        settled.map(|()| match self.won {
            Some((carrier, key)) => Found::Connection { carrier, key },
            None => Found::Open { must_play: self.must_play },
        })
    }

    /// Settles what waits, smallest carriers first, until there is nothing left or the edges are
    /// connected.
    fn settle(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        /// So many are settled before the pulse is asked again: some tens of microseconds.
        const ROUND: usize = 64;
        let mut size = 0;
        loop {
            pulse.check()?;
            for _ in 0..ROUND {
                if size == self.waiting.len() || self.won.is_some() {
                    return Ok(());
                }
                match self.waiting[size].pop() {
                    Some(next) if next.full => self.settle_full(next),
                    Some(next) => self.settle_semi(next),
                    None => size += 1,
                }
            }
        }
    }

    /// Sets up the ends and the connections between neighbours.
    fn prepare(&mut self, board: &Board, side: Side) {
        let stones = board.stones(side);
        let vacant = board.vacant();
        self.must_play = vacant;
        self.threats = 0;
        self.won = None;

        self.ends.clear();
        let mut left = stones;
        for edge in board.edges(side) {
            let group = board.flood(edge, stones);
            self.ends.push(group);
            left &= !group;
        }
        while left != 0 {
            let group = board.flood(left & left.wrapping_neg(), stones);
            self.ends.push(group);
            left &= !group;
        }
        self.first_vacant = self.ends.len();
        self.ends.extend(each(vacant).map(Cell::bit));

        let count = self.ends.len();
        self.vacant.clear();
        self.vacant.resize(self.first_vacant, 0);
        self.vacant.extend_from_slice(&self.ends[self.first_vacant..]);
        self.linked.clear();
        self.linked.resize(count, 0);
        let pairs = count * (count - 1) / 2;
        if self.pairs.len() < pairs {
            self.pairs.resize(pairs, Pair::EMPTY);
        }
        for pair in &mut self.pairs[..pairs] {
            pair.forget();
        }
        self.waiting.resize(board.all().count_ones() as usize + 1, Vec::new());

        for end in self.first_vacant..count {
            let around = board.neighbours(Cell(self.ends[end].trailing_zeros() as u8));
            for other in 0..end {
                let touches = match board.edges(side).get(other) {
                    Some(edge) => around & self.ends[other] != 0 || edge & self.ends[end] != 0,
                    None => around & self.ends[other] != 0,
                };
                if touches {
                    self.add_full(other, end, 0);
                }
            }
        }
    }

    fn add_full(&mut self, x: usize, y: usize, carrier: Cells) {
        let (x, y) = (x.min(y), x.max(y));
        if y < EDGES {
            self.won = Some((carrier, None));
            return;
        }
        let size = carrier.count_ones();
        if x >= self.first_vacant && size > BETWEEN_VACANT {
            return;
        }
        let full = &self.pairs[index(x, y)].full;
        if full.len < FULL && !full.covers(carrier) {
            self.wait(x, y, true, carrier);
        }
    }

    fn add_semi(&mut self, x: usize, y: usize, carrier: Cells, key: usize) {
        let (x, y) = (x.min(y), x.max(y));
        if y < EDGES {
            self.add_threat(carrier, key);
            return;
        }
        let size = carrier.count_ones();
        if x >= self.first_vacant && size > BETWEEN_VACANT {
            return;
        }
        let pair = &self.pairs[index(x, y)];
        let room = pair.semi.len < SEMI && pair.full.len < FULL;
        if room && !pair.semi.covers(carrier) && !pair.full.covers(carrier) {
            self.wait(x, y, false, carrier);
        }
    }

    /// A semi connection from edge to edge: it wins if the side is to move, else it narrows the
    /// must-play region. An empty region is a full connection by the OR rule.
    fn add_threat(&mut self, carrier: Cells, key: usize) {
        if self.moves_first {
            let key = Cell(self.vacant[key].trailing_zeros() as u8);
            self.won = Some((carrier, Some(key)));
        } else if self.must_play & !carrier != 0 {
            self.must_play &= carrier;
            self.threats |= carrier;
            if self.must_play == 0 {
                self.won = Some((self.threats, None));
            }
        }
    }

    fn wait(&mut self, x: usize, y: usize, full: bool, carrier: Cells) {
        self.waiting[carrier.count_ones() as usize].push(Waiting {
            ends: (x as u8, y as u8),
            full,
            carrier,
        });
    }

    /// The AND rule, with the new connection on either side of the end in the middle.
    fn settle_full(&mut self, new: Waiting) {
        let (x, y) = (new.ends.0 as usize, new.ends.1 as usize);
        if !self.pairs[index(x, y)].full.settle(new.carrier) {
            return;
        }
        for (from, middle) in [(x, y), (y, x)] {
            if middle < EDGES {
                continue;
            }
            let taken = new.carrier | self.vacant[from];
            for to in each(self.linked[middle] & !(1 << from)) {
                let to = to.0 as usize;
                let others = self.pairs[index(middle.min(to), middle.max(to))].full;
                for &other in others.as_slice() {
                    if (other | self.vacant[to]) & taken != 0 {
                        continue;
                    }
                    let carrier = new.carrier | other | self.vacant[middle];
                    if middle < self.first_vacant {
                        self.add_full(from, to, carrier);
                    } else {
                        self.add_semi(from, to, carrier, middle);
                    }
                    if self.won.is_some() {
                        return;
                    }
                }
            }
        }
        self.linked[x] |= 1 << y;
        self.linked[y] |= 1 << x;
    }

    /// The OR rule, with the new connection as one of those joined.
    fn settle_semi(&mut self, new: Waiting) {
        let (x, y) = (new.ends.0 as usize, new.ends.1 as usize);
        let pair = &mut self.pairs[index(x, y)];
        if pair.full.covers(new.carrier) || pair.full.len == FULL {
            return;
        }
        let others = pair.semi;
        if !pair.semi.settle(new.carrier) {
            return;
        }
        pair.common &= new.carrier;
        if pair.common == 0 {
            self.join((x, y), new.carrier, new.carrier, others.as_slice(), JOINED - 1);
        }
    }

    fn join(
        &mut self,
        ends: (usize, usize),
        common: Cells,
        union: Cells,
        others: &[Cells],
        left: u32,
    ) {
        for (index, &other) in others.iter().enumerate() {
            let (fewer, more) = (common & other, union | other);
            if fewer == 0 {
                self.add_full(ends.0, ends.1, more);
            } else if fewer != common && left > 1 {
                self.join(ends, fewer, more, &others[index + 1..], left - 1);
            }
        }
    }
}

/// The place of a pair of ends, `x < y`, among all pairs.
fn index(x: usize, y: usize) -> usize {
    y * (y - 1) / 2 + x
}

#[cfg(test)]
mod tests {
    use andor::Stop;

    use super::*;
    use crate::hex::Hex;
    use crate::support::{BruteForce, Random, random_open_position};

    /// Checks what the search says of both sides, each moving first or second.
    fn check(hex: &Hex, brute: &mut BruteForce) -> bool {
        let mut narrowed = false;
        for side in [Side::Black, Side::White] {
            for moves_first in [true, false] {
                let to_move = if moves_first { side } else { side.opponent() };
                let mut asked = Hex::new(*hex.board(), to_move);
                let found = search(hex.board(), side, moves_first, &Pulse::new(Stop::new()));
                match found.expect("nobody interrupts") {
                    Found::Connection { carrier, key } => {
                        let mut worse = *hex.board();
                        worse.fill(side.opponent(), worse.vacant() & !carrier);
                        let mut worse = Hex::new(worse, to_move);
                        assert_eq!(brute.winner(&mut worse), side, "{asked}: {carrier:#x}");
                        assert!(key.is_none_or(|key| brute.wins_by(&mut worse, key)), "{asked}");
                    }
                    Found::Open { must_play } => {
                        let losing = hex.board().vacant() & !must_play;
                        narrowed |= losing != 0;
                        let wins = each(losing).find(|&cell| brute.wins_by(&mut asked, cell));
                        assert!(moves_first || wins.is_none(), "{asked}: {wins:?} wins");
                    }
                }
            }
        }
        narrowed
    }

    #[test]
    fn connections_and_must_play_regions_are_real() {
        let mut random = Random(12);
        let mut brute = BruteForce::default();
        let mut narrowed = 0;
        for (size, vacant, count) in [(3, 9, 600), (4, 11, 400), (5, 11, 400), (6, 10, 200)] {
            for _ in 0..count {
                let vacant = vacant - random.below(4);
                let hex = random_open_position(&mut random, size, vacant);
                narrowed += u32::from(check(&hex, &mut brute));
                brute.forget();
            }
        }
        assert!(narrowed > 100, "{narrowed} must-play regions");
    }
}
