//! What a master may say to an engine on another machine.

use std::collections::HashMap;

use crate::protocol::{Command, Dialect, OptionKind, Reply};

/// Lets the words of the protocol through, and options that are numbers, switches, choices or
/// buttons. Engines have commands of their own that write files, and options that read them:
/// those do not get through.
pub(super) struct Gate {
    dialect: Dialect,
    /// The options that the engine has announced, by their names in small letters.
    options: HashMap<String, OptionKind>,
    /// The handshake is over.
    is_open: bool,
}

/// A line, and who is to hear it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Master(String),
    Engine(String),
}

/// Why a line does not get through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("no command of the protocol: {0}")]
    NoCommand(String),
    #[error("option {0} is a text or a path: it is set on the worker only")]
    TextOption(String),
    #[error("there is no option {0}")]
    NoOption(String),
}

/// May the option be the path of a file?
fn is_text(kind: OptionKind) -> bool {
    matches!(kind, OptionKind::String | OptionKind::Filename)
}

impl Gate {
    pub fn new(dialect: Dialect) -> Gate {
        Gate { dialect, options: HashMap::new(), is_open: false }
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// What becomes of a line of the engine. Options that a master may not set are not shown to
    /// it, and before the end of the handshake the worker's own options are set.
    pub fn announce(&mut self, line: String, own: &[(String, Option<String>)]) -> Vec<Heard> {
        if self.is_open {
            return vec![Heard::Master(line)];
        }
        match Reply::parse(&line, self.dialect) {
            Reply::Option(option) => {
                let is_text = is_text(option.kind);
                self.options.insert(option.name.to_ascii_lowercase(), option.kind);
                if is_text { Vec::new() } else { vec![Heard::Master(line)] }
            }
            Reply::HandshakeOk => {
                self.is_open = true;
                let set = own.iter().map(|(name, value)| {
                    let set = Command::SetOption { name: name.clone(), value: value.clone() };
                    Heard::Engine(set.to_line(self.dialect))
                });
                set.chain([Heard::Master(line)]).collect()
            }
            _ => vec![Heard::Master(line)],
        }
    }

    /// The line as the engine gets it; nothing if it gets none, or the reason why not.
    pub fn pass(&self, line: &str) -> Result<Option<String>, Refused> {
        let command = Command::parse(line, self.dialect);
        match &command {
            Command::SetOption { name, .. } => self.check(name)?,
            Command::Unknown(line) => {
                return Err(Refused::NoCommand(line.chars().take(40).collect()));
            }
            // The lease ends the engine.
            Command::Quit | Command::Register(_) | Command::Nothing => return Ok(None),
            _ => {}
        }
        Ok(Some(command.to_line(self.dialect)))
    }

    fn check(&self, name: &str) -> Result<(), Refused> {
        // In USI every engine has these, and none announces them.
        if self.dialect == Dialect::Usi && ["USI_Hash", "USI_Ponder"].contains(&name) {
            return Ok(());
        }
        match self.options.get(&name.to_ascii_lowercase()) {
            Some(&kind) if is_text(kind) => Err(Refused::TextOption(name.into())),
            Some(_) => Ok(()),
            None => Err(Refused::NoOption(name.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_harmless_lines_pass() {
        let mut gate = Gate::new(Dialect::Uci);
        let hash = "option name Hash type spin default 1 min 1 max 9";
        let texts = [
            "option name Debug Log File type string default ",
            "option name EvalFile type filename default x",
        ];
        assert_eq!(gate.announce(hash.into(), &[]), [Heard::Master(hash.into())]);
        for line in texts {
            assert_eq!(gate.announce(line.into(), &[]), []);
        }
        let own = [("EvalFile".to_string(), Some("y".to_string()))];
        let set = Heard::Engine("setoption name EvalFile value y".into());
        assert_eq!(gate.announce("uciok".into(), &own), [set, Heard::Master("uciok".into())]);
        let passes = |line: &str| gate.pass(line);
        assert_eq!(
            passes("setoption name hash value 2"),
            Ok(Some("setoption name hash value 2".into()))
        );
        assert!(passes("setoption name Debug Log File value /etc/x").is_err());
        assert!(passes("setoption name debug  log file value /etc/x").is_err());
        assert!(passes("setoption name EvalFile value /etc/x").is_err());
        assert!(passes("setoption name Nothing value 1").is_err());
        assert!(passes("export_net /etc/passwd").is_err());
        assert_eq!(passes("bench stop"), Ok(Some("stop".into())));
        assert_eq!(passes("quit"), Ok(None));
        assert_eq!(passes("go depth 3\nexport_net x"), Ok(Some("go depth 3".into())));
    }
}
