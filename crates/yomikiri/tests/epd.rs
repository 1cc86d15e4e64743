//! What an EPD says of itself: its mate is compared with what is found, and asked of the right side.

use crate::support::{piped, yomikiri};

/// White mates with the queen on g7 or h7 at once.
const ONE: &str = "7k/8/5KQ1/8/8/8/8/8 w - -";
/// Black has one move, and is mated after it.
const MATED: &str = "7k/8/5K2/8/8/8/8/6Q1 b - -";

#[test]
fn the_mate_that_is_told_is_compared() {
    for (rest, said) in [
        ("bm #1;", "White mates within 1 ply, as recorded"),
        ("dm 1;", "White mates within 1 ply, as recorded"),
        ("bm #3;", "White mates within 1 ply, but 5 are recorded"),
        ("bm Qg7#;", "White mates within 1 ply"),
        ("0 1 bm #1; c0 \"; bm #4\";", "White mates within 1 ply, as recorded"),
    ] {
        let run = yomikiri(&["solve", &format!("{ONE} {rest}"), "--json"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.json()["answer"], said, "{rest}");
    }
    let run = yomikiri(&["solve", &format!("{ONE} bm #3;"), "--json"]).json();
    assert_eq!((&run["recorded"], &run["plies"]), (&5.into(), &1.into()));
    assert!(yomikiri(&["solve", ONE, "--json"]).json()["recorded"].is_null());
    // A king alone mates nobody.
    let bare = yomikiri(&["solve", "k7/8/8/8/8/8/7r/K7 w - - bm #4;", "--json"]).json();
    assert_eq!(bare["answer"], "White cannot force mate, but a mate in 7 plies is recorded");
    let japanese = yomikiri(&["solve", &format!("{ONE} bm #3;"), "--lang", "ja", "-q"]);
    assert!(japanese.stdout.contains("（記録は5手で、それより短い）"), "{}", japanese.stdout);
}

#[test]
fn a_mate_of_the_other_side_is_asked_of_that_side() {
    let run = yomikiri(&["solve", &format!("{MATED} bm #-1;"), "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["question"], "Black to move: does White mate?");
    assert_eq!((&json["verdict"], &json["plies"]), (&"proven".into(), &2.into()));
    assert_eq!(json["answer"], "White mates within 2 plies, as recorded");
    assert_eq!(json["recorded"], 2);
    // The text reads back as the same question.
    let again = yomikiri(&["solve", json["problem"].as_str().expect("a text"), "--json"]).json();
    assert_eq!((&again["question"], &again["verdict"]), (&json["question"], &json["verdict"]));
    // Who names the side is asked about it, and nothing is compared.
    let own = ["solve", &format!("{MATED} bm #-1;"), "--goal", "mate:black", "--json"];
    let own = yomikiri(&own).json();
    assert_eq!(own["question"], "Black to move: does Black mate?");
    assert!(own["recorded"].is_null());
    assert_eq!(own["verdict"], "disproven");
}

#[test]
fn a_list_keeps_names_and_names_bad_operations() {
    let list = format!(
        "{ONE} bm #1; id \"first; one\";\n{ONE} bm #x;\n{ONE} dm 0;\n{ONE} id \"open;\n{MATED} bm #-1; 00:00;\n"
    );
    let run = piped(&["solve", "-q", "--jobs", "2", "--hash", "4"], &list);
    run.fails_with(&[
        "standard input, line 2",
        "operation `bm`: `#x` is no mate",
        "operation `dm`: `0` is no mate",
        "operation `id`: the string does not end",
    ]);
    let lines: Vec<&str> = run.stdout.lines().take(2).collect();
    let expected = [
        "first; one: proven: White mates within 1 ply, as recorded",
        "5: proven: White mates within 2 plies, as recorded",
    ];
    assert_eq!(lines, expected);
    assert!(run.stdout.contains("2 proven, 0 disproven, 0 unknown, 3 bad"), "{}", run.stdout);
    let japanese = piped(&["solve", "-q", "--lang", "ja"], &format!("{ONE} dm 0;\n"));
    assert!(japanese.stderr.contains("命令 `dm`: `0` は"), "{}", japanese.stderr);
}
