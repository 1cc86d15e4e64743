//! Positions to test in: a few chosen ones, random ones, and random walks from both.

use andor::SplitMix64;
use yomikiri_shogi::{Bitboard, Color, Hand, Kind, Move, Piece, Position, START, Square, attacks};

/// A position from the middle of a game that many move generators are timed with (指し手生成祭り).
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

/// A position with 593 legal moves, the most there can be.
pub const MAX_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// Problems with one king, made for what they force a generator to get right.
pub const PROBLEMS: [&str; 8] = [
    // 頭金: one gold mates.
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    // A pawn dropped on 1b would be mate.
    "7lk/9/7S1/9/9/9/9/9/9 b P2r2b4g3s4n3l17p 1",
    // The same, but the gold may take the pawn.
    "7lk/7g1/7S1/9/9/9/9/9/9 b GP2r2b2g3s4n3l17p 1",
    // Sliders far away: many interpositions.
    "9/4k4/9/9/3L5/9/9/9/9 b 2R2B4g4s4n3l18p 1",
    // Pieces that may move or promote away from a slider's line.
    "4k4/9/4N4/4S4/4R4/2B6/9/9/9 b 2PLrb4g3s3n3l16p 1",
    // Defenders pinned to their king.
    "3gk1g2/3sp4/9/1B2L4/9/9/9/9/4R4 b G2Nrbg3s2n3l17p 1",
    // A king among attackers.
    "9/3+P1+P3/4k4/2S3S2/9/9/9/9/9 b RBGNLPrb3g2s3n3l15p 1",
    // Nothing to give check with but what must be taken first.
    "6skl/6g1p/5+R3/7B1/9/9/9/9/9 b N2Prb3g3s3n3l15p 1",
];

/// Where a walk starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The start of a game.
    Start,
    /// [`MATSURI`].
    Matsuri,
    /// [`MAX_MOVES`].
    MaxMoves,
    /// One of [`PROBLEMS`], from either side.
    Problem,
    /// A random position with both kings.
    TwoKings,
    /// A random position with one king.
    OneKing,
}

impl Root {
    /// All of them, the random ones several times: their walks are the shortest.
    pub const ALL: [Root; 14] = [
        Root::Start,
        Root::Matsuri,
        Root::MaxMoves,
        Root::Problem,
        Root::TwoKings,
        Root::TwoKings,
        Root::TwoKings,
        Root::TwoKings,
        Root::TwoKings,
        Root::OneKing,
        Root::OneKing,
        Root::OneKing,
        Root::OneKing,
        Root::OneKing,
    ];

    /// How many moves a walk may have. Random positions are at their best in the beginning.
    pub fn longest_walk(self) -> usize {
        match self {
            Root::Start | Root::Matsuri | Root::MaxMoves => 150,
            Root::Problem | Root::TwoKings | Root::OneKing => 25,
        }
    }

    /// A position of this sort.
    pub fn position(self, random: &mut SplitMix64) -> Position {
        match self {
            Root::Start => read(START),
            Root::Matsuri => read(MATSURI),
            Root::MaxMoves => read(MAX_MOVES),
            Root::Problem => {
                let position = read(PROBLEMS[random.below(PROBLEMS.len())]);
                if random.percent(50) { position.flipped() } else { position }
            }
            Root::TwoKings => random_position(random, true),
            Root::OneKing => random_position(random, false),
        }
    }
}

/// Reads a position that must be right.
pub fn read(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// The next move of a walk: half the time one of the checks, if there are any.
pub fn choose(legal: &[Move], checks: &[Move], random: &mut SplitMix64) -> Option<Move> {
    let from = if !checks.is_empty() && random.percent(50) { checks } else { legal };
    (!from.is_empty()).then(|| from[random.below(from.len())])
}

/// A random position that can be, with few pieces, half of them near a king.
pub fn random_position(random: &mut SplitMix64, both_kings: bool) -> Position {
    loop {
        let position = random_setup(random, both_kings);
        if position.validate().is_ok() {
            return position;
        }
    }
}

fn random_square(random: &mut SplitMix64) -> Square {
    let at = (1 + random.below(9) as u8, 1 + random.below(9) as u8);
    Square::new(at.0, at.1).expect("both are from 1 to 9")
}

/// Half the time near the edge on the far side of `color`, where most kings are mated.
fn random_king_square(random: &mut SplitMix64, color: Color) -> Square {
    if random.percent(50) {
        return random_square(random);
    }
    let (file, rank) = (1 + random.below(9) as u8, 1 + random.below(2) as u8);
    let square = Square::new(file, rank).expect("both are from 1 to 9");
    if color == Color::White { square } else { square.flipped() }
}

fn random_setup(random: &mut SplitMix64, both_kings: bool) -> Position {
    let mut position = Position::empty();
    let defender = Color::ALL[random.below(2)];
    let king = random_king_square(random, defender);
    position.set(king, Some(Piece::new(defender, Kind::KING)));
    if both_kings {
        let other = random_king_square(random, !defender);
        if position.piece(other).is_none() {
            position.set(other, Some(Piece::new(!defender, Kind::KING)));
        }
    }
    let mut rest = Hand::full_set();
    for _ in 0..2 + random.below(16) {
        let mut square = random_square(random);
        if random.percent(60) {
            let near: Vec<Square> = attacks::king(king).flat_map(attacks::king).collect();
            square = near[random.below(near.len())];
        }
        let mut kind = Kind::HAND[random.below(7)];
        let color = if random.percent(60) { !defender } else { defender };
        if !rest.has(kind) || position.piece(square).is_some() {
            continue;
        }
        let raw = kind;
        if kind.can_promote() && random.percent(25) {
            kind = kind.promoted();
        }
        let pawns = position.pieces(color, Kind::PAWN);
        let doubled = !(pawns & Bitboard::file_of(square)).is_empty();
        if attacks::reach(kind, color, square).is_empty() || kind == Kind::PAWN && doubled {
            continue;
        }
        position.set(square, Some(Piece::new(color, kind)));
        rest = rest.minus(raw);
    }
    // The rest: all to the defender but a few, as in most problems; or at random; or to nobody.
    let share = random.below(4);
    let mut hands = [Hand::EMPTY; 2];
    for (kind, count) in rest.pieces() {
        for _ in 0..count {
            let color = match share {
                0 => Some(if random.percent(10) { !defender } else { defender }),
                1 => Some(Color::ALL[random.below(2)]),
                2 => random.percent(15).then(|| Color::ALL[random.below(2)]),
                _ => (kind == Kind::PAWN && random.percent(20)).then_some(!defender),
            };
            if let Some(color) = color {
                hands[color.index()] = hands[color.index()].plus(kind);
            }
        }
    }
    for color in Color::ALL {
        position.set_hand(color, hands[color.index()]);
    }
    position.set_turn(if random.percent(70) { !defender } else { defender });
    position
}
