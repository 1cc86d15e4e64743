//! A position with the moves that follow it: a tree, because solutions have variations.
//!
//! The nodes stand in one list and know each other by number, so that a line of a million moves is
//! as easy to compare and to drop as one of three.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use crate::moves::Move;
use crate::piece::Color;
use crate::position::{Position, Undo};
use crate::square::Square;

/// How a line of moves ends. What is said of a side is said of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ending {
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: there is no mate.
    NoMate,
    /// 投了: the side to move resigns.
    Resigned,
    /// 中断: the record stops here.
    Interrupted,
    /// 千日手: the position came back too often.
    Repetition,
    /// 持将棋: both kings are safe in the other's camp.
    Impasse,
    /// 切れ負け: the side to move has run out of time.
    TimeUp,
    /// 反則負け: the side to move loses by a foul.
    FoulLoss,
    /// 反則勝ち: the side to move wins by a foul of the other.
    FoulWin,
    /// 入玉勝ち: the side to move declares a win.
    Declared,
    /// 引き分け: a draw that was declared.
    Draw,
    /// 最大手数: the game has reached its longest.
    MaxMoves,
    /// 不戦勝: the other side did not come.
    WalkOver,
    /// 不戦敗: the side to move did not come.
    Forfeit,
    /// 封じ手: the next move is in an envelope.
    Sealed,
    /// 待った: the last move was taken back.
    TakenBack,
    /// エラー: something went wrong.
    Error,
}

/// Every ending with its word in KIF and its word in CSA and JKF. CSA has two words for a foul of
/// the other side and none for some others; those are written as an interruption.
const ENDINGS: [(Ending, &str, &str); 17] = [
    (Ending::Mate, "詰み", "TSUMI"),
    (Ending::NoMate, "不詰", "FUZUMI"),
    (Ending::Resigned, "投了", "TORYO"),
    (Ending::Interrupted, "中断", "CHUDAN"),
    (Ending::Repetition, "千日手", "SENNICHITE"),
    (Ending::Impasse, "持将棋", "JISHOGI"),
    (Ending::TimeUp, "切れ負け", "TIME_UP"),
    (Ending::FoulLoss, "反則負け", "ILLEGAL_MOVE"),
    (Ending::FoulWin, "反則勝ち", ""),
    (Ending::Declared, "入玉勝ち", "KACHI"),
    (Ending::Draw, "引き分け", "HIKIWAKE"),
    (Ending::MaxMoves, "最大手数", "MAX_MOVES"),
    (Ending::WalkOver, "不戦勝", ""),
    (Ending::Forfeit, "不戦敗", ""),
    (Ending::Sealed, "封じ手", ""),
    (Ending::TakenBack, "待った", "MATTA"),
    (Ending::Error, "エラー", "ERROR"),
];

impl Ending {
    /// Every ending.
    pub fn all() -> impl Iterator<Item = Ending> {
        ENDINGS.iter().map(|&(ending, _, _)| ending)
    }

    /// The word in KIF.
    pub fn kif(self) -> &'static str {
        ENDINGS.iter().find(|row| row.0 == self).map_or("中断", |row| row.1)
    }

    /// The ending of a word in KIF.
    pub fn from_kif(word: &str) -> Option<Ending> {
        match word {
            "詰" => Some(Ending::Mate),
            "不詰み" => Some(Ending::NoMate),
            "時間切れ" => Some(Ending::TimeUp),
            "引分" | "引分け" => Some(Ending::Draw),
            _ => ENDINGS.iter().find(|row| row.1 == word).map(|row| row.0),
        }
    }

    /// The words in English.
    pub fn english(self) -> &'static str {
        match self {
            Ending::Mate => "mate",
            Ending::NoMate => "no mate",
            Ending::Resigned => "resigned",
            Ending::Interrupted => "interrupted",
            Ending::Repetition => "repetition",
            Ending::Impasse => "impasse",
            Ending::TimeUp => "time up",
            Ending::FoulLoss => "lost by a foul",
            Ending::FoulWin => "won by a foul",
            Ending::Declared => "win declared",
            Ending::Draw => "draw",
            Ending::MaxMoves => "longest game",
            Ending::WalkOver => "walkover",
            Ending::Forfeit => "forfeit",
            Ending::Sealed => "sealed move",
            Ending::TakenBack => "taken back",
            Ending::Error => "error",
        }
    }

    /// The word in CSA, without the percent sign, when this side is to move.
    pub fn csa(self, turn: Color) -> &'static str {
        match (self, turn) {
            (Ending::FoulWin, Color::Black) => "-ILLEGAL_ACTION",
            (Ending::FoulWin, Color::White) => "+ILLEGAL_ACTION",
            _ => {
                let word = ENDINGS.iter().find(|row| row.0 == self).map_or("", |row| row.2);
                if word.is_empty() { "CHUDAN" } else { word }
            }
        }
    }

    /// The ending of a word in CSA, without the percent sign, when this side is to move.
    pub fn from_csa(word: &str, turn: Color) -> Option<Ending> {
        match (word, turn) {
            ("+ILLEGAL_ACTION", Color::Black) | ("-ILLEGAL_ACTION", Color::White) => {
                Some(Ending::FoulLoss)
            }
            ("+ILLEGAL_ACTION" | "-ILLEGAL_ACTION", _) => Some(Ending::FoulWin),
            ("", _) => None,
            _ => ENDINGS.iter().find(|row| row.2 == word).map(|row| row.0),
        }
    }

    /// The last line of KIF and KI2, such as `まで3手で詰み`.
    pub(super) fn summary(self, plies: usize, turn: Color) -> String {
        let (us, them) = match turn {
            Color::Black => ("先手", "後手"),
            Color::White => ("後手", "先手"),
        };
        let word = self.kif();
        match self {
            Ending::Resigned => format!("まで{plies}手で{them}の勝ち"),
            Ending::TimeUp => format!("まで{plies}手で時間切れにより{them}の勝ち"),
            Ending::FoulLoss
            | Ending::FoulWin
            | Ending::Declared
            | Ending::WalkOver
            | Ending::Forfeit => format!("まで{plies}手で{us}の{word}"),
            _ => format!("まで{plies}手で{word}"),
        }
    }

    /// The ending that such a line speaks of.
    pub(super) fn from_summary(line: &str) -> Option<Ending> {
        let word = ENDINGS.iter().filter(|row| line.contains(row.1)).max_by_key(|row| row.1.len());
        match word {
            Some(row) => Some(row.0),
            None if line.contains("時間切れ") => Some(Ending::TimeUp),
            None if line.contains("不詰") => Some(Ending::NoMate),
            None if line.contains('詰') => Some(Ending::Mate),
            None if line.contains("勝ち") => Some(Ending::Resigned),
            None => None,
        }
    }
}

/// What a node of the tree is: a move, or the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Step {
    /// A move.
    Move(Move),
    /// The end.
    End(Ending),
}

impl Step {
    /// The move, if it is one.
    pub fn as_move(self) -> Option<Move> {
        match self {
            Step::Move(m) => Some(m),
            Step::End(_) => None,
        }
    }
}

/// A node of a [`Tree`], by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct NodeId(usize);

/// A move or an end, with what is said of it and what comes after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// What it is.
    pub step: Step,
    /// What is said of it, line by line.
    pub comments: Vec<String>,
    /// How long it took, in seconds.
    pub seconds: Option<u32>,
    children: Vec<NodeId>,
}

impl Node {
    /// What comes after it: first the main line, then the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

/// Moves from a position, with variations. Two trees are equal if they have the same moves in the
/// same order with the same comments and times.
#[derive(Clone, Default, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    first: Vec<NodeId>,
}

impl Tree {
    /// A tree without moves.
    pub fn new() -> Tree {
        Tree::default()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Are there no moves?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What comes after a node, or first of all: the main line, then the variations.
    pub fn children(&self, node: Option<NodeId>) -> &[NodeId] {
        match node {
            Some(node) => &self.nodes[node.0].children,
            None => &self.first,
        }
    }

    /// A node of this tree.
    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0]
    }

    /// A node of this tree, to write into it.
    pub fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0]
    }

    /// Adds a step after a node, or as a first one. A step that is there already is not added
    /// again.
    pub fn add(&mut self, parent: Option<NodeId>, step: Step) -> NodeId {
        let known = self.children(parent).iter().find(|child| self.nodes[child.0].step == step);
        if let Some(&child) = known {
            return child;
        }
        let child = NodeId(self.nodes.len());
        self.nodes.push(Node { step, comments: Vec::new(), seconds: None, children: Vec::new() });
        match parent {
            Some(parent) => self.nodes[parent.0].children.push(child),
            None => self.first.push(child),
        }
        child
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mut todo = vec![(&self.first, &other.first)];
        while let Some((ours, theirs)) = todo.pop() {
            if ours.len() != theirs.len() {
                return false;
            }
            for (&a, &b) in ours.iter().zip(theirs) {
                let (a, b) = (self.node(a), other.node(b));
                if a.step != b.step || a.comments != b.comments || a.seconds != b.seconds {
                    return false;
                }
                todo.push((&a.children, &b.children));
            }
        }
        true
    }
}

impl Eq for Tree {}

/// What a file holds: a position, the moves from it, and what is said about them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position before the first move: the problem, in a file of tsume-shogi.
    pub position: Position,
    /// What is said about the whole, in order: names as KIF has them (先手, 作者, 棋戦) and values.
    pub header: Vec<(String, String)>,
    /// What is said before the first move, line by line.
    pub comments: Vec<String>,
    /// The side whose hand the text does not tell, and which was taken to hold all the rest.
    pub assumed_rest: Option<Color>,
    /// The moves. Readers make only legal ones; a writer ends a line before one that is not.
    pub tree: Tree,
}

impl Record {
    /// A position alone.
    pub fn new(position: Position) -> Record {
        Record {
            position,
            header: Vec::new(),
            comments: Vec::new(),
            assumed_rest: None,
            tree: Tree::new(),
        }
    }

    /// A position with one line of moves, and its end if it has one.
    pub fn from_moves(
        position: Position,
        moves: impl IntoIterator<Item = Move>,
        ending: Option<Ending>,
    ) -> Record {
        let mut record = Record::new(position);
        let steps = moves.into_iter().map(Step::Move).chain(ending.map(Step::End));
        steps.fold(None, |parent, step| Some(record.tree.add(parent, step)));
        record
    }

    /// A value of the header.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.header.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The nodes of the main line.
    fn main_nodes(&self) -> impl Iterator<Item = NodeId> {
        let mut at = self.tree.children(None).first().copied();
        std::iter::from_fn(move || {
            let node = at?;
            at = self.tree.children(Some(node)).first().copied();
            Some(node)
        })
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> Vec<Move> {
        self.main_nodes().map_while(|node| self.tree.node(node).step.as_move()).collect()
    }

    /// How the main line ends, if the record says so.
    pub fn ending(&self) -> Option<Ending> {
        self.main_nodes().find_map(|node| match self.tree.node(node).step {
            Step::End(ending) => Some(ending),
            Step::Move(_) => None,
        })
    }

    /// What is said of the position after so many moves of the main line: a record that begins there,
    /// with the header and the comments, and without moves; at 0 the whole record.
    pub fn after(&self, plies: usize) -> Record {
        let Some(before) = plies.checked_sub(1) else { return self.clone() };
        let mut position = self.position.clone();
        for m in self.main_line().into_iter().take(plies) {
            position.play(m);
        }
        let node = self.main_nodes().nth(before);
        let comments = node.map_or(Vec::new(), |node| self.tree.node(node).comments.clone());
        Record { header: self.header.clone(), comments, ..Record::new(position) }
    }

    /// Takes over what another record says: its header, and if it begins with the same position, its
    /// comments, its times, and the moves that are not here yet. What is here stays in front among
    /// moves, and comes after among words. Nothing is said twice, and no other end is told of where a
    /// line goes on or has one.
    pub fn take_over(&mut self, other: &Record) {
        put_before(&mut self.header, &other.header);
        if self.position != other.position {
            return;
        }
        put_before(&mut self.comments, &other.comments);
        let mut waiting = VecDeque::from([(None, None)]);
        while let Some((theirs, ours)) = waiting.pop_front() {
            for &child in other.tree.children(theirs) {
                let Node { step, comments, seconds, .. } = other.tree.node(child);
                let known = self.tree.children(ours);
                let end = known.iter().find(|&&node| self.tree.node(node).step.as_move().is_none());
                let same = match (step, end) {
                    (Step::End(_), Some(&end)) => end,
                    (Step::End(_), None) if !known.is_empty() => {
                        let before = ours.map(|node| &mut self.tree.node_mut(node).comments);
                        put_before(before.unwrap_or(&mut self.comments), comments);
                        continue;
                    }
                    _ => self.tree.add(ours, *step),
                };
                let node = self.tree.node_mut(same);
                put_before(&mut node.comments, comments);
                node.seconds = node.seconds.or(*seconds);
                waiting.push_back((Some(child), Some(same)));
            }
        }
    }

    /// The position after the main line. For a problem you want [`Record::position`].
    pub fn final_position(&self) -> Position {
        let mut position = self.position.clone();
        for m in self.main_line() {
            if !position.is_legal(m) {
                break;
            }
            position.play(m);
        }
        position
    }

    /// The lines of the tree in the order in which KIF and KI2 write them: the main line, then the
    /// variations from the last move back to the first, each followed by its own.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        let start = |&node: &NodeId| Head {
            node,
            main: true,
            ply: 1,
            position: self.position.clone(),
            last: None,
            spent: [0; 2],
        };
        let mut heads: Vec<Head> =
            self.tree.children(None).first().map(start).into_iter().collect();
        std::iter::from_fn(move || {
            let Head { node, main, ply, mut position, mut last, mut spent } = heads.pop()?;
            let (start, nodes) = (position.clone(), Vec::new());
            let mut line = Line { ply, start, last, spent, nodes, variation: !main };
            let mut siblings = if main { self.tree.children(None) } else { &[] };
            let mut next = Some(node);
            while let Some(node) = next {
                let ply = ply + line.nodes.len();
                for &node in siblings.iter().skip(1).rev() {
                    let position = position.clone();
                    heads.push(Head { node, main: false, ply, position, last, spent });
                }
                let time = &mut spent[position.turn().index()];
                *time = time.saturating_add(self.tree.node(node).seconds.unwrap_or(0));
                if let Step::Move(m) = self.tree.node(node).step {
                    if !position.is_legal(m) {
                        break;
                    }
                    position.play(m);
                    last = Some(m.to());
                }
                line.nodes.push(node);
                siblings = self.tree.children(Some(node));
                next = siblings.first().copied();
            }
            Some(line)
        })
    }
}

/// Puts before a list what another one has and this one lacks.
fn put_before<T: Clone + Eq + Hash>(list: &mut Vec<T>, others: &[T]) {
    let known: HashSet<&T> = list.iter().collect();
    let new: Vec<T> = others.iter().filter(|other| !known.contains(other)).cloned().collect();
    list.splice(0..0, new);
}

struct Head {
    node: NodeId,
    main: bool,
    ply: usize,
    position: Position,
    last: Option<Square>,
    spent: [u32; 2],
}

/// One line of a tree: the main line, or a variation up to its end.
pub(super) struct Line {
    /// The number of its first move, from 1.
    pub ply: usize,
    /// The position before its first move.
    pub start: Position,
    /// Where the move before it went.
    pub last: Option<Square>,
    /// The seconds that each side has spent before it.
    pub spent: [u32; 2],
    /// Its nodes.
    pub nodes: Vec<NodeId>,
    /// Is it a variation?
    pub variation: bool,
}

/// A step that was played: its node, what takes it back, and where the move before it went.
struct Played {
    node: NodeId,
    undo: Option<(Move, Undo)>,
    last: Option<Square>,
}

/// Where a reader stands in the tree: the line that it has read last.
pub(super) struct Path {
    /// The steps of the line.
    line: Vec<Played>,
    /// The position now.
    pub position: Position,
    /// Where the last move went.
    pub last: Option<Square>,
}

impl Path {
    /// Before the first move.
    pub fn new(position: Position, last: Option<Square>) -> Path {
        Path { line: Vec::new(), position, last }
    }

    /// How many moves and ends the line has.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// The last node.
    pub fn node(&self) -> Option<NodeId> {
        self.line.last().map(|played| played.node)
    }

    /// Has the line ended?
    pub fn has_ended(&self, tree: &Tree) -> bool {
        self.node().is_some_and(|node| tree.node(node).step.as_move().is_none())
    }

    /// Goes on with a step; a move must be legal.
    pub fn go(&mut self, tree: &mut Tree, step: Step) -> NodeId {
        let node = tree.add(self.node(), step);
        let undo = step.as_move().map(|m| (m, self.position.play(m)));
        self.line.push(Played { node, undo, last: self.last });
        if let Some((m, _)) = undo {
            self.last = Some(m.to());
        }
        node
    }

    /// Goes back until so many moves are left.
    pub fn back_to(&mut self, length: usize) {
        while self.line.len() > length {
            let Some(Played { undo, last, .. }) = self.line.pop() else { return };
            if let Some((m, undo)) = undo {
                self.position.undo(m, undo);
            }
            self.last = last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(names: &str) -> Vec<Move> {
        names.split(' ').filter_map(Move::from_usi).collect()
    }

    #[test]
    fn endings_have_words() {
        for ending in Ending::all() {
            assert_eq!(Ending::from_kif(ending.kif()), Some(ending));
            for turn in Color::ALL {
                assert_eq!(Ending::from_summary(&ending.summary(3, turn)), Some(ending));
                let read = Ending::from_csa(ending.csa(turn), turn);
                let lost = matches!(ending, Ending::WalkOver | Ending::Forfeit | Ending::Sealed);
                assert_eq!(read, Some(if lost { Ending::Interrupted } else { ending }));
            }
        }
        assert_eq!(Ending::from_summary("まで3手詰"), Some(Ending::Mate));
        assert_eq!(Ending::from_summary("まで"), None);
    }

    #[test]
    fn a_line_of_a_million_moves_is_compared_and_dropped() {
        let there_and_back = moves("5i5h 5a5b 5h5i 5b5a");
        let long = there_and_back.iter().copied().cycle().take(1_000_000);
        let record = Record::from_moves(Position::start(), long, Some(Ending::Repetition));
        assert_eq!(record.tree.len(), 1_000_001);
        assert_eq!(record.clone(), record);
        assert_eq!(record.ending(), Some(Ending::Repetition));
    }

    #[test]
    fn the_order_of_adding_does_not_matter() {
        let [a, b, c] = ["7g7f", "2g2f", "3c3d"].map(|m| Step::Move(Move::from_usi(m).unwrap()));
        let (mut one, mut two) = (Tree::new(), Tree::new());
        let first = one.add(None, a);
        one.add(Some(first), c);
        one.add(None, b);
        let first = two.add(None, a);
        two.add(None, b);
        two.add(Some(first), c);
        assert_eq!(one, two);
        two.add(Some(first), b);
        assert_ne!(one, two);
        assert_eq!(one.add(None, a), first);
        assert_eq!(one.len(), 3);
    }

    #[test]
    fn an_illegal_move_ends_a_line() {
        let record = Record::from_moves(Position::start(), moves("7g7f 7f7e 3c3d"), None);
        let lines: Vec<Line> = record.lines().collect();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].nodes.len(), 1);
        let after = Position::from_sfen("startpos moves 7g7f").unwrap();
        assert_eq!(record.final_position(), after);
    }
}
