//! The languages in which people are spoken to: English and Japanese.
//!
//! What is said stands in both languages side by side where it is said ([`text!`]), so nobody can
//! forget one. A [`Text`] keeps both until somebody prints it; programs get the English one whatever
//! the language is. What the libraries say is put into Japanese by its type in `errors`, `notation`
//! and `words`.

mod errors;
mod notation;
mod text;
mod words;

pub use text::{Japanese, Lang, Text, said, text};
