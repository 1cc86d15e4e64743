//! The language of the command line: English, or Japanese for tsume-shogi.
//!
//! What is said is in both languages at once (`yomikiri_question::lang`). Here is which of them is spoken
//! (`choice`), and what only a command line has in Japanese: its help ([`help`]), what clap says of wrong
//! arguments (`arguments`), and errors of any type (`errors`).

mod arguments;
mod choice;
mod errors;
pub mod help;

pub use arguments::{Wrong, wrong_arguments};
pub use choice::{LangName, wanted};
pub use errors::chain;
