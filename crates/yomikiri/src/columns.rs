//! Columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns that a text takes on a terminal: Japanese characters take two.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A text with blanks after it, so that it takes so many columns.
pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Words in lines of so many each; those after the first begin with so many blanks.
pub fn in_lines(words: &[String], each: usize, indent: usize) -> String {
    let lines: Vec<String> = words.chunks(each).map(|line| line.join(" ")).collect();
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

/// Breaks a line into lines of at most so many columns: at blanks, and between Japanese characters,
/// but not before a full stop, a closing bracket and the like, nor after an opening one. The lines after
/// the first are indented as it is. What has no place to break at is left as long as it is.
pub fn wrap(line: &str, columns: usize) -> Vec<String> {
    const NEVER_FIRST: &str =
        "、。，．・：；？！）」』】〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]";
    const NEVER_LAST: &str = "（「『【〔([";
    let is_wide = |c: char| c.width() == Some(2);
    let may_break = |before: char, after: char| {
        let is_place = before == ' ' || is_wide(before) || is_wide(after);
        is_place && after != ' ' && !NEVER_FIRST.contains(after) && !NEVER_LAST.contains(before)
    };
    let body = line.trim_start_matches(' ');
    let indent = &line[..line.len() - body.len()];
    let mut lines = Vec::new();
    let (mut shown, mut word, mut last) = (indent.to_owned(), String::new(), None);
    for c in body.chars() {
        if last.is_some_and(|last| may_break(last, c)) {
            push(&mut lines, &mut shown, &mut word, indent, columns);
        }
        word.push(c);
        last = Some(c);
    }
    push(&mut lines, &mut shown, &mut word, indent, columns);
    lines.push(shown.trim_end().to_owned());
    lines
}

/// Adds a word to the line, or begins a new line with it if it does not fit.
fn push(
    lines: &mut Vec<String>,
    shown: &mut String,
    word: &mut String,
    indent: &str,
    columns: usize,
) {
    if width(shown) + width(word.trim_end()) > columns && shown.len() > indent.len() {
        lines.push(shown.trim_end().to_owned());
        *shown = indent.to_owned();
    }
    shown.push_str(word);
    word.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_breaks_anywhere_but_before_a_full_stop() {
        assert_eq!(wrap("詰みはありません。", 8), ["詰みはあ", "りませ", "ん。"]);
        assert_eq!(wrap("詰みは、（あり）ません。", 8), ["詰みは、", "（あり）", "ません。"]);
        assert_eq!(wrap("  - auto: 端末のときだけ", 14), ["  - auto: 端末", "  のときだけ"]);
        assert_eq!(wrap("an example of words", 10), ["an example", "of words"]);
        assert_eq!(wrap("unbreakable words", 5), ["unbreakable", "words"]);
        assert_eq!(wrap("", 8), [""]);
        for columns in 1..40 {
            let text =
                "攻方の手番ごとに、 --own-line のほかの王手をすべて読み切ります（最終手も）。";
            let lines = wrap(text, columns);
            assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
            assert!(lines.iter().all(|line| width(line) <= columns.max(12)), "{lines:?}");
        }
    }

    #[test]
    fn japanese_is_wide() {
        assert_eq!(width("mate 詰み"), 9);
        assert_eq!(width("９ ８"), 5);
        // A name as macOS writes it: the voicing mark is a character of its own.
        assert_eq!(width("か\u{3099}っこ"), 6);
        assert_eq!(pad("詰", 4), "詰  ");
        assert_eq!(pad("mate", 3), "mate");
    }
}
