//! Any bytes as a record of shogi (SFEN, KIF, KI2, CSA, JKF, in UTF-8 or Shift_JIS): it is read
//! without a panic, or refused with a place in the text and a reason; and what is written of it
//! is read again.
#![no_main]

#[path = "../../crates/games/shogi/tests/support/records.rs"]
mod records;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| records::read_anyhow(bytes));
