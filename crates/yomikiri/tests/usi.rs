//! The engine as user interfaces see it: transcripts of dialogues with the built program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use yomikiri_shogi::{Move, Position};

/// Mate in three plies.
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
/// A gold alone does not mate.
const NONE: &str = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
/// Not decided for a long time: a king in the middle of an empty board.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";
/// A mate that is found in a moment, and is very hard to prove the shortest.
const OPEN: &str = "4k4/9/9/9/9/9/9/9/9 b RB2G2SNLPrb2g2s3n3l17p 1";
/// White is mated.
const MATED: &str = "8k/8G/8P/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 1";

/// Mate at once, but for interpositions in vain: with them it takes fifteen plies.
const FAR: &str = "8k/R3P4/7GN/9/9/9/9/9/9 b r2b3g4s3n4l17p 1";

/// Nothing here takes as long.
const LONG: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All that was said since the last question.
    heard: Vec<String>,
}

impl Engine {
    fn start() -> Engine {
        Engine::with(&[])
    }

    fn with(arguments: &[&str]) -> Engine {
        Engine::run(&[&["usi"], arguments].concat())
    }

    fn run(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Engine { child, stdin, lines, heard: Vec::new() }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("it listens");
    }

    fn send(&mut self, line: &str) {
        self.heard.clear();
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Waits for a line that begins so.
    #[track_caller]
    fn wait(&mut self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(LONG);
            let line = line.unwrap_or_else(|_| panic!("no `{start}` after {:#?}", self.heard));
            self.heard.push(line.clone());
            if line.starts_with(start) {
                return line;
            }
        }
    }

    #[track_caller]
    fn ask(&mut self, line: &str, start: &str) -> String {
        self.send(line);
        self.wait(start)
    }

    /// Sends a command that is not answered, and whatever is said of it.
    #[track_caller]
    fn tell(&mut self, line: &str) -> Vec<String> {
        self.ask(&format!("{line}\nisready"), "readyok");
        self.heard.pop();
        self.heard.clone()
    }

    /// Listens for so long, and expects no line that begins so.
    #[track_caller]
    fn silent(&mut self, time: Duration, start: &str) {
        let end = Instant::now() + time;
        while let Ok(line) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            assert!(!line.starts_with(start), "too early: {line}");
            self.heard.push(line);
        }
    }

    /// A line of what the system says of the process, in MiB.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("the status of the process");
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let words = line.and_then(|line| line.split_whitespace().next());
        words.and_then(|kib| kib.parse::<u64>().ok()).expect("KiB") >> 10
    }

    /// The last number of nodes that was told.
    fn nodes(&self) -> u64 {
        let mut told = self.heard.iter().rev().filter_map(|line| {
            let mut words = line.split(' ').skip_while(|&word| word != "nodes");
            words.nth(1)?.parse().ok()
        });
        told.next().expect("an info line")
    }

    /// Says `quit`, and expects the program to end.
    #[track_caller]
    fn quit(mut self) {
        self.send("quit");
        self.ends();
    }

    #[track_caller]
    fn ends(&mut self) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its status") {
                assert!(status.success(), "{status}");
                return;
            }
            assert!(start.elapsed() < LONG, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has ended already where the test went well.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Says `stop` and gives the answer and the time it took, which must be short. The time is printed;
/// machines that run tests are often busy, so it is not asserted strictly.
#[track_caller]
fn stop(engine: &mut Engine, what: &str, start: &str) -> String {
    let begin = Instant::now();
    let answer = engine.ask("stop", start);
    let took = begin.elapsed();
    println!("stop {what}: {:.1} ms", took.as_secs_f64() * 1e3);
    assert!(took < Duration::from_secs(2), "{what}: {took:?}");
    answer
}

/// One name and one author for the solver, the engine of chess and the cluster.
#[test]
fn all_our_engines_introduce_themselves_in_the_same_words() {
    let engines: &[(&[&str], &str)] = &[
        (&["usi"], "Yomikiri"),
        (&["engine", "chess"], "Yomikiri alphabeta"),
        #[cfg(feature = "cluster")]
        (&["cluster", "uci", "--workers", "1"], "Yomikiri cluster"),
    ];
    for (arguments, name) in engines {
        let run = crate::support::piped(arguments, "uci\nusi\nquit\n");
        let ids: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("id ")).collect();
        let name = format!("id name {name} {}", env!("CARGO_PKG_VERSION"));
        assert_eq!(ids, [&name, "id author The Yomikiri developers"], "{arguments:?}");
    }
}

#[test]
fn a_dialogue_as_a_user_interface_has_it() {
    let mut engine = Engine::start();
    engine.ask("usi", "usiok");
    let heard = engine.heard.join("\n");
    assert!(heard.starts_with("id name Yomikiri "), "{heard}");
    assert!(heard.contains("\nid author "), "{heard}");
    for option in [
        "option name USI_Hash type spin default 1024 min 1 max ",
        "option name Threads type spin default 1 min 1 max 64",
        "option name PostSearchLevel type combo default MinLength var MinLength var None",
        "option name RootIsAndNodeIfChecked type check default true",
        "option name FutileInterpositions type combo default NotCounted var NotCounted var Counted",
    ] {
        assert!(heard.contains(option), "{heard}");
    }
    for option in [
        "setoption name USI_Ponder value true",
        "setoption name USI_Hash value 64",
        "setoption name PostSearchLevel value MinLength",
        "setoption name PvInterval value 100",
    ] {
        assert_eq!(engine.tell(option), [""; 0], "{option}");
    }
    engine.ask("isready", "readyok");
    engine.send("usinewgame");
    engine.send(&format!("position sfen {THREE}"));
    let answer = engine.ask("go mate infinite", "checkmate");
    let moves: Vec<&str> = answer.split(' ').skip(1).collect();
    assert_eq!(moves.len(), 3, "{answer}");
    let last = &engine.heard[engine.heard.len() - 2];
    assert!(last.starts_with("info depth 3 seldepth "), "{last}");
    assert!(last.contains(" score mate 3 pv ") && last.contains(" hashfull "), "{last}");
    assert!(last.ends_with(&moves.join(" ")), "{last}");

    // On with the defender to move, then to the end.
    engine.send(&format!("position sfen {THREE} moves {}", moves[0]));
    let answer = engine.ask("go mate 10000", "checkmate");
    assert_eq!(answer.split(' ').count(), 3, "{answer}");
    assert!(engine.heard.iter().any(|line| line.contains("score mate -2")), "{:?}", engine.heard);
    engine.send(&format!("position sfen {THREE} moves {}", moves.join(" ")));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate");
    engine.send("gameover win");
    engine.quit();
}

#[test]
fn no_mate_timeout_and_limits() {
    let mut engine = Engine::with(&["--option", "USI_Hash=64"]);
    engine.send(&format!("position sfen {NONE}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate nomate");
    engine.send("position startpos");
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate nomate");
    engine.send(&format!("position sfen {HARD}"));
    let begin = Instant::now();
    assert_eq!(engine.ask("go mate 300", "checkmate"), "checkmate timeout");
    let took = begin.elapsed();
    assert!(took >= Duration::from_millis(200) && took < Duration::from_secs(5), "{took:?}");
    assert_eq!(engine.ask("go mate nodes 3000", "checkmate"), "checkmate timeout");
    assert!(engine.nodes() <= 3100, "{}", engine.nodes());
    engine.tell("setoption name NodesLimit value 1000");
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate timeout");
    engine.tell("setoption name NodesLimit value 0");

    // A bound on the length is no proof that there is no mate.
    engine.tell("setoption name DepthLimit value 1");
    engine.send(&format!("position sfen {THREE}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate timeout");
    assert!(engine.heard.iter().any(|line| line.contains("no mate within 2 ")));
    engine.tell("setoption name DepthLimit value 3");
    assert_eq!(engine.ask("go mate infinite", "checkmate").split(' ').count(), 4);
    engine.quit();
}

#[test]
fn stop_is_answered_at_once() {
    let mut engine = Engine::with(&["-o", "USI_Hash=512", "-o", "PvInterval=50"]);
    engine.send(&format!("position sfen {HARD}"));
    engine.send("go mate infinite");
    engine.wait("info depth ");
    engine.wait("info depth ");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(stop(&mut engine, "during a search", "checkmate"), "checkmate timeout");
    // The answer was the only one, and the engine goes on.
    engine.ask("isready", "readyok");
    assert!(!engine.heard.iter().any(|line| line.starts_with("checkmate")));
    assert_eq!(engine.tell("stop"), [""; 0]);
    for what in ["right after go", "right after go, again"] {
        engine.send("go mate infinite");
        assert_eq!(stop(&mut engine, what, "checkmate"), "checkmate timeout");
    }
    // While a table that was used is given back and another one is made.
    engine.send("usinewgame\ngo mate infinite");
    assert_eq!(stop(&mut engine, "with a new table", "checkmate"), "checkmate timeout");
    engine.send("setoption name USI_Hash value 1024\ngo mate infinite");
    assert_eq!(stop(&mut engine, "with a larger table", "checkmate"), "checkmate timeout");
    engine.send("go infinite");
    assert_eq!(stop(&mut engine, "of a plain go", "bestmove"), "bestmove resign");
    engine.quit();
}

#[test]
fn threads_solve_and_stop() {
    let mut engine = Engine::with(&["-o", "USI_Hash=128", "-o", "PvInterval=50"]);
    assert_eq!(engine.tell("setoption name Threads value 4"), [""; 0]);
    engine.send(&format!("position sfen {THREE}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate").split(' ').count(), 4);
    // The first one is found by all threads, the shortest by one.
    engine.send("position sfen 9/5+N3/4+L4/6k2/8+r/7+R1/9/9/6K2 b S 1");
    assert_eq!(engine.ask("go mate infinite", "checkmate").split(' ').count(), 16);
    engine.send(&format!("position sfen {NONE}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate nomate");
    engine.send(&format!("position sfen {HARD}"));
    assert_eq!(engine.ask("go mate 300", "checkmate"), "checkmate timeout");
    assert_eq!(engine.ask("go mate nodes 200000", "checkmate"), "checkmate timeout");
    assert!(engine.nodes() >= 200_000, "{}", engine.nodes());
    for what in ["of four threads", "of four threads, again"] {
        engine.send("go mate infinite");
        engine.wait("info depth ");
        engine.wait("info depth ");
        assert_eq!(stop(&mut engine, what, "checkmate"), "checkmate timeout");
    }
    engine.send("go mate infinite");
    assert_eq!(stop(&mut engine, "right after go", "checkmate"), "checkmate timeout");
    // On one thread again, in the middle of a session.
    engine.tell("setoption name Threads value 1");
    engine.send(&format!("usinewgame\nposition sfen {THREE}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate").split(' ').count(), 4);
    engine.quit();
}

/// Every line with a score of a mate has just as many moves.
fn assert_scores(heard: &[String]) -> usize {
    let mut seen = 0;
    for line in heard {
        let Some((_, rest)) = line.split_once(" score mate ") else { continue };
        let (score, pv) = rest.split_once(" pv ").unwrap_or((rest, ""));
        let Ok(plies) = score.trim().parse::<i64>() else {
            assert!(["+", "-"].contains(&score) && pv.is_empty(), "{line}");
            continue;
        };
        assert_eq!(plies.unsigned_abs(), pv.split_whitespace().count() as u64, "{line}");
        seen += 1;
    }
    seen
}

#[test]
fn the_score_is_as_long_as_the_line() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16", "-o", "PvInterval=1"]);
    let (mut seen, mut intervals) = (0, 0);
    for level in ["None", "MinLength"] {
        engine.tell(&format!("setoption name PostSearchLevel value {level}"));
        for sfen in [THREE, OPEN, "2+B6/B8/6L1k/9/8K/6p2/9/9/9 b Rl 1"] {
            for nodes in [500, 2_000, 10_000, 20_000, 50_000, 200_000] {
                engine.tell(&format!("setoption name NodesLimit value {nodes}"));
                engine.send(&format!("usinewgame\nposition sfen {sfen}"));
                let answer = engine.ask("go mate infinite", "checkmate");
                seen += assert_scores(&engine.heard);
                let words = answer.split(' ').skip(1).filter(|word| word.len() > 3);
                let moves = words.filter(|&word| word != "timeout").count();
                let last = engine.heard.iter().rev().find(|line| line.contains(" score mate "));
                if let Some(last) = last.filter(|_| moves > 0) {
                    assert!(last.contains(&format!(" score mate {moves} ")), "{answer}: {last}");
                }
                let interval = "info string the shortest mate takes between ";
                intervals += engine.heard.iter().filter(|line| line.starts_with(interval)).count();
            }
        }
    }
    assert!(seen > 20 && intervals > 3, "{seen} scores, {intervals} intervals");
    engine.quit();
}

#[test]
fn a_mate_that_is_known_is_not_lost_by_stop() {
    // The first mate is found in a moment; that it is the shortest is not proven in an hour. Its line
    // goes on to mate by the rules.
    let counted = "FutileInterpositions=Counted";
    let mut engine = Engine::with(&["-o", "USI_Hash=64", "-o", "PvInterval=0", "-o", counted]);
    let position = Position::from_sfen(OPEN).expect("a position");
    for wait in [0, 5, 100] {
        engine.send(&format!("usinewgame\nposition sfen {OPEN}\ngo mate infinite"));
        let found = engine.wait("info depth ");
        assert!(found.contains(" score mate "), "{found}");
        engine.silent(Duration::from_millis(wait), "checkmate");
        let answer = stop(&mut engine, "while a mate is being shortened", "checkmate");
        let remark = "info string this mate is not proven to be the shortest";
        assert!(engine.heard.iter().any(|line| line == remark), "{:?}", engine.heard);
        let line: Vec<Move> = answer.split(' ').skip(1).filter_map(Move::from_usi).collect();
        assert!(line.len() > 1 && line.len() == answer.split(' ').count() - 1, "{answer}");
        let mut at = position.clone();
        for (ply, &m) in line.iter().enumerate() {
            assert!(at.is_legal(m), "{answer}: {m}");
            at.play(m);
            assert!(ply % 2 == 1 || at.is_check(), "{answer}: {m} is no check");
        }
        let mut moves = Vec::new();
        at.legal_moves(&mut moves);
        assert!(at.is_check() && moves.is_empty(), "{answer}: no mate");
        engine.ask("isready", "readyok");
    }
    // Before a mate is found there is none to be told, and "no mate" would be a lie.
    for wait in [0, 5] {
        engine.send(&format!("usinewgame\nposition sfen {HARD}\ngo mate infinite"));
        engine.silent(Duration::from_millis(wait), "checkmate");
        assert_eq!(engine.ask("stop", "checkmate"), "checkmate timeout");
    }
    engine.quit();
}

#[test]
fn garbage_is_refused_with_a_reason_and_nothing_breaks() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    let cases: &[(&str, &str)] = &[
        ("hello", "unknown command 'hello'"),
        ("setoption", "setoption is written"),
        ("setoption name NoSuch value 3", "no option 'NoSuch'"),
        ("setoption name USI_Hash value many", "USI_Hash is a whole number"),
        ("setoption name USI_Hash value 0", "USI_Hash 0 is taken for 1"),
        ("setoption name Threads value 0", "Threads 0 is taken for 1"),
        ("setoption name Threads value 99", "Threads 99 is taken for 64"),
        ("setoption name Threads value many", "Threads is a whole number from 1 to 64"),
        ("setoption name Threads value 1.5", "not '1.5'"),
        ("setoption name PostSearchLevel value Some", "MinLength or None"),
        ("position", "the position is refused"),
        ("position sfen 9/9/9 b - 1", "ranks"),
        ("position sfen 4k4/9/9/9/9/9/9/9/9 b 5G 1", "a set has 4"),
        ("position sfen 4k4/9/9/9/4X4/9/9/9/9 b - 1", "'X'"),
        ("position startpos moves 7g7e", "7g7e"),
        ("position startpos moves 7g7f 7g7f", "7g7f"),
        ("position startpos moves blah", "blah"),
        ("matedebug", "no position"),
    ];
    for (line, reason) in cases {
        let heard = engine.tell(line);
        assert!(heard.len() == 1 && heard[0].starts_with("info string "), "{line}: {heard:?}");
        assert!(heard[0].contains(reason), "{line}: {heard:?}");
    }
    // After a refused position nothing is searched: the answer would be about another one.
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate notimplemented");
    assert_eq!(engine.ask("go btime 1000 wtime 1000", "bestmove"), "bestmove resign");
    engine.send(&format!("position sfen {THREE}"));
    assert_eq!(engine.ask("go mate soon", "checkmate"), "checkmate notimplemented");
    assert_eq!(engine.ask("go sideways", "bestmove"), "bestmove resign");

    // Bytes that are no text, empty lines, a line of two million bytes, carriage returns.
    engine.send_bytes(b"\xff\xfe\x00\x01\n\n   \n\r\n\x1b[31mred\n");
    engine.send_bytes(&[b'x'; 2_000_000]);
    engine.send_bytes(b"\nisready\r\n");
    engine.wait("readyok");
    let heard = engine.heard.join("\n");
    assert!(heard.contains("2000000 bytes is too long"), "{heard}");
    assert!(!heard.contains('\u{1b}') && !heard.contains('\0'), "{heard}");

    // Commands during a search.
    engine.send(&format!("position sfen {HARD}"));
    engine.send("go mate infinite");
    let heard = engine.tell("go mate infinite\nusinewgame\nponderhit\nusi\nnonsense");
    let heard = heard.join("\n");
    for part in ["go is not heard", "usinewgame is not heard", "usiok", "unknown command"] {
        assert!(heard.contains(part), "{part}: {heard}");
    }
    assert!(!heard.contains("checkmate"), "{heard}");
    engine.send(&format!("position sfen {THREE}"));
    assert_eq!(
        stop(&mut engine, "after commands during the search", "checkmate"),
        "checkmate timeout"
    );
    assert_eq!(engine.ask("go mate infinite", "checkmate").split(' ').count(), 4);
    engine.quit();
}

#[test]
fn a_game_gets_moves() {
    let mut engine = Engine::with(&["-o", "USI_Hash=64"]);
    engine.send(&format!("position sfen {THREE}"));
    let mate = engine.ask("go mate infinite", "checkmate");
    let first = mate.split(' ').nth(1).expect("a move").to_owned();
    let best = engine.ask("go btime 60000 wtime 60000 byoyomi 1000", "bestmove");
    assert_eq!(best, format!("bestmove {first}"));
    // The defender holds out as long as he can.
    engine.send(&format!("position sfen {THREE} moves {first}"));
    let best = engine.ask("go btime 60000 wtime 60000 byoyomi 1000", "bestmove");
    assert_ne!(best, "bestmove resign");
    engine.send(&format!("position sfen {MATED}"));
    assert_eq!(engine.ask("go movetime 100", "bestmove"), "bestmove resign");
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate");
    // In check without being mated: a move that refutes the attack.
    engine.send("position sfen 8k/8G/9/9/9/9/9/9/9 w 2r2b3g4s4n4l18p 1");
    assert_eq!(engine.ask("go movetime 500", "bestmove"), "bestmove 1a1b");
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate nomate");
    // Out of time it is still a move.
    engine.send("position sfen 4k4/4R4/9/9/9/9/9/9/9 w RBG2S4N4L18Pb3g2s 1");
    assert_ne!(engine.ask("go movetime 0", "bestmove"), "bestmove resign");
    engine.send("position startpos");
    assert_eq!(engine.ask("go movetime 100", "bestmove"), "bestmove resign");
    assert!(engine.heard.iter().any(|line| line.contains("solves mates only")));
    // No answer before it is asked for.
    engine.send(&format!("position sfen {THREE}"));
    engine.send("go infinite");
    engine.silent(Duration::from_millis(300), "bestmove");
    assert_eq!(engine.ask("stop", "bestmove"), format!("bestmove {first}"));
    engine.send("go ponder btime 1000 wtime 1000 byoyomi 1000");
    engine.silent(Duration::from_millis(300), "bestmove");
    assert_eq!(engine.ask("ponderhit", "bestmove"), format!("bestmove {first}"));
    engine.quit();
}

#[test]
fn the_root_may_be_the_attacker_s_even_in_check() {
    // White, in check by the gold, could give mate himself only by a check that parries.
    let sfen = "8k/8G/8P/9/9/9/9/9/K8 w r2b3g4s4n4l17pR 1";
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    engine.send(&format!("position sfen {sfen}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate");
    engine.tell("setoption name RootIsAndNodeIfChecked value false");
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate nomate");
    engine.quit();
}

#[test]
fn the_same_lines_give_the_same_nodes() {
    let ask = |engine: &mut Engine| {
        engine.send("usinewgame");
        engine.send(&format!("position sfen {HARD}"));
        engine.ask("go mate nodes 60000", "checkmate");
        let first = engine.nodes();
        let lines: Vec<String> = engine.tell("matedebug");
        engine.ask("go mate nodes 5000", "checkmate");
        let second = engine.nodes();
        engine.send(&format!("position sfen {THREE}"));
        let mate = engine.ask("go mate infinite", "checkmate");
        (first, lines, second, mate, engine.nodes())
    };
    let mut engine = Engine::with(&["-o", "USI_Hash=32"]);
    let first = ask(&mut engine);
    let again = ask(&mut engine);
    let mut other = Engine::with(&["-o", "USI_Hash=32", "-o", "PvInterval=1"]);
    assert_eq!(first, again);
    assert_eq!(first, ask(&mut other));
    engine.quit();
    other.quit();
}

#[test]
fn the_table_shows_what_it_knows() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    engine.send(&format!("position sfen {THREE}"));
    assert!(engine.tell("matedebug")[0].contains("nothing is known"));
    let mate = engine.ask("go mate infinite", "checkmate");
    let first = mate.split(' ').nth(1).expect("a move").to_owned();
    let heard = engine.tell("matedebug");
    assert!(heard.iter().all(|line| line.starts_with("info string ")), "{heard:?}");
    assert_eq!(heard[1], "info string attacker to move: pn 0 dn ∞ mate within 3");
    let row = heard.iter().find(|line| line.starts_with(&format!("info string {first} ")));
    assert!(row.is_some_and(|row| row.ends_with("pn 0 dn ∞ mate within 2")), "{heard:?}");
    let heard = engine.tell(&format!("matedebug moves {first}"));
    assert_eq!(heard[1], "info string defender to move: pn 0 dn ∞ mate within 2");
    assert!(engine.tell("matedebug 9i9a")[0].contains("no legal move"));
    engine.quit();
}

#[test]
fn the_end_of_input_ends_the_engine() {
    // Many user interfaces start an engine without arguments.
    let mut engine = Engine::run(&[]);
    engine.ask("isready", "readyok");
    engine.stdin = None;
    engine.ends();
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    engine.send(&format!("position sfen {HARD}\ngo mate infinite"));
    engine.stdin = None;
    assert_eq!(engine.wait("checkmate"), "checkmate timeout");
    engine.ends();
    let mut engine = Engine::start();
    engine.send(&format!("position sfen {HARD}\ngo mate infinite\nquit"));
    engine.ends();
}

/// What an engine says that somebody waits for, of all that it says till its end.
fn answers(engine: &mut Engine) -> Vec<String> {
    let words = ["usiok", "readyok", "checkmate", "bestmove"];
    let mut answers = Vec::new();
    while let Ok(line) = engine.lines.recv_timeout(LONG) {
        if line.split(' ').next().is_some_and(|word| words.contains(&word)) {
            answers.push(line);
        }
    }
    answers
}

#[test]
fn the_end_of_input_is_heard_anywhere() {
    let position = format!("position sfen {HARD}");
    let search = format!("{position}\ngo mate infinite");
    let (ready, timeout) = ("readyok", "checkmate timeout");
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("usi", &["usiok"]),
        ("isready", &[ready]),
        ("setoption name USI_Hash value 64\nisready", &[ready]),
        ("usinewgame", &[]),
        (&search, &[timeout]),
        (&format!("isready\n{search}"), &[ready, timeout]),
        (&format!("isready\nusinewgame\n{search}"), &[ready, timeout]),
        (&format!("{search}\nisready"), &[ready, timeout]),
        (&format!("{search}\nstop"), &[timeout]),
        (&format!("{search}\nstop\nisready"), &[timeout, ready]),
        (&format!("{search}\nstop\ngo mate infinite"), &[timeout, timeout]),
        (&format!("{search}\nstop\nisready\ngo mate infinite"), &[timeout, ready, timeout]),
        (&format!("{position}\ngo infinite"), &["bestmove resign"]),
        (&format!("{position}\ngo infinite\nstop"), &["bestmove resign"]),
        (&format!("{position}\ngo ponder byoyomi 1000"), &["bestmove resign"]),
        (&format!("{position}\ngo byoyomi 60000"), &["bestmove resign"]),
        (&format!("{search}\ngameover lose"), &[]),
    ];
    for hash in ["USI_Hash=16", "USI_Hash=512"] {
        for (lines, expected) in cases {
            let mut engine = Engine::with(&["-o", hash]);
            engine.send_bytes(lines.as_bytes());
            engine.stdin = None;
            assert_eq!(answers(&mut engine), *expected, "{hash}: {lines}");
            engine.ends();
        }
    }
}

/// `go` straight after `readyok`, which comes straight after `stop`: each is answered, in this order,
/// however long the search takes to notice.
#[test]
fn what_comes_right_after_stop_is_answered() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    let words = ["readyok", "checkmate"];
    for round in 0..120 {
        let slow = [HARD, OPEN, THREE][round % 3];
        let wait = Duration::from_millis([0, 0, 1, 7][round % 4]);
        engine.send(&format!("position sfen {slow}\ngo mate infinite"));
        std::thread::sleep(wait);
        let next = if round % 2 == 0 { "isready\ngo mate infinite" } else { "isready" };
        engine.send_bytes(format!("stop\nposition sfen {THREE}\n{next}\n").as_bytes());
        let mut heard = Vec::new();
        let expected = ["checkmate", "readyok", "checkmate"];
        while heard.len() < expected.len() {
            let line = engine.lines.recv_timeout(LONG);
            let line = line.unwrap_or_else(|_| panic!("round {round}: {heard:?}"));
            let word = words.into_iter().find(|word| line.starts_with(word));
            heard.extend(word);
            assert_eq!(heard, expected[..heard.len()], "round {round}");
            if word == Some("readyok") && round % 2 == 1 {
                engine.send_bytes(b"go mate infinite\n");
            }
            let is_last = heard.len() == expected.len();
            assert!(!is_last || line.split(' ').count() == 4, "round {round}: {line}");
        }
    }
    engine.quit();
}

/// A user goes through a problem, changes options in the middle, and stops what takes too long.
#[test]
fn a_dialogue_of_forty_steps() {
    let (three, none) = (format!("position sfen {THREE}"), format!("position sfen {NONE}"));
    let (hard, mated) = (format!("position sfen {HARD}"), format!("position sfen {MATED}"));
    let long = format!("position sfen {FAR}");
    let (mate, go, stop) = ("go mate infinite", "go infinite", "stop");
    // Each line, and the answers that it gets before the next one is said.
    let steps: [(&str, &[&str]); 40] = [
        ("usi", &["usiok"]),
        ("setoption name USI_Hash value 32", &[]),
        ("setoption name PvInterval value 0", &[]),
        ("isready", &["readyok"]),
        ("usinewgame", &[]),
        (&three, &[]),
        (mate, &["checkmate "]),
        (mate, &["checkmate "]),
        ("go mate 5000", &["checkmate "]),
        ("go mate nodes 1", &["checkmate "]),
        (&none, &[]),
        (mate, &["checkmate nomate"]),
        ("isready", &["readyok"]),
        (mate, &["checkmate nomate"]),
        (&hard, &[]),
        ("go mate nodes 500", &["checkmate timeout"]),
        (mate, &[]),
        ("isready", &["readyok"]),
        (mate, &[]),
        (stop, &["checkmate timeout"]),
        (stop, &[]),
        ("usinewgame", &[]),
        (go, &[]),
        (stop, &["bestmove resign"]),
        ("go ponder byoyomi 1000", &[]),
        (stop, &["bestmove resign"]),
        ("go mate 1", &["checkmate timeout"]),
        ("setoption name USI_Hash value 16", &[]),
        ("isready", &["readyok"]),
        (&long, &[]),
        (mate, &["checkmate 9b9a+"]),
        ("setoption name FutileInterpositions value Counted", &[]),
        (mate, &["checkmate 9b9a+ P*8a "]),
        (&mated, &[]),
        (mate, &["checkmate"]),
        ("go movetime 100", &["bestmove resign"]),
        ("position sfen nonsense", &[]),
        (mate, &["checkmate notimplemented"]),
        (&three, &[]),
        (go, &[]),
    ];
    let mut engine = Engine::start();
    for (number, (line, expected)) in steps.iter().enumerate() {
        engine.send(line);
        for start in *expected {
            let answer = engine.wait(start.split(' ').next().expect("a word"));
            assert!(answer.starts_with(start), "step {number}, {line}: {answer}");
        }
    }
    // The last answer is due when it is asked for, and no sooner.
    engine.silent(Duration::from_millis(50), "bestmove");
    assert!(engine.ask("stop", "bestmove").starts_with("bestmove "));
    engine.quit();
}

/// What is mate for people, but for interpositions in vain, is so over USI, and it is said; in a game
/// every move counts.
#[test]
fn interpositions_in_vain_do_not_count_unless_they_are_to() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16"]);
    let said = |engine: &Engine| {
        engine.heard.iter().any(|line| line.contains("only interpositions in vain"))
    };
    engine.send(&format!("position sfen {FAR}"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate 9b9a+");
    assert!(said(&engine), "{:?}", engine.heard);
    engine.send(&format!("position sfen {FAR} moves 9b9a+"));
    assert_eq!(engine.ask("go mate infinite", "checkmate"), "checkmate");
    assert!(said(&engine), "{:?}", engine.heard);
    assert!(!engine.heard.iter().any(|line| line.contains("mated already")));
    assert_eq!(engine.ask("go byoyomi 2000", "bestmove"), "bestmove P*8a");
    engine.tell("setoption name FutileInterpositions value Counted");
    engine.send(&format!("position sfen {FAR}"));
    assert!(engine.ask("go mate infinite", "checkmate").split(' ').count() > 10);
    assert!(!said(&engine), "{:?}", engine.heard);
    engine.quit();
}

/// However much is asked for, a part of the free memory is left.
#[cfg(target_os = "linux")]
#[test]
fn a_table_leaves_memory_to_others() {
    let mut engine = Engine::with(&["-o", "USI_Hash=16777216", "-o", "PrepareHash=false"]);
    let free = || {
        let text = std::fs::read_to_string("/proc/meminfo").expect("what is free");
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
        let words = line.and_then(|line| line.split_whitespace().next());
        words.and_then(|kib| kib.parse::<u64>().ok()).expect("KiB") >> 10
    };
    let before = free();
    engine.ask("isready", "readyok");
    let said = engine.heard.iter().find_map(|line| line.split("the table has ").nth(1));
    let mib = said.and_then(|said| said.split(' ').next()?.parse::<u64>().ok());
    let mib = mib.unwrap_or_else(|| panic!("{:?}", engine.heard));
    let most = before.max(free());
    assert!(mib <= most / 100 * 95, "{mib} of {most} MiB");
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_takes_memory_only_as_it_is_used() {
    let mut engine = Engine::with(&["-o", "USI_Hash=1024", "-o", "PrepareHash=false"]);
    for _ in 0..2 {
        engine.ask("isready", "readyok");
        engine.send(&format!("usinewgame\nposition sfen {THREE}"));
        engine.ask("go mate infinite", "checkmate");
    }
    let peak = engine.memory("VmHWM");
    assert!(peak < 400, "{peak} MiB");
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn a_prepared_table_stays_prepared_from_game_to_game() {
    let mut engine = Engine::with(&["-o", "USI_Hash=96"]);
    for game in 1..=3 {
        engine.ask("isready", "readyok");
        let resident = engine.memory("VmRSS");
        assert!(resident >= 96, "game {game}: {resident} MiB at readyok");
        engine.send(&format!("usinewgame\nposition sfen {HARD}"));
        engine.ask("go mate nodes 2000", "checkmate");
        let first = engine.nodes();
        let resident = engine.memory("VmRSS");
        assert!(resident >= 96, "game {game}: {resident} MiB after a search");
        // It is emptied all the same: the search begins anew.
        engine.send("usinewgame");
        engine.ask("go mate nodes 2000", "checkmate");
        assert_eq!(engine.nodes(), first);
    }
    engine.quit();
}

/// The address space that the engine may have, in MiB.
#[cfg(target_os = "linux")]
fn allow(engine: &Engine, mib: u64) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let id = Pid::from_raw(engine.child.id().cast_signed());
    let limit = Rlimit { current: Some(mib << 20), maximum: None };
    prlimit(id, Resource::As, limit).expect("the limit is set");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_had_to_be_small_does_not_stay_so() {
    let mut engine = Engine::with(&["-o", "USI_Hash=512", "-o", "PrepareHash=false"]);
    engine.ask("isready", "readyok");
    // Room for one of them at a time: the old one has gone when the new one is made.
    allow(&engine, engine.memory("VmSize") + 512);
    let heard = engine.tell("setoption name USI_Hash value 768");
    assert_eq!(heard, [""; 0], "the old table was counted");
    // Too much; and when there is room for it, it is had.
    let heard = engine.tell("setoption name USI_Hash value 2048");
    let remark = "info string USI_Hash 2048: the table has ";
    assert!(heard.len() == 1 && heard[0].starts_with(remark), "{heard:?}");
    let before = engine.memory("VmSize");
    assert!(before < 2048, "{before}");
    allow(&engine, before + 4096);
    assert_eq!(engine.tell("usinewgame"), [""; 0]);
    let after = engine.memory("VmSize");
    assert!(after >= 2048, "{after} MiB after {before}");
    engine.quit();
}

#[test]
fn answers_come_in_the_order_of_the_questions() {
    // All of it at once, as from a pipe: the table is still being made when `go` is read.
    let mut engine = Engine::with(&["-o", "USI_Hash=256"]);
    for _ in 0..2 {
        engine.send(&format!("isready\nusinewgame\nposition sfen {THREE}\ngo mate infinite"));
        engine.wait("checkmate");
        assert_eq!(engine.heard[0], "readyok", "{:?}", engine.heard);
    }
    // The clock of a search begins after it, and `stop` is not lost.
    engine.send(&format!(
        "setoption name USI_Hash value 300\nisready\nposition sfen {HARD}\ngo mate 20"
    ));
    engine.wait("checkmate timeout");
    assert_eq!(engine.heard[0], "readyok", "{:?}", engine.heard);
    engine.send("setoption name USI_Hash value 256\nisready\ngo mate infinite\nstop");
    engine.wait("checkmate timeout");
    assert_eq!(engine.heard[0], "readyok", "{:?}", engine.heard);
    // The end of the input does not swallow an answer that is due.
    engine.send("setoption name USI_Hash value 300\nisready");
    engine.stdin = None;
    engine.wait("readyok");
    engine.ends();
}

#[test]
fn options_on_the_command_line_are_checked() {
    let run = |option: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
            .args(["usi", "--option", option])
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("USI_Hash=64").0, Some(0));
    let (code, error) = run("USI_Hash");
    assert!(code == Some(2) && error.contains("NAME=VALUE"), "{error}");
    let (code, error) = run("Nonsense=1");
    assert!(code == Some(2) && error.contains("no option"), "{error}");
}
