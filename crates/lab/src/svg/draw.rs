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

/// Colours that are told apart with any colour vision (Okabe and Ito, 2008).
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

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
    use super::super::Series;
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
