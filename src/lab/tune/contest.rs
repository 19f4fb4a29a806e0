//! The games that tell how fit individuals are, on as many threads as wished.
//!
//! A game depends on the seed, the generation and its number among the games there, so that neither threads nor breaks
//! change what comes of it.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::TuneError;
use super::chance::{Purpose, dice};
use super::config::{Config, Contest};
use crate::arena::opponents::parameters::System;
use crate::arena::opponents::quick_games::{
    QuickGameRules, QuickGames, QuickPlayer, TunedEvaluator, opening,
};
use crate::arena::statistics::{GameResult, WinDrawLoss};
use crate::lab::loss::LossSet;
use crate::random::Random;
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;

/// Two individuals would play the same game again and again if chance did not begin it.
const LEAST_OPENING: u8 = 4;

/// Everything that games are played with.
pub(super) struct Ring<'a> {
    system: System,
    conditions: QuickGameRules,
    opening: u8,
    seed: u64,
    jobs: usize,
    interrupts: &'a Interrupts,
    /// What the loss is taken on.
    loss_set: Option<LossSet>,
}

/// How an individual did: the games that tell it, if games do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) games: Option<WinDrawLoss>,
    pub(super) fitness: f64,
}

impl From<WinDrawLoss> for Judged {
    fn from(tally: WinDrawLoss) -> Self {
        Self { games: Some(tally), fitness: tally.score().unwrap_or_default() }
    }
}

impl<'a> Ring<'a> {
    /// Everything that a configuration asks for.
    ///
    /// # Errors
    /// If the file of the loss cannot be used.
    pub(super) fn new(config: &Config, jobs: usize, interrupts: &'a Interrupts) -> Result<Self, TuneError> {
        let fitness = &config.fitness;
        let loss_set = fitness.file.as_deref().map(LossSet::load).transpose().map_err(TuneError::Loss)?;
        let conditions =
            QuickGameRules { rules: Rules::from(config.rules), depth: fitness.depth, exact: fitness.exact };
        if let (Some(set), Some(path)) = (&loss_set, &fitness.file)
            && set.rules() != conditions.rules
        {
            return Err(TuneError::OtherRules(path.clone(), set.rules()));
        }
        let Config { system, seed, .. } = *config;
        Ok(Self { system, conditions, opening: fitness.opening, seed, jobs, interrupts, loss_set })
    }

    /// How the individuals of a generation did; none if the user has ended it.
    pub(super) fn judge(&self, config: &Config, generation: u32, values: &[&[f64]]) -> Option<Vec<Judged>> {
        let games = config.fitness.games;
        let tallies = match config.fitness.by {
            Contest::RoundRobin => self.round_robin(Purpose::Games, generation, values, games)?,
            Contest::MonteCarlo => self.monte_carlo(generation, values, games)?,
            Contest::Loss => return self.losses(values),
        };
        Some(tallies.into_iter().map(Judged::from).collect())
    }

    /// The structural minimax loss of everyone, negated: more is better.
    fn losses(&self, values: &[&[f64]]) -> Option<Vec<Judged>> {
        let (set, contestants) = (self.loss_set.as_ref()?, self.contestants(values));
        self.each(contestants.len(), |_, at| {
            let loss = set.loss(self.conditions.depth.into(), &|board| contestants[at].value(board));
            Judged { games: None, fitness: -loss }
        })
    }

    /// Everyone against everyone.
    pub(super) fn round_robin(
        &self,
        purpose: Purpose,
        generation: u32,
        values: &[&[f64]],
        games: u32,
    ) -> Option<Vec<WinDrawLoss>> {
        let contestants = self.contestants(values);
        let count = contestants.len();
        let pairings: Vec<_> =
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect();
        let pairs = games as usize / 2;
        let results = self.each(pairings.len() * pairs, |arena, at| {
            let (one, other) = pairings[at / pairs];
            let dice = dice(self.seed, purpose, generation, at);
            self.pair(arena, &contestants[one], QuickPlayer::Evaluator(&contestants[other]), dice)
        })?;
        let mut tallies = vec![WinDrawLoss::default(); count];
        for (&(one, other), results) in pairings.iter().zip(results.chunks(pairs)) {
            let tally = sum(results);
            tallies[one] = tallies[one] + tally;
            tallies[other] = tallies[other] + tally.reversed();
        }
        Some(tallies)
    }

    /// Everyone against a random mover, whose chance is the same for all of them.
    fn monte_carlo(&self, generation: u32, values: &[&[f64]], games: u32) -> Option<Vec<WinDrawLoss>> {
        let contestants = self.contestants(values);
        let pairs = games as usize / 2;
        let results = self.each(contestants.len() * pairs, |arena, at| {
            let dice = dice(self.seed, Purpose::Games, generation, at % pairs);
            self.pair(arena, &contestants[at / pairs], QuickPlayer::Random, dice)
        })?;
        Some(results.chunks(pairs).map(sum).collect())
    }

    /// One individual against another.
    pub(super) fn duel(
        &self,
        purpose: Purpose,
        generation: u32,
        [one, other]: [&[f64]; 2],
        games: u32,
    ) -> Option<WinDrawLoss> {
        self.round_robin(purpose, generation, &[one, other], games).map(|tallies| tallies[0])
    }

    fn contestants(&self, values: &[&[f64]]) -> Vec<TunedEvaluator> {
        values.iter().map(|values| self.system.contestant(values, self.conditions.rules)).collect()
    }

    /// Two games from one opening with colours swapped.
    fn pair(
        &self,
        arena: &mut QuickGames,
        contestant: &TunedEvaluator,
        opponent: QuickPlayer,
        mut dice: Random,
    ) -> WinDrawLoss {
        let plies = match opponent {
            QuickPlayer::Evaluator(_) => self.opening.max(LEAST_OPENING),
            QuickPlayer::Random => self.opening,
        };
        let begin = opening(plies, &mut dice);
        let one = QuickPlayer::Evaluator(contestant);
        let mut tally = WinDrawLoss::default();
        tally.count(GameResult::of_margin(arena.play(one, opponent, begin, &mut dice)));
        tally.count(GameResult::of_margin(-arena.play(opponent, one, begin, &mut dice)));
        tally
    }

    /// What all numbers up to some give, in order, several at a time; none if the user has ended it.
    fn each<T: Send>(
        &self,
        count: usize,
        act: impl Fn(&mut QuickGames, usize) -> T + Sync,
    ) -> Option<Vec<T>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut arena = QuickGames::new(self.conditions);
            let mut found = Vec::new();
            while !self.interrupts.is_raised() {
                let at = next.fetch_add(1, Relaxed);
                if at >= count {
                    break;
                }
                found.push((at, act(&mut arena, at)));
            }
            found
        };
        let mut found: Vec<(usize, T)> = thread::scope(|scope| {
            let others: Vec<_> = (1..self.jobs.min(count)).map(|_| scope.spawn(work)).collect();
            let mut found = work();
            for other in others {
                found.extend(other.join().expect("games do not panic"));
            }
            found
        });
        found.sort_by_key(|&(at, _)| at);
        (found.len() == count).then(|| found.into_iter().map(|(_, result)| result).collect())
    }
}

fn sum(tallies: &[WinDrawLoss]) -> WinDrawLoss {
    tallies.iter().fold(WinDrawLoss::default(), |sum, &tally| sum + tally)
}
