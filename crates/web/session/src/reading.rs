//! A certificate that is being checked or opened, in slices.

use std::io::Cursor;
use std::time::Duration;

use andor::certificate::{CheckError, Checked, Checking, Proof};
use andor::clock::Instant;
use andor::{Claim, Pulse, Solvable, Stop};
use yomikiri_question::certificate::{Error, Opening};
use yomikiri_question::games::{AnyProblem, Visitor};

use crate::proof::{Opened, Walk};

/// Bytes of memory that are set aside for each byte of a certificate. The most that one of our searches was
/// seen to need is 63, in an endgame of Othello, where a position has two bytes. A small one gets [`LEAST`].
const EACH: usize = 128;
const LEAST: usize = 1 << 20;

/// Bytes that are set aside for a certificate of so many, where no more than `most` are given.
pub fn set_aside(bytes: usize, most: usize) -> usize {
    EACH.saturating_mul(bytes).max(LEAST).min(most)
}

/// What a certificate is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To say whether it holds.
    Check,
    /// To play against it.
    Open,
}

/// A certificate that is being read.
pub struct Reading {
    /// The question's number.
    pub id: u64,
    /// What it is read for.
    pub purpose: Purpose,
    /// Raised to end it at once.
    pub stop: Stop,
    /// What it claims.
    pub claim: Claim<AnyProblem>,
    /// How long it has taken so far.
    pub elapsed: Duration,
    /// Bytes of memory that are set aside for it, its own among them.
    pub bytes: usize,
    body: Cursor<Vec<u8>>,
    checking: Box<dyn Steps>,
    most: Option<Duration>,
}

/// [`Checking`], of any game.
trait Steps {
    fn run(&mut self, pulse: &Pulse, body: &mut Cursor<Vec<u8>>) -> Result<Checked, CheckError>;
    fn open(self: Box<Self>) -> Option<Box<dyn Walk>>;
}

impl<P: Solvable> Steps for Checking<P> {
    fn run(&mut self, pulse: &Pulse, body: &mut Cursor<Vec<u8>>) -> Result<Checked, CheckError> {
        P::run_check(self, pulse, body)
    }

    fn open(self: Box<Self>) -> Option<Box<dyn Walk>> {
        Some(Box::new(Proof::of(*self)?))
    }
}

struct Begin<'a> {
    opening: &'a Opening,
    purpose: Purpose,
    length: u64,
    memory: usize,
}

impl Visitor for Begin<'_> {
    type Output = Result<Box<dyn Steps>, CheckError>;

    fn visit<P: Solvable>(self, problem: &P) -> Self::Output {
        let Begin { opening, purpose, length, memory } = self;
        let checking = Checking::new(opening.claim.about(problem), opening.format)?
            .with_length(length)
            .with_memory(memory);
        Ok(match purpose {
            Purpose::Check => Box::new(checking),
            Purpose::Open => Box::new(checking.keeping_all()),
        })
    }
}

/// What came of a slice.
pub enum Slice {
    /// There is more to do.
    More,
    /// It was accepted.
    Accepted(Checked),
    /// It was not.
    Failed(Error),
}

impl Reading {
    /// Reads the first lines. At most so much time and about so much memory is spent on the rest.
    pub fn new(
        id: u64,
        purpose: Purpose,
        certificate: Vec<u8>,
        expected: Option<&AnyProblem>,
        (time, memory): (Option<Duration>, usize),
    ) -> Result<Reading, Error> {
        let bytes = set_aside(certificate.len(), memory);
        let mut body = Cursor::new(certificate);
        let opening = Opening::read(&mut body, expected)?;
        let whole = body.get_ref().len();
        let length = whole as u64 - body.position();
        let memory = bytes.saturating_sub(whole);
        let begin = Begin { opening: &opening, purpose, length, memory };
        let checking = opening.claim.problem.visit(true, begin)?;
        Ok(Reading {
            id,
            purpose,
            stop: Stop::new(),
            claim: opening.claim,
            elapsed: Duration::ZERO,
            bytes,
            body,
            checking,
            most: time,
        })
    }

    /// Reads on for about so long.
    pub fn step(&mut self, time: Duration) -> Slice {
        let left = self.most.map(|most| most.saturating_sub(self.elapsed));
        let slice = left.unwrap_or(time).min(time);
        let start = Instant::now();
        let pulse = Pulse::new(self.stop.clone()).with_deadline(start.checked_add(slice));
        let result = self.checking.run(&pulse, &mut self.body);
        self.elapsed += start.elapsed();
        let is_over = self.stop.is_raised() || self.most.is_some_and(|most| self.elapsed >= most);
        match result {
            Ok(checked) => Slice::Accepted(checked),
            Err(CheckError::Stopped(_)) if !is_over => Slice::More,
            Err(error) => Slice::Failed(error.into()),
        }
    }

    /// The certificate, open, after it was accepted.
    pub fn open(self, positions: u64) -> Option<Opened> {
        Some(Opened { claim: self.claim, positions, proof: self.checking.open()? })
    }
}
