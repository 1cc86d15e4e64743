//! Tsume-shogi for Yomikiri: mates by checks alone, as a [`Problem`](andor::Problem) for AND/OR search.
//!
//! The board, the rules and every notation are in `yomikiri-shogi`; what is here asks a search
//! about them. Modules stand on each other in this order:
//!
//! - [`Tsume`]: the rules of the problem and its heuristics; [`settings`]: those of df-pn;
//! - [`Mate`]: whether there is a mate, how long it is, and its line; [`convention`]: lengths as
//!   people count them;
//! - [`cook`] and [`variations()`]: other solutions, and what else the defender may play;
//!   [`necessity`]: whether every piece is needed; [`twins`]: mirror images and shifted problems;
//! - [`make`]: the generator of problems, which uses all of it.

mod answer;
mod ask;
pub mod convention;
pub mod cook;
mod first_numbers;
mod line;
pub mod make;
mod mate;
pub mod necessity;
pub mod settings;
mod stock;
mod tsume;
pub mod twins;
mod variations;

pub use answer::{Answer, Conventional, Event, Length, MateLimits, MateProgress, Phase, Solution};
pub use mate::Mate;
pub use stock::AttackersHand;
pub use tsume::{CheckCost, Futile, Tsume};
pub use variations::{Branch, VariationLimits, Variations, variations};

/// Our own 500 problems, each certified sound: lines of SFEN, id and length with tabs between them.
/// Lines that begin with `#` say how they were made.
pub const OWN_PROBLEMS: &str = include_str!("../tests/data/own500.tsv");

/// Our own hard problems, each with a certified exact length: the same columns. There may be other
/// solutions.
pub const STRENGTH_PROBLEMS: &str = include_str!("../tests/data/strength.tsv");

andor::solvable!(Tsume);
