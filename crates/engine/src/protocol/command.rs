//! What a user interface says to an engine.

use super::dialect::Dialect;
use super::go::Go;
use super::misread::Misread;
use super::words::{Words, one_line, push_pair, push_word, push_words};

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// The initial position.
    Initial,
    /// A position in FEN, in USI in SFEN.
    Fen(String),
}

/// A position as text: a start and the moves from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionText {
    /// Where the game begins.
    pub start: Start,
    /// The moves played from there.
    pub moves: Vec<String>,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci` or `usi`: who are you?
    Handshake,
    /// Answer when you are ready.
    IsReady,
    /// `ucinewgame` or `usinewgame`: what comes next is another game.
    NewGame,
    /// Set an option, or press a button.
    SetOption {
        /// Its name.
        name: String,
        /// Its value; a button has none.
        value: Option<String>,
    },
    /// Take up this position.
    Position(PositionText),
    /// Search.
    Go(Go),
    /// Answer at once.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// The game is over: `win`, `lose` or `draw` (USI).
    GameOver(String),
    /// End.
    Quit,
    /// Say more, or less.
    Debug(bool),
    /// The words of a registration.
    Register(String),
    /// Report so many positions of the table: our extension, see [`super::TABLE_REPORT`].
    TableReport(u64),
    /// An empty line.
    Nothing,
    /// No command that we know, as it was said.
    Unknown(String),
}

impl Command {
    /// Reads a line. Words before the first that is a command are skipped, as UCI demands.
    pub fn parse(line: &str, dialect: Dialect) -> Command {
        let mut words = Words::new(line);
        if words.peek().is_none() {
            return Command::Nothing;
        }
        while let Some(word) = words.next() {
            if let Some(command) = Command::read(word, words.clone(), dialect) {
                return command;
            }
        }
        Command::Unknown(Words::new(line).rest().into())
    }

    /// Reads a line that must be a command from its first word to its last. An empty one is
    /// [`Command::Nothing`].
    ///
    /// # Errors
    /// If it is none.
    pub fn parse_strictly(line: &str, dialect: Dialect) -> Result<Command, Misread> {
        let mut words = Words::new(line);
        let Some(word) = words.next() else { return Ok(Command::Nothing) };
        let fen = match dialect {
            Dialect::Uci => "fen",
            Dialect::Usi => "sfen",
        };
        if word == "go" {
            let (go, misread) = Go::parse(words, dialect);
            return misread.map_or(Ok(Command::Go(go)), Err);
        }
        // What stands between `startpos` and `moves` would be lost.
        let mut rest = words.clone();
        if (word, rest.next()) == ("position", Some("startpos"))
            && rest.next().is_some_and(|word| word != "moves")
        {
            return Err(Misread::Position { fen });
        }
        Command::read(word, words, dialect).ok_or_else(|| match word {
            "setoption" => Misread::SetOption,
            "position" => Misread::Position { fen },
            _ => Misread::Unknown(Words::new(line).rest().into()),
        })
    }

    /// The command that begins with this word. Nothing if it is not one, or lacks what it needs.
    fn read(word: &str, mut words: Words<'_>, dialect: Dialect) -> Option<Command> {
        Some(match word {
            "isready" => Command::IsReady,
            "setoption" => {
                if words.next() != Some("name") {
                    return None;
                }
                let name = words.until(&["value"]);
                let value = words.next().map(|_| words.rest().into());
                Command::SetOption { name: Some(name).filter(|name| !name.is_empty())?, value }
            }
            "position" => Command::Position(PositionText::parse(words)?),
            "go" => Command::Go(Go::parse(words, dialect).0),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "debug" => match words.next() {
                Some("on") => Command::Debug(true),
                Some("off") => Command::Debug(false),
                _ => return None,
            },
            "register" => Command::Register(words.rest().into()),
            "gameover" if dialect == Dialect::Usi => Command::GameOver(words.rest().into()),
            "tablereport" => Command::TableReport(words.natural()?),
            word if word == dialect.name() => Command::Handshake,
            word if word == dialect.new_game() => Command::NewGame,
            _ => return None,
        })
    }

    /// The command as a line, without an end of line.
    pub fn to_line(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        match self {
            Command::Handshake => text.push_str(dialect.name()),
            Command::IsReady => text.push_str("isready"),
            Command::NewGame => text.push_str(dialect.new_game()),
            Command::SetOption { name, value } => {
                push_pair(&mut text, "setoption name", name);
                if let Some(value) = value {
                    push_pair(&mut text, "value", value);
                }
            }
            Command::Position(position) => {
                text.push_str("position");
                position.write(&mut text, dialect);
            }
            Command::Go(go) => {
                text.push_str("go");
                go.write(&mut text, dialect);
            }
            Command::Stop => text.push_str("stop"),
            Command::PonderHit => text.push_str("ponderhit"),
            Command::GameOver(result) => push_pair(&mut text, "gameover", result),
            Command::Quit => text.push_str("quit"),
            Command::Debug(on) => push_pair(&mut text, "debug", if *on { "on" } else { "off" }),
            Command::Register(rest) => push_pair(&mut text, "register", rest),
            Command::TableReport(most) => push_pair(&mut text, "tablereport", most),
            Command::Nothing => {}
            Command::Unknown(line) => text.push_str(line),
        }
        one_line(text)
    }
}

impl PositionText {
    /// The initial position.
    pub fn initial() -> PositionText {
        PositionText { start: Start::Initial, moves: Vec::new() }
    }

    /// The words after `position`: the start, and the moves if there are some.
    pub fn to_text(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        self.write(&mut text, dialect);
        text
    }

    /// Reads what comes after `position`.
    fn parse(mut words: Words<'_>) -> Option<PositionText> {
        let start = match words.next()? {
            "startpos" => {
                words.until(&["moves"]);
                Start::Initial
            }
            "fen" | "sfen" => match words.until(&["moves"]) {
                fen if fen.is_empty() => return None,
                fen => Start::Fen(fen),
            },
            _ => return None,
        };
        let moves = words.skip(1).map(String::from).collect();
        Some(PositionText { start, moves })
    }

    fn write(&self, text: &mut String, dialect: Dialect) {
        match (&self.start, dialect) {
            (Start::Initial, _) => push_word(text, "startpos"),
            (Start::Fen(fen), Dialect::Uci) => push_pair(text, "fen", fen),
            (Start::Fen(sfen), Dialect::Usi) => push_pair(text, "sfen", sfen),
        }
        if !self.moves.is_empty() {
            push_word(text, "moves");
            push_words(text, &self.moves);
        }
    }
}
