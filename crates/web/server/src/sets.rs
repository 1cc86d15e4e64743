//! Sets of problems for the page: our own, and those that `yomikiri-problems` finds on this machine.

use std::fs;
use std::path::Path;

use yomikiri_question::games;
use yomikiri_question::lang::Text;
use yomikiri_session::contract::{SetInfo, SetProblem};
use yomikiri_session::shelf::{Own, Shelf, missing, problems};

/// The sets. They are read once: what a visitor names is looked up here, not on the disk.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    found: Vec<(String, Vec<SetProblem>)>,
}

/// A larger file is no set of problems.
const LARGEST: u64 = 1 << 20;

impl Sets {
    /// Our own, and the tables (`.tsv`) in the folder of problem sets, if there is one.
    pub fn find() -> Sets {
        yomikiri_problems::folder().map(|folder| Sets::in_folder(&folder)).unwrap_or_default()
    }

    /// Our own, and the tables in this folder. What cannot be read, or has no problem in it, is left out.
    pub fn in_folder(folder: &Path) -> Sets {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<(String, Vec<SetProblem>)> = files
            .filter_map(|file| {
                let path = file.path();
                let name = path.file_stem()?.to_str()?.to_owned();
                let is_table = path.extension()? == "tsv" && path.metadata().ok()?.len() <= LARGEST;
                let text = is_table.then(|| fs::read_to_string(&path).ok())??;
                let problems = problems(&text).filter(|problem| is_readable(&problem.text));
                let problems: Vec<SetProblem> = problems.collect();
                (!problems.is_empty()).then_some((name, problems))
            })
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Sets { found }
    }
}

fn is_readable(text: &str) -> bool {
    games::parse(text, None, None).is_ok()
}

impl Shelf for Sets {
    fn sets(&self) -> Vec<SetInfo> {
        let found = self.found.iter().map(|(name, problems)| SetInfo {
            name: name.clone(),
            title: name.as_str().into(),
            problems: problems.len(),
        });
        Own.sets().into_iter().chain(found).collect()
    }

    fn open(&self, name: &str) -> Result<Vec<SetProblem>, Text> {
        if let Ok(own) = Own.open(name) {
            return Ok(own);
        }
        let found = self.found.iter().find(|(known, _)| known == name);
        found.map(|(_, problems)| problems.clone()).ok_or_else(|| missing(name))
    }
}
