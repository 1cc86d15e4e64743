//! Which searches the figures need.

use super::options::Options;
use super::search::{Choice, Game, Recognition, Search};

/// Random moves before an Othello position: 16 squares are left.
pub const RANDOM_MOVES: u32 = 44;

/// Positions of the experiment of §3.1.
pub const TIE_BREAK_POSITIONS: u32 = 100;

/// `R = 0` is slow and often reaches the limit, so it is tried on one in so many positions only.
/// The paper leaves it out of its figures.
const PART_AT_ZERO: u32 = 50;

/// The values of `R`, in hundredths and from 1 downwards, of Fig. 3 and 4.
pub fn othello_ratios(options: &Options) -> Vec<u8> {
    if options.quick { falling(100, 10, 10) } else { falling(100, 0, 5) }
}

/// The values of `R` of Fig. 5.
pub fn hex_ratios(options: &Options) -> Vec<u8> {
    if options.quick { vec![100, 95, 50] } else { falling(100, 0, 5) }
}

/// The values of `R` of Fig. 6.
pub fn hex_near_one(options: &Options) -> Vec<u8> {
    if options.quick { vec![100, 99, 97, 95] } else { falling(100, 90, 1) }
}

fn falling(from: u8, to: u8, step: usize) -> Vec<u8> {
    (to..=from).rev().step_by(step).collect()
}

/// How many positions are searched with this choice: the first ones.
pub fn positions(options: &Options, game: Game, choice: Choice) -> u32 {
    let all = options.positions_of(game);
    match choice {
        Choice::Deep(0) => all.div_ceil(PART_AT_ZERO),
        Choice::Deep(_) => all,
        Choice::Proof | Choice::Deepest => all.min(TIE_BREAK_POSITIONS),
    }
}

/// All searches, in the order in which they are run: large ones first, so that no thread is left
/// alone with them at the end.
pub fn searches(options: &Options) -> Vec<Search> {
    let mut list = Vec::new();
    let mut add = |game, recognition, mut choices: Vec<Choice>| {
        choices.sort();
        choices.dedup();
        for choice in choices {
            for position in 0..positions(options, game, choice) {
                list.push(Search { game, recognition, choice, position });
            }
        }
    };
    let deep = |ratios: &[u8]| ratios.iter().map(|&r| Choice::Deep(r)).collect::<Vec<_>>();
    let hex = [hex_ratios(options), hex_near_one(options)].concat();
    add(Game::Hex, Recognition::Expanded, deep(&hex));
    add(Game::Hex, Recognition::Created, deep(&hex));
    let ties = [Choice::Proof, Choice::Deepest];
    let othello = [&ties[..], &deep(&othello_ratios(options))].concat();
    add(Game::Othello, Recognition::Expanded, othello);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_plan_is_the_papers() {
        let options = Options::default();
        let list = searches(&options);
        let count = |game, choice| {
            let fits = |s: &&Search| {
                s.game == game && s.choice == choice && s.recognition == Recognition::Expanded
            };
            list.iter().filter(fits).count()
        };
        assert_eq!(othello_ratios(&options).len(), 21);
        assert_eq!(hex_near_one(&options).len(), 11);
        assert_eq!(count(Game::Othello, Choice::Deep(100)), 1000);
        assert_eq!(count(Game::Othello, Choice::Deep(5)), 1000);
        assert_eq!(count(Game::Othello, Choice::Deep(0)), 20);
        assert_eq!(count(Game::Othello, Choice::Deepest), 100);
        assert_eq!(count(Game::Hex, Choice::Deep(93)), 10);
        assert_eq!(count(Game::Hex, Choice::Deep(95)), 10);
    }

    #[test]
    fn names_read_back() {
        for hundredths in 0..=100 {
            let choice = Choice::Deep(hundredths);
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        for choice in [Choice::Proof, Choice::Deepest] {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        for game in [Game::Othello, Game::Hex] {
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        for recognition in [Recognition::Expanded, Recognition::Created] {
            assert_eq!(recognition.to_string().parse(), Ok(recognition));
        }
        assert!("1.5".parse::<Choice>().is_err() && "go".parse::<Game>().is_err());
    }
}
