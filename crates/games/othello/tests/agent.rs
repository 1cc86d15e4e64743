//! The agent as drivers use it: in pieces, stopped and resumed, on a small table, on a table that
//! knows the answer.

use std::time::Duration;

use andor::certificate::{check, write};
use andor::{
    Agent, Algorithm, Claim, Control, Dfpn, Limits, NodeKind, Outcome, Plies, PnSearch, Reason,
    Rules, Selection, Step, Stop, Sums, Table, Value, Verdict, search,
};
use yomikiri_othello::{ExpertOthello, Goal, Othello, random_position};

fn position(seed: u64) -> ExpertOthello {
    ExpertOthello::new(random_position(seed, 44), Goal::Wins)
}

fn table() -> Table {
    Table::new(4 << 20).expect("a table")
}

fn settings() -> [Dfpn; 5] {
    let dfpn = Dfpn::default();
    [
        dfpn,
        Dfpn { heuristics: false, ..dfpn },
        Dfpn { sums: Sums::Dag, ..dfpn },
        Dfpn { sums: Sums::Weak, ..dfpn },
        Dfpn { deep: 0.8, ..dfpn },
    ]
}

fn whole(seed: u64, dfpn: Dfpn, table: &Table) -> Outcome {
    search(&position(seed), &Algorithm::Dfpn(dfpn), table, &mut Control::default())
}

#[test]
fn in_pieces_it_visits_the_same_nodes() {
    for (seed, dfpn) in (0..).zip(settings()) {
        let expected = whole(seed, dfpn, &table());
        for budget in [1, 7, 1_000] {
            let table = table();
            let mut agent = Agent::new(position(seed), dfpn, &table, Stop::new());
            let mut pieces = 0;
            while agent.run(budget) == Step::Budget {
                pieces += 1;
            }
            assert_eq!(agent.result().map(|solved| solved.value), expected.value());
            assert_eq!((agent.nodes(), agent.entered()), (expected.nodes, expected.iterations));
            assert!(budget == 1_000 || pieces > 10, "{pieces} pieces");
        }
    }
}

#[test]
fn two_runs_are_the_same() {
    for (seed, dfpn) in (10..).zip(settings()) {
        let (first, second) = (whole(seed, dfpn, &table()), whole(seed, dfpn, &table()));
        assert_eq!((first.verdict, first.nodes), (second.verdict, second.nodes));
    }
}

#[test]
fn a_table_that_stays_answers_at_once() {
    let table = table();
    let first = whole(3, Dfpn::default(), &table);
    let second = whole(3, Dfpn::default(), &table);
    assert_eq!(first.verdict, second.verdict);
    assert_eq!(second.nodes, 0);
}

#[test]
fn the_smallest_table_still_gives_the_right_answer() {
    for seed in 0..20 {
        let small = Table::new(andor::table::MIN_BYTES).expect("a small table");
        let expected = whole(seed, Dfpn::default(), &table());
        let outcome = whole(seed, Dfpn::default(), &small);
        assert_eq!(outcome.verdict, expected.verdict);
        assert!(small.stored() <= small.capacity());
    }
}

/// The start of the game: nobody solves that here.
fn hopeless() -> Othello {
    Othello::new(random_position(1, 4), Goal::Wins)
}

#[test]
fn another_thread_stops_it_and_it_can_go_on() {
    let table = table();
    let stop = Stop::new();
    let mut agent = Agent::new(hopeless(), Dfpn::default(), &table, stop.clone());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.raise();
        });
        assert_eq!(agent.run(u64::MAX), Step::Stopped);
    });
    let nodes = agent.nodes();
    assert!(nodes > 0);
    assert_eq!(agent.run(1_000), Step::Stopped, "the flag is still up");
    stop.lower();
    assert_eq!(agent.run(1_000), Step::Budget);
    assert!(agent.nodes() >= nodes + 1_000);
}

#[test]
fn limits_are_kept_and_named() {
    let algorithms = [
        Algorithm::Dfpn(Dfpn::default()),
        Algorithm::Pn(PnSearch::default()),
        Algorithm::Pn(PnSearch { selection: Selection::Deep(0.5), ..PnSearch::default() }),
    ];
    for algorithm in algorithms {
        let run = |limits| search(&hopeless(), &algorithm, &table(), &mut Control::new(limits));
        let outcome = run(Limits { nodes: Some(10_000), time: None });
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Nodes));
        assert!((10_000..10_100).contains(&outcome.nodes), "{}", outcome.nodes);
        let outcome = run(Limits { nodes: None, time: Some(Duration::from_millis(30)) });
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Time));
        let mut control = Control::default();
        control.stop.raise();
        let outcome = search(&hopeless(), &algorithm, &table(), &mut control);
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Stopped));
    }
    let small = PnSearch { bytes: 1 << 16, ..PnSearch::default() };
    let outcome = search(&hopeless(), &Algorithm::Pn(small), &table(), &mut Control::default());
    assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Memory));
}

#[test]
fn progress_is_reported_and_grows() {
    let mut seen = Vec::new();
    let mut report = |progress: &andor::Progress| seen.push((progress.nodes, progress.depth));
    let mut control = Control::new(Limits { nodes: Some(50_000), time: None });
    control.progress = Some(&mut report);
    let _ = search(&hopeless(), &Algorithm::default(), &table(), &mut control);
    assert!(seen.len() >= 10);
    assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(seen.iter().all(|&(_, depth)| depth > 0));
}

/// `R = 1` is PN-search: the same expansions and the same tree, position by position.
#[test]
fn deep_pn_with_r_one_is_pn_search() {
    let (mut decided, mut different) = (0, 0);
    for seed in 0..12 {
        let problem = Othello::new(random_position(seed, 47), Goal::Wins);
        let run = |selection| {
            let pn = PnSearch { selection, heuristics: false, bytes: 1 << 28 };
            search(&problem, &Algorithm::Pn(pn), &table(), &mut Control::default())
        };
        let (pn, deep) = (run(Selection::Proof), run(Selection::Deep(1.0)));
        assert_eq!(pn.verdict, deep.verdict);
        assert_eq!((pn.nodes, pn.iterations), (deep.nodes, deep.iterations), "seed {seed}");
        decided += usize::from(pn.value() == Some(Value::Proven));
        let half = run(Selection::Deep(0.5));
        assert_eq!(half.verdict, pn.verdict);
        different += usize::from(half.iterations != pn.iterations);
    }
    assert!((1..12).contains(&decided), "both verdicts come up");
    assert!(different > 6, "R = 0.5 is another search");
}

/// The length of the shortest win against the longest defence, by trying everything.
fn shortest(game: &mut Othello) -> Option<u16> {
    if let Some(value) = game.terminal() {
        return (value == Value::Proven).then_some(0);
    }
    let kind = game.kind();
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let lengths = moves.into_iter().map(|m| {
        let undo = game.play(m);
        let length = shortest(game);
        game.undo(m, undo);
        length.map(|length| length + 1)
    });
    match kind {
        NodeKind::Or => lengths.flatten().min(),
        NodeKind::And => lengths.collect::<Option<Vec<_>>>().and_then(|all| all.into_iter().max()),
    }
}

/// The small solver's verdicts come with a rough length; a bound on length must not trust it.
#[test]
fn bounds_on_length_are_exact() {
    let mut lengths = Vec::new();
    for seed in 0..40 {
        let position = random_position(seed, 54);
        let shortest = shortest(&mut Othello::new(position, Goal::Wins));
        lengths.extend(shortest);
        let problem = ExpertOthello::new(position, Goal::Wins);
        let table = table();
        for plies in [6, 4, 5, 3, 6, 2].map(Plies::at_most) {
            let dfpn = Dfpn { plies, ..Dfpn::default() };
            let outcome = search(&problem, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
            let within = shortest.is_some_and(|shortest| plies.allow(shortest.into()));
            let expected = if within { Value::Proven } else { Value::Disproven };
            assert_eq!(outcome.value(), Some(expected), "seed {seed} within {plies}");
            let mut file = Vec::new();
            write(Claim::new(&problem, expected, plies), dfpn, &table, &Stop::new(), &mut file)
                .unwrap();
            check(Claim::new(&problem, expected, plies), &mut file.as_slice()).unwrap();
        }
    }
    assert!(lengths.iter().any(|&length| length < 6), "some wins are shorter than the game");
}

/// In Othello all lines are about equally long.
#[test]
fn the_suggested_r_goes_deep() {
    let suggested = (0..50).map(|seed| andor::suggest_r(&position(seed)));
    assert!(suggested.filter(|&r| r < 0.7).count() >= 45);
}
