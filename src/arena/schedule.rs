//! Who plays whom, and when.

use std::fmt;

/// How players are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum MatchFormat {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
}

impl fmt::Display for MatchFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its place in the schedule.
    pub number: u32,
    /// Who has the black discs, as a place in the list of players.
    pub black: usize,
    /// Who has the white ones.
    pub white: usize,
    /// Which opening.
    pub opening: usize,
}

/// All games of a match. Pairings take turns, so that a match broken off has treated all alike; the same openings serve
/// every pairing.
#[must_use]
pub fn schedule(players: usize, format: MatchFormat, pairs: u32) -> Vec<ScheduledGame> {
    let first_players = match format {
        MatchFormat::RoundRobin => players,
        MatchFormat::Gauntlet => players.min(1),
    };
    let pairings: Vec<(usize, usize)> =
        (0..first_players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect();
    let rounds = (0..pairs as usize).flat_map(|opening| pairings.iter().map(move |&(a, b)| (opening, a, b)));
    rounds
        .flat_map(|(opening, a, b)| [(opening, a, b), (opening, b, a)])
        .zip(0..)
        .map(|((opening, black, white), number)| ScheduledGame { number, black, white, opening })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everyone_meets_everyone_with_both_colours() {
        let mut games: BTreeMap<_, u32> = BTreeMap::new();
        for scheduled in schedule(4, MatchFormat::RoundRobin, 3) {
            *games.entry((scheduled.black, scheduled.white)).or_default() += 1;
        }
        assert_eq!(games.len(), 12);
        assert!(games.values().all(|&count| count == 3));
    }

    #[test]
    fn in_a_gauntlet_the_first_plays_all_others() {
        let schedule_queue = schedule(4, MatchFormat::Gauntlet, 2);
        assert_eq!(schedule_queue.len(), 12);
        assert!(schedule_queue.iter().all(|scheduled| scheduled.black == 0 || scheduled.white == 0));
    }

    #[test]
    fn neighbours_are_pairs() {
        for pair in schedule(3, MatchFormat::RoundRobin, 5).chunks(2) {
            assert_eq!((pair[0].black, pair[0].opening), (pair[1].white, pair[1].opening));
            assert_eq!((pair[0].number % 2, pair[0].number + 1), (0, pair[1].number));
        }
    }
}
