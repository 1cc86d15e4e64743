//! One visitor's engine: what it is asked, and what it works on.

use std::sync::Arc;
use std::time::Duration;

use andor::clock::Instant;
use andor::{Limits as SearchLimits, Pulse, Stop, Value, Verdict};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use yomikiri_question::algorithms::{ALGORITHMS, Changes, Entry};
use yomikiri_question::certificate::{self, Source};
use yomikiri_question::diagnostic::Diagnostic;
use yomikiri_question::display;
use yomikiri_question::games::{self, AnyProblem, GAMES};
use yomikiri_question::lang::{Japanese, Text, said, text};
use yomikiri_question::team_options::{Options, Team};
use yomikiri_tsume::Length as MateLength;

use crate::board;
use crate::bounded::Bounded;
use crate::contract::{
    AlgorithmInfo, Answer, Checked, Format, GameInfo, GoalInfo, Length, Limits, Reply, Request,
    VERSION, Welcome, Words,
};
use crate::inspect::{Inspection, InspectionLimits};
use crate::proof::Opened;
use crate::reading::{Purpose, Reading, Slice};
use crate::search::{Found, Question, Search};
use crate::shelf::{Own, Shelf};

/// Where an engine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a server.
    Server,
    /// In the visitor's browser.
    Browser,
}

impl Place {
    fn word(self) -> &'static str {
        match self {
            Place::Server => "server",
            Place::Browser => "browser",
        }
    }
}

/// What a visitor gets at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceilings {
    /// MiB for a table.
    pub hash: usize,
    /// Threads of a search.
    pub threads: usize,
    /// How long a search may take.
    pub time: Option<Duration>,
    /// Bytes of a certificate, written or checked.
    pub certificate: usize,
    /// Bytes of memory, about, while a certificate is checked or opened.
    pub reading: usize,
    /// Bytes of a text that is to be read.
    pub text: usize,
}

impl Default for Ceilings {
    fn default() -> Ceilings {
        Ceilings {
            hash: 256,
            threads: 1,
            time: None,
            certificate: 64 << 20,
            reading: 1 << 30,
            text: 1 << 20,
        }
    }
}

/// A search that was asked for.
#[derive(Debug)]
enum Work {
    /// It goes on, or rests.
    Running { task: Task, is_paused: bool },
    /// It is answered; what it left can be certified.
    Answered { search: Box<Search>, found: Box<Found> },
}

/// What takes long.
#[derive(Debug)]
enum Task {
    Search(Box<Search>),
    Inspection(Box<Inspection>),
}

impl Task {
    fn id(&self) -> u64 {
        match self {
            Task::Search(search) => search.question.id,
            Task::Inspection(inspection) => inspection.id,
        }
    }

    fn stop(&self) -> &Stop {
        match self {
            Task::Search(search) => &search.stop,
            Task::Inspection(inspection) => &inspection.stop,
        }
    }

    fn running(&self) -> Running {
        let bytes = match self {
            Task::Search(search) => search.question.bytes,
            Task::Inspection(inspection) => inspection.bytes(),
        };
        Running { id: self.id(), bytes, stop: self.stop().clone() }
    }
}

/// What runs, or rests.
#[derive(Clone, Debug)]
pub struct Running {
    /// The question's number.
    pub id: u64,
    /// Bytes of its table, which takes them as it is filled.
    pub bytes: usize,
    /// Raised to end it at once, with what it knows.
    pub stop: Stop,
}

/// One visitor's engine.
pub struct Session {
    place: Place,
    ceilings: Ceilings,
    shelf: Arc<dyn Shelf + Send + Sync>,
    work: Option<Work>,
    /// A certificate that is being checked or opened. A search waits meanwhile.
    reading: Option<Box<Reading>>,
    proofs: Vec<(u64, Opened)>,
    stop: Stop,
}

/// So many certificates are open at a time.
const MOST_OPEN: usize = 2;

/// To whom replies go.
pub type Out<'a> = &'a mut dyn FnMut(Reply);

impl Session {
    /// For a visitor who gets so much.
    pub fn new(place: Place, ceilings: Ceilings) -> Session {
        let (shelf, stop) = (Arc::new(Own), Stop::new());
        let (work, reading, proofs) = (None, None, Vec::new());
        Session { place, ceilings, shelf, work, reading, proofs, stop }
    }

    /// With other sets of problems than [our own](Own).
    pub fn with_shelf(self, shelf: Arc<dyn Shelf + Send + Sync>) -> Session {
        Session { shelf, ..self }
    }

    /// Raised by whoever sees that the visitor has left: it ends what takes no slices, the writing of a
    /// certificate and a look at an open one. What takes slices ends where its owner takes no further step.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Is there something to do: a certificate to read, or a search that does not rest?
    pub fn is_busy(&self) -> bool {
        self.reading.is_some() || matches!(self.work, Some(Work::Running { is_paused: false, .. }))
    }

    /// What it works on, or would go on with: a certificate that is read, else the search or inspection
    /// that was asked for last, while it is not answered.
    pub fn running(&self) -> Option<Running> {
        if let Some(reading) = &self.reading {
            let Reading { id, stop, .. } = &**reading;
            return Some(Running { id: *id, bytes: self.bytes(), stop: stop.clone() });
        }
        match &self.work {
            Some(Work::Running { task, .. }) => Some(task.running()),
            _ => None,
        }
    }

    /// Bytes of memory that it holds, or may take without asking: tables, and a certificate that is read.
    pub fn bytes(&self) -> usize {
        let work = match &self.work {
            Some(Work::Running { task, .. }) => task.running().bytes,
            Some(Work::Answered { search, .. }) => search.question.bytes,
            None => 0,
        };
        work + self.reading.as_ref().map_or(0, |reading| reading.bytes)
    }

    /// Bytes of memory that its open certificates take.
    pub fn open_bytes(&self) -> usize {
        self.proofs.iter().map(|(_, opened)| opened.proof.bytes()).sum()
    }

    /// Has it a table, of what runs or of an answer that can be certified?
    pub fn has_table(&self) -> bool {
        self.work.is_some()
    }

    /// Takes a message.
    pub fn receive(&mut self, message: &str, out: Out<'_>) {
        match serde_json::from_str::<Request>(message) {
            Ok(request) => self.ask(request, out),
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(message).ok();
                let id = id.and_then(|value| value.get("id")?.as_u64());
                out(Reply::error(
                    id,
                    text!(
                        "this message is not understood: {error}",
                        "この電文は理解できません: {error}"
                    ),
                ));
            }
        }
    }

    /// Answers a question, or begins to.
    pub fn ask(&mut self, request: Request, out: Out<'_>) {
        let id = request.id();
        let answered = match request {
            Request::Hello { version, .. } => self.hello(version).map(Some),
            Request::Read { id, text, game, goal } => self.sized(&text).map(|()| {
                let read = board::read(id, &text, game.as_deref(), goal.as_deref());
                Some(read.map_or_else(|wrong| diagnosed(id, wrong), Reply::Position))
            }),
            Request::Moves { id, text, played } => self.sized(&text).and_then(|()| {
                let problem = parse(&text)?;
                Ok(Some(Reply::Moves(board::moves(id, &problem, &played)?)))
            }),
            request @ Request::Solve { .. } => self.begin(request).map(Some),
            Request::Inspect { id, text, hash, nodes, seconds } => {
                self.inspect(id, &text, hash, nodes, seconds).map(Some)
            }
            Request::Pause { id } => self.pause(id, true).map(|()| Some(Reply::Paused { id })),
            Request::GoOn { id } => self.pause(id, false).map(|()| Some(Reply::Started { id })),
            Request::Stop { id } => self.end(id).map(|()| None),
            Request::Certificate { id, of, which } => self.certificate(id, of, which).map(Some),
            Request::Export { id, of, format: Format::Kif } => self.kif(id, of).map(Some),
            Request::Sets { id } => Ok(Some(Reply::Sets { id, sets: self.shelf.sets() })),
            Request::Set { id, name } => {
                let problems = self.shelf.open(&name);
                problems.map(|problems| Some(Reply::Set { id, name, problems }))
            }
            Request::Open { id, certificate } => self.open(id, &certificate).map(|()| None),
            Request::Node { id, proof, played } => self.node(id, proof, &played).map(Some),
            Request::Close { id, proof } => self.proof(proof).map(drop).map(|()| {
                self.proofs.retain(|(open, _)| *open != proof);
                Some(Reply::Closed { id })
            }),
            Request::Check { id, certificate, text } => self
                .check(id, &certificate, text.as_deref())
                .map(|rejected| rejected.map(Reply::Checked)),
        };
        match answered {
            Ok(Some(reply)) => out(reply),
            Ok(None) => {}
            Err(message) => out(Reply::error(id, message)),
        }
    }

    /// Works for about so long. Is there more to do?
    pub fn step(&mut self, time: Duration, out: Out<'_>) -> bool {
        if let Some(reading) = self.reading.take() {
            self.read_on(reading, time, out);
            return self.is_busy();
        }
        let Some(Work::Running { task, is_paused: false }) = &mut self.work else {
            return false;
        };
        let search = match task {
            Task::Search(search) => search,
            Task::Inspection(inspection) => {
                let id = inspection.id;
                let reply = inspection.step(time);
                let reply = reply.unwrap_or_else(|message| Reply::error(Some(id), message));
                let more = matches!(reply, Reply::Inspecting { .. });
                if !more {
                    self.work = None;
                }
                out(reply);
                return more;
            }
        };
        let found = search.step(time, &mut |progress| out(Reply::Progress(progress)));
        let Some(found) = found else { return true };
        out(Reply::Answer(Box::new(answer(search, &found))));
        if let Some(Work::Running { task: Task::Search(search), .. }) = self.work.take() {
            self.work = Some(Work::Answered { search, found: Box::new(found) });
        }
        false
    }

    /// Gives the table of the last search back. One that rests is answered with what it knows; one that
    /// is answered can no longer be certified.
    pub fn forget(&mut self, out: Out<'_>) {
        if let Some(Work::Running { task, is_paused }) = &mut self.work {
            task.stop().raise();
            *is_paused = false;
            // A certificate is read on afterwards.
            let reading = self.reading.take();
            while self.step(Duration::ZERO, out) {}
            self.reading = reading;
        }
        self.work = None;
    }

    fn sized(&self, text: &str) -> Result<(), Text> {
        let (length, most) = (text.len(), self.ceilings.text);
        if length <= most {
            return Ok(());
        }
        Err(text!(
            "the text has {length} bytes; at most {most} are read",
            "文字列は{length}バイトあります。読めるのは{most}バイトまでです"
        ))
    }

    fn hello(&self, version: u32) -> Result<Reply, Text> {
        if version != VERSION {
            return Err(text!(
                "the page speaks version {version}, the engine {VERSION}: load the page again",
                "ページは版{version}、エンジンは版{VERSION}です。ページを読み込み直してください"
            ));
        }
        let Ceilings { hash, threads, time, certificate, .. } = self.ceilings;
        let games = GAMES.iter().map(|game| GameInfo {
            name: game.name,
            title: game.title().into(),
            example: game.example,
            goals: game
                .goals
                .iter()
                // Some need more than one search, and are the command line's alone.
                .filter(|(goal, _)| games::parse(game.example, Some(game), Some(goal)).is_ok())
                .map(|&(goal, what)| GoalInfo { goal, what: what.into() })
                .collect(),
        });
        let algorithms = ALGORITHMS.iter().filter(|entry| self.has(entry));
        let algorithms = algorithms.map(|entry| AlgorithmInfo {
            name: entry.name,
            what: entry.what.into(),
            paper: entry.paper,
            threads: entry.team == Team::Threads && threads > 1,
        });
        let seconds = time.map(|time| time.as_secs_f64());
        Ok(Reply::Welcome(Box::new(Welcome {
            version: VERSION,
            engine: self.place.word(),
            limits: Limits { hash, threads, seconds, certificate },
            games: games.collect(),
            algorithms: algorithms.collect(),
        })))
    }

    /// Can this engine search so? Where there is one thread only, not with several; and a browser's module
    /// has no teams.
    fn has(&self, entry: &Entry) -> bool {
        match entry.team {
            Team::Threads | Team::Alone => true,
            Team::Mps => self.place == Place::Server,
            Team::Virtual | Team::Pincers | Team::Pmps => self.ceilings.threads > 1,
        }
    }

    fn begin(&mut self, request: Request) -> Result<Reply, Text> {
        let Request::Solve { id, text, algorithm, threads, hash, nodes, seconds, length } = request
        else {
            return Err(text!("this is no search", "これは探索ではありません"));
        };
        self.is_free()?;
        self.sized(&text)?;
        let problem = parse(&text)?;
        let name = algorithm.as_deref().unwrap_or(ALGORITHMS[0].name);
        let entry = Entry::find(name).filter(|entry| self.has(entry)).ok_or_else(|| {
            text!("there is no algorithm `{name}` here", "ここに `{name}` という探索法はありません")
        })?;
        let hash = within(hash.unwrap_or(64), self.ceilings.hash, "hash")?;
        let threads = within(threads.unwrap_or(1), self.ceilings.threads, "threads")?;
        let time = self.time(seconds)?;
        let bytes = hash << 20;
        let team = Options { threads: (threads > 1).then_some(threads), ..Options::default() };
        let changes = Changes { bytes, team, ..Changes::default() };
        let algorithm = entry.settings(&problem.traits(), &changes)?;
        let length = match length {
            Length::First => MateLength::First,
            Length::Shortest => MateLength::Shortest,
        };
        let limits = SearchLimits { nodes, time };
        // The table that was kept for the last certificate goes, before the next is made.
        self.work = None;
        let question = Question { id, problem, algorithm, bytes, limits, length };
        let search = Search::new(question).map_err(in_words)?;
        let task = Task::Search(Box::new(search));
        self.work = Some(Work::Running { task, is_paused: false });
        Ok(Reply::Started { id })
    }

    /// One thing at a time.
    fn is_free(&self) -> Result<(), Text> {
        match self.running().map(|running| running.id) {
            None => Ok(()),
            Some(other) => Err(text!(
                "search {other} is not answered yet: stop it first",
                "探索{other}がまだ終わっていません。先に止めてください"
            )),
        }
    }

    /// How long something may take, if it was asked to take so long.
    fn time(&self, seconds: Option<f64>) -> Result<Option<Duration>, Text> {
        let asked = seconds.map(|seconds| {
            Duration::try_from_secs_f64(seconds).map_err(|_| {
                text!("{seconds} is no number of seconds", "{seconds} は秒数ではありません")
            })
        });
        Ok(match (asked.transpose()?, self.ceilings.time) {
            (Some(asked), Some(most)) => Some(asked.min(most)),
            (asked, most) => asked.or(most),
        })
    }

    fn inspect(
        &mut self,
        id: u64,
        text: &str,
        hash: Option<usize>,
        nodes_each: Option<u64>,
        seconds: Option<f64>,
    ) -> Result<Reply, Text> {
        /// Nodes for a move and time for all, unless told: what a person waits for.
        const USUAL: (u64, Duration) = (1_000_000, Duration::from_secs(60));
        self.is_free()?;
        self.sized(text)?;
        let bytes = within(hash.unwrap_or(64), self.ceilings.hash, "hash")? << 20;
        let time = self.time(seconds.or(Some(USUAL.1.as_secs_f64())))?.unwrap_or(USUAL.1);
        let nodes_each = Some(nodes_each.unwrap_or(USUAL.0));
        self.work = None;
        let limits = InspectionLimits { bytes, nodes_each, time };
        let task = Task::Inspection(Box::new(Inspection::new(id, text, &limits)?));
        self.work = Some(Work::Running { task, is_paused: false });
        Ok(Reply::Started { id })
    }

    fn find(&mut self, id: u64) -> Result<(&Stop, &mut bool), Text> {
        match &mut self.work {
            Some(Work::Running { task, is_paused }) if task.id() == id => {
                Ok((task.stop(), is_paused))
            }
            _ => Err(text!("no search {id} is running", "探索{id}は動いていません")),
        }
    }

    /// Has a search, or the reading of a certificate, end with what it knows.
    fn end(&mut self, id: u64) -> Result<(), Text> {
        if let Some(reading) = self.reading.as_ref().filter(|reading| reading.id == id) {
            reading.stop.raise();
            return Ok(());
        }
        let (stop, is_paused) = self.find(id)?;
        stop.raise();
        *is_paused = false;
        Ok(())
    }

    fn pause(&mut self, id: u64, pauses: bool) -> Result<(), Text> {
        *self.find(id)?.1 = pauses;
        Ok(())
    }

    /// The search that was answered last, if it is this one.
    fn answered(&self, of: u64) -> Result<(&Search, &Found), Text> {
        match &self.work {
            Some(Work::Answered { search, found }) if search.question.id == of => {
                Ok((search, found))
            }
            _ => Err(text!(
                "of search {of} nothing is kept: search again",
                "探索{of}の結果は残っていません。もう一度探索してください"
            )),
        }
    }

    fn kif(&self, id: u64, of: u64) -> Result<Reply, Text> {
        let (search, found) = self.answered(of)?;
        let data = search.kif(found, &self.stop).ok_or_else(|| {
            text!(
                "only a mate in shogi can be written as KIF",
                "KIF で書けるのは将棋の詰みだけです"
            )
        })?;
        Ok(Reply::Exported { id, name: "solution.kif".into(), kind: "text/plain", data })
    }

    fn certificate(&mut self, id: u64, of: u64, which: usize) -> Result<Reply, Text> {
        let (search, found) = self.answered(of)?;
        let claim = found.claims.get(which).ok_or_else(|| {
            text!("search {of} has no claim {which}", "探索{of}に主張{which}はありません")
        })?;
        let source = Source { dfpn: search.dfpn(), table: &search.table, stop: &self.stop };
        let most = self.ceilings.certificate;
        let mut place = Bounded::new(most);
        let written = certificate::write_any(claim, &source, &mut place);
        if place.is_full() {
            return Err(text!(
                "the certificate has more than {most} bytes, which is the most that is sent",
                "証明書は、送れる上限の{most}バイトを超えています"
            ));
        }
        let positions = written.map_err(in_words)?.positions;
        let bytes = place.into_bytes();
        let claim = certificate::words(claim).into();
        Ok(Reply::Certificate { id, data: STANDARD.encode(bytes), positions, claim })
    }

    fn decode(&self, certificate: &str) -> Result<Vec<u8>, Text> {
        let most = self.ceilings.certificate;
        if certificate.len() / 4 * 3 > most {
            return Err(text!(
                "the certificate is too large: at most {most} bytes are read",
                "証明書が大きすぎます。読めるのは{most}バイトまでです"
            ));
        }
        STANDARD.decode(certificate).map_err(|_| {
            text!("the certificate is not in base64", "証明書が base64 ではありません")
        })
    }

    fn open(&mut self, id: u64, certificate: &str) -> Result<(), Text> {
        if self.proofs.len() >= MOST_OPEN {
            return Err(text!(
                "{MOST_OPEN} certificates are open: close one first",
                "証明書が{MOST_OPEN}つ開いています。先に一つ閉じてください"
            ));
        }
        if self.proofs.iter().any(|(open, _)| *open == id) {
            return Err(text!("{id} is open already", "{id} はもう開いています"));
        }
        self.begin_reading(id, Purpose::Open, certificate, None)?.map_err(in_words)
    }

    /// Begins to read a certificate; the inner error is what is wrong with its first lines.
    fn begin_reading(
        &mut self,
        id: u64,
        purpose: Purpose,
        certificate: &str,
        expected: Option<&AnyProblem>,
    ) -> Result<Result<(), certificate::Error>, Text> {
        if let Some(reading) = &self.reading {
            let other = reading.id;
            return Err(text!(
                "certificate {other} is still being read: wait for it, or stop it first",
                "証明書{other}をまだ読んでいます。終わるのを待つか、先に止めてください"
            ));
        }
        let bytes = self.decode(certificate)?;
        let limits = (self.ceilings.time, self.ceilings.reading);
        Ok(Reading::new(id, purpose, bytes, expected, limits).map(|reading| {
            self.reading = Some(Box::new(reading));
        }))
    }

    fn read_on(&mut self, mut reading: Box<Reading>, time: Duration, out: Out<'_>) {
        match (reading.step(time), reading.purpose) {
            (Slice::More, _) => self.reading = Some(reading),
            (Slice::Accepted(checked), Purpose::Check) => {
                let claim = &reading.claim;
                out(Reply::Checked(Checked {
                    id: reading.id,
                    accepted: true,
                    claim: Some(certificate::words(claim).into()),
                    text: Some(claim.problem.text()),
                    fault: None,
                    positions: checked.positions,
                    seconds: reading.elapsed.as_secs_f64(),
                    r#where: self.place.word(),
                }));
            }
            (Slice::Accepted(checked), Purpose::Open) => {
                let id = reading.id;
                let Some(opened) = reading.open(checked.positions) else { return };
                let claim = &opened.claim;
                out(Reply::Opened {
                    id,
                    text: claim.problem.text(),
                    claim: certificate::words(claim).into(),
                    value: match claim.value {
                        Value::Proven => "proven",
                        Value::Disproven => "disproven",
                    },
                    plies: claim.plies.bounded(),
                    positions: opened.positions,
                });
                self.proofs.push((id, opened));
            }
            (Slice::Failed(error), Purpose::Check) if error.is_rejection() => {
                out(Reply::Checked(self.rejected(reading.id, error, reading.elapsed)));
            }
            (Slice::Failed(error), _) => out(Reply::error(Some(reading.id), in_words(error))),
        }
    }

    fn rejected(&self, id: u64, error: certificate::Error, elapsed: Duration) -> Checked {
        Checked {
            id,
            accepted: false,
            claim: None,
            text: None,
            fault: Some(in_words(error).into()),
            positions: 0,
            seconds: elapsed.as_secs_f64(),
            r#where: self.place.word(),
        }
    }

    fn node(&self, id: u64, proof: u64, played: &[String]) -> Result<Reply, Text> {
        let deadline = self.ceilings.time.and_then(|time| Instant::now().checked_add(time));
        let pulse = Pulse::new(self.stop.clone()).with_deadline(deadline);
        let node = self.proof(proof)?.node(id, played, &pulse)?;
        Ok(Reply::Node(Box::new(node)))
    }

    fn proof(&self, id: u64) -> Result<&Opened, Text> {
        let found = self.proofs.iter().find(|(open, _)| *open == id);
        found
            .map(|(_, opened)| opened)
            .ok_or_else(|| text!("no certificate {id} is open", "証明書{id}は開いていません"))
    }

    /// Begins to check a certificate, or rejects it by its first lines.
    fn check(
        &mut self,
        id: u64,
        certificate: &str,
        text: Option<&str>,
    ) -> Result<Option<Checked>, Text> {
        let expected = text.map(parse).transpose()?;
        let begun = self.begin_reading(id, Purpose::Check, certificate, expected.as_ref())?;
        Ok(begun.err().map(|error| self.rejected(id, error, Duration::ZERO)))
    }
}

fn diagnosed(id: u64, wrong: Diagnostic) -> Reply {
    let Diagnostic { line, column, reason } = wrong;
    let (line, column) = (Some(line + 1), Some(column + 1));
    Reply::Error { id: Some(id), message: reason.into(), line, column }
}

/// What went wrong in a library, in both languages.
fn in_words(error: impl Japanese) -> Text {
    Text::new(|_| said(&error).to_string())
}

fn parse(text: &str) -> Result<AnyProblem, Text> {
    games::parse(text, None, None).map_err(|diagnostic| diagnostic.reason)
}

fn within(asked: usize, most: usize, what: &str) -> Result<usize, Text> {
    if (1..=most).contains(&asked) {
        return Ok(asked);
    }
    Err(text!("{what} {asked}: from 1 to {most}", "{what} {asked}: 1 から {most} までです"))
}

fn answer(search: &Search, found: &Found) -> Answer {
    let problem = &search.question.problem;
    let (verdict, reason) = match found.verdict {
        Verdict::Proven => ("proven", None),
        Verdict::Disproven => ("disproven", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason)),
    };
    let words: Words = match (found.verdict.value(), &found.solution) {
        (Some(value), Some(mate)) if !mate.exact && mate.least >= 3 => {
            let answer = problem.answer(value, found.plies);
            let interval = display::interval(mate.least, mate.length);
            text!("{answer}; the shortest takes {interval}", "{answer}（最短は{interval}）").into()
        }
        (Some(value), _) => problem.answer(value, found.plies).into(),
        (None, _) => text!("undecided", "未解決").into(),
    };
    Answer {
        id: search.question.id,
        verdict,
        reason: reason.map(|_| display::reason(found.verdict).into()),
        words,
        plies: found.plies.bounded(),
        least: found.solution.as_ref().map(|mate| mate.least),
        exact: found.exact,
        line: board::name_line(problem, &found.line),
        complete: found.complete,
        nodes: found.nodes,
        seconds: found.elapsed.as_secs_f64(),
        claims: found.claims.iter().map(|claim| certificate::words(claim).into()).collect(),
    }
}
