//! Shogi on the command line: solving, records, tables of problems, tools, measuring.

use std::fs;
use std::path::Path;

use crate::support::{command, directory, finish, names, piped, yomikiri};
use serde_json::Value;

/// Mate in three plies: ▲３一龍 △１二玉 ▲１三金.
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
/// Mate in five plies.
const FIVE: &str = "9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1";
/// A gold alone does not mate.
const NONE: &str = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
/// No mate, but that takes fifty thousand nodes.
const LONG: &str = "9/9/9/9/4k4/9/9/9/9 b R2Gr2b2g4s4n4l18p 1";
/// Not decided for a long time.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn people_get_a_board_a_line_and_a_length() {
    let run = yomikiri(&["solve", THREE]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "shogi: Black to move: is there a mate?",
        "  | ・ ・ ・ ・ 角 ・ ・ ・ ・|二\n",
        "  先手の持駒：金\n",
        "proven: mate in 3 plies (3手詰)\n",
        "▲３一龍 △１二玉 ▲１三金 mate",
        "3d3a 1a1b G*1c",
        "left over    none",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let quiet = yomikiri(&["solve", "-q", THREE]).stdout;
    assert_eq!(quiet, "1: proven: mate in 3 plies (3手詰)\n");
    let none = yomikiri(&["solve", "-q", NONE]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "1: disproven: Black has no mate\n"));
}

#[test]
fn programs_get_json() {
    let run = yomikiri(&["solve", FIVE, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = run.json();
    let mate = &json["mate"];
    assert_eq!((&json["verdict"], &json["plies"]), (&"proven".into(), &5.into()));
    assert_eq!(
        (&mate["length"], &mate["exact"], &mate["complete"]),
        (&5.into(), &true.into(), &true.into())
    );
    assert_eq!(mate["line"].as_array().map(Vec::len), Some(5));
    assert_eq!(mate["japanese"].as_array().map(Vec::len), Some(5));
    assert_eq!(mate["line"][0], json["first_move"]);
    assert_eq!(mate["futile_counted"], false);
    // Only shogi has a mate.
    assert!(yomikiri(&["solve", "hex 2 ../.. B", "--json"]).json().get("mate").is_none());
    let any = yomikiri(&["solve", FIVE, "--any-mate", "--json"]).json();
    assert_eq!(any["verdict"], "proven");
    assert!(any["mate"]["length"].as_u64() >= Some(5));
}

#[test]
fn certificates_say_the_length_and_that_there_is_no_shorter_one() {
    let directory = directory("shogi-certificates");
    for (problem, verdict) in [(THREE, "proven"), (FIVE, "proven"), (NONE, "disproven")] {
        for algorithm in ["auto", "dfpn", "dfpn-plain", "deep-dfpn", "pn", "deep-pn"] {
            let file = path(&directory, "a.cert");
            let run = yomikiri(&["solve", problem, "-a", algorithm, "-c", &file, "--json"]);
            assert_eq!(run.code, Some(0), "{algorithm} {problem}: {}", run.stderr);
            let json = run.json();
            assert_eq!(json["verdict"], verdict, "{algorithm} {problem}");
            assert_eq!(json["certificate"]["checked"], true);
            let check = yomikiri(&["check", &file, "--problem", problem, "--json"]);
            assert_eq!(check.json()["verdict"], verdict, "{}", check.stderr);
            let is_exact = json["mate"]["exact"] == true;
            let files: &[&str] = if is_exact { &["a.cert", "a.shorter.cert"] } else { &["a.cert"] };
            assert_eq!(names(&directory), files, "{algorithm} {problem}");
            if is_exact {
                let shorter = path(&directory, "a.shorter.cert");
                let check = yomikiri(&["check", &shorter, "--problem", problem, "--json"]).json();
                assert_eq!(check["verdict"], "disproven");
                assert_eq!(check["plies"], json["mate"]["length"].as_u64().map_or(0, |n| n - 2));
                fs::remove_file(shorter).expect("removed");
            }
        }
    }
    // The rule for interpositions in vain and the attacker are part of the claim.
    let file = path(&directory, "b.cert");
    let run = yomikiri(&["solve", THREE, "-c", &file, "--futile", "counted"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    yomikiri(&["check", &file, "--problem", THREE]).is_rejected_with(&["another problem"]);
    let counted = ["check", &file, "--problem", THREE, "--goal", "mate-counted"];
    assert_eq!(yomikiri(&counted).code, Some(0));
}

/// A mate of 17 plies, and nodes with which it is found but not proven to be the shortest.
const SEVENTEEN: &str = "2+B6/B8/6L1k/9/8K/6p2/9/9/9 b Rl 1";

#[test]
fn an_open_length_is_an_interval() {
    let directory = directory("shogi-interval");
    let file = path(&directory, "a.cert");
    let solve = |more: &[&str]| {
        let run = yomikiri(&[&["solve", SEVENTEEN, "--nodes", "20k"], more].concat());
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        run
    };
    let json = solve(&["--json", "-c", &file]).json();
    let mate = &json["mate"];
    assert_eq!(mate["exact"], false, "{json}");
    let (least, length) = (mate["least"].as_u64().unwrap_or(0), mate["length"].as_u64());
    let length = length.expect("a length");
    assert!((3..=17).contains(&least) && (17..=least + 20).contains(&length), "{json}");
    assert_eq!(mate["line"].as_array().map(Vec::len), usize::try_from(length).ok());
    assert_eq!(json["shorter_certificate"]["checked"], true, "{json}");
    for (name, verdict, plies) in [("a", "proven", length), ("a.shorter", "disproven", least - 2)] {
        let file = path(&directory, &format!("{name}.cert"));
        let check = yomikiri(&["check", &file, "--problem", SEVENTEEN, "--json"]).json();
        assert_eq!((&check["verdict"], &check["plies"]), (&verdict.into(), &plies.into()));
    }
    let said = solve(&[]).stdout;
    let words = format!(
        "mate within {length} plies; the shortest takes between {least} and {length} plies"
    );
    assert!(said.contains(&words), "{said}");
    assert!(said.contains(" mate\n"), "{said}");
    let said = solve(&["--lang", "ja"]).stdout;
    let words = format!("{length}手以内の詰み。最短は{least}手以上{length}手以下");
    assert!(said.contains(&words), "{said}");
    // What is exact has one length.
    let json = yomikiri(&["solve", FIVE, "--json"]).json();
    assert_eq!(json["mate"]["least"], json["mate"]["length"]);
}

#[test]
fn the_attacker_may_be_named() {
    let json = |arguments: &[&str]| {
        let run = yomikiri(&[&["solve", "--json"], arguments].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.json()
    };
    // White to move and in check: he defends.
    let after = format!("{THREE} moves 3d3a");
    let defended = json(&[&after]);
    assert_eq!((&defended["verdict"], &defended["plies"]), (&"proven".into(), &2.into()));
    assert_eq!(defended["problem"].as_str().map(|text| text.ends_with("goal mate")), Some(true));
    let named = json(&[&after, "--attacker", "black"]);
    assert_eq!(named["problem"], defended["problem"]);
    let other = json(&[&after, "--attacker", "white"]);
    assert_eq!(other["verdict"], "disproven");
    assert!(other["problem"].as_str().is_some_and(|text| text.ends_with("goal mate:white")));
    assert_eq!(json(&[&after, "--side", "auto"])["problem"], defended["problem"]);
    yomikiri(&["solve", THREE, "--goal", "win"]).fails_with(&["no such goal", "mate-counted"]);
    yomikiri(&["solve", THREE, "--goal", "mate:red"]).fails_with(&["no such goal"]);
    yomikiri(&["solve", "hex 2 ../.. B", "--any-mate"]).fails_with(&["--any-mate is for shogi"]);
    yomikiri(&["solve", "hex 2 ../.. B", "--kif", "x"]).fails_with(&["--kif is for shogi"]);
}

#[test]
fn every_format_is_read_and_written() {
    let directory = directory("shogi-formats");
    let solution = path(&directory, "solution.kif");
    let run = yomikiri(&["solve", FIVE, "--kif", &solution, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = fs::read_to_string(&solution).expect("a file");
    assert!(text.contains("まで5手で詰"), "{text}");
    // A solution with variations.
    let seven = "9/7k1/9/9/6L2/5R3/9/9/9 b BGrb3g4s4n3l18p 1";
    let with_variations = path(&directory, "seven.kif");
    assert_eq!(yomikiri(&["solve", seven, "--kif", &with_variations]).code, Some(0));
    let variations = fs::read_to_string(&with_variations).expect("a file");
    assert!(variations.contains("\n変化："), "{variations}");
    let back = yomikiri(&["tsume", "convert", "--file", &with_variations, "--to", "kif"]).stdout;
    assert_eq!(back, variations);
    for (format, encoding) in [
        ("kif", "utf8"),
        ("kif", "shift-jis"),
        ("ki2", "utf8"),
        ("ki2", "shift-jis"),
        ("csa", "utf8"),
        ("jkf", "utf8"),
        ("sfen", "utf8"),
    ] {
        let file = path(&directory, &format!("again.{format}"));
        let arguments =
            ["tsume", "convert", "--file", &solution, "--out", &file, "--encoding", encoding];
        let run = yomikiri(&arguments);
        assert_eq!(run.code, Some(0), "{format}: {}", run.stderr);
        let bytes = fs::read(&file).expect("written");
        assert_eq!(std::str::from_utf8(&bytes).is_ok(), encoding == "utf8", "{format}");
        let back = yomikiri(&["tsume", "convert", "--file", &file]);
        assert_eq!(back.stdout, format!("{FIVE}\n"), "{format}");
        let json = yomikiri(&["solve", "--file", &file, "--json"]).json();
        assert_eq!(json["mate"]["length"], 5, "{format} {encoding}");
        if format != "sfen" {
            let usi = yomikiri(&["tsume", "convert", "--file", &file, "--to", "usi"]).stdout;
            let start = format!("position sfen {FIVE} moves ");
            assert_eq!(usi.strip_prefix(&start).map(|moves| moves.split(' ').count()), Some(5));
            let piped = piped_bytes(&["solve", "-q"], &bytes);
            assert_eq!(piped, "1: proven: mate in 5 plies (5手詰)\n", "{format}");
        }
    }
    let board = yomikiri(&["tsume", "convert", "--to", "board", THREE]).stdout;
    assert!(board.starts_with("後手の持駒：飛　角　金三") && board.contains("|一\n"), "{board}");
    yomikiri(&["tsume", "convert", "nonsense"]).fails_with(&["neither SFEN nor KIF"]);
    let two = ["tsume", "convert", "--to", "kif", THREE, FIVE];
    yomikiri(&two).fails_with(&["--out"]);
    let folder = path(&directory, "folder");
    assert_eq!(yomikiri(&[&two[..], &["--out", &folder]].concat()).code, Some(0));
    assert_eq!(names(Path::new(&folder)), ["1.kif", "2.kif"]);
}

fn piped_bytes(arguments: &[&str], input: &[u8]) -> String {
    use std::io::Write;
    let mut child = command(arguments).stdin(std::process::Stdio::piped()).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input).expect("it reads");
    drop(stdin);
    finish(child).stdout
}

#[test]
fn bad_positions_are_pointed_at() {
    yomikiri(&["solve", "8k/4B4/9/6+X1P/9/9/9/9/9 b G 1"])
        .fails_with(&["line 1, column 12: 'X' does not promote", "\n             ^"]);
    yomikiri(&["solve", "8k/9/9/9/9/9/9/9/9 b 5G 1"]).fails_with(&["5 golds", "a set has 4"]);
    yomikiri(&["solve", "8k/9/9/9/9/9/9/9/8 b - 1"]).fails_with(&["rank 9 has 8 squares"]);
    let kif = "手合割：平手\n手数----指手---------消費時間--\n   1 ５五角(88)\n";
    let run = piped(&["solve"], kif);
    run.fails_with(&["standard input, line 3, column"]);
}

#[test]
fn one_bad_line_among_a_thousand() {
    let directory = directory("shogi-thousand");
    let file = path(&directory, "problems.tsv");
    let mut lines: Vec<String> = (1..=1000).map(|n| format!("{THREE}\tproblem {n}\t3")).collect();
    lines[700] = lines[700].replace("+R1P", "+R1Q");
    fs::write(&file, lines.join("\n")).expect("written");
    let run = yomikiri(&["solve", "--file", &file, "--json", "--hash", "1", "--any-mate"]);
    run.fails_with(&["problems.tsv, line 701, column 14: 'Q' is no piece", "^"]);
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    let objects: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 1000);
    // The bad one is told of in its place.
    let is_error = |object: &Value| object["type"] == "error";
    assert_eq!(objects.iter().position(is_error), Some(700));
    assert_eq!(objects.iter().filter(|object| is_error(object)).count(), 1);
    let first = &objects[0];
    assert_eq!((&first["id"], &first["mate"]["recorded"]), (&"problem 1".into(), &3.into()));
    let words = yomikiri(&["solve", "-q", "--file", &file, "--hash", "1"]).stdout;
    let first = words.lines().next();
    assert_eq!(first, Some("problem 1: proven: mate in 3 plies (3手詰), as recorded"));
    assert!(words.contains("\n999 proven, 0 disproven, 0 unknown, 1 bad; "), "{words}");
}

#[test]
fn limits_leave_things_open() {
    let run = yomikiri(&["solve", HARD, "--nodes", "2k", "--json"]);
    assert_eq!((run.code, &run.json()["reason"]), (Some(1), &"node limit".into()));
    let run = yomikiri(&["solve", HARD, "--time", "0.1", "--json"]);
    assert_eq!((run.code, &run.json()["reason"]), (Some(1), &"time limit".into()));
    let run = yomikiri(&["solve", THREE, "--plies", "1", "--json"]);
    assert_eq!(run.code, Some(0));
    // There is none within one ply, so none within two.
    assert_eq!((&run.json()["verdict"], &run.json()["plies"]), (&"disproven".into(), &2.into()));
    // With a limit between, there is a mate, but whether it is the shortest stays open: code 1.
    let mut seen = Vec::new();
    for nodes in 1..400 {
        let run = yomikiri(&["solve", FIVE, "--nodes", &nodes.to_string(), "--json"]);
        let json = run.json();
        let (proven, exact) = (json["verdict"] == "proven", json["mate"]["exact"] == true);
        let complete = json["mate"]["complete"] == true;
        assert_eq!(run.code, Some(if proven && exact && complete { 0 } else { 1 }), "{json}");
        seen.push((proven, exact));
        if run.code == Some(0) {
            break;
        }
    }
    assert_eq!(seen.first(), Some(&(false, false)));
    assert_eq!(seen.last(), Some(&(true, true)), "{seen:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_what_is_known_so_far() {
    let child = command(&["solve", HARD, "--hash", "16", "--json"]).spawn().expect("it starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.json()["reason"], "stopped");
}

#[test]
fn show_draws_and_tells() {
    let run = yomikiri(&["tsume", "show", THREE]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in ["|一", "attacker     Black", "4 on the board", "checks       ", "▲３一龍"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let json = yomikiri(&["tsume", "show", THREE, "--json"]).json();
    assert_eq!((&json["sfen"], &json["attacker"]), (&THREE.into(), &"black".into()));
    assert!(json["checks"].as_array().is_some_and(|checks| checks.contains(&"3d3a".into())));
    yomikiri(&["tsume", "show", "8k/9"]).fails_with(&["neither SFEN nor KIF", "^"]);
}

#[test]
fn other_solutions_are_found() {
    let directory = directory("shogi-check");
    let run = yomikiri(&["tsume", "check", THREE, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["verdict"], &json["length"]), (&"sound".into(), &3.into()));
    // Another mate at the first move, and the certificates of everything.
    let certificates = path(&directory, "certificates");
    let run = yomikiri(&["tsume", "check", FIVE, "--json", "--certificates", &certificates]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["verdict"], &json["complete"]), (&"unsound".into(), &true.into()));
    let findings = json["findings"].as_array().expect("a list");
    let cook = findings.iter().find(|finding| finding["serious"] == true).expect("a cook");
    assert_eq!((&cook["kind"], &cook["move_number"]), (&"Cook".into(), &1.into()));
    assert!(cook["words"].as_str().is_some_and(|words| words == "other mate"));
    let files = names(Path::new(&certificates));
    assert_eq!(json["certificates"].as_u64(), Some(files.len() as u64));
    for file in &files {
        let check = yomikiri(&["check", &path(Path::new(&certificates), file)]);
        assert_eq!(check.code, Some(0), "{}", check.stderr);
    }
    let text = yomikiri(&["tsume", "check", FIVE]).stdout;
    for part in
        ["verdict      unsound: 1 flaw\n", "length       mate in 5 plies", "other mate (余詰)", "▲"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let quiet = yomikiri(&["tsume", "check", "-q", NONE]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(3), "1: there is no mate\n"));
    let open = yomikiri(&["tsume", "check", "-q", HARD, "--nodes", "1k"]);
    assert_eq!(open.code, Some(1), "{}", open.stderr);
    assert!(open.stdout.contains("whether there is a mate was not found out"), "{}", open.stdout);

    // Against the line of a record: first the solution, then one that does not mate.
    let kif = path(&directory, "five.kif");
    assert_eq!(yomikiri(&["solve", FIVE, "--kif", &kif]).code, Some(0));
    let run = yomikiri(&["tsume", "check", "--file", &kif, "--json"]);
    assert_eq!((run.code, &run.json()["verdict"]), (Some(3), &"unsound".into()));
    let text = fs::read_to_string(&kif).expect("a file");
    let at = text.find("   5 ").expect("a fifth move");
    fs::write(&kif, &text[..at]).expect("written");
    yomikiri(&["tsume", "check", "--file", &kif]).fails_with(&["does not end in mate"]);
    let own = ["tsume", "check", "--file", &kif, "--own-line", "-q"];
    assert_eq!(yomikiri(&own).stdout, "1: unsound: 1 flaw\n");
    // A recorded length that is too long.
    let table = path(&directory, "table.tsv");
    fs::write(&table, format!("{THREE}\tlate\t5\n8k/9\tbad\t1\n")).expect("written");
    let run = yomikiri(&["tsume", "check", "--file", &table, "--json"]);
    run.fails_with(&["table.tsv, line 2"]);
    let first: Value =
        serde_json::from_str(run.stdout.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first["shorter_than_intended"], true);
    assert_eq!(run.json()["type"], "error");
}

#[test]
fn the_exit_code_of_a_check_is_that_of_the_worst_problem() {
    let code = |arguments: &[&str]| {
        let run = yomikiri(&[&["tsume", "check", "-q"], arguments].concat());
        run.code.unwrap_or_else(|| panic!("{}", run.stderr))
    };
    assert_eq!(code(&[THREE]), 0);
    assert_eq!(code(&[HARD, "--nodes", "1k"]), 1);
    assert_eq!(code(&["8k/9"]), 2);
    assert_eq!(code(&[FIVE]), 3);
    // In either order: bad input, then what is unsound, then what stays open.
    for (one, other, worst) in
        [(THREE, FIVE, 3), (HARD, THREE, 1), (HARD, NONE, 3), (FIVE, "8k/9", 2), (HARD, "8k/9", 2)]
    {
        assert_eq!(code(&[one, other, "--nodes", "1k"]), worst, "{one}, {other}");
        assert_eq!(code(&[other, one, "--nodes", "1k"]), worst, "{other}, {one}");
    }
    let help = yomikiri(&["tsume", "check", "--help"]).stdout;
    assert!(help.contains("3 if one is unsound"), "{help}");
}

#[test]
fn sound_is_what_people_call_sound() {
    // One ply: other first moves are other solutions.
    let one = "8k/9/7GP/9/9/9/9/9/9 b G2P2r2b2g4s4n4l15p 1";
    let run = yomikiri(&["tsume", "check", one]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    for part in [
        "verdict      unsound: ",
        "other mate (余詰)",
        "駒余り       the attacker has G, P×2 left over",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("最終手余詰"), "{}", run.stdout);
    // Three plies, one solution, and a pawn too many.
    let over = "8s/8k/6s2/8G/9/9/9/9/9 b 2SP2r2b3g4n4l17p 1";
    let json = yomikiri(&["tsume", "check", over, "--json"]).json();
    assert_eq!((&json["verdict"], &json["pieces_left_over"]), (&"unsound".into(), &true.into()));
    assert_eq!(
        (&json["left_over"], &json["complete"]),
        (&serde_json::json!({"P": 1}), &true.into())
    );
    let quiet = yomikiri(&["tsume", "check", over, "-q"]).stdout;
    assert_eq!(quiet, "1: unsound: 1 flaw\n");
    let json = yomikiri(&["tsume", "check", THREE, "--json"]).json();
    assert_eq!((&json["verdict"], &json["pieces_left_over"]), (&"sound".into(), &false.into()));
}

/// Mate by a rook from afar, unless the defender has something to put between.
fn rook_from_afar(hand: &str) -> String {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(5);
    format!(
        "# 詰将棋\n作品名：遠い飛車\n作者：甲\n手合割：詰将棋\n{hand}  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
         +---------------------------+\n| ・ ・ ・ ・ ・ ・ ・v香v玉|一\n\
         | ・ ・ ・ ・ ・ ・ ・v香 ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n{empty}+---------------------------+\n\
         先手の持駒：飛\n手数----指手---------消費時間--\n"
    )
}

#[test]
fn a_hand_that_is_not_told_is_all_the_rest_and_that_is_said() {
    let directory = directory("shogi-hands");
    let file = path(&directory, "far.kif");
    let verdict = |hand: &str| {
        fs::write(&file, rook_from_afar(hand)).expect("written");
        let run = yomikiri(&["solve", "--file", &file, "--json", "--futile", "counted"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let json = run.json();
        (json["verdict"].clone(), json["problem"].clone(), run.stderr)
    };
    let (verdict_none, _, none) = verdict("後手の持駒：なし\n");
    let (verdict_rest, problem_rest, rest) = verdict("後手の持駒：残り全部\n");
    assert_ne!(verdict_none, verdict_rest, "the test's position must turn on the hand");
    assert_eq!((none.as_str(), rest.as_str()), ("", ""));
    let (verdict, problem, said) = verdict("");
    assert_eq!((verdict, problem), (verdict_rest, problem_rest));
    let note = format!(
        "note: {file}: no line says what White holds, so it is all the rest (残り全部); if it \
         is nothing, add the line 後手の持駒：なし\n"
    );
    assert_eq!(said, note);
    for (command, code) in
        [(&["tsume", "check", "-q"][..], 3), (&["tsume", "show"], 0), (&["tsume", "convert"], 0)]
    {
        let run = yomikiri(&[command, &["--file", &file]].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(code), note.as_str()), "{command:?}");
    }
}

#[test]
fn the_title_and_the_author_go_along() {
    let directory = directory("shogi-header");
    let file = path(&directory, "far.kif");
    fs::write(&file, rook_from_afar("後手の持駒：なし\n")).expect("written");
    let has_both = |text: &str| text.contains("遠い飛車") && text.contains("甲");
    let solution = path(&directory, "solution.kif");
    let run = yomikiri(&["solve", "--file", &file, "--kif", &solution]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = fs::read_to_string(&solution).expect("a file");
    assert!(text.contains("\n作品名：遠い飛車\n作者：甲\n"), "{text}");
    for format in ["kif", "ki2", "csa", "jkf"] {
        let run = yomikiri(&["tsume", "convert", "--file", &solution, "--to", format]);
        assert!(run.code == Some(0) && has_both(&run.stdout), "{format}: {}", run.stdout);
    }
}

#[test]
fn an_extension_that_is_no_format_is_refused() {
    let directory = directory("shogi-extensions");
    for name in ["x.bmp", "x.pdf", "x.kif.bak"] {
        let file = path(&directory, name);
        let run = yomikiri(&["tsume", "convert", THREE, "--out", &file]);
        run.fails_with(&[name, "is no format", "sfen, usi, kif, kifu, ki2", "--to"]);
        assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
    }
    assert!(names(&directory).is_empty());
    // Unless it is said what to write.
    let file = path(&directory, "x.bmp");
    assert_eq!(
        yomikiri(&["tsume", "convert", THREE, "--out", &file, "--to", "sfen"]).code,
        Some(0)
    );
    let file = path(&directory, "plain");
    assert_eq!(yomikiri(&["tsume", "convert", THREE, "--out", &file]).code, Some(0));
    assert_eq!(fs::read_to_string(&file).ok(), Some(format!("{THREE}\n")));
}

#[test]
fn problems_are_made() {
    let directory = directory("shogi-make");
    let file = path(&directory, "made.tsv");
    let arguments = ["tsume", "make", "--count", "4", "--plies", "3..5", "--seed", "5"];
    let run = yomikiri(&[&arguments[..], &["--out", &file]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("4 of 4 problems in "), "{}", run.stderr);
    assert!(run.stderr.ends_with("plies 3: 2, 5: 2\n"), "{}", run.stderr);
    let text = fs::read_to_string(&file).expect("a file");
    let (first, rows) = text.split_once('\n').expect("lines");
    assert_eq!(first, "# made by: yomikiri tsume make --count 4 --plies 3..5 --seed 5");
    assert_eq!(rows.lines().count(), 4);
    // The same again, on standard output; and they are what they say.
    let again = yomikiri(&arguments);
    assert_eq!((again.code, again.stdout), (Some(0), text.clone()));
    let check = yomikiri(&["tsume", "check", "-q", "--file", &file]);
    assert_eq!((check.code, check.stdout.lines().count()), (Some(0), 4));
    assert!(check.stdout.lines().all(|line| line.ends_with(": sound: there is no other solution")));
    let solved = yomikiri(&["solve", "-q", "--file", &file]).stdout;
    assert_eq!(solved.matches(", as recorded").count(), 4, "{solved}");
    let json = yomikiri(&[&arguments[..], &["--json", "-q"]].concat());
    assert_eq!(json.stderr, "");
    let row = rows.lines().last().expect("a row");
    let id = json.json()["id"].as_str().expect("a name").to_owned();
    let [sfen, name, length] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
    assert_eq!((json.json()["sfen"].as_str(), id.as_str()), (Some(sfen), name));
    assert_eq!(
        json.json()["moves"].as_array().map(|moves| moves.len().to_string()),
        Some(length.into())
    );
    // No time: nothing is made, and nothing is lost.
    let none = yomikiri(&[&arguments[..], &["--time", "0", "--out", &file]].concat());
    assert_eq!((none.code, fs::read_to_string(&file).ok()), (Some(1), Some(text)));
    assert!(none.stderr.contains("0 of 4 problems"), "{}", none.stderr);
    yomikiri(&["tsume", "make", "--plies", "9..3"]).fails_with(&["the shorter length comes first"]);
    yomikiri(&["tsume", "make", "--plies", "4"]).fails_with(&["an odd number"]);
    yomikiri(&["tsume", "make", "--plies", "x"]).fails_with(&["'x' is no number of plies"]);
    yomikiri(&["tsume", "make", "--count", "0"]).fails_with(&["from 1 to"]);
    yomikiri(&["tsume", "make", "--out", "/nowhere/x.tsv"]).fails_with(&["cannot write /nowhere"]);
}

#[test]
fn made_problems_are_merged() {
    let directory = directory("shogi-merge");
    let (one, other) = (path(&directory, "one.tsv"), path(&directory, "other.tsv"));
    let made = [
        "# made by: a test",
        "7kg/9/6+S2/9/8+R/9/9/9/9 b r2b3g3s4n4l18p 1\ta\t3",
        "2+R3sk1/8p/6S2/9/9/9/9/9/9 b r2b4g2s4n4l17p 1\tb\t3",
        "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\tc\t1",
    ];
    fs::write(&one, made.join("\n")).expect("a file");
    // The first again and its mirror image, two mates in one, and no mate.
    let bad = [
        made[1],
        "gk7/9/2+S6/9/+R8/9/9/9/9 b r2b3g3s4n4l18p 1\td\t3",
        "8k/9/7+P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\te\t1",
        "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1\tf\t1",
    ];
    fs::write(&other, bad.join("\n")).expect("a file");
    let files = ["tsume", "merge", "--file", &one, "--file", &other, "--plies", "1..9"];
    let run = yomikiri(&[&files[..], &["--count", "9"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.ends_with("7 problems read, 5 certified, 3 in the set\n"), "{}", run.stderr);
    let sfens: Vec<&str> = made[1..].iter().filter_map(|row| row.split('\t').next()).collect();
    let all = format!(
        "# made by: a test\n{}\town-001-001\t1\n{}\town-003-001\t3\n{}\town-003-002\t3\n",
        sfens[2], sfens[0], sfens[1]
    );
    assert_eq!(run.stdout, all);
    // Two of different lengths; as many as were asked for.
    let file = path(&directory, "two.tsv");
    let run = yomikiri(&[&files[..], &["--count", "2", "-q", "--out", &file]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = all.lines().take(3).collect();
    assert_eq!(fs::read_to_string(&file).ok(), Some(lines.join("\n") + "\n"));
    // None of them is hard.
    let run = yomikiri(&[&files[..], &["--sound", "length"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("0 certified, 0 in the set"), "{}", run.stderr);
    assert!(run.stdout.ends_with("other solutions are possible)\n"), "{}", run.stdout);
}

#[test]
fn a_suite_is_carried_in_the_program() {
    let run =
        yomikiri(&["bench", "tsume", "--suite", "own", "--step", "50", "--shortest", "--certify"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let total = run.stdout.lines().last().unwrap_or_default();
    assert!(total.starts_with("own: 10/10 decided"), "{total}");
    assert!(total.contains("10 lengths as recorded"), "{total}");
    assert!(total.contains("20 certificates accepted, 0 rejected"), "{total}");
    let options =
        ["bench", "tsume", "--suite", "strength", "--step", "60", "--json", "--jobs", "1"];
    let run = yomikiri(&[&options[..], &["--shortest", "--time", "200", "--hash", "64"]].concat());
    let total = run.json();
    assert_eq!((run.code, total["set"].as_str()), (Some(0), Some("strength")), "{}", run.stderr);
    assert!(total["problems"].as_u64() > Some(0), "{total}");
    assert_eq!(total["problems"], total["as_recorded"], "{total}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_made() {
    let directory = directory("shogi-make-interrupt");
    let file = path(&directory, "made.tsv");
    let arguments = ["tsume", "make", "--count", "100000", "--plies", "3..9", "--out", &file];
    let child = command(&arguments).spawn().expect("it starts");
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let start = std::time::Instant::now();
    while lines() < 3 && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains(" of 100000 problems in "), "{}", run.stderr);
    assert!(fs::read_to_string(&file).is_ok_and(|text| text.ends_with('\n')));
    assert!(lines() >= 3);
}

#[test]
fn sets_are_measured() {
    let directory = directory("shogi-bench");
    let file = path(&directory, "mine.tsv");
    let rows = format!("{THREE}\tthree\t3\n{FIVE}\tfive\t7\n{NONE}\tnone\t\n{HARD}\thard\t9\n");
    fs::write(&file, rows).expect("written");
    let arguments = ["bench", "tsume", &file, "--time", "0.3", "--hash", "16", "--shortest"];
    let run = yomikiri(&[&arguments[..], &["--json"]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let types: Vec<String> = crate::json::types(&run.stdout).into_iter().collect();
    assert_eq!(types, ["bench-tsume", "bench-tsume-total"]);
    let total = run.json();
    assert_eq!((&total["problems"], &total["decided"]), (&4.into(), &3.into()));
    assert_eq!((&total["mates"], &total["no_mates"]), (&2.into(), &1.into()));
    assert_eq!(total["as_recorded"], 1);
    assert!(total["seconds"].as_f64() >= Some(0.3));
    assert_eq!(run.stdout.lines().count(), 5);
    let text = yomikiri(&arguments).stdout;
    assert!(text.contains("mine: 3/4 decided in "), "{text}");
    let row = text.lines().next().unwrap_or_default();
    assert!(row.starts_with("three            mate         =3 /    3 "), "{row}");
    yomikiri(&["bench", "tsume", "/nowhere.tsv"]).fails_with(&["neither a file nor one of zuko"]);
    let none =
        command(&["bench", "tsume", "zuko", "--step", "100", "--time", "0.01", "--hash", "1"])
            .env("YOMIKIRI_PROBLEMS", &directory)
            .spawn()
            .expect("it starts");
    let none = finish(none);
    assert!(none.stderr.contains("skipped: needs problem sets (zuko.tsv)"), "{}", none.stderr);
    assert_eq!(none.code, Some(0));
}

#[test]
fn several_agents_find_the_same_lengths() {
    let directory = directory("shogi-threads");
    for (problem, verdict, length) in
        [(THREE, "proven", Some(3)), (FIVE, "proven", Some(5)), (NONE, "disproven", None)]
    {
        for team in [
            &["--threads", "2"][..],
            &["--threads", "4"],
            &["-a", "deep-dfpn", "--threads", "2"],
            &["-a", "virtual", "--threads", "3", "--turns", "20"],
            &["-a", "mps"],
            &["-a", "pincers"],
            &["-a", "pmps", "--assignment", "L,S|S,S"],
        ] {
            let file = path(&directory, "a.cert");
            let solve = ["solve", problem, "-c", &file, "--json", "--hash", "16"];
            let run = yomikiri(&[&solve, team].concat());
            assert_eq!(run.code, Some(0), "{problem} {team:?}: {}", run.stderr);
            let json = run.json();
            assert_eq!(json["verdict"], verdict, "{problem} {team:?}");
            if team[1] != "deep-dfpn" {
                assert_eq!(json["mate"]["length"].as_u64(), length, "{problem} {team:?}");
            }
            assert_eq!(json["certificate"]["checked"], true);
            let check = yomikiri(&["check", &file, "--json"]);
            assert_eq!(check.code, Some(0), "{problem} {team:?}: {}", check.stderr);
            assert_eq!(check.json()["verdict"], verdict);
        }
    }
    for (limit, reason) in [(["--time", "0.3"], "time limit"), (["--nodes", "100k"], "node limit")]
    {
        let run = yomikiri(&[&["solve", HARD, "--threads", "4", "--json"], &limit[..]].concat());
        assert_eq!((run.code, &run.json()["reason"]), (Some(1), &reason.into()));
        assert_eq!(run.json()["threads"], 4);
    }
}

#[test]
fn sets_are_measured_with_several_agents() {
    let directory = directory("shogi-bench-threads");
    let file = path(&directory, "mine.tsv");
    let rows = format!("{THREE}\tthree\t3\n{FIVE}\tfive\t7\n{NONE}\tnone\t\n{HARD}\thard\t9\n");
    fs::write(&file, rows).expect("written");
    let arguments = ["bench", "tsume", &file, "--time", "0.3", "--hash", "16", "--certify"];
    for (team, threads) in [
        (&["--threads", "2"][..], 2),
        (&["--scheme", "virtual", "--threads", "3", "--turns", "100"], 1),
        (&["--scheme", "mps", "--pseudo-threads", "4"], 1),
        (&["--scheme", "pincers"], 2),
        (&["--scheme", "pmps:L,S|S"], 2),
        (&["--scheme", "pmps", "--assignment", "L|S|S"], 3),
    ] {
        let run = yomikiri(&[&arguments[..], team, &["--json"]].concat());
        assert_eq!(run.code, Some(1), "{team:?}: {}", run.stderr);
        let total = run.json();
        assert_eq!((&total["problems"], &total["decided"]), (&4.into(), &3.into()), "{team:?}");
        // A length that is known to be the shortest, or to be no less, is certified so as well.
        let is_accepted = total["accepted"].as_u64().is_some_and(|all| (3..=5).contains(&all));
        assert!(is_accepted && total["rejected"] == 0, "{team:?}: {total}");
        assert_eq!((&total["threads"], &total["clock"]), (&threads.into(), &"wall".into()));
        let row = run.stdout.lines().next().unwrap_or_default();
        let row: Value = serde_json::from_str(row).expect("JSON");
        assert!(row["threads"] == threads && row["accepted"].as_u64() >= Some(1), "{row}");
        assert!(row["cpu_seconds"].is_null() && row["seconds"].is_f64(), "{row}");
    }
    // Exact lengths have two certificates each.
    let shortest = ["--shortest", "--quiet", "--threads", "2"];
    let text = yomikiri(&[&arguments[..], &shortest].concat()).stdout;
    for part in ["mine: 3/4 decided in ", "; wall time, 2 threads (virtual numbers, 2 agents)"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(text.ends_with("; 5 certificates accepted, 0 rejected\n"), "{text}");
    let one = yomikiri(&[&arguments[..7], &["--quiet", "--threads", "1"]].concat()).stdout;
    assert!(one.ends_with("; processor time\n"), "{one}");
    let bad = |more: &[&str]| yomikiri(&[&arguments[..], more].concat());
    bad(&["--threads", "0"]).fails_with(&["at least one thread"]);
    bad(&["--scheme", "magic"]).fails_with(&["virtual, mps, pincers, pmps"]);
    bad(&["--scheme", "pmps:L|X"]).fails_with(&["'X'"]);
    bad(&["--scheme", "mps", "--threads", "2"]).fails_with(&["mps runs on one thread"]);
    bad(&["--scheme", "pmps:L|S", "--assignment", "L|S"]).fails_with(&["given twice"]);
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        &["solve"][..],
        &["usi"],
        &["tsume", "check"],
        &["tsume", "convert"],
        &["tsume", "make"],
        &["tsume", "same"],
        &["tsume", "show"],
        &["bench"],
        &["bench", "tsume"],
        &["bench", "usi"],
    ] {
        let help = yomikiri(&[command, &["--help"]].concat());
        assert_eq!(help.code, Some(0), "{command:?}");
        assert!(help.stdout.contains("Usage: yomikiri"), "{}", help.stdout);
        assert!(help.stdout.contains("Examples:"), "{}", help.stdout);
    }
}

#[test]
fn text_of_a_file_does_not_steer_the_terminal() {
    let directory = directory("steering");
    let file = path(&directory, "a.kif");
    let run = yomikiri(&["tsume", "convert", THREE, "--out", &file]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let record = fs::read_to_string(&file).expect("a record");
    let record = format!(
        "作品名：\u{1b}]0;gotcha\u{7}夢\n作者：\u{1b}[31m甲\u{9b}2J\n{record}*\u{1b}[2Jsaid\n"
    );
    let shown = piped(&["tsume", "show"], &record);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    for part in
        ["作品名：\\u{1b}]0;gotcha\\u{7}夢", "作者：\\u{1b}[31m甲\\u{9b}2J", "* \\u{1b}[2Jsaid"]
    {
        assert!(shown.stdout.contains(part), "{}", shown.stdout);
    }
    let id = format!("{THREE}\t\u{1b}[31mred\n");
    let bad = "hex 3 .../.../... \u{1b}[31m\n";
    let graph = "graph\n\u{1b}[31m or b\nb win\n";
    for run in [shown, piped(&["solve"], &id), piped(&["solve"], bad), piped(&["solve"], graph)] {
        assert!(!run.stdout.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{}", run.stdout);
        assert!(!run.stderr.contains(['\u{1b}', '\u{9b}', '\u{7}']), "{}", run.stderr);
    }
    yomikiri(&["solve", "--file", "\u{1b}[31m"]).fails_with(&["cannot read \\u{1b}[31m"]);
    yomikiri(&["solve", THREE, "--hash", "\u{1b}[31m"]).fails_with(&["--hash"]);
}

#[test]
fn the_checker_tells_the_whole_claim() {
    let directory = directory("claims");
    let (mate, counted) = (path(&directory, "a.cert"), path(&directory, "b.cert"));
    assert_eq!(yomikiri(&["solve", THREE, "-c", &mate]).code, Some(0));
    let run = yomikiri(&["check", &mate]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "accepted\n  game         shogi\n",
        "  position     8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1\n",
        "  to move      Black\n",
        "  attacker     Black, who wants to mate and give check with every move\n",
        "  goal         mate\n",
        "  rule         interpositions in vain do not count",
        "a repeated position favours the defender\n",
        "  claim        proven: Black mates within 3 plies\n",
        "  plies        3 at most\n",
    ] {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
    let shorter = yomikiri(&["check", &path(&directory, "a.shorter.cert")]).stdout;
    assert!(shorter.contains("claim        disproven: within 1 ply it does not hold"), "{shorter}");
    let solve = ["solve", NONE, "--goal", "mate-counted:black", "-c", &counted];
    assert_eq!(yomikiri(&solve).code, Some(0));
    let json = yomikiri(&["check", "--json", &counted]).json();
    let terms = &json["terms"];
    assert_eq!((&terms["goal"], &json["plies"]), (&"mate-counted".into(), &Value::Null));
    assert_eq!((&json["verdict"], &terms["attacker"]), (&"disproven".into(), &"Black".into()));
    assert!(terms["rule"].as_str().is_some_and(|rule| rule.contains("count as any other move")));
    assert!(NONE.starts_with(terms["position"].as_str().expect("a position")), "{terms}");
    for (problem, part) in [
        (
            "hex 3 B../.../... W goal B",
            "attacker     B, who wants to connect the first row to the last",
        ),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "the fifty-move rule is not applied"),
        ("graph\na or b\nb win\n", "  position     graph\n"),
    ] {
        assert_eq!(yomikiri(&["solve", problem, "-c", &mate]).code, Some(0));
        let run = yomikiri(&["check", &mate]);
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
}

#[test]
fn what_was_tried_before_counts() {
    // A table that is saved is searched without a try: the difference is what was tried.
    let directory = directory("tried");
    let table = path(&directory, "a.table");
    let certificate = path(&directory, "a.cert");
    let solve = |more: &[&str]| {
        let solve = ["solve", LONG, "--any-mate", "--hash", "16", "--json", "-c", &certificate];
        let run = yomikiri(&[&solve, more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let json = run.json();
        assert_eq!(
            (&json["verdict"], &json["certificate"]["checked"]),
            (&"disproven".into(), &true.into())
        );
        json["nodes"].as_u64().expect("a number")
    };
    let (plain, with_try) = (solve(&["--save-table", &table]), solve(&[]));
    assert!(plain > 20_000, "{plain}: too short to tell");
    assert_eq!(with_try, plain + 20_000);
    // A short one is solved once.
    let nodes = |more: &[&str]| {
        yomikiri(&[&["solve", FIVE, "--json"], more].concat()).json()["nodes"].clone()
    };
    assert_eq!(nodes(&[]), nodes(&["--hash", "1", "--save-table", &table]));
}

#[test]
fn small_problems_do_not_take_a_large_table() {
    let directory = directory("small-set");
    let set = path(&directory, "small.tsv");
    fs::write(&set, format!("{THREE}\ta\t3\n{FIVE}\tb\t5\n{NONE}\tc\n")).expect("written");
    let run = yomikiri(&["bench", "tsume", &set, "--hash", "256", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let total = run.json();
    assert_eq!(total["decided"], 3);
    // Nobody has ever seen more than this, and less than one a second is none.
    let speed = total["nodes_per_second"].as_f64().expect("a number");
    assert!(speed > 1.0 && speed < 1e8, "{total}");
    if cfg!(target_os = "linux") {
        assert!(total["peak_memory_mib"].as_f64().is_some_and(|peak| peak < 200.0), "{total}");
    }
}
