//! The length of a mate by the convention on futile interpositions (無駄合い), and the line for it.
//!
//! The rules of the game count every move. People do not count an interposition that only lets the
//! checking piece take it, with the rest of the solution unchanged and a piece more in the
//! attacker's hand. [`Futile::NotCounted`](crate::Futile) makes that a rule where it ends the game;
//! here is the rest, for the middle of a line. As the convention compares lengths, it is no rule of
//! a game that a certificate could speak of, so it is worked out afterwards, over the exact lengths
//! of the game:
//!
//! - Let the defender be in check by one sliding piece. A drop between it and the king is *futile*
//!   if the slider can take it, and with the slider standing there (promoted or not, whichever
//!   mates sooner) and both hands as they were before the drop, it is mate at least as soon as
//!   after the defender's other replies. So the piece is not needed, and the drop has gained
//!   nothing.
//! - The *conventional length* at the defender's turn is 0 if the rules call it mate, else the
//!   greatest over the replies that are not futile, plus one; at the attacker's turn it is that of
//!   a move that is shortest by the rules, plus one.
//!
//! "Other replies" are those that are not drops for the slider to take, and the drops already found
//! not to be futile; squares are taken in order from the king outwards, and where there are no
//! other replies the first square is not futile, for the rules do not call it mate. "At least as
//! soon" is meant by conventional lengths again, which is no circle: the slider is nearer to the
//! king.
//!
//! The conventional length is never more than the exact one, so only replies that are long by the
//! rules have to be followed, longest first, and where the first of them is no interposition and
//! stays as long as it is, none of the others. This is a branch and bound with an explicit stack,
//! and for a line without interpositions it takes one step a move.
//!
//! Where the longest reply is an interposition, the lengths of all other replies, and of all squares
//! nearer to the king, would have to be found first. That can take far longer than to solve the
//! problem, and mostly nothing hangs on it: without the piece that is given away there is no mate as
//! soon as that, whatever the other replies do, so the interposition is not futile. This is looked
//! at first, with few nodes (`look_ahead`).
//!
//! Between lines of the same length, one that leaves the attacker nothing in hand is preferred, as
//! far as the effort goes. Where it was enough, a line that does leave something says that all
//! of them do (駒余り).

use andor::{NodeKind, Plies, Rules, Value};
use yomikiri_shogi::{Hand, Move, Piece, Square, attacks};

use crate::answer::Conventional;
use crate::ask::{self, Asker};
use crate::line::{self, GLANCE, Replies};
use crate::tsume::{Futile, Tsume};

/// How much is done for a line that leaves nothing in hand when one of the right length is found
/// already.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// So many replies are tried.
    tries: u32,
    /// Is it found out of each whether it lasts long enough, whatever that takes?
    is_thorough: bool,
}

impl Effort {
    /// For a line to show.
    pub const LITTLE: Effort = Effort { tries: 32, is_thorough: false };
    /// For a verdict that hangs on it.
    pub const MUCH: Effort = Effort { tries: 1 << 10, is_thorough: true };
}

/// Nodes to see that an interposition is not futile before the other replies are looked at. Raised,
/// more are seen, and those that are not cost more.
const AHEAD: u64 = 1 << 14;

/// What was found of a node: its conventional length and its line, last move first.
struct Found {
    length: u16,
    line: Vec<Move>,
    left_over: Hand,
}

/// Why a node is looked at.
enum Purpose {
    /// It is what was asked for.
    Root,
    /// By this reply and this check from the node below it on the stack.
    Reply(Move, Move),
    /// The same before its turn; with the number of the reply.
    Ahead(usize, Move, Move),
    /// As what becomes of the node below it when an interposition is taken.
    Taken,
}

/// A position of the defender.
struct Node {
    at: Tsume,
    purpose: Purpose,
    /// Its exact length.
    left: u16,
    /// A length of so much is all that is asked for.
    enough: u16,
    replies: Replies,
    /// Which replies are being looked at: all that are no interpositions to be taken, then those on
    /// one square after the other.
    begin: usize,
    end: usize,
    /// The length that they are being looked at for, and which is next.
    stage: u16,
    next: usize,
    /// Some were passed over because their length could not be seen at a glance.
    unclear: bool,
    /// They are interpositions that may be futile.
    doubtful: bool,
    /// Which interposition is next to be looked at before its turn.
    ahead: usize,
    /// What came of those that did not settle the node: number, check, and what is below it.
    early: Vec<(usize, Move, Found)>,
    best: Option<Found>,
}

impl Node {
    fn length(&self) -> u16 {
        self.best.as_ref().map_or(0, |found| found.length)
    }

    /// Turns to the replies from number `begin` on.
    fn turn_to(&mut self, begin: usize) {
        self.begin = begin;
        self.next = begin;
        self.end = self.replies.end_of_group(begin);
        self.stage = self.left.saturating_sub(1);
        self.unclear = false;
        self.doubtful = begin >= self.replies.plain;
    }
}

/// The line by convention from a position of exact length `length`, or none if a limit is reached
/// first. If it leaves the attacker something in hand: is it certain that all of its length do?
pub(crate) fn follow(
    asker: &mut Asker<'_, '_>,
    problem: &Tsume,
    length: u16,
    Effort { tries, is_thorough }: Effort,
) -> Option<(Conventional, bool)> {
    let mut search = Search {
        asker,
        stack: Vec::new(),
        tries,
        is_thorough,
        testing: 0,
        passed_over: false,
        moves: Vec::new(),
    };
    let mut root = problem.clone();
    let mut first = None;
    let mut left = length;
    if root.kind() == NodeKind::Or {
        let (m, plies) = search.attack(&mut root, left)?;
        first = Some(m);
        root.play(m);
        left = plies;
    }
    let found = search.run(root, left)?;
    let line = first.into_iter().chain(found.line.into_iter().rev()).collect();
    let is_certain = !search.passed_over;
    Some((Conventional { line, left_over: found.left_over }, is_certain))
}

struct Search<'s, 'a, 't> {
    asker: &'s mut Asker<'a, 't>,
    stack: Vec<Node>,
    tries: u32,
    is_thorough: bool,
    /// How many nodes on the stack are there to test an interposition.
    testing: u32,
    /// Was a reply passed over that might have led to a line that leaves nothing in hand?
    passed_over: bool,
    moves: Vec<Move>,
}

/// What to do next.
enum Next {
    /// Look at another node first.
    Enter(Box<Tsume>, u16, u16, Purpose),
    /// The top node is done.
    Leave,
    /// Go on with the top node.
    Stay,
}

/// The last move: `m` mates; of others that do one that leaves nothing in hand is preferred.
fn last_move(at: &mut Tsume, moves: &[Move], m: Move) -> Move {
    let mut buffer = Vec::new();
    let mut leaves_nothing = |m: Move| {
        let undo = at.play(m);
        let found = at.attackers_hand().is_empty() && line::is_mate(at, &mut buffer);
        at.undo(m, undo);
        found
    };
    if leaves_nothing(m) {
        return m;
    }
    moves.iter().copied().find(|&other| leaves_nothing(other)).unwrap_or(m)
}

/// What an interposition on a square is measured by.
struct IfTaken {
    /// The positions that there would be if the slider took there, promoted or not, and both hands
    /// stayed as they are.
    positions: Vec<Tsume>,
    /// If it is mate there within no more plies than this, it may be by convention as soon as after
    /// the other replies: every square that is left may be interposed on in vain once more.
    bound: u16,
}

/// The same for a square between the checking piece and the king, where it is mate within `left`
/// plies.
fn if_taken(at: &Tsume, left: u16, square: Square) -> Option<IfTaken> {
    let (position, attacker) = (at.position(), at.attacker());
    let king = position.king(!attacker)?;
    let checker = position.checkers().first()?;
    let piece = position.piece(checker)?;
    let zone = checker.is_in_zone_of(attacker) || square.is_in_zone_of(attacker);
    let promoted =
        (piece.kind().can_promote() && zone).then(|| Piece::new(attacker, piece.kind().promoted()));
    let after = |piece| {
        let mut after = position.clone();
        after.set(checker, None);
        after.set(square, Some(piece));
        let own = after.king(attacker);
        let is_exposed = |own| after.is_attacked(!attacker, own, after.occupied());
        (!own.is_some_and(is_exposed))
            .then(|| Tsume::with_attacker(after, attacker).with_futile(Futile::NotCounted))
    };
    let positions = [piece].into_iter().chain(promoted).filter_map(after).collect();
    let squares = attacks::between(king, square).count() as u16;
    Some(IfTaken { positions, bound: left.saturating_add(2 * squares) })
}

/// Is it seen with few nodes that an interposition on this square gains something, however long the
/// other replies are? It is mate within `left` plies.
pub(crate) fn is_needed(asker: &mut Asker<'_, '_>, at: &Tsume, left: u16, square: Square) -> bool {
    let Some(taken) = if_taken(at, left, square) else { return false };
    taken.positions.iter().all(|position| {
        let solved = asker.ask_for(position, Plies::at_most(taken.bound), AHEAD);
        solved.is_some_and(|solved| solved.value == Value::Disproven)
    })
}

impl Search<'_, '_, '_> {
    fn attack(&mut self, at: &mut Tsume, left: u16) -> Option<(Move, u16)> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        at.legal_moves(&mut moves);
        let mut chosen = line::attack(self.asker, at, &moves, left);
        if let Some((m, 0)) = chosen {
            chosen = Some((last_move(at, &moves, m), 0));
        }
        self.moves = moves;
        chosen
    }

    fn enter(&mut self, at: Tsume, left: u16, enough: u16, purpose: Purpose) {
        let mate = line::is_mate(&at, &mut self.moves);
        let moves = if mate { &[][..] } else { &self.moves[..] };
        let replies = Replies::new(&at, moves, left);
        let ahead = replies.plain;
        let mut node = Node {
            purpose,
            left,
            enough: enough.min(left),
            replies,
            begin: 0,
            end: 0,
            stage: 0,
            next: 0,
            unclear: false,
            doubtful: false,
            ahead,
            early: Vec::new(),
            best: None,
            at,
        };
        node.turn_to(0);
        self.stack.push(node);
    }

    fn run(&mut self, root: Tsume, left: u16) -> Option<Found> {
        self.enter(root, left, left, Purpose::Root);
        loop {
            match self.step()? {
                Next::Stay => {}
                Next::Enter(at, left, enough, purpose) => self.enter(*at, left, enough, purpose),
                Next::Leave => {
                    let node = self.stack.pop()?;
                    let left_over = node.at.attackers_hand();
                    let found =
                        node.best.unwrap_or(Found { length: 0, line: Vec::new(), left_over });
                    match node.purpose {
                        Purpose::Root => return Some(found),
                        Purpose::Taken => {
                            let above = self.stack.last_mut()?;
                            self.testing -= 1;
                            if found.length <= above.length() {
                                above.turn_to(above.end);
                            }
                        }
                        Purpose::Ahead(number, reply, check) => {
                            let is_no_matter = found.left_over.is_empty() || self.testing > 0;
                            let above = self.stack.last_mut()?;
                            if found.length + 2 >= above.enough && is_no_matter {
                                self.offer(found, reply, check);
                            } else {
                                above.early.push((number, check, found));
                            }
                        }
                        Purpose::Reply(reply, check) => self.offer(found, reply, check),
                    }
                }
            }
        }
    }

    /// A reply to the top node was followed to its end.
    fn offer(&mut self, mut found: Found, reply: Move, check: Move) {
        let Some(node) = self.stack.last_mut() else { return };
        found.length += 2;
        found.line.extend([check, reply]);
        let better = node.best.as_ref().is_none_or(|best| {
            let rank = |found: &Found| (found.length, !found.left_over.is_empty());
            let ((length, over), (known, known_over)) = (rank(&found), rank(best));
            length > known || length == known && known_over && !over
        });
        if better {
            node.best = Some(found);
        }
    }

    /// Looks at the next reply to the top node. None if a limit is reached.
    fn step(&mut self) -> Option<Next> {
        if self.asker.reached().is_some() {
            return None;
        }
        let node = self.stack.last_mut()?;
        let length = node.length();
        if length >= node.enough {
            let nothing_left = node.best.as_ref().is_none_or(|best| best.left_over.is_empty());
            if nothing_left || self.tries == 0 || self.testing > 0 || node.doubtful {
                self.passed_over |= !nothing_left && self.tries == 0 && self.testing == 0;
                return Some(Next::Leave);
            }
        }
        if node.begin == node.end {
            return Some(Next::Leave);
        }
        if node.next < node.end {
            let next = node.next;
            return self.look(next, GLANCE);
        }
        if node.ahead < node.replies.list.len() && length < node.enough {
            return self.look_ahead();
        }
        let leaves_something = node.best.as_ref().is_some_and(|best| !best.left_over.is_empty());
        let matters = self.is_thorough && leaves_something && self.testing == 0;
        if node.unclear && (length < node.stage + 1 || matters) {
            // What was found at a glance is not enough: look properly.
            node.unclear = false;
            let begin = node.begin;
            return self.look(begin, u64::MAX);
        }
        self.passed_over |= node.unclear && self.testing == 0;
        node.unclear = false;
        if node.stage < 2 || length >= node.stage - 1 {
            node.turn_to(node.end);
        } else {
            node.stage -= 2;
            node.next = node.begin;
        }
        Some(Next::Stay)
    }

    /// Looks for a reply from number `from` on that lasts as long as the stage says.
    fn look(&mut self, from: usize, budget: u64) -> Option<Next> {
        let node = self.stack.last_mut()?;
        let stage = node.stage;
        for i in from..node.end {
            node.next = i + 1;
            let (m, _) = node.replies.list[i];
            match node.replies.lasts(self.asker, &node.at, i, stage, budget) {
                None if budget > GLANCE || self.asker.reached().is_some() => return None,
                None => {
                    node.unclear = true;
                    continue;
                }
                Some(false) => continue,
                Some(true) => {}
            }
            // Where there is no other reply, the rules say that it is not mate yet.
            if std::mem::take(&mut node.doubtful) && node.best.is_some() {
                node.next = i;
                return self.test(m.to());
            }
            let found = node.best.as_ref().is_some_and(|best| best.length == stage + 1);
            // It is done: a second look passes over it.
            node.replies.list[i].1 = 0;
            if let Some(early) = node.early.iter().position(|early| early.0 == i) {
                let (_, check, found) = node.early.swap_remove(early);
                self.offer(found, m, check);
                return Some(Next::Stay);
            }
            if found {
                self.tries = self.tries.saturating_sub(1);
            }
            return self.follow(m, stage, |check| Purpose::Reply(m, check));
        }
        Some(Next::Stay)
    }

    /// What comes after a reply to the top node that lasts so long.
    fn follow(
        &mut self,
        reply: Move,
        length: u16,
        purpose: impl FnOnce(Move) -> Purpose,
    ) -> Option<Next> {
        let mut child = self.stack.last()?.at.clone();
        child.play(reply);
        let (check, plies) = self.attack(&mut child, length)?;
        child.play(check);
        Some(Next::Enter(Box::new(child), plies, plies, purpose(check)))
    }

    /// At a glance no other reply lasts as long as the node: is there an interposition that does,
    /// and is seen not to be futile? If it stays that long by convention, the others are no matter.
    /// None if a limit is reached.
    fn look_ahead(&mut self) -> Option<Next> {
        let node = self.stack.last_mut()?;
        let stage = node.left.saturating_sub(1);
        while node.ahead < node.replies.list.len() {
            let i = node.ahead;
            let (m, _) = node.replies.list[i];
            let lasts = node.replies.lasts(self.asker, &node.at, i, stage, GLANCE);
            if lasts == Some(true) && !is_needed(self.asker, &node.at, node.left, m.to()) {
                node.ahead = node.replies.end_of_group(i);
            } else {
                node.ahead += 1;
                if lasts == Some(true) {
                    return self.follow(m, stage, |check| Purpose::Ahead(i, m, check));
                }
            }
            if self.asker.reached().is_some() {
                return None;
            }
        }
        Some(Next::Stay)
    }

    /// Is an interposition on this square futile? What it would be is looked at first if that is
    /// not seen at once.
    fn test(&mut self, square: Square) -> Option<Next> {
        let node = self.stack.last_mut()?;
        let length = node.length();
        let IfTaken { positions, bound } = if_taken(&node.at, node.left, square)?;
        let mut entered = None;
        for taken in positions {
            if self.asker.ask(&taken, Plies::at_most(length))?.value == Value::Proven {
                node.turn_to(node.end);
                return Some(Next::Stay);
            }
            let solved = self.asker.ask(&taken, Plies::at_most(bound))?;
            if solved.value == Value::Disproven {
                continue;
            }
            let phase = self.asker.phase;
            let (plies, exact) = ask::shortest(self.asker, &taken, ask::length(solved));
            self.asker.phase = phase;
            if !exact {
                return None;
            }
            if entered.as_ref().is_none_or(|&(_, shortest)| plies < shortest) {
                entered = Some((taken, plies));
            }
        }
        Some(match entered {
            Some((taken, plies)) => {
                self.testing += 1;
                Next::Enter(Box::new(taken), plies, length + 2, Purpose::Taken)
            }
            None => Next::Stay,
        })
    }
}
