//! `solve` for shogi: the length and the line of a mate, what is left over, and the record of it.

use std::io::Write;
use std::time::Instant;

use andor::{Dfpn, Scheme, Stop, Table};
use anyhow::Result;
use serde::Serialize;
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::{hands, japanese};
use yomikiri_tsume::{Answer, Futile, Length, Mate, MateLimits, Solution};

use super::{Args, Found, Places, certify};
use crate::attempt::attempt;
use crate::certificate::Source;
use crate::games::AnyProblem;
use crate::games::shogi::Shogi;
use crate::paint::Paint;
use crate::progress::Bar;
use crate::solution_line::Line;
use crate::{display, solution_record};

/// A mate, for people and programs.
#[derive(Serialize)]
pub struct MateReport {
    /// The attacker mates within so many plies whatever the defender does.
    length: u16,
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
    line: Vec<String>,
    /// The moves without interpositions in vain, if that makes a difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    conventional_line: Option<Vec<String>>,
    /// The moves as people write them, without interpositions in vain.
    japanese: Vec<String>,
    /// Does the line end in mate? It does not if time ran out while it was looked for.
    complete: bool,
    /// What the attacker holds at the end, in Japanese.
    left_over: String,
    /// The file with the solution.
    kif: Option<String>,
}

impl MateReport {
    fn new(shogi: &Shogi, solution: &Solution, wanted: bool, recorded: Option<u16>) -> MateReport {
        let shown = solution.shown_line();
        let usi = |line: &[Move]| line.iter().map(ToString::to_string).collect();
        let left_over = solution.conventional.as_ref().map_or(solution.left_over, |c| c.left_over);
        MateReport {
            length: solution.length,
            exact: solution.exact,
            conventional_length: solution.shown_length(),
            wanted,
            recorded,
            futile_counted: shogi.futile == Futile::Counted,
            line: usi(&solution.line),
            conventional_line: solution.conventional.as_ref().map(|_| usi(shown)),
            japanese: japanese::line_names(&shogi.position, shown),
            complete: solution.complete,
            left_over: hands::hand_name(left_over),
            kif: None,
        }
    }

    /// The length that people would tell, and whether it is the shortest.
    pub fn length(&self) -> (u16, bool) {
        (self.conventional_length, self.exact)
    }

    /// The moves as people write them.
    pub fn names(&self) -> &[String] {
        &self.japanese
    }

    /// The answer in words.
    pub fn words(&self) -> String {
        let MateReport { conventional_length: length, exact, wanted, .. } = *self;
        let recorded = match self.recorded {
            Some(recorded) if exact && recorded == length => ", as recorded".into(),
            Some(recorded) if exact => format!(", but {recorded} are recorded"),
            Some(recorded) => format!("; {recorded} are recorded"),
            None => String::new(),
        };
        let vain = match length < self.length {
            true => format!(", {} with interpositions in vain", self.length),
            false => String::new(),
        };
        let plies = if length == 1 { "ply" } else { "plies" };
        match (length, exact, wanted) {
            (0, ..) => "it is mate".into(),
            (_, true, _) => format!("mate in {length} {plies} ({length}手詰){vain}{recorded}"),
            (_, false, true) => format!(
                "mate within {length} {plies}; whether there is a shorter one stays open{recorded}"
            ),
            (_, false, false) => format!("mate within {length} {plies}{vain}{recorded}"),
        }
    }

    /// The lines that people get.
    pub fn print(&self, out: &mut impl Write, paint: Paint) -> Result<()> {
        let label = |label| paint.label(label);
        let more = if self.complete { "" } else { " …" };
        if !self.line.is_empty() {
            let names = display::in_lines(&self.japanese, 8, 15);
            let end = match self.complete {
                true => format!("まで{}手詰", self.japanese.len()),
                false => "…".into(),
            };
            writeln!(out, "{}{names} {end}", label("line"))?;
            let usi = self.conventional_line.as_ref().unwrap_or(&self.line);
            writeln!(out, "{}{}{more}", label("usi"), usi.join(" "))?;
        }
        if self.complete {
            writeln!(out, "{}{}", label("left over"), self.left_over)?;
        }
        if let Some(kif) = &self.kif {
            writeln!(out, "{}{kif}", label("kif"))?;
        }
        Ok(())
    }
}

/// A problem of shogi that is to be solved with df-pn.
pub struct Job<'a> {
    pub args: &'a Args,
    pub shogi: &'a Shogi,
    /// The length that the source gives.
    pub recorded: Option<u16>,
    /// What the source says of the whole: it goes into the record of the solution.
    pub header: Vec<(String, String)>,
    pub dfpn: Dfpn,
    /// How several agents search, if there are several.
    pub scheme: Option<Scheme>,
    pub table: &'a Table,
    pub stop: &'a Stop,
}

impl Job<'_> {
    /// Solves it, and writes what is to be written.
    pub fn solve(self, places: Places, mut bar: Option<Bar>) -> Result<Found> {
        let Job { args, shogi, recorded, dfpn, scheme, table, stop, .. } = self;
        let start = Instant::now();
        let limits = MateLimits {
            nodes: args.node_limit(),
            time: args.time,
            stop: stop.clone(),
            length: if args.any_mate { Length::First } else { Length::Shortest },
            plies: args.plies.into(),
        };
        let problem = shogi.tsume();
        // What is saved is the large table, and what was loaded is in it.
        let is_kept = args.load_table.is_some() || args.save_table.is_some();
        let tried = if is_kept { None } else { attempt(&problem, dfpn, &limits) };
        let (table, answer) = match &tried {
            Some(tried) if tried.is_final => (&tried.table, tried.answer.clone()),
            tried => {
                let tried = tried.as_ref().map_or(0, |tried| tried.answer.outcome.nodes);
                (table, self.search(limits, tried, start, bar.as_mut()))
            }
        };
        drop(bar);
        let mut found = Found::new(answer.outcome);
        found.entries = table.stored();
        let mate = Mate::new(table).with_settings(dfpn).with_scheme(scheme);
        if let Some(solution) = answer.solution.as_ref() {
            let mut report = MateReport::new(shogi, solution, !args.any_mate, recorded);
            found.line = Line {
                moves: report.line.clone(),
                is_complete: solution.complete,
                is_solver_first: shogi.attacks(),
            };
            found.is_open = !args.any_mate && !solution.exact || !solution.complete;
            if let Some(draft) = places.kif {
                let _bar = Bar::spinning(args.quiet, "variations");
                report.kif = Some(files::name(draft.target(), "standard output"));
                let mut solution = solution_record::of_solution(&mate, shogi, solution, stop);
                solution.header = self.header.clone();
                solution_record::write(&solution, draft)?;
            }
            found.mate = Some(report);
        }
        self.certify(&answer, table, places.certificates, &mut found)?;
        Ok(found)
    }

    /// Searches the large table. So many nodes were tried in vain since the start, and count.
    fn search(
        &self,
        mut limits: MateLimits,
        tried: u64,
        start: Instant,
        mut bar: Option<&mut Bar>,
    ) -> Answer {
        if tried > 0 {
            self.table.make_real();
        }
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(tried));
        limits.time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        let mate = Mate::new(self.table).with_settings(self.dfpn).with_scheme(self.scheme);
        let mut answer = mate.solve_watched(&self.shogi.tsume(), &limits, &mut |progress| {
            if let Some(bar) = &mut bar {
                bar.show_mate(progress, &self.shogi.position);
            }
        });
        answer.outcome.nodes += tried;
        answer.outcome.elapsed = start.elapsed();
        answer
    }

    /// Writes a certificate of the answer, and if it is the shortest mate another one that there is
    /// no shorter one.
    fn certify(
        &self,
        answer: &Answer,
        table: &Table,
        drafts: Vec<AtomicFile>,
        found: &mut Found,
    ) -> Result<()> {
        let _bar = (!drafts.is_empty()).then(|| Bar::spinning(self.args.quiet, "certificate"));
        let any = AnyProblem::Shogi(Box::new(self.shogi.clone()));
        let source = Source { dfpn: self.dfpn, table, stop: self.stop };
        let mut reports = Vec::new();
        let claims = answer.claims();
        if !drafts.is_empty() && claims.len() > drafts.len() && !self.args.any_mate {
            eprintln!(
                "note: the certificate that there is no shorter mate is written beside a file only"
            );
        }
        for (claim, draft) in claims.into_iter().zip(drafts) {
            match certify(claim.by_ref(), &any, &source, draft)? {
                Some(report) => reports.push(report),
                None => found.cut_short = true,
            }
        }
        let mut reports = reports.into_iter();
        found.certificate = reports.next();
        found.shorter_certificate = reports.next();
        Ok(())
    }
}
