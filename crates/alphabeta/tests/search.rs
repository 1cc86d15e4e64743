//! What the search finds, against mates known by heart and against plain minimax.

use cozy_chess::{Board, Move, Piece};
use yomikiri_alphabeta::{
    Control, Free, Job, Limits, Next, Outcome, Score, Searcher, Settings, Until, View, evaluate,
    key,
};

fn board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

fn to_depth(board: Board, depth: u32) -> Job {
    Job { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Job::new(board) }
}

const POSITIONS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w kq - 0 8",
    "2rq1rk1/pb3ppp/1p2pn2/8/2BP4/P1N2Q2/1P3PPP/3R1RK1 b - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/P4k2/8/8/8/8/1p3K2/8 w - - 0 1",
    // One ply before the fifty moves are over.
    "8/8/4k3/8/8/3QK3/8/8 w - - 98 120",
];

/// Mates in so many moves, as Stockfish 15.1 counts them too.
const MATES: [(&str, i32); 10] = [
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
    // The smothered mate, from its queen sacrifice and from the double check before.
    ("5r1k/6pp/7N/8/8/1Q6/8/7K w - - 0 1", 2),
    ("r4rk1/5Npp/8/8/2Q5/8/8/7K w - - 0 1", 3),
    // Anderssen against Kieseritzky 1851: Qf6+ and Be7.
    ("r1bk2nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 w - - 0 22", 2),
    // Morphy against the Duke and the Count 1858: Qb8+ and Rd8.
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 17", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    // The ladder of two rooks.
    ("3k4/8/8/8/8/8/R7/1R5K w - - 0 1", 3),
    ("8/8/4k3/8/8/8/3R4/1R5K w - - 0 1", 4),
];

#[test]
fn mates_are_found_and_played_to_the_end() {
    for (fen, moves) in MATES {
        let mut searcher = Searcher::new(4);
        let limits = Limits { mate: Some(moves as u32), nodes: Some(5_000_000), depth: None };
        let outcome = searcher.search(&Job { limits, ..Job::new(board(fen)) }, &mut Free);
        assert_eq!(outcome.lines[0].score, Score::Mate(moves), "{fen}");
        let mut position = board(fen);
        for &mv in &outcome.lines[0].pv {
            position.play(mv);
        }
        assert_eq!(outcome.lines[0].pv.len() as i32, 2 * moves - 1, "{fen}");
        assert_eq!(position.status(), cozy_chess::GameStatus::Won, "{fen}");
        // The side that is mated sees it from the other side.
        let mut position = board(fen);
        position.play(outcome.lines[0].pv[0]);
        if moves > 1 {
            let limits = Limits { nodes: Some(2_000_000), mate: Some(moves as u32), depth: None };
            let outcome = searcher.search(&Job { limits, ..Job::new(position) }, &mut Free);
            assert_eq!(outcome.lines[0].score, Score::Mate(1 - moves), "{fen}");
        }
    }
}

/// Minimax without any cutoff: the value of the position for the side to move. Repetition, fifty
/// moves and mates by the rules; leaves by all captures, or by all moves out of check.
struct Minimax {
    keys: Vec<u64>,
    quiescence: bool,
    /// Positions that may still be visited; at 0 the value is worthless.
    left: u64,
}

const MATE: i32 = 32_000;

impl Minimax {
    fn value(&mut self, board: &Board, depth: u32, ply: usize) -> i32 {
        if ply > 0 {
            let is_dead = (board.occupied().len() == 2)
                || board.occupied().len() == 3
                    && !(board.pieces(Piece::Knight) | board.pieces(Piece::Bishop)).is_empty();
            let here = key(board);
            if self.keys[..self.keys.len() - 1].contains(&here) || is_dead {
                return 0;
            }
            if board.halfmove_clock() >= 100 && !moves(board).is_empty() {
                return 0;
            }
        }
        let all = moves(board);
        if depth == 0 {
            return if self.quiescence { self.quiet(board, ply) } else { evaluate(board) };
        }
        let mut best = None;
        for mv in &all {
            let mut child = board.clone();
            child.play(*mv);
            self.keys.push(key(&child));
            best = best.max(Some(-self.value(&child, depth - 1, ply + 1)));
            self.keys.pop();
        }
        best.unwrap_or(if board.checkers().is_empty() { 0 } else { ply as i32 - MATE })
    }

    fn quiet(&mut self, board: &Board, ply: usize) -> i32 {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return 0;
        }
        let is_check = !board.checkers().is_empty();
        let all = moves(board);
        if is_check && all.is_empty() {
            return ply as i32 - MATE;
        }
        let mut best = if is_check { -MATE } else { evaluate(board) };
        for mv in all {
            let men = board.occupied().len();
            let mut child = board.clone();
            child.play(mv);
            let takes = child.occupied().len() < men && mv.promotion.is_none();
            if is_check || takes || mv.promotion == Some(Piece::Queen) {
                best = best.max(-self.quiet(&child, ply + 1));
            }
        }
        best
    }
}

fn moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|piece| {
        all.extend(piece);
        false
    });
    all
}

fn score(value: i32) -> Score {
    match MATE - value.abs() {
        plies if plies > 200 => Score::Cp(value),
        plies if value > 0 => Score::Mate((plies + 1) / 2),
        plies => Score::Mate(-plies / 2),
    }
}

#[test]
fn alpha_beta_is_minimax() {
    let mates = MATES.iter().map(|&(fen, _)| fen);
    let mut compared = 0;
    for fen in POSITIONS.into_iter().chain(mates) {
        for (quiescence, depth) in [(false, 1), (false, 2), (false, 3), (true, 1), (true, 2)] {
            let root = board(fen);
            let mut minimax = Minimax { keys: vec![key(&root)], quiescence, left: 400_000 };
            let value = minimax.value(&root, depth, 0);
            if minimax.left == 0 {
                // Without cutoffs the captures of a full board are too many.
                continue;
            }
            compared += 1;
            let mut searcher = Searcher::new(1);
            searcher.settings = Settings { quiescence, ..Settings::plain() };
            let found = searcher.search(&to_depth(root, depth), &mut Free).lines[0].score;
            assert_eq!(found, score(value), "{fen} depth {depth} quiescence {quiescence}");
        }
    }
    assert!(compared >= 60, "{compared}");
}

#[test]
fn windows_do_not_change_the_value() {
    for fen in POSITIONS {
        let mut plain = Searcher::new(1);
        plain.settings = Settings::plain();
        let mut narrow = Searcher::new(1);
        narrow.settings = Settings { aspiration: true, ..Settings::plain() };
        let expected = plain.search(&to_depth(board(fen), 5), &mut Free);
        let found = narrow.search(&to_depth(board(fen), 5), &mut Free);
        assert_eq!(found.lines[0].score, expected.lines[0].score, "{fen}");
    }
}

/// Stops to think at pseudo-random nodes and looks at everything it may see.
struct Pausing {
    random: u64,
    seen: Vec<u64>,
    end: u64,
}

impl Control for Pausing {
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next {
        assert_eq!(nodes, view.nodes());
        if let Some(&mark) = self.seen.last() {
            assert_eq!(nodes, mark, "asked exactly at the mark");
        }
        for line in view.lines() {
            assert!(view.root_moves().contains(&line.pv[0]));
        }
        let report = view.table_report(20);
        assert!(report.len() <= 20);
        if nodes == self.end {
            return Next::Stop;
        }
        self.random =
            self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mark = (nodes + 1 + (self.random >> 33) % 700).min(self.end);
        self.seen.push(mark);
        Next::Until(mark)
    }
}

#[test]
fn pausing_changes_nothing() {
    for (number, fen) in POSITIONS.into_iter().enumerate() {
        let end = 20_000 + 1_234 * number as u64;
        let job = Job { multipv: 1 + number % 3, ..Job::new(board(fen)) };
        let mut straight = Searcher::new(1);
        let mut paused = Searcher::new(1);
        // Twice, so that the second search meets a table in use.
        for _ in 0..2 {
            let expected = straight.search(&job, &mut Until(end));
            let mut control = Pausing { random: number as u64, seen: Vec::new(), end };
            let found = paused.search(&job, &mut control);
            assert_eq!(found, expected, "{fen}");
            assert!(control.seen.len() > 10);
            if found.is_stopped {
                assert_eq!(found.nodes, end);
            }
        }
    }
}

#[test]
fn the_same_search_gives_the_same_result() {
    let run = || -> Vec<Outcome> {
        let mut searcher = Searcher::new(1);
        let mut job = Job::new(Board::default());
        let mut outcomes = Vec::new();
        for _ in 0..10 {
            let outcome = searcher.search(&job, &mut Until(15_000));
            job.play(outcome.best.expect("a move"));
            outcomes.push(outcome);
        }
        searcher.new_game();
        outcomes.push(searcher.search(&Job::new(Board::default()), &mut Until(15_000)));
        outcomes
    };
    let outcomes = run();
    assert_eq!(outcomes, run());
    assert_eq!(outcomes.first(), outcomes.last(), "a new game forgets everything");
}

#[test]
fn a_limit_of_nodes_is_exact() {
    for nodes in [0, 1, 2, 77, 5_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let job = Job { limits, ..Job::new(Board::default()) };
        let outcome = Searcher::new(1).search(&job, &mut Free);
        assert_eq!(outcome.nodes, nodes);
        assert!(Board::default().is_legal(outcome.best.expect("always a move")));
    }
}

#[test]
fn searchmoves_and_several_lines() {
    let root = board(POSITIONS[1]);
    let all = moves(&root);
    let searchmoves: Vec<Move> = all.iter().copied().skip(3).step_by(7).collect();
    let job = Job { searchmoves: searchmoves.clone(), multipv: 3, ..to_depth(root.clone(), 7) };
    let outcome = Searcher::new(4).search(&job, &mut Free);
    assert_eq!(outcome.lines.len(), 3);
    let firsts: Vec<Move> = outcome.lines.iter().map(|line| line.pv[0]).collect();
    assert!(firsts.iter().all(|mv| searchmoves.contains(mv)));
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    let value = |score: Score| match score {
        Score::Cp(value) => value,
        Score::Mate(moves) => moves.signum() * (30_000 - moves.abs()),
    };
    assert!(outcome.lines.is_sorted_by_key(|line| -value(line.score)));
    // More lines than moves are as many as moves; wherever it stops, their moves differ.
    let few: Vec<Move> = all.iter().copied().take(4).collect();
    for nodes in (100..4_000).step_by(173) {
        let job = Job { searchmoves: few.clone(), multipv: 50, ..Job::new(root.clone()) };
        let outcome = Searcher::new(1).search(&job, &mut Until(nodes));
        let mut firsts: Vec<String> =
            outcome.lines.iter().map(|line| line.pv[0].to_string()).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), 4, "{nodes}");
    }
}

/// A search of some moves must not leave in the table that these are all.
#[test]
fn a_restricted_search_does_not_spoil_the_table() {
    let root = board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let searchmoves = vec!["g1h1".parse().expect("a move")];
    let mut searcher = Searcher::new(1);
    searcher.search(&Job { searchmoves, ..to_depth(root.clone(), 9) }, &mut Free);
    let outcome = searcher.search(&to_depth(root, 2), &mut Free);
    assert_eq!(outcome.lines[0].score, Score::Mate(1));
}

#[test]
fn no_move_and_only_move() {
    let mated = board("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1");
    let stalemate = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    for board in [mated, stalemate] {
        let outcome = Searcher::new(1).search(&Job::new(board), &mut Free);
        assert_eq!((outcome.best, outcome.nodes), (None, 0));
    }
}

#[test]
fn draws_by_repetition_are_seen() {
    // White is lost but for the checks on e8 and h5, which never end.
    let perpetual = board("6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1");
    let outcome = Searcher::new(4).search(&to_depth(perpetual, 12), &mut Free);
    assert_eq!(outcome.lines[0].score, Score::Cp(0), "{:?}", outcome.lines[0]);

    // A rook ahead, White may not go back a third time; the keys of the game say so.
    let start = board("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    let there: Vec<Move> = ["a2b2", "h8g8", "b2a2", "g8h8", "a2b2", "h8g8", "b2a2"]
        .iter()
        .map(|text| text.parse().expect("a move"))
        .collect();
    let mut job = Job::after(&start, &there);
    job.searchmoves = vec!["g8h8".parse().expect("a move")];
    job.limits.depth = Some(6);
    let outcome = Searcher::new(1).search(&job, &mut Free);
    assert_eq!(outcome.lines[0].score, Score::Cp(0));
    job.history.clear();
    let outcome = Searcher::new(1).search(&job, &mut Free);
    assert_ne!(outcome.lines[0].score, Score::Cp(0));
}

#[test]
fn the_fifty_moves_are_seen() {
    // Mate in one with the last move is a mate; one move later it is a draw.
    let in_time = board("7k/8/6K1/8/8/8/8/R7 w - - 99 90");
    let outcome = Searcher::new(1).search(&to_depth(in_time, 4), &mut Free);
    assert_eq!(outcome.lines[0].score, Score::Mate(1));
    let late = board("8/8/4k3/8/8/3QK3/8/8 w - - 99 90");
    let outcome = Searcher::new(1).search(&to_depth(late, 4), &mut Free);
    assert_eq!(outcome.lines[0].score, Score::Cp(0));
}
