//! The configuration of a run, a TOML file.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TuneError;
use crate::arena::opponents::parameters::Domain;
use crate::arena::opponents::parameters::{Parameter, System};
use crate::lab::loss;
use crate::rules::Rules;

/// The domains of all parameters, which of them are free, and the values of the others.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) domains: Vec<Domain>,
    pub(super) free: Vec<bool>,
    pub(super) kept: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    pub system: System,
    #[serde(default, with = "rules_name")]
    pub rules: Rules,
    #[serde(default)]
    pub method: OptimizerKind,
    #[serde(default = "one")]
    pub seed: u64,
    pub generations: u32,
    pub population: usize,
    /// Parameters, or prefixes of their names, that keep their untuned values.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Values of parameters that are not tuned.
    #[serde(default)]
    pub fixed: BTreeMap<String, f64>,
    /// Individuals of the first generation; all others are drawn.
    #[serde(default)]
    pub include: Vec<Baseline>,
    pub fitness: Fitness,
    #[serde(default)]
    pub genetic: Option<GeneticConfig>,
    #[serde(default)]
    pub cma_es: Option<CmaEsConfig>,
    #[serde(default)]
    pub yardstick: Option<Yardstick>,
    /// The round robin at the end.
    #[serde(default, rename = "final")]
    pub last: FinalConfig,
}

/// `reversed` or `standard`.
mod rules_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::rules::Rules;

    pub(super) fn serialize<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(rules.word())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimizerKind {
    #[default]
    Genetic,
    CmaEs,
}

/// An individual that needs no tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// See [`System::untuned`].
    Untuned,
    /// See [`System::published`].
    Published,
}

impl Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Untuned => "untuned",
            Self::Published => "published",
        })
    }
}

impl Baseline {
    fn values(self, system: System) -> Result<Vec<f64>, String> {
        match self {
            Self::Untuned => Ok(system.untuned()),
            Self::Published => system
                .published()
                .ok_or_else(|| format!("{system} has no published values, some are lost: only \"untuned\"")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitness {
    pub by: FitnessKind,
    /// Games of a pairing in a round robin, of an individual otherwise; even, half with each colour.
    #[serde(default = "two")]
    pub games: u32,
    /// Search depth in games; plies of the estimate for the loss.
    pub depth: u8,
    /// Random moves at the start; at least 4 between two individuals, whose games would otherwise be the same.
    #[serde(default = "eight")]
    pub opening: u8,
    /// Empty squares from which both sides play perfectly.
    pub exact: u8,
    /// The solved trees for the loss.
    #[serde(default)]
    pub file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitnessKind {
    RoundRobin,
    /// Against a random mover.
    MonteCarlo,
    /// The structural minimax loss, negated.
    Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneticConfig {
    /// How many of the best survive.
    pub elite: usize,
    /// How many of the best have children.
    pub parents: usize,
    pub crossover: Crossover,
    /// The probability that a bit flips, or a real number moves.
    pub mutation: f64,
    /// Standard deviation of a move of a real number, as a part of its range.
    #[serde(default = "tenth")]
    pub sigma: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Each parameter from either parent.
    Uniform,
    /// Parameters before some point from the first parent, the others from the second.
    OnePoint,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEsConfig {
    /// Initial step size, as a part of the ranges.
    pub sigma: f64,
}

/// Games of the best of a generation against a known individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Yardstick {
    pub against: Baseline,
    /// Even.
    pub games: u32,
    /// Every so many generations.
    pub every: u32,
}

/// The round robin of the best of the last generation, which finds the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinalConfig {
    pub candidates: usize,
    /// Games of a pairing, even.
    pub games: u32,
}

impl Default for FinalConfig {
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
    /// # Errors
    /// If the file cannot be read, or a value is out of range; the error names the line or the key.
    pub fn load(path: &Path) -> Result<Self, TuneError> {
        let text = fs::read_to_string(path).map_err(|error| TuneError::File(path.to_owned(), error))?;
        Self::parse(&text).map_err(|problem| TuneError::Config(path.to_owned(), problem))
    }

    /// # Errors
    /// In words, with the line or the key.
    pub fn parse(text: &str) -> Result<Self, String> {
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
        if self.fitness.by == FitnessKind::Loss {
            within("fitness.depth", self.fitness.depth, 1..=loss::MOST_PLIES as u8)?;
        }
        if (self.fitness.by == FitnessKind::Loss) != self.fitness.file.is_some() {
            return Err(
                "fitness.file belongs to by = \"loss\": a file that `ollehto lab loss make` has written"
                    .into(),
            );
        }
        match (self.method, &self.genetic, &self.cma_es) {
            (OptimizerKind::Genetic, Some(genetic), None) => genetic.check(self.population)?,
            (OptimizerKind::CmaEs, None, Some(CmaEsConfig { sigma })) => {
                within("cma-es.sigma", *sigma, 1e-6..=1.0)?
            }
            (OptimizerKind::Genetic, None, _) => return Err("a table [genetic] is missing".into()),
            (OptimizerKind::CmaEs, _, None) => return Err("a table [cma-es] is missing".into()),
            (OptimizerKind::Genetic, ..) => return Err("[cma-es] is for method = \"cma-es\" only".into()),
            (OptimizerKind::CmaEs, ..) => return Err("[genetic] is for method = \"genetic\" only".into()),
        }
        if self.method == OptimizerKind::CmaEs {
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

    /// The given individuals of the first generation.
    ///
    /// # Errors
    /// If one has no published values.
    pub fn included(&self) -> Result<Vec<Vec<f64>>, String> {
        let values = |known: &Baseline| known.values(self.system);
        self.include
            .iter()
            .map(values)
            .collect::<Result<_, _>>()
            .map_err(|problem| format!("include: {problem}"))
    }

    /// The yardstick with the values of its individual.
    #[must_use]
    pub fn yardstick(&self) -> Option<(Yardstick, Vec<f64>)> {
        let yardstick = self.yardstick?;
        Some((yardstick, yardstick.against.values(self.system).ok()?))
    }

    /// # Errors
    /// If `keep` or `fixed` names an unknown parameter, or nothing is left to tune.
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

    /// Everything that the result depends on but the number of generations, which can grow.
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

impl GeneticConfig {
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

/// The default folder of a run: named after its configuration.
#[must_use]
pub fn folder_of(config: &Path) -> PathBuf {
    PathBuf::from(config.file_stem().unwrap_or(config.as_os_str()))
}

#[cfg(test)]
mod tests;
