//! The proof explorer: a certificate that is open, of whatever game, to be walked and played against.

use andor::certificate::{Ground, Proof, Standing};
use andor::{Claim, NodeKind, Pulse, Solvable, Value};
use yomikiri_question::certificate::{self, Error};
use yomikiri_question::games::{AnyProblem, Visitor};
use yomikiri_question::lang::Text;

use crate::board;
use crate::contract::{Node, ProofReply};

/// A certificate that was accepted.
pub struct Opened {
    /// What it proves.
    pub claim: Claim<AnyProblem>,
    /// Positions treated in full.
    pub positions: u64,
    proof: Box<dyn Walk>,
}

/// What can be asked of an open certificate, whatever the game.
trait Walk {
    fn look(&self, played: &[String]) -> Option<Look>;
}

/// A position of a play, without the names that its game gives.
struct Look {
    kind: NodeKind,
    over: Option<Value>,
    standing: Option<Standing>,
    answer: Option<String>,
    replies: Vec<(String, Option<Standing>)>,
}

impl<P: Solvable> Walk for Proof<P> {
    fn look(&self, played: &[String]) -> Option<Look> {
        let mut position = self.claim().problem.clone();
        let mut moves = Vec::with_capacity(played.len());
        for written in played {
            let m = board::find(&position, written)?;
            moves.push(m);
            position.play(m);
        }
        let (place, node) = P::walk_certificate(self, &moves)?;
        let name = |m: P::Move| place.position().describe_move(m);
        let replies = node.replies.iter().map(|reply| (name(reply.played), reply.standing));
        Some(Look {
            kind: node.kind,
            over: node.over,
            standing: node.standing,
            answer: node.answer.map(name),
            replies: replies.collect(),
        })
    }
}

struct Open<'a> {
    claim: &'a Claim<AnyProblem>,
    pulse: &'a Pulse,
    body: &'a [u8],
}

impl Visitor for Open<'_> {
    type Output = Result<(Box<dyn Walk>, u64), andor::certificate::CheckError>;

    fn visit<P: Solvable>(mut self, problem: &P) -> Self::Output {
        let proof = P::open_certificate(self.claim.about(problem), self.pulse, &mut self.body)?;
        let positions = proof.checked().positions;
        Ok((Box::new(proof), positions))
    }
}

impl Opened {
    /// Opens a certificate, and checks it on the way.
    pub fn open(mut bytes: &[u8], pulse: &Pulse) -> Result<Opened, Error> {
        let claim = certificate::claim(&mut bytes)?;
        let opened = Open { claim: &claim, pulse, body: bytes };
        let (proof, positions) = claim.problem.visit(true, opened)?;
        Ok(Opened { claim, positions, proof })
    }

    /// The position after these moves from the root, and what the certificate says of it and of every
    /// move there.
    pub fn node(&self, id: u64, played: &[String]) -> Result<Node, Text> {
        let problem: AnyProblem = board::after(&self.claim.problem, played)?;
        let look = self.proof.look(played).ok_or_else(|| board::cannot(played))?;
        let plies = |standing: Option<Standing>| standing.and_then(|s| s.plies.bounded());
        let replies = look.replies.iter().map(|(m, standing)| ProofReply {
            r#move: board::name(&problem, m),
            known: standing.is_some(),
            plies: plies(*standing),
        });
        Ok(Node {
            id,
            text: problem.text(),
            played: played.to_vec(),
            holder: look.kind.goal() == self.claim.value,
            over: look.over.map(|value| problem.answer(value, andor::Plies::UNBOUNDED).into()),
            known: look.standing.is_some(),
            ground: look.standing.map(|standing| ground(standing.ground)),
            plies: plies(look.standing),
            answer: look.answer.map(|m| board::name(&problem, &m)),
            replies: replies.collect(),
        })
    }
}

fn ground(ground: Ground) -> &'static str {
    match ground {
        Ground::Over => "over",
        Ground::Treated => "treated",
        Ground::Dominated => "dominated",
        Ground::Weakened => "weakened",
        Ground::Cut => "cut",
    }
}
