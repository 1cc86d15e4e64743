//! Why a text cannot be read.
//!
//! Every reason is a value, so that a program can tell them apart and say them in its own words;
//! in English they say themselves.

use std::fmt;

use thiserror::Error;

use crate::piece::{Color, Kind};
use crate::sfen::SfenFault;
use crate::square::Square;
use crate::validate::Illegal;

use super::japanese::{kind_name, mark, square_name};

/// Why a text cannot be read, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ReadError {
    /// The line, from 0.
    pub line: usize,
    /// The column, in characters from 0.
    pub column: usize,
    /// What is wrong.
    pub reason: ReadReason,
}

impl fmt::Display for ReadError {
    /// Lines and columns are counted from 1 here.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line + 1, self.column + 1, self.reason)
    }
}

impl ReadError {
    /// An error at a line and a column.
    pub(super) fn at(place: (usize, usize), reason: impl Into<ReadReason>) -> ReadError {
        ReadError { line: place.0, column: place.1, reason: reason.into() }
    }

    /// An error at the character of a text that begins at this byte.
    pub(super) fn at_byte(text: &str, byte: usize, reason: impl Into<ReadReason>) -> ReadError {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        ReadError::at((line, column), reason)
    }
}

/// What can be wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadReason {
    /// A text of white space.
    #[error("there is nothing in it")]
    Nothing,
    /// No format that we know.
    #[error("this is neither SFEN nor KIF, KI2, CSA or JKF")]
    Format,
    /// Bytes in neither encoding.
    #[error("neither UTF-8 nor Shift_JIS at byte {at}{}", if *utf16 { "; it looks like UTF-16" } else { "" })]
    Encoding {
        /// The first byte that fits neither.
        at: usize,
        /// Does the file begin as one in UTF-16 does?
        utf16: bool,
    },
    /// A position that cannot be.
    #[error(transparent)]
    Position(#[from] Illegal),
    /// More than one side has all the rest.
    #[error("only one side can have all the rest")]
    TwoRests,
    /// A move that cannot be played.
    #[error("{}{reason}", name(*number, written.as_deref()))]
    Move {
        /// Its number, from 1, if the format counts moves.
        number: Option<usize>,
        /// The move as it is written, if it is one word.
        written: Option<String>,
        /// What is wrong with it.
        reason: MoveReason,
    },
    /// Something that is no move.
    #[error("'{0}' is no move: moves are written like ７六歩 or 同銀")]
    NoMove(String),
    /// Something else where a move has its piece.
    #[error("'{0}' is no piece")]
    NoPiece(String),
    /// Something behind a move.
    #[error("'{0}' is not expected after a move")]
    AfterMove(String),
    /// A move behind the end.
    #[error("a move after the end of the line")]
    AfterEnd,
    /// In SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenFault),
    /// In KIF or KI2.
    #[error(transparent)]
    Kif(#[from] KifReason),
    /// In CSA.
    #[error(transparent)]
    Csa(#[from] CsaReason),
    /// In JKF.
    #[error(transparent)]
    Jkf(#[from] JkfReason),
}

/// What stands before the reason: `move 3, ３二金: `.
fn name(number: Option<usize>, written: Option<&str>) -> String {
    match (number, written) {
        (Some(number), Some(written)) => format!("move {number}, {written}: "),
        (Some(number), None) => format!("move {number}: "),
        (None, Some(written)) => format!("{written}: "),
        (None, None) => String::new(),
    }
}

impl From<MoveReason> for ReadReason {
    fn from(reason: MoveReason) -> ReadReason {
        ReadReason::Move { number: None, written: None, reason }
    }
}

/// Why a written move is no legal one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveReason {
    /// A mark of the side that is not to move.
    #[error("{} is to move, not {}", mark(*.0), mark(!*.0))]
    Marked(Color),
    /// A move of the side that is not to move.
    #[error("it is the other side's move")]
    OtherSide,
    /// 同 as a first move.
    #[error("同, but there is no move before it")]
    NothingBefore,
    /// Nothing stands where the move comes from.
    #[error("there is no piece on {}", square_name(*.0))]
    EmptySquare(Square),
    /// The other side's piece stands where the move comes from.
    #[error("the piece on {} belongs to the other side", square_name(*.0))]
    OtherSidesPiece(Square),
    /// Nothing, or the other side's piece, stands where the move comes from.
    #[error("there is no piece of this side on {}", square_name(*.0))]
    NoOwnPiece(Square),
    /// Another kind of piece stands where the move comes from.
    #[error("the piece on {} is {}, not {}", square_name(*square), kind_name(*there), kind_name(*said))]
    OtherKind {
        /// Where it comes from.
        square: Square,
        /// What stands there.
        there: Kind,
        /// What the move says.
        said: Kind,
    },
    /// 打 with a square that the piece comes from.
    #[error("打, but also where it comes from ({})", square_name(*.0))]
    DropFrom(Square),
    /// Several moves that are written so.
    #[error("more than one move can be meant: {}", .0.join(", "))]
    Ambiguous(Vec<String>),
    /// No move that is written so, but some of this kind to this square.
    #[error("no such move; {} would be legal", .0.join(", "))]
    NoSuchMove(Vec<String>),
    /// No move of this kind to this square.
    #[error("no {} can go to {}", kind_name(*kind), square_name(*to))]
    NoneGoes {
        /// Which.
        kind: Kind,
        /// Where to.
        to: Square,
    },
    /// A move against a rule.
    #[error("{name} is not legal: {rule}")]
    Illegal {
        /// The move in Japanese.
        name: String,
        /// The rule.
        rule: BrokenRule,
    },
    /// A kind that is never in hand.
    #[error("{} is never in hand", kind_name(*.0))]
    NeverInHand(Kind),
    /// In CSA, a move to 00.
    #[error("a move cannot go to 00")]
    ToHand,
    /// In JKF, a first move without `to`.
    #[error("a move without 'to', and no move before it")]
    NoDestination,
    /// In JKF, letters that say nothing of where the piece comes from.
    #[error("relative: '{0}' is unknown")]
    Relative(String),
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BrokenRule {
    /// Dropped without having it.
    #[error("there is none in hand")]
    NoneInHand,
    /// Dropped on a piece.
    #[error("the square is not empty")]
    Occupied,
    /// Dropped where it has no move for ever (行き所のない駒).
    #[error("it could never move again")]
    DeadEnd,
    /// A second pawn on a file.
    #[error("there is a pawn on the file (二歩)")]
    TwoPawns,
    /// Mate by a pawn drop.
    #[error("it is mate by a pawn drop (打ち歩詰め)")]
    PawnDropMate,
    /// Nothing to move.
    #[error("there is no piece to move")]
    NoPiece,
    /// A move onto an own piece.
    #[error("its own piece stands there")]
    OwnPiece,
    /// Not how the piece moves.
    #[error("it does not go there")]
    NotItsMove,
    /// A promotion that there is not.
    #[error("it cannot promote")]
    CannotPromote,
    /// A promotion that there must be.
    #[error("it must promote")]
    MustPromote,
    /// The king is left in check.
    #[error("the king would stand in check")]
    InCheck,
}

/// What can be wrong in KIF and KI2.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KifReason {
    /// A line that is nothing.
    #[error("'{0}' is no move, comment, part of a board or line such as 手合割：平手")]
    NoLine(String),
    /// 手番 of nobody.
    #[error("'{0}' is no side: 先手 or 後手")]
    NoSide(String),
    /// More ranks than a board has.
    #[error("the board has more than 9 ranks")]
    TooManyRanks,
    /// Fewer ranks than a board has.
    #[error("the board has {0} ranks instead of 9")]
    Ranks(u8),
    /// No piece on a board.
    #[error("'{0}' is no piece on a board")]
    BoardPiece(char),
    /// More squares than a rank has.
    #[error("rank {0} has more than 9 squares")]
    TooManySquares(u8),
    /// Fewer squares than a rank has.
    #[error("rank {rank} has {squares} squares instead of 9")]
    Squares {
        /// The rank, from 1.
        rank: u8,
        /// How many squares it has.
        squares: u8,
    },
    /// A rank with the name of another.
    #[error("rank {label}, but rank {rank} comes here")]
    RankOrder {
        /// What it is called.
        label: u8,
        /// What it is.
        rank: u8,
    },
    /// A board turned round.
    #[error("a board seen from White's side: its files must run from 9 to 1")]
    TurnedBoard,
    /// A handicap that is no known one, and no board.
    #[error("手合割：{0} needs a board")]
    NeedsBoard(String),
    /// Nothing to begin with.
    #[error("KIF without a board: there is no board, no 手合割 and no move")]
    NoPosition,
    /// A hand that is none.
    #[error("'{0}' is no hand: write pieces such as 飛　角二　歩十七, or なし, or 残り全部")]
    Hand(String),
    /// More in a hand than a set has.
    #[error("{count} {} are too many: a set has {most}", kind_name(*kind))]
    TooManyInHand {
        /// Which.
        kind: Kind,
        /// How many the hand has.
        count: u32,
        /// How many there may be.
        most: u8,
    },
    /// A move with the number of another.
    #[error("move {expected} is expected here, not {found}")]
    MoveNumber {
        /// The number that it should have.
        expected: usize,
        /// The number that it has.
        found: usize,
    },
    /// A variation of nothing.
    #[error("a variation begins like 変化：5手")]
    Variation,
    /// A variation of a move that is not there.
    #[error("変化：{0}手, but no move {0} comes before it")]
    VariationNumber(u32),
}

/// What can be wrong in CSA.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CsaReason {
    /// More than one record.
    #[error("a second record begins here: only one is read")]
    SecondRecord,
    /// Something behind a statement.
    #[error("'{0}' is not expected here")]
    Unexpected(String),
    /// A line of the header without a value.
    #[error("a line of the header is written like $EVENT:name")]
    Header,
    /// A player of no side.
    #[error("a player is written like N+name or N-name")]
    Player,
    /// A position in the middle of the moves.
    #[error("the position must stand before the moves")]
    LatePosition,
    /// The side to move in the middle of the moves.
    #[error("the side to move must stand before the moves")]
    LateTurn,
    /// No ending of a game.
    #[error("%{0} is unknown")]
    Ending(String),
    /// Two endings.
    #[error("the game ends twice")]
    EndsTwice,
    /// A line that is nothing.
    #[error("'{0}' is no statement of CSA")]
    Statement(String),
    /// No square.
    #[error("{file}{rank} is no square")]
    NoSquare {
        /// The first digit.
        file: u8,
        /// The second digit.
        rank: u8,
    },
    /// No digits where a square should be.
    #[error("a square is two digits, such as 76, or 00 for the hand")]
    Square,
    /// No piece.
    #[error("'{0}' is no piece, such as FU")]
    Piece(String),
    /// A piece taken away that is not there.
    #[error("no such piece to take away")]
    TakenAway,
    /// No part of a position.
    #[error("a position is written with PI, P1 to P9, P+ and P-")]
    Position,
    /// No nine squares.
    #[error("rank {0} has nine squares like +FU, -KY or *")]
    Rank(u8),
    /// Two pieces on a square.
    #[error("there is a piece on {} already", square_name(*.0))]
    Occupied(Square),
    /// A kind that is never in hand.
    #[error("{} is never in hand", kind_name(*.0))]
    NeverInHand(Kind),
    /// More in a hand than a set has.
    #[error("too many {} in hand", kind_name(*.0))]
    TooManyInHand(Kind),
    /// Nothing to begin with.
    #[error("CSA without a position and without moves")]
    NoPosition,
}

/// What can be wrong in JKF. Its pieces are written as in CSA.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum JkfReason {
    /// No JSON, or not what JKF has at this place; in the words of the reader of JSON.
    #[error("JSON: {0}")]
    Json(String),
    /// No ending of a game.
    #[error("special: {0} is unknown")]
    Special(String),
    /// Variations too deep in each other.
    #[error("variations lie more than {0} deep in each other")]
    Deep(usize),
    /// A preset OTHER without a board.
    #[error("a preset OTHER needs data")]
    NoData,
    /// No preset.
    #[error("the preset {0} is unknown")]
    Preset(String),
    /// A board of another size.
    #[error("the board needs nine files of nine squares")]
    Board,
    /// No piece on a board.
    #[error("board: '{letters}' on {x}{y} is no piece of a side")]
    BoardPiece {
        /// What is written.
        letters: String,
        /// The file.
        x: u8,
        /// The rank.
        y: u8,
    },
    /// No piece of a hand.
    #[error("hands: '{0}' is never in hand")]
    HandPiece(String),
    /// More in a hand than a set has.
    #[error("hands: {count} {letters} are too many")]
    TooManyInHand {
        /// How many.
        count: u32,
        /// Of what.
        letters: String,
    },
    /// No side.
    #[error("{0} is no color: 0 or 1")]
    Color(u8),
}
