//! Matches between engines of chess (UCI) or shogi (USI), and tournaments of more than two.
//!
//! Every opening is played twice with sides exchanged. Games run side by side, each in a slot with
//! engines of its own; a game is recorded when it ends, so that a match can be broken off and
//! resumed. An engine that dies, hangs, answers late or plays an illegal move loses that game, is
//! started again if need be, and the match goes on.
//!
//! - [`spec`]: an engine as one line of text; [`limits`]: what a move may cost, and clocks.
//! - [`openings`]: where games begin; [`referee`]: the rules; [`adjudication`]: games ended early.
//! - [`player`]: one engine at the board; [`game`]: one game; [`runner`]: all of them.
//! - [`record`]: a game that was played; [`journal`]: the file that a match is resumed from;
//!   [`notation`]: PGN and CSA; [`standing`]: the score; [`tournament`]: more than two engines.

pub mod adjudication;
pub mod game;
pub mod journal;
pub mod limits;
pub mod notation;
pub mod openings;
pub mod player;
pub mod record;
pub mod referee;
pub mod runner;
pub mod spec;
pub mod standing;
pub mod tournament;

pub use adjudication::Adjudication;
pub use journal::{Header, Journal, JournalError};
pub use limits::{Limits, TimeControl};
pub use openings::{LineError, Openings, OpeningsError};
pub use player::{Contestant, StartError};
pub use record::{GameRecord, Reason};
pub use runner::{Finish, Plan, Report, run};
pub use spec::EngineSpec;
pub use standing::Standing;
pub use tournament::{CrossTable, Pairings};
