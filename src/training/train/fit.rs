//! Ridge regression on patterns, by conjugate gradients.
//!
//! A stage has a hundred thousand weights and perhaps millions of positions, each touching 49 of the weights. The normal
//! equations are never written down: a step needs only their product with a vector, one pass over the positions. Each
//! equation is scaled by how often its weight occurs, so that rare patterns settle as fast as common ones.

use std::ops::Range;
use std::thread;

use crate::eval::pattern::INSTANCE_COUNT;

/// The places of a position's weights: one for each instance of a pattern, two for the moves and one for the ply.
pub const PLACES: usize = INSTANCE_COUNT + 3;

/// One position of a stage: where its weights are, and what it is worth.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Counted from [`Cases::bases`].
    pub places: [u16; PLACES],
    /// What the weights should add up to, in discs.
    pub label: f32,
}

/// The positions of a stage.
#[derive(Clone, Debug)]
pub struct Cases {
    /// Where the weights of each place begin.
    pub bases: [u32; PLACES],
    /// How many weights there are.
    pub weights: usize,
    /// To learn from.
    pub learnt: Vec<Case>,
    /// Held out, to see what was learnt.
    pub held: Vec<Case>,
}

/// When to stop, and how much to trust what is rare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// So many positions have to speak for a weight before it gets half of what they say, for each square disc of what
    /// is left unexplained: noise has to be averaged out.
    pub ridge: f32,
    /// What is expected to be left unexplained, in square discs.
    pub noise: f32,
    /// Whether a weight that few positions speak for stays near what it began with, instead of near zero.
    pub anchored: bool,
    /// At most so many passes.
    pub passes: u32,
    /// It ends after so many passes without a better value on what is held out.
    pub patience: u32,
    /// Threads at work.
    pub threads: usize,
}

/// What a fit has brought.
#[derive(Clone, Debug)]
pub struct Fit {
    /// In discs.
    pub weights: Vec<f32>,
    /// The mean square of what is left, in discs², on the positions held out.
    pub error: f64,
    /// How many passes led to these weights.
    pub passes: u32,
}

/// Sums over positions are made part by part, whatever the number of threads, so that it does not change the result.
const PARTS: usize = 16;

/// Improvements of less than this share of the error do not count.
const LEAST_GAIN: f64 = 1e-5;

impl Cases {
    #[inline]
    fn value(&self, case: &Case, weights: &[f32]) -> f32 {
        let mut sum = 0.0;
        for (&place, &base) in case.places.iter().zip(&self.bases) {
            sum += weights[base as usize + usize::from(place)];
        }
        sum
    }

    /// For every weight, the sum of `of` over the positions that have it.
    fn gathered(&self, threads: usize, of: impl Fn(&Case) -> f32 + Sync) -> Vec<f32> {
        let sums = in_parts(self.learnt.len(), threads, |part| {
            let mut sums = vec![0.0_f32; self.weights];
            for case in &self.learnt[part] {
                let value = of(case);
                for (&place, &base) in case.places.iter().zip(&self.bases) {
                    sums[base as usize + usize::from(place)] += value;
                }
            }
            sums
        });
        let mut sums = sums.into_iter();
        let mut total = sums.next().unwrap_or_else(|| vec![0.0; self.weights]);
        for part in sums {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        total
    }

    /// The mean square of what weights leave over on what is held out.
    #[must_use]
    pub fn error(&self, weights: &[f32], threads: usize) -> f64 {
        let sums = in_parts(self.held.len(), threads, |part| {
            let square = |case| f64::from(self.value(case, weights) - case.label).powi(2);
            self.held[part].iter().map(square).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / self.held.len().max(1) as f64
    }

    /// Fits weights, beginning with others that are near already.
    #[must_use]
    pub fn fit(&self, begin: Vec<f32>, settings: Settings, on_pass: &mut dyn FnMut(u32, f64)) -> Fit {
        let Settings { ridge, noise, anchored, passes, patience, threads } = settings;
        let ridge = ridge * noise;
        let counts = self.gathered(threads, |_| 1.0);
        let mut weights = begin;
        // What the equations still ask for.
        let mut rest = self.gathered(threads, |case| case.label - self.value(case, &weights));
        if !anchored {
            rest.iter_mut().zip(&weights).for_each(|(rest, &weight)| *rest -= ridge * weight);
        }
        let scaled = |rest: &[f32]| -> Vec<f32> {
            rest.iter().zip(&counts).map(|(&rest, &count)| rest / (count + ridge)).collect()
        };
        let mut best = Fit { error: self.error(&weights, threads), weights: weights.clone(), passes: 0 };
        let mut preconditioned = scaled(&rest);
        let mut direction = preconditioned.clone();
        let mut slope = dot(&rest, &preconditioned);
        for pass in 1..=passes {
            let mut image = self.gathered(threads, |case| self.value(case, &direction));
            image.iter_mut().zip(&direction).for_each(|(image, &along)| *image += ridge * along);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 || slope <= 0.0 {
                break;
            }
            let step = (slope / curvature) as f32;
            weights.iter_mut().zip(&direction).for_each(|(weight, &along)| *weight += step * along);
            rest.iter_mut().zip(&image).for_each(|(rest, &image)| *rest -= step * image);
            let error = self.error(&weights, threads);
            on_pass(pass, error);
            if error < best.error * (1.0 - LEAST_GAIN) {
                best = Fit { weights: weights.clone(), error, passes: pass };
            } else if pass >= best.passes + patience {
                break;
            }
            preconditioned = scaled(&rest);
            let next = dot(&rest, &preconditioned);
            let keep = (next / slope) as f32;
            slope = next;
            direction.iter_mut().zip(&preconditioned).for_each(|(along, &to)| *along = to + keep * *along);
        }
        best
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(&one, &other)| f64::from(one) * f64::from(other)).sum()
}

/// The results of work on equal parts of a range, in order.
pub fn in_parts<T: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let part = |number: usize| count * number / PARTS..count * (number + 1) / PARTS;
    let threads = threads.clamp(1, PARTS);
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    (first..PARTS)
                        .step_by(threads)
                        .map(|number| (number, work(part(number))))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let mut results: Vec<_> =
            workers.into_iter().flat_map(|worker| worker.join().expect("no panic in a part")).collect();
        results.sort_by_key(|&(number, _)| number);
        results.into_iter().map(|(_, result)| result).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Cases made from known weights: with as many as these the fit has to find them.
    fn cases(weights: &[f32], noise: f32) -> Cases {
        let mut random = Random::new(1);
        let per_place = weights.len() / PLACES;
        let bases = std::array::from_fn(|place| (place * per_place) as u32);
        let empty = Cases { bases, weights: weights.len(), learnt: vec![], held: vec![] };
        let mut make = |count| {
            let case = |_| {
                let places = std::array::from_fn(|_| random.below(per_place) as u16);
                let mut case = Case { places, label: 0.0 };
                case.label = empty.value(&case, weights) + noise * (random.below(2001) as f32 / 1000.0 - 1.0);
                case
            };
            (0..count).map(case).collect::<Vec<_>>()
        };
        let (learnt, held) = (make(4000), make(500));
        Cases { learnt, held, ..empty }
    }

    const SETTINGS: Settings =
        Settings { ridge: 0.01, noise: 1.0, anchored: false, passes: 60, patience: 5, threads: 2 };

    #[test]
    fn known_weights_are_found() {
        let mut random = Random::new(2);
        let weights: Vec<_> = (0..PLACES * 9).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let cases = cases(&weights, 0.0);
        let fit = cases.fit(vec![0.0; weights.len()], SETTINGS, &mut |_, _| {});
        assert!(fit.error < 1e-4, "{}", fit.error);
        let again = cases.fit(fit.weights.clone(), SETTINGS, &mut |_, _| {});
        assert!(again.passes < fit.passes);
    }

    #[test]
    fn weights_that_nothing_speaks_for_stay_what_they_were() {
        let mut random = Random::new(4);
        let weights: Vec<_> = (0..PLACES * 5).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let mut cases = cases(&weights, 1.0);
        for case in cases.learnt.iter_mut().chain(&mut cases.held) {
            case.places[0] = case.places[0].min(3);
        }
        let begin = vec![0.5; weights.len()];
        let fit = |anchored| cases.fit(begin.clone(), Settings { anchored, ..SETTINGS }, &mut |_, _| {});
        assert_eq!(fit(true).weights[4], 0.5);
        assert!(fit(false).weights[4].abs() < 0.01);
    }

    #[test]
    fn threads_do_not_change_the_weights() {
        let mut random = Random::new(3);
        let weights: Vec<_> = (0..PLACES * 5).map(|_| random.below(1000) as f32 / 500.0 - 1.0).collect();
        let cases = cases(&weights, 1.0);
        let fit =
            |threads| cases.fit(vec![0.0; weights.len()], Settings { threads, ..SETTINGS }, &mut |_, _| {});
        assert_eq!(fit(1).weights, fit(3).weights);
    }
}
