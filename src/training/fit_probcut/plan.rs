//! The positions to search.

use std::collections::HashSet;

use super::predictors::{BAND_WIDTH, BANDS, END_BANDS, FIRST_END_BAND, band_discs, band_of};
use super::samples::SampledPosition;
use crate::board::{Move, Position};
use crate::random::Random;
use crate::rules::Rules;
use crate::training::positions;

#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedPosition {
    pub(super) sampled: SampledPosition,
    pub(super) band: usize,
    /// Within rules and band.
    pub(super) number: usize,
}

impl PlannedPosition {
    pub(super) const fn is_solved(&self) -> bool {
        self.band >= FIRST_END_BAND && self.band < FIRST_END_BAND + END_BANDS
    }
}

/// So many positions for each rule set and band, no two of them symmetric, interleaved so that the remaining time can be
/// estimated. There may be fewer near the start of the game; more are added to the same ones.
pub(super) fn plan(fitted: &[Rules], count: usize, seed: u64) -> Vec<PlannedPosition> {
    let mut plan = Vec::new();
    for &rules in fitted {
        let mut seen = HashSet::new();
        let mut sizes = [0; BANDS];
        for position in draw(rules, count, seed) {
            let Some(band) = band_of(position.empties().len()) else { continue };
            let number = sizes[band];
            if number < count && seen.insert(position.board().canonical().0) {
                plan.push(PlannedPosition { sampled: SampledPosition { rules, position }, band, number });
                sizes[band] += 1;
            }
        }
    }
    plan.sort_by_key(|planned| planned.number);
    plan
}

/// Rows with a position of each disc count, so that the held-out positions have them all. Every other row is a random
/// move off the games: most positions in a search are.
fn draw(rules: Rules, count: usize, seed: u64) -> Vec<Position> {
    let needed = count.div_ceil(BAND_WIDTH as usize);
    // Some positions leave their band, or occur twice.
    let rows = needed + needed / 8 + 1;
    let games = positions::sample_each(rules, band_discs(), rows, seed);
    let of_row = |row: usize| {
        let of_games = games.iter().filter_map(move |drawn| drawn.get(row).copied());
        of_games.map(move |position| if row % 2 == 1 { one_move_on(position, seed) } else { position })
    };
    (0..rows).flat_map(of_row).collect()
}

/// After a random move that leaves the other side a legal one; the position itself if there is none.
fn one_move_on(position: Position, seed: u64) -> Position {
    let moves = position.moves().into_iter();
    let next = moves.filter_map(|square| position.play(Move::Place(square)));
    let next: Vec<_> = next.filter(|next| !next.moves().is_empty()).collect();
    Random::keyed(seed, position.board().hash()).pick(&next).copied().unwrap_or(position)
}

#[cfg(test)]
mod tests {
    use super::super::predictors::band_empties;
    use super::super::report::is_held_out;
    use super::*;

    const COUNT: usize = 24;
    const SEED: u64 = 3;

    fn of_band(plan: &[PlannedPosition], rules: Rules, band: usize) -> Vec<&PlannedPosition> {
        plan.iter().filter(|planned| planned.sampled.rules == rules && planned.band == band).collect()
    }

    fn empties<'a>(planned: impl IntoIterator<Item = &'a PlannedPosition>) -> HashSet<u32> {
        planned.into_iter().map(|planned| planned.sampled.position.empties().len()).collect()
    }

    #[test]
    fn a_plan_has_as_many_of_every_band_as_there_are() {
        let plan = plan(&Rules::ALL, COUNT, SEED);
        let boards: HashSet<_> = plan
            .iter()
            .map(|planned| (planned.sampled.rules, planned.sampled.position.board().canonical().0))
            .collect();
        assert_eq!(boards.len(), plan.len(), "each position once");
        assert!(plan.iter().all(|planned| !planned.sampled.position.moves().is_empty()));
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let of_band = of_band(&plan, rules, band);
                let wide = band_empties(band);
                assert!(of_band.iter().all(|p| wide.contains(&p.sampled.position.empties().len())));
                if band == BANDS - 1 {
                    assert!((8..COUNT).contains(&of_band.len()), "{rules}: {}", of_band.len());
                    continue;
                }
                assert_eq!(of_band.len(), COUNT, "{rules} {band}");
                let held_out = empties(of_band.into_iter().filter(|planned| is_held_out(planned.number)));
                assert!(held_out.len() >= 2, "those held out differ in discs: {held_out:?}");
            }
        }
    }

    #[test]
    fn a_larger_plan_has_the_positions_of_a_smaller_one() {
        let sampled = |count| -> HashSet<_> {
            plan(&Rules::ALL, count, SEED).iter().map(|planned| planned.sampled).collect()
        };
        assert!(sampled(COUNT).is_superset(&sampled(9)));
    }

    #[test]
    fn half_of_the_positions_are_a_move_off_the_games() {
        let rules = Rules::Reversed;
        let games = positions::sample_each(rules, band_discs(), COUNT, SEED);
        let of_games: HashSet<_> = games.into_iter().flatten().collect();
        let plan = plan(&Rules::ALL, COUNT, SEED);
        for band in 0..BANDS - 1 {
            let of_band = of_band(&plan, rules, band);
            let on_path =
                of_band.iter().filter(|planned| of_games.contains(&planned.sampled.position)).count();
            assert!((COUNT / 3..=COUNT * 2 / 3).contains(&on_path), "band {band}: {on_path}");
        }
    }

    #[test]
    fn all_positions_of_the_bands_with_endgame_errors_are_solved() {
        let plan = plan(&Rules::ALL, COUNT, SEED);
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let solved: Vec<_> =
                    of_band(&plan, rules, band).into_iter().filter(|planned| planned.is_solved()).collect();
                let expected = if (1..=3).contains(&band) { COUNT } else { 0 };
                assert_eq!(solved.len(), expected, "{rules} {band}");
                let numbers = empties(solved);
                assert_eq!(numbers.len(), expected.min(4), "all numbers of empty squares: {numbers:?}");
            }
        }
    }
}
