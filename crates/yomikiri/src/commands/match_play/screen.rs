//! What a match shows while it runs: a line for every game, and a bar with the score.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;
use yomikiri_cluster::match_play::{CrossTable, GameRecord, Standing};
use yomikiri_files as files;

use super::args::Args;
use super::result::{elo, halves, ranking, rate};
use super::setup::Setup;
use crate::progress;

/// What is shown while games are played.
pub struct Screen<'a> {
    setup: &'a Setup,
    table: CrossTable,
    bar: ProgressBar,
    is_quiet: bool,
    warned: Vec<String>,
    total: u64,
}

impl Screen<'_> {
    /// A bar on standard error, if there is somebody to see it.
    pub fn new<'a>(args: &Args, setup: &'a Setup, played: &[GameRecord]) -> Screen<'a> {
        let pairs = setup.plan.all_pairs();
        let total = pairs.saturating_mul(2);
        let is_quiet = args.quiet || args.json;
        let template = "{spinner} {elapsed} [{bar:25}] {pos}/{len} {wide_msg}";
        let bar = progress::bar(args.quiet, template).unwrap_or_else(ProgressBar::hidden);
        bar.set_length(total);
        bar.enable_steady_tick(Duration::from_millis(200));
        let played = played.iter().filter(|game| game.pair < pairs);
        let table = CrossTable::new(&setup.plan.pairings, played);
        let warned = Vec::new();
        let screen = Screen { setup, table, bar, is_quiet, warned, total };
        screen.draw();
        screen
    }

    /// Says what is going to be played.
    pub fn greet(&self, args: &Args) -> Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let setup = self.setup;
        let and =
            |is_so: bool, words: &str| if is_so { format!(", {words}") } else { String::new() };
        let mut text = format!(
            "{}: {}, {} games, {}{}{}\n",
            setup.title(),
            setup.header.game,
            self.total,
            setup.limits(),
            and(setup.plan.concurrency > 1, &format!("{} at a time", setup.plan.concurrency)),
            and(args.ponder, "pondering"),
        );
        if args.openings.is_none() && setup.plan.pairs > 1 {
            text += "no --openings: all games begin at the beginning\n";
        }
        let played = self.table.all();
        if !played.is_empty() {
            text += &format!("resumed after {} games\n", played.len());
        }
        self.bar.suspend(|| files::report().write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Tells of something odd, once.
    pub fn warn(&mut self, warning: &str) {
        if !self.warned.iter().any(|known| known == warning) {
            self.warned.push(warning.into());
            self.bar.suspend(|| eprintln!("note: {warning}"));
        }
    }

    /// Shows a game that has ended.
    pub fn show(&mut self, record: &GameRecord) -> Result<()> {
        self.table.add(record);
        self.draw();
        if self.is_quiet {
            return Ok(());
        }
        let digits = self.total.to_string().len();
        let [one, two] = &record.players;
        let detail = record.detail.as_ref().map(|detail| format!(" ({detail})"));
        self.bar.suspend(|| {
            writeln!(
                files::report(),
                "{:>digits$}/{}  pair {:>digits$}  {one} – {two}  {}  {}, {} plies{}",
                self.table.all().len(),
                self.total,
                record.pair + 1,
                record.result().replace("1/2", "½"),
                record.reason,
                record.book.len() + record.plies.len(),
                detail.unwrap_or_default(),
            )
        })?;
        Ok(())
    }

    fn draw(&self) {
        let words = match &ranking(self.setup, &self.table)[..] {
            [(_, standing), _] => self.score(standing),
            rows => {
                let points = |(name, standing): &(&str, Standing)| {
                    format!("{name} {}/{}", halves(standing.points()), standing.len())
                };
                rows.iter().map(points).collect::<Vec<_>>().join(", ")
            }
        };
        self.bar.set_position(self.table.all().len());
        self.bar.set_message(words);
    }

    /// The score of the first of two.
    fn score(&self, standing: &Standing) -> String {
        let Standing { games: [won, drawn, lost], tally, .. } = standing;
        let mut words = format!("+{won} ={drawn} −{lost}");
        if !tally.is_empty() {
            words += &format!("  {}  Elo {}", rate(standing), elo(standing));
        }
        if let Some(sprt) = self.setup.plan.sprt {
            let [low, high] = sprt.bounds();
            words += &format!("  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(tally));
        }
        words
    }

    /// Takes the bar away.
    pub fn finish(self) -> CrossTable {
        self.bar.finish_and_clear();
        self.table
    }
}
