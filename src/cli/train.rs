//! `ollehto train`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{ForceArgument, resumable_file};
use crate::numbers;
use crate::rules::Rules;
use crate::training::parallel;
use crate::training::train::fit::RidgeSettings;
use crate::training::train::samples::LabelMix;
use crate::training::train::{self, TrainOptions};

/// Fit the weights of the evaluation to games of `ollehto selfplay`
///
/// Stages are fitted from the end of the game backwards, by ridge regression. One game in twenty is held out for
/// validation; its error is shown for each stage. After Ctrl-C or a kill, run the same command to continue.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TrainArguments {
    /// Files of recorded games, the oldest first
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,
    /// Rules of the games
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Weights file
    #[arg(long, short, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgument,
    /// Use only solved positions of all but so many of the last files
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<usize, _>(0..))]
    recent: usize,
    /// Weights to start from; rarely seen patterns stay near their starting value
    #[arg(long, value_name = "FILE")]
    begin: Option<PathBuf>,
    /// Positions that a weight needs to get half of its least-squares value, for each square disc of noise
    #[arg(long, value_name = "X", default_value = "1.6", value_parser = numbers::weight)]
    ridge: f32,
    /// Most passes over the positions of a stage; 0 measures the weights of --begin and changes nothing
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::whole::<u32, _>(0..))]
    passes: u32,
    /// Passes without a better validation error after which a stage ends
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::whole::<u32, _>(1..))]
    patience: u32,
    /// Weight of the recorded value of a search beside the result of the game, from 0 to 1
    ///
    /// Only for positions that have one. Before a detour of `ollehto selfplay` the recorded value counts alone.
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = numbers::part)]
    value_mix: f32,
    /// Weight of the value of a later position beside the result, from 0 to 1, where no search was recorded
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = numbers::part)]
    mix: f32,
    /// How many positions later
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(4..=30))]
    ahead: u8,
    /// Random seed of the validation games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=256))]
    threads: Option<u16>,
    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
}

impl TrainArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let report = train::run(&TrainOptions {
            rules: self.rules,
            records: self.records,
            recent: self.recent,
            begin: self.begin,
            settings: RidgeSettings {
                ridge: self.ridge,
                noise: 1.0,
                anchored: false,
                passes: self.passes,
                patience: self.patience,
                threads: parallel::threads(self.threads),
            },
            labels: LabelMix { value_mix: self.value_mix, mix: self.mix, ahead: self.ahead },
            seed: self.seed,
            output: self.output,
            force: self.force.force,
        })?;
        if self.json {
            serde_json::to_writer(&mut *output, &report)?;
            writeln!(output)?;
        } else {
            write!(output, "{report}")?;
        }
        Ok(())
    }
}
