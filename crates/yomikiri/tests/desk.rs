//! The composer's desk on the command line: variations, pieces that may go, sheets and records of a
//! check, lists that are cut, and limits that end it in the middle.

use std::fs;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

use crate::support::{command, directory, finish, names, yomikiri};

/// Mate in five plies, with another reply that lasts as long, and alternatives after it.
const FIVE: &str = "7k1/9/6G1s/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
/// Mate in three plies, and a pawn of the defender that has nothing to do with it.
const SPARE: &str = "8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1";
/// Two flaws, a small flaw, and what is permitted.
const COOKED: &str = "6lk1/9/9/7SB/9/9/9/9/9 b 2G2rb2g3s4n3l18p 1";
/// Mate at once, in many ways.
const MANY: &str = "4k4/9/3+P1+P3/9/9/9/9/9/9 b 2R2B4G4S4N4L9P 1";
/// Thirty-one plies, with something left over. Of its lines of that length one has one flaw more, and
/// the first that is found has six.
const MANY_LINES: &str = "2l6/9/1n2+N3+n/9/6B1l/5+p1+B1/7G+n/6+Pgk/4+RP1P1 b r2g4s2l14p 1";
/// Not decided for a long time.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn alternatives_in_variations_are_told_apart() {
    let folder = directory("desk-variations");
    let certificates = path(&folder, "certificates");
    let run = yomikiri(&["tsume", "check", FIVE, "--json", "--certificates", &certificates]);
    // They do not make the problem unsound.
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["verdict"], &json["findings_total"]), (&"sound".into(), &0.into()));
    let variations = &json["variations"];
    assert_eq!((&variations["complete"], &variations["undecided"]), (&true.into(), &0.into()));
    let findings = variations["findings"].as_array().expect("a list");
    assert_eq!(variations["findings_total"].as_u64(), Some(findings.len() as u64));
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!((&finding["severity"], &finding["serious"]), (&"aside".into(), &false.into()));
        let path = finding["path"].as_array().expect("a path");
        assert_eq!(finding["move_number"].as_u64(), Some(path.len() as u64 + 1));
        let file = Path::new(&certificates).join(finding["certificate"].as_str().expect("a file"));
        let claim = yomikiri(&["check", file.to_str().expect("UTF-8")]).stdout;
        assert!(claim.contains("proven"), "{claim}");
    }
    let equal = &json["equal_defences"][0];
    assert_eq!((&equal["move"], &equal["length"]), (&"2a1b".into(), &4.into()));
    for file in names(Path::new(&certificates)) {
        let check = yomikiri(&["check", &path(Path::new(&certificates), &file)]);
        assert_eq!(check.code, Some(0), "{}", check.stderr);
    }
    let text = yomikiri(&["tsume", "check", FIVE]).stdout;
    assert!(text.contains("no flaw by convention") && text.contains("after 2 △１二玉"), "{text}");
    let alone = yomikiri(&["tsume", "check", FIVE, "--variations", "0", "--json"]).json();
    assert_eq!(alone["variations"], Value::Null);
    let one = yomikiri(&["tsume", "check", FIVE, "--variations", "1", "--json"]).json();
    assert_eq!(
        (&one["variations"]["turns"], &one["variations"]["complete"]),
        (&1.into(), &false.into())
    );
}

/// A reply that lasts as long is told of the line in a record, as of our own.
#[test]
fn an_authors_line_has_replies_that_last_as_long() {
    let folder = directory("desk-equal");
    let record = path(&folder, "five.kif");
    assert_eq!(yomikiri(&["solve", FIVE, "--kif", &record]).code, Some(0));
    let json = yomikiri(&["tsume", "check", "--file", &record, "--json"]).json();
    let equal = &json["equal_defences"][0];
    assert_eq!((&equal["move"], &equal["length"]), (&"2a1b".into(), &4.into()), "{json}");
    assert_eq!(json["other_lines"], Value::Null);
    for (lang, words) in [("en", "2 △１二玉"), ("ja", "2手目△１二玉")] {
        let text = yomikiri(&["tsume", "check", "--file", &record, "--lang", lang]).stdout;
        let line = text.lines().find(|line| line.contains("変同"));
        assert!(line.is_some_and(|line| line.contains(words)), "{text}");
    }
}

/// Of lines of the same length the one with the fewest flaws is judged, and the verdict says so.
#[test]
fn flaws_do_not_hang_on_the_line_shown() {
    let check = ["tsume", "check", MANY_LINES, "--nodes", "30k", "--variations", "0"];
    let json = yomikiri(&[&check[..], &["--json"]].concat()).json();
    let others = &json["other_lines"];
    assert_eq!(others["all"], true, "{json}");
    assert!(others["followed"].as_u64() > Some(0), "{others}");
    let findings = json["findings"].as_array().expect("a list");
    let serious = findings.iter().filter(|finding| finding["serious"] == true);
    assert_eq!(serious.count(), 1, "{json}");
    let text = yomikiri(&check).stdout;
    assert!(text.contains("unsound: 2 flaws; no other line of the same length"), "{text}");
    let ja = yomikiri(&[&check[..], &["--lang", "ja"]].concat()).stdout;
    assert!(ja.contains("不備2件（同手数のほかの手順にも"), "{ja}");
}

#[test]
fn pieces_that_may_go_are_listed() {
    let folder = directory("desk-pieces");
    let certificates = path(&folder, "certificates");
    let arguments = ["tsume", "check", SPARE, "--necessity", "--certificates", &certificates];
    let run = yomikiri(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("may go (不要駒): White's P on 9f"), "{}", run.stdout);
    for file in names(Path::new(&certificates)) {
        let check = yomikiri(&["check", &path(Path::new(&certificates), &file)]);
        assert_eq!(check.code, Some(0), "{}", check.stderr);
    }
    let json = yomikiri(&[&arguments[..], &["--json", "--force"]].concat()).json();
    let necessity = &json["necessity"];
    assert_eq!((&necessity["spare"], &necessity["open"]), (&1.into(), &0.into()));
    let pieces = necessity["pieces"].as_array().expect("a list");
    let spare = pieces.iter().find(|piece| piece["need"] == "spare").expect("a piece");
    assert_eq!((&spare["square"], &spare["side"]), (&"9f".into(), &"white".into()));
    for piece in pieces {
        let files = piece["certificates"].as_array().expect("a list");
        assert!(!files.is_empty(), "{piece}");
    }
    assert!(pieces.iter().any(|piece| piece["square"].is_null() && piece["why"] == "no mate"));
    // Of a problem that is not sound nothing is asked.
    let cooked = yomikiri(&["tsume", "check", COOKED, "--necessity"]);
    assert_eq!(cooked.code, Some(3));
    assert!(cooked.stdout.contains("only asked of a sound problem"), "{}", cooked.stdout);
}

#[test]
fn a_long_list_is_cut_and_says_how_long_it_is() {
    let arguments = ["tsume", "check", MANY, "--nodes", "2k", "--variations", "0"];
    let json = yomikiri(&[&arguments[..], &["--json", "--most", "5"]].concat()).json();
    let all = json["findings_total"].as_u64().expect("a number");
    assert!(all >= 40, "{all}");
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(5));
    let text = yomikiri(&[&arguments[..], &["--most", "5"]].concat()).stdout;
    assert!(text.contains(&format!("… and {} more, {all} in all", all - 5)), "{text}");
    assert_eq!(text.matches("other mate (余詰)").count(), 5, "{text}");
    let ja = yomikiri(&[&arguments[..], &["--lang", "ja"]].concat()).stdout;
    assert!(ja.contains(&format!("全部で{all}件")), "{ja}");
}

#[test]
fn a_record_holds_what_was_found() {
    let folder = directory("desk-kif");
    let kif = path(&folder, "out");
    let run = yomikiri(&["tsume", "check", COOKED, "--kif", &kif, "--svg", &kif]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!(names(Path::new(&kif)), ["1.kif", "1.svg"]);
    let file = path(Path::new(&kif), "1.kif");
    let text = fs::read_to_string(&file).expect("a record");
    for part in ["*不完全作: 不備2件", "*手順前後（5手）", "*余詰（3手）", "変化：1手", "*変同"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // It can be read again, and its main line is the solution.
    let shown = yomikiri(&["tsume", "show", "--file", &file, "--json"]).json();
    assert_eq!(shown["moves"].as_array().map(Vec::len), Some(5), "{shown}");
    let again = yomikiri(&["tsume", "check", "--file", &file, "-q"]);
    assert_eq!(
        (again.code, &*again.stdout),
        (Some(3), "1: unsound: 2 flaws\n"),
        "{}",
        again.stderr
    );
}

/// `COOKED` with that one of its two solutions in which the bishop need not promote.
const RECORD: &str = "手合割：その他
後手の持駒：飛二　角　金二　銀三　桂四　香三　歩十八
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・v香v玉 ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ 銀 角|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金二
手数----指手---------消費時間--
   1 １二金打
   2 同　玉(21)
   3 ２三角成(14)
   4 １一玉(12)
   5 １二金打
";

#[test]
fn a_solution_that_is_given_is_the_one_that_is_checked() {
    let folder = directory("desk-given");
    let (given, kif) = (path(&folder, "given.kif"), path(&folder, "out"));
    fs::write(&given, RECORD).expect("a record");
    let run = yomikiri(&["tsume", "check", "--file", &given, "--kif", &kif]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    let text = fs::read_to_string(path(Path::new(&kif), "1.kif")).expect("a record");
    for part in ["   1 １二金打", "*余詰（3手）", "*成・不成の非限定（3手）"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

fn text(node: Node) -> String {
    node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect()
}

#[test]
fn a_sheet_has_diagram_verdict_and_findings() {
    let folder = directory("desk-sheet");
    let out = path(&folder, "out");
    let run = yomikiri(&["tsume", "check", COOKED, SPARE, "--necessity", "--sheet", &out]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!(names(Path::new(&out)), ["1.html", "2.html"]);
    let sheet = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect("a sheet");
    let (cooked, spare) = (sheet("1.html"), sheet("2.html"));
    let options = || ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let cooked = Document::parse_with_options(&cooked, options()).expect("XML");
    let spare = Document::parse_with_options(&spare, options()).expect("XML");
    let with = |document: &Document, class: &str| -> Vec<String> {
        let is_it = |node: &Node| {
            node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
        };
        document.descendants().filter(is_it).map(text).collect()
    };
    assert_eq!(with(&cooked, "serious").len(), 2);
    assert_eq!(with(&cooked, "piece").concat(), "角玉銀香");
    assert!(with(&cooked, "pieces").is_empty());
    assert!(with(&spare, "serious").is_empty());
    assert!(
        with(&spare, "pieces").concat().contains("White's P on 9f"),
        "{:?}",
        with(&spare, "pieces")
    );
    // In Japanese, too.
    yomikiri(&["tsume", "check", COOKED, "--sheet", &out, "--lang", "ja", "--force"]);
    assert!(sheet("1.html").contains("lang=\"ja\"") && sheet("1.html").contains("本手順の検討"));
    // A title of a file is no markup.
    let kif = path(&folder, "a.kif");
    assert_eq!(yomikiri(&["tsume", "convert", FIVE, "--out", &kif]).code, Some(0));
    let record = fs::read_to_string(&kif).expect("a record");
    fs::write(&kif, format!("作品名：<b>&\n作者：<i>\n{record}")).expect("written");
    yomikiri(&["tsume", "check", "--file", &kif, "--sheet", &out, "--force"]);
    let text = sheet("1.html");
    assert!(text.contains("<h1>&lt;b&gt;&amp;</h1>") && !text.contains("<i>"), "{text}");
}

#[test]
fn limits_and_ctrl_c_leave_what_was_found() {
    let folder = directory("desk-limits");
    let out = path(&folder, "out");
    // Too few nodes for the variations and for the pieces: valid, and it says so.
    let few = yomikiri(&[
        "tsume",
        "check",
        SPARE,
        "--necessity",
        "--nodes",
        "300",
        "--json",
        "--sheet",
        &out,
    ]);
    assert!(few.code == Some(0) || few.code == Some(1), "{}", few.stderr);
    let json = few.json();
    assert_eq!(json["necessity"].is_null(), json["verdict"] != "sound");
    // Ctrl-C in the second problem: the first is there, and the second says what is known.
    #[cfg(unix)]
    {
        let child = command(&["tsume", "check", SPARE, HARD, "--sheet", &out, "--force"]);
        let child = { child }.spawn().expect("yomikiri starts");
        let id = child.id().to_string();
        std::thread::sleep(std::time::Duration::from_secs(3));
        let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
        assert!(kill.expect("kill runs").success());
        let run = finish(child);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stdout.contains("sound: there is no other solution"), "{}", run.stdout);
        assert!(run.stdout.contains("whether there is a mate was not found out"), "{}", run.stdout);
        assert_eq!(names(Path::new(&out)), ["1.html", "2.html"]);
    }
}

#[test]
fn a_file_of_many_records_is_cut_up() {
    let folder = directory("desk-many");
    let kif = |name: &str, sfen: &str| {
        let file = path(&folder, name);
        assert_eq!(yomikiri(&["solve", sfen, "--kif", &file, "-q"]).code, Some(0));
        fs::read_to_string(&file).expect("a record")
    };
    let (one, two) = (kif("one.kif", FIVE), kif("two.kif", SPARE));
    let bad = one.replacen("   1 ", "   1 ９九", 1);
    let many = path(&folder, "many.kif");
    fs::write(&many, format!("{one}\n{two}")).expect("written");
    let run = yomikiri(&["solve", "--file", &many, "--json", "-q"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lengths: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["mate"]["length"].clone())
        .collect();
    assert_eq!(lengths, [Value::from(5), Value::from(3)]);
    // One that cannot be read is named, with its place in the file, and the others are checked.
    fs::write(&many, format!("{one}{bad}{two}")).expect("written");
    let run = yomikiri(&["tsume", "check", "--file", &many, "-q"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stdout);
    let line =
        one.lines().count() + 1 + bad.lines().position(|l| l.contains("９九")).expect("a line");
    assert!(run.stderr.contains(&format!("line {line}")), "{}", run.stderr);
    // Records of CSA, with a line between them.
    let csa = |sfen: &str| yomikiri(&["tsume", "convert", sfen, "--to", "csa"]).stdout;
    fs::write(&many, format!("{}/\n{}", csa(FIVE), csa(SPARE))).expect("written");
    let shown = yomikiri(&["tsume", "convert", "--file", &many]).stdout;
    assert_eq!(shown, format!("{FIVE}\n{SPARE}\n"));
}

#[test]
fn twins_are_found() {
    let folder = directory("desk-same");
    let (known, mine) = (path(&folder, "known.tsv"), path(&folder, "mine.tsv"));
    // FIVE, its mirror image one file from the edge, and what has nothing to do with it.
    let image = "2k6/9/1s1G5/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1";
    fs::write(&known, format!("{FIVE}\told\n{COOKED}\tother\n{COOKED}\tagain\n")).expect("written");
    fs::write(&mine, format!("{image}\tnew\n{SPARE}\tspare\n")).expect("written");
    let run = yomikiri(&["tsume", "same", "--file", &mine, "--known", &known]);
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert!(run.stdout.contains("mirror image, shifted right by 1"), "{}", run.stdout);
    assert!(run.stdout.contains("groups of twins: 1\n"), "{}", run.stdout);
    let ja = yomikiri(&["tsume", "same", "--file", &mine, "--known", &known, "--lang", "ja"]);
    assert!(ja.stdout.contains("左右反転、右へ1筋"), "{}", ja.stdout);
    // Without known ones, all are compared.
    let all = yomikiri(&["tsume", "same", "--file", &mine, "--file", &known, "--json"]);
    assert_eq!(all.stdout.lines().count(), 2, "{}", all.stdout);
    let json: Value =
        serde_json::from_str(all.stdout.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&json["first"]["id"], &json["twins"][0]["id"]), (&"new".into(), &"old".into()));
    assert_eq!(
        (&json["twins"][0]["mirrored"], &json["twins"][0]["files"]),
        (&true.into(), &(-1).into())
    );
    assert_eq!(yomikiri(&["tsume", "same", FIVE, SPARE]).code, Some(0));
    yomikiri(&["tsume", "same", FIVE, "8k/9"]).fails_with(&["argument 2"]);
    yomikiri(&["tsume", "same", FIVE, "--known", "missing"]).fails_with(&["cannot read missing"]);
}
