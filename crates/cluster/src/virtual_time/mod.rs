//! Virtual time: a cluster of many workers, played on few cores.
//!
//! Time is counted in nodes. While a move is being thought about, every worker of both sides gets
//! the same number of nodes, one worker after the other, in slices; so what is measured is what as
//! many machines of equal speed would do, without the noise of clocks, and every game can be
//! repeated move by move. Workers are our own [alpha-beta searchers](yomikiri_alphabeta), each on
//! a thread of its own that waits inside the search while others have their turn: they are not
//! even restarted between slices.

mod cluster;
mod error;
mod game;
mod worker;

pub use cluster::{Setup, VirtualCluster};
pub use error::{GameError, Lost};
pub use game::{Budget, Played, Winner, play};

#[cfg(test)]
mod tests {
    use yomikiri_alphabeta::{Searcher, Until};
    use yomikiri_chess::Position;
    use yomikiri_engine::protocol::{PositionText, Start, TableEntry};

    use super::cluster::WHOLE;
    use super::worker::{entries, job};
    use super::*;
    use crate::master::WorkerId;

    /// A cluster of three whose second worker has died.
    fn bereft() -> VirtualCluster {
        let mut cluster = VirtualCluster::new(Setup::new(3)).unwrap();
        cluster.think(400).unwrap();
        cluster.lose(WorkerId(1));
        cluster
    }

    /// As in the paper: what was found in the opponent's time is not forgotten.
    #[test]
    fn a_forgetful_worker_forgets_when_it_has_moved_and_at_no_other_time() {
        let mut forgetful =
            VirtualCluster::new(Setup { forgetful: true, ..Setup::new(1) }).unwrap();
        let mut other = VirtualCluster::new(Setup::new(1)).unwrap();
        let mut text = PositionText::initial();
        for m in ["e2e4", "e7e5", "g1f3"] {
            for cluster in [&mut forgetful, &mut other] {
                cluster.think(2000).unwrap();
            }
            assert_eq!(forgetful.known(), other.known());
            text.moves.push(m.into());
            for cluster in [&mut forgetful, &mut other] {
                cluster.set_position(text.clone()).unwrap();
            }
        }
        assert!(other.known() > 0);
        forgetful.moved().unwrap();
        other.moved().unwrap();
        assert_eq!(forgetful.known(), 0);
        assert!(other.known() > 0);
        // And it goes on.
        forgetful.think(2000).unwrap();
        assert!(forgetful.known() > 0 && forgetful.decide().best.is_some());
    }

    /// In a game, too: who has not moved keeps what it found in the opponent's time.
    #[test]
    fn in_a_game_only_who_has_moved_forgets() {
        let forgetful = || VirtualCluster::new(Setup { forgetful: true, ..Setup::new(1) }).unwrap();
        // Mate by the first move, of White and of Black.
        for (mover, start) in
            ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"]
                .into_iter()
                .enumerate()
        {
            let mut sides = [forgetful(), forgetful()];
            let [white, black] = &mut sides;
            let budget = Budget { thinking: 2000, pondering: 2000 };
            let start = Position::from_fen(start).unwrap();
            let played = play(&start, [white, black], [budget; 2]).unwrap();
            assert_eq!((played.moves.len(), played.winner), (1, Winner::of(mover)));
            assert_eq!(sides[mover].known(), 0);
            assert!(sides[1 - mover].known() > 0, "it has not moved");
        }
    }

    /// The paper's opponent: an engine that thinks about the position on the board, in its own time
    /// and in the opponent's, and keeps its table from search to search.
    struct Sequential(Searcher);

    impl Sequential {
        /// Searches the position; what it would play.
        fn think(&mut self, text: &PositionText, nodes: u64) -> Option<String> {
            let job = job(text, &[]).expect("a position");
            let outcome = self.0.search(&job, &mut Until(nodes));
            assert!(outcome.nodes <= nodes);
            outcome.best.map(|m| Position::from(job.position).uci(m))
        }
    }

    #[test]
    fn a_cluster_of_one_is_the_sequential_player_node_for_node() {
        // Whoever ponders longest knows more from the opponent's time than it can find in its own.
        for (thinking, pondering) in [(500, 500), (300, 6000), (2000, 100), (700, 0)] {
            let mut cluster = VirtualCluster::new(Setup::new(1)).unwrap();
            let mut player = Sequential(Searcher::new(2));
            let start = Position::start().fen();
            let mut text = PositionText { start: Start::Fen(start), moves: Vec::new() };
            for ply in 0..40 {
                cluster.set_position(text.clone()).unwrap();
                let tree = cluster.master().tree();
                if tree.get(tree.root()).is_none_or(|root| root.legal().is_empty()) {
                    break;
                }
                let nodes = if ply % 2 == 0 { thinking } else { pondering };
                cluster.think(nodes).unwrap();
                let expected = match nodes {
                    0 => None,
                    _ => player.think(&text, nodes),
                };
                let job = job(&text, &[]).expect("a position");
                let root = Position::from(job.position.clone());
                // By which of several paths a position is reached depends on the order of moves.
                let sorted = |table: Vec<TableEntry>| {
                    let entry = |entry: TableEntry| format!("{} {:?}", entry.depth, entry.score);
                    let mut table: Vec<String> = table.into_iter().map(entry).collect();
                    table.sort_unstable();
                    table
                };
                let table = sorted(entries(&root, player.0.table_report(&job, WHOLE)));
                let is_same = sorted(cluster.table(WorkerId(0))) == table;
                assert!(
                    is_same && (nodes == 0 || !table.is_empty()),
                    "the tables at ply {ply} of {text:?}"
                );
                // Where it is not to move any move will do: here the one that it fears most.
                let best = cluster.decide().best;
                if ply % 2 == 0 {
                    assert_eq!(best, expected, "{thinking} and {pondering}, ply {ply}: {text:?}");
                }
                text.moves.extend(best);
            }
            assert!(text.moves.len() > 20, "{text:?}");
            assert_eq!((cluster.master().tree().len(), cluster.master().restarts()), (1, 0));
        }
    }

    #[test]
    fn at_new_roots_only_the_tree_stays_as_it_is_while_a_move_is_thought_about() {
        let mut paper =
            VirtualCluster::new(Setup { new_roots_only: true, ..Setup::new(8) }).unwrap();
        let mut ours = VirtualCluster::new(Setup::new(8)).unwrap();
        let mut text = PositionText::initial();
        // The pipeline begins with the root alone; only ours grows before a move is played.
        for cluster in [&mut paper, &mut ours] {
            assert_eq!(cluster.master().tree().len(), 1);
            cluster.think(2000).unwrap();
        }
        assert_eq!((paper.master().tree().len(), paper.master().workers()), (1, (8, 7)));
        assert_eq!((ours.master().tree().len(), ours.master().workers()), (8, (8, 0)));
        for _ in 0..10 {
            text.moves.extend(paper.decide().best);
            paper.set_position(text.clone()).unwrap();
            let nodes = |cluster: &VirtualCluster| {
                cluster.master().tree().nodes().map(|(id, _)| id).collect::<Vec<_>>()
            };
            let before = nodes(&paper);
            assert!(before.len() > 1, "it grows when a move is played: {text:?}");
            paper.think(2000).unwrap();
            assert_eq!(nodes(&paper), before);
            paper.master().check().unwrap();
        }
    }

    #[test]
    fn who_is_dead_does_not_play() {
        assert_eq!(bereft().think(400), Err(Lost));
        assert_eq!(bereft().new_game(), Err(Lost));
        let mut other = VirtualCluster::new(Setup::new(1)).unwrap();
        let budget = Budget { thinking: 400, pondering: 400 };
        let played = play(&Position::start(), [&mut bereft(), &mut other], [budget; 2]);
        assert_eq!(played, Err(GameError::Lost(Lost)));
    }
}
