//! The checker: follows a certificate with the rules of the game, and nothing else.
//!
//! It reads the body once, from front to back, and keeps the positions on the current line and what
//! was claimed of each position so far. It uses no table, no hash key, no search and no heuristic:
//! positions are told apart by their exact [`Identity`](Rules::Identity).

use std::collections::HashMap;
use std::io::{self, Read};

use super::format::{CUT, END, EXPAND, KNOWN, OVER, WEAKEN, read_byte, read_number};
use crate::control::Stop;
use crate::mirror::Mirror;
use crate::plies::Plies;
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Rules, Stock, Value};
use crate::verdict::Claim;

/// A certificate was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Positions treated in full.
    pub positions: u64,
    /// The root's rank, if it is a proof (of the mirror image, where repetition favours the
    /// attacker).
    pub rank: Option<u64>,
}

/// A certificate was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The file ends too early.
    #[error("the certificate is truncated (after {0} positions)")]
    Truncated(u64),
    /// Something is wrong, at the end of this line of play.
    #[error("rejected after {positions} positions: {reason}; line of play: {line}")]
    Rejected {
        /// What is wrong.
        reason: Fault,
        /// Positions treated before it.
        positions: u64,
        /// The moves from the root.
        line: String,
    },
    /// The file could not be read.
    #[error("cannot read the certificate: {0}")]
    Io(io::Error),
    /// It was neither accepted nor rejected: the stop flag was raised, or the time was up.
    #[error("stopped while the certificate was being checked (after {0} positions)")]
    Stopped(u64),
}

/// What can be wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Fault {
    #[error("the game is not over here")]
    NotOver,
    #[error("the game is over here, and lost for the side the certificate speaks for")]
    Lost,
    #[error("the move is not legal")]
    IllegalMove,
    #[error(
        "the side to move has no move, so the position is lost for the side the certificate speaks for"
    )]
    NoMove,
    #[error("the rank does not exceed the ranks of the positions after it")]
    Rank,
    #[error("the position was not treated before, or not for so many plies")]
    NotKnown,
    #[error("the game does not allow this weakening")]
    Weakening,
    #[error("plies are left, or the attacker has won")]
    Cut,
    #[error("an unknown record")]
    Record,
    #[error("a number that does not fit")]
    Number,
    #[error("the solution is longer than claimed")]
    TooLong,
    #[error("the closing count is wrong, or something follows it")]
    End,
    #[error("a proof has no length where repetition favours the attacker")]
    Bound,
}

/// Checks the body of a certificate of this claim.
pub fn check<R: Rules>(claim: Claim<&R>, input: &mut dyn Read) -> Result<Checked, CheckError> {
    check_within(claim, &Pulse::new(Stop::new()), input)
}

/// The same, until the pulse's flag is raised or its time is up: then the error is
/// [`CheckError::Stopped`].
pub fn check_within<R: Rules>(
    claim: Claim<&R>,
    pulse: &Pulse,
    input: &mut dyn Read,
) -> Result<Checked, CheckError> {
    let Claim { problem: root, value, plies } = claim;
    if R::REPETITION_MAY_FAVOUR_ATTACKER && root.repetition() == Repetition::FavoursAttacker {
        let checker = Checker::new(value.other(), plies, pulse);
        // "Not refuted within so many plies" is not what a proof claims.
        if value == Value::Proven && plies.is_bounded() {
            return Err(checker.rejected(Fault::Bound));
        }
        checker.run(Mirror(root.clone()), input)
    } else {
        Checker::new(value, plies, pulse).run(root.clone(), input)
    }
}

/// A position on the current line whose children are being read.
struct Level<R: Rules> {
    position: R,
    /// The moves to treat: one at the holder's turn, all at the other side's.
    moves: Vec<R::Move>,
    next: usize,
    /// The largest rank among the children so far, plus 1.
    rank: u64,
    /// A disproof: plies left for the attacker.
    plies: Plies,
}

struct Checker<'a, R: Rules> {
    value: Value,
    plies: Plies,
    pulse: &'a Pulse,
    levels: Vec<Level<R>>,
    /// What is claimed of each board: for a proof its rank, for a disproof the plies.
    known: HashMap<R::Identity, Vec<(R::Stock, u64)>>,
    positions: u64,
}

impl<'a, R: Rules> Checker<'a, R> {
    fn new(value: Value, plies: Plies, pulse: &'a Pulse) -> Self {
        Checker { value, plies, pulse, levels: Vec::new(), known: HashMap::new(), positions: 0 }
    }

    fn run(mut self, root: R, input: &mut dyn Read) -> Result<Checked, CheckError> {
        let mut rank = self.record(root, self.plies, input)?;
        while let Some(level) = self.levels.last_mut() {
            if let Some(settled) = rank {
                level.rank = level.rank.max(settled + 1);
            }
            if let Some(&m) = level.moves.get(level.next) {
                level.next += 1;
                let plies = level.plies.one_less();
                let mut child = level.position.clone();
                child.play(m);
                rank = self.record(child, plies, input)?;
            } else {
                rank = Some(self.complete(input)?);
            }
        }
        let rank = rank.filter(|_| self.value == Value::Proven);
        if rank.is_some_and(|rank| !self.plies.allow(rank)) {
            return Err(self.rejected(Fault::TooLong));
        }
        let end = self.byte(input)?;
        let count = self.number(input)?;
        if end != END
            || count != self.positions
            || input.read(&mut [0]).map_err(CheckError::Io)? != 0
        {
            return Err(self.rejected(Fault::End));
        }
        Ok(Checked { positions: self.positions, rank })
    }

    /// Reads the record of a position. Gives its rank if that settles it; else the position was
    /// pushed and its children follow.
    fn record(
        &mut self,
        mut position: R,
        plies: Plies,
        input: &mut dyn Read,
    ) -> Result<Option<u64>, CheckError> {
        loop {
            self.pulse.tick().map_err(|Interrupted| CheckError::Stopped(self.positions))?;
            match self.byte(input)? {
                OVER if position.terminal() == Some(self.value) => return Ok(Some(0)),
                OVER => return Err(self.rejected(Fault::NotOver)),
                KNOWN => match self.lookup(&position, plies) {
                    Some(rank) => return Ok(Some(rank)),
                    None => return Err(self.rejected(Fault::NotKnown)),
                },
                CUT if plies == Plies::NONE
                    && self.value == Value::Disproven
                    && not_won(&position) =>
                {
                    return Ok(Some(0));
                }
                CUT => return Err(self.rejected(Fault::Cut)),
                WEAKEN => {
                    let length = self.number(input)?;
                    if length > 1 << 16 {
                        return Err(self.rejected(Fault::Number));
                    }
                    let mut hint = vec![0; length as usize];
                    input.read_exact(&mut hint).map_err(|error| self.io(error))?;
                    position = match position.weakened(self.value, &hint) {
                        Some(weaker) => weaker,
                        None => return Err(self.rejected(Fault::Weakening)),
                    };
                }
                EXPAND => return self.expand(position, plies, input).map(|()| None),
                _ => return Err(self.rejected(Fault::Record)),
            }
        }
    }

    fn expand(
        &mut self,
        position: R,
        plies: Plies,
        input: &mut dyn Read,
    ) -> Result<(), CheckError> {
        if position.terminal().is_some() {
            return Err(self.rejected(Fault::Lost));
        }
        if plies == Plies::NONE && self.value == Value::Disproven {
            return Err(self.rejected(Fault::Cut));
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if position.kind().goal() == self.value {
            if moves.is_empty() {
                return Err(self.rejected(Fault::NoMove));
            }
            let code = self.number(input)?;
            moves.retain(|&m| R::encode_move(m) as u64 == code);
            if moves.len() != 1 {
                return Err(self.rejected(Fault::IllegalMove));
            }
        }
        if self.value == Value::Disproven {
            self.claim(&position, plies.to_bits().into());
        }
        self.positions += 1;
        self.levels.push(Level { position, moves, next: 0, rank: 0, plies });
        Ok(())
    }

    /// All children of the top position are settled: reads its rank, if this is a proof.
    fn complete(&mut self, input: &mut dyn Read) -> Result<u64, CheckError> {
        let rank = if self.value == Value::Proven { self.number(input)? } else { 0 };
        let least = self.levels.last().map_or(0, |level| level.rank);
        if self.value == Value::Proven && rank < least {
            return Err(self.rejected(Fault::Rank));
        }
        if let Some(level) = self.levels.pop()
            && self.value == Value::Proven
        {
            self.claim(&level.position, rank);
        }
        Ok(rank)
    }

    fn claim(&mut self, position: &R, claim: u64) {
        self.known.entry(position.identity()).or_default().push((position.stock(), claim));
    }

    /// The rank of a claim that answers for this position, 0 in a disproof.
    fn lookup(&self, position: &R, plies: Plies) -> Option<u64> {
        let stock = position.stock();
        let claims = self.known.get(&position.identity())?.iter();
        match self.value {
            Value::Proven => {
                claims.filter(|(claimed, _)| claimed.within(stock)).map(|&(_, rank)| rank).min()
            }
            Value::Disproven => claims
                .filter(|&&(claimed, bound)| {
                    stock.within(claimed) && bound >= plies.to_bits().into()
                })
                .map(|_| 0)
                .next(),
        }
    }

    fn byte(&self, input: &mut dyn Read) -> Result<u8, CheckError> {
        read_byte(input).map_err(|error| self.io(error))
    }

    fn number(&self, input: &mut dyn Read) -> Result<u64, CheckError> {
        let number = read_number(input).map_err(|error| self.io(error))?;
        number.ok_or_else(|| self.rejected(Fault::Number))
    }

    fn io(&self, error: io::Error) -> CheckError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckError::Truncated(self.positions),
            _ => CheckError::Io(error),
        }
    }

    fn rejected(&self, reason: Fault) -> CheckError {
        let mut line: Vec<String> = Vec::new();
        for level in &self.levels {
            if let Some(&m) = level.next.checked_sub(1).and_then(|i| level.moves.get(i)) {
                line.push(level.position.describe_move(m));
            }
        }
        let line = if line.is_empty() { "(the root)".to_owned() } else { line.join(" ") };
        CheckError::Rejected { reason, positions: self.positions, line }
    }
}

/// Has the attacker not won here already?
fn not_won<R: Rules>(position: &R) -> bool {
    match position.terminal() {
        Some(value) => value == Value::Disproven,
        None if position.kind() == NodeKind::Or => true,
        None => {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            !moves.is_empty()
        }
    }
}
