//! `ollehto lab`.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, Subcommand};

use crate::tools::lab::{Sheet, chart, evaluations, loss, sheet};

use super::RulesArgument;

/// Repeat the experiments of the founding reports, by the right rules
///
/// Each prints tables with our figures, the number of samples and 95 % intervals, and what the reports say beside them.
/// The same seed gives the same figures, but where a clock is asked for. docs/laboratory.md tells what was found.
///
///   ollehto lab loss make --out reversed.loss
///   ollehto lab loss report reversed.loss
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LabArguments {
    #[command(subcommand)]
    experiment: Experiment,
}

/// Where the tables go besides standard output.
#[derive(Debug, Args)]
struct OutputArguments {
    /// Write the tables as JSON to a file, or instead of the tables to standard output with -
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables as comma-separated values to a file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the tables that are curves into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl OutputArguments {
    fn write(&self, sheets: &[Sheet], output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let file = |path: &Path, text: String| {
            fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        if let Some(path) = &self.csv {
            file(path, sheet::csv(sheets))?;
        }
        if let Some(path) = &self.svg {
            file(path, chart::svg(sheets.iter().filter_map(Sheet::chart)))?;
        }
        match &self.json {
            Some(path) if path == Path::new("-") => {
                writeln!(output, "{}", sheet::json(sheets))?;
                return Ok(());
            }
            Some(path) => file(path, format!("{}\n", sheet::json(sheets)))?,
            None => {}
        }
        let tables: Vec<_> = sheets.iter().map(ToString::to_string).collect();
        write!(output, "{}", tables.join("\n"))?;
        Ok(())
    }
}

#[derive(Debug, Args)]
struct WorkArguments {
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many things are worked on at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl WorkArguments {
    fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// Structural minimax loss: how far evaluations are from the truth over whole trees
    Loss {
        #[command(subcommand)]
        what: LossArguments,
    },
}

#[derive(Debug, Subcommand)]
enum LossArguments {
    /// Make a set of positions with the true values of every position some plies below them
    ///
    /// Positions come from our own games, values from the solver. Trees are kept as they are solved: after Ctrl-C or a
    /// kill the same command goes on where it was, and more positions can be added later.
    ///
    ///   ollehto lab loss make --empties 12 --positions 300 --out reversed.loss
    #[command(verbatim_doc_comment)]
    Make {
        /// Who wins: reversed, the fewest discs, or standard, the most
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: RulesArgument,
        /// How many positions
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
        positions: u32,
        /// How many squares they have empty
        #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u8).range(4..=30))]
        empties: u8,
        /// How many plies below them values are known
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=6))]
        depth: u8,
        /// The file that they are added to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        work: WorkArguments,
    },
    /// Tell what evaluations lose on such a set
    ///
    ///   ollehto lab loss report reversed.loss --evaluation shipped --evaluation mine.weights --svg loss.svg
    #[command(verbatim_doc_comment)]
    Report {
        /// A file that `ollehto lab loss make` has made
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// An evaluation by name, or a file of weights; again for more [default: all by name]
        #[arg(long = "evaluation", value_name = "NAME")]
        evaluations: Vec<String>,
        /// The most plies of an estimate
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=loss::MOST_PLIES as i64))]
        plies: u8,
        /// Evaluations at a time [default: one for each processor]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        jobs: Option<u16>,
        #[command(flatten)]
        output: OutputArguments,
    },
}

impl LabArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self.experiment {
            Experiment::Loss { what } => run_loss(what, output),
        }
    }
}

fn run_loss(what: LossArguments, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    match what {
        LossArguments::Make { rules, positions, empties, depth, out, work } => {
            let solved = loss::make(&loss::Making {
                rules: rules.into(),
                positions: positions as usize,
                empties,
                depth,
                seed: work.seed,
                jobs: work.jobs(),
                out: out.clone(),
            })?;
            let set = loss::LossSet::load(&out)?;
            writeln!(
                output,
                "{}: {} positions, {} nodes ({solved} positions new)",
                out.display(),
                set.roots().len(),
                set.nodes()
            )?;
        }
        LossArguments::Report { file, evaluations: names, plies, jobs, output: to } => {
            let set = loss::LossSet::load(&file)?;
            let names =
                if names.is_empty() { evaluations::names().map(String::from).collect() } else { names };
            let jobs = WorkArguments { seed: 0, jobs }.jobs();
            to.write(&[loss::report(&set, &names, plies.into(), jobs)?], output)?;
        }
    }
    Ok(())
}
