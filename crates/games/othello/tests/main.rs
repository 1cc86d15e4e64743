//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod agent;
mod audit;
mod certified;
mod endgame;
mod evaluated;
mod explore;
mod naive;
mod notation;
mod rules;
mod teams;
