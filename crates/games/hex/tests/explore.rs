//! Plays against certificates: the other side plays at random on the real board, also where the
//! certificate speaks of a weaker one on which it could not.

use andor::certificate::{Ground, Proof, write};
use andor::{Algorithm, Claim, Control, Dfpn, Plies, Pulse, Stop, Table, Value, search};
use yomikiri_hex::{Hex, Side, StrongHex};

use crate::support::{Random, random_open_position};

/// Plays to the end. Gives how often the position was not treated itself.
fn play(proof: &Proof<Hex>, random: &mut Random) -> usize {
    let value = proof.claim().value;
    let (mut place, mut weakened, mut left) = (proof.root(), 0, Plies::UNBOUNDED);
    loop {
        let node = proof.look(&place);
        let here = format!("{:?}", place.position());
        let standing = node.standing.unwrap_or_else(|| panic!("out of the certificate: {here}"));
        if value == Value::Proven {
            assert!(standing.plies < left, "{} plies after {left}: {here}", standing.plies);
            left = standing.plies;
        }
        if let Some(over) = node.over {
            assert_eq!(over, value, "{here}");
            return weakened;
        }
        weakened += usize::from(standing.ground == Ground::Weakened);
        assert_eq!(node.replies.len(), place.position().board().vacant().count_ones() as usize);
        let m = if proof.is_holders(node.kind) {
            node.answer.unwrap_or_else(|| panic!("no answer: {here}"))
        } else {
            let open = node.replies.iter().find(|reply| reply.standing.is_none());
            assert!(open.is_none(), "{open:?} is not answered: {here}");
            node.replies[random.below(node.replies.len())].played
        };
        place = proof.after(&place, m).expect("legal");
    }
}

fn open(hex: &Hex, table: &Table) -> Proof<Hex> {
    let strong = StrongHex::new(hex.clone());
    let dfpn = Dfpn::default();
    let outcome = search(&strong, &Algorithm::Dfpn(dfpn), table, &mut Control::default());
    let value = outcome.value().expect("solved");
    let mut body = Vec::new();
    let claim = Claim::new(&strong, value, Plies::UNBOUNDED);
    write(claim, dfpn, table, &Stop::new(), &mut body).expect("written");
    Proof::open(claim.about(hex), &Pulse::new(Stop::new()), &mut body.as_slice())
        .unwrap_or_else(|error| panic!("{hex:?}: {error}"))
}

#[test]
fn every_move_is_answered_also_on_cells_that_do_not_matter() {
    let mut table = Table::new(1 << 18).expect("a small table");
    let mut random = Random(15);
    let (mut weakened, mut kinds) = (0, [0; 2]);
    for _ in 0..150 {
        let size = 3 + random.below(3);
        let vacant = size * size - random.below(5);
        let attacker = [Side::Black, Side::White][random.below(2)];
        let hex = random_open_position(&mut random, size, vacant).with_attacker(attacker);
        table.clear();
        let proof = open(&hex, &table);
        kinds[usize::from(proof.claim().value == Value::Proven)] += 1;
        for _ in 0..10 {
            weakened += play(&proof, &mut random);
        }
    }
    assert!(weakened > 1_000, "{weakened}");
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
}

/// White attacks, and Black's opening wins on this board.
#[test]
fn a_disproof_is_played_against() {
    let hex: Hex = "hex 6 moves c4".parse().expect("an opening");
    let table = Table::new(16 << 20).expect("a table");
    let proof = open(&hex, &table);
    assert_eq!(proof.claim().value, Value::Disproven);
    let mut random = Random(6);
    for _ in 0..50 {
        play(&proof, &mut random);
    }
    // White has just moved: Black has one answer in the certificate, and most other moves are not in it.
    let place = proof.after(&proof.root(), proof.look(&proof.root()).replies[0].played);
    let node = proof.look(&place.expect("legal"));
    let outside = node.replies.iter().filter(|reply| reply.standing.is_none()).count();
    assert!(outside > 0 && node.answer.is_some());
}
