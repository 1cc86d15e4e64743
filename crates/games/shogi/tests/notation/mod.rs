//! Notation: sample files, round trips through every format, other people's readers and writers,
//! and texts that are broken in every way.

mod broken;
mod cuts;
mod games;
mod names;
mod oracles;
mod round_trips;
mod samples;
