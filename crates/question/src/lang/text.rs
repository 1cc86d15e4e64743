//! What is said, in both languages.

use std::cell::Cell;
use std::fmt;

use serde::{Serialize, Serializer};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lang {
    /// 日本語 (Japanese).
    Ja,
    /// English.
    En,
}

thread_local! {
    /// The language that is spoken on this thread just now.
    static SPOKEN: Cell<Lang> = const { Cell::new(Lang::En) };
}

impl Lang {
    /// The language that is spoken here: that of the innermost [`speak`](Lang::speak) on this thread,
    /// English outside of all.
    pub fn current() -> Lang {
        SPOKEN.get()
    }

    /// Does something and speaks this language meanwhile. It is a matter of this thread alone, so two
    /// readers can be spoken to at once, each in his own.
    pub fn speak<T>(self, work: impl FnOnce() -> T) -> T {
        struct Before(Lang);
        impl Drop for Before {
            fn drop(&mut self) {
                SPOKEN.set(self.0);
            }
        }
        let _before = Before(SPOKEN.replace(self));
        work()
    }
}

/// What is said, in both languages. Who knows his reader takes the one he reads
/// ([`as_str`](Text::as_str)); it is printed in the one that is spoken ([`Lang::speak`]); a program that
/// reads it as JSON gets English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    en: String,
    ja: String,
}

impl Text {
    /// Writes it down once in each language. [`text!`] is the short way.
    pub fn new(writing: impl Fn(Lang) -> String) -> Text {
        let write = |lang: Lang| lang.speak(|| writing(lang));
        Text { en: write(Lang::En), ja: write(Lang::Ja) }
    }

    /// Several of them, with this between each two.
    pub fn joined(texts: &[Text], between: &str) -> Text {
        let join =
            |part: fn(&Text) -> &str| texts.iter().map(part).collect::<Vec<_>>().join(between);
        Text { en: join(|text| &text.en), ja: join(|text| &text.ja) }
    }

    /// It in this language.
    pub fn as_str(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Ja => &self.ja,
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str(Lang::current()))
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
#[macro_export]
macro_rules! text {
    ($en:literal, $ja:literal $(,)?) => {
        $crate::lang::Text::new(|lang| match lang {
            $crate::lang::Lang::En => ::std::string::ToString::to_string(&::std::format_args!($en)),
            $crate::lang::Lang::Ja => ::std::string::ToString::to_string(&::std::format_args!($ja)),
        })
    };
}
pub use text;

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
    use std::panic::catch_unwind;
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    #[test]
    fn a_text_within_a_text_is_in_the_same_language() {
        let inner = text!("mate", "詰み");
        let outer = text!("it is {inner}", "{inner}です");
        assert_eq!(Lang::En.speak(|| outer.to_string()), "it is mate");
        assert_eq!(Lang::Ja.speak(|| outer.to_string()), "詰みです");
        assert_eq!(Lang::Ja.speak(|| outer.as_str(Lang::En).to_owned()), "it is mate");
        assert_eq!(
            Lang::Ja.speak(|| serde_json::to_string(&outer)).ok().as_deref(),
            Some("\"it is mate\"")
        );
    }

    #[test]
    fn two_readers_are_spoken_to_at_once() {
        let mate = &text!("mate", "詰み");
        let both = Barrier::new(2);
        let read = |lang: Lang| {
            lang.speak(|| {
                both.wait();
                let read = mate.to_string();
                both.wait();
                read
            })
        };
        let (ja, en) = thread::scope(|scope| {
            let ja = scope.spawn(|| read(Lang::Ja));
            let en = read(Lang::En);
            (ja.join().expect("no panic"), en)
        });
        assert_eq!((ja.as_str(), en.as_str()), ("詰み", "mate"));
    }

    #[test]
    fn a_language_is_spoken_no_longer_than_it_was_meant() {
        Lang::Ja.speak(|| {
            assert!(catch_unwind(|| Lang::En.speak(|| panic!("in English"))).is_err());
            assert_eq!(Lang::current(), Lang::Ja);
        });
        assert_eq!(Lang::current(), Lang::En);
    }
}
