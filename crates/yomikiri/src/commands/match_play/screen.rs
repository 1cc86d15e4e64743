//! What a match shows while it runs: a line for every game, and a bar with the score.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use yomikiri_cluster::match_play::{GameRecord, Standing};
use yomikiri_cluster::tally::Sprt;

use super::result::{elo, rate};
use super::{Args, Setup};

/// What is shown while games are played.
pub struct Screen {
    standing: Standing,
    bar: ProgressBar,
    is_quiet: bool,
    warned: Vec<String>,
    sprt: Option<Sprt>,
    total: u64,
}

impl Screen {
    /// A bar on standard error, if there is somebody to see it.
    pub fn new(args: &Args, setup: &Setup, played: &[GameRecord]) -> Screen {
        let total = 2 * setup.plan.pairs;
        let is_quiet = args.quiet || args.json;
        let target = match args.quiet || !io::stderr().is_terminal() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{spinner} {elapsed} [{bar:25}] {pos}/{len} {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        let standing = Standing::new(played.iter().filter(|game| game.pair < setup.plan.pairs));
        let warned = Vec::new();
        let screen = Screen { standing, bar, is_quiet, warned, sprt: args.sprt, total };
        screen.draw();
        screen
    }

    /// Says what is going to be played.
    pub fn greet(&self, setup: &Setup, args: &Args) -> Result<()> {
        if self.is_quiet {
            return Ok(());
        }
        let [one, two] = setup.names();
        let [limit_one, limit_two] = setup.plan.contestants.each_ref().map(|c| c.limits);
        let limits = match limit_one == limit_two {
            true => limit_one.to_string(),
            false => format!("{limit_one} against {limit_two}"),
        };
        let and =
            |is_so: bool, words: &str| if is_so { format!(", {words}") } else { String::new() };
        let mut text = format!(
            "{one} against {two}: {}, {} games, {limits}{}{}\n",
            setup.header.game,
            self.total,
            and(setup.plan.concurrency > 1, &format!("{} at a time", setup.plan.concurrency)),
            and(args.ponder, "pondering"),
        );
        if args.openings.is_none() && setup.plan.pairs > 1 {
            text += "no --openings: all games begin at the beginning\n";
        }
        if !self.standing.is_empty() {
            text += &format!("resumed after {} games\n", self.standing.len());
        }
        self.bar.suspend(|| io::stdout().write_all(text.as_bytes()))?;
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
        self.standing.add(record);
        self.draw();
        if self.is_quiet {
            return Ok(());
        }
        let digits = self.total.to_string().len();
        let [one, two] = &record.players;
        let detail = record.detail.as_ref().map(|detail| format!(" ({detail})"));
        self.bar.suspend(|| {
            writeln!(
                io::stdout(),
                "{:>digits$}/{}  pair {:>digits$}  {one} – {two}  {}  {}, {} plies{}",
                self.standing.len(),
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
        let Standing { games: [won, drawn, lost], tally, .. } = &self.standing;
        let mut words = format!("+{won} ={drawn} −{lost}");
        if !tally.is_empty() {
            words += &format!("  {}  Elo {}", rate(&self.standing), elo(&self.standing));
        }
        if let Some(sprt) = self.sprt {
            let [low, high] = sprt.bounds();
            words += &format!("  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(tally));
        }
        self.bar.set_position(self.standing.len());
        self.bar.set_message(words);
    }

    /// Takes the bar away.
    pub fn finish(self) -> Standing {
        self.bar.finish_and_clear();
        self.standing
    }
}
