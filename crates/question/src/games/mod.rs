//! The games there are: one table that feeds `--game`, the `games` command, parsing and dispatch.
//!
//! A problem's text may end in `goal GOAL`, so that one line holds all of the question; that is
//! also how certificates name their problem.

pub mod chess;
mod game;
mod graph;
mod hex;
mod othello;
pub mod played;
pub mod shogi;

use andor::{Dfpn, Plies, Repetition, Rules, Solvable, Value};
use yomikiri_chess::epd::Operations;
use yomikiri_chess::settings as chess_settings;
use yomikiri_graph::GraphPosition;
use yomikiri_hex::{Hex, StrongHex};
use yomikiri_othello::{ExpertOthello, Goal, Othello, Position};
use yomikiri_shogi::notation::diagram::diagram;
use yomikiri_tsume::settings;

use crate::algorithms::Traits;
use crate::diagnostic::Diagnostic;
use crate::lang::{Text, text};
use chess::Chess;
use game::{Kind, ParseError};
pub use othello::{SCORE, score_question};
use shogi::Shogi;

pub use game::{Game, Terms};

/// Every game. The first that recognises a text gets it: chess before shogi, which takes anything
/// that has ranks.
pub const GAMES: &[Game] = &[graph::GAME, othello::GAME, hex::GAME, chess::GAME, shogi::GAME];

/// A problem of any game.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyProblem {
    /// An explicit graph, at its root.
    Graph(GraphPosition),
    /// A position and a goal.
    Othello(Position, Goal),
    /// A position with an attacker.
    Hex(Hex),
    /// A position with an attacker and what he may play.
    Chess(Box<Chess>),
    /// A position with an attacker and a rule for interpositions in vain.
    Shogi(Box<Shogi>),
}

/// Code that runs on any problem, compiled for each game: the less the better.
pub trait Visitor {
    /// What it gives.
    type Output;
    /// Does it.
    fn visit<P: Solvable>(self, problem: &P) -> Self::Output;
}

impl AnyProblem {
    /// All that the question is about.
    pub fn terms(&self) -> Terms {
        match self {
            AnyProblem::Graph(position) => graph::terms(position),
            AnyProblem::Othello(position, goal) => othello::terms(*position, *goal),
            AnyProblem::Hex(problem) => hex::terms(problem),
            AnyProblem::Chess(problem) => chess::terms(problem),
            AnyProblem::Shogi(problem) => shogi::terms(problem),
        }
    }

    /// Runs `visitor` on the problem: the strong version of the game, or the plain one that knows
    /// the rules only.
    pub fn visit<V: Visitor>(&self, plain: bool, visitor: V) -> V::Output {
        match self {
            AnyProblem::Graph(position) => visitor.visit(position),
            &AnyProblem::Othello(position, goal) if plain => {
                visitor.visit(&Othello::new(position, goal))
            }
            &AnyProblem::Othello(position, goal) => {
                visitor.visit(&ExpertOthello::new(position, goal))
            }
            AnyProblem::Hex(hex) if plain => visitor.visit(hex),
            AnyProblem::Hex(hex) => visitor.visit(&StrongHex::new(hex.clone())),
            AnyProblem::Chess(chess) => visitor.visit(&chess.mates()),
            AnyProblem::Shogi(shogi) => visitor.visit(&shogi.tsume()),
        }
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        match self {
            AnyProblem::Graph(_) => &graph::GAME,
            AnyProblem::Othello(..) => &othello::GAME,
            AnyProblem::Hex(_) => &hex::GAME,
            AnyProblem::Chess(_) => &chess::GAME,
            AnyProblem::Shogi(_) => &shogi::GAME,
        }
    }

    /// The problem as a text that reads back as the same problem.
    pub fn text(&self) -> String {
        match self {
            AnyProblem::Graph(position) => graph::text(position),
            AnyProblem::Othello(position, goal) => format!("{position} goal {goal}"),
            AnyProblem::Hex(problem) => hex::text(problem),
            AnyProblem::Chess(problem) => chess::text(problem),
            AnyProblem::Shogi(problem) => shogi::text(problem),
        }
    }

    /// The question, as people ask it.
    pub fn question(&self) -> Text {
        match self {
            AnyProblem::Graph(position) => graph::question(position),
            AnyProblem::Othello(position, goal) => othello::question(*position, *goal),
            AnyProblem::Hex(problem) => hex::question(problem),
            AnyProblem::Chess(problem) => chess::question(problem),
            AnyProblem::Shogi(problem) => shogi::question(problem),
        }
    }

    /// The answer in words, within so many plies.
    pub fn answer(&self, value: Value, plies: Plies) -> Text {
        let answer = |value| match self {
            AnyProblem::Graph(position) => graph::answer(position, value),
            AnyProblem::Othello(position, goal) => othello::answer(*position, *goal, value),
            AnyProblem::Hex(problem) => hex::answer(problem, value),
            AnyProblem::Chess(problem) => chess::answer(problem, value),
            AnyProblem::Shogi(problem) => shogi::answer(problem, value),
        };
        let Some(plies) = plies.bounded() else {
            return answer(value);
        };
        let unit = if plies == 1 { "ply" } else { "plies" };
        let (answer, other) = (answer(value), answer(value.other()));
        if value == self.repetition().value() {
            text!(
                "within {plies} {unit} it does not hold that {other}",
                "{plies}手以内では、{answer}"
            )
        } else {
            text!("{answer} within {plies} {unit}", "{plies}手以内で、{answer}")
        }
    }

    /// The answer in words where there is a proof within `known` plies and none within fewer than
    /// `least`; `is_wanted` if the shortest was asked for.
    pub fn answer_within(&self, (least, known): (u16, u16), is_wanted: bool) -> Text {
        match self {
            AnyProblem::Chess(problem) => chess::answer_within(problem, (least, known), is_wanted),
            _ if least >= known => {
                let answer = self.answer(Value::Proven, Plies::at_most(known));
                text!("{answer}, and not within less", "{answer}（最短）")
            }
            _ => {
                let answer = self.answer(Value::Proven, Plies::at_most(known));
                if !is_wanted {
                    return answer;
                }
                text!(
                    "{answer}; whether within less, down to {least}, stays open",
                    "{answer}（最短は{least}手以上、未解決）"
                )
            }
        }
    }

    /// Which side a repeated position favours.
    pub fn repetition(&self) -> Repetition {
        match self {
            AnyProblem::Graph(position) => position.repetition(),
            AnyProblem::Othello(..) | AnyProblem::Hex(_) => Repetition::Never,
            AnyProblem::Chess(_) | AnyProblem::Shogi(_) => Repetition::FavoursDefender,
        }
    }

    /// A name for all problems whose positions may share a table with this one's.
    pub fn table_tag(&self) -> String {
        match self {
            AnyProblem::Graph(position) => graph::table_tag(position),
            AnyProblem::Othello(..) => "othello".into(),
            AnyProblem::Hex(problem) => hex::table_tag(problem),
            AnyProblem::Chess(_) => "chess".into(),
            AnyProblem::Shogi(_) => "shogi".into(),
        }
    }

    /// Is this the question that its text tells the answer of? An EPD tells of one side's mate, and a
    /// goal may have asked for the other's.
    pub fn is_told_of(&self, text: &str) -> bool {
        match self {
            AnyProblem::Chess(chess) => {
                operations(text).is_some_and(|operations| chess.is_told_of(&operations))
            }
            _ => true,
        }
    }

    /// Is it the same question, though it may be written otherwise? What the rules do not look at
    /// does not count: the counters of a FEN, a goal in other words.
    pub fn is_same_question(&self, other: &AnyProblem) -> bool {
        match (self, other) {
            (AnyProblem::Chess(a), AnyProblem::Chess(b)) => {
                let place = |chess: &Chess| chess.position.identity();
                (a.attacker, a.goal, place(a)) == (b.attacker, b.goal, place(b))
            }
            (AnyProblem::Othello(a, goal), AnyProblem::Othello(b, other)) => {
                a == b && goal.least_score() == other.least_score()
            }
            _ => self == other,
        }
    }

    /// Is it tsume-shogi?
    pub fn is_shogi(&self) -> bool {
        matches!(self, AnyProblem::Shogi(_))
    }

    /// The board as people see it; a graph has none.
    pub fn board(&self) -> Option<String> {
        match self {
            AnyProblem::Graph(_) => None,
            AnyProblem::Othello(position, _) => Some(position.diagram()),
            AnyProblem::Hex(hex) => Some(hex.diagram()),
            AnyProblem::Chess(chess) => Some(chess.position.diagram()),
            AnyProblem::Shogi(shogi) => Some(diagram(&shogi.position)),
        }
    }

    /// What an algorithm needs to know.
    pub fn traits(&self) -> Traits {
        Traits { repetition: self.repetition(), dfpn: self.dfpn() }
    }

    /// The settings of df-pn that serve the game best.
    pub fn dfpn(&self) -> Dfpn {
        match self {
            AnyProblem::Chess(_) => chess_settings::dfpn(),
            AnyProblem::Shogi(_) => settings::dfpn(),
            _ => Dfpn::default(),
        }
    }
}

/// The game of that name.
pub fn find(name: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.name == name)
}

/// The names of all games, for messages.
pub fn names() -> String {
    let names: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
    names.join(", ")
}

/// The game that a text seems to be of.
pub fn recognise(text: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| (game.recognise)(text))
}

/// Reads a problem of `game`, or of the game that the text seems to be of. A goal in the text must
/// agree with `goal`, if both are given.
pub fn parse(
    text: &str,
    game: Option<&'static Game>,
    goal: Option<&str>,
) -> Result<AnyProblem, Diagnostic> {
    let Some(game) = game.or_else(|| recognise(text)) else {
        let first = text.len() - text.trim_start().len();
        let names = names();
        let reason = text!(
            "no game is recognised here; known are {names} (see `games`)",
            "どのゲームの局面でもないようです。将棋なら SFEN か KIF などで書いてください（書き方は `yomikiri solve --help`）"
        );
        return Err(Diagnostic::at_byte(text, first, reason));
    };
    let (position, own_goal) = split_goal(text);
    let own = own_goal.map(|at| text[at..].trim_end());
    if let (Some(own), Some(at), Some(asked)) = (own, own_goal, goal)
        && own != asked
    {
        let reason = text!(
            "the text asks for goal `{own}`, the option for `{asked}`",
            "文中の目的 `{own}` と、オプションの目的 `{asked}` が違います"
        );
        return Err(Diagnostic::at_byte(text, at, reason));
    }
    let asked = own.or(goal);
    let problem = match game.kind {
        Kind::Graph => graph::parse(position, asked).map(AnyProblem::Graph),
        Kind::Othello => othello::parse(position, asked)
            .map(|(position, goal)| AnyProblem::Othello(position, goal)),
        Kind::Hex => hex::parse(position, asked).map(AnyProblem::Hex),
        Kind::Chess => chess::parse(position, asked).map(Box::new).map(AnyProblem::Chess),
        Kind::Shogi => shogi::parse(position, asked).map(Box::new).map(AnyProblem::Shogi),
    };
    problem.map_err(|error| match (error, own_goal) {
        (ParseError::Position(diagnostic), _) => diagnostic,
        (ParseError::Goal(at, reason), Some(start)) => {
            Diagnostic::at_byte(text, start + at, reason)
        }
        (ParseError::Goal(_, reason), None) => {
            let goal = goal.unwrap_or_default();
            let reason = text!("goal `{goal}`: {reason}", "目的 `{goal}`: {reason}");
            Diagnostic::at_byte(text, text.trim_end().len(), reason)
        }
    })
}

/// What the operations of an EPD say, where the text is one: its name, and its mate.
pub fn operations(text: &str) -> Option<Operations> {
    let is_chess = recognise(text)?.kind == Kind::Chess;
    is_chess.then(|| chess::operations(split_goal(text).0)).flatten()
}

/// The text without its goal, if that or the option asks for the exact score of a position of
/// Othello. That is no [`Goal`] of a search, but is found by several.
pub fn asks_for_score<'a>(
    text: &'a str,
    game: Option<&'static Game>,
    goal: Option<&str>,
) -> Option<&'a str> {
    let game = game.or_else(|| recognise(text))?;
    let (position, own) = split_goal(text);
    let own = own.map(|at| text[at..].trim_end());
    let is_asked = own.or(goal) == Some(SCORE) && goal.is_none_or(|goal| goal == SCORE);
    (is_asked && game.name == othello::GAME.name).then_some(position)
}

/// Cuts a `goal GOAL` off the end of a text; gives the byte at which the goal begins.
fn split_goal(text: &str) -> (&str, Option<usize>) {
    const WORD: &str = "goal";
    let trimmed = text.trim_end();
    let Some(blank) = trimmed.rfind(char::is_whitespace) else {
        return (text, None);
    };
    let before = trimmed[..blank].trim_end();
    let goal = trimmed.len() - trimmed[blank..].trim_start().len();
    match before.strip_suffix(WORD) {
        Some(position) if position.ends_with(char::is_whitespace) => (position, Some(goal)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> AnyProblem {
        parse(text, None, None).unwrap_or_else(|diagnostic| panic!("{diagnostic:?}"))
    }

    #[test]
    fn every_example_is_recognised_and_reads_back() {
        for game in GAMES {
            let problem = read(game.example);
            assert_eq!(problem.game().name, game.name);
            assert_eq!(read(&problem.text()), problem);
            for (goal, _) in game.goals.iter().filter(|(goal, _)| *goal != SCORE) {
                let with_goal = parse(game.example, Some(game), Some(goal));
                let with_goal = with_goal.unwrap_or_else(|diagnostic| panic!("{diagnostic:?}"));
                assert_eq!(read(&with_goal.text()), with_goal);
            }
        }
    }

    #[test]
    fn one_question_may_be_written_in_several_ways() {
        let black = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
        let same = [
            ("7k/8/5K2/8/8/8/8/6Q1 w - - 3 9", "7k/8/5K2/8/8/8/8/6Q1 w - - goal mate:white"),
            // Nobody can capture en passant there.
            ("7k/8/5K2/8/4P3/8/8/6Q1 b - e3 0 2", "7k/8/5K2/8/4P3/8/8/6Q1 b - - 7 8"),
            (
                "8k/9/8G/9/9/9/9/9/9 b G 1",
                "position sfen 8k/9/8G/9/9/9/9/9/9 b G 9 goal mate:black",
            ),
            (&format!("{black} X goal win"), &format!("{black} X goal score>=1")),
            ("graph\na or b\nb win\n", "graph\n# a comment\na or b\nb win"),
        ];
        let other = [
            ("7k/8/5K2/8/8/8/8/6Q1 w - -", "7k/8/5K2/8/8/8/8/6Q1 w - - goal checks"),
            ("7k/8/5K2/8/8/8/8/6Q1 w - -", "7k/8/5K2/8/8/8/8/6Q1 w - - goal mate:black"),
            ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "r3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            (&format!("{black} X goal win"), &format!("{black} X goal no-loss")),
            (&format!("{black} X"), &format!("{black} O")),
            ("hex 2 ../.. B", "hex 2 ../.. W"),
        ];
        for (pairs, is_same) in [(&same[..], true), (&other[..], false)] {
            for (a, b) in pairs {
                let (first, second) = (read(a), read(b));
                assert_eq!(first.is_same_question(&second), is_same, "{a} {b}");
                assert_eq!(second.is_same_question(&first), is_same, "{b} {a}");
            }
        }
    }

    #[test]
    fn a_goal_at_the_end_is_cut_off() {
        assert_eq!(split_goal("hex 1 . B goal W"), ("hex 1 . B ", Some(15)));
        assert_eq!(split_goal("hex 1 . B"), ("hex 1 . B", None));
        assert_eq!(split_goal("goal"), ("goal", None));
    }

    #[test]
    fn a_bad_goal_is_pointed_at() {
        let diagnostic = parse("hex 1 . B goal Q", None, None).expect_err("no such goal");
        assert_eq!(diagnostic.column, 15);
        assert!(parse("hex 1 . B", None, Some("Q")).is_err());
        assert!(parse("hex 1 . B goal W", None, Some("B")).is_err());
        assert!(parse("graph\na win\n", None, Some("win")).is_err());
    }
}
