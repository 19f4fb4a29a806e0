//! `ollehto openings`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::numbers;
use crate::rules::Rules;
use crate::training::balanced_openings;

use super::resumable_file;

/// Find balanced openings by our own search
#[derive(Debug, Args)]
pub(super) struct OpeningsArguments {
    /// Rules: reversed (the fewest discs win) or standard (the most)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Plies of an opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = numbers::whole::<u8, _>(1..=9))]
    plies: u8,
    /// Search depth
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u8, _>(1..=60))]
    depth: u8,
    /// Greatest distance from a draw, in discs
    #[arg(long, value_name = "DISCS", default_value = "1", value_parser = numbers::discs)]
    within: u16,
    /// Search only so many of them, drawn by the seed
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u32, _>(1..))]
    sample: Option<u32>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: u16,
    /// Log of searched values, such as that of `ollehto book build`
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    values: Option<PathBuf>,
    /// Use only openings that the log has at this depth, and search nothing
    #[arg(long, requires = "values")]
    known: bool,
}

impl OpeningsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let Self { plies, depth, within, sample, seed, jobs, values, known, .. } = self;
        let (rules, jobs) = (self.rules, jobs.into());
        let (within, sample) = (f64::from(within) / 100.0, sample.map(|count| count as usize));
        let options = balanced_openings::OpeningsOptions {
            rules,
            plies,
            depth,
            within,
            sample,
            seed,
            jobs,
            values,
            known,
        };
        Ok(balanced_openings::run(&options, output)?)
    }
}
