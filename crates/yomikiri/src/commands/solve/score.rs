//! The exact score of a position of Othello.
//!
//! A search proves or disproves that the score is at least so much. Scores are even, from −64 to 64,
//! so six or seven such questions, each of which halves what is left, find the exact one. What is
//! certified in the end is the last step on either side: at least s is proven, at least s + 2 is
//! disproven.

use std::time::Instant;

use andor::{Algorithm, Limits, Stop, Table, Totals, Verdict};
use anyhow::Result;
use yomikiri_othello::{Goal, Position};
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::text;

use super::args::Args;
use super::report::{Report, ScoreReport};
use super::search::Solve;
use crate::certificate_file::Draft;
use crate::input::Item;
use crate::progress::Bar;

/// The least and the greatest score.
const ENDS: (i8, i8) = (-64, 64);

/// A question for the exact score.
pub struct Job<'a> {
    pub args: &'a Args,
    pub item: &'a Item,
    pub position: Position,
    pub algorithm: Algorithm,
    pub table: &'a Table,
    pub stop: &'a Stop,
    /// The limit on time counts from here.
    pub start: Instant,
}

impl Job<'_> {
    /// Finds it. Limits are for all questions together; where they end it early, the report has the
    /// bounds that were proven. The first of the files is for "at least", the second for "not more".
    pub fn solve(&self, certificates: Vec<Draft>) -> Result<Report> {
        let start = self.start;
        let (mut low, mut high) = ENDS;
        let mut totals = Totals::default();
        let mut open = None;
        while low < high && open.is_none() {
            let middle = middle(low, high);
            let report = self.ask(middle, None, totals.nodes)?;
            totals = totals + report.totals();
            match report.verdict {
                Verdict::Proven => low = middle,
                Verdict::Disproven => high = middle - 2,
                Verdict::Unknown(_) => open = Some(report),
            }
        }
        let score = ScoreReport { at_least: low, at_most: high };
        let elapsed = || start.elapsed();
        if let Some(report) = open {
            return Ok(report.of_score(self.position, score, totals, elapsed()));
        }
        // Both are in the table by now: they are asked again for the line and the certificates.
        let is_certified = !certificates.is_empty();
        let mut drafts = certificates.into_iter();
        let (least, more) = (drafts.next(), drafts.next());
        let mut again = |least: i8, draft: Option<Draft>| -> Result<Report> {
            let report = self.ask(least, draft, totals.nodes)?;
            totals = totals + report.totals();
            Ok(report)
        };
        let proven = match low > ENDS.0 {
            true => Some(again(low, least)?),
            false => None,
        };
        let refuted = match high < ENDS.1 && (is_certified || proven.is_none()) {
            true => Some(again(high + 2, more)?),
            false => None,
        };
        // The table may have forgotten one, and a limit or Ctrl-C come before it is found again.
        let is_missing = |report: &Report| report.cut_short || report.verdict.value().is_none();
        let is_cut =
            proven.as_ref().is_some_and(is_missing) || refuted.as_ref().is_some_and(is_missing);
        let (mut report, not_more) = match (proven, refuted) {
            (Some(proven), refuted) => (proven, refuted.and_then(|report| report.certificate)),
            (None, Some(mut refuted)) => {
                let not_more = refuted.certificate.take();
                (refuted, not_more)
            }
            (None, None) => unreachable!("one of the two ends is inside"),
        };
        report.more_certificate = not_more;
        report.cut_short = is_certified && is_cut;
        Ok(report.of_score(self.position, score, totals, elapsed()))
    }

    /// Is the score at least so much?
    fn ask(&self, least: i8, certificate: Option<Draft>, nodes: u64) -> Result<Report> {
        let Job { args, item, position, algorithm, table, stop, .. } = *self;
        let any = &AnyProblem::Othello(position, Goal::ScoreAtLeast(least));
        let start = Instant::now();
        let limits = Limits {
            nodes: args.node_limit().map(|limit| limit.saturating_sub(nodes)),
            time: args.time.map(|limit| limit.saturating_sub(start - self.start)),
        };
        let id = &item.id;
        let bar =
            Bar::new(args.quiet, &text!("{id}: {least} or more", "{id}: {least} 以上").to_string());
        let certificates = certificate.into_iter().collect();
        let search =
            Solve { args, item, any, algorithm, table, certificates, stop, bar, limits, start };
        any.visit(args.plain, search)
    }
}

/// The score that halves what lies between two even ones, above the lower one.
fn middle(low: i8, high: i8) -> i8 {
    let between = i16::from(high) - i16::from(low);
    low + ((between + 2) / 4 * 2) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_end_at_every_score() {
        for score in (ENDS.0..=ENDS.1).step_by(2) {
            let (mut low, mut high) = ENDS;
            let mut questions = 0;
            while low < high {
                let middle = middle(low, high);
                assert!(low < middle && middle <= high && middle % 2 == 0, "{low} {middle} {high}");
                if score >= middle {
                    low = middle
                } else {
                    high = middle - 2
                }
                questions += 1;
            }
            assert_eq!((low, high), (score, score));
            assert!(questions <= 7, "{score}: {questions}");
        }
    }
}
