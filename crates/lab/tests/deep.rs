//! The whole experiment, small.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use andor::table::MIN_BYTES;
use andor::{Stop, Table, Value};
use yomikiri_lab::Error;
use yomikiri_lab::deep::{Choice, Game, Options, Recognition, Search, run, search_one};
use yomikiri_othello::{endgame::Endgame, random_position};

const FILES: [&str; 17] = [
    "raw.csv",
    "summary.txt",
    "fig3.csv",
    "fig4.csv",
    "fig5.csv",
    "fig6.csv",
    "fig3a.svg",
    "fig3b.svg",
    "fig4a.svg",
    "fig4b.svg",
    "fig5a.svg",
    "fig5b.svg",
    "fig6.svg",
    "fig5_created.csv",
    "fig5b_created.svg",
    "fig6_created.csv",
    "fig6_created.svg",
];

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("yomikiri-lab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect(file)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small(folder: &Folder) -> Options {
    Options {
        quick: true,
        threads: 2,
        out: folder.0.clone(),
        positions: Some(2),
        orders: Some(2),
        hex_size: 3,
        othello_limit: 1_000_000,
        hex_limit: 1_000_000,
        ..Options::default()
    }
}

#[test]
fn a_quick_run_writes_every_file_whatever_the_threads() {
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    let calls = AtomicUsize::new(0);
    let options = Options { threads: 1, ..small(&one) };
    let count = |done: usize, total: usize| {
        assert!(done <= total);
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let summary = run(&options, &count).expect("a run");
    let searches = one.read("raw.csv").lines().count() - 4;
    assert_eq!(calls.into_inner(), searches + 1);
    let ties = summary.tie_break.expect("§3.1");
    assert_eq!((ties.positions, ties.equal_at_one), (2, 2));
    // The best R by the paper's measure leads the key figures.
    let text = summary.to_string();
    let (_, key) = text.split_once("least mean of rates (Fig. 3b), R = ").expect("a key figure");
    let othello = summary.othello.expect("Fig. 3");
    let best = othello.best_by(|measure| measure.rate).expect("a point");
    let told = format!("0.{}: iterations: mean of rates {:.3}", best.hundredths, {
        best.iterations.rate / 100.0
    });
    assert!(key.starts_with(&told), "{told}\n{text}");
    assert_eq!(othello.at(100).expect("R = 1").iterations.rate, 100.0);
    assert!(summary.hex_near_one.expect("Fig. 6").at(97).is_some());

    run(&small(&two), &|_, _| ()).expect("a run");
    for file in FILES.iter().filter(|&&file| file != "summary.txt") {
        assert_eq!(one.read(file), two.read(file), "{file}");
    }
}

#[test]
fn a_run_goes_on_from_what_is_recorded() {
    let folder = Folder::new("resume");
    let options = Options { only: Some(Game::Hex), ..small(&folder) };
    let whole = run(&options, &|_, _| ()).expect("a run");
    assert!(whole.othello.is_none() && whole.hex.is_some());
    let raw = folder.read("raw.csv");
    let first: Vec<&str> = raw.lines().take(8).collect();
    fs::write(folder.0.join("raw.csv"), first.join("\n") + "\nhex,crea").expect("cut");
    let stop = Stop::new();
    stop.raise();
    let stopped = run(&Options { stop, ..options.clone() }, &|_, _| ());
    assert!(matches!(stopped, Err(Error::Stopped { done: 4, .. })));
    run(&options, &|_, _| ()).expect("the rest");
    assert_eq!(folder.read("raw.csv"), raw);
    let other = run(&Options { seed: 1, ..options.clone() }, &|_, _| ());
    assert!(matches!(other, Err(Error::OtherRun { .. })));
    assert_eq!(folder.read("raw.csv"), raw);
    fs::write(folder.0.join("raw.csv"), raw.replacen("proven", "won", 1)).expect("spoil");
    assert!(matches!(run(&options, &|_, _| ()), Err(Error::BadRow { .. })));
}

#[test]
fn bad_options_are_refused_before_anything_is_written() {
    let folder = Folder::new("bad");
    let options = small(&folder);
    let bad = [
        Options { threads: 0, ..options.clone() },
        Options { positions: Some(0), ..options.clone() },
        Options { hex_size: 0, ..options.clone() },
        Options { hex_limit: 0, ..options.clone() },
    ];
    for options in bad {
        assert!(matches!(run(&options, &|_, _| ()), Err(Error::BadOption(_))));
    }
    assert!(!folder.0.exists());
}

/// R = 1 is PN-search, position by position, and every setting and way of recognising the end of
/// the game finds the right value.
#[test]
fn r_one_is_pn_search_and_all_agree() {
    let options = Options { othello_limit: 1_000_000, hex_size: 3, ..Options::default() };
    let table = Table::new(MIN_BYTES).expect("a table");
    let mut solved = 0;
    for game in [Game::Othello, Game::Hex] {
        for recognition in [Recognition::Expanded, Recognition::Created] {
            for position in 0..6 {
                let outcome = |choice| {
                    let search = Search { game, recognition, choice, position };
                    search_one(&options, search, &table)
                };
                let truth = match game {
                    Game::Hex => true,
                    Game::Othello => {
                        Endgame::default().score(random_position(position.into(), 44).board) > 0
                    }
                };
                let truth = if truth { Value::Proven } else { Value::Disproven };
                let (proof, one) = (outcome(Choice::Proof), outcome(Choice::Deep(100)));
                assert_eq!((proof.iterations, proof.nodes), (one.iterations, one.nodes));
                assert_eq!(proof.verdict, one.verdict);
                for outcome in [proof, outcome(Choice::Deepest), outcome(Choice::Deep(65))] {
                    solved += u32::from(outcome.value() == Some(truth));
                    assert!(outcome.value().is_none_or(|value| value == truth));
                }
            }
        }
    }
    assert!(solved > 50, "{solved}");
}
