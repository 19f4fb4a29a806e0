//! GGF records, also torn ones.

use ollehto_protocol::ggf::{GgfGame, parse_game};

use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

use super::{Fault, GameInput, Reader, problem};

/// Whether a text begins with a record, perhaps with the number of games before it.
pub(super) fn begins(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(' ').starts_with("(;")
}

/// A record as a text.
#[derive(Debug, PartialEq, Eq)]
struct RawRecord {
    /// In bytes, with the end mark.
    length: usize,
    /// The end of its last whole field.
    whole: usize,
    /// Whether it has an end mark.
    complete: bool,
}

/// Finds the end of a record: its end mark, the next record or the end of the text.
fn measure(text: &str) -> RawRecord {
    let bytes = text.as_bytes();
    let start = text.find("(;").map_or(0, |at| at + 2);
    let (mut at, mut whole, mut in_value) = (start, start, false);
    let next_begins =
        |at: usize| text.get(at..).is_some_and(|line| begins(line.trim_start_matches([' ', '\t'])));
    while at < bytes.len() {
        match bytes[at] {
            b']' if in_value => (in_value, whole) = (false, at + 1),
            b'[' => in_value = true,
            b'\n' if next_begins(at + 1) => return RawRecord { length: at, whole, complete: false },
            b';' if !in_value && bytes.get(at + 1) == Some(&b')') => {
                return RawRecord { length: at + 2, whole, complete: true };
            }
            b'(' if !in_value && bytes.get(at + 1) == Some(&b';') => {
                return RawRecord { length: at, whole, complete: false };
            }
            _ => {}
        }
        at += 1;
    }
    RawRecord { length: bytes.len(), whole, complete: false }
}

/// Where the fields with moves begin.
fn move_fields(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut name, mut in_value) = (None, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b']' if in_value => (name, in_value) = (None, false),
            b'[' if !in_value => {
                let is_move = |&from: &usize| matches!(text.get(from..at).map(str::trim), Some("B" | "W"));
                found.extend(name.filter(is_move));
                in_value = true;
            }
            _ if in_value => {}
            b'(' | b';' => name = None,
            _ if byte.is_ascii_whitespace() => {}
            _ => name = name.or(Some(at)),
        }
    }
    found
}

/// The byte of a column, which counts what the parser sees.
fn byte_of(text: &str, column: usize) -> usize {
    let seen = text.char_indices().filter(|&(_, c)| matches!(c, '\t' | '\n') || !c.is_control());
    seen.map(|(at, _)| at).nth(column.saturating_sub(1)).unwrap_or(text.len())
}

impl Reader<'_> {
    pub(super) fn read_ggf(&mut self) {
        let line = self.line;
        let raw = measure(self.rest);
        let text = self.advance(raw.length);
        let torn = (!raw.complete).then(|| {
            let end = text.trim_end().len();
            self.fault_at(text, line, end, "the record is torn: its end mark ;) is missing".into())
        });
        let (record, fault) = if raw.complete {
            self.parse_record(text, line)
        } else {
            self.parse_record(&format!("{};)", &text[..raw.whole]), line)
        };
        let Some(record) = record else {
            self.contents.faults.extend(torn.or(fault));
            return;
        };
        let rules = if record.kind.anti { Rules::Reversed } else { Rules::Standard };
        match self.replay(text, line, record, rules) {
            Ok(game) => {
                let fault = game.fault.or(fault).or(torn);
                self.contents.add(GameInput { fault, ..game });
            }
            Err(fault) => self.contents.faults.push(fault),
        }
    }

    /// Reads a record; if a move is unreadable, up to it.
    fn parse_record(&self, text: &str, line: usize) -> (Option<GgfGame>, Option<Fault>) {
        let error = match parse_game(text.as_bytes()) {
            Ok(record) => return (Some(record), None),
            Err(error) => error,
        };
        let (column, problem) = problem(&error);
        let at = column.map(|column| byte_of(text, column));
        let fault = match at {
            Some(at) => self.fault_at(text, line, at, problem),
            None => self.fault(line, None, problem),
        };
        let moves = move_fields(text);
        let unreadable = at.and_then(|at| moves.into_iter().rfind(|&field| field <= at));
        let before = unreadable.map(|field| format!("{};)", &text[..field]));
        (before.and_then(|before| parse_game(before.as_bytes()).ok()), Some(fault))
    }

    /// Plays the moves of a record, up to an illegal one.
    fn replay(&self, text: &str, line: usize, mut record: GgfGame, rules: Rules) -> Result<GameInput, Fault> {
        let start =
            notation::position(&record.board).map_err(|error| self.fault(line, None, error.to_string()))?;
        let mut game = Game::from_position(rules, start);
        let mut fault = None;
        for (at, turn) in record.moves.iter().enumerate() {
            let mover = notation::color(turn.side);
            let action = notation::action(turn.text.vertex, start.size());
            if action.is_some_and(|action| game.play(mover, action).is_ok()) {
                continue;
            }
            let name = turn.text.vertex.to_string().to_ascii_lowercase();
            let problem = super::illegal(game.position(), at + 1, mover, &name);
            let field = move_fields(text).get(at).copied().unwrap_or(text.len());
            fault = Some(self.fault_at(text, line, field, problem));
            record.moves.truncate(at);
            break;
        }
        Ok(GameInput { source: self.source.to_string(), line, game, record, fault })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_record_is_outside_its_fields() {
        let text = "(;PB[a;)(;b]B[f5] ;) rest";
        assert_eq!(measure(text), RawRecord { length: 20, whole: 17, complete: true });
        let torn = "(;PB[a]B[f5\n2 (;PB[b];)";
        assert_eq!(measure(torn), RawRecord { length: 11, whole: 7, complete: false });
        let cut = "(;PB[a]B[f5]W";
        assert_eq!(measure(cut), RawRecord { length: 13, whole: 12, complete: false });
    }

    #[test]
    fn moves_are_found_among_other_fields() {
        assert_eq!(move_fields("(;PB[W[]BO[8]B[f5]\nW [f6];)"), [13, 19]);
    }
}
