//! The proof explorer: a certificate that is open, of whatever game, to be walked and played against.

use andor::certificate::{Ground, Proof, Standing};
use andor::{Claim, Interrupted, NodeKind, Pulse, Solvable, Value};
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::{Text, text};

use crate::board;
use crate::contract::{Node, ProofReply};

/// A certificate that was accepted.
pub struct Opened {
    /// What it proves.
    pub claim: Claim<AnyProblem>,
    /// Positions treated in full.
    pub positions: u64,
    /// Where its positions are.
    pub proof: Box<dyn Walk>,
}

/// What can be asked of an open certificate, whatever the game.
pub trait Walk {
    /// The position after these moves, by their names in the game.
    fn look(&self, played: &mut dyn Iterator<Item = String>, pulse: &Pulse)
    -> Result<Look, NoLook>;

    /// Bytes of memory that it takes.
    fn bytes(&self) -> usize;
}

/// Why a position cannot be looked at.
pub enum NoLook {
    /// One of the moves to it is not legal.
    Illegal,
    /// More can be played there than is listed.
    TooMany,
    /// The pulse says that it is enough.
    Interrupted,
}

impl From<Interrupted> for NoLook {
    fn from(Interrupted: Interrupted) -> NoLook {
        NoLook::Interrupted
    }
}

/// A position of a play, without the names that its game gives.
pub struct Look {
    kind: NodeKind,
    over: Option<Value>,
    standing: Option<Standing>,
    answer: Option<String>,
    replies: Vec<(String, Option<Standing>)>,
}

impl<P: Solvable> Walk for Proof<P> {
    fn look(
        &self,
        played: &mut dyn Iterator<Item = String>,
        pulse: &Pulse,
    ) -> Result<Look, NoLook> {
        let mut position = self.claim().problem.clone();
        let mut moves = Vec::new();
        for name in played {
            pulse.check()?;
            let m = board::find(&position, &name).ok_or(NoLook::Illegal)?;
            moves.push(m);
            position.play(m);
        }
        board::playable(&position).ok_or(NoLook::TooMany)?;
        let place = P::walk_certificate(self, &moves, pulse)?.ok_or(NoLook::Illegal)?;
        let node = P::look_certificate(self, &place, pulse)?;
        let name = |m: P::Move| place.position().describe_move(m);
        let replies = node.replies.iter().map(|reply| (name(reply.played), reply.standing));
        Ok(Look {
            kind: node.kind,
            over: node.over,
            standing: node.standing,
            answer: node.answer.map(name),
            replies: replies.collect(),
        })
    }

    fn bytes(&self) -> usize {
        Proof::bytes(self)
    }
}

impl Opened {
    /// The position after these moves from the root, and what the certificate says of it and of every
    /// move there, unless the pulse says that it is enough.
    pub fn node(&self, id: u64, played: &[String], pulse: &Pulse) -> Result<Node, Text> {
        let root = &self.claim.problem;
        let look = self.proof.look(&mut board::own_names(root, played), pulse);
        let look = look.map_err(|reason| match reason {
            NoLook::Illegal => board::cannot(played),
            NoLook::TooMany => board::too_many(),
            NoLook::Interrupted => {
                text!(
                    "stopped while looking at this position",
                    "この局面を調べている途中で止めました"
                )
            }
        })?;
        let problem: AnyProblem = board::after(root, played)?;
        let own: Vec<String> = board::own_names(root, played).collect();
        let plies = |standing: Option<Standing>| standing.and_then(|s| s.plies.bounded());
        let replies = look.replies.iter().map(|(m, standing)| ProofReply {
            r#move: board::name(&problem, m),
            known: standing.is_some(),
            plies: plies(*standing),
        });
        Ok(Node {
            id,
            text: problem.text(),
            played: board::name_line(root, &own).into_iter().map(|m| m.r#move).collect(),
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
