//! Which language: `--lang` decides, or else the locale does, by its name alone, so that it need not be
//! installed.

use std::env;
use std::ffi::OsString;

use clap::ValueEnum;
use yomikiri_question::lang::Lang;

/// The value of `--lang`.
#[derive(Clone, Copy, ValueEnum)]
pub enum LangName {
    /// 日本語 (Japanese)
    Ja,
    /// English
    En,
}

impl From<LangName> for Lang {
    fn from(name: LangName) -> Lang {
        match name {
            LangName::Ja => Lang::Ja,
            LangName::En => Lang::En,
        }
    }
}

/// What the arguments and the locale ask for. This is needed before the arguments are read, for
/// what is wrong with them is told in it; a language that there is not is complained of later.
pub fn wanted(arguments: impl IntoIterator<Item = OsString>) -> Lang {
    let locale = || of_locale(|name| env::var(name).ok());
    of_arguments(arguments).unwrap_or_else(locale)
}

fn of_arguments(arguments: impl IntoIterator<Item = OsString>) -> Option<Lang> {
    let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
    while let Some(argument) = arguments.next() {
        let argument = argument.to_string_lossy().into_owned();
        let value = match argument.strip_prefix("--lang") {
            Some("") => arguments.next()?.to_string_lossy().into_owned(),
            Some(value) if value.starts_with('=') => value[1..].to_owned(),
            _ => continue,
        };
        return <LangName as ValueEnum>::from_str(&value, false).ok().map(Lang::from);
    }
    None
}

/// The first of the usual variables that is set decides.
fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Lang {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    match locale.is_some_and(|locale| locale.starts_with("ja")) {
        true => Lang::Ja,
        false => Lang::En,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_by_its_name() {
        let of = |set: &[(&str, &str)]| {
            of_locale(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(of(&[]), Lang::En);
        for ja in ["ja", "ja_JP", "ja_JP.UTF-8", "ja_JP.eucJP"] {
            assert_eq!(of(&[("LANG", ja)]), Lang::Ja, "{ja}");
        }
        for other in ["C", "POSIX", "en_US.UTF-8", "xx_YY.UTF-8", "", "Ja"] {
            assert_eq!(of(&[("LANG", other)]), Lang::En, "{other}");
        }
        assert_eq!(of(&[("LANG", "ja_JP"), ("LC_ALL", "C")]), Lang::En);
        assert_eq!(of(&[("LANG", "ja_JP"), ("LC_MESSAGES", "en_US")]), Lang::En);
        assert_eq!(of(&[("LANG", "en_US"), ("LC_MESSAGES", "ja_JP")]), Lang::Ja);
        // What is set to nothing is not set.
        assert_eq!(of(&[("LANG", "ja_JP"), ("LC_ALL", "")]), Lang::Ja);
    }

    #[test]
    fn the_option_comes_before_the_locale() {
        let of = |words: &[&str]| of_arguments(words.iter().map(OsString::from));
        assert_eq!(of(&["solve", "--lang", "ja", "x"]), Some(Lang::Ja));
        assert_eq!(of(&["--lang=en", "solve"]), Some(Lang::En));
        for none in [&["solve"][..], &["--lang"], &["--lang", "fr"], &["--language", "ja"]] {
            assert_eq!(of(none), None, "{none:?}");
        }
        assert_eq!(of(&["solve", "--", "--lang", "ja"]), None);
    }
}
