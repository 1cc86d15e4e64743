//! First proof numbers of a position that was never searched (`H` of df-pn⁺): what it seems to take to
//! mate, told by what the look at the position has counted anyway.
//!
//! All of it is ways out. With the attacker to move it counts most how many squares even the best check
//! leaves the king, more than how many he has now; with the defender to move a move on the board is worth
//! two interpositions, and a king that takes something on his way is harder to mate than one that only
//! flees. The weights were fitted to many searches with weights drawn at random (docs/experiments.md).
//! Finer ones than these round ones are no better.

/// With the attacker to move: `free` squares for the king, of which the best check leaves `room`.
#[inline]
pub(crate) fn of_checks(free: u32, room: u32) -> u32 {
    1 + free + 2 * room
}

/// With the defender to move: `flights` of the king, `taking` of which take something, moves of `others`,
/// and `squares` on which something can be dropped.
#[inline]
pub(crate) fn of_answers(flights: u32, taking: u32, others: u32, squares: u32) -> u32 {
    1 + 2 * (flights + others) + taking + squares
}
