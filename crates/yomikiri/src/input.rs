//! Where problems come from: arguments, files, standard input; and how a text is cut into problems.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::fault::{Fault, Located};
use crate::games::{self, AnyProblem, Game};

/// A text that should be a problem, and where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The first column of a table, or the number of the problem.
    pub id: String,
    /// What to call the source in messages.
    pub source: String,
    /// Lines and columns of the source before the text.
    pub offset: (usize, usize),
    /// The text.
    pub text: String,
}

impl Item {
    /// Reads the problem; the error shows the place in the source.
    pub fn parse(
        &self,
        game: Option<&'static Game>,
        goal: Option<&str>,
    ) -> Result<AnyProblem, String> {
        games::parse(&self.text, game, goal).map_err(|fault| {
            let Item { source, text, offset, .. } = self;
            Located { fault: &fault, text, source, offset: *offset }.to_string()
        })
    }
}

/// All problems of the arguments and of the file, or of standard input where there is neither.
pub fn collect(
    arguments: &[String],
    file: Option<&Path>,
    game: Option<&'static Game>,
) -> Result<Vec<Item>> {
    let mut items: Vec<Item> = (1..)
        .zip(arguments)
        .map(|(number, text)| Item {
            id: number.to_string(),
            source: "the argument".into(),
            offset: (0, 0),
            text: text.trim_start().into(),
        })
        .collect();
    if arguments.len() > 1 {
        for item in &mut items {
            item.source = format!("argument {}", item.id);
        }
    }
    if let Some(path) = file {
        let source = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {source}"))?;
        cut(&source, &utf8(&source, bytes)?, game, &mut items);
    } else if arguments.is_empty() {
        if io::stdin().is_terminal() {
            bail!("no problem given: write one as an argument, use --file, or pipe one in");
        }
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        cut("standard input", &utf8("standard input", bytes)?, game, &mut items);
    }
    if items.is_empty() {
        bail!(
            "there is no problem in {}",
            file.map_or("the input".into(), |f| f.display().to_string())
        );
    }
    Ok(items)
}

fn utf8(source: &str, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let fault = Fault::at_byte(&text, valid, "this is not UTF-8 text");
        bail!("{}", Located { fault: &fault, text: &text, source, offset: (0, 0) })
    })
}

/// Cuts a text into problems: a graph is one, of the other games there is one a line. Empty lines
/// and comments (`#`) do not count.
fn cut(source: &str, text: &str, game: Option<&'static Game>, items: &mut Vec<Item>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = text.lines().find(is_content).unwrap_or_default();
    let source = source.to_owned();
    if game.or_else(|| games::recognise(first)).is_some_and(|game| game.name == "graph") {
        let id = (items.len() + 1).to_string();
        items.push(Item { id, source, offset: (0, 0), text: text.into() });
        return;
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| is_content(line)) {
        let is_header = line == first && line.split('\t').next() == Some("id");
        if is_header {
            continue;
        }
        let (id, columns) = columns(line);
        items.push(Item {
            id: id.map_or_else(|| (items.len() + 1).to_string(), str::to_owned),
            source: source.clone(),
            offset: (number, line[..columns.0].chars().count()),
            text: line[columns.0..columns.1].into(),
        });
    }
}

/// The name of a line's problem, and the part of the line that is the problem. In a line with tabs
/// the first column is a name unless it looks like a problem itself; an Othello board and its side
/// are two columns; what follows is not looked at.
fn columns(line: &str) -> (Option<&str>, (usize, usize)) {
    let Some((first, _)) = line.split_once('\t') else {
        return (None, (0, line.len()));
    };
    let is_named = games::recognise(first).is_none();
    let start = if is_named { first.len() + 1 } else { 0 };
    let rest = &line[start..];
    let is_othello = games::recognise(rest).is_some_and(|game| game.name == "othello");
    let wanted = if is_othello && !rest.split('\t').next().unwrap_or_default().contains(' ') {
        2
    } else {
        1
    };
    let length = rest.match_indices('\t').nth(wanted - 1).map_or(rest.len(), |(at, _)| at);
    (is_named.then_some(first), (start, start + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str) -> Vec<(String, String, (usize, usize))> {
        let mut items = Vec::new();
        cut("test", text, None, &mut items);
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
}
