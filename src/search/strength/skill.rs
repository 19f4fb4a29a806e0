//! What each rating can do.

use crate::random::Random;
use crate::rules::Rules;

use super::{Elo, Errors};

/// A point on the way from beginner to master. Players between two of them are mixtures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// In plies. A fraction is the share of moves with one ply more.
    plies: f64,
    /// The standard deviation of its judgement of a move in the middle game, in discs.
    misjudged: f64,
    overlooked: f64,
    habit: f64,
}

const fn skill(plies: f64, misjudged: f64, overlooked: f64, habit: f64) -> Skill {
    Skill { plies, misjudged, overlooked, habit }
}

/// From the weakest to the strongest. Their ratings were measured. The first two are for standard rules: the habits of a
/// beginner cost less there.
const SKILLS: [Skill; 25] = [
    skill(1.0, 32.0, 0.9, 16.0),
    skill(1.0, 16.0, 0.75, 16.0),
    skill(1.0, 8.0, 0.6, 16.0),
    skill(1.0, 8.0, 0.6, 8.0),
    skill(1.0, 8.0, 0.6, 4.0),
    skill(1.0, 8.0, 0.5, 2.0),
    skill(1.0, 6.0, 0.4, 1.0),
    skill(1.0, 5.0, 0.3, 0.0),
    skill(1.0, 4.0, 0.25, 0.0),
    skill(1.5, 3.4, 0.2, 0.0),
    skill(2.0, 2.9, 0.15, 0.0),
    skill(2.5, 2.5, 0.12, 0.0),
    skill(3.0, 2.1, 0.09, 0.0),
    skill(3.5, 1.8, 0.07, 0.0),
    skill(4.0, 1.5, 0.05, 0.0),
    skill(4.5, 1.25, 0.04, 0.0),
    skill(5.0, 1.05, 0.03, 0.0),
    skill(5.5, 0.88, 0.022, 0.0),
    skill(6.0, 0.74, 0.016, 0.0),
    skill(7.0, 0.6, 0.01, 0.0),
    skill(8.0, 0.48, 0.005, 0.0),
    skill(9.0, 0.38, 0.0, 0.0),
    skill(10.0, 0.28, 0.0, 0.0),
    skill(11.0, 0.18, 0.0, 0.0),
    skill(12.0, 0.08, 0.0, 0.0),
];

/// The rating of each skill, by rules: `docs/elo.md` tells how they were found.
const REVERSED: [f64; SKILLS.len()] = [
    600.0, 700.0, 797.0, 926.0, 1026.0, 1081.0, 1210.0, 1342.0, 1446.0, 1582.0, 1745.0, 1875.0, 2058.0,
    2166.0, 2341.0, 2469.0, 2610.0, 2745.0, 2842.0, 3026.0, 3196.0, 3337.0, 3480.0, 3558.0, 3638.0,
];
const STANDARD: [f64; SKILLS.len()] = [
    665.0, 920.0, 1167.0, 1233.0, 1288.0, 1326.0, 1484.0, 1602.0, 1692.0, 1817.0, 2002.0, 2133.0, 2295.0,
    2410.0, 2527.0, 2640.0, 2734.0, 2815.0, 2904.0, 3053.0, 3175.0, 3337.0, 3425.0, 3488.0, 3558.0,
];

/// With so few empty squares mistakes begin to fade: what is left can be counted out.
const MIDDLE_GAME: f64 = 24.0;

/// More would take long: several moves are solved.
const MOST_SOLVED: u8 = 18;

impl Skill {
    pub(super) fn of(elo: Elo, rules: Rules) -> Self {
        let ratings = match rules {
            Rules::Reversed => &REVERSED,
            Rules::Standard => &STANDARD,
        };
        let rating = f64::from(elo.rating());
        let above = ratings.partition_point(|&other| other <= rating).clamp(1, SKILLS.len() - 1);
        let (low, high) = (ratings[above - 1], ratings[above]);
        let share = ((rating - low) / (high - low)).clamp(0.0, 1.0);
        SKILLS[above - 1].mixed_with(SKILLS[above], share)
    }

    fn mixed_with(self, other: Self, share: f64) -> Self {
        let mix = |one: f64, other: f64| one + (other - one) * share;
        Self {
            plies: mix(self.plies, other.plies),
            misjudged: mix(self.misjudged, other.misjudged),
            overlooked: mix(self.overlooked, other.overlooked),
            habit: mix(self.habit, other.habit),
        }
    }

    /// How far it looks ahead this time.
    pub(super) fn depth(&self, random: &mut Random) -> u8 {
        (self.plies + random.fraction()) as u8
    }

    /// How many moves it compares. With a sure judgement only the best ones can be chosen, and more cost time.
    pub(super) const fn lines(&self, depth: u8) -> usize {
        match depth {
            ..=4 => usize::MAX,
            5..=10 => 6,
            _ => 3,
        }
    }

    /// The number of empty squares from which it plays the best moves that it sees to the end.
    pub(super) fn solves_from(depth: u8) -> u8 {
        (2 * depth).min(MOST_SOLVED)
    }

    pub(super) fn errors(&self, empties: u8) -> Errors {
        let share = (f64::from(empties) / MIDDLE_GAME).min(1.0);
        Errors { misjudged: self.misjudged * share, overlooked: self.overlooked, habit: self.habit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_and_skills_rise_together() {
        for rules in Rules::ALL {
            let skills: Vec<_> = Elo::steps().map(|elo| Skill::of(elo, rules)).collect();
            for pair in skills.windows(2) {
                assert!(pair[0].plies <= pair[1].plies && pair[0].misjudged >= pair[1].misjudged);
                assert!(pair[0].overlooked >= pair[1].overlooked && pair[0].habit >= pair[1].habit);
                assert_ne!(pair[0], pair[1], "no two steps are the same player");
            }
        }
        assert!(REVERSED.is_sorted() && STANDARD.is_sorted());
    }

    #[test]
    fn a_fraction_of_a_ply_is_a_share_of_moves() {
        let (player, mut random) = (skill(2.25, 0.0, 0.0, 0.0), Random::new(1));
        let deeper = (0..4000).filter(|_| player.depth(&mut random) == 3).count();
        assert!((900..1100).contains(&deeper), "{deeper} of 4000");
    }
}
