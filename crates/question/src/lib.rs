//! A problem of any game: read from text, asked, searched, and answered in words.
//!
//! What the command line and every other face of Yomikiri have in common, with nothing of a terminal,
//! of files or of threads in it: it works in a browser, too. Modules stand on each other in this
//! order:
//!
//! - [`lang`]: what is said, in English and Japanese at once; [`display`]: numbers and reasons;
//! - [`diagnostic`]: what a bad text is told;
//! - [`algorithms`] and [`team_options`]: the table of searches, and what can be changed about them;
//! - [`games`]: the table of games, and [`AnyProblem`](games::AnyProblem), a problem of one of them;
//! - [`attempt`], [`solution_line`] and [`certificate`]: a first try, the moves of a solution, and its
//!   proof; of tsume-shogi, [`solution_record`] with its variations, [`soundness`] and [`need`], and
//!   [`check_record`] with all of it.
//!
//! ```
//! use yomikiri_question::games;
//! use yomikiri_question::lang::Lang;
//!
//! let problem = games::parse("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1", None, None).unwrap();
//! assert_eq!(problem.game().name, "shogi");
//! assert_eq!(problem.question().as_str(Lang::En), "Black to move: is there a mate?");
//! assert_eq!(problem.question().as_str(Lang::Ja), "先手番、詰みはあるか");
//!
//! // Nobody holds a king.
//! let wrong = games::parse("8k/4B4/9/6+R1P/9/9/9/9/9 b 3K 1", None, None).unwrap_err();
//! assert_eq!((wrong.line, wrong.column), (0, 28));
//! ```

pub mod algorithms;
pub mod attempt;
pub mod certificate;
pub mod check_record;
pub mod diagnostic;
pub mod display;
pub mod games;
pub mod lang;
pub mod need;
pub mod solution_line;
pub mod solution_record;
pub mod soundness;
pub mod team_options;
pub mod written;
