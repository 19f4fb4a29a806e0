//! Openings, so that no two pairs are the same.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::error::TextError;
use ollehto_protocol::notation::{parse_moves, parse_position, print_moves};
use thiserror::Error;

use crate::board::{Move, Size};
use crate::game::Game;
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;

/// A list of openings of 8 plies that comes with the program; `docs/matches.md` says how they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningList {
    /// The older one, which keeps matches of different dates comparable.
    Balanced,
    /// Closer to a draw, by deeper searches.
    Even,
}

impl OpeningList {
    const ALL: [Self; 2] = [Self::Balanced, Self::Even];

    /// What users write.
    const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Even => "even",
        }
    }

    const fn text(self, rules: Rules) -> &'static str {
        match (self, rules) {
            (Self::Balanced, Rules::Reversed) => include_str!("openings/balanced-reversed.txt"),
            (Self::Balanced, Rules::Standard) => include_str!("openings/balanced-standard.txt"),
            (Self::Even, Rules::Reversed) => include_str!("openings/even-reversed.txt"),
            (Self::Even, Rules::Standard) => include_str!("openings/even-standard.txt"),
        }
    }

    fn games(self, rules: Rules) -> Result<Vec<Game>, OpeningError> {
        parse(self.text(rules), Path::new(self.name()), rules, Size::Eight)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    Listed(OpeningList),
    /// So many random plies.
    Random(u32),
    /// A move list or a position on each line.
    File(PathBuf),
}

impl FromStr for OpeningSource {
    type Err = OpeningError;

    fn from_str(text: &str) -> Result<Self, OpeningError> {
        if let Some(list) = OpeningList::ALL.into_iter().find(|list| list.name() == text) {
            return Ok(Self::Listed(list));
        }
        match text.split_once(':') {
            Some(("random", plies)) => match plies.parse() {
                Ok(plies @ 0..=40) => Ok(Self::Random(plies)),
                _ => Err(OpeningError::Plies(plies.to_owned())),
            },
            _ => Ok(Self::File(text.into())),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(list) => f.write_str(list.name()),
            Self::Random(plies) => write!(f, "random:{plies}"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("openings {0}: {1}; openings are balanced, even, random:PLIES or a file")]
    File(PathBuf, io::Error),
    /// Lines are counted from 1.
    #[error("openings {path}, line {line}: {problem}")]
    Line { path: PathBuf, line: usize, problem: OpeningLineError },
    #[error("openings {0}: the file holds none")]
    Empty(PathBuf),
    #[error("the {0} openings are for 8×8, not {1}: use random:PLIES")]
    NotListed(&'static str, Size),
    #[error("random openings have 0 to 40 plies, not '{0}'")]
    Plies(String),
}

/// Why a line is no opening.
#[derive(Debug, Error)]
pub enum OpeningLineError {
    #[error("move {number}, {vertex}, is illegal")]
    Illegal { number: usize, vertex: Vertex },
    #[error("a position of {0}×{0} in a match on {1}")]
    Size(u8, Size),
    #[error("neither a move list ({}) nor a position ({})", .0[0], .0[1])]
    Neither(Box<[TextError; 2]>),
    #[error(transparent)]
    Position(#[from] notation::NoDiscs),
    #[error("the game is over before it begins")]
    Over,
}

impl OpeningSource {
    /// `count` games with their openings played. Lists are shuffled by the seed, and repeated if they are too short.
    ///
    /// # Errors
    /// If a file is missing or wrong.
    pub fn openings(
        &self,
        rules: Rules,
        size: Size,
        seed: u64,
        count: u32,
    ) -> Result<Vec<Game>, OpeningError> {
        let mut list = match self {
            Self::Random(plies) => {
                return Ok((0..count).map(|number| random(rules, size, *plies, seed, number)).collect());
            }
            Self::Listed(list) if size != Size::Eight => {
                return Err(OpeningError::NotListed(list.name(), size));
            }
            Self::Listed(list) => list.games(rules)?,
            Self::File(path) => {
                let text =
                    fs::read_to_string(path).map_err(|error| OpeningError::File(path.clone(), error))?;
                parse(&text, path, rules, size)?
            }
        };
        Random::new(seed).shuffle(&mut list);
        Ok(list.into_iter().cycle().take(count as usize).collect())
    }
}

fn random(rules: Rules, size: Size, plies: u32, seed: u64, number: u32) -> Game {
    let mut random = Random::keyed(seed, number.into());
    loop {
        let mut game = Game::new(rules, size);
        for _ in 0..plies {
            let moves: Vec<_> = game.position().moves().into_iter().map(Move::Place).collect();
            let action = random.pick(&moves).copied().unwrap_or(Move::Pass);
            if game.follow(action).is_err() {
                break;
            }
        }
        if !game.position().is_over() {
            return game;
        }
    }
}

fn parse(text: &str, path: &Path, rules: Rules, size: Size) -> Result<Vec<Game>, OpeningError> {
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let game = parse_line(line, rules, size);
        games.push(game.map_err(|problem| OpeningError::Line {
            path: path.to_owned(),
            line: number,
            problem,
        })?);
    }
    if games.is_empty() { Err(OpeningError::Empty(path.to_owned())) } else { Ok(games) }
}

fn parse_line(line: &str, rules: Rules, size: Size) -> Result<Game, OpeningLineError> {
    let game = match parse_moves(line.as_bytes()) {
        Ok(moves) => {
            let mut game = Game::new(rules, size);
            for (number, vertex) in (1..).zip(moves) {
                let played = notation::action(vertex, size).map(|action| game.follow(action));
                if !matches!(played, Some(Ok(()))) {
                    return Err(OpeningLineError::Illegal { number, vertex });
                }
            }
            game
        }
        Err(no_moves) => match parse_position(line.as_bytes()) {
            Ok(text) if text.size() == size.side() => Game::from_position(rules, notation::position(&text)?),
            Ok(text) => return Err(OpeningLineError::Size(text.size(), size)),
            Err(no_position) => return Err(OpeningLineError::Neither(Box::new([no_moves, no_position]))),
        },
    };
    if game.position().is_over() { Err(OpeningLineError::Over) } else { Ok(game) }
}

/// The moves of a game, as `f5d6c3`.
#[must_use]
pub fn move_list(game: &Game) -> String {
    let size = game.position().size();
    let vertices: Vec<_> =
        game.moves().into_iter().map(|(_, action)| notation::vertex(action, size)).collect();
    print_moves(&vertices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_shipped_lists_are_openings_of_eight_plies_each_once() {
        for (list, rules) in
            OpeningList::ALL.into_iter().flat_map(|list| Rules::ALL.map(|rules| (list, rules)))
        {
            let games = list.games(rules).expect("well formed");
            assert!(games.len() >= 100, "{list:?}, {rules}: {}", games.len());
            assert!(games.iter().all(|game| game.moves().len() == 8));
            let different: HashSet<_> =
                games.iter().map(|game| game.position().board().canonical().0).collect();
            assert_eq!(different.len(), games.len());
        }
    }

    #[test]
    fn random_openings_follow_from_the_seed() {
        let lists = |seed| {
            let games =
                OpeningSource::Random(6).openings(Rules::Reversed, Size::Eight, seed, 20).expect("no file");
            games.iter().map(move_list).collect::<Vec<_>>()
        };
        assert_eq!(lists(5), lists(5));
        assert_ne!(lists(5), lists(6));
    }

    #[test]
    fn a_bad_line_is_named() {
        let problem = |text: &str| {
            parse(text, Path::new("x"), Rules::Reversed, Size::Eight).expect_err(text).to_string()
        };
        assert!(problem("f5d6\n# fine\n\nf5f5\n").contains("line 4: move 2, F5, is illegal"));
        assert!(problem("hello\n").contains("line 1: neither"));
        assert!(problem("# nothing\n").contains("holds none"));
        let position = "X---------------------------------------------------------------X";
        assert!(problem(position).contains("over before it begins"));
    }
}
