//! `ollehto fit-probcut`.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use crate::files::output::{Destination, Outputs};
use crate::numbers;
use crate::rules::Rules;
use crate::training::fit_probcut::{self, FitOptions};
use crate::training::parallel;

use super::{ForceArgument, WeightsArgument, parse_weights, resumable_file};

/// Fit the error models of the selective search to our own games
///
/// Searches positions of our own games, half of them a random move further on, to every depth and fits how deep values
/// differ from shallow ones, for each rule set and band of four empty squares. Positions with 13 to 24 empty squares are
/// also solved, to fit the result of the game. The models are a source file of the search; tables of their quality go to
/// standard error. After Ctrl-C or a kill, run the same command to continue.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct FitArguments {
    /// Fit to games by these rules only, and keep the models in use for the others
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Rules>,
    /// Positions for each rule set and band; more can be added later
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = numbers::whole::<u32, _>(3..=1_000_000))]
    positions: u32,
    /// Deepest search; the errors of deeper ones are extrapolated
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = numbers::whole::<u8, _>(6..=30))]
    depth: u8,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Search threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: Option<u16>,
    /// Log of searched values
    #[arg(long, value_name = "FILE", default_value = "probcut-samples.txt", value_parser = resumable_file())]
    samples: PathBuf,
    /// Fit to the weights in a file, or `hand-made`, instead of the shipped weights
    #[arg(long, value_name = "FILE", value_parser = parse_weights)]
    weights: Option<WeightsArgument>,
    /// Source file of the models; - for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    output: Destination,
    #[command(flatten)]
    force: ForceArgument,
}

impl FitArguments {
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let inputs = self.weights.iter().map(|weights| &weights.file).chain([&self.samples]);
        let models = Outputs::new(self.force.force).with_inputs(inputs).claim(self.output)?;
        let report = fit_probcut::run(&FitOptions {
            rules: self.rules,
            positions: self.positions as usize,
            depth: self.depth,
            seed: self.seed,
            jobs: parallel::threads(self.jobs),
            samples: self.samples,
            weights: self.weights.map(|weights| weights.evaluation).unwrap_or_default(),
        })?;
        eprint!("{}", report.quality);
        models.write(report.source)?;
        Ok(())
    }
}
