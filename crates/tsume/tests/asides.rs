//! What the attacker may play otherwise in variations, and lines that are given and do not hold,
//! against a plain search and with certificates.

use crate::brute::{self, Brute};
use crate::cook::{certify, limits, problem};
use andor::{NodeKind, Plies, Rules, SplitMix64, Table, Value};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::cook::{Asides, CookLimits, FindingKind, Severity, check, check_line};
use yomikiri_tsume::{Futile, Mate, MateLimits, OWN_PROBLEMS, Tsume};

fn with_variations(turns: usize) -> CookLimits {
    CookLimits { variation_turns: turns, ..limits() }
}

/// The position after some moves, each of which must be legal.
fn after(problem: &Tsume, path: &[Move]) -> Tsume {
    let mut at = problem.clone();
    let mut legal = Vec::new();
    for &m in path {
        legal.clear();
        at.legal_moves(&mut legal);
        assert!(legal.contains(&m), "{}: {m} of {path:?}", problem.position());
        at.play(m);
    }
    at
}

/// One move at a time on the line, several in variations.
#[test]
fn an_alternative_in_a_variation_is_no_flaw() {
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let sfen = "7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    let report = check(&mate, &problem(sfen), &with_variations(1000));
    assert!(report.is_sound(), "{:?}", report.findings);
    let asides = report.asides.as_ref().expect("asked for");
    assert!(asides.complete && asides.turns > 0 && asides.undecided == 0, "{asides:?}");
    assert!(!asides.findings.is_empty());
    for aside in &asides.findings {
        assert_ne!(aside.path, report.line[..aside.path.len()], "that is the solution itself");
        assert_eq!(after(&report.answer.problem, &aside.path).kind(), NodeKind::Or);
    }
    certify(&mate, &report.claims());
    // The line alone, and a limit that ends it in the middle.
    assert!(check(&mate, &problem(sfen), &limits()).asides.is_none());
    let few = check(&mate, &problem(sfen), &with_variations(1));
    let few = few.asides.as_ref().expect("asked for");
    assert_eq!((few.turns, few.complete), (1, asides.turns == 1));
}

/// Random positions with a short mate. At every turn of the attacker after another reply, moves of
/// pieces on the board only, whatever the plain search finds to mate is found, and nothing else.
#[test]
fn variations_agree_with_a_plain_search() {
    const DEPTH: u16 = 5;
    let mut random = SplitMix64::new(17);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let small = CookLimits { nodes: Some(2_000), variation_turns: 300, ..CookLimits::default() };
    let (mut compared, mut found_any) = (0, 0);
    let of_ours =
        OWN_PROBLEMS.lines().filter(|line| line.contains("own-003-") || line.contains("own-005-"));
    let of_ours = of_ours.filter_map(|line| Position::from_sfen(line.split('\t').next()?).ok());
    let others = (0..200).map(|_| brute::random(&mut random));
    for position in of_ours.step_by(2).chain(others) {
        let problem = Tsume::new(position.clone()).with_futile(Futile::NotCounted);
        let short =
            MateLimits { nodes: Some(500), plies: Plies::at_most(DEPTH), ..MateLimits::default() };
        if mate.solve(&problem, &short).solution.is_none() {
            continue;
        }
        let report = check(&mate, &problem, &small);
        let Some(asides) = report.asides.as_ref() else { continue };
        if report.line.len() > usize::from(DEPTH) {
            continue;
        }
        let mut plain = Brute::new(&position, Futile::NotCounted, 60_000);
        for aside in &asides.findings {
            assert_eq!(aside.finding.ply, aside.path.len());
            let at = after(&problem, &aside.path);
            assert!(at.kind() == NodeKind::Or, "{position}: {:?}", aside.path);
            let then = after(&at, &[aside.finding.m]);
            let length = aside.finding.length - 1;
            if let Ok(mates) = plain.mates(then.position(), length.min(DEPTH - 1))
                && length < DEPTH
            {
                assert!(mates, "{position}: {:?} {}", aside.path, aside.finding.m);
                if let (true, Some(less)) = (aside.finding.exact, length.checked_sub(2)) {
                    assert!(!plain.mates(then.position(), less).unwrap_or(false), "{position}");
                }
                found_any += 1;
            }
        }
        compared += all_are_found(&mut plain, &problem, &report.line, asides);
        certify(&mate, &report.claims());
    }
    assert!(compared > 8 && found_any > 50, "too few: {compared}, {found_any}");
}

/// Fails if a second mate after a reply beside the line is missing. Gives how many replies there are with
/// more than one mate after them.
fn all_are_found(plain: &mut Brute, problem: &Tsume, line: &[Move], asides: &Asides) -> usize {
    let mut at = problem.clone();
    let mut compared = 0;
    let on_line: Vec<Position> =
        (0..=line.len()).map(|ply| after(problem, &line[..ply]).position().clone()).collect();
    for (ply, &played) in line.iter().enumerate() {
        if at.kind() == NodeKind::And {
            let mut replies = Vec::new();
            at.legal_moves(&mut replies);
            for &reply in replies.iter().filter(|&&m| m != played && !m.is_drop()) {
                let child = after(&at, &[reply]);
                if on_line.contains(child.position()) {
                    continue;
                }
                let left = (line.len() - ply) as u16;
                let mut mates = Vec::new();
                for m in plain.checks(child.position()) {
                    let mut then = child.position().clone();
                    then.play(m);
                    match plain.mates(&then, left.saturating_sub(2)) {
                        Ok(true) => mates.push(m),
                        Ok(false) => {}
                        Err(_) => return compared,
                    }
                }
                // Some line may have come to the position in another way.
                let here = |path: &[Move]| after(problem, path).position() == child.position();
                let told: Vec<Move> = asides
                    .findings
                    .iter()
                    .filter(|aside| here(&aside.path))
                    .map(|aside| aside.finding.m)
                    .collect();
                let missing = mates.iter().filter(|m| !told.contains(m)).count();
                assert!(
                    missing <= 1 + asides.undecided || !asides.complete,
                    "{}: after {reply} at ply {ply} of {line:?} mate {mates:?}, told {told:?}",
                    problem.position()
                );
                compared += usize::from(mates.len() > 1);
            }
        }
        at.play(played);
    }
    compared
}

/// A line that the defender need not follow: he has a reply after which there is no mate.
#[test]
fn a_line_that_does_not_hold_is_told() {
    let mut random = SplitMix64::new(23);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let small = CookLimits { nodes: Some(500), ..CookLimits::default() };
    let mut escapes = 0;
    for _ in 0..150 {
        let position = brute::random(&mut random);
        let problem = Tsume::new(position.clone()).with_futile(Futile::NotCounted);
        // Some line to a mate in three plies, with help from the defender.
        let Some(line) = helpmate(&problem) else { continue };
        let report = check_line(&mate, &problem, &line, &small).expect("it ends in mate");
        for found in report.findings.iter().filter(|found| found.kind == FindingKind::Escape) {
            assert_eq!(found.kind.severity(), Severity::Serious);
            assert_eq!((found.ply, found.line.as_slice()), (1, &[found.m][..]));
            let then = after(&problem, &[line[0], found.m]);
            let mut plain = Brute::new(&position, Futile::NotCounted, 20_000);
            assert!(!plain.mates(then.position(), 3).unwrap_or(false), "{position}: {}", found.m);
            assert!(!report.is_sound());
            escapes += 1;
        }
        let claims = report.claims();
        let is_said = claims.iter().any(|claim| claim.value == Value::Disproven);
        assert!(is_said || report.findings.iter().all(|f| f.kind != FindingKind::Escape));
        certify(&mate, &claims);
    }
    assert!(escapes > 5, "too few: {escapes}");
}

/// A check, a reply that lets it happen, and a mate.
fn helpmate(problem: &Tsume) -> Option<Vec<Move>> {
    let legal = |at: &Tsume| {
        let mut moves = Vec::new();
        if at.terminal().is_none() {
            at.legal_moves(&mut moves);
        }
        moves
    };
    for check in legal(problem) {
        let one = after(problem, &[check]);
        for reply in legal(&one) {
            let two = after(&one, &[reply]);
            for last in legal(&two) {
                if legal(&after(&two, &[last])).is_empty() {
                    return Some(vec![check, reply, last]);
                }
            }
        }
    }
    None
}

/// Replies that last as long have a line of that length, and are certified not to be shorter.
#[test]
fn equal_defences_have_their_lines() {
    let mut random = SplitMix64::new(31);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let small = CookLimits { nodes: Some(500), ..CookLimits::default() };
    let mut seen = 0;
    for _ in 0..600 {
        let position = brute::random(&mut random);
        let problem = Tsume::new(position.clone()).with_futile(Futile::NotCounted);
        let short =
            MateLimits { nodes: Some(500), plies: Plies::at_most(5), ..MateLimits::default() };
        if mate.solve(&problem, &short).solution.is_none() {
            continue;
        }
        let report = check(&mate, &problem, &small);
        for equal in &report.equal_defences {
            assert_eq!(equal.ply + usize::from(equal.length), report.line.len(), "{position}");
            assert_eq!(equal.line.first(), Some(&equal.m), "{position}");
            let end = after(&problem, &[&report.line[..equal.ply], &equal.line].concat());
            if equal.surplus == Some(false) {
                assert!(end.attackers_hand().is_empty(), "{position}: {:?}", equal.line);
            }
            seen += 1;
        }
        if !report.equal_defences.is_empty() {
            certify(&mate, &report.claims());
        }
    }
    assert!(seen > 10, "too few: {seen}");
}

/// Checks at the last move that take long do not keep a check from its verdict.
#[test]
fn what_is_permitted_need_not_be_decided() {
    // The other check at the third ply, ▲２二金, is a mate in fifteen plies.
    let sfen = "8k/9/8N/9/9/9/9/9/9 b RGr2b3g4s3n4l18p 1";
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let few = CookLimits { last_move_nodes: Some(1), ..limits() };
    let report = check(&mate, &problem(sfen), &few);
    assert!(report.is_sound() && !report.undecided.is_empty(), "{:?}", report.undecided);
    assert_eq!(report.open(), 0);
    certify(&mate, &report.claims());
    // At one ply it is the first move, too: there every question counts.
    let many = "8k/9/7GP/9/9/9/9/9/9 b G2P2r2b2g4s4n4l15p 1";
    assert!(!check(&mate, &problem(many), &few).is_sound());
}
