//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod audit;
mod cross_check;
mod explore;
mod fixpoint;
mod interrupts;
mod known;
mod mutants;
mod reader;
mod shortest;
mod stock;
mod stops;
mod text;
