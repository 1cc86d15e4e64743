//! Clusters in virtual time: repeatable, and one worker is the engine itself.

use yomikiri_chess::Position;
use yomikiri_cluster::virtual_time::{Budget, Played, Setup, VirtualCluster, play};
use yomikiri_engine::protocol::PositionText;

const BUDGET: Budget = Budget { thinking: 600, pondering: 600 };

fn game(workers: [u32; 2]) -> Played {
    let mut white = VirtualCluster::new(Setup::new(workers[0])).unwrap();
    let mut black = VirtualCluster::new(Setup::new(workers[1])).unwrap();
    play(&Position::start(), [&mut white, &mut black], [BUDGET; 2]).unwrap()
}

#[test]
fn a_game_repeats_move_by_move() {
    let first = game([5, 1]);
    assert_eq!(first, game([5, 1]));
    assert!(first.moves.len() > 20);
    let (foreseen, moves) = first.foreseen[0];
    assert!(foreseen > 0 && foreseen < 20 * moves, "{foreseen} plies foreseen in {moves} moves");
    assert_eq!(first.foreseen[1].0, 0, "one worker foresees nothing");
    assert_eq!(first.restarts[1], 0, "one worker is never restarted on its node");
}

#[test]
fn every_part_of_the_tree_is_searched_by_one_worker() {
    let mut cluster = VirtualCluster::new(Setup::new(12)).unwrap();
    let mut text = PositionText::initial();
    for _ in 0..12 {
        cluster.think(800).unwrap();
        cluster.master().check().unwrap();
        assert_eq!(cluster.master().workers(), (12, 0), "nobody is idle");
        text.moves.extend(cluster.decide().best);
        cluster.set_position(text.clone()).unwrap();
        cluster.master().check().unwrap();
    }
}

#[test]
fn slices_do_not_change_a_search() {
    // One worker that gets its nodes in slices says what the engine says that gets them at once.
    let mut cluster = VirtualCluster::new(Setup::new(1)).unwrap();
    cluster.think(20_000).unwrap();
    let sliced = cluster.decide();
    let mut searcher = yomikiri_alphabeta::Searcher::new(2);
    let job = yomikiri_alphabeta::Job::new(Position::start().board().clone());
    let whole = searcher.search(&job, &mut yomikiri_alphabeta::Until(20_000));
    let best = whole.best.map(|m| Position::start().uci(m));
    assert_eq!(sliced.best, best);
    assert_eq!(sliced.pv.len(), whole.lines[0].pv.len());
}
