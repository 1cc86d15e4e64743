//! What people are told in Japanese, and when.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Run, command, directory, finish, yomikiri};

const MATE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/9 b Pr2b4g4s4n4l17p 1";
const OTHELLO: &str = "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X";
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

/// Words that stand in Japanese sentences as they are: names of formats, programs, units, searches.
const ALLOWED: &[&str] = &[
    "AND",
    "AOHPAS",
    "CSA",
    "Ctrl-C",
    "DeepPN",
    "Debian",
    "GUI",
    "ID",
    "JKF",
    "JSON",
    "KI",
    "KIF",
    "LANG",
    "ja",
    "MiB",
    "OR",
    "PGN",
    "PNG",
    "SFEN",
    "SVG",
    "Shift_JIS",
    "UCI",
    "USI",
    "UTF",
    "df-pn",
    "yomikiri",
];

/// The English words in a text for people. Left out are code in backquotes, what is quoted from the
/// input, options, names of values, files, environment variables, positions, moves and numbers.
fn english(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for line in text.lines() {
        // Examples, and how a command is typed.
        if line.starts_with("  yomikiri ") || line.starts_with("使い方: ") {
            continue;
        }
        let mut rest = String::new();
        let mut quote = None;
        for c in line.chars() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => {}
                None if c == '`' || c == '\'' => quote = Some(c),
                None => rest.push(c),
            }
        }
        let is_part = |c: char| c.is_ascii_graphic() && !"()[],;".contains(c);
        for token in rest.split(|c: char| !is_part(c)) {
            let is_name = token.starts_with(['-', '<', '$', '%', '.', '/'])
                || token.contains(['/', '.', '*', '+', '=', '|'])
                || token.contains(|c: char| c.is_ascii_digit())
                || token.ends_with("...")
                || token.contains('_') && token.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let word = token.trim_matches(|c: char| !c.is_ascii_alphabetic());
            if !is_name && word.len() > 1 && !ALLOWED.contains(&word) {
                words.insert(word.to_owned());
            }
        }
    }
    words
}

fn is_japanese(text: &str) -> bool {
    text.contains(|c| ('\u{3040}'..='\u{9fff}').contains(&c))
}

/// A run in Japanese.
fn ja(arguments: &[&str]) -> Run {
    yomikiri(&[&["--lang", "ja"], arguments].concat())
}

/// The commands below a command, by its help.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "コマンド:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    list.filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn the_help_of_the_tsume_commands_is_in_japanese() {
    let top = ja(&["--help"]).stdout;
    let tools = subcommands(&ja(&["tsume", "--help"]).stdout);
    assert!(subcommands(&top).len() > 10 && tools.len() >= 5, "{top}{tools:?}");
    let mut paths = vec![vec![], vec!["solve"], vec!["check"], vec!["tsume"]];
    paths.extend(cfg!(feature = "serve").then_some(vec!["serve"]));
    paths.extend(tools.iter().filter(|tool| *tool != "help").map(|tool| vec!["tsume", tool]));
    for path in &paths {
        for flag in ["-h", "--help"] {
            let run = ja(&[path, &[flag][..]].concat());
            assert_eq!(run.code, Some(0), "{path:?}");
            let help = run.stdout;
            // Values and defaults are named as they are typed.
            let mut prose = String::new();
            for line in help.lines() {
                let text = line.trim_start_matches(' ');
                let value = text.strip_prefix("- ").and_then(|line| line.split_once(": "));
                // Lines are broken between any two Japanese characters.
                let is_broken = line.len() - text.len() >= 10 && !text.starts_with("- ");
                if is_broken && !prose.ends_with(|c: char| c.is_ascii()) {
                    prose += text;
                } else {
                    prose += "\n";
                    prose += value.map_or(line, |(_, meaning)| meaning);
                }
            }
            prose = prose.replace("[PROBLEM]...", "").replace("[FILE]...", "");
            for name in subcommands(&help) {
                prose = prose.replace(&format!("\n  {name} "), "\n");
            }
            for (open, close) in [("[値:", ']'), ("[既定:", ']')] {
                let mut left = String::new();
                let mut parts = prose.split(open);
                left += parts.next().unwrap_or_default();
                for part in parts {
                    let (inside, after) = part.split_once(close).expect("it is closed");
                    // A default may be told in words.
                    left += if is_japanese(inside) && open == "[既定:" { inside } else { "" };
                    left += &format!(" {after}");
                }
                prose = left;
            }
            // A build without a command names the feature that adds it.
            for feature in ["cluster）", "lab）", "serve）"] {
                prose = prose.replace(feature, "）");
            }
            let words = english(&prose);
            assert!(words.is_empty(), "{path:?} {flag}: {words:?} in\n{help}");
            // Each option, and each value that is explained, has a text.
            let lines: Vec<&str> = help.lines().collect();
            let is_head = |line: &str| line.starts_with("  -") || line.starts_with("      --");
            let heads = (0..lines.len()).filter(|&at| is_head(lines[at]));
            let mut count = 0;
            for at in heads {
                count += 1;
                let next = lines.get(at + 1).copied().unwrap_or_default();
                assert!(
                    next.starts_with("          ") && is_japanese(next),
                    "{path:?}: {}",
                    lines[at]
                );
            }
            assert!(count >= 3, "{path:?}: {help}");
            for line in lines.iter().filter(|line| line.starts_with("            - ")) {
                assert!(is_japanese(line), "{path:?}: {line}");
            }
        }
    }
}

#[test]
fn an_english_word_is_found() {
    assert!(english("判定 詰み（`proven`）、--json と ja_JP.UTF-8 と 7g7f と PNG").is_empty());
    for text in ["判定 proven: 詰み", "Print help", "エラー: cannot read 標準入力", "手順 line"]
    {
        assert!(!english(text).is_empty(), "{text}");
    }
}

/// A problem as KIF, with these moves.
fn kif(moves: &str) -> String {
    format!(
        "作品名：試作\n後手の持駒：残り全部\n\
        | ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n| ・ ・ ・ ・ 角 ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ 龍 ・ 歩|四\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n先手の持駒：金\n手数----指手--\n{moves}"
    )
}

#[test]
fn nothing_that_is_told_of_problems_is_english() {
    let folder = directory("lang");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("written");
        path(name)
    };
    let good = write("good.kif", &kif("1 ３一龍(34)\n2 １二玉(11)\n3 １三金打\n"));
    let mut rows = format!("{MATE}\ta\t3\n{NO_MATE}\tb\nbroken\tc\n");
    let table = write("table.tsv", &rows);
    rows.push_str(HARD);
    let game = write("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n");
    let bad_kif = write("bad.kif", &kif("1 ３一龍(34)\n2 １二玉(11)\n3 １三角打\n"));
    let no_hand = write("no-hand.kif", &kif("").replace("後手の持駒：残り全部\n", ""));
    let bad_csa = write("bad.csa", "V2.2\nPI\n+\n+7775FU\n");
    let bad_jkf = write("bad.jkf", "{\"moves\": 3}");
    let empty = write("empty.txt", "# nothing\n");
    fs::write(folder.join("binary.kif"), b"\xff\xff\xff").expect("written");
    let binary = path("binary.kif");
    let (certificate, solution, saved) = (path("mate.cert"), path("mate.kif"), path("table.bin"));
    let (many, hex) = (path("many"), path("hex.cert"));
    let runs: &[(i32, &[&str])] = &[
        (0, &["solve", MATE, "--certificate", &certificate, "--kif", &solution]),
        (0, &["check", &certificate]),
        (0, &["check", "--problem", MATE, &certificate]),
        (0, &["solve", MATE, "--save-table", &saved, "--hash", "1"]),
        (0, &["solve", MATE, "--load-table", &saved, "--hash", "1"]),
        (0, &["solve", NO_MATE]),
        (0, &["solve", MATE, "--plies", "1"]),
        (0, &["solve", MATE, "-q"]),
        (0, &["solve", MATE, "--threads", "2"]),
        (0, &["solve", MATE, "--algorithm", "mps", "--futile", "counted"]),
        (0, &["solve", MATE, "--algorithm", "pn"]),
        (0, &["solve", MATE, "--any-mate"]),
        (1, &["solve", HARD, "--nodes", "2k"]),
        (1, &["solve", HARD, "--time", "0"]),
        (0, &["solve", "--file", &good]),
        (2, &["solve", "--file", &table]),
        (0, &["solve", "--file", &game, "--every", "--nodes", "10"]),
        (0, &["solve", "--file", &good, "--every"]),
        (0, &["solve", "--file", &game, "--at", "1", "--nodes", "100k", "-q"]),
        (0, &["solve", "--file", &no_hand]),
        (0, &["tsume", "check", "--file", &good]),
        (0, &["tsume", "check", MATE, "-q"]),
        (3, &["tsume", "check", NO_MATE]),
        (1, &["tsume", "check", HARD, "--nodes", "1k"]),
        (3, &["tsume", "check", "7nl/7k1/9/6+R2/9/9/9/9/9 b 2Gr2b2g4s3n3l18p 1"]),
        (0, &["tsume", "check", MATE, "--certificates", &many]),
        (0, &["tsume", "check", "8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1", "--necessity"]),
        (0, &["tsume", "check", "7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1", "--most", "1"]),
        (3, &["tsume", "check", "6lk1/9/9/7SB/9/9/9/9/9 b 2G2rb2g3s4n3l18p 1", "--necessity"]),
        (3, &["tsume", "same", MATE, MATE]),
        (0, &["tsume", "same", MATE, NO_MATE]),
        (0, &["tsume", "show", "--file", &good]),
        (0, &["tsume", "show", NO_MATE]),
        (0, &["tsume", "make", "--count", "1", "--plies", "3"]),
        (1, &["tsume", "make", "--count", "1", "--plies", "35", "--time", "0"]),
        (0, &["tsume", "convert", "--to", "board", MATE]),
        // Other games.
        (0, &["solve", "hex 3 .../.../... B", "--certificate", &hex]),
        (0, &["check", &hex]),
        (0, &["solve", "k7/8/K7/8/8/8/8/7R w - - 0 1", "graph\na or b\nb win"]),
        (1, &["solve", OTHELLO, "--nodes", "10", "--goal", "score", "-q"]),
        // What is wrong.
        (2, &["solve", "--lang", "fr", MATE]),
        (2, &["solve", "nonsense"]),
        (2, &["solve", "9/9/9/9/9/9/9/9/9 b - 1"]),
        (2, &["solve", "8k/9/9/9/9/9/9/9 b - 1"]),
        (2, &["solve", "8k/9/9/9/9/9/9/9/9 x - 1"]),
        (2, &["solve", MATE, "--goal", "win"]),
        (2, &["solve", "--at", "3", MATE]),
        (2, &["solve", MATE, "--plies", "-1"]),
        (2, &["solve", MATE, "--hash", "1000000000"]),
        (2, &["solve", MATE, "--r", "0.5"]),
        (2, &["solve", MATE, "--threads", "4", "--algorithm", "mps"]),
        (2, &["solve", "--file", &binary]),
        (2, &["solve", "--file", &empty]),
        (2, &["solve", "--file", &path("absent.kif")]),
        (2, &["solve", MATE, "--certificate", &path("absent/mate.cert")]),
        (2, &["solve", MATE, "--load-table", &good]),
        (2, &["solve", "--file", &game, "--at", "9"]),
        (2, &["check", &good]),
        (3, &["check", "--problem", NO_MATE, &certificate]),
        (2, &["check"]),
        (2, &["tsume", "check", "--file", &bad_kif]),
        (2, &["tsume", "show", "--file", &bad_csa]),
        (2, &["tsume", "show", "--file", &bad_jkf]),
        (2, &["tsume", "show", &good]),
        (2, &["tsume", "convert", "--out", &path("x.pdf"), MATE]),
        (2, &["tsume", "convert", "--to", "kif", MATE, NO_MATE]),
        (2, &["tsume", "convert", "--time", "1", MATE]),
        (2, &["tsume", "make", "--plies", "4"]),
        (2, &["tsume", "make", "--count", "none"]),
        (2, &["tsume", "chek", MATE]),
        (2, &["tsume", "check", "--fil", MATE]),
        (2, &["tsume", "check", "--futile"]),
        (2, &["tsume", "check", "--nodes", "many", MATE]),
        (2, &["tsume", "make", "--seed", "x"]),
        (2, &["solve", MATE, "--quanta", "x"]),
        (2, &["solve", MATE, "--assignment", "S"]),
        (2, &["solve", "--at", "1", "--last", "--file", &game]),
        (2, &["solve", "--every", "--kif", &solution, "--file", &game]),
        (2, &["solve", &format!("{MATE} moves 3d7a")]),
        (2, &["solve", &format!("{MATE} moves 9z")]),
        (2, &["tsume", "show", "--out", &solution, MATE]),
        (2, &["tsume", "check", "--json", "--json", MATE]),
    ];
    let mut wrong = Vec::new();
    for (code, arguments) in runs {
        let run = ja(arguments);
        let said = format!("{}{}", run.stdout, run.stderr);
        if run.code != Some(*code) || !is_japanese(&said) {
            wrong.push(format!("{arguments:?}, exit code {:?}: {said}", run.code));
        }
        // What was typed comes back as it is: a line above a caret, a position, moves, a goal, a path,
        // a command, and which search it was.
        let lines: Vec<&str> = said.lines().collect();
        let mut told = String::new();
        for (line, next) in lines.iter().zip(lines.iter().skip(1).chain([&""])) {
            let is_input = next.trim() == "^" || line.matches('/').count() >= 8;
            let is_typed =
                ["  USI ", "  目的 ", "  局面 ", "# "].iter().any(|row| line.starts_with(row));
            let search =
                line.strip_prefix("  探索 ").and_then(|row| row.trim_start().split_once(':'));
            if !is_input && !is_typed {
                told += search.map_or(*line, |(_, what)| what);
            }
            told += "\n";
        }
        let told = told.replace(folder.to_str().expect("UTF-8"), "");
        let words = english(&told);
        if !words.is_empty() {
            wrong.push(format!("{arguments:?}, {words:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{} runs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rows_line_up() {
    // Labels take fifteen columns, of which Japanese characters take two each.
    let run = ja(&["solve", MATE]);
    let rows = run.stdout.lines().skip_while(|line| !line.starts_with("  判定"));
    for row in rows {
        let label = row.trim_start().split(' ').next().expect("a label");
        let blanks = row[2 + label.len()..].chars().take_while(|&c| c == ' ').count();
        let wide = label.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
        assert_eq!(2 + wide + blanks, 15, "{row}");
    }
}

/// What a run with these environment variables tells.
fn with_locale(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command: Command = command(arguments);
    command.env_remove("LC_ALL").env_remove("LC_MESSAGES").env_remove("LANG");
    command.envs(variables.iter().copied());
    finish(command.spawn().expect("it starts"))
}

#[test]
fn the_locale_decides_unless_the_option_does() {
    let speaks = |variables: &[(&str, &str)], arguments: &[&str]| {
        is_japanese(&with_locale(variables, &[arguments, &["tsume", "check", "x"]].concat()).stderr)
    };
    assert!(speaks(&[("LANG", "ja_JP.UTF-8")], &[]));
    assert!(speaks(&[("LANG", "ja")], &[]));
    assert!(speaks(&[("LC_MESSAGES", "ja_JP.eucJP"), ("LANG", "en_US.UTF-8")], &[]));
    // A locale that is not installed, and none at all.
    assert!(!speaks(&[("LANG", "xx_YY.UTF-8")], &[]));
    assert!(!speaks(&[], &[]));
    assert!(!speaks(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")], &[]));
    assert!(!speaks(&[("LANG", "ja_JP.UTF-8")], &["--lang", "en"]));
    assert!(speaks(&[("LANG", "en_US.UTF-8")], &["--lang=ja"]));
}

#[test]
fn an_unknown_language_is_refused_in_that_of_the_locale() {
    let run = with_locale(&[], &["--lang", "fr", "games"]);
    run.fails_with(&["'fr'", "--lang", "ja", "en", "see `yomikiri games --help`"]);
    assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1));
    let run = with_locale(&[("LANG", "ja_JP.UTF-8")], &["--lang", "fr", "games"]);
    run.fails_with(&["`fr`", "使える値: `ja`、`en`", "`yomikiri games --help`"]);
    assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1));
}

#[test]
fn programs_are_spoken_to_in_one_language() {
    // Times differ, and so does the memory.
    let objects = |lang: &str| -> Vec<serde_json::Value> {
        let mut objects = Vec::new();
        for arguments in [
            &["solve", MATE, NO_MATE, "broken", "--json"][..],
            &["solve", HARD, "--nodes", "1k", "--algorithm", "mps", "--json"],
            &["solve", HARD, "--algorithm", "pn", "--hash", "1", "--json"],
            &["tsume", "check", MATE, "4k", "--json"],
            &["tsume", "show", MATE, "nothing", "--json"],
            &["check", "absent.cert", "--json"],
        ] {
            let run = yomikiri(&[&["--lang", lang], arguments].concat());
            for line in run.stdout.lines() {
                let mut object: serde_json::Value = serde_json::from_str(line).expect("JSON");
                for part in ["seconds", "nodes_per_second", "peak_memory_mib", "advice"] {
                    object.as_object_mut().expect("an object").remove(part);
                }
                objects.push(object);
            }
        }
        objects
    };
    let (japanese, english) = (objects("ja"), objects("en"));
    assert!(english.len() >= 9, "{english:?}");
    assert_eq!(japanese, english);
}

#[test]
fn other_commands_and_engines_speak_english() {
    let run = crate::support::piped(&["--lang", "ja", "usi"], "usi\nposition sfen x\nquit\n");
    assert!(run.stdout.contains("usiok"), "{}", run.stdout);
    assert!(!is_japanese(&run.stdout) && !is_japanese(&run.stderr), "{}{}", run.stdout, run.stderr);
    // Pages of the manual and completions are those of the English help.
    for arguments in [&["man"][..], &["completions", "zsh"]] {
        let run = ja(arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.stdout, yomikiri(arguments).stdout);
    }
}

#[test]
fn forty_columns_are_enough() {
    let columns =
        |line: &str| line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    for arguments in
        [&["--help"][..], &["solve", "--help"], &["tsume", "-h"], &["tsume", "make", "-h"]]
    {
        let arguments = [&["--lang", "ja"], arguments].concat();
        let run = finish(command(&arguments).env("COLUMNS", "40").spawn().expect("it starts"));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for line in run.stdout.lines() {
            // What can be typed is not broken.
            let is_typed = line.starts_with("  yomikiri") || line.starts_with("使い方");
            assert!(is_typed || columns(line) <= 41, "{}: {line}", columns(line));
        }
    }
    let run = finish(
        command(&["--lang", "ja", "solve", MATE]).env("COLUMNS", "40").spawn().expect("it starts"),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn who_stops_reading_is_not_shouted_at() {
    let folder = directory("lang-closed");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let table = path("table.tsv");
    fs::write(Path::new(&table), format!("{MATE}\n{NO_MATE}\nbroken\n").repeat(200))
        .expect("written");
    let certificate = path("mate.cert");
    assert_eq!(yomikiri(&["solve", MATE, "--certificate", &certificate]).code, Some(0));
    let certificates = vec![certificate.as_str(); 300];
    let check = [&["check"], &certificates[..]].concat();
    for arguments in [
        &["solve", "--file", &table][..],
        &["tsume", "check", "-q", "--file", &table],
        &["tsume", "show", "--file", &table],
        &["tsume", "convert", "--to", "board", "--file", &table],
        &["tsume", "make", "--count", "2", "--plies", "3"],
        &check,
        &["bench", "table", "--seconds", "0.1", "--threads", "1"],
        &["--help"],
        &["--lang", "ja", "solve", "--help"],
    ] {
        // Both streams go to a reader that is gone, as in `yomikiri … 2>&1 | head -1`.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let mut command = command(arguments);
        command.stdout(writer.try_clone().expect("a copy")).stderr(writer);
        let mut child = command.spawn().expect("it starts");
        drop(command);
        drop(reader);
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
}
