//! Text in files of markup: HTML pages and SVG pictures.

/// A text as it stands in HTML and XML, between tags or in quotes: the characters that they reserve
/// are written out, and control characters, for which XML has no place, are blanks.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        assert_eq!(escaped("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
        assert_eq!(escaped("作品\u{0}\u{1b}[31m\n"), "作品  [31m ");
    }
}
