//! Many problems on all cores, answered in their order.
//!
//! The problems of a list have nothing to do with each other, so a core is best used with a problem of
//! its own: agents that share one get in each other's way, and a mate in three plies is over before
//! they have met. Each *job* is a thread that takes the next problem nobody has begun, and keeps what
//! it needs from one to the next (its table) on a *desk* of its own. What it found goes to the thread
//! that asked, and waits there until everything before it was handed on. So whoever reads the results
//! cannot tell how many jobs there were: nothing is printed by the jobs themselves.
//!
//! Problems are begun in their order, and who begins one ends it. So Ctrl-C leaves a list that was
//! answered up to some problem and not begun after it; those that were being searched then say that
//! they were stopped. If a result cannot be handed on, because its reader has gone, the jobs are
//! stopped, too.
//!
//! One job is no thread: the caller does the work himself, and may show each search as it goes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, Builder};
use std::time::Duration;

use andor::Stop;
use anyhow::{Context, Result};
use yomikiri_question::lang::{Lang, Text, text};

use crate::progress::Bar;

/// Stack of a job, as much as a program has on most systems: what is done there is done elsewhere
/// by the program's first thread.
const STACK: usize = 8 << 20;

/// How often the bar is drawn while nothing is finished.
const EVERY: Duration = Duration::from_millis(100);

/// So many names are told of those that were left out.
const NAMED: usize = 8;

/// A job that is on nothing.
const IDLE: usize = usize::MAX;

/// How a list is worked off.
pub struct Batch<'a> {
    /// So many at a time.
    pub jobs: usize,
    /// Ends it.
    pub stop: &'a Stop,
    /// No bar.
    pub quiet: bool,
}

impl Batch<'_> {
    /// Does `work` on every item, each job at a `desk` of its own, and hands the results to `deliver` in
    /// the order of the items. Gives how many were begun: these were delivered, and those after them
    /// were not begun. `name` is for the bar. The first error of `deliver` ends it.
    pub fn run<I: Sync, D, R: Send>(
        &self,
        items: &[I],
        name: impl Fn(&I) -> String,
        desk: impl Fn() -> D + Sync,
        work: impl Fn(&mut D, &I) -> R + Sync,
        mut deliver: impl FnMut(&I, R) -> Result<()>,
    ) -> Result<usize> {
        if self.jobs > 1 {
            return self.share_out(items, name, desk, work, deliver);
        }
        let mut desk = desk();
        let mut begun = 0;
        for item in items {
            if self.stop.is_raised() {
                break;
            }
            begun += 1;
            deliver(item, work(&mut desk, item))?;
        }
        Ok(begun)
    }

    fn share_out<I: Sync, D, R: Send>(
        &self,
        items: &[I],
        name: impl Fn(&I) -> String,
        desk: impl Fn() -> D + Sync,
        work: impl Fn(&mut D, &I) -> R + Sync,
        mut deliver: impl FnMut(&I, R) -> Result<()>,
    ) -> Result<usize> {
        let (stop, lang) = (self.stop, Lang::current());
        let next = AtomicUsize::new(0);
        let places: Vec<AtomicUsize> = (0..self.jobs).map(|_| AtomicUsize::new(IDLE)).collect();
        let (sender, receiver) = channel();
        let job = |place: &AtomicUsize, results: Sender<(usize, R)>| {
            let _guard = RaisedByPanic(stop);
            let mut desk = desk();
            while !stop.is_raised() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { break };
                place.store(at, Ordering::Relaxed);
                let result = work(&mut desk, item);
                place.store(IDLE, Ordering::Relaxed);
                if results.send((at, result)).is_err() {
                    break;
                }
            }
        };
        let job = &job;
        thread::scope(|scope| {
            for (number, place) in places.iter().enumerate() {
                let results = sender.clone();
                let begin = move || lang.speak(|| job(place, results));
                match Builder::new().stack_size(STACK).spawn_scoped(scope, begin) {
                    Ok(_) => {}
                    // Fewer will do it, too.
                    Err(_) if number > 0 => break,
                    Err(error) => {
                        return Err(error).with_context(|| {
                            text!("cannot start a thread", "スレッドを作れません")
                        });
                    }
                }
            }
            drop(sender);
            let title = text!("problems", "問題").to_string();
            let mut bar = Bar::counting(self.quiet, &title, items.len() as u64);
            let mut waiting = BTreeMap::new();
            let (mut done, mut delivered) = (0, 0);
            loop {
                match receiver.recv_timeout(EVERY) {
                    Ok((at, result)) => {
                        done += 1;
                        waiting.insert(at, result);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(delivered),
                }
                while let Some(result) = waiting.remove(&delivered) {
                    let hand_on = || deliver(&items[delivered], result);
                    let handed = match &bar {
                        Some(bar) => bar.aside(hand_on),
                        None => hand_on(),
                    };
                    if handed.is_err() {
                        stop.raise();
                    }
                    handed?;
                    delivered += 1;
                }
                if let Some(bar) = &mut bar {
                    bar.show_count(done, || {
                        let on = places.iter().map(|place| place.load(Ordering::Relaxed));
                        let names: Vec<String> =
                            on.filter_map(|at| items.get(at)).map(&name).collect();
                        names.join(", ")
                    });
                }
            }
        })
    }
}

/// A job that panics ends the others; the panic goes on when they have ended.
struct RaisedByPanic<'a>(&'a Stop);

impl Drop for RaisedByPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.raise();
        }
    }
}

/// Names in a row; of many the first ones, and how many more there are.
pub fn listed(names: &[&str]) -> Text {
    let (first, more) = names.split_at(names.len().min(NAMED));
    let (first, more) = (first.join(", "), more.len());
    match more {
        0 => first.into(),
        _ => text!("{first} and {more} more", "{first}、ほか{more}"),
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use anyhow::anyhow;

    use super::*;

    fn batch(jobs: usize, stop: &Stop) -> Batch<'_> {
        Batch { jobs, stop, quiet: true }
    }

    /// Work that ends in another order than it began in.
    fn slowly(item: u64) -> u64 {
        thread::sleep(Duration::from_millis((item * 7) % 5));
        item * item
    }

    #[test]
    fn results_come_in_the_order_of_the_items_for_any_number_of_jobs() {
        let items: Vec<u64> = (0..60).collect();
        for jobs in [1, 2, 4, 13, 100] {
            let stop = Stop::new();
            let mut found = Vec::new();
            let begun = batch(jobs, &stop).run(
                &items,
                u64::to_string,
                || 0,
                |desk: &mut u64, &item| {
                    *desk += 1;
                    (slowly(item), *desk)
                },
                |&item, result| {
                    found.push((item, result));
                    Ok(())
                },
            );
            assert_eq!(begun.ok(), Some(60));
            let squares: Vec<u64> = found.iter().map(|(_, (square, _))| *square).collect();
            assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>(), "{jobs}");
            assert!(found.iter().enumerate().all(|(at, (item, _))| at as u64 == *item));
            // Every job has a desk, which it keeps.
            let desks = found.iter().filter(|(_, (_, before))| *before == 1).count();
            assert!((1..=jobs).contains(&desks), "{desks} of {jobs}");
        }
    }

    #[test]
    fn a_stop_leaves_a_beginning_of_the_list() {
        for jobs in [1, 3] {
            let stop = Stop::new();
            let items: Vec<u64> = (0..1_000).collect();
            let mut found = Vec::new();
            let begun = batch(jobs, &stop)
                .run(
                    &items,
                    u64::to_string,
                    || (),
                    |(), &item| {
                        if item == 20 {
                            stop.raise();
                        }
                        slowly(item)
                    },
                    |&item, _| {
                        found.push(item);
                        Ok(())
                    },
                )
                .expect("it ends");
            // Those that had begun when it came are there, and none after them.
            assert!((21..=20 + jobs).contains(&begun), "{begun}");
            assert_eq!(found, items[..begun]);
        }
    }

    #[test]
    fn a_reader_who_has_gone_ends_all_jobs() {
        for jobs in [1, 3] {
            let (stop, worked) = (Stop::new(), AtomicUsize::new(0));
            let items: Vec<u64> = (0..1_000).collect();
            let end = batch(jobs, &stop).run(
                &items,
                u64::to_string,
                || (),
                |(), &item| {
                    worked.fetch_add(1, Ordering::Relaxed);
                    slowly(item)
                },
                |&item, _| if item == 5 { Err(anyhow!("gone")) } else { Ok(()) },
            );
            assert_eq!(end.map_err(|error| error.to_string()), Err("gone".into()));
            assert!(worked.into_inner() < 200);
        }
    }

    #[test]
    fn a_panic_ends_all_jobs_and_goes_on() {
        let (stop, worked) = (Stop::new(), AtomicUsize::new(0));
        let items: Vec<u64> = (0..1_000).collect();
        let end = catch_unwind(AssertUnwindSafe(|| {
            batch(3, &stop).run(
                &items,
                u64::to_string,
                || (),
                |(), &item| {
                    assert!(item != 5, "the fifth");
                    worked.fetch_add(1, Ordering::Relaxed);
                    slowly(item)
                },
                |_, _| Ok(()),
            )
        }));
        assert!(end.is_err() && stop.is_raised());
        assert!(worked.into_inner() < 200);
    }

    #[test]
    fn jobs_speak_the_language_of_who_asks() {
        let stop = Stop::new();
        let mut found = Vec::new();
        let run = || {
            batch(2, &stop).run(
                &[(); 4],
                |()| String::new(),
                || (),
                |(), ()| text!("mate", "詰み").to_string(),
                |(), word| {
                    found.push(word);
                    Ok(())
                },
            )
        };
        assert_eq!(Lang::Ja.speak(run).ok(), Some(4));
        assert_eq!(found, ["詰み"; 4]);
    }

    #[test]
    fn of_many_names_some_are_told() {
        assert_eq!(listed(&["a", "b"]).as_str(Lang::En), "a, b");
        let many = ["x"; 12];
        assert_eq!(listed(&many).as_str(Lang::En), "x, x, x, x, x, x, x, x and 4 more");
    }
}
