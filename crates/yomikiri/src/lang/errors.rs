//! Errors of any type, in Japanese.
//!
//! English is the `Display` of an error. Its counterpart goes by the type of the error; where an error of
//! another library is not known, its English is better than nothing.

use std::error::Error;
use std::fmt;
use std::io;
use std::num::{ParseFloatError, ParseIntError};

use andor::certificate::{CheckError, HeaderError, WriteError};
use andor::table::{LoadError, SizeError};
use andor::{AssignmentError, CoverError, QuantaError};
use yomikiri_files as files;
use yomikiri_question::certificate;
use yomikiri_question::lang::{Japanese, Lang, Text};
use yomikiri_shogi::notation::Unencodable;
use yomikiri_tsume::cook::LineError;
use yomikiri_tsume::make::MakeError;

/// An error and what led to it, in both languages.
pub fn chain(error: &anyhow::Error) -> Text {
    Text::new(|lang| match lang {
        Lang::En => format!("{error:#}"),
        Lang::Ja => {
            let mut said: Vec<String> = Vec::new();
            for cause in error.chain() {
                let cause = said_error(cause).to_string();
                // Some tell their cause themselves.
                if said.last().is_none_or(|last| !last.ends_with(&cause)) {
                    said.push(cause);
                }
            }
            said.join(": ")
        }
    })
}

/// Says an error in the language that is spoken.
pub fn said_error<'a>(error: &'a (dyn Error + 'static)) -> impl fmt::Display + 'a {
    struct Said<'a>(&'a (dyn Error + 'static));
    impl fmt::Display for Said<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match Lang::current() {
                Lang::En => write!(f, "{}", self.0),
                Lang::Ja => f.write_str(&japanese(self.0)),
            }
        }
    }
    Said(error)
}

/// The error of this type, if it is one of those that are known.
fn japanese(error: &(dyn Error + 'static)) -> String {
    fn of<T: Error + Japanese + 'static>(error: &(dyn Error + 'static)) -> Option<String> {
        error.downcast_ref::<T>().map(Japanese::japanese)
    }
    let known: [fn(&(dyn Error + 'static)) -> Option<String>; 16] = [
        |error| error.downcast_ref().map(of_files),
        |error| error.downcast_ref().map(|_: &ParseIntError| "整数を指定してください".into()),
        |error| error.downcast_ref().map(|_: &ParseFloatError| "数を指定してください".into()),
        of::<io::Error>,
        of::<certificate::Error>,
        of::<HeaderError>,
        of::<CheckError>,
        of::<WriteError>,
        of::<LoadError>,
        of::<SizeError>,
        of::<LineError>,
        of::<MakeError>,
        of::<Unencodable>,
        of::<AssignmentError>,
        of::<QuantaError>,
        of::<CoverError>,
    ];
    known.into_iter().find_map(|of| of(error)).unwrap_or_else(|| error.to_string())
}

fn of_files(error: &files::Error) -> String {
    match error {
        files::Error::Read { path, .. } => {
            format!("{} を読み込めません", files::name(path, "標準入力"))
        }
        files::Error::Write { path, .. } => {
            format!("{} に書き込めません", files::name(path, "標準出力"))
        }
        files::Error::InputTaken => {
            "標準入力（`-`）は一度しか読めません。ほかはファイルで指定してください".into()
        }
        files::Error::Both { input, output } => {
            let (read, written) = (files::name(input, "標準入力"), files::name(output, "標準出力"));
            let read = if input == output { String::new() } else { format!("（{read}）") };
            format!("{written} は入力でもあります{read}。出力には別の名前を指定してください")
        }
        files::Error::InUse(path) => {
            let path = path.display();
            format!("{path} は書き込み中です。終わるのを待つか、別の名前を指定してください")
        }
        files::Error::OutputTaken => {
            "標準出力（`-`）への出力が二つあります。一つを残してファイルを指定してください".into()
        }
    }
}
