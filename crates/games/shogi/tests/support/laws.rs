//! Laws of the board: what holds in every position whatever the rules of shogi are. The tests check
//! them along random walks, the fuzz targets wherever a fuzzer gets to.
//!
//! Every function panics with the position's SFEN where its law is broken.

use yomikiri_shogi::{
    Bitboard, CheckInfo, Color, Hand, Kind, Move, Piece, Position, SfenError, SfenFault, Square,
    attacks,
};

/// Every law of a position and of each of its legal moves.
pub fn position(position: &Position) {
    board(position);
    text(position);
    generators(position);
    turned_round(position);
    moves(position);
}

fn generated(position: &Position, generate: impl Fn(&Position, &mut Vec<Move>)) -> Vec<Move> {
    // What is in the list already must stay there.
    let before = vec![Move::drop(Kind::ROOK, Square::all().next().expect("there are squares")); 2];
    let mut moves = before.clone();
    generate(position, &mut moves);
    assert_eq!(moves[..2], before[..], "{position}: the list was not appended to");
    moves.drain(..2);
    moves
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

/// The legal moves, in order.
pub fn legal(position: &Position) -> Vec<Move> {
    sorted(generated(position, Position::legal_moves))
}

/// The moves that give check, in order.
pub fn checks(position: &Position) -> Vec<Move> {
    sorted(generated(position, Position::checks))
}

/// The same position made piece by piece.
fn rebuilt(position: &Position) -> Position {
    let mut built = Position::empty();
    // White first, and from the last square, so that the order is not the one of any other way.
    built.set_turn(Color::White);
    let mut squares: Vec<Square> = Square::all().collect();
    squares.reverse();
    for square in squares {
        // Something else stands there first.
        built.set(square, Some(Piece::new(Color::Black, Kind::GOLD)));
        built.set(square, position.piece(square));
    }
    for color in Color::ALL {
        let hand = position.hand(color);
        let pieces = hand.pieces().fold(Hand::EMPTY, |hand, (kind, n)| hand.with(kind, n));
        assert_eq!(pieces, hand, "{position}");
        built.set_hand(color, pieces);
    }
    built.set_turn(position.turn());
    built
}

/// Asserts that two positions are the same in everything that can be asked of them.
fn same(a: &Position, b: &Position, why: &str) {
    assert_eq!(a, b, "{why}");
    assert_eq!(a.key(), b.key(), "{a}: {why}, but the key is not");
    for color in Color::ALL {
        assert_eq!(a.king(color), b.king(color), "{a}: {why}, but the king's square is not");
        assert_eq!(a.of(color), b.of(color), "{a}: {why}, but a side's squares are not");
        assert_eq!(a.golds(color), b.golds(color), "{a}: {why}, but the golds are not");
    }
    for kind in Kind::ALL {
        assert_eq!(a.kind(kind), b.kind(kind), "{a}: {why}, but the squares of {kind:?} are not");
    }
}

/// The sets of squares say what the squares say, and the key is the one made from scratch.
pub fn board(position: &Position) {
    same(position, &rebuilt(position), "rebuilt");
    let select = |pick: &dyn Fn(Piece) -> bool| -> Bitboard {
        Square::all().filter(|&at| position.piece(at).is_some_and(pick)).collect()
    };
    assert_eq!(position.occupied(), select(&|_| true), "{position}");
    for color in Color::ALL {
        assert_eq!(position.of(color), select(&|piece| piece.color() == color), "{position}");
        let gold = |piece: Piece| piece.color() == color && piece.kind().moves_as_gold();
        assert_eq!(position.golds(color), select(&gold), "{position}");
        for kind in Kind::ALL {
            let both = |piece: Piece| piece.kind() == kind && piece.color() == color;
            assert_eq!(position.pieces(color, kind), select(&both), "{position}");
        }
        assert_eq!(position.king(color), position.pieces(color, Kind::KING).next(), "{position}");
    }
}

/// What is printed can be read again.
pub fn text(position: &Position) {
    let text = position.to_string();
    let read = Position::from_sfen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    same(&read, position, "printed and read");
    assert_eq!(read.to_string(), text);
}

/// Any text is either a position that can be, or wrong at one of its characters for a reason.
pub fn reading(text: &str) {
    let parsed = Position::parse_with_moves(text);
    match Position::from_sfen(text) {
        Ok(position) => {
            assert_eq!(position.validate(), Ok(()), "{text}");
            board(&position);
            self::text(&position);
            assert!(parsed.is_ok(), "{text}");
        }
        Err(error) => {
            assert!(error.at <= text.chars().count(), "{text}: {error}");
            let message = error.to_string();
            assert!(message.starts_with(&format!("character {}: ", error.at)), "{text}: {message}");
            match (parsed, error.fault) {
                (Ok((_, moves)), SfenFault::IllegalMove(m)) => {
                    assert!(moves.contains(&(error.at, m)), "{text}: {message}");
                }
                (Err(parsed), fault) => assert_eq!(parsed, SfenError { at: error.at, fault }),
                (Ok(_), fault) => panic!("{text}: {fault}, but only when read to the end"),
            }
        }
    }
}

/// The generators agree with each other, and with what happens when a move is played.
pub fn generators(position: &Position) {
    let legal = legal(position);
    assert!(legal.windows(2).all(|pair| pair[0] != pair[1]), "{position}: a move twice");
    let checks = checks(position);
    let info = CheckInfo::new(position);
    assert_eq!(info.is_some(), position.king(!position.turn()).is_some(), "{position}");
    let giving: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| info.as_ref().is_some_and(|info| position.gives_check(info, m)))
        .collect();
    assert_eq!(checks, giving, "{position}: checks against legal moves that give check");
    let played: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| {
            let mut after = position.clone();
            after.play(m);
            after.is_check()
        })
        .collect();
    assert_eq!(checks, played, "{position}: checks against checks when played");
    let in_check = position.is_check();
    assert_eq!(in_check, !position.checkers().is_empty(), "{position}");
    if in_check {
        let evasions = sorted(generated(position, Position::evasions));
        assert_eq!(evasions, legal, "{position}: evasions against legal moves");
    }
    assert_eq!(position.is_mated(), in_check && legal.is_empty(), "{position}: mated");
    if in_check {
        let mated = position.is_mated_by(position.checkers());
        assert_eq!(mated, legal.is_empty(), "{position}: mated by its checkers");
        ways_out(position, &legal);
    }
    if let Some(info) = info {
        let free = position.checks_with(&info, &mut Vec::new());
        assert_eq!(free, position.free_squares(&info), "{position}: where the other king could go");
        mates_in_one(position, &info, &checks);
        room_left(position, &info, free, &checks);
    }
}

/// What is said of the answers to a check without making them agrees with the answers.
fn ways_out(position: &Position, answers: &[Move]) {
    let (turn, checkers) = (position.turn(), position.checkers());
    let king = position.king(turn).expect("it is in check");
    let mut ways: Vec<(Option<Square>, Square)> =
        answers.iter().map(|m| (m.from(), m.to())).collect();
    ways.sort_unstable();
    ways.dedup();
    assert_eq!(position.ways_out(checkers), ways.len() as u32, "{position}: ways out");
    if let (Some(checker), false) = (checkers.first(), checkers.is_many()) {
        let targets = checkers | attacks::between(king, checker);
        let by_others = ways.iter().any(|way| way.0.is_some_and(|from| from != king));
        assert_eq!(position.has_board_move_to(targets), by_others, "{position}: other moves");
    }
}

/// The king has at least the room that is said to be left after every check; after drops, which open no
/// line, just that.
fn room_left(position: &Position, info: &CheckInfo, free: Bitboard, checks: &[Move]) {
    let said = |checks: &[Move]| {
        let found = position.clone().mating_check(info, free, checks, |_, _| None::<()>);
        found.expect_err("nothing is taken for a mate")
    };
    let least = |checks: &[Move]| {
        let left = checks.iter().map(|&m| {
            let mut after = position.clone();
            after.play(m);
            (after.moves_out(after.checkers()).0 & free).count()
        });
        left.fold(free.count(), u32::min)
    };
    assert!(said(checks) <= least(checks), "{position}: room after checks");
    let drops: Vec<Move> = checks.iter().copied().filter(|m| m.is_drop()).collect();
    assert_eq!(said(&drops), least(&drops), "{position}: room after drops");
}

/// A mate in one is found exactly if one of the checks mates.
fn mates_in_one(position: &Position, info: &CheckInfo, checks: &[Move]) {
    let mut board = position.clone();
    let found = board.mate_in_one(info, checks);
    same(&board, position, "looked for a mate in one");
    let mates = checks.iter().filter(|&&m| {
        let mut after = position.clone();
        after.play(m);
        after.is_mated()
    });
    assert_eq!(found.is_some(), mates.count() > 0, "{position}: mate in one");
    if let Some((m, checkers)) = found {
        board.play(m);
        assert!(board.is_mated(), "{position}: {m} is no mate");
        assert_eq!(board.checkers(), checkers, "{position}: {m}");
    }
}

fn turned(m: Move) -> Move {
    match (m.from(), m.dropped()) {
        (Some(from), _) => Move::new(from.flipped(), m.to().flipped(), m.promotes()),
        (None, Some(kind)) => Move::drop(kind, m.to().flipped()),
        (None, None) => unreachable!("{m} is neither a drop nor a move of a piece"),
    }
}

/// Turned round, everything is the same for the other side.
pub fn turned_round(position: &Position) {
    let flipped = position.flipped();
    same(&flipped.flipped(), position, "turned round twice");
    assert_ne!(flipped.key(), position.key(), "{position}: the side to move is in the key");
    assert_eq!(flipped.is_check(), position.is_check(), "{position}");
    assert_eq!(flipped.is_mated(), position.is_mated(), "{position}");
    assert_eq!(flipped.validate().is_ok(), position.validate().is_ok(), "{position}");
    for generate in [legal, checks] {
        let there = sorted(generate(position).into_iter().map(turned).collect());
        assert_eq!(generate(&flipped), there, "{position}: turned round");
    }
}

/// A move can be taken back, announces what it does, and leads to a position that can be.
pub fn moves(position: &Position) {
    let mut board = position.clone();
    for m in legal(position) {
        let after = position.after(m);
        let piece = position.piece_after(m);
        assert!(position.is_legal(m), "{position}: {m}");
        let undo = board.play(m);
        assert_eq!(board.piece(m.to()), piece, "{position}: {m}");
        assert_eq!(board.turn(), !position.turn(), "{position}: {m}");
        let announced = (board.key(), board.hand(position.turn()));
        assert_eq!(after, announced, "{position}: {m}: what comes after it");
        same(&board, &rebuilt(&board), "rebuilt after a move");
        assert_eq!(board.material(), position.material(), "{position}: {m}: material");
        assert_eq!(board.validate(), Ok(()), "{position}: {m}");
        board.undo(m, undo);
        same(&board, position, "taken back");
        assert_eq!(Move::from_usi(&m.to_string()), Some(m), "{position}: {m}");
    }
}

/// Hands are a lattice, kind by kind; packing loses nothing.
pub fn hands(a: Hand, b: Hand) {
    let with = |pick: &dyn Fn(u8, u8) -> u8| {
        Kind::HAND
            .into_iter()
            .fold(Hand::EMPTY, |hand, kind| hand.with(kind, pick(a.count(kind), b.count(kind))))
    };
    let within = Kind::HAND.into_iter().all(|kind| a.count(kind) <= b.count(kind));
    assert_eq!(a.within(b), within, "{a:?} {b:?}");
    assert_eq!(a.join(b), with(&|a, b| a.max(b)), "{a:?} {b:?}");
    assert_eq!(a.meet(b), with(&|a, b| a.min(b)), "{a:?} {b:?}");
    assert_eq!(Hand::unpack(a.pack()), a);
    assert_eq!(a.pack() == b.pack(), a == b, "{a:?} {b:?}");
    assert_eq!(a.join(b).less(b), a.less(a.meet(b)), "{a:?} {b:?}");
    let total = Kind::HAND.into_iter().map(|kind| u32::from(a.count(kind))).sum::<u32>();
    assert_eq!(a.total(), total, "{a:?}");
    assert_eq!(a.is_empty(), total == 0, "{a:?}");
    assert!(a.within(Hand::full_set()), "{a:?}");
    for kind in Kind::HAND {
        assert_eq!(a.has(kind), a.count(kind) > 0, "{a:?}");
        assert_eq!(a.without(kind), a.with(kind, 0), "{a:?}");
        if a.has(kind) {
            assert_eq!(a.minus(kind), a.with(kind, a.count(kind) - 1), "{a:?}");
            assert_eq!(a.minus(kind).plus(kind), a);
        }
        if kind.can_promote() && a.count(kind) < Kind::SET[kind.index()] {
            assert_eq!(a.plus(kind.promoted()), a.plus(kind), "{a:?}");
        }
    }
}
