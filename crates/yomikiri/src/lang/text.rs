//! What is said, in both languages.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Serialize, Serializer};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Lang {
    /// 日本語 (Japanese)
    Ja,
    /// English
    En,
}

static IS_JAPANESE: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The language of the text that is being put together, which is not always that of the reader.
    static MEANT: Cell<Option<Lang>> = const { Cell::new(None) };
}

impl Lang {
    /// Speaks it from now on.
    pub fn speak(self) {
        IS_JAPANESE.store(self == Lang::Ja, Ordering::Relaxed);
    }

    /// The language that is spoken here.
    pub fn current() -> Lang {
        let spoken = || match IS_JAPANESE.load(Ordering::Relaxed) {
            true => Lang::Ja,
            false => Lang::En,
        };
        MEANT.get().unwrap_or_else(spoken)
    }

    /// Writes something down in this language, whichever is spoken.
    pub fn write(self, writing: impl FnOnce() -> String) -> String {
        let before = MEANT.replace(Some(self));
        let written = writing();
        MEANT.set(before);
        written
    }
}

/// What is said, in both languages. It is printed in the one that is spoken; a program that reads it
/// as JSON gets English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    en: String,
    ja: String,
}

impl Text {
    /// Writes it down once in each language. [`text!`] is the short way.
    pub fn new(writing: impl Fn(Lang) -> String) -> Text {
        let write = |lang: Lang| lang.write(|| writing(lang));
        Text { en: write(Lang::En), ja: write(Lang::Ja) }
    }

    /// Several of them, with this between each two.
    pub fn joined(texts: &[Text], between: &str) -> Text {
        let join =
            |part: fn(&Text) -> &str| texts.iter().map(part).collect::<Vec<_>>().join(between);
        Text { en: join(|text| &text.en), ja: join(|text| &text.ja) }
    }

    /// It as programs get it.
    #[cfg(test)]
    pub fn english(&self) -> &str {
        &self.en
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match Lang::current() {
            Lang::En => &self.en,
            Lang::Ja => &self.ja,
        })
    }
}

impl std::error::Error for Text {}

impl From<String> for Text {
    /// A name, a move, a number: the same in both languages.
    fn from(word: String) -> Text {
        Text { en: word.clone(), ja: word }
    }
}

impl From<&str> for Text {
    fn from(word: &str) -> Text {
        word.to_owned().into()
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.en)
    }
}

/// A [`Text`]: what to say in English, and in Japanese. Both are patterns of `format!` that may name
/// variables.
macro_rules! text {
    ($en:literal, $ja:literal $(,)?) => {
        $crate::lang::Text::new(|lang| match lang {
            $crate::lang::Lang::En => ::std::string::ToString::to_string(&::std::format_args!($en)),
            $crate::lang::Lang::Ja => ::std::string::ToString::to_string(&::std::format_args!($ja)),
        })
    };
}
pub(crate) use text;

/// What has words in both languages: English by its `Display`.
pub trait Japanese: fmt::Display {
    /// It in Japanese.
    fn japanese(&self) -> String;
}

/// Says something of a library in the language that is spoken.
pub fn said(what: &impl Japanese) -> impl fmt::Display {
    struct Said<'a, T>(&'a T);
    impl<T: Japanese> fmt::Display for Said<'_, T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match Lang::current() {
                Lang::En => self.0.fmt(f),
                Lang::Ja => f.pad(&self.0.japanese()),
            }
        }
    }
    Said(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_within_a_text_is_in_the_same_language() {
        let inner = text!("mate", "詰み");
        let outer = text!("it is {inner}", "{inner}です");
        assert_eq!(Lang::En.write(|| outer.to_string()), "it is mate");
        assert_eq!(Lang::Ja.write(|| outer.to_string()), "詰みです");
        assert_eq!(Lang::Ja.write(|| outer.english().to_owned()), "it is mate");
        assert_eq!(serde_json::to_string(&outer).ok().as_deref(), Some("\"it is mate\""));
    }
}
