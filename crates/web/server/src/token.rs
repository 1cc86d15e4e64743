//! The word that lets a visitor in.

use std::fmt;
use std::hint::black_box;

/// A secret that visitors have to know. It is never shown: not by `Debug` either.
#[derive(Clone)]
pub struct Token(String);

/// Why a text cannot be a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// It has fewer than [`Token::SHORTEST`] characters.
    Short,
    /// It has other characters than letters, digits and `-._~`, which need no quotes in an address.
    Characters,
}

impl Token {
    /// The fewest characters.
    pub const SHORTEST: usize = 16;

    /// A token of this text.
    pub fn new(text: &str) -> Result<Token, TokenError> {
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) {
            return Err(TokenError::Characters);
        }
        if text.len() < Token::SHORTEST {
            return Err(TokenError::Short);
        }
        Ok(Token(text.to_owned()))
    }

    /// Is it this one? Takes the same time wherever the two differ, so that nobody learns from that how
    /// much of a guess is right.
    pub(crate) fn is(&self, guess: &str) -> bool {
        let (own, guess) = (self.0.as_bytes(), guess.as_bytes());
        let mut difference = u8::from(own.len() != guess.len());
        for (place, byte) in guess.iter().enumerate() {
            difference |= black_box(byte ^ own[place % own.len()]);
        }
        black_box(difference) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_alone_and_never_shown() {
        let token = Token::new("correct-horse-battery").expect("a token");
        assert!(token.is("correct-horse-battery"));
        let wrong = ["", "c", "correct-horse-batterz", "Correct-horse-battery"];
        assert!(wrong.iter().all(|guess| !token.is(guess)));
        assert!(!token.is(&"correct-horse-battery".repeat(2)));
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn what_is_short_or_odd_is_none() {
        assert_eq!(Token::new("short").err(), Some(TokenError::Short));
        assert_eq!(Token::new("with blanks in between").err(), Some(TokenError::Characters));
        assert_eq!(Token::new("").err(), Some(TokenError::Short));
    }
}
