//! The sequential probability ratio test: stop a match as soon as it has told enough.
//!
//! Two hypotheses are fixed beforehand: H0, that the first player is `elo0` stronger, and H1, that it is `elo1`
//! stronger. After every pair the generalised log-likelihood ratio
//!
//! ```text
//! LLR = ln (greatest likelihood of the pairs with mean score s1) − ln (the same with s0) = D(s0) − D(s1)
//! ```
//!
//! is compared with two bounds, where `s` is the score that belongs to the Elo on the logistic scale and `D` the cost
//! of [`likelihood`](super::likelihood): the exact constrained maximum, not its normal approximation. The prior is
//! [`Prior::TRACE`]. The bounds are Wald's, `ln(β / (1 − α))` and `ln((1 − β) / α)`, for the chance [`ALPHA`] to accept
//! H1 though H0 is true, and [`BETA`] to accept H0 though H1 is true.

use std::collections::BTreeMap;

use super::likelihood::Elo;
use super::likelihood::{Prior, SmoothedPentanomial};
use super::pairs::{PairScore, Pentanomial};

/// The chance to accept H1 when H0 is true.
pub const ALPHA: f64 = 0.05;

/// The chance to accept H0 when H1 is true.
pub const BETA: f64 = 0.05;

/// What a sequential test says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SprtDecision {
    /// Nothing yet.
    #[default]
    Continue,
    /// The first hypothesis, usually that nothing was gained.
    AcceptH0,
    /// The second hypothesis.
    AcceptH1,
}

/// The two hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under H0.
    pub elo0: Elo,
    /// The difference under H1.
    pub elo1: Elo,
}

impl Sprt {
    /// The log-likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let weights = SmoothedPentanomial::new(pairs, Prior::TRACE);
        weights.cost(self.elo0.score()) - weights.cost(self.elo1.score())
    }

    /// At or below the first H0 is accepted, at or above the second H1.
    #[must_use]
    pub fn bounds() -> (f64, f64) {
        ((BETA / (1.0 - ALPHA)).ln(), ((1.0 - BETA) / ALPHA).ln())
    }

    /// What a log-likelihood ratio says.
    #[must_use]
    pub fn decision(llr: f64) -> SprtDecision {
        let (lower, upper) = Self::bounds();
        if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        }
    }
}

impl From<[f64; 2]> for Sprt {
    fn from([elo0, elo1]: [f64; 2]) -> Self {
        Self { elo0: Elo(elo0), elo1: Elo(elo1) }
    }
}

/// A test in the course of a match.
///
/// It looks at the pairs in the order of the schedule, and waits for one that is late: taken as they finish, short
/// games would come first when several run at once, and a resumed match could end otherwise. Its decision is final; pairs
/// that were still being played when it fell do not change it.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    seen: Pentanomial,
    waiting: BTreeMap<u32, PairScore>,
    llr: f64,
    decision: SprtDecision,
}

impl SequentialTest {
    /// A test that has seen nothing.
    #[must_use]
    pub const fn new(sprt: Sprt) -> Self {
        Self {
            sprt,
            seen: Pentanomial::new([0; 5]),
            waiting: BTreeMap::new(),
            llr: 0.0,
            decision: SprtDecision::Continue,
        }
    }

    /// Hears of a finished pair, by its place among the pairs of the match, from 0.
    pub fn add(&mut self, pair: u32, score: PairScore) {
        self.waiting.insert(pair, score);
        while self.decision == SprtDecision::Continue
            && let Some(score) = self.waiting.remove(&self.seen.pairs())
        {
            self.seen.count(score);
            self.llr = self.sprt.llr(&self.seen);
            self.decision = Sprt::decision(self.llr);
        }
    }

    /// The hypotheses.
    #[must_use]
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// The pairs that the test has looked at.
    #[must_use]
    pub const fn seen(&self) -> &Pentanomial {
        &self.seen
    }

    /// The log-likelihood ratio of these pairs.
    #[must_use]
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// Whether there is nothing more to find out.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decision != SprtDecision::Continue
    }

    /// The decision.
    #[must_use]
    pub const fn decision(&self) -> SprtDecision {
        self.decision
    }
}
