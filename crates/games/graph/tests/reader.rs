//! The format of certificates read a second time: slowly, by recursion, and by nothing that the checker
//! uses. What it says is a certificate, is one.

use andor::{Plies, Rules, Stock, Value};
use yomikiri_graph::{GraphPosition, Tokens};

/// Where things stand in a certificate: spans of bytes.
#[derive(Default)]
pub struct Places {
    pub children: Vec<(usize, usize)>,
    pub moves: Vec<(usize, usize)>,
    pub ranks: Vec<(usize, usize)>,
    /// The numbers of plies more than are asked for.
    pub raises: Vec<(usize, usize)>,
}

/// What is claimed of a position.
pub struct Said {
    pub node: usize,
    pub stock: Tokens,
    /// A proof: the rank. A disproof: the plies.
    pub claim: u64,
    /// A proof: the longest defence, whatever the ranks say.
    pub length: u64,
}

pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    value: Value,
    pub claims: Vec<Said>,
    expanded: u64,
    pub places: Places,
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

    /// The rank and the length of the position by the record at hand (0 in a disproof); None if the
    /// record is wrong.
    fn record(&mut self, position: &GraphPosition, plies: u64) -> Option<(u64, u64)> {
        let proof = self.value == Value::Proven;
        let (node, stock) = (position.identity(), position.stock());
        let mut moves = Vec::new();
        if position.terminal().is_none() {
            position.legal_moves(&mut moves);
        }
        let (mut kind, mut plies) = (self.byte()?, plies);
        if kind == 5 {
            let start = self.at;
            let raised = u128::from(plies) + u128::from(self.number()?);
            self.places.raises.push((start, self.at));
            kind = self.byte()?;
            if proof || plies == 65535 || raised >= 65535 || kind != 1 {
                return None;
            }
            plies = raised as u64;
        }
        match kind {
            0 => (position.terminal() == Some(self.value)).then_some((0, 0)),
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
                    self.claims.push(Said { node, stock, claim: plies, length: 0 });
                }
                let (mut least, mut length) = (0, 0);
                for m in moves {
                    let mut child = position.clone();
                    child.play(m);
                    let start = self.at;
                    let left = if plies == 65535 { plies } else { plies.saturating_sub(1) };
                    let (rank, after) = self.record(&child, left)?;
                    self.places.children.push((start, self.at));
                    least = least.max(rank + 1);
                    length = length.max(after + 1);
                }
                if !proof {
                    return Some((0, 0));
                }
                let start = self.at;
                let rank = self.number()?;
                self.places.ranks.push((start, self.at));
                self.claims.push(Said { node, stock, claim: rank, length });
                (rank >= least).then_some((rank, length))
            }
            2 if proof => {
                let said = || {
                    let known = self.claims.iter();
                    known.filter(|said| said.node == node && said.stock.within(stock))
                };
                let rank = said().map(|said| said.claim).min();
                rank.zip(said().map(|said| said.length).min())
            }
            2 => self
                .claims
                .iter()
                .any(|said| said.node == node && stock.within(said.stock) && said.claim >= plies)
                .then_some((0, 0)),
            4 => {
                let won = position.terminal() == Some(Value::Proven)
                    || (position.kind() == andor::NodeKind::And && moves.is_empty());
                (!proof && plies == 0 && !won).then_some((0, 0))
            }
            _ => None,
        }
    }
}

/// Is this a certificate? By the slow reading.
pub fn slow<'a>(
    root: &GraphPosition,
    value: Value,
    plies: Plies,
    bytes: &'a [u8],
) -> (bool, Reader<'a>) {
    let mut reader =
        Reader { bytes, at: 0, value, claims: Vec::new(), expanded: 0, places: Places::default() };
    let rank = reader.record(root, plies.bounded().unwrap_or(u16::MAX).into());
    let short = rank.is_some_and(|(rank, _)| value == Value::Disproven || plies.allow(rank));
    let expanded = reader.expanded;
    let end = reader.byte() == Some(255) && reader.number() == Some(expanded);
    (short && end && reader.at == bytes.len(), reader)
}

/// The bytes with others in place of a span.
pub fn splice(bytes: &[u8], (start, end): (usize, usize), new: &[u8]) -> Vec<u8> {
    [&bytes[..start], new, &bytes[end..]].concat()
}

/// A number as certificates have it.
pub fn leb(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
