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
    use yomikiri_chess::Position;

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
        let mut text = yomikiri_engine::protocol::PositionText::initial();
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
