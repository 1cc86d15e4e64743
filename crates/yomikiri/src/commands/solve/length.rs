//! `--shortest`, and the lengths of proofs where they mean something: whom it is for, and why not.

use andor::Solvable;
use andor::length::{Aim, NoLength, has_length};
use anyhow::{Result, bail};
use yomikiri_question::games::{AnyProblem, Visitor};
use yomikiri_question::lang::text;

use super::args::Args;

/// What is wanted of the length of a proof: of a mate always something.
pub fn aim(args: &Args, any: &AnyProblem) -> Option<Aim> {
    match any {
        _ if args.shortest => Some(Aim::Shortest),
        AnyProblem::Chess(_) | AnyProblem::Shogi(_) => Some(Aim::Bound),
        _ => None,
    }
}

/// Is the shortest proof looked for, with the certificate that nothing is shorter?
pub fn is_wanted(args: &Args, any: &AnyProblem) -> bool {
    args.shortest || any.is_shogi() && !args.any_mate
}

/// Complains about `--shortest` where a proof has no length.
pub fn check(args: &Args, any: &AnyProblem) -> Result<()> {
    if !args.shortest {
        return Ok(());
    }
    let game = any.game();
    let (name, title) = (game.name, game.title());
    match any.visit(args.plain, HasLength) {
        Ok(()) => Ok(()),
        Err(NoLength::Prunes) => bail!(text!(
            "--shortest: {name} is searched without moves that do not matter for who wins, so proofs have no length (with --plain they have)",
            "--shortest: {title}では勝敗に関わらない手を読まないので、手数は分かりません（--plain なら分かります）"
        )),
        Err(NoLength::Endless) => bail!(text!(
            "--shortest: repetition favours the attacker here, so a proof may go round for ever and has no length",
            "--shortest: 同じ局面が攻方の有利なので、証明は循環することがあり、手数がありません"
        )),
    }
}

struct HasLength;

impl Visitor for HasLength {
    type Output = Result<(), NoLength>;

    fn visit<P: Solvable>(self, problem: &P) -> Result<(), NoLength> {
        has_length(problem)
    }
}
