//! Clusters against one worker in virtual time, small: few nodes, and openings of our own.

use std::fs;
use std::path::PathBuf;

use andor::Stop;
use yomikiri_lab::Error;
use yomikiri_lab::pgpp::{Options, Summary, run};

const OPENINGS: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("yomikiri-pgpp-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect(file)
    }

    /// A small experiment with two arms and two openings.
    fn options(&self) -> Options {
        Options {
            out: self.0.clone(),
            arms: ["pgpp-2", "linear-2"].map(|arm| arm.parse().expect("an arm")).into(),
            pairs: 2,
            openings: Some(OPENINGS.into()),
            nodes: 60,
            threads: 1,
            ..Options::new(true)
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What was played is told, as it is; and the next run plays the rest.
#[test]
fn a_run_that_was_ended_says_so() {
    let folder = Folder::new("ended");
    let mut options = folder.options();
    let mut run_until = |end: usize| {
        let stop = Stop::new();
        options.stop = stop.clone();
        let end_it = |done, _| {
            if done == end {
                stop.raise();
            }
        };
        let part = run(&options, &end_it).expect("a part");
        assert_eq!(part.unfinished, Some((end, 4)));
        part
    };
    // Who has not played has no line.
    assert_eq!(run_until(1).lines.len(), 1);
    // An arm has played its two pairs, the other one.
    let part = run_until(3);
    let text = part.to_string();
    assert!(text.contains("UNFINISHED 3 of 4 pairs"), "{text}");
    assert_eq!(text, folder.read("summary.txt"));
    let games = |summary: &Summary| {
        summary.lines.iter().map(|line| line.tally.games.iter().sum::<u64>()).collect::<Vec<_>>()
    };
    assert_eq!(games(&part), [4, 2]);
    for figure in ["fig4a.svg", "fig4b.svg"] {
        assert!(folder.read(figure).contains(">2 to 4 games each, "), "{figure}");
    }

    options.stop = Stop::new();
    let whole = run(&options, &|_, _| {}).expect("the whole");
    assert!(whole.unfinished.is_none() && !whole.to_string().contains("UNFINISHED"));
    assert_eq!(games(&whole), [4, 4]);
    for figure in ["fig4a.svg", "fig4b.svg"] {
        assert!(folder.read(figure).contains(">4 games each, "), "{figure}");
    }
}

/// Games from other openings are other games, whatever their pairs are called.
#[test]
fn games_from_other_openings_are_not_mixed_in() {
    let folder = Folder::new("openings");
    let options = Options { pairs: 1, ..folder.options() };
    run(&options, &|_, _| {}).expect("a run");
    let raw = folder.read("raw.csv");
    assert!(raw.lines().next().is_some_and(|line| line.contains(", 2 openings ")), "{raw}");
    // The first is the same, and another line stands after it.
    let other = OPENINGS.replace("0 2", "0 3");
    let refused = run(&Options { openings: Some(other), ..options.clone() }, &|_, _| {});
    assert!(matches!(refused, Err(Error::OtherRun { .. })), "{refused:?}");
    assert_eq!(folder.read("raw.csv"), raw, "nothing is written");
    // Ends of lines mean nothing, and more pairs of the same openings go on.
    let same = Some(OPENINGS.replace('\n', "\r\n"));
    run(&Options { openings: same, pairs: 2, ..options }, &|_, _| {}).expect("a run");
    assert!(folder.read("raw.csv").lines().count() > raw.lines().count());
}
