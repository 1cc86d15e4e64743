//! An engine as one line of text: `name=a,cmd=stockfish,option.Hash=16,nodes=500`.
//!
//! Parts are separated by commas; one between quotes separates nothing. A value that is quoted as a
//! whole loses its quotes. A first part without `=` is the command.

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use yomikiri_engine::program::{find_program, split_words};

use super::limits::{Limits, TimeControl, TimeControlError};

/// An engine, how it is set and what its moves may cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// What it is called in this match.
    pub name: String,
    /// The command that starts it, or `tcp://host:port`.
    pub cmd: String,
    /// Options to set; a button has no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, Option<String>)>,
    /// Limits of its own; if it has any, those of the match are not its.
    #[serde(default)]
    pub limits: Limits,
}

/// A text that describes no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// A key that means nothing.
    #[error(
        "'{0}' means nothing: an engine has name=, cmd=, option.NAME=, movetime=, nodes=, \
         depth=, tc= and byoyomi="
    )]
    Key(String),
    /// A part without a value.
    #[error("'{0}' has no value: write {0}=…")]
    Value(String),
    /// A key that came before.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// No number, or none above 0.
    #[error("{key}={value}: a whole number above 0 is needed")]
    Number {
        /// What was to be set.
        key: String,
        /// To what.
        value: String,
    },
    /// A bad time control.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// No command.
    #[error("no command: write cmd=PROGRAM, or cmd=tcp://host:port")]
    Command,
    /// A quote without its partner.
    #[error("an opening {0} has no closing one")]
    Quote(char),
}

impl EngineSpec {
    /// The program that its command starts, if that is one of this machine.
    pub fn program(&self) -> Option<PathBuf> {
        find_program(split_words(&self.cmd).ok()?.first()?)
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let (mut name, mut cmd, mut options) = (None, None, Vec::new());
        let mut limits = LimitWords::default();
        let mut seen: Vec<String> = Vec::new();
        for (at, part) in split_parts(text)?.into_iter().enumerate() {
            let part = part.trim();
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key.trim(), Some(unquote(value.trim()))),
                None => (part, None),
            };
            if part.is_empty() {
                continue;
            }
            if at == 0 && !is_key(key) {
                cmd = Some(unquote(part).to_owned());
                seen.push("cmd".into());
                continue;
            }
            if seen.iter().any(|known| known.eq_ignore_ascii_case(key)) {
                return Err(SpecError::Twice(key.into()));
            }
            seen.push(key.into());
            if let Some(option) = key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                options.push((option.to_owned(), value.map(str::to_owned)));
                continue;
            }
            if !is_key(key) {
                return Err(SpecError::Key(key.into()));
            }
            let value = value.filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| SpecError::Value(key.into()))?;
            match key {
                "name" => name = Some(value.to_owned()),
                "cmd" => cmd = Some(value.to_owned()),
                _ => limits.set(key, value)?,
            }
        }
        let cmd = cmd.filter(|cmd| !cmd.trim().is_empty()).ok_or(SpecError::Command)?;
        let name = name.unwrap_or_else(|| program(&cmd));
        Ok(EngineSpec { name, cmd, options, limits: limits.limits()? })
    }
}

fn is_key(key: &str) -> bool {
    matches!(key, "name" | "cmd") || LimitWords::KEYS.contains(&key) || key.starts_with("option.")
}

/// The file name of a command's program, or the whole address.
fn program(cmd: &str) -> String {
    if cmd.contains("://") {
        return cmd.trim().into();
    }
    let first = split_words(cmd).ok().and_then(|words| words.into_iter().next());
    let first = first.unwrap_or_else(|| cmd.into());
    first.rsplit(['/', '\\']).next().unwrap_or(&first).to_owned()
}

/// Splits at commas that stand outside of quotes.
fn split_parts(text: &str) -> Result<Vec<&str>, SpecError> {
    let (mut parts, mut start, mut quote) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ',') => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    quote.map_or(Ok(parts), |open| Err(SpecError::Quote(open)))
}

fn unquote(value: &str) -> &str {
    let inside = |quote| value.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
    let inside = ['\'', '"']
        .into_iter()
        .find_map(|quote| inside(quote).filter(|inside| !inside.contains(quote)));
    inside.unwrap_or(value)
}

/// Limits as words, for an engine or for the whole match.
#[derive(Clone, Debug, Default)]
pub struct LimitWords {
    limits: Limits,
    byoyomi: Option<u64>,
}

impl LimitWords {
    /// The words.
    pub const KEYS: [&'static str; 5] = ["movetime", "nodes", "depth", "tc", "byoyomi"];

    /// Sets a limit.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let number = || {
            let number = value.replace('_', "").parse().ok().filter(|&number: &u64| number > 0);
            let bad = || SpecError::Number { key: key.into(), value: value.into() };
            number.ok_or_else(bad).map(Some)
        };
        match key {
            "movetime" => self.limits.movetime = number()?,
            "nodes" => self.limits.nodes = number()?,
            "depth" => self.limits.depth = number()?,
            "byoyomi" => self.byoyomi = number()?,
            "tc" => self.limits.clock = Some(value.parse()?),
            _ => return Err(SpecError::Key(key.into())),
        }
        Ok(())
    }

    /// What was set.
    pub fn limits(self) -> Result<Limits, SpecError> {
        let mut limits = self.limits;
        if let Some(byoyomi) = self.byoyomi {
            limits.clock = Some(TimeControl { byoyomi, ..limits.clock.unwrap_or_default() });
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> EngineSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn an_engine_in_full() {
        let engine =
            spec("name=a b, cmd=stockfish -x,option.Hash=16,option.Clear Hash,nodes=1_000");
        assert_eq!((engine.name.as_str(), engine.cmd.as_str()), ("a b", "stockfish -x"));
        let hash = ("Hash".to_owned(), Some("16".to_owned()));
        assert_eq!(engine.options, [hash, ("Clear Hash".to_owned(), None)]);
        assert_eq!(engine.limits, Limits { nodes: Some(1000), ..Limits::default() });
    }

    #[test]
    fn a_command_alone_has_a_name() {
        assert_eq!(spec("/usr/games/stockfish").name, "stockfish");
        assert_eq!(spec("stockfish,movetime=50").limits.movetime, Some(50));
        assert_eq!(spec("'my engine' --mode=fast").cmd, "'my engine' --mode=fast");
        assert_eq!(spec("'my engine' --mode=fast").name, "my engine");
        assert_eq!(spec("tcp://host:1234,depth=3").name, "tcp://host:1234");
    }

    #[test]
    fn the_program_of_a_command_is_found() {
        let own = std::env::current_exe().unwrap();
        let command = format!("cmd=\"'{}' --quiet\"", own.display());
        assert_eq!(spec(&command).program(), Some(own));
        for other in ["tcp://localhost:1234", "/no/such/engine", "'"] {
            let engine = EngineSpec { cmd: other.into(), ..spec("a") };
            assert_eq!(engine.program(), None, "{other}");
        }
    }

    #[test]
    fn quotes_keep_commas() {
        let engine = spec("cmd=\"engine --list a,b 'c d'\",name='x, y'");
        assert_eq!(
            (engine.cmd.as_str(), engine.name.as_str()),
            ("engine --list a,b 'c d'", "x, y")
        );
        assert_eq!(spec("cmd=engine 'a,b' 'c'").cmd, "engine 'a,b' 'c'");
        assert_eq!(spec("cmd='a' 'b'").cmd, "'a' 'b'");
        assert_eq!(spec("cmd=e,option.Path=").options, [("Path".into(), Some(String::new()))]);
    }

    #[test]
    fn clocks_and_byoyomi_go_together() {
        let clock = spec("cmd=e,byoyomi=500,tc=10").limits.clock.unwrap();
        assert_eq!((clock.base, clock.byoyomi), (10_000, 500));
        let clock = spec("cmd=e,byoyomi=500").limits.clock.unwrap();
        assert_eq!((clock.base, clock.byoyomi), (0, 500));
    }

    #[test]
    fn faults_are_named() {
        let error = |text: &str| text.parse::<EngineSpec>().unwrap_err();
        assert_eq!(error("name=a"), SpecError::Command);
        assert_eq!(error(""), SpecError::Command);
        assert_eq!(error("cmd=a,nodes"), SpecError::Value("nodes".into()));
        assert_eq!(error("cmd=a,speed=3"), SpecError::Key("speed".into()));
        assert_eq!(error("cmd=a,nodes=3,nodes=4"), SpecError::Twice("nodes".into()));
        assert_eq!(error("a,cmd=b"), SpecError::Twice("cmd".into()));
        assert_eq!(error("cmd='a"), SpecError::Quote('\''));
        assert!(matches!(error("cmd=a,nodes=0"), SpecError::Number { .. }));
        assert!(matches!(error("cmd=a,tc=x"), SpecError::TimeControl(_)));
    }
}
