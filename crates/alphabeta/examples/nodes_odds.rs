//! Does thinking more win? The engine with N nodes a move against itself with K times as many.
//!
//! `cargo run --release -p yomikiri-alphabeta --example nodes_odds -- OPENINGS.epd [GAMES] [NODES] [K]`
//!
//! Every opening is played twice, with sides changed. Both sides keep their tables during a game.

use cozy_chess::{Board, Color, GameStatus};
use yomikiri_alphabeta::{Job, Searcher, Until, key};

/// 1 if White wins, 0 for a draw, -1 if Black wins.
fn play(start: &Board, nodes: [u64; 2]) -> i32 {
    let mut searchers = [Searcher::new(4), Searcher::new(4)];
    let mut job = Job::new(start.clone());
    loop {
        let color = job.position.side_to_move();
        match job.position.status() {
            GameStatus::Won => return if color == Color::White { -1 } else { 1 },
            GameStatus::Drawn => return 0,
            GameStatus::Ongoing => {}
        }
        let here = key(&job.position);
        let times = job.history.iter().filter(|&&key| key == here).count();
        if times >= 2 || job.position.occupied().len() <= 3 || job.history.len() > 400 {
            return 0;
        }
        let side = color as usize;
        let outcome = searchers[side].search(&job, &mut Until(nodes[side]));
        job.play(outcome.best.expect("the game goes on"));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual: u64| {
        arguments.get(index).map_or(usual, |text| text.parse().expect("a number"))
    };
    let file = arguments.first().expect("the file of openings");
    let (games, few, times) = (number(1, 60), number(2, 2_000), number(3, 4));
    let text = std::fs::read_to_string(file).expect("a readable file");
    let openings: Vec<Board> = text.lines().filter_map(|line| line.parse().ok()).collect();
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for game in 0..games as usize {
        let start = &openings[(game / 2 * 7919) % openings.len()];
        let more_is_white = game % 2 == 0;
        let many = few * times;
        let nodes = if more_is_white { [many, few] } else { [few, many] };
        let result = play(start, nodes) * if more_is_white { 1 } else { -1 };
        match result {
            1 => wins += 1,
            0 => draws += 1,
            _ => losses += 1,
        }
    }
    let rate = (f64::from(wins) + f64::from(draws) / 2.0) / games as f64 * 100.0;
    println!("{times} x {few} nodes: +{wins} ={draws} -{losses}, {rate:.1} %");
}
