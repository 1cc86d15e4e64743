//! KIF, the format of Kakinoki Shogi and Kifu for Windows: one move a line, with a board if the
//! game does not begin as usual. Most problems on the net are in KIF.

use super::error::{KifReason, ReadError, ReadReason};
use super::japanese::kif_move_name;
use super::kakinoki::{self, Sheet};
use super::numerals::digit;
use super::record::{Ending, Path, Record, Step};
use super::text::Cursor;
use super::written;

/// Does a line begin with the number of a move?
pub(super) fn is_move(cursor: &Cursor) -> bool {
    let mut cursor = cursor.clone();
    cursor.number().is_some() && cursor.peek().is_some_and(char::is_whitespace)
}

/// Reads a text in KIF.
pub fn read(text: &str) -> Result<Record, ReadError> {
    let mut sheet = Sheet::new(text, |cursor| cursor.peek().is_some_and(|c| digit(c).is_some()))?;
    let (mut record, mut path) = sheet.record()?;
    // The number of the first move; some files go on from the middle of a game.
    let mut base = 1;
    for line in &sheet.moves {
        if kakinoki::common_line(line, &mut record, &mut path, base)? {
            continue;
        }
        let mut cursor = line.clone();
        let number = cursor.number().unwrap_or(0) as usize;
        if record.tree.is_empty() {
            base = number;
        }
        if path.has_ended(&record.tree) {
            return Err(line.error(ReadReason::AfterEnd));
        }
        if number != base + path.len() {
            let expected = base + path.len();
            return Err(line.error(KifReason::MoveNumber { expected, found: number }));
        }
        cursor.skip_space();
        let step = scan_step(&mut cursor, number, &path)?;
        cursor.skip_space();
        let seconds = scan_time(&mut cursor);
        cursor.skip_space();
        cursor.eat("+");
        cursor.skip_space();
        if cursor.peek().is_some() {
            return Err(cursor.error(ReadReason::AfterMove(cursor.word().into())));
        }
        let node = path.go(&mut record.tree, step);
        let known = &mut record.tree.node_mut(node).seconds;
        *known = seconds.or(*known);
    }
    Ok(record)
}

/// Takes a move, or the word for an end.
fn scan_step(cursor: &mut Cursor, number: usize, path: &Path) -> Result<Step, ReadError> {
    let start = cursor.clone();
    let word = cursor.word().split('(').next().unwrap_or_default();
    if let Some(ending) = Ending::from_kif(word) {
        cursor.eat(word);
        return Ok(Step::End(ending));
    }
    let written = written::scan(cursor)?;
    let name = start.up_to(cursor);
    let m = written.resolve(&path.position, path.last).map_err(|reason| {
        let (number, written) = (Some(number), Some(name.into()));
        start.error(ReadReason::Move { number, written, reason })
    })?;
    Ok(Step::Move(m))
}

/// Takes the time of a move, `( 0:16/00:00:16)`: the seconds of the move, if they can be read.
fn scan_time(cursor: &mut Cursor) -> Option<u32> {
    if !cursor.eat("(") {
        return None;
    }
    let inside = cursor.rest().split(')').next().unwrap_or_default();
    cursor.eat(inside);
    cursor.eat(")");
    let own = inside.split('/').next().unwrap_or_default();
    own.split(':').try_fold(0u32, |seconds, part| {
        let part: u32 = part.trim().parse().ok()?;
        Some(seconds.saturating_mul(60).saturating_add(part))
    })
}

/// Writes a record in KIF, with all variations.
pub fn write(record: &Record) -> String {
    let mut text = kakinoki::write_header(record);
    text += "手数----指手---------消費時間--\n";
    kakinoki::write_comments(&mut text, &record.comments);
    for line in record.lines() {
        if line.variation {
            text += &format!("\n変化：{}手\n", line.ply);
        }
        let (mut position, mut last, mut spent) = (line.start, line.last, line.spent);
        for (ply, &id) in (line.ply..).zip(&line.nodes) {
            let node = record.tree.node(id);
            let turn = position.turn();
            let name = match node.step {
                Step::Move(m) => {
                    let name = kif_move_name(&position, m, last);
                    position.play(m);
                    last = Some(m.to());
                    name
                }
                Step::End(ending) => ending.kif().into(),
            };
            text += &format!("{ply:>4} {name}");
            if let Some(seconds) = node.seconds {
                let total = &mut spent[turn.index()];
                *total = total.saturating_add(seconds);
                let width: usize = name.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
                text += &" ".repeat(14usize.saturating_sub(width).max(1));
                let (hours, minutes) = (*total / 3600, *total / 60 % 60);
                text += &format!("({:>2}:{:02}", seconds / 60, seconds % 60);
                text += &format!("/{hours:02}:{minutes:02}:{:02})", *total % 60);
            }
            text.push('\n');
            kakinoki::write_comments(&mut text, &node.comments);
            if let Step::End(ending) = node.step {
                text += &ending.summary(ply - 1, turn);
                text.push('\n');
            }
        }
    }
    text
}
