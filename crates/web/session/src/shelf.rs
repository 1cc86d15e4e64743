//! Sets of problems that a visitor can choose from.

use yomikiri_question::lang::{Text, text};
use yomikiri_tsume::OWN_PROBLEMS;

use crate::contract::{SetInfo, SetProblem};

/// Where sets are kept.
pub trait Shelf {
    /// The sets.
    fn sets(&self) -> Vec<SetInfo>;

    /// What is in one, or that it is not there.
    fn open(&self, name: &str) -> Result<Vec<SetProblem>, Text>;
}

/// Our own problems, which are in the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own;

const NAME: &str = "own";

impl Shelf for Own {
    fn sets(&self) -> Vec<SetInfo> {
        let title = text!("our own problems", "自作問題集").into();
        vec![SetInfo { name: NAME.into(), title, problems: problems(OWN_PROBLEMS).count() }]
    }

    fn open(&self, name: &str) -> Result<Vec<SetProblem>, Text> {
        match name {
            NAME => Ok(problems(OWN_PROBLEMS).collect()),
            _ => Err(missing(name)),
        }
    }
}

/// That there is no such set.
pub fn missing(name: &str) -> Text {
    text!("there is no set `{name}`", "`{name}` という問題集はありません")
}

/// The problems of a file: position, name and length between tabs, `#` before a comment. Lines of another
/// form are left out.
pub fn problems(file: &str) -> impl Iterator<Item = SetProblem> + '_ {
    file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let (text, name) = (fields.next()?, fields.next()?);
        let plies = fields.next().and_then(|plies| plies.trim().parse().ok());
        Some(SetProblem { name: name.into(), text: text.into(), plies })
    })
}
