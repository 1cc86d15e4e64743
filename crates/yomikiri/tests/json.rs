//! What programs read: every object that a command prints with `--json` agrees with
//! `docs/json.schema.json`, and has no field that is not told of there.

use std::collections::BTreeSet;
use std::fs;

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::support::{Run, directory, piped, yomikiri};

const SCHEMA: &str = include_str!("../../../docs/json.schema.json");

const OTHELLO: &str = "OOOOO----XXOOO--XXOXXOO-XXOOXX--OOXOXXXOXOOXXXOO--OOXXOO--X--XO- X";
const HEX: &str = "hex 3 .../.../... B";
const CHESS: &str = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
const GRAPH: &str = "graph\na or b c\nb and a d\nc and d e\nd win\ne win\n";
const FOOLS: &str = "1. f3 e5 2. g4 a6 3. a3 *\n";

/// Fails unless every line is an object of the schema with no field that it does not tell of; gives
/// the types that were there.
#[track_caller]
pub fn types(text: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("schema.json", schema.clone()).expect("a schema");
    let index = compiler.compile("schema.json", &mut schemas).expect("a schema");
    let mut types = BTreeSet::new();
    for line in text.lines() {
        let object: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        if let Err(error) = schemas.validate(&object, index) {
            panic!("{error:#}\n{line}");
        }
        let kind = object["type"].as_str().unwrap_or_default();
        let told = &schema["$defs"][kind]["properties"];
        let fields = object.as_object().expect("an object").keys();
        let untold: Vec<&String> = fields.filter(|field| told[field.as_str()].is_null()).collect();
        assert!(untold.is_empty(), "not in the schema: {untold:?}\n{line}");
        let japanese = in_japanese(&object);
        assert!(kind == "games" || japanese.is_empty(), "in Japanese: {japanese:?}\n{line}");
        types.insert(kind.to_owned());
    }
    types
}

/// The texts of an object that are in Japanese, though they are neither names of moves nor the words of
/// a file.
fn in_japanese(object: &Value) -> Vec<String> {
    const THEIRS: [&str; 9] =
        ["header", "comments", "title", "id", "source", "file", "files", "error", "reason"];
    match object {
        Value::String(text) => {
            let is_japanese = text.contains(|c: char| ('\u{3000}'..'\u{ff00}').contains(&c));
            is_japanese.then(|| text.clone()).into_iter().collect()
        }
        Value::Array(all) => all.iter().flat_map(in_japanese).collect(),
        Value::Object(fields) => {
            let is_ours = |name: &str| !name.ends_with("japanese") && !THEIRS.contains(&name);
            let ours = fields.iter().filter(|(name, _)| is_ours(name));
            ours.flat_map(|(_, value)| in_japanese(value)).collect()
        }
        _ => Vec::new(),
    }
}

/// Runs a command with `--json`; its objects are of these types.
#[track_caller]
fn gives(arguments: &[&str], expected: &[&str]) -> Run {
    let run = yomikiri(&[arguments, &["--json"]].concat());
    let found = types(&run.stdout);
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{}", run.stderr);
    run
}

#[test]
fn every_command_keeps_to_the_schema() {
    let directory = directory("json");
    let file = |name: &str| directory.join(name).to_str().expect("UTF-8").to_owned();
    let (certificate, pgn, none) = (file("a.cert"), file("a.pgn"), file("none.cert"));
    fs::write(&pgn, FOOLS).expect("written");
    fs::write(&none, "no certificate\n").expect("written");
    for problem in [OTHELLO, HEX, CHESS, GRAPH] {
        gives(&["solve", problem, "--certificate", &certificate], &["solve"]);
        gives(&["check", &certificate], &["check"]);
    }
    gives(&["solve", THREE, "--certificate", &certificate, "--kif", &file("a.kif")], &["solve"]);
    gives(&["solve", THREE, "-a", "deep-pn"], &["solve"]);
    gives(&["solve", "7k/8/5KQ1/8/8/8/8/8 w - - bm #1;"], &["solve"]);
    gives(&["solve", THREE, "--threads", "2", "--save-table", &file("table")], &["solve"]);
    let run = gives(&["solve", OTHELLO, "-a", "mps", "--quantum", "100"], &["solve"]);
    let found = run.json();
    let shares = &found["shares"];
    let number = |name: &str| shares[name].as_u64().expect("a number");
    assert_eq!(number("leader") + number("workers"), found["nodes"].as_u64().expect("nodes"));
    assert_eq!(shares["each"].as_array().map(Vec::len), Some(8));
    assert!(number("leader") > 0 && number("workers") > 0, "{shares}");
    gives(&["solve", OTHELLO, "-a", "pn", "--hash", "1"], &["solve"]);
    gives(&["solve", OTHELLO, "--nodes", "10"], &["solve"]);
    gives(&["solve", "--file", &pgn, "--at", "2", "--nodes", "1k"], &["solve"]);
    gives(
        &["solve", "--file", &pgn, "--every", "--nodes", "1k"],
        &["solve-game", "solve-position"],
    );
    gives(&["check", &certificate, &none], &["check"]);
    gives(&["games"], &["games"]);
    gives(&["algorithms"], &["algorithms"]);
    gives(&["tsume", "check", THREE], &["tsume-check"]);
    gives(&["tsume", "check", "9/5+p2k/9/5+B3/8S/9/9/9/9 b Rrb4g3s4n4l17p 1"], &["tsume-check"]);
    let spare = "8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1";
    gives(&["tsume", "check", spare, "--necessity", "--kif", &file("kif")], &["tsume-check"]);
    gives(&["tsume", "check", "7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1"], &["tsume-check"]);
    gives(&["tsume", "same", THREE, THREE], &["tsume-same"]);
    let shown = gives(&["tsume", "show", "--file", &file("a.kif")], &["tsume-show"]);
    assert_eq!(shown.json()["ending"], "mate");
    let kif = file("a.kif");
    let run = gives(&["solve", "--file", &kif, "--every"], &["solve-game", "solve-position"]);
    let first = run.stdout.lines().next().expect("a position");
    assert!(
        first.contains(r#""played":"3d3a""#) && first.contains(r#""line":["3d3a","1a1b""#),
        "{first}"
    );
    gives(&["tsume", "make", "--count", "1", "--plies", "3", "--seed", "5"], &["tsume-make"]);
    gives(&["bench", "table", "--seconds", "0.01", "--threads", "1"], &["bench-table"]);
}

#[test]
fn a_bad_line_is_an_object_among_the_others() {
    let lines = format!("a\t{HEX}\nb\thex 3 .../.Q./... B\nc\t{HEX}\n");
    let run = piped(&["solve", "--json", "-q"], &lines);
    run.fails_with(&["line 2", "'Q' is no cell"]);
    assert_eq!(types(&run.stdout).into_iter().collect::<Vec<_>>(), ["error", "solve"]);
    let objects: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let ids: Vec<&str> = objects.iter().filter_map(|object| object["id"].as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    assert_eq!(objects[1]["type"], "error");
    let said = objects[1]["error"].as_str().expect("a message");
    assert!(said.contains("line 2") && said.contains("'Q' is no cell"), "{said}");
    let lines = format!("{THREE}\tgood\n8k/9\tbad\n");
    for command in [&["tsume", "check"][..], &["tsume", "show"]] {
        let run = piped(&[command, &["--json", "--file", "-"]].concat(), &lines);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(types(&run.stdout).contains("error"), "{}", run.stdout);
    }
    // One bad problem alone is no stream: standard output stays empty.
    let alone = yomikiri(&["solve", "hex 3 .../.Q./... B", "--json"]);
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(2), ""));
}

#[test]
fn the_schema_tells_wrong_objects() {
    let good = yomikiri(&["solve", HEX, "--json"]).json();
    let is_good = |object: &Value| {
        let text = object.to_string();
        std::panic::catch_unwind(|| types(&text)).is_ok()
    };
    assert!(is_good(&good));
    for (field, value) in [
        ("schema", 1.into()),
        ("type", "solved".into()),
        ("verdict", "perhaps".into()),
        ("nodes", "many".into()),
        ("line", Value::Null),
        ("unheard-of", 1.into()),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        assert!(!is_good(&bad), "{bad}");
    }
    let mut bad = good;
    bad.as_object_mut().expect("an object").remove("id");
    assert!(!is_good(&bad), "{bad}");
}
