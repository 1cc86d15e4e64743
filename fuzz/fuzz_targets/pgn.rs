//! Any text as PGN: games are read or refused with a place and a reason, and what was read is
//! written so that it reads back as the same. And as the operations of an EPD: a bad one is named with
//! its place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_chess::epd::{self, EpdError};
use yomikiri_chess::pgn::{self, Record};

fuzz_target!(|text: &str| {
    let lines = text.split('\n').count();
    for game in pgn::read(text) {
        match game {
            Ok(game) => is_written(&game),
            Err(error) => {
                assert!((1..=lines).contains(&error.line), "{error}: there are {lines} lines");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    are_operations(text);
});

fn are_operations(text: &str) {
    let text = format!("7k/8/5KQ1/8/8/8/8/8 w - - {text}");
    if let Err(EpdError::Operation { at, name, .. }) = epd::read(&text) {
        assert!(text[at..].starts_with(&name), "{name}, byte {at}: {text}");
    }
}

fn is_written(game: &Record) {
    let written = game.to_string();
    let again = pgn::read_all(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.len(), 1, "{written}");
    assert_eq!((&again[0].start, again[0].result), (&game.start, game.result), "{written}");
    assert!(again[0].moves().eq(game.moves()), "{written}");
    // Comments may lose what cannot be written in one, such as a brace; but only once.
    assert_eq!(again[0].to_string(), written);
}
