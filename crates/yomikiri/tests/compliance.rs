//! What match tools and user interfaces send to a UCI engine, in usual and in odd orders: a list of
//! steps, each with what must come back. The laws that hold throughout:
//!
//! - nothing but UCI is on standard output;
//! - every `go` is answered by exactly one `bestmove`, with a move that is legal where the search
//!   began, and after at least one `info` line with a score;
//! - every `isready` is answered by exactly one `readyok`, also during a search;
//! - answers come in the order of the questions;
//! - `quit` and the end of the input end the program, whatever it does.
//!
//! No step measures speed: an answer may take as long as a loaded machine needs.
//! `YOMIKIRI_COMPLIANCE_RUNS=20` goes through the list twenty times.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use andor::SplitMix64;
use yomikiri_chess::Position;
#[cfg(feature = "cluster")]
use yomikiri_engine::program::find_program;

/// Only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A search with a clock, or stopped, is answered by then even on a loaded machine.
const SOON: Duration = Duration::from_secs(15);

/// Long enough for an engine to be in the middle of a search.
const A_WHILE: Duration = Duration::from_millis(150);

const MATE_IN_ONE: &str = "fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const MATED: &str = "fen R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1";
const STALEMATE: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const ONE_MOVE: &str = "fen 7k/8/8/8/8/8/r7/1r5K w - - 0 1";
const MIDDLE_GAME: &str =
    "fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// The engine, seen from its user interface.
struct Gui {
    arguments: Vec<String>,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What was said on both sides.
    log: Vec<String>,
    /// What is on the board.
    position: Position,
    /// Where the searches began that have not been answered.
    searched: VecDeque<Position>,
    /// The `info` lines with a score since the last answer.
    scores: usize,
}

/// An answer to `go`.
struct Answer {
    /// The move; nothing if the game is over.
    best: Option<String>,
    /// The lines before it.
    infos: Vec<String>,
}

impl Gui {
    fn start(arguments: &[String]) -> Gui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap_or_else(|error| format!("not text: {error}"));
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Gui {
            arguments: arguments.into(),
            stdin: child.stdin.take(),
            child,
            lines,
            log: Vec::new(),
            position: Position::start(),
            searched: VecDeque::new(),
            scores: 0,
        }
    }

    /// Another run of the same program, that has heard nothing yet.
    fn another(&self) -> Gui {
        Gui::start(&self.arguments)
    }

    /// Says lines as they are, in one piece, and remembers what they mean.
    fn say(&mut self, text: &str) {
        for line in text.lines() {
            let short: String = line.chars().take(200).collect();
            self.log.push(format!("> {short}"));
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["position", ..] => self.position = board(&words),
                ["go", ..] => self.searched.push_back(self.position.clone()),
                _ => {}
            }
        }
        self.write(format!("{text}\n").as_bytes());
    }

    fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("it listens");
    }

    /// The next line, which must be UCI.
    #[track_caller]
    fn hear(&mut self, end: Instant) -> String {
        match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                self.log.push(line.clone());
                if let Err(reason) = uci(&line) {
                    self.fail(&format!("`{line}` is no line of UCI: {reason}"));
                }
                line
            }
            Err(RecvTimeoutError::Timeout) => self.fail("no answer"),
            Err(RecvTimeoutError::Disconnected) => self.fail("it has ended"),
        }
    }

    #[track_caller]
    fn fail(&self, what: &str) -> ! {
        let from = self.log.len().saturating_sub(40);
        panic!("{what}, after\n{}", self.log[from..].join("\n"));
    }

    /// The lines up to the next one that begins with this word, without it. No other answer may
    /// come before.
    #[track_caller]
    fn until(&mut self, word: &str, patience: Duration) -> (Vec<String>, String) {
        let end = Instant::now() + patience;
        let mut before = Vec::new();
        loop {
            let line = self.hear(end);
            let first = line.split(' ').next().unwrap_or_default();
            if first == word {
                return (before, line);
            }
            if matches!(first, "bestmove" | "readyok" | "uciok") {
                self.fail(&format!("`{line}` before {word}"));
            }
            self.scores += usize::from(first == "info" && line.contains(" score "));
            before.push(line);
        }
    }

    #[track_caller]
    fn introduce(&mut self) {
        self.say("uci");
        let (lines, _) = self.until("uciok", PATIENCE);
        for name in ["id name ", "id author "] {
            let count = lines.iter().filter(|line| line.starts_with(name)).count();
            assert_eq!(count, 1, "{name} in {lines:#?}");
        }
    }

    /// It answers `isready`, and has nothing else to answer.
    #[track_caller]
    fn settle(&mut self) {
        self.say("isready");
        self.until("readyok", PATIENCE);
        assert!(self.searched.is_empty(), "a step that leaves a search is wrong");
    }

    /// The answer to the oldest `go` that has none.
    #[track_caller]
    fn answer(&mut self, patience: Duration) -> Answer {
        let (infos, line) = self.until("bestmove", patience);
        self.judge(infos, &line)
    }

    #[track_caller]
    fn judge(&mut self, infos: Vec<String>, line: &str) -> Answer {
        let Some(position) = self.searched.pop_front() else {
            self.fail("a bestmove that nobody asked for");
        };
        if std::mem::take(&mut self.scores) == 0 {
            self.fail("no info line with a score before bestmove");
        }
        let words: Vec<&str> = line.split(' ').collect();
        let over = position.legal_moves().is_empty();
        let best = match words[1] {
            "(none)" | "0000" if over => None,
            text => match position.parse_uci(text) {
                Ok(m) if position.uci(m) == text => Some((text.to_owned(), m)),
                _ => self.fail(&format!("`{text}` is not legal in {}", position.fen())),
            },
        };
        if let (Some((_, m)), ["bestmove", _, "ponder", reply]) = (&best, &words[..]) {
            let mut after = position.clone();
            after.play(*m);
            if after.parse_uci(reply).is_err() {
                self.fail(&format!("ponder {reply} is not legal"));
            }
        }
        Answer { best: best.map(|(text, _)| text), infos }
    }

    /// Asks for a move of this position.
    #[track_caller]
    fn ask(&mut self, position: &str, go: &str) -> Answer {
        self.say(&format!("position {position}\ngo {go}"));
        self.answer(SOON)
    }

    /// It ends, without an error.
    #[track_caller]
    fn ends(&mut self) {
        self.stdin = None;
        let end = Instant::now() + SOON;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                assert!(status.success(), "{status}");
                return;
            }
            if Instant::now() > end {
                self.fail("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The position that the words of `position` describe.
fn board(words: &[&str]) -> Position {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut position = match words[1] {
        "startpos" => Position::start(),
        _ => Position::from_fen(&words[2..moves].join(" ")).expect("a FEN"),
    };
    for text in words.iter().skip(moves + 1) {
        position.play(position.parse_uci(text).expect("a legal move"));
    }
    position
}

/// Is this a line that an engine may say?
fn uci(line: &str) -> Result<(), &'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    if line.chars().any(char::is_control) {
        return Err("a control character");
    }
    let number = |word: &&str| word.parse::<i64>().is_ok();
    match words[..] {
        ["id", "name" | "author", _, ..] | ["uciok"] | ["readyok"] => Ok(()),
        ["bestmove", _] | ["bestmove", _, "ponder", _] => Ok(()),
        ["info", "string", ..] => Ok(()),
        ["info", ref rest @ ..] => {
            let after = |word: &str| rest.iter().position(|&found| found == word).map(|at| at + 1);
            for name in ["depth", "seldepth", "nodes", "nps", "time", "hashfull", "multipv"] {
                if after(name).is_some_and(|at| !rest.get(at).is_some_and(number)) {
                    return Err("a number is missing");
                }
            }
            match after("score") {
                None => Ok(()),
                Some(at) if !matches!(rest.get(at), Some(&("cp" | "mate"))) => Err("what score?"),
                Some(at) if !rest.get(at + 1).is_some_and(number) => Err("a score is a number"),
                Some(_) if after("depth").is_none() => Err("a score of no depth"),
                Some(_) => Ok(()),
            }
        }
        ["option", "name", ref rest @ ..] => match rest.iter().position(|&word| word == "type") {
            Some(at) if at > 0 => match rest[at + 1..] {
                ["button"] => Ok(()),
                ["check", "default", "true" | "false"] => Ok(()),
                ["string", "default", ..] | ["combo", "default", ..] => Ok(()),
                ["spin", "default", default, "min", min, "max", max]
                    if [default, min, max].iter().all(number) =>
                {
                    Ok(())
                }
                _ => Err("a type of option that UCI does not know"),
            },
            _ => Err("an option without a type"),
        },
        _ => Err("an unknown word"),
    }
}

/// A game of so many plies, the same every time.
fn long_game(plies: usize) -> String {
    for seed in 0.. {
        let mut random = SplitMix64::new(seed);
        let (mut position, mut moves) = (Position::start(), Vec::new());
        while moves.len() < plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[random.below(legal.len())];
            moves.push(position.uci(m));
            position.play(m);
        }
        if moves.len() == plies && !position.legal_moves().is_empty() {
            return moves.join(" ");
        }
    }
    unreachable!("there are many games")
}

/// A name for people, and what is done.
type Step = (&'static str, fn(&mut Gui));

/// The list.
const STEPS: [Step; 48] = [
    ("uci, again", |gui| gui.introduce()),
    ("isready before uci", |gui| {
        let mut gui = gui.another();
        gui.say("isready");
        gui.until("readyok", PATIENCE);
        gui.introduce();
        gui.settle();
    }),
    ("go before anything else", |gui| {
        let mut gui = gui.another();
        gui.say("go depth 1");
        gui.answer(PATIENCE);
    }),
    ("all at once, as in a script", |gui| {
        let mut gui = gui.another();
        gui.say("uci\nisready\nucinewgame\nisready\nposition startpos moves e2e4\ngo depth 2");
        gui.until("uciok", PATIENCE);
        gui.until("readyok", PATIENCE);
        gui.until("readyok", PATIENCE);
        gui.answer(PATIENCE);
    }),
    ("isready twenty times", |gui| {
        gui.say(&["isready"; 20].join("\n"));
        (0..20).for_each(|_| drop(gui.until("readyok", PATIENCE)));
    }),
    ("an option that nobody knows", |gui| {
        gui.say("setoption name No Such Option value 3\nsetoption name NoButton");
    }),
    ("names with spaces", |gui| {
        gui.say("setoption name Move Overhead value 30\nsetoption name Clear Hash");
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("values that are empty or missing", |gui| {
        gui.say("setoption name Hash value\nsetoption name Hash\nsetoption name SyzygyPath value ");
        gui.say("setoption name Ponder value\nsetoption name Move Overhead value");
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("values out of range", |gui| {
        for value in ["-1", "0", "99999999999999999999", "many", "true", "1e3", "16 MB"] {
            gui.say(&format!("setoption name Hash value {value}"));
        }
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("setoption cut short", |gui| {
        gui.say("setoption\nsetoption name\nsetoption value 3\nsetoption name value\nsetoption x");
    }),
    ("an option in another case", |gui| {
        gui.say("setoption name hash value 4\nsetoption name HASH value 8");
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("ucinewgame, and go without a word between", |gui| {
        gui.say("position startpos\nucinewgame\ngo depth 2");
        gui.answer(SOON);
    }),
    ("ucinewgame ten times", |gui| {
        gui.say(&["ucinewgame"; 10].join("\n"));
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("the same position twice", |gui| {
        gui.say("position startpos moves e2e4\nposition startpos moves e2e4");
        gui.ask("startpos moves e2e4", "depth 2");
        gui.ask("startpos moves e2e4", "depth 2");
    }),
    ("a clock of 100 ms", |gui| {
        for _ in 0..3 {
            gui.ask(MIDDLE_GAME, "wtime 100 btime 100");
        }
    }),
    ("a clock with increments and moves to go", |gui| {
        gui.ask(MIDDLE_GAME, "wtime 200 btime 200 winc 20 binc 20 movestogo 1");
        gui.ask(MIDDLE_GAME, "movestogo 40 binc 0 winc 0 btime 300 wtime 300");
    }),
    ("no time left, and less", |gui| {
        for time in ["1", "0", "-50"] {
            gui.ask(MIDDLE_GAME, &format!("wtime {time} btime {time}"));
        }
    }),
    ("a clock of the other side alone", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo btime 1000\nstop"));
        gui.answer(SOON);
    }),
    ("movetime 1", |gui| {
        for _ in 0..3 {
            gui.ask(MIDDLE_GAME, "movetime 1");
        }
    }),
    ("movetime 100", |gui| drop(gui.ask(MIDDLE_GAME, "movetime 100"))),
    ("depth 1", |gui| drop(gui.ask(MIDDLE_GAME, "depth 1"))),
    ("nodes 1", |gui| drop(gui.ask(MIDDLE_GAME, "nodes 1"))),
    ("nodes 2000", |gui| drop(gui.ask(MIDDLE_GAME, "nodes 2000"))),
    ("two limits at once", |gui| drop(gui.ask(MIDDLE_GAME, "depth 60 movetime 50"))),
    ("infinite, and stop after a while", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo infinite"));
        std::thread::sleep(A_WHILE);
        gui.say("isready");
        gui.until("readyok", PATIENCE);
        gui.say("stop");
        gui.answer(SOON);
    }),
    ("infinite, and stop at once", |gui| {
        for _ in 0..5 {
            gui.say(&format!("position {MIDDLE_GAME}\ngo infinite\nstop"));
            gui.answer(SOON);
        }
    }),
    ("infinite where a mate is found at once", |gui| {
        gui.say(&format!("position {MATE_IN_ONE}\ngo infinite"));
        std::thread::sleep(A_WHILE);
        gui.say("isready");
        gui.until("readyok", PATIENCE);
        gui.say("stop");
        assert_eq!(gui.answer(SOON).best.as_deref(), Some("a1a8"));
    }),
    ("stop without go", |gui| gui.say("stop\nstop")),
    ("stop again and again", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo infinite\nstop\nstop\nstop"));
        gui.answer(SOON);
    }),
    ("ponder, and the move comes", |gui| {
        gui.say("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500");
        std::thread::sleep(A_WHILE);
        gui.say("isready");
        gui.until("readyok", PATIENCE);
        gui.say("ponderhit");
        gui.answer(SOON);
    }),
    ("ponder, and the move comes at once", |gui| {
        gui.say("position startpos moves e2e4 e7e5\ngo ponder wtime 300 btime 300\nponderhit");
        gui.answer(SOON);
    }),
    ("ponder, and another move comes", |gui| {
        gui.say("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500\nstop");
        gui.answer(SOON);
        gui.ask("startpos moves e2e4 c7c5", "wtime 300 btime 300");
    }),
    ("ponderhit without ponder", |gui| {
        gui.say("ponderhit");
        gui.settle();
        gui.say("position startpos\ngo movetime 50\nponderhit");
        gui.answer(SOON);
    }),
    ("go during a search", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo movetime 100\ngo depth 1"));
        gui.answer(SOON);
        gui.answer(SOON);
    }),
    ("position during a search", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo movetime 100\nposition startpos moves d2d4"));
        gui.answer(SOON);
        gui.say("go depth 1");
        gui.answer(SOON);
    }),
    ("setoption during a search", |gui| {
        gui.say("position startpos\ngo infinite\nsetoption name Hash value 4");
        std::thread::sleep(A_WHILE);
        gui.say("stop");
        gui.answer(SOON);
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("ucinewgame during a search", |gui| {
        gui.say("position startpos\ngo movetime 100\nucinewgame");
        gui.answer(SOON);
        gui.settle();
        gui.ask("startpos moves c2c4", "depth 2");
    }),
    ("uci during a search", |gui| {
        gui.say("position startpos\ngo infinite\nstop\nuci");
        gui.answer(SOON);
        gui.until("uciok", PATIENCE);
    }),
    ("isready ten times during a search", |gui| {
        gui.say(&format!("position {MIDDLE_GAME}\ngo infinite"));
        for _ in 0..10 {
            gui.say("isready");
            gui.until("readyok", SOON);
        }
        gui.say("stop");
        gui.answer(SOON);
    }),
    ("searchmoves, before and after other limits", |gui| {
        for go in ["searchmoves a2a3 h2h3 depth 3", "depth 3 searchmoves a2a3 h2h3"] {
            let best = gui.ask("startpos", go).best.expect("a move");
            assert!(["a2a3", "h2h3"].contains(&best.as_str()), "{best}");
        }
        assert_eq!(gui.ask("startpos", "searchmoves b1a3 movetime 20").best.unwrap(), "b1a3");
        // Afterwards all moves count again.
        gui.ask(MATE_IN_ONE, "depth 2");
    }),
    ("a game of 300 plies", |gui| {
        gui.ask(&format!("startpos moves {}", long_game(300)), "wtime 200 btime 200");
    }),
    ("mate and stalemate on the board", |gui| {
        for (position, go) in [(MATED, "depth 5"), (STALEMATE, "movetime 50"), (MATED, "infinite")]
        {
            gui.say(&format!("position {position}\ngo {go}"));
            if go == "infinite" {
                gui.say("stop");
            }
            assert_eq!(gui.answer(SOON).best, None);
        }
    }),
    ("mate in one, and one legal move", |gui| {
        let answer = gui.ask(MATE_IN_ONE, "depth 4");
        assert_eq!(answer.best.as_deref(), Some("a1a8"));
        let last = answer.infos.iter().rfind(|line| line.contains(" score ")).expect("a score");
        assert!(last.contains(" score mate 1 "), "{last}");
        gui.ask(ONE_MOVE, "wtime 1000 btime 1000");
        gui.ask(ONE_MOVE, "depth 3");
    }),
    ("castling, en passant, promotion, and a FEN without counters", |gui| {
        let castling = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(gui.ask(castling, "depth 2 searchmoves e1g1").best.unwrap(), "e1g1");
        gui.ask(&format!("{castling} moves e1g1"), "depth 2");
        gui.ask("fen 4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1 moves a2a4 b4a3", "depth 2");
        gui.ask("fen 8/P3k3/8/8/8/8/8/4K3 w - - 0 1 moves a7a8n e7d6", "depth 2");
        gui.ask("fen 8/P3k3/8/8/8/8/8/4K3 w - -", "depth 2");
    }),
    ("garbage, and lines of any length", |gui| {
        gui.say("xyzzy\n\n   \n\t\ndebug on\ndebug off\nregister later\nGO DEPTH 1");
        gui.write(b"\xff\xfe\x00\x80\r\n\x1b[31mred\n");
        gui.write(&[vec![b'x'; 300_000], vec![b'\n']].concat());
        gui.write(&["x ".repeat(100_000).into_bytes(), vec![b'\n']].concat());
        gui.settle();
        gui.ask("startpos", "depth 2");
    }),
    ("lines that end as on Windows, and blanks everywhere", |gui| {
        gui.say("isready\r");
        gui.until("readyok", PATIENCE);
        gui.say("position startpos moves e2e4 e7e5\r\ngo depth 1\r");
        gui.answer(SOON);
        gui.say("  position   startpos\tmoves  d2d4  \n\tgo  depth  1  ");
        gui.answer(SOON);
    }),
    ("a game as a match tool plays it", |gui| {
        gui.say("ucinewgame");
        gui.settle();
        let (mut moves, mut clocks) = (String::from("e2e4"), [800_i64; 2]);
        for ply in 1..21 {
            gui.settle();
            let [white, black] = clocks;
            let start = Instant::now();
            let go = format!("wtime {white} btime {black} winc 10 binc 10");
            let best = gui.ask(&format!("startpos moves {moves}"), &go).best;
            // No clock is ever behind: this machine may be a slow one.
            let left = clocks[ply % 2] - start.elapsed().as_millis() as i64 + 10;
            clocks[ply % 2] = left.max(50);
            let Some(best) = best else { break };
            moves += &format!(" {best}");
        }
    }),
    ("quit and the end of the input, idle and in the middle of a search", |gui| {
        for end in [
            "quit",
            "",
            "uci\nquit",
            "uci\nisready",
            "uci\nposition startpos\ngo infinite\nquit",
            "uci\nposition startpos\ngo infinite",
            "position startpos\ngo ponder wtime 1000 btime 1000\nisready",
        ] {
            let mut gui = gui.another();
            gui.say(end);
            gui.ends();
        }
    }),
];

/// Goes through the list, as often as the environment wants.
fn comply(arguments: &[&str]) {
    let arguments: Vec<String> = arguments.iter().map(|&word| word.into()).collect();
    let runs = std::env::var("YOMIKIRI_COMPLIANCE_RUNS").ok();
    let runs: u32 = runs.map_or(1, |runs| runs.parse().expect("a number of runs"));
    let introduced = || {
        let mut gui = Gui::start(&arguments);
        gui.introduce();
        gui
    };
    let mut failed: Vec<String> = Vec::new();
    for run in 1..=runs {
        let mut gui = introduced();
        for (name, step) in STEPS {
            gui.log.push(format!("— {name}"));
            let done = catch_unwind(AssertUnwindSafe(|| {
                step(&mut gui);
                gui.settle();
            }));
            if let Err(panic) = done {
                let text = panic.downcast_ref::<String>().map_or("?", String::as_str);
                failed.push(format!("run {run}, {name}: {text}"));
                gui = introduced();
            }
        }
        gui.say("quit");
        gui.ends();
    }
    let count = failed.len();
    assert!(failed.is_empty(), "{count} steps failed in {runs} runs:\n{}", failed.join("\n\n"));
}

#[test]
fn our_engine_complies() {
    comply(&["engine", "chess"]);
}

#[cfg(feature = "cluster")]
#[test]
fn a_cluster_of_our_engine_complies() {
    comply(&["cluster", "uci", "--workers", "2"]);
}

#[cfg(feature = "cluster")]
#[test]
fn a_cluster_of_stockfish_complies() {
    let found = yomikiri_needs::program("stockfish", find_program("stockfish"));
    if found.is_none() {
        return;
    }
    comply(&["cluster", "uci", "--workers", "2", "--engine", "stockfish"]);
}

#[test]
fn the_law_of_lines_knows_what_is_wrong() {
    for line in [
        "",
        "Stockfish 15 by the developers",
        "info depth score cp 3",
        "info depth 3 score 3",
        "info score cp 3 pv e2e4",
        "bestmove",
        "bestmove e2e4 ponder",
        "option name Hash type spin default 16",
        "option Hash",
        "readyok ",
        "info string \u{1b}[0m",
    ] {
        assert!(uci(line).is_err(), "{line}");
    }
    for line in [
        "bestmove e2e4 ponder e7e5",
        "info depth 3 seldepth 4 score cp -3 upperbound nodes 5 pv e2e4",
        "option name Clear Hash type button",
        "option name Hash type spin default 16 min 1 max 1024",
        "info string anything",
    ] {
        assert_eq!(uci(line), Ok(()), "{line}");
    }
}
