//! What `solve` prints of a mate of shogi.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use yomikiri_question::display;
use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::lang::{Text, text};
use yomikiri_question::written;
use yomikiri_shogi::notation::japanese;
use yomikiri_shogi::{Hand, Move};
use yomikiri_tsume::{Futile, Solution};

use crate::columns;
use crate::paint::Paint;

/// A mate, for people and programs.
#[derive(Serialize)]
pub struct MateReport {
    /// The attacker mates within so many plies whatever the defender does.
    length: u16,
    /// There is no mate within fewer plies.
    least: u16,
    /// Is that the shortest?
    exact: bool,
    /// The length that people would tell: without interpositions in vain.
    conventional_length: u16,
    /// Was it asked for?
    #[serde(skip)]
    wanted: bool,
    /// What the source says.
    recorded: Option<u16>,
    /// Do interpositions in vain count?
    futile_counted: bool,
    /// The moves as in USI.
    pub line: Vec<String>,
    /// The moves without interpositions in vain, if that makes a difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    conventional_line: Option<Vec<String>>,
    /// The moves as people write them, without interpositions in vain.
    japanese: Vec<String>,
    /// Does the line end in mate? It does not if time ran out while it was looked for.
    complete: bool,
    /// What the attacker holds at the end.
    left_over: BTreeMap<String, u8>,
    #[serde(skip)]
    held: Hand,
    /// The file with the solution.
    pub kif: Option<Text>,
}

impl MateReport {
    /// The report of a solution.
    pub fn new(
        shogi: &Shogi,
        solution: &Solution,
        wanted: bool,
        recorded: Option<u16>,
    ) -> MateReport {
        let shown = solution.shown_line();
        let usi = |line: &[Move]| line.iter().map(ToString::to_string).collect();
        let held = solution.conventional.as_ref().map_or(solution.left_over, |c| c.left_over);
        MateReport {
            length: solution.length,
            least: solution.least,
            exact: solution.exact,
            conventional_length: solution.shown_length(),
            wanted,
            recorded,
            futile_counted: shogi.futile == Futile::Counted,
            line: usi(&solution.line),
            conventional_line: solution.conventional.as_ref().map(|_| usi(shown)),
            japanese: japanese::line_names(&shogi.position, shown),
            complete: solution.complete,
            left_over: written::counts(held),
            held,
            kif: None,
        }
    }

    /// The length that people would tell, and whether it is the shortest.
    pub fn length(&self) -> (u16, bool) {
        (self.conventional_length, self.exact)
    }

    /// The moves as in USI, without interpositions in vain.
    pub fn shown(&self) -> &[String] {
        self.conventional_line.as_ref().unwrap_or(&self.line)
    }

    /// The moves as people write them.
    pub fn names(&self) -> &[String] {
        &self.japanese
    }

    /// The answer in words.
    pub fn words(&self) -> Text {
        let MateReport { conventional_length: length, exact, least, wanted, length: full, .. } =
            *self;
        let recorded = match self.recorded {
            Some(recorded) if exact && recorded == length => {
                text!(", as recorded", "（記録どおり）")
            }
            Some(recorded) if exact => {
                text!(", but {recorded} are recorded", "（記録は{recorded}手）")
            }
            Some(recorded) => text!("; {recorded} are recorded", "（記録は{recorded}手）"),
            None => Text::default(),
        };
        let vain = match length < full {
            true => text!(", {full} with interpositions in vain", "（無駄合いを入れて{full}手）"),
            false => Text::default(),
        };
        let plies = if length == 1 { "ply" } else { "plies" };
        // That nothing mates before the first check, or the first reply, goes without saying.
        let is_bounded = least >= 3;
        match (length, exact, wanted) {
            (0, ..) => text!("it is mate", "すでに詰んでいます"),
            (_, true, _) => text!(
                "mate in {length} {plies} ({length}手詰){vain}{recorded}",
                "{length}手詰{vain}{recorded}"
            ),
            (_, false, true) if is_bounded => {
                let interval = display::interval(least, length);
                text!(
                    "mate within {length} {plies}; the shortest takes {interval}{recorded}",
                    "{length}手以内の詰み。最短は{interval}{recorded}"
                )
            }
            (_, false, false) if is_bounded => text!(
                "mate within {length} {plies}, none within fewer than {least}{vain}{recorded}",
                "{length}手以内の詰み（{least}手未満の詰みはない）{vain}{recorded}"
            ),
            (_, false, true) => text!(
                "mate within {length} {plies}; whether there is a shorter one stays open{recorded}",
                "{length}手以内の詰み。もっと短い詰みの有無は未解決{recorded}"
            ),
            (_, false, false) => text!(
                "mate within {length} {plies}{vain}{recorded}",
                "{length}手以内の詰み{vain}{recorded}"
            ),
        }
    }

    /// The lines that people get.
    pub fn print(&self, out: &mut impl Write, paint: Paint) -> Result<()> {
        let label = |label: Text| paint.label(label);
        let more = if self.complete { "" } else { " …" };
        if !self.line.is_empty() {
            let names = columns::in_lines(&self.japanese, 8, 15);
            let length = self.japanese.len();
            let end = match self.complete {
                true => text!("mate", "まで{length}手詰"),
                false => "…".into(),
            };
            writeln!(out, "{}{names} {end}", label(text!("line", "手順")))?;
            writeln!(out, "{}{}{more}", label(text!("usi", "USI")), self.shown().join(" "))?;
        }
        if self.complete {
            let left = written::hand(self.held);
            writeln!(out, "{}{left}", label(text!("left over", "残り持駒")))?;
        }
        if let Some(kif) = &self.kif {
            writeln!(out, "{}{kif}", label(text!("kif", "KIF")))?;
        }
        Ok(())
    }
}
