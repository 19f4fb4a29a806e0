//! Short games between evaluations in one thread, for tournaments of thousands.

use crate::board::{Board, Color, Move, Position, Size};
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};

use super::alpha_beta::{AlphaBeta, RootLine, StaticEvaluation, TO_THE_END, TerminalScoring, Value};
use super::ga_minimax::GaMinimax;
use super::maximax::MaximaxEvaluator;
use super::simple::shuffled_moves;

/// The evaluation of an opponent with tuned parameters.
#[derive(Clone, Debug)]
pub struct TunedEvaluator(Kind);

#[derive(Clone, Debug)]
enum Kind {
    GaMinimax(GaMinimax),
    Maximax(MaximaxEvaluator),
}

impl TunedEvaluator {
    /// For the player to move, in units of its own.
    #[must_use]
    pub fn value(&self, board: Board) -> f64 {
        self.evaluate(board).into()
    }
}

impl From<GaMinimax> for TunedEvaluator {
    fn from(evaluation: GaMinimax) -> Self {
        Self(Kind::GaMinimax(evaluation))
    }
}

impl From<MaximaxEvaluator> for TunedEvaluator {
    fn from(evaluation: MaximaxEvaluator) -> Self {
        Self(Kind::Maximax(evaluation))
    }
}

impl StaticEvaluation for TunedEvaluator {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = false;

    fn evaluate(&self, board: Board) -> Value {
        match &self.0 {
            Kind::GaMinimax(evaluation) => evaluation.evaluate(board),
            Kind::Maximax(evaluation) => evaluation.evaluate(board),
        }
    }
}

/// For solving: moves that leave the opponent few moves come first.
struct EndgameEvaluator;

impl StaticEvaluation for EndgameEvaluator {
    const TERMINAL: TerminalScoring = TerminalScoring::Sign;
    const SORTS: bool = true;

    fn evaluate(&self, _view: Board) -> Value {
        0
    }

    fn rank(&self, _action: Move, next: Board) -> Value {
        -(next.moves(Size::Eight.squares()).len() as Value)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum QuickPlayer<'a> {
    Evaluator(&'a TunedEvaluator),
    /// Any legal move, all equally likely.
    Random,
}

/// Settings of games on 8×8.
#[derive(Clone, Copy, Debug)]
pub struct QuickGameRules {
    pub rules: Rules,
    /// Of the evaluators' searches.
    pub depth: u8,
    /// The number of empty squares from which exact solving decides.
    pub exact: u8,
}

/// Above this the engine's solver is faster than plain alpha-beta.
const MAX_PLAIN_EMPTIES: u32 = 8;

/// Mebibytes, for the solver.
const HASH: usize = 1;

pub struct QuickGames {
    conditions: QuickGameRules,
    solver: Searcher,
}

impl QuickGames {
    #[must_use]
    pub fn new(conditions: QuickGameRules) -> Self {
        Self { conditions, solver: Searcher::new(1, HASH) }
    }

    /// The result for Black by its sign.
    #[must_use]
    pub fn play(&mut self, black: QuickPlayer, white: QuickPlayer, begin: Position, rng: &mut Random) -> i32 {
        let control = Control::new(&Budget::UNLIMITED);
        let (mut position, mut found) = (begin, Vec::new());
        while !position.is_over() {
            let action = if position.empties().len() <= u32::from(self.conditions.exact) {
                break;
            } else if position.must_pass() {
                Some(Move::Pass)
            } else {
                match if position.side() == Color::Black { black } else { white } {
                    QuickPlayer::Random => shuffled_moves(&position, rng).first().copied(),
                    QuickPlayer::Evaluator(contestant) => {
                        let depth = self.conditions.depth;
                        self.choose(&mut contestant.clone(), &position, depth, &control, &mut found)
                    }
                }
            };
            let Some(next) = action.and_then(|action| position.play(action)) else { break };
            position = next;
        }
        let value = self.outcome(&position, &control, &mut found);
        if position.side() == Color::Black { value } else { -value }
    }

    /// The result of perfect play for the side to move, by its sign.
    fn outcome(&mut self, position: &Position, control: &Control, found: &mut Vec<RootLine>) -> i32 {
        let rules = self.conditions.rules;
        if position.is_over() {
            return rules.result(position.board(), position.size()).0.signum().into();
        }
        if position.empties().len() > MAX_PLAIN_EMPTIES {
            let task = Task { mode: SearchMode::WinLossDraw, ..Task::new(*position, rules) };
            let solved = self.solver.run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
            return solved.lines.first().map_or(0, |line| line.score.units().signum().into());
        }
        self.choose(&mut EndgameEvaluator, position, TO_THE_END, control, found);
        found.first().map_or(0, |best| best.value.signum())
    }

    fn choose(
        &self,
        evaluation: &mut impl StaticEvaluation,
        position: &Position,
        depth: u8,
        control: &Control,
        found: &mut Vec<RootLine>,
    ) -> Option<Move> {
        let task = Task::new(*position, self.conditions.rules);
        let searched =
            AlphaBeta::new(evaluation, &task, control, None).run(position.board(), depth, 1, found);
        debug_assert!(searched.is_ok(), "nobody stops it");
        found.first().map(|best| best.moves[0])
    }
}

/// A position after random moves in which the game is not over.
#[must_use]
pub fn opening(plies: u8, rng: &mut Random) -> Position {
    loop {
        let mut position = Position::start(Size::Eight);
        for _ in 0..plies {
            let action = shuffled_moves(&position, rng)[0];
            // Illegal after the end of the game; the opening is discarded then.
            position = position.play(action).unwrap_or(position);
        }
        if !position.is_over() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::opponents::parameters::System;

    #[test]
    fn the_end_is_judged_as_the_solver_does() {
        for rules in [Rules::Reversed, Rules::Standard] {
            let mut arena = QuickGames::new(QuickGameRules { rules, depth: 1, exact: 12 });
            let mut rng = Random::new(5);
            for plies in [48, 52, 55].into_iter().cycle().take(30) {
                let position = opening(plies, &mut rng);
                let control = Control::new(&Budget::UNLIMITED);
                let solved = Searcher::new(1, 1).run(&Task::new(position, rules), &control, &mut |_| {}).last;
                let wanted = i32::from(solved.lines[0].score.units().signum());
                let value = arena.play(QuickPlayer::Random, QuickPlayer::Random, position, &mut rng);
                assert_eq!(value, if position.side() == Color::Black { wanted } else { -wanted });
            }
        }
    }

    #[test]
    fn an_evaluation_beats_chance() {
        let rules = Rules::Reversed;
        let mut arena = QuickGames::new(QuickGameRules { rules, depth: 1, exact: 8 });
        for system in System::ALL {
            let contestant = system.contestant(&system.untuned(), rules);
            let contestant = QuickPlayer::Evaluator(&contestant);
            let mut rng = Random::new(3);
            let won = (0..40)
                .map(|game| {
                    let begin = opening(6, &mut rng);
                    match game % 2 {
                        0 => arena.play(contestant, QuickPlayer::Random, begin, &mut rng),
                        _ => -arena.play(QuickPlayer::Random, contestant, begin, &mut rng),
                    }
                })
                .filter(|&value| value > 0);
            assert!(won.count() > 24, "{system}");
        }
    }
}
