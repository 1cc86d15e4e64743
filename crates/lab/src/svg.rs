//! Line charts and scatter plots as SVG text: axes with round ticks, a legend, up to two vertical
//! scales, linear or logarithmic.

use std::fmt::{self, Display, Formatter, Write};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const RIGHT_WITH_SCALE: f64 = 84.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 76.0;

/// Colours that are told apart with any colour vision (Okabe and Ito, 2008).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// Which vertical scale a series belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The scale at the left.
    Left,
    /// The scale at the right.
    Right,
}

/// A vertical scale.
#[derive(Clone, Debug)]
pub struct Scale {
    /// What it measures.
    pub label: String,
    /// Powers of ten instead of equal steps from 0.
    pub logarithmic: bool,
}

/// One point of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it lies from left to right.
    pub x: f64,
    /// How high it lies.
    pub y: f64,
    /// Drawn hollow: the value is a bound only.
    pub hollow: bool,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line with a marker at each point.
    Line,
    /// Small markers alone: a scatter plot.
    Dots,
    /// A thin dashed line without markers.
    Guide,
}

/// A line with its markers.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend, which has no line for a series without one.
    pub name: String,
    /// Its scale.
    pub side: Side,
    /// How it is drawn.
    pub style: Style,
    /// Its points from left to right.
    pub points: Vec<Point>,
}

/// A chart. Its [`Display`] is the SVG document.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// A line below the title, or nothing.
    pub subtitle: String,
    /// What the horizontal axis measures.
    pub x_label: String,
    /// The value at the left end and the one at the right end, which may be the smaller.
    pub x_range: (f64, f64),
    /// The distance between horizontal ticks; 0: powers of ten instead of equal steps.
    pub x_step: f64,
    /// The scale at the left.
    pub left: Scale,
    /// The scale at the right, if there is one.
    pub right: Option<Scale>,
    /// A dashed horizontal line at this value of the left scale.
    pub reference: Option<f64>,
    /// The lines.
    pub series: Vec<Series>,
}

/// A vertical scale with its range: values from `low` to `high` fill the chart.
struct Fitted {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    logarithmic: bool,
}

impl Fitted {
    fn new(scale: &Scale, values: impl Iterator<Item = f64> + Clone) -> Fitted {
        let max = values.clone().fold(0.0, f64::max);
        if scale.logarithmic && max > 0.0 {
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
    fn place(&self, value: f64) -> f64 {
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
fn ticks(low: f64, high: f64) -> Vec<f64> {
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
    let scale = Scale { label: String::new(), logarithmic: true };
    let fitted = Fitted::new(&scale, values);
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
fn tick_label(value: f64) -> String {
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

/// Text with the characters that XML reserves written out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

impl Chart {
    fn values(&self, side: Side) -> impl Iterator<Item = f64> + Clone + '_ {
        let reference = self.reference.filter(|_| side == Side::Left);
        let lines = self.series.iter().filter(move |series| series.side == side);
        lines.flat_map(|series| series.points.iter().map(|point| point.y)).chain(reference)
    }

    fn right_edge(&self) -> f64 {
        WIDTH - if self.right.is_some() { RIGHT_WITH_SCALE } else { RIGHT }
    }

    fn x(&self, value: f64) -> f64 {
        let (from, to) = self.x_range;
        let place = if self.x_step == 0.0 {
            (value.max(from) / from).ln() / (to / from).ln()
        } else {
            (value - from) / (to - from)
        };
        LEFT + place * (self.right_edge() - LEFT)
    }

    /// Ticks of one vertical scale, and its label.
    fn draw_scale(
        &self,
        f: &mut Formatter<'_>,
        scale: &Scale,
        fitted: &Fitted,
        side: Side,
    ) -> fmt::Result {
        let right = self.right_edge();
        let (x, anchor, label_x) = match side {
            Side::Left => (LEFT - 8.0, "end", 22.0),
            Side::Right => (right + 8.0, "start", WIDTH - 16.0),
        };
        for &tick in &fitted.ticks {
            let y = y(fitted.place(tick));
            if side == Side::Left {
                writeln!(f, r##"<path d="M{LEFT:.1} {y:.1}H{right:.1}" stroke="#e4e4e4"/>"##)?;
            }
            let label = tick_label(tick);
            writeln!(
                f,
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="{anchor}">{label}</text>"#,
                y + 4.0
            )?;
        }
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let label = escaped(&scale.label);
        writeln!(
            f,
            r#"<text transform="translate({label_x:.1} {middle:.1}) rotate(-90)" text-anchor="middle">{label}</text>"#
        )
    }

    fn draw_x_axis(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (from, to) = self.x_range;
        let bottom = HEIGHT - BOTTOM;
        let values = if self.x_step == 0.0 {
            ticks(from, to)
        } else {
            let count = ((to - from).abs() / self.x_step).round() as i32;
            let step = self.x_step * (to - from).signum();
            (0..=count).map(|i| from + step * i as f64).collect()
        };
        for value in values {
            let x = self.x(value);
            writeln!(f, r##"<path d="M{x:.1} {bottom:.1}v5" stroke="#444"/>"##)?;
            writeln!(
                f,
                r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                bottom + 20.0,
                tick_label(value)
            )?;
        }
        let middle = (LEFT + self.right_edge()) / 2.0;
        writeln!(
            f,
            r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            HEIGHT - 30.0,
            escaped(&self.x_label)
        )
    }

    fn draw_series(&self, f: &mut Formatter<'_>, index: usize, fitted: &Fitted) -> fmt::Result {
        let series = &self.series[index];
        let colour = COLOURS[index % COLOURS.len()];
        let place = |point: &Point| (self.x(point.x), y(fitted.place(point.y)));
        let mut line = String::new();
        for (i, point) in series.points.iter().enumerate() {
            let (x, y) = place(point);
            write!(line, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' })?;
        }
        match series.style {
            Style::Line => writeln!(
                f,
                r#"<path d="{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>"#
            )?,
            Style::Guide => {
                return writeln!(
                    f,
                    r##"<path d="{line}" fill="none" stroke="#777" stroke-dasharray="6 4"/>"##
                );
            }
            Style::Dots => {}
        }
        for point in &series.points {
            let (x, y) = place(point);
            marker(f, index, x, y, point.hollow)?;
        }
        Ok(())
    }

    fn draw_legend(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut x = LEFT;
        let y = TOP - 20.0;
        let named = self.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
        for (index, series) in named {
            let colour = COLOURS[index % COLOURS.len()];
            let arrow = match (&self.right, series.side) {
                (None, _) => "",
                (Some(_), Side::Left) => " (left scale)",
                (Some(_), Side::Right) => " (right scale)",
            };
            if series.style == Style::Guide {
                writeln!(
                    f,
                    r##"<path d="M{x:.1} {y:.1}h28" stroke="#777" stroke-dasharray="6 4"/>"##
                )?;
            } else {
                if series.style == Style::Line {
                    writeln!(
                        f,
                        r#"<path d="M{x:.1} {y:.1}h28" stroke="{colour}" stroke-width="2"/>"#
                    )?;
                }
                marker(f, index, x + 14.0, y, false)?;
            }
            let name = format!("{}{arrow}", series.name);
            writeln!(
                f,
                r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
                x + 36.0,
                y + 4.0,
                escaped(&name)
            )?;
            x += 36.0 + 7.2 * name.chars().count() as f64 + 24.0;
        }
        Ok(())
    }
}

/// From a place on a scale to the picture.
fn y(place: f64) -> f64 {
    HEIGHT - BOTTOM - place * (HEIGHT - BOTTOM - TOP)
}

/// A marker: discs and squares in turn.
fn marker(f: &mut Formatter<'_>, index: usize, x: f64, y: f64, hollow: bool) -> fmt::Result {
    let colour = COLOURS[index % COLOURS.len()];
    let fill = if hollow { "#fff" } else { colour };
    if index.is_multiple_of(2) {
        writeln!(
            f,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.6" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#
        )
    } else {
        let (x, y) = (x - 3.3, y - 3.3);
        writeln!(
            f,
            r#"<rect x="{x:.1}" y="{y:.1}" width="6.6" height="6.6" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>"#
        )
    }
}

impl Display for Chart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">"##
        )?;
        writeln!(f, "<title>{}</title>", escaped(&self.title))?;
        writeln!(f, r##"<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>"##)?;
        writeln!(
            f,
            r#"<text x="{LEFT}" y="28" font-size="17" font-weight="bold">{}</text>"#,
            escaped(&self.title)
        )?;
        writeln!(
            f,
            r##"<text x="{LEFT}" y="48" font-size="12" fill="#666">{}</text>"##,
            escaped(&self.subtitle)
        )?;
        let left = Fitted::new(&self.left, self.values(Side::Left));
        self.draw_scale(f, &self.left, &left, Side::Left)?;
        let right =
            self.right.as_ref().map(|scale| (scale, Fitted::new(scale, self.values(Side::Right))));
        if let Some((scale, fitted)) = &right {
            self.draw_scale(f, scale, fitted, Side::Right)?;
        }
        self.draw_x_axis(f)?;
        let (width, height) = (self.right_edge() - LEFT, HEIGHT - BOTTOM - TOP);
        writeln!(
            f,
            r##"<rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" stroke="#444"/>"##
        )?;
        if let Some(value) = self.reference {
            let y = y(left.place(value));
            writeln!(
                f,
                r##"<path d="M{LEFT} {y:.1}h{width}" stroke="#777" stroke-dasharray="6 4"/>"##
            )?;
        }
        for (index, series) in self.series.iter().enumerate() {
            let fitted = match (series.side, &right) {
                (Side::Right, Some((_, fitted))) => fitted,
                _ => &left,
            };
            self.draw_series(f, index, fitted)?;
        }
        self.draw_legend(f)?;
        f.write_str("</svg>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(logarithmic: bool) -> Chart {
        let point = |x, y| Point { x, y, hollow: y > 100.0 };
        let series = |name: &str, side| Series {
            name: name.into(),
            side,
            style: Style::Line,
            points: vec![point(1.0, 100.0), point(0.5, 40.0), point(0.0, 5_300.0)],
        };
        Chart {
            title: "a < b & c".into(),
            subtitle: String::new(),
            x_label: "R".into(),
            x_range: (1.0, 0.0),
            x_step: 0.1,
            left: Scale { label: "left".into(), logarithmic },
            right: Some(Scale { label: "right".into(), logarithmic }),
            reference: Some(100.0),
            series: vec![series("\"one\"", Side::Left), series("two", Side::Right)],
        }
    }

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
            let scale = Scale { label: String::new(), logarithmic };
            for values in [vec![], vec![0.0], vec![7.0], vec![3.0, 99.0, 4e7]] {
                let fitted = Fitted::new(&scale, values.iter().copied());
                assert!(fitted.high > fitted.low, "{values:?}");
                assert!(fitted.ticks.len() >= 2, "{values:?}");
                for value in values {
                    assert!((0.0..=1.0).contains(&fitted.place(value)));
                }
            }
        }
    }

    #[test]
    fn the_document_is_well_formed() {
        let mut scatter = chart(true);
        (scatter.x_range, scatter.x_step) = ((0.01, 10.0), 0.0);
        (scatter.series[0].style, scatter.series[1].style) = (Style::Dots, Style::Guide);
        for chart in [chart(false), chart(true), scatter] {
            let text = chart.to_string();
            assert!(text.contains("a &lt; b &amp; c") && !text.contains("NaN"));
            let mut open = Vec::new();
            for tag in text.split('<').skip(1) {
                let (tag, _) = tag.split_once('>').expect("tags end");
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                if let Some(name) = tag.strip_prefix('/') {
                    assert_eq!(open.pop(), Some(name));
                } else if !tag.ends_with('/') {
                    open.push(tag.split(' ').next().expect("a name"));
                }
            }
            assert!(open.is_empty());
        }
    }
}
