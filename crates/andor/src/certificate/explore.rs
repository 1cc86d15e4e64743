//! The explorer: a certificate that is open, to be walked and played against.
//!
//! A certificate is a strategy: for its *holder*, the side that the verdict favours, a move in every
//! position that can come about, whatever the other side plays. [`Proof::open`] checks it and keeps
//! what the checker remembers: of every position treated in full its exact identity, its stock, its
//! length, and the holder's move. That is all there is to keep. The moves of the other side are those
//! of the rules, and what follows them is found by looking the position after them up.
//!
//! A position may be answered for by another one, as in the [format](super):
//!
//! - By one with the same board and another stock: with dominance in every look, the play stays in the
//!   certificate by itself, for who has more of something keeps having more.
//! - By a weaker one. Then the play is followed on two boards, the real one and the one that the certificate
//!   speaks of. The holder's moves are the same on both. Where the other side plays what cannot be
//!   played on the weaker board, the game says what stands for it there
//!   ([`Rules::stand_in`]).
//!
//! In a proof every claim is longer than those after it, so the holder who takes the shortest claim that
//! answers for a position comes to the end within the plies that it says. Off the certificate, after
//! another move of the holder, a position may be in it again.

use std::io::Read;

use super::check::{Accepted, CheckError, Checked, Checking, not_won};
use super::format::Format;
use crate::control::Stop;
use crate::plies::Plies;
use crate::problem::answers;
use crate::pulse::{Interrupted, Pulse};
use crate::rules::{NodeKind, Rules, Value};
use crate::verdict::Claim;

/// A certificate that was accepted, open to be explored.
pub struct Proof<R: Rules> {
    claim: Claim<R>,
    /// Do claims have lengths, as those of a proof do? (Those of its mirror image, where that is
    /// what was certified.)
    is_finite: bool,
    said: Accepted<R>,
}

/// A position of a play, and where it is in the certificate.
#[derive(Clone, Debug)]
pub struct Place<R> {
    position: R,
    /// Plies left of a question that is bounded, in a disproof.
    left: Plies,
    stand: Option<Stand<R>>,
}

/// What the certificate says of a position.
#[derive(Clone, Debug)]
struct Stand<R> {
    ground: Ground,
    length: u32,
    /// At the holder's turn: the number of the move.
    chosen: Option<u32>,
    /// The position that it speaks of, if that is a weaker one.
    weaker: Option<R>,
}

impl<R> Stand<R> {
    fn at_once(ground: Ground) -> Self {
        Stand { ground, length: 0, chosen: None, weaker: None }
    }
}

/// Why a position has the claimed value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Ground {
    /// The game is over, by the rules.
    Over,
    /// The certificate treats the position.
    Treated,
    /// It treats one with the same board and another stock, from which this one follows.
    Dominated,
    /// It treats, or the rules decide, one that is worse for the holder by a theorem of the game.
    Weakened,
    /// No plies are left, and the attacker has not won.
    Cut,
}

/// That a position has the claimed value, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Why.
    pub ground: Ground,
    /// A proof: the holder reaches the end within so many plies, however long the other side
    /// holds out. A disproof: the attacker does not within so many that are left of the claim's.
    /// Where repetition favours the attacker, it is the disproof that has lengths.
    /// [`Plies::UNBOUNDED`]: there is no bound (or one that [`Plies`] cannot tell).
    pub plies: Plies,
}

/// A position and what can be played in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node<M> {
    /// Whose turn it is.
    pub kind: NodeKind,
    /// How the game has ended, if it is over: the rules say so, or the side to move has no move.
    pub over: Option<Value>,
    /// What the certificate says of it. Nothing: the position is not in the certificate, and nobody
    /// knows its value from there.
    pub standing: Option<Standing>,
    /// At the holder's turn, in the certificate: the holder's move.
    pub answer: Option<M>,
    /// Every legal move, in the rules' order. At the other side's turn, in the certificate, each has a
    /// standing.
    pub replies: Vec<Reply<M>>,
}

/// A move that can be played, and what the certificate says of the position after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply<M> {
    /// The move.
    pub played: M,
    /// Nothing: it leads out of the certificate.
    pub standing: Option<Standing>,
}

impl<R> Place<R> {
    /// The position on the board.
    pub fn position(&self) -> &R {
        &self.position
    }
}

impl<R: Rules> Proof<R> {
    /// Reads the body of a certificate of this claim, and checks it on the way, as
    /// [`check_within`](super::check_within) does: what that rejects is an error here, and the same
    /// one.
    pub fn open(
        claim: Claim<&R>,
        pulse: &Pulse,
        input: &mut dyn Read,
    ) -> Result<Proof<R>, CheckError> {
        let mut checking = Checking::new(claim, Format::LATEST)?.keeping_all();
        let checked = checking.run(pulse, input)?;
        Proof::of(checking).ok_or(CheckError::Stopped(checked.positions))
    }

    /// The certificate that was read with [`keeping_all`](Checking::keeping_all), if it was accepted.
    pub fn of(checking: Checking<R>) -> Option<Proof<R>> {
        let (claim, is_finite, said) = checking.into_accepted()?;
        Some(Proof { claim, is_finite, said })
    }

    /// Bytes of memory that it takes.
    pub fn bytes(&self) -> usize {
        let Accepted { claims, weakenings, .. } = &self.said;
        (claims.bytes() + weakenings.bytes()).now
    }

    /// What it proves.
    pub fn claim(&self) -> Claim<&R> {
        self.claim.by_ref()
    }

    /// What the checker says of it.
    pub fn checked(&self) -> Checked {
        self.said.checked
    }

    /// Is it the holder's turn, the side that the claimed value favours?
    pub fn is_holders(&self, kind: NodeKind) -> bool {
        kind.goal() == self.claim.value
    }

    /// Where every play begins.
    pub fn root(&self) -> Place<R> {
        without_end(self.root_within(&Pulse::new(Stop::new())))
    }

    fn root_within(&self, pulse: &Pulse) -> Result<Place<R>, Interrupted> {
        let position = self.claim.problem.clone();
        let left = if self.is_finite { Plies::UNBOUNDED } else { self.claim.plies };
        let stand = self.find(&position, left, pulse)?;
        Ok(Place { position, left, stand })
    }

    /// The place after a move, or nothing if it is not legal.
    pub fn after(&self, place: &Place<R>, m: R::Move) -> Option<Place<R>> {
        without_end(self.after_within(place, m, &Pulse::new(Stop::new())))
    }

    /// The place after these moves from the root, or nothing if one of them is not legal.
    pub fn walk(&self, played: &[R::Move]) -> Option<Place<R>> {
        without_end(self.walk_within(played, &Pulse::new(Stop::new())))
    }

    /// The same, until the pulse says that it is enough.
    pub fn walk_within(
        &self,
        played: &[R::Move],
        pulse: &Pulse,
    ) -> Result<Option<Place<R>>, Interrupted> {
        let mut place = self.root_within(pulse)?;
        for &m in played {
            match self.after_within(&place, m, pulse)? {
                Some(after) => place = after,
                None => return Ok(None),
            }
        }
        Ok(Some(place))
    }

    fn after_within(
        &self,
        place: &Place<R>,
        m: R::Move,
        pulse: &Pulse,
    ) -> Result<Option<Place<R>>, Interrupted> {
        match legal_moves(&place.position).contains(&m) {
            true => self.play(place, m, pulse).map(Some),
            false => Ok(None),
        }
    }

    /// What the certificate says of a place.
    pub fn standing(&self, place: &Place<R>) -> Option<Standing> {
        place.stand.as_ref().map(|stand| {
            let length = u16::try_from(stand.length).map_or(Plies::UNBOUNDED, Plies::at_most);
            let plies = if self.is_finite { length } else { place.left };
            Standing { ground: stand.ground, plies }
        })
    }

    /// What the certificate says of a place, and of every move from it.
    pub fn look(&self, place: &Place<R>) -> Node<R::Move> {
        without_end(self.look_within(place, &Pulse::new(Stop::new())))
    }

    /// The same, until the pulse says that it is enough: a graph may have a million moves.
    pub fn look_within(
        &self,
        place: &Place<R>,
        pulse: &Pulse,
    ) -> Result<Node<R::Move>, Interrupted> {
        let position = &place.position;
        let (kind, moves) = (position.kind(), legal_moves(position));
        let over = position.terminal().or_else(|| moves.is_empty().then(|| kind.goal().other()));
        let chosen = place.stand.as_ref().and_then(|stand| stand.chosen);
        let answer = moves.iter().copied().find(|&m| Some(R::encode_move(m)) == chosen);
        let replies = moves.into_iter().map(|played| {
            let after = self.play(place, played, pulse)?;
            Ok(Reply { played, standing: self.standing(&after) })
        });
        let replies = replies.collect::<Result<_, _>>()?;
        Ok(Node { kind, over, standing: self.standing(place), answer, replies })
    }

    /// Plays a legal move.
    fn play(&self, place: &Place<R>, m: R::Move, pulse: &Pulse) -> Result<Place<R>, Interrupted> {
        let left = place.left.one_less();
        let position = played(&place.position, m);
        let mut stand = self.find(&position, left, pulse)?;
        if let Some(weaker) = place.stand.as_ref().and_then(|stand| stand.weaker.as_ref()) {
            let followed = self.follow(&place.position, weaker, m, left, pulse)?;
            stand = shortest(stand.into_iter().chain(followed));
        }
        Ok(Place { position, left, stand })
    }

    /// What is said of the position after `m`, by what stands for it in a weaker one.
    fn follow(
        &self,
        position: &R,
        weaker: &R,
        m: R::Move,
        left: Plies,
        pulse: &Pulse,
    ) -> Result<Option<Stand<R>>, Interrupted> {
        let m = position.stand_in(weaker, self.claim.value, m);
        let Some(m) = m.filter(|m| legal_moves(weaker).contains(m)) else { return Ok(None) };
        let after = played(weaker, m);
        let Some(stand) = self.find(&after, left, pulse)? else { return Ok(None) };
        let weaker = stand.weaker.or(Some(after));
        Ok(Some(Stand { ground: Ground::Weakened, weaker, ..stand }))
    }

    /// What the certificate says of a position.
    fn find(
        &self,
        position: &R,
        left: Plies,
        pulse: &Pulse,
    ) -> Result<Option<Stand<R>>, Interrupted> {
        let mut found = self.settled(position, left);
        for hints in self.said.weakenings.of(&position.identity()) {
            pulse.tick()?;
            let weaker = hints
                .iter()
                .try_fold(position.clone(), |weaker, hint| weaker.weakened(self.claim.value, hint));
            let Some(weaker) = weaker else { continue };
            let Some(stand) = self.settled(&weaker, left) else { continue };
            let stand = Stand { ground: Ground::Weakened, weaker: Some(weaker), ..stand };
            found = shortest(found.into_iter().chain([stand]));
        }
        pulse.tick()?;
        Ok(found)
    }

    /// The same, of the position as it stands.
    fn settled(&self, position: &R, left: Plies) -> Option<Stand<R>> {
        if let Some(value) = position.terminal() {
            return (value == self.claim.value).then(|| Stand::at_once(Ground::Over));
        }
        if left == Plies::NONE {
            return not_won(position).then(|| Stand::at_once(Ground::Cut));
        }
        let (board, stock) = (position.identity(), position.stock());
        let is_holders = self.is_holders(position.kind());
        let claims = self.said.claims.of(&board).filter(|said| {
            let holds = self.is_finite || said.claim >= left.to_bits().into();
            holds && answers(self.claim.value, said.stock, stock)
        });
        match claims.min_by_key(|said| (said.length, said.stock != stock)) {
            Some(said) => Some(Stand {
                ground: if said.stock == stock { Ground::Treated } else { Ground::Dominated },
                length: said.length,
                chosen: is_holders.then_some(said.chosen),
                weaker: None,
            }),
            None if is_holders => None,
            None => legal_moves(position).is_empty().then(|| Stand::at_once(Ground::Over)),
        }
    }
}

/// What a pulse that nobody ends has allowed.
fn without_end<T>(within: Result<T, Interrupted>) -> T {
    within.unwrap_or_else(|Interrupted| unreachable!("nobody has the stop flag"))
}

/// The first of those with the least length.
fn shortest<R>(stands: impl Iterator<Item = Stand<R>>) -> Option<Stand<R>> {
    stands.min_by_key(|stand| stand.length)
}

fn legal_moves<R: Rules>(position: &R) -> Vec<R::Move> {
    let mut moves = Vec::new();
    if position.terminal().is_none() {
        position.legal_moves(&mut moves);
    }
    moves
}

fn played<R: Rules>(position: &R, m: R::Move) -> R {
    let mut after = position.clone();
    after.play(m);
    after
}
