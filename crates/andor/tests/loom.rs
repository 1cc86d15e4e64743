//! What threads share without a lock, under every order of events that the memory model allows: the
//! sequence lock of the table's clusters, the inboxes of notices, and the marks.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p andor --test loom`
#![cfg(loom)]

use andor::internals::{Cluster, Marks, Notices, SharedWords};
use loom::sync::Arc;
use loom::thread;

fn shared() -> Arc<SharedWords> {
    Arc::new(std::array::from_fn(|_| loom::sync::atomic::AtomicU64::new(0)))
}

/// A reader sees both words of a write or none.
#[test]
fn a_reader_sees_no_half_write() {
    loom::model(|| {
        let words = shared();
        let writer = {
            let words = words.clone();
            thread::spawn(move || {
                Cluster::new(&words).write(|words| {
                    words[1] = 7;
                    words[2] = 7;
                });
            })
        };
        let (a, b) = Cluster::new(&words).read(|view| (view.word(1), view.word(2)));
        assert_eq!(a, b);
        writer.join().unwrap();
        assert_eq!(Cluster::new(&words).read(|view| view.word(2)), 7);
    });
}

/// Two writers do not lose each other's work.
#[test]
fn writers_exclude_each_other() {
    loom::model(|| {
        let words = shared();
        let writers: Vec<_> = (0..2)
            .map(|_| {
                let words = words.clone();
                thread::spawn(move || Cluster::new(&words).write(|words| words[1] += 1))
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        assert_eq!(Cluster::new(&words).read(|view| view.word(1)), 2);
    });
}

/// A writer that panics does not keep others out, and changes nothing.
#[test]
fn a_panic_in_a_writer_unlocks() {
    loom::model(|| {
        let words = shared();
        let writer = {
            let words = words.clone();
            thread::spawn(move || {
                let write = || {
                    Cluster::new(&words).write(|words| {
                        words[1] = 7;
                        panic!("on purpose");
                    })
                };
                assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).is_err());
            })
        };
        assert_eq!(Cluster::new(&words).read(|view| view.word(1)), 0);
        Cluster::new(&words).write(|words| words[1] += 1);
        writer.join().unwrap();
        assert_eq!(Cluster::new(&words).read(|view| view.word(1)), 1);
    });
}

/// Everything in an agent's inbox.
fn received(notices: &Notices, agent: usize) -> Vec<u64> {
    let mut checks = Vec::new();
    notices.receive(agent, |check| checks.push(check));
    checks
}

/// A notice is read once: by a look that comes while it is sent, or by the next one.
#[test]
fn a_notice_is_read_once() {
    loom::model(|| {
        let notices = Arc::new(Notices::new(2));
        let sender = {
            let notices = notices.clone();
            thread::spawn(move || notices.send(0b11, 5))
        };
        let mut seen = received(&notices, 1);
        sender.join().unwrap();
        seen.extend(received(&notices, 1));
        assert_eq!(seen, [5]);
        assert_eq!(received(&notices, 0), [5]);
        assert_eq!(received(&notices, 1), []);
    });
}

/// Two notices in two places are both read, whoever sends first and whenever the agent looks.
#[test]
fn notices_of_two_agents_are_both_read() {
    loom::model(|| {
        let notices = Arc::new(Notices::new(1));
        let senders = [3, 4].map(|check| {
            let notices = notices.clone();
            thread::spawn(move || notices.send(1, check))
        });
        let mut seen = received(&notices, 0);
        for sender in senders {
            sender.join().unwrap();
        }
        seen.extend(received(&notices, 0));
        seen.sort_unstable();
        assert_eq!(seen, [3, 4]);
    });
}

/// Of two notices in one place at least the later one is read, and no third.
#[test]
fn of_two_notices_in_one_place_one_is_read() {
    /// Both fall on one place, whatever the number of places is, up to 16.
    const CHECKS: [u64; 2] = [7, 7 + 720_720];
    loom::model(|| {
        let notices = Arc::new(Notices::new(1));
        let sender = {
            let notices = notices.clone();
            thread::spawn(move || CHECKS.iter().for_each(|&check| notices.send(1, check)))
        };
        let mut seen = received(&notices, 0);
        sender.join().unwrap();
        seen.extend(received(&notices, 0));
        assert!(seen == CHECKS || seen == CHECKS[1..], "{seen:?}");
    });
}

/// Agents at one slot do not take each other's marks off, and when all have left it is clear.
#[test]
fn marks_are_taken_off_again() {
    loom::model(|| {
        let marks = Arc::new(Marks::new(1));
        let other = {
            let marks = marks.clone();
            thread::spawn(move || {
                marks.mark(9, 1);
                assert_ne!(marks.agents(9) & 2, 0);
                marks.unmark(9, 1);
                assert_eq!(marks.agents(9) & 2, 0);
            })
        };
        marks.mark(9, 0);
        assert_ne!(marks.agents(9) & 1, 0);
        other.join().unwrap();
        assert_eq!(marks.agents(9), 1);
        marks.unmark(9, 0);
        assert!(marks.are_clear());
    });
}
