//! The named parameters of opponents: `ollehto tune` optimises them, and a match can replace them.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs, io};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Size;
use crate::engine::Search;
use crate::rules::Rules;

use super::features::{SQUARE_CLASSES, SquareClassValues};
use super::ga_minimax::{self, GaMinimax, PeriodWeights};
use super::maximax::{self, Maximax, MaximaxEvaluator};
use super::player::OpponentSearcher;
use super::quick_games::TunedEvaluator;

/// A named opponent whose evaluation has parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// `ga-minimax`: two maps of squares, two of moves, stability, frontier and discs in two periods.
    GaMinimax,
    /// `maximax`: ten costs of squares and the mix of three terms in two stages.
    Maximax,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As in files.
    pub name: String,
    pub domain: Domain,
}

impl Parameter {
    /// Returns the value.
    ///
    /// # Errors
    /// If the value is not in the domain.
    pub fn check(&self, value: f64) -> Result<f64, ParameterError> {
        let Self { name, domain } = self;
        if domain.nearest(value) == value {
            return Ok(value);
        }
        Err(ParameterError::Domain { name: name.clone(), value, domain: *domain })
    }
}

#[derive(Debug, Error)]
pub enum ParameterError {
    #[error("not all values of {0} were published")]
    NotPublished(System),
    #[error("no costs of {0} alone were published")]
    NoPublishedCosts(System),
    #[error("{path}: {error}")]
    File { path: String, error: Box<Self> },
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    #[error("these are values of {found}, not of {wanted}")]
    OtherSystem { found: System, wanted: System },
    #[error("{system} has no parameter '{name}'; it has {known}")]
    Unknown { system: System, name: String, known: String },
    #[error("the parameter '{0}' is missing")]
    Missing(String),
    #[error("{name} = {value}: {domain}")]
    Domain { name: String, value: f64, domain: Domain },
}

/// The values that a parameter can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// `low` to `low + 2^bits − 1`, whole numbers.
    Binary {
        low: i32,
        bits: u32,
    },
    Real {
        low: f64,
        high: f64,
    },
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.bounds();
        let number = if matches!(self, Self::Binary { .. }) { "a whole number" } else { "a number" };
        write!(f, "{number} from {low} to {high}")
    }
}

impl Domain {
    /// Lowest and highest value.
    #[must_use]
    pub fn bounds(self) -> (f64, f64) {
        match self {
            Self::Binary { low, bits } => (low.into(), f64::from(low) + f64::from((1_u32 << bits) - 1)),
            Self::Real { low, high } => (low, high),
        }
    }

    /// The nearest value that is allowed.
    #[must_use]
    pub fn nearest(self, value: f64) -> f64 {
        let (low, high) = self.bounds();
        match self {
            // Adding zero turns minus zero into zero.
            Self::Binary { .. } => value.round().clamp(low, high) + 0.0,
            Self::Real { .. } => value.clamp(low, high),
        }
    }
}

/// Values of a map: one for each of the ten classes of squares.
const MAP: usize = SQUARE_CLASSES.len();

/// The maps of `ga-minimax`, in the order of its values; scalars follow.
const GA_MAPS: [&str; 4] = ["squares-early", "squares-late", "moves-early", "moves-late"];
const GA_SCALARS: [&str; 4] = ["frontier-early", "frontier-late", "discs-early", "discs-late"];

/// The report has seven bits for each number, and eight for stability.
const GA_NUMBER: Domain = Domain::Binary { low: -64, bits: 7 };
const GA_STABILITY: Domain = Domain::Binary { low: 0, bits: 8 };

const MIX: [&str; 6] =
    ["early-costs", "early-mobility", "early-stability", "late-costs", "late-mobility", "late-stability"];
const COST: Domain = Domain::Real { low: -20.0, high: 20.0 };
const PART: Domain = Domain::Real { low: 0.0, high: 1.0 };

impl System {
    pub const ALL: [Self; 2] = [Self::GaMinimax, Self::Maximax];

    /// Of the named opponent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GaMinimax => "ga-minimax",
            Self::Maximax => "maximax",
        }
    }

    /// In the order of the values.
    #[must_use]
    pub fn parameters(self) -> Vec<Parameter> {
        let map = |map: &'static str, domain| {
            SQUARE_CLASSES.map(|kind| Parameter { name: format!("{map}-{kind}"), domain }).into_iter()
        };
        let scalar = |name: &&str, domain| Parameter { name: (*name).to_owned(), domain };
        match self {
            Self::GaMinimax => GA_MAPS
                .into_iter()
                .flat_map(|name| map(name, GA_NUMBER))
                .chain([scalar(&"stability", GA_STABILITY)])
                .chain(GA_SCALARS.iter().map(|name| scalar(name, GA_NUMBER)))
                .collect(),
            Self::Maximax => map("cost", COST).chain(MIX.iter().map(|name| scalar(name, PART))).collect(),
        }
    }

    /// Values before tuning. `ga-minimax`: those that the report has, and placeholders for the others. `maximax`: the same
    /// cost for all squares and the same weight for the three terms.
    #[must_use]
    pub fn untuned(self) -> Vec<f64> {
        match self {
            Self::GaMinimax => ga_values(&ga_minimax::UNTUNED),
            Self::Maximax => vec![1.0; MAP + MIX.len()],
        }
    }

    /// The values of the report, if it gives them all.
    #[must_use]
    pub fn published(self) -> Option<Vec<f64>> {
        match self {
            Self::GaMinimax => None,
            Self::Maximax => Some(maximax_values(&maximax::PUBLISHED)),
        }
    }

    /// The values of the report's first run, which tuned the costs of squares alone.
    #[must_use]
    pub fn published_costs(self) -> Option<Vec<f64>> {
        match self {
            Self::GaMinimax => None,
            Self::Maximax => Some(maximax_values(&maximax::PUBLISHED_COSTS)),
        }
    }

    /// The values that `untuned`, `published` and `published-costs` stand for, or those of a file.
    ///
    /// # Errors
    /// If there are none, or the file cannot be read or is another system's.
    pub fn named(self, source: &str) -> Result<Vec<f64>, ParameterError> {
        match source {
            "untuned" => Ok(self.untuned()),
            "published" => self.published().ok_or(ParameterError::NotPublished(self)),
            "published-costs" => self.published_costs().ok_or(ParameterError::NoPublishedCosts(self)),
            path => self
                .load(Path::new(path))
                .map_err(|error| ParameterError::File { path: path.to_owned(), error: Box::new(error) }),
        }
    }

    fn load(self, path: &Path) -> Result<Vec<f64>, ParameterError> {
        let file: ParameterFile = toml::from_str(&fs::read_to_string(path)?)?;
        if file.system != self {
            return Err(ParameterError::OtherSystem { found: file.system, wanted: self });
        }
        file.values()
    }

    /// The named opponent with other values.
    #[must_use]
    pub fn searcher(self, values: &[f64]) -> Box<dyn Search> {
        match self {
            Self::GaMinimax => {
                let weights = ga_weights(values);
                Box::new(OpponentSearcher::with_factory(move |rules, size| {
                    GaMinimax::with(&weights, rules, size)
                }))
            }
            Self::Maximax => {
                let weights = maximax_weights(values);
                Box::new(OpponentSearcher::with_factory(move |rules, size| {
                    Maximax::with(&weights, rules, size)
                }))
            }
        }
    }

    /// Its evaluation with these values, for quick games.
    #[must_use]
    pub fn contestant(self, values: &[f64], rules: Rules) -> TunedEvaluator {
        let size = Size::Eight;
        match self {
            Self::GaMinimax => GaMinimax::with(&ga_weights(values), rules, size).into(),
            Self::Maximax => MaximaxEvaluator::with(&maximax_weights(values), rules, size).into(),
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The values of one map.
fn map_values(values: &[f64], map: usize) -> SquareClassValues {
    std::array::from_fn(|kind| values[map * MAP + kind] as i32)
}

fn ga_weights(values: &[f64]) -> ga_minimax::GaMinimaxWeights {
    let maps: [SquareClassValues; GA_MAPS.len()] = std::array::from_fn(|map| map_values(values, map));
    let [stability, scalars @ ..]: [i32; 1 + GA_SCALARS.len()] =
        std::array::from_fn(|n| values[GA_MAPS.len() * MAP + n] as i32);
    let period = |at: usize| PeriodWeights {
        squares: maps[at],
        moves: maps[2 + at],
        frontier: scalars[at],
        discs: scalars[2 + at],
    };
    ga_minimax::GaMinimaxWeights { early: period(0), late: period(1), stability }
}

fn ga_values(weights: &ga_minimax::GaMinimaxWeights) -> Vec<f64> {
    let ga_minimax::GaMinimaxWeights { early, late, stability } = weights;
    let maps = [early.squares, late.squares, early.moves, late.moves].into_iter().flatten();
    let scalars = [*stability, early.frontier, late.frontier, early.discs, late.discs];
    maps.chain(scalars).map(f64::from).collect()
}

fn maximax_weights(values: &[f64]) -> maximax::MaximaxWeights {
    let part = |from: usize| std::array::from_fn(|n| values[from + n]);
    maximax::MaximaxWeights {
        costs: std::array::from_fn(|n| values[n]),
        early: part(MAP),
        late: part(MAP + 3),
    }
}

fn maximax_values(weights: &maximax::MaximaxWeights) -> Vec<f64> {
    weights.costs.into_iter().chain(weights.early).chain(weights.late).collect()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterFile {
    pub system: System,
    pub parameters: BTreeMap<String, f64>,
}

impl ParameterFile {
    /// The values in order.
    ///
    /// # Errors
    /// If one is missing, unknown or outside of its domain.
    pub fn values(&self) -> Result<Vec<f64>, ParameterError> {
        let parameters = self.system.parameters();
        let system = self.system;
        let known = |name: &&String| parameters.iter().any(|parameter| parameter.name == **name);
        if let Some(name) = self.parameters.keys().find(|name| !known(name)) {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            return Err(ParameterError::Unknown { system, name: name.clone(), known: names.join(", ") });
        }
        let value = |parameter: &Parameter| {
            let name = &parameter.name;
            let &value = self.parameters.get(name).ok_or_else(|| ParameterError::Missing(name.clone()))?;
            parameter.check(value)
        };
        parameters.iter().map(value).collect()
    }

    /// Values are in the order of the parameters.
    #[must_use]
    pub fn new(system: System, values: &[f64]) -> Self {
        let names = system.parameters().into_iter().map(|parameter| parameter.name);
        Self { system, parameters: names.zip(values.iter().copied()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_weights_in_order() {
        let numbers: Vec<f64> = (0..45).map(f64::from).collect();
        assert_eq!(ga_values(&ga_weights(&numbers)), numbers);
        let numbers: Vec<f64> = (0..16).map(f64::from).collect();
        assert_eq!(maximax_values(&maximax_weights(&numbers)), numbers);
    }

    #[test]
    fn known_values_are_allowed() {
        for system in System::ALL {
            let parameters = system.parameters();
            let known = [Some(system.untuned()), system.published(), system.published_costs()];
            for values in known.into_iter().flatten() {
                assert_eq!(values.len(), parameters.len());
                for (parameter, value) in parameters.iter().zip(values) {
                    assert_eq!(parameter.domain.nearest(value), value, "{}", parameter.name);
                }
            }
        }
    }

    #[test]
    fn the_opponent_plays_with_the_tuned_values() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/training/tune/found/ga-minimax.toml");
        assert_eq!(System::GaMinimax.named(file).expect("a file"), ga_values(&ga_minimax::TUNED));
    }

    #[test]
    fn files_are_checked() {
        let file = ParameterFile::new(System::Maximax, &System::Maximax.untuned());
        assert_eq!(file.values().expect("a good file"), System::Maximax.untuned());
        let changed = |name: &str, value: Option<f64>| {
            let mut file = ParameterFile::new(System::GaMinimax, &System::GaMinimax.untuned());
            file.parameters.remove(name);
            file.parameters.extend(value.map(|value| (name.to_owned(), value)));
            file.values().expect_err("wrong").to_string()
        };
        let missing = changed("discs-late", None);
        assert_eq!(missing, "the parameter 'discs-late' is missing");
        let unknown = changed("x", Some(0.0));
        assert!(
            unknown.starts_with("ga-minimax has no parameter 'x'; it has squares-early-a1, "),
            "{unknown}"
        );
        let broken = changed("moves-late-d4", Some(0.5));
        assert_eq!(broken, "moves-late-d4 = 0.5: a whole number from -64 to 63");
        let high = changed("stability", Some(256.0));
        assert_eq!(high, "stability = 256: a whole number from 0 to 255");
    }
}
