//! What is told about an engine, and what is asked of it.

use std::time::Duration;

use crate::protocol::{BestMove, Checkmate, Go, Info, OptionSpec, PositionText, TableEntry};

/// Something that an owner should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine is ready, for the first time or again. A job that it had is sent again.
    Ready {
        /// Its name, or that of the transport if it has none.
        name: String,
        /// Does it have the table report?
        has_table_report: bool,
        /// How often it has been started before.
        restarts: u32,
        /// What it lets others set.
        options: Vec<OptionSpec>,
    },
    /// What it tells while it searches.
    Info {
        /// Of this search.
        job: u64,
        /// The words.
        info: Box<Info>,
    },
    /// The end of a search.
    BestMove {
        /// Of this search.
        job: u64,
        /// What to play. Whether that is legal nobody has checked: see [`Engine::complain`](super::Engine::complain).
        best: BestMove,
        /// The answer that it expects.
        ponder: Option<String>,
    },
    /// The end of a search for a mate (USI).
    Checkmate {
        /// Of this search.
        job: u64,
        /// What was found.
        checkmate: Checkmate,
    },
    /// What the table knows. Empty if the engine has no report or does another job.
    TableReport {
        /// Of this search.
        job: u64,
        /// The positions, every prefix of a line before the line.
        entries: Vec<TableEntry>,
    },
    /// The search was stopped while there was no engine to answer: no `BestMove` will come.
    Withdrawn {
        /// This search.
        job: u64,
    },
    /// It has worked off all that was said before [`Engine::ask_ready`](super::Engine::ask_ready).
    ReadyOk {
        /// What was asked with.
        token: u64,
    },
    /// It does not answer, and somebody waits for it.
    Late {
        /// What it has not done for how long.
        reason: String,
        /// It is known to have something to do that takes its time: an option, a new game.
        is_loading: bool,
    },
    /// It was late, and has answered now.
    Back,
    /// Something odd that does no harm: an option that is not there, a line too long.
    Warning(String),
    /// The engine was lost, for this reason. It will be started again.
    Lost {
        /// Why.
        reason: String,
    },
    /// The engine is set aside, for this reason. Nothing more will come.
    Failed {
        /// Why.
        reason: String,
    },
}

/// A search to be made.
#[derive(Clone, Debug)]
pub(super) struct Search {
    pub job: u64,
    pub position: PositionText,
    pub go: Go,
}

#[derive(Debug)]
pub(super) enum Request {
    Search(Box<Search>),
    Stop,
    PonderHit,
    NewGame,
    GameOver(String),
    SetOption(String, Option<String>),
    TableReport { job: u64, most: u64 },
    Ready(u64),
    Patience(Duration),
    Complain(String),
}

/// How a life, or a wait, ends.
pub(super) enum End {
    /// Nobody wants the engine any more.
    Quit,
    /// It was lost.
    Lost(String),
    /// It has never been ready, and its time is over: this is no engine.
    Broken(String),
}
