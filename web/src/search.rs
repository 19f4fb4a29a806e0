//! Searches of the page.

use std::time::Duration;

use ollehto::board::{Move, Size};
use ollehto::search::{Budget, Control, Elo, Handicap, Iteration, Line, SearchMode, Searcher, Task};
use serde::{Deserialize, Serialize};

use crate::game::{GameText, Played, square_name};
use crate::host;

/// Enough for the searches of a page.
pub const TABLE_MEBIBYTES: usize = 64;

#[derive(Debug, Deserialize)]
pub struct SearchRequest {
    game: GameText,
    /// Multi-PV.
    #[serde(default)]
    lines: Option<usize>,
    #[serde(default)]
    depth: Option<u8>,
    #[serde(default)]
    milliseconds: Option<u64>,
    /// Plays as weakly as this rating.
    #[serde(default)]
    elo: Option<u16>,
    /// For its mistakes.
    #[serde(default)]
    seed: u64,
    /// Forget earlier searches.
    #[serde(default)]
    clear: bool,
    /// A move is wanted rather than values: a forced one is searched to a small depth only.
    #[serde(default)]
    play: bool,
    /// Only iterations beyond this one are reported.
    #[serde(default)]
    known: Known,
}

/// How far an earlier slice of the same search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Known {
    depth: u8,
    percent: u8,
}

#[derive(Debug, Serialize)]
pub struct LineView {
    /// In discs, for the side to move.
    score: f64,
    moves: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct IterationView {
    depth: u8,
    /// Confidence of the selective search in percent.
    percent: u8,
    exact: bool,
    lines: Vec<LineView>,
    nodes: u64,
}

impl IterationView {
    fn new(iteration: &Iteration, size: Size) -> Self {
        let names = |moves: &[Move]| moves.iter().map(|&action| square_name(action, size)).collect();
        let line = |line: &Line| LineView { score: line.score.discs(), moves: names(&line.moves) };
        Self {
            depth: iteration.depth,
            percent: iteration.selectivity.percent(),
            exact: iteration.exact,
            lines: iteration.lines.iter().map(line).collect(),
            nodes: iteration.nodes,
        }
    }
}

pub struct WebSearcher(Searcher);

impl Default for WebSearcher {
    fn default() -> Self {
        Self(Searcher::new(1, TABLE_MEBIBYTES))
    }
}

impl WebSearcher {
    pub fn search(&mut self, request: &SearchRequest) -> IterationView {
        let played = Played::new(&request.game);
        let (position, rules) = (played.position(), played.game.rules());
        if request.clear {
            self.0.clear();
        }
        let time = host::clock();
        let end = request.milliseconds.map(|most| time.now() + Duration::from_millis(most));
        let budget = Budget { soft: end, hard: end, depth: request.depth, ..Budget::UNLIMITED };
        let handicap = |elo| SearchMode::Limited(Handicap { elo, seed: request.seed });
        let mode = request.elo.and_then(Elo::new).map_or(SearchMode::BestMove, handicap);
        let lines = request.lines.unwrap_or(1).max(1);
        let task = Task { lines, mode, for_play: request.play, ..Task::new(position, rules) };
        let control = Control::with_time(&budget, time);
        let found = self.0.run(&task, &control, &mut |iteration| {
            let reached = Known { depth: iteration.depth, percent: iteration.selectivity.percent() };
            if reached > request.known {
                let view = IterationView::new(iteration, position.size());
                host::report(&serde_json::to_string(&view).unwrap_or_default());
            }
        });
        IterationView::new(&found.last, position.size())
    }
}
