//! The search that the opponents share: plain alpha-beta to a depth, with nothing that would change its value.
//!
//! A pass takes a ply like any other move. Two of the reports say so, and the others fall silent where a player
//! without a move is reached.

use std::time::Duration;

use arrayvec::ArrayVec;

use crate::board::{Bitboard, Board, Move, Size};
use crate::rules::Rules;
use crate::search::{Control, Stopped, Task};

/// The value of a position in the units of some opponent.
pub(super) type Value = i32;

/// A won game. Every heuristic value lies between this and its negative.
pub(super) const END: Value = 1 << 28;

/// Above every value.
const INFINITY: Value = END + 65;

/// The depth of a search that only ends where the game does.
pub(super) const TO_THE_END: u8 = u8::MAX;

/// The time a move was given where the opponents come from; it holds when nobody says otherwise.
pub(super) const ARENA_TIME: Duration = Duration::from_secs(5);

/// How long the search may take as far as the opponent knows.
pub(super) fn time_given(control: &Control) -> Duration {
    control.time_limit().unwrap_or(ARENA_TIME)
}

/// What a finished game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TerminalScoring {
    /// Won, drawn or lost, by however much.
    Sign,
    /// The larger win is the better one.
    Margin,
}

impl TerminalScoring {
    /// The value of a finished game for the player to move.
    pub(super) fn value(self, rules: Rules, board: Board, size: Size) -> Value {
        let margin = Value::from(rules.result(board, size).0);
        match self {
            Self::Sign => margin.signum() * END,
            Self::Margin => margin.signum() * END + margin,
        }
    }

    /// The best end there is: nothing needs to be searched beside it.
    const fn best(self) -> Value {
        match self {
            Self::Sign => END,
            Self::Margin => END + 64,
        }
    }
}

/// What distinguishes one opponent's search from another's.
pub(super) trait Evaluator {
    /// What a finished game is worth to it.
    const TERMINAL: TerminalScoring;

    /// Whether it sorts moves by [`Evaluator::rank`]; otherwise they come in board order.
    const SORTS: bool;

    /// The value of an unfinished game for the owner of `view.own()`, who is always the player that searches: some
    /// evaluations count only the own discs, so that the opponent's value is not the negated own one.
    fn evaluate(&self, view: Board) -> Value;

    /// How promising a move looks to whoever makes it; `next` is seen by the other player.
    fn rank(&self, _action: Move, _next: Board) -> Value {
        0
    }

    /// Takes note of what the search has found for the player to move.
    fn remember(&mut self, _board: Board, _value: Value) {}
}

/// A move at the root with its value and the play expected to follow.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) value: Value,
    pub(super) moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Child {
    rank: Value,
    action: Move,
    next: Board,
}

/// No position has more moves than the start position has empty squares.
type Children = ArrayVec<Child, 64>;

/// The moves of a line: each fills a square, or is one pass at most between two of them.
type Moves = ArrayVec<Move, 128>;

/// Looks at the control after so many positions, which take it well below a millisecond.
const POLL_INTERVAL: u64 = 128;

/// One search of one position to one depth.
pub(super) struct AlphaBeta<'a, E> {
    evaluation: &'a mut E,
    control: &'a Control,
    /// The part of the time given after which it stops by itself.
    time_share: Option<f64>,
    rules: Rules,
    size: Size,
    area: Bitboard,
    unspent: u64,
    complete: bool,
}

impl<'a, E: Evaluator> AlphaBeta<'a, E> {
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

    /// Whether every line ended with the game, so that a deeper search would find the same.
    pub(super) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Fills `found` with the best few moves, best first and earlier ones before equal later ones. When it is stopped
    /// the moves finished until then are there.
    pub(super) fn run(
        &mut self,
        board: Board,
        depth: u8,
        lines: usize,
        found: &mut Vec<RootMove>,
    ) -> Result<(), Stopped> {
        found.clear();
        self.poll()?;
        let mut rest = Moves::new();
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
                found.insert(found.partition_point(|other| other.value >= value), RootMove { value, moves });
                found.truncate(lines);
            }
        }
        // What is done is done, even if it has used up the budget.
        let _ = self.poll();
        Ok(())
    }

    /// The move that would be searched first, with the value of the board it leads to.
    pub(super) fn first(&self, board: Board) -> Option<RootMove> {
        let child = self.children(board, board.moves(self.area), true).first().copied()?;
        Some(RootMove { value: self.evaluation.evaluate(child.next.passed()), moves: vec![child.action] })
    }

    /// The value for the player to move, true if it lies within the window and a bound otherwise.
    fn value(
        &mut self,
        board: Board,
        depth: u8,
        (mut alpha, beta): (Value, Value),
        own_turn: bool,
        line: &mut Moves,
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
        let (mut best, mut rest) = (-INFINITY, Moves::new());
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

    /// The moves and where they lead: a pass if there are none.
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

    /// Boards at the horizon are left out: there is nothing to sort below them.
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
        self.control.spend(0, std::mem::take(&mut self.unspent))?;
        match self.time_share {
            Some(share) if self.control.elapsed_time() >= time_given(self.control).mul_f64(share) => {
                Err(Stopped)
            }
            _ => Ok(()),
        }
    }
}
