//! Plays against certificates of our own problems: the defender plays at random and is mated within the
//! plies that were said; of the disproof beside it, every check is answered, and there is no mate
//! within fewer plies.

use andor::certificate::{Ground, Proof};
use andor::{Claim, Plies, Pulse, Rules, SplitMix64, Stop, Table, Value};
use yomikiri_shogi::Position;
use yomikiri_tsume::{Futile, Length, Mate, MateLimits, Tsume};

/// Plays to the end. Gives the plies, and how often the certificate treats another hand.
fn play(proof: &Proof<Tsume>, random: &mut SplitMix64, id: &str) -> (u16, usize) {
    let Claim { value, plies: claimed, .. } = proof.claim();
    let (mut place, mut dominated) = (proof.root(), 0);
    let mut left = Plies::UNBOUNDED;
    for plies in 0.. {
        let node = proof.look(&place);
        let here = format!("{id}: {}", place.position().position());
        let standing = node.standing.unwrap_or_else(|| panic!("out of the certificate: {here}"));
        assert!(standing.plies < left && claimed >= standing.plies, "{standing:?}: {here}");
        left = standing.plies;
        dominated += usize::from(standing.ground == Ground::Dominated);
        if let Some(over) = node.over {
            assert_eq!(over, value, "{here}");
            return (plies, dominated);
        }
        if standing.ground == Ground::Cut {
            assert_eq!(value, Value::Disproven, "{here}");
            assert_eq!(Some(plies), claimed.bounded(), "{here}");
            return (plies, dominated);
        }
        let mut legal = Vec::new();
        place.position().legal_moves(&mut legal);
        assert_eq!(node.replies.iter().map(|reply| reply.played).collect::<Vec<_>>(), legal);
        let m = if proof.is_holders(node.kind) {
            node.answer.unwrap_or_else(|| panic!("no answer: {here}"))
        } else {
            let open = node.replies.iter().find(|reply| reply.standing.is_none());
            assert!(open.is_none(), "{open:?} is not answered: {here}");
            legal[random.below(legal.len())]
        };
        place = proof.after(&place, m).expect("legal");
    }
    unreachable!()
}

#[test]
fn our_problems_are_played_against() {
    let text = include_str!("data/own500.tsv");
    let mut random = SplitMix64::new(500);
    let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
    let (mut problems, mut dominated) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(7).step_by(22) {
        let [sfen, id, length] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three columns: {line}");
        };
        let length: u16 = length.parse().expect("a length");
        let futile = [Futile::Counted, Futile::NotCounted][problems % 2];
        let position = Position::from_sfen(sfen).expect("a position");
        let problem = Tsume::new(position).with_futile(futile);
        let table = Table::new(1 << 20).expect("memory");
        let mate = Mate::new(&table);
        let claims = mate.solve(&problem, &limits).claims();
        assert_eq!(claims.len(), 2, "{id}");
        for claim in claims {
            let mut body = Vec::new();
            mate.certify(&claim, &Stop::new(), &mut body).expect("written");
            let pulse = Pulse::new(Stop::new());
            let proof = Proof::open(claim.by_ref(), &pulse, &mut body.as_slice());
            let proof = proof.unwrap_or_else(|error| panic!("{id}: {error}"));
            let root = proof.look(&proof.root());
            let said = root.standing.expect("the root is in its certificate").plies;
            assert_eq!(said, claim.plies, "{id}: the longest defence has the claimed length");
            let mut longest = 0;
            for _ in 0..20 {
                let (plies, others) = play(&proof, &mut random, id);
                longest = longest.max(plies);
                dominated += others;
            }
            assert!(longest <= length, "{id}: {longest}");
        }
        problems += 1;
    }
    assert!(problems >= 20 && dominated > 0, "{problems} problems, {dominated} other hands");
}
