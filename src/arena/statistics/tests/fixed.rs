//! Fixed data against computations of another kind.

use crate::arena::statistics::elo::{Prior, SmoothedPentanomial};
use crate::arena::statistics::head_to_head::GameOutcome;
use crate::arena::statistics::numeric::{Z95, normal_cdf};
use crate::arena::statistics::ratings::{Pairing, rate};
use crate::arena::statistics::*;

/// A long match of two strong programs over balanced openings.
const LONG: Pentanomial = Pentanomial::new([2410, 341, 5141, 367, 2525]);

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, not {expected}");
}

/// Mean and standard deviation of the score of a pair, per game, by their definition.
fn moments(pairs: &Pentanomial) -> (f64, f64) {
    let all: Vec<f64> = PairScore::ALL
        .into_iter()
        .zip(pairs.counts())
        .flat_map(|(score, count)| std::iter::repeat_n(score.per_game(), count as usize))
        .collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64;
    (mean, variance.sqrt())
}

#[test]
fn elo_and_score_are_each_others_inverse() {
    near(Elo(0.0).score(), 0.5, 0.0);
    near(Elo(400.0).score(), 10.0 / 11.0, 1e-15);
    near(Elo(-120.0).score(), 1.0 / (1.0 + 10_f64.powf(0.3)), 1e-15);
    for elo in [-700.0, -3.0, 0.0, 250.0] {
        near(Elo::of_score(Elo(elo).score()).0, elo, 1e-9);
    }
}

#[test]
fn a_long_match_agrees_with_the_normal_approximation() {
    let (mean, deviation) = moments(&LONG);
    near(mean, 5456.0 / 10784.0, 1e-12);
    near(deviation, 0.344, 5e-4);
    let error = deviation / 10784_f64.sqrt();
    let elo = LONG.elo().expect("pairs");
    near(elo.value.0, 4.124, 2e-3);
    near(elo.half_width(), 469.0 / 10784_f64.sqrt(), 0.01);
    near(elo.low.0, Elo::of_score(mean - Z95 * error).0, 0.01);
    near(elo.high.0, Elo::of_score(mean + Z95 * error).0, 0.01);
    near(LONG.los(), normal_cdf((mean - 0.5) / error), 1e-3);
    near(LONG.los() + LONG.reversed().los(), 1.0, 1e-12);
    let seen_by_the_other = LONG.reversed().elo().expect("pairs");
    near(seen_by_the_other.low.0, -elo.high.0, 1e-9);
}

#[test]
fn pairs_without_half_points_agree_with_the_binomial_interval() {
    // With two outcomes only, the likelihood has the closed form n·(q·ln(q/s) + (1 − q)·ln((1 − q)/(1 − s))).
    let (lost, won) = (12.0_f64, 30.0_f64);
    let weights = SmoothedPentanomial::new(&Pentanomial::new([12, 0, 0, 0, 30]), Prior::TRACE);
    let found = weights.interval(Z95);
    let cost = |s: f64| won * (won / 42.0 / s).ln() + lost * (lost / 42.0 / (1.0 - s)).ln();
    let inside: Vec<f64> =
        (1..100_000).map(|n| f64::from(n) / 1e5).filter(|&s| cost(s) <= Z95 * Z95 / 2.0).collect();
    near(found.low, inside[0], 1e-4);
    near(found.high, inside[inside.len() - 1], 1e-4);
}

#[test]
fn a_clean_sheet_is_finite_and_the_prior_vanishes() {
    let mut before = 0.0;
    for pairs in [1, 10, 100, 10_000] {
        let elo = Pentanomial::new([0, 0, 0, 0, pairs]).elo().expect("pairs");
        assert!(elo.low.0.is_finite() && elo.high.0.is_finite());
        assert!(elo.low.0 < elo.value.0 && elo.value.0 < elo.high.0 && elo.value.0 > before, "{elo:?}");
        // The score is (n + ½) / (n + 1).
        near(elo.value.0, Elo::of_score((f64::from(pairs) + 0.5) / (f64::from(pairs) + 1.0)).0, 1e-6);
        before = elo.value.0;
    }
    assert_eq!(Pentanomial::default().elo(), None);
    near(Pentanomial::default().los(), 0.5, 0.0);
    for times in [1, 10, 100, 1000] {
        let pairs = Pentanomial::new([3, 1, 10, 2, 14].map(|count| times * count));
        let plain = Elo::of_score(pairs.score().expect("pairs")).0;
        near(pairs.elo().expect("pairs").value.0, plain, 6.0 / f64::from(times));
    }
}

#[test]
fn the_ratio_of_two_outcomes_has_a_closed_form() {
    let sprt = Sprt::from([0.0, 100.0]);
    let (s0, s1) = (0.5_f64, 1.0 / (1.0 + 10_f64.powf(-0.25)));
    let expected = 25.0 * (s1 / s0).ln() + 11.0 * ((1.0 - s1) / (1.0 - s0)).ln();
    near(sprt.llr(&Pentanomial::new([11, 0, 0, 0, 25])), expected, 5e-3);
    near(Sprt::from([100.0, 0.0]).llr(&Pentanomial::new([11, 0, 0, 0, 25])), -expected, 5e-3);
    near(sprt.llr(&Pentanomial::default()), 0.0, 0.01);
}

#[test]
fn the_ratio_of_a_long_match_agrees_with_the_normal_approximation() {
    let (mean, deviation) = moments(&LONG);
    for elos in [[0.0, 5.0], [0.0, 20.0], [-5.0, 0.0]] {
        let [s0, s1] = elos.map(|elo| Elo(elo).score());
        let expected = 10784.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * deviation * deviation);
        let found = Sprt::from(elos).llr(&LONG);
        near(found, expected, 0.01 * expected.abs().max(1.0));
    }
}

#[test]
fn the_bounds_are_walds_and_the_verdict_is_final() {
    let (lower, upper) = Sprt::bounds();
    near(upper, 19_f64.ln(), 1e-12);
    near(lower, -2.944_438_979, 1e-9);
    assert_eq!(Sprt::decision(upper), SprtDecision::AcceptH1);
    assert_eq!(Sprt::decision(lower), SprtDecision::AcceptH0);
    assert_eq!(Sprt::decision(0.0), SprtDecision::Continue);

    let mut test = SequentialTest::new(Sprt::from([0.0, 100.0]));
    let [lost, .., won] = PairScore::ALL;
    for pair in (1..40).rev() {
        test.add(pair, won);
    }
    assert_eq!((test.decision(), test.seen().pairs()), (SprtDecision::Continue, 0), "the first pair is late");
    test.add(0, won);
    // Each pair won adds ln(0.64 / 0.5) = 0.247: the twelfth is the first beyond 2.944.
    assert_eq!((test.decision(), test.seen().pairs()), (SprtDecision::AcceptH1, 12));
    (40..90).for_each(|pair| test.add(pair, lost));
    assert_eq!((test.decision(), test.seen().pairs()), (SprtDecision::AcceptH1, 12));
}

/// A head_to_head of so many wins, draws and losses, in pairs as they come.
fn head_to_head(wins: u32, draws: u32, losses: u32) -> HeadToHead {
    let outcomes = [(wins, GameResult::Win), (draws, GameResult::Draw), (losses, GameResult::Loss)];
    let games =
        outcomes.into_iter().flat_map(|(count, outcome)| std::iter::repeat_n(outcome, count as usize));
    let mut head_to_head = HeadToHead::default();
    for (number, outcome) in (0..).zip(games) {
        head_to_head.add(number, GameOutcome { outcome, margin: None });
    }
    head_to_head
}

#[test]
fn two_players_are_as_far_apart_as_their_elo() {
    let head_to_head = head_to_head(27, 6, 9);
    let elo = head_to_head.pairs().elo().expect("pairs").value.0;
    let ratings = rate(2, &[Pairing { first: 0, second: 1, head_to_head: &head_to_head }]);
    near(ratings[0].value.0, elo / 2.0, 1e-6);
    near(ratings[1].value.0, -elo / 2.0, 1e-6);
    // The delta method: the standard error of the mean score over the slope of the logistic curve.
    let weights = SmoothedPentanomial::new(head_to_head.pairs(), Prior::ONE_PAIR);
    let mean = weights.mean();
    let variance = weights.iter().map(|(x, w)| w * (x - mean).powi(2)).sum::<f64>() / weights.total();
    let error = Elo::PER_LOGIT * (variance / weights.total()).sqrt() / (mean * (1.0 - mean));
    near(ratings[0].half_width(), Z95 * error / 2.0, 1e-6);
    assert_eq!(rate(1, &[])[0].value, Elo(0.0));
    assert!(rate(0, &[]).is_empty());
}

/// Three players, the first unbeaten, one game without a twin.
fn three() -> [HeadToHead; 3] {
    [head_to_head(20, 0, 0), head_to_head(13, 4, 4), head_to_head(9, 2, 11)]
}

/// The log-likelihood of [`three`] for ratings `a`, `b` and `−a − b`, prior included: half a pair of games, all drawn on
/// the average, for each of the three pairings.
fn likelihood([a, b]: [f64; 2]) -> f64 {
    let rating = [a, b, -a - b];
    let term = |(first, second, points, games): (usize, usize, f64, f64)| {
        let expected = Elo(rating[first] - rating[second]).score();
        points * expected.ln() + (games - points) * (1.0 - expected).ln()
    };
    [(0, 1, 20.5, 21.0), (0, 2, 15.5, 22.0), (1, 2, 10.5, 23.0)].into_iter().map(term).sum()
}

fn rate_three(head_to_heads: &[HeadToHead; 3]) -> Vec<Estimate<Elo>> {
    let [one, two, three] = head_to_heads;
    rate(
        3,
        &[
            Pairing { first: 0, second: 1, head_to_head: one },
            Pairing { first: 0, second: 2, head_to_head: two },
            Pairing { first: 1, second: 2, head_to_head: three },
        ],
    )
}

#[test]
fn ratings_are_what_brute_force_finds() {
    let (mut at, mut step) = ([0.0, 0.0], 64.0);
    while step > 1e-7 {
        let around =
            (0..9).map(|n| [at[0] + f64::from(n % 3 - 1) * step, at[1] + f64::from(n / 3 - 1) * step]);
        let best = around.max_by(|l, r| likelihood(*l).total_cmp(&likelihood(*r))).expect("nine of them");
        if best == at {
            step /= 2.0;
        }
        at = best;
    }
    let ratings = rate_three(&three());
    near(ratings[0].value.0, at[0], 1e-3);
    near(ratings[1].value.0, at[1], 1e-3);
    near(ratings.iter().map(|rating| rating.value.0).sum(), 0.0, 1e-9);
    assert!(ratings.iter().all(|rating| rating.half_width().is_finite() && rating.half_width() > 0.0));
}

#[test]
fn rating_intervals_agree_with_differences_of_the_likelihood() {
    let head_to_heads = three();
    let ratings = rate_three(&head_to_heads);
    let at = [ratings[0].value.0, ratings[1].value.0];
    // The information about the two free ratings, by second differences.
    let step = 1e-2;
    let shifted = |i: usize, s: f64, j: usize, t: f64| {
        let mut place = at;
        place[i] += s;
        place[j] += t;
        likelihood(place)
    };
    let second = |i: usize, j: usize| {
        -(shifted(i, step, j, step) - shifted(i, step, j, -step) - shifted(i, -step, j, step)
            + shifted(i, -step, j, -step))
            / (4.0 * step * step)
    };
    let (aa, ab, bb) = (second(0, 0), second(0, 1), second(1, 1));
    let determinant = aa * bb - ab * ab;
    let inverse = [[bb / determinant, -ab / determinant], [-ab / determinant, aa / determinant]];
    // The influence of each cluster on the two, squared and added up. The lead a − b has the gradient (1, −1), and so on.
    let mut covariance = [0.0; 2];
    for ((head_to_head, lead), elo) in head_to_heads.iter().zip([[1.0, -1.0], [2.0, 1.0], [1.0, 2.0]]).zip([
        at[0] - at[1],
        2.0 * at[0] + at[1],
        at[0] + 2.0 * at[1],
    ]) {
        let expected = Elo(elo).score();
        let singles = head_to_head.singles();
        let pairs = PairScore::ALL.into_iter().zip(head_to_head.pairs().counts());
        let clusters = pairs
            .map(|(score, count)| (f64::from(count) + 0.1, 2.0 * (score.per_game() - expected)))
            .chain([(f64::from(singles.wins), 1.0 - expected), (f64::from(singles.losses), -expected)]);
        let variance: f64 = clusters.map(|(count, surplus)| count * surplus * surplus).sum();
        for (sum, row) in covariance.iter_mut().zip(inverse) {
            let influence = (row[0] * lead[0] + row[1] * lead[1]) / Elo::PER_LOGIT;
            *sum += influence * influence * variance;
        }
    }
    near(ratings[0].half_width(), Z95 * covariance[0].sqrt(), 0.05);
    near(ratings[1].half_width(), Z95 * covariance[1].sqrt(), 0.05);
}
