//! The papers' experiments: run, record as CSV, draw as SVG.
//!
//! One module a paper. [`deep`] is DeepPN (Ishitobi, Plaat, Iida and van den Herik, 2015): its
//! Fig. 3 to 6. [`stats`] holds the arithmetic that turns searches into points of a curve, and
//! [`svg`] draws the curves.

pub mod deep;
mod error;
pub mod stats;
pub mod svg;

pub use error::{Error, Result};
