//! The language in which people are spoken to: English, or Japanese for tsume-shogi.
//!
//! What is said stands in both languages side by side where it is said ([`text!`]), so nobody can
//! forget one. A [`Text`] keeps both until somebody prints it; programs (`--json`) get the English one
//! whatever the language is. What the libraries say is put into Japanese by its type in `errors`,
//! `notation` and `words`, the help in [`help`], and what clap says of wrong arguments in `arguments`.

mod arguments;
mod choice;
mod errors;
pub mod help;
mod notation;
mod text;
mod words;

pub use arguments::wrong_arguments;
pub use choice::{LangName, wanted};
pub use errors::chain;
pub(crate) use text::text;
pub use text::{Lang, Text, said};
