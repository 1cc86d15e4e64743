//! The papers' experiments: run, record as CSV, draw as SVG.
//!
//! One module a paper. [`deep`] is DeepPN (Ishitobi, Plaat, Iida and van den Herik, 2015): its
//! Fig. 3 to 6. [`parallel`] is parallel df-pn (Kaneko, 2010), [`paths`] multiple-paths search with
//! pseudo-threads (Takano et al., 2009), [`pmps`] its parallel form (Takano et al.); these three
//! search tsume-shogi problems, and share [`problems`]. [`pgpp`] and [`ranks`] are P-GPP (Yokoyama,
//! Kaneko and Tanaka, 2015): its Fig. 4 in virtual time, and its Table 2. [`stats`] holds the
//! arithmetic that turns searches into points of a curve, and [`svg`] draws the curves.

pub mod deep;
mod error;
mod journal;
mod origin;
pub mod parallel;
pub mod paths;
pub mod pgpp;
pub mod pmps;
pub mod problems;
pub mod ranks;
pub mod stats;
pub mod svg;

use std::path::{Path, PathBuf};

pub use error::{Error, Result, UnknownWord};

/// Where the results of an experiment go if no other folder is named. Quick ones have a place of
/// their own: they are for a look, and those in `lab/results` are kept.
pub fn folder(experiment: &str, quick: bool) -> PathBuf {
    Path::new(if quick { "lab/quick" } else { "lab/results" }).join(experiment)
}
