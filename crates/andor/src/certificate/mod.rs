//! Certificates: proofs and disproofs that a stranger can check.
//!
//! A certificate is a header of text lines and a body that retells the solution, position by
//! position, in the order of a walk from the root. Nothing in it has to be believed: the
//! [checker](check()) follows the walk with the game's [`Rules`](crate::Rules) alone. Call the
//! side that a verdict favours its *holder*. At the holder's turn the body names one move, at the
//! other side's turn it treats every legal move.
//!
//! - A *proof* must come to its end on every line. Each position carries a rank larger than the
//!   ranks of those after it, and a position may be settled by pointing back at one that is
//!   complete. So no cycle can hide, and the root's rank is a bound on the length of the solution.
//! - A *disproof* is a set of positions that the attacker cannot leave: a position may be settled
//!   by pointing at any one that has begun, an ancestor too. A play that goes round for ever is the
//!   defender's. If the claim is only "not within n plies", each position is claimed for the plies
//!   that are left, and nothing is asked of a position with none left but that it is not won.
//! - A position with the same board and a smaller stock answers for a proof, one with a larger
//!   stock for a disproof.
//! - A position may be replaced by one that is worse for the holder by a theorem of the game
//!   ([`Rules::weakened`](crate::Rules::weakened)).
//!
//! Where repetition favours the attacker, the certificate is that of the [`Mirror`](crate::Mirror)
//! image.
//!
//! # Format
//!
//! ```text
//! yomikiri certificate 3
//! game: othello
//! problem: (one line; how the game writes it)
//! verdict: proven
//! plies: 14
//! (an empty line, then the body)
//! ```
//!
//! The body is a sequence of records; numbers are LEB128 (seven bits a byte, least first).
//!
//! | record | bytes | meaning |
//! | --- | --- | --- |
//! | over | `00` | the rules call the position the holder's |
//! | expand | `01`, at the holder's turn a move number, the records of the children, in a proof the rank | the position follows from its children |
//! | known | `02` | the position was treated before |
//! | weaken | `03`, length, hint, a record | the record is about the weakened position |
//! | cut | `04` | no plies are left, and the attacker has not won |
//! | raise | `05`, a number, an expand record | a disproof within so many plies more than are asked for, so that it answers where more are asked |
//! | end | `ff`, number of expand records | nothing follows |
//!
//! At the other side's turn the records of the children stand in the order of their move numbers.
//!
//! What older formats have instead: in formats 1 and 2 the children stand in the order in which the
//! game's [`Rules::legal_moves`](crate::Rules::legal_moves) yields the moves, and format 1 has no *raise*.

mod check;
mod claims;
mod explore;
mod format;
mod plan;
mod write;

pub use check::{CheckError, Checked, Checking, Fault, check, check_within};
pub use explore::{Ground, Node, Place, Proof, Reply, Standing};
pub use format::{Format, Header, HeaderError};
pub use write::{WriteError, Written, write};
