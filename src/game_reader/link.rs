//! Links to the page, which hold a game behind the `#`: `1r8=f5d6c3`.
//!
//! The version of the format, the rules (`r` reversed, `s` standard), the side of the board, `@` and the start position if it
//! is not the usual one, `=`, and the moves without passes. A position is its squares row by row from a1 (`X`, `O`, `_`)
//! and the side to move.

use crate::board::{Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

use super::fault::{Fault, Hint, Problem};
use super::{ReadGame, play_moves, read_position};

const VERSION: char = '1';

/// The part of a link behind the `#`.
#[must_use]
pub fn write(game: &Game) -> String {
    let rules = match game.rules() {
        Rules::Reversed => 'r',
        Rules::Standard => 's',
    };
    let first = game.first_position();
    let size = first.size();
    let start = match first == Position::start(size) {
        true => String::new(),
        false => format!("@{}", notation::position_text(&first)).replace('-', "_").replace(' ', ""),
    };
    let moves: Vec<_> =
        game.moves().into_iter().map(|(_, action)| action).filter(|action| *action != Move::Pass).collect();
    format!("{VERSION}{rules}{}{start}={}", size.side(), notation::names(&moves, size).concat())
}

/// Reads the part of a link behind the `#`, up to a fault. Columns count from the first move.
#[must_use]
pub fn read(link: &str) -> ReadGame {
    read_at(link, 1)
}

pub(super) fn read_at(link: &str, line: usize) -> ReadGame {
    let nothing = |fault| ReadGame {
        fault: Some(Box::new(fault)),
        ..ReadGame::new(Game::new(Rules::default(), Size::default()), line)
    };
    let Some(Parts { rules, size, start, moves }) = parse(link) else {
        return nothing(Fault { line, column: None, problem: Problem::Link, hint: Hint::None });
    };
    let start = match start.map(read_position) {
        // Its column is not that of the moves.
        Some(Err(fault)) => return nothing(Fault { line, column: None, ..fault }),
        Some(Ok(position)) => position,
        None => Position::start(size),
    };
    let (game, fault) = play_moves(rules, start, moves);
    let fault = fault.map(|fault| Box::new(Fault { line, ..fault }));
    ReadGame { tells_rules: true, fault, ..ReadGame::new(game, line) }
}

struct Parts<'a> {
    rules: Rules,
    size: Size,
    start: Option<&'a str>,
    moves: &'a str,
}

fn parse(link: &str) -> Option<Parts<'_>> {
    let (head, moves) = link.split_once('=')?;
    let rest = head.strip_prefix(VERSION)?;
    let (rest, start) = match rest.split_once('@') {
        Some((rest, start)) => (rest, Some(start)),
        None => (rest, None),
    };
    let (rules, side) = match rest.split_at_checked(1)? {
        ("r", side) => (Rules::Reversed, side),
        ("s", side) => (Rules::Standard, side),
        _ => return None,
    };
    let size = Size::ALL.into_iter().find(|size| size.side().to_string() == side)?;
    Some(Parts { rules, size, start, moves })
}

/// The link in a line, and the byte that it begins at: behind the `#` of any address, or where a comment looks like one.
pub(super) fn find(line: &str) -> Option<(usize, &str)> {
    let (address, fragment) = line.split_once('#')?;
    let is_link = || {
        let head = fragment.split(['=', '@']).next().unwrap_or_default();
        let rest = head.trim_start_matches(|c: char| c.is_ascii_digit());
        let side = rest.strip_prefix(['r', 's']).unwrap_or_default();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        head.len() < fragment.len() && rest.len() < head.len() && is_number(side)
    };
    (address.contains("://") || is_link()).then_some((address.len() + 1, fragment))
}

/// Where the moves of a link begin, in characters.
pub(super) fn characters_before_moves(line: &str, at: usize, link: &str) -> usize {
    let head = link.find('=').map_or(0, |end| end + 1);
    line.get(..at + head).map_or(0, |before| before.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_reads_back() {
        for (link, moves) in
            [("1r8=f5d6c3", 3), ("1s6=", 0), ("1r4@X______________OX=", 0), ("1s4@_____OX__XO_____O=c1", 1)]
        {
            let read = read(link);
            assert_eq!(read.fault, None, "{link}");
            assert_eq!((write(&read.game).as_str(), read.game.moves().len()), (link, moves));
        }
    }

    #[test]
    fn damaged_links_are_told_from_comments() {
        for line in ["#1r8=f5", "https://a.b/c#x", "page.html#2s8=f5", "game: #1r8@X=f5"] {
            assert!(find(line).is_some(), "{line}");
        }
        for line in ["# comment", "#1. f5", "#1st game = good", "f5d6", "#", "#r8=f5", "#1r=f5"] {
            assert_eq!(find(line), None, "{line}");
        }
        for link in ["", "1r8", "2r8=f5", "1q8=f5", "1r5=f5", "1r08=f5", "1é8=f5"] {
            let problem = read(link).fault.map(|fault| fault.problem);
            assert_eq!(problem, Some(Problem::Link), "{link}");
        }
        let column = |link: &str| read(link).fault.and_then(|fault| fault.column);
        assert_eq!(column("1r8=f5d6zz"), Some(5));
        assert_eq!(column("1r8=f5d6a1"), Some(5));
    }
}
