//! Where problems come from: arguments, files, standard input; and how a text is cut into problems.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use yomikiri_chess::epd::Told;
use yomikiri_files as files;
use yomikiri_question::diagnostic::{Diagnostic, Located};
use yomikiri_question::games::{self, AnyProblem, Game};
use yomikiri_question::lang::{Text, said, text};
use yomikiri_shogi::notation::{self, Record};

use crate::terminal::{self, plain};

/// A text that should be a problem, and where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// A column of a table, the name of a file, or the number of the problem; no other has the same.
    pub id: String,
    /// Does the source give that name?
    pub is_named: bool,
    /// What to call the source in messages.
    pub source: Text,
    /// Lines and columns of the source before the text.
    pub offset: (usize, usize),
    /// The text.
    pub text: String,
    /// The length of a mate that the source gives.
    pub recorded: Option<u16>,
    /// Which position of a record it is.
    pub ply: Option<Ply>,
    /// What the record says that it is of.
    pub record: Option<Arc<Record>>,
    /// Why there is no text at all.
    pub unreadable: Option<Text>,
}

/// A position of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// After so many moves.
    pub at: usize,
    /// Of so many.
    pub of: usize,
    /// Nobody asked for this one: it was chosen.
    pub is_chosen: bool,
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ply { at, of, is_chosen } = *self;
        let place = match at {
            0 => text!("before the first move", "初手の前"),
            _ if at == of => text!("after the last move, {at}", "最終手（{at}手目）のあと"),
            _ => text!("after move {at} of {of}", "{of}手のうち{at}手目のあと"),
        };
        let others = match is_chosen {
            true => text!(
                "; --at N or --every asks about others",
                "。ほかの局面は --at N か --every で"
            ),
            false => Text::default(),
        };
        write!(f, "{place}{others}")
    }
}

impl Item {
    /// A text that stands at the beginning of its source.
    pub fn new(id: impl Into<String>, source: impl Into<Text>, text: impl Into<String>) -> Item {
        // Both are printed, and may come from a file.
        let source = source.into();
        let source = Text::new(|_| plain(&source.to_string()));
        let (id, is_named, text) = (plain(&id.into()), false, text.into());
        let (offset, recorded, ply, record, unreadable) = ((0, 0), None, None, None, None);
        Item { id, is_named, source, offset, text, recorded, ply, record, unreadable }
    }

    /// The same with the name that its source gives it, if it does.
    fn named(self, name: Option<&str>) -> Item {
        let is_named = self.is_named || name.is_some();
        Item { id: name.map_or(self.id, plain), is_named, ..self }
    }

    /// The same with what an EPD says of itself: the length of its mate and, unless the source has
    /// given it one, its name.
    fn with_operations(self) -> Item {
        let Some(told) = games::operations(&self.text) else { return self };
        let recorded = self.recorded.or(told.mate.map(Told::plies));
        let name = told.id.filter(|_| !self.is_named);
        Item { recorded, ..self.named(name.as_deref()) }
    }

    /// Reads the problem; the error shows the place in the source.
    pub fn parse(
        &self,
        game: Option<&'static Game>,
        goal: Option<&str>,
    ) -> Result<AnyProblem, Text> {
        self.read(|text| games::parse(text, game, goal))
    }

    /// Reads the text by `reader`; the error shows the place in the source.
    pub fn read<T>(&self, reader: impl Fn(&str) -> Result<T, Diagnostic>) -> Result<T, Text> {
        if let Some(reason) = &self.unreadable {
            return Err(reason.clone());
        }
        reader(&self.text).map_err(|diagnostic| {
            let Item { source, text, offset, .. } = self;
            let located = Located { diagnostic: &diagnostic, text, source, offset: *offset };
            Text::new(|_| located.to_string())
        })
    }
}

/// All problems of the arguments and of the files (`-` is standard input), or of standard input
/// where there is neither.
pub fn collect(
    arguments: &[String],
    paths: &[PathBuf],
    game: Option<&'static Game>,
) -> Result<Vec<Item>> {
    let mut items: Vec<Item> = (1..)
        .zip(arguments)
        .map(|(number, text)| {
            let source = text!("the argument", "引数");
            Item::new(number.to_string(), source, text.trim_start()).with_operations()
        })
        .collect();
    if arguments.len() > 1 {
        for item in &mut items {
            let id = &item.id;
            item.source = text!("argument {id}", "{id}番目の引数");
        }
    }
    let mut read = |path: &Path| -> Result<()> {
        let bytes = files::read(path)?;
        let is_named = paths.len() > 1 && !files::is_standard(path);
        let name = path.file_stem().filter(|_| is_named);
        let source = input_name(path);
        cut(&source, name.and_then(|name| name.to_str()), &bytes, game, &mut items);
        Ok(())
    };
    for path in paths {
        read(path)?;
    }
    if arguments.is_empty() && paths.is_empty() {
        if io::stdin().is_terminal() {
            bail!(text!(
                "no problem given: write one as an argument, use --file, or pipe one in",
                "解く問題を指定してください。引数に書くか、--file を使うか、パイプで渡します"
            ));
        }
        read(Path::new("-"))?;
    }
    if items.is_empty() {
        let files: Vec<Text> = paths.iter().map(|path| input_name(path)).collect();
        let place = match files.is_empty() {
            true => text!("the input", "入力"),
            false => Text::joined(&files, ", "),
        };
        bail!(text!(
            "there is no problem in {place}",
            "{place}の中に、解く問題が一つも書かれていません"
        ));
    }
    distinguish(&mut items);
    let mut told = HashSet::new();
    for item in &items {
        if let Some(note) = games::shogi::note(&item.text) {
            let source = &item.source;
            let note = text!("{source}: {note}", "{source}: {note}");
            // Of all the records of a file it is said once.
            if told.insert(note.to_string()) {
                terminal::note(&note);
            }
        }
    }
    Ok(items)
}

/// Gives no two problems the same name. A name that the source gives stays with the first that has it;
/// then come its other bearers and the numbers of problems without a name, in their order, with the
/// first of `-2`, `-3`, … that is free where it is taken.
pub fn distinguish(items: &mut [Item]) {
    let mut names = HashSet::new();
    let keeps: Vec<bool> =
        items.iter().map(|item| item.is_named && names.insert(item.id.clone())).collect();
    for (item, _) in items.iter_mut().zip(keeps).filter(|(_, keeps)| !keeps) {
        item.id = unlike(std::mem::take(&mut item.id), &mut names);
    }
}

/// A name unlike all of these, among which it is from now on.
pub fn unlike(name: String, names: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
    let free = free.unwrap_or(name);
    names.insert(free.clone());
    free
}

/// The problems of a table of tsume-shogi that the program carries.
pub fn carried(name: &'static str, table: &'static str) -> Vec<Item> {
    let mut items = Vec::new();
    cut(&name.into(), None, table.as_bytes(), games::find("shogi"), &mut items);
    items
}

/// The note that an argument which cannot be read seems to be the name of a file.
pub fn file_hint(item: &Item) -> Text {
    match Path::new(&item.text).is_file() {
        true => text!(
            "\n  (to read a file, use --file)",
            "\n  （ファイルを読むには --file を使ってください）"
        ),
        false => Text::default(),
    }
}

/// What to call a file that is read, or standard input.
pub fn input_name(path: &Path) -> Text {
    let standard = text!("standard input", "標準入力");
    Text::new(|_| files::name(path, &standard.to_string()))
}

/// What to call a file that is written, or standard output.
pub fn output_name(path: &Path) -> Text {
    let standard = text!("standard output", "標準出力");
    Text::new(|_| files::name(path, &standard.to_string()))
}

/// Cuts a file, in UTF-8 or Shift_JIS, into problems: a graph is one, and so is each record of shogi
/// or a game of chess; of the rest there is one a line. Empty lines and comments (`#`) do not count.
/// `name` is for a file that is one problem; of several records it is the beginning of their names.
fn cut(
    source: &Text,
    name: Option<&str>,
    bytes: &[u8],
    game: Option<&'static Game>,
    items: &mut Vec<Item>,
) {
    let number = (items.len() + 1).to_string();
    let text = match notation::decode(bytes) {
        Ok((text, _)) => text,
        Err(error) => {
            let error = said(&error);
            let reason = Some(text!("{source}, {error}", "{source}、{error}"));
            let item = Item::new(number, source.clone(), "").named(name);
            items.push(Item { unreadable: reason, ..item });
            return;
        }
    };
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = text.lines().find(is_content).unwrap_or_default();
    let of_line = game.or_else(|| games::recognise(first)).map(|game| game.name);
    let is_record = matches!(of_line, None | Some("shogi")) && games::shogi::is_record(&text)
        || matches!(of_line, None | Some("chess")) && games::chess::is_record(&text);
    let parts = if is_record { notation::cut(&text) } else { Vec::new() };
    if parts.len() > 1 {
        for (number, part) in (1..).zip(parts) {
            let name = name.map(|name| format!("{name}-{number}"));
            let id = (items.len() + 1).to_string();
            let item = Item::new(id, source.clone(), part.text).named(name.as_deref());
            items.push(Item { offset: (part.line, 0), ..item });
        }
        return;
    }
    if of_line == Some("graph") || is_record {
        items.push(Item::new(number, source.clone(), text).named(name));
        return;
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| is_content(line)) {
        let is_header = line == first && line.split('\t').next() == Some("id");
        if is_header {
            continue;
        }
        let row = Row::of(line);
        let (start, end) = row.problem;
        let id = (items.len() + 1).to_string();
        let offset = (number, line[..start].chars().count());
        let item = Item::new(id, source.clone(), &line[start..end]).named(row.id);
        let item = Item { offset, recorded: row.recorded, ..item };
        items.push(item.with_operations());
    }
}

/// A line of a table.
struct Row<'a> {
    /// The name of the problem.
    id: Option<&'a str>,
    /// The part of the line that is the problem.
    problem: (usize, usize),
    /// The length of its mate.
    recorded: Option<u16>,
}

impl<'a> Row<'a> {
    /// In a line with tabs the first column is a name unless it looks like a problem itself; an
    /// Othello board and its side are two columns; after one of shogi there may be a name and a
    /// length; what follows is not looked at.
    fn of(line: &'a str) -> Row<'a> {
        let Some((first, _)) = line.split_once('\t') else {
            return Row { id: None, problem: (0, line.len()), recorded: None };
        };
        let is_named = games::recognise(first).is_none();
        let start = if is_named { first.len() + 1 } else { 0 };
        let rest = &line[start..];
        let column = rest.split('\t').next().unwrap_or_default();
        let game = games::recognise(rest).map(|game| game.name);
        let wanted = if game == Some("othello") && !column.contains(' ') { 2 } else { 1 };
        let length = rest.match_indices('\t').nth(wanted - 1).map_or(rest.len(), |(at, _)| at);
        let mut after = rest[length..].split('\t').skip(1).map(str::trim);
        let mut id = is_named.then_some(first);
        let mut recorded = None;
        if game == Some("shogi") {
            if !is_named {
                id = after.next().filter(|id| !id.is_empty());
            }
            recorded = after.next().and_then(|length| length.parse().ok());
        }
        Row { id, problem: (start, start + length), recorded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_question::lang::Lang;

    fn items(text: &str) -> Vec<(String, String, (usize, usize))> {
        let mut items = Vec::new();
        cut(&"test".into(), None, text.as_bytes(), None, &mut items);
        items.into_iter().map(|item| (item.id, item.text, item.offset)).collect()
    }

    #[test]
    fn a_table_has_names_and_a_header() {
        let board = "-".repeat(64);
        let text = format!(
            "id\tboard64\tside\tscore\n# comment\nFFO#1\t{board}\tX\t14\t18\n\n{board} O\n"
        );
        assert_eq!(
            items(&text),
            [
                ("FFO#1".into(), format!("{board}\tX"), (2, 6)),
                ("2".into(), format!("{board} O"), (4, 0)),
            ]
        );
    }

    #[test]
    fn a_board_with_a_tab_before_its_side_needs_no_name() {
        let board = "-".repeat(64);
        assert_eq!(items(&format!("{board}\tX")), [("1".into(), format!("{board}\tX"), (0, 0))]);
    }

    #[test]
    fn hex_takes_one_column_and_a_graph_the_whole_text() {
        let hex = "open\thex 2 ../.. B\tanything";
        assert_eq!(items(hex), [("open".into(), "hex 2 ../.. B".into(), (0, 5))]);
        let graph = "# a comment\ngraph\na or b\n\nb win\n";
        assert_eq!(items(graph), [("1".into(), graph.into(), (0, 0))]);
    }

    #[test]
    fn a_row_of_shogi_has_a_name_and_a_length() {
        let sfen = "8k/4B4/9/6+R1P/9/9/9/9/9 b Grb3g4s4n4l17p 1";
        let text = format!("{sfen}\tone\t3\nid2\t{sfen}\t5\textra\n{sfen}\n");
        let mut items = Vec::new();
        cut(&"test".into(), None, text.as_bytes(), None, &mut items);
        let rows: Vec<_> =
            items.iter().map(|item| (item.id.as_str(), item.recorded, item.offset)).collect();
        assert_eq!(rows, [("one", Some(3), (0, 0)), ("id2", Some(5), (1, 4)), ("3", None, (2, 0))]);
        assert!(items.iter().all(|item| item.text == sfen));
    }

    #[test]
    fn an_epd_says_its_name_and_length() {
        let fields = "7k/8/5KQ1/8/8/8/8/8 w - -";
        let text = format!(
            "{fields} bm #1; id \"a\u{1b}b\";\nown\t{fields} bm #-2; id \"x\";\n{fields} bm #0;\n{fields}\n"
        );
        let mut items = Vec::new();
        cut(&"test".into(), None, text.as_bytes(), None, &mut items);
        let rows: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.recorded)).collect();
        assert_eq!(rows, [("a\\u{1b}b", Some(1)), ("own", Some(4)), ("3", None), ("4", None)]);
    }

    #[test]
    fn no_two_problems_have_the_same_name() {
        let names = |given: &[Option<&str>]| {
            let mut items: Vec<Item> = (1..)
                .zip(given)
                .map(|(number, name)| Item::new(format!("{number}"), "test", "").named(*name))
                .collect();
            distinguish(&mut items);
            items.into_iter().map(|item| item.id).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&[None, Some("a"), None]), "1 a 3");
        assert_eq!(names(&[Some("1"), Some("1"), Some("1")]), "1 1-2 1-3");
        // A number gives way to a name, wherever that stands.
        assert_eq!(names(&[None, Some("1"), None, Some("3")]), "1-2 1 3-2 3");
        // So does a name that is made here.
        assert_eq!(names(&[Some("1"), Some("1"), Some("1-2")]), "1 1-3 1-2");
    }

    #[test]
    fn a_record_is_one_problem_in_either_encoding() {
        let text = "後手の持駒：なし\n手数----指手---------消費時間--\n   1 ７六歩(77)\n";
        let jis = notation::encode(text, notation::Encoding::ShiftJis).expect("encodable");
        for bytes in [text.as_bytes(), &jis] {
            let mut items = Vec::new();
            cut(&"a.kif".into(), Some("a"), bytes, None, &mut items);
            assert_eq!(items, [Item::new("1", "a.kif", text).named(Some("a"))]);
        }
        let one = format!("手合割：平手\n{text}");
        let several = format!("{one}\n{}", one.replace("７六歩(77)", "２六歩(27)"));
        let mut items = Vec::new();
        cut(&"a.kif".into(), Some("a"), several.as_bytes(), None, &mut items);
        let cut_up: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.offset)).collect();
        assert_eq!(cut_up, [("a-1", (0, 0)), ("a-2", (5, 0))]);
        assert_eq!(items.iter().map(|item| item.text.as_str()).collect::<String>(), several);
        let mut items = Vec::new();
        cut(&"a.kif".into(), None, b"\xff\xff\xff", None, &mut items);
        assert!(
            items[0]
                .parse(None, None)
                .is_err_and(|error| error.as_str(Lang::En).contains("a.kif, line 1"))
        );
    }
}
