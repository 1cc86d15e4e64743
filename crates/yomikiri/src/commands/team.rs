//! The options that say how several agents search.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use andor::{Assignment, Cover, CoverError, Quanta, QuantaError, Virtual};
use yomikiri_question::lang::{Text, text};
use yomikiri_question::team_options::{MOST_THREADS, Options, parse_assignment, parse_virtual};

use super::options::{parse_nodes, parse_whole};

/// What they say.
#[derive(Clone, Copy, clap::Args)]
#[command(next_help_heading = "Several agents")]
pub struct TeamArgs {
    /// Search on so many threads, or `auto`: one for each core (df-pn, virtual, pincers) [default:
    /// 1; virtual and pincers: 2]
    #[arg(long, short, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// How much another agent below a move counts when a move is chosen (0 to 1000), or `paper`: 1,
    /// in thresholds and stored numbers too (virtual) [default: 1 in shogi, 8 elsewhere]
    #[arg(long, value_name = "T", value_parser = parse_virtual)]
    r#virtual: Option<Virtual>,

    /// All agents on one thread, in turns of so many nodes: what that many threads would do if they
    /// ran evenly, but repeatable (virtual)
    #[arg(long, value_name = "NODES", value_parser = parse_turn)]
    turns: Option<u64>,

    /// The leader and its workers together, on one thread (mps) [default: 8]
    #[arg(long, value_name = "K",
        value_parser = parse_whole::<u8>(1, MOST_THREADS as u64))]
    pseudo_threads: Option<u8>,

    /// Which pseudo-threads share a thread: L is the leader, S a worker, | comes between threads
    /// (pmps) [default: L|S,S]
    #[arg(long, value_name = "L|S,S", value_parser = parse_assignment)]
    assignment: Option<Assignment>,

    /// Nodes of the leader's turn (mps, pincers, pmps) [default: 1000]
    #[arg(long, value_name = "NODES", value_parser = parse_turn)]
    quantum: Option<u64>,

    /// And of the workers' turns: together as many (shares), each as many (equally), together a
    /// tenth (tenth), or each so many times less (weight:1.75) (mps, pmps) [default: shares on one thread, equally on several]
    #[arg(long, value_name = "RULE", value_parser = parse_quanta)]
    quanta: Option<Quanta>,

    /// How far a worker searches a child before it takes the next: just beyond the child's own
    /// proof number (least), as far as the node above may go (branch), or until it is solved
    /// (solved) (mps, pincers, pmps) [default: least]
    #[arg(long, value_name = "COVER", value_parser = parse_cover)]
    cover: Option<Cover>,
}

impl From<TeamArgs> for Options {
    fn from(args: TeamArgs) -> Options {
        let TeamArgs { threads, r#virtual, turns, pseudo_threads, .. } = args;
        let TeamArgs { assignment, quantum, quanta, cover, .. } = args;
        Options { threads, r#virtual, turns, pseudo_threads, assignment, quantum, quanta, cover }
    }
}

/// How many cores there are, as far as agents can use them.
fn cores() -> usize {
    available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS)
}

/// A number of threads, or `auto`.
fn parse_threads(text: &str) -> Result<usize, Text> {
    let cores = cores();
    if text == "auto" {
        return Ok(cores);
    }
    match text.parse::<usize>() {
        Ok(0) => Err(text!("at least one thread is needed", "スレッドは 1 以上を指定してください")),
        Ok(threads) if threads <= MOST_THREADS => Ok(threads),
        Ok(_) => Err(text!(
            "there are {MOST_THREADS} threads at most; `auto` takes one for each core, here {cores}",
            "スレッドは {MOST_THREADS} までです。`auto` は全コア（ここでは {cores}）を使います"
        )),
        Err(_) => Err(text!(
            "expected a whole number from 1 to {MOST_THREADS}, or `auto` for all cores, here {cores}",
            "1 から {MOST_THREADS} までの整数か、全コア（ここでは {cores}）を使う `auto` を指定してください"
        )),
    }
}

/// The nodes of a turn.
fn parse_turn(text: &str) -> Result<u64, Text> {
    match parse_nodes(text)? {
        0 => Err(text!("a turn has at least one node", "1 以上のノード数を指定してください")),
        nodes => Ok(nodes),
    }
}

fn parse_quanta(text: &str) -> Result<Quanta, QuantaError> {
    text.parse()
}

fn parse_cover(text: &str) -> Result<Cover, CoverError> {
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_a_number_or_all_cores() {
        assert_eq!(parse_threads("1"), Ok(1));
        assert_eq!(parse_threads("64"), Ok(64));
        assert!(parse_threads("auto").is_ok_and(|threads| (1..=64).contains(&threads)));
        for bad in ["0", "65", "", "-1", "two", "1.5", "99999999999999999999999"] {
            assert!(parse_threads(bad).is_err(), "{bad}");
        }
    }
}
