//! `ollehto lab judge`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use super::super::resumable_file;
use super::WorkArguments;
use crate::lab::judge::{self, JudgeSet, JudgeSetOptions};
use crate::numbers;
use crate::rules::Rules;
use crate::selectivity::Selectivity;

#[derive(Debug, Subcommand)]
pub(super) enum JudgeArguments {
    /// Judge moves of many positions by deep searches
    ///
    /// Positions come from games of varied strength. Each has up to six moves with values: exact near the end of the
    /// game, else by a deep search. Positions are written as they are finished, all numbers of empty squares in turn:
    /// after Ctrl-C or a kill, run the same command to continue; more can be added later.
    ///
    ///   ollehto lab judge make --rules reversed --out reversed.judge
    #[command(verbatim_doc_comment)]
    Make {
        /// Rules: reversed (the fewest discs win) or standard (the most)
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: Rules,
        /// Empty squares of the positions, separated by commas
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = judge::BANDS, value_parser = numbers::whole::<u8, _>(2..=56))]
        empties: Vec<u8>,
        /// Positions for each number of empty squares
        #[arg(long, value_name = "N", default_value_t = 170, value_parser = numbers::whole::<u32, _>(1..=1_000_000))]
        positions: u32,
        /// Most moves of a position: a good one and others at random
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(2..=64))]
        siblings: u8,
        /// Most empty squares after a move with which it is solved
        #[arg(long, value_name = "N", default_value_t = 23, value_parser = numbers::whole::<u8, _>(0..=30))]
        exact: u8,
        /// Search depth of the others, after the move
        #[arg(long, value_name = "N", default_value_t = 18, value_parser = numbers::whole::<u8, _>(1..=40))]
        depth: u8,
        /// Confidence of selective cuts in the last iteration, in percent: 73, 95, 99, or 100 for no cuts
        #[arg(long, value_name = "N", default_value = "95", value_parser = confidence)]
        confidence: Selectivity,
        /// Output file, extended if it exists
        #[arg(long, value_name = "FILE", value_parser = resumable_file())]
        out: PathBuf,
        #[command(flatten)]
        work: WorkArguments,
    },
}

fn confidence(text: &str) -> Result<Selectivity, &'static str> {
    let percent = text.parse().ok().and_then(Selectivity::from_percent);
    percent.ok_or("expected 73, 95, 99 or 100")
}

impl JudgeArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Make {
                rules,
                empties: bands,
                positions: families,
                siblings,
                exact,
                depth,
                confidence,
                out,
                work,
            } => {
                let judged = judge::make(&JudgeSetOptions {
                    rules,
                    bands,
                    families,
                    siblings,
                    exact,
                    depth,
                    confidence,
                    seed: work.seed,
                    jobs: work.jobs(),
                    out: out.clone(),
                })?;
                let set = JudgeSet::load(&out)?;
                writeln!(
                    output,
                    "{}: {} positions, {} moves ({judged} positions new)",
                    out.display(),
                    set.families().count(),
                    set.positions()
                )?;
            }
        }
        Ok(())
    }
}
