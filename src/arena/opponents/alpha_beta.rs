//! Alpha-beta to a fixed depth, for all opponents.
//!
//! A pass is a ply. Two of the reports say so, the others do not mention it.

use std::time::Duration;

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Move, Size};
use crate::rules::Rules;
use crate::search::{Control, Stopped, Task};

/// In units of the opponent.
pub(super) type Value = i32;

/// A won game. Heuristic values are smaller.
pub(super) const END: Value = 1 << 28;

const INFINITY: Value = END + 65;

/// The depth of a search to the end of the game.
pub(super) const TO_THE_END: u8 = u8::MAX;

/// Per move in the reports; used without a time limit.
pub(super) const REPORT_TIME: Duration = Duration::from_secs(5);

pub(super) fn time_given(control: &Control) -> Duration {
    control.time_limit().unwrap_or(REPORT_TIME)
}

/// How finished games are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TerminalScoring {
    /// Win, draw or loss.
    Sign,
    /// Larger wins are better.
    Margin,
}

impl TerminalScoring {
    /// For the player to move.
    pub(super) fn value(self, rules: Rules, board: Board, size: Size) -> Value {
        let margin = Value::from(rules.result(board, size).0);
        match self {
            Self::Sign => margin.signum() * END,
            Self::Margin => margin.signum() * END + margin,
        }
    }

    /// The best possible value, which ends a search.
    const fn best(self) -> Value {
        match self {
            Self::Sign => END,
            Self::Margin => END + 64,
        }
    }
}

pub(super) trait StaticEvaluation {
    const TERMINAL: TerminalScoring;

    /// Whether to sort moves by [`StaticEvaluation::rank`] instead of board order.
    const SORTS: bool;

    /// The value for the owner of `board.own()`, always the player who searches: some evaluations count only own discs
    /// and are not antisymmetric.
    fn evaluate(&self, board: Board) -> Value;

    /// Move ordering; `next` is from the opponent's view.
    fn rank(&self, _action: Move, _next: Board) -> Value {
        0
    }

    /// Called with the values found, for the player to move.
    fn remember(&mut self, _board: Board, _value: Value) {}
}

/// A root move with its principal variation.
#[derive(Clone, Debug)]
pub(super) struct RootLine {
    pub(super) value: Value,
    pub(super) moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Child {
    rank: Value,
    action: Move,
    next: Board,
}

type Children = ArrayVec<Child, 64>;

/// A line has at most one pass between two discs.
type Variation = ArrayVec<Move, 128>;

/// Nodes between two looks at the control, well below a millisecond.
const POLL_INTERVAL: u64 = 128;

/// One search of one position to one depth.
pub(super) struct AlphaBeta<'a, E> {
    evaluation: &'a mut E,
    control: &'a Control,
    /// Fraction of the time after which it stops by itself.
    time_share: Option<f64>,
    rules: Rules,
    size: Size,
    area: Bitboard,
    unspent: u64,
    complete: bool,
}

impl<'a, E: StaticEvaluation> AlphaBeta<'a, E> {
    pub(super) fn new(
        evaluation: &'a mut E,
        task: &Task,
        control: &'a Control,
        time_share: Option<f64>,
    ) -> Self {
        let size = task.position.size();
        let (rules, area) = (task.rules, size.squares());
        Self { evaluation, control, time_share, rules, size, area, unspent: 0, complete: true }
    }

    /// Whether every line reached the end of the game.
    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Fills `found` with the best `lines` moves, best first. If stopped, with those of the moves searched so far.
    pub(super) fn run(
        &mut self,
        board: Board,
        depth: u8,
        lines: usize,
        found: &mut Vec<RootLine>,
    ) -> Result<(), Stopped> {
        found.clear();
        self.poll()?;
        let mut rest = Variation::new();
        for child in self.children(board, board.moves(self.area), true) {
            let floor = if found.len() < lines { -INFINITY } else { found[lines - 1].value };
            if floor >= E::TERMINAL.best() {
                break;
            }
            let value =
                -self.value(child.next, depth - 1, (-E::TERMINAL.best(), -floor), false, &mut rest)?;
            self.remember(child, depth, value);
            if value > floor {
                let moves = [&[child.action], &rest[..]].concat();
                found.insert(found.partition_point(|other| other.value >= value), RootLine { value, moves });
                found.truncate(lines);
            }
        }
        // The result counts even if the budget is spent.
        let _ = self.poll();
        Ok(())
    }

    /// The first move in order, with the static value after it.
    pub(super) fn first(&self, board: Board) -> Option<RootLine> {
        let child = self.children(board, board.moves(self.area), true).first().copied()?;
        Some(RootLine { value: self.evaluation.evaluate(child.next.passed()), moves: vec![child.action] })
    }

    /// Fail-soft value for the player to move.
    fn value(
        &mut self,
        board: Board,
        depth: u8,
        (mut alpha, beta): (Value, Value),
        own_turn: bool,
        line: &mut Variation,
    ) -> Result<Value, Stopped> {
        self.count()?;
        line.clear();
        let moves = board.moves(self.area);
        if moves.is_empty() && board.passed().moves(self.area).is_empty() {
            return Ok(E::TERMINAL.value(self.rules, board, self.size));
        }
        if depth == 0 {
            self.complete = false;
            let evaluation = &self.evaluation;
            return Ok(if own_turn {
                evaluation.evaluate(board)
            } else {
                -evaluation.evaluate(board.passed())
            });
        }
        let (mut best, mut rest) = (-INFINITY, Variation::new());
        for child in self.children(board, moves, depth > 1) {
            let value = -self.value(child.next, depth - 1, (-beta, -alpha), !own_turn, &mut rest)?;
            self.remember(child, depth, value);
            best = best.max(value);
            if value >= beta {
                break;
            }
            if value > alpha {
                alpha = value;
                line.clear();
                line.push(child.action);
                line.extend(rest.iter().copied());
            }
        }
        Ok(best)
    }

    /// The moves, or a pass.
    fn children(&self, board: Board, moves: Bitboard, sorted: bool) -> Children {
        if moves.is_empty() {
            return [Child { rank: 0, action: Move::Pass, next: board.passed() }].into_iter().collect();
        }
        let sorted = sorted && E::SORTS;
        let child = |square| {
            let (action, next) = (Move::Place(square), board.after(square, board.flips(square)));
            Child { rank: if sorted { self.evaluation.rank(action, next) } else { 0 }, action, next }
        };
        let mut children: Children = moves.into_iter().map(child).collect();
        if sorted {
            children.sort_by_key(|child| std::cmp::Reverse(child.rank));
        }
        children
    }

    /// Not for leaves, which need no ordering.
    fn remember(&mut self, child: Child, depth: u8, value: Value) {
        if depth > 1 {
            self.evaluation.remember(child.next, -value);
        }
    }

    fn count(&mut self) -> Result<(), Stopped> {
        self.unspent += 1;
        if self.unspent < POLL_INTERVAL { Ok(()) } else { self.poll() }
    }

    fn poll(&mut self) -> Result<(), Stopped> {
        self.control.count_nodes(0, std::mem::take(&mut self.unspent))?;
        match self.time_share {
            Some(share) if self.control.elapsed_time() >= time_given(self.control).mul_f64(share) => {
                Err(Stopped)
            }
            _ => Ok(()),
        }
    }
}
