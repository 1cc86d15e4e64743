//! What the tests of the board share: positions to start from, and laws that hold in all of them.
#![allow(dead_code, reason = "not every test file uses everything")]

pub mod laws;
pub mod positions;
pub mod records;
