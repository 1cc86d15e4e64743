//! A move that waits for the one before it costs nothing until its turn comes.

use andor::{Agent, Rules, Step, Stop, Table};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Tsume, settings};

#[test]
fn interpositions_that_wait_are_not_looked_at() -> Result<(), Box<dyn std::error::Error>> {
    // A rook checks along the file from afar, and the defender holds everything else.
    let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4R4 w r2b4g4s4n4l18p 1")?;
    let problem = Tsume::new(position);
    let mut moves = Vec::new();
    problem.legal_moves(&mut moves);
    let drops = moves.iter().filter(|m| m.is_drop()).count();
    assert!(drops > 40, "{drops} interpositions");

    let table = Table::new(1 << 16)?;
    let mut agent = Agent::new(problem, settings::dfpn(), &table, Stop::new());
    assert_eq!(agent.run(1), Step::Budget);
    // The root, the king's moves, and the cheapest piece dropped where he guards it and where nobody does.
    let looks = 1 + (moves.len() - drops) + 2;
    assert_eq!(agent.totals().evaluated, looks as u64);
    Ok(())
}
