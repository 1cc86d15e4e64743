//! The law of records: whatever the bytes are, reading gives a record or a reason, never a panic;
//! what is written in the format that was recognised is read again; and the records that a text is
//! cut into are the text. For the tests and for the
//! fuzzer.

use yomikiri_shogi::notation::{self, Format, ReadError, decode, parse_as, read_and_tell, write};

/// Reads bytes in every way, and checks what comes out.
pub fn read_anyhow(bytes: &[u8]) {
    let read = read_and_tell(bytes);
    if let Ok((record, format, _)) = &read {
        let text = write(record, *format);
        let again = parse_as(&text, *format).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.position, record.position, "{text}");
        assert_eq!(again.main_line(), record.main_line(), "{text}");
        assert_eq!(write(&again, *format), text);
    }
    check(bytes, read.map(|(record, ..)| record));
    if let Ok((text, _)) = decode(bytes) {
        for format in Format::ALL {
            check(bytes, parse_as(&text, format));
        }
        // Cut into records, nothing is lost.
        let parts: String = notation::cut(&text).iter().map(|part| part.text).collect();
        assert_eq!(parts, text);
    }
}

fn check(bytes: &[u8], result: Result<notation::Record, ReadError>) {
    match result {
        Ok(record) => {
            assert_eq!(record.position.validate(), Ok(()));
            for format in Format::ALL {
                write(&record, format);
            }
        }
        Err(error) => {
            assert!(!error.reason.to_string().is_empty());
            // The place is in the text.
            if let Ok((text, _)) = decode(bytes) {
                let text = text.trim_start_matches('\u{feff}');
                let line = text.split('\n').nth(error.line);
                let line = line.unwrap_or_else(|| panic!("{error}: no such line in {text:?}"));
                assert!(error.column <= line.chars().count(), "{error}: {text:?}");
            }
        }
    }
}
