//! The writer: walks the solution from the root and writes it down as it goes.
//!
//! What is a solution follows from the table: at the holder's turn it takes a move whose child is
//! known to be solved (within the plies that are left, so that a proof comes to its end), and where
//! the table has forgotten, or a disproof held on one path only, it searches the position again.
//! The file is written streaming; what stays in memory is the set of positions already written, by
//! their keys. (Should two boards have the same one, a record is written that the checker does not accept.)

use std::collections::VecDeque;
use std::io::{self, Write};

use super::claims::{ByKey, Chains};
use super::format::{CUT, END, EXPAND, KNOWN, OVER, RAISE, WEAKEN, write_number};
use super::plan::{Plan, Planned};
use crate::control::Stop;
use crate::dfpn::{Agent, Dfpn, Step};
use crate::known::known_in_time;
use crate::mirror::Mirror;
use crate::plies::Plies;
use crate::problem::{MoveList, Problem};
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Stock, Value};
use crate::table::Table;
use crate::verdict::Claim;

/// What it took to write a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Positions treated in full.
    pub positions: u64,
    /// Nodes searched again on the way.
    pub nodes: u64,
}

/// A certificate could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    #[error("cannot write the certificate: {0}")]
    Io(#[from] io::Error),
    /// The stop flag was raised.
    #[error("stopped while the certificate was being written")]
    Stopped,
    /// A proof with a length was asked for where repetition favours the attacker.
    #[error("a proof has no length where repetition favours the attacker")]
    Bound,
    /// The solution does not hold: the verdict was wrong.
    #[error("the verdict does not hold: {0}")]
    Contradiction(String),
}

/// Writes the body of a certificate of this claim from what a search left in `table`. What the table
/// has forgotten is searched again with these settings.
pub fn write<P: Problem>(
    claim: Claim<&P>,
    settings: Dfpn,
    table: &Table,
    stop: &Stop,
    out: &mut dyn Write,
) -> Result<Written, WriteError> {
    let Claim { problem: root, value, plies } = claim;
    if P::REPETITION_MAY_FAVOUR_ATTACKER && root.repetition() == Repetition::FavoursAttacker {
        if value == Value::Proven && plies.is_bounded() {
            return Err(WriteError::Bound);
        }
        let root = Mirror(root.clone());
        Writer::new(&root, value.other(), settings, table, stop, out).run(root.clone(), plies)
    } else {
        Writer::new(root, value, settings, table, stop, out).run(root.clone(), plies)
    }
}

impl From<Interrupted> for WriteError {
    fn from(_: Interrupted) -> WriteError {
        WriteError::Stopped
    }
}

/// A position on the current line whose children are being written.
struct Level<P: Problem> {
    position: P,
    moves: Vec<P::Move>,
    next: usize,
    rank: u64,
    plies: Plies,
}

struct Writer<'a, P: Problem> {
    value: Value,
    table: &'a Table,
    pulse: Pulse,
    agent: Agent<'a, P>,
    out: &'a mut dyn Write,
    levels: Vec<Level<P>>,
    /// What is written of each board: for a proof its rank, for a disproof the plies. Boards are told
    /// apart by their keys, as in the plan.
    known: Chains<u128, (P::Stock, u64), ByKey>,
    /// What is still to be written of a bounded disproof.
    plan: Plan<P::Move>,
    /// Weakenings that served, the latest first.
    hints: VecDeque<Vec<u8>>,
    list: MoveList<P::Move>,
    positions: u64,
}

/// So many weakenings are tried on every position before a new one is asked for.
const HINTS: usize = 64;

impl<'a, P: Problem> Writer<'a, P> {
    fn new(
        root: &P,
        value: Value,
        settings: Dfpn,
        table: &'a Table,
        stop: &Stop,
        out: &'a mut dyn Write,
    ) -> Self {
        // With a share for the rest of the children, a part of Shin-Ogizume's proof that the table had
        // forgotten was not found again in minutes; with whole sums it is found at once.
        let Dfpn { rest, comparable, .. } = Dfpn::default();
        let again = Dfpn { rest, comparable, ..settings };
        Writer {
            value,
            table,
            pulse: Pulse::new(stop.clone()),
            agent: Agent::new(root.clone(), again, table, stop.clone()),
            out,
            levels: Vec::new(),
            known: Chains::default(),
            plan: Plan::default(),
            hints: VecDeque::new(),
            list: MoveList::default(),
            positions: 0,
        }
    }

    fn run(mut self, root: P, plies: Plies) -> Result<Written, WriteError> {
        let plies = self.bound(&root, plies)?;
        if self.value == Value::Disproven && plies.is_bounded() {
            self.plan(root.clone(), plies)?;
        }
        let mut rank = self.record(root, plies)?;
        while let Some(level) = self.levels.last_mut() {
            if let Some(settled) = rank {
                level.rank = level.rank.max(settled + 1);
            }
            if let Some(&m) = level.moves.get(level.next) {
                level.next += 1;
                let plies = level.plies.one_less();
                let mut child = level.position.clone();
                child.play(m);
                rank = self.record(child, plies)?;
            } else if let Some(level) = self.levels.pop() {
                if self.value == Value::Proven {
                    write_number(self.out, level.rank)?;
                    self.claim(&level.position, level.rank);
                }
                rank = Some(level.rank);
            }
        }
        self.out.write_all(&[END])?;
        write_number(self.out, self.positions)?;
        self.out.flush()?;
        Ok(Written { positions: self.positions, nodes: self.agent.nodes() })
    }

    /// The plies within which a proof is written down. Even where no bound is claimed there must be
    /// one: a proof that is found again, because the table has forgotten it, might else lead back
    /// to a position that waits for it.
    fn bound(&mut self, root: &P, plies: Plies) -> Result<Plies, WriteError> {
        let needs_bound = !plies.is_bounded()
            && self.value == Value::Proven
            && root.repetition() != Repetition::Never;
        if !needs_bound {
            return Ok(plies);
        }
        self.agent.restart(root.clone(), Plies::UNBOUNDED);
        match self.agent.run(u64::MAX) {
            Step::Stopped | Step::Budget => Err(WriteError::Stopped),
            Step::Solved => Ok(self.agent.result().map_or(Plies::UNBOUNDED, |solved| solved.plies)),
        }
    }

    /// Finds out for how many plies each position of a bounded disproof is needed, and the holder's
    /// move there: level by level, so the first time a position is met it is met with most plies.
    fn plan(&mut self, root: P, plies: Plies) -> Result<(), WriteError> {
        self.plan.add(root.key(), root.stock(), plies);
        let (mut level, mut left) = (vec![root], plies);
        let mut moves = Vec::new();
        while left != Plies::NONE && !level.is_empty() {
            let mut next = Vec::new();
            let below = left.one_less();
            for mut position in level {
                self.pulse.check()?;
                if position.terminal().is_some() {
                    continue;
                }
                moves.clear();
                if position.kind().goal() == self.value {
                    let m = self.winning_move(&mut position, left)?;
                    self.plan.choose(position.key(), position.stock(), m);
                    moves.push(m);
                } else {
                    position.legal_moves(&mut moves);
                }
                for &m in &moves {
                    let (key, stock) = position.key_after(m);
                    if self.plan.add(key, stock, below) {
                        let mut child = position.clone();
                        child.play(m);
                        next.push(child);
                    }
                }
            }
            (level, left) = (next, below);
        }
        Ok(())
    }

    /// Writes the record of a position. Gives its rank if that settles it; else the position was
    /// pushed.
    fn record(&mut self, mut position: P, plies: Plies) -> Result<Option<u64>, WriteError> {
        self.pulse.check()?;
        match position.terminal() {
            Some(value) if value == self.value => {
                self.out.write_all(&[OVER])?;
                return Ok(Some(0));
            }
            Some(_) => return Err(self.contradiction("the game is lost")),
            None => {}
        }
        if let Some(rank) = self.lookup(&position, plies) {
            self.out.write_all(&[KNOWN])?;
            return Ok(Some(rank));
        }
        if let Some(rank) = self.known_when_weakened(&position, plies)? {
            return Ok(Some(rank));
        }
        if let Some(hint) = position.weakening(self.value, &self.pulse)?
            && let Some(weaker) = position.weakened(self.value, &hint)
        {
            self.write_weakening(&hint)?;
            self.hints.push_front(hint);
            self.hints.truncate(HINTS);
            position = weaker;
            if let Some(rank) = self.lookup(&position, plies) {
                self.out.write_all(&[KNOWN])?;
                return Ok(Some(rank));
            }
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if plies == Plies::NONE {
            let lost = moves.is_empty() && position.kind() == NodeKind::And;
            if self.value == Value::Disproven && !lost {
                self.out.write_all(&[CUT])?;
                return Ok(Some(0));
            }
            if !(self.value == Value::Proven && lost) {
                return Err(self.contradiction("no plies are left"));
            }
        }
        let planned = self.plan.take(position.key(), position.stock(), plies);
        let chosen = planned.and_then(|planned| planned.chosen);
        let mut plies = plies;
        if let Some(Planned { more: more @ 1.., .. }) = planned {
            self.out.write_all(&[RAISE])?;
            write_number(self.out, more.into())?;
            plies = Plies::at_most(plies.to_bits() + more);
        }
        self.out.write_all(&[EXPAND])?;
        if position.kind().goal() == self.value {
            let m = match chosen {
                Some(m) => m,
                None => self.winning_move(&mut position, plies)?,
            };
            write_number(self.out, P::encode_move(m) as u64)?;
            moves = vec![m];
        } else {
            moves.sort_unstable_by_key(|&m| P::encode_move(m));
        }
        if self.value == Value::Disproven {
            self.claim(&position, plies.to_bits().into());
        }
        self.positions += 1;
        self.levels.push(Level { position, moves, next: 0, rank: 0, plies });
        Ok(None)
    }

    /// Settles a position by a weakening that served before, if that leads to a position already
    /// written: what differs between two positions is often just what neither of them needs.
    fn known_when_weakened(&mut self, position: &P, plies: Plies) -> io::Result<Option<u64>> {
        for i in 0..self.hints.len() {
            let Some(weaker) = position.weakened(self.value, &self.hints[i]) else { continue };
            if let Some(rank) = self.lookup(&weaker, plies) {
                let hint = self.hints.remove(i).unwrap_or_default();
                self.write_weakening(&hint)?;
                self.hints.push_front(hint);
                self.out.write_all(&[KNOWN])?;
                return Ok(Some(rank));
            }
        }
        Ok(None)
    }

    fn write_weakening(&mut self, hint: &[u8]) -> io::Result<()> {
        self.out.write_all(&[WEAKEN])?;
        write_number(self.out, hint.len() as u64)?;
        self.out.write_all(hint)
    }

    /// A move of the holder that keeps the value: the quickest known in a proof, and in either case
    /// one of those that the game thinks worth searching.
    fn winning_move(&mut self, position: &mut P, plies: Plies) -> Result<P::Move, WriteError> {
        let left = plies.one_less();
        let mut list = std::mem::take(&mut self.list);
        list.moves.clear();
        position.prepare(&self.pulse)?;
        position.moves(&mut list, &mut Vec::new());
        let mut best: Option<(Plies, P::Move)> = None;
        for &(m, _) in &list.moves {
            let undo = position.play(m);
            let length = self.known_length(position, left);
            position.undo(m, undo);
            if let Some(length) = length? {
                if best.is_none_or(|(shortest, _)| length < shortest) {
                    best = Some((length, m));
                }
                if self.value == Value::Disproven || length == Plies::NONE {
                    break;
                }
            }
        }
        self.list = list;
        match best {
            Some((_, m)) => Ok(m),
            None => self.search_again(position, plies),
        }
    }

    /// Is this child known to keep the value within `plies`? In a proof: its length.
    fn known_length(&self, child: &mut P, plies: Plies) -> Result<Option<Plies>, Interrupted> {
        if let Some(value) = child.terminal() {
            return Ok((value == self.value).then_some(Plies::NONE));
        }
        if let Some(rank) = self.lookup(child, plies) {
            return Ok(Some(Plies::at_most(u16::try_from(rank).unwrap_or(u16::MAX))));
        }
        let known = known_in_time(child, self.table, plies, &self.pulse)?;
        let solved = known.solved().filter(|solved| solved.value == self.value);
        Ok(solved.map(|solved| solved.plies))
    }

    /// Searches a position of the holder again for the move that solves it.
    fn search_again(&mut self, position: &P, plies: Plies) -> Result<P::Move, WriteError> {
        // The table may know the position and yet no child of it; the search has to go beneath.
        self.agent.restart(position.clone(), plies);
        self.agent.open_root()?;
        match self.agent.run(u64::MAX) {
            Step::Stopped | Step::Budget => Err(WriteError::Stopped),
            Step::Solved => match (self.agent.result(), self.agent.best_move()) {
                (Some(solved), Some(m)) if solved.value == self.value => Ok(m),
                _ => Err(self.contradiction("a second search finds the opposite")),
            },
        }
    }

    fn claim(&mut self, position: &P, claim: u64) {
        self.known.push(position.key().0, (position.stock(), claim));
    }

    /// The rank of something written that answers for this position.
    fn lookup(&self, position: &P, plies: Plies) -> Option<u64> {
        let (key, stock) = (position.key().0, position.stock());
        let mut claims = self.known.of(&key);
        match self.value {
            Value::Proven => claims
                .filter(|&&(claimed, rank)| claimed.within(stock) && plies.allow(rank))
                .map(|&(_, rank)| rank)
                .min(),
            Value::Disproven => claims
                .any(|&(claimed, bound)| stock.within(claimed) && bound >= plies.to_bits().into())
                .then_some(0),
        }
    }

    fn contradiction(&self, what: &str) -> WriteError {
        let mut line = Vec::new();
        for level in &self.levels {
            if let Some(&m) = level.next.checked_sub(1).and_then(|i| level.moves.get(i)) {
                line.push(level.position.describe_move(m));
            }
        }
        WriteError::Contradiction(format!("{what} after: {}", line.join(" ")))
    }
}
