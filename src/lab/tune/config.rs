//! What to tune and how, as a TOML file says it.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TuneError;
use super::genome::Space;
use crate::arena::opponents::parameters::{Parameter, System};
use crate::lab::loss;
use crate::rules::Rules;

/// A run of `ollehto tune`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Whose parameters.
    pub system: System,
    /// Who wins.
    #[serde(default)]
    pub rules: Goal,
    /// How better ones are found.
    #[serde(default)]
    pub method: Method,
    /// What chance is drawn from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How many generations.
    pub generations: u32,
    /// How many individuals each has.
    pub population: usize,
    /// Names of parameters, or what names begin with, that keep their untuned values.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Values that parameters have for good.
    #[serde(default)]
    pub fixed: BTreeMap<String, f64>,
    /// Known individuals that the first generation has; all others are drawn.
    #[serde(default)]
    pub include: Vec<Known>,
    /// What individuals are judged by.
    pub fitness: Fitness,
    /// What is peculiar to genetic algorithms.
    #[serde(default)]
    pub genetic: Option<Genetic>,
    /// What is peculiar to CMA-ES.
    #[serde(default)]
    pub cma_es: Option<CmaEs>,
    /// Games of the best against a known individual, now and then.
    #[serde(default)]
    pub yardstick: Option<Yardstick>,
    /// The round robin at the end.
    #[serde(default, rename = "final")]
    pub last: Final,
}

/// Who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The fewest discs.
    #[default]
    Reversed,
    /// The most.
    Standard,
}

impl From<Goal> for Rules {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Reversed => Self::Reversed,
            Goal::Standard => Self::Standard,
        }
    }
}

/// How better individuals are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Breeding.
    #[default]
    Genetic,
    /// Drawing from a normal distribution that adapts.
    CmaEs,
}

/// An individual that is there before anything is tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// See [`System::untuned`].
    Untuned,
    /// See [`System::published`].
    Published,
}

impl Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Untuned => "untuned",
            Self::Published => "published",
        })
    }
}

impl Known {
    /// Its values.
    fn values(self, system: System) -> Result<Vec<f64>, String> {
        match self {
            Self::Untuned => Ok(system.untuned()),
            Self::Published => system
                .published()
                .ok_or_else(|| format!("{system} has no published values, some are lost: only \"untuned\"")),
        }
    }
}

/// What individuals are judged by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitness {
    /// The kind of contest.
    pub by: Contest,
    /// Games of two individuals in a round robin, of an individual otherwise: an even number, half with each colour.
    #[serde(default = "two")]
    pub games: u32,
    /// How deep individuals search: the plies of the estimate where the loss decides, and those of a move in games.
    pub depth: u8,
    /// How many moves drawn at random a game begins with; at least four where two individuals meet, whose games would
    /// all be the same otherwise.
    #[serde(default = "eight")]
    pub opening: u8,
    /// From so many empty squares on both sides play perfectly.
    pub exact: u8,
    /// The positions with true values that the loss is taken on.
    #[serde(default)]
    pub file: Option<PathBuf>,
}

/// The kind of contest that individuals are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contest {
    /// Everyone plays everyone.
    RoundRobin,
    /// Everyone plays a random mover.
    MonteCarlo,
    /// The structural minimax loss: the less the fitter.
    Loss,
}

/// What is peculiar to genetic algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Genetic {
    /// So many of the best live on.
    pub elite: usize,
    /// So many of the best have children.
    pub parents: usize,
    /// What a child has of whom.
    pub crossover: Crossover,
    /// The probability that a binary digit is flipped, or a real number moved.
    pub mutation: f64,
    /// How far a real number moves, as a part of its range: the standard deviation.
    #[serde(default = "tenth")]
    pub sigma: f64,
}

/// What a child has of its first parent, and what of its second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Chance decides for each parameter.
    Uniform,
    /// The parameters before some point are the first one's, the others the second one's.
    OnePoint,
}

/// What is peculiar to CMA-ES.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEs {
    /// How far the first generation is spread, as a part of the ranges: the standard deviation.
    pub sigma: f64,
}

/// Games of the best of a generation against a known individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Yardstick {
    /// Whom it plays.
    pub against: Known,
    /// How many games, an even number.
    pub games: u32,
    /// In every so manieth generation.
    pub every: u32,
}

/// The round robin of the best of the last generation, which finds the best of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Final {
    /// How many play.
    pub candidates: usize,
    /// Games of two of them, an even number.
    pub games: u32,
}

impl Default for Final {
    fn default() -> Self {
        Self { candidates: 8, games: 100 }
    }
}

const fn one() -> u64 {
    1
}

const fn two() -> u32 {
    2
}

const fn eight() -> u8 {
    8
}

const fn tenth() -> f64 {
    0.1
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or says something that makes no sense: the error names the line or the key, and what is
    /// allowed.
    pub fn load(path: &Path) -> Result<Self, TuneError> {
        let text = fs::read_to_string(path).map_err(|error| TuneError::File(path.to_owned(), error))?;
        Self::parse(&text).map_err(|problem| TuneError::Config(path.to_owned(), problem))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), String> {
        within("generations", self.generations, 1..=1_000_000)?;
        within("population", self.population, 2..=1000)?;
        within("fitness.depth", self.fitness.depth, 1..=10)?;
        within("fitness.opening", self.fitness.opening, 0..=40)?;
        within("fitness.exact", self.fitness.exact, 0..=16)?;
        even("fitness.games", self.fitness.games)?;
        if self.fitness.by == Contest::Loss {
            within("fitness.depth", self.fitness.depth, 1..=loss::MOST_PLIES as u8)?;
        }
        if (self.fitness.by == Contest::Loss) != self.fitness.file.is_some() {
            return Err(
                "fitness.file belongs to by = \"loss\": a file that `ollehto lab loss make` has written"
                    .into(),
            );
        }
        match (self.method, &self.genetic, &self.cma_es) {
            (Method::Genetic, Some(genetic), None) => genetic.check(self.population)?,
            (Method::CmaEs, None, Some(CmaEs { sigma })) => within("cma-es.sigma", *sigma, 1e-6..=1.0)?,
            (Method::Genetic, None, _) => return Err("a table [genetic] is missing".into()),
            (Method::CmaEs, _, None) => return Err("a table [cma-es] is missing".into()),
            (Method::Genetic, ..) => return Err("[cma-es] is for method = \"cma-es\" only".into()),
            (Method::CmaEs, ..) => return Err("[genetic] is for method = \"genetic\" only".into()),
        }
        if self.method == Method::CmaEs {
            within("population", self.population, 4..=1000)?;
        }
        if let Some(yardstick) = &self.yardstick {
            even("yardstick.games", yardstick.games)?;
            within("yardstick.every", yardstick.every, 1..=1_000_000)?;
            yardstick
                .against
                .values(self.system)
                .map_err(|problem| format!("yardstick.against: {problem}"))?;
        }
        within("final.candidates", self.last.candidates, 1..=1000)?;
        even("final.games", self.last.games)?;
        within("include", self.include.len(), 0..=self.population)?;
        self.included()?;
        self.space().map(drop)
    }

    /// The individuals that the first generation has.
    ///
    /// # Errors
    /// If one is not there.
    pub fn included(&self) -> Result<Vec<Vec<f64>>, String> {
        let values = |known: &Known| known.values(self.system);
        self.include
            .iter()
            .map(values)
            .collect::<Result<_, _>>()
            .map_err(|problem| format!("include: {problem}"))
    }

    /// The values of the individual that the yardstick has the best play, with how often.
    #[must_use]
    pub fn yardstick(&self) -> Option<(Yardstick, Vec<f64>)> {
        let yardstick = self.yardstick?;
        Some((yardstick, yardstick.against.values(self.system).ok()?))
    }

    /// What is tuned, and the values of what is not.
    ///
    /// # Errors
    /// If something is to be kept or fixed that is not there, or nothing is left.
    pub(super) fn space(&self) -> Result<Space, String> {
        let (system, parameters) = (self.system, self.system.parameters());
        let unknown = |key: &str, name: &str| {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            format!("{key}: {system} has no parameter '{name}'; it has {}", names.join(", "))
        };
        let (mut free, mut kept) = (vec![true; parameters.len()], system.untuned());
        for name in &self.keep {
            let is_meant = |parameter: &Parameter| {
                let rest = parameter.name.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let meant: Vec<_> = (0..free.len()).filter(|&at| is_meant(&parameters[at])).collect();
            if meant.is_empty() {
                return Err(unknown("keep", name));
            }
            meant.into_iter().for_each(|at| free[at] = false);
        }
        for (name, &value) in &self.fixed {
            let at = parameters.iter().position(|parameter| parameter.name == *name);
            let at = at.ok_or_else(|| unknown("fixed", name))?;
            parameters[at].check(value).map_err(|problem| format!("fixed: {problem}"))?;
            (free[at], kept[at]) = (false, value);
        }
        if !free.contains(&true) {
            return Err("keep and fixed leave nothing to tune".into());
        }
        let domains = parameters.into_iter().map(|parameter| parameter.domain).collect();
        Ok(Space { domains, free, kept })
    }

    /// What the outcome depends on, in a line. More generations only add to it.
    ///
    /// # Panics
    /// Never: a configuration is plain data.
    #[must_use]
    pub fn settings(&self) -> serde_json::Value {
        let mut value = serde_json::to_value(self).expect("plain data");
        if let Some(settings) = value.as_object_mut() {
            settings.remove("generations");
        }
        value
    }
}

impl Genetic {
    fn check(&self, population: usize) -> Result<(), String> {
        within("genetic.elite", self.elite, 0..=population - 1)?;
        within("genetic.parents", self.parents, 2..=population)?;
        within("genetic.mutation", self.mutation, 0.0..=1.0)?;
        within("genetic.sigma", self.sigma, 1e-6..=1.0)
    }
}

fn within<T: PartialOrd + Display>(key: &str, value: T, range: RangeInclusive<T>) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(format!("{key} = {value}: a number from {} to {}", range.start(), range.end()))
}

fn even(key: &str, games: u32) -> Result<(), String> {
    if games > 0 && games.is_multiple_of(2) && games <= 1_000_000 {
        return Ok(());
    }
    Err(format!("{key} = {games}: an even number from 2 to 1000000, half of the games with each colour"))
}

/// Where a run leaves its files if nothing else is said: a folder named after the configuration.
#[must_use]
pub fn folder_of(config: &Path) -> PathBuf {
    PathBuf::from(config.file_stem().unwrap_or(config.as_os_str()))
}

#[cfg(test)]
mod tests;
