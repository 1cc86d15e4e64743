//! What is known without a search is true, by the table and by the game's own look.

use andor::{
    Algorithm, Control, Dfpn, Known, Plies, Repetition, Rules, Table, Value, known, search,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{GraphPosition, Habits, random};

#[test]
fn what_is_known_is_true_within_the_plies_asked_for() {
    let mut table = Table::new(1 << 16).expect("a small table");
    let (mut by_look, mut by_table, mut visited, mut new) = (0, 0, 0, 0);
    for seed in 0..400 {
        let graph = random::any(12, seed);
        if graph.repetition() == Repetition::FavoursAttacker {
            continue;
        }
        let fixpoint = Fixpoint::of(&graph);
        let habits = Habits { look: seed % 2 == 0, ..Habits::default() };
        let root = graph.start().with_habits(habits);
        table.clear();
        for is_searched in [false, true] {
            if is_searched {
                let dfpn = Algorithm::Dfpn(Dfpn::default());
                let _ = search(&root, &dfpn, &table, &mut Control::default());
            }
            for mut position in reached(&root) {
                let shortest = fixpoint.plies(position.identity(), position.stock());
                for plies in [0, 1, 2, 3, u16::MAX].map(Plies::at_most) {
                    match known(&mut position, &table, plies) {
                        Known::Solved(solved) => {
                            let is_won =
                                shortest.is_some_and(|shortest| plies.allow(shortest.into()));
                            let is_proven = solved.value == Value::Proven;
                            assert_eq!(
                                is_proven, is_won,
                                "seed {seed} {position} {plies}\n{graph}"
                            );
                            *(if is_searched { &mut by_table } else { &mut by_look }) += 1;
                        }
                        Known::Visited { .. } => visited += 1,
                        Known::New { .. } => new += 1,
                    }
                }
            }
        }
    }
    println!("{by_look} by a look, {by_table} by the table too, {visited} visited, {new} new");
    assert!(by_look > 1_000 && by_table > by_look && visited > 100 && new > 1_000);
}

/// All positions up to three moves from the root.
fn reached(root: &GraphPosition) -> Vec<GraphPosition> {
    let mut all = vec![root.clone()];
    let mut level = 0..1;
    for _ in 0..3 {
        let begin = all.len();
        for at in level {
            let position = all[at].clone();
            let mut moves = Vec::new();
            if position.terminal().is_none() {
                position.legal_moves(&mut moves);
            }
            for m in moves {
                let mut child = position.clone();
                child.play(m);
                all.push(child);
            }
        }
        level = begin..all.len();
    }
    all
}
