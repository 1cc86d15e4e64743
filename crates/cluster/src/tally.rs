//! Results of matches: win rate, Elo and a sequential test, from pairs of games.
//!
//! Openings are played twice with sides exchanged, and the two games of a pair are not
//! independent: what an opening gives to White it gives to both. So variances are taken over pairs,
//! whose score is 0, ½, 1, 1½ or 2 points (*pentanomial*), as match tools for engines do. The
//! sequential test (SPRT, Wald 1945) asks whether the difference is `elo0` or `elo1`; the
//! likelihood ratio is that of a normal distribution with the variance seen.
//!
//! *Normalized Elo* (M. Van den Bergh 2020, for Stockfish's tests) measures a difference by the noise
//! of a game: `(rate − ½) / σ · 800 / ln 10`, where σ is the deviation of one game's points, √2 times
//! that of a pair's rate. Elo shrinks where a book makes draws; normalized Elo says how many games it
//! takes to see the difference, so matches with different books can be compared by it. Where games are
//! independent, even and never drawn both are nearly the same.

/// Results, from the point of view of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// Pairs with 0, 1, 2, 3 and 4 half points.
    pub pairs: [u64; 5],
}

/// The result of a game for the first player, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The first player is not better by `elo1`.
    Rejected,
    /// It is.
    Accepted,
    /// More games are needed.
    Open,
}

/// A sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference in Elo that is not enough.
    pub elo0: f64,
    /// The one that is.
    pub elo1: f64,
    /// The risk to accept wrongly.
    pub alpha: f64,
    /// The risk to reject wrongly.
    pub beta: f64,
}

/// The normal quantile of a two-sided interval of 95 %.
const Z95: f64 = 1.959_963_985;

impl Tally {
    /// Takes in a pair of games.
    pub fn add_pair(&mut self, results: [Points; 2]) {
        for result in results {
            self.games[2 - result as usize] += 1;
        }
        self.pairs[results.iter().map(|&result| result as usize).sum::<usize>()] += 1;
    }

    /// How many pairs there are.
    pub fn len(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Is there nothing yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The part of the points that the first player got: wins plus half of the draws.
    pub fn rate(&self) -> f64 {
        let points: u64 = self.pairs.iter().enumerate().map(|(half, &n)| half as u64 * n).sum();
        if self.is_empty() { 0.5 } else { points as f64 / (4 * self.len()) as f64 }
    }

    /// The variance of a pair's rate.
    fn variance(&self) -> f64 {
        let mean = self.rate();
        let squares = self.pairs.iter().enumerate();
        let sum: f64 =
            squares.map(|(half, &n)| n as f64 * (half as f64 / 4.0 - mean).powi(2)).sum();
        sum / (self.len().max(2) - 1) as f64
    }

    /// The half width of the 95 % interval of the rate.
    pub fn margin(&self) -> f64 {
        if self.is_empty() { 0.5 } else { Z95 * (self.variance() / self.len() as f64).sqrt() }
    }

    /// The difference in normalized Elo, with the ends of its 95 % interval (σ is taken as it was
    /// seen); none as long as all pairs are alike.
    pub fn normalized_elo(&self) -> Option<(f64, [f64; 2])> {
        let noise = (2.0 * self.variance()).sqrt();
        let of = |rate: f64| (rate - 0.5) / noise * 800.0 / std::f64::consts::LN_10;
        let (rate, margin) = (self.rate(), self.margin());
        (noise > 0.0).then(|| (of(rate), [of(rate - margin), of(rate + margin)]))
    }

    /// The likelihood that the first player is the stronger one (LOS), by the same normal distribution
    /// over pairs as the interval of the rate; none as long as all pairs are alike.
    pub fn superiority(&self) -> Option<f64> {
        let deviation = (self.variance() / self.len() as f64).sqrt();
        (deviation > 0.0).then(|| normal((self.rate() - 0.5) / deviation))
    }

    /// The difference in Elo, with the ends of its 95 % interval.
    pub fn elo(&self) -> (f64, [f64; 2]) {
        let (rate, margin) = (self.rate(), self.margin());
        (elo(rate), [elo(rate - margin), elo(rate + margin)])
    }
}

/// The distribution function of the standard normal distribution, by its Taylor series with the
/// density taken out (G. Marsaglia 2004): exact to some 15 places.
fn normal(x: f64) -> f64 {
    /// Beyond it, what is left is below the last place.
    const END: f64 = 8.3;
    if x.abs() >= END {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut factor) = (x, x, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        factor += 2.0;
        term *= x * x / factor;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

/// The difference in Elo that a rate means.
pub fn elo(rate: f64) -> f64 {
    let rate = rate.clamp(1e-6, 1.0 - 1e-6);
    400.0 * (rate / (1.0 - rate)).log10()
}

/// The rate that a difference in Elo means.
pub fn rate(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Sprt {
    /// The logarithm of the likelihood ratio. Where all pairs are alike their variance is not
    /// known; then it is taken for that of a match with one other pair among them.
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.is_empty() {
            return 0.0;
        }
        let one_other = 1.0 / (16.0 * (tally.len() + 1) as f64);
        let variance = tally.variance().max(one_other);
        let (low, high) = (rate(self.elo0), rate(self.elo1));
        tally.len() as f64 * (high - low) * (2.0 * tally.rate() - low - high) / (2.0 * variance)
    }

    /// The bounds of the ratio at which the test ends.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// What it says.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (llr, [low, high]) = (self.llr(tally), self.bounds());
        match llr {
            _ if llr <= low => Verdict::Rejected,
            _ if llr >= high => Verdict::Accepted,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        let ways = [
            [Points::Loss, Points::Loss],
            [Points::Draw, Points::Loss],
            [Points::Win, Points::Loss],
            [Points::Win, Points::Draw],
            [Points::Win, Points::Win],
        ];
        let mut tally = Tally::default();
        for (way, n) in ways.into_iter().zip(pairs) {
            (0..n).for_each(|_| tally.add_pair(way));
        }
        tally
    }

    #[test]
    fn pairs_are_counted_by_their_points() {
        let tally = tally([1, 2, 3, 4, 5]);
        assert_eq!(tally.pairs, [1, 2, 3, 4, 5]);
        assert_eq!(tally.games, [3 + 4 + 10, 2 + 4, 2 + 2 + 3]);
        assert!((tally.rate() - 40.0 / 60.0).abs() < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_the_mean_over_pairs() {
        // Half the pairs 1 point, a quarter each ½ and 1½: the variance of a pair's rate is 1/32.
        let tally = tally([0, 100, 200, 100, 0]);
        assert_eq!(tally.rate(), 0.5);
        let wanted = 1.96 * (1.0 / 32.0 * 400.0 / 399.0 / 400.0f64).sqrt();
        assert!((tally.margin() - wanted).abs() < 1e-5);
        assert_eq!(tally.elo().0, 0.0);
    }

    #[test]
    fn normalized_elo_is_the_difference_over_the_noise_of_a_game() {
        // By hand: the rates of the eight pairs are ½ four times, ¾ three times, 1 once: their sum is
        // 5¼ and the mean 21/32. The squares of what they differ by are 4·25 + 3·9 + 121 = 248 over
        // 32², so the variance is 248 / 1024 / 7, and σ of a game √(2 · 0.0345982) = 0.2630521.
        // (21/32 − ½) / σ = 0.5939887; times 347.4355855.
        let one = tally([0, 0, 4, 3, 1]).normalized_elo().unwrap();
        assert!((one.0 - 206.372_8).abs() < 1e-3, "{one:?}");
        // Half of the interval is 1.959964 · 347.4355855 / √16, whatever the pairs were.
        assert!((one.1[1] - one.0 - 170.240_3).abs() < 1e-3, "{one:?}");
        assert!((one.0 - one.1[0] - 170.240_3).abs() < 1e-3, "{one:?}");
        // A match of Stockfish's test server, which divides by the number of pairs and not by one less.
        let (found, _) = tally([13, 37, 50, 25, 3]).normalized_elo().unwrap();
        assert!((found * (128.0 / 127.0f64).sqrt() + 63.97).abs() < 5e-3, "{found}");
        // The same points with fewer drawn pairs are seen less clearly.
        let noisier = tally([1, 0, 1, 5, 1]);
        assert_eq!(noisier.rate(), 21.0 / 32.0);
        assert!(noisier.normalized_elo().unwrap().0 < one.0);
        assert_eq!(tally([0, 0, 9, 0, 0]).normalized_elo(), None);
        assert_eq!(tally([0, 0, 0, 0, 9]).normalized_elo(), None);
        assert_eq!(Tally::default().normalized_elo(), None);
    }

    #[test]
    fn superiority_is_the_part_of_the_distribution_above_one_half() {
        // By hand, with the variance of above: the deviation of the mean is √(0.0345982 / 8) =
        // 0.0657630, so one half lies 0.15625 / 0.0657630 = 2.375957 deviations below it. A table of
        // the normal distribution has 0.99111 for 2.37 and 0.99134 for 2.38.
        let los = tally([0, 0, 4, 3, 1]).superiority().unwrap();
        assert!((los - 0.991_248).abs() < 1e-6, "{los}");
        // The other player's is what is left to one.
        let other = tally([1, 3, 4, 0, 0]).superiority().unwrap();
        assert!((los + other - 1.0).abs() < 1e-12, "{other}");
        assert_eq!(tally([0, 25, 50, 25, 0]).superiority(), Some(0.5));
        // It is pairs that count, however their games ended: rate 0.525, variance
        // (36 · 1/1600 + 4 · 81/1600) / 39 = 0.00576923, deviation of the mean 0.0120096, so 2.081666
        // deviations.
        let paired = tally([0, 0, 36, 4, 0]).superiority().unwrap();
        assert!((paired - 0.981_314).abs() < 1e-6, "{paired}");
        for alike in [[0, 0, 9, 0, 0], [0, 0, 0, 0, 9], [0; 5]] {
            assert_eq!(tally(alike).superiority(), None);
        }
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, wanted) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (Z95, 0.975),
            (3.0, 0.998_650_101_968_370),
            (5.0, 0.999_999_713_348_428),
        ] {
            assert!((normal(x) - wanted).abs() < 1e-9, "{x}: {}", normal(x));
            assert!((normal(-x) - (1.0 - wanted)).abs() < 1e-9, "-{x}: {}", normal(-x));
        }
        assert_eq!([normal(40.0), normal(-40.0)], [1.0, 0.0]);
        assert!(normal(8.2) <= 1.0 && normal(-8.2) >= 0.0);
    }

    #[test]
    fn elo_and_rate_are_inverse() {
        assert!((elo(0.75) - 190.848_5).abs() < 1e-3);
        assert!(elo(0.5) == 0.0 && elo(0.5).is_sign_positive());
        assert!((rate(elo(0.613)) - 0.613).abs() < 1e-12);
    }

    #[test]
    fn the_sequential_test_ends_at_the_right_side() {
        let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        assert!((sprt.bounds()[1] - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.verdict(&Tally::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&tally([100, 900, 2000, 1100, 200])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&tally([200, 1100, 2000, 900, 100])), Verdict::Rejected);
        assert_eq!(sprt.verdict(&tally([1, 9, 20, 10, 1])), Verdict::Open);
        // Won or lost without exception: that is decided, too.
        assert_eq!(sprt.verdict(&tally([0, 0, 0, 0, 40])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&tally([40, 0, 0, 0, 0])), Verdict::Rejected);
        // At the middle between both hypotheses nothing is learnt.
        let middle = Sprt { elo0: -5.0, elo1: 5.0, ..sprt };
        assert!(middle.llr(&tally([100, 900, 2000, 900, 100])).abs() < 1e-9);
    }
}
