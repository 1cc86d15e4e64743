//! All that is said over NATS: subjects, messages, and the times that both sides keep.
//!
//! `docs/protocol.md` describes it, field by field. Nothing here knows the network. Messages are
//! JSON. Every message that begins something has the [`VERSION`] of these messages, and is refused
//! with a clear word if that is another one; what both sides must agree on is read first
//! (`AnyHello`, `AnyOpen`, `AnyTree`), so that this works whatever the rest looks like.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::protocol::{Dialect, shown};

/// The version of these messages. It changes when a reader of the old ones would misunderstand the
/// new ones; a field that may be missing does not change it.
pub const VERSION: u32 = 1;

/// How often a worker announces its slots.
pub(super) const HELLO: Duration = Duration::from_millis(500);

/// A worker that has not announced its slots for so long is gone.
pub(super) const GONE: Duration = Duration::from_secs(2);

/// How often both sides of a lease say that they are there.
pub(super) const BEAT: Duration = Duration::from_millis(250);

/// A worker that is silent for so long is lost to its master.
pub(super) const SILENCE: Duration = Duration::from_millis(1500);

/// A master that is silent for so long loses its lease. Longer than [`SILENCE`]: a master that
/// comes back takes over what is still its own.
pub(super) const LEASE: Duration = Duration::from_secs(5);

/// More slots than any worker has, more workers than any master meets.
pub(super) const MOST: usize = 4096;

/// Lines of a message, at most.
pub(super) const BATCH: usize = 64;

/// The subject of the hellos of a group.
pub(super) fn hello_subject(group: &str) -> String {
    format!("yomikiri.{group}.hello")
}

/// The subjects to and from a slot.
pub(super) fn slot_subjects(group: &str, slot: &str) -> (String, String) {
    let slot = format!("yomikiri.{group}.slot.{slot}");
    (format!("{slot}.in"), format!("{slot}.out"))
}

/// Where the masters of a group show their trees: [`Status`].
pub fn tree_subject(group: &str) -> String {
    format!("yomikiri.{group}.tree")
}

/// A group or worker has a name that cannot be part of a subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no name: use 1 to 64 letters, digits, - and _")]
pub struct NameError(String);

/// Can this be the name of a group or a worker?
pub fn check_name(name: &str) -> Result<(), NameError> {
    let is_fine = is_plain(name) && (1..=64).contains(&name.len());
    if is_fine { Ok(()) } else { Err(NameError(name.chars().take(64).collect())) }
}

/// Only letters, digits, `-` and `_`?
fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// Can this be part of a subject? It is longer than a name by its endings.
fn is_id(id: &str) -> bool {
    is_plain(id) && (1..=128).contains(&id.len())
}

/// The other side speaks another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("version {0} of the messages, not {VERSION}: use the same yomikiri on both machines")]
pub struct VersionError(pub u32);

fn check_version(version: u32) -> Result<(), VersionError> {
    if version == VERSION { Ok(()) } else { Err(VersionError(version)) }
}

/// A worker says that it is there. Without slots: that it leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    pub version: u32,
    pub worker: String,
    pub slots: Vec<Offer>,
    pub engine: String,
    pub dialect: Dialect,
}

/// A slot in a hello.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Offer {
    pub id: String,
    /// Who leases it now.
    pub master: Option<String>,
}

/// A worker that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub worker: String,
    pub reason: String,
}

/// What all versions of a hello have in common.
#[derive(Deserialize)]
struct AnyHello {
    version: u32,
    worker: String,
}

impl Hello {
    /// A hello, or who says it and why it cannot be used; nothing if it is none at all.
    pub fn read(payload: &[u8]) -> Option<Result<Hello, Refusal>> {
        let AnyHello { version, worker } = serde_json::from_slice(payload).ok()?;
        let refused = |reason: String| Some(Err(Refusal { worker: worker.clone(), reason }));
        if let Err(error) = check_version(version) {
            return refused(format!("it speaks {error}"));
        }
        let Ok(hello) = serde_json::from_slice::<Hello>(payload) else {
            return refused("its hello makes no sense".into());
        };
        let is_sound = hello.slots.len() <= MOST
            && is_id(&hello.worker)
            && hello.slots.iter().all(|slot| is_id(&slot.id));
        match is_sound {
            true => Some(Ok(hello)),
            false => refused("it has bad names, or too many slots".into()),
        }
    }
}

/// A message of a lease. Each side numbers its own from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Message {
    pub session: String,
    pub number: u64,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Body {
    /// Master: lease me the slot.
    Open { version: u32, master: String },
    /// Worker: it is yours.
    Opened,
    /// Lines, to or from the engine.
    Lines(Vec<String>),
    /// I am here.
    Beat,
    /// The lease is over, or was not given.
    Close { reason: String },
}

/// An `open` of another version: who is to be told, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stranger {
    pub session: String,
    pub error: VersionError,
}

/// What all versions of an `open` have in common.
#[derive(Deserialize)]
struct AnyOpen {
    session: String,
    body: AnyOpenBody,
}

#[derive(Deserialize)]
struct AnyOpenBody {
    open: AnyVersion,
}

#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl Message {
    /// A message, or who wants to begin a lease in another version; nothing if it is none at all.
    pub fn read(payload: &[u8]) -> Option<Result<Message, Stranger>> {
        if let Ok(AnyOpen { session, body }) = serde_json::from_slice(payload)
            && let Err(error) = check_version(body.open.version)
        {
            return Some(Err(Stranger { session, error }));
        }
        serde_json::from_slice(payload).ok().map(Ok)
    }
}

/// A message has another number than the one that was next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("messages were lost or came twice")]
pub(super) struct OutOfOrder;

/// One direction of a lease, at the side that reads: the number that the next message must have.
pub(super) struct Numbers(u64);

impl Numbers {
    /// After the message with this number, whatever it is: it may come from anybody.
    pub fn after(number: u64) -> Numbers {
        Numbers(number.wrapping_add(1))
    }

    /// Takes note of a message. An error ends the lease.
    pub fn take(&mut self, number: u64) -> Result<(), OutOfOrder> {
        if number != self.0 {
            return Err(OutOfOrder);
        }
        *self = Numbers::after(number);
        Ok(())
    }
}

/// What a master shows of itself, twice a second, to whoever looks on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The version of these messages.
    pub version: u32,
    /// Which master.
    pub master: String,
    /// The moves of the game so far.
    pub moves: Vec<String>,
    /// How many workers there are.
    pub workers: usize,
    /// How many of them have nothing to do.
    pub idle: usize,
    /// Nodes searched in all.
    pub nodes: u64,
    /// The utility of the tree: the expected number of coming plies that are in it.
    pub utility: f64,
    /// The nodes of the tree, each after the one above it.
    pub tree: Vec<NodeStatus>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// How far below the root.
    pub depth: usize,
    /// The move that leads there; nothing for the root.
    pub by: String,
    /// The probability that play comes there.
    pub probability: f64,
    /// Its value for the side to move there.
    pub value: Option<String>,
    /// How deep its worker has searched.
    pub searched: Option<u64>,
    /// Its worker.
    pub worker: Option<u32>,
}

/// What all versions of a tree have in common.
#[derive(Deserialize)]
struct AnyTree {
    version: u32,
    master: String,
}

impl Status {
    /// A tree; nothing if it is none at all.
    ///
    /// # Errors
    /// If it is of another version: whose it is, and which.
    pub fn read(payload: &[u8]) -> Option<Result<Status, (String, VersionError)>> {
        let AnyTree { version, master } = serde_json::from_slice(payload).ok()?;
        match check_version(version) {
            Ok(()) => serde_json::from_slice(payload).ok().map(Ok),
            Err(error) => Some(Err((master, error))),
        }
    }
}

impl std::fmt::Display for Status {
    /// For people. It may come from anybody, so its texts cannot steer a terminal.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        /// No tree is deeper.
        const DEEPEST: usize = 100;
        let Status { master, workers, idle, nodes, utility, .. } = self;
        let master = shown(master);
        write!(f, "{master}: {workers} workers, {idle} idle, {nodes} nodes, ")?;
        writeln!(f, "utility {utility:.2}, after {} moves", self.moves.len())?;
        for node in &self.tree {
            let by = if node.by.is_empty() { "root".into() } else { shown(&node.by) };
            let value = node.value.as_deref().map_or("?".into(), shown);
            write!(f, "{:indent$}{by} {value}", "", indent = 2 * node.depth.min(DEEPEST))?;
            if let Some(searched) = node.searched {
                write!(f, " depth {searched}")?;
            }
            write!(f, " p {:.3}", node.probability)?;
            match node.worker {
                Some(worker) => writeln!(f, " worker {worker}")?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::protocol::{Command, Dialect, Reply};

    #[test]
    fn a_first_message_may_have_any_number() {
        let mut numbers = Numbers::after(u64::MAX);
        assert_eq!(numbers.take(0), Ok(()));
        assert_eq!(numbers.take(1), Ok(()));
        assert!(numbers.take(1).is_err() && numbers.take(3).is_err());
    }

    fn bytes(value: &Value) -> Vec<u8> {
        serde_json::to_vec(value).expect("it can be written")
    }

    /// Whatever else another version says.
    #[test]
    fn other_versions_are_told_so() {
        let other = VERSION + 1;
        let word = format!("version {other} of the messages, not {VERSION}");
        let hello = json!({ "version": other, "worker": "w", "slots": 7, "more": [] });
        let Some(Err(refusal)) = Hello::read(&bytes(&hello)) else { panic!("it is refused") };
        assert_eq!(refusal.worker, "w");
        assert!(refusal.reason.starts_with(&format!("it speaks {word}")), "{}", refusal.reason);
        let open = json!({ "session": "s", "body": { "open": { "version": other, "what": 1 } } });
        let Some(Err(stranger)) = Message::read(&bytes(&open)) else { panic!("it is refused") };
        assert_eq!((&stranger.session[..], stranger.error), ("s", VersionError(other)));
        assert!(stranger.error.to_string().starts_with(&word), "{}", stranger.error);
        let tree = json!({ "version": other, "master": "m", "tree": {} });
        assert_eq!(Status::read(&bytes(&tree)), Some(Err(("m".into(), VersionError(other)))));
        // No message at all is nobody's.
        for nothing in [json!({}), json!([1]), json!({ "version": "1" })] {
            let bytes = bytes(&nothing);
            assert!(Hello::read(&bytes).is_none() && Message::read(&bytes).is_none());
            assert!(Status::read(&bytes).is_none());
        }
    }

    #[test]
    fn a_tree_of_anybody_can_be_shown() {
        let node = json!({
            "depth": u32::MAX, "by": "\u{1b}[2Je2e4", "probability": 1e300, "value": "\n",
            "searched": null, "worker": null
        });
        let tree = json!({
            "version": VERSION, "master": "\u{7}", "moves": [], "workers": 1, "idle": 0,
            "nodes": 1, "utility": 0.0, "tree": [node]
        });
        let text = Status::read(&bytes(&tree)).expect("a tree").expect("our version").to_string();
        assert!(text.contains("[2Je2e4"), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }

    fn document() -> String {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocol.md");
        std::fs::read_to_string(path).expect("docs/protocol.md")
    }

    /// The examples in the document that begin with this.
    fn blocks(document: &str, fence: &str) -> Vec<String> {
        let mut parts = document.split("```");
        let mut blocks = Vec::new();
        while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
            if let Some((_, text)) = block.split_once('\n').filter(|(first, _)| *first == fence) {
                blocks.push(text.to_string());
            }
        }
        blocks
    }

    /// Every message of the document is one, with all of its fields and no others; and there is one
    /// of every kind.
    #[test]
    fn the_examples_of_the_document_are_messages() {
        let mut seen = BTreeSet::new();
        for example in blocks(&document(), "json") {
            let value: Value = serde_json::from_str(&example).expect(&example);
            let bytes = bytes(&value);
            let (kind, again) = if value.get("session").is_some() {
                let message = Message::read(&bytes).expect(&example).expect("our version");
                let kind = match &message.body {
                    Body::Open { .. } => "open",
                    Body::Opened => "opened",
                    Body::Lines(_) => "lines",
                    Body::Beat => "beat",
                    Body::Close { .. } => "close",
                };
                (kind, serde_json::to_value(&message))
            } else if value.get("worker").is_some() {
                let hello = Hello::read(&bytes).expect(&example).expect("a good one");
                let kind = if hello.slots.is_empty() { "goodbye" } else { "hello" };
                (kind, serde_json::to_value(&hello))
            } else {
                let status = Status::read(&bytes).expect(&example).expect("our version");
                ("tree", serde_json::to_value(&status))
            };
            assert_eq!(again.expect("it can be written"), value);
            seen.insert(kind);
        }
        let all = ["beat", "close", "goodbye", "hello", "lines", "open", "opened", "tree"];
        assert_eq!(seen, BTreeSet::from(all));
    }

    #[test]
    fn the_subjects_of_the_document_are_ours() {
        let (to_slot, from_slot) = slot_subjects("GROUP", "SLOT");
        for subject in [hello_subject("GROUP"), to_slot, from_slot, tree_subject("GROUP")] {
            assert!(document().contains(&format!("| `{subject}` |")), "{subject}");
        }
    }

    /// Both sides of its dialogues are read.
    #[test]
    fn the_dialogues_of_the_document_are_understood() {
        let (mut commands, mut replies) = (0, 0);
        for dialogue in blocks(&document(), "") {
            for line in dialogue.lines() {
                if let Some(command) = line.strip_prefix("> ") {
                    let read = Command::parse_strictly(command, Dialect::Uci);
                    assert!(read.is_ok(), "{line}: {read:?}");
                    commands += 1;
                } else if let Some(reply) = line.strip_prefix("< ").filter(|text| *text != "…") {
                    let read = Reply::parse(reply, Dialect::Uci);
                    assert!(!matches!(read, Reply::Other(_) | Reply::Nothing), "{line}: {read:?}");
                    replies += 1;
                }
            }
        }
        assert!(commands > 4 && replies > 9, "{commands}, {replies}");
    }
}
