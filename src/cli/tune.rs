//! `ollehto tune`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::resumable_file;
use crate::lab::tune::config::folder_of;
use crate::lab::tune::{self, TuneOptions};
use crate::numbers;
use crate::terminal::interrupts::EXIT_CODE;
use crate::training::parallel;

/// Tune the weights of a named opponent
///
/// A genetic algorithm or CMA-ES over the parameters of ga-minimax or maximax, configured by a TOML file. Fitness comes
/// from games at a fixed depth. The folder gets every individual (history.jsonl), a table and a plot of all generations
/// (generations.csv, fitness.svg) and the winner of a last round robin (best.toml), for matches: --player
/// ga-minimax,weights=best.toml. After Ctrl-C or a kill, --resume continues and leaves the same files, with any number of
/// jobs.
///
///   ollehto tune training/tune/ga-minimax.toml --out bred
///
/// The file:
///
///   system = "ga-minimax"         # or "maximax"
///   method = "genetic"            # or "cma-es"
///   rules = "reversed"            # or "standard"
///   seed = 1
///   generations = 3000
///   population = 60
///   keep = ["moves-late"]         # parameters, or prefixes of names, that are not tuned
///   include = ["untuned"]         # individuals of the first generation; all others are drawn
///
///   [fixed]                       # values of parameters that are not tuned
///   stability = 218
///
///   [fitness]
///   by = "round-robin"            # or "monte-carlo", against a random mover, or "loss", without games
///   file = "reversed.loss"        # only for "loss": what `ollehto lab loss make` has written
///   games = 2                     # of a pairing; of each one against the random mover
///   depth = 1                     # search depth; plies of the estimate for "loss"
///   opening = 8                   # random moves
///   exact = 8                     # empty squares from which both sides play perfectly
///
///   [genetic]
///   elite = 30                    # how many of the best survive
///   parents = 30                  # how many of the best have children
///   crossover = "uniform"         # or "one-point"
///   mutation = 0.01               # of a bit, or of a real number
///   sigma = 0.1                   # standard deviation, as a part of the range
///
///   [cma-es]                      # instead of [genetic]
///   sigma = 0.3                   # initial step size, as a part of the ranges
///
///   [yardstick]                   # the best plays a known individual now and then
///   against = "untuned"           # or "published"
///   games = 100
///   every = 10
///
///   [final]                       # the round robin at the end
///   candidates = 8
///   games = 100
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TuneArguments {
    /// The configuration
    #[arg(value_name = "CONFIG.toml")]
    config: PathBuf,
    /// Output folder [default: named after the configuration]
    #[arg(long, short, value_name = "DIR", value_parser = resumable_file())]
    out: Option<PathBuf>,
    /// Continue the run in the folder
    #[arg(long)]
    resume: bool,
    /// Replace other files of the same names in the folder; a history is never replaced
    #[arg(long)]
    force: bool,
    /// Games played in parallel [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
    jobs: Option<u16>,
}

impl TuneArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let report = tune::run(&TuneOptions {
            out: self.out.unwrap_or_else(|| folder_of(&self.config)),
            config: self.config,
            resume: self.resume,
            force: self.force,
            jobs: parallel::threads(self.jobs),
        })?;
        write!(output, "{report}")?;
        Ok(if report.interrupted { ExitCode::from(EXIT_CODE) } else { ExitCode::SUCCESS })
    }
}
