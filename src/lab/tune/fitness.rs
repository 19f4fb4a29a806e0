//! The fitness of individuals, by games or by the structural minimax loss.
//!
//! A game depends on the seed, the generation and its number there, so that neither threads nor interruptions change its
//! result.

use super::TuneError;
use super::config::{Config, FitnessKind};
use super::rng::{RandomStream, rng};
use crate::arena::opponents::parameters::System;
use crate::arena::opponents::quick_games::{
    QuickGameRules, QuickGames, QuickPlayer, TunedEvaluator, opening,
};
use crate::arena::statistics::{GameResult, WinDrawLoss};
use crate::lab::loss::LossSet;
use crate::random::Random;
use crate::terminal::interrupts::Interrupts;
use crate::training::parallel;

/// Without random moves two individuals would play the same game again and again.
const LEAST_OPENING: u8 = 4;

pub(super) struct FitnessGames<'a> {
    system: System,
    conditions: QuickGameRules,
    opening: u8,
    seed: u64,
    jobs: usize,
    interrupts: &'a Interrupts,
    loss_set: Option<LossSet>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FitnessResult {
    /// None with the loss.
    pub(super) games: Option<WinDrawLoss>,
    pub(super) fitness: f64,
}

impl From<WinDrawLoss> for FitnessResult {
    fn from(tally: WinDrawLoss) -> Self {
        Self { games: Some(tally), fitness: tally.score().unwrap_or_default() }
    }
}

impl<'a> FitnessGames<'a> {
    /// # Errors
    /// If the file of the loss cannot be used.
    pub(super) fn new(config: &Config, jobs: usize, interrupts: &'a Interrupts) -> Result<Self, TuneError> {
        let fitness = &config.fitness;
        let loss_set = fitness.file.as_deref().map(LossSet::load).transpose().map_err(TuneError::Loss)?;
        let conditions = QuickGameRules { rules: config.rules, depth: fitness.depth, exact: fitness.exact };
        if let (Some(set), Some(path)) = (&loss_set, &fitness.file)
            && set.rules() != conditions.rules
        {
            return Err(TuneError::OtherRules(path.clone(), set.rules()));
        }
        let Config { system, seed, .. } = *config;
        Ok(Self { system, conditions, opening: fitness.opening, seed, jobs, interrupts, loss_set })
    }

    /// None after Ctrl-C.
    pub(super) fn evaluate(
        &self,
        config: &Config,
        generation: u32,
        values: &[&[f64]],
    ) -> Option<Vec<FitnessResult>> {
        let games = config.fitness.games;
        let tallies = match config.fitness.by {
            FitnessKind::RoundRobin => self.round_robin(RandomStream::Games, generation, values, games)?,
            FitnessKind::MonteCarlo => self.monte_carlo(generation, values, games)?,
            FitnessKind::Loss => return self.losses(values),
        };
        Some(tallies.into_iter().map(FitnessResult::from).collect())
    }

    /// The negated loss: more is better.
    fn losses(&self, values: &[&[f64]]) -> Option<Vec<FitnessResult>> {
        let (set, contestants) = (self.loss_set.as_ref()?, self.contestants(values));
        self.each(contestants.len(), |_, &at| {
            let loss = set.loss(self.conditions.depth.into(), &|board| contestants[at].value(board));
            FitnessResult { games: None, fitness: -loss }
        })
    }

    pub(super) fn round_robin(
        &self,
        stream: RandomStream,
        generation: u32,
        values: &[&[f64]],
        games: u32,
    ) -> Option<Vec<WinDrawLoss>> {
        let contestants = self.contestants(values);
        let count = contestants.len();
        let pairings: Vec<_> =
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect();
        let pairs = games as usize / 2;
        let results = self.each(pairings.len() * pairs, |arena, &at| {
            let (one, other) = pairings[at / pairs];
            let rng = rng(self.seed, stream, generation, at);
            self.pair(arena, &contestants[one], QuickPlayer::Evaluator(&contestants[other]), rng)
        })?;
        let mut tallies = vec![WinDrawLoss::default(); count];
        for (&(one, other), results) in pairings.iter().zip(results.chunks(pairs)) {
            let tally = sum(results);
            tallies[one] = tallies[one] + tally;
            tallies[other] = tallies[other] + tally.reversed();
        }
        Some(tallies)
    }

    /// Against a random mover, whose moves are drawn from the same stream for everyone.
    fn monte_carlo(&self, generation: u32, values: &[&[f64]], games: u32) -> Option<Vec<WinDrawLoss>> {
        let contestants = self.contestants(values);
        let pairs = games as usize / 2;
        let results = self.each(contestants.len() * pairs, |arena, &at| {
            let rng = rng(self.seed, RandomStream::Games, generation, at % pairs);
            self.pair(arena, &contestants[at / pairs], QuickPlayer::Random, rng)
        })?;
        Some(results.chunks(pairs).map(sum).collect())
    }

    pub(super) fn duel(
        &self,
        stream: RandomStream,
        generation: u32,
        [one, other]: [&[f64]; 2],
        games: u32,
    ) -> Option<WinDrawLoss> {
        self.round_robin(stream, generation, &[one, other], games).map(|tallies| tallies[0])
    }

    fn contestants(&self, values: &[&[f64]]) -> Vec<TunedEvaluator> {
        values.iter().map(|values| self.system.contestant(values, self.conditions.rules)).collect()
    }

    /// Two games from one opening, colours swapped.
    fn pair(
        &self,
        arena: &mut QuickGames,
        contestant: &TunedEvaluator,
        opponent: QuickPlayer,
        mut rng: Random,
    ) -> WinDrawLoss {
        let plies = match opponent {
            QuickPlayer::Evaluator(_) => self.opening.max(LEAST_OPENING),
            QuickPlayer::Random => self.opening,
        };
        let begin = opening(plies, &mut rng);
        let one = QuickPlayer::Evaluator(contestant);
        let mut tally = WinDrawLoss::default();
        tally.count(GameResult::of_margin(arena.play(one, opponent, begin, &mut rng)));
        tally.count(GameResult::of_margin(-arena.play(opponent, one, begin, &mut rng)));
        tally
    }

    /// The results for all numbers below `count`, in order; none after Ctrl-C.
    fn each<T: Send>(
        &self,
        count: usize,
        work: impl Fn(&mut QuickGames, &usize) -> T + Sync,
    ) -> Option<Vec<T>> {
        let numbers: Vec<usize> = (0..count).collect();
        let arena = || QuickGames::new(self.conditions);
        let work = |arena: &mut QuickGames, number: &usize| {
            (!self.interrupts.is_raised()).then(|| work(arena, number))
        };
        parallel::try_map(&numbers, self.jobs, arena, work, || {})
    }
}

fn sum(tallies: &[WinDrawLoss]) -> WinDrawLoss {
    tallies.iter().fold(WinDrawLoss::default(), |sum, &tally| sum + tally)
}
