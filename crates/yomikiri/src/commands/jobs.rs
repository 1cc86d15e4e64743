//! How many problems are searched at a time, and what memory each of them gets.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use andor::Table;
use anyhow::Result;
use yomikiri_question::lang::{Text, text};

use super::options::parse_whole;

/// The most jobs there are.
const MOST: u64 = 1024;

/// The least table of a job, if it was named how many there are.
const LEAST: usize = 1 << 20;

/// And if it was not: many small tables are worth less than few that a long search fits into.
const ENOUGH: usize = 16 << 20;

/// The option.
#[derive(Clone, Copy, clap::Args)]
pub struct JobsArgs {
    /// Several problems: so many at a time, each with a table of its own, --hash divided by N. What is
    /// printed keeps its order [default: cores ÷ threads, but no more than have 16 MiB of --hash each]
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(1, MOST))]
    jobs: Option<usize>,
}

/// What each job gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// So many at a time.
    pub jobs: usize,
    /// Bytes for the table of each, whole MiB.
    pub hash: usize,
}

impl JobsArgs {
    /// Divides the memory for so many problems, of which each takes so many threads.
    pub fn share(self, problems: usize, threads: usize, hash: usize) -> Result<Share, Text> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        divide(self.jobs, cores / threads.max(1), problems, hash)
    }
}

fn divide(named: Option<usize>, free: usize, problems: usize, hash: usize) -> Result<Share, Text> {
    let wanted = named.unwrap_or(free.min(hash / ENOUGH));
    let jobs = wanted.min(problems).max(1);
    let share = (hash / jobs) >> 20 << 20;
    if share < LEAST {
        let (mib, least) = (hash >> 20, (jobs * LEAST) >> 20);
        return Err(text!(
            "--jobs {jobs}: --hash {mib} is for all of them, and each needs 1 MiB: use --hash {least} or more, or fewer jobs",
            "--jobs {jobs}: --hash {mib} は全部の合計で、一つに 1 MiB 要ります。--hash を {least} 以上にするか、--jobs を減らしてください"
        ));
    }
    // One job has what it was given, to the byte.
    Ok(Share { jobs, hash: if jobs == 1 { hash } else { share } })
}

/// What a job keeps from problem to problem: the table. Making one anew costs far more than clearing
/// it where the system was asked for all of its memory.
#[derive(Default)]
pub struct Desk(Option<Table>);

impl Desk {
    /// An empty table of this size.
    pub fn table(&mut self, bytes: usize) -> Result<&Table> {
        match self.0.take() {
            Some(mut table) if table.bytes() == bytes => {
                // A short try may have answered without it.
                if table.stored() > 0 {
                    table.clear();
                }
                Ok(self.0.insert(table))
            }
            // The old one goes before the new one comes.
            old => {
                drop(old);
                Ok(self.0.insert(Table::new(bytes)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use andor::{Algorithm, Control, Limits, Solvable};
    use yomikiri_hex::Hex;
    use yomikiri_question::lang::Lang;

    use super::*;

    #[test]
    fn memory_is_divided() {
        let share = |named, free, problems, mib: usize| {
            divide(named, free, problems, mib << 20).map(|share| (share.jobs, share.hash >> 20))
        };
        // Cores, problems and memory each set a bound, and there is one job at least.
        assert_eq!(share(None, 4, 100, 256), Ok((4, 64)));
        assert_eq!(share(None, 4, 3, 256), Ok((3, 85)));
        assert_eq!(share(None, 64, 100, 256), Ok((16, 16)));
        assert_eq!(share(None, 64, 100, 1), Ok((1, 1)));
        assert_eq!(share(None, 0, 100, 256), Ok((1, 256)));
        assert_eq!(share(None, 4, 1, 256), Ok((1, 256)));
        // Who names a number gets it, as far as there are problems.
        assert_eq!(share(Some(8), 1, 100, 16), Ok((8, 2)));
        assert_eq!(share(Some(8), 1, 2, 1024), Ok((2, 512)));
        assert_eq!(share(Some(1), 64, 100, 256), Ok((1, 256)));
        assert_eq!(share(Some(16), 1, 100, 16), Ok((16, 1)));
        let refused = share(Some(16), 1, 100, 15).expect_err("too little");
        let refused = refused.as_str(Lang::En);
        for part in ["--jobs 16", "--hash 15", "--hash 16 or more"] {
            assert!(refused.contains(part), "{refused}");
        }
    }

    /// A table that was used before is as good as a new one, to the node.
    #[test]
    fn a_desk_gives_an_empty_table() {
        let search = |table: &Table| {
            let problem: Hex = "hex 3 .../.../... B".parse().expect("a position");
            let mut control = Control::new(Limits::default());
            let found = problem.search(&Algorithm::default(), table, &mut control);
            (found.verdict, found.nodes, table.stored())
        };
        let mut desk = Desk::default();
        let first = search(desk.table(1 << 20).expect("memory"));
        assert!(first.2 > 0);
        let again = desk.table(1 << 20).expect("memory");
        assert_eq!(again.stored(), 0);
        assert_eq!(search(again), first);
        assert_eq!(desk.table(2 << 20).expect("memory").stored(), 0);
        // What was made real is cleared in its place.
        let real = desk.table(2 << 20).expect("memory");
        real.make_real();
        let other = search(real);
        let again = desk.table(2 << 20).expect("memory");
        assert!(again.is_real() && again.stored() == 0);
        assert_eq!(search(again), other);
    }
}
