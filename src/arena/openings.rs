//! What games begin with, so that no two pairs are the same.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ollehto_protocol::notation::{parse_moves, parse_position, print_moves};

use crate::board::{Move, Size};
use crate::game::Game;
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;

/// Balanced openings of 8 plies for the reversed game; `docs/matches.md` says how they were made.
const REVERSED: &str = include_str!("openings/reversed.txt");
/// The same for the standard game.
const STANDARD: &str = include_str!("openings/standard.txt");

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// The list that comes with the program.
    Balanced,
    /// So many random legal plies.
    Random(u32),
    /// A file of move lists or positions, one a line.
    File(PathBuf),
}

impl FromStr for OpeningSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "balanced" => Ok(Self::Balanced),
            Some(("random", plies)) => match plies.parse() {
                Ok(plies @ 0..=40) => Ok(Self::Random(plies)),
                _ => Err(format!("random openings have 0 to 40 plies, not '{plies}'")),
            },
            _ => Ok(Self::File(text.into())),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Balanced => f.write_str("balanced"),
            Self::Random(plies) => write!(f, "random:{plies}"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// Why there are no openings.
#[derive(Debug)]
pub enum OpeningError {
    /// The file cannot be read.
    File(PathBuf, io::Error),
    /// A line of it is no opening.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The file holds none.
    Empty(PathBuf),
    /// The list that comes with the program is for another board.
    NotBalanced(Size),
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(
                f,
                "openings {}: {error}; openings are balanced, random:PLIES or a file",
                path.display()
            ),
            Self::Line { path, line, problem } => {
                write!(f, "openings {}, line {line}: {problem}", path.display())
            }
            Self::Empty(path) => write!(f, "openings {}: the file holds none", path.display()),
            Self::NotBalanced(size) => {
                write!(f, "the balanced openings are for 8×8, not {size}: use random:PLIES")
            }
        }
    }
}

impl std::error::Error for OpeningError {}

impl OpeningSource {
    /// So many games to begin with, each with its opening played. Lists are shuffled by the seed, and begun anew when
    /// they are used up.
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
            Self::Balanced if size != Size::Eight => return Err(OpeningError::NotBalanced(size)),
            Self::Balanced => {
                let text = match rules {
                    Rules::Reversed => REVERSED,
                    Rules::Standard => STANDARD,
                };
                parse(text, Path::new("balanced"), rules, size)?
            }
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

fn parse_line(line: &str, rules: Rules, size: Size) -> Result<Game, String> {
    let game = match parse_moves(line.as_bytes()) {
        Ok(moves) => {
            let mut game = Game::new(rules, size);
            for (number, vertex) in (1..).zip(moves) {
                let played = notation::action(vertex, size).map(|action| game.follow(action));
                if !matches!(played, Some(Ok(()))) {
                    return Err(format!("move {number}, {vertex}, is illegal"));
                }
            }
            game
        }
        Err(no_moves) => match parse_position(line.as_bytes()) {
            Ok(text) if text.size() == size.side() => {
                let position = notation::position(&text).map_err(|error| error.to_string())?;
                Game::from_position(rules, position)
            }
            Ok(text) => return Err(format!("a position of {0}×{0} in a match on {size}", text.size())),
            Err(no_position) => {
                return Err(format!("neither a move list ({no_moves}) nor a position ({no_position})"));
            }
        },
    };
    if game.position().is_over() { Err("the game is over before it begins".into()) } else { Ok(game) }
}

/// A game's moves as a list.
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
        for rules in Rules::ALL {
            let text = if rules == Rules::Reversed { REVERSED } else { STANDARD };
            let games = parse(text, Path::new("balanced"), rules, Size::Eight).expect("well formed");
            assert!(games.len() >= 100, "{rules}: {}", games.len());
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
