//! Random games, problems and trees of moves: the same on every machine.

use andor::SplitMix64;
use yomikiri_shogi::notation::japanese::move_name;
use yomikiri_shogi::notation::{Ending, NodeId, Record, Step};
use yomikiri_shogi::{Color, Hand, Kind, Move, Piece, Position, Square};

pub fn legal(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// A position as in a problem: White's king, few or many other pieces anywhere, perhaps Black's
/// king, and what is left in White's hand or in nobody's.
pub fn problem(rng: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::empty();
        let mut squares: Vec<Square> = Square::all().collect();
        let mut square = |rng: &mut SplitMix64| squares.swap_remove(rng.below(squares.len()));
        position.set(square(rng), Some(Piece::new(Color::White, Kind::KING)));
        if rng.below(4) == 0 {
            position.set(square(rng), Some(Piece::new(Color::Black, Kind::KING)));
        }
        let share = 2 + rng.below(9);
        let mut hands = [Hand::EMPTY; 2];
        let gets_rest = rng.below(2) == 0;
        for kind in Kind::HAND {
            for _ in 0..Kind::SET[kind.index()] {
                let color = Color::ALL[rng.below(2)];
                match rng.below(share) {
                    0 => {
                        let promoted = kind.can_promote() && rng.below(3) == 0;
                        let kind = if promoted { kind.promoted() } else { kind };
                        position.set(square(rng), Some(Piece::new(color, kind)));
                    }
                    1 => hands[color.index()] = hands[color.index()].plus(kind),
                    _ if gets_rest => hands[1] = hands[1].plus(kind),
                    _ => {}
                }
            }
        }
        Color::ALL.iter().for_each(|&color| position.set_hand(color, hands[color.index()]));
        position.set_turn(Color::ALL[usize::from(rng.below(8) == 0)]);
        if position.validate().is_ok() {
            return position;
        }
    }
}

/// How rich a record is to be.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub plies: usize,
    /// So many lines besides the main one.
    pub variations: usize,
    pub words: bool,
    pub times: bool,
}

const WORDS: [&str; 8] = [
    "好手",
    "",
    "*強調",
    "変化：3手",
    "ここで  △同玉なら：詰み",
    "まで",
    "plain text, with 'quotes' and \"more\" {of} them",
    "１ ７六歩(77)",
];

/// A record from a position: random legal moves, endings, and what else is wanted.
pub fn record(rng: &mut SplitMix64, position: Position, wanted: Wanted) -> Record {
    let mut record = Record::new(position);
    if wanted.words {
        record.header =
            [("先手", "甲野"), ("後手", "乙山"), ("作者", "丙川"), ("棋戦", "練習：一局")]
                .into_iter()
                .filter(|_| rng.below(2) == 0)
                .map(|(name, value)| (name.into(), value.into()))
                .collect();
        record.comments = words(rng);
    }
    // Every node that was made, with the position after it.
    let mut places: Vec<(Option<NodeId>, Position)> = vec![(None, record.position.clone())];
    for line in 0..=wanted.variations {
        let start = if line == 0 { 0 } else { rng.below(places.len()) };
        let (mut node, mut position) = places[start].clone();
        let plies = if line == 0 { wanted.plies } else { 1 + rng.below(wanted.plies.max(1)) };
        for _ in 0..plies {
            let moves = legal(&position);
            if moves.is_empty() || rng.below(60) == 0 {
                let endings: Vec<Ending> = Ending::all().collect();
                let mated = position.is_mated();
                let ending = if mated { Ending::Mate } else { endings[rng.below(endings.len())] };
                let id = record.tree.add(node, Step::End(ending));
                decorate(rng, &mut record, id, wanted);
                break;
            }
            let m = moves[rng.below(moves.len())];
            let known = record.tree.len();
            let id = record.tree.add(node, Step::Move(m));
            position.play(m);
            if record.tree.len() > known {
                decorate(rng, &mut record, id, wanted);
                places.push((Some(id), position.clone()));
            }
            node = Some(id);
        }
    }
    record
}

fn decorate(rng: &mut SplitMix64, record: &mut Record, id: NodeId, wanted: Wanted) {
    let node = record.tree.node_mut(id);
    if wanted.words && rng.below(6) == 0 {
        node.comments = words(rng);
    }
    if wanted.times && rng.below(8) > 0 {
        let most = if rng.below(9) == 0 { 9999 } else { 60 };
        node.seconds = Some(rng.below(most) as u32);
    }
}

fn words(rng: &mut SplitMix64) -> Vec<String> {
    (0..rng.below(3)).map(|_| WORDS[rng.below(WORDS.len())].into()).collect()
}

/// The record, but every ending that CSA and JKF have no word for is an interruption.
pub fn with_csa_endings(record: &Record) -> Record {
    rebuilt(record, |step| match step {
        Step::End(Ending::WalkOver | Ending::Forfeit | Ending::Sealed) => {
            Some(Step::End(Ending::Interrupted))
        }
        _ => Some(step),
    })
}

/// The record, its steps changed or left away with all that follows them.
pub fn rebuilt(record: &Record, change: impl Fn(Step) -> Option<Step>) -> Record {
    let mut new = Record { tree: Default::default(), ..record.clone() };
    let mut todo: Vec<(Option<NodeId>, NodeId)> =
        record.tree.children(None).iter().rev().map(|&child| (None, child)).collect();
    while let Some((parent, old)) = todo.pop() {
        let node = record.tree.node(old);
        let Some(step) = change(node.step) else { continue };
        let id = new.tree.add(parent, step);
        let made = new.tree.node_mut(id);
        made.comments = node.comments.clone();
        made.seconds = node.seconds;
        todo.extend(node.children().iter().rev().map(|&child| (Some(id), child)));
    }
    new
}

/// The record without the moves of these names and all that follows them.
pub fn without_names(record: &Record, named: impl Fn(&str) -> bool) -> Record {
    let mut new = Record { tree: Default::default(), ..record.clone() };
    let mut todo = vec![(None, None, record.position.clone(), None)];
    while let Some((old, parent, position, last)) = todo.pop() {
        for &child in record.tree.children(old) {
            let node = record.tree.node(child);
            let (mut after, mut after_last) = (position.clone(), last);
            if let Step::Move(m) = node.step {
                if named(&move_name(&position, m, last)) {
                    continue;
                }
                after.play(m);
                after_last = Some(m.to());
            }
            let id = new.tree.add(parent, node.step);
            let made = new.tree.node_mut(id);
            made.comments = node.comments.clone();
            made.seconds = node.seconds;
            todo.push((Some(child), Some(id), after, after_last));
        }
    }
    new
}

/// The record without times.
pub fn without_times(record: &Record) -> Record {
    let mut new = record.clone();
    let mut todo: Vec<NodeId> = new.tree.children(None).to_vec();
    while let Some(id) = todo.pop() {
        new.tree.node_mut(id).seconds = None;
        todo.extend(new.tree.children(Some(id)));
    }
    new
}
