//! Games that take long over every position: limits and stops hold all the same, inside a look too,
//! and reports go on.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use andor::certificate::{WriteError, check, write};
use andor::{
    Agent, Agents, Algorithm, Claim, Control, Dfpn, Evaluation, Interrupted, Key, Limits, NodeKind,
    Paths, PnSearch, Problem, Progress, Pulse, Reason, Repetition, Rules, Scheme, Step, Stop,
    Table, Value, Verdict, Virtual, search,
};

/// What every copy of a game shares.
#[derive(Default)]
struct Shared {
    /// When the looks began.
    looks: Mutex<Vec<Instant>>,
    /// Do looks go on until they are interrupted?
    endless: AtomicBool,
    /// Looks that are going on.
    inside: AtomicUsize,
    /// How often the game was asked for an evaluation.
    asked: AtomicUsize,
    /// Does it say that looks take long?
    says_so: AtomicBool,
}

/// Nim with one heap (take one, two or three; whoever cannot move loses), by somebody who thinks
/// long about every position. No position is ever seen through before its end.
#[derive(Clone)]
struct SlowNim {
    heap: u32,
    kind: NodeKind,
    /// How long a look takes that does not ask whether to go on.
    look: Duration,
    shared: Arc<Shared>,
}

impl SlowNim {
    fn new(heap: u32, look: Duration) -> SlowNim {
        SlowNim { heap, kind: NodeKind::Or, look, shared: Arc::default() }
    }

    /// One in which looks go on until they are interrupted.
    fn endless() -> SlowNim {
        let nim = SlowNim::new(1_000, Duration::ZERO);
        nim.shared.endless.store(true, Ordering::Relaxed);
        nim
    }

    /// How many looks began after this time.
    fn looks_after(&self, time: Instant) -> usize {
        self.shared.looks.lock().unwrap().iter().filter(|&&look| look > time).count()
    }
}

impl Rules for SlowNim {
    type Move = u32;
    type Undo = ();
    type Stock = ();
    type Identity = (u32, NodeKind);

    fn kind(&self) -> NodeKind {
        self.kind
    }
    fn repetition(&self) -> Repetition {
        Repetition::Never
    }
    fn terminal(&self) -> Option<Value> {
        None
    }
    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.extend(1..=self.heap.min(3));
    }
    fn play(&mut self, take: u32) {
        self.heap -= take;
        self.kind = self.kind.opponent();
    }
    fn undo(&mut self, take: u32, (): ()) {
        self.heap += take;
        self.kind = self.kind.opponent();
    }
    fn identity(&self) -> (u32, NodeKind) {
        (self.heap, self.kind)
    }
    fn stock(&self) {}
    fn encode_move(take: u32) -> u32 {
        take
    }
    fn describe_move(&self, take: u32) -> String {
        take.to_string()
    }
}

impl Problem for SlowNim {
    fn key(&self) -> Key {
        Key::of(&self.identity())
    }

    fn prepare(&mut self, pulse: &Pulse) -> Result<(), Interrupted> {
        /// A look that nobody has interrupted by then is lost.
        const LOST: Duration = Duration::from_secs(60);
        let start = Instant::now();
        self.shared.inside.fetch_add(1, Ordering::Relaxed);
        let mut result = Ok(());
        while self.shared.endless.load(Ordering::Relaxed) && result.is_ok() {
            assert!(start.elapsed() < LOST, "nobody interrupts this look");
            sleep(Duration::from_micros(100));
            result = pulse.check();
        }
        self.shared.inside.fetch_sub(1, Ordering::Relaxed);
        result
    }

    fn evaluate(&mut self) -> Evaluation<()> {
        /// More looks than a search within its limits could begin.
        const MANY: usize = 100;
        self.shared.asked.fetch_add(1, Ordering::Relaxed);
        if !self.look.is_zero() {
            let mut looks = self.shared.looks.lock().unwrap();
            assert!(looks.len() < MANY, "this search goes on for ever");
            looks.push(Instant::now());
            drop(looks);
            sleep(self.look);
        }
        Evaluation::Open { pn: 1, dn: 1, nodes: 0 }
    }

    fn looks_long(&self) -> bool {
        self.shared.says_so.load(Ordering::Relaxed)
    }
}

/// Every algorithm, with its threads.
fn algorithms() -> Vec<(Algorithm, usize)> {
    let dfpn = Dfpn::default();
    let agents = |count, turns| Agents { count, numbers: Virtual::Usual, turns };
    let mut algorithms = vec![
        (Algorithm::Dfpn(dfpn), 1),
        (Algorithm::Pn(PnSearch::default()), 1),
        (Algorithm::Team(dfpn, Scheme::Virtual(agents(2, None))), 2),
        (Algorithm::Team(dfpn, Scheme::Virtual(agents(3, Some(100)))), 1),
    ];
    for (assignment, threads) in [("L,S", 1), ("L|S", 2), ("L,S|S,S", 2)] {
        let paths = Paths::new(assignment.parse().expect("an assignment"));
        algorithms.push((Algorithm::Team(dfpn, Scheme::Paths(paths)), threads));
    }
    algorithms
}

fn table() -> Table {
    Table::new(1 << 20).expect("a small table")
}

/// A look takes 30 ms and asks nobody whether to go on. (A thread of a team is told by another one
/// that time is up, and both may have to wait for a core, so that is given some looks.)
#[test]
fn a_limit_on_time_holds_where_looks_are_slow() {
    const LOOK: Duration = Duration::from_millis(30);
    const TIME: Duration = Duration::from_millis(200);
    for (algorithm, threads) in algorithms() {
        let nim = SlowNim::new(1_000, LOOK);
        let mut control = Control::new(Limits { nodes: None, time: Some(TIME) });
        let deadline = Instant::now() + TIME;
        let outcome = search(&nim, &algorithm, &table(), &mut control);
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Time), "{algorithm:?}");
        let late = nim.looks_after(deadline);
        let few = if matches!(algorithm, Algorithm::Team(..)) { 10 * threads } else { 2 };
        assert!(late <= few, "{algorithm:?}: {late} looks after the end");
    }
}

#[test]
fn a_limit_on_time_holds_inside_a_look() {
    for (algorithm, _) in algorithms() {
        let time = Some(Duration::from_millis(30));
        let mut control = Control::new(Limits { nodes: None, time });
        let outcome = search(&SlowNim::endless(), &algorithm, &table(), &mut control);
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Time), "{algorithm:?}");
    }
}

/// Runs `work` and raises the flag once a look is going on.
fn stopped_inside<T>(nim: &SlowNim, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while nim.shared.inside.load(Ordering::Relaxed) == 0 && !is_over.load(Ordering::Relaxed)
            {
                sleep(Duration::from_millis(1));
            }
            stop.raise();
        });
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn a_stop_holds_inside_a_look() {
    for (algorithm, _) in algorithms() {
        let (nim, mut control) = (SlowNim::endless(), Control::default());
        let stop = control.stop.clone();
        let table = table();
        let outcome =
            stopped_inside(&nim, &stop, || search(&nim, &algorithm, &table, &mut control));
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Stopped), "{algorithm:?}");
        assert_eq!(table.stored(), 0, "{algorithm:?}: half of something is stored");
    }
}

/// An agent's own deadline; and it goes on afterwards as if there had been none.
#[test]
fn an_agent_heeds_its_deadline_and_goes_on() {
    let (table, nim) = (table(), SlowNim::endless());
    let mut nim = SlowNim { heap: 9, ..nim };
    let mut agent = Agent::new(nim.clone(), Dfpn::default(), &table, Stop::new());
    agent.set_deadline(Some(Instant::now() + Duration::from_millis(20)));
    assert_eq!(agent.run(u64::MAX), Step::Stopped);
    assert_eq!(agent.run(u64::MAX), Step::Stopped);
    assert_eq!((agent.nodes(), agent.depth()), (0, 0));
    nim.shared.endless.store(false, Ordering::Relaxed);
    agent.set_deadline(None);
    assert_eq!(agent.run(u64::MAX), Step::Solved);
    nim.shared = Arc::default();
    let other_table = Table::new(1 << 20).expect("a small table");
    let mut other = Agent::new(nim, Dfpn::default(), &other_table, Stop::new());
    assert_eq!(other.run(u64::MAX), Step::Solved);
    assert_eq!((agent.result(), agent.nodes()), (other.result(), other.nodes()));
    assert_eq!(agent.result().map(|solved| solved.value), Some(Value::Proven));
}

#[test]
fn a_certificate_is_stopped_inside_a_look() {
    let (table, stop) = (table(), Stop::new());
    let nim = SlowNim::new(21, Duration::ZERO);
    let dfpn = Dfpn::default();
    let outcome = search(&nim, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
    assert_eq!(outcome.value(), Some(Value::Proven));
    let certify = |table: &Table, stop: &Stop| {
        let mut file = Vec::new();
        write(Claim::new(&nim, Value::Proven, outcome.plies), dfpn, table, stop, &mut file)
            .map(|_| file)
    };
    let file = certify(&table, &stop).expect("a certificate");
    check(Claim::new(&nim, Value::Proven, outcome.plies), &mut file.as_slice()).expect("accepted");
    nim.shared.endless.store(true, Ordering::Relaxed);
    // From what the table knows, and where everything has to be searched again.
    for table in [&table, &Table::new(1 << 20).expect("a small table")] {
        stop.lower();
        let written = stopped_inside(&nim, &stop, || certify(table, &stop));
        assert!(matches!(written, Err(WriteError::Stopped)), "{written:?}");
    }
}

/// Every node takes longer than the time between two reports: there is one for each.
#[test]
fn reports_come_where_looks_are_slow() {
    const NODES: u64 = 6;
    for (algorithm, _) in algorithms() {
        let nim = SlowNim::new(1_000, Duration::from_millis(25));
        let mut seen = Vec::new();
        let mut report = |progress: &Progress<'_>| seen.push(progress.nodes);
        let limits = Limits { nodes: Some(NODES), time: None };
        let mut control = Control { progress: Some(&mut report), ..Control::new(limits) };
        let outcome = search(&nim, &algorithm, &table(), &mut control);
        assert_eq!(outcome.verdict, Verdict::Unknown(Reason::Nodes), "{algorithm:?}");
        seen.dedup();
        assert!(seen.len() as u64 >= NODES / 2, "{algorithm:?}: {seen:?}");
        assert!(seen.is_sorted(), "{algorithm:?}: {seen:?}");
    }
}

/// The least limits there are. A limit on nodes may be passed by what all threads do at once.
#[test]
fn hardly_any_nodes_and_no_time() {
    let time = Some(Duration::ZERO);
    let limits = [0, 1, 2].map(|nodes| Limits { nodes: Some(nodes), time: None });
    for (algorithm, threads) in algorithms() {
        for limits in limits.into_iter().chain([Limits { nodes: None, time }]) {
            let nim = SlowNim::new(1_000_000, Duration::ZERO);
            let outcome = search(&nim, &algorithm, &table(), &mut Control::new(limits));
            let reason = if limits.time.is_some() { Reason::Time } else { Reason::Nodes };
            assert_eq!(outcome.verdict, Verdict::Unknown(reason), "{algorithm:?}, {limits:?}");
            if let Some(nodes) = limits.nodes {
                let most = nodes + 4 * threads as u64;
                assert!(outcome.nodes <= most, "{algorithm:?}, {limits:?}: {}", outcome.nodes);
            }
        }
    }
}

/// What one agent has asked no other one asks again, if the game says that it takes long.
#[test]
fn a_team_looks_once() {
    const HEAP: u32 = 60;
    let asked = |scheme: Scheme, says_so: bool| {
        let nim = SlowNim::new(HEAP, Duration::ZERO);
        nim.shared.says_so.store(says_so, Ordering::Relaxed);
        let table = Table::new(1 << 20).unwrap();
        let algorithm = Algorithm::Team(Dfpn::default(), scheme);
        let outcome = search(&nim, &algorithm, &table, &mut Control::default());
        assert_eq!(outcome.value(), Some(Value::Disproven));
        nim.shared.asked.load(Ordering::Relaxed)
    };
    let agents = Agents { turns: Some(1), ..Agents::on_threads(4) };
    let paths = Paths { quantum: 1, ..Paths::new("L,S,S,S".parse().unwrap()) };
    for scheme in [Scheme::Virtual(agents), Scheme::Paths(paths)] {
        // Each heap with each side to move, and the root by every agent.
        let most = 2 * HEAP as usize + 4;
        let (once, again) = (asked(scheme, true), asked(scheme, false));
        assert!(once <= most && once < again, "{once} looks, {again} without, {scheme:?}");
    }
}
