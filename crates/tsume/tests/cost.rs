//! What checks cost: a promotion forgone, or a piece given away.

use andor::certificate::{check, write};
use andor::{Algorithm, Claim, Control, Problem, Stop, Table, Value, search};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{CheckCost, Tsume, settings};

fn cost(sfen: &str, m: &str, cost: CheckCost) -> u32 {
    let problem = Tsume::new(Position::from_sfen(sfen).unwrap()).with_cost(cost);
    let (pn, dn) = problem.cost(Move::from_usi(m).unwrap());
    assert_eq!(dn, 0);
    pn
}

#[test]
fn a_piece_is_given_away_if_it_can_be_taken_and_takes_nothing() {
    let given_away = |sfen: &str, m: &str| cost(sfen, m, CheckCost::Sacrifice) == 1;
    // The king can take it, unless a pawn protects it.
    assert!(given_away("4k4/9/9/9/9/9/9/9/9 b G 1", "G*5b"));
    assert!(!given_away("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"));
    // Another piece can take it, whatever protects it.
    assert!(given_away("4kg3/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"));
    // Nobody can, so far from the king.
    assert!(!given_away("4k4/9/9/9/9/9/9/9/9 b R 1", "R*5i"));
    // What takes is not given away; what moves does not protect itself, but the rook behind it does.
    assert!(!given_away("4k4/4p4/4G4/9/9/9/9/9/9 b - 1", "5c5b"));
    assert!(given_away("4k4/9/4G4/9/9/9/9/9/9 b - 1", "5c5b"));
    assert!(!given_away("4k4/9/4G4/9/9/9/9/9/4R4 b - 1", "5c5b"));
    // The defender's moves cost nothing.
    assert_eq!(cost("4k4/4G4/4P4/9/9/9/9/9/9 w - 1", "5a4a", CheckCost::Sacrifice), 0);
}

#[test]
fn a_promotion_forgone_costs_where_sacrifices_do_not() {
    let costs = |m| cost("4k4/9/9/4B4/9/9/9/9/9 b - 1", m, CheckCost::Promotion);
    assert_eq!((costs("5d3b"), costs("5d3b+")), (1, 0));
}

#[test]
fn verdicts_are_the_same_and_certified() {
    let lines = include_str!("data/own500.tsv").lines().filter(|line| !line.starts_with('#'));
    let mut table = Table::new(1 << 22).unwrap();
    let mut differ = 0;
    for line in lines.step_by(25) {
        let sfen = line.split('\t').next().unwrap();
        let problem = Tsume::new(Position::from_sfen(sfen).unwrap());
        let [ours, paper] = [CheckCost::Promotion, CheckCost::Sacrifice].map(|cost| {
            let problem = problem.clone().with_cost(cost);
            table.clear();
            let dfpn = settings::dfpn();
            let algorithm = Algorithm::Dfpn(dfpn);
            let outcome = search(&problem, &algorithm, &table, &mut Control::default());
            assert_eq!(outcome.value(), Some(Value::Proven), "{sfen}");
            let claim = Claim::new(&problem, Value::Proven, outcome.plies);
            let mut file = Vec::new();
            write(claim, dfpn, &table, &Stop::new(), &mut file).unwrap();
            check(claim, &mut file.as_slice()).unwrap();
            outcome.nodes
        });
        differ += u32::from(ours != paper);
    }
    assert!(differ > 5, "the cost steers {differ} of 20 searches");
}
