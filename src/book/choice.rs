//! Playing from a book, not always the same.

use std::path::PathBuf;
use std::sync::Arc;

use crate::board::{Move, Position, Square};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;

use super::{Book, BookError, Known};

/// What a move may lose against the best one unless told otherwise: half a disc, in hundredths of a disc.
pub const DEFAULT_VARIETY: u16 = 50;

/// Which book is played from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// None.
    Off,
    /// Those that come with the program.
    #[default]
    Shipped,
    /// One from a file, for its rules; for the others the one that comes with the program.
    File {
        /// The file it was read from.
        path: PathBuf,
        /// What was in it.
        book: Arc<Book>,
    },
}

impl Source {
    /// The book of a file.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged, or is another kind of file.
    pub fn load(path: PathBuf) -> Result<Self, BookError> {
        let book = Arc::new(Book::load(&path)?);
        Ok(Self::File { path, book })
    }

    /// The book for a rule set.
    #[must_use]
    pub fn book(&self, rules: Rules) -> Option<&Book> {
        match self {
            Self::Off => None,
            Self::File { book, .. } if book.making().rules == rules => Some(book),
            Self::Shipped | Self::File { .. } => Book::shipped(rules),
        }
    }
}

/// A move from a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// What it is worth to the side that makes it.
    pub value: Score,
    /// The move, then the best play after it as far as the book goes.
    pub line: Vec<Square>,
}

/// Somebody who plays from a book.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Which book.
    pub source: Source,
    /// What a move may lose against the best one to be chosen, in hundredths of a disc.
    pub variety: u16,
    random: Random,
}

impl Opening {
    /// Plays from a book with a chance drawn from a seed.
    #[must_use]
    pub const fn new(source: Source, variety: u16, seed: u64) -> Self {
        Self { source, variety, random: Random::new(seed) }
    }

    /// A move for a position, if it is in the book: one of the good ones, the better the more often.
    pub fn choose(&mut self, position: &Position, rules: Rules) -> Option<BookMove> {
        let book = self.source.book(rules)?;
        let variety = units(self.variety);
        let known = pick(&book.probe(position)?, variety, &mut self.random)?;
        let after = position.play(Move::Place(known.square))?;
        let mut line = vec![known.square];
        line.extend(book.line(&after));
        Some(BookMove { value: known.value, line })
    }
}

/// Hundredths of a disc in units of [`Score`].
fn units(hundredths: u16) -> i32 {
    i32::from(hundredths) * i32::from(Score::UNITS) / 100
}

/// Draws one of the moves that lose no more than `variety` units against the first and best one. Their chances fall evenly
/// from that of the best one to almost none for one that loses just so much.
fn pick(moves: &[Known], variety: i32, random: &mut Random) -> Option<Known> {
    let best = moves.first()?.value;
    let chance = |known: &Known| {
        let loss = i32::from(best.units()) - i32::from(known.value.units());
        usize::try_from(variety - loss + 1).unwrap_or(0)
    };
    let mut drawn = random.below(moves.iter().map(chance).sum());
    moves.iter().copied().find(|known| {
        let chance = chance(known);
        let hit = drawn < chance;
        drawn = drawn.saturating_sub(chance);
        hit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(units: &[i32]) -> Vec<Known> {
        let known = |(&units, &square): (&i32, &Square)| Known { square, value: Score::from_units(units) };
        units.iter().zip(&Square::ALL).map(known).collect()
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
