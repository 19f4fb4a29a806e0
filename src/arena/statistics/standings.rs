//! The results of a match, game by game.

use super::elo::Elo;
use super::head_to_head::{GameOutcome, HeadToHead};
use super::numeric::Estimate;
use super::pairs::{GameResult, WinDrawLoss};
use super::ratings::{self, Pairing};
use super::sprt::{SequentialTest, Sprt};
use super::summary::{PlayerSummary, first_mover};
use crate::arena::journal::{GameEnding, GameRecord, JournalHeader};
use crate::board::Color;

/// Adding a game takes microseconds, however many there are.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    players: Vec<PlayerSummary>,
    /// For all `first < second`, see [`Self::place`].
    head_to_heads: Vec<HeadToHead>,
    games: u32,
    test: Option<SequentialTest>,
}

impl Standings {
    /// Before the first game. The sequential test is for two players only.
    #[must_use]
    pub fn new(header: &JournalHeader) -> Self {
        let count = header.players.len();
        Self {
            names: header.players.iter().map(|player| player.name.clone()).collect(),
            players: vec![PlayerSummary::default(); count],
            head_to_heads: vec![HeadToHead::default(); count * count.saturating_sub(1) / 2],
            games: 0,
            test: header.sprt.filter(|_| count == 2).map(|elos| SequentialTest::new(Sprt::from(elos))),
        }
    }

    /// After some games, in any order.
    #[must_use]
    pub fn of<'a>(header: &JournalHeader, games: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let mut standings = Self::new(header);
        games.into_iter().for_each(|game| standings.add(game));
        standings
    }

    /// Counts a game, each only once. Ignores games of players that the header does not name.
    pub fn add(&mut self, game: &GameRecord) {
        let (Some(black), Some(white)) = (self.player(&game.black), self.player(&game.white)) else { return };
        if black == white {
            return;
        }
        self.games += 1;
        let first_mover = first_mover(game);
        self.players[black].add(game, Color::Black, first_mover);
        self.players[white].add(game, Color::White, first_mover);
        let margin = i32::from(game.score) * if black < white { 1 } else { -1 };
        let on_board = !matches!(game.ending, GameEnding::Forfeit { .. });
        let view = GameOutcome { outcome: GameResult::of_margin(margin), margin: on_board.then_some(margin) };
        let place = self.place(black.min(white), black.max(white));
        let pair = self.head_to_heads[place].add(game.number, view);
        if let (Some(test), Some((pair, score))) = (&mut self.test, pair) {
            test.add(pair, score);
        }
    }

    #[must_use]
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// In the order of the header. Other functions take indices into this list.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    #[must_use]
    pub fn players(&self) -> &[PlayerSummary] {
        &self.players
    }

    /// Needs `first < second`.
    #[must_use]
    pub fn head_to_head(&self, first: usize, second: usize) -> Option<&HeadToHead> {
        (first < second && second < self.names.len()).then(|| &self.head_to_heads[self.place(first, second)])
    }

    /// All pairs of players, also those without games.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing<'_>> {
        let count = self.names.len();
        let pairings =
            (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)));
        pairings.zip(&self.head_to_heads).map(|((first, second), head_to_head)| Pairing {
            first,
            second,
            head_to_head,
        })
    }

    /// A cell of the crosstable, from the view of `player`.
    #[must_use]
    pub fn against(&self, player: usize, opponent: usize) -> WinDrawLoss {
        let cell = self.head_to_head(player, opponent).map(HeadToHead::tally);
        cell.or_else(|| {
            self.head_to_head(opponent, player).map(|head_to_head| head_to_head.tally().reversed())
        })
        .unwrap_or_default()
    }

    /// With mean 0.
    #[must_use]
    pub fn ratings(&self) -> Vec<Estimate<Elo>> {
        ratings::rate(self.names.len(), &self.pairings().collect::<Vec<_>>())
    }

    #[must_use]
    pub const fn test(&self) -> Option<&SequentialTest> {
        self.test.as_ref()
    }

    fn player(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The index of a pairing in `head_to_heads`, row by row of a triangle.
    const fn place(&self, first: usize, second: usize) -> usize {
        let count = self.names.len();
        first * (2 * count - first - 1) / 2 + second - first - 1
    }
}
