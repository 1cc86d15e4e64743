//! What programs read (`--json`): objects, one a line, each with the version of their form and a name
//! for what they are. `docs/json.schema.json` describes every one of them.

use std::fmt::Display;
use std::io::Write;

use anyhow::Result;
use serde::{Serialize, Serializer};
use serde_json::json;
use yomikiri_question::lang::Text;

use crate::input::Item;

/// The version. It rises when a field goes or means something else; new fields leave it as it is.
pub const SCHEMA: u32 = 2;

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    r#type: &'a str,
    #[serde(flatten)]
    object: &'a T,
}

/// An object on a line, without its line break. `kind` is the command and, where it has several
/// objects, which one.
pub fn text(kind: &str, object: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(&Versioned { schema: SCHEMA, r#type: kind, object })?)
}

/// Writes an object on a line of its own.
pub fn line(out: &mut impl Write, kind: &str, object: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", text(kind, object)?)?;
    Ok(())
}

/// Writes that one of several problems cannot be read or solved, in its place among the others.
pub fn error(out: &mut impl Write, item: &Item, message: &Text) -> Result<()> {
    line(out, "error", &json!({"id": item.id, "source": item.source, "error": message}))
}

/// Serialises what has words as these.
pub fn in_words<T: Display, S: Serializer>(
    what: &T,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_str(what)
}
