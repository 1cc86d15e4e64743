//! Proof and disproof numbers: saturating arithmetic with a true infinity.
//!
//! A finite sum never becomes infinite, however large: it stops at [`MAX_FINITE`]. So a number is
//! infinite only where something was really solved, and zero only where the other number is
//! infinite.

/// A proof or disproof number.
pub type Number = u32;

/// The number of a goal that cannot be reached any more.
pub const INFINITY: Number = u32::MAX;

/// The largest number that is not infinite.
pub const MAX_FINITE: Number = u32::MAX - 1;

/// The sum of two numbers: infinite only if one of them is.
#[inline]
pub fn add(a: Number, b: Number) -> Number {
    if a == INFINITY || b == INFINITY { INFINITY } else { a.saturating_add(b).min(MAX_FINITE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finite_sum_stays_finite() {
        assert_eq!(add(1, 2), 3);
        assert_eq!(add(MAX_FINITE, 1), MAX_FINITE);
        assert_eq!(add(MAX_FINITE, MAX_FINITE), MAX_FINITE);
        assert_eq!(add(INFINITY, 0), INFINITY);
        assert_eq!(add(0, INFINITY), INFINITY);
    }
}
