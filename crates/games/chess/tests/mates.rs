//! Verdicts about mates against brute force over shakmaty's rules, every one with its certificate.

use andor::certificate::{self, check};
use andor::{
    Algorithm, Claim, Control, Dfpn, Limits, NodeKind, Plies, Problem, Rules, SplitMix64, Stop,
    Table, Value, search,
};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use std::collections::HashMap;
use yomikiri_chess::{Color, Goal, Mates, Position, Status, settings};

pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Searches, and checks the certificate of what is found.
fn verdict(problem: &Mates, plies: Plies, table: &mut Table, nodes: u64) -> Option<(Value, Plies)> {
    table.clear();
    let dfpn = Dfpn { plies, ..settings::dfpn() };
    let mut control = Control::new(Limits { nodes: Some(nodes), time: None });
    let outcome = search(problem, &Algorithm::Dfpn(dfpn), table, &mut control);
    let value = outcome.value()?;
    let mut file = Vec::new();
    let stop = Stop::new();
    certificate::write(Claim::new(problem, value, outcome.plies), dfpn, table, &stop, &mut file)
        .unwrap_or_else(|error| {
            panic!("{problem} within {plies}, {value:?} {}: {error}", outcome.plies)
        });
    check(Claim::new(problem, value, outcome.plies), &mut file.as_slice())
        .unwrap_or_else(|error| panic!("{problem}: {error}"));
    Some((value, outcome.plies))
}

pub fn oracle(position: &Position) -> Chess {
    let fen: Fen = position.fen().parse().expect("a FEN");
    match fen.into_position(CastlingMode::Standard) {
        Ok(found) => found,
        Err(error) => match error.ignore_impossible_check() {
            Ok(found) => found,
            Err(error) => panic!("{position}: {error}"),
        },
    }
}

/// Is there a mate within so many plies? Plain AND/OR search.
pub fn mates_within(position: &Chess, attacker: shakmaty::Color, goal: Goal, plies: u16) -> bool {
    if position.turn() == attacker {
        return plies > 0
            && position.legal_moves().into_iter().any(|m| {
                let next = position.clone().play(m).expect("legal");
                (goal == Goal::Mate || next.is_check())
                    && mates_within(&next, attacker, goal, plies - 1)
            });
    }
    if goal == Goal::Checks && !position.is_check() {
        return false;
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return position.is_check();
    }
    plies > 1
        && moves.into_iter().all(|m| {
            let next = position.clone().play(m).expect("legal");
            mates_within(&next, attacker, goal, plies - 1)
        })
}

/// A random legal position with the pieces of both sides.
pub fn random_position(random: &mut SplitMix64, pieces: &str) -> Position {
    loop {
        let mut board = [' '; 64];
        for piece in pieces.chars() {
            let mut square = random.below(64);
            while board[square] != ' ' {
                square = random.below(64);
            }
            board[square] = piece;
        }
        let ranks: Vec<String> = board
            .chunks(8)
            .map(|rank| rank.iter().map(|&c| if c == ' ' { '1' } else { c }).collect())
            .collect();
        let side = if random.percent(70) { 'w' } else { 'b' };
        let text = format!("{} {side} - -", ranks.join("/"));
        match Position::from_fen(&text) {
            Ok(position) if position.status() == Status::Ongoing => return position,
            _ => {}
        }
    }
}

#[test]
fn bounded_verdicts_agree_with_brute_force() {
    let mut random = SplitMix64::new(7);
    let mut table = Table::new(1 << 20).expect("memory");
    let mut proven = 0;
    for round in 0..400 {
        let pieces = ["KQRk", "KQNkp", "KRRkn", "KQBkr", "KPPkp", "KQPPkpp"][round % 6];
        let position = random_position(&mut random, pieces);
        let oracle = oracle(&position);
        for goal in [Goal::Mate, Goal::Checks] {
            let problem = Mates::with_attacker(&position, Color::White, goal);
            // Also bounds that no mate can have, being even if the attacker moves first.
            for plies in 1..=5 {
                let wanted = mates_within(&oracle, shakmaty::Color::White, goal, plies);
                let found = verdict(&problem, Plies::at_most(plies), &mut table, 1_000_000);
                let (value, within) = found.expect("small enough");
                assert_eq!(value == Value::Proven, wanted, "{problem} within {plies}");
                assert!(!wanted || within <= Plies::at_most(plies));
                proven += u32::from(wanted);
            }
        }
    }
    assert!(proven > 200, "only {proven}");
}

/// King and queen against king: every position, solved by iteration to the fixpoint.
struct QueenEnding {
    won: Vec<bool>,
}

/// A number for a position of that ending; none if the queen has been taken.
fn number(position: &Chess) -> Option<usize> {
    let board = position.board();
    let king = |color| board.king_of(color).map(usize::from);
    let (white, black) = (king(shakmaty::Color::White)?, king(shakmaty::Color::Black)?);
    let queen = board.queens().first().map(usize::from)?;
    let side = usize::from(position.turn() == shakmaty::Color::White);
    Some(((side * 64 + white) * 64 + queen) * 64 + black)
}

impl QueenEnding {
    fn solve(goal: Goal) -> QueenEnding {
        const SIZE: usize = 2 * 64 * 64 * 64;
        // White to move; mated; where the moves lead, and whether one leads out of the ending.
        let mut nodes: Vec<(usize, bool, bool, Vec<usize>, bool)> = Vec::new();
        for number in 0..SIZE {
            let squares = [number / 4096 % 64, number / 64 % 64, number % 64];
            let Some(position) = place(squares, number >= SIZE / 2) else { continue };
            let white = position.turn() == shakmaty::Color::White;
            let (mut children, mut leaves) = (Vec::new(), false);
            for m in position.legal_moves() {
                let next = position.clone().play(m).expect("legal");
                if white && goal == Goal::Checks && !next.is_check() {
                    continue;
                }
                match self::number(&next) {
                    Some(child) => children.push(child),
                    None => leaves = true,
                }
            }
            leaves |= !white && goal == Goal::Checks && !position.is_check();
            nodes.push((number, white, position.is_checkmate(), children, leaves));
        }
        let mut won = vec![false; SIZE];
        let mut changed = true;
        while changed {
            changed = false;
            for (number, white, mated, children, leaves) in &nodes {
                let mut wins = children.iter().map(|&child| won[child]);
                let win = match white {
                    true => wins.any(|win| win),
                    false => *mated || (!leaves && !children.is_empty() && wins.all(|win| win)),
                };
                changed |= win && !won[*number];
                won[*number] |= win;
            }
        }
        QueenEnding { won }
    }

    fn is_won(&self, position: &Position) -> bool {
        number(&oracle(position)).is_some_and(|number| self.won[number])
    }
}

/// White's king, the queen and black's king on these squares, if that is a position.
fn place([white, queen, black]: [usize; 3], white_to_move: bool) -> Option<Chess> {
    if white == queen || queen == black || white == black {
        return None;
    }
    let square = |number: usize| shakmaty::Square::new(number as u32);
    let mut board = shakmaty::Board::empty();
    board.set_piece_at(square(white), shakmaty::Color::White.king());
    board.set_piece_at(square(queen), shakmaty::Color::White.queen());
    board.set_piece_at(square(black), shakmaty::Color::Black.king());
    let turn = shakmaty::Color::from_white(white_to_move);
    let setup = shakmaty::Setup { board, turn, ..shakmaty::Setup::empty() };
    setup.position(CastlingMode::Standard).ok()
}

#[test]
fn queen_against_king_agrees_with_the_fixpoint() {
    for (goal, least) in [(Goal::Mate, 50), (Goal::Checks, 10)] {
        let ending = QueenEnding::solve(goal);
        let mut random = SplitMix64::new(8);
        let mut table = Table::new(4 << 20).expect("memory");
        let (mut decided, mut disproven) = (0, 0);
        for _ in 0..60 {
            let position = random_position(&mut random, "KQk");
            let problem = Mates::with_attacker(&position, Color::White, goal);
            if let Some((value, _)) = verdict(&problem, Plies::UNBOUNDED, &mut table, 50_000) {
                let wanted = ending.is_won(&position);
                assert_eq!(value == Value::Proven, wanted, "{problem}");
                decided += 1;
                disproven += usize::from(!wanted);
            }
        }
        assert!(decided >= least, "{goal:?}: only {decided} decided");
        assert!(disproven > 0, "{goal:?}: nothing to disprove");
    }
}

#[test]
fn known_problems() {
    let mut table = Table::new(16 << 20).expect("memory");
    for (fen, goal, attacker, value) in [
        // Castling mates.
        ("8/8/8/8/8/8/4QRb1/R3K2k w Q - 0 1", Goal::Mate, Color::White, Value::Proven),
        // Only en passant mates.
        ("5K2/8/2qk4/2nPp3/3r4/6B1/B7/3R4 w - e6", Goal::Mate, Color::White, Value::Proven),
        // A quiet move is needed.
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Goal::Mate, Color::White, Value::Proven),
        ("7k/8/4K3/8/8/8/8/R7 w - - 0 1", Goal::Checks, Color::White, Value::Disproven),
        // The side to move is mated whatever it plays.
        ("7k/5K2/8/8/8/8/8/6Q1 b - - 0 1", Goal::Mate, Color::White, Value::Proven),
        // A bare king cannot mate.
        ("7k/8/8/8/8/8/5q2/7K w - - 0 1", Goal::Mate, Color::White, Value::Disproven),
        // Smothered mate by checks alone.
        ("6rk/6pp/7N/8/8/1Q6/8/7K w - - 0 1", Goal::Checks, Color::White, Value::Proven),
        // Perpetual check is no mate.
        ("6k1/5ppp/8/8/8/8/1q6/K5Q1 w - - 0 1", Goal::Checks, Color::White, Value::Disproven),
    ] {
        let problem = Mates::with_attacker(&position(fen), attacker, goal);
        let found =
            verdict(&problem, Plies::UNBOUNDED, &mut table, 2_000_000).map(|(value, _)| value);
        assert_eq!(found, Some(value), "{fen}");
    }
}

#[test]
fn short_mates_of_a_collection_are_proven() {
    let Some(text) = yomikiri_needs::problem_set("chess_mates.epd") else { return };
    let mut table = Table::new(64 << 20).expect("memory");
    let mut proven = 0;
    for line in text.lines() {
        let (position, rest) = Position::from_epd(line).expect(line);
        if ["bm #1;", "bm #2;", "bm #3;"].iter().any(|mate| rest.starts_with(mate)) {
            let problem = Mates::new(&position, Goal::Mate);
            let found = verdict(&problem, Plies::UNBOUNDED, &mut table, 300_000);
            assert_eq!(found.map(|(value, _)| value), Some(Value::Proven), "{line}");
            proven += 1;
        }
    }
    assert_eq!(proven, 44);
}

#[test]
fn keys_and_identities_agree_and_moves_are_taken_back() {
    let mut random = SplitMix64::new(9);
    let start = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut seen = HashMap::new();
    for _ in 0..200 {
        let mut problem = Mates::new(&position(start), Goal::Mate);
        for _ in 0..40 {
            let mut moves = Vec::new();
            problem.legal_moves(&mut moves);
            let (identity, key) = (problem.identity(), problem.key());
            assert_eq!(*seen.entry(key).or_insert_with(|| identity.clone()), identity);
            let mut codes: Vec<u32> = moves.iter().map(|&m| Mates::encode_move(m)).collect();
            codes.sort_unstable();
            codes.dedup();
            assert_eq!(codes.len(), moves.len());
            for &m in &moves {
                let after = problem.key_after(m).0;
                let undo = problem.play(m);
                assert_eq!(problem.key(), after);
                problem.undo(m, undo);
                assert_eq!((problem.identity(), problem.key()), (identity.clone(), key));
            }
            if moves.is_empty() {
                break;
            }
            problem.play(moves[random.below(moves.len())]);
        }
    }
    let identities: std::collections::HashSet<_> = seen.values().collect();
    assert_eq!(identities.len(), seen.len(), "one position, two keys");
}

#[test]
fn checks_are_exactly_the_moves_that_give_check() {
    let mut random = SplitMix64::new(10);
    for round in 0..3_000 {
        let pieces = ["KQRBNPPkqrbnpp", "KRBNPPkrbp", "KPPPPkpppp", "KQQRBNkqp"][round % 4];
        let position = random_position(&mut random, pieces);
        let problem = Mates::new(&position, Goal::Checks);
        assert_eq!(problem.kind(), NodeKind::Or);
        let mut ours = Vec::new();
        problem.legal_moves(&mut ours);
        let mut ours: Vec<String> = ours.iter().map(|&m| position.uci(m)).collect();
        let chess = oracle(&position);
        let mut theirs: Vec<String> = chess
            .legal_moves()
            .into_iter()
            .filter(|&m| chess.clone().play(m).expect("legal").is_check())
            .map(|m| m.to_uci(CastlingMode::Standard).to_string())
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "{position}");
    }
}
