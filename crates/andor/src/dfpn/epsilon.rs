//! The 1+ε trick (Pawlewicz and Lew, 2007).
//!
//! Df-pn leaves a child as soon as its number passes the second best child's. Near-equal children
//! then take turns after every step, and each turn pays for the way down again. With the trick a
//! child may exceed the second best by a share ε, so the number of turns grows only with the
//! logarithm. A larger ε saves more turns and strays further from the most proving node; ε = 0 is
//! plain df-pn.

use crate::number::Number;

/// The number up to which a child is searched whose best rival has `second`.
#[inline]
pub(super) fn beyond(second: Number, epsilon: f32) -> Number {
    // A sum that saturates is infinite here: no finite number is beyond the largest.
    let margin = (second as f32 * epsilon) as Number;
    second.saturating_add(1).saturating_add(margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{INFINITY, MAX_FINITE};

    #[test]
    fn margins() {
        assert_eq!(beyond(7, 0.0), 8);
        assert_eq!(beyond(8, 0.25), 11);
        assert_eq!(beyond(MAX_FINITE, 0.25), INFINITY);
        assert_eq!(beyond(INFINITY, 0.25), INFINITY);
    }
}
