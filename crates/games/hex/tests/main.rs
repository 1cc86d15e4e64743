//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod audit;
mod explore;
mod limits;
mod mutants;
mod notation;
mod openings;
mod rules;
mod soundness;
mod support;
mod teams;
