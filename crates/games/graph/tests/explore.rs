//! Certificates that are open: on random graphs with cycles, shared nodes and stock, of both values and
//! with both rules for repetition, whatever the other side plays is answered, and what the explorer
//! says is true by the fixpoint solver.

use andor::certificate::{CheckError, Ground, Place, Proof, Standing, check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, Plies, Pulse, Repetition, Rules, SplitMix64, Stock, Stop,
    Table, Value, search,
};
use yomikiri_graph::fixpoint::Fixpoint;
use yomikiri_graph::{Graph, GraphPosition, random};

use crate::reader::{leb, slow, splice};

type Claims<'a> = Claim<&'a GraphPosition>;

fn open(claim: Claims<'_>, body: &[u8]) -> Result<Proof<GraphPosition>, CheckError> {
    Proof::open(claim, &Pulse::new(Stop::new()), &mut &*body)
}

/// The value of the root, the plies that it is claimed for, and the certificate.
fn certified(root: &GraphPosition, bound: Plies, table: &mut Table) -> (Value, Plies, Vec<u8>) {
    table.clear();
    let dfpn = Dfpn { plies: bound, ..Dfpn::default() };
    let outcome = search(root, &Algorithm::Dfpn(dfpn), table, &mut Control::default());
    let value = outcome.value().expect("small graphs are solved");
    let plies = if bound.is_bounded() { bound } else { outcome.plies };
    let mut body = Vec::new();
    let claim = Claim::new(root, value, plies);
    write(claim, dfpn, table, &Stop::new(), &mut body).expect("written");
    (value, plies, body)
}

fn legal(position: &GraphPosition) -> Vec<u32> {
    let mut moves = Vec::new();
    if position.terminal().is_none() {
        position.legal_moves(&mut moves);
    }
    moves
}

/// What the explorer says is so.
fn assert_true(
    proof: &Proof<GraphPosition>,
    solved: &Fixpoint,
    position: &GraphPosition,
    said: Standing,
) {
    let (value, plies) = (proof.claim().value, said.plies);
    let (node, tokens) = (position.identity(), position.stock());
    let favours_defender = position.repetition() == Repetition::FavoursDefender;
    match (value, favours_defender) {
        (Value::Proven, true) => {
            let least = solved.plies(node, tokens).expect("proven");
            assert!(plies.is_bounded() && plies >= Plies::at_most(least), "{least}, not {plies}");
        }
        (Value::Disproven, false) => {
            let least = solved.disproof_plies(node, tokens).expect("disproven");
            assert!(plies.is_bounded() && plies >= Plies::at_most(least), "{least}, not {plies}");
        }
        (Value::Disproven, true) if plies.is_bounded() => {
            let won = solved.plies(node, tokens).is_some_and(|least| plies.allow(least.into()));
            assert!(!won, "won within {plies}");
        }
        _ => {
            assert_eq!(solved.value(node, tokens), value);
            assert_eq!(plies, Plies::UNBOUNDED);
        }
    }
}

/// Plays to the end, or to a position that comes again. The other side plays at random; the holder
/// plays what the certificate has, or, if it `errs`, sometimes at random, too. Gives the plies.
fn play(
    proof: &Proof<GraphPosition>,
    solved: &Fixpoint,
    random: &mut SplitMix64,
    errs: bool,
) -> u64 {
    let value = proof.claim().value;
    let mut place: Place<_> = proof.root();
    let mut seen = Vec::new();
    let mut before: Option<Plies> = None;
    for plies in 0.. {
        let node = proof.look(&place);
        let position = place.position();
        let here = (position.identity(), position.stock());
        assert_eq!(node.kind, position.kind());
        let listed: Vec<u32> = node.replies.iter().map(|reply| reply.played).collect();
        assert_eq!(listed, legal(position), "every legal move is listed");
        if let Some(said) = node.standing {
            assert_true(proof, solved, position, said);
            if let Some(before) = before.filter(|before| before.is_bounded()) {
                assert!(said.plies < before || said.plies == Plies::NONE, "plies do not fall");
            }
        } else {
            assert!(errs, "out of the certificate");
        }
        before = node.standing.map(|said| said.plies);
        if let Some(over) = node.over {
            assert!(errs || over == value, "lost");
            assert_eq!(node.standing.is_some(), over == value);
            return plies;
        }
        if node.standing.is_some_and(|said| said.ground == Ground::Cut) {
            return plies;
        }
        let repeats = seen.contains(&here);
        if repeats {
            assert!(errs || position.repetition().value() == value, "a repetition");
            return plies;
        }
        seen.push(here);
        let holds = proof.is_holders(node.kind);
        let all_answered = node.replies.iter().all(|reply| reply.standing.is_some());
        assert!(holds || node.standing.is_none() || all_answered, "a reply is not answered");
        assert_eq!(node.answer.is_some(), holds && node.standing.is_some());
        let m = match node.answer {
            Some(answer) if !errs || random.percent(50) => answer,
            _ => node.replies[random.below(node.replies.len())].played,
        };
        if holds && node.answer != Some(m) {
            before = None;
        }
        place = proof.after(&place, m).expect("legal");
    }
    unreachable!()
}

#[test]
fn whatever_is_played_is_answered() {
    let mut table = Table::new(1 << 14).expect("a small table");
    let mut random = SplitMix64::new(15);
    let mut kinds = [[0; 2]; 3];
    for seed in 0..3_000 {
        let graph = random::any(14, seed);
        let favours_defender = graph.repetition() == Repetition::FavoursDefender;
        let root = graph.start();
        let bounded = favours_defender && seed % 3 == 0;
        let bound = Plies::from(bounded.then(|| random.below(8) as u16));
        let (value, plies, body) = certified(&root, bound, &mut table);
        let proof = open(Claim::new(&root, value, plies), &body)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{graph}"));
        let solved = Fixpoint::of(&graph);
        let said = proof.look(&proof.root()).standing.expect("the root is in its certificate");
        for _ in 0..8 {
            let length = play(&proof, &solved, &mut random, false);
            let has_end = (value == Value::Proven) == favours_defender || bounded;
            assert!(!has_end || said.plies.allow(length), "seed {seed}: {length}\n{graph}");
            play(&proof, &solved, &mut random, true);
        }
        let rule = if bounded { 2 } else { usize::from(favours_defender) };
        kinds[rule][usize::from(value == Value::Proven)] += 1;
    }
    assert!(kinds.iter().flatten().all(|&count| count > 100), "{kinds:?}");
}

/// The longest defence against the holder's moves, by trying every one; nothing where a play goes on for
/// ever.
fn longest(proof: &Proof<GraphPosition>, place: &Place<GraphPosition>, most: u64) -> Option<u64> {
    let node = proof.look(place);
    if node.over.is_some() {
        return Some(0);
    }
    let most = most.checked_sub(1)?;
    let moves = match node.answer {
        Some(answer) => vec![answer],
        None => node.replies.iter().map(|reply| reply.played).collect(),
    };
    let mut length = 0;
    for m in moves {
        let after = proof.after(place, m).expect("legal");
        length = length.max(1 + longest(proof, &after, most)?);
    }
    let said = node.standing.expect("in the certificate").plies;
    assert!(said.allow(length), "{length} plies, not {said}");
    Some(length)
}

/// A proof with the same moves and larger ranks.
fn inflated(body: &[u8], ranks: &[(usize, usize)]) -> Vec<u8> {
    let mut spans = ranks.to_vec();
    spans.sort_unstable();
    spans.iter().rev().fold(body.to_vec(), |bytes, &(start, end)| {
        let places = bytes[start..end].iter().rev();
        let rank = places.fold(0u64, |rank, byte| rank << 7 | u64::from(byte & 127));
        splice(&bytes, (start, end), &leb(300 * rank + 200))
    })
}

#[test]
fn lengths_are_those_of_the_longest_defence_whatever_the_ranks_say() {
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut proofs, mut positions) = (0, 0);
    for seed in 0..3_000 {
        let graph = random::any(12, seed);
        let root = graph.start();
        if graph.repetition() != Repetition::FavoursDefender {
            continue;
        }
        let (value, _, body) = certified(&root, Plies::UNBOUNDED, &mut table);
        if value != Value::Proven {
            continue;
        }
        let (valid, read) = slow(&root, value, Plies::UNBOUNDED, &body);
        assert!(valid);
        proofs += 1;
        for body in [&body, &inflated(&body, &read.places.ranks)] {
            let claim = Claim::new(&root, value, Plies::UNBOUNDED);
            let proof = open(claim, body).expect("a certificate");
            let said = proof.look(&proof.root()).standing.expect("in the certificate").plies;
            let length = longest(&proof, &proof.root(), 1_000).expect("an end");
            assert!(said.allow(length), "seed {seed}\n{graph}");
            for wanted in &read.claims {
                let position = graph.position(wanted.node, wanted.stock).expect("a position");
                // Every position of the certificate, as if it had been reached.
                let Some(place) = reach(&proof, &position) else { continue };
                let said = proof.look(&place).standing.expect("in the certificate").plies;
                let all = read
                    .claims
                    .iter()
                    .filter(|claim| claim.node == wanted.node && claim.stock.within(wanted.stock));
                let least = all.map(|claim| claim.length).min().expect("itself");
                assert_eq!(said.bounded().map(u64::from), Some(least), "seed {seed}\n{graph}");
                positions += 1;
            }
        }
    }
    assert!(proofs > 300 && positions > 2_000, "{positions} positions of {proofs} proofs");
}

/// A place with this position, found by trying every move.
fn reach(proof: &Proof<GraphPosition>, wanted: &GraphPosition) -> Option<Place<GraphPosition>> {
    let mut places = vec![proof.root()];
    let mut seen: Vec<(usize, yomikiri_graph::Tokens)> = Vec::new();
    while let Some(place) = places.pop() {
        let here = (place.position().identity(), place.position().stock());
        if place.position() == wanted {
            return Some(place);
        }
        if !seen.contains(&here) {
            seen.push(here);
            let moves = legal(place.position());
            places.extend(moves.into_iter().filter_map(|m| proof.after(&place, m)));
        }
    }
    None
}

fn graph(text: &str) -> Graph {
    text.parse().expect("a graph")
}

#[test]
fn what_the_checker_refuses_cannot_be_opened() {
    let root = graph("graph\na or b c\nb and a d\nc and d e\nd win\ne or d").start();
    let claim = Claim::new(&root, Value::Proven, Plies::UNBOUNDED);
    // a, to c; there d is over, and e goes to d.
    let body = [1, 1, 1, 0, 1, 0, 0, 1, 2, 3, 255, 3];
    assert!(open(claim, &body).is_ok());
    for length in 0..body.len() {
        let error = open(claim, &body[..length]).err().map(|error| error.to_string());
        let expected = check(claim, &mut &body[..length]).err().map(|error| error.to_string());
        assert!(error.is_some() && error == expected, "{length}: {error:?}, not {expected:?}");
    }
    // By b, from where it goes back to a, which is not complete.
    assert!(open(claim, &[1, 0, 1, 2, 0, 1, 2, 255, 2]).is_err());
    // The opposite; within fewer plies; another problem; more at the end.
    assert!(open(Claim { value: Value::Disproven, ..claim }, &body).is_err());
    assert!(open(Claim { plies: Plies::at_most(2), ..claim }, &body).is_err());
    let other = graph("graph\na or b c\nb and a d\nc and d e\nd win\ne and a d").start();
    assert!(open(claim.about(&other), &body).is_err());
    assert!(open(claim, &[&body[..], &[0]].concat()).is_err());
    let stop = Stop::new();
    stop.raise();
    let stopped = Proof::open(claim, &Pulse::new(stop), &mut body.as_slice());
    assert!(matches!(stopped, Err(CheckError::Stopped(_))));
}

#[test]
fn a_move_that_is_not_legal_leads_nowhere() {
    let root = graph("graph\na or b c\nb and a d\nc and d e\nd win\ne or d").start();
    let claim = Claim::new(&root, Value::Proven, Plies::UNBOUNDED);
    let proof = open(claim, &[1, 1, 1, 0, 1, 0, 0, 1, 2, 3, 255, 3]).expect("a certificate");
    assert!(proof.walk(&[1, 1, 0]).is_some());
    assert!(proof.walk(&[2]).is_none());
    assert!(proof.walk(&[1, 0, 0]).is_none(), "it is over there");
    let node = proof.look(&proof.walk(&[0]).expect("legal"));
    assert_eq!((node.standing, node.answer), (None, None), "a worse move is not in the proof");
    let said: Vec<_> =
        node.replies.iter().map(|reply| reply.standing.map(|said| said.plies)).collect();
    assert_eq!(said, [Some(Plies::at_most(3)), Some(Plies::NONE)], "but it leads back into it");
}

/// A position with more in stock than the one that is treated.
#[test]
fn a_larger_stock_is_answered_by_a_smaller_one() {
    let root = graph("graph\na and b c\nb or d+1\nc or d\nd and e\ne win").start();
    let claim = Claim::new(&root, Value::Proven, Plies::UNBOUNDED);
    // The moves in order: by b to d with a token, which is treated; by c to d without. The other way
    // round the second would be known.
    let body = [1, 1, 0, 1, 0, 1, 2, 1, 0, 1, 0, 1, 2, 3, 255, 5];
    let proof = open(claim, &body).expect("a certificate");
    let ground = |played: &[u32]| {
        let place = proof.walk(played).expect("legal");
        proof.look(&place).standing.map(|said| said.ground)
    };
    assert_eq!(ground(&[0, 0]), Some(Ground::Treated));
    assert_eq!(ground(&[0, 0, 0]), Some(Ground::Over));
    let root = graph("graph\na and c b\nb or d+1\nc or d\nd and e\ne win").start();
    let claim = claim.about(&root);
    let proof = open(claim, &[1, 1, 0, 1, 0, 1, 2, 1, 0, 2, 2, 3, 255, 4]).expect("a certificate");
    let place = proof.walk(&[1, 0]).expect("legal");
    let standing = Standing { ground: Ground::Dominated, plies: Plies::at_most(1) };
    assert_eq!(proof.look(&place).standing, Some(standing));
}

#[test]
fn long_lines_need_no_deep_stack() {
    for plies in [1_500, 70_000] {
        let root = random::chain(plies).start();
        let mut body: Vec<u8> =
            (0..plies).flat_map(|n| [1, 0].into_iter().take(2 - n % 2)).collect();
        body.push(0);
        body.extend((1..=plies).flat_map(|rank| leb(rank as u64)));
        body.push(255);
        body.extend(leb(plies as u64));
        let claim = Claim::new(&root, Value::Proven, Plies::UNBOUNDED);
        let proof = open(claim, &body).expect("a certificate");
        // What `Plies` cannot tell is no bound.
        let said = Plies::from(u16::try_from(plies).ok());
        assert_eq!(proof.look(&proof.root()).standing.map(|said| said.plies), Some(said));
        let end = proof.walk(&vec![0; plies]).expect("legal");
        let node = proof.look(&end);
        let over = Standing { ground: Ground::Over, plies: Plies::NONE };
        assert_eq!((node.over, node.standing), (Some(Value::Proven), Some(over)));
    }
}
