//! The auditor looks at Othello.

use andor::audit;
use yomikiri_othello::{ExpertOthello, Goal, Othello, random_position};

#[test]
fn othello_breaks_no_law() {
    for seed in 0..20 {
        let position = random_position(seed, 44);
        let plain = audit(&Othello::new(position, Goal::Wins), 20);
        let expert = audit(&ExpertOthello::new(position, Goal::Wins), 20);
        for done in [plain, expert] {
            let audit = done.unwrap_or_else(|breach| panic!("seed {seed}: {breach}"));
            assert!(audit.positions > 50 && audit.values > 10, "seed {seed}: {audit}");
        }
    }
}
