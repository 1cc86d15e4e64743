//! Verdicts, lengths and lines of play, against a plain search and with certificates.

use std::time::Duration;

use crate::brute::{self, Brute};
use andor::{
    Agents, Paths, Plies, Reason, Rules, Scheme, SplitMix64, Stop, Table, Value, Verdict, Virtual,
    certificate,
};
use yomikiri_shogi::{Hand, Kind, Move, Position};
use yomikiri_tsume::{Answer, Event, Futile, Length, Mate, MateLimits, Phase, Solution, Tsume};

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("the test's SFEN is right")
}

fn shortest() -> MateLimits {
    MateLimits { length: Length::Shortest, ..MateLimits::default() }
}

fn words(line: &[Move]) -> String {
    line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Every move is legal, the attacker's are checks, and the last position is mate.
fn assert_mates(problem: &Tsume, line: &[Move]) {
    let sfen = problem.position().to_string();
    let mut at = problem.clone();
    let mut moves = Vec::new();
    for &m in line {
        assert!(at.terminal().is_none(), "{sfen}: over before the end of {}", words(line));
        moves.clear();
        at.legal_moves(&mut moves);
        assert!(moves.contains(&m), "{sfen}: {m} is not legal in {}", words(line));
        at.play(m);
    }
    moves.clear();
    at.legal_moves(&mut moves);
    let mate = at.terminal() == Some(Value::Proven) || moves.is_empty();
    assert!(mate && at.position().turn() != at.attacker(), "{sfen}: no mate: {}", words(line));
}

fn assert_line(answer: &Answer) {
    let Some(found) = answer.solution.as_ref() else { return };
    assert!(found.complete, "{}", answer.problem.position());
    assert_mates(&answer.problem, &found.line);
    assert_eq!(found.line.len(), usize::from(found.length), "{}", answer.problem.position());
    assert_eq!(found.exact, found.least == found.length, "{}", answer.problem.position());
    if let Some(conventional) = &found.conventional {
        assert_mates(&answer.problem, &conventional.line);
        assert!(conventional.line.len() < found.line.len());
    }
}

/// Writes and checks a certificate of all that the answer claims.
fn certify(mate: &Mate<'_>, answer: &Answer) {
    for claim in answer.claims() {
        let mut file = Vec::new();
        let sfen = claim.problem.position();
        let written = mate.certify(&claim, &Stop::new(), &mut file);
        written.unwrap_or_else(|error| panic!("{sfen} {:?} {}: {error}", claim.value, claim.plies));
        let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
        checked.unwrap_or_else(|error| panic!("{sfen} {:?} {}: {error}", claim.value, claim.plies));
    }
}

fn solve(sfen: &str, limits: &MateLimits) -> Answer {
    let table = Table::new(1 << 20).expect("memory");
    let mate = Mate::new(&table);
    let answer = mate.solve_position(&position(sfen), limits);
    assert_line(&answer);
    certify(&mate, &answer);
    answer
}

/// Mates made for these tests, with their lengths.
const MATES: [(&str, u16); 8] = [
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 1),
    ("8k/9/8N/9/9/9/9/9/9 b RGr2b3g4s3n4l18p 1", 3),
    ("9/4+N4/6k1+S/9/6+N2/9/9/4K4/9 b 2NPlp 1", 11),
    ("9/3B5/1+Pg6/3Lk4/9/2+R6/7n1/9/9 b G 1", 11),
    ("3r1k3/9/6R2/9/2+L6/9/9/9/9 b SPl 1", 13),
    ("9/1B7/4k4/6R2/9/1S7/9/2K6/9 b N 1", 13),
    ("9/5+N3/4+L4/6k2/8+r/7+R1/9/9/6K2 b S 1", 15),
    ("2+B6/B8/6L1k/9/8K/6p2/9/9/9 b Rl 1", 17),
];

#[test]
fn lengths_of_known_mates() {
    for (sfen, length) in MATES {
        let answer = solve(sfen, &shortest());
        let found = answer.solution.as_ref().unwrap_or_else(|| panic!("{sfen}: no mate"));
        assert!(found.exact);
        assert_eq!(found.length, length, "{sfen}: {}", words(&found.line));
        let first = solve(sfen, &MateLimits::default());
        assert!(first.solution.as_ref().is_some_and(|found| found.length >= length), "{sfen}");
    }
}

#[test]
fn what_is_left_over_is_told() {
    let answer = solve("4k4/9/4P4/9/9/9/9/9/9 b GS 1", &shortest());
    let silver = Hand::EMPTY.plus(Kind::SILVER);
    assert!(answer.solution.as_ref().is_some_and(|found| found.left_over == silver), "{answer:?}");
}

#[test]
fn the_defender_may_be_to_move() {
    // Mated, in check with a way out that does not help, in check with one that does, not in check.
    let cases = [
        ("4k4/4G4/4P4/9/9/9/9/9/9 w - 1", Some(0)),
        ("4k4/9/4P4/4L4/9/9/9/9/9 w - 1", None),
        ("3gk4/9/4P4/9/9/9/9/9/9 w - 1", None),
        ("9/4k4/4G4/4P4/9/9/9/9/9 w - 1", None),
    ];
    for (sfen, length) in cases {
        let answer = solve(sfen, &shortest());
        assert_eq!(answer.solution.as_ref().map(|found| found.length), length, "{sfen}");
    }
    for (sfen, length) in MATES.into_iter().filter(|&(_, length)| length > 1) {
        let table = Table::new(1 << 20).expect("memory");
        let mate = Mate::new(&table);
        let problem = Tsume::new(position(sfen)).with_futile(Futile::NotCounted);
        let answer = mate.solve(&problem, &shortest());
        let mut after = problem.clone();
        after.play(answer.solution.as_ref().expect("a mate").line[0]);
        // On a table that knows nothing.
        let table = Table::new(1 << 20).expect("memory");
        let mate = Mate::new(&table);
        let answer = mate.solve(&after, &shortest());
        assert_line(&answer);
        certify(&mate, &answer);
        assert_eq!(answer.solution.as_ref().map(|found| found.length), Some(length - 1), "{sfen}");
    }
}

/// Solves random positions with and without counting futile interpositions, and compares verdict
/// and length with the plain search to seven plies.
#[test]
fn verdicts_and_lengths_agree_with_a_plain_search() {
    const DEPTH: u16 = 7;
    let mut random = SplitMix64::new(1);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let limits = MateLimits { nodes: Some(20_000), ..shortest() };
    let (mut mates, mut no_mates) = ([0; 8], 0);
    for _ in 0..350 {
        let position = brute::random(&mut random);
        for futile in [Futile::Counted, Futile::NotCounted] {
            let problem = Tsume::new(position.clone()).with_futile(futile);
            let mut plain = Brute::new(&position, futile, 6_000);
            let Ok(expected) = plain.length(&position, DEPTH) else { continue };
            let answer = mate.solve(&problem, &limits);
            assert_line(&answer);
            match (expected, answer.outcome.verdict, &answer.solution) {
                (Some(length), Verdict::Proven, Some(found)) => {
                    assert!(found.exact, "{position}");
                    assert_eq!(found.length, length, "{position} {futile:?}");
                    mates[usize::from(length)] += 1;
                }
                (None, Verdict::Proven, Some(found)) => {
                    assert!(!found.exact || found.length > DEPTH, "{position} {futile:?}");
                }
                (None, Verdict::Disproven, None) => {
                    assert_eq!(answer.outcome.plies, Plies::UNBOUNDED);
                    no_mates += 1;
                }
                (None, Verdict::Unknown(_), None) => {}
                (expected, ..) => panic!("{position} {futile:?}: {expected:?} {answer:?}"),
            }
            certify(&mate, &answer);
        }
    }
    assert!(mates.iter().sum::<u32>() > 50 && mates[7] > 0, "too few mates: {mates:?}");
    assert!(no_mates > 50, "too few positions without a mate: {no_mates}");
}

/// The same with the defender to move.
#[test]
fn lengths_after_a_check_agree_with_a_plain_search() {
    let mut random = SplitMix64::new(2);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let limits = MateLimits { nodes: Some(20_000), ..shortest() };
    let mut mates = 0;
    for _ in 0..250 {
        let mut position = brute::random(&mut random);
        let checks = Brute::new(&position, Futile::Counted, 0).checks(&position);
        let Some(&m) = checks.get(random.below(checks.len().max(1))) else { continue };
        position.play(m);
        let mut plain = Brute::new(&position, Futile::Counted, 6_000);
        let Ok(expected) = plain.length(&position, 6) else { continue };
        let answer = mate.solve(&Tsume::new(position.clone()), &limits);
        assert_line(&answer);
        certify(&mate, &answer);
        let short = answer.solution.as_ref().filter(|found| found.length <= 6);
        assert_eq!(short.map(|found| found.length), expected, "{position}");
        mates += u32::from(expected.is_some());
    }
    assert!(mates > 10, "too few mates: {mates}");
}

#[test]
fn many_threads_share_a_table() {
    // Small enough to be swept while they search.
    let table = Table::new(1 << 18).expect("memory");
    let mate = Mate::new(&table);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for i in 0..MATES.len() {
                    let (sfen, length) = MATES[(i + thread) % MATES.len()];
                    let answer = mate.solve_position(&position(sfen), &shortest());
                    assert_line(&answer);
                    assert_eq!(
                        answer.solution.as_ref().map(|found| found.length),
                        Some(length),
                        "{sfen}"
                    );
                }
            });
        }
    });
    assert!(table.collections() > 0, "the table was large enough: make it smaller");
}

/// Ways to search with several agents.
fn schemes() -> Vec<Scheme> {
    let turns = Agents { count: 4, numbers: Virtual::Paper, turns: Some(20) };
    let paths = ["L,S,S,S", "L|S", "L|S,S"].map(|text| Paths::new(text.parse().expect("right")));
    let mut schemes = vec![Scheme::Virtual(Agents::on_threads(3)), Scheme::Virtual(turns)];
    schemes.extend(paths.map(|paths| Scheme::Paths(Paths { quantum: 50, ..paths })));
    schemes
}

#[test]
fn several_agents_find_the_same_lengths() {
    for scheme in schemes() {
        for (sfen, length) in MATES {
            let table = Table::new(1 << 22).expect("memory");
            let mate = Mate::new(&table).with_scheme(Some(scheme));
            let answer = mate.solve_position(&position(sfen), &shortest());
            assert_line(&answer);
            certify(&mate, &answer);
            let found = answer.solution.as_ref().unwrap_or_else(|| panic!("{sfen}: no mate"));
            assert!(found.exact && found.length == length, "{scheme:?} {sfen}: {}", found.length);
            assert!(length == 1 || answer.outcome.nodes > 0);
            let limits =
                MateLimits { plies: Plies::at_most(length.saturating_sub(1)), ..shortest() };
            let answer = mate.solve_position(&position(sfen), &limits);
            assert_eq!(answer.outcome.verdict, Verdict::Disproven, "{scheme:?} {sfen}");
        }
        // A gold alone does not mate.
        let table = Table::new(1 << 22).expect("memory");
        let mate = Mate::new(&table).with_scheme(Some(scheme));
        let answer = mate.solve_position(
            &position("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"),
            &MateLimits::default(),
        );
        assert_eq!(answer.outcome.verdict, Verdict::Disproven, "{scheme:?}");
        assert_eq!(answer.outcome.plies, Plies::UNBOUNDED, "{scheme:?}");
        certify(&mate, &answer);
    }
}

#[test]
fn one_agent_is_the_search_without_a_scheme() {
    let alone = [
        Scheme::Virtual(Agents::on_threads(1)),
        Scheme::Paths(Paths::new("L".parse().expect("right"))),
    ];
    for (sfen, _) in MATES {
        let nodes = |scheme: Option<Scheme>| {
            let table = Table::new(1 << 20).expect("memory");
            let mate = Mate::new(&table).with_scheme(scheme);
            mate.solve_position(&position(sfen), &shortest()).outcome.nodes
        };
        let usual = nodes(None);
        assert_eq!(alone.map(|scheme| nodes(Some(scheme))), [usual; 2], "{sfen}");
    }
    // And so is a call with few nodes, whatever the scheme.
    let nodes = |threads: usize| {
        let table = Table::new(1 << 20).expect("memory");
        let limits = MateLimits { nodes: Some(5_000), ..shortest() };
        let mate = Mate::new(&table).with_threads(threads);
        mate.solve_position(&position(HARD), &limits).outcome.nodes
    };
    assert_eq!(nodes(1), nodes(8));
}

/// Not decided for a long time.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

#[test]
fn several_agents_keep_limits_and_tell_of_themselves() {
    for scheme in schemes() {
        let table = Table::new(1 << 22).expect("memory");
        let mate = Mate::new(&table).with_scheme(Some(scheme));
        let problem = Tsume::new(position(HARD));
        let few = MateLimits { nodes: Some(100_000), ..shortest() };
        let answer = mate.solve(&problem, &few);
        assert_eq!(answer.outcome.verdict, Verdict::Unknown(Reason::Nodes), "{scheme:?}");
        assert!(answer.outcome.nodes >= 100_000, "{scheme:?}: {}", answer.outcome.nodes);
        let short = MateLimits { time: Some(Duration::from_millis(100)), ..shortest() };
        let answer = mate.solve(&problem, &short);
        assert_eq!(answer.outcome.verdict, Verdict::Unknown(Reason::Time), "{scheme:?}");
        assert!(answer.outcome.elapsed < Duration::from_secs(20), "{:?}", answer.outcome.elapsed);
        // Stopped by whoever watches.
        let limits = shortest();
        let stop = limits.stop.clone();
        let mut nodes = 0;
        let answer = mate.solve_watched(&problem, &limits, &mut |event| {
            let Event::Progress(progress) = event else { return };
            assert_eq!(progress.agents.len(), scheme.threads(), "{scheme:?}");
            assert!(progress.nodes >= nodes && progress.phase == Phase::First);
            nodes = progress.nodes;
            let told = progress.agents.iter().filter(|agent| !agent.line.is_empty()).count();
            if nodes > 20_000 && told > 0 {
                stop.raise();
            }
        });
        assert_eq!(answer.outcome.verdict, Verdict::Unknown(Reason::Stopped), "{scheme:?}");
        assert!(answer.outcome.nodes >= nodes && nodes > 20_000);
    }
}

#[test]
fn a_search_can_be_ended_and_taken_up_again() {
    let (sfen, length) = MATES[6];
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let problem = Tsume::new(position(sfen)).with_futile(Futile::NotCounted);
    let few = MateLimits { nodes: Some(20), ..shortest() };
    let no_time = MateLimits { time: Some(Duration::ZERO), ..shortest() };
    let stopped = shortest();
    stopped.stop.raise();
    let limits = [(few, Reason::Nodes), (no_time, Reason::Time), (stopped, Reason::Stopped)];
    for (limits, reason) in limits {
        let answer = mate.solve(&problem, &limits);
        assert_eq!(answer.outcome.verdict, Verdict::Unknown(reason));
        assert!(answer.outcome.nodes <= 100 && answer.claims().is_empty());
    }
    // In small pieces, the table kept: some time it is done.
    let pieces = MateLimits { nodes: Some(500), ..shortest() };
    let mut bounds = vec![u16::MAX];
    for _ in 0..2_000 {
        let answer = mate.solve(&problem, &pieces);
        assert!(answer.outcome.nodes < 1_000, "{} nodes", answer.outcome.nodes);
        if let Some(Solution { length, exact, .. }) = answer.solution {
            bounds.push(length);
            if exact {
                break;
            }
        }
    }
    assert!(bounds.is_sorted_by(|a, b| a >= b), "a proof was forgotten: {bounds:?}");
    assert_eq!(bounds.last(), Some(&length), "not done in so many pieces");
}

#[test]
fn a_bound_on_plies_is_kept() {
    for (sfen, length) in MATES {
        let limits = |plies| MateLimits { plies: Plies::at_most(plies), ..MateLimits::default() };
        for plies in [length, length + 1] {
            let answer = solve(sfen, &limits(plies));
            assert!(answer.solution.as_ref().is_some_and(|found| found.length == length), "{sfen}");
        }
        let answer = solve(sfen, &limits(length - 1));
        assert_eq!(answer.outcome.verdict, Verdict::Disproven, "{sfen}");
        let within = answer.outcome.plies;
        let bound = within.bounded().unwrap_or(u16::MAX);
        assert!((length.saturating_sub(2)..length).contains(&bound), "{sfen}: not within {within}");
    }
}

#[test]
fn lines_are_found_where_the_table_forgets() {
    for (sfen, length) in MATES {
        // The smallest table there is, but for the long ones.
        for bytes in if length < 13 { [1 << 14, 1 << 16] } else { [1 << 16, 1 << 17] } {
            let table = Table::new(bytes).expect("memory");
            let mate = Mate::new(&table);
            for limits in [MateLimits::default(), shortest()] {
                let answer = mate.solve_position(&position(sfen), &limits);
                assert_line(&answer);
                let found = answer.solution.as_ref().expect("a mate");
                assert!(found.length == length || !found.exact && found.length > length);
            }
        }
    }
}

#[test]
fn progress_is_told() {
    let (sfen, length) = MATES[7];
    let table = Table::new(1 << 22).expect("memory");
    let mut phases = Vec::new();
    let mut nodes = 0;
    let problem = Tsume::new(position(sfen));
    let answer = Mate::new(&table).solve_watched(&problem, &shortest(), &mut |event| {
        let Event::Progress(progress) = event else { return };
        assert!(progress.nodes >= nodes && progress.stored <= progress.capacity);
        nodes = progress.nodes;
        phases.push(progress.phase);
    });
    assert!(nodes <= answer.outcome.nodes);
    assert!(phases.contains(&Phase::First), "{phases:?}");
    let shortest = phases.iter().any(|&phase| {
        matches!(phase, Phase::Shortest { least, known, asking }
            if known == length && least <= known && asking < known)
    });
    assert!(shortest, "{phases:?}");
    assert_eq!(Phase::First.to_string(), "first proof");
    let phase = Phase::Shortest { least: 5, known: 17, asking: 15 };
    assert_eq!(phase.to_string(), "5 to 17 plies: asking 15");
}

/// One solve tells of the first mate, of each shorter one, and that there is none shorter; who only
/// listens changes nothing, and who asks for the line gets one that mates.
#[test]
fn a_solve_tells_what_it_finds() {
    for (sfen, length) in MATES {
        let problem = Tsume::new(position(sfen)).with_futile(Futile::NotCounted);
        let table = || Table::new(1 << 22).expect("memory");
        let alone = Mate::new(&table()).solve(&problem, &shortest());
        let (mut found, mut last) = (Vec::new(), None);
        let heard =
            Mate::new(&table()).solve_watched(&problem, &shortest(), &mut |event| match event {
                Event::Progress(_) => {}
                Event::Found { plies, .. } => found.push(plies),
                Event::NotShorter { plies } => last = Some(plies),
            });
        assert_eq!(heard.outcome.nodes, alone.outcome.nodes, "{sfen}");
        assert_eq!(heard.solution, alone.solution, "{sfen}");
        assert_eq!(last, Some(length), "{sfen}");
        assert!(found.is_sorted_by(|a, b| a > b), "{sfen}: {found:?}");
        assert_eq!(found.last().copied(), (length > 1).then_some(length), "{sfen}: {found:?}");
        let mut lines = 0;
        let seen = Mate::new(&table()).solve_watched(&problem, &shortest(), &mut |event| {
            if let Event::Found { plies, solution, .. } = event {
                let solution = solution();
                assert!(solution.complete && solution.line.len() == usize::from(plies), "{sfen}");
                assert_mates(&problem, &solution.line);
                lines += 1;
            }
        });
        assert!(lines > 0 || length == 1, "{sfen}");
        assert!(seen.solution.is_some_and(|seen| seen.exact && seen.length == length), "{sfen}");
    }
}

/// Positions with an interposition in vain in the middle of the line: the length by the rules, and
/// by convention.
const IN_VAIN: [(&str, u16, u16); 7] = [
    ("8k/9/9/8N/9/9/9/7+B1/9 b Lp 1", 5, 3),
    ("8k/9/7l1/8N/9/9/4B4/9/9 b Lp 1", 5, 3),
    ("9/3+B4S/6S1k/9/9/8N/9/9/9 b Glp 1", 5, 3),
    ("5g3/7G1/8k/6S2/7P1/9/9/9/3+R5 b Slp 1", 7, 5),
    ("9/6S1k/9/2+B6/9/9/9/9/9 b 2Sp 1", 7, 5),
    ("6k2/9/9/6N2/9/9/9/9/6B2 b GLlp 1", 7, 5),
    ("6k2/5P3/9/6+P2/9/9/9/9/2+R6 b 2Glp 1", 7, 3),
];

#[test]
fn interpositions_in_vain_are_left_out_by_convention() {
    for (sfen, length, conventional) in IN_VAIN {
        let answer = solve(sfen, &shortest());
        let found = answer.solution.as_ref().expect("a mate");
        assert_eq!((found.length, found.shown_length()), (length, conventional), "{sfen}");
        let mut plain = Brute::new(&position(sfen), Futile::NotCounted, 100_000);
        let expected = plain.conventional(&position(sfen), length).expect("few positions");
        assert_eq!(expected, Some(conventional), "{sfen}");
    }
}

/// Zuko 1 (1755) after 24 plies: rooks are interposed where a rook checks from afar, and cannot be
/// done without. To weigh them against all other replies took twice as many nodes as the mate, and
/// the convention was given up.
#[test]
fn interpositions_that_are_needed_are_seen_soon() {
    let sfen = "1pG6/Gs+P6/pP7/n1lsS4/1k7/n5b2/1N+Bp5/1S7/9 b RPr2gn3l12p 1";
    let table = Table::new(64 << 20).expect("memory");
    let problem = Tsume::new(position(sfen)).with_futile(Futile::NotCounted);
    let answer = Mate::new(&table).solve(&problem, &shortest());
    let found = answer.solution.as_ref().expect("a mate");
    assert!(found.exact && found.conventional.is_none() && !found.is_convention_open);
    assert_eq!((found.length, found.always_left_over), (45, Some(false)));
    let nodes = answer.outcome.nodes;
    assert!(nodes < 500_000, "{nodes}");
}

#[test]
fn conventional_lengths_agree_with_their_definition() {
    let mut random = SplitMix64::new(3);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let limits = MateLimits { nodes: Some(4_000), plies: Plies::at_most(7), ..shortest() };
    let mut checked = 0;
    for _ in 0..400 {
        let position = brute::random_with_slider(&mut random);
        let problem = Tsume::new(position.clone()).with_futile(Futile::NotCounted);
        let answer = mate.solve(&problem, &limits);
        assert_line(&answer);
        let Some(found) = answer.solution.as_ref().filter(|found| found.exact) else { continue };
        let mut plain = Brute::new(&position, Futile::NotCounted, 20_000);
        if let Ok(Some(expected)) = plain.conventional(&position, found.length) {
            assert_eq!(found.shown_length(), expected, "{position}");
            checked += 1;
        }
    }
    assert!(checked > 20, "too few: {checked}");
}

/// Generated problems of another collection, if they are at hand: no mate is longer than recorded,
/// and most are as long.
#[test]
fn recorded_lengths() {
    let Some(text) = yomikiri_needs::problem_set("short.tsv") else { return };
    let (mut same, mut all) = (0, 0);
    for line in text.lines().step_by(8) {
        let mut columns = line.split('\t');
        let (Some(sfen), Some(id), Some(length)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let recorded: u16 = length.parse().expect("a length");
        let table = Table::new(1 << 20).expect("memory");
        let mate = Mate::new(&table);
        let answer = mate.solve(&Tsume::new(position(sfen)), &shortest());
        assert_line(&answer);
        certify(&mate, &answer);
        let found = answer.solution.as_ref().unwrap_or_else(|| panic!("{id}: no mate"));
        assert!(found.exact && found.length <= recorded, "{id}: {}", found.length);
        same += u32::from(found.length == recorded);
        all += 1;
    }
    assert!(same * 100 >= all * 95, "{same} of {all}");
}
