//! GGF records, also torn ones.

use ollehto_protocol::ggf::{GgfGame, parse_game};

use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

use super::fault::{Fault, Hint, Problem, column_of};
use super::{ReadGame, Reader, byte_of, fault_at, play};

/// Moves and passes.
const LONGEST_GAME: usize = 120;

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

impl Reader<'_> {
    pub(super) fn read_ggf(&mut self) {
        let line = self.line;
        let raw = measure(self.rest);
        let text = self.advance(raw.length);
        let torn = (!raw.complete).then(|| fault_at(text, line, text.trim_end().len(), Problem::Torn));
        let (record, fault) = if raw.complete {
            parse_record(text, line)
        } else {
            parse_record(&format!("{};)", &text[..raw.whole]), line)
        };
        match record {
            None => self.ready.extend(torn.or(fault).map(Err)),
            Some(record) => match self.replay(text, line, record) {
                Ok(game) => {
                    let fault = game.fault.or(fault.map(Box::new)).or(torn.map(Box::new));
                    self.add(ReadGame { fault, ..game });
                }
                Err(fault) => self.ready.push_back(Err(fault)),
            },
        }
    }

    /// Plays the moves of a record, up to an illegal one.
    fn replay(&self, text: &str, line: usize, mut record: GgfGame) -> Result<ReadGame, Fault> {
        let start = notation::position(&record.board).map_err(|_| Fault {
            line,
            column: None,
            problem: Problem::NoDiscs,
            hint: Hint::None,
        })?;
        let tells_rules = record.kind.anti;
        let rules = if tells_rules { Rules::Reversed } else { self.options.unmarked };
        let mut game = Game::from_position(rules, start);
        let (mut played, mut fault) = (Vec::with_capacity(record.moves.len().min(LONGEST_GAME)), None);
        for (at, turn) in record.moves.iter().enumerate() {
            match play(&mut game, Some(notation::color(turn.side)), turn.text.vertex) {
                Ok(true) => played.push(*turn),
                Ok(false) => {}
                Err(problem) => {
                    let field = move_fields(text).get(at).copied().unwrap_or(text.len());
                    fault = Some(Box::new(fault_at(text, line, field, problem)));
                    break;
                }
            }
        }
        record.moves = played;
        Ok(ReadGame { tells_rules, fault, ggf: Some(Box::new(record)), ..ReadGame::new(game, line) })
    }
}

/// Reads a record; if a move is unreadable, up to it.
fn parse_record(text: &str, line: usize) -> (Option<GgfGame>, Option<Fault>) {
    let error = match parse_game(text.as_bytes()) {
        Ok(record) => return (Some(record), None),
        Err(error) => error,
    };
    let at = column_of(&error).map(|column| byte_of(text, column));
    let problem = Problem::Unreadable(error);
    let fault = match at {
        Some(at) => fault_at(text, line, at, problem),
        None => Fault { line, column: None, problem, hint: Hint::None },
    };
    let moves = move_fields(text);
    let unreadable = at.and_then(|at| moves.into_iter().rfind(|&field| field <= at));
    let before = unreadable.map(|field| format!("{};)", &text[..field]));
    (before.and_then(|before| parse_game(before.as_bytes()).ok()), Some(fault))
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
