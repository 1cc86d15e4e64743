//! The program as its users see it: arguments in; exit code, output and files out.

use std::fs;
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::json::types;
use crate::support::{Run, command, directory, finish, names, piped, yomikiri};
use serde_json::Value;

const OTHELLO: &str = "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X";
const OTHELLO_WON: &str = "----XXX--O-XXXXOXXXXXXO-XXOXXX--OOXXOOXOOOOOOXXX--OOO-OX--OOO-OX X";
const HEX: &str = "hex 3 .../.../... B";
const HEX_LOST: &str = "hex 3 B../.../... W goal B";
const GRAPH: &str = "graph\na or b c\nb and a d\nc and d e\nd win\ne win\n";
const GRAPH_ROUND: &str = "graph\nrepetition attacker\na and b c\nb or a\nc or a d\nd lose\n";
const GRAPH_LOST: &str = "graph\na or b\nb and a c\nc win\n";

#[test]
fn every_game_gives_a_verdict_and_a_certificate_that_is_accepted() {
    let directory = directory("certificates");
    let file = directory.join("a.cert");
    let file = file.to_str().expect("UTF-8");
    for (problem, game, verdict) in [
        (OTHELLO, "othello", "disproven"),
        (OTHELLO_WON, "othello", "proven"),
        (HEX, "hex", "proven"),
        (HEX_LOST, "hex", "disproven"),
        (GRAPH, "graph", "proven"),
        (GRAPH_ROUND, "graph", "proven"),
        (GRAPH_LOST, "graph", "disproven"),
    ] {
        for algorithm in ["auto", "deep-dfpn", "dfpn-weak", "deep-pn"] {
            let run = yomikiri(&[
                "solve",
                problem,
                "-a",
                algorithm,
                "--certificate",
                file,
                "--json",
                "--hash",
                "64",
            ]);
            assert_eq!(run.code, Some(0), "{problem}: {}", run.stderr);
            let json = run.json();
            assert_eq!(json["verdict"], verdict, "{problem} {algorithm}");
            assert_eq!(json["reason"], "solved");
            assert_eq!(json["game"], game);
            assert_eq!(json["algorithm"], algorithm);
            assert_eq!(json["certificate"]["checked"], true);
            assert!(json["nodes"].is_u64() && json["seconds"].is_f64());
            let check = yomikiri(&["check", file, "--problem", problem, "--json"]);
            assert_eq!(check.code, Some(0), "{problem}: {}", check.stderr);
            let check = check.json();
            assert_eq!(check["accepted"], true);
            assert_eq!(check["verdict"], verdict);
            assert_eq!(check["positions"], json["certificate"]["positions"]);
        }
    }
    assert_eq!(names(&directory), ["a.cert"]);
}

/// How several agents can be asked for.
const TEAMS: &[&[&str]] = &[
    &["--threads", "2"],
    &["--threads", "4"],
    &["-a", "dfpn-weak", "--threads", "2"],
    &["-a", "deep-dfpn", "--threads", "2"],
    &["-a", "virtual"],
    &["-a", "virtual", "--threads", "3", "--turns", "20"],
    &["-a", "mps"],
    &["-a", "mps", "--pseudo-threads", "3", "--quantum", "10", "--quanta", "weight:1.75"],
    &["-a", "mps", "--quantum", "20", "--cover", "branch"],
    &["-a", "mps", "--quantum", "20", "--cover", "solved"],
    &["-a", "pincers", "--threads", "3"],
    &["-a", "pmps"],
    &["-a", "pmps", "--assignment", "L,S|S,S", "--quantum", "50", "--quanta", "tenth"],
];

#[test]
fn several_agents_give_the_same_verdicts_and_certificates_that_are_accepted() {
    let directory = directory("threads");
    let file = directory.join("a.cert");
    let file = file.to_str().expect("UTF-8");
    for (problem, verdict) in [
        (OTHELLO, "disproven"),
        (OTHELLO_WON, "proven"),
        (HEX, "proven"),
        (HEX_LOST, "disproven"),
        ("hex 4 moves a1", "proven"),
        (GRAPH, "proven"),
        (GRAPH_ROUND, "proven"),
        (GRAPH_LOST, "disproven"),
    ] {
        for team in TEAMS {
            let solve = ["solve", problem, "-c", file, "--json", "--hash", "16"];
            let run = yomikiri(&[&solve, *team].concat());
            assert_eq!(run.code, Some(0), "{problem} {team:?}: {}", run.stderr);
            let json = run.json();
            assert_eq!(json["verdict"], verdict, "{problem} {team:?}");
            assert_eq!(json["certificate"]["checked"], true);
            assert!(json["scheme"].is_string() && json["threads"].is_u64(), "{json}");
            let check = yomikiri(&["check", file, "--problem", problem, "--json"]);
            assert_eq!(check.code, Some(0), "{problem} {team:?}: {}", check.stderr);
            assert_eq!(check.json()["verdict"], verdict);
        }
    }
}

#[test]
fn reports_name_threads_and_scheme() {
    let solve = |more: &[&str]| yomikiri(&[&["solve", HEX, "--plain"], more].concat());
    let json = |more: &[&str]| solve(&[more, &["--json"]].concat()).json();
    assert_eq!((&json(&[])["threads"], &json(&[])["scheme"]), (&1.into(), &Value::Null));
    let one = json(&["--threads", "1"]);
    assert_eq!((&one["nodes"], &one["scheme"]), (&json(&[])["nodes"], &Value::Null));
    let four = json(&["--threads", "4"]);
    assert_eq!((&four["threads"], &four["algorithm"]), (&4.into(), &"auto".into()));
    assert_eq!(four["scheme"], "virtual numbers, 4 agents");
    assert!(json(&["--threads", "auto"])["threads"].as_u64() >= Some(1));
    let text = solve(&["-a", "pmps", "--assignment", "S|L,S"]).stdout;
    assert!(
        text.contains("pmps on 2 threads (L,S|S, quantum 1000, equally, cover least): "),
        "{text}"
    );
    // All on one thread: the same nodes every time.
    for team in [&["-a", "mps"][..], &["-a", "virtual", "--threads", "4", "--turns", "10"]] {
        let (first, again) = (json(team), json(team));
        assert_eq!((&first["threads"], &first["nodes"]), (&1.into(), &again["nodes"]));
    }
}

#[test]
fn limits_hold_for_several_agents() {
    let board = ["solve", "--plain", "hex 9 moves", "--hash", "16", "--json"];
    for team in TEAMS {
        let solve = |more: &[&str]| {
            let run = yomikiri(&[&board, *team, more].concat());
            assert_eq!(run.code, Some(1), "{team:?}: {}", run.stderr);
            run.json()
        };
        let nodes = solve(&["--nodes", "20k"]);
        assert_eq!(nodes["reason"], "node limit");
        assert!(nodes["nodes"].as_u64() >= Some(20_000), "{nodes}");
        let time = solve(&["--time", "0.1"]);
        assert_eq!(time["reason"], "time limit");
        assert!(time["seconds"].as_f64() < Some(20.0), "{time}");
    }
}

#[test]
fn bad_numbers_of_threads_are_refused() {
    let solve = |more: &[&str]| yomikiri(&[&["solve", HEX], more].concat());
    solve(&["--threads", "0"]).fails_with(&["--threads", "at least one thread"]);
    solve(&["--threads", "65"]).fails_with(&["64 threads at most", "`auto`"]);
    for nonsense in ["-1", "two", "1.5", "", "99999999999999999999999"] {
        solve(&["--threads", nonsense]).fails_with(&["from 1 to 64, or `auto`"]);
    }
    for algorithm in ["pn", "pn-deepest", "deep-pn"] {
        let run = solve(&["-a", algorithm, "--threads", "2"]);
        run.fails_with(&["--threads is for auto, dfpn,", "virtual and pincers, not for"]);
        assert_eq!(solve(&["-a", algorithm, "--threads", "1"]).code, Some(0));
    }
    solve(&["-a", "mps", "--threads", "2"]).fails_with(&["mps runs on one thread"]);
    solve(&["-a", "pmps", "--threads", "2"]).fails_with(&["in its --assignment"]);
    solve(&["--turns", "10", "--threads", "2"]).fails_with(&["--turns is for virtual, not for"]);
    solve(&["-a", "virtual", "--turns", "0"]).fails_with(&["at least one node"]);
    solve(&["-a", "pincers", "--quanta", "tenth"]).fails_with(&["--quanta is for mps and pmps"]);
    solve(&["--quantum", "10"]).fails_with(&["--quantum is for mps, pincers and pmps"]);
    solve(&["-a", "mps", "--quantum", "ten"]).fails_with(&["--quantum", "whole number"]);
    solve(&["-a", "mps", "--quanta", "weight:0"]).fails_with(&["shares, equally, tenth"]);
    solve(&["-a", "mps", "--cover", "all"]).fails_with(&["least, branch or solved"]);
    solve(&["--cover", "solved"]).fails_with(&["--cover is for mps, pincers and pmps"]);
    solve(&["-a", "mps", "--pseudo-threads", "0"]).fails_with(&["from 1 to 64"]);
    solve(&["-a", "pmps", "--pseudo-threads", "4"]).fails_with(&["is for mps, not for pmps"]);
    solve(&["-a", "mps", "--assignment", "L|S"]).fails_with(&["is for pmps, not for mps"]);
    for (assignment, why) in
        [("S|S", "exactly one L"), ("L|L", "exactly one L"), ("L|X", "'X'"), ("L||S", "without L")]
    {
        solve(&["-a", "pmps", "--assignment", assignment]).fails_with(&["--assignment", why]);
    }
    let many = format!("L{}", ",S".repeat(64));
    solve(&["-a", "pmps", "--assignment", &many]).fails_with(&["65 pseudo-threads"]);
}

#[test]
fn people_get_a_few_lines() {
    let run = yomikiri(&["solve", HEX]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("hex: 3×3, B to move: does B win?"), "{}", run.stdout);
    assert!(run.stdout.contains("proven: B wins"), "{}", run.stdout);
    assert!(run.stdout.contains("  line         "), "{}", run.stdout);
    let quiet = yomikiri(&["solve", "--quiet", HEX]);
    assert_eq!(quiet.stdout.lines().count(), 1);
    assert!(quiet.stderr.is_empty());
}

#[test]
fn every_game_shows_its_board() {
    for (problem, row) in [
        (HEX, "     3 . . .\n"),
        (OTHELLO, "  2 - X X O O O . .\n"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "  6 . . . . . K Q .\n"),
        ("8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1", "  | ・ ・ ・ ・ 角 ・ ・ ・ ・|二\n"),
    ] {
        let run = yomikiri(&["solve", problem]);
        assert!(run.stdout.contains(row), "no {row:?} in {}", run.stdout);
        // Two are shown without.
        let two = yomikiri(&["solve", problem, problem]);
        assert!(!two.stdout.contains(row), "{}", two.stdout);
    }
}

#[test]
fn the_board_comes_before_the_search() {
    // Nobody mates from here, so the search lasts as long as it may.
    const SECONDS: u64 = 40;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let seconds = SECONDS.to_string();
    let begin = Instant::now();
    let mut child = command(&["solve", start, "--time", &seconds]).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let has_board = lines.any(|line| line.expect("UTF-8") == "    a b c d e f g h");
    let elapsed = begin.elapsed();
    child.kill().expect("killed");
    child.wait().expect("it ends");
    assert!(has_board && elapsed < Duration::from_secs(SECONDS), "{elapsed:?}");
}

#[test]
fn who_runs_out_of_memory_is_told_what_to_do() {
    let tight = |hash: &str, more: &[&str]| {
        yomikiri(&[&["solve", OTHELLO, "-a", "pn", "--hash", hash], more].concat())
    };
    let run = tight("1", &["--json"]);
    let json = run.json();
    assert_eq!((run.code, &json["reason"]), (Some(1), &"memory".into()), "{}", run.stdout);
    let advice = json["advice"].as_str().expect("advice");
    assert!(advice.contains("--algorithm dfpn"), "{advice}");
    let text = tight("1", &[]).stdout;
    assert!(text.contains(&format!("  advice       {advice}\n")), "{text}");
    // What is advised is more, and is accepted.
    let number = advice.strip_prefix("--hash ").and_then(|rest| rest.split(' ').next());
    let number = number.unwrap_or_else(|| panic!("no number in {advice}"));
    assert!(number.parse::<u64>().is_ok_and(|mib| mib > 1), "{advice}");
    let more = tight(number, &["--nodes", "1k", "--json"]);
    assert_eq!(more.code, Some(1), "{}", more.stderr);
    assert!(yomikiri(&["solve", OTHELLO, "-a", "dfpn", "--json"]).json()["advice"].is_null());
}

/// The moves of a line, which must be told of in the same way in every game.
fn line(json: &Value) -> Vec<String> {
    let line = json["line"].as_array().unwrap_or_else(|| panic!("{json}"));
    let line: Vec<String> = line.iter().map(|m| m.as_str().expect("a move").into()).collect();
    assert!(!line.is_empty() && json["line_complete"].is_boolean(), "{json}");
    line
}

#[test]
fn lines_of_play_are_legal_and_lead_to_the_end() {
    // Hex: after the line the first player has won.
    let json = yomikiri(&["solve", "hex 4 moves", "--json"]).json();
    assert_eq!((&json["verdict"], &json["line_complete"]), (&"proven".into(), &true.into()));
    let hex: yomikiri_hex::Hex =
        format!("hex 4 moves {}", line(&json).join(" ")).parse().expect("legal");
    assert_eq!(hex.winner(), Some(yomikiri_hex::Side::Black));
    // The other side to move: no first move of the solution, but a line.
    let json = yomikiri(&["solve", "hex 4 moves b3", "--goal", "B", "--json"]).json();
    assert!(json["first_move"].is_null(), "{json}");
    let moves = format!("hex 4 moves b3 {}", line(&json).join(" "));
    let hex: yomikiri_hex::Hex = moves.parse().expect("legal");
    assert_eq!(hex.winner(), Some(yomikiri_hex::Side::Black), "{moves}");
    // Chess: the line ends in mate. The attacker's shortest and the defender's longest: three plies.
    let mate = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1";
    let json = yomikiri(&["solve", mate, "--json"]).json();
    let mut position = yomikiri_chess::Position::from_fen(mate).expect("a position");
    for m in line(&json) {
        let m = position.parse_san(&m).unwrap_or_else(|error| panic!("{m}: {error}"));
        position.play(m);
    }
    assert_eq!(position.status(), yomikiri_chess::Status::Checkmate);
    assert_eq!(json["line_complete"], true, "{json}");
    // Othello: played out, it keeps what is proven.
    let json = yomikiri(&["solve", OTHELLO, "--goal", "score>=-2", "--json"]).json();
    let mut position = yomikiri_othello::Position::parse(OTHELLO).expect("a position");
    let attacker = position.side;
    for m in line(&json) {
        if position.board.moves() == 0 {
            position = position.pass();
        }
        let square = yomikiri_othello::Square::parse(&m).expect("a square");
        position = position.play(square).unwrap_or_else(|| panic!("{m} in {position}"));
    }
    assert_eq!(json["line_complete"], true, "{json}");
    let score = position.board.final_score();
    assert!(if position.side == attacker { score >= -2 } else { score <= 2 }, "{position}");
}

#[test]
fn the_exact_score_is_certified_from_both_sides() {
    let directory = directory("score");
    let file = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let rows = yomikiri_othello::POSITIONS_16.lines().skip(1).take(4);
    for (number, row) in rows.enumerate() {
        let columns: Vec<&str> = row.split('\t').collect();
        let problem = format!("{} {}", columns[1], columns[2]);
        let expected: i64 = columns[3].parse().expect("a score");
        let (certificate, more) = (file("a.cert"), file("a.more.cert"));
        let asked = match number {
            0 => format!("{problem} goal score"),
            _ => problem,
        };
        let arguments = ["solve", &asked, "--json", "--certificate", &certificate];
        let goal: &[&str] = if number == 0 { &[] } else { &["--goal", "score"] };
        let run = yomikiri(&[&arguments[..], goal].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let json = run.json();
        let score = &json["score"];
        assert_eq!((&score["at_least"], &score["at_most"]), (&expected.into(), &expected.into()));
        assert_eq!(json["verdict"], "proven");
        for (path, field, verdict, least) in [
            (&certificate, "certificate", "proven", expected),
            (&more, "more_certificate", "disproven", expected + 2),
        ] {
            assert_eq!(json[field]["file"].as_str(), Some(path.as_str()), "{json}");
            let checked = yomikiri(&["check", path, "--json"]).json();
            assert_eq!(
                (&checked["accepted"], &checked["verdict"]),
                (&true.into(), &verdict.into())
            );
            assert_eq!(checked["terms"]["goal"], format!("score>={least}"));
        }
    }
    // Limits are for all of it, and what is known by then is told.
    let run = yomikiri(&["solve", OTHELLO, "--goal", "score", "--nodes", "100k", "--json"]);
    let json = run.json();
    assert_eq!((run.code, &json["verdict"]), (Some(1), &"unknown".into()), "{json}");
    let bound = |name: &str| json["score"][name].as_i64().expect("a bound");
    assert!(bound("at_least") <= -2 && bound("at_most") >= -2, "{json}");
    assert!(json["nodes"].as_u64() <= Some(101_000), "{json}");
    // A decided end: all discs are X's.
    let won = format!("{}--------- X", "X".repeat(55));
    assert_eq!(
        yomikiri(&["solve", &won, "--goal", "score", "--json"]).json()["score"]["at_least"],
        64
    );
    yomikiri(&["solve", HEX, "--goal", "score"]).fails_with(&["no such goal"]);
}

#[test]
fn a_goal_is_an_option_or_part_of_the_text() {
    let by_option = yomikiri(&["solve", OTHELLO, "--goal", "score>=-2", "--json"]).json();
    let by_text = yomikiri(&["solve", &format!("{OTHELLO} goal score>=-2"), "--json"]).json();
    assert_eq!(by_option["verdict"], "proven");
    assert_eq!(by_option["problem"], by_text["problem"]);
    assert_eq!(by_option["nodes"], by_text["nodes"]);
    yomikiri(&["solve", OTHELLO, "--goal", "score>=99"]).fails_with(&["no score from -64 to 64"]);
    yomikiri(&["solve", HEX, "--goal", "draw"]).fails_with(&["no such goal", "win, B and W"]);
}

#[test]
fn standard_input_is_read_when_nothing_is_given() {
    let run = piped(&["solve", "--json"], GRAPH);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.json()["verdict"], "proven");
    let lines = piped(&["solve", "--json"], &format!("{HEX}\n{HEX_LOST}\n"));
    assert_eq!(lines.stdout.lines().count(), 2);
    piped(&["solve"], "").fails_with(&["no problem"]);
}

#[test]
fn a_bad_line_among_good_ones_is_named_and_the_others_are_solved() {
    let directory = directory("lines");
    let file = directory.join("table.tsv");
    let (board, side) = OTHELLO.split_once(' ').expect("a side");
    let broken = board.replacen('-', "?", 1);
    let text = format!(
        "id\tboard64_a1_to_h8\tside\tscore\n\
         # a comment\n\
         FFO#1\t{board}\t{side}\t-2\n\
         FFO#2\t{broken}\t{side}\t-2\n\
         FFO#3\t{board}\t{side}\t-2\n"
    );
    fs::write(&file, text).expect("written");
    let certificates = directory.join("certificates");
    let run = yomikiri(&[
        "solve",
        "--json",
        "--file",
        file.to_str().expect("UTF-8"),
        "--certificate",
        certificates.to_str().expect("UTF-8"),
    ]);
    run.fails_with(&["table.tsv, line 4, column 12: `?` is no square", "\n       ^"]);
    let ids: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone())
        .collect();
    assert_eq!(ids, ["FFO#1", "FFO#2", "FFO#3"]);
    assert_eq!(names(&certificates), ["FFO#1.cert", "FFO#3.cert"]);
}

#[test]
fn bad_problems_are_pointed_at() {
    yomikiri(&["solve", "--game", "checkers", HEX])
        .fails_with(&["'checkers'", "graph, othello, hex"]);
    yomikiri(&["solve", "what is this"])
        .fails_with(&["no game is recognised", "graph, othello, hex"]);
    let short = &OTHELLO[..40];
    yomikiri(&["solve", short]).fails_with(&["column 41", "after 40 of 64 squares"]);
    yomikiri(&["solve", &OTHELLO[..64]]).fails_with(&["column 65", "side to move"]);
    let run = yomikiri(&["solve", "hex 3 .../.Q./... B"]);
    run.fails_with(&["line 1, column 12: 'Q' is no cell", "\n             ^"]);
    let dashes = format!("{}Q X", "-".repeat(63));
    yomikiri(&["solve", &dashes]).fails_with(&["column 64: `Q` is no square"]);
    yomikiri(&["solve", "hex 12 moves"]).fails_with(&["column 5", "size"]);
    let run = yomikiri(&["solve", "graph\na or b\nb and zzz\n"]);
    run.fails_with(&["line 3, column 7: successor `zzz` is not defined", "b and zzz\n        ^"]);
    yomikiri(&["solve", "--file", "/nowhere/at/all"]).fails_with(&["cannot read"]);
    yomikiri(&["solve", "Cargo.toml"]).fails_with(&["--file"]);
}

#[test]
fn bad_options_are_refused() {
    yomikiri(&["solve", HEX, "--hash", "0"]).fails_with(&["--hash", "at least 1 MiB"]);
    yomikiri(&["solve", HEX, "--hash", "99999999"]).fails_with(&["--hash 99999999", "memory"]);
    yomikiri(&["solve", HEX, "--hash", "99999999999999999999"]).fails_with(&["--hash"]);
    yomikiri(&["solve", HEX, "--algorithm", "magic"]).fails_with(&["deep-pn"]);
    yomikiri(&["solve", HEX, "-a", "pn", "--r", "0.5"]).fails_with(&["--r is for deep-pn"]);
    yomikiri(&["solve", HEX, "-a", "deep-pn", "--r", "2"]).fails_with(&["0 to 1"]);
    yomikiri(&["solve", HEX, "-a", "pn", "--sums", "dag"]).fails_with(&["--sums is for"]);
    yomikiri(&["solve", HEX, HEX, "--save-table", "x"]).fails_with(&["one problem"]);
    yomikiri(&["solve", GRAPH_ROUND, "--plies", "3"]).fails_with(&["--plies"]);
    yomikiri(&["solve", HEX, "--certificate", "/nowhere/a.cert"]).fails_with(&["cannot write"]);
}

#[test]
fn a_problem_may_be_written_otherwise_than_in_its_certificate() {
    let directory = directory("written-otherwise");
    let file = directory.join("a.cert").to_str().expect("UTF-8").to_owned();
    let mate = "7k/8/5K2/8/8/8/8/6Q1 w - -";
    assert_eq!(yomikiri(&["solve", &format!("{mate} 3 9"), "-c", &file]).code, Some(0));
    for problem in [mate, &format!("{mate} 0 1"), &format!("{mate} goal mate:white")] {
        let run = yomikiri(&["check", &file, "--problem", problem]);
        assert_eq!(run.code, Some(0), "{problem}: {}", run.stderr);
    }
    let checks = yomikiri(&["check", &file, "--problem", mate, "--goal", "checks"]);
    checks.is_rejected_with(&["about another problem"]);
}

#[cfg(unix)]
#[test]
fn a_silent_pipe_does_not_keep_the_checker() {
    let directory = directory("silent-pipe");
    let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let (good, pipe) = (path("good.cert"), path("pipe"));
    assert_eq!(yomikiri(&["solve", HEX, "-c", &good]).code, Some(0));
    let bytes = fs::read(&good).expect("a certificate");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let is_late = |run: &Run| {
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains("no more of it came: stopped"), "{}", run.stderr);
    };
    // Nobody opens the other end.
    is_late(&yomikiri(&["check", "--time", "0.2", &pipe]));
    // Standard input that stays open: nothing, a part of the first lines, all but the end.
    for length in [0, 30, bytes.len() - 1] {
        let mut child = command(&["check", "--time", "0.2", "-"]);
        let mut child = child.stdin(Stdio::piped()).spawn().expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(&bytes[..length]).expect("it reads");
        is_late(&finish(child));
        drop(input);
    }
    // Ctrl-C is heard, too.
    let mut child = command(&["check", "--json", "-"]);
    let mut child = child.stdin(Stdio::piped()).spawn().expect("it starts");
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    let run = finish(child);
    is_late(&run);
    assert_eq!(run.json()["outcome"], "stopped");
    drop(input);
    // A pipe that says all is read to its end.
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, bytes).expect("it reads")
    });
    assert_eq!(yomikiri(&["check", "--time", "60", &pipe]).code, Some(0));
    writer.join().expect("written");
}

#[test]
fn bad_certificates_are_rejected_with_a_reason() {
    let directory = directory("bad-certificates");
    let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let good = path("good.cert");
    assert_eq!(yomikiri(&["solve", OTHELLO_WON, "-c", &good]).code, Some(0));
    let bytes = fs::read(&good).expect("a certificate");

    let another = yomikiri(&["check", &good, "--problem", OTHELLO]);
    another.is_rejected_with(&["about another problem"]);

    let cut = path("cut.cert");
    fs::write(&cut, &bytes[..bytes.len() - 5]).expect("written");
    let run = yomikiri(&["check", "--json", &cut]);
    run.is_rejected_with(&["truncated"]);
    assert_eq!(run.json()["accepted"], false);
    assert_eq!(run.json()["outcome"], "rejected");
    fs::write(&cut, &bytes[..60]).expect("written");
    yomikiri(&["check", &cut]).is_rejected_with(&["line 3 of the certificate"]);

    let (board, other) = (&OTHELLO_WON[..64], &OTHELLO[..64]);
    let text: Vec<u8> = bytes.clone();
    let at = text.windows(64).position(|part| part == board.as_bytes()).expect("the board");
    let moved = path("moved.cert");
    fs::write(&moved, [&text[..at], other.as_bytes(), &text[at + 64..]].concat()).expect("written");
    yomikiri(&["check", &moved]).is_rejected_with(&["rejected after"]);

    let none = path("none.cert");
    fs::write(&none, "hello\n").expect("written");
    yomikiri(&["check", &none]).fails_with(&["not a certificate"]);
    yomikiri(&["check", &path("missing.cert")]).fails_with(&["cannot read"]);
    // Without time nothing is said of it, and that is no rejection.
    let run = yomikiri(&["check", "--json", "--time", "0", &good]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("good.cert: stopped while"), "{}", run.stderr);
    assert_eq!(
        (&run.json()["accepted"], &run.json()["outcome"]),
        (&false.into(), &"stopped".into())
    );
    assert_eq!(yomikiri(&["check", "--time", "600", &good]).code, Some(0));
    // The worst counts: what cannot be read, then what is rejected, then what was not checked.
    let run = yomikiri(&["check", "--json", &good, &cut, &none]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let outcomes = ["accepted", "rejected", "unreadable"];
    for (line, outcome) in run.stdout.lines().zip(outcomes) {
        assert!(line.contains(&format!("\"outcome\":\"{outcome}\"")), "{line}");
    }
    assert_eq!(yomikiri(&["check", &good, &cut]).code, Some(3));
    // One bad file does not hide a good one.
    let run = yomikiri(&["check", &none, &good]);
    run.fails_with(&["not a certificate"]);
    assert!(run.stdout.contains("accepted"));
}

#[test]
fn nothing_is_overwritten_on_error_or_without_a_verdict() {
    let directory = directory("overwrite");
    let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let (certificate, table) = (path("a.cert"), path("a.table"));
    fs::write(&certificate, "precious").expect("written");
    fs::write(&table, "precious").expect("written");
    let files = ["--certificate", &certificate, "--save-table", &table];
    let solve = |more: &[&str]| yomikiri(&[&["solve"], more, &files[..]].concat());
    solve(&["hex 3 .../.Q./... B"]).fails_with(&["'Q'"]);
    solve(&[HEX, "--hash", "0"]).fails_with(&["--hash"]);
    let other = path("other.table");
    fs::write(&other, "no table").expect("written");
    solve(&[HEX, "--load-table", &other]).fails_with(&["not a saved table"]);
    assert_eq!(fs::read(&certificate).expect("there"), b"precious");
    assert_eq!(fs::read(&table).expect("there"), b"precious");
    let unknown = yomikiri(&["solve", OTHELLO, "--nodes", "100", "--certificate", &certificate]);
    assert_eq!(unknown.code, Some(1));
    assert_eq!(fs::read(&certificate).expect("there"), b"precious");
    assert_eq!(solve(&[HEX]).code, Some(0));
    assert_ne!(fs::read(&certificate).expect("there"), b"precious");
    assert_eq!(names(&directory), ["a.cert", "a.table", "other.table"]);
}

#[test]
fn a_limit_gives_unknown_with_its_reason() {
    let run = yomikiri(&["solve", OTHELLO, "--nodes", "1k", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"node limit".into()));
    assert!(json["pn"].as_u64() > Some(0) && json["dn"].as_u64() > Some(0));
    let run = yomikiri(&["solve", "--plain", "hex 9 moves", "--time", "0.05", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.json()["reason"], "time limit");
    let run = yomikiri(&["solve", "--plain", "hex 9 moves", "-a", "pn", "--hash", "4", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.json()["reason"], "memory");
}

#[cfg(unix)]
/// A limit that comes soon after the try on a small table: the answer is not less than what that had
/// found, and the report is of the search that found it.
#[test]
fn what_was_tried_first_is_not_lost() {
    let hard = "9/3G4P/5g3/4NN+P1g/2G1+bSp+P1/4+LL1Nk/R5BR1/6+L2/9 b 3snl14p 1";
    for problem in [hard, "8/8/8/8/3k4/8/8/KQ6 w - - 0 1"] {
        for nodes in ["20200", "21k"] {
            let run = yomikiri(&["solve", problem, "--shortest", "--nodes", nodes, "--json"]);
            let json = run.json();
            assert_eq!(json["verdict"], "proven", "{problem} {nodes}: {json}");
            let entries = json["table_entries"].as_u64();
            assert!(entries > Some(5000), "{problem} {nodes}: {json}");
        }
    }
}

#[test]
fn an_interrupt_gives_what_is_known_so_far() {
    let arguments = ["solve", "--plain", "hex 11 moves", "--hash", "16", "--json"];
    let child = command(&arguments).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"stopped".into()));
    assert!(json["pn"].as_u64() > Some(0) && json["nodes"].as_u64() > Some(0));
}

#[test]
fn a_saved_table_resumes_the_search() {
    let directory = directory("table");
    let path = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let table = path("a.table");
    let run = yomikiri(&["solve", OTHELLO, "--hash", "8", "--save-table", &table, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let first = run.json();
    let run = yomikiri(&["solve", OTHELLO, "--hash", "8", "--load-table", &table, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let second = run.json();
    assert_eq!(first["verdict"], second["verdict"]);
    assert!(second["nodes"].as_u64() < first["nodes"].as_u64());

    let load = |problem: &str, file: &str, hash: &str| {
        yomikiri(&["solve", problem, "--hash", hash, "--load-table", file])
    };
    load(OTHELLO, &table, "16").fails_with(&["same --hash"]);
    load(HEX, &table, "8").fails_with(&["another problem (othello)"]);
    let bytes = fs::read(&table).expect("a table");
    let changed = path("changed.table");
    let mut other = bytes.clone();
    other[8] ^= 0x40;
    fs::write(&changed, &other).expect("written");
    load(OTHELLO, &changed, "8").fails_with(&["saved in format 65"]);
    fs::write(&changed, &bytes[..bytes.len() / 2]).expect("written");
    load(OTHELLO, &changed, "8").fails_with(&["damaged"]);
}

#[test]
fn a_bound_on_plies_is_part_of_the_answer() {
    let chain = "graph\na or b\nb and c\nc or d\nd win\n";
    let three = yomikiri(&["solve", chain, "--plies", "3", "--json"]).json();
    assert_eq!((&three["verdict"], &three["plies"]), (&"proven".into(), &3.into()));
    let two = yomikiri(&["solve", chain, "--plies", "2", "--json"]).json();
    assert_eq!(two["verdict"], "disproven");
    assert_eq!(two["answer"], "within 2 plies it does not hold that a is proven");
}

#[test]
fn games_and_algorithms_are_listed() {
    let games = yomikiri(&["games", "--json"]);
    assert_eq!(games.code, Some(0));
    for line in games.stdout.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        let example = game["example"].as_str().expect("text");
        assert_eq!(yomikiri(&["solve", "--quiet", example]).code, Some(0), "{example}");
    }
    let algorithms = yomikiri(&["algorithms", "--json"]);
    for line in algorithms.stdout.lines() {
        let algorithm: Value = serde_json::from_str(line).expect("JSON");
        let name = algorithm["name"].as_str().expect("text");
        assert_eq!(
            yomikiri(&["solve", "--quiet", HEX, "--algorithm", name]).code,
            Some(0),
            "{name}"
        );
    }
    let help = yomikiri(&["solve", "--help"]).stdout;
    assert!(help.contains("hex SIZE ROWS SIDE") && help.contains("deep-dfpn"), "{help}");
    assert!(help.contains("--threads auto") && help.contains("--assignment"), "{help}");
    let algorithms = yomikiri(&["algorithms"]).stdout;
    assert!(algorithms.contains("in shogi dfpn-dag with shares"), "{algorithms}");
    assert!(algorithms.contains("takes --threads, --virtual, --turns"), "{algorithms}");
}

#[test]
fn bench_is_repeatable_and_right() {
    let first = yomikiri(&["bench"]);
    assert_eq!(first.code, Some(0), "{}", first.stdout);
    let signature = first.stdout.lines().last().map(str::to_owned);
    assert!(signature.as_deref().is_some_and(|line| line.starts_with("Nodes: ")));
    let again = yomikiri(&["bench", "--json"]);
    assert_eq!(types(&again.stdout).into_iter().collect::<Vec<_>>(), ["bench", "bench-total"]);
    let total = again.json()["nodes"].as_u64().expect("a number");
    assert_eq!(signature, Some(format!("Nodes: {total}")));
}
