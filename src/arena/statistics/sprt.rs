//! The sequential probability ratio test (SPRT): stops a match as soon as it has decided.
//!
//! Two hypotheses are fixed beforehand: H0, that the first player is `elo0` stronger, and H1, that it is `elo1`
//! stronger. After every pair the generalised log-likelihood ratio
//!
//! ```text
//! LLR = ln (greatest likelihood of the pairs with mean score s1) − ln (the same with s0) = D(s0) − D(s1)
//! ```
//!
//! is compared with two bounds, where `s` is the score that belongs to the Elo on the logistic scale and `D` the cost
//! of [`elo`](super::elo): the exact constrained maximum, not its normal approximation. The prior is
//! [`Prior::TRACE`]. The bounds are Wald's, `ln(β / (1 − α))` and `ln((1 − β) / α)`, for the chance [`ALPHA`] to accept
//! H1 though H0 is true, and [`BETA`] to accept H0 though H1 is true.

use std::collections::BTreeMap;

use super::elo::Elo;
use super::elo::{Prior, SmoothedPentanomial};
use super::pairs::{PairScore, Pentanomial};

/// Probability to accept H1 if H0 is true.
pub const ALPHA: f64 = 0.05;

/// Probability to accept H0 if H1 is true.
pub const BETA: f64 = 0.05;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SprtDecision {
    #[default]
    Continue,
    AcceptH0,
    AcceptH1,
}

/// The two hypotheses, as differences in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub elo0: Elo,
    pub elo1: Elo,
}

impl Sprt {
    /// The log-likelihood ratio of H1 to H0.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let weights = SmoothedPentanomial::new(pairs, Prior::TRACE);
        weights.cost(self.elo0.score()) - weights.cost(self.elo1.score())
    }

    /// H0 is accepted at or below the first bound, H1 at or above the second.
    #[must_use]
    pub fn bounds() -> (f64, f64) {
        ((BETA / (1.0 - ALPHA)).ln(), ((1.0 - BETA) / ALPHA).ln())
    }

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

/// A test during a match.
///
/// It takes the pairs in the order of the schedule and waits for late ones: in the order they finish, short games would
/// come first, and a resumed match could end differently. Its decision is final.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    seen: Pentanomial,
    waiting: BTreeMap<u32, PairScore>,
    llr: f64,
    decision: SprtDecision,
}

impl SequentialTest {
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

    /// Adds a finished pair by its number, from 0.
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

    #[must_use]
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// The pairs taken so far.
    #[must_use]
    pub const fn seen(&self) -> &Pentanomial {
        &self.seen
    }

    #[must_use]
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decision != SprtDecision::Continue
    }

    #[must_use]
    pub const fn decision(&self) -> SprtDecision {
        self.decision
    }
}
