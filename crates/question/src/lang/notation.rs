//! What is wrong with a position or a record of shogi, in Japanese.

use yomikiri_shogi::notation::japanese::{kind_name, mark, square_name};
use yomikiri_shogi::notation::{
    BrokenRule, CsaReason, JkfReason, KifReason, MoveReason, ReadError, ReadReason,
};
use yomikiri_shogi::{Color, Illegal, SfenFault, SfenPart};

use super::text::Japanese;

fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

impl Japanese for ReadError {
    fn japanese(&self) -> String {
        let (line, column) = (self.line + 1, self.column + 1);
        format!("{line}行目の{column}文字目: {}", self.reason.japanese())
    }
}

impl Japanese for ReadReason {
    fn japanese(&self) -> String {
        match self {
            ReadReason::Nothing => "中身がありません".into(),
            ReadReason::Format => "SFEN でも KIF・KI2・CSA・JKF でもありません".into(),
            ReadReason::Encoding { at, utf16 } => {
                let hint = if *utf16 { "。UTF-16 のようです" } else { "" };
                format!("{at}バイト目が UTF-8 でも Shift_JIS でもありません{hint}")
            }
            ReadReason::Position(illegal) => illegal.japanese(),
            ReadReason::TwoRests => "「残り全部」は一方にしか書けません".into(),
            ReadReason::Move { number, written, reason } => {
                let reason = reason.japanese();
                match (number, written) {
                    (Some(number), Some(written)) => format!("{number}手目 {written}: {reason}"),
                    (Some(number), None) => format!("{number}手目: {reason}"),
                    (None, Some(written)) => format!("{written}: {reason}"),
                    (None, None) => reason,
                }
            }
            ReadReason::NoMove(text) => {
                format!("'{text}' は指し手ではありません。７六歩 や 同銀 のように書きます")
            }
            ReadReason::NoPiece(text) => format!("'{text}' は駒ではありません"),
            ReadReason::AfterMove(text) => format!("指し手のあとに '{text}' は書けません"),
            ReadReason::AfterEnd => "手順が終わったあとに指し手があります".into(),
            ReadReason::Sfen(fault) => fault.japanese(),
            ReadReason::Kif(reason) => reason.japanese(),
            ReadReason::Csa(reason) => reason.japanese(),
            ReadReason::Jkf(reason) => reason.japanese(),
        }
    }
}

impl Japanese for MoveReason {
    fn japanese(&self) -> String {
        match self {
            MoveReason::Marked(turn) => {
                format!("手番は {} で、{} ではありません", mark(*turn), mark(!*turn))
            }
            MoveReason::OtherSide => "相手の手番です".into(),
            MoveReason::NothingBefore => "同 とありますが、前の手がありません".into(),
            MoveReason::EmptySquare(square) => format!("{}に駒がありません", square_name(*square)),
            MoveReason::OtherSidesPiece(square) => {
                format!("{}の駒は相手の駒です", square_name(*square))
            }
            MoveReason::NoOwnPiece(square) => {
                format!("{}に自分の駒がありません", square_name(*square))
            }
            MoveReason::OtherKind { square, there, said } => format!(
                "{}の駒は{}で、{}ではありません",
                square_name(*square),
                kind_name(*there),
                kind_name(*said)
            ),
            MoveReason::DropFrom(square) => {
                format!("打 とありますが、移動元（{}）も書いてあります", square_name(*square))
            }
            MoveReason::Ambiguous(moves) => {
                format!("どの手かわかりません。{} が考えられます", moves.join("、"))
            }
            MoveReason::NoSuchMove(moves) => {
                format!("そのような手はありません。指せるのは {} です", moves.join("、"))
            }
            MoveReason::NoneGoes { kind, to } => {
                format!("{}へ行ける{}はありません", square_name(*to), kind_name(*kind))
            }
            MoveReason::Illegal { name, rule } => format!("{name}は反則です: {}", rule.japanese()),
            MoveReason::NeverInHand(kind) => format!("{}は持駒になりません", kind_name(*kind)),
            MoveReason::ToHand => "移動先を 00 にはできません".into(),
            MoveReason::NoDestination => "`to` がなく、前の手もありません".into(),
            MoveReason::Relative(text) => format!("`relative` の '{text}' がわかりません"),
        }
    }
}

impl Japanese for BrokenRule {
    fn japanese(&self) -> String {
        match self {
            BrokenRule::NoneInHand => "その持駒がありません",
            BrokenRule::Occupied => "空いているマスではありません",
            BrokenRule::DeadEnd => "行き所のない駒になります",
            BrokenRule::TwoPawns => "二歩です",
            BrokenRule::PawnDropMate => "打歩詰です",
            BrokenRule::NoPiece => "動かす駒がありません",
            BrokenRule::OwnPiece => "自分の駒があります",
            BrokenRule::NotItsMove => "その駒の動きではありません",
            BrokenRule::CannotPromote => "成れません",
            BrokenRule::MustPromote => "成らなければなりません",
            BrokenRule::InCheck => "玉が取られます",
        }
        .into()
    }
}

impl Japanese for Illegal {
    fn japanese(&self) -> String {
        match self {
            Illegal::TooMany { kind, count, most } => {
                format!("{}が{count}枚あります。{most}枚までです", kind_name(*kind))
            }
            Illegal::TwoKings(color) => format!("{}の玉が二枚あります", side(*color)),
            Illegal::NoKing => "盤上に玉がありません".into(),
            Illegal::TwoPawns { color, file } => {
                format!("{}の歩が{file}筋に二枚あります（二歩）", side(*color))
            }
            Illegal::DeadEnd { color, kind, square } => format!(
                "{}の{}の{}は行き所のない駒です",
                square_name(*square),
                side(*color),
                kind_name(*kind)
            ),
            Illegal::KingCanBeTaken { turn, king } => {
                format!("{}番で、{}の玉が取れます", side(*turn), square_name(*king))
            }
        }
    }
}

impl Japanese for SfenFault {
    fn japanese(&self) -> String {
        match self {
            SfenFault::NoPiece(c) => format!("'{c}' は駒でも数字でも '/' でもありません"),
            SfenFault::NotPromotable(c) => format!("'{c}' は成れない駒です"),
            SfenFault::Squares { rank, squares } => {
                format!("{rank}段目のマスが{squares}あります。9マスにしてください")
            }
            SfenFault::Ranks(ranks) => format!("盤が{ranks}段あります。9段にしてください"),
            SfenFault::Side(text) => format!("手番は `b` か `w` で、'{text}' ではありません"),
            SfenFault::Missing(part) => {
                let part = match part {
                    SfenPart::Board => "盤面",
                    SfenPart::Side => "手番",
                    SfenPart::Hand => "持駒",
                };
                format!("{part}がありません")
            }
            SfenFault::Hand(c) => {
                format!("持駒に '{c}' は書けません。2Rbg3p のように、なければ - と書きます")
            }
            SfenFault::Count(text) => format!("'{text}' は駒の枚数ではありません"),
            SfenFault::Number(text) => format!("'{text}' は手数ではありません"),
            SfenFault::Trailing(text) => {
                format!("ここに '{text}' は書けません。書けるのは `moves` と指し手だけです")
            }
            SfenFault::NoMove(text) => {
                format!("'{text}' は指し手ではありません。7g7f、8h2b+、P*5e のように書きます")
            }
            SfenFault::IllegalMove(m) => format!("この局面で {m} は指せません"),
            SfenFault::Illegal(illegal) => illegal.japanese(),
        }
    }
}

impl Japanese for KifReason {
    fn japanese(&self) -> String {
        match self {
            KifReason::NoLine(text) => format!(
                "'{text}' は、指し手でもコメントでも盤面でも「手合割：平手」のような行でもありません"
            ),
            KifReason::NoSide(text) => format!("'{text}' は手番ではありません。先手か後手です"),
            KifReason::TooManyRanks => "盤が9段より多くあります".into(),
            KifReason::Ranks(ranks) => format!("盤が{ranks}段しかありません。9段にしてください"),
            KifReason::BoardPiece(c) => format!("'{c}' は盤上の駒ではありません"),
            KifReason::TooManySquares(rank) => format!("{rank}段目に9マスより多くあります"),
            KifReason::Squares { rank, squares } => {
                format!("{rank}段目に{squares}マスしかありません。9マスにしてください")
            }
            KifReason::RankOrder { label, rank } => {
                format!("{label}段目とありますが、ここは{rank}段目です")
            }
            KifReason::TurnedBoard => "後手から見た盤です。筋は９から１の順に書いてください".into(),
            KifReason::NeedsBoard(name) => format!("手合割：{name} には盤面が要ります"),
            KifReason::NoPosition => "KIF に盤面も手合割も指し手もありません".into(),
            KifReason::Hand(text) => format!(
                "'{text}' は持駒ではありません。「飛　角二　歩十七」「なし」「残り全部」のように書きます"
            ),
            KifReason::TooManyInHand { kind, count, most } => {
                format!("{}{count}枚は多すぎます。{most}枚までです", kind_name(*kind))
            }
            KifReason::MoveNumber { expected, found } => {
                format!("ここは{expected}手目で、{found}手目ではありません")
            }
            KifReason::Variation => "変化は「変化：5手」のように始めます".into(),
            KifReason::VariationNumber(number) => {
                format!("変化：{number}手 の前に{number}手目がありません")
            }
        }
    }
}

impl Japanese for CsaReason {
    fn japanese(&self) -> String {
        match self {
            CsaReason::SecondRecord => "二つ目の棋譜が始まっています。読むのは一つだけです".into(),
            CsaReason::Unexpected(text) => format!("ここに '{text}' は書けません"),
            CsaReason::Header => "棋譜情報は $EVENT:棋戦名 のように書きます".into(),
            CsaReason::Player => "対局者は N+名前 か N-名前 のように書きます".into(),
            CsaReason::LatePosition => "局面は指し手より前に書いてください".into(),
            CsaReason::LateTurn => "手番は指し手より前に書いてください".into(),
            CsaReason::Ending(text) => format!("%{text} がわかりません"),
            CsaReason::EndsTwice => "終局が二度あります".into(),
            CsaReason::Statement(text) => format!("'{text}' は CSA の行ではありません"),
            CsaReason::NoSquare { file, rank } => format!("{file}{rank} というマスはありません"),
            CsaReason::Square => "マスは 76 のような2桁の数字、持駒は 00 です".into(),
            CsaReason::Piece(text) => format!("'{text}' は FU のような駒ではありません"),
            CsaReason::TakenAway => "取り除く駒がそこにありません".into(),
            CsaReason::Position => "局面は PI、P1 から P9、P+、P- で書きます".into(),
            CsaReason::Rank(rank) => {
                format!("{rank}段目には +FU、-KY、* のようなマスを九つ書きます")
            }
            CsaReason::Occupied(square) => format!("{}にはもう駒があります", square_name(*square)),
            CsaReason::NeverInHand(kind) => format!("{}は持駒になりません", kind_name(*kind)),
            CsaReason::TooManyInHand(kind) => format!("持駒の{}が多すぎます", kind_name(*kind)),
            CsaReason::NoPosition => "CSA に局面も指し手もありません".into(),
        }
    }
}

impl Japanese for JkfReason {
    fn japanese(&self) -> String {
        match self {
            // The words of the reader of JSON are English, and the place is told.
            JkfReason::Json(_) => "JKF（JSON）として読めません".into(),
            JkfReason::Special(text) => format!("`special` の {text} がわかりません"),
            JkfReason::Deep(depth) => format!("変化の入れ子が{depth}段を超えています"),
            JkfReason::NoData => "`preset` が `OTHER` のときは `data` が要ります".into(),
            JkfReason::Preset(text) => format!("`preset` の {text} がわかりません"),
            JkfReason::Board => "`board` には9マスの筋が九つ要ります".into(),
            JkfReason::BoardPiece { letters, x, y } => {
                format!("`board` の {x}{y} の '{letters}' は駒ではありません")
            }
            JkfReason::HandPiece(letters) => format!("`hands` の '{letters}' は持駒になりません"),
            JkfReason::TooManyInHand { count, letters } => {
                format!("`hands` の {letters} {count}枚は多すぎます")
            }
            JkfReason::Color(color) => format!("`color` は 0 か 1 で、{color} ではありません"),
        }
    }
}
