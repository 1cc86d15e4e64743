//! Line charts and scatter plots: axes with round ticks, a legend, up to two vertical scales, linear
//! or logarithmic. This is what a chart shows; how that becomes SVG text is in `draw`.

mod draw;
pub mod scale;

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Where it lies from left to right.
    pub x: f64,
    /// How high it lies.
    pub y: f64,
    /// Drawn hollow: the value is a bound only.
    pub hollow: bool,
    /// How far its error bar reaches up and down; 0: it has none.
    pub reach: f64,
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

/// A chart. Its [`Display`](std::fmt::Display) is the SVG document.
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
