//! Simulated matches of known strength: intervals cover the truth as often as they promise, tests err as seldom.

use crate::arena::statistics::elo::Elo;
use crate::arena::statistics::head_to_head::DiscMargins;
use crate::arena::statistics::head_to_head::{GameOutcome, HeadToHead};
use crate::arena::statistics::numeric::root;
use crate::arena::statistics::pairs::{GameResult, PairScore, Pentanomial};
use crate::arena::statistics::ratings::{Pairing, rate};
use crate::arena::statistics::sprt::{SequentialTest, Sprt, SprtDecision};

/// A small generator of its own (SplitMix64), so that what is simulated never changes.
pub struct Chance(pub u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What a game is like when the openings are unequal: Black is ahead by one of these, in Elo, whoever plays it.
const OPENINGS: [f64; 4] = [-400.0, -100.0, 150.0, 350.0];

/// So many games in a hundred are drawn whatever the strength.
const DRAWN: f64 = 0.04;

/// A game of a player who is ahead by a difference.
fn play(lead: f64, chance: &mut Chance) -> GameResult {
    if chance.share() < DRAWN {
        GameResult::Draw
    } else if chance.share() < Elo(lead).score() {
        GameResult::Win
    } else {
        GameResult::Loss
    }
}

fn play_pair(lead: f64, chance: &mut Chance) -> (GameResult, GameResult) {
    let opening = OPENINGS[(chance.share() * OPENINGS.len() as f64) as usize];
    (play(lead + opening, chance), play(lead - opening, chance))
}

/// The difference in Elo that the scores of [`play_pair`] really show.
fn truth(lead: f64) -> Elo {
    let both = |opening: f64| Elo(lead + opening).score() + Elo(lead - opening).score();
    let mean = OPENINGS.into_iter().map(both).sum::<f64>() / (2 * OPENINGS.len()) as f64;
    Elo::of_score(DRAWN / 2.0 + (1.0 - DRAWN) * mean)
}

/// The lead that shows as a difference in Elo.
fn lead_of(elo: Elo) -> f64 {
    root(-3000.0, 3000.0, 0.0, |lead| (elo.0 - truth(lead).0, -1.0))
}

fn play_pairs(lead: f64, pairs: u32, chance: &mut Chance) -> Pentanomial {
    let mut pentanomial = Pentanomial::default();
    for _ in 0..pairs {
        let (one, other) = play_pair(lead, chance);
        pentanomial.count(PairScore::of(one, other));
    }
    pentanomial
}

fn share_of(count: u32, all: u32) -> f64 {
    f64::from(count) / f64::from(all)
}

#[test]
fn elo_intervals_cover_the_truth_as_often_as_they_promise() {
    const MATCHES: u32 = 2000;
    let mut chance = Chance(1);
    for (lead, pairs) in [(0.0, 20), (0.0, 300), (80.0, 40), (80.0, 500), (-250.0, 100), (400.0, 200)] {
        let truth = truth(lead);
        let covers = |pairs: Pentanomial| pairs.elo().is_some_and(|elo| elo.covers(truth));
        let covered = (0..MATCHES).filter(|_| covers(play_pairs(lead, pairs, &mut chance))).count();
        let share = share_of(covered as u32, MATCHES);
        assert!((0.93..=0.97).contains(&share), "lead {lead}, {pairs} pairs: {share}");
    }
}

/// Plays tests until they decide. The share that accepts H1, and the mean number of pairs.
fn run_tests(sprt: Sprt, elo: Elo, chance: &mut Chance) -> (f64, f64) {
    const TESTS: u32 = 1000;
    let lead = lead_of(elo);
    let (mut accepted, mut pairs) = (0, 0);
    for _ in 0..TESTS {
        let mut test = SequentialTest::new(sprt);
        while test.decision() == SprtDecision::Continue {
            let (one, other) = play_pair(lead, chance);
            test.add(test.seen().pairs(), PairScore::of(one, other));
        }
        accepted += u32::from(test.decision() == SprtDecision::AcceptH1);
        pairs += test.seen().pairs();
    }
    (share_of(accepted, TESTS), share_of(pairs, TESTS))
}

#[test]
fn sequential_tests_err_as_seldom_as_they_promise() {
    let mut chance = Chance(2);
    for [elo0, elo1] in [[0.0, 60.0], [-50.0, 0.0], [100.0, 200.0]] {
        let sprt = Sprt::from([elo0, elo1]);
        let (wrong, pairs0) = run_tests(sprt, sprt.elo0, &mut chance);
        let (right, pairs1) = run_tests(sprt, sprt.elo1, &mut chance);
        assert!((0.02..=0.07).contains(&wrong), "({elo0}, {elo1}) accepts H1 under H0: {wrong}");
        assert!((0.93..=0.98).contains(&right), "({elo0}, {elo1}) accepts H1 under H1: {right}");
        assert!(pairs0.max(pairs1) < 2.0 * pairs0.min(pairs1), "{pairs0} {pairs1}");
        let beyond = Elo(2.0 * elo1 - elo0);
        let (surely, sooner) = run_tests(sprt, beyond, &mut chance);
        assert!(surely > 0.99 && sooner < pairs1, "({elo0}, {elo1}) at {beyond:?}: {surely}, {sooner}");
    }
}

#[test]
fn rating_intervals_cover_the_truth_as_often_as_they_promise() {
    const TOURNAMENTS: u32 = 600;
    const PAIRS: u32 = 40;
    // With even openings Bradley and Terry's model holds exactly, so that there is a truth to cover.
    let leads = [150.0, 60.0, 0.0, -40.0, -170.0];
    let mut chance = Chance(3);
    let mut covered = [0; 5];
    for _ in 0..TOURNAMENTS {
        let mut pairings = Vec::new();
        for first in 0..leads.len() {
            for second in first + 1..leads.len() {
                let mut head_to_head = HeadToHead::default();
                for number in 0..2 * PAIRS {
                    let wins = chance.share() < Elo(leads[first] - leads[second]).score();
                    let outcome = if wins { GameResult::Win } else { GameResult::Loss };
                    head_to_head.add(number, GameOutcome { outcome, margin: None });
                }
                pairings.push((first, second, head_to_head));
            }
        }
        let pairings: Vec<_> = pairings
            .iter()
            .map(|(first, second, head_to_head)| Pairing { first: *first, second: *second, head_to_head })
            .collect();
        for ((count, rating), truth) in covered.iter_mut().zip(rate(5, &pairings)).zip(leads) {
            *count += u32::from(rating.covers(Elo(truth)));
        }
    }
    let share = share_of(covered.iter().sum(), 5 * TOURNAMENTS);
    assert!((0.93..=0.97).contains(&share), "{covered:?}: {share}");
}

#[test]
fn margin_intervals_cover_the_truth_as_often_as_they_promise() {
    const MATCHES: u32 = 4000;
    let mut chance = Chance(4);
    for pairs in [4, 25] {
        let mut covered = 0;
        for _ in 0..MATCHES {
            let mut margins = DiscMargins::default();
            for _ in 0..pairs {
                // The sum of four even chances is near enough to normal; its mean is 3.
                let mut game = || (0..4).map(|_| (chance.share() * 17.0) as i32 - 8).sum::<i32>() + 3;
                margins.count(game(), game());
            }
            covered += u32::from(margins.mean().is_some_and(|mean| mean.covers(3.0)));
        }
        let share = share_of(covered, MATCHES);
        assert!((0.93..=0.97).contains(&share), "{pairs} pairs: {share}");
    }
}

#[test]
fn pairs_of_unequal_openings_are_told_from_single_games() {
    // One player wins every game with Black, the other too: equal beyond doubt, whatever single games would say.
    let steady = Pentanomial::new([0, 0, 500, 0, 0]).elo().expect("pairs");
    let wild = Pentanomial::new([125, 0, 250, 0, 125]).elo().expect("pairs");
    assert!(steady.half_width() < wild.half_width() / 5.0, "{steady:?} {wild:?}");
}
