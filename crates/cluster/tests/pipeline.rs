//! Games of a master with workers that say anything: whatever happens, every legal move is
//! searched by exactly one worker, nobody on a kept node is disturbed, and the move is legal.

use std::collections::BTreeMap;

use yomikiri_cluster::{Board, Game, Growth, Master, NodeId, Order, Ranks, WorkerId};
use yomikiri_engine::protocol::{Bound, Info, PositionText, Score, Start, TableEntry};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A worker that knows what it was told and makes up the rest.
#[derive(Clone)]
struct Fake {
    job: u64,
    board: Board,
    searchmoves: Vec<String>,
    depth: u64,
}

impl Fake {
    fn line(&self, random: &mut Random) -> Vec<String> {
        let mut board = self.board.clone();
        let mut moves =
            if self.searchmoves.is_empty() { board.moves() } else { self.searchmoves.clone() };
        let mut line = Vec::new();
        for _ in 0..1 + random.below(5) {
            let Some(m) = moves.get(random.below(moves.len().max(1))) else { break };
            assert!(board.play(m), "told to search {m}, which is not legal");
            line.push(m.clone());
            moves = board.moves();
        }
        line
    }
}

struct Cluster {
    master: Master,
    game: Game,
    fakes: BTreeMap<WorkerId, Fake>,
    random: Random,
    searches: usize,
}

impl Cluster {
    fn new(game: Game, workers: u32, growth: Growth, seed: u64) -> Cluster {
        let mut master = Master::new(game, Ranks::paper(), growth).unwrap();
        for worker in 0..workers {
            master.join(WorkerId(worker), worker % 2 == 0);
        }
        let mut cluster =
            Cluster { master, game, fakes: BTreeMap::new(), random: Random(seed), searches: 0 };
        cluster.master.resume();
        cluster.obey();
        cluster
    }

    /// Carries out the orders. Those to search are returned.
    fn obey(&mut self) -> Vec<WorkerId> {
        let mut told = Vec::new();
        for order in self.master.orders() {
            match order {
                Order::Search { worker, job, position, searchmoves, .. } => {
                    let board = Board::new(self.game, &position).unwrap();
                    let legal = board.moves();
                    assert!(searchmoves.iter().all(|m| legal.contains(m)));
                    self.fakes.insert(worker, Fake { job, board, searchmoves, depth: 0 });
                    self.searches += 1;
                    told.push(worker);
                }
                Order::Stop { worker } => {
                    self.fakes.remove(&worker).expect("only who searches is stopped");
                    told.push(worker);
                }
                Order::Report { worker, job, entries } => {
                    let fake = &self.fakes[&worker];
                    assert_eq!(fake.job, job);
                    let mut found = Vec::new();
                    for _ in 0..entries / 4 {
                        let line = fake.line(&mut self.random);
                        for plies in 1..=line.len() {
                            let depth = 20 - 2 * plies as u64;
                            let score = Score::cp(self.random.below(99) as i32);
                            found.push(TableEntry { depth, score, moves: line[..plies].to_vec() });
                        }
                    }
                    self.master.table_report(worker, job, &found);
                }
            }
        }
        self.master.check().unwrap();
        told
    }

    /// Every worker says something.
    fn think(&mut self) {
        for (worker, fake) in &mut self.fakes {
            fake.depth += 1 + self.random.below(3) as u64;
            let bound =
                [Bound::Exact, Bound::Exact, Bound::Lower, Bound::Upper][self.random.below(4)];
            let value = Score::cp(self.random.below(400) as i32 - 200);
            let score =
                if self.random.below(20) == 0 { Score::mate(3) } else { Score { bound, ..value } };
            let info = Info {
                depth: Some(fake.depth),
                score: Some(score),
                pv: fake.line(&mut self.random),
                nodes: Some(fake.depth * 100),
                ..Info::default()
            };
            self.master.info(*worker, fake.job, &info);
        }
        while self.master.grow() {
            self.obey();
        }
        self.obey();
    }
}

fn play(game: Game, workers: u32, growth: Growth, seed: u64, plies: usize) -> (usize, usize) {
    let mut cluster = Cluster::new(game, workers, growth, seed);
    let mut text = PositionText::initial();
    let (mut kept_moves, mut kept_workers) = (0, 0);
    for _ in 0..plies {
        for _ in 0..3 {
            cluster.think();
        }
        // A worker is lost now and then, and comes back.
        if cluster.random.below(4) == 0 {
            let worker = WorkerId(cluster.random.below(workers as usize) as u32);
            cluster.master.leave(worker);
            cluster.fakes.remove(&worker);
            cluster.obey();
            cluster.think();
            cluster.master.join(worker, true);
            cluster.obey();
        }
        let decision = cluster.master.decide();
        let Some(best) = decision.best else { break };
        let legal = Board::new(game, &text).unwrap().moves();
        assert!(legal.contains(&best));
        // The best move is played, or another one.
        let played = match cluster.random.below(3) {
            0 => legal[cluster.random.below(legal.len())].clone(),
            _ => best,
        };
        text.moves.push(played);
        let children = |master: &Master| -> BTreeMap<NodeId, Vec<NodeId>> {
            master.tree().nodes().map(|(id, node)| (id, node.children().to_vec())).collect()
        };
        let on = |master: &Master| -> BTreeMap<WorkerId, NodeId> {
            let nodes = master.tree().nodes();
            nodes.filter_map(|(id, _)| Some((master.worker_on(id)?, id))).collect()
        };
        let (before, posts) = (children(&cluster.master), on(&cluster.master));
        cluster.master.set_position(text.clone()).unwrap();
        let after = children(&cluster.master);
        let told = cluster.obey();
        for (worker, node) in &posts {
            if after.contains_key(node) {
                assert_eq!(before[node], after[node], "nothing grows before it is asked to");
                assert!(!told.contains(worker), "{worker:?} was disturbed on a node that stays");
                kept_workers += 1;
            }
        }
        kept_moves += usize::from(posts.values().any(|node| after.contains_key(node)));
        // Growth disturbs only whom it takes moves from.
        let (before, posts) = (after, on(&cluster.master));
        cluster.master.grow();
        let after = children(&cluster.master);
        let told = cluster.obey();
        for (worker, node) in &posts {
            if after.get(node) == before.get(node) {
                assert!(!told.contains(worker), "{worker:?} was disturbed though nothing changed");
            }
        }
        if Board::new(game, &text).unwrap().ending().is_some() {
            break;
        }
    }
    (kept_moves, kept_workers)
}

#[test]
fn chess_games_with_workers_that_come_and_go() {
    let (mut moves, mut workers) = (0, 0);
    for growth in Growth::ALL {
        for (seed, n) in [(1, 1), (2, 2), (3, 5), (4, 16), (5, 40)] {
            let (kept, stayed) = play(Game::Chess, n, growth, seed, 40);
            (moves, workers) = (moves + kept, workers + stayed);
        }
    }
    assert!(moves > 100 && workers > 300, "{moves} moves kept {workers} workers: too few to tell");
}

#[test]
fn shogi_games_with_workers_that_come_and_go() {
    let (mut moves, mut workers) = (0, 0);
    for (seed, n) in [(1, 1), (2, 3), (3, 8), (4, 30)] {
        let (kept, stayed) = play(Game::Shogi, n, Growth::Pgpp, seed, 40);
        (moves, workers) = (moves + kept, workers + stayed);
    }
    assert!(moves > 20 && workers > 60, "{moves} moves kept {workers} workers: too few to tell");
}

#[test]
fn a_forced_move_is_one_child_and_the_worker_goes_down_with_it() {
    let mut master = Master::new(Game::Chess, Ranks::paper(), Growth::Pgpp).unwrap();
    let fen = "7k/8/8/8/8/8/2r5/K7 w - - 0 1";
    let start = PositionText { start: Start::Fen(fen.into()), moves: Vec::new() };
    assert_eq!(Board::new(Game::Chess, &start).unwrap().moves(), ["a1b1"]);
    master.set_position(start).unwrap();
    master.join(WorkerId(0), false);
    master.join(WorkerId(1), false);
    master.resume();
    let Some(Order::Search { worker, job, .. }) = master.orders().pop() else { panic!() };
    let (score, pv) = (Some(Score::cp(-500)), vec!["a1b1".into()]);
    let info = Info { depth: Some(3), score, pv, ..Info::default() };
    master.info(worker, job, &info);
    assert!(master.grow());
    master.check().unwrap();
    // The root has no others left: its worker went down, and the other one still has nothing.
    assert_eq!(master.worker_on(master.tree().root()), None);
    let child = master.tree().get(master.tree().root()).unwrap().children()[0];
    assert_eq!(master.worker_on(child), Some(worker));
    assert_eq!(master.workers(), (2, 1));
    assert_eq!(master.decide().best.as_deref(), Some("a1b1"));
}

#[test]
fn a_game_that_is_over_has_nothing_to_search() {
    let mut master = Master::new(Game::Chess, Ranks::paper(), Growth::Pgpp).unwrap();
    master.join(WorkerId(0), true);
    master.resume();
    master.orders();
    let fen = String::from("8/8/8/8/8/8/1q6/K1k5 w - - 0 1");
    let start = PositionText { start: Start::Fen(fen), moves: Vec::new() };
    master.set_position(start).unwrap();
    assert_eq!(master.orders(), [Order::Stop { worker: WorkerId(0) }]);
    assert!(!master.grow());
    let decision = master.decide();
    assert_eq!((decision.best, decision.score), (None, Some(Score::mate(0))));
}

#[test]
fn only_the_moves_that_were_asked_for_are_searched() {
    let mut master = Master::new(Game::Chess, Ranks::paper(), Growth::Pgpp).unwrap();
    for worker in 0..3 {
        master.join(WorkerId(worker), false);
    }
    let only = ["a2a3", "h2h4", "e2e5"].map(String::from);
    master.set_restricted(PositionText::initial(), &only).unwrap();
    master.resume();
    let Some(Order::Search { worker, job, searchmoves, .. }) = master.orders().pop() else {
        panic!()
    };
    assert_eq!(searchmoves, ["a2a3", "h2h4"], "what is not legal does not count");
    let (score, pv) = (Some(Score::cp(5)), vec!["h2h4".into(), "e7e5".into()]);
    master.info(worker, job, &Info { depth: Some(3), score, pv, ..Info::default() });
    // A better move that was not asked for is not listened to.
    let (score, pv) = (Some(Score::cp(90)), vec!["e2e4".into()]);
    assert!(master.info(worker, job, &Info { depth: Some(4), score, pv, ..Info::default() }));
    assert!(master.grow());
    master.check().unwrap();
    assert_eq!(master.decide().best.as_deref(), Some("h2h4"));
    // Without the restriction all moves are searched again.
    master.set_position(PositionText::initial()).unwrap();
    master.check().unwrap();
    assert_eq!(master.tree().get(master.tree().root()).unwrap().legal().len(), 20);
}

#[test]
fn without_any_worker_nothing_is_decided() {
    let mut master = Master::new(Game::Shogi, Ranks::paper(), Growth::Pgpp).unwrap();
    master.resume();
    let decision = master.decide();
    assert_eq!((decision.best, decision.score), (None, None));
    assert!(!master.is_known());
}

#[test]
fn an_impossible_position_is_refused_and_nothing_is_lost() {
    let mut master = Master::new(Game::Chess, Ranks::paper(), Growth::Pgpp).unwrap();
    let mut text = PositionText::initial();
    text.moves = vec!["e2e4".into(), "e2e4".into()];
    let error = master.set_position(text).unwrap_err();
    assert_eq!(error.to_string(), "move 2 of the position, 'e2e4', is not legal");
    assert_eq!(master.tree().text(), &PositionText::initial());
    master.check().unwrap();
}

#[test]
fn a_line_that_ends_at_the_root_names_no_move() {
    let mut master = Master::new(Game::Chess, Ranks::paper(), Growth::Pgpp).unwrap();
    master.join(WorkerId(0), false);
    master.resume();
    let told = |master: &mut Master, moves: &[&str], cp: i32| {
        let job = master.orders().into_iter().rev().find_map(|order| match order {
            Order::Search { job, .. } => Some(job),
            _ => None,
        });
        let pv = moves.iter().map(|&m| m.into()).collect();
        let info = Info { depth: Some(5), score: Some(Score::cp(cp)), pv, ..Info::default() };
        assert!(master.info(WorkerId(0), job.expect("a search"), &info));
    };
    told(&mut master, &["e2e4", "e7e5"], 20);
    assert!(master.is_known());
    let moves = ["e2e4", "e7e5"].map(String::from).to_vec();
    master.set_position(PositionText { start: Start::Initial, moves }).unwrap();
    let decision = master.decide();
    assert_eq!((decision.best, decision.score), (None, None), "nobody has named a move");
    assert!(!master.is_known());
    told(&mut master, &["g1f3"], 30);
    assert_eq!(master.decide().best.as_deref(), Some("g1f3"));
    assert!(master.is_known());
}
