//! `option`: what an engine lets others set.

use super::words::{Words, push_pair};

/// How an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A number.
    Spin,
    /// One of some words.
    Combo,
    /// Something to do.
    Button,
    /// A text.
    String,
    /// A path (USI).
    Filename,
}

impl OptionKind {
    const ALL: [(OptionKind, &'static str); 6] = [
        (OptionKind::Check, "check"),
        (OptionKind::Spin, "spin"),
        (OptionKind::Combo, "combo"),
        (OptionKind::Button, "button"),
        (OptionKind::String, "string"),
        (OptionKind::Filename, "filename"),
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        OptionKind::ALL.iter().find(|&&(kind, _)| kind == self).map_or("", |&(_, name)| name)
    }
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name; may have spaces.
    pub name: String,
    /// How it is set.
    pub kind: OptionKind,
    /// Its value at the start. The protocols write an empty one as `<empty>`.
    pub default: Option<String>,
    /// The smallest number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
    /// The words to choose from.
    pub vars: Vec<String>,
}

impl OptionSpec {
    /// Reads what comes after `option`.
    pub(super) fn parse(mut words: Words<'_>) -> Option<OptionSpec> {
        const FIELDS: [&str; 4] = ["default", "min", "max", "var"];
        if words.next()? != "name" {
            return None;
        }
        let name = words.until(&["type"]);
        let word = words.nth(1)?;
        let &(kind, _) = OptionKind::ALL.iter().find(|&&(_, name)| name == word)?;
        let mut option =
            OptionSpec { name, kind, default: None, min: None, max: None, vars: Vec::new() };
        let is_text = matches!(kind, OptionKind::String | OptionKind::Filename);
        while let Some(word) = words.next() {
            match word {
                "default" if is_text => {
                    option.default = Some(unescape(words.rest().into()));
                    break;
                }
                "default" => option.default = Some(unescape(words.until(&FIELDS))),
                "min" => option.min = words.number(),
                "max" => option.max = words.number(),
                "var" => option.vars.push(words.until(&FIELDS)),
                _ => {}
            }
        }
        Some(option).filter(|option| !option.name.is_empty())
    }

    /// Would the engine take this value?
    pub fn accepts(&self, value: Option<&str>) -> bool {
        let Some(value) = value else { return self.kind == OptionKind::Button };
        match self.kind {
            OptionKind::Check => matches!(value, "true" | "false"),
            OptionKind::Spin => value.parse().is_ok_and(|number: i64| {
                self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
            }),
            OptionKind::Combo => self.vars.iter().any(|var| var.eq_ignore_ascii_case(value)),
            OptionKind::Button => false,
            OptionKind::String | OptionKind::Filename => true,
        }
    }

    pub(super) fn write(&self, text: &mut String) {
        push_pair(text, "name", &self.name);
        push_pair(text, "type", self.kind.name());
        let is_text = matches!(self.kind, OptionKind::String | OptionKind::Filename);
        let default = self.default.as_deref();
        let default = default.map(|text| if text.is_empty() { "<empty>" } else { text });
        if let Some(default) = default.filter(|_| !is_text) {
            push_pair(text, "default", default);
        }
        for (word, limit) in [("min", self.min), ("max", self.max)] {
            if let Some(limit) = limit {
                push_pair(text, word, limit);
            }
        }
        for var in &self.vars {
            push_pair(text, "var", var);
        }
        if let Some(default) = default.filter(|_| is_text) {
            push_pair(text, "default", default);
        }
    }
}

fn unescape(text: String) -> String {
    if text == "<empty>" { String::new() } else { text }
}
