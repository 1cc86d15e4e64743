//! The experiments on parallel search, small: on a few problems of our own.

use std::fs;
use std::path::PathBuf;

use andor::{Cover, Quanta, Stop};
use yomikiri_lab::problems::{Base, Common, Set, sets};
use yomikiri_lab::{Error, parallel, paths, pmps};

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

    fn assert_has(&self, files: &[&str]) {
        for file in files {
            let text = self.read(file);
            assert!(!text.is_empty() && !text.contains("NaN"), "{file}");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A few problems, under the names of the papers' sets.
fn small(common: &mut Common, folder: &Folder) {
    common.out = folder.0.clone();
    common.hash = 4 << 20;
    common.sets = Some(vec![
        Set::own("zuko", 250, 60).expect("our own set"),
        Set::own("muso", 280, 60).expect("our own set"),
    ]);
}

#[test]
fn parallel_search() {
    let folder = Folder::new("parallel");
    let mut options = parallel::Options::new(true);
    small(&mut options.common, &folder);
    options.threads = vec![2, 3];
    options.common.runs = 2;
    let summary = parallel::run(&options, &|_, _| {}).expect("a run");
    folder.assert_has(&[
        "raw.csv",
        "table1.csv",
        "fig5.csv",
        "fig5.svg",
        "fig6.svg",
        "fig7.csv",
        "fig7.svg",
        "summary.txt",
    ]);
    assert_eq!(summary.to_string(), folder.read("summary.txt"));
    let audit = summary.audit;
    assert!(audit.decided > 0 && audit.decided == audit.certified && audit.swept == 0, "{audit:?}");
    assert!(summary.left_out.is_empty());
    // Two algorithms, three sets, three numbers of agents.
    assert_eq!(summary.lines.len(), 18);
    for line in &summary.lines {
        assert_eq!(line.undecided, 0, "{line:?}");
        assert!(line.sigma.is_some() && line.speedup > 0.0 && line.runs == 2, "{line:?}");
        // The same nodes in every run of one agent.
        assert!(line.node_sigma.is_some(), "{line:?}");
        assert!(line.threads > 1 || line.node_sigma == Some(0.0), "{line:?}");
        let sigma = line.speedup_sigma.expect("two runs");
        assert_eq!(sigma == 0.0, line.sigma == Some(0.0), "{line:?}");
        // The game looks at more positions than are entered; without `H` at none.
        let evaluates = line.base == Base::Dfpn;
        assert_eq!(line.evaluated > line.nodes, evaluates, "{line:?}");
        assert_eq!(line.evaluated_overhead.is_some(), evaluates, "{line:?}");
        if line.threads == 1 {
            let ratios = (line.speedup, line.node_overhead, line.stored_overhead);
            assert_eq!(ratios, (1.0, 1.0, 1.0), "{line:?}");
            assert!(line.evaluated_overhead.is_none_or(|ratio| ratio == 1.0), "{line:?}");
        }
    }
    let (_, nodes, shares) = summary.imbalance.as_ref().expect("a proof");
    assert!(shares.iter().all(|share| share.size <= *nodes && share.share <= 1.0));

    // The same again takes everything from the record.
    let raw = folder.read("raw.csv");
    let again = parallel::run(&options, &|done, total| assert_eq!(done, total)).expect("a run");
    assert!(again.lines == summary.lines && folder.read("raw.csv") == raw);

    // Nor are seconds of another machine mixed with these.
    let machine = raw.lines().find(|line| line.starts_with("# machine: ")).expect("a machine");
    let other = raw.replace(machine, "# machine: an abacus");
    fs::write(folder.0.join("raw.csv"), &other).expect("written");
    let refused = parallel::run(&options, &|_, _| {});
    assert!(matches!(&refused, Err(Error::OtherMachine { found, .. }) if found == "an abacus"));
    assert_eq!(folder.read("raw.csv"), other, "nothing is written");
    fs::write(folder.0.join("raw.csv"), &raw).expect("written");

    // Other limits must not be mixed with these.
    options.common.limits.nodes = Some(77);
    assert!(matches!(parallel::run(&options, &|_, _| {}), Err(Error::OtherRun { .. })));
}

#[test]
fn agents_in_turns_are_repeatable() {
    let mut tables = Vec::new();
    for (name, sacrifice) in [("turns", false), ("turns-again", false), ("sacrifice", true)] {
        let folder = Folder::new(name);
        let mut options = parallel::Options::new(true);
        small(&mut options.common, &folder);
        options.threads = vec![1, 4];
        (options.turns, options.at_once) = (Some(50), 2);
        options.only = Some("hard".into());
        options.sacrifice = sacrifice;
        let summary = parallel::run(&options, &|_, _| {}).expect("a run");
        assert!(summary.to_string().contains("NOT measured but ideal"));
        assert_eq!(summary.to_string().contains("a piece given away"), sacrifice);
        assert_eq!(folder.read("raw.csv").contains("cost of a sacrifice"), sacrifice);
        assert!(summary.lines.iter().all(|line| line.set == "Hard" && line.problems <= 5));
        for line in summary.lines.iter().filter(|line| line.threads == 4) {
            assert!((line.speedup - 4.0 / line.node_overhead).abs() < 1e-9, "{line:?}");
        }
        let counts = summary.lines.iter().map(|line| (line.nodes, line.stored));
        tables.push(counts.collect::<Vec<_>>());
    }
    assert_eq!(tables[0], tables[1]);
    assert_ne!(tables[0], tables[2], "another cost, another search");
}

/// What is complete is told, in the same words, and the rest is searched by the next run.
#[test]
fn table_1_of_a_run_that_was_ended() {
    let folder = Folder::new("ended");
    let mut options = parallel::Options::new(true);
    small(&mut options.common, &folder);
    (options.threads, options.turns) = (vec![2, 8], Some(50));
    let problems = options.common.sets.iter().flatten().flat_map(|set| &set.items).count();
    // Two algorithms with 1, 2 and 8 agents; one agent has searched before.
    let mut run_until = |end: usize| {
        let stop = Stop::new();
        options.common.stop = stop.clone();
        let end_it = |done, total| {
            if total == 6 * problems && done == end {
                stop.raise();
            }
        };
        let part = parallel::run(&options, &end_it).expect("a part");
        assert_eq!(part.unfinished, Some((end, 6 * problems)));
        part
    };
    // Several agents have searched nothing yet.
    assert!(run_until(2 * problems).lines.is_empty());
    // The first algorithm has treated two problems, and the third is under way.
    let part = run_until(2 * problems + 5);
    let text = part.to_string();
    assert!(text.contains("UNFINISHED") && text == folder.read("summary.txt"), "{text}");
    assert!(part.lines.iter().all(|line| line.base == Base::Dfpn && line.problems <= 2));
    let zuko = |lines: &[parallel::Line], threads| {
        let of = |line: &&parallel::Line| line.set == "Zuko" && line.threads == threads;
        lines.iter().filter(of).map(|line| (line.problems, line.nodes)).collect::<Vec<_>>()
    };
    assert_eq!(zuko(&part.lines, 8).iter().map(|line| line.0).collect::<Vec<_>>(), [2]);

    options.common.stop = Stop::new();
    let whole = parallel::run(&options, &|_, _| {}).expect("the whole");
    assert!(whole.unfinished.is_none() && !whole.to_string().contains("UNFINISHED"));
    assert_eq!(whole.lines.len(), 18);
    for threads in [2, 8] {
        let (part, whole) = (zuko(&part.lines, threads), zuko(&whole.lines, threads));
        assert!(whole[0].0 > 2 && whole[0].1 > part[0].1, "{part:?} {whole:?}");
    }
    // The paper's figures stand beside those of its sets, and of no others.
    let paper = |set: &str, base, threads| {
        let of = |line: &&parallel::Line| (line.set.as_str(), line.base) == (set, base);
        whole.lines.iter().filter(of).find(|line| line.threads == threads).expect("a line").paper
    };
    assert_eq!(paper("Hard", Base::Dfpn, 8), Some((1.11, 3.58)));
    assert_eq!(paper("Muso", Base::NoEvaluation, 2), Some((1.02, 1.55)));
    assert_eq!(paper("Hard", Base::Dfpn, 1), None);
}

#[test]
fn a_file_of_names_is_a_set() {
    let folder = Folder::new("listed");
    let mut options = parallel::Options::new(true);
    small(&mut options.common, &folder);
    options.threads = vec![2];
    let id = options.common.sets.as_ref().expect("sets")[1].items[0].id.clone();
    fs::create_dir_all(&folder.0).expect("a folder");
    let file = folder.0.join("mine.txt");
    options.problems = Some(file.clone());
    fs::write(&file, format!("# one\n{id}\n")).expect("a file");
    let summary = parallel::run(&options, &|_, _| {}).expect("a run");
    let is_mine = |line: &parallel::Line| line.set == "Mine" && line.problems == 1;
    assert!(summary.lines.iter().all(|line| is_mine(line) && line.paper.is_none()));
    fs::write(&file, "no-such-problem\n").expect("a file");
    assert!(matches!(parallel::run(&options, &|_, _| {}), Err(Error::BadOption(_))));
}

fn setting(rule: Quanta, quantum: u64, pseudo_threads: u8) -> paths::Setting {
    paths::Setting { rule, quantum, pseudo_threads, cover: Cover::Least }
}

/// Without threshold control and dominance.
#[test]
fn multiple_paths_search_with_the_bases_of_the_paper() {
    for base in [Base::Paper, Base::PlainNoControl, Base::PlainNoDominance] {
        assert_eq!(base.to_string().parse::<Base>().expect("its name"), base);
        let folder = Folder::new(&format!("paths-{base}"));
        let mut options = paths::Options::new(true);
        small(&mut options.common, &folder);
        options.base = base;
        (options.pseudo_threads, options.quanta) = (vec![2], vec![100]);
        (options.covers, options.step) = (vec![Cover::Branch], 2);
        let summary = paths::run(&options, &|_, _| {}).expect("a run");
        let audit = summary.audit;
        assert!(audit.decided > 0 && audit.decided == audit.certified, "{audit:?}");
        assert!(folder.read("raw.csv").contains(&format!(",{base},paths L+S 100 shares branch,")));
    }
}

#[test]
fn multiple_paths_search() {
    let folder = Folder::new("paths");
    let mut options = paths::Options::new(true);
    small(&mut options.common, &folder);
    options.pseudo_threads = vec![1, 2, 4];
    options.quanta = vec![20, 1000];
    options.at_once = 2;
    let summary = paths::run(&options, &|_, _| {}).expect("a run");
    folder.assert_has(&[
        "raw.csv",
        "tables.csv",
        "fig5.svg",
        "fig6.csv",
        "fig6.svg",
        "fig7.csv",
        "fig7.svg",
        "summary.txt",
    ]);
    assert_eq!(summary.audit.decided, summary.audit.certified);
    for quantum in [20, 1000] {
        // One pseudo-thread is df-pn.
        let alone = summary.cell("all", setting(Quanta::Shares, quantum, 1)).expect("a cell");
        let speedup = alone.either;
        assert_eq!((speedup.by_nodes, speedup.interval, alone.share), (1.0, (1.0, 1.0), 0.0));
    }
    // And two are not, with turns that are short enough for these problems.
    let two = summary.cell("muso", setting(Quanta::Shares, 20, 2)).expect("a cell");
    let paths::Speedup { problems, by_nodes, interval: (low, high), .. } = two.either;
    assert!(problems > 0 && by_nodes > 0.0 && by_nodes != 1.0 && two.share > 0.5);
    assert!(low <= by_nodes && by_nodes <= high && low < high, "{two:?}");
    // They are small, and all in the first bin.
    assert_eq!(two.bins.map(|bin| bin.problems), [problems, 0, 0, 0]);
    assert_eq!(two.bins[0].by_nodes, by_nodes);
    // Another cover is another search.
    let by_nodes = |cover| {
        let setting = paths::Setting { cover, ..setting(Quanta::Shares, 20, 4) };
        summary.cell("all", setting).expect("a cell").either.by_nodes
    };
    assert!(by_nodes(Cover::Least) != by_nodes(Cover::Solved));
    // With one worker, equal turns are equal shares.
    let by_nodes =
        |rule| summary.cell("all", setting(rule, 1000, 2)).expect("a cell").either.by_nodes;
    assert_eq!(by_nodes(Quanta::Shares), by_nodes(Quanta::Equally));
}

/// Which problems count makes the difference where some are not decided: the summary has all three.
#[test]
fn what_is_not_decided_counts_with_the_limit_or_not_at_all() {
    const LIMIT: f64 = 500.0;
    let folder = Folder::new("paths-limit");
    let mut options = paths::Options::new(true);
    small(&mut options.common, &folder);
    options.common.limits.nodes = Some(LIMIT as u64);
    options.base = Base::Paper;
    (options.pseudo_threads, options.quanta) = (vec![4], vec![20]);
    options.covers = vec![Cover::Least];
    let summary = paths::run(&options, &|_, _| {}).expect("a run");
    let cell = summary.cell("all", setting(Quanta::Shares, 20, 4)).expect("a cell");

    // By problem: the nodes of df-pn and of the leader and workers, and whether they are decided.
    let raw = folder.read("raw.csv");
    let found = |search: &str| -> Vec<(String, f64, bool)> {
        let rows = raw.lines().map(|line| line.split(',').collect::<Vec<_>>());
        rows.filter(|row| row.get(2) == Some(&search))
            .map(|row| (row[0].into(), row[5].parse().expect("nodes"), row[4] != "unknown"))
            .collect()
    };
    let (alone, paths) = (found("df-pn"), found("paths L+S+S+S 20 shares least"));
    assert!(alone.iter().zip(&paths).all(|(a, b)| a.0 == b.0) && alone.len() == paths.len());
    let ratio = |counts: fn(bool, bool) -> bool| {
        let pairs = alone.iter().zip(&paths).filter(|(a, b)| counts(a.2, b.2));
        let sums = pairs.fold((0.0, 0.0), |sum, (a, b)| (sum.0 + a.1, sum.1 + b.1));
        sums.0 / sums.1
    };
    let expected = [ratio(|a, b| a || b), ratio(|_, _| true), ratio(|a, b| a && b)];
    let speedups = [cell.either, cell.whole, cell.both];
    for (speedup, expected) in speedups.iter().zip(expected) {
        assert!((speedup.by_nodes - expected).abs() < 1e-9, "{speedup:?}, expected {expected}");
    }
    let [either, whole, both] = speedups.map(|speedup| speedup.problems);
    assert!(whole == alone.len() && both < either && either < whole, "{both} {either} {whole}");
    assert_eq!(either - both, cell.only_paths + cell.only_dfpn);
    assert!(alone.iter().chain(&paths).all(|row| row.2 || row.1 == LIMIT));

    // Of one setting there is no worst and best.
    assert!(!folder.0.join("fig6.csv").exists() && !folder.read("summary.txt").contains("Fig. 6:"));
    assert!(folder.read("summary.txt").contains("both decide"));
}

#[test]
fn parallel_multiple_paths_search() {
    let folder = Folder::new("pmps");
    let mut options = pmps::Options::new(true);
    small(&mut options.common, &folder);
    options.base = Base::NoHeuristics;
    let summary = pmps::run(&options, &|_, _| {}).expect("a run");
    folder.assert_has(&["raw.csv", "tables.csv", "fig4.svg", "summary.txt"]);
    assert_eq!(summary.audit.decided, summary.audit.certified);
    let alone = summary.line("L").expect("df-pn");
    assert_eq!((alone.speedup, alone.nodes), (1.0, 1.0));
    for assignment in ["L|S,S", "L,S|S", "L,S,S", "L|S|S", "L|S,S|S,S|S,S"] {
        assert!(summary.line(assignment).is_some_and(|line| line.speedup > 0.0), "{assignment}");
    }
}

#[test]
fn a_stopped_run_says_so_and_keeps_what_it_has() {
    let folder = Folder::new("stopped");
    let mut options = paths::Options::new(true);
    small(&mut options.common, &folder);
    let stop = Stop::new();
    options.common.stop = stop.clone();
    let halfway = |done, _| {
        if done == 3 {
            stop.raise();
        }
    };
    let stopped = paths::run(&options, &halfway);
    let Err(Error::Stopped { done, total }) = stopped else { panic!("{stopped:?}") };
    assert!(done >= 3 && done < total);
    // Settings, build, machine, columns.
    assert_eq!(folder.read("raw.csv").lines().count(), done + 4);
}

/// Problems of the same names: what was found of one is not told of another.
#[test]
fn results_of_other_problems_are_not_mixed_in() {
    let folder = Folder::new("inputs");
    let mut options = paths::Options::new(true);
    small(&mut options.common, &folder);
    (options.pseudo_threads, options.quanta) = (vec![2], vec![100]);
    options.covers = vec![Cover::Least];
    options.step = 4;
    paths::run(&options, &|_, _| {}).expect("a run");
    let raw = folder.read("raw.csv");
    // More of the same problems.
    options.step = 2;
    paths::run(&options, &|_, _| {}).expect("a run");
    assert!(folder.read("raw.csv").lines().count() > raw.lines().count());
    let raw = folder.read("raw.csv");
    for set in options.common.sets.iter_mut().flatten() {
        let ids: Vec<String> = set.items.iter().map(|item| item.id.clone()).collect();
        set.items.rotate_left(1);
        set.items.iter_mut().zip(ids).for_each(|(item, id)| item.id = id);
    }
    let refused = paths::run(&options, &|_, _| {});
    assert!(matches!(refused, Err(Error::OtherRun { .. })), "{refused:?}");
    assert_eq!(folder.read("raw.csv"), raw, "nothing is written");
}

#[test]
fn sets_that_are_not_there_are_told() {
    let missing = sets(&["no-such-set"], false);
    assert!(missing.is_err_and(|error| error.to_string().contains("skipped: needs problem sets")));
    let own = sets(&["no-such-set"], true).expect("our own");
    assert_eq!((own.len(), own[0].name.as_str(), own[0].items.len()), (1, "own", 50));
    for other in [Set::hex(), Set::othello()] {
        assert_eq!(other.expect("a set").items.len(), 2);
    }
    assert!(matches!(Set::parse("x", "no sfen\tx\t1"), Err(Error::BadProblem { line: 1, .. })));
}
