//! A searcher that makes up what it finds.

use ollehto::board::{Move, Position};
use ollehto::engine::Search;
use ollehto::random::Random;
use ollehto::score::Score;
use ollehto::search::{Control, Iteration, Line, SearchResult, Task};
use ollehto::selectivity::Selectivity;

/// Legal moves at random, in a few iterations. It takes no notice of a stop: what it found before one may still be on
/// its way when the stop comes.
pub(super) struct ScriptedSearcher(Random);

impl ScriptedSearcher {
    pub(super) fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    fn iteration(&mut self, task: &Task, depth: u8) -> Iteration {
        let mut roots = moves(&task.position);
        let only: Vec<Move> = task.only.into_iter().map(Move::Place).filter(|m| roots.contains(m)).collect();
        if !only.is_empty() {
            roots = only;
        }
        let mut lines = Vec::new();
        while !roots.is_empty() && lines.len() < task.lines.max(1) {
            let first = roots.swap_remove(self.below(roots.len()));
            lines.push(self.line(task.position, first));
        }
        lines.sort_by_key(|line| -line.score);
        let exact = self.below(3) == 0;
        if exact {
            // Scores of finished games are whole discs.
            lines
                .iter_mut()
                .for_each(|line| line.score = Score::from_units(line.score.units() as i32 / 32 * 32));
        }
        let nodes = self.below(1 << 20) as u64;
        Iteration { depth, selectivity: Selectivity::P95, exact, lines, nodes }
    }

    fn line(&mut self, mut position: Position, first: Move) -> Line {
        let score = Score::from_units(self.below(4097) as i32 - 2048);
        let mut line = Vec::new();
        let mut next = Some(first);
        for _ in 0..=self.below(4) {
            let Some(action) = next else { break };
            position = position.play(action).expect("legal");
            line.push(action);
            let replies = moves(&position);
            next = (!replies.is_empty()).then(|| replies[self.below(replies.len())]);
        }
        Line { score, moves: line }
    }
}

/// A pass where it is the only move; none at the end.
fn moves(position: &Position) -> Vec<Move> {
    if position.must_pass() {
        return vec![Move::Pass];
    }
    position.moves().into_iter().map(Move::Place).collect()
}

impl Search for ScriptedSearcher {
    fn search(&mut self, task: &Task, _: &Control, on_iteration: &mut dyn FnMut(&Iteration)) -> SearchResult {
        let iterations = self.below(4) as u8;
        for depth in 0..iterations {
            let iteration = self.iteration(task, depth + 1);
            on_iteration(&iteration);
        }
        SearchResult { last: self.iteration(task, iterations) }
    }
}
