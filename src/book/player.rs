//! Plays from a book, with some variety.

use std::path::PathBuf;
use std::sync::Arc;

use crate::board::{Move, Position, Square};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;

use super::book::{Book, ScoredMove};
use super::file::BookError;

/// In hundredths of a disc.
pub const DEFAULT_VARIETY: u16 = 50;

#[derive(Clone, Debug, Default)]
pub enum BookSource {
    Off,
    /// Those built into the program.
    #[default]
    Shipped,
    /// A file for its rules, and the shipped book for the others.
    File {
        path: PathBuf,
        book: Arc<Book>,
    },
}

impl BookSource {
    /// # Errors
    /// If the file cannot be read, or is damaged, or is another kind of file.
    pub fn load(path: PathBuf) -> Result<Self, BookError> {
        let book = Arc::new(Book::load(&path)?);
        Ok(Self::File { path, book })
    }

    #[must_use]
    pub fn book(&self, rules: Rules) -> Option<&Book> {
        match self {
            Self::Off => None,
            Self::File { book, .. } if book.settings().rules == rules => Some(book),
            Self::Shipped | Self::File { .. } => Book::shipped(rules),
        }
    }
}

/// A move from a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// For the side that makes the move.
    pub value: Score,
    /// The move, then the best play after it as far as the book goes.
    pub line: Vec<Square>,
}

/// Chooses moves from a book.
#[derive(Clone, Debug)]
pub struct BookPlayer {
    pub source: BookSource,
    /// What a move may lose against the best one to be chosen, in hundredths of a disc.
    pub variety: u16,
    random: Random,
}

impl BookPlayer {
    #[must_use]
    pub const fn new(source: BookSource, variety: u16, seed: u64) -> Self {
        Self { source, variety, random: Random::new(seed) }
    }

    /// Draws one of the good moves of a position in the book, the better ones more often.
    pub fn choose(&mut self, position: &Position, rules: Rules) -> Option<BookMove> {
        let book = self.source.book(rules)?;
        let variety = units(self.variety);
        let chosen = pick(&book.probe(position)?, variety, &mut self.random)?;
        let after = position.play(Move::Place(chosen.square))?;
        let mut line = vec![chosen.square];
        line.extend(book.line(&after));
        Some(BookMove { value: chosen.value, line })
    }
}

/// Hundredths of a disc in units of [`Score`].
fn units(hundredths: u16) -> i32 {
    i32::from(hundredths) * i32::from(Score::UNITS) / 100
}

/// Draws one of the moves that lose no more than `variety` units against the first and best one. The probability falls
/// linearly with the loss.
fn pick(moves: &[ScoredMove], variety: i32, random: &mut Random) -> Option<ScoredMove> {
    let best = moves.first()?.value;
    let chance = |scored: &ScoredMove| {
        let loss = i32::from(best.units()) - i32::from(scored.value.units());
        usize::try_from(variety - loss + 1).unwrap_or(0)
    };
    let mut drawn = random.below(moves.iter().map(chance).sum());
    moves.iter().copied().find(|scored| {
        let chance = chance(scored);
        let hit = drawn < chance;
        drawn = drawn.saturating_sub(chance);
        hit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(units: &[i32]) -> Vec<ScoredMove> {
        let scored =
            |(&units, &square): (&i32, &Square)| ScoredMove { square, value: Score::from_units(units) };
        units.iter().zip(&Square::ALL).map(scored).collect()
    }

    /// How often each of the moves is drawn in 10,000 times.
    fn draws(units: &[i32], variety: i32) -> Vec<u32> {
        let (moves, mut random) = (moves(units), Random::new(7));
        let mut counts = vec![0; moves.len()];
        for _ in 0..10_000 {
            let drawn = pick(&moves, variety, &mut random).expect("there are moves");
            counts[drawn.square.index()] += 1;
        }
        counts
    }

    #[test]
    fn without_variety_only_the_best_are_played_and_all_of_them() {
        let counts = draws(&[5, 5, 5, 4, -100], 0);
        assert_eq!(counts[3..], [0, 0]);
        assert!(counts[..3].iter().all(|count| count.abs_diff(3333) < 200), "{counts:?}");
    }

    #[test]
    fn with_variety_better_moves_come_more_often_and_bad_ones_never() {
        // Chances of 10, 7, 1, none and none in 18.
        let counts = draws(&[20, 17, 11, 10, -2000], 9);
        for (count, expected) in counts.iter().zip([5556_u32, 3889, 556, 0, 0]) {
            assert!(count.abs_diff(expected) <= expected / 10, "{counts:?}");
        }
    }

    #[test]
    fn a_seed_means_the_same_moves() {
        let play = |seed| {
            let mut random = Random::new(seed);
            let moves = moves(&[3, 3, 2, 1, 0]);
            (0..50).map(|_| pick(&moves, 4, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
        assert_eq!(pick(&[], 4, &mut Random::new(1)), None);
    }
}
