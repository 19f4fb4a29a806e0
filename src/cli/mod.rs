//! The command line: options, subcommands, logging and the exit code.

mod book;
mod engine;
mod fit;
mod lab;
mod referee;
mod selfplay;
mod solve;
mod train;
mod tune;
mod weights;

use std::error::Error;
use std::io;
use std::iter;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::board::Size;
use crate::rules::Rules;
use crate::tools;

pub use engine::converse_over;

use book::BookArguments;
use engine::EngineArguments;
use fit::FitArguments;
use lab::LabArguments;
use referee::{ComplianceArguments, MatchArguments, OpeningsArguments, ReportArguments};
use selfplay::{RecordsArguments, SelfplayArguments};
use solve::SolveArguments;
use train::TrainArguments;
use tune::TuneArguments;
use weights::WeightsArguments;

/// Plays Reversed Reversi (the fewest discs win) and Othello over GTP or NBoard on standard input and output.
///
/// Without a subcommand it waits for commands, one a line; `help` lists them in GTP. The protocol is told by the first
/// line unless --protocol names it. A move is limited by the tightest of clock, time, depth, nodes and level; if none
/// is set it takes one second.
#[derive(Debug, Parser)]
#[command(name = "ollehto", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Count the ends of all games of so many plies, a pass being a ply
    Perft {
        /// How many plies
        #[arg(value_parser = clap::value_parser!(u8).range(1..))]
        depth: u8,
        /// Squares on a side of the board: 4, 6 or 8
        #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
        size: Size,
    },
    /// Search fixed positions to a fixed depth and print how many positions that took: the signature of the search
    Bench {
        /// Only by these rules
        #[arg(long, value_enum, value_name = "RULES")]
        rules: Option<RulesArgument>,
        /// How many plies
        #[arg(long, value_name = "N", default_value_t = tools::bench::DEPTH, value_parser = clap::value_parser!(u8).range(1..=60))]
        depth: u8,
    },
    // The help of these is that of their arguments: a line here would hide all but the first of it.
    Solve(SolveArguments),
    Match(MatchArguments),
    Report(ReportArguments),
    Openings(OpeningsArguments),
    Book(BookArguments),
    FitProbcut(FitArguments),
    Train(TrainArguments),
    Selfplay(SelfplayArguments),
    Records(RecordsArguments),
    Weights(WeightsArguments),
    Tune(TuneArguments),
    Lab(LabArguments),
    Compliance(ComplianceArguments),
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulesArgument {
    Reversed,
    Standard,
}

impl From<RulesArgument> for Rules {
    fn from(argument: RulesArgument) -> Self {
        match argument {
            RulesArgument::Reversed => Self::Reversed,
            RulesArgument::Standard => Self::Standard,
        }
    }
}

fn parse_size(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::from_side)
        .ok_or_else(|| "the board can have 4, 6 or 8 squares on a side".into())
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let environment = env_logger::Env::new().filter_or("OLLEHTO_LOG", "warn");
    env_logger::Builder::from_env(environment).target(env_logger::Target::Stderr).init();
    match run(arguments) {
        Ok(code) => code,
        // Nobody reads our output any more: there is nothing to complain about, and nobody to complain to.
        Err(error) if is_broken_pipe(error.as_ref()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ollehto: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let output = &mut io::stdout();
    match arguments.tool {
        None => engine::converse(&arguments.engine)?,
        Some(Tool::Perft { depth, size }) => tools::perft::run(depth, size, output)?,
        Some(Tool::Bench { rules, depth }) => tools::bench::run(rules.map(Rules::from), depth, output)?,
        Some(Tool::Solve(arguments)) => return arguments.run(output),
        Some(Tool::Match(arguments)) => return arguments.run(output),
        Some(Tool::Report(arguments)) => arguments.run(output)?,
        Some(Tool::Openings(arguments)) => arguments.run(output)?,
        Some(Tool::Book(arguments)) => arguments.run(output)?,
        Some(Tool::FitProbcut(arguments)) => arguments.run(output)?,
        Some(Tool::Train(arguments)) => arguments.run(output)?,
        Some(Tool::Selfplay(arguments)) => return arguments.run(),
        Some(Tool::Records(arguments)) => arguments.run(output)?,
        Some(Tool::Weights(arguments)) => arguments.run(output)?,
        Some(Tool::Tune(arguments)) => return arguments.run(output),
        Some(Tool::Lab(arguments)) => arguments.run(output)?,
        Some(Tool::Compliance(arguments)) => return arguments.run(output),
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether an error comes down to a pipe that nobody reads.
fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut causes = iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(parse_size("6"), Ok(Size::Six));
        assert!(parse_size("7").is_err() && parse_size("x").is_err());
    }
}
