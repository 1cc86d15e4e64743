//! Any bytes as messages of NATS, one a line: hellos of workers, and both sides of a lease. They
//! are read without a panic; what gets through to an engine is one command of the protocol, and no
//! option that was not offered.
#![no_main]

// The rooms as they are, without the network and all that it needs.
#[allow(dead_code, reason = "shared with the engine crate, which uses more of it")]
#[path = "../../crates/engine/src/nats"]
mod nats {
    mod gate;
    mod wire;

    use gate::{Gate, Heard};
    use wire::{Body, Hello, Message, Numbers, Status};

    use crate::protocol::{Command, Dialect, Reply};

    /// Reads a hello, and a tree. Its names are parts of subjects.
    pub fn hello(payload: &[u8]) {
        if let Some(Ok(status)) = Status::read(payload) {
            let _ = status.to_string();
        }
        if let Some(Ok(hello)) = Hello::read(payload) {
            for name in hello.slots.iter().map(|slot| &slot.id).chain([&hello.worker]) {
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
                assert!(!name.is_empty() && name.bytes().all(is_plain), "{name:?}");
            }
        }
    }

    /// Reads the messages of a lease. What the first of those with lines has is the engine's, all
    /// others come from the master and go to the engine.
    pub fn lease(messages: &[u8], dialect: Dialect) {
        let mut gate = Gate::new(dialect);
        let mut offered: Option<Vec<String>> = None;
        let mut numbers: Option<Numbers> = None;
        for payload in messages.split(|&byte| byte == b'\n') {
            let Some(Ok(message)) = Message::read(payload) else { continue };
            let text = serde_json::to_string(&message).expect("it can be written");
            let again: Message = serde_json::from_str(&text).expect("it was written");
            assert_eq!(serde_json::to_string(&again).expect("it can be written"), text);
            match &mut numbers {
                None => numbers = Some(Numbers::after(message.number)),
                Some(numbers) => {
                    if numbers.take(message.number).is_err() {
                        return;
                    }
                }
            }
            let Body::Lines(lines) = message.body else { continue };
            match &offered {
                None => offered = Some(announced(&mut gate, lines)),
                Some(offered) => lines.iter().for_each(|line| passed(&gate, line, offered)),
            }
        }
    }

    /// The engine says this: the options that a master may set.
    fn announced(gate: &mut Gate, lines: Vec<String>) -> Vec<String> {
        let mut offered = Vec::new();
        for line in lines {
            for heard in gate.announce(line, &[]) {
                let Heard::Master(line) = heard else { panic!("the worker sets no option") };
                if let Reply::Option(option) = Reply::parse(&line, gate.dialect()) {
                    offered.push(option.name);
                }
            }
        }
        offered
    }

    /// A master says this.
    fn passed(gate: &Gate, line: &str, offered: &[String]) {
        let Ok(Some(passed)) = gate.pass(line) else { return };
        assert!(!passed.contains(['\n', '\r']), "{passed:?} is more than a line");
        let command = Command::parse(&passed, gate.dialect());
        assert_eq!(command.to_line(gate.dialect()), passed, "{line:?} is read as another command");
        match command {
            Command::SetOption { name, .. } => {
                let is_offered = offered.iter().any(|offer| offer.eq_ignore_ascii_case(&name));
                let is_usi = gate.dialect() == Dialect::Usi && name.starts_with("USI_");
                assert!(is_offered || is_usi, "{name:?} was never offered");
            }
            Command::Quit | Command::Register(_) | Command::Nothing | Command::Unknown(_) => {
                panic!("{passed:?} is not for engines of others")
            }
            _ => {}
        }
    }
}
#[allow(dead_code, unused_imports, reason = "shared with the engine crate, which uses more of it")]
#[path = "../../crates/engine/src/protocol/mod.rs"]
mod protocol;

use libfuzzer_sys::fuzz_target;
use protocol::Dialect;

fuzz_target!(|bytes: &[u8]| {
    for payload in bytes.split(|&byte| byte == b'\n') {
        nats::hello(payload);
    }
    for dialect in [Dialect::Uci, Dialect::Usi] {
        nats::lease(bytes, dialect);
    }
});
