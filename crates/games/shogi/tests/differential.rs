//! Our board against three boards by other people, in every position of many random walks.
//!
//! In each position the legal moves, the checks, the evasions, who is in check and who is mated,
//! which checks mate, and which pawn drops would be mate (打ち歩詰め) must be the same for all.
//! The walks are the same on every machine. `YOMIKIRI_POSITIONS` says how many different positions
//! to visit; a class of positions or moves that is never seen fails the test, for then it is blind.

use std::collections::HashSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::oracles::{Answer, Oracles};
use crate::support::positions::{Root, choose, read};
use andor::SplitMix64;
use yomikiri_shogi::{CheckInfo, Color, Hand, Kind, Move, Position, Square, attacks};

const DEFAULT_POSITIONS: u64 = 150_000;
/// `shogi_legality_lite` is asked in one position of this many.
const LITE_SHARE: usize = 8;

/// What was seen.
#[derive(Default)]
struct Seen {
    walks: u64,
    positions: u64,
    by_lite: u64,
    only_black_king: u64,
    only_white_king: u64,
    legal_moves: u64,
    promotions: u64,
    drops: u64,
    checks: u64,
    discovered_checks: u64,
    drop_checks: u64,
    in_check: u64,
    double_checks: u64,
    counter_checks: u64,
    mated: u64,
    stalemates: u64,
    mates_in_one: u64,
    mating_moves: u64,
    pawn_drop_checks: u64,
    pawn_drop_mates: u64,
}

impl Seen {
    /// What was seen here and there.
    fn with(self, other: Seen) -> Seen {
        Seen {
            walks: self.walks + other.walks,
            positions: self.positions + other.positions,
            by_lite: self.by_lite + other.by_lite,
            only_black_king: self.only_black_king + other.only_black_king,
            only_white_king: self.only_white_king + other.only_white_king,
            legal_moves: self.legal_moves + other.legal_moves,
            promotions: self.promotions + other.promotions,
            drops: self.drops + other.drops,
            checks: self.checks + other.checks,
            discovered_checks: self.discovered_checks + other.discovered_checks,
            drop_checks: self.drop_checks + other.drop_checks,
            in_check: self.in_check + other.in_check,
            double_checks: self.double_checks + other.double_checks,
            counter_checks: self.counter_checks + other.counter_checks,
            mated: self.mated + other.mated,
            stalemates: self.stalemates + other.stalemates,
            mates_in_one: self.mates_in_one + other.mates_in_one,
            mating_moves: self.mating_moves + other.mating_moves,
            pawn_drop_checks: self.pawn_drop_checks + other.pawn_drop_checks,
            pawn_drop_mates: self.pawn_drop_mates + other.pawn_drop_mates,
        }
    }

    /// Each class with how many there were of it.
    fn classes(&self) -> [(&'static str, u64); 20] {
        [
            ("walks", self.walks),
            ("positions", self.positions),
            ("positions asked of all three", self.by_lite),
            ("positions without a white king", self.only_black_king),
            ("positions without a black king", self.only_white_king),
            ("legal moves", self.legal_moves),
            ("promotions", self.promotions),
            ("drops", self.drops),
            ("checks", self.checks),
            ("checks by moving out of a line", self.discovered_checks),
            ("checks by drops", self.drop_checks),
            ("positions in check", self.in_check),
            ("positions in double check", self.double_checks),
            ("checks in answer to a check", self.counter_checks),
            ("mated positions", self.mated),
            ("positions without a move or a check", self.stalemates),
            ("positions with a mate in one", self.mates_in_one),
            ("mating moves", self.mating_moves),
            ("pawn drops that give check", self.pawn_drop_checks),
            ("pawn drops that would be mate", self.pawn_drop_mates),
        ]
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.classes().iter().try_for_each(|(name, count)| writeln!(f, "{count:>12} {name}"))
    }
}

/// Our own answer. The moves that mate are found by playing every check.
fn ours(position: &Position) -> Answer {
    let (mut legal, mut checks) = (Vec::new(), Vec::new());
    position.legal_moves(&mut legal);
    position.checks(&mut checks);
    legal.sort_unstable();
    checks.sort_unstable();
    let mut after = position.clone();
    let mut mates = checks.clone();
    mates.retain(|&m| {
        let undo = after.play(m);
        let mated = after.is_mated();
        assert_eq!(mated, after.is_mated_by(after.checkers()), "{position}: {m}");
        after.undo(m, undo);
        mated
    });
    Answer { in_check: position.is_check(), legal, checks, mates: Some(mates) }
}

/// Panics with the differences, if there are any.
fn compare(position: &Position, name: &str, ours: &Answer, theirs: &Answer) {
    let moves = |what: &str, ours: &[Move], theirs: &[Move]| {
        if ours != theirs {
            let only = |these: &[Move], those: &[Move]| -> Vec<String> {
                these.iter().filter(|m| !those.contains(m)).map(Move::to_string).collect()
            };
            let (we, they) = (only(ours, theirs), only(theirs, ours));
            panic!("{position}: {what}: only we have {we:?}, only {name} has {they:?}");
        }
    };
    assert_eq!(ours.in_check, theirs.in_check, "{position}: in check, by {name}");
    moves("legal moves", &ours.legal, &theirs.legal);
    moves("checks", &ours.checks, &theirs.checks);
    if let (Some(ours), Some(theirs)) = (&ours.mates, &theirs.mates) {
        moves("mating moves", ours, theirs);
    }
}

/// Where the side to move could drop a pawn before the other king, as far as pawns go.
fn pawn_drop_before_king(position: &Position) -> Option<Square> {
    let (us, king) = (position.turn(), position.king(!position.turn())?);
    let before = attacks::pawn(!us, king).next()?;
    let files = position.pieces(us, Kind::PAWN).into_iter().map(Square::file);
    let free = position.piece(before).is_none() && !files.into_iter().any(|f| f == king.file());
    (free && position.hand(us).has(Kind::PAWN)).then_some(before)
}

/// Asserts that a mated side could drop nothing between its king and the checker, not even a pawn
/// that would be mate. Such a pawn can be taken by the checker unless that is pinned, and then the
/// piece that pins it can take the checker: it is never pinned itself, as the geometry has it.
fn no_drop_between(position: &Position) {
    let (turn, mut checkers) = (position.turn(), position.checkers());
    if let (Some(king), Some(checker), None) =
        (position.king(turn), checkers.next(), checkers.next())
    {
        for (kind, _) in position.hand(turn).pieces() {
            let squares = position.drop_squares(kind) & attacks::between(king, checker);
            assert!(squares.is_empty(), "{position}: {kind:?} on {squares:?}");
        }
    }
}

/// Compares everything in one position, and gives our answer.
fn visit(position: &Position, oracles: &Oracles, ask_lite: bool, seen: &mut Seen) -> Answer {
    oracles.assert_in_step(position);
    let ours = ours(position);
    compare(position, "shunsai", &ours, &oracles.shunsai());
    compare(position, "rsshogi", &ours, &oracles.rsshogi());
    if ask_lite && Oracles::lite_answers(position) {
        compare(position, "shogi_legality_lite", &ours, &oracles.lite(position));
        seen.by_lite += 1;
    }
    let mates = ours.mates.as_deref().unwrap_or_default();
    let rsshogi = oracles.rsshogi_mates_in_one();
    assert_eq!(rsshogi.is_some(), !mates.is_empty(), "{position}: mate in one by rsshogi");
    assert!(rsshogi.is_none_or(|m| mates.contains(&m)), "{position}: rsshogi mates by {rsshogi:?}");

    if let Some(info) = CheckInfo::new(position) {
        let found = position.clone().mate_in_one(&info, &ours.checks).map(|found| found.0);
        assert_eq!(found.is_some(), !mates.is_empty(), "{position}: mate in one by us");
        assert!(found.is_none_or(|m| mates.contains(&m)), "{position}: we mate by {found:?}");
    }

    let checkers = position.checkers();
    assert_eq!(!checkers.is_empty(), ours.in_check, "{position}");
    assert_eq!(position.is_mated(), ours.in_check && ours.legal.is_empty(), "{position}: mated");
    if ours.in_check {
        assert_eq!(position.is_mated_by(checkers), ours.legal.is_empty(), "{position}: mated");
        if ours.legal.is_empty() {
            no_drop_between(position);
        }
        let mut evasions = Vec::new();
        position.evasions(&mut evasions);
        evasions.sort_unstable();
        assert_eq!(evasions, ours.legal, "{position}: evasions");
    } else if let Some(to) = pawn_drop_before_king(position) {
        let mate = oracles.is_mate_after_pawn_drop(to);
        assert_eq!(position.is_pawn_drop_mate(to), mate, "{position}: a pawn on {to}");
        let drop = Move::drop(Kind::PAWN, to);
        assert_eq!(ours.legal.contains(&drop), !mate, "{position}: {drop}");
        seen.pawn_drop_checks += u64::from(!mate);
        seen.pawn_drop_mates += u64::from(mate);
    }

    let count = |moves: &[Move], pick: &dyn Fn(&Move) -> bool| {
        moves.iter().filter(|m| pick(m)).count() as u64
    };
    seen.positions += 1;
    seen.only_black_king += u64::from(position.king(Color::White).is_none());
    seen.only_white_king += u64::from(position.king(Color::Black).is_none());
    seen.legal_moves += ours.legal.len() as u64;
    seen.promotions += count(&ours.legal, &|m| m.promotes());
    seen.drops += count(&ours.legal, &|m| m.is_drop());
    seen.checks += ours.checks.len() as u64;
    seen.drop_checks += count(&ours.checks, &|m| m.is_drop());
    seen.discovered_checks += count(&ours.checks, &|&m| {
        let mut after = position.clone();
        after.play(m);
        !after.checkers().into_iter().all(|checker| checker == m.to())
    });
    seen.in_check += u64::from(ours.in_check);
    seen.double_checks += u64::from(checkers.is_many());
    seen.counter_checks += if ours.in_check { ours.checks.len() as u64 } else { 0 };
    seen.mated += u64::from(ours.in_check && ours.legal.is_empty());
    seen.stalemates += u64::from(!ours.in_check && ours.legal.is_empty());
    seen.mates_in_one += u64::from(!mates.is_empty());
    seen.mating_moves += mates.len() as u64;
    ours
}

/// The walk of this number: the same on every machine, whatever other walks have been to.
fn walk(number: u64, is_new: impl Fn((u128, [Hand; 2])) -> bool, seen: &mut Seen) {
    let mut random = SplitMix64::new(number);
    let root = Root::ALL[number as usize % Root::ALL.len()];
    let mut position = root.position(&mut random);
    let mut oracles = Oracles::new(&position);
    for _ in 0..root.longest_walk() {
        let hands = Color::ALL.map(|color| position.hand(color));
        let ask_lite = random.below(LITE_SHARE) == 0;
        let answer = if is_new((position.key(), hands)) {
            visit(&position, &oracles, ask_lite, seen)
        } else {
            ours(&position)
        };
        let Some(m) = choose(&answer.legal, &answer.checks, &mut random) else { break };
        position.play(m);
        oracles.play(m);
    }
    seen.walks += 1;
}

#[test]
fn three_other_boards_agree() {
    let wanted = std::env::var("YOMIKIRI_POSITIONS").ok().map(|n| n.parse().expect("a number"));
    let wanted: u64 = wanted.unwrap_or(DEFAULT_POSITIONS);
    // Positions count once, however often walks come through.
    let visited = Mutex::new(HashSet::new());
    let is_new = |key| visited.lock().expect("nobody panicked").insert(key);
    let walks = AtomicU64::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let seen = thread::scope(|scope| {
        let walkers: Vec<_> = (0..cores)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = Seen::default();
                    while (visited.lock().expect("nobody panicked").len() as u64) < wanted {
                        walk(walks.fetch_add(1, Ordering::Relaxed), is_new, &mut seen);
                    }
                    seen
                })
            })
            .collect();
        let parts = walkers.into_iter().map(|walker| walker.join().expect("the boards agree"));
        parts.reduce(Seen::with).expect("there is a core")
    });
    println!("{seen}");
    for (name, count) in seen.classes() {
        assert!(count > 0, "no {name} at all: this test is blind");
    }
}

/// A pawn drop that is mate is illegal, one that is no mate is legal; and the rest of the rule.
#[test]
fn pawn_drop_mates_by_hand() {
    let is_mate = |sfen: &str, to: &str| {
        let position = read(sfen);
        let to = Square::from_usi(to).expect("a square");
        assert_eq!(pawn_drop_before_king(&position), Some(to), "{sfen}");
        let mate = Oracles::new(&position).is_mate_after_pawn_drop(to);
        assert_eq!(position.is_pawn_drop_mate(to), mate, "{sfen}");
        let drop = Move::drop(Kind::PAWN, to);
        assert_eq!(position.is_legal(drop), !mate, "{sfen}");
        let mut checks = Vec::new();
        position.checks(&mut checks);
        assert_eq!(checks.contains(&drop), !mate, "{sfen}");
        visit(&position, &Oracles::new(&position), true, &mut Seen::default());
        mate
    };
    // Nobody can take the pawn.
    assert!(is_mate("7lk/9/7S1/9/9/9/9/9/9 b P 1", "1b"));
    // The gold takes it.
    assert!(!is_mate("7lk/7g1/7S1/9/9/9/9/9/9 b P 1", "1b"));
    // The gold is pinned: to take, it would have to leave the bishop's diagonal.
    assert!(is_mate("7lk/7g1/6B1S/9/9/9/9/9/9 b P 1", "1b"));
    // The rook is pinned too, but takes along the line on which it is pinned.
    assert!(!is_mate("7lk/9/7S1/8r/8L/9/9/9/9 b P 1", "1b"));
    // The king takes: nothing guards the pawn.
    assert!(!is_mate("7lk/7p1/9/9/9/9/9/9/9 b P 1", "1b"));
    // Black's own king may guard it.
    assert!(is_mate("7lk/7p1/8K/9/9/9/9/9/9 b P 1", "1b"));
    // And from the other side.
    assert!(is_mate("9/9/9/9/9/9/1s7/9/KL7 w p 1", "9h"));
}
