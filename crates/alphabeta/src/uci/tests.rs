use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::run;

/// A user interface: says lines, and waits for those it wants to hear.
struct Dialogue {
    said: Option<Sender<Vec<u8>>>,
    heard: Receiver<String>,
}

struct Input(Receiver<Vec<u8>>, Vec<u8>);

impl io::Read for Input {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let length = to.len().min(self.1.len());
        to[..length].copy_from_slice(&self.1[..length]);
        self.1.drain(..length);
        Ok(length)
    }
}

struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        for &byte in from {
            match byte {
                b'\n' => {
                    let line = String::from_utf8(std::mem::take(&mut self.1)).expect("text");
                    self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
                }
                byte => self.1.push(byte),
            }
        }
        Ok(from.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Dialogue {
    fn new() -> Dialogue {
        let (said, input) = channel();
        let (output, heard) = channel();
        thread::spawn(|| {
            let input = io::BufReader::new(Input(input, Vec::new()));
            run(input, Lines(output, Vec::new()))
        });
        Dialogue { said: Some(said), heard }
    }

    fn say(&self, text: &str) {
        self.say_bytes(format!("{text}\n").into_bytes());
    }

    fn say_bytes(&self, bytes: Vec<u8>) {
        self.said.as_ref().expect("open").send(bytes).expect("the engine listens");
    }

    /// All lines up to the first that begins so, with it.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.heard.recv().unwrap_or_else(|_| panic!("no {start} in {lines:#?}")));
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    fn last(&self, start: &str) -> String {
        self.until(start).pop().expect("the line")
    }
}

#[test]
fn a_game_begins() {
    let gui = Dialogue::new();
    gui.say("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Yomikiri"));
    assert!(lines.contains(&"option name TableReport type check default false".into()));
    assert!(lines.contains(&"option name Hash type spin default 16 min 1 max 65536".into()));
    gui.say("setoption name Hash value 2\nsetoption name Ponder value true\nisready");
    assert_eq!(gui.until("readyok").len(), 1);
    gui.say("ucinewgame\nposition startpos moves e2e4 e7e5\ngo wtime 500 btime 500 movestogo 20");
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 seldepth"), "{lines:?}");
    gui.say("go depth 4");
    assert!(gui.last("bestmove").contains(" ponder "));
    gui.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo mate 1");
    let lines = gui.until("bestmove");
    assert!(lines[lines.len() - 2].contains("score mate 1 "), "{lines:?}");
    assert_eq!(lines[lines.len() - 1], "bestmove a1a8");
    gui.say("go nodes 500");
    gui.until("bestmove a1a8");
    gui.say("setoption name MultiPV value 2\ngo depth 2");
    assert!(gui.until("bestmove a1a8").iter().any(|line| line.contains(" multipv 2 ")));
}

#[test]
fn garbage_is_answered_and_changes_nothing() {
    let gui = Dialogue::new();
    for garbage in [
        "xyzzy",
        "position",
        "position fen",
        "setoption",
        "setoption name Nothing value 3",
        "setoption name Hash value -1",
        "setoption name Hash value many",
        "setoption name MultiPV",
        "setoption name Ponder value 7",
        "tablereport many",
        "debug perhaps",
        "ponderhit",
    ] {
        gui.say(garbage);
        gui.say("isready");
        let lines = gui.until("readyok");
        assert!(lines.len() == 2 && lines[0].starts_with("info string "), "{garbage}: {lines:?}");
    }
    gui.say("");
    gui.say_bytes(b"\xff\xfe\x00\n".to_vec());
    gui.say_bytes(vec![b'x'; 3 << 20]);
    gui.say("\nstop\nisready");
    assert_eq!(gui.until("readyok").len(), 3, "two remarks");
    // A position that cannot be is not searched, nor is the one before.
    for bad in [
        "fen 8/8/8/8 w - - 0 1",
        "fen kkkkkkkk/8/8/8/8/8/8/K7 w - - 0 1",
        "startpos moves e2e5",
        "startpos moves e2e4 e7e5 0000",
    ] {
        gui.say(&format!("position {bad}\ngo depth 3"));
        let lines = gui.until("bestmove");
        assert!(lines[0].starts_with("info string position refused: "), "{lines:?}");
        assert_eq!(lines[lines.len() - 1], "bestmove (none)");
        gui.say("tablereport 5");
        assert_eq!(gui.until("tableend").len(), 1);
    }
    gui.say("position startpos\ngo depth 2 searchmoves e2e5 a2a3");
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info string searchmoves: "));
    assert!(lines[lines.len() - 1].starts_with("bestmove a2a3"));
    gui.say("go depth 2 searchmoves e2e5");
    gui.until("bestmove (none)");
}

#[test]
fn mated_and_stalemated_sides_have_no_move() {
    let gui = Dialogue::new();
    for fen in ["R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        gui.say(&format!("position fen {fen}\ngo movetime 10\ntablereport 3"));
        assert_eq!(gui.last("bestmove"), "bestmove (none)");
        gui.until("tableend");
    }
}

#[test]
fn bestmove_is_held_back() {
    let gui = Dialogue::new();
    // A mate in one is found at once and searched to the last depth before `stop`.
    gui.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo infinite\nisready");
    let held = gui.until("readyok");
    assert!(!held.iter().any(|line| line.starts_with("bestmove")));
    gui.say("tablereport 2\nxyzzy");
    let lines = gui.until("info string not understood");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    gui.say("stop");
    gui.until("bestmove a1a8");
    gui.say("go ponder depth 1\nisready");
    assert!(!gui.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    gui.say("ponderhit");
    gui.until("bestmove a1a8");
    gui.say("position startpos\ngo ponder wtime 300 btime 300\nponderhit");
    gui.until("bestmove ");
}

#[test]
fn a_move_asked_for_at_once_is_looked_at() {
    let gui = Dialogue::new();
    // The queen hangs; the order of moves alone would not save her.
    gui.say("position fen 4k3/8/2n5/8/3Q4/8/8/4K3 w - - 0 1\ngo infinite\nstop");
    let lines = gui.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 "), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove d4")), "{lines:?}");
}

#[test]
fn commands_during_a_search_wait_for_its_end() {
    let gui = Dialogue::new();
    gui.say("position startpos\ngo infinite\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    gui.say("go depth 2\nisready");
    gui.until("readyok");
    gui.say("stop");
    let first = gui.last("bestmove");
    assert_ne!(first, "bestmove a1a8");
    gui.until("bestmove a1a8");
    // Every `stop` is for its own search.
    gui.say(&"go infinite\nstop\n".repeat(50));
    for _ in 0..50 {
        gui.until("bestmove");
    }
}

#[test]
fn the_table_is_reported_during_a_search_and_after() {
    let gui = Dialogue::new();
    gui.say("position startpos moves e2e4\ngo infinite searchmoves e7e5 c7c5");
    gui.until("info depth 6 ");
    let ask = || {
        gui.say("tablereport 30");
        let mut lines = gui.until("tableend");
        lines.retain(|line| line.starts_with("tableentry"));
        assert_eq!(lines.len(), 30);
        for line in &lines {
            let moves = line.split_once(" moves ").expect("moves").1;
            assert!(moves.starts_with("e7e5") || moves.starts_with("c7c5"), "{line}");
            assert!(line.starts_with("tableentry depth "), "{line}");
        }
        lines
    };
    ask();
    gui.say("stop");
    gui.until("bestmove");
    assert_eq!(ask(), ask());
}

#[test]
fn castling_is_written_as_the_interface_wants_it() {
    let gui = Dialogue::new();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    gui.say(&format!("{position}\ngo depth 1 searchmoves e1g1"));
    assert!(gui.last("bestmove").starts_with("bestmove e1g1"));
    gui.say(&format!("setoption name UCI_Chess960 value true\n{position} moves e1h1 e8e7"));
    gui.say(&format!("{position}\ngo depth 1 searchmoves e1h1"));
    assert!(gui.last("bestmove").starts_with("bestmove e1h1"));
}

#[test]
fn the_end_of_the_input_is_the_end() {
    for last in ["go infinite\n", "go depth 90\n", "isready\n", ""] {
        let mut gui = Dialogue::new();
        gui.say_bytes(last.as_bytes().to_vec());
        gui.said = None;
        while let Ok(line) = gui.heard.recv() {
            assert!(!line.starts_with("info string"));
        }
    }
    let gui = Dialogue::new();
    gui.say("go infinite\nquit");
    while gui.heard.recv().is_ok() {}
}
