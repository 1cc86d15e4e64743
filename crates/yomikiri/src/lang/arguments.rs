//! What is wrong with the arguments, in Japanese, from what clap knows of it.

use std::error::Error;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::errors::said_error;

/// What is wrong with the arguments.
pub struct Wrong {
    /// What it is, without the hint at the help.
    pub what: String,
    /// What could be written instead.
    pub tip: Option<String>,
}

/// What is wrong.
pub fn wrong_arguments(error: &clap::Error) -> Wrong {
    let text = |kind| error.get(kind).map(shown).unwrap_or_default();
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let prior = text(ContextKind::PriorArg);
    let said = match error.kind() {
        ErrorKind::UnknownArgument => format!("{argument} という引数はありません"),
        ErrorKind::InvalidSubcommand => {
            format!("{} というコマンドはありません", text(ContextKind::InvalidSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} に値がありません"),
        ErrorKind::InvalidValue => format!("{argument} の値 {value} は使えません"),
        ErrorKind::ValueValidation => {
            let reason = error.source().map(|source| said_error(source).to_string());
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            format!("{argument} の値 {value} は使えません{reason}")
        }
        ErrorKind::ArgumentConflict if prior == argument => {
            format!("{argument} は一度しか指定できません")
        }
        ErrorKind::ArgumentConflict => {
            format!("{argument} は {prior} と一緒に指定できません")
        }
        ErrorKind::MissingRequiredArgument => format!("{argument} を指定してください"),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            "コマンドを指定してください".into()
        }
        ErrorKind::TooManyValues => format!("{argument} の値が多すぎます: {value}"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            format!("{argument} の値の個数が違います")
        }
        ErrorKind::NoEquals => format!("{argument} の値は '=' でつないでください"),
        ErrorKind::InvalidUtf8 => "引数が UTF-8 ではありません".into(),
        _ => "引数に誤りがあります".into(),
    };
    let values = text(ContextKind::ValidValue);
    let values = if values.is_empty() { values } else { format!("（使える値: {values}）") };
    let similar =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let similar = similar.into_iter().map(text).find(|similar| !similar.is_empty());
    let similar = similar.map_or(String::new(), |similar| format!("（{similar} のことですか？）"));
    // clap tells what may be a value that begins like an option in words of its own.
    let suggested = error.get(ContextKind::Suggested).map(ContextValue::to_string);
    let value = error.get(ContextKind::InvalidArg).map(|argument| format!("-- {argument}"));
    let value = value.filter(|value| suggested.is_some_and(|said| said.contains(value.as_str())));
    let tip = value.map(|value| format!("値として渡すには `{value}` と書きます"));
    Wrong { what: format!("{said}{values}{similar}"), tip }
}

/// A part of an argument as it was typed; nothing if there is none.
fn shown(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(values) => {
            let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
            values.join("、")
        }
        value => match value.to_string() {
            empty if empty.is_empty() => empty,
            value => format!("`{value}`"),
        },
    }
}
