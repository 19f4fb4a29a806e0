//! `ollehto lab loss`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use super::super::resumable_file;
use super::{OutputArguments, WorkArguments, or_all};
use crate::lab::evaluations;
use crate::lab::loss::{self, LossSet};
use crate::numbers;
use crate::rules::Rules;
use crate::training::parallel;

#[derive(Debug, Subcommand)]
pub(super) enum LossArguments {
    /// Solve a set of positions and the trees below them
    ///
    /// Positions come from our own games. Trees are written as they are solved: after Ctrl-C or a kill, run the same
    /// command to continue; more positions can be added later.
    ///
    ///   ollehto lab loss make --empties 12 --positions 300 --out reversed.loss
    #[command(verbatim_doc_comment)]
    Make {
        /// Rules: reversed (the fewest discs win) or standard (the most)
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: Rules,
        /// Positions
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = numbers::whole::<u32, _>(2..=1_000_000))]
        positions: u32,
        /// Empty squares of the positions
        #[arg(long, value_name = "N", default_value_t = 14, value_parser = numbers::whole::<u8, _>(4..=30))]
        empties: u8,
        /// Depth of the trees
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = numbers::whole::<u8, _>(0..=6))]
        depth: u8,
        /// Output file, extended if it exists
        #[arg(long, value_name = "FILE", value_parser = resumable_file())]
        out: PathBuf,
        #[command(flatten)]
        work: WorkArguments,
    },
    /// Loss of evaluations on such a set
    ///
    ///   ollehto lab loss report reversed.loss --evaluation shipped --evaluation mine.weights --svg loss.svg
    #[command(verbatim_doc_comment)]
    Report {
        /// A file of `ollehto lab loss make`
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// An evaluation by name, or a weights file; again for more [default: all by name]
        #[arg(long = "evaluation", value_name = "NAME")]
        evaluations: Vec<String>,
        /// Most plies of an estimate
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = numbers::whole::<u8, _>(0..=loss::MOST_PLIES as u8))]
        plies: u8,
        /// Threads [default: one for each processor]
        #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
        jobs: Option<u16>,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Value of single features on such a set, alone and with the others held equal
    Worth {
        /// A file of `ollehto lab loss make`
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
}

impl LossArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Make { rules, positions, empties, depth, out, work } => {
                let solved = loss::make(&loss::LossSetOptions {
                    rules,
                    positions: positions as usize,
                    empties,
                    depth,
                    seed: work.seed,
                    jobs: work.jobs(),
                    out: out.clone(),
                })?;
                let set = LossSet::load(&out)?;
                writeln!(
                    output,
                    "{}: {} positions, {} nodes ({solved} positions new)",
                    out.display(),
                    set.roots().len(),
                    set.nodes()
                )?;
            }
            Self::Worth { file, work, output: to } => {
                let to = to.claim([&file])?;
                to.write(&[loss::worth(&LossSet::load(&file)?, work.seed)], output)?;
            }
            Self::Report { file, evaluations: names, plies, jobs, output: to } => {
                let inputs = names.iter().map(PathBuf::from).chain([file.clone()]);
                let to = to.claim(inputs)?;
                let set = LossSet::load(&file)?;
                let names = or_all(names, evaluations::names());
                let jobs = parallel::threads(jobs);
                to.write(&[loss::report(&set, &names, plies.into(), jobs)?], output)?;
            }
        }
        Ok(())
    }
}
