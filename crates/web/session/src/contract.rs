//! The messages, one type each. Unknown kinds and unknown fields are refused.

use serde::{Deserialize, Serialize, Serializer};
use yomikiri_question::lang::{Lang, Text};

/// The version of the contract.
pub const VERSION: u32 = 1;

/// What a page asks.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Who speaks.
    Hello {
        /// The version that the page speaks.
        version: u32,
        /// What lets it in, where a server wants that. The server looks at it, not the session.
        #[serde(default)]
        token: Option<String>,
    },
    /// What is this text?
    Read {
        /// The question's number.
        id: u64,
        /// A position or a record, in any format.
        text: String,
        /// The game, if the text alone does not say it.
        #[serde(default)]
        game: Option<String>,
        /// What is asked of the position.
        #[serde(default)]
        goal: Option<String>,
    },
    /// What can be played?
    Moves {
        /// The question's number.
        id: u64,
        /// A position.
        text: String,
        /// Moves from there.
        #[serde(default)]
        played: Vec<String>,
    },
    /// Search it.
    Solve {
        /// The question's number.
        id: u64,
        /// A position, with its goal.
        text: String,
        /// By name; the game's best unless told.
        #[serde(default)]
        algorithm: Option<String>,
        /// How many threads.
        #[serde(default)]
        threads: Option<usize>,
        /// MiB for the table.
        #[serde(default)]
        hash: Option<usize>,
        /// At most so many nodes.
        #[serde(default)]
        nodes: Option<u64>,
        /// At most so many seconds.
        #[serde(default)]
        seconds: Option<f64>,
        /// Shogi: any mate, or the shortest.
        #[serde(default)]
        length: Length,
    },
    /// Is this tsume-shogi sound? Answered like a search, by `inspected`.
    Inspect {
        /// The question's number.
        id: u64,
        /// A position, or a record of the solution that its author has in mind.
        text: String,
        /// MiB for the table.
        #[serde(default)]
        hash: Option<usize>,
        /// At most about so many nodes for each move.
        #[serde(default)]
        nodes: Option<u64>,
        /// At most so many seconds.
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// Let the search rest.
    Pause {
        /// The search.
        id: u64,
    },
    /// Let it go on.
    GoOn {
        /// The search.
        id: u64,
    },
    /// End it with what is known.
    Stop {
        /// The search.
        id: u64,
    },
    /// Write the certificate of an answer.
    Certificate {
        /// The question's number.
        id: u64,
        /// The answered search.
        of: u64,
        /// Which of its claims, from 0.
        #[serde(default)]
        which: usize,
    },
    /// Write an answer as a record.
    Export {
        /// The question's number.
        id: u64,
        /// The answered search.
        of: u64,
        /// How.
        format: Format,
    },
    /// Which sets of problems are there?
    Sets {
        /// The question's number.
        id: u64,
    },
    /// What is in one?
    Set {
        /// The question's number.
        id: u64,
        /// Its name.
        name: String,
    },
    /// Open a certificate, to walk and play in it.
    Open {
        /// The question's number; the open certificate has it too.
        id: u64,
        /// The certificate, in base64.
        certificate: String,
    },
    /// What does an open certificate say here?
    Node {
        /// The question's number.
        id: u64,
        /// Which one.
        proof: u64,
        /// Moves from its root.
        #[serde(default)]
        played: Vec<String>,
    },
    /// It is not needed any more.
    Close {
        /// The question's number.
        id: u64,
        /// Which one.
        proof: u64,
    },
    /// Check a certificate.
    Check {
        /// The question's number.
        id: u64,
        /// The certificate, in base64.
        certificate: String,
        /// The problem that it has to be about.
        #[serde(default)]
        text: Option<String>,
    },
}

impl Request {
    /// The question's number, if it has one.
    pub fn id(&self) -> Option<u64> {
        match *self {
            Request::Hello { .. } => None,
            Request::Read { id, .. }
            | Request::Moves { id, .. }
            | Request::Solve { id, .. }
            | Request::Inspect { id, .. }
            | Request::Export { id, .. }
            | Request::Sets { id }
            | Request::Set { id, .. }
            | Request::Pause { id }
            | Request::GoOn { id }
            | Request::Stop { id }
            | Request::Certificate { id, .. }
            | Request::Open { id, .. }
            | Request::Node { id, .. }
            | Request::Close { id, .. }
            | Request::Check { id, .. } => Some(id),
        }
    }
}

/// Which mate.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// Any.
    First,
    /// The shortest against the longest defence.
    #[default]
    Shortest,
}

/// A format of records.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// KIF with variations, of a mate in shogi.
    Kif,
}

/// What is said to people: in both languages, and the page takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Text);

impl<T: Into<Text>> From<T> for Words {
    fn from(text: T) -> Words {
        Words(text.into())
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Both<'a> {
            en: &'a str,
            ja: &'a str,
        }
        Both { en: self.0.as_str(Lang::En), ja: self.0.as_str(Lang::Ja) }.serialize(serializer)
    }
}

/// What a page is answered.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Reply {
    /// Who answers, and what can be asked.
    Welcome(Box<Welcome>),
    /// What a text is.
    Position(Position),
    /// What can be played.
    Moves(Moves),
    /// The search waits for others.
    Queued {
        /// The search.
        id: u64,
        /// 1: it is the next.
        place: usize,
    },
    /// It begins.
    Started {
        /// The search.
        id: u64,
    },
    /// It rests.
    Paused {
        /// The search.
        id: u64,
    },
    /// How far it has come.
    Progress(Progress),
    /// What was found.
    Answer(Box<Answer>),
    /// A certificate.
    Certificate {
        /// The question's number.
        id: u64,
        /// The certificate, in base64.
        data: String,
        /// Positions treated in full.
        positions: u64,
        /// What it says.
        claim: Words,
    },
    /// How far an inspection has come.
    Inspecting {
        /// The inspection.
        id: u64,
        /// Seconds so far.
        seconds: f64,
        /// Nodes so far.
        nodes: u64,
        /// Moves that are not decided yet; none while the solution itself is looked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        undecided: Option<usize>,
    },
    /// What an inspection has found.
    Inspected(Box<Inspected>),
    /// An answer as a record.
    Exported {
        /// The question's number.
        id: u64,
        /// A name for a file.
        name: String,
        /// Its media type.
        kind: &'static str,
        /// What is in it.
        data: String,
    },
    /// Sets of problems.
    Sets {
        /// The question's number.
        id: u64,
        /// The sets.
        sets: Vec<SetInfo>,
    },
    /// A set of problems.
    Set {
        /// The question's number.
        id: u64,
        /// Its name.
        name: String,
        /// What is in it.
        problems: Vec<SetProblem>,
    },
    /// A certificate is open.
    Opened {
        /// The question's number, by which it is named from now on.
        id: u64,
        /// The problem it is about.
        text: String,
        /// What it says.
        claim: Words,
        /// `proven` or `disproven`.
        value: &'static str,
        /// Within so many plies.
        #[serde(skip_serializing_if = "Option::is_none")]
        plies: Option<u16>,
        /// Positions treated in full.
        positions: u64,
    },
    /// A position of it.
    Node(Box<Node>),
    /// It is closed.
    Closed {
        /// The question's number.
        id: u64,
    },
    /// What the checker says.
    Checked(Checked),
    /// Why not.
    Error {
        /// The question's number, if that could be read.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
        /// What is wrong, and what to do.
        message: Words,
        /// Where in the text, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The character in the line, from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<usize>,
    },
}

impl Reply {
    /// It as it goes over the wire.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail: no maps with odd keys, no foreign types.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// That something is wrong.
    pub fn error(id: Option<u64>, message: impl Into<Words>) -> Reply {
        Reply::Error { id, message: message.into(), line: None, column: None }
    }
}

/// Who answers, and what can be asked.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Welcome {
    /// The contract's version.
    pub version: u32,
    /// Where the engine is: `server` or `browser`.
    pub engine: &'static str,
    /// What it gives at most.
    pub limits: Limits,
    /// The games.
    pub games: Vec<GameInfo>,
    /// The algorithms; the first is the default.
    pub algorithms: Vec<AlgorithmInfo>,
}

/// What an engine gives at most.
#[derive(Clone, Copy, Debug, Serialize, PartialEq)]
pub struct Limits {
    /// MiB for a table.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// Seconds of a search; none: no limit.
    pub seconds: Option<f64>,
    /// Bytes of a certificate.
    pub certificate: usize,
}

/// A game.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct GameInfo {
    /// As messages name it.
    pub name: &'static str,
    /// As people do.
    pub title: Words,
    /// A position to begin with.
    pub example: &'static str,
    /// What can be asked; the first is the default.
    pub goals: Vec<GoalInfo>,
}

/// A goal.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct GoalInfo {
    /// As it is written.
    pub goal: &'static str,
    /// What it asks.
    pub what: Words,
}

/// An algorithm.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct AlgorithmInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub what: Words,
    /// Where it comes from.
    pub paper: &'static str,
    /// Does it take a number of threads?
    pub threads: bool,
}

/// What a text is.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Position {
    /// The question's number.
    pub id: u64,
    /// The game.
    pub game: &'static str,
    /// The problem, as it is written: position and goal.
    pub text: String,
    /// The position alone.
    pub position: String,
    /// The goal alone.
    pub goal: String,
    /// The question.
    pub question: Words,
    /// Who is to move.
    pub turn: Words,
    /// What the reader should know, if the text left something open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Words>,
    /// The game that was played, where the text was a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

/// A game that was played, or a solution.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Record {
    /// Who played.
    pub title: String,
    /// The moves, as people write them.
    pub moves: Vec<String>,
    /// The positions before each move and at the end.
    pub positions: Vec<String>,
    /// Which of them is asked about.
    pub at: usize,
}

/// A move for people and for programs.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Move {
    /// As the game's protocol writes it.
    pub r#move: String,
    /// As people do.
    pub name: Words,
}

/// What can be played.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Moves {
    /// The question's number.
    pub id: u64,
    /// The problem after what was played.
    pub text: String,
    /// The legal moves; none where the game is over.
    pub moves: Vec<Move>,
    /// Is it the attacker's turn?
    pub attacks: bool,
}

/// A proof or disproof number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub u32);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            andor::INFINITY => serializer.serialize_str("infinity"),
            number => serializer.serialize_u32(number),
        }
    }
}

/// How far a search has come.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Progress {
    /// The search.
    pub id: u64,
    /// Seconds searched.
    pub seconds: f64,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes a second.
    pub rate: f64,
    /// Proof number of the root.
    pub pn: Number,
    /// Its disproof number.
    pub dn: Number,
    /// Length of the line being looked at.
    pub depth: usize,
    /// Entries in the table.
    pub stored: usize,
    /// How many there is room for.
    pub capacity: usize,
    /// The moves by which the table goes on from the root.
    pub line: Vec<Move>,
    /// The root's moves.
    pub roots: Vec<Root>,
    /// Within which plies the length of a mate is known to lie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
}

/// A move of the root.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Root {
    /// The move.
    #[serde(flatten)]
    pub r#move: Move,
    /// Proof number after it.
    pub pn: Number,
    /// Disproof number after it.
    pub dn: Number,
}

/// Bounds on a length.
#[derive(Clone, Copy, Debug, Serialize, PartialEq, Eq)]
pub struct Bounds {
    /// So many plies at least.
    pub at_least: u16,
    /// And so many at most.
    pub at_most: u16,
}

/// What was found.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Answer {
    /// The search.
    pub id: u64,
    /// `proven`, `disproven` or `unknown`.
    pub verdict: &'static str,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Words>,
    /// The verdict in words.
    pub words: Words,
    /// Within so many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// A mate of shogi: there is none within fewer plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<u16>,
    /// Is that the exact length?
    pub exact: bool,
    /// The line of the solution.
    pub line: Vec<Move>,
    /// Does it go on to the end?
    pub complete: bool,
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
    /// What can be certified.
    pub claims: Vec<Words>,
}

/// What an inspection of a tsume-shogi has found.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Inspected {
    /// The question's number.
    pub id: u64,
    /// The problem.
    pub text: String,
    /// `sound`, `unsound`, `no mate` or `undecided`.
    pub verdict: &'static str,
    /// The same in a sentence.
    pub words: Words,
    /// Was everything found out?
    pub complete: bool,
    /// The shortest mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// The line that was inspected.
    pub line: Vec<Move>,
    /// What the attacker has left over at its end, if that is a flaw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_over: Option<Words>,
    /// Is the shortest mate shorter than the author's line?
    pub early: bool,
    /// Other moves that mate, or longer defences.
    pub findings: Vec<FindingInfo>,
    /// Replies that last as long.
    pub equal: Vec<Beside>,
    /// Moves that were not decided.
    pub undecided: Vec<Beside>,
    /// What else the defender may play.
    pub variations: Vec<VariationInfo>,
    /// Nodes.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
}

/// A move beside a line.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Beside {
    /// After so many plies of the line.
    pub ply: usize,
    /// The move.
    #[serde(flatten)]
    pub r#move: Move,
}

/// A move beside a line that mates too, or a reply that lasts longer.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct FindingInfo {
    /// Where, and which.
    #[serde(flatten)]
    pub beside: Beside,
    /// What people call it.
    pub kind: Words,
    /// Does it make the problem unsound?
    pub serious: bool,
    /// How long it takes.
    pub plies: Words,
    /// A line, with the move itself.
    pub line: Vec<Move>,
}

/// A variation.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct VariationInfo {
    /// It leaves the line after so many plies.
    pub ply: usize,
    /// The other reply, and the moves after it to the mate.
    pub line: Vec<Move>,
    /// Does it go on to the mate?
    pub complete: bool,
    /// Mate within so many plies from there.
    pub plies: u16,
    /// Is that the exact length?
    pub exact: bool,
}

/// A set of problems.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct SetInfo {
    /// Its name.
    pub name: String,
    /// For people.
    pub title: Words,
    /// How many problems it has.
    pub problems: usize,
}

/// A problem of a set.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct SetProblem {
    /// Its name.
    pub name: String,
    /// The problem.
    pub text: String,
    /// The length of its solution, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

/// What the checker says.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Checked {
    /// The question's number.
    pub id: u64,
    /// Does the certificate hold?
    pub accepted: bool,
    /// What it says, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Words>,
    /// The problem it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is wrong, if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Words>,
    /// Positions treated in full.
    pub positions: u64,
    /// How long the check took.
    pub seconds: f64,
    /// Where the checker ran.
    pub r#where: &'static str,
}

/// A position of an open certificate.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Node {
    /// The question's number.
    pub id: u64,
    /// The problem here.
    pub text: String,
    /// The moves from the root.
    pub played: Vec<String>,
    /// Is it the turn of the side whose claim it is?
    pub holder: bool,
    /// How the game has ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Words>,
    /// Is the position in the certificate? If not, nothing is known of it from there.
    pub known: bool,
    /// Why it has the claimed value: `treated`, `dominated`, `weakened`, `over` or `cut`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<&'static str>,
    /// Within so many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
    /// At the holder's turn: the move of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Move>,
    /// Every legal move.
    pub replies: Vec<ProofReply>,
}

/// A move, and what the certificate says of the position after it.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct ProofReply {
    /// The move.
    #[serde(flatten)]
    pub r#move: Move,
    /// Is the position after it in the certificate?
    pub known: bool,
    /// Within so many plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}
