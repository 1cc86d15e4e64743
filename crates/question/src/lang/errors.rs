//! What the libraries and the system complain of, in Japanese. English is the `Display` of an error.

use std::io::{self, ErrorKind};

use andor::certificate::{CheckError, Fault, HeaderError, WriteError};
use andor::table::{LoadError, SizeError};
use andor::{AssignmentError, CoverError, QuantaError};
use yomikiri_shogi::notation::Unencodable;
use yomikiri_tsume::cook::LineError;
use yomikiri_tsume::make::MakeError;

use super::text::Japanese;

impl Japanese for io::Error {
    fn japanese(&self) -> String {
        let words = match self.kind() {
            ErrorKind::NotFound => "そのようなファイルやフォルダはありません",
            ErrorKind::PermissionDenied => "権限がありません",
            ErrorKind::AlreadyExists => "すでにあります",
            ErrorKind::IsADirectory => "フォルダです",
            ErrorKind::NotADirectory => "フォルダではありません",
            ErrorKind::StorageFull => "ディスクに空きがありません",
            ErrorKind::QuotaExceeded => "割り当てられた容量を超えました",
            ErrorKind::FileTooLarge => "ファイルが大きすぎます",
            ErrorKind::ReadOnlyFilesystem => "読み取り専用です",
            ErrorKind::InvalidFilename => "使えないファイル名です",
            ErrorKind::ResourceBusy => "使用中です",
            ErrorKind::BrokenPipe => "出力先が閉じられました",
            ErrorKind::UnexpectedEof => "途中で終わっています",
            ErrorKind::OutOfMemory => "メモリが足りません",
            ErrorKind::Interrupted => "中断されました",
            _ => {
                return match self.raw_os_error() {
                    Some(code) => format!("システムのエラー（番号 {code}）"),
                    None => self.to_string(),
                };
            }
        };
        words.into()
    }
}

impl Japanese for HeaderError {
    fn japanese(&self) -> String {
        match self {
            HeaderError::NotACertificate => "証明書ではありません".into(),
            HeaderError::Version { written } => {
                format!("証明書の形式 {written} は、このプログラムでは読めません")
            }
            HeaderError::Line { line, expected } => {
                format!("証明書の{line}行目は `{expected}` でなければなりません")
            }
            HeaderError::Io(error) => format!("証明書を読み込めません: {}", error.japanese()),
            other => other.to_string(),
        }
    }
}

impl Japanese for CheckError {
    fn japanese(&self) -> String {
        match self {
            CheckError::Truncated(positions) => {
                format!("証明書が途中で切れています（{positions}局面まで検査）")
            }
            CheckError::Rejected { reason, positions, line } => {
                let reason = reason.japanese();
                let line = if line.is_empty() { "なし" } else { line };
                format!(
                    "証明書は誤りです（{positions}局面まで検査）: {reason}。そこまでの手順: {line}"
                )
            }
            CheckError::Io(error) => format!("証明書を読み込めません: {}", error.japanese()),
            CheckError::Stopped(positions) => {
                format!("証明書の検査を途中で打ち切りました（{positions}局面まで検査）")
            }
            CheckError::Memory { limit, positions } => {
                let limit = limit >> 20;
                format!(
                    "証明書の検査に {limit} MiB を超えるメモリが要ります（{positions}局面まで検査）"
                )
            }
            other => other.to_string(),
        }
    }
}

impl Japanese for Fault {
    fn japanese(&self) -> String {
        match self {
            Fault::NotOver => "まだ終局していません",
            Fault::Lost => "終局していて、証明する側の負けです",
            Fault::IllegalMove => "指せない手です",
            Fault::NoMove => "手番側に指す手がなく、証明する側の負けです",
            Fault::Rank => "順位が、あとの局面の順位より大きくありません",
            Fault::NotKnown => "まだ調べていない局面か、その手数では調べていない局面です",
            Fault::Weakening => "この置き換えは、ルール上認められません",
            Fault::Cut => "手数が残っているか、攻方が目的を達しています",
            Fault::Record => "知らない種類の記録です",
            Fault::Number => "数値が範囲外です",
            Fault::TooLong => "手数が、主張より長くなります",
            Fault::End => "最後の局面数が合わないか、そのあとに余分なものがあります",
            Fault::Bound => "同一局面が攻方に有利なゲームでは、証明に手数はありません",
            other => return other.to_string(),
        }
        .into()
    }
}

impl Japanese for WriteError {
    fn japanese(&self) -> String {
        match self {
            WriteError::Io(error) => format!("証明書を書き込めません: {}", error.japanese()),
            WriteError::Stopped => "証明書を書いている途中で中断しました".into(),
            WriteError::Bound => Fault::Bound.japanese(),
            WriteError::Contradiction(line) => format!("判定が成り立ちません: {line}"),
            other => other.to_string(),
        }
    }
}

impl Japanese for LoadError {
    fn japanese(&self) -> String {
        match self {
            LoadError::NotATable => "保存した置換表ではありません".into(),
            LoadError::Version { found } => {
                format!("置換表の形式 {found} は、このプログラムでは読めません")
            }
            LoadError::Tag { found } => format!("別の問題の置換表です（{found}）"),
            LoadError::Size { found, expected } => format!(
                "置換表の大きさが違います（保存時 {found} バイト、今回 {expected} バイト）。保存時と同じ --hash を指定してください"
            ),
            LoadError::Memory(error) => error.japanese(),
            LoadError::Damaged => "置換表のファイルが壊れています".into(),
            LoadError::Io(error) => format!("置換表を読み込めません: {}", error.japanese()),
            other => other.to_string(),
        }
    }
}

impl Japanese for SizeError {
    fn japanese(&self) -> String {
        match self {
            SizeError::TooSmall(bytes) => format!("{bytes} バイトでは置換表に足りません"),
            SizeError::NoMemory(bytes) => {
                format!("{bytes} バイトの置換表を置くメモリがありません。小さくしてください")
            }
            other => other.to_string(),
        }
    }
}

impl Japanese for LineError {
    fn japanese(&self) -> String {
        match self {
            LineError::Illegal { ply, m } => {
                format!("{}手目 {m} は、指せない手か、王手でない手です", ply + 1)
            }
            LineError::NoMate => "手順の最後が詰みではありません".into(),
        }
    }
}

impl Japanese for MakeError {
    fn japanese(&self) -> String {
        match self {
            MakeError::Lengths { shortest, longest } => {
                format!("{shortest}手から{longest}手の詰将棋はありません。手数は奇数です")
            }
            MakeError::Begin => {
                "最初の局面のどれも、手数が分かりませんでした。--nodes を増やしてください".into()
            }
            MakeError::Contradiction(sfen) => {
                format!("探索結果が矛盾しました。この局面を作者に知らせてください: {sfen}")
            }
            MakeError::Memory(error) => error.japanese(),
        }
    }
}

impl Japanese for Unencodable {
    fn japanese(&self) -> String {
        format!("'{}' は Shift_JIS にない文字です", self.0)
    }
}

impl Japanese for AssignmentError {
    fn japanese(&self) -> String {
        match self {
            AssignmentError::Empty(text) => format!("'{text}' に、L も S もないスレッドがあります"),
            AssignmentError::Role(text) => {
                format!("'{text}' は L（リーダー）でも S（ワーカー）でもありません")
            }
            AssignmentError::TooMany => "スレッドが多すぎます".into(),
            AssignmentError::Crowded => "一つのスレッドにワーカーが多すぎます".into(),
            AssignmentError::Leader(text) => {
                format!("'{text}' には L（リーダー）がちょうど一つ要ります")
            }
            other => other.to_string(),
        }
    }
}

impl Japanese for CoverError {
    fn japanese(&self) -> String {
        "`least`、`branch`、`solved` のどれかを指定してください".into()
    }
}

impl Japanese for QuantaError {
    fn japanese(&self) -> String {
        "`shares`、`equally`、`tenth` か、`weight:1.75` のように指定してください".into()
    }
}
