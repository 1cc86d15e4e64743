//! The sequence lock of the table's clusters under every order of events that the memory model
//! allows.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p andor --test loom --release`
#![cfg(loom)]

use andor::table::cluster::{Cluster, SharedWords};
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
