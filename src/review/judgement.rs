//! How bad a move is: win, draw or loss first, discs second.

use crate::board::Position;
use crate::score::Score;

use super::loss::Loss;

/// From the mildest to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
}

/// The least losses, in discs, of an inaccuracy, a mistake and a blunder.
const THRESHOLDS: [(u16, Judgement); 3] =
    [(8, Judgement::Blunder), (4, Judgement::Mistake), (2, Judgement::Inaccuracy)];

impl Judgement {
    pub const ALL: [Self; 4] = [Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// Judges by discs. If the values are exact, a win turned into a loss is a blunder, a win or draw given away
    /// otherwise is a mistake at least, and a loss that leaves the outcome as it is no more than a mistake.
    #[must_use]
    pub fn of(best: Score, played: Score, exact: bool) -> Self {
        let loss = Loss::between(best, played);
        let judged = THRESHOLDS.into_iter().find(|&(least, _)| loss >= Loss::from_discs(least));
        let by_discs = judged.map_or(Self::Good, |(_, judgement)| judgement);
        if !exact {
            return by_discs;
        }
        match (Outcome::of(best), Outcome::of(played)) {
            (Outcome::Win, Outcome::Loss) => Self::Blunder,
            (before, after) if before == after => by_discs.min(Self::Mistake),
            _ => by_discs.max(Self::Mistake),
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// As behind a move in a newspaper; nothing for a good one.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Good => "",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// For the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// By the sign of a value.
    #[must_use]
    pub fn of(score: Score) -> Self {
        match score.units() {
            ..0 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

/// The outcome before and after a move that changed it. By estimates only if the move is no good one: small values change
/// their sign by chance.
pub(super) fn turning_point(best: Score, played: Score, exact: bool) -> Option<(Outcome, Outcome)> {
    let [before, after] = [best, played].map(Outcome::of);
    let is_clear = exact || Judgement::of(best, played, exact) > Judgement::Good;
    (before != after && is_clear).then_some((before, after))
}

/// The loss that halves the accuracy of a move, in discs.
const HALVING_LOSS: f64 = 4.0;

/// The accuracy of a move, in percent: 100 without a loss, half as much for every four discs of it.
#[must_use]
pub fn accuracy(loss: Loss) -> f64 {
    100.0 * (-loss.discs() / HALVING_LOSS).exp2()
}

/// Thirds of the discs to place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    Opening,
    Middle,
    End,
}

impl Stage {
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::End];

    /// Of the next move in a position: on the 8×8 board the opening has more than 40 empty squares, the end at most 20.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let third = (u32::from(position.size().area()) - 4) / 3;
        match position.empties().len() {
            empties if empties <= third => Self::End,
            empties if empties <= 2 * third => Self::Middle,
            _ => Self::Opening,
        }
    }

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::score::Discs;

    fn judged(best: i8, played: i8, exact: bool) -> Judgement {
        Judgement::of(Discs(best).into(), Discs(played).into(), exact)
    }

    #[test]
    fn estimates_are_judged_by_discs() {
        for (played, judgement) in [
            (1, Judgement::Good),
            (0, Judgement::Inaccuracy),
            (-2, Judgement::Mistake),
            (-5, Judgement::Mistake),
            (-6, Judgement::Blunder),
            (-64, Judgement::Blunder),
        ] {
            assert_eq!(judged(2, played, false), judgement, "{played}");
        }
    }

    #[test]
    fn proven_outcomes_come_before_discs() {
        assert_eq!(judged(2, -2, true), Judgement::Blunder, "a win became a loss");
        assert_eq!(judged(2, 0, true), Judgement::Mistake, "a win became a draw");
        assert_eq!(judged(0, -2, true), Judgement::Mistake, "a draw became a loss");
        assert_eq!(judged(0, -20, true), Judgement::Blunder);
        assert_eq!(judged(40, 2, true), Judgement::Mistake, "still won");
        assert_eq!(judged(-2, -4, true), Judgement::Inaccuracy);
        assert_eq!(judged(-4, -4, true), Judgement::Good);
    }

    #[test]
    fn noise_around_zero_turns_nothing() {
        let turned =
            |best, played, exact| turning_point(Score::from_units(best), Score::from_units(played), exact);
        assert_eq!(turned(10, -10, false), None);
        assert_eq!(turned(40, -40, false), Some((Outcome::Win, Outcome::Loss)));
        assert_eq!(turned(64, 0, true), Some((Outcome::Win, Outcome::Draw)));
        assert_eq!(turned(640, 64, true), None);
    }

    #[test]
    fn four_discs_halve_the_accuracy() {
        assert_eq!(accuracy(Loss::default()), 100.0);
        assert_eq!(accuracy(Loss::from_discs(4)), 50.0);
        assert_eq!(accuracy(Loss::from_discs(8)), 25.0);
    }

    #[test]
    fn every_board_has_three_stages() {
        for size in Size::ALL {
            assert_eq!(Stage::of(&Position::start(size)), Stage::Opening, "{size}");
        }
    }
}
