//! The rank table, measured with engines that sit at the other end of a socket.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor::Stop;
use yomikiri_alphabeta::{Free, Job, Limits, Searcher};
use yomikiri_chess::pgn;
use yomikiri_cluster::{Game, Ranks};
use yomikiri_engine::program::find_program;
use yomikiri_engine::protocol::{Command, Dialect};
use yomikiri_lab::Error;
use yomikiri_lab::ranks::{LISTED, Options, Records, Summary, run};

/// A game of ours with a FEN, castling and a promotion, and one from the start.
const GAMES: &str = "\
[Event \"a game that was never played\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. a4 Bg4 7. a5 b5 8. axb6 Rb8 9. b7 Bxf3
10. Qxf3 Rxb7 *

[Event \"rook's pawn\"]
[SetUp \"1\"]
[FEN \"8/P4k2/8/8/8/8/5PK1/8 w - - 0 1\"]

1. a8=Q Kg7 2. Kh3 (2. Qe4) Kf7 3. Qg2 *
";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("yomikiri-ranks-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Puts a file there and reads it as records.
    fn records(&self, name: &str, text: &str) -> Result<Records, Error> {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        Records::read(&[path], None)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join("out").join(file)).expect(file)
    }

    fn measure(&self, records: &Records, engine: &str, depth: u32) -> Result<Summary, Error> {
        let options = Options { out: self.0.join("out"), depth, ..Options::new(engine) };
        run(records.clone(), &options, &|_, _| {})
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Serves every connection in turn; gives the address.
fn serve(engine: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("tcp://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || listener.incoming().flatten().for_each(engine));
    address
}

fn own_engine() -> String {
    serve(|stream| {
        let input = BufReader::new(stream.try_clone().unwrap());
        let _ = yomikiri_alphabeta::uci::run(input, stream);
    })
}

/// What a scripted engine was told.
type Told = Arc<Mutex<Vec<Command>>>;

/// An engine that knows no MultiPV. `score` is what it thinks of a move.
fn scripted(dialect: Dialect, score: impl Fn(&str) -> i32 + Send + 'static) -> (String, Told) {
    let told = Told::default();
    let kept = told.clone();
    let address = serve(move |mut stream| {
        let input = BufReader::new(stream.try_clone().unwrap());
        for line in input.lines().map_while(Result::ok) {
            let command = Command::parse(&line, dialect);
            let answer = match &command {
                Command::Handshake => format!("id name Scripted\n{}\n", dialect.handshake_ok()),
                Command::IsReady => "readyok\n".into(),
                Command::Go(go) => {
                    let m = go.searchmoves.first().map_or("0000", String::as_str);
                    let score = score(m);
                    format!("info depth 1 score cp {score} pv {m}\nbestmove {m}\n")
                }
                _ => String::new(),
            };
            kept.lock().unwrap().push(command);
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    (address, told)
}

/// The ranks by a search of our own engine, without any protocol.
fn direct(depth: u32) -> [u64; LISTED + 1] {
    let mut counts = [0; LISTED + 1];
    for record in pgn::read_all(GAMES).unwrap() {
        let moves: Vec<_> = record.moves().collect();
        for (ply, &played) in moves.iter().enumerate() {
            let job = Job {
                multipv: LISTED,
                limits: Limits { depth: Some(depth), ..Limits::default() },
                ..Job::after(record.start.board(), &moves[..ply])
            };
            let outcome = Searcher::new(16).search(&job, &mut Free);
            let rank = outcome.lines.iter().position(|line| line.pv[0] == played);
            counts[rank.unwrap_or(LISTED)] += 1;
        }
    }
    counts
}

#[test]
fn ranks_are_those_of_the_search() {
    let folder = Folder::new("direct");
    let records = folder.records("games.pgn", GAMES).unwrap();
    let engine = own_engine();
    for depth in [1, 3] {
        let out = folder.0.join("out");
        let _ = fs::remove_dir_all(&out);
        let summary = folder.measure(&records, &engine, depth).unwrap();
        assert_eq!(summary.counts, direct(depth), "depth {depth}");
        assert_eq!(summary.counts.iter().sum::<u64>(), 25);
    }
    for file in ["summary.txt", "ranks.csv", "ranks.json", "raw.csv"] {
        assert!(!folder.read(file).contains("NaN"), "{file}");
    }
    assert!(folder.read("raw.csv").contains("\n1,9,e1g1,"), "castling as UCI writes it");
    assert!(folder.read("raw.csv").contains("\n2,1,a7a8q,1\n"), "the promotion is best");
}

#[test]
fn the_table_can_be_read_by_a_cluster() {
    let folder = Folder::new("json");
    let records = folder.records("games.pgn", GAMES).unwrap();
    let summary = folder.measure(&records, &own_engine(), 1).unwrap();
    let ranks: Ranks = serde_json::from_str(&folder.read("ranks.json")).unwrap();
    assert_eq!(ranks, summary.ranks);
    let sum: f64 = ranks.listed().iter().sum::<f64>() + ranks.rest();
    assert!((sum - 1.0).abs() < 1e-9);
    assert_eq!(ranks.listed()[0], summary.counts[0] as f64 / 25.0);
}

/// In the first position of chess the scripted engine likes moves by their letters.
#[test]
fn an_engine_without_lines_is_asked_for_every_move() {
    // From 1. a4 (rank 1) on in the order of the files; knights are worth less than nothing.
    let score = |m: &str| match m.as_bytes() {
        [file, b'2', _, b'4'] => 100 - i32::from(file - b'a'),
        [_, b'2', ..] => 50,
        _ => 0,
    };
    for (text, rank) in
        [("1. a4 *", 1), ("1. d4 *", 4), ("1. h4 *", 8), ("1. c3 *", 9), ("1. Nf3 *", 11)]
    {
        let folder = Folder::new(&format!("scores-{rank}"));
        let records = folder.records("game.pgn", text).unwrap();
        let (engine, told) = scripted(Dialect::Uci, score);
        let summary = folder.measure(&records, &engine, 5).unwrap();
        assert_eq!(summary.counts[rank - 1], 1, "{text}");
        let told = told.lock().unwrap();
        let first = told.iter().position(|command| matches!(command, Command::Go(_))).unwrap();
        let games = told[..first].iter().filter(|command| **command == Command::NewGame);
        assert_eq!(games.count(), 1, "an engine that has not searched yet has nothing to forget");
    }
}

#[test]
fn shogi_is_read_from_kif_csa_and_usi() {
    let kif = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 中断\n";
    let csa = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%CHUDAN\n";
    let usi = "position startpos moves 7g7f 3c3d\n";
    let score = |m: &str| i32::from(m == "7g7f" || m == "8c8d");
    for (name, text) in [("a.kif", kif), ("b.csa", csa), ("c.sfen", usi), ("d.txt", csa)] {
        let folder = Folder::new(&format!("shogi-{}", &name[..1]));
        let records = folder.records(name, text).unwrap();
        assert_eq!(records.game(), Game::Shogi);
        let (engine, _) = scripted(Dialect::Usi, score);
        let summary = folder.measure(&records, &engine, 5).unwrap();
        assert_eq!(summary.counts[..3], [1, 1, 0], "{name}");
    }
}

#[test]
fn a_run_goes_on_where_it_ended() {
    let folder = Folder::new("resume");
    let records = folder.records("games.pgn", GAMES).unwrap();
    let whole = folder.measure(&records, &own_engine(), 1).unwrap();
    let all = folder.read("raw.csv");
    // Half of it, and half a line.
    let half: Vec<&str> = all.lines().take(16).collect();
    fs::write(folder.0.join("out/raw.csv"), half.join("\n") + "\n2,1,a7").unwrap();
    let seen = Mutex::new(Vec::new());
    let options = Options { out: folder.0.join("out"), depth: 1, ..Options::new(own_engine()) };
    let again = run(records.clone(), &options, &|done, total| {
        seen.lock().unwrap().push((done, total));
    });
    assert_eq!(again.unwrap().counts, whole.counts);
    assert_eq!(folder.read("raw.csv"), all);
    let seen = seen.into_inner().unwrap();
    assert_eq!((seen.first(), seen.last()), (Some(&(12, 25)), Some(&(25, 25))));
    // What is recorded is not mixed with other settings or other games.
    let other = folder.measure(&records, &own_engine(), 2);
    assert!(matches!(other, Err(Error::OtherRun { .. })), "{other:?}");
    let records = folder.records("games.pgn", &GAMES.replace("Kg7", "Kf6")).unwrap();
    let other = folder.measure(&records, &own_engine(), 1);
    assert!(matches!(other, Err(Error::OtherRun { .. })), "{other:?}");
}

#[test]
fn a_stop_keeps_what_was_found() {
    let folder = Folder::new("stop");
    let records = folder.records("games.pgn", GAMES).unwrap();
    let stop = Stop::new();
    let raise = stop.clone();
    let options =
        Options { out: folder.0.join("out"), depth: 1, stop, ..Options::new(own_engine()) };
    let stopped = run(records.clone(), &options, &|done, _| {
        if done == 7 {
            raise.raise();
        }
    });
    assert!(matches!(stopped, Err(Error::Stopped { done: 7, total: 25 })), "{stopped:?}");
    assert_eq!(folder.read("raw.csv").lines().count(), 4 + 7);
    let whole = folder.measure(&records, &own_engine(), 1).unwrap();
    assert_eq!(whole.counts, direct(1));
}

#[test]
fn bad_records_are_named() {
    let folder = Folder::new("bad");
    let message = |name: &str, text: &str| folder.records(name, text).unwrap_err().to_string();
    let illegal = message("illegal.pgn", &GAMES.replace("Kf7", "Ke7"));
    for part in ["illegal.pgn: line 10", "game 2", "move 2...", "Ke7"] {
        assert!(illegal.contains(part), "{part}: {illegal}");
    }
    assert!(message("empty.pgn", "").contains("no moves"));
    let foul = message("foul.csa", "V2.2\nPI\n+\n+7775FU\n");
    assert!(foul.contains("foul.csa: line 4"), "{foul}");
    let both = [folder.0.join("game.pgn"), folder.0.join("game.csa")];
    fs::write(&both[0], GAMES).unwrap();
    fs::write(&both[1], "V2.2\nPI\n+\n+7776FU\n").unwrap();
    let mixed = Records::read(&both, None).unwrap_err().to_string();
    assert!(mixed.contains("game.csa") && mixed.contains("same game"), "{mixed}");
}

#[test]
fn an_engine_that_cannot_rank_says_why() {
    let folder = Folder::new("engines");
    let records = folder.records("games.pgn", GAMES).unwrap();
    let failed = |engine: &str| {
        // Each is a run of its own.
        let _ = fs::remove_dir_all(folder.0.join("out"));
        folder.measure(&records, engine, 1).unwrap_err().to_string()
    };
    let missing = failed("no-such-engine-anywhere");
    assert!(missing.contains("there is no program no-such-engine-anywhere"), "{missing}");
    let gone = failed(&serve(drop));
    assert!(gone.contains("closed the connection"), "{gone}");
    // It dies of its first search, every time.
    let dies = failed(&serve(|mut stream| {
        let input = BufReader::new(stream.try_clone().unwrap());
        for line in input.lines().map_while(Result::ok) {
            let answer = match Command::parse(&line, Dialect::Uci) {
                Command::Handshake => "uciok\n",
                Command::IsReady => "readyok\n",
                Command::Go(_) => return,
                _ => "",
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    }));
    assert!(dies.contains("game 1, ply 1") && dies.contains("closed the connection"), "{dies}");
    // It searches what it likes.
    let deaf = failed(&serve(|mut stream| {
        let input = BufReader::new(stream.try_clone().unwrap());
        for line in input.lines().map_while(Result::ok) {
            let answer = match Command::parse(&line, Dialect::Uci) {
                Command::Handshake => "uciok\n",
                Command::IsReady => "readyok\n",
                Command::Go(_) => "info score cp 1 pv g1h3\nbestmove g1h3\n",
                _ => "",
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    }));
    assert!(deaf.contains("game 1, ply 1") && deaf.contains("searchmoves"), "{deaf}");
    // It promises lines and shows one.
    let book = failed(&serve(|mut stream| {
        let input = BufReader::new(stream.try_clone().unwrap());
        for line in input.lines().map_while(Result::ok) {
            let answer = match Command::parse(&line, Dialect::Uci) {
                Command::Handshake => {
                    "option name MultiPV type spin default 1 min 1 max 99\nuciok\n"
                }
                Command::IsReady => "readyok\n",
                Command::Go(_) => "info multipv 1 score cp 1 pv g1h3\nbestmove g1h3\n",
                _ => "",
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    }));
    assert!(book.contains("1 lines of 10"), "{book}");
    let options = Options {
        out: folder.0.join("typo"),
        engine_options: vec![("Hsah".into(), Some("16".into()))],
        ..Options::new(own_engine())
    };
    let typo = run(records.clone(), &options, &|_, _| {}).unwrap_err().to_string();
    assert!(typo.contains("no option Hsah"), "{typo}");
}

/// Stockfish, alone and twice: the same ranks in another order of work.
#[test]
fn many_engines_count_as_one_does() {
    let Some(_) = yomikiri_needs::program("stockfish", find_program("stockfish")) else { return };
    let raw = [1, 3].map(|threads| {
        let folder = Folder::new(&format!("threads-{threads}"));
        let records = folder.records("games.pgn", GAMES).unwrap();
        let options =
            Options { out: folder.0.join("out"), depth: 6, threads, ..Options::new("stockfish") };
        run(records, &options, &|_, _| {}).unwrap();
        folder.read("raw.csv")
    });
    assert_eq!(raw[0], raw[1]);
}
