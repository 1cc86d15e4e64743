//! Digits as Japanese texts have them: narrow, wide and kanji.

/// A digit from 0 to 9, wide or not.
pub(super) fn digit(c: char) -> Option<u32> {
    match c {
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => c.to_digit(10),
    }
}

/// A number from 1 to 9 in kanji.
pub(super) fn kanji_digit(c: char) -> Option<u8> {
    KANJI_DIGITS.iter().position(|&kanji| kanji == c).map(|at| at as u8 + 1)
}

/// The numbers from 1 to 9.
pub(crate) const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
