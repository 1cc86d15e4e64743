//! [`Solvable`]: a problem whose searches are compiled once, in the crate of the game.
//!
//! Searches are generic over the game, so every crate that calls [`search()`](crate::search()) compiles all
//! algorithms for every game again, which is most of what building a program with several games
//! costs. A game that is [`solvable!`](crate::solvable) has them ready; programs call the methods of the trait.

use std::io::{Read, Write};

use crate::certificate::{
    CheckError, Checked, Checking, Format, Node, Place, Proof, WriteError, Written,
};
use crate::control::{Control, Stop};
use crate::dfpn::Dfpn;
use crate::length::Aim;
use crate::problem::Problem;
use crate::pulse::{Interrupted, Pulse};
use crate::search::{Algorithm, Scheme};
use crate::shortest::Bounds;
use crate::table::Table;
use crate::verdict::{Claim, Outcome};

/// A problem whose searches and certificates are ready-made. Implemented by
/// [`solvable!`](crate::solvable).
pub trait Solvable: Problem + 'static {
    /// [`search()`](crate::search()).
    fn search(&self, algorithm: &Algorithm, table: &Table, control: &mut Control<'_>) -> Outcome;

    /// [`length::shorten`](crate::length::shorten()).
    fn shorten(
        &self,
        aim: Aim,
        settings: (Dfpn, Option<Scheme>),
        table: &Table,
        control: &mut Control<'_>,
        outcome: &mut Outcome,
    ) -> Option<Bounds<Self::Move>>;

    /// [`certificate::write`](crate::certificate::write()).
    fn write_certificate(
        claim: Claim<&Self>,
        settings: Dfpn,
        table: &Table,
        stop: &Stop,
        out: &mut dyn Write,
    ) -> Result<Written, WriteError>;

    /// [`Checking::run`].
    fn run_check(
        checking: &mut Checking<Self>,
        pulse: &Pulse,
        input: &mut dyn Read,
    ) -> Result<Checked, CheckError>;

    /// [`certificate::check_within`](crate::certificate::check_within()).
    fn check_certificate(
        claim: Claim<&Self>,
        pulse: &Pulse,
        input: &mut dyn Read,
    ) -> Result<Checked, CheckError> {
        Self::run_check(&mut Checking::new(claim, Format::LATEST)?, pulse, input)
    }

    /// [`Proof::walk_within`].
    fn walk_certificate(
        proof: &Proof<Self>,
        played: &[Self::Move],
        pulse: &Pulse,
    ) -> Result<Option<Place<Self>>, Interrupted>;

    /// [`Proof::look_within`].
    fn look_certificate(
        proof: &Proof<Self>,
        place: &Place<Self>,
        pulse: &Pulse,
    ) -> Result<Node<Self::Move>, Interrupted>;
}

/// Compiles the searches of these problems here: implements [`Solvable`](crate::Solvable) for each of them.
#[macro_export]
macro_rules! solvable {
    ($($problem:ty),+ $(,)?) => {$(
        impl $crate::Solvable for $problem {
            fn search(
                &self,
                algorithm: &$crate::Algorithm,
                table: &$crate::Table,
                control: &mut $crate::Control<'_>,
            ) -> $crate::Outcome {
                $crate::search(self, algorithm, table, control)
            }

            fn shorten(
                &self,
                aim: $crate::length::Aim,
                settings: ($crate::Dfpn, Option<$crate::Scheme>),
                table: &$crate::Table,
                control: &mut $crate::Control<'_>,
                outcome: &mut $crate::Outcome,
            ) -> Option<$crate::shortest::Bounds<Self::Move>> {
                $crate::length::shorten(self, aim, settings, table, control, outcome)
            }

            fn write_certificate(
                claim: $crate::Claim<&Self>,
                settings: $crate::Dfpn,
                table: &$crate::Table,
                stop: &$crate::Stop,
                out: &mut dyn std::io::Write,
            ) -> Result<$crate::certificate::Written, $crate::certificate::WriteError> {
                $crate::certificate::write(claim, settings, table, stop, out)
            }

            fn run_check(
                checking: &mut $crate::certificate::Checking<Self>,
                pulse: &$crate::Pulse,
                input: &mut dyn std::io::Read,
            ) -> Result<$crate::certificate::Checked, $crate::certificate::CheckError> {
                checking.run(pulse, input)
            }

            fn walk_certificate(
                proof: &$crate::certificate::Proof<Self>,
                played: &[Self::Move],
                pulse: &$crate::Pulse,
            ) -> Result<Option<$crate::certificate::Place<Self>>, $crate::Interrupted> {
                proof.walk_within(played, pulse)
            }

            fn look_certificate(
                proof: &$crate::certificate::Proof<Self>,
                place: &$crate::certificate::Place<Self>,
                pulse: &$crate::Pulse,
            ) -> Result<$crate::certificate::Node<Self::Move>, $crate::Interrupted> {
                proof.look_within(place, pulse)
            }
        }
    )+};
}
