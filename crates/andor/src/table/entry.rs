//! The layout of a cluster: four entries in 128 bytes (two neighbouring cache lines).
//!
//! | words | bits | meaning |
//! | --- | --- | --- |
//! | 0 | 64 | sequence number: odd while a writer is inside (see [`cluster`](super::cluster)) |
//! | 1 + i | 64 | entry i: the high half of the key |
//! | 5, lane i | 16 | entry i: search effort, on a logarithmic scale |
//! | 6, lane i | 16 | entry i: solved: plies; open: the smallest depth it was reached at |
//! | 7, lane i | 16 | entry i: open: frontier depth (deep df-pn) or the children that meet again |
//! | 8 + i | 32 + 32 | entry i: stock; slot of the node it was first reached from, plus 1 |
//! | 12 + i | 32 + 32 | entry i: proof number; disproof number. Both 0: the entry is free |
//!
//! The sequence number and all keys lie in the first cache line: a look-up in vain touches no more.
//! A lane is a quarter of a word, so 30 bytes hold one entry, and 32 with its share of the lock.

use crate::number::{INFINITY, Number};
use crate::rules::Value;

/// Words in a cluster.
pub const WORDS: usize = 16;
/// Entries in a cluster.
pub const ENTRIES: usize = 4;

/// Where the entries' keys begin.
pub const CHECKS: usize = 1;
/// The word of efforts.
pub const EFFORTS: usize = 5;
/// The word of plies or depths.
pub const PLIES: usize = 6;
/// The word of what else there is.
pub const EXTRAS: usize = 7;
/// Where stocks and parents begin.
pub const STOCKS: usize = 8;
/// Where proof and disproof numbers begin.
pub const NUMBERS: usize = 12;

/// A cluster copied out of the table, free of races.
pub type Words = [u64; WORDS];

/// One entry, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Entry {
    /// The high half of the key.
    pub check: u64,
    /// The packed stock.
    pub stock: u32,
    /// The slot of the node from which this one was first reached, plus 1; 0 for none.
    pub parent: u32,
    /// Proof number.
    pub pn: Number,
    /// Disproof number.
    pub dn: Number,
    /// Search effort, encoded by [`effort_code`].
    pub effort: u16,
    /// Solved: plies. Open: the smallest depth.
    pub plies_or_depth: u16,
    /// Open: frontier depth, or a bit for each child that meets another again.
    pub extra: u16,
}

impl Entry {
    /// Reads entry `i`.
    pub fn read(words: &Words, i: usize) -> Entry {
        let (b, c) = (words[STOCKS + i], words[NUMBERS + i]);
        let lane = |w: usize| (words[w] >> (16 * i)) as u16;
        Entry {
            check: words[CHECKS + i],
            stock: b as u32,
            parent: (b >> 32) as u32,
            pn: c as u32,
            dn: (c >> 32) as u32,
            effort: lane(EFFORTS),
            plies_or_depth: lane(PLIES),
            extra: lane(EXTRAS),
        }
    }

    /// Writes entry `i`.
    pub fn write(self, words: &mut Words, i: usize) {
        words[CHECKS + i] = self.check;
        words[STOCKS + i] = self.stock as u64 | (self.parent as u64) << 32;
        words[NUMBERS + i] = self.pn as u64 | (self.dn as u64) << 32;
        let mut set = |w: usize, value: u16| {
            words[w] = words[w] & !(0xffff << (16 * i)) | (value as u64) << (16 * i);
        };
        set(EFFORTS, self.effort);
        set(PLIES, self.plies_or_depth);
        set(EXTRAS, self.extra);
    }

    /// Is nothing stored here?
    pub fn is_free(&self) -> bool {
        self.pn == 0 && self.dn == 0
    }

    /// The value, if this is a solved entry.
    pub fn value(&self) -> Option<Value> {
        match (self.pn, self.dn) {
            (0, INFINITY) => Some(Value::Proven),
            (INFINITY, 0) => Some(Value::Disproven),
            _ => None,
        }
    }

    /// How much is lost if the entry goes: its effort, and eight times that for a solved one.
    pub fn worth(&self) -> u32 {
        let bonus = if self.value().is_some() { 3 * OCTAVE } else { 0 };
        self.effort as u32 + bonus as u32
    }
}

/// Codes that stand for a doubling of the effort.
pub const OCTAVE: u16 = 1 << 11;

/// Packs a number of nodes into 16 bits, keeping order: exact below 2,048, then 11 bits of
/// mantissa.
#[inline]
pub fn effort_code(nodes: u64) -> u16 {
    if nodes < OCTAVE as u64 {
        return nodes as u16;
    }
    let exponent = 63 - nodes.leading_zeros() as u64;
    let mantissa = (nodes >> (exponent - 11)) & (OCTAVE as u64 - 1);
    let code = (exponent - 10) * OCTAVE as u64 + mantissa;
    code.min(u16::MAX as u64) as u16
}

/// The number of nodes that a code stands for.
#[inline]
pub fn effort_nodes(code: u16) -> u64 {
    if code < OCTAVE {
        return code as u64;
    }
    let exponent = (code / OCTAVE) as u64 + 10;
    let mantissa = (code % OCTAVE) as u64;
    (1 << exponent) | mantissa << (exponent - 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_apart() {
        let mut words = [0; WORDS];
        let entry = |n: u32| Entry {
            check: u64::MAX - n as u64,
            stock: n * 3 + 1,
            parent: n * 5 + 7,
            pn: n + 1,
            dn: u32::MAX - n,
            effort: (n as u16) << 9 | 1,
            plies_or_depth: 0xfff0 | n as u16,
            extra: 0x8001 ^ n as u16,
        };
        for i in 0..ENTRIES {
            entry(i as u32).write(&mut words, i);
        }
        Entry::default().write(&mut words, 2);
        for i in 0..ENTRIES {
            let expected = if i == 2 { Entry::default() } else { entry(i as u32) };
            assert_eq!(Entry::read(&words, i), expected);
        }
    }

    #[test]
    fn effort_codes_keep_order() {
        let mut last = 0;
        for nodes in (0..10_000).chain((10_000..60_000_000).step_by(977)) {
            let code = effort_code(nodes);
            assert!(code >= last);
            let back = effort_nodes(code);
            assert!(back <= nodes && nodes - back <= nodes / 1024, "{nodes} {back}");
            last = code;
        }
        assert_eq!(effort_code(u64::MAX), u16::MAX);
    }
}
