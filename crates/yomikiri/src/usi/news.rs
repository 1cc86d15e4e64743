//! What the session hears: lines of the user interface, the table, and searches.

use yomikiri_engine::protocol::Line;
use yomikiri_shogi::Move;
use yomikiri_tsume::Answer;

use super::info::Info;

/// What the session hears.
#[derive(Debug)]
pub enum Event {
    /// A line of the user interface.
    Line(Line),
    /// The user interface is gone, perhaps for a reason.
    End(Option<String>),
    /// The table is there, with its memory.
    Ready,
    /// There is not even a small table, for this reason.
    NoMemory(String),
    /// Something to be said.
    Remark(String),
    /// The search of this number has something to say.
    News(u64, News),
}

/// What a search says.
#[derive(Debug)]
pub enum News {
    /// How far it has come.
    Progress(Info),
    /// A mate; the search goes on for the shortest.
    Found(Found),
    /// The shortest mate lies between so many plies and so many.
    Interval(u16, u16),
    /// It is over.
    Done(Box<Answer>, Info),
    /// It broke down, and the table was thrown away.
    Failed,
}

/// A mate that may not be the shortest.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its line.
    pub line: Vec<Move>,
    /// What it took.
    pub info: Info,
}
