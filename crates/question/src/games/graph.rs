//! Explicit AND/OR graphs: how a problem is written, asked and answered.

use andor::{Key, NodeKind, Repetition, Rules, Value};
use yomikiri_graph::{Graph, GraphPosition};

use super::game::{Game, Kind, ParseError, Terms};
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, said, text};

pub const GAME: Game = Game {
    name: "graph",
    japanese: "グラフ",
    what: "explicit AND/OR graphs, with cycles and shared nodes",
    form: "\
graph                    the first word; one thing a line, `#` begins a comment
repetition defender      whom a repeated position favours: defender (default) or attacker
stock 3                  the attacker's tokens at the root, 0 (default) to 15
stock 3 2b               of both kinds: 0 to 3 of the second, `b`; also c+1b, d-2+1b, e?0b
root a                   default: the first node
a or b c+1 d-2           an OR node and its successors; c gains 1 token, d costs 2
b and a e?1              an AND node; e only while the attacker has at most 1 token
c win                    a proven leaf
d lose                   a disproven leaf
A side to move without an edge has lost. A file holds one graph.",
    goals: &[],
    example: "graph\na or b c\nb and a d\nc and d e\nd win\ne win",
    kind: Kind::Graph,
    recognise: |text| text.split_whitespace().next() == Some("graph"),
};

/// Reads a position (without its goal) and a goal.
pub fn parse(text: &str, goal: Option<&str>) -> Result<GraphPosition, ParseError> {
    if goal.is_some() {
        return Err(ParseError::Goal(0, "a graph has no goals: its leaves say who has won".into()));
    }
    match text.parse::<Graph>() {
        Ok(graph) => Ok(graph.start()),
        Err(error) => Err(ParseError::Position(Diagnostic {
            line: error.line.saturating_sub(1),
            column: error.column.saturating_sub(1),
            reason: error.reason.to_string().into(),
        })),
    }
}

pub fn text(position: &GraphPosition) -> String {
    position.graph().to_string()
}

pub fn terms(position: &GraphPosition) -> Terms {
    let graph = position.graph();
    let (root, favoured) = (root(position), favoured(position));
    let to_move = match position.kind() {
        NodeKind::Or => text!("the attacker (an OR node)", "攻方（OR 節点）"),
        NodeKind::And => text!("the defender (an AND node)", "受方（AND 節点）"),
    };
    Terms {
        position: graph.to_string(),
        to_move,
        attacker: text!("the side that moves at OR nodes", "OR 節点で動く側"),
        goal: "win".into(),
        wants: text!(
            "to reach a node that says `win` from {root}",
            "{root} から `win` の節点に着くこと"
        ),
        rule: text!(
            "a repeated position favours the {favoured}",
            "同じ局面に戻れば{favoured}の有利"
        ),
    }
}

fn favoured(position: &GraphPosition) -> Text {
    match position.graph().repetition() {
        Repetition::FavoursAttacker => text!("attacker", "攻方"),
        Repetition::FavoursDefender | Repetition::Never => text!("defender", "受方"),
    }
}

fn root(position: &GraphPosition) -> &str {
    let graph = position.graph();
    graph.nodes().get(graph.root()).map_or("the root", |node| node.name())
}

pub fn question(position: &GraphPosition) -> Text {
    let side = favoured(position);
    let nodes = position.graph().nodes().len();
    let root = root(position);
    text!(
        "is {root} proven? ({nodes} nodes; repetition favours the {side})",
        "{root} は証明できるか（{nodes}節点。同じ局面に戻れば{side}の有利）"
    )
}

pub fn answer(position: &GraphPosition, value: Value) -> Text {
    let (root, value) = (root(position), said(&value));
    text!("{root} is {value}", "{root} は{value}されました")
}

pub fn table_tag(position: &GraphPosition) -> String {
    format!("graph {:016x}", Key::of(&position.graph().to_string()).low())
}
