//! Play at a chosen strength, with the mistakes of a human.
//!
//! A weaker player looks less far ahead, misjudges what it sees, overlooks moves that are hard to see, and at the lower
//! end follows habits. It never plays a random move. How much of each an Elo rating means is fixed by matches: see
//! `docs/elo.md`.

mod sight;
mod skill;

use crate::board::Move;
use crate::random::Random;

use super::{Control, Iteration, Line, SearchMode, SearchResult, Searcher, Task};
use skill::Skill;

/// A rating on the scale of `docs/elo.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Elo(u16);

impl Elo {
    /// A beginner.
    pub const MIN: Self = Self(800);
    /// The strongest that was measured; without a rating the engine is stronger.
    pub const MAX: Self = Self(3200);
    /// Between the steps that were measured.
    pub const STEP: u16 = 100;

    /// None outside of the range.
    #[must_use]
    pub fn new(rating: u16) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&rating).then_some(Self(rating))
    }

    #[must_use]
    pub const fn rating(self) -> u16 {
        self.0
    }

    /// Those that were measured, in ascending order.
    pub fn steps() -> impl Iterator<Item = Self> {
        (Self::MIN.0..=Self::MAX.0).step_by(usize::from(Self::STEP)).map(Self)
    }
}

/// The strength of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    pub elo: Elo,
    /// Decides which mistakes it makes: another one for each move.
    pub seed: u64,
}

impl Searcher {
    /// Looks as far as the strength allows and chooses as that player would. The line of the chosen move comes first, with
    /// its true value.
    pub(super) fn run_limited(
        &mut self,
        task: &Task,
        Handicap { elo, seed }: Handicap,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        let skill = Skill::of(elo, task.rules);
        let random = &mut Random::new(seed);
        let empties = task.position.empties().len() as u8;
        let depth = skill.depth(random);
        control.limit_depth(if empties <= Skill::solves_from(depth) { empties } else { depth });
        let wide = Task { lines: skill.lines(depth).max(task.lines), mode: SearchMode::BestMove, ..*task };
        let mut found = self.run(&wide, control, &mut |_| {});
        choose(&mut found.last.lines, task, &skill, random);
        found.last.lines.truncate(task.lines.max(1));
        on_iteration(&found.last);
        found
    }
}

/// Puts the line of the chosen move first.
fn choose(lines: &mut [Line], task: &Task, skill: &Skill, random: &mut Random) {
    let errors = skill.errors(task.position.empties().len() as u8);
    let mut seen = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let Some(&Move::Place(square)) = line.moves.first() else { continue };
        let look = sight::Look::at(task.position.board(), square);
        let is_seen = random.fraction() >= errors.overlooked * look.obscurity();
        let appeal = line.score.discs()
            + errors.misjudged * random.gaussian()
            + errors.habit * look.habit(task.rules, task.position.size());
        seen.push((is_seen, appeal, at));
    }
    // If nothing catches the eye, it looks again and sees everything.
    let best =
        seen.iter().max_by(|one, other| (one.0, one.1).partial_cmp(&(other.0, other.1)).expect("finite"));
    if let Some(&(_, _, at)) = best {
        lines[..=at].rotate_right(1);
    }
}

/// What a player gets wrong in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Errors {
    /// The standard deviation of its judgement, in discs.
    misjudged: f64,
    /// The probability not to see a move that is hard to see.
    overlooked: f64,
    /// What a square or a gain that a beginner likes is worth to it, in discs.
    habit: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Size, Square};
    use crate::rules::Rules;
    use crate::score::Score;
    use crate::search::Budget;

    fn chosen(position: Position, rules: Rules, rating: u16, seed: u64) -> SearchResult {
        let handicap = Handicap { elo: Elo::new(rating).expect("in range"), seed };
        let task = Task { mode: SearchMode::Limited(handicap), ..Task::new(position, rules) };
        Searcher::new(1, 1).run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {})
    }

    #[test]
    fn moves_are_legal_to_the_end_of_the_game() {
        for (rules, rating) in [(Rules::Reversed, 800), (Rules::Standard, 1500)] {
            let mut position = Position::start(Size::Six);
            for seed in 0.. {
                if position.is_over() {
                    break;
                }
                let result = chosen(position, rules, rating, seed);
                assert_eq!(result.last.lines.len(), 1);
                position = position.play(result.best()).expect("legal");
            }
        }
    }

    #[test]
    fn a_seed_repeats_a_move_and_others_bring_variety() {
        let position = Position::start(Size::Eight).play(Move::Place(Square::D3)).expect("legal");
        let play = |seed| chosen(position, Rules::Reversed, 1000, seed).best();
        assert_eq!(play(1), play(1));
        assert!((0..20).any(|seed| play(seed) != play(1)));
    }

    #[test]
    fn a_beginner_loses_more_than_a_master() {
        let line = |square, discs: i32| Line {
            score: Score::from_units(discs * i32::from(Score::UNITS)),
            moves: vec![Move::Place(square)],
        };
        let position = Position::start(Size::Eight);
        let task = Task::new(position, Rules::Reversed);
        let lost = |rating| {
            let skill = Skill::of(Elo::new(rating).expect("in range"), Rules::Reversed);
            let random = &mut Random::new(1);
            let mut loss = 0.0;
            for _ in 0..1000 {
                let mut lines = [line(Square::D3, 2), line(Square::C4, 1), line(Square::F5, -4)];
                choose(&mut lines, &task, &skill, random);
                loss += 2.0 - lines[0].score.discs();
            }
            loss
        };
        let losses = [800, 1500, 2200, 3200].map(lost);
        assert!(losses.is_sorted_by(|one, other| one > other), "{losses:?}");
    }

    #[test]
    fn the_protocol_takes_the_same_ratings() {
        assert_eq!(Elo::MIN.rating()..=Elo::MAX.rating(), ollehto_protocol::setting::ELO);
        assert_eq!(Elo::steps().last(), Some(Elo::MAX));
    }
}
