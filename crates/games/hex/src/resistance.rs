//! The board as an electrical circuit: how near a side is to connecting its edges, and which cells
//! matter (Shannon's resistor machine, about 1950; with virtual connections as additional wires, as
//! in Anshelevich's Hexy, 2000).
//!
//! Each vacant cell is a resistor, groups of stones and the edges are conductors, and ends with a full
//! connection are wired together. A voltage is put between the edges: the total current says
//! how well the side is connected, and the current through a cell how much of it hangs on that cell.
//! It serves for first numbers and move order alone; no verdict rests on it.

use crate::board::{Cells, MAX_SIZE};

/// The conductance of a wire from a vacant cell to a conductor; between vacant cells it is half.
const TO_FIRM: f64 = 1.0;
/// The conductance of a wire between two conductors.
const BETWEEN_FIRM: f64 = 8.0;
/// A leak at every end, so that ends without wires do no harm.
const LEAK: f64 = 1e-9;

/// The circuit of one side under voltage.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// The total current.
    pub(crate) total: f64,
    /// The current through each vacant cell.
    pub(crate) through: [f64; MAX_SIZE * MAX_SIZE],
}

/// Computes the flow between ends 0 and 1. `linked` has the ends wired to each end, by number;
/// `vacant` has the cell of each end that is one, else nothing; the ends from `first_vacant` on are.
pub(crate) fn flow(linked: &[u128], vacant: &[Cells], first_vacant: usize) -> Flow {
    let count = linked.len();
    let wire = |x: usize, y: usize| match (x < first_vacant, y < first_vacant) {
        _ if linked[x] >> y & 1 == 0 => 0.0,
        (true, true) => BETWEEN_FIRM,
        (false, false) => TO_FIRM / 2.0,
        _ => TO_FIRM,
    };
    // Kirchhoff's law at every inner end, solved by elimination from the last end to the first.
    // What is left is one wire between the edges; the potentials follow on the way back.
    let mut conductance = vec![0.0; count * count];
    for x in 0..count {
        for y in 0..x {
            conductance[x * count + y] = wire(x, y);
        }
    }
    let mut sums = vec![0.0; count];
    for x in (2..count).rev() {
        let (before, row) = conductance.split_at_mut(x * count);
        let row = &row[..x];
        let sum = row.iter().sum::<f64>() + LEAK;
        sums[x] = sum;
        for y in 1..x {
            if row[y] != 0.0 {
                let share = row[y] / sum;
                for (entry, &other) in before[y * count..y * count + y].iter_mut().zip(row) {
                    *entry += share * other;
                }
            }
        }
    }
    let total = conductance[count];
    let mut potential = vec![0.0; count];
    potential[0] = 1.0;
    for x in 2..count {
        let row = &conductance[x * count..x * count + x];
        potential[x] = row.iter().zip(&potential).map(|(c, p)| c * p).sum::<f64>() / sums[x];
    }
    let mut through = [0.0; MAX_SIZE * MAX_SIZE];
    for x in first_vacant..count {
        let current = (0..count)
            .map(|y| wire(x, y) * (potential[y] - potential[x]).abs())
            .sum::<f64>();
        through[vacant[x].trailing_zeros() as usize] = current / 2.0;
    }
    Flow { total, through }
}
