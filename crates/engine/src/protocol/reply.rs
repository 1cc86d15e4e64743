//! What an engine says to a user interface.

use super::dialect::Dialect;
use super::info::Info;
use super::option::OptionSpec;
use super::score::Score;
use super::words::{Words, one_line, push_pair, push_word, push_words};

/// Who an engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// Its name.
    Name(String),
    /// Who wrote it.
    Author(String),
}

impl Id {
    /// What an engine of Yomikiri says first: its name with the version, and who wrote it.
    pub fn of_yomikiri(name: &str) -> [Reply; 2] {
        let name = format!("{name} {}", env!("CARGO_PKG_VERSION"));
        [Reply::Id(Id::Name(name)), Reply::Id(Id::Author("The Yomikiri developers".into()))]
    }
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BestMove {
    /// Play this.
    Move(String),
    /// There is no move. USI has no word for it but `resign`.
    None,
    /// Resign (USI).
    Resign,
    /// Won by declaration (USI).
    Win,
}

/// The answer to `go mate` (USI).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// The line of the mate.
    Moves(Vec<String>),
    /// There is none.
    NoMate,
    /// None was found in time.
    Timeout,
    /// The engine does not look for mates.
    NotImplemented,
}

/// A line of a table report: what the engine's table knows of a position below the searched one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// To which depth it was searched.
    pub depth: u64,
    /// What the engine thinks of it, for the side to move there.
    pub score: Score,
    /// The moves from the searched position to this one; at least one.
    pub moves: Vec<String>,
}

/// A reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Who it is.
    Id(Id),
    /// What it lets others set.
    Option(OptionSpec),
    /// `uciok` or `usiok`: all was said.
    HandshakeOk,
    /// Ready.
    ReadyOk,
    /// What it tells while it searches.
    Info(Box<Info>),
    /// The end of a search.
    BestMove {
        /// What to play.
        best: BestMove,
        /// The answer that it expects.
        ponder: Option<String>,
    },
    /// The end of a search for a mate.
    Checkmate(Checkmate),
    /// A line of a table report: our extension, see [`super::TABLE_REPORT`].
    TableEntry(TableEntry),
    /// The end of a table report.
    TableEnd,
    /// `checking`, `ok` or `error`.
    CopyProtection(String),
    /// `checking`, `ok` or `error`.
    Registration(String),
    /// An empty line.
    Nothing,
    /// Nothing that we know, as it was said.
    Other(String),
}

impl Reply {
    /// Reads a line. Unlike a command it must begin with its word: engines print banners and
    /// logs in which any word may come.
    pub fn parse(line: &str, dialect: Dialect) -> Reply {
        let mut words = Words::new(line);
        let Some(word) = words.next() else { return Reply::Nothing };
        Reply::read(word, words, dialect)
            .unwrap_or_else(|| Reply::Other(Words::new(line).rest().into()))
    }

    fn read(word: &str, mut words: Words<'_>, dialect: Dialect) -> Option<Reply> {
        Some(match word {
            "info" => Reply::Info(Box::new(Info::parse(words))),
            "bestmove" => {
                let best = BestMove::parse(words.next().unwrap_or("(none)"));
                let ponder = words.find(|&word| word == "ponder").and_then(|_| words.next());
                let ponder = ponder.filter(|&word| BestMove::parse(word) != BestMove::None);
                Reply::BestMove { best, ponder: ponder.map(String::from) }
            }
            "readyok" => Reply::ReadyOk,
            "id" => match words.next()? {
                "name" => Reply::Id(Id::Name(words.rest().into())),
                "author" => Reply::Id(Id::Author(words.rest().into())),
                _ => return None,
            },
            "option" => Reply::Option(OptionSpec::parse(words)?),
            "checkmate" => Reply::Checkmate(match words.peek() {
                Some("nomate") => Checkmate::NoMate,
                Some("timeout") => Checkmate::Timeout,
                Some("notimplemented") => Checkmate::NotImplemented,
                _ => Checkmate::Moves(words.map(String::from).collect()),
            }),
            "tableentry" => Reply::TableEntry(TableEntry::parse(words)?),
            "tableend" => Reply::TableEnd,
            "copyprotection" => Reply::CopyProtection(words.rest().into()),
            "registration" => Reply::Registration(words.rest().into()),
            word if word == dialect.handshake_ok() => Reply::HandshakeOk,
            _ => return None,
        })
    }

    /// The reply as a line, without an end of line.
    pub fn to_line(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        match self {
            Reply::Id(Id::Name(name)) => push_pair(&mut text, "id name", name),
            Reply::Id(Id::Author(author)) => push_pair(&mut text, "id author", author),
            Reply::Option(option) => {
                text.push_str("option");
                option.write(&mut text);
            }
            Reply::HandshakeOk => text.push_str(dialect.handshake_ok()),
            Reply::ReadyOk => text.push_str("readyok"),
            Reply::Info(info) => {
                text.push_str("info");
                info.write(&mut text);
            }
            Reply::BestMove { best, ponder } => {
                push_pair(&mut text, "bestmove", best.word(dialect));
                if let Some(ponder) = ponder {
                    push_pair(&mut text, "ponder", ponder);
                }
            }
            Reply::Checkmate(checkmate) => {
                text.push_str("checkmate");
                match checkmate {
                    Checkmate::Moves(moves) => push_words(&mut text, moves),
                    Checkmate::NoMate => push_word(&mut text, "nomate"),
                    Checkmate::Timeout => push_word(&mut text, "timeout"),
                    Checkmate::NotImplemented => push_word(&mut text, "notimplemented"),
                }
            }
            Reply::TableEntry(entry) => {
                text.push_str("tableentry");
                entry.write(&mut text);
            }
            Reply::TableEnd => text.push_str("tableend"),
            Reply::CopyProtection(state) => push_pair(&mut text, "copyprotection", state),
            Reply::Registration(state) => push_pair(&mut text, "registration", state),
            Reply::Nothing => {}
            Reply::Other(line) => text.push_str(line),
        }
        one_line(text)
    }
}

impl BestMove {
    fn parse(word: &str) -> BestMove {
        match word {
            "(none)" | "none" | "0000" | "null" | "NULL" => BestMove::None,
            "resign" => BestMove::Resign,
            "win" => BestMove::Win,
            word => BestMove::Move(word.into()),
        }
    }

    fn word(&self, dialect: Dialect) -> &str {
        match (self, dialect) {
            (BestMove::Move(text), _) => text,
            (BestMove::None, Dialect::Uci) => "(none)",
            (BestMove::None, Dialect::Usi) | (BestMove::Resign, _) => "resign",
            (BestMove::Win, _) => "win",
        }
    }
}

impl TableEntry {
    /// Reads what comes after `tableentry`.
    fn parse(mut words: Words<'_>) -> Option<TableEntry> {
        let (mut depth, mut score, mut moves) = (None, None, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.natural(),
                "score" => score = Score::parse(&mut words),
                "moves" => moves = words.by_ref().map(String::from).collect(),
                _ => {}
            }
        }
        if moves.is_empty() {
            None
        } else {
            Some(TableEntry { depth: depth?, score: score?, moves })
        }
    }

    fn write(&self, text: &mut String) {
        push_pair(text, "depth", self.depth);
        self.score.write(text);
        push_word(text, "moves");
        push_words(text, &self.moves);
    }
}
