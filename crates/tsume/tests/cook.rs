//! Other solutions, variations, and what is said of them, against a plain search and with
//! certificates.

use crate::brute::{self, Brute, TooMany};
use andor::{Claim, NodeKind, Plies, Reason, Rules, SplitMix64, Stop, Table, Value, certificate};
use yomikiri_shogi::notation::hands;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::cook::{
    CookLimits, CookReport, EqualDefence, Finding, FindingKind, LineError, Solutions, check,
    check_line, solutions,
};
use yomikiri_tsume::{
    Futile, Length, Mate, MateLimits, STRENGTH_PROBLEMS, Tsume, VariationLimits, variations,
};

pub fn problem(sfen: &str) -> Tsume {
    let position = Position::from_sfen(sfen).expect("the test's SFEN is right");
    Tsume::new(position).with_futile(Futile::NotCounted)
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| Move::from_usi(word).expect("a move")).collect()
}

pub fn limits() -> CookLimits {
    CookLimits { nodes: Some(50_000), ..CookLimits::default() }
}

pub fn certify(mate: &Mate<'_>, claims: &[Claim<Tsume>]) {
    for claim in claims {
        let mut file = Vec::new();
        let position = claim.problem.position();
        let written = mate.certify(claim, &Stop::new(), &mut file);
        written.unwrap_or_else(|error| panic!("{position} {:?}: {error}", claim.value));
        let checked = certificate::check(claim.by_ref(), &mut file.as_slice());
        checked.unwrap_or_else(|error| panic!("{position} {:?}: {error}", claim.value));
    }
}

/// Every move is legal, the attacker's are checks, and the last position is mate.
fn assert_mates(problem: &Tsume, line: &[Move]) {
    let mut at = problem.clone();
    let mut legal = Vec::new();
    for &m in line {
        legal.clear();
        at.legal_moves(&mut legal);
        assert!(legal.contains(&m), "{}: {m} of {line:?}", problem.position());
        at.play(m);
    }
    legal.clear();
    at.legal_moves(&mut legal);
    let mate = at.terminal() == Some(Value::Proven) || legal.is_empty();
    assert!(mate && at.kind() == NodeKind::And, "{}: {line:?}", problem.position());
}

/// Problems made for these tests, each with its only solution.
const SOUND: [(&str, &str); 8] = [
    ("8k/9/8N/9/9/9/9/9/9 b RGr2b3g4s3n4l18p 1", "R*2a 1a1b G*2c"),
    ("8s/8k/6s2/8G/9/9/9/9/9 b 2S2r2b3g4n4l18p 1", "S*2c 1b2a S*3b"),
    ("6p1k/6P2/6G1p/9/9/9/9/9/9 b RNr2b3g4s3n4l15p 1", "N*2c 1a1b R*1a"),
    ("7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1", "S*3b 2a1a G*2a 1a1b 3c2c"),
    ("9/6Pk1/8p/6G2/9/9/9/9/9 b RSr2b3g3s4n4l16p 1", "S*2c 2b1a R*1b 1a2a 1b2b+"),
    ("4B1k1b/7P1/9/9/9/9/9/9/9 b GS2r3g3s4n4l17p 1", "S*3b 3a3b G*3c 3b3a 5a4b+"),
    ("8k/7L1/9/8B/9/9/9/9/9 b GS2rb3g3s4n3l18p 1", "2b2a+ 1a2a S*3b 2a1a G*2a 1a1b 1d2c+"),
    ("5ppk1/9/9/6PB1/9/9/9/9/9 b 2S2rb4g2s4n4l15p 1", "S*2b 2a2b 3d3c+ 2b1a S*2b 1a1b 2d1c+"),
];

#[test]
fn sound_problems_have_one_solution() {
    for (sfen, line) in SOUND {
        let table = Table::new(1 << 22).expect("memory");
        let mate = Mate::new(&table);
        let problem = problem(sfen);
        assert_eq!(solutions(&mate, &problem, &limits()), Solutions::Unique, "{sfen}");
        let report = check(&mate, &problem, &limits());
        assert!(report.is_complete() && report.left_over.is_empty() && !report.early, "{sfen}");
        assert_eq!(report.flaws().count(), 0, "{sfen}: {:?}", report.findings);
        assert_eq!(report.line.len(), moves(line).len(), "{sfen}");
        assert_eq!(report.line[0], moves(line)[0], "{sfen}");
        certify(&mate, &report.claims());
        let given = check_line(&mate, &problem, &moves(line), &limits()).expect("a solution");
        assert_eq!(given.flaws().count(), 0, "{sfen}: {:?}", given.findings);
    }
}

fn report(sfen: &str) -> CookReport {
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let report = check(&mate, &problem(sfen), &limits());
    assert!(report.is_complete(), "{sfen}: {:?}", report.undecided);
    certify(&mate, &report.claims());
    report
}

fn kinds(report: &CookReport) -> Vec<(usize, String, FindingKind, u16)> {
    let row = |found: &Finding| (found.ply, found.m.to_string(), found.kind, found.length);
    report.findings.iter().map(row).collect()
}

#[test]
fn findings_are_sorted_by_kind() {
    use FindingKind::*;
    let row = |ply, m: &str, kind, length| (ply, m.to_string(), kind, length);
    // Mate in one, in several ways: the first move is the whole solution, so each is another one.
    let one = report("8k/6+R2/9/6N2/9/9/9/9/9 b S 1");
    assert!(one.line.len() == 1 && one.findings.len() >= 3, "{:?}", kinds(&one));
    assert!(one.findings.iter().all(|found| found.kind == Cook), "{:?}", kinds(&one));
    // The same with the defender to move first: it is still the attacker's first move.
    let two = report("7lk/6+R2/7N1/6N2/9/9/9/9/9 w S 1");
    assert!(two.line.len() == 2 && two.flaws().count() >= 3, "{:?}", kinds(&two));
    assert!(two.findings.iter().all(|found| found.kind == Cook), "{:?}", kinds(&two));
    // The bishop may promote or not.
    let promotion = report("2B3+B1k/9/9/9/9/9/9/9/9 b 2r4g4s4n4l18p 1");
    assert_eq!(kinds(&promotion), [row(0, "7a4d", Promotion, 5), row(2, "4d2b", LastMove, 1)]);
    // The bishop may be dropped from far away; each square in between can be interposed on in vain.
    let distance = report("5S3/8k/5+LG2/9/9/9/9/9/9 b BS2rb3g2s4n3l18p 1");
    let far = ["B*4e", "B*5f", "B*6g", "B*7h", "B*8i"];
    let far = far.iter().zip((7..).step_by(2)).map(|(m, length)| row(0, m, Distance, length));
    let expected: Vec<_> = far.chain([row(2, "S*2b", LastMove, 1)]).collect();
    assert_eq!(kinds(&distance), expected);
    assert_eq!([&promotion, &distance].map(|report| report.flaws().count()), [0; 2]);
    // Another mate of the same length, and longer ones.
    let cooked = report("8k/9/7+S1/9/9/9/9/9/9 b RPr2b4g3s4n4l17p 1");
    assert!(kinds(&cooked).contains(&row(0, "R*1b", Cook, 3)), "{:?}", kinds(&cooked));
    assert!(kinds(&cooked).contains(&row(0, "R*1c", Cook, 5)), "{:?}", kinds(&cooked));
    // A loss of time.
    let detour = report("9/9/3+N1k3/9/6+R2/7L1/9/9/9 b Brb4g4s3n3l18p 1");
    assert!(kinds(&detour).iter().any(|found| found.2 == Detour), "{:?}", kinds(&detour));
    // A gold is given away here or there, and then all is the same.
    let order = report("6lk1/9/9/7SB/9/9/9/9/9 b 2G2rb2g3s4n3l18p 1");
    assert!(kinds(&order).iter().any(|found| found.2 == Transposition), "{:?}", kinds(&order));
}

#[test]
fn a_piece_left_over_is_a_flaw() {
    // Sound, and with a pawn more in hand there is still one solution; but the pawn is left over.
    for (sfen, with_pawn) in [
        ("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "8k/9/8P/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1"),
        (SOUND[1].0, "8s/8k/6s2/8G/9/9/9/9/9 b 2SP2r2b3g4n4l17p 1"),
    ] {
        let sound = report(sfen);
        assert_eq!((sound.flaws().count(), sound.surplus), (0, Some(false)), "{sfen}");
        let over = report(with_pawn);
        assert_eq!((over.flaws().count(), over.surplus), (0, Some(true)), "{with_pawn}");
        assert_eq!(hands::hand_name(over.left_over), "歩", "{with_pawn}");
        // The same of a line that was given; and where interpositions in vain count, nothing is
        // said of it.
        let table = Table::new(1 << 22).expect("memory");
        let mate = Mate::new(&table);
        let given = check_line(&mate, &problem(with_pawn), &over.line, &limits());
        assert_eq!(given.expect("a solution").surplus, Some(true), "{with_pawn}");
        let counted = problem(with_pawn).with_futile(Futile::Counted);
        assert_eq!(check(&mate, &counted, &limits()).surplus, Some(false), "{with_pawn}");
    }
}

/// Is there a line of best play that leaves the attacker nothing in hand, found by trying all of
/// them but for interpositions? None where he has a choice before the last move.
fn leaves_nothing(brute: &mut Brute, at: &Position, left: u16) -> Result<Option<bool>, TooMany> {
    if left == 0 {
        return Ok(Some(at.hand(!at.turn()).is_empty()));
    }
    let (attacks, mut found) = (!at.is_check(), Vec::new());
    for m in if attacks { brute.checks(at) } else { brute.replies(at) } {
        let mut after = at.clone();
        after.play(m);
        let is_best = match (attacks, left) {
            (true, _) => brute.mates(&after, left - 1)?,
            (false, 0..3) => !m.is_drop(),
            (false, _) => !m.is_drop() && !brute.mates(&after, left - 3)?,
        };
        if is_best {
            found.push(leaves_nothing(brute, &after, left - 1)?);
        }
    }
    if attacks && found.len() > 1 && left > 1 || found.contains(&None) {
        return Ok(None);
    }
    Ok(Some(found.contains(&Some(true))))
}

#[test]
fn what_is_left_over_agrees_with_a_plain_search() {
    let mut random = SplitMix64::new(11);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let asked = MateLimits {
        nodes: Some(2_000),
        plies: Plies::at_most(5),
        length: Length::Shortest,
        ..MateLimits::default()
    };
    let (mut always, mut never) = (0, 0);
    for _ in 0..3_000 {
        let position = brute::random(&mut random);
        let problem = Tsume::new(position.clone()).with_futile(Futile::NotCounted);
        let answer = mate.solve(&problem, &asked);
        let Some(solution) = answer.solution.as_ref().filter(|found| found.exact) else { continue };
        if solution.conventional.is_some() || !(3..=5).contains(&solution.length) {
            continue;
        }
        let mut brute = Brute::new(&position, Futile::NotCounted, 50_000);
        let Ok(Some(found)) = leaves_nothing(&mut brute, &position, solution.length) else {
            continue;
        };
        match solution.always_left_over {
            Some(true) => {
                assert!(!found, "{position}: {:?}", solution.line);
                always += 1;
            }
            Some(false) => {
                let mut end = problem.clone();
                for &m in &solution.line {
                    end.play(m);
                }
                assert!(end.attackers_hand().is_empty(), "{position}: {:?}", solution.line);
                never += 1;
            }
            None => {}
        }
    }
    assert!(always > 20 && never > 20, "too few: {always}, {never}");
}

/// One of our own hard problems.
fn hard(id: &str) -> Tsume {
    let line = STRENGTH_PROBLEMS.lines().find(|line| line.split('\t').nth(1) == Some(id));
    problem(line.and_then(|line| line.split('\t').next()).expect("it is there"))
}

/// To show a line it is enough that it leaves something in hand; a verdict needs to know whether all
/// do, and looks as long as it takes.
#[test]
fn what_is_left_over_is_found_out_for_a_verdict() {
    let problems = [
        (hard("hard-035-020"), true),
        (hard("hard-031-019"), false),
        // Muso 21 (1734).
        (problem("s2k3r1/1B2p+R3/1n7/2Pg5/p1S+b5/2p6/1+p7/9/9 b S3gs3n4l13p 1"), true),
    ];
    for (problem, is_always) in problems {
        let id = problem.position();
        let table = Table::new(1 << 24).expect("memory");
        let mate = Mate::new(&table);
        let asked = MateLimits { length: Length::Shortest, ..MateLimits::default() };
        let solved = mate.solve(&problem, &asked).solution.expect("a mate");
        assert!(solved.exact && !solved.shown_left_over().is_empty(), "{id}");
        assert_eq!(solved.always_left_over, None, "{id}: seen at once");
        let report = check(&mate, &problem, &limits());
        assert_eq!(report.surplus, Some(is_always), "{id}");
        assert_eq!(report.left_over.is_empty(), !is_always, "{id}");
    }
}

/// Of several lines of the same length none has fewer flaws than the one that is judged.
#[test]
fn no_line_of_the_same_length_has_fewer_flaws() {
    let mut fewer = 0;
    for id in ["hard-031-037", "hard-031-019", "hard-031-013", "hard-031-033"] {
        let problem = hard(id);
        let table = Table::new(1 << 24).expect("memory");
        let mate = Mate::new(&table);
        let report = check(&mate, &problem, &limits());
        let others = report.other_lines.unwrap_or_else(|| panic!("{id}: no flaw"));
        assert!(others.all && others.followed > 0, "{id}: {others:?}");
        let flaws = report.flaws().count();
        let shown = report.answer.solution.as_ref().expect("a mate").shown_line().to_vec();
        let mut lines = vec![shown];
        let beside = |equal: &EqualDefence| [&report.line[..equal.ply], &equal.line].concat();
        lines.extend(report.equal_defences.iter().map(beside));
        for line in lines {
            let given = check_line(&mate, &problem, &line, &limits()).expect("a solution");
            let others = given.flaws().count();
            let is_variation = !given.left_over.is_empty() && report.left_over.is_empty();
            assert!(is_variation || flaws <= others, "{id}: {flaws} flaws, {others} on {line:?}");
            fewer += usize::from(flaws < others);
        }
    }
    assert!(fewer >= 4, "all lines have the same: {fewer}");
}

/// Replies that last as long are told of a line that was given, too: the same as of our own.
#[test]
fn equal_defences_of_a_given_line() {
    for id in ["hard-031-037", "hard-035-020"] {
        let problem = hard(id);
        let table = Table::new(1 << 24).expect("memory");
        let mate = Mate::new(&table);
        let own = check(&mate, &problem, &limits());
        assert!(!own.equal_defences.is_empty(), "{id}");
        let given = check_line(&mate, &problem, &own.line, &limits()).expect("a solution");
        assert_eq!(given.equal_defences, own.equal_defences, "{id}");
        assert_eq!(given.other_lines, None, "{id}");
    }
}

#[test]
fn a_given_line_is_examined() {
    let (sfen, line) = SOUND[3];
    let sound = problem(sfen);
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let check = |text: &str| check_line(&mate, &sound, &moves(text), &limits());
    let wrong = Move::from_usi("5a5b").expect("a move");
    assert_eq!(check("5a5b").err(), Some(LineError::Illegal { ply: 0, m: wrong }));
    assert_eq!(check("S*3b 2a1a").err(), Some(LineError::NoMate));
    let long = CookLimits { intended: Some(7), ..limits() };
    let early = check_line(&mate, &sound, &moves(line), &long).expect("a solution");
    assert!(early.early);
    // Five plies where three are enough.
    let cooked = problem("8k/9/7+S1/9/9/9/9/9/9 b RPr2b4g3s4n4l17p 1");
    let intended = moves("R*1c 1a2a 1c1b+ 2a3a 1b3b");
    let report = check_line(&mate, &cooked, &intended, &limits()).expect("a solution");
    assert!(report.early);
    let shorter = |found: &Finding| {
        found.ply == 0 && found.m.to_string() == "P*1b" && found.kind == FindingKind::Shorter
    };
    assert!(report.findings.iter().any(shorter), "{:?}", kinds(&report));
    // The defender does not do his best.
    for (sfen, _) in SOUND {
        let problem = problem(sfen);
        let asked = MateLimits { length: Length::Shortest, ..MateLimits::default() };
        let answer = mate.solve(&problem, &asked);
        let line = answer.solution.as_ref().expect("a mate").shown_line();
        let tree = variations(&mate, &problem, line, &VariationLimits::default());
        for branch in tree.branches {
            let given = [&line[..branch.ply], &branch.line].concat();
            if given.len() == line.len() {
                continue;
            }
            let report = check_line(&mate, &problem, &given, &limits()).expect("a solution");
            let found = report.flaws().find(|found| found.kind == FindingKind::LongerDefence);
            let found = found.unwrap_or_else(|| panic!("{sfen}: {given:?}"));
            assert_eq!(found.ply + usize::from(found.length), line.len(), "{sfen}: {given:?}");
            certify(&mate, &report.claims());
        }
    }
}

#[test]
fn a_check_can_be_ended() {
    let (sfen, _) = SOUND[6];
    let table = Table::new(1 << 22).expect("memory");
    let mate = Mate::new(&table);
    let few = CookLimits { nodes: Some(5), ..CookLimits::default() };
    let report = check(&mate, &problem(sfen), &few);
    assert!(!report.is_complete());
    assert_eq!(solutions(&mate, &problem(sfen), &few), Solutions::Undecided);
    // Solved before, but stopped when the other moves are asked about.
    let limits = MateLimits { length: Length::Shortest, ..MateLimits::default() };
    assert!(mate.solve(&problem(sfen), &limits).solution.is_some());
    let stopped = CookLimits::default();
    stopped.stop.raise();
    let report = check(&mate, &problem(sfen), &stopped);
    assert!(!report.is_complete());
    assert!(report.line.is_empty() || report.ended == Some(Reason::Stopped));
}

/// Random positions with a short mate: all first moves that the plain search finds to mate are
/// found, with their lengths, and no other that it refutes.
#[test]
fn first_moves_agree_with_a_plain_search() {
    const DEPTH: u16 = 5;
    let mut random = SplitMix64::new(4);
    let table = Table::new(16 << 20).expect("memory");
    let mate = Mate::new(&table);
    let small = CookLimits { nodes: Some(2_000), ..CookLimits::default() };
    let (mut compared, mut cooked) = (0, 0);
    for _ in 0..500 {
        let position = brute::random(&mut random);
        let problem = Tsume::new(position.clone());
        let limits =
            MateLimits { nodes: Some(500), plies: Plies::at_most(DEPTH), ..MateLimits::default() };
        if mate.solve(&problem, &limits).solution.is_none() {
            continue;
        }
        let report = check(&mate, &problem, &small);
        let Some(&first) = report.line.first() else { continue };
        let mut plain = Brute::new(&position, Futile::Counted, 20_000);
        for m in plain.checks(&position) {
            let mut after = position.clone();
            after.play(m);
            let Ok(length) = plain.length(&after, DEPTH - 1) else { break };
            let found = report.findings.iter().find(|found| found.ply == 0 && found.m == m);
            compared += 1;
            match (length, found) {
                _ if m == first => {}
                (Some(length), Some(found)) => {
                    assert!(!found.exact || found.length == length + 1, "{position} {m}");
                    assert_mates(&problem, &found.line);
                    cooked += 1;
                }
                (Some(_), None) => {
                    assert!(report.undecided.contains(&(0, m)), "{position}: {m} mates too");
                }
                (None, Some(found)) => assert!(found.length > DEPTH, "{position} {m}"),
                (None, None) => {}
            }
        }
        certify(&mate, &report.claims());
    }
    assert!(compared > 100 && cooked > 20, "too few: {compared}, {cooked}");
}

#[test]
fn variations_end_in_mate() {
    for (sfen, _) in SOUND {
        let table = Table::new(1 << 22).expect("memory");
        let mate = Mate::new(&table);
        let problem = problem(sfen);
        let asked = MateLimits { length: Length::Shortest, ..MateLimits::default() };
        let answer = mate.solve(&problem, &asked);
        let found = answer.solution.as_ref().expect("a mate");
        let limits = VariationLimits { interpositions: true, ..VariationLimits::default() };
        let tree = variations(&mate, &problem, found.shown_line(), &limits);
        assert_eq!(tree.line, found.shown_line());
        assert!(tree.branches.is_sorted_by_key(|branch| branch.ply));
        for branch in &tree.branches {
            let mut line = tree.line[..branch.ply].to_vec();
            assert_ne!(branch.line[0], tree.line[branch.ply]);
            line.extend(&branch.line);
            assert!(branch.complete && branch.exact);
            assert!(branch.line.len() <= usize::from(branch.length));
            assert!(line.len() <= tree.line.len(), "{sfen}: longer than the solution");
            assert_mates(&problem, &line);
        }
        let few = VariationLimits { each: 1, total: 1, ..VariationLimits::default() };
        assert!(variations(&mate, &problem, found.shown_line(), &few).branches.len() <= 1);
    }
}
