//! What is told of a checked problem, and the names of its moves.

use std::collections::HashMap;

use andor::{Claim, Rules, Value};
use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::soundness::Soundness;
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::japanese;
use yomikiri_tsume::Tsume;
use yomikiri_tsume::cook::{CookReport, Finding};
use yomikiri_tsume::necessity::Necessity;

use crate::input::Item;
use crate::paint::Tone;

/// The certificates that were written: what each says, and its file.
#[derive(Default)]
pub struct Certificates(HashMap<(String, Value, Option<u16>), String>);

impl Certificates {
    /// The file for a claim.
    pub fn of(&self, claim: &Claim<Tsume>) -> Option<&str> {
        self.0.get(&said(claim)).map(String::as_str)
    }

    pub fn add(&mut self, claim: &Claim<Tsume>, file: String) {
        self.0.insert(said(claim), file);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

fn said(claim: &Claim<Tsume>) -> (String, Value, Option<u16>) {
    (claim.problem.position().to_string(), claim.value, claim.plies.bounded())
}

/// A problem, and what was found out of it.
pub struct Told<'a> {
    pub item: &'a Item,
    pub shogi: &'a Shogi,
    pub report: &'a CookReport,
    pub verdict: Soundness,
    /// Which pieces are needed, if that was asked and the problem is sound.
    pub necessity: Option<&'a Necessity>,
    /// Was it asked?
    pub is_necessity_asked: bool,
    /// At most so many findings of a part are listed.
    pub most: usize,
    /// The certificates that were written.
    pub certificates: Certificates,
    /// The files that were written beside them.
    pub files: Vec<String>,
}

impl Told<'_> {
    /// The names of moves that follow on a path from the problem.
    pub fn names(&self, path: &[Move], line: &[Move]) -> Vec<String> {
        let mut at = self.shogi.position.clone();
        for &m in path {
            at.play(m);
        }
        let mut last = path.last().map(|m| m.to());
        let name = |&m: &Move| {
            let name = japanese::move_name(&at, m, last);
            at.play(m);
            last = Some(m.to());
            name
        };
        line.iter().map(name).collect()
    }

    /// The names of moves that leave the line after so many plies.
    pub fn beside(&self, ply: usize, line: &[Move]) -> Vec<String> {
        self.names(self.before(ply), line)
    }

    /// The certificate of what was found after some moves from the problem.
    pub fn certificate(&self, path: &[Move], finding: &Finding) -> Option<&str> {
        let mut at = self.shogi.tsume();
        for &m in path {
            at.play(m);
        }
        self.certificates.of(&finding.claim(&at))
    }

    /// The moves of the line before a ply.
    pub fn before(&self, ply: usize) -> &[Move] {
        &self.report.line[..ply.min(self.report.line.len())]
    }

    /// The colour of the verdict.
    pub fn tone(&self) -> Tone {
        match self.verdict {
            Soundness::Sound => Tone::Good,
            Soundness::Unsound | Soundness::NoMate => Tone::Bad,
            Soundness::Undecided => Tone::Open,
        }
    }
}
