//! Scales: which values an axis covers, which of them are named, and where a value lies.

/// A vertical scale with its range: values from `low` to `high` fill the chart.
pub(super) struct Fitted {
    low: f64,
    high: f64,
    /// The values with a label.
    pub ticks: Vec<f64>,
    logarithmic: bool,
}

impl Fitted {
    /// A scale that holds all these values.
    pub fn new(logarithmic: bool, values: impl Iterator<Item = f64> + Clone) -> Fitted {
        let max = values.clone().fold(0.0, f64::max);
        if logarithmic && max > 0.0 {
            let positive = values.filter(|&value| value > 0.0);
            let min = positive.fold(max, f64::min);
            let (first, last) = (min.log10().floor(), max.log10().ceil());
            let last = last.max(first + 1.0);
            let decades = (last - first) as i32;
            let (low, high) = if decades > MANY_DECADES {
                (10f64.powf(first), 10f64.powf(last))
            } else {
                (largest_tick(min), smallest_tick(max))
            };
            // One value alone, and a round one.
            let high = if high > low * 1.001 { high } else { low * 10.0 };
            return Fitted { low, high, ticks: ticks(low, high), logarithmic: true };
        }
        let step = round_step(if max > 0.0 { max } else { 1.0 } / 5.0);
        let count = (max / step).ceil().max(1.0) as u32;
        Fitted {
            low: 0.0,
            high: step * count as f64,
            ticks: (0..=count).map(|i| step * i as f64).collect(),
            logarithmic: false,
        }
    }

    /// Where `value` lies: 0 at the bottom, 1 at the top.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.logarithmic {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        place.clamp(0.0, 1.0)
    }
}

/// Over more decades than this only the powers of ten are named.
const MANY_DECADES: i32 = 3;

/// The ticks of a logarithmic scale.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let digits: &[f64] = if last - first > MANY_DECADES { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let inside = |tick: &f64| (low * 0.999..=high * 1.001).contains(tick);
    (first..=last)
        .flat_map(|decade| digits.iter().map(move |digit| digit * 10f64.powi(decade)))
        .filter(inside)
        .collect()
}

/// The range of a logarithmic axis that holds all these values: from one tick to another.
pub fn log_range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let fitted = Fitted::new(true, values);
    if fitted.logarithmic { (fitted.low, fitted.high) } else { (1.0, 10.0) }
}

/// The largest of 1, 2, 5 times a power of ten that is at most `value`.
fn largest_tick(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor());
    [5.0, 2.0, 1.0].map(|digit| digit * unit).into_iter().find(|&t| t <= value).unwrap_or(unit)
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `value`.
fn smallest_tick(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0].map(|d| d * unit).into_iter().find(|&t| t >= value).unwrap_or(10.0 * unit)
}

/// A step of 1, 2 or 5 times a power of ten, about `wanted`.
fn round_step(wanted: f64) -> f64 {
    let unit = 10f64.powf(wanted.log10().floor());
    let digit = wanted / unit;
    let round = match digit {
        d if d < 1.5 => 1.0,
        d if d < 3.5 => 2.0,
        d if d < 7.5 => 5.0,
        _ => 10.0,
    };
    round * unit
}

/// A tick's number: thousands and millions by letter, no needless digits.
pub(super) fn tick_label(value: f64) -> String {
    let (scaled, suffix) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, " G"),
        v if v >= 1e6 => (value / 1e6, " M"),
        v if v >= 1e4 => (value / 1e3, " k"),
        _ => (value, ""),
    };
    let small = value != 0.0 && value.abs() < 0.01;
    let text = if small { format!("{value:.6}") } else { format!("{scaled:.2}") };
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!([0.9, 17.0, 36.0, 800.0].map(round_step), [1.0, 20.0, 50.0, 1000.0]);
        assert_eq!((largest_tick(37.0), smallest_tick(37.0)), (20.0, 50.0));
        assert_eq!((smallest_tick(5.3e3), largest_tick(100.0)), (1e4, 100.0));
        let labels = [0.0, 0.001, 0.05, 150.0, 20_000.0, 1.5e6].map(tick_label);
        assert_eq!(labels, ["0", "0.001", "0.05", "150", "20 k", "1.5 M"]);
        assert_eq!(ticks(0.5, 20.0), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(log_range([1.5, 5e6].into_iter()), (1.0, 1e7));
        assert_eq!(log_range([].into_iter()), (1.0, 10.0));
    }

    #[test]
    fn scales_cover_all_values() {
        for logarithmic in [false, true] {
            for values in [vec![], vec![0.0], vec![7.0], vec![3.0, 99.0, 4e7]] {
                let fitted = Fitted::new(logarithmic, values.iter().copied());
                assert!(fitted.high > fitted.low, "{values:?}");
                assert!(fitted.ticks.len() >= 2, "{values:?}");
                for value in values {
                    assert!((0.0..=1.0).contains(&fitted.place(value)));
                }
            }
        }
    }
}
