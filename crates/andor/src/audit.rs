//! An auditor for authors of games: plays random games, and names the law that a game breaks.
//!
//! A search trusts its game. If [`undo`](Rules::undo) forgets something, if two positions share a
//! key, or if more stock hurts the attacker after all, verdicts are wrong, and certificates are
//! rejected at best, far from the mistake. So let [`audit`] play some hundred games before the first
//! search, and in a test. It asks of every position it comes to:
//!
//! - Is everything as it was when a move is taken back? ([`Law::Undo`])
//! - Do positions of the same identity and stock have the same side to move, end and moves?
//!   ([`Law::Identity`])
//! - Do the same identities have the same key, and different ones different keys? Does
//!   [`key_after`](Problem::key_after) say what playing the move would? ([`Law::Key`])
//! - Do legal moves differ from each other, and so do their numbers? Do they come in the same order
//!   again? Does a search get no others, and none twice? ([`Law::Moves`])
//! - Is the rule of repetition the same everywhere, and is it true that positions never repeat?
//!   ([`Law::Repetition`])
//! - Are stocks a lattice, and do they come back from 32 bits? Does a position that is won with less
//!   stay won with more? ([`Law::Stock`])
//! - Is what the game says without a search true? ([`Law::Evaluation`]) Does a weakened position
//!   keep what it claims? ([`Law::Weakening`])
//!
//! Questions about values are answered by looking some plies ahead with the rules alone, so what
//! lies deeper is not seen: a game that passes may still be wrong, one that fails is.

use std::collections::HashMap;
use std::fmt::{self, Debug, Display, Formatter};

use crate::control::Stop;
use crate::problem::{Evaluation, Key, MoveList, Problem};
use crate::pulse::Pulse;
use crate::random::SplitMix64;
use crate::rules::{NodeKind, Repetition, Rules, Stock, Value};

/// A game that is not over after so many plies is broken off.
const LONGEST: usize = 300;
/// So far is looked ahead where values are compared, and so many positions are visited at most.
const AHEAD: (u32, u32) = (6, 2_000);

/// A law that games must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Taking a move back leaves the position as it was.
    Undo,
    /// The identity tells positions apart: with the same stock it is the whole position.
    Identity,
    /// The key is that of the identity.
    Key,
    /// Moves differ, have numbers of their own and come in a fixed order.
    Moves,
    /// The rule of repetition holds for the whole problem.
    Repetition,
    /// Stocks are a lattice that fits into 32 bits, and more never hurts.
    Stock,
    /// What the game says of a position without searching it is true.
    Evaluation,
    /// A side that wins the weakened position wins the position.
    Weakening,
}

/// A law that a game has broken, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Breach {
    /// The law.
    pub law: Law,
    /// What is wrong.
    pub what: String,
    /// The moves from the start to the position, as people write them.
    pub line: Vec<String>,
}

impl Display for Breach {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the law of {} is broken: {}", self.law, self.what)?;
        match &self.line[..] {
            [] => write!(f, ", at the start"),
            line => write!(f, ", after {}", line.join(" ")),
        }
    }
}

impl Display for Law {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::Undo => "undo",
            Law::Identity => "identity",
            Law::Key => "keys",
            Law::Moves => "moves",
            Law::Repetition => "repetition",
            Law::Stock => "stock",
            Law::Evaluation => "evaluation",
            Law::Weakening => "weakening",
        })
    }
}

impl std::error::Error for Breach {}

/// What an auditor has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Games played.
    pub games: u64,
    /// Positions that differ in identity or stock.
    pub positions: u64,
    /// Questions of value that looking ahead has answered.
    pub values: u64,
}

impl Display for Audit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Audit { games, positions, values } = self;
        write!(f, "{games} games, {positions} positions, {values} values compared: no law broken")
    }
}

/// Plays so many random games from here, the same ones every time.
///
/// # Errors
/// The first law that is broken.
pub fn audit<P: Problem>(start: &P, games: u64) -> Result<Audit, Breach>
where
    P::Identity: Debug,
{
    let mut auditor = Auditor {
        seen: HashMap::new(),
        keys: HashMap::new(),
        rule: start.repetition(),
        line: Vec::new(),
        audit: Audit::default(),
    };
    if auditor.rule == Repetition::FavoursAttacker && !P::REPETITION_MAY_FAVOUR_ATTACKER {
        let what = "it favours the attacker, which REPETITION_MAY_FAVOUR_ATTACKER denies";
        return auditor.breach(Law::Repetition, what);
    }
    for seed in 0..games {
        auditor.play(start.clone(), &mut SplitMix64::new(seed))?;
        auditor.audit.games += 1;
    }
    Ok(auditor.audit)
}

/// All that a position shows of itself, but for its identity and stock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Face {
    kind: NodeKind,
    terminal: Option<Value>,
    /// The numbers of its legal moves, in order.
    moves: Vec<u32>,
    key: Key,
}

impl Face {
    fn of<P: Problem>(position: &P) -> Face {
        let moves = legal_moves(position).into_iter().map(P::encode_move).collect();
        Face { kind: position.kind(), terminal: position.terminal(), moves, key: position.key() }
    }
}

/// None where the game is over.
fn legal_moves<R: Rules>(position: &R) -> Vec<R::Move> {
    let mut moves = Vec::new();
    if position.terminal().is_none() {
        position.legal_moves(&mut moves);
    }
    moves
}

/// A stock that an identity was seen with, and how the position looked.
type Seen<P> = (<P as Rules>::Stock, Face, P);

struct Auditor<P: Problem> {
    /// Every position, by identity.
    seen: HashMap<P::Identity, Vec<Seen<P>>>,
    keys: HashMap<Key, P::Identity>,
    rule: Repetition,
    line: Vec<String>,
    audit: Audit,
}

impl<P: Problem> Auditor<P>
where
    P::Identity: Debug,
{
    fn breach<T>(&self, law: Law, what: impl Into<String>) -> Result<T, Breach> {
        Err(Breach { law, what: what.into(), line: self.line.clone() })
    }

    fn play(&mut self, mut position: P, random: &mut SplitMix64) -> Result<(), Breach> {
        self.line.clear();
        let mut path = Vec::new();
        for _ in 0..LONGEST {
            let here = (position.identity(), position.stock());
            if self.rule == Repetition::Never && path.contains(&here) {
                return self.breach(Law::Repetition, "a position repeats, and it says `Never`");
            }
            path.push(here);
            self.look_at(&mut position)?;
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            self.line.push(position.describe_move(m));
            position.play(m);
        }
        Ok(())
    }

    /// Asks all questions about one position.
    fn look_at(&mut self, position: &mut P) -> Result<(), Breach> {
        let face = Face::of(position);
        if Face::of(position) != face {
            let what = "asked twice, a position gives two answers (moves in another order?)";
            return self.breach(Law::Moves, what);
        }
        if position.repetition() != self.rule {
            return self.breach(Law::Repetition, "its rule is not that of the start");
        }
        self.look_at_moves(position, &face)?;
        self.look_at_undo(position, &face)?;
        if self.look_at_identity(position, face)? {
            self.audit.positions += 1;
            self.look_at_values(position)?;
        }
        Ok(())
    }

    fn look_at_moves(&self, position: &mut P, face: &Face) -> Result<(), Breach> {
        let legal = legal_moves(position);
        for (i, m) in legal.iter().enumerate() {
            if legal[..i].contains(m) {
                return self.breach(Law::Moves, format!("{m:?} is listed twice"));
            }
            if let Some(j) = face.moves[..i].iter().position(|number| *number == face.moves[i]) {
                let what = format!("{:?} and {m:?} have one number, {}", legal[j], face.moves[i]);
                return self.breach(Law::Moves, what);
            }
        }
        if face.terminal.is_some() {
            return Ok(());
        }
        if position.prepare(&Pulse::new(Stop::new())).is_err() {
            return Ok(());
        }
        let is_open = matches!(position.evaluate(), Evaluation::Open { .. });
        let (mut list, mut scratch) = (MoveList::default(), Vec::new());
        position.moves(&mut list, &mut scratch);
        for (i, &(m, _)) in list.moves.iter().enumerate() {
            if !legal.contains(&m) {
                let what = format!("`moves` gives {m:?}, which is not legal");
                return self.breach(Law::Moves, what);
            }
            if list.moves[..i].iter().any(|(other, _)| *other == m) {
                return self.breach(Law::Moves, format!("`moves` gives {m:?} twice"));
            }
        }
        if is_open && list.moves.is_empty() && !legal.is_empty() {
            return self.breach(Law::Moves, "`moves` gives none, though there are legal ones");
        }
        Ok(())
    }

    /// Plays every move and takes it back.
    fn look_at_undo(&self, position: &mut P, face: &Face) -> Result<(), Breach> {
        let before = (position.identity(), position.stock());
        for m in legal_moves(position) {
            let undo = position.play(m);
            let found = (position.key(), position.stock());
            position.undo(m, undo);
            if (position.identity(), position.stock()) != before || Face::of(position) != *face {
                let what = format!("{m:?}, played and taken back, leaves another position");
                return self.breach(Law::Undo, what);
            }
            if position.key_after(m) != found {
                let what = format!("`key_after` {m:?} is not the key and stock after it");
                return self.breach(Law::Key, what);
            }
        }
        Ok(())
    }

    /// Compares the position with those of the same identity or key. Gives whether it is new.
    fn look_at_identity(&mut self, position: &P, face: Face) -> Result<bool, Breach> {
        let (identity, stock) = (position.identity(), position.stock());
        if let Some(other) = self.keys.insert(face.key, identity.clone())
            && other != identity
        {
            let what = format!("{identity:?} and {other:?} share the key {:032x}", face.key.0);
            return self.breach(Law::Key, what);
        }
        self.look_at_stock(stock)?;
        let others = self.seen.entry(identity).or_default();
        let mut wrong = None;
        for (other, its_face, _) in others.iter() {
            if its_face.key != face.key {
                wrong = Some((Law::Key, "the same identity has two keys"));
            } else if *other == stock && *its_face != face {
                let what = "two positions with this identity and stock differ in their side to \
                            move, end or moves: it leaves something out";
                wrong = Some((Law::Identity, what));
            } else if its_face.kind != face.kind {
                wrong = Some((Law::Identity, "the same identity has two sides to move"));
            }
        }
        if let Some((law, what)) = wrong {
            return self.breach(law, what);
        }
        if others.iter().any(|(other, ..)| *other == stock) {
            return Ok(false);
        }
        let before: Vec<(P::Stock, P)> =
            others.iter().map(|(stock, _, position)| (*stock, position.clone())).collect();
        others.push((stock, face, position.clone()));
        for (other, its_position) in before {
            self.look_at_stocks(stock, other)?;
            self.compare_stocks((stock, position), (other, &its_position))?;
        }
        Ok(true)
    }

    fn look_at_stock(&self, stock: P::Stock) -> Result<(), Breach> {
        if P::Stock::unpack(stock.pack()) != stock {
            let what = format!("{stock:?} does not come back from `pack`");
            return self.breach(Law::Stock, what);
        }
        self.look_at_stocks(stock, stock)
    }

    /// The laws of a lattice, for two stocks.
    fn look_at_stocks(&self, a: P::Stock, b: P::Stock) -> Result<(), Breach> {
        let (join, meet) = (a.join(b), a.meet(b));
        let is_lattice = a.within(a)
            && (a == b || !(a.within(b) && b.within(a)))
            && [a, b].iter().all(|one| one.within(join) && meet.within(*one))
            && (join, meet) == (b.join(a), b.meet(a))
            && a.within(b) == (join == b)
            && a.within(b) == (meet == a);
        if is_lattice {
            return Ok(());
        }
        let what = format!("`within`, `join` and `meet` do not fit together for {a:?} and {b:?}");
        self.breach(Law::Stock, what)
    }

    /// The same board with two stocks: what is won with less is won with more.
    fn compare_stocks(&mut self, one: (P::Stock, &P), other: (P::Stock, &P)) -> Result<(), Breach> {
        let (less, more) = match (one.0.within(other.0), other.0.within(one.0)) {
            (true, _) => (one, other),
            (_, true) => (other, one),
            _ => return Ok(()),
        };
        if value_of(less.1) == Some(Value::Proven) && value_of(more.1) == Some(Value::Disproven) {
            let what = format!("won with {:?}, and lost with more, {:?}", less.0, more.0);
            return self.breach(Law::Stock, what);
        }
        Ok(())
    }

    /// Compares what the game says of a position with what the rules say.
    fn look_at_values(&mut self, position: &mut P) -> Result<(), Breach> {
        let true_value = value_of(position);
        self.audit.values += u64::from(true_value.is_some());
        if position.prepare(&Pulse::new(Stop::new())).is_err() {
            return Ok(());
        }
        let Evaluation::Solved { value, stock, .. } = position.evaluate() else { return Ok(()) };
        if true_value.is_some_and(|known| known != value) {
            let what = format!("the game says {value:?}, the rules say the opposite");
            return self.breach(Law::Evaluation, what);
        }
        let holds = match value {
            Value::Proven => stock.within(position.stock()),
            Value::Disproven => position.stock().within(stock),
        };
        if !holds {
            let what = format!("{value:?} is said for {stock:?}, which says nothing of this one");
            return self.breach(Law::Evaluation, what);
        }
        let hint = position.weakening(value, &Pulse::new(Stop::new()));
        let Ok(Some(hint)) = hint else { return Ok(()) };
        let Some(weakened) = position.weakened(value, &hint) else {
            return self.breach(Law::Weakening, "it does not understand its own hint");
        };
        // The holder won the position, by what the game says, and is to win the weaker one, too.
        if value_of(&weakened).is_some_and(|known| known != value) {
            let what = format!("{value:?} does not hold in the weakened position");
            return self.breach(Law::Weakening, what);
        }
        Ok(())
    }
}

/// The value of a position, if looking some plies ahead with the rules alone decides it. Positions
/// that repeat are not looked for: a line that ends undecided decides nothing.
fn value_of<R: Rules>(position: &R) -> Option<Value> {
    let (depth, mut positions) = AHEAD;
    look_ahead(&mut position.clone(), depth, &mut positions)
}

fn look_ahead<R: Rules>(position: &mut R, depth: u32, positions: &mut u32) -> Option<Value> {
    if let Some(value) = position.terminal() {
        return Some(value);
    }
    let (goal, moves) = (position.kind().goal(), legal_moves(position));
    let mut all_lost = true;
    if depth == 0 && !moves.is_empty() {
        return None;
    }
    for m in moves {
        *positions = positions.checked_sub(1)?;
        let undo = position.play(m);
        let value = look_ahead(position, depth - 1, positions);
        position.undo(m, undo);
        match value {
            Some(value) if value == goal => return Some(goal),
            Some(_) => {}
            None => all_lost = false,
        }
    }
    all_lost.then(|| goal.other())
}
