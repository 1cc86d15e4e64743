//! Which pieces of a problem are needed, against a plain search and with certificates.

use crate::brute::Brute;
use crate::cook::{certify, limits, problem};
use andor::{Reason, Table};
use yomikiri_shogi::{Color, Hand, Kind, Position};
use yomikiri_tsume::cook::{CookLimits, check};
use yomikiri_tsume::necessity::{Necessity, Need, Trial, Why, necessity};
use yomikiri_tsume::{Futile, Mate, OWN_PROBLEMS};

fn asked(sfen: &str) -> Option<Necessity> {
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let report = check(&mate, &problem(sfen), &limits());
    let found = necessity(&mate, &report, &limits());
    for trial in found.iter().flat_map(|found| &found.trials) {
        certify(&mate, trial.claims());
    }
    found
}

fn name(trial: &Trial) -> String {
    let place = trial.change.square.map_or("hand".into(), |square| square.to_string());
    let into = trial.change.into.map_or(String::new(), |into| format!(" to {}", into.letter()));
    format!("{place}{into}")
}

#[test]
fn a_piece_too_many_is_found() {
    // Mate in three with rook and gold; then a pawn of the defender that has nothing to do with it.
    let sound = asked("8k/9/8N/9/9/9/9/9/9 b RGr2b3g4s3n4l18p 1").expect("sound");
    assert_eq!(sound.spare().map(name).collect::<Vec<_>>(), [""; 0]);
    assert_eq!((sound.open(), sound.ended), (0, None));
    let names: Vec<String> = sound.trials.iter().map(name).collect();
    // A knight, on the third rank, has nothing weaker; a rook could be a lance, a gold a silver.
    assert_eq!(names, ["1c", "hand", "hand to L", "hand", "hand to S"]);
    let spare = asked("8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1").expect("sound");
    assert_eq!(spare.spare().map(name).collect::<Vec<_>>(), ["9f"]);
    for found in [&sound, &spare] {
        for trial in &found.trials {
            assert_eq!(trial.position.material(), Hand::full_set(), "{}", trial.position);
        }
    }
    // What is not sound is not asked.
    assert!(asked("8k/9/7+S1/9/9/9/9/9/9 b RPr2b4g3s4n4l17p 1").is_none());
    assert!(asked("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1").is_none());
}

#[test]
fn where_the_defender_does_not_hold_the_rest_pieces_leave_the_game() {
    let found = asked("8k/9/8P/9/9/p8/9/9/9 b G 1").expect("sound");
    assert_eq!(found.spare().map(name).collect::<Vec<_>>(), ["9f"]);
    for trial in &found.trials {
        assert_eq!(trial.position.hand(Color::White), Hand::EMPTY, "{}", trial.position);
    }
}

#[test]
fn it_can_be_ended() {
    let sfen = "8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1";
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let report = check(&mate, &problem(sfen), &limits());
    let stopped = CookLimits::default();
    stopped.stop.raise();
    let found = necessity(&mate, &report, &stopped).expect("sound");
    assert_eq!((found.trials.len(), found.ended), (0, Some(Reason::Stopped)));
    assert_eq!(found.open(), found.untried);
    assert!(found.untried > 4);
    let few = CookLimits { nodes: Some(1), ..CookLimits::default() };
    let other = Table::new(1 << 22).expect("memory");
    let found = necessity(&Mate::new(&other), &report, &few).expect("sound");
    assert!(found.open() > 0 && found.untried == 0, "{found:?}");
}

/// Our own problems were trimmed when they were made: none has a piece without which the solution
/// is the same. And a plain search agrees with what the pieces are said to be needed for.
#[test]
fn our_problems_have_no_piece_too_many() {
    const DEPTH: u16 = 5;
    let lines = OWN_PROBLEMS.lines().filter(|line| line.contains("own-003-"));
    let (mut compared, mut whys) = (0, [0; 5]);
    for line in lines.step_by(3) {
        let sfen = line.split('\t').next().unwrap_or_default();
        let found = asked(sfen).unwrap_or_else(|| panic!("{sfen} is sound"));
        assert!(found.trials.len() >= 3 && found.untried == 0, "{sfen}");
        for trial in &found.trials {
            let is_same = matches!(trial.need, Need::Spare { same_line: true, blemished: false });
            assert!(!is_same || trial.change.into.is_some(), "{sfen}: without {}", name(trial));
            let position = &trial.position;
            let mut plain = Brute::new(position, Futile::NotCounted, 100_000);
            let Need::Needed(why) = &trial.need else {
                if trial.need != Need::Undecided {
                    assert_eq!(plain.length(position, 3).ok(), Some(Some(3)), "{position}");
                }
                continue;
            };
            let length = match why {
                Why::Position => {
                    assert!(position.validate().is_err(), "{position}");
                    whys[0] += 1;
                    continue;
                }
                _ => plain.length(position, DEPTH),
            };
            let Ok(length) = length else { continue };
            compared += 1;
            match why {
                Why::NoMate => {
                    assert_eq!(length, None, "{position}");
                    whys[1] += 1;
                }
                Why::Length(plies) if *plies <= DEPTH => {
                    assert_eq!(length, Some(*plies), "{position}");
                    whys[2] += 1;
                }
                Why::Length(_) => assert_eq!(length, None, "{position}"),
                Why::Cook(flaw) => {
                    let mut at = position.clone();
                    for &m in trial.line.iter().take(flaw.ply) {
                        at.play(m);
                    }
                    assert_ne!(trial.line[flaw.ply], flaw.m, "{position}");
                    for m in [trial.line[flaw.ply], flaw.m] {
                        let mut then = at.clone();
                        then.play(m);
                        let within = if m == flaw.m { flaw.length - 1 } else { 2 };
                        if within < DEPTH {
                            assert!(plain.mates(&then, within).unwrap_or(true), "{position} {m}");
                        }
                    }
                    whys[3] += 1;
                }
                Why::Surplus | Why::Position => whys[4] += 1,
            }
        }
    }
    assert!(compared > 50 && whys[1] > 20 && whys[2] > 3 && whys[3] > 1, "{compared} {whys:?}");
}

/// What a change does to the pieces.
#[test]
fn the_set_stays_complete() {
    for line in OWN_PROBLEMS.lines().filter(|line| line.contains("own-005-")).step_by(20) {
        let sfen = line.split('\t').next().unwrap_or_default();
        let before = Position::from_sfen(sfen).expect("SFEN");
        let found = asked(sfen).expect("sound");
        for trial in &found.trials {
            let after = &trial.position;
            assert_eq!(after.material(), Hand::full_set(), "{after}");
            let (piece, into) = (trial.change.piece, trial.change.into);
            assert!(piece.kind() != Kind::KING && into != Some(Kind::KING));
            match trial.change.square {
                Some(square) => {
                    assert_eq!(before.piece(square), Some(piece), "{after}");
                    assert_eq!(after.piece(square).map(|piece| piece.kind()), into, "{after}");
                }
                None => assert!(before.hand(Color::Black).has(piece.kind()), "{after}"),
            }
        }
    }
}
