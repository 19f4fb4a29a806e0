//! `ollehto lab judge`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;

use super::super::{ForceArgument, resumable_file};
use super::{OutputArguments, WorkArguments};
use crate::files::output::{ClaimedOutput, Destination, Outputs};
use crate::lab::evaluations::SHIPPED;
use crate::lab::judge::{self, JudgeExperiment, JudgeSet, JudgeSetOptions};
use crate::numbers;
use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::training::parallel;

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
    /// Error and move ordering of evaluations and shallow searches on such a set
    ///
    ///   ollehto lab judge report reversed.judge --evaluation shipped --evaluation mine.weights --depth 0,2,4
    #[command(verbatim_doc_comment)]
    Report {
        /// A file of `ollehto lab judge make`
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// An evaluation: shipped, hand-made or a weights file; again for more [default: shipped]
        #[arg(long = "evaluation", value_name = "NAME")]
        evaluations: Vec<String>,
        /// Values by another program, lines as `ollehto lab judge positions` prints them; again for more
        #[arg(long, value_name = "FILE")]
        values: Vec<PathBuf>,
        /// Search depths after the move, separated by commas; 0 for the evaluation itself
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [0, 2, 4, 6, 8], value_parser = numbers::whole::<u8, _>(0..=30))]
        depth: Vec<u8>,
        /// Search without selective cuts
        #[arg(long)]
        full_width: bool,
        /// Threads [default: one for each processor]
        #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
        jobs: Option<u16>,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Prove that such a set shares no position with recorded games
    ///
    /// Looks for all its positions, in any orientation, in all games by the same rules, from the first move to the last.
    /// Fails if there is one. After some twelve moves games meet by chance: --out writes the set without those positions,
    /// which passes the check then.
    ///
    ///   ollehto lab judge check all.judge games/*.olg --out reversed.judge
    #[command(verbatim_doc_comment)]
    Check {
        /// A file of `ollehto lab judge make`
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Files of recorded games
        #[arg(value_name = "GAMES", required = true)]
        games: Vec<PathBuf>,
        /// Write the set without the parents that share a position, or have a move to a shared one
        #[arg(long, value_name = "FILE")]
        out: Option<Destination>,
        #[command(flatten)]
        force: ForceArgument,
    },
    /// Print the positions of such a set with their values in discs for the side to move
    Positions {
        /// A file of `ollehto lab judge make`
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(super) fn confidence(text: &str) -> Result<Selectivity, &'static str> {
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
            Self::Report { file, evaluations, values, depth: depths, full_width, jobs, output: to } => {
                let inputs =
                    evaluations.iter().map(PathBuf::from).chain(values.clone()).chain([file.clone()]);
                let to = to.claim(inputs)?;
                let set = JudgeSet::load(&file)?;
                let by_default = evaluations.is_empty() && values.is_empty();
                let evaluations = if by_default { vec![SHIPPED.to_owned()] } else { evaluations };
                let jobs = parallel::threads(jobs);
                let experiment = JudgeExperiment { evaluations, values, depths, full_width, jobs };
                to.write(&[judge::report(&set, &experiment)?], output)?;
            }
            Self::Check { file, games, out, force } => {
                let inputs = games.iter().chain([&file]);
                let mut outputs = Outputs::new(force.force).with_inputs(inputs);
                let out = out.map(|out| outputs.claim(out)).transpose()?;
                let set = JudgeSet::load(&file)?;
                let overlap = judge::overlap(&set, &games)?;
                if !out.as_ref().is_some_and(ClaimedOutput::is_stdout) {
                    write!(output, "{}", overlap.sheet(&set))?;
                }
                match out {
                    Some(out) => out.write(set.text_without(|key| overlap.shared.contains_key(&key)))?,
                    None => overlap.check(&set)?,
                }
            }
            Self::Positions { file } => {
                write!(output, "{}", judge::positions_text(&JudgeSet::load(&file)?))?;
            }
        }
        Ok(())
    }
}
