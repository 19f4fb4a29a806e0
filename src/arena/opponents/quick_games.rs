//! Short games between evaluations in this very thread: what a tournament of thousands of them asks for.

use crate::board::{Board, Color, Move, Position, Size};
use crate::random::Random as Dice;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};

use super::alpha_beta::{AlphaBeta, BestSoFar, Ends, Evaluation, TO_THE_END, Value};
use super::ga_minimax::GaMinimax;
use super::maximax::Mixture;
use super::random::shuffled_moves;

/// An evaluation that plays.
#[derive(Clone, Debug)]
pub struct Contestant(Kind);

#[derive(Clone, Debug)]
enum Kind {
    GaMinimax(GaMinimax),
    Maximax(Mixture),
}

impl Contestant {
    /// The value of an unfinished game for the player to move, in units of its own.
    #[must_use]
    pub fn value(&self, board: Board) -> f64 {
        self.evaluate(board).into()
    }
}

impl From<GaMinimax> for Contestant {
    fn from(evaluation: GaMinimax) -> Self {
        Self(Kind::GaMinimax(evaluation))
    }
}

impl From<Mixture> for Contestant {
    fn from(evaluation: Mixture) -> Self {
        Self(Kind::Maximax(evaluation))
    }
}

impl Evaluation for Contestant {
    const ENDS: Ends = Ends::Sign;
    const SORTS: bool = false;

    fn evaluate(&self, view: Board) -> Value {
        match &self.0 {
            Kind::GaMinimax(evaluation) => evaluation.evaluate(view),
            Kind::Maximax(evaluation) => evaluation.evaluate(view),
        }
    }
}

/// Sees nothing but ends of games. Moves that leave the opponent few come first.
struct Judge;

impl Evaluation for Judge {
    const ENDS: Ends = Ends::Sign;
    const SORTS: bool = true;

    fn evaluate(&self, _view: Board) -> Value {
        0
    }

    fn rank(&self, _action: Move, next: Board) -> Value {
        -(next.moves(Size::Eight.squares()).len() as Value)
    }
}

/// A side of a game.
#[derive(Clone, Copy, Debug)]
pub enum Side<'a> {
    /// Searches with an evaluation.
    Contestant(&'a Contestant),
    /// Any legal move, all equally likely.
    Random,
}

/// How games are played. The board is the large one.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Who wins.
    pub rules: Rules,
    /// How deep contestants search.
    pub depth: u8,
    /// From so many empty squares on both sides play perfectly, whoever they are: a game that has come there is
    /// decided.
    pub exact: u8,
}

/// With more empty squares than these the engine's solver is the faster judge, with all that it has to prepare.
const JUDGED_AT_ONCE: u32 = 8;

/// Mebibytes of table for the solver.
const HASH: usize = 1;

/// Where games are played, one at a time.
pub struct Arena {
    conditions: Conditions,
    solver: Searcher,
}

impl Arena {
    /// An arena for such games.
    #[must_use]
    pub fn new(conditions: Conditions) -> Self {
        Self { conditions, solver: Searcher::new(1, HASH) }
    }

    /// Plays a game from a position on and tells by its sign who has won: positive for Black.
    #[must_use]
    pub fn play(&mut self, black: Side, white: Side, begin: Position, dice: &mut Dice) -> i32 {
        let control = Control::new(&Budget::UNLIMITED);
        let (mut position, mut found) = (begin, Vec::new());
        while !position.is_over() {
            let action = if position.empties().len() <= u32::from(self.conditions.exact) {
                break;
            } else if position.must_pass() {
                Some(Move::Pass)
            } else {
                match if position.side() == Color::Black { black } else { white } {
                    Side::Random => shuffled_moves(&position, dice).first().copied(),
                    Side::Contestant(contestant) => {
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

    /// What a position is worth by perfect play, by its sign.
    fn outcome(&mut self, position: &Position, control: &Control, found: &mut Vec<BestSoFar>) -> i32 {
        let rules = self.conditions.rules;
        if position.is_over() {
            return rules.result(position.board(), position.size()).0.signum().into();
        }
        if position.empties().len() > JUDGED_AT_ONCE {
            let task = Task { mode: SearchMode::WinLossDraw, ..Task::new(*position, rules) };
            let solved = self.solver.run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
            return solved.lines.first().map_or(0, |line| line.score.units().signum().into());
        }
        self.choose(&mut Judge, position, TO_THE_END, control, found);
        found.first().map_or(0, |best| best.value.signum())
    }

    fn choose(
        &self,
        evaluation: &mut impl Evaluation,
        position: &Position,
        depth: u8,
        control: &Control,
        found: &mut Vec<BestSoFar>,
    ) -> Option<Move> {
        let task = Task::new(*position, self.conditions.rules);
        let searched =
            AlphaBeta::new(evaluation, &task, control, None).run(position.board(), depth, 1, found);
        debug_assert!(searched.is_ok(), "nobody stops it");
        found.first().map(|best| best.moves[0])
    }
}

/// A position after so many moves drawn at random, in which the game goes on.
#[must_use]
pub fn opening(plies: u8, dice: &mut Dice) -> Position {
    loop {
        let mut position = Position::start(Size::Eight);
        for _ in 0..plies {
            let action = shuffled_moves(&position, dice)[0];
            // Where the game is over there is no move to be made, and this opening is none.
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
            let mut arena = Arena::new(Conditions { rules, depth: 1, exact: 12 });
            let mut dice = Dice::new(5);
            for plies in [48, 52, 55].into_iter().cycle().take(30) {
                let position = opening(plies, &mut dice);
                let control = Control::new(&Budget::UNLIMITED);
                let solved = Searcher::new(1, 1).run(&Task::new(position, rules), &control, &mut |_| {}).last;
                let wanted = i32::from(solved.lines[0].score.units().signum());
                let value = arena.play(Side::Random, Side::Random, position, &mut dice);
                assert_eq!(value, if position.side() == Color::Black { wanted } else { -wanted });
            }
        }
    }

    #[test]
    fn an_evaluation_beats_chance() {
        let rules = Rules::Reversed;
        let mut arena = Arena::new(Conditions { rules, depth: 1, exact: 8 });
        for system in System::ALL {
            let contestant = system.contestant(&system.untuned(), rules);
            let contestant = Side::Contestant(&contestant);
            let mut dice = Dice::new(3);
            let won = (0..40)
                .map(|game| {
                    let begin = opening(6, &mut dice);
                    match game % 2 {
                        0 => arena.play(contestant, Side::Random, begin, &mut dice),
                        _ => -arena.play(Side::Random, contestant, begin, &mut dice),
                    }
                })
                .filter(|&value| value > 0);
            assert!(won.count() > 24, "{system}");
        }
    }
}
