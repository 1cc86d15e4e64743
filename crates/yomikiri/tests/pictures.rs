//! `tsume show` and `tsume convert` with pictures and pages, taken apart by an XML parser.

use std::fs;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::support::{Run, command, directory, finish, names, piped, yomikiri};

/// Mate in three plies: ▲３一龍 △１二玉 ▲１三金.
const THREE: &str = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
/// Mate in five plies, with two variations at the fourth move.
const FIVE: &str = "6k2/3s3+s1/5+Ns2/9/7N1/9/9/9/9 b Rr2b4gs2n4l18p 1";
/// A gold alone does not mate.
const NONE: &str = "8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1";
/// Two kings, and both sides hold some of every kind.
const TWO_KINGS: &str = "k8/2P6/9/9/9/9/9/9/K8 b RB2G2S2N2L9Prb2g2s2n2l8p 1";
/// Not decided for a long time.
const HARD: &str = "9/9/9/9/4k4/9/9/9/9 b RBGS2N9Prb3g3s2n4l9p 1";

fn path(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().expect("UTF-8").to_owned()
}

fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn with_class<'a, 'i>(document: &'a Document<'i>, class: &str) -> Vec<Node<'a, 'i>> {
    let is_it = |node: &Node| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(is_it).collect()
}

fn good(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

/// All text below a node, without blanks at the ends.
fn text(node: Node) -> String {
    let all: String = node.descendants().filter_map(|n| n.text().filter(|_| n.is_text())).collect();
    all.trim().to_owned()
}

fn texts(document: &Document, class: &str) -> Vec<String> {
    with_class(document, class).into_iter().map(text).collect()
}

#[test]
fn a_picture_goes_to_standard_output_or_into_a_file() {
    let folder = directory("pictures");
    let file = path(&folder, "three.svg");
    let shown = yomikiri(&["tsume", "show", THREE, "--to", "svg", "--lang", "ja"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    let document = parsed(&shown.stdout);
    assert_eq!(texts(&document, "piece"), ["玉", "歩", "龍", "角"]);
    // One king: the defender has the rest; two: hands are told in full.
    assert_eq!(texts(&document, "held").concat(), "金残り全部");
    for to in [&["--out", &file][..], &["--to", "svg", "--out", &file]] {
        let converted = yomikiri(&[&["tsume", "convert", THREE, "--lang", "ja"][..], to].concat());
        assert_eq!((converted.code, &*converted.stdout), (Some(0), ""), "{}", converted.stderr);
        assert_eq!(fs::read_to_string(&file).expect("a file"), shown.stdout);
    }
    let both = ["tsume", "show", TWO_KINGS, "--to", "svg", "--out", "-", "--lang", "ja"];
    let both = yomikiri(&both).stdout;
    let both = parsed(&both);
    assert_eq!(texts(&both, "piece"), ["歩", "玉", "玉"]);
    let held = "飛角金二銀二桂二香二歩九飛角金二銀二桂二香二歩八";
    assert_eq!(texts(&both, "held").concat(), held);
    // A set that is not complete is told in full, too.
    let few = yomikiri(&["tsume", "show", "8k/9/8P/9/9/9/9/9/9 b Gp 1", "--to", "svg"]).stdout;
    assert_eq!(texts(&parsed(&few), "held").concat(), "金歩");
}

#[test]
fn the_move_that_led_here_is_marked() {
    let line = format!("position sfen {THREE} moves 3d3a 1a1b");
    let run = yomikiri(&["tsume", "show", &line, "--to", "svg", "--lang", "ja"]);
    assert_eq!(texts(&parsed(&run.stdout), "turn"), ["△１二玉まで　先手番"]);
    let run = yomikiri(&["tsume", "show", &line, "--to", "svg"]);
    let document = parsed(&run.stdout);
    assert_eq!(texts(&document, "turn"), ["after K-1b: Black to move"]);
    let squares: Vec<_> =
        with_class(&document, "piece").iter().filter_map(|n| n.attribute("data-square")).collect();
    assert_eq!(squares, ["1b", "1d", "3a", "5b"]);
    assert_eq!(with_class(&document, "last").len(), 1);
}

#[test]
fn several_pictures_go_into_a_directory() {
    let folder = directory("pictures-several");
    let file = path(&folder, "two.sfen");
    fs::write(&file, format!("{THREE}\n{FIVE}\n")).expect("written");
    let out = path(&folder, "out");
    let run = yomikiri(&["tsume", "convert", "--file", &file, "--to", "svg", "--out", &out]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made = names(Path::new(&out));
    assert_eq!(made.len(), 2, "{made:?}");
    for name in made {
        assert!(name.ends_with(".svg"), "{name}");
        parsed(&fs::read_to_string(Path::new(&out).join(name)).expect("a file"));
    }
}

#[test]
fn a_page_has_the_diagram_the_solution_and_variations() {
    let folder = directory("pictures-page");
    let kif = path(&folder, "five.kif");
    let made = yomikiri(&["tsume", "convert", FIVE, "--to", "kif", "--out", &kif]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let record = fs::read_to_string(&kif).expect("a file");
    fs::write(&kif, format!("作品名：<b>角 & 飛\n作者：\"甲\"\n{record}")).expect("written");
    let file = path(&folder, "five.html");
    let show = ["tsume", "show", "--file", &kif, "--to", "html", "--out", &file];
    let run = yomikiri(&[&show[..], &["--lang", "ja"]].concat());
    assert_eq!((run.code, &*run.stdout), (Some(0), ""), "{}", run.stderr);
    let page = fs::read_to_string(&file).expect("a file");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"ja\""));
    let document = parsed(&page);
    let all = |name: &str| -> Vec<String> {
        document.descendants().filter(|n| n.tag_name().name() == name).map(text).collect()
    };
    assert_eq!(all("h1"), ["<b>角 & 飛"]);
    assert_eq!(all("dd")[0], "\"甲\"");
    assert_eq!(all("h2"), ["解答（5手詰）", "変化"]);
    assert_eq!(all("svg").len(), 1);
    assert_eq!(texts(&document, "piece").len(), 6);
    // The solution is the solver's.
    let solved = yomikiri(&["solve", FIVE, "--json"]).json();
    let names = solved["mate"]["japanese"].as_array().expect("moves").clone();
    let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).collect();
    assert_eq!(names.len(), 5);
    let moves = with_class(&document, "moves");
    let [moves] = moves[..] else { panic!("{} lines", moves.len()) };
    let moves: Vec<String> = moves.children().filter(Node::is_element).map(text).collect();
    let numbered: Vec<String> =
        (1..).zip(&names).map(|(ply, name): (usize, _)| format!("{ply}{name}")).collect();
    assert_eq!(moves, numbered);
    // Each variation has the number of the defender's move, and 同 where that takes.
    let variations = with_class(&document, "variations");
    let [variations] = variations[..] else { panic!("{} lists", variations.len()) };
    let mut variations: Vec<String> =
        variations.children().filter(Node::is_element).map(text).collect();
    variations.sort();
    let wanted = ["4手目△同成銀 ▲４二銀 まで5手詰", "4手目△５一玉 ▲５二銀 まで5手詰"];
    assert_eq!(variations, wanted);
    // Nothing is fetched from anywhere.
    for node in document.descendants() {
        let from_afar = ["src", "href", "srcset", "data", "action"];
        assert!(!from_afar.iter().any(|name| node.attribute(*name).is_some()), "{node:?}");
        assert!(!["script", "link", "img", "iframe"].contains(&node.tag_name().name()));
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
}

#[test]
fn a_page_takes_several_problems_and_says_what_was_not_solved() {
    let input = format!("{THREE}\n{NONE}\n");
    let run = piped(&["tsume", "convert", "--to", "html", "--lang", "ja"], &input);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let document = parsed(&run.stdout);
    let solutions = texts(&document, "solution");
    let [three, none] = &solutions[..] else { panic!("{solutions:?}") };
    assert!(
        run.stdout.contains("<title>詰将棋 2題</title>")
            && run.stdout.contains("<h1>詰将棋 1</h1>")
    );
    assert!(three.contains("解答（3手詰）") && three.contains("▲１三金"), "{three}");
    assert!(none.contains("詰みはない"), "{none}");
    let run = yomikiri(&["tsume", "convert", HARD, "--to", "html", "--time", "0"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let solutions = texts(&parsed(&run.stdout), "solution");
    assert!(solutions[0].contains("Not solved within 0 s."), "{solutions:?}");
}

#[cfg(unix)]
#[test]
fn a_page_is_bounded_and_can_be_stopped() {
    let run = yomikiri(&["tsume", "show", HARD, "--to", "html", "--time", "0", "--hash", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let solutions = texts(&parsed(&run.stdout), "solution");
    assert!(solutions[0].contains("Not solved within 0 s."), "{solutions:?}");
    // Ctrl-C ends the search; the page has what is known, and not the problems that come after.
    let arguments = ["tsume", "show", HARD, THREE, "--to", "html", "--time", "600"];
    let child = command(&arguments).spawn().expect("it starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill runs").success());
    let run = finish(child);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("stopped: the problems from 2 on"), "{}", run.stderr);
    let solutions = texts(&parsed(&run.stdout), "solution");
    let [hard] = &solutions[..] else { panic!("{solutions:?}") };
    assert!(hard.contains("The search was stopped."), "{hard}");
}

#[test]
fn a_broken_position_leaves_no_picture() {
    let folder = directory("pictures-broken");
    let pair = format!("{THREE}\n8k/9/9/9/9/9/9/9/8k b - 1\n");
    for to in ["svg", "html"] {
        let file = path(&folder, &format!("x.{to}"));
        fs::write(&file, "old").expect("written");
        let broken = "8k/9/9/9/9/9/9/9/8k b - 1";
        let run = yomikiri(&["tsume", "convert", broken, "--to", to, "--out", &file]);
        run.fails_with(&["two kings"]);
        assert_eq!(fs::read_to_string(&file).expect("a file"), "old");
    }
    // The others of a page are there all the same, and the exit code tells.
    let run = piped(&["tsume", "convert", "--to", "html"], &pair);
    run.fails_with(&["line 2"]);
    assert_eq!(with_class(&parsed(&run.stdout), "solution").len(), 1);
}

#[test]
fn png_is_drawn_where_there_is_a_font() {
    let folder = directory("pictures-png");
    let file = path(&folder, "three.png");
    let run = yomikiri(&["tsume", "show", THREE, "--to", "png", "--out", &file]);
    if !cfg!(feature = "png") {
        yomikiri_needs::skip("`--features png`: tests of pictures in pixels");
        run.fails_with(&["PNG is not in this build", "--features png", "--to svg"]);
        assert!(names(&folder).is_empty());
        return;
    }
    let has_font = !run.stderr.contains("install one (Debian: fonts-ipaexfont-mincho");
    let font = "a font with Japanese letters";
    if yomikiri_needs::program(font, has_font.then_some(())).is_none() {
        run.fails_with(&["--to svg"]);
        assert!(names(&folder).is_empty());
        return;
    }
    assert_eq!((run.code, &*run.stdout), (Some(0), ""), "{}", run.stderr);
    let bytes = fs::read(&file).expect("a file");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    // The width and the height stand at the beginning: twice those of the SVG.
    assert_eq!(bytes[16..24], [0, 0, 0x04, 0x0c, 0, 0, 0x03, 0xa4]);
    // The same bytes go to standard output.
    let output = command(&["tsume", "convert", THREE, "--to", "png"]).output().expect("it runs");
    assert_eq!(output.stdout, bytes);
}

/// The words of a page or a sheet: all text but pieces, what stands in the hands, and the styles.
fn words(document: &Document) -> Vec<String> {
    let is_drawn = |node: &Node| {
        let class = node.attribute("class").unwrap_or_default();
        class.starts_with("piece") || class == "held" || node.tag_name().name() == "style"
    };
    let texts = document.descendants().filter(|node| node.is_text());
    let told = texts.filter(|text| !text.ancestors().any(|node| is_drawn(&node)));
    told.filter_map(|text| text.text().map(|text| text.trim().to_owned())).collect()
}

#[test]
fn pages_and_sheets_are_in_one_language() {
    let folder = directory("pictures-languages");
    let file = path(&folder, "a.kif");
    // With small flaws, a variation whose drops are alike, and a piece that may go.
    let problems = [
        FIVE,
        NONE,
        "6lk1/9/9/7SB/9/9/9/9/9 b 2G2rb2g3s4n3l18p 1",
        "8k/9/8N/9/9/p8/9/9/9 b RGr2b3g4s3n4l17p 1",
        "7nl/7k1/9/6+R2/9/9/9/9/9 b 2Gr2b2g4s3n3l18p 1",
    ];
    let line = format!("position sfen {THREE} moves 3d3a 1a1b G*1c");
    good(&yomikiri(&["tsume", "convert", &line, "--out", &file]));
    let record = fs::read_to_string(&file).expect("a record");
    fs::write(&file, format!("作品名：Title\n作者：Author\n{record}")).expect("written");
    let table = path(&folder, "table.sfen");
    fs::write(&table, problems.join("\n")).expect("written");
    let is_japanese = |text: &str| text.contains(|c: char| ('\u{3000}'..'\u{ff00}').contains(&c));
    let read = |path: &str| fs::read_to_string(path).expect("a page");
    let mut pages = Vec::new();
    for lang in ["en", "ja"] {
        let (page, sheets) = (path(&folder, &format!("{lang}.html")), path(&folder, lang));
        let from = ["--file", &file, "--file", &table, "--lang", lang];
        good(&yomikiri(&[&["tsume", "convert", "--out", &page][..], &from].concat()));
        let check = ["tsume", "check", "--necessity", "-q", "--sheet", &sheets];
        assert_eq!(yomikiri(&[&check[..], &from].concat()).code, Some(3));
        let sheets =
            names(Path::new(&sheets)).into_iter().map(|name| path(Path::new(&sheets), &name));
        pages.push([page].into_iter().chain(sheets).collect::<Vec<_>>());
    }
    let [english, japanese] = &pages[..] else { panic!("two languages") };
    assert_eq!((english.len(), japanese.len()), (7, 7));
    for (english, japanese) in english.iter().zip(japanese) {
        let (en, ja) = (read(english), read(japanese));
        let (en, ja) = (parsed(&en), parsed(&ja));
        assert_eq!(en.root_element().attribute("lang"), Some("en"));
        assert_eq!(ja.root_element().attribute("lang"), Some("ja"));
        for text in words(&en) {
            assert!(!is_japanese(&text), "{english}: {text}");
        }
        for text in words(&ja) {
            // Numbers, positions, and what the record says.
            let is_known =
                ["SFEN", "Title", "Author"].contains(&text.as_str()) || text.contains('/');
            let is_word = text.contains(|c: char| c.is_ascii_alphabetic());
            assert!(is_known || !is_word, "{japanese}: {text}");
        }
    }
    let all: String = english.iter().map(|page| read(page)).collect();
    for part in [
        "author",
        "Black to move",
        "G*1c",
        "mate in 5 plies",
        "other mate",
        "left over</dt><dd>none",
    ] {
        assert!(all.contains(part), "no {part} in {all}");
    }
}
