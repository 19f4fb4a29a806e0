//! `ollehto train`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

use clap::Args;

use super::{ForceArgument, RulesArgument, resumable_file};
use crate::numbers;
use crate::training::train::fit::Settings;
use crate::training::train::samples::Labels;
use crate::training::train::{self, Training};

/// Learn the weights of the evaluation from recorded games
///
/// Takes games that `ollehto selfplay` has played.
///
/// The stages of the game are fitted one after the other, from its end backwards, each by ridge regression on all its
/// positions. One game in twenty is held out; what the weights leave unexplained of those is shown for each stage. After
/// a kill or Ctrl-C the same command goes on with the stage it was at.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TrainArguments {
    /// Files of recorded games, the oldest first
    #[arg(required = true, value_name = "RECORDS")]
    records: Vec<PathBuf>,
    /// Learn from games by these rules
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// Where the weights go
    #[arg(long, short, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgument,
    /// Use only positions with true values of all but so many of the last files
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<usize, _>(0..))]
    recent: usize,
    /// Weights to begin with; those that few positions speak for stay near them
    #[arg(long, value_name = "FILE")]
    begin: Option<PathBuf>,
    /// How many positions have to speak for a weight before it gets half of what they say, for each square disc that is
    /// left unexplained
    #[arg(long, value_name = "X", default_value = "1.6", value_parser = numbers::weight)]
    ridge: f32,
    /// At most so many passes over the positions of a stage; 0 measures the weights of --begin and changes nothing
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::whole::<u32, _>(0..))]
    passes: u32,
    /// End a stage after so many passes that made nothing better
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::whole::<u32, _>(1..))]
    patience: u32,
    /// How much the value of a later position counts beside the result of the game, from 0 to 1
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = numbers::part)]
    mix: f32,
    /// How many positions later
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(4..=30))]
    ahead: u8,
    /// What draws the games that are held out
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Threads at work [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=256))]
    threads: Option<u16>,
    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
}

impl TrainArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let report = train::run(&Training {
            rules: self.rules.into(),
            records: self.records,
            recent: self.recent,
            begin: self.begin,
            settings: Settings {
                ridge: self.ridge,
                noise: 1.0,
                anchored: false,
                passes: self.passes,
                patience: self.patience,
                threads: self.threads.map_or_else(processors, usize::from),
            },
            labels: Labels { mix: self.mix, ahead: self.ahead },
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
