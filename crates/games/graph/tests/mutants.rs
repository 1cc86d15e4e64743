//! Damaged certificates: a child dropped, a move swapped, a rank changed, the end cut off, any byte
//! changed. The checker must reject each one, unless what is left is itself a certificate. What
//! counts as one is decided here a second time, by a slow recursive reading of the format.

use andor::certificate::{check, write};
use andor::{
    Algorithm, Claim, Control, Dfpn, Plies, Repetition, Rules, SplitMix64, Stock, Stop, Table,
    Value, search,
};
use yomikiri_graph::{GraphPosition, Tokens, random};

/// Where things stand in a certificate: spans of bytes.
#[derive(Default)]
struct Places {
    children: Vec<(usize, usize)>,
    moves: Vec<(usize, usize)>,
    ranks: Vec<(usize, usize)>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    value: Value,
    claims: Vec<(usize, Tokens, u64)>,
    expanded: u64,
    places: Places,
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
    fn record(&mut self, position: &GraphPosition, plies: u64) -> Option<u64> {
        let proof = self.value == Value::Proven;
        let (node, stock) = (position.identity(), position.stock());
        let mut moves = Vec::new();
        if position.terminal().is_none() {
            position.legal_moves(&mut moves);
        }
        match self.byte()? {
            0 => (position.terminal() == Some(self.value)).then_some(0),
            1 => {
                let ours = position.kind().goal() == self.value;
                if position.terminal().is_some() || (!proof && plies == 0) {
                    return None;
                }
                if ours {
                    let start = self.at;
                    let code = self.number()?;
                    self.places.moves.push((start, self.at));
                    moves.retain(|&m| u64::from(GraphPosition::encode_move(m)) == code);
                    if moves.is_empty() {
                        return None;
                    }
                }
                self.expanded += 1;
                if !proof {
                    self.claims.push((node, stock, plies));
                }
                let mut least = 0;
                for m in moves {
                    let mut child = position.clone();
                    child.play(m);
                    let start = self.at;
                    let left = if plies == 65535 { plies } else { plies.saturating_sub(1) };
                    let rank = self.record(&child, left)?;
                    self.places.children.push((start, self.at));
                    least = least.max(rank + 1);
                }
                if !proof {
                    return Some(0);
                }
                let start = self.at;
                let rank = self.number()?;
                self.places.ranks.push((start, self.at));
                self.claims.push((node, stock, rank));
                (rank >= least).then_some(rank)
            }
            2 if proof => self
                .claims
                .iter()
                .filter(|claim| claim.0 == node && claim.1.within(stock))
                .map(|claim| claim.2)
                .min(),
            2 => self
                .claims
                .iter()
                .any(|claim| claim.0 == node && stock.within(claim.1) && claim.2 >= plies)
                .then_some(0),
            4 => {
                let won = position.terminal() == Some(Value::Proven)
                    || (position.kind() == andor::NodeKind::And && moves.is_empty());
                (!proof && plies == 0 && !won).then_some(0)
            }
            _ => None,
        }
    }
}

/// Is this a certificate? By the slow reading.
fn slow<'a>(
    root: &GraphPosition,
    value: Value,
    plies: Plies,
    bytes: &'a [u8],
) -> (bool, Reader<'a>) {
    let mut reader =
        Reader { bytes, at: 0, value, claims: Vec::new(), expanded: 0, places: Places::default() };
    let rank = reader.record(root, plies.bounded().unwrap_or(u16::MAX).into());
    let short = rank.is_some_and(|rank| value == Value::Disproven || plies.allow(rank));
    let expanded = reader.expanded;
    let end = reader.byte() == Some(255) && reader.number() == Some(expanded);
    (short && end && reader.at == bytes.len(), reader)
}

fn splice(bytes: &[u8], (start, end): (usize, usize), new: &[u8]) -> Vec<u8> {
    [&bytes[..start], new, &bytes[end..]].concat()
}

fn leb(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

#[test]
fn damaged_certificates_are_rejected() {
    let mut random = SplitMix64::new(7);
    let mut table = Table::new(1 << 14).expect("a small table");
    let (mut mutants, mut still_valid, mut kinds) = (0, 0, [0; 6]);
    for seed in 0..3_000 {
        let graph = random::any(12, seed);
        if graph.repetition() != Repetition::FavoursDefender {
            continue;
        }
        let root = graph.start();
        table.clear();
        let bound = Plies::from((seed % 3 == 0).then_some(6));
        let dfpn = Dfpn { plies: bound, ..Dfpn::default() };
        let outcome = search(&root, &Algorithm::Dfpn(dfpn), &table, &mut Control::default());
        let value = outcome.value().expect("small graphs are solved");
        let plies = if bound.is_bounded() { bound } else { outcome.plies };
        let mut bytes = Vec::new();
        write(Claim::new(&root, value, plies), dfpn, &table, &Stop::new(), &mut bytes)
            .expect("written");
        let (valid, reader) = slow(&root, value, plies, &bytes);
        assert!(valid, "seed {seed}: the slow reading rejects a certificate\n{graph}");
        let places = reader.places;
        for _ in 0..40 {
            let kind = random.below(6);
            let mut pick = |spans: &[(usize, usize)]| {
                (!spans.is_empty()).then(|| spans[random.below(spans.len())])
            };
            let mutant = match kind {
                0 => pick(&places.children).map(|span| splice(&bytes, span, &[])),
                1 => pick(&places.moves)
                    .map(|span| splice(&bytes, span, &leb(random.below(5) as u64))),
                2 => pick(&places.ranks)
                    .map(|span| splice(&bytes, span, &leb(random.below(12) as u64))),
                3 => Some(bytes[..random.below(bytes.len())].to_vec()),
                4 => pick(&places.children)
                    .map(|span| splice(&bytes, span, &[[0, 2, 4][random.below(3)]])),
                _ => {
                    let mut changed = bytes.clone();
                    let at = random.below(changed.len());
                    changed[at] ^= 1 << random.below(8);
                    Some(changed)
                }
            };
            let Some(mutant) = mutant.filter(|mutant| *mutant != bytes) else { continue };
            kinds[kind] += 1;
            mutants += 1;
            let (valid, _) = slow(&root, value, plies, &mutant);
            let accepted = check(Claim::new(&root, value, plies), &mut mutant.as_slice()).is_ok();
            assert_eq!(accepted, valid, "seed {seed}, mutation {kind}\n{graph}\n{mutant:?}");
            still_valid += u32::from(valid);
        }
    }
    println!("{mutants} mutants, {still_valid} of them certificates themselves; by kind {kinds:?}");
    assert!(kinds.iter().all(|&count| count > 1_000), "{kinds:?}");
    assert!(still_valid * 5 < mutants, "{still_valid} of {mutants}");
}
