//! What is told of a checked problem, and the names of its moves.

use yomikiri_question::games::shogi::Shogi;
use yomikiri_question::soundness::Soundness;
use yomikiri_shogi::Move;
use yomikiri_shogi::notation::japanese;
use yomikiri_tsume::cook::CookReport;
use yomikiri_tsume::necessity::Necessity;

use crate::input::Item;
use crate::paint::Tone;

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
    /// So many certificates were written.
    pub certificates: usize,
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
        self.names(&self.report.line[..ply.min(self.report.line.len())], line)
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
