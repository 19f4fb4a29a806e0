//! Proof that a judging set shares no position with recorded games.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use thiserror::Error;

use super::file::{FamilyKey, JudgeSet};
use super::{Family, with_turn};
use crate::board::{Board, Position, Square, Symmetry};
use crate::lab::sheet::{Cell, Sheet};
use crate::notation;
use crate::rules::Rules;
use crate::terminal::progress::CommandProgress;
use crate::training::records::{BlockReader, RecordFileError, TrainingGame};

/// What a judging set shares with games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlap {
    /// By the rules of the set.
    pub games: u64,
    /// Positions in these, random moves and end of the game included.
    pub positions: u64,
    /// Shared positions by family.
    pub shared: BTreeMap<FamilyKey, Vec<Position>>,
}

/// Why a set cannot judge what was trained on the games.
#[derive(Debug, Error)]
pub enum OverlapError {
    #[error("there is no game by {0} rules in these files")]
    NoGames(Rules),
    #[error(
        "{} of {} positions are in the games; --out FILE writes the set without them. They are:{}",
        .0.len(),
        .1,
        .0.iter().map(|position| format!("\n{}", notation::position_text(position))).collect::<String>()
    )]
    Shared(Vec<Position>, usize),
}

/// Looks for the parents and the positions after their moves, in any orientation, in all games by the same rules.
///
/// # Errors
/// If a file of games cannot be read.
pub fn overlap(set: &JudgeSet, games: &[PathBuf]) -> Result<Overlap, RecordFileError> {
    let mut finder = OverlapFinder::new(set);
    let mut progress = CommandProgress::new("files", games.len(), 0);
    for path in games {
        for block in BlockReader::open(path)? {
            block?.games.iter().for_each(|game| finder.add(game));
            progress.set_status(format_args!("{} games", finder.games));
        }
        progress.advance(1);
    }
    Ok(finder.overlap())
}

pub(super) struct OverlapFinder {
    rules: Rules,
    /// With whether they were found.
    wanted: Vec<(FamilyKey, Position, bool)>,
    /// Places in `wanted` by each of the eight images.
    images: HashMap<Board, Vec<usize>>,
    games: u64,
    positions: u64,
}

impl OverlapFinder {
    pub(super) fn new(set: &JudgeSet) -> Self {
        let positions = |(key, family): (FamilyKey, &Family)| {
            let children = family.positions().map(|(child, _)| child);
            let all = std::iter::once(family.parent).chain(children);
            all.map(|position| (key, position, false)).collect::<Vec<_>>()
        };
        let wanted: Vec<_> = set.keyed_families().flat_map(positions).collect();
        let mut images: HashMap<Board, Vec<usize>> = HashMap::new();
        for (at, (_, position, _)) in wanted.iter().enumerate() {
            let board = with_turn(position.board());
            for image in Symmetry::ALL.map(|symmetry| symmetry.map_board(board)) {
                images.entry(image).or_default().push(at);
            }
        }
        Self { rules: set.settings().rules, wanted, images, games: 0, positions: 0 }
    }

    pub(super) fn add(&mut self, game: &TrainingGame) {
        if game.rules() != self.rules {
            return;
        }
        self.games += 1;
        for board in boards(game.moves()) {
            self.positions += 1;
            for &at in self.images.get(&board).into_iter().flatten() {
                self.wanted[at].2 = true;
            }
        }
    }

    pub(super) fn overlap(self) -> Overlap {
        let mut shared: BTreeMap<FamilyKey, Vec<Position>> = BTreeMap::new();
        for (key, position, _) in self.wanted.into_iter().filter(|&(.., found)| found) {
            shared.entry(key).or_default().push(position);
        }
        Overlap { games: self.games, positions: self.positions, shared }
    }
}

/// All boards of a game, for the side to move.
fn boards(moves: &[Square]) -> impl Iterator<Item = Board> {
    let after = moves.iter().scan(Board::START, |board, &square| {
        *board = with_turn(board.play(square)?);
        Some(*board)
    });
    std::iter::once(Board::START).chain(after)
}

impl Overlap {
    /// # Errors
    /// If a position is shared, or there were no games to look into.
    pub fn check(&self, set: &JudgeSet) -> Result<(), OverlapError> {
        if self.games == 0 {
            return Err(OverlapError::NoGames(set.settings().rules));
        }
        if self.shared.is_empty() {
            return Ok(());
        }
        let positions = set.families().map(|family| 1 + family.moves.len()).sum();
        Err(OverlapError::Shared(self.shared.values().flatten().copied().collect(), positions))
    }

    /// How many families and positions of each band are shared.
    #[must_use]
    pub fn sheet(&self, set: &JudgeSet) -> Sheet {
        let title =
            format!("Positions of a judging set in {} games by {} rules", self.games, set.settings().rules);
        let mut sheet =
            Sheet::new(title, 1, ["empties", "parents", "with a shared position", "positions", "shared"]);
        let mut bands: BTreeMap<u8, [u64; 4]> = BTreeMap::new();
        for (key, family) in set.keyed_families() {
            let shared = self.shared.get(&key).map_or(0, Vec::len) as u64;
            let counts = [1, u64::from(shared > 0), 1 + family.moves.len() as u64, shared];
            let sums = bands.entry(key.0).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        for (empties, counts) in bands {
            sheet.row([Cell::from(empties.to_string())].into_iter().chain(counts.map(Cell::Count)).collect());
        }
        sheet.note(format!(
            "positions: the parents and those after their moves, looked for in all eight orientations among the {} \
             positions of the games.",
            self.positions
        ));
        sheet
    }
}
