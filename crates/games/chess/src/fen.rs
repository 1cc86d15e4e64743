//! Positions as text: Forsyth-Edwards Notation (FEN) and the four fields that EPD shares with it.
//!
//! `PIECES SIDE CASTLING EN-PASSANT [HALFMOVES MOVES]`, fields set apart by white space. The last
//! two may be missing (they are 0 and 1 then), the castling letters may be `KQkq` (the outermost
//! rook) or files (`HAha`, Shredder's way to write Chess960). A position is written with `KQkq`
//! where kings and rooks stand as in standard chess, else with files; the en passant square is
//! written only where a capture there is legal. Errors name the byte at which reading stopped.

use std::fmt;
use std::str::FromStr;

use cozy_chess::{
    Board, BoardBuilder, BoardBuilderError, Color, File, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use thiserror::Error;

use crate::position::Position;

/// Why a text is not a position. Every `at` is a byte offset into the text.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// A field is missing.
    #[error("byte {at}: the {field} is missing")]
    Missing {
        /// Where: the end of the text.
        at: usize,
        /// Which field.
        field: &'static str,
    },
    /// A character that means no piece and no run of empty squares.
    #[error("byte {at}: `{found}` is no piece (PNBRQK, pnbrqk) and no run of empty squares (1-8)")]
    BadPiece {
        /// Where.
        at: usize,
        /// The character.
        found: char,
    },
    /// A rank with fewer or more than eight squares.
    #[error("byte {at}: rank {rank} has {squares} squares; 8 are needed")]
    BadRank {
        /// Where the rank ends, or its ninth square.
        at: usize,
        /// The rank, 8 at the top.
        rank: usize,
        /// How many squares were read.
        squares: usize,
    },
    /// A board with fewer or more than eight ranks.
    #[error("byte {at}: the board has {ranks} ranks; 8 are needed")]
    BadRanks {
        /// Where the board ends.
        at: usize,
        /// How many ranks.
        ranks: usize,
    },
    /// A field that cannot be read.
    #[error("byte {at}: `{found}` is no {field} ({wanted})")]
    BadField {
        /// Where.
        at: usize,
        /// What stands there.
        found: String,
        /// What should.
        field: &'static str,
        /// How it is written.
        wanted: &'static str,
    },
    /// Not one king on a side.
    #[error("{side} has {kings} kings; exactly one is needed")]
    Kings {
        /// The side.
        side: &'static str,
        /// How many.
        kings: usize,
    },
    /// More pieces than a game can have.
    #[error("{side} has {pieces} {what}; at most {most} can be on the board")]
    TooMany {
        /// The side.
        side: &'static str,
        /// How many.
        pieces: usize,
        /// Of what.
        what: &'static str,
        /// The most there can be.
        most: usize,
    },
    /// A pawn on the first or last rank.
    #[error("there is a pawn on {square}; pawns stand on ranks 2 to 7")]
    PawnRank {
        /// Where.
        square: Square,
    },
    /// The side that has just moved is in check.
    #[error("{side} is in check, but it is the other side's move")]
    OpponentInCheck {
        /// The side in check.
        side: &'static str,
    },
    /// A castling right without its king or rook in place.
    #[error("byte {at}: castling `{found}` needs the king and that rook on their own first rank")]
    Castling {
        /// Where.
        at: usize,
        /// The letter.
        found: char,
    },
    /// An en passant square that no double step can have left.
    #[error("byte {at}: no pawn can have passed {square} with the last move")]
    EnPassant {
        /// Where.
        at: usize,
        /// The square.
        square: Square,
    },
    /// Something after the last field.
    #[error("byte {at}: `{found}` after the last field")]
    Trailing {
        /// Where.
        at: usize,
        /// What.
        found: String,
    },
}

impl FenError {
    /// The byte at which reading stopped, if the error is in one place and not in the whole.
    pub fn at(&self) -> Option<usize> {
        match *self {
            FenError::Missing { at, .. }
            | FenError::BadPiece { at, .. }
            | FenError::BadRank { at, .. }
            | FenError::BadRanks { at, .. }
            | FenError::BadField { at, .. }
            | FenError::Castling { at, .. }
            | FenError::EnPassant { at, .. }
            | FenError::Trailing { at, .. } => Some(at),
            FenError::Kings { .. }
            | FenError::TooMany { .. }
            | FenError::PawnRank { .. }
            | FenError::OpponentInCheck { .. } => None,
        }
    }
}

/// `white` or `black`.
fn name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The fields of a text, each with its place.
fn fields(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|field| (field.as_ptr() as usize - text.as_ptr() as usize, field))
}

impl Position {
    /// Reads a FEN: four fields, or all six.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let (mut builder, castling, en_passant) = read_four(text)?;
        let mut rest = fields(text).skip(4);
        if let Some((at, found)) = rest.next() {
            let halfmoves: u32 = number(at, found, "count of halfmoves")?;
            builder.halfmove_clock = halfmoves.min(100) as u8;
            let (at, found) = rest
                .next()
                .ok_or(FenError::Missing { at: text.len(), field: "number of the move" })?;
            // Some programs count from 0.
            let moves: u32 = number(at, found, "number of the move")?;
            builder.fullmove_number = moves.clamp(1, u16::MAX.into()) as u16;
        }
        if let Some((at, found)) = rest.next() {
            return Err(FenError::Trailing { at, found: found.to_owned() });
        }
        build(builder, castling, en_passant)
    }

    /// Reads the four fields of an EPD (or FEN) and returns what follows them, unread.
    pub fn from_epd(text: &str) -> Result<(Position, &str), FenError> {
        let (builder, castling, en_passant) = read_four(text)?;
        let rest = fields(text).nth(4).map_or("", |(at, _)| &text[at..]);
        Ok((build(builder, castling, en_passant)?, rest))
    }

    /// The position as a FEN with all six fields.
    pub fn fen(&self) -> String {
        self.to_string()
    }

    /// The first four fields: all that makes a position but its counters.
    pub fn epd(&self) -> String {
        let board = self.board();
        let mut text = String::with_capacity(80);
        for &rank in Rank::ALL.iter().rev() {
            let mut empty = 0;
            for &file in &File::ALL {
                let square = Square::new(file, rank);
                let Some(piece) = board.piece_on(square) else {
                    empty += 1;
                    continue;
                };
                push_empty(&mut text, &mut empty);
                let letter = char::from(piece);
                let white = board.color_on(square) == Some(Color::White);
                text.push(if white { letter.to_ascii_uppercase() } else { letter });
            }
            push_empty(&mut text, &mut empty);
            if rank != Rank::First {
                text.push('/');
            }
        }
        text.push_str(if board.side_to_move() == Color::White { " w " } else { " b " });
        text.push_str(&castling_text(board));
        text.push(' ');
        match self.en_passant() {
            Some(square) => text.push_str(&square.to_string()),
            None => text.push('-'),
        }
        text
    }

    /// The board for people, with files and ranks at the rim.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        for (row, rank) in self.epd().split([' ', '/']).take(8).zip((1..=8).rev()) {
            text.push_str(&rank.to_string());
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(run) => text.push_str(&" .".repeat(run as usize)),
                    None => text.extend([' ', letter]),
                }
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h\n");
        text
    }

    /// Do king and rooks with castling rights stand as in standard chess?
    pub fn is_standard(&self) -> bool {
        Color::ALL.iter().all(|&color| {
            let rights = self.board().castle_rights(color);
            (rights.short.is_none() && rights.long.is_none())
                || (self.board().king(color).file() == File::E
                    && rights.short.is_none_or(|file| file == File::H)
                    && rights.long.is_none_or(|file| file == File::A))
        })
    }
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

fn castling_text(board: &Board) -> String {
    let standard = Position::from(board.clone()).is_standard();
    let mut text = String::new();
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for (file, letter) in [(rights.short, 'k'), (rights.long, 'q')] {
            let Some(file) = file else { continue };
            let letter = if standard { letter } else { char::from(file) };
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.is_empty() { String::from("-") } else { text }
}

fn number(at: usize, found: &str, field: &'static str) -> Result<u32, FenError> {
    let digits = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
    found.parse().ok().filter(|_| digits).ok_or_else(|| FenError::BadField {
        at,
        found: found.to_owned(),
        field,
        wanted: "a whole number",
    })
}

/// Where the letters of a castling field and an en passant square stand, for errors.
type Places<'a> = (usize, &'a str);

/// Reads the first four fields. Castling rights are left to `build`, which needs the whole board.
fn read_four(text: &str) -> Result<(BoardBuilder, Places<'_>, Places<'_>), FenError> {
    let mut fields = fields(text);
    let mut next = |field| fields.next().ok_or(FenError::Missing { at: text.len(), field });
    let mut builder = BoardBuilder::empty();
    let (at, pieces) = next("board")?;
    read_pieces(&mut builder, at, pieces)?;
    let (at, side) = next("side to move (w or b)")?;
    builder.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => {
            let (field, wanted) = ("side to move", "w or b");
            return Err(FenError::BadField { at, found: side.to_owned(), field, wanted });
        }
    };
    let castling = next("castling field (KQkq or -)")?;
    let en_passant = next("en passant field (a square or -)")?;
    Ok((builder, castling, en_passant))
}

fn read_pieces(builder: &mut BoardBuilder, start: usize, text: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::BadRanks { at: start + text.len(), ranks: ranks.len() });
    }
    let mut at = start;
    for (index, row) in ranks.into_iter().enumerate() {
        let rank = 8 - index;
        let mut squares = 0;
        for (offset, letter) in row.char_indices() {
            let at = at + offset;
            if let Some(run @ 1..=8) = letter.to_digit(10) {
                squares += run as usize;
                continue;
            }
            let lower = letter.to_ascii_lowercase();
            let piece: Piece =
                lower.try_into().map_err(|_| FenError::BadPiece { at, found: letter })?;
            let color = if letter == lower { Color::Black } else { Color::White };
            let file = File::try_index(squares).ok_or(FenError::BadRank {
                at,
                rank,
                squares: squares + 1,
            })?;
            builder.board[Square::new(file, Rank::index(rank - 1)) as usize] = Some((piece, color));
            squares += 1;
        }
        at += row.len();
        if squares != 8 {
            return Err(FenError::BadRank { at, rank, squares });
        }
        at += 1;
    }
    Ok(())
}

/// Counts that every board must satisfy, each with its own complaint.
fn check_pieces(builder: &BoardBuilder) -> Result<(), FenError> {
    for color in Color::ALL {
        let side = name(color);
        let count = |wanted: Option<Piece>| {
            let mut pieces = builder.board.iter().flatten().filter(|(_, owner)| *owner == color);
            pieces
                .by_ref()
                .filter(|(piece, _)| wanted.is_none_or(|wanted| *piece == wanted))
                .count()
        };
        let kings = count(Some(Piece::King));
        if kings != 1 {
            return Err(FenError::Kings { side, kings });
        }
        for (what, pieces, most) in
            [("pawns", count(Some(Piece::Pawn)), 8), ("pieces", count(None), 16)]
        {
            if pieces > most {
                return Err(FenError::TooMany { side, pieces, what, most });
            }
        }
    }
    for square in Square::ALL {
        let rim = matches!(square.rank(), Rank::First | Rank::Eighth);
        if rim && matches!(builder.square(square), Some((Piece::Pawn, _))) {
            return Err(FenError::PawnRank { square });
        }
    }
    Ok(())
}

/// The square of a side's king. Exactly one is there.
fn king(builder: &BoardBuilder, color: Color) -> Square {
    let is_king = |square: &Square| builder.square(*square) == Some((Piece::King, color));
    Square::ALL.into_iter().find(is_king).expect("a checked board has both kings")
}

fn build(
    mut builder: BoardBuilder,
    (at, castling): Places<'_>,
    en_passant: Places<'_>,
) -> Result<Position, FenError> {
    check_pieces(&builder)?;
    if in_check(&builder, !builder.side_to_move) {
        return Err(FenError::OpponentInCheck { side: name(!builder.side_to_move) });
    }
    if castling != "-" {
        for (offset, letter) in castling.char_indices() {
            read_right(&mut builder, at + offset, letter)?;
        }
    }
    let (at, found) = en_passant;
    if found != "-" {
        let third = Rank::Third.relative_to(!builder.side_to_move);
        let square: Square =
            found.parse().ok().filter(|square: &Square| square.rank() == third).ok_or_else(
                || FenError::BadField {
                    at,
                    found: found.to_owned(),
                    field: "en passant square",
                    wanted: "the square a pawn has just passed, on rank 6 for white, 3 for black",
                },
            )?;
        builder.en_passant = Some(square);
        return builder.build().map(Position::from).map_err(|error| match error {
            BoardBuilderError::InvalidEnPassant => FenError::EnPassant { at, square },
            other => unreachable!("a checked board was refused: {other}"),
        });
    }
    Ok(builder.build().map(Position::from).expect("a checked board can be built"))
}

/// Is this side's king attacked?
fn in_check(builder: &BoardBuilder, side: Color) -> bool {
    let square = king(builder, side);
    let occupied = Square::ALL.into_iter().filter(|&at| builder.square(at).is_some()).collect();
    let (rook, bishop) = (get_rook_moves(square, occupied), get_bishop_moves(square, occupied));
    Square::ALL.into_iter().any(|from| match builder.square(from) {
        Some((piece, color)) if color != side => match piece {
            Piece::Pawn => get_pawn_attacks(square, side).has(from),
            Piece::Knight => get_knight_moves(square).has(from),
            Piece::Bishop => bishop.has(from),
            Piece::Rook => rook.has(from),
            Piece::Queen => (rook | bishop).has(from),
            Piece::King => get_king_moves(square).has(from),
        },
        _ => false,
    })
}

/// One letter of the castling field.
fn read_right(builder: &mut BoardBuilder, at: usize, letter: char) -> Result<(), FenError> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let king = king(builder, color);
    let home = Rank::First.relative_to(color);
    let is_rook =
        |file: &File| builder.square(Square::new(*file, home)) == Some((Piece::Rook, color));
    let (left, right) = File::ALL.split_at(king.file() as usize);
    let file = match letter.to_ascii_lowercase() {
        'k' => right.iter().rev().find(|file| is_rook(file)).copied(),
        'q' => left.iter().find(|file| is_rook(file)).copied(),
        file @ 'a'..='h' => File::try_from(file).ok().filter(is_rook),
        _ => {
            let (field, wanted) = ("castling right", "KQkq, files such as HAha, or -");
            return Err(FenError::BadField { at, found: letter.to_string(), field, wanted });
        }
    };
    let file =
        file.filter(|_| king.rank() == home).ok_or(FenError::Castling { at, found: letter })?;
    let rights = builder.castle_rights_mut(color);
    *(if file > king.file() { &mut rights.short } else { &mut rights.long }) = Some(file);
    Ok(())
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        write!(f, "{} {} {}", self.epd(), board.halfmove_clock(), board.fullmove_number())
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text)
    }
}
