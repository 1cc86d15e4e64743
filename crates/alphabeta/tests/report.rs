//! The laws of the table report.

use std::collections::HashSet;

use cozy_chess::{Board, Move};
use yomikiri_alphabeta::{Control, Job, Next, ReportEntry, Searcher, Until, View, key};

fn board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // Kings that walk in circles.
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
];

/// Prefix-closed, legal, no position twice, and the deepest in reach first.
fn check_laws(root: &Board, allowed: &[Move], report: &[ReportEntry]) {
    let mut paths = HashSet::from([Vec::new()]);
    let mut positions = HashSet::from([key(root)]);
    for (index, entry) in report.iter().enumerate() {
        let (_, prefix) = entry.moves.split_last().expect("at least one move");
        assert!(paths.contains(prefix), "the position before comes before");
        assert!(allowed.is_empty() || allowed.contains(&entry.moves[0]));
        assert!(entry.depth >= 1);
        let mut board = root.clone();
        for &mv in &entry.moves {
            assert!(board.is_legal(mv));
            board.play(mv);
        }
        assert!(positions.insert(key(&board)), "every position once");
        // What was in reach all the time and comes later is no deeper.
        let before = report[..index].iter().filter(|before| {
            let in_reach = prefix.is_empty()
                || report.iter().position(|other| other.moves == prefix).expect("seen")
                    < report.iter().position(|other| other == *before).expect("seen");
            in_reach && before.depth < entry.depth
        });
        assert_eq!(before.count(), 0, "deepest first");
        paths.insert(entry.moves.clone());
    }
}

#[test]
fn the_laws_hold_after_a_search() {
    for fen in POSITIONS {
        let mut searcher = Searcher::new(2);
        let job = Job::new(board(fen));
        assert_eq!(searcher.table_report(&job, 10), []);
        searcher.search(&job, &mut Until(30_000));
        for most in [0, 1, 7, 300] {
            let report = searcher.table_report(&job, most);
            assert_eq!(report.len(), most, "{fen}");
            check_laws(&job.position, &[], &report);
        }
        let some = searcher.table_report(&job, 10);
        assert_eq!(some, searcher.table_report(&job, 300)[..10], "a longer report begins the same");
        // All there is, which is not endless.
        let all = searcher.table_report(&job, usize::MAX);
        assert!(all.len() > 300 && all.len() < 30_000);
    }
}

#[test]
fn the_best_line_is_in_the_report() {
    let mut searcher = Searcher::new(2);
    let job = Job::new(board(POSITIONS[1]));
    let outcome = searcher.search(&job, &mut Until(100_000));
    let report = searcher.table_report(&job, 300);
    assert!(report.iter().any(|entry| entry.moves == outcome.lines[0].pv[..2]));
}

/// Takes reports in the middle of a search.
struct Reporting(Vec<Move>, u32);

impl Control for Reporting {
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next {
        check_laws(view.root(), &self.0, &view.table_report(50));
        self.1 += 1;
        if nodes < 20_000 { Next::Until(nodes + 1_000) } else { Next::Stop }
    }
}

#[test]
fn the_laws_hold_during_a_search_of_some_moves() {
    for fen in POSITIONS {
        let root = board(fen);
        let mut searchmoves = Vec::new();
        root.generate_moves(|piece| {
            searchmoves.extend(piece.into_iter().take(1));
            false
        });
        let mut searcher = Searcher::new(1);
        // What a search of all moves left in the table is not reported.
        searcher.search(&Job::new(root.clone()), &mut Until(20_000));
        let job = Job { searchmoves: searchmoves.clone(), ..Job::new(root) };
        let mut control = Reporting(searchmoves.clone(), 0);
        searcher.search(&job, &mut control);
        assert_eq!(control.1, 21);
        check_laws(&job.position, &searchmoves, &searcher.table_report(&job, 100));
    }
}
