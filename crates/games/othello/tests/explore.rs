//! Plays against certificates of recorded positions: the other side plays at random.

use andor::certificate::Proof;
use andor::{
    Algorithm, Claim, Control, Dfpn, Plies, Pulse, Rules, Solvable, SplitMix64, Stop, Table, Value,
};
use yomikiri_othello::{ExpertOthello, Goal, Position};

/// Plays to the end, by the moves from the root, as a program of several games does.
fn play(proof: &Proof<ExpertOthello>, random: &mut SplitMix64) {
    let Claim { value, .. } = proof.claim();
    let (mut played, mut left) = (Vec::new(), Plies::UNBOUNDED);
    loop {
        let pulse = Pulse::new(Stop::new());
        let place = ExpertOthello::walk_certificate(proof, &played, &pulse);
        let place = place.expect("nobody ends it").expect("legal");
        let node = ExpertOthello::look_certificate(proof, &place, &pulse).expect("nobody ends it");
        let here = place.position().position();
        let standing = node.standing.unwrap_or_else(|| panic!("out of the certificate: {here}"));
        if value == Value::Proven {
            assert!(standing.plies < left, "{} plies after {left}: {here}", standing.plies);
            left = standing.plies;
        }
        if let Some(over) = node.over {
            assert_eq!(over, value, "{here}");
            return;
        }
        let mut legal = Vec::new();
        place.position().legal_moves(&mut legal);
        assert_eq!(node.replies.iter().map(|reply| reply.played).collect::<Vec<_>>(), legal);
        played.push(if proof.is_holders(node.kind) {
            node.answer.unwrap_or_else(|| panic!("no answer: {here}"))
        } else {
            let open = node.replies.iter().find(|reply| reply.standing.is_none());
            assert!(open.is_none(), "{open:?} is not answered: {here}");
            legal[random.below(legal.len())]
        });
    }
}

#[test]
fn proofs_and_disproofs_are_played_against() {
    let mut table = Table::new(16 << 20).expect("a table");
    let mut random = SplitMix64::new(16);
    for line in include_str!("data/othello16.tsv").lines().skip(1).step_by(50) {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = Position::parse(&format!("{} {}", columns[1], columns[2])).expect("a row");
        let score: i8 = columns[3].parse().expect("a score");
        for (least, value) in [(score, Value::Proven), (score + 2, Value::Disproven)] {
            let problem = ExpertOthello::new(position, Goal::ScoreAtLeast(least));
            table.clear();
            let outcome = problem.search(&Algorithm::default(), &table, &mut Control::default());
            assert_eq!(outcome.value(), Some(value), "{line}");
            let claim = Claim::new(&problem, value, outcome.plies);
            let (mut body, stop) = (Vec::new(), Stop::new());
            ExpertOthello::write_certificate(claim, Dfpn::default(), &table, &stop, &mut body)
                .expect("written");
            let pulse = Pulse::new(stop);
            let proof = Proof::open(claim, &pulse, &mut body.as_slice());
            let proof = proof.unwrap_or_else(|error| panic!("{error}: {line}"));
            for _ in 0..20 {
                play(&proof, &mut random);
            }
        }
    }
}
