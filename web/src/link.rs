//! A game in the part of an address after `#`: `1r8=f5d6c3`.
//!
//! The version of the format, the rules (`r` reversed, `s` standard), the side of the board, `@` and the start position if it
//! is not the usual one, `=`, and the moves without passes. A position is its squares row by row from a1 (`X`, `O`, `_`)
//! and the side to move.

use crate::game::{GameText, Played, RulesWord};
use crate::reader::{Problem, Reading};

const VERSION: char = '1';

pub fn write(game: &GameText) -> String {
    let rules = match game.rules {
        RulesWord::Reversed => 'r',
        RulesWord::Standard => 's',
    };
    let start = game.start.as_ref().map(|start| format!("@{}", start.replace('-', "_").replace(' ', "")));
    format!("{VERSION}{rules}{}{}={}", game.size, start.unwrap_or_default(), game.moves)
}

/// As much as can be played of a link that somebody may have edited.
pub fn read(link: &str) -> Reading {
    let Some(game) = parse(link) else { return Reading::failed(Problem::Link) };
    Reading::of(Played::new(&game)).or_nothing()
}

fn parse(link: &str) -> Option<GameText> {
    let (head, moves) = link.split_once('=')?;
    let rest = head.strip_prefix(VERSION)?;
    let (rest, start) = match rest.split_once('@') {
        Some((rest, start)) => (rest, Some(start.to_owned())),
        None => (rest, None),
    };
    let (rules, size) = match rest.split_at_checked(1)? {
        ("r", size) => (RulesWord::Reversed, size),
        ("s", size) => (RulesWord::Standard, size),
        _ => return None,
    };
    let size = size.parse().ok().filter(|size| [4, 6, 8].contains(size))?;
    Some(GameText { rules, size, start, moves: moves.to_owned() })
}
