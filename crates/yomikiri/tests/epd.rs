//! Mates in chess, and what an EPD says of itself: its mate is compared with what is found, and asked of the right side.

use crate::support::{directory, piped, yomikiri};

/// White mates with the queen on g7 or h7 at once.
const ONE: &str = "7k/8/5KQ1/8/8/8/8/8 w - -";
/// Black has one move, and is mated after it.
const MATED: &str = "7k/8/5K2/8/8/8/8/6Q1 b - -";

#[test]
fn the_mate_that_is_told_is_compared() {
    for (rest, said) in [
        ("bm #1;", "White mates in 1 move (1 ply), the shortest, as recorded"),
        ("dm 1;", "White mates in 1 move (1 ply), the shortest, as recorded"),
        ("bm #3;", "White mates in 1 move (1 ply), the shortest, but 5 plies are recorded"),
        ("bm Qg7#;", "White mates in 1 move (1 ply), the shortest"),
        ("0 1 bm #1; c0 \"; bm #4\";", "White mates in 1 move (1 ply), the shortest, as recorded"),
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
    assert_eq!(json["answer"], "White mates in 1 move (2 plies), the shortest, as recorded");
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
        "first; one: proven: White mates in 1 move (1 ply), the shortest, as recorded",
        "5: proven: White mates in 1 move (2 plies), the shortest, as recorded",
    ];
    assert_eq!(lines, expected);
    assert!(run.stdout.contains("2 proven, 0 disproven, 0 unknown, 3 bad"), "{}", run.stdout);
    let japanese = piped(&["solve", "-q", "--lang", "ja"], &format!("{ONE} dm 0;\n"));
    assert!(japanese.stderr.contains("命令 `dm`: `0` は"), "{}", japanese.stderr);
}

/// The knight and the queen force a smothered mate.
const FOUR: &str = "5r1k/6pp/8/6N1/8/1Q6/8/7K w - -";

/// What is claimed is as long as the line shown, and certified at both ends.
#[test]
fn the_shortest_mate_has_its_line_and_certificates() {
    let folder = directory("shortest");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (first, shorter) = (file("a.cert"), file("a.shorter.cert"));
    let run = yomikiri(&["solve", FOUR, "--shortest", "--json", "--certificate", &first]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["answer"], "White mates in 4 moves (7 plies), the shortest");
    let told = (&json["plies"], &json["least"], &json["exact"]);
    assert_eq!(told, (&7.into(), &7.into(), &true.into()));
    assert_eq!(json["line"].as_array().map(Vec::len), Some(7));
    assert_eq!((&json["line"][0], &json["line_complete"]), (&"Nf7+".into(), &true.into()));
    for (file, claim, plies) in [(&first, "proven", 7), (&shorter, "disproven", 5)] {
        let checked = yomikiri(&["check", file, "--json"]);
        assert_eq!(checked.code, Some(0), "{}", checked.stderr);
        let checked = checked.json();
        assert_eq!((&checked["verdict"], &checked["plies"]), (&claim.into(), &plies.into()));
    }
    // What is recorded is compared with both ends.
    for (recorded, said) in [(4, ", as recorded"), (3, ", but 5 plies are recorded")] {
        let run = yomikiri(&["solve", &format!("{FOUR} bm #{recorded};"), "--shortest", "-q"]);
        assert!(run.stdout.contains(&format!("the shortest{said}")), "{}", run.stdout);
    }
}

/// Without the option the bound is that of the line, and a limit leaves an interval.
#[test]
fn a_bound_is_the_length_of_its_line() {
    let long = "8/8/3k4/8/R7/1R6/8/7K w - -";
    let json = yomikiri(&["solve", long, "--json"]).json();
    let line = json["line"].as_array().map(Vec::len).unwrap_or_default();
    assert_eq!((&json["plies"], &json["line_complete"]), (&line.into(), &true.into()), "{json}");
    assert!((11..100).contains(&line), "{line}");
    let run = yomikiri(&["solve", long, "--shortest", "--nodes", "20k", "--json"]);
    let json = run.json();
    assert_eq!((run.code, &json["verdict"]), (Some(1), &"proven".into()), "{json}");
    let (least, plies) = (json["least"].as_u64(), json["plies"].as_u64());
    assert!(least <= Some(11) && Some(11) <= plies && json["exact"] == false, "{json}");
    let said = json["answer"].as_str().unwrap_or_default();
    assert!(said.contains(" to ") && said.contains("how soon stays open"), "{said}");
}

/// Graphs and Othello have lengths, too; Hex only where no move is left out.
#[test]
fn other_games_have_shortest_proofs() {
    let hex = yomikiri(&["solve", "hex 3 .../.../... B", "--shortest", "--plain", "-q"]);
    assert!(hex.stdout.contains("B wins within 5 plies, and not within less"), "{}", hex.stdout);
    yomikiri(&["solve", "hex 3 .../.../... B", "--shortest"]).fails_with(&["--plain"]);
    let graph = piped(
        &["solve", "--shortest", "--json"],
        "graph\na or b c\nb and a d\nc and d e\nd win\ne win\n",
    );
    let json = graph.json();
    assert_eq!((&json["verdict"], &json["exact"]), (&"proven".into(), &true.into()), "{json}");
}
