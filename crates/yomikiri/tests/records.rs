//! Records of games: which position is asked about, and where a mate was missed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Run, directory, names, piped, yomikiri};

/// Black has a mate in three, moves the king instead, and mates after all.
const GAME: &str = "position sfen 8k/4B4/9/p5+R1P/9/9/9/9/K8 b G 1 \
    moves 9i8i 9d9e 3d3a 1a1b G*1c";
/// A problem with its solution.
const SOLVED: &str =
    "position sfen 8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1 moves 3d3a 1a1b G*1c";
/// Black misses the fool's mate, and gets it again.
const PGN: &str = "[White \"A\"]\n[Black \"B\u{1b}[31m\"]\n\n1. f3 e5 2. g4 d6 3. a3 Qh4# 0-1\n";

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("UTF-8").to_owned()
}

/// A record in the format that its name says.
fn record(directory: &Path, name: &str, text: &str) -> String {
    let file = path(directory, name);
    let run = yomikiri(&["tsume", "convert", text, "--out", &file]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    file
}

fn lines(run: &Run) -> Vec<Value> {
    let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    run.stdout.lines().map(read).collect()
}

#[test]
fn a_game_is_asked_about_its_end_and_a_solution_about_its_beginning() {
    let directory = directory("records-which");
    for name in ["game.kif", "game.ki2", "game.csa", "game.jkf"] {
        let file = record(&directory, name, GAME);
        let ask = |more: &[&str]| {
            yomikiri(&[&["solve", "--file", &file, "--json", "--any-mate"], more].concat())
        };
        let last = ask(&[]).json();
        assert_eq!((&last["ply"], &last["record_plies"]), (&5.into(), &5.into()), "{name}");
        assert!(last["problem"].as_str().is_some_and(|text| text.contains(" w ")), "{last}");
        assert_eq!(ask(&["--last"]).json()["problem"], last["problem"]);
        assert_eq!(ask(&["--at", "5"]).json()["problem"], last["problem"]);
        let at = ask(&["--at", "2"]).json();
        assert_eq!((&at["ply"], &at["verdict"]), (&2.into(), &"proven".into()), "{name}");
        let first = ask(&["--at", "0"]).json();
        assert!(first["problem"].as_str().is_some_and(|text| text.ends_with("K8 b G 1 goal mate")));
        ask(&["--at", "6"]).fails_with(&["--at 6: the record has 5 moves"]);
        let file = record(&directory, &name.replace("game", "solved"), SOLVED);
        let solved = yomikiri(&["solve", "--file", &file, "--json"]).json();
        assert_eq!((&solved["ply"], &solved["mate"]["length"]), (&0.into(), &3.into()), "{name}");
        let end = yomikiri(&["solve", "--file", &file, "--last", "-q"]).stdout;
        assert_eq!(end, "1: proven: it is mate (after the last move, 3)\n");
    }
    let file = path(&directory, "game.kif");
    let said = yomikiri(&["solve", "--file", &file, "--any-mate"]).stdout;
    assert!(said.contains("after the last move, 5; --at N or --every asks about others"), "{said}");
    let said = yomikiri(&["solve", "--file", &file, "--at", "2"]).stdout;
    assert!(said.contains("  asked        after move 2 of 5\n"), "{said}");
    let pgn = piped(&["solve", "--at", "3", "--json"], PGN);
    assert_eq!((pgn.code, &pgn.json()["verdict"]), (Some(0), &"proven".into()));
    piped(&["solve"], PGN).fails_with(&["White is mated already", "after the last move, 6"]);
    for option in ["--last", "--every"] {
        yomikiri(&["solve", "hex 3 .../.../... B", option]).fails_with(&[option, "is for records"]);
    }
}

#[test]
fn a_missed_mate_is_found_in_every_format_and_each_verdict_is_certified() {
    let directory = directory("records-every");
    for name in ["game.kif", "game.ki2", "game.csa", "game.jkf"] {
        let file = record(&directory, name, GAME);
        let folder = path(&directory, &format!("{name}.certificates"));
        let run = yomikiri(&["solve", "--file", &file, "--every", "--json", "-c", &folder]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let mut rows = lines(&run);
        let summary = rows.pop().expect("a summary");
        let fates: Vec<(&str, Option<u64>, &str)> = rows
            .iter()
            .map(|row| {
                let text = |name: &str| row[name].as_str().unwrap_or("-");
                (text("verdict"), row["length"].as_u64(), text("fate"))
            })
            .collect();
        assert_eq!(fates.len(), 6, "{name}");
        assert_eq!(fates[0], ("proven", Some(3), "missed"), "{name}");
        assert_eq!(fates[1], ("disproven", None, "-"), "{name}");
        assert_eq!(fates[2], ("proven", Some(3), "kept"), "{name}");
        assert_eq!((fates[3].0, fates[5].0), ("disproven", "disproven"), "{name}");
        assert_eq!(fates[4], ("proven", Some(1), "kept"), "{name}");
        assert_eq!(rows[2]["length_after"], 2);
        assert_eq!((&rows[0]["side"], &rows[1]["side"]), (&"black".into(), &"white".into()));
        assert_eq!(summary["mates"]["black"]["missed"], 1);
        assert_eq!(summary["mates"]["black"]["longest_missed"], serde_json::json!([3, 0]));
        assert_eq!((&summary["positions"], &summary["unknown"]), (&6.into(), &0.into()));
        check(&rows, &folder);
    }
}

/// Every verdict has a certificate that is accepted and speaks of the position and the side.
fn check(rows: &[Value], folder: &str) {
    let mut files = 0;
    for row in rows {
        let certificates = row["certificates"].as_array().expect("a list");
        assert!(!certificates.is_empty() || row["verdict"] == "unknown", "{row}");
        for (number, certificate) in certificates.iter().enumerate() {
            let run = yomikiri(&["check", "--json", certificate["file"].as_str().expect("a name")]);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let (claim, side) = (run.json(), row["side"].as_str().expect("a side"));
            let attacker = claim["terms"]["attacker"].as_str().expect("a side").to_lowercase();
            assert!(attacker.starts_with(side), "{claim}");
            if number == 0 {
                assert_eq!(
                    (&claim["verdict"], &claim["terms"]["position"]),
                    (&row["verdict"], &row["problem"])
                );
            }
            files += 1;
        }
    }
    assert_eq!(names(Path::new(folder)).len(), files);
}

#[test]
fn people_get_a_table_over_the_game() {
    let directory = directory("records-table");
    let file = record(&directory, "game.kif", GAME);
    let run = yomikiri(&["solve", "--file", &file, "--every"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in [
        "1: 5 moves\n",
        "▲８九玉          mate in 3 plies by ▲３一龍: MISSED\n",
        "▲３一龍          mate in 3 plies by ▲３一龍: kept, 2 more\n",
        // More than one move mates.
        "▲１三金          mate in 1 ply by ▲",
        ": mates\n",
        "Black had a mate 3 times: kept 2, missed 1; the longest one missed: 3 plies, at move 1\n",
        "6 positions, 0 unknown; ",
    ] {
        assert!(run.stdout.contains(part), "no {part} in\n{}", run.stdout);
    }
    // What cannot be decided within the limit is said to be so.
    let run = yomikiri(&["solve", "--file", &file, "--every", "--nodes", "1"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("unknown (node limit)"), "{}", run.stdout);
    let run = piped(&["solve", "--every", "--goal", "checks", "--json"], PGN);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let rows = lines(&run);
    assert_eq!((&rows[3]["verdict"], &rows[3]["fate"]), (&"proven".into(), &"missed".into()));
    assert_eq!((&rows[5]["verdict"], &rows[5]["fate"]), (&"proven".into(), &"kept".into()));
    assert_eq!(rows[6]["verdict"], "mated");
    let run = piped(&["solve", "--every", "--nodes", "200"], PGN);
    assert!(run.stdout.contains("2… d6") && !run.stdout.contains('\u{1b}'), "{}", run.stdout);
    let conflict = yomikiri(&["solve", "--file", &file, "--every", "--attacker", "black"]);
    conflict.fails_with(&["--attacker", "cannot be used with"]);
    let game = fs::read_to_string(&file).expect("a record");
    piped(&["solve", "--every", "--goal", "mate:black"], &game).fails_with(&["leave the side out"]);
}
