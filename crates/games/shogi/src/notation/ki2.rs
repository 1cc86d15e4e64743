//! KI2, which writes moves as people do: `▲７六歩  △３四歩`, with words where pieces of a kind
//! could be mistaken for each other.

use super::error::{ReadError, ReadReason};
use super::japanese::{self, ki2_move_name};
use super::kakinoki::{self, Sheet};
use super::record::{Record, Step};
use super::text::Cursor;
use super::written;

/// Does a line begin with a move?
pub(super) fn is_move(cursor: &Cursor) -> bool {
    let marked = cursor.peek().is_some_and(|c| japanese::side_of_mark(c).is_some());
    marked || written::scan(&mut cursor.clone()).is_ok()
}

/// Reads a text in KI2.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let mut sheet = Sheet::new(text, is_move)?;
    let (mut record, mut path) = sheet.record()?;
    for line in &sheet.moves {
        if kakinoki::common_line(line, &mut record, &mut path, 1)? {
            continue;
        }
        let mut cursor = line.clone();
        cursor.skip_space();
        while cursor.peek().is_some() {
            let start = cursor.clone();
            if path.has_ended(&record.tree) {
                return Err(start.error(ReadReason::AfterEnd));
            }
            let written = written::scan(&mut cursor)?;
            let name = start.up_to(&cursor);
            let m = written.resolve(&path.position, path.last).map_err(|reason| {
                let (number, written) = (Some(path.len() + 1), Some(name.into()));
                start.error(ReadReason::Move { number, written, reason })
            })?;
            path.go(&mut record.tree, Step::Move(m));
            cursor.skip_space();
        }
    }
    Ok(record)
}

/// Writes a record in KI2, with all variations; times have no place there.
pub fn write(record: &Record) -> String {
    /// So many moves stand in a line.
    const IN_A_LINE: usize = 6;
    let mut text = kakinoki::write_header(record) + "\n";
    kakinoki::write_comments(&mut text, &record.comments);
    for line in record.lines() {
        if line.variation {
            text += &format!("\n変化：{}手\n", line.ply);
        }
        let (mut position, mut last) = (line.start, line.last);
        let mut in_line = 0;
        for (ply, &id) in (line.ply..).zip(&line.nodes) {
            let node = record.tree.node(id);
            match node.step {
                Step::Move(m) => {
                    if in_line > 0 {
                        text += if in_line < IN_A_LINE { "  " } else { "\n" };
                        in_line %= IN_A_LINE;
                    }
                    text += &ki2_move_name(&position, m, last);
                    position.play(m);
                    last = Some(m.to());
                    in_line += 1;
                }
                Step::End(ending) => {
                    if in_line > 0 {
                        text.push('\n');
                    }
                    text += &ending.summary(ply - 1, position.turn());
                    text.push('\n');
                    in_line = 0;
                }
            }
            if !node.comments.is_empty() {
                if in_line > 0 {
                    text.push('\n');
                }
                in_line = 0;
                kakinoki::write_comments(&mut text, &node.comments);
            }
        }
        if in_line > 0 {
            text.push('\n');
        }
    }
    text
}
