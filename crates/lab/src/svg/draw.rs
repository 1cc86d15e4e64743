//! A chart as SVG text.

use std::fmt::{self, Display, Formatter, Write};

use yomikiri_files::escaped;

use super::scale::{Fitted, tick_label, ticks};
use super::{Chart, Point, Scale, Side, Style};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 28.0;
const RIGHT_WITH_SCALE: f64 = 84.0;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 76.0;
/// The height of a row of the legend; there is room for one above [`TOP`].
const ROW: f64 = 20.0;
/// Half of the width of the ends of an error bar.
const CAP: f64 = 3.5;

/// Colours that are told apart with any colour vision (Okabe and Ito, 2008), without their yellow,
/// which is hardly seen on white.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

impl Chart {
    fn values(&self, side: Side) -> impl Iterator<Item = f64> + Clone + '_ {
        let reference = self.reference.filter(|_| side == Side::Left);
        let lines = self.series.iter().filter(move |series| series.side == side);
        let points = lines.flat_map(|series| series.points.iter());
        points.flat_map(|point| [point.y - point.reach, point.y + point.reach]).chain(reference)
    }

    /// By how much the chart lies lower, and the picture is higher, for the rows of the legend.
    fn shift(&self) -> f64 {
        self.legend().last().map_or(0.0, |&(_, _, row)| ROW * row as f64)
    }

    fn top(&self) -> f64 {
        TOP + self.shift()
    }

    fn height(&self) -> f64 {
        HEIGHT + self.shift()
    }

    /// From a place on a scale to the picture.
    fn y(&self, place: f64) -> f64 {
        let bottom = self.height() - BOTTOM;
        bottom - place * (bottom - self.top())
    }

    /// What the legend says of a series.
    fn legend_name(&self, index: usize) -> String {
        let series = &self.series[index];
        let arrow = match (&self.right, series.side) {
            (None, _) => "",
            (Some(_), Side::Left) => " (left scale)",
            (Some(_), Side::Right) => " (right scale)",
        };
        format!("{}{arrow}", series.name)
    }

    /// The series of the legend, with where they begin and in which row.
    fn legend(&self) -> Vec<(usize, f64, usize)> {
        let (mut x, mut row) = (LEFT, 0);
        let named = (0..self.series.len()).filter(|&index| !self.series[index].name.is_empty());
        let places = named.map(|index| {
            // About the width of the letters.
            let width = 36.0 + 7.2 * self.legend_name(index).chars().count() as f64;
            if x > LEFT && x + width > self.right_edge() {
                (x, row) = (LEFT, row + 1);
            }
            let place = (index, x, row);
            x += width + 24.0;
            place
        });
        places.collect()
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
            let y = self.y(fitted.place(tick));
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
        let middle = (self.top() + self.height() - BOTTOM) / 2.0;
        let label = escaped(&scale.label);
        writeln!(
            f,
            r#"<text transform="translate({label_x:.1} {middle:.1}) rotate(-90)" text-anchor="middle">{label}</text>"#
        )
    }

    fn draw_x_axis(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (from, to) = self.x_range;
        let bottom = self.height() - BOTTOM;
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
            self.height() - 30.0,
            escaped(&self.x_label)
        )
    }

    fn draw_series(&self, f: &mut Formatter<'_>, index: usize, fitted: &Fitted) -> fmt::Result {
        let series = &self.series[index];
        let colour = COLOURS[index % COLOURS.len()];
        let place = |point: &Point| (self.x(point.x), self.y(fitted.place(point.y)));
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
            if point.reach > 0.0 {
                let [low, high] = [point.y - point.reach, point.y + point.reach];
                let [low, high] = [low, high].map(|end| self.y(fitted.place(end)));
                let (left, width) = (x - CAP, 2.0 * CAP);
                writeln!(
                    f,
                    r#"<path d="M{left:.1} {low:.1}h{width}M{x:.1} {low:.1}V{high:.1}M{left:.1} {high:.1}h{width}" stroke="{colour}" fill="none"/>"#
                )?;
            }
            marker(f, index, x, y, point.hollow)?;
        }
        Ok(())
    }

    fn draw_legend(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, x, row) in self.legend() {
            let series = &self.series[index];
            let y = TOP - 20.0 + ROW * row as f64;
            let colour = COLOURS[index % COLOURS.len()];
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
            writeln!(
                f,
                r#"<text x="{:.1}" y="{:.1}">{}</text>"#,
                x + 36.0,
                y + 4.0,
                escaped(&self.legend_name(index))
            )?;
        }
        Ok(())
    }
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
        let (top, height) = (self.top(), self.height());
        writeln!(
            f,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">"##
        )?;
        writeln!(f, "<title>{}</title>", escaped(&self.title))?;
        writeln!(f, r##"<rect width="{WIDTH}" height="{height}" fill="#fff"/>"##)?;
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
        let left = Fitted::new(self.left.logarithmic, self.values(Side::Left));
        self.draw_scale(f, &self.left, &left, Side::Left)?;
        let right = self
            .right
            .as_ref()
            .map(|scale| (scale, Fitted::new(scale.logarithmic, self.values(Side::Right))));
        if let Some((scale, fitted)) = &right {
            self.draw_scale(f, scale, fitted, Side::Right)?;
        }
        self.draw_x_axis(f)?;
        let (width, depth) = (self.right_edge() - LEFT, height - BOTTOM - top);
        writeln!(
            f,
            r##"<rect x="{LEFT}" y="{top}" width="{width}" height="{depth}" fill="none" stroke="#444"/>"##
        )?;
        if let Some(value) = self.reference {
            let y = self.y(left.place(value));
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
    use super::super::Series;
    use super::*;

    fn chart(logarithmic: bool) -> Chart {
        let point = |x, y| Point { x, y, hollow: y > 100.0, reach: 0.0 };
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

    /// The numbers of a kind of tag's attribute, in order.
    fn numbers(text: &str, tag: &str, attribute: &str) -> Vec<f64> {
        let tags = text.split('<').filter(|part| part.starts_with(tag));
        let values = tags
            .filter_map(|part| part.split_once(&format!(" {attribute}=\""))?.1.split('"').next());
        values.map(|value| value.parse().expect("a number")).collect()
    }

    #[test]
    fn a_legend_that_does_not_fit_goes_on_in_the_next_row() {
        let short = chart(false);
        let mut long = chart(false);
        let many = (0..9).map(|number| Series {
            name: format!("series number {number}"),
            ..short.series[0].clone()
        });
        long.series = many.collect();
        let rows = |chart: &Chart| chart.legend().iter().map(|&(_, _, row)| row).max();
        assert_eq!((rows(&short), short.height()), (Some(0), HEIGHT));
        let last = rows(&long).expect("a legend");
        assert!(last >= 2 && long.height() == HEIGHT + ROW * last as f64);
        for (index, x, _) in long.legend() {
            let width = 36.0 + 7.2 * long.legend_name(index).chars().count() as f64;
            assert!(x + width <= long.right_edge());
        }
        // The frame of the chart is as large as before, and below the legend.
        let frames = [&short, &long].map(|chart| numbers(&chart.to_string(), "rect", "height"));
        assert!(frames.iter().all(|frame| frame.contains(&(HEIGHT - TOP - BOTTOM))), "{frames:?}");
    }

    #[test]
    fn error_bars_are_drawn_and_fit() {
        let mut with_bars = chart(false);
        with_bars.right = None;
        with_bars.series.truncate(1);
        with_bars.series[0].points = vec![Point { x: 0.5, y: 60.0, hollow: false, reach: 45.0 }];
        with_bars.reference = None;
        let plain = Point { reach: 0.0, ..with_bars.series[0].points[0] };
        let text = with_bars.to_string();
        let bars: Vec<&str> = text.lines().filter(|line| line.matches("h7").count() == 2).collect();
        assert_eq!(bars.len(), 1, "{text}");
        // From 15 to 105, on a scale that reaches beyond it.
        let fitted = Fitted::new(false, with_bars.values(Side::Left));
        let ends = [15.0, 105.0].map(|end| format!("{:.1}", with_bars.y(fitted.place(end))));
        assert!(ends.iter().all(|end| bars[0].contains(end)), "{ends:?}: {}", bars[0]);
        assert!(fitted.place(105.0) < 1.0 && fitted.place(15.0) > 0.0);
        with_bars.series[0].points = vec![plain];
        assert!(!with_bars.to_string().contains("h7"));
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
