//! Reading and writing a graph as text; the [crate documentation](crate) describes the text.
//!
//! Reading takes two passes: the lines one by one into a draft in which successors are still names,
//! then the names into indices. An error says where (line and column count characters from 1) and
//! why.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use andor::Repetition;
use thiserror::Error;

use crate::graph::{Edge, Graph, Node, Role};
use crate::tokens::Tokens;

/// Why a text is not a graph, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct GraphError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// Why.
    pub reason: Reason,
}

/// Why a text is not a graph.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Reason {
    /// The text begins with another word, or with none.
    #[error("the text must begin with the word `graph`")]
    KeywordMissing,
    /// The text has no node.
    #[error("there is no node")]
    EmptyGraph,
    /// A line ends too early.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A line goes on too long.
    #[error("unexpected `{0}`")]
    Unexpected(String),
    /// A word such as `root` begins a second line.
    #[error("a second `{0}` line")]
    SetTwice(String),
    /// Neither `defender` nor `attacker`.
    #[error("unknown repetition rule `{0}`: expected `defender` or `attacker`")]
    UnknownRepetition(String),
    /// Not a number of tokens.
    #[error("bad token count `{0}`: expected a number from 0 to 15, or from 0 to 3 and `b`")]
    BadTokens(String),
    /// Something other than letters, digits and `_`.
    #[error("bad node name `{0}`: expected letters, digits and `_`")]
    BadName(String),
    /// None of `or`, `and`, `win` and `lose`.
    #[error("unknown kind `{0}`: expected `or`, `and`, `win` or `lose`")]
    UnknownKind(String),
    /// A gain or price at an AND node, or a limit at an OR node.
    #[error("`{0}` does not belong here: `+` and `-` are for OR nodes, `?` is for AND nodes")]
    Misplaced(char),
    /// An edge has a sign twice.
    #[error("a second `{0}`")]
    SignTwice(char),
    /// Two lines define one node.
    #[error("node `{0}` is defined twice")]
    DefinedTwice(String),
    /// An edge leads to a node that no line defines.
    #[error("successor `{0}` is not defined")]
    Dangling(String),
    /// The root is a node that no line defines.
    #[error("root `{0}` is not defined")]
    MissingRoot(String),
}

/// A part of a line, and where it begins.
#[derive(Clone, Copy)]
struct Word<'a> {
    line: usize,
    column: usize,
    text: &'a str,
}

impl<'a> Word<'a> {
    fn error(self, reason: Reason) -> GraphError {
        GraphError { line: self.line, column: self.column, reason }
    }

    /// An error that quotes the word.
    fn blame(self, reason: fn(String) -> Reason) -> GraphError {
        self.error(reason(self.text.to_owned()))
    }

    /// The place right behind the word, with the text that follows it, if any.
    fn behind(self, text: &'a str) -> Word<'a> {
        Word { column: self.column + self.text.chars().count(), text, ..self }
    }

    fn name(self) -> Result<&'a str, GraphError> {
        let is_name =
            !self.text.is_empty() && self.text.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_name { Ok(self.text) } else { Err(self.blame(Reason::BadName)) }
    }

    /// A number of tokens of one kind; the other is `rest`.
    fn tokens(self, rest: Tokens) -> Result<Tokens, GraphError> {
        let (text, is_second) = match self.text.strip_suffix('b') {
            Some(text) => (text, true),
            None => (self.text, false),
        };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let most = if is_second { Tokens::MOST.second() } else { Tokens::MOST.count() };
        match text.parse() {
            Ok(count) if digits && count <= most && is_second => {
                Ok(Tokens::of(rest.count(), count))
            }
            Ok(count) if digits && count <= most => Ok(Tokens::of(count, rest.second())),
            _ => Err(self.blame(Reason::BadTokens)),
        }
    }

    fn repetition(self) -> Result<Repetition, GraphError> {
        match self.text {
            "defender" => Ok(Repetition::FavoursDefender),
            "attacker" => Ok(Repetition::FavoursAttacker),
            _ => Err(self.blame(Reason::UnknownRepetition)),
        }
    }

    fn role(self) -> Result<Role, GraphError> {
        match self.text {
            "or" => Ok(Role::Or),
            "and" => Ok(Role::And),
            "win" => Ok(Role::Win),
            "lose" => Ok(Role::Lose),
            _ => Err(self.blame(Reason::UnknownKind)),
        }
    }
}

/// The words of a line without its comment. Each blank is one character wide, so splitting at
/// blanks keeps count of the columns.
fn words(line: usize, text: &str) -> Vec<Word<'_>> {
    let mut column = 1;
    let mut words = Vec::new();
    for text in text.split('#').next().unwrap_or_default().split(char::is_whitespace) {
        if !text.is_empty() {
            words.push(Word { line, column, text });
        }
        column += text.chars().count() + 1;
    }
    words
}

/// Complains if a line goes on.
fn finished(rest: &[Word<'_>]) -> Result<(), GraphError> {
    rest.first().map_or(Ok(()), |word| Err(word.blame(Reason::Unexpected)))
}

/// The single word that must follow `head`.
fn only<'a>(head: Word<'a>, rest: &[Word<'a>], what: &'static str) -> Result<Word<'a>, GraphError> {
    let word = *rest.first().ok_or_else(|| head.behind("").error(Reason::Expected(what)))?;
    finished(&rest[1..])?;
    Ok(word)
}

/// An edge whose successor is still a name, and the edge it will be.
type Arrow<'a> = (Word<'a>, Edge);

/// A text that has been read line by line.
#[derive(Default)]
struct Draft<'a> {
    repetition: Option<Repetition>,
    stock: Option<Tokens>,
    root: Option<Word<'a>>,
    indices: HashMap<&'a str, usize>,
    nodes: Vec<(&'a str, Role, Vec<Arrow<'a>>)>,
}

impl<'a> Draft<'a> {
    fn line(&mut self, head: Word<'a>, rest: &[Word<'a>]) -> Result<(), GraphError> {
        let twice = match head.text {
            "repetition" => self
                .repetition
                .replace(only(head, rest, "`defender` or `attacker`")?.repetition()?)
                .is_some(),
            "stock" => {
                // Those of the second kind may follow.
                let (rest, second) = match rest {
                    [first, second] if second.text.ends_with('b') && !first.text.ends_with('b') => {
                        (&rest[..1], second.tokens(Tokens::NONE)?)
                    }
                    _ => (rest, Tokens::NONE),
                };
                self.stock
                    .replace(only(head, rest, "a number of tokens")?.tokens(second)?)
                    .is_some()
            }
            "root" => self.root.replace(only(head, rest, "a node")?).is_some(),
            "graph" => true,
            _ => return self.node(head, rest),
        };
        if twice { Err(head.blame(Reason::SetTwice)) } else { Ok(()) }
    }

    fn node(&mut self, head: Word<'a>, rest: &[Word<'a>]) -> Result<(), GraphError> {
        let name = head.name()?;
        if self.indices.insert(name, self.nodes.len()).is_some() {
            return Err(head.blame(Reason::DefinedTwice));
        }
        let (kind, rest) = rest.split_first().ok_or_else(|| {
            head.behind("").error(Reason::Expected("`or`, `and`, `win` or `lose`"))
        })?;
        let role = kind.role()?;
        if matches!(role, Role::Win | Role::Lose) {
            finished(rest)?;
        }
        let arrows = rest.iter().map(|&word| arrow(role, word)).collect::<Result<_, _>>()?;
        self.nodes.push((name, role, arrows));
        Ok(())
    }

    /// Turns names into indices.
    fn finish(self, end: Word<'_>) -> Result<Graph, GraphError> {
        let index = |word: Word<'_>, reason: fn(String) -> Reason| {
            self.indices.get(word.text).copied().ok_or_else(|| word.blame(reason))
        };
        let mut nodes = Vec::with_capacity(self.nodes.len());
        for (name, role, arrows) in self.nodes {
            let resolve = |(word, edge)| Ok(Edge { to: index(word, Reason::Dangling)?, ..edge });
            let edges = arrows.into_iter().map(resolve).collect::<Result<_, _>>()?;
            nodes.push(Node { name: name.to_owned(), role, edges });
        }
        let root = self.root.map_or(Ok(0), |word| index(word, Reason::MissingRoot))?;
        if nodes.is_empty() {
            return Err(end.error(Reason::EmptyGraph));
        }
        let repetition = self.repetition.unwrap_or(Repetition::FavoursDefender);
        Ok(Graph::new(nodes, root, self.stock.unwrap_or_default(), repetition))
    }
}

/// A successor as written at a node of that role: a name, and perhaps signs with numbers.
fn arrow(role: Role, word: Word<'_>) -> Result<Arrow<'_>, GraphError> {
    let (name, toll) =
        word.text.split_at(word.text.find(['+', '-', '?']).unwrap_or(word.text.len()));
    let name = Word { text: name, ..word };
    name.name()?;
    let mut edge = Edge::free(0);
    let mut signs = String::new();
    let (mut before, mut toll) = (name, toll);
    while let Some(sign) = toll.chars().next() {
        let (sign_text, rest) = toll.split_at(sign.len_utf8());
        let sign_word = before.behind(sign_text);
        if signs.contains(sign) {
            return Err(sign_word.error(Reason::SignTwice(sign)));
        }
        signs.push(sign);
        let part = match (role, sign) {
            (Role::Or, '+') => &mut edge.gain,
            (Role::Or, '-') => &mut edge.cost,
            (Role::And, '?') => &mut edge.limit,
            _ => return Err(sign_word.error(Reason::Misplaced(sign))),
        };
        // A second toll has a sign and a number behind the first one's.
        let end = rest.find(['+', '-', '?']).filter(|&end| end > 0).unwrap_or(rest.len());
        let (number, others) = rest.split_at(end);
        let number = sign_word.behind(number);
        *part = number.tokens(*part)?;
        (before, toll) = (number, others);
    }
    Ok((name, edge))
}

impl FromStr for Graph {
    type Err = GraphError;

    fn from_str(text: &str) -> Result<Graph, GraphError> {
        let mut end = Word { line: 1, column: 1, text: "" };
        let mut begun = false;
        let mut draft = Draft::default();
        for (line, text) in (1..).zip(text.lines()) {
            end = Word { line, column: 1, text }.behind("");
            match words(line, text).split_first() {
                None => {}
                Some((head, rest)) if begun => draft.line(*head, rest)?,
                Some((head, rest)) if head.text == "graph" => {
                    finished(rest)?;
                    begun = true;
                }
                Some((head, _)) => return Err(head.error(Reason::KeywordMissing)),
            }
        }
        if !begun {
            return Err(end.error(Reason::KeywordMissing));
        }
        draft.finish(end)
    }
}

impl Graph {
    /// An edge as the text has it.
    pub(crate) fn describe_edge(&self, edge: &Edge) -> String {
        let mut text = self.nodes[edge.to].name.clone();
        for (sign, tokens) in [('-', edge.cost), ('+', edge.gain)] {
            if tokens != Tokens::NONE {
                text += &format!("{sign}{tokens}");
            }
        }
        if edge.limit.count() < Tokens::MOST.count() {
            text += &format!("?{}", edge.limit.count());
        } else if edge.limit != Tokens::MOST {
            text += &format!("?{}b", edge.limit.second());
        }
        text
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let favoured = match self.repetition {
            Repetition::FavoursAttacker => "attacker",
            Repetition::FavoursDefender | Repetition::Never => "defender",
        };
        writeln!(f, "graph\nrepetition {favoured}")?;
        writeln!(f, "stock {}\nroot {}", self.stock, self.nodes[self.root].name)?;
        for node in self.nodes.iter() {
            let role = match node.role {
                Role::Or => "or",
                Role::And => "and",
                Role::Win => "win",
                Role::Lose => "lose",
            };
            write!(f, "{} {role}", node.name)?;
            for edge in &node.edges {
                write!(f, " {}", self.describe_edge(edge))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
