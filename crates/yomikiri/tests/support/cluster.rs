//! Masters, workers and a NATS server as processes.

// Not every test uses all of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use yomikiri_cluster::{Board, Game};
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::{BestMove, Dialect, PositionText, Reply};

/// Only a hang takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// A run of our program to which one can talk. It is killed with this.
pub struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// All that was said, on standard output and standard error, and when.
    pub heard: Vec<(Instant, String)>,
}

impl Program {
    pub fn start(arguments: &[&str]) -> Program {
        Program::start_through(&[], arguments)
    }

    /// Starts it through another command, such as `nice`, that becomes our program.
    pub fn start_through(through: &[&str], arguments: &[&str]) -> Program {
        let all = [through, &[env!("CARGO_BIN_EXE_yomikiri")], arguments].concat();
        let mut child = Command::new(all[0])
            .args(&all[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (sender, lines) = channel();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let outputs: [Box<dyn BufRead + Send>; 2] =
            [Box::new(BufReader::new(stdout)), Box::new(BufReader::new(stderr))];
        for output in outputs {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in output.lines().map_while(Result::ok) {
                    if sender.send((Instant::now(), line)).is_err() {
                        return;
                    }
                }
            });
        }
        let stdin = child.stdin.take();
        Program { child, stdin, lines, heard: Vec::new() }
    }

    /// A master that has said `uciok`.
    pub fn master(arguments: &[&str]) -> Program {
        let mut master = Program::start(&[&["cluster", "uci"], arguments].concat());
        master.say("uci");
        master.hear("uciok");
        master
    }

    /// A worker that has offered its slots.
    pub fn worker(url: &str, arguments: &[&str]) -> Program {
        let mut worker = Program::start(&[&["worker", "--nats", url], arguments].concat());
        worker.hear("slots of");
        worker
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("it listens");
    }

    /// The next line with this in it, and when it came.
    #[track_caller]
    pub fn hear_at(&mut self, part: &str) -> (Instant, String) {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((at, line)) => {
                    self.heard.push((at, line.clone()));
                    if line.contains(part) {
                        return (at, line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {part} after {:#?}", self.heard),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("it ended without {part} after {:#?}", self.heard)
                }
            }
        }
    }

    #[track_caller]
    pub fn hear(&mut self, part: &str) -> String {
        self.hear_at(part).1
    }

    /// Takes in what was said meanwhile.
    pub fn listen(&mut self) {
        self.heard.extend(self.lines.try_iter());
    }

    #[track_caller]
    pub fn assert_heard(&mut self, part: &str) {
        assert!(self.has_heard(part), "no {part}: {:#?}", self.heard);
    }

    pub fn has_heard(&mut self, part: &str) -> bool {
        self.listen();
        self.heard.iter().any(|(_, line)| line.contains(part))
    }

    /// The move that it plays after these, which is legal, and how long it took; nothing if the
    /// game is over.
    #[track_caller]
    pub fn play(&mut self, moves: &[String], go: &str) -> (Option<String>, Duration) {
        let start = self.ask(moves, go);
        self.answer(moves, start)
    }

    /// Asks for a move: when?
    pub fn ask(&mut self, moves: &[String], go: &str) -> Instant {
        let played = if moves.is_empty() { String::new() } else { " moves ".into() };
        self.say(&format!("position startpos{played}{}", moves.join(" ")));
        let start = Instant::now();
        self.say(go);
        start
    }

    /// The answer, and how long it took since then.
    #[track_caller]
    pub fn answer(&mut self, moves: &[String], start: Instant) -> (Option<String>, Duration) {
        let (at, line, best) = loop {
            let (at, line) = self.hear_at("bestmove");
            if let Reply::BestMove { best, .. } = Reply::parse(&line, Dialect::Uci) {
                break (at, line, best);
            }
        };
        let mut text = PositionText::initial();
        text.moves = moves.to_vec();
        let board = Board::new(Game::Chess, &text).expect("legal");
        let time = at.saturating_duration_since(start);
        match best {
            BestMove::Move(best) => {
                assert!(board.moves().contains(&best), "{best} after {moves:?}");
                (Some(best), time)
            }
            _ => {
                assert!(board.moves().is_empty(), "{line} after {moves:?}");
                (None, time)
            }
        }
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for its end: its exit code.
    pub fn end(&mut self) -> Option<i32> {
        self.stdin = None;
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                std::thread::sleep(Duration::from_millis(50));
                self.listen();
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end: {:#?}", self.heard);
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Engines end with it: their input is closed.
        self.kill();
    }
}

/// A NATS server of our own, on a free port of this machine.
pub struct NatsServer {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    child: Option<Child>,
}

impl NatsServer {
    /// `None`, with a word about it, if there is no `nats-server`.
    pub fn start(arguments: &[&str]) -> Option<NatsServer> {
        let program = yomikiri_needs::program("nats-server", find_program("nats-server"))?;
        let arguments = arguments.iter().map(|&argument| argument.to_string()).collect();
        let mut server = NatsServer { program, arguments, port: free_port(), child: None };
        server.restart();
        Some(server)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Starts it, on the same port as before.
    pub fn restart(&mut self) {
        self.kill();
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(&self.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().expect("it starts"));
        let end = Instant::now() + PATIENCE;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < end, "the server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to a process.
pub fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "kill {name} {process}");
}

/// A port where nobody listens.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("bound").port()
}
