//! The checker: follows a certificate with the rules of the game, and nothing else.
//!
//! It reads the body once, from front to back, and keeps the positions on the current line and what
//! was claimed of each position so far. It uses no table, no hash key, no search and no heuristic:
//! positions are told apart by their exact [`Identity`](Rules::Identity).
//!
//! Certificates come from strangers, so a checker has to be able to give up. [`Checking::run`] can be
//! interrupted between any two records and goes on where it was. Memory is counted, and bounded if
//! asked; where the length of the body is known, a record that opens more children than the rest of
//! the body has bytes is refused at once, so that a deep line costs no more than its file.

use std::io::{self, Read};

use super::claims::{Bytes, Chains, Hint, Said, Weakenings, hint_bytes, vec_bytes};
use super::format::{CUT, END, EXPAND, Format, KNOWN, OVER, RAISE, WEAKEN, read_byte, read_number};
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
    /// It was neither accepted nor rejected: to go on may take more memory than is allowed.
    #[error(
        "to check the certificate takes more than {} MiB of memory (after {positions} positions)",
        limit >> 20
    )]
    Memory {
        /// Bytes that are allowed.
        limit: usize,
        /// Positions treated before it.
        positions: u64,
    },
}

impl CheckError {
    /// Is the certificate wrong? Else nobody knows: it could not be read, or not to its end.
    pub fn is_rejection(&self) -> bool {
        matches!(self, CheckError::Truncated(_) | CheckError::Rejected { .. })
    }
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

/// Checks the body of a certificate of this claim, in the [format](Format) that is written today.
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
    Checking::new(claim, Format::LATEST)?.run(pulse, input)
}

/// Is a certificate of this problem one of its mirror image?
fn is_mirrored<R: Rules>(root: &R) -> bool {
    R::REPETITION_MAY_FAVOUR_ATTACKER && root.repetition() == Repetition::FavoursAttacker
}

/// The body of a certificate that is being checked. It can be interrupted, and goes on where it was.
pub struct Checking<R: Rules> {
    claim: Claim<R>,
    side: Side<R>,
}

/// Whose roles the certificate has.
enum Side<R: Rules> {
    Own(Checker<R>),
    Mirrored(Checker<Mirror<R>>),
}

impl<R: Rules> Checking<R> {
    /// Nothing is read yet.
    pub fn new(claim: Claim<&R>, format: Format) -> Result<Checking<R>, CheckError> {
        let Claim { problem: root, value, plies } = claim;
        let side = if is_mirrored(root) {
            let checker = Checker::new(Mirror(root.clone()), value.other(), plies, format);
            // "Not refuted within so many plies" is not what a proof claims.
            if value == Value::Proven && plies.is_bounded() {
                return Err(checker.rejected(Fault::Bound));
            }
            Side::Mirrored(checker)
        } else {
            Side::Own(Checker::new(root.clone(), value, plies, format))
        };
        Ok(Checking { claim: claim.about(root.clone()), side })
    }

    /// Keeps what is needed to open the certificate, too.
    pub fn keeping_all(mut self) -> Self {
        match &mut self.side {
            Side::Own(checker) => checker.weakenings = Some(Weakenings::default()),
            Side::Mirrored(checker) => checker.weakenings = Some(Weakenings::default()),
        }
        self
    }

    /// The body has so many bytes.
    pub fn with_length(mut self, bytes: u64) -> Self {
        match &mut self.side {
            Side::Own(checker) => checker.length = Some(bytes),
            Side::Mirrored(checker) => checker.length = Some(bytes),
        }
        self
    }

    /// May take about so many bytes of memory.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        match &mut self.side {
            Side::Own(checker) => checker.memory = bytes,
            Side::Mirrored(checker) => checker.memory = bytes,
        }
        self
    }

    /// Reads on, until the body is accepted or rejected, or the pulse says that it is enough. After
    /// [`CheckError::Stopped`] it can be called again and goes on where it was; after any other error
    /// it cannot.
    pub fn run(&mut self, pulse: &Pulse, input: &mut dyn Read) -> Result<Checked, CheckError> {
        match &mut self.side {
            Side::Own(checker) => checker.run(pulse, input),
            Side::Mirrored(checker) => checker.run(pulse, input),
        }
    }

    /// Bytes of memory that it takes now.
    pub fn bytes(&self) -> usize {
        match &self.side {
            Side::Own(checker) => checker.bytes().now,
            Side::Mirrored(checker) => checker.bytes().now,
        }
    }

    /// What it says, of which claim, if it was accepted; and whether its claims have lengths, as those of a
    /// proof do.
    pub(super) fn into_accepted(self) -> Option<(Claim<R>, bool, Accepted<R>)> {
        let Checking { claim, side } = self;
        let (value, accepted) = match side {
            Side::Own(checker) => (claim.value, checker.accepted()?),
            Side::Mirrored(checker) => {
                let Accepted { checked, claims, weakenings } = checker.accepted()?;
                let claims = claims.unmirrored();
                (claim.value.other(), Accepted { checked, claims, weakenings })
            }
        };
        Some((claim, value == Value::Proven, accepted))
    }
}

/// A certificate that was accepted, with what it says.
pub(super) struct Accepted<R: Rules> {
    pub checked: Checked,
    /// The positions treated in full.
    pub claims: Chains<R::Identity, Said<R::Stock>>,
    /// Those that were weakened.
    pub weakenings: Weakenings<R::Identity>,
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

/// A position whose record is to be read next.
struct Due<R: Rules> {
    position: R,
    /// A disproof: plies left for the attacker.
    plies: Plies,
    /// What was weakened to get to the position, and by which hints.
    weakened: Option<(R::Identity, Vec<Hint>)>,
}

/// A position on the current line whose children are being read.
struct Level<R: Rules> {
    position: R,
    /// Where its moves begin in the checker's list of moves, and which is to be treated next: one move at
    /// the holder's turn, all at the other side's.
    first: usize,
    next: usize,
    /// The largest rank among the children so far, plus 1, and the same of their lengths.
    least: Settled,
    /// A disproof: plies left for the attacker.
    plies: Plies,
}

struct Checker<R: Rules> {
    value: Value,
    plies: Plies,
    format: Format,
    due: Option<Due<R>>,
    levels: Vec<Level<R>>,
    /// The moves of all levels, one after the other.
    moves: Vec<R::Move>,
    /// How the root was settled, when it is.
    root: Option<Settled>,
    claims: Chains<R::Identity, Said<R::Stock>>,
    weakenings: Option<Weakenings<R::Identity>>,
    positions: u64,
    /// Bytes of the body, if known; those that were read, and those that must follow at the least: one
    /// for each record that is still to come and each rank, two for the end.
    length: Option<u64>,
    read: u64,
    owed: u64,
    /// Bytes of the hints of the position that is due.
    hints: usize,
    /// Bytes of memory that it may take.
    memory: usize,
    accepted: Option<Checked>,
}

impl<R: Rules> Checker<R> {
    fn new(root: R, value: Value, plies: Plies, format: Format) -> Self {
        Checker {
            value,
            plies,
            format,
            due: Some(Due { position: root, plies, weakened: None }),
            levels: Vec::new(),
            moves: Vec::new(),
            root: None,
            claims: Chains::default(),
            weakenings: None,
            positions: 0,
            length: None,
            read: 0,
            owed: 1 + 2,
            hints: 0,
            memory: usize::MAX,
            accepted: None,
        }
    }

    fn run(&mut self, pulse: &Pulse, input: &mut dyn Read) -> Result<Checked, CheckError> {
        if let Some(checked) = self.accepted {
            return Ok(checked);
        }
        while self.root.is_none() {
            pulse.tick().map_err(|Interrupted| CheckError::Stopped(self.positions))?;
            self.fits()?;
            let settled = match self.due.take() {
                Some(due) => self.record(due, input)?,
                None => self.go_on(input)?,
            };
            let Some(settled) = settled else { continue };
            match self.levels.last_mut() {
                Some(Level { least, .. }) => {
                    least.rank = least.rank.max(settled.rank + 1);
                    least.length = least.length.max(settled.length.saturating_add(1));
                }
                None => self.root = Some(settled),
            }
        }
        let rank = self.root.map(|root| root.rank).filter(|_| self.value == Value::Proven);
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
        self.accepted = Some(checked);
        Ok(checked)
    }

    fn accepted(self) -> Option<Accepted<R>> {
        let weakenings = self.weakenings.unwrap_or_default();
        Some(Accepted { checked: self.accepted?, claims: self.claims, weakenings })
    }

    /// Turns to the next move of the top position, or completes it if there is none.
    fn go_on(&mut self, input: &mut dyn Read) -> Result<Option<Settled>, CheckError> {
        let Some(level) = self.levels.last_mut() else { return Ok(None) };
        let Some(&m) = self.moves.get(level.next) else { return self.complete(input).map(Some) };
        level.next += 1;
        let mut position = level.position.clone();
        position.play(m);
        self.due = Some(Due { position, plies: level.plies.one_less(), weakened: None });
        Ok(None)
    }

    /// Reads the record of a position. Says how that settles it, if it does; else it is due again,
    /// weakened, or was pushed and its children follow.
    fn record(&mut self, due: Due<R>, input: &mut dyn Read) -> Result<Option<Settled>, CheckError> {
        let kind = self.byte(input)?;
        if kind == WEAKEN {
            self.weaken(due, input)?;
            return Ok(None);
        }
        self.owed -= 1;
        let Due { position, plies, weakened } = due;
        if let (Some(weakenings), Some((board, hints))) = (&mut self.weakenings, weakened) {
            weakenings.push(board, hints);
            self.hints = 0;
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
            RAISE if self.format >= Format::Raising => {
                let plies = self.raise(plies, input)?;
                match self.byte(input)? {
                    EXPAND => self.expand(position, plies, input).map(|()| None),
                    _ => Err(self.rejected(Fault::Record)),
                }
            }
            _ => Err(self.rejected(Fault::Record)),
        }
    }

    /// Reads how a position is weakened. The record of the position that comes of it is due.
    fn weaken(&mut self, due: Due<R>, input: &mut dyn Read) -> Result<(), CheckError> {
        let length = self.number(input)?;
        if length > 1 << 16 {
            return Err(self.rejected(Fault::Number));
        }
        let mut hint = vec![0; length as usize];
        input.read_exact(&mut hint).map_err(|error| self.io(error))?;
        self.read += length;
        let Due { position, plies, mut weakened } = due;
        let Some(weaker) = position.weakened(self.value, &hint) else {
            return Err(self.rejected(Fault::Weakening));
        };
        if self.weakenings.is_some() {
            let (_, hints) = weakened.get_or_insert_with(|| (position.identity(), Vec::new()));
            self.hints += hint_bytes(&hint);
            hints.push(hint.into_boxed_slice());
        }
        self.due = Some(Due { position: weaker, plies, weakened });
        Ok(())
    }

    /// Reads for how many plies more than were asked for a position is treated. (That is a claim like
    /// any other: all that follows from it is read, and checked for as many plies.)
    fn raise(&mut self, plies: Plies, input: &mut dyn Read) -> Result<Plies, CheckError> {
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
        let first = self.moves.len();
        position.legal_moves(&mut self.moves);
        let mut chosen = 0;
        if position.kind().goal() == self.value {
            if self.moves.len() == first {
                return Err(self.rejected(Fault::NoMove));
            }
            let code = self.number(input)?;
            let fits = |&m: &R::Move| u64::from(R::encode_move(m)) == code;
            let mut fitting = self.moves.drain(first..).filter(fits);
            let (Some(m), None) = (fitting.next(), fitting.next()) else {
                drop(fitting);
                return Err(self.rejected(Fault::IllegalMove));
            };
            drop(fitting);
            chosen = R::encode_move(m);
            self.moves.push(m);
        } else if self.format >= Format::Sorted
            && let Some(moves) = self.moves.get_mut(first..)
        {
            moves.sort_unstable_by_key(|&m| R::encode_move(m));
        }
        self.owed += (self.moves.len() - first) as u64;
        match self.value {
            Value::Proven => self.owed += 1,
            Value::Disproven => {
                self.claim(&position, plies.to_bits().into(), 0, chosen);
            }
        }
        self.positions += 1;
        self.levels.push(Level { position, first, next: first, least: Settled::AT_ONCE, plies });
        if self.length.is_some_and(|length| self.read + self.owed > length) {
            return Err(CheckError::Truncated(self.positions));
        }
        Ok(())
    }

    /// All children of the top position are settled: reads its rank, if this is a proof.
    fn complete(&mut self, input: &mut dyn Read) -> Result<Settled, CheckError> {
        let least = self.levels.last().map_or(Settled::AT_ONCE, |level| level.least);
        let mut rank = 0;
        if self.value == Value::Proven {
            rank = self.number(input)?;
            self.owed -= 1;
            if rank < least.rank {
                return Err(self.rejected(Fault::Rank));
            }
        }
        if let Some(Level { position, first, .. }) = self.levels.pop() {
            let chosen = self.moves.get(first).map_or(0, |&m| R::encode_move(m));
            self.moves.truncate(first);
            if self.value == Value::Proven {
                self.claim(&position, rank, least.length, chosen);
            }
        }
        Ok(Settled { rank, length: least.length })
    }

    /// Remembers what is claimed of a position: in a proof its rank, in a disproof the plies.
    fn claim(&mut self, position: &R, claim: u64, length: u32, chosen: u32) {
        let said = Said { stock: position.stock(), claim, length, chosen };
        self.claims.claim(self.value, position.identity(), said);
    }

    /// How claims that answer for this position settle it.
    fn lookup(&self, position: &R, plies: Plies) -> Option<Settled> {
        let (board, stock) = (position.identity(), position.stock());
        let mut claims =
            self.claims.of(&board).filter(|said| answers(self.value, said.stock, stock));
        match self.value {
            Value::Proven => {
                claims.map(|said| Settled { rank: said.claim, length: said.length }).reduce(
                    |a, b| Settled { rank: a.rank.min(b.rank), length: a.length.min(b.length) },
                )
            }
            Value::Disproven => {
                claims.any(|said| said.claim >= plies.to_bits().into()).then_some(Settled::AT_ONCE)
            }
        }
    }

    /// Is what it takes, and would take for a moment to grow, within the memory that is allowed?
    fn fits(&self) -> Result<(), CheckError> {
        let (limit, positions) = (self.memory, self.positions);
        match self.bytes().peak > limit {
            true => Err(CheckError::Memory { limit, positions }),
            false => Ok(()),
        }
    }

    fn bytes(&self) -> Bytes {
        let hints = Bytes { now: self.hints, peak: self.hints };
        let line = vec_bytes(&self.levels) + vec_bytes(&self.moves);
        let bytes = hints + line + self.claims.bytes();
        match &self.weakenings {
            Some(weakenings) => bytes + weakenings.bytes(),
            None => bytes,
        }
    }

    fn byte(&mut self, input: &mut dyn Read) -> Result<u8, CheckError> {
        self.read += 1;
        read_byte(input).map_err(|error| self.io(error))
    }

    fn number(&mut self, input: &mut dyn Read) -> Result<u64, CheckError> {
        let number = read_number(input).map_err(|error| self.io(error))?;
        let (number, bytes) = number.ok_or_else(|| self.rejected(Fault::Number))?;
        self.read += bytes;
        Ok(number)
    }

    fn io(&self, error: io::Error) -> CheckError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => CheckError::Truncated(self.positions),
            _ => CheckError::Io(error),
        }
    }

    fn rejected(&self, reason: Fault) -> CheckError {
        /// A longer line is cut in the middle.
        const SHOWN: usize = 100;
        let played: Vec<(&R, R::Move)> = self
            .levels
            .iter()
            .filter(|level| level.next > level.first)
            .filter_map(|level| Some((&level.position, *self.moves.get(level.next - 1)?)))
            .collect();
        let name = |&(position, m): &(&R, R::Move)| position.describe_move(m);
        let names = |part: &[(&R, R::Move)]| part.iter().map(name).collect::<Vec<_>>().join(" ");
        let line = match played.len() {
            0 => "(the root)".to_owned(),
            1..=SHOWN => names(&played),
            count => {
                let (first, last) = (&played[..SHOWN / 2], &played[count - SHOWN / 2..]);
                format!("{} … {}", names(first), names(last))
            }
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every move of the defender, of whom there are many, leads to one position, and that is won.
    #[derive(Clone)]
    struct Star {
        moves: u32,
        depth: u8,
    }

    impl Rules for Star {
        type Move = u32;
        type Undo = ();
        type Stock = ();
        type Identity = u8;

        fn kind(&self) -> NodeKind {
            if self.depth == 0 { NodeKind::And } else { NodeKind::Or }
        }
        fn repetition(&self) -> Repetition {
            Repetition::FavoursDefender
        }
        fn terminal(&self) -> Option<Value> {
            (self.depth == 2).then_some(Value::Proven)
        }
        fn legal_moves(&self, moves: &mut Vec<u32>) {
            moves.extend(0..if self.depth == 0 { self.moves } else { 1 });
        }
        fn play(&mut self, _: u32) {
            self.depth += 1;
        }
        fn undo(&mut self, _: u32, (): ()) {
            self.depth -= 1;
        }
        fn identity(&self) -> u8 {
            self.depth
        }
        fn stock(&self) {}
        fn encode_move(m: u32) -> u32 {
            m
        }
        fn describe_move(&self, m: u32) -> String {
            m.to_string()
        }
    }

    /// A certificate that treats the one position again and again, `treated` times, and then says as often
    /// that it is known.
    fn repeating(treated: u32) -> (Star, Vec<u8>) {
        let mut body = vec![EXPAND];
        for _ in 0..treated {
            body.extend([EXPAND, 0, OVER, 1]);
        }
        body.extend(vec![KNOWN; treated as usize]);
        body.extend([2, END]);
        super::super::format::write_number(&mut body, u64::from(treated) + 1).expect("in memory");
        (Star { moves: 2 * treated, depth: 0 }, body)
    }

    fn checking(star: &Star) -> Checking<Star> {
        let claim = Claim::new(star, Value::Proven, Plies::UNBOUNDED);
        Checking::new(claim, Format::LATEST).expect("nothing is read yet")
    }

    fn endless() -> Pulse {
        Pulse::new(Stop::new())
    }

    #[test]
    fn a_claim_that_is_repeated_is_kept_once() {
        let looked_at = |treated| {
            let (star, body) = repeating(treated);
            let mut checking = checking(&star);
            checking.run(&endless(), &mut body.as_slice()).expect("it is a certificate");
            let Side::Own(checker) = &checking.side else { panic!("nothing is mirrored") };
            checker.claims.looked_at.get()
        };
        assert_eq!(looked_at(10), 19, "nine claims after the first, and ten that are known");
        assert_eq!(looked_at(10_000), 19_999);
    }

    #[test]
    fn what_the_rest_cannot_complete_is_refused_before_it_is_read() {
        let (star, body) = repeating(1_000);
        for length in [0, 1_000, 2_003] {
            let mut checking = checking(&star).with_length(length);
            let mut unread = body.as_slice();
            let checked = checking.run(&endless(), &mut unread);
            assert!(matches!(checked, Err(CheckError::Truncated(1))), "{length}: {checked:?}");
            assert_eq!(body.len() - unread.len(), 1, "only the first record");
        }
        let mut whole = checking(&star).with_length(body.len() as u64);
        assert!(whole.run(&endless(), &mut body.as_slice()).is_ok());
    }

    #[test]
    fn memory_is_bounded_and_more_of_it_lets_it_go_on() {
        let (star, body) = repeating(100_000);
        let mut checking = checking(&star).with_memory(100_000);
        let mut unread = body.as_slice();
        let refused = checking.run(&endless(), &mut unread);
        assert!(matches!(refused, Err(CheckError::Memory { limit: 100_000, .. })), "{refused:?}");
        assert!(checking.bytes() > 100_000, "its moves are many");
        let mut checking = checking.with_memory(10_000_000);
        assert!(checking.run(&endless(), &mut unread).is_ok());
    }
}
