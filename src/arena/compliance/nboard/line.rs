//! The lines of an engine, as strictly as NBoard parses them.

use ollehto_protocol::notation::parse_moves;

use crate::arena::compliance::games;
use crate::board::{Move, Size};
use crate::notation;

/// NBoard takes such a line as an answer to the last request before a pong.
pub(super) fn answers_a_request(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    ["===", "search", "book", "nodestats", "analysis"].contains(&word)
}

/// What NBoard would reject or misread in a line.
pub(super) fn format_problem(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [word, ..] if word.starts_with("===") => MoveLine::parse(line).err(),
        ["search" | "book", ..] => HintLine::parse(line).err(),
        ["pong", number] if is_integer(number) => None,
        ["pong", ..] => Some("is not a number"),
        ["nodestats", nodes, seconds] if is_integer(nodes) && decimal(seconds).is_some() => None,
        ["nodestats", ..] => Some("is not nodes and seconds"),
        ["analysis", number, value] if is_integer(number) && decimal(value).is_some() => None,
        ["analysis", ..] => Some("is not a number of moves and a value"),
        ["set", "myname", name, ..] if name.contains(']') => Some("would break a game text"),
        _ => None,
    }
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Without exponent or comma.
fn decimal(word: &str) -> Option<f64> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    if is_plain { word.parse().ok() } else { None }
}

#[derive(Debug)]
pub(super) struct MoveLine {
    pub(super) action: Move,
    /// As printed, to be repeated in a `move` line.
    pub(super) text: String,
}

impl MoveLine {
    /// `=== F5/1.50/0.2`, also with spaces as Edax has it.
    pub(super) fn parse(line: &str) -> Result<Self, &'static str> {
        // Some clients read from the fifth column on.
        let text = line.strip_prefix("=== ").ok_or("lacks the space after ===")?;
        let parts: Vec<&str> = if text.contains('/') {
            text.trim_end().split('/').collect()
        } else {
            text.split_whitespace().collect()
        };
        let (name, notes) = parts.split_first().ok_or("names no move")?;
        let action = games::parse_move(name).ok_or("names no move")?;
        if notes.len() > 2 {
            return Err("has more than a move, a value and a time");
        }
        if notes.iter().any(|note| !note.is_empty() && decimal(note).is_none()) {
            return Err("has a value or a time that is not a plain decimal");
        }
        Ok(Self { action, text: parts.join("/") })
    }
}

#[derive(Debug)]
pub(super) struct HintLine {
    pub(super) action: Move,
    pub(super) value: f64,
    pub(super) depth: String,
    pub(super) is_book: bool,
}

impl HintLine {
    /// `search F5-D6-C3 +1.77 0 12`.
    pub(super) fn parse(line: &str) -> Result<Self, &'static str> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, moves, value, games, depth, ..] = words.as_slice() else {
            return Err("has too few parts");
        };
        let vertices = parse_moves(moves.as_bytes()).map_err(|_| "has invalid moves")?;
        let first = vertices.first().and_then(|&vertex| notation::action(vertex, Size::Eight));
        let action = first.ok_or("has invalid moves")?;
        let (high, low) = value.split_once(',').unwrap_or((value, value));
        let (Some(value), Some(low)) = (decimal(high), decimal(low)) else {
            return Err("has a value that is not a plain decimal");
        };
        if value < low {
            return Err("has a pair of values in the wrong order");
        }
        if !is_integer(games) {
            return Err("has a third part that is not a whole number");
        }
        if !depth.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("has a depth that is not a number");
        }
        Ok(Self { action, value, depth: (*depth).to_owned(), is_book: *kind == "book" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_lines() {
        for line in [
            "",
            "status Thinking",
            "some chatter",
            "pong 7",
            "=== F5",
            "=== f5/-0.43/0.10",
            "=== F5//1.2",
            "=== PA",
            "=== F5 0.5 0.01",
            "search F5-D6 +1.77 0 12",
            "search G5       +3.13 0   8",
            "book F5d6 4.0,-4.0 12 100% text",
            "nodestats 123 0.5",
            "analysis 0 -10.00",
            "set myname Mock4",
        ] {
            assert_eq!(format_problem(line), None, "{line}");
        }
    }

    #[test]
    fn invalid_lines() {
        for line in [
            "pong",
            "pong x",
            "===F5",
            "=== Z9",
            "=== F5/1e-3/0.1",
            "=== F5/0,5/0.1",
            "=== F5/1/2/3",
            "search F5",
            "search F5 nan 0 1",
            "search F5 -1,1 0 1",
            "search F5 1 x 1",
            "search F5 1 0 deep",
            "nodestats 1e6 1",
            "analysis 3",
            "set myname x]",
        ] {
            assert!(format_problem(line).is_some(), "{line}");
        }
    }
}
