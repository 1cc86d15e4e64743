//! Commands that this build leaves out, because the feature they belong to is off: they are listed
//! all the same, and say how to get them.

use std::ffi::OsString;

use anyhow::{Result, bail};

use super::exit::Exit;

/// Whatever else is on the command line.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<OsString>,
}

fn refuse(command: &str, feature: &str) -> Result<Exit> {
    bail!(
        "`{command}` is not in this build of yomikiri: build it with `--features {feature}`, as in \
         `cargo install --path crates/yomikiri --features {feature}`"
    )
}

/// A command that is left out, in the place of its module.
macro_rules! absent {
    ($module:ident, $command:literal, $feature:literal) => {
        #[cfg(not(feature = $feature))]
        pub mod $module {
            pub use crate::commands::absent::Args;

            /// Says how to get the command.
            pub fn run(_: &Args) -> anyhow::Result<crate::commands::exit::Exit> {
                crate::commands::absent::refuse($command, $feature)
            }
        }
    };
}

absent!(cluster, "cluster", "cluster");
absent!(worker, "worker", "cluster");
absent!(match_play, "match", "cluster");
absent!(lab, "lab", "lab");
absent!(serve, "serve", "serve");
absent!(stops, "bench stops", "cluster");
