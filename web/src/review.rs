//! The review of a game, position by position, from its end to its start.

use std::time::Duration;

use ollehto::board::{Color, Move};
use ollehto::review::{Analyzer, Judgement, PlayerSummary, Review, ReviewedMove};
use ollehto::search::{Limits, Searcher};
use serde::Serialize;

use crate::game::{GameText, Played, square_name};
use crate::host;
use crate::search::TABLE_MEBIBYTES;

/// A move that was played, and the best one.
#[derive(Debug, Serialize)]
struct MoveView {
    /// Counted from 1, without passes.
    number: usize,
    /// In discs, for the side that moves.
    value: f64,
    best_value: f64,
    loss: f64,
    judgement: &'static str,
    /// As behind a move in a newspaper.
    mark: &'static str,
    /// Begins with the best move.
    line: Vec<String>,
    exact: bool,
    /// Whether it changed who wins.
    turns: bool,
}

#[derive(Debug, Serialize)]
struct PlayerView {
    accuracy: Option<f64>,
    mean_loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

impl PlayerView {
    fn new(review: &Review, color: Color) -> Self {
        let all = PlayerSummary::of(review, color).whole_game;
        Self {
            accuracy: all.accuracy(),
            mean_loss: all.mean_loss(),
            inaccuracies: all.count(Judgement::Inaccuracy),
            mistakes: all.count(Judgement::Mistake),
            blunders: all.count(Judgement::Blunder),
        }
    }
}

#[derive(Debug, Serialize)]
pub struct ReviewView {
    /// Positions to search.
    pub left: usize,
    /// The value for Black, by the number of moves before.
    curve: Vec<(usize, f64)>,
    moves: Vec<MoveView>,
    black: PlayerView,
    white: PlayerView,
}

pub struct WebReview {
    review: Review,
    analyzer: Analyzer,
}

impl WebReview {
    pub fn new(game: &GameText, milliseconds: u64) -> Self {
        let limits = Limits { time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
        let analyzer = Analyzer::new(Searcher::new(1, TABLE_MEBIBYTES), limits, host::clock());
        Self { review: Review::new(&Played::new(game).game, 1), analyzer }
    }

    /// Searches the next position. A stop by the host makes the review useless.
    pub fn step(&mut self) -> ReviewView {
        if let Some(task) = self.review.next_task() {
            let control = self.analyzer.control(&task);
            if let Some(found) = self.analyzer.search_next(&self.review, &control, &mut |_| {}) {
                let _is_of_this_task = self.review.record(&found);
            }
        }
        self.view()
    }

    fn view(&self) -> ReviewView {
        let review = &self.review;
        let curve = (0..).map(|at| review.move_number(at) - 1).zip(review.curve(Color::Black));
        let is_placed = |reviewed: &ReviewedMove| reviewed.action() != Move::Pass;
        let moves = review.reviewed().filter(|(_, reviewed)| is_placed(reviewed));
        ReviewView {
            left: review.next_index().map_or(0, |at| at + 1),
            curve: curve.filter_map(|(number, score)| Some((number, score?.discs()))).collect(),
            moves: moves.map(|(at, reviewed)| move_view(review.move_number(at), reviewed)).collect(),
            black: PlayerView::new(review, Color::Black),
            white: PlayerView::new(review, Color::White),
        }
    }
}

fn move_view(number: usize, reviewed: &ReviewedMove) -> MoveView {
    let size = reviewed.position.size();
    let best = reviewed.best_line();
    MoveView {
        number,
        value: reviewed.played.score.discs(),
        best_value: best.score.discs(),
        loss: reviewed.loss().discs(),
        judgement: reviewed.judgement().word(),
        mark: reviewed.judgement().mark(),
        line: best.moves.iter().map(|&action| square_name(action, size)).collect(),
        exact: reviewed.exact,
        turns: reviewed.turning_point().is_some(),
    }
}
