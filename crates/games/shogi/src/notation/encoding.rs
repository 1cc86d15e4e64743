//! Bytes and text: UTF-8 and Shift_JIS.
//!
//! Old files are in Shift_JIS, new ones in UTF-8, and what a file says of itself is not always
//! true; so the bytes decide. Japanese text in Shift_JIS is next to never valid UTF-8.

use encoding_rs::{DecoderResult, SHIFT_JIS};
use thiserror::Error;

use super::error::{ReadError, ReadReason};

/// How text is written in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark. ASCII is UTF-8.
    Utf8,
    /// Shift_JIS, as Windows has it.
    ShiftJis,
}

impl std::fmt::Display for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::ShiftJis => "Shift_JIS",
        })
    }
}

/// A character that an encoding does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("Shift_JIS has no '{0}'")]
pub struct Unencodable(pub char);

/// The text of a file without its byte order mark, and how it was written. A file whose lines end
/// with carriage returns alone gets proper ones.
pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), ReadError> {
    let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (text, encoding) = match std::str::from_utf8(plain) {
        Ok(text) => (text.into(), Encoding::Utf8),
        Err(error) => match decode_shift_jis(bytes) {
            Ok(text) => (text, Encoding::ShiftJis),
            Err(at) => {
                // Whichever comes further is the likelier one.
                let at = at.max(error.valid_up_to() + (bytes.len() - plain.len()));
                return Err(neither(bytes, at));
            }
        },
    };
    let only_returns = text.contains('\r') && !text.contains('\n');
    Ok((if only_returns { text.replace('\r', "\n") } else { text }, encoding))
}

fn neither(bytes: &[u8], at: usize) -> ReadError {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    // In Shift_JIS a byte is half a character or a whole one: the column is as near as can be.
    let (text, _) = SHIFT_JIS.decode_without_bom_handling(&before[start..]);
    ReadError::at((line, text.chars().count()), ReadReason::Encoding { at, utf16 })
}

/// The text, or the first byte that is not Shift_JIS.
fn decode_shift_jis(bytes: &[u8]) -> Result<String, usize> {
    let mut decoder = SHIFT_JIS.new_decoder_without_bom_handling();
    let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
    let mut text = String::with_capacity(room.unwrap_or(0));
    match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
        (DecoderResult::InputEmpty, _) => Ok(text),
        (DecoderResult::Malformed(bad, after), read) => {
            Err(read.saturating_sub(usize::from(bad) + usize::from(after)))
        }
        (DecoderResult::OutputFull, read) => Err(read),
    }
}

/// The bytes of a text. Shift_JIS does not have every character.
pub fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, Unencodable> {
    match encoding {
        Encoding::Utf8 => Ok(text.as_bytes().into()),
        Encoding::ShiftJis => {
            let (bytes, _, lost) = SHIFT_JIS.encode(text);
            if !lost {
                return Ok(bytes.into_owned());
            }
            let has = |c: &char| !SHIFT_JIS.encode(c.encode_utf8(&mut [0; 4])).2;
            Err(Unencodable(text.chars().find(|c| !has(c)).unwrap_or('\u{fffd}')))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings() {
        let text = "手合割：平手\n▲７六歩　竜・△";
        for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
            let bytes = encode(text, encoding).unwrap();
            assert_eq!(decode(&bytes).unwrap(), (text.into(), encoding));
        }
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        assert_eq!(decode(&marked).unwrap(), (text.into(), Encoding::Utf8));
        assert_eq!(encode("▲☗", Encoding::ShiftJis), Err(Unencodable('☗')));
        assert_eq!(decode(b"a\rb").unwrap().0, "a\nb");
    }

    #[test]
    fn neither_of_them() {
        let error = decode(b"abc\n\x82\xa0x\xff\xff").unwrap_err();
        assert_eq!((error.line, error.column), (1, 2));
        assert_eq!(error.reason, ReadReason::Encoding { at: 7, utf16: false });
        let error = decode("あいうえお\u{e000}".as_bytes().split_last().unwrap().1).unwrap_err();
        assert_eq!(error.reason, ReadReason::Encoding { at: 15, utf16: false });
        let error = decode(b"\xff\xfeK\0I\0F\0").unwrap_err();
        assert!(matches!(error.reason, ReadReason::Encoding { utf16: true, .. }), "{error}");
    }
}
