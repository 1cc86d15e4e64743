//! From searches to the points of a curve: means, rates and cases.
//!
//! Every search of a setting is paired with the search of the same position by PN-search, its
//! *base*. A *rate* is what the setting took in percent of its base, so below 100 is better. A
//! search that was given up counts with what it had taken by then, which is a lower bound.

use andor::SplitMix64;

/// What one search took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Iterations or nodes.
    pub count: u64,
    /// Was the position solved?
    pub solved: bool,
}

/// How positions fared against their base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Took less.
    pub reducing: usize,
    /// Took more.
    pub increasing: usize,
    /// Took the same, or neither was solved.
    pub same: usize,
}

/// The arithmetic mean; 0 of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0u64), |(sum, count), x| (sum + x, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// The standard deviation of a sample; `None` of fewer than two values.
pub fn sigma(values: &[f64]) -> Option<f64> {
    let middle = mean(values.iter().copied());
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// The geometric mean; 1 of nothing.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    mean(values.into_iter().map(f64::ln)).exp()
}

/// The mean count.
pub fn mean_count(efforts: &[Effort]) -> f64 {
    mean(efforts.iter().map(|effort| effort.count as f64))
}

/// `effort` in percent of `base`.
pub fn rate(effort: Effort, base: Effort) -> f64 {
    100.0 * effort.count as f64 / base.count.max(1) as f64
}

/// The mean over positions of the rate of each.
///
/// # Panics
/// If the two are not of the same positions, as far as their number tells.
pub fn mean_rate(efforts: &[Effort], bases: &[Effort]) -> f64 {
    assert_eq!(efforts.len(), bases.len());
    mean(efforts.iter().zip(bases).map(|(&effort, &base)| rate(effort, base)))
}

/// The median over positions of the rate of each; 0 of nothing.
///
/// # Panics
/// If the two are not of the same positions, as far as their number tells.
pub fn median_rate(efforts: &[Effort], bases: &[Effort]) -> f64 {
    assert_eq!(efforts.len(), bases.len());
    let mut rates: Vec<f64> = efforts.iter().zip(bases).map(|(&a, &b)| rate(a, b)).collect();
    rates.sort_by(f64::total_cmp);
    mean(rates[rates.len().saturating_sub(1) / 2..].iter().take(2 - rates.len() % 2).copied())
}

/// The mean count in percent of the mean count of the bases: large trees weigh more than in
/// [`mean_rate`].
pub fn rate_of_means(efforts: &[Effort], bases: &[Effort]) -> f64 {
    100.0 * mean_count(efforts) / mean_count(bases).max(f64::MIN_POSITIVE)
}

/// Reducing and increasing cases. A position solved only by its base is an increasing case, one
/// that its base did not solve a reducing one, whatever was counted until then.
///
/// # Panics
/// If the two are not of the same positions, as far as their number tells.
pub fn cases(efforts: &[Effort], bases: &[Effort]) -> Cases {
    use std::cmp::Ordering::{Equal, Greater, Less};
    assert_eq!(efforts.len(), bases.len());
    let mut cases = Cases::default();
    for (effort, base) in efforts.iter().zip(bases) {
        let order = match (effort.solved, base.solved) {
            (true, true) => effort.count.cmp(&base.count),
            (true, false) => Less,
            (false, true) => Greater,
            (false, false) => Equal,
        };
        match order {
            Less => cases.reducing += 1,
            Greater => cases.increasing += 1,
            Equal => cases.same += 1,
        }
    }
    cases
}

/// How many were given up.
pub fn unsolved(efforts: &[Effort]) -> usize {
    efforts.iter().filter(|effort| !effort.solved).count()
}

/// The 95 % interval of a figure over `count` cases, by the bootstrap: `figure` is told the cases of
/// each of 2,000 samples, which are drawn with replacement. The same cases give the same interval.
pub fn bootstrap(count: usize, mut figure: impl FnMut(&[usize]) -> f64) -> (f64, f64) {
    const SAMPLES: usize = 2_000;
    let mut random = SplitMix64::new(count as u64);
    let mut drawn = vec![0; count];
    let mut sample = || {
        drawn.iter_mut().for_each(|case| *case = random.below(count));
        figure(&drawn)
    };
    let mut figures: Vec<f64> = (0..SAMPLES).map(|_| sample()).collect();
    figures.sort_by(f64::total_cmp);
    (figures[SAMPLES / 40], figures[SAMPLES - 1 - SAMPLES / 40])
}

/// The sum of the first numbers over the sum of the second, and its 95 % interval over the problems,
/// by the bootstrap. 0 of nothing.
pub fn ratio_of_sums(pairs: &[(f64, f64)]) -> (f64, (f64, f64)) {
    let ratio = |sums: (f64, f64)| sums.0 / sums.1.max(f64::MIN_POSITIVE);
    let add = |sums: (f64, f64), pair: (f64, f64)| (sums.0 + pair.0, sums.1 + pair.1);
    if pairs.is_empty() {
        return (0.0, (0.0, 0.0));
    }
    let interval = bootstrap(pairs.len(), |drawn| {
        ratio(drawn.iter().map(|&problem| pairs[problem]).fold((0.0, 0.0), add))
    });
    (ratio(pairs.iter().copied().fold((0.0, 0.0), add)), interval)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(counts: &[u64]) -> Vec<Effort> {
        counts.iter().map(|&count| Effort { count, solved: true }).collect()
    }

    #[test]
    fn means() {
        assert_eq!(mean([]), 0.0);
        assert_eq!(mean([1.0, 2.0, 6.0]), 3.0);
        assert_eq!((sigma(&[4.0]), sigma(&[1.0, 3.0])), (None, Some(2f64.sqrt())));
        assert!((geometric_mean([1.0, 4.0]) - 2.0).abs() < 1e-12);
        assert_eq!(geometric_mean([]), 1.0);
        assert_eq!(mean_count(&solved(&[10, 20, 60])), 30.0);
    }

    #[test]
    fn an_interval_covers_the_ratio_and_grows_with_the_differences() {
        let even: Vec<(f64, f64)> = (1..=100).map(|i| (2.0 * f64::from(i), f64::from(i))).collect();
        assert_eq!(ratio_of_sums(&even), (2.0, (2.0, 2.0)));
        // One problem has most of the weight: with and without it the ratio is another.
        let mut uneven = even.clone();
        uneven.push((50_000.0, 1_000.0));
        let (ratio, (low, high)) = ratio_of_sums(&uneven);
        assert!(low < 2.1 && ratio > 9.0 && high > ratio && ratio > low, "{low} {ratio} {high}");
        assert_eq!(ratio_of_sums(&uneven), ratio_of_sums(&uneven));
        assert_eq!(ratio_of_sums(&[]), (0.0, (0.0, 0.0)));
    }

    #[test]
    fn a_mean_rate_weighs_positions_alike_and_a_rate_of_means_by_size() {
        let (bases, efforts) = (solved(&[100, 1000]), solved(&[50, 1500]));
        assert_eq!(rate(efforts[0], bases[0]), 50.0);
        assert_eq!(mean_rate(&efforts, &bases), 100.0);
        assert!((rate_of_means(&efforts, &bases) - 100.0 * 1550.0 / 1100.0).abs() < 1e-9);
        assert_eq!(mean_rate(&bases, &bases), 100.0);
    }

    #[test]
    fn one_position_moves_the_mean_rate_and_not_the_median() {
        let (bases, mut efforts) = (solved(&[100, 200, 300, 400]), solved(&[50, 80, 150, 240]));
        assert_eq!((mean_rate(&efforts, &bases), median_rate(&efforts, &bases)), (50.0, 50.0));
        efforts[0].count = 60_000;
        assert_eq!((mean_rate(&efforts, &bases), median_rate(&efforts, &bases)), (15037.5, 55.0));
        assert_eq!(median_rate(&efforts[1..], &bases[1..]), 50.0);
        assert_eq!(median_rate(&[], &[]), 0.0);
    }

    #[test]
    fn cases_count_the_unsolved_by_what_they_show() {
        let mut bases = solved(&[10, 10, 10, 500, 100, 100]);
        let mut efforts = solved(&[9, 10, 11, 100, 100, 100]);
        efforts[3].solved = false;
        bases[4].solved = false;
        (efforts[5].solved, bases[5].solved) = (false, false);
        let expected = Cases { reducing: 2, increasing: 2, same: 2 };
        assert_eq!(cases(&efforts, &bases), expected);
        assert_eq!(unsolved(&efforts), 2);
    }
}
