//! The order of the games of a match.

use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum MatchFormat {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first player against all others.
    Gauntlet,
    /// Each player against the next three in the list: for many players that are given in order of strength.
    Ladder,
}

/// How far apart two players of a ladder may be in the list. Games between players far apart tell little.
const RUNGS: usize = 3;

/// Of a match. Its tables have a cell for each two of them, so that a short journal could ask for a huge report.
pub const MOST_PLAYERS: usize = 256;

impl MatchFormat {
    const ALL: [Self; 3] = [Self::RoundRobin, Self::Gauntlet, Self::Ladder];

    /// As it displays; everyone against everyone if it is another text.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::ALL.into_iter().find(|format| format.to_string() == text).unwrap_or_default()
    }

    /// Who meets whom, by their index in the list of players.
    #[must_use]
    pub fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        let meet = |&(a, b): &(usize, usize)| match self {
            Self::RoundRobin => true,
            Self::Gauntlet => a == 0,
            Self::Ladder => b - a <= RUNGS,
        };
        (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).filter(meet).collect()
    }
}

impl fmt::Display for MatchFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Ladder => "ladder",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    pub number: u32,
    /// Index in the list of players.
    pub black: usize,
    pub white: usize,
    /// Index in the list of openings.
    pub opening: usize,
}

/// All games of a match. Games `2n` and `2n + 1` are a pair. Pairings alternate, so that an interrupted match has played
/// all of them equally; every pairing uses the same openings.
#[must_use]
pub fn schedule(players: usize, format: MatchFormat, pairs: u32) -> Vec<ScheduledGame> {
    let pairings = format.pairings(players);
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
    fn a_round_robin_has_all_pairings_with_both_colours() {
        let mut games: BTreeMap<_, u32> = BTreeMap::new();
        for scheduled in schedule(4, MatchFormat::RoundRobin, 3) {
            *games.entry((scheduled.black, scheduled.white)).or_default() += 1;
        }
        assert_eq!(games.len(), 12);
        assert!(games.values().all(|&count| count == 3));
    }

    #[test]
    fn a_gauntlet_has_the_first_player_against_all_others() {
        let schedule_queue = schedule(4, MatchFormat::Gauntlet, 2);
        assert_eq!(schedule_queue.len(), 12);
        assert!(schedule_queue.iter().all(|scheduled| scheduled.black == 0 || scheduled.white == 0));
    }

    #[test]
    fn a_ladder_has_neighbours_only() {
        let games = schedule(6, MatchFormat::Ladder, 1);
        assert_eq!(games.len(), 2 * (3 + 3 + 3 + 2 + 1));
        assert!(games.iter().all(|scheduled| scheduled.black.abs_diff(scheduled.white) <= RUNGS));
    }

    #[test]
    fn consecutive_games_are_pairs() {
        for pair in schedule(3, MatchFormat::RoundRobin, 5).chunks(2) {
            assert_eq!((pair[0].black, pair[0].opening), (pair[1].white, pair[1].opening));
            assert_eq!((pair[0].number % 2, pair[0].number + 1), (0, pair[1].number));
        }
    }
}
