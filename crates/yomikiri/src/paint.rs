//! Colour where a terminal is: verdicts green, red or yellow, labels dim.
//!
//! `--color` decides, and if it leaves it open the usual rules do: `NO_COLOR`, `CLICOLOR_FORCE`,
//! `CLICOLOR`, and whether the stream is a terminal that knows colours. What programs read (`--json`,
//! files) is never painted.

use std::fmt;
use std::io;

use andor::Verdict;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use yomikiri_files as files;

use crate::columns::pad;

/// Sets what `--color` says, before anything is printed.
pub fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// What a word is painted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// What was hoped for: proven, sound, accepted.
    Good,
    /// The opposite, and what is wrong.
    Bad,
    /// What stays open.
    Open,
    /// What is the same every time: labels.
    Dim,
}

impl From<Verdict> for Tone {
    fn from(verdict: Verdict) -> Tone {
        match verdict {
            Verdict::Proven => Tone::Good,
            Verdict::Disproven => Tone::Bad,
            Verdict::Unknown(_) => Tone::Open,
        }
    }
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green.on_default().bold(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Open => AnsiColor::Yellow.on_default().bold(),
            Tone::Dim => Style::new().dimmed(),
        }
    }
}

/// Paints words for one stream, or leaves them as they are.
#[derive(Clone, Copy)]
pub struct Paint {
    is_on: bool,
}

impl Paint {
    /// For what goes to [`files::report`].
    pub fn report() -> Paint {
        if files::is_output_taken() { Paint::stderr() } else { Paint::stdout() }
    }

    /// For standard output.
    pub fn stdout() -> Paint {
        Paint { is_on: AutoStream::choice(&io::stdout()) != ColorChoice::Never }
    }

    /// For standard error.
    pub fn stderr() -> Paint {
        Paint { is_on: AutoStream::choice(&io::stderr()) != ColorChoice::Never }
    }

    /// A text in a tone.
    pub fn text(self, tone: Tone, text: &str) -> String {
        let style = tone.style();
        if self.is_on { format!("{style}{text}{style:#}") } else { text.into() }
    }

    /// The label of a row: two blanks, and thirteen columns.
    pub fn label(self, label: impl fmt::Display) -> String {
        format!("  {}", self.text(Tone::Dim, &pad(&label.to_string(), 13)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paint_ends_where_the_text_ends() {
        let on = Paint { is_on: true };
        for tone in [Tone::Good, Tone::Bad, Tone::Open, Tone::Dim] {
            let text = on.text(tone, "word");
            assert!(text.starts_with("\x1b[") && text.ends_with("word\x1b[0m"), "{text:?}");
        }
        let off = Paint { is_on: false };
        assert_eq!(off.text(Tone::Good, "word"), "word");
        assert_eq!(off.label("line"), "  line         ");
        assert_eq!(off.label("手順"), "  手順         ");
    }
}
