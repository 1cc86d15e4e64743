//! The auditor looks at graphs, whose rules are a text: they have cycles, stock and habits.

use andor::audit;
use yomikiri_graph::{Habits, random};

#[test]
fn graphs_break_no_law() {
    let mut values = 0;
    for seed in 0..500 {
        let graph = random::any(12, seed);
        let habits =
            Habits { seed, late: seed & 1 != 0, numbers: seed & 2 != 0, look: seed & 4 != 0 };
        let audit = audit(&graph.start().with_habits(habits), 20)
            .unwrap_or_else(|breach| panic!("seed {seed}: {breach}\n{graph}"));
        values += audit.values;
    }
    assert!(values > 1_000, "{values}");
}
