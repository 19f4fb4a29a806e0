//! Iterative deepening with the depth rule of an opponent.

use std::time::Duration;

use crate::board::{Board, Move, Size};
use crate::engine::Search;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{Control, Iteration, Line, SearchResult, Task};
use crate::selectivity::Selectivity;

use super::alpha_beta::{
    AlphaBeta, END, RootLine, StaticEvaluation, TO_THE_END, TerminalScoring, Value, time_given,
};
use super::features::scaled_discs;

pub(super) trait Strategy: StaticEvaluation + Send {
    /// Scale of shown scores. A proven win of unknown size is shown as 64 discs, unproven values as 63 at most.
    const UNITS_PER_DISC: Value;

    /// Fraction of the time after which it stops by itself; none if it ignores the clock.
    const TIME_SHARE: Option<f64> = None;

    /// Whether it keeps the move of a shallower search if all moves lose.
    const IGNORES_LOSSES: bool = false;

    /// The number of empty squares from which it searches to the end; 0 if it has none.
    const SOLVES_FROM: u8 = 0;

    fn new(rules: Rules, size: Size) -> Self;

    /// None if the move is decided.
    fn next_depth(&self, progress: &DeepeningState) -> Option<u8>;
}

/// What the next depth depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeepeningState {
    /// Scaled to 64 squares.
    pub(super) discs: u32,
    pub(super) empties: u8,
    /// The last depth; 0 before the first.
    pub(super) depth: u8,
    /// Whether the last depth changed the best move.
    pub(super) changed: bool,
    pub(super) elapsed: Duration,
    pub(super) given: Duration,
}

impl DeepeningState {
    fn new(task: &Task, control: &Control) -> Self {
        let position = &task.position;
        Self {
            discs: scaled_discs(position.board(), position.size()),
            empties: position.empties().len() as u8,
            depth: 0,
            changed: true,
            elapsed: Duration::ZERO,
            given: time_given(control),
        }
    }
}

pub(super) struct OpponentSearcher<S> {
    make: Box<dyn Fn(Rules, Size) -> S + Send>,
    current: Option<(Rules, Size, S)>,
}

impl<S: Strategy + 'static> OpponentSearcher<S> {
    pub(super) fn new() -> Self {
        Self::with_factory(S::new)
    }

    /// With other parameters than those of the opponent.
    pub(super) fn with_factory(make: impl Fn(Rules, Size) -> S + Send + 'static) -> Self {
        Self { make: Box::new(make), current: None }
    }

    fn strategy(&mut self, rules: Rules, size: Size) -> &mut S {
        if self.current.as_ref().is_some_and(|&(r, s, _)| (r, s) != (rules, size)) {
            self.current = None;
        }
        let make = &self.make;
        &mut self.current.get_or_insert_with(|| (rules, size, make(rules, size))).2
    }
}

impl<S: Strategy + 'static> Search for OpponentSearcher<S> {
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        if task.position.is_over() {
            return finished(control);
        }
        let strategy = self.strategy(task.rules, task.position.size());
        deepen(strategy, task, control, on_iteration)
    }

    fn clear(&mut self) {
        self.current = None;
    }
}

/// After the end of the game.
pub(super) fn finished(control: &Control) -> SearchResult {
    SearchResult {
        last: Iteration {
            depth: 0,
            selectivity: Selectivity::Off,
            exact: true,
            lines: Vec::new(),
            nodes: control.nodes(),
        },
    }
}

/// The move of the last completed depth counts; if the first one is stopped, the best move searched so far.
fn deepen<S: Strategy>(
    strategy: &mut S,
    task: &Task,
    control: &Control,
    on_iteration: &mut dyn FnMut(&Iteration),
) -> SearchResult {
    let (board, lines) = (task.position.board(), task.lines.clamp(1, 64));
    let mut progress = DeepeningState::new(task, control);
    let mut last: Option<Iteration> = None;
    let mut found = Vec::new();
    let mut searched = 0;
    while let Some(asked) = strategy.next_depth(&progress) {
        let depth = allowed(asked, progress.empties, control);
        if depth == searched {
            break;
        }
        let mut search = AlphaBeta::new(strategy, task, control, S::TIME_SHARE);
        if search.run(board, depth, lines, &mut found).is_err() {
            break;
        }
        let complete = search.is_complete();
        let previous = last.as_ref().and_then(best_move);
        let iteration = iteration::<S>(&mut found, depth, complete, previous, &progress, control);
        on_iteration(&iteration);
        let won = S::TERMINAL == TerminalScoring::Sign && found[0].value >= END;
        let changed = previous != best_move(&iteration);
        last = Some(iteration);
        if complete || won {
            break;
        }
        searched = depth;
        let (elapsed, given) = (control.elapsed_time(), time_given(control));
        progress = DeepeningState { depth: asked, changed, elapsed, given, ..progress };
    }
    let mut last = last.unwrap_or_else(|| unfinished(strategy, task, control, found, board));
    last.nodes = control.nodes();
    SearchResult { last }
}

/// To the end only if the control allows a depth of all empty squares.
fn allowed(asked: u8, empties: u8, control: &Control) -> u8 {
    let most = control.max_depth().max(1);
    if asked == TO_THE_END && most >= empties { asked } else { asked.min(most) }
}

fn best_move(iteration: &Iteration) -> Option<Move> {
    iteration.lines.first().and_then(|line| line.moves.first().copied())
}

fn iteration<S: Strategy>(
    found: &mut Vec<RootLine>,
    depth: u8,
    complete: bool,
    previous: Option<Move>,
    progress: &DeepeningState,
    control: &Control,
) -> Iteration {
    if S::IGNORES_LOSSES
        && found[0].value <= -END
        && let Some(action) = previous.filter(|&action| action != found[0].moves[0])
    {
        let lines = found.len();
        found.retain(|other| other.moves[0] != action);
        found.insert(0, RootLine { value: -END, moves: vec![action] });
        found.truncate(lines);
    }
    let depth = if complete { progress.empties } else { depth.min(progress.empties) };
    let exact = complete && S::TERMINAL == TerminalScoring::Margin;
    Iteration {
        depth,
        selectivity: Selectivity::Off,
        exact,
        lines: lines::<S>(found),
        nodes: control.nodes(),
    }
}

fn lines<S: Strategy>(found: &[RootLine]) -> Vec<Line> {
    found.iter().map(|one| Line { score: score::<S>(one.value), moves: one.moves.clone() }).collect()
}

/// If no depth was completed: the moves searched so far, or the first in order.
fn unfinished<S: Strategy>(
    strategy: &mut S,
    task: &Task,
    control: &Control,
    mut found: Vec<RootLine>,
    board: Board,
) -> Iteration {
    if found.is_empty() {
        found.extend(AlphaBeta::new(strategy, task, control, S::TIME_SHARE).first(board));
    }
    Iteration {
        depth: 0,
        selectivity: Selectivity::Off,
        exact: false,
        lines: lines::<S>(&found),
        nodes: control.nodes(),
    }
}

pub(super) fn score<S: Strategy>(value: Value) -> Score {
    const UNPROVEN: i64 = 63 * Score::UNITS as i64;
    if value.abs() < END {
        let units = i64::from(value) * i64::from(Score::UNITS) / i64::from(S::UNITS_PER_DISC);
        return Score::from_units(units.clamp(-UNPROVEN, UNPROVEN) as i32);
    }
    match S::TERMINAL {
        TerminalScoring::Sign if value > 0 => Score::MAX,
        TerminalScoring::Sign => -Score::MAX,
        TerminalScoring::Margin => Discs((value - value.signum() * END) as i8).into(),
    }
}
