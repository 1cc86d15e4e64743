//! The checker: follows a certificate with the rules of the game, and nothing else.
//!
//! It reads the body once, from front to back, and keeps the positions on the current line and what
//! was claimed of each position so far. It uses no table, no hash key, no search and no heuristic:
//! positions are told apart by their exact [`Identity`](Rules::Identity).

use std::io::{self, Read};

use super::claims::{Chains, Said, Weakenings};
use super::format::{CUT, END, EXPAND, KNOWN, OVER, RAISE, WEAKEN, read_byte, read_number};
use crate::control::Stop;
use crate::mirror::Mirror;
use crate::plies::Plies;
use crate::problem::answers;
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Repetition, Rules, Value};
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
    #[error("more plies are claimed where none are counted, or more than can be counted")]
    Raise,
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
    let checked = if is_mirrored(root) {
        mirrored_checker(value, plies, pulse)?.run(Mirror(root.clone()), input)?.checked
    } else {
        Checker::new(value, plies, pulse).run(root.clone(), input)?.checked
    };
    Ok(checked)
}

/// The same, and gives all that the certificate says.
pub(super) fn read<R: Rules>(
    claim: Claim<&R>,
    pulse: &Pulse,
    input: &mut dyn Read,
) -> Result<Accepted<R>, CheckError> {
    let Claim { problem: root, value, plies } = claim;
    if is_mirrored(root) {
        let checker = mirrored_checker(value, plies, pulse)?.keeping_weakenings();
        let Accepted { checked, claims, weakenings } = checker.run(Mirror(root.clone()), input)?;
        Ok(Accepted { checked, claims: claims.unmirrored(), weakenings })
    } else {
        Checker::new(value, plies, pulse).keeping_weakenings().run(root.clone(), input)
    }
}

/// Is a certificate of this problem one of its mirror image?
pub(super) fn is_mirrored<R: Rules>(root: &R) -> bool {
    R::REPETITION_MAY_FAVOUR_ATTACKER && root.repetition() == Repetition::FavoursAttacker
}

fn mirrored_checker<R: Rules>(
    value: Value,
    plies: Plies,
    pulse: &Pulse,
) -> Result<Checker<'_, Mirror<R>>, CheckError> {
    let checker = Checker::new(value.other(), plies, pulse);
    // "Not refuted within so many plies" is not what a proof claims.
    if value == Value::Proven && plies.is_bounded() {
        return Err(checker.rejected(Fault::Bound));
    }
    Ok(checker)
}

/// A certificate that was accepted, with what it says.
pub(super) struct Accepted<R: Rules> {
    pub checked: Checked,
    /// The positions treated in full.
    pub claims: Chains<R::Identity, Said<R::Stock>>,
    /// Those that were weakened, if they were to be kept.
    pub weakenings: Option<Weakenings<R::Identity>>,
}

/// How a position was settled. In a disproof neither number means anything.
#[derive(Clone, Copy)]
struct Settled {
    rank: u64,
    /// The plies of the longest defence.
    length: u32,
}

impl Settled {
    const AT_ONCE: Settled = Settled { rank: 0, length: 0 };
}

/// A position on the current line whose children are being read.
struct Level<R: Rules> {
    position: R,
    /// The moves to treat: one at the holder's turn, all at the other side's.
    moves: Vec<R::Move>,
    next: usize,
    /// The largest rank among the children so far, plus 1, and the same of their lengths.
    least: Settled,
    /// A disproof: plies left for the attacker.
    plies: Plies,
}

struct Checker<'a, R: Rules> {
    value: Value,
    plies: Plies,
    pulse: &'a Pulse,
    levels: Vec<Level<R>>,
    claims: Chains<R::Identity, Said<R::Stock>>,
    weakenings: Option<Weakenings<R::Identity>>,
    positions: u64,
}

impl<'a, R: Rules> Checker<'a, R> {
    fn new(value: Value, plies: Plies, pulse: &'a Pulse) -> Self {
        let (levels, claims) = (Vec::new(), Chains::default());
        Checker { value, plies, pulse, levels, claims, weakenings: None, positions: 0 }
    }

    fn keeping_weakenings(mut self) -> Self {
        self.weakenings = Some(Weakenings::default());
        self
    }

    fn run(mut self, root: R, input: &mut dyn Read) -> Result<Accepted<R>, CheckError> {
        let mut settled = self.record(root, self.plies, input)?;
        while let Some(level) = self.levels.last_mut() {
            if let Some(Settled { rank, length }) = settled {
                level.least.rank = level.least.rank.max(rank + 1);
                level.least.length = level.least.length.max(length.saturating_add(1));
            }
            if let Some(&m) = level.moves.get(level.next) {
                level.next += 1;
                let plies = level.plies.one_less();
                let mut child = level.position.clone();
                child.play(m);
                settled = self.record(child, plies, input)?;
            } else {
                settled = Some(self.complete(input)?);
            }
        }
        let rank = settled.map(|settled| settled.rank).filter(|_| self.value == Value::Proven);
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
        let checked = Checked { positions: self.positions, rank };
        Ok(Accepted { checked, claims: self.claims, weakenings: self.weakenings })
    }

    /// Reads the record of a position. Says how that settles it, if it does; else the position was
    /// pushed and its children follow.
    fn record(
        &mut self,
        mut position: R,
        plies: Plies,
        input: &mut dyn Read,
    ) -> Result<Option<Settled>, CheckError> {
        let mut kind = self.kind(input)?;
        if kind == WEAKEN {
            (position, kind) = self.weaken(position, input)?;
        }
        match kind {
            OVER if position.terminal() == Some(self.value) => Ok(Some(Settled::AT_ONCE)),
            OVER => Err(self.rejected(Fault::NotOver)),
            KNOWN => match self.lookup(&position, plies) {
                Some(settled) => Ok(Some(settled)),
                None => Err(self.rejected(Fault::NotKnown)),
            },
            CUT if plies == Plies::NONE && self.value == Value::Disproven && not_won(&position) => {
                Ok(Some(Settled::AT_ONCE))
            }
            CUT => Err(self.rejected(Fault::Cut)),
            EXPAND => self.expand(position, plies, input).map(|()| None),
            RAISE => {
                let plies = self.raise(plies, input)?;
                match self.kind(input)? {
                    EXPAND => self.expand(position, plies, input).map(|()| None),
                    _ => Err(self.rejected(Fault::Record)),
                }
            }
            _ => Err(self.rejected(Fault::Record)),
        }
    }

    /// The first byte of a record.
    fn kind(&self, input: &mut dyn Read) -> Result<u8, CheckError> {
        self.pulse.tick().map_err(|Interrupted| CheckError::Stopped(self.positions))?;
        self.byte(input)
    }

    /// Reads how a position is weakened, once or more often. Gives the position that the record is
    /// about, and the kind of the record.
    fn weaken(&mut self, position: R, input: &mut dyn Read) -> Result<(R, u8), CheckError> {
        let (mut weaker, mut hints) = (position.clone(), Vec::new());
        loop {
            let length = self.number(input)?;
            if length > 1 << 16 {
                return Err(self.rejected(Fault::Number));
            }
            let mut hint = vec![0; length as usize];
            input.read_exact(&mut hint).map_err(|error| self.io(error))?;
            weaker = match weaker.weakened(self.value, &hint) {
                Some(weaker) => weaker,
                None => return Err(self.rejected(Fault::Weakening)),
            };
            if self.weakenings.is_some() {
                hints.push(hint.into_boxed_slice());
            }
            let kind = self.kind(input)?;
            if kind != WEAKEN {
                if let Some(weakenings) = &mut self.weakenings {
                    weakenings.push(position.identity(), hints);
                }
                return Ok((weaker, kind));
            }
        }
    }

    /// Reads for how many plies more than were asked for a position is treated. (That is a claim like
    /// any other: all that follows from it is read, and checked for as many plies.)
    fn raise(&self, plies: Plies, input: &mut dyn Read) -> Result<Plies, CheckError> {
        let more = self.number(input)?;
        let bounded = plies.bounded().filter(|_| self.value == Value::Disproven);
        bounded
            .and_then(|plies| u16::try_from(more).ok()?.checked_add(plies))
            .map(Plies::at_most)
            .filter(|plies| plies.is_bounded())
            .ok_or_else(|| self.rejected(Fault::Raise))
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
        let level = Level { position, moves, next: 0, least: Settled::AT_ONCE, plies };
        if self.value == Value::Disproven {
            self.claim(&level, plies.to_bits().into());
        }
        self.positions += 1;
        self.levels.push(level);
        Ok(())
    }

    /// All children of the top position are settled: reads its rank, if this is a proof.
    fn complete(&mut self, input: &mut dyn Read) -> Result<Settled, CheckError> {
        let rank = if self.value == Value::Proven { self.number(input)? } else { 0 };
        let least = self.levels.last().map_or(Settled::AT_ONCE, |level| level.least);
        if self.value == Value::Proven && rank < least.rank {
            return Err(self.rejected(Fault::Rank));
        }
        if let Some(level) = self.levels.pop()
            && self.value == Value::Proven
        {
            self.claim(&level, rank);
        }
        Ok(Settled { rank, length: least.length })
    }

    /// Remembers what is claimed of a position: in a proof its rank, in a disproof the plies.
    fn claim(&mut self, level: &Level<R>, claim: u64) {
        let Level { position, moves, least, .. } = level;
        let chosen = moves.first().map_or(0, |&m| R::encode_move(m));
        let said = Said { stock: position.stock(), claim, length: least.length, chosen };
        self.claims.push(position.identity(), said);
    }

    /// How claims that answer for this position settle it.
    fn lookup(&self, position: &R, plies: Plies) -> Option<Settled> {
        let (board, stock) = (position.identity(), position.stock());
        let claims = self.claims.of(&board).filter(|said| answers(self.value, said.stock, stock));
        match self.value {
            Value::Proven => {
                claims.map(|said| Settled { rank: said.claim, length: said.length }).reduce(
                    |a, b| Settled { rank: a.rank.min(b.rank), length: a.length.min(b.length) },
                )
            }
            Value::Disproven => {
                let mut claims = claims.map(|said| said.claim);
                claims.any(|bound| bound >= plies.to_bits().into()).then_some(Settled::AT_ONCE)
            }
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
pub(super) fn not_won<R: Rules>(position: &R) -> bool {
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
