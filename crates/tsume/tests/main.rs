//! All integration tests of this crate, in one program: linking is most of what building them costs.

mod asides;
mod audit;
mod brute;
mod cook;
mod cost;
mod explore;
mod interval;
mod late;
mod mate;
mod necessity;
mod no_mate;
mod own;
mod stock;
mod strength;
mod teams;
mod twins;
