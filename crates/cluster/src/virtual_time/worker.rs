//! A worker whose search waits inside for its next nodes.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use yomikiri_alphabeta::{Bound, Control, Job, Line, Next, Score, Searcher, View};
use yomikiri_chess::Position;
use yomikiri_engine::protocol::{self, Info, PositionText, Start, TableEntry};

use super::error::Lost;

/// What a worker is asked. Each is answered, so that only one of both sides runs at a time.
enum Ask {
    Search(Box<Job>),
    Run(u64),
    Report(usize),
    Stop,
    Forget,
}

enum Answer {
    Lines(Vec<Info>),
    Table(Vec<TableEntry>),
}

/// A searcher on a thread of its own.
pub struct Worker {
    asks: Option<Sender<Ask>>,
    answers: Receiver<Answer>,
    thread: Option<thread::JoinHandle<()>>,
    job: u64,
}

impl Worker {
    pub fn start(table_mib: usize) -> std::io::Result<Worker> {
        let (asks, questions) = channel();
        let (replies, answers) = channel();
        let thread = thread::Builder::new().name("worker".into()).spawn(move || {
            serve(&mut Searcher::new(table_mib), &questions, &replies);
        })?;
        Ok(Worker { asks: Some(asks), answers, thread: Some(thread), job: 0 })
    }

    /// Asks and waits for the answer. A thread that has ended cannot give one.
    fn ask(&mut self, ask: Ask) -> Result<Answer, Lost> {
        let asks = self.asks.as_ref().ok_or(Lost)?;
        asks.send(ask).map_err(|_| Lost)?;
        self.answers.recv().map_err(|_| Lost)
    }

    pub fn search(
        &mut self,
        number: u64,
        position: &PositionText,
        searchmoves: &[String],
    ) -> Result<(), Lost> {
        self.job = number;
        let job = job(position, searchmoves).ok_or(Lost)?;
        self.ask(Ask::Search(Box::new(job))).map(drop)
    }

    pub fn stop(&mut self) -> Result<(), Lost> {
        self.ask(Ask::Stop).map(drop)
    }

    /// Clears its table. A search goes on from its beginning.
    pub fn forget(&mut self) -> Result<(), Lost> {
        self.ask(Ask::Forget).map(drop)
    }

    /// Lets it search so many nodes; what it says, and of which search.
    pub fn run(&mut self, nodes: u64) -> Result<(u64, Vec<Info>), Lost> {
        match self.ask(Ask::Run(nodes))? {
            Answer::Lines(infos) => Ok((self.job, infos)),
            Answer::Table(_) => Err(Lost),
        }
    }

    pub fn report(&mut self, entries: usize) -> Result<Vec<TableEntry>, Lost> {
        match self.ask(Ask::Report(entries))? {
            Answer::Table(entries) => Ok(entries),
            Answer::Lines(_) => Err(Lost),
        }
    }

    /// Ends its thread, as a panic in the search would.
    #[cfg(test)]
    pub fn die(&mut self) {
        let (_, nobody) = channel();
        (self.asks, self.answers) = (None, nobody);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of the questions ends the search and the thread.
        self.asks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(super) fn job(text: &PositionText, searchmoves: &[String]) -> Option<Job> {
    let mut position = match &text.start {
        Start::Initial => Position::start(),
        Start::Fen(fen) => Position::from_fen(fen).ok()?,
    };
    let mut job = Job::new(position.board().clone());
    for text in &text.moves {
        let m = position.parse_uci(text).ok()?;
        position.play(m);
        job.play(m);
    }
    job.searchmoves = searchmoves.iter().filter_map(|text| position.parse_uci(text).ok()).collect();
    Some(job)
}

/// Answers questions until there are no more.
fn serve(searcher: &mut Searcher, questions: &Receiver<Ask>, replies: &Sender<Answer>) {
    let mut next: Option<Box<Job>> = None;
    let mut last: Option<Box<Job>> = None;
    loop {
        if let Some(job) = next.take() {
            let root = Position::from(job.position.clone());
            let mut gate = Gate {
                questions,
                replies,
                root,
                infos: Vec::new(),
                until: 0,
                next: None,
                forget: false,
                over: false,
            };
            searcher.search(&job, &mut gate);
            // A search that came to its end within its nodes leaves the rest of them.
            if gate.until > 0 && !gate.over && gate.next.is_none() && !gate.forget {
                let infos = std::mem::take(&mut gate.infos);
                if replies.send(Answer::Lines(infos)).is_err() {
                    return;
                }
            }
            if gate.forget {
                searcher.new_game();
                if replies.send(Answer::Lines(Vec::new())).is_err() {
                    return;
                }
            }
            next = gate.next.or_else(|| gate.forget.then(|| job.clone()));
            last = Some(job);
            continue;
        }
        let Ok(ask) = questions.recv() else { return };
        let answer = match ask {
            Ask::Search(job) => {
                next = Some(job);
                Answer::Lines(Vec::new())
            }
            Ask::Run(_) | Ask::Stop => Answer::Lines(Vec::new()),
            Ask::Forget => {
                searcher.new_game();
                Answer::Lines(Vec::new())
            }
            Ask::Report(most) => Answer::Table(last.as_ref().map_or_else(Vec::new, |job| {
                let root = Position::from(job.position.clone());
                entries(&root, searcher.table_report(job, most))
            })),
        };
        if replies.send(answer).is_err() {
            return;
        }
    }
}

/// Where a search waits for its next nodes.
struct Gate<'a> {
    questions: &'a Receiver<Ask>,
    replies: &'a Sender<Answer>,
    root: Position,
    infos: Vec<Info>,
    /// The nodes given so far; 0 before the first are given.
    until: u64,
    next: Option<Box<Job>>,
    forget: bool,
    over: bool,
}

impl Control for Gate<'_> {
    fn check(&mut self, nodes: u64, view: &View<'_>) -> Next {
        if nodes < self.until {
            return Next::Until(self.until);
        }
        if self.until > 0 {
            let infos = std::mem::take(&mut self.infos);
            let _ = self.replies.send(Answer::Lines(infos));
        }
        loop {
            let answer = match self.questions.recv() {
                Ok(Ask::Run(0)) => Answer::Lines(Vec::new()),
                Ok(Ask::Run(more)) => {
                    self.until = nodes + more;
                    return Next::Until(self.until);
                }
                Ok(Ask::Report(most)) => {
                    Answer::Table(entries(&self.root, view.table_report(most)))
                }
                Ok(Ask::Search(job)) => {
                    self.next = Some(job);
                    let _ = self.replies.send(Answer::Lines(Vec::new()));
                    return Next::Stop;
                }
                Ok(Ask::Forget) => {
                    self.forget = true;
                    return Next::Stop;
                }
                Ok(Ask::Stop) => {
                    self.over = true;
                    let _ = self.replies.send(Answer::Lines(Vec::new()));
                    return Next::Stop;
                }
                Err(_) => {
                    self.over = true;
                    return Next::Stop;
                }
            };
            let _ = self.replies.send(answer);
        }
    }

    fn line(&mut self, view: &View<'_>, index: usize) {
        if let Some(line) = view.lines().get(index).filter(|line| line.depth > 0) {
            self.infos.push(info(&self.root, line, view.nodes()));
        }
    }
}

fn info(root: &Position, line: &Line, nodes: u64) -> Info {
    let (score, pv) = (Some(score(line.score, line.bound)), texts(root, &line.pv));
    Info { depth: Some(line.depth.into()), score, nodes: Some(nodes), pv, ..Info::default() }
}

fn score(score: Score, bound: Bound) -> protocol::Score {
    let value = match score {
        Score::Cp(value) => protocol::Value::Cp(value),
        Score::Mate(moves) => protocol::Value::Mate(moves),
    };
    let bound = match bound {
        Bound::Exact => protocol::Bound::Exact,
        Bound::Lower => protocol::Bound::Lower,
        Bound::Upper => protocol::Bound::Upper,
    };
    protocol::Score { value, bound }
}

fn texts(root: &Position, moves: &[cozy_chess::Move]) -> Vec<String> {
    let mut position = root.clone();
    moves
        .iter()
        .map(|&m| {
            let text = position.uci(m);
            position.play(m);
            text
        })
        .collect()
}

pub(super) fn entries(
    root: &Position,
    report: Vec<yomikiri_alphabeta::ReportEntry>,
) -> Vec<TableEntry> {
    let entry = |entry: yomikiri_alphabeta::ReportEntry| TableEntry {
        depth: entry.depth.into(),
        score: score(entry.score, entry.bound),
        moves: texts(root, &entry.moves),
    };
    report.into_iter().map(entry).collect()
}
