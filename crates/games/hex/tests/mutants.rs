//! Damaged certificates with weakenings: a hint that gives other cells away, is too long or too
//! short, is left out or put in; and other damage beside. The checker must reject each one, unless
//! what is left is itself a certificate. What counts as one is decided here a second time, by a slow
//! recursive reading that gives cells away one by one.

use andor::certificate::{check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, Plies, Rules, SplitMix64, Stop, Table, Value, search,
};
use yomikiri_hex::{Board, Cell, Hex, Side, StrongHex};

use crate::support::{BruteForce, Random, random_open_position};

/// Where things stand in a certificate: spans of bytes.
#[derive(Default)]
struct Places {
    /// Records of children, with their weakenings.
    children: Vec<(usize, usize)>,
    /// Whole weakenings, and the hints in them.
    weakenings: Vec<(usize, usize)>,
    hints: Vec<(usize, usize)>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    value: Value,
    /// Positions treated in full, with their ranks.
    claims: Vec<(<Hex as Rules>::Identity, u64)>,
    expanded: u64,
    places: Places,
}

/// The position with every cell that the hint does not keep given to the side that does not hold the
/// value; nothing if the hint is not a mask of this board, or changes nothing.
fn weakened(hex: &Hex, holder: Value, hint: &[u8]) -> Option<Hex> {
    let size = hex.board().size();
    let cells = size * size;
    if hint.len() != cells.div_ceil(8) {
        return None;
    }
    let is_set = |n: usize| hint[n / 8] >> (n % 8) & 1 == 1;
    if (cells..8 * hint.len()).any(is_set) {
        return None;
    }
    let holds = match holder {
        Value::Proven => hex.attacker(),
        Value::Disproven => hex.attacker().opponent(),
    };
    let mut board = Board::empty(size).unwrap();
    let mut changed = false;
    for n in 0..cells {
        let cell = Cell(n as u8);
        let before = hex.board().at(cell);
        let after = if is_set(n) { before } else { Some(holds.opponent()) };
        changed |= after != before;
        if let Some(side) = after {
            board.fill(side, cell.bit());
        }
    }
    changed.then(|| Hex::new(board, hex.to_move()).with_attacker(hex.attacker()))
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for place in 0..9 {
            let byte = self.byte()?;
            number += u64::from(byte & 127) << (7 * place);
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// The rank of the position by the record at hand (0 in a disproof); None if the record is
    /// wrong.
    fn record(&mut self, hex: &Hex) -> Option<u64> {
        let proof = self.value == Value::Proven;
        let start = self.at;
        match self.byte()? {
            0 => (hex.terminal() == Some(self.value)).then_some(0),
            1 => {
                if hex.terminal().is_some() {
                    return None;
                }
                let mut moves = Vec::new();
                hex.legal_moves(&mut moves);
                if hex.kind().goal() == self.value {
                    let code = self.number()?;
                    moves.retain(|m| u64::from(m.0) == code);
                    if moves.is_empty() {
                        return None;
                    }
                }
                self.expanded += 1;
                if !proof {
                    self.claims.push((hex.identity(), 0));
                }
                let mut least = 0;
                for m in moves {
                    let mut child = hex.clone();
                    child.play(m);
                    let start = self.at;
                    least = least.max(self.record(&child)? + 1);
                    self.places.children.push((start, self.at));
                }
                if !proof {
                    return Some(0);
                }
                let rank = self.number()?;
                self.claims.push((hex.identity(), rank));
                (rank >= least).then_some(rank)
            }
            2 => {
                let here = hex.identity();
                self.claims.iter().filter(|claim| claim.0 == here).map(|claim| claim.1).min()
            }
            3 => {
                let length = usize::try_from(self.number()?).ok()?;
                let hint = self.bytes.get(self.at..self.at.checked_add(length)?)?;
                self.places.hints.push((self.at, self.at + length));
                self.at += length;
                self.places.weakenings.push((start, self.at));
                self.record(&weakened(hex, self.value, hint)?)
            }
            _ => None,
        }
    }
}

/// Is this a certificate? By the slow reading.
fn slow(root: &Hex, value: Value, bytes: &[u8]) -> (bool, Places) {
    let (claims, places) = (Vec::new(), Places::default());
    let mut reader = Reader { bytes, at: 0, value, claims, expanded: 0, places };
    let is_right = reader.record(root).is_some();
    let expanded = reader.expanded;
    let end = reader.byte() == Some(255) && reader.number() == Some(expanded);
    (is_right && end && reader.at == bytes.len(), reader.places)
}

fn splice(bytes: &[u8], (start, end): (usize, usize), new: &[u8]) -> Vec<u8> {
    [&bytes[..start], new, &bytes[end..]].concat()
}

#[test]
fn damaged_certificates_with_weakenings_are_rejected() {
    const KINDS: usize = 8;
    let mut table = Table::new(1 << 18).expect("a small table");
    let (mut random, mut draws) = (Random(21), SplitMix64::new(22));
    let mut brute = BruteForce::default();
    let (mut mutants, mut still_valid, mut tried, mut rejected) = (0, 0, [0; KINDS], [0; KINDS]);
    for _ in 0..600 {
        let size = 3 + random.below(2);
        let vacant = size * size - 1 - random.below(4);
        let mut hex = random_open_position(&mut random, size, vacant);
        let attacker = [Side::Black, Side::White][random.below(2)];
        let truth = hex.clone().with_attacker(attacker).value_of_win(brute.winner(&mut hex));
        brute.forget();
        let strong = StrongHex::new(hex.with_attacker(attacker));
        table.clear();
        let dfpn = Dfpn::default();
        let outcome = search(&strong, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
        assert_eq!(outcome.value(), Some(truth));
        let mut bytes = Vec::new();
        write(Claim::new(&strong, truth, Plies::UNBOUNDED), dfpn, &table, &Stop::new(), &mut bytes)
            .expect("written");
        let (valid, places) = slow(strong.hex(), truth, &bytes);
        assert!(valid, "the slow reading rejects a certificate of {strong:?}");
        for _ in 0..40 {
            let kind = draws.below(KINDS);
            let mut pick = |spans: &[(usize, usize)]| {
                (!spans.is_empty()).then(|| spans[draws.below(spans.len())])
            };
            let mutant = match kind {
                // A cell more or less is given away.
                0 => pick(&places.hints).map(|(start, end)| {
                    let mut changed = bytes.clone();
                    changed[start + draws.below(end - start)] ^= 1 << draws.below(8);
                    changed
                }),
                // Any cells are given away.
                1 => pick(&places.hints).map(|(start, end)| {
                    let any: Vec<u8> = (start..end).map(|_| draws.next_u64() as u8).collect();
                    splice(&bytes, (start, end), &any)
                }),
                // Nothing is, or everything.
                2 => pick(&places.hints).map(|(start, end)| {
                    splice(&bytes, (start, end), &vec![[0, 255][draws.below(2)]; end - start])
                }),
                // The hint is a byte too short or too long.
                3 => pick(&places.hints).map(|(start, end)| {
                    let mut hint = bytes[start..end].to_vec();
                    if draws.percent(50) {
                        hint.pop();
                    } else {
                        hint.push(0);
                    }
                    hint.insert(0, hint.len() as u8);
                    splice(&bytes, (start - 1, end), &hint)
                }),
                // There is no weakening, or the one of another place.
                4 => pick(&places.weakenings).map(|span| splice(&bytes, span, &[])),
                5 => pick(&places.weakenings).map(|span| {
                    let other = places.weakenings[draws.below(places.weakenings.len())];
                    splice(&bytes, span, &bytes[other.0..other.1])
                }),
                // A child is weakened as another one was, or taken for known.
                6 => pick(&places.children).map(|(start, end)| {
                    match places.weakenings.get(draws.below(2 * places.weakenings.len().max(1))) {
                        Some(other) => splice(&bytes, (start, start), &bytes[other.0..other.1]),
                        None => splice(&bytes, (start, end), &[[0, 2][draws.below(2)]]),
                    }
                }),
                _ => {
                    let mut changed = bytes.clone();
                    let at = draws.below(changed.len());
                    changed[at] ^= 1 << draws.below(8);
                    Some(changed)
                }
            };
            let Some(mutant) = mutant.filter(|mutant| *mutant != bytes) else { continue };
            let (valid, _) = slow(strong.hex(), truth, &mutant);
            let accepted =
                check(Claim::new(strong.hex(), truth, Plies::UNBOUNDED), &mut mutant.as_slice())
                    .is_ok();
            assert_eq!(accepted, valid, "{strong:?}, mutation {kind}\n{bytes:?}\n{mutant:?}");
            let lie = check(
                Claim::new(strong.hex(), truth.other(), Plies::UNBOUNDED),
                &mut mutant.as_slice(),
            );
            assert!(lie.is_err(), "{strong:?}, mutation {kind}: the opposite\n{mutant:?}");
            mutants += 1;
            still_valid += u32::from(valid);
            tried[kind] += 1;
            rejected[kind] += u32::from(!valid);
        }
    }
    println!(
        "{mutants} mutants, {still_valid} of them valid; {tried:?} tried, {rejected:?} rejected"
    );
    assert!(rejected.iter().all(|&count| count > 200), "{tried:?} tried, {rejected:?} rejected");
    assert!(still_valid > 100, "{still_valid} of {mutants}");
}
