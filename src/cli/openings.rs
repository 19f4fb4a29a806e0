//! `ollehto openings`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::numbers;
use crate::rules::Rules;
use crate::training::balanced_openings;

use super::{RulesArgument, resumable_file};

/// Find balanced openings by our own search
#[derive(Debug, Args)]
pub(super) struct OpeningsArguments {
    /// Who wins: reversed, the fewest discs, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// How long the openings are
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = numbers::whole::<u8, _>(1..=9))]
    plies: u8,
    /// How deep each is searched
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u8, _>(1..=60))]
    depth: u8,
    /// Keep those whose value lies within so many discs of a draw
    #[arg(long, value_name = "DISCS", default_value = "1", value_parser = numbers::discs)]
    within: u16,
    /// Look at so many of them only, drawn by the seed
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u32, _>(1..))]
    sample: Option<u32>,
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Positions searched at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: u16,
    /// Where values are kept; the file of `ollehto book build` will do
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    values: Option<PathBuf>,
    /// Look only at what that file has at this depth, and search nothing
    #[arg(long, requires = "values")]
    known: bool,
}

impl OpeningsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let Self { plies, depth, within, sample, seed, jobs, values, known, .. } = self;
        let (rules, jobs) = (Rules::from(self.rules), jobs.into());
        let (within, sample) = (f64::from(within) / 100.0, sample.map(|count| count as usize));
        let hunt = balanced_openings::Hunt { rules, plies, depth, within, sample, seed, jobs, values, known };
        balanced_openings::run(&hunt, output)
    }
}
