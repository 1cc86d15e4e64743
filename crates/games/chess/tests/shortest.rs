//! Shortest mates against brute force over shakmaty's rules, with the certificates of both ends.

use andor::length::{Aim, claims};
use andor::shortest::Bounds;
use andor::{Algorithm, Control, Limits, Pulse, Rules, Solvable, SplitMix64, Stop, Table, Verdict};
use yomikiri_chess::{Color, Goal, Mates, Move, Status, settings};

use crate::mates::{mates_within, oracle, position, random_position};

/// The length of a mate, if there is one within the nodes. Its line and certificates are checked.
fn lengths(problem: &Mates, aim: Aim, nodes: u64, table: &Table) -> Option<Bounds<Move>> {
    let dfpn = settings::dfpn();
    let mut control = Control::new(Limits { nodes: Some(nodes), time: None });
    let mut outcome = problem.search(&Algorithm::Dfpn(dfpn), table, &mut control);
    let first = outcome.plies;
    let bounds = problem.shorten(aim, (dfpn, None), table, &mut control, &mut outcome)?;
    assert_eq!(outcome.verdict, Verdict::Proven);
    assert!(outcome.plies <= first && outcome.plies.bounded() == Some(bounds.known));
    assert!(outcome.nodes <= nodes + 64, "{problem}: {} of {nodes} nodes", outcome.nodes);
    assert!(bounds.least <= bounds.known, "{problem}: {bounds:?}");
    assert_eq!((bounds.known - bounds.least) % 2, 0, "{problem}: {bounds:?}");
    follow(problem, &bounds);
    let (proof, shorter) = claims(problem, &bounds);
    for claim in [Some(proof), shorter].into_iter().flatten() {
        let mut file = Vec::new();
        Mates::write_certificate(claim, dfpn, table, &Stop::new(), &mut file)
            .unwrap_or_else(|error| panic!("{problem}, {} {}: {error}", claim.value, claim.plies));
        let pulse = Pulse::new(Stop::new());
        Mates::check_certificate(claim, &pulse, &mut file.as_slice())
            .unwrap_or_else(|error| panic!("{problem}, {} {}: {error}", claim.value, claim.plies));
    }
    Some(bounds)
}

/// The moves of the line are legal, and if it is complete it ends in mate and is as long as is claimed.
fn follow(problem: &Mates, bounds: &Bounds<Move>) {
    let mut at = problem.clone();
    for &m in &bounds.line.moves {
        let mut legal = Vec::new();
        at.legal_moves(&mut legal);
        assert!(legal.contains(&m), "{problem}: {m}");
        at.play(m);
    }
    let is_mate = at.position().status() == Status::Checkmate;
    assert_eq!(bounds.line.complete, is_mate, "{problem}: {bounds:?}");
    if bounds.line.complete {
        assert_eq!(bounds.line.moves.len(), usize::from(bounds.known), "{problem}");
    }
}

#[test]
fn known_mates_have_their_length() {
    let mut table = Table::new(1 << 22).expect("memory");
    for (fen, attacker, goal, plies) in [
        ("7k/8/5KQ1/8/8/8/8/8 w - -", Color::White, Goal::Mate, 1),
        ("7k/8/5K2/8/8/8/8/6Q1 b - -", Color::White, Goal::Mate, 2),
        // Two rooks drive the king to the edge.
        ("8/8/3k4/8/R7/1R6/8/7K w - -", Color::White, Goal::Mate, 11),
        ("7k/R7/1R6/8/8/8/8/7K w - -", Color::White, Goal::Checks, 1),
        // The smothered mate: the queen is given away on g8.
        ("5r1k/6pp/8/6N1/8/1Q6/8/7K w - -", Color::White, Goal::Mate, 7),
        ("5r1k/6pp/8/6N1/8/1Q6/8/7K w - -", Color::White, Goal::Checks, 7),
        // On the back rank.
        ("6k1/5ppp/8/8/8/8/1r6/R6K w - -", Color::White, Goal::Mate, 3),
        // Black mates with a queen.
        ("8/8/8/8/8/2k5/1q6/4K3 b - -", Color::Black, Goal::Mate, 3),
    ] {
        table.clear();
        let problem = Mates::with_attacker(&position(fen), attacker, goal);
        let found = lengths(&problem, Aim::Shortest, 3_000_000, &table).expect("a mate");
        assert!(found.is_exact() && found.line.complete, "{fen}: {found:?}");
        assert_eq!(found.known, plies, "{fen}");
    }
}

#[test]
fn shortest_mates_agree_with_brute_force() {
    let mut random = SplitMix64::new(16);
    let mut table = Table::new(1 << 20).expect("memory");
    let (mut found, mut tight) = (0, 0);
    for round in 0..420 {
        let pieces = ["KQRk", "KQNkp", "KRRkn", "KQBkr", "KQPkp", "KQPPkpp"][round % 6];
        let position = random_position(&mut random, pieces);
        let oracle = oracle(&position);
        let goal = if round % 4 == 0 { Goal::Checks } else { Goal::Mate };
        let problem = Mates::with_attacker(&position, Color::White, goal);
        let within = |plies| mates_within(&oracle, shakmaty::Color::White, goal, plies);
        let Some(wanted) = (1..=5).find(|&plies| within(plies)) else { continue };
        table.clear();
        let bounds = lengths(&problem, Aim::Shortest, 2_000_000, &table).expect("a mate");
        assert!(bounds.is_exact() && bounds.line.complete, "{problem}: {bounds:?}");
        assert_eq!(bounds.known, wanted, "{problem}");
        table.clear();
        let bounds = lengths(&problem, Aim::Bound, 2_000_000, &table).expect("a mate");
        assert!(bounds.least <= wanted && wanted <= bounds.known, "{problem}: {bounds:?}");
        assert!(bounds.line.complete, "{problem}: {bounds:?}");
        tight += u32::from(bounds.known == wanted);
        found += 1;
    }
    assert!(found > 50, "only {found}");
    assert!(tight * 10 >= found * 9, "{tight} of {found}");
}

/// However early it ends, the shortest mate is between the bounds, and both are certified.
#[test]
fn a_limit_leaves_an_interval() {
    let mut table = Table::new(1 << 20).expect("memory");
    let mut open = 0;
    for (fen, plies) in [
        ("5r1k/6pp/8/6N1/8/1Q6/8/7K w - -", 7),
        ("8/8/3k4/8/R7/1R6/8/7K w - -", 11),
        ("8/8/8/8/8/2k5/1q6/4K3 b - -", 3),
    ] {
        let problem = Mates::new(&position(fen), Goal::Mate);
        for aim in [Aim::Bound, Aim::Shortest] {
            let mut nodes = 16;
            while nodes < 400_000 {
                table.clear();
                if let Some(bounds) = lengths(&problem, aim, nodes, &table) {
                    assert!(bounds.least <= plies && plies <= bounds.known, "{fen}: {bounds:?}");
                    open += u32::from(!bounds.is_exact());
                }
                nodes += nodes / 2;
            }
        }
    }
    assert!(open > 10, "only {open}");
}
