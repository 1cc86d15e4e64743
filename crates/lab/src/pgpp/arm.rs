//! Who plays against one worker.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use yomikiri_cluster::Growth;

/// Who plays against one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// A cluster.
    Cluster {
        /// How its tree grows.
        growth: Growth,
        /// How many workers.
        workers: u32,
        /// Does it grow at new roots only?
        new_roots_only: bool,
    },
    /// One worker with so many times the nodes.
    Linear(u32),
    /// One worker that forgets its table at every move.
    Forgetful,
}

/// What the name of a cluster ends with whose tree grows at new roots only.
const NEW_ROOTS: &str = "@root";

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Arm::Cluster { growth, workers, new_roots_only } => {
                let when = if *new_roots_only { NEW_ROOTS } else { "" };
                write!(f, "{}-{workers}{when}", growth.name())
            }
            Arm::Linear(times) => write!(f, "linear-{times}"),
            Arm::Forgetful => f.write_str("forgetful"),
        }
    }
}

impl Arm {
    /// How many workers a cluster has.
    pub(super) fn workers(self) -> Option<u32> {
        match self {
            Arm::Cluster { workers, .. } => Some(workers),
            Arm::Linear(_) | Arm::Forgetful => None,
        }
    }
}

/// A text that names nobody who could play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no arm '{0}'; write pgpp-32, pgpp-32@root, random-8, gpp-8, pv-8, linear-4 or forgetful, with at \
     most 1024 workers"
)]
pub struct UnknownArm(pub String);

impl FromStr for Arm {
    type Err = UnknownArm;

    fn from_str(text: &str) -> Result<Arm, UnknownArm> {
        let bad = || UnknownArm(text.into());
        if text == "forgetful" {
            return Ok(Arm::Forgetful);
        }
        let (cluster, new_roots_only) = match text.strip_suffix(NEW_ROOTS) {
            Some(cluster) => (cluster, true),
            None => (text, false),
        };
        let (name, number) = cluster.split_once('-').ok_or_else(bad)?;
        let number: u32 = number.parse().map_err(|_| bad())?;
        if number == 0 || number > 1024 {
            return Err(bad());
        }
        match name {
            "linear" if new_roots_only => Err(bad()),
            "linear" => Ok(Arm::Linear(number)),
            _ => {
                let growth = name.parse().map_err(|_| bad())?;
                Ok(Arm::Cluster { growth, workers: number, new_roots_only })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_read_as_they_are_written() {
        for text in
            ["pgpp-8", "pgpp-8@root", "random-60@root", "gpp-4", "pv-2", "linear-16", "forgetful"]
        {
            assert_eq!(text.parse::<Arm>().map(|arm| arm.to_string()).as_deref(), Ok(text));
        }
        let bad = [
            "",
            "pgpp",
            "pgpp-0",
            "pgpp-1025",
            "pgpp-8@leaf",
            "linear-8@root",
            "best-3",
            "@root",
            "forgetful@root",
        ];
        for text in bad {
            assert_eq!(text.parse::<Arm>(), Err(UnknownArm(text.into())));
        }
    }
}
