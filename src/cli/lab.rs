//! `ollehto lab`.

mod judge;
mod loss;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::files::output::{ClaimedOutput, Destination, OutputError, Outputs};
use crate::lab::breadth::{self, BreadthExperiment};
use crate::lab::colour::{self, ColourExperiment};
use crate::lab::cuts::{self, CutExperiment};
use crate::lab::depth::{self, DepthExperiment};
use crate::lab::features::{self, FeatureExperiment};
use crate::lab::games::Limit;
use crate::lab::generations;
use crate::lab::loss::LossSet;
use crate::lab::measures::{self, MeasureExperiment};
use crate::lab::speed::{self, SpeedExperiment};
use crate::lab::tree::{self, TreeExperiment};
use crate::lab::win_rate::{self, WinRateExperiment};
use crate::lab::{self, Sheet, sheet};
use crate::numbers;
use crate::rules::Rules;
use crate::selectivity::Selectivity;
use crate::training::parallel;

use super::ForceArgument;
use judge::{JudgeArguments, confidence};
use loss::LossArguments;

/// Repeat the experiments of the founding reports under the right rules
///
/// Each prints tables with our figures, sample sizes and 95 % intervals, next to the figures of the reports. The same
/// seed gives the same figures, except with a clock. Results are in docs/laboratory.md.
///
///   ollehto lab breadth --games 100000 --svg breadth.svg
///   ollehto lab features --json -
///   ollehto lab loss make --out reversed.loss
///   ollehto lab loss report reversed.loss
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LabArguments {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Args)]
struct OutputArguments {
    /// Write the tables as JSON; - for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<Destination>,
    /// Write the tables as CSV; - for standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<Destination>,
    /// Draw the tables as SVG; - for standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<Destination>,
    #[command(flatten)]
    force: ForceArgument,
}

struct SheetOutputs {
    json: Option<ClaimedOutput>,
    csv: Option<ClaimedOutput>,
    svg: Option<ClaimedOutput>,
}

impl OutputArguments {
    /// Names of evaluations among the inputs are not files and do no harm.
    fn claim<P: Into<PathBuf>>(
        self,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<SheetOutputs, OutputError> {
        let mut outputs = Outputs::new(self.force.force).with_inputs(inputs);
        let mut claim = |to: Option<Destination>| to.map(|to| outputs.claim(to)).transpose();
        Ok(SheetOutputs { json: claim(self.json)?, csv: claim(self.csv)?, svg: claim(self.svg)? })
    }
}

impl SheetOutputs {
    fn write(&self, sheets: &[Sheet], output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let all = [&self.json, &self.csv, &self.svg];
        if !all.into_iter().flatten().any(ClaimedOutput::is_stdout) {
            let tables: Vec<_> = sheets.iter().map(ToString::to_string).collect();
            write!(output, "{}", tables.join("\n"))?;
        }
        if let Some(json) = &self.json {
            json.write(format!("{}\n", sheet::json(sheets)))?;
        }
        if let Some(csv) = &self.csv {
            csv.write(sheet::csv(sheets))?;
        }
        if let Some(svg) = &self.svg {
            svg.write(sheet::svg(sheets))?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
struct WorkArguments {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
    jobs: Option<u16>,
}

impl WorkArguments {
    fn jobs(&self) -> usize {
        parallel::threads(self.jobs)
    }
}

#[derive(Debug, Args)]
struct LimitArguments {
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = numbers::whole::<u64, _>(1..))]
    nodes: u64,
    /// Seconds a move instead of nodes; the figures then depend on the machine
    #[arg(long, value_name = "SECONDS", value_parser = numbers::time, conflicts_with = "nodes")]
    time: Option<Duration>,
}

impl LimitArguments {
    fn limit(&self) -> Limit {
        self.time.map_or(Limit::Nodes(self.nodes), Limit::Time)
    }
}

#[derive(Debug, Subcommand)]
enum Experiment {
    /// Branching factor by disc count, under random and strong play
    Breadth {
        /// Random games
        #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = numbers::whole::<u64, _>(2..))]
        games: u64,
        /// Self-play games for each rule set
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<u64, _>(2..))]
        strong: u64,
        /// Search depth in these
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u8, _>(1..=30))]
        depth: u8,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Nodes of minimax, alpha-beta, move ordering and transposition table, by depth and disc count
    Tree {
        /// Rules: reversed (the fewest discs win) or standard (the most)
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: Rules,
        /// Evaluation, by name or a weights file
        #[arg(long, value_name = "NAME", default_value = "maximax")]
        evaluation: String,
        /// Disc counts, separated by commas
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [4, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60], value_parser = numbers::whole::<u32, _>(4..=63))]
        discs: Vec<u32>,
        /// Depths, separated by commas
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [2, 4, 6], value_parser = numbers::whole::<u8, _>(1..=12))]
        depths: Vec<u8>,
        /// Positions of random games for each disc count
        #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::whole::<u64, _>(2..))]
        positions: u64,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Matches between single-feature evaluations, and against the same feature with the sign reversed
    Features {
        /// Pairs of games for each pairing
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// Search depth
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::whole::<u8, _>(1..=10))]
        depth: u8,
        /// Random plies of an opening
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u32, _>(0..=40))]
        plies: u32,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Four measures of strength for all players, and how well each predicts a match
    ///
    /// Round robin, Monte-Carlo win rate against a random mover that plays the last 12 plies perfectly, structural
    /// minimax loss, and the depth of one search within equal nodes.
    Measures {
        /// Solved trees of `ollehto lab loss make`; their rules are those of all games
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A player: ollehto or a named opponent; again for more [default: all]
        #[arg(long = "player", value_name = "NAME")]
        players: Vec<String>,
        /// Pairs of games for each pairing of the round robin
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// Pairs of games against the random mover
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = numbers::whole::<u32, _>(1..))]
        random_pairs: u32,
        /// Pairs of games for each pairing of the match to predict
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u32, _>(1..))]
        match_pairs: u32,
        /// Factor on the limit of a move in that match
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u32, _>(1..=1000))]
        match_factor: u32,
        /// Nodes for the depth measure
        #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = numbers::whole::<u64, _>(1..))]
        depth_nodes: u64,
        /// Positions for the depth measure, with each of 20, 30, 40 and 50 discs
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = numbers::whole::<u32, _>(2..))]
        positions: u32,
        #[command(flatten)]
        limit: LimitArguments,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Depth reached within the same limit, and whether deeper is better
    Depth {
        /// Rules: reversed (the fewest discs win) or standard (the most)
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: Rules,
        /// A player: ollehto or a named opponent; again for more [default: those that deepen]
        #[arg(long = "player", value_name = "NAME")]
        players: Vec<String>,
        /// Disc counts, separated by commas
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [20, 30, 40, 50], value_parser = numbers::whole::<u32, _>(4..=63))]
        discs: Vec<u32>,
        /// Positions of our own games for each disc count
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = numbers::whole::<u32, _>(2..))]
        positions: u32,
        /// Pairs of games of each depth against the one below
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// An evaluation for these games, by name or a weights file; again for more [default: maximax, ga-minimax, staged,
        /// shipped]
        #[arg(long = "evaluation", value_name = "NAME")]
        evaluations: Vec<String>,
        /// Deepest search in these games
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = numbers::whole::<u8, _>(2..=10))]
        deepest: u8,
        #[command(flatten)]
        limit: LimitArguments,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Monte-Carlo win rate of weights without a search
    ///
    /// Weights of maximax play one ply ahead against a random mover; both sides play the last 12 plies perfectly.
    WinRate {
        /// Pairs of games for each set of weights
        #[arg(long, value_name = "N", default_value_t = 500, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// More weights of maximax, a file of `ollehto tune`; again for more
        #[arg(long = "weights", value_name = "FILE")]
        weights: Vec<String>,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Speed of the reports' searches, and moves over their time limit
    ///
    /// The nodes follow from the seed; the times depend on the machine.
    Speed {
        /// Search depth
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=12))]
        depth: u8,
        /// Positions of our own games with 30 discs
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = numbers::whole::<u32, _>(2..))]
        positions: u32,
        /// Games for each depth of minimax3
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = numbers::whole::<u32, _>(1..))]
        games: u32,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Generations of a run of `ollehto tune`, next to the ranks in a report
    Generations {
        /// The generations.csv of the run
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Results of strong play by both rule sets: margins, passes, corners and stable discs
    Colour {
        /// Games for each rule set
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<u64, _>(2..))]
        games: u64,
        /// Search depth
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=30))]
        depth: u8,
        /// Random moves at the start of a game
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(0..=40))]
        plies: u8,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Selective cuts: their nodes by depth and nesting, and how often they are wrong
    ///
    /// Searches positions of our own games with 30 to 44 empty squares, with one thread. A check is the shallow search
    /// that a cut relies on. It makes cuts itself, so checks nest. To verify a cut, the node is searched as if it had not
    /// been cut. That leaves the measured search as it is.
    Cuts {
        /// Rules: reversed (the fewest discs win) or standard (the most)
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: Rules,
        /// Search depth
        #[arg(long, value_name = "N", default_value_t = 14, value_parser = numbers::whole::<u8, _>(1..=24))]
        depth: u8,
        /// Positions
        #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::whole::<u32, _>(1..=10_000))]
        positions: u32,
        /// Verify one cut in N of each depth, check and nesting; 0 for none
        #[arg(long, value_name = "N", default_value_t = 16, value_parser = numbers::whole::<u64, _>(0..))]
        verify: u64,
        /// Confidence of cuts below a verified node, in percent: 73 as in the search, 95, 99, or 100 for no cuts
        ///
        /// Cuts below may err as the verified one does: from depth 3 on, 73 finds about half of the wrong cuts that 100
        /// does. 100 takes long beyond depth 10.
        #[arg(long, value_name = "N", default_value = "73", value_parser = confidence)]
        confidence: Selectivity,
        /// Random seed
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
        seed: u64,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Structural minimax loss: the error of evaluations over solved trees
    Loss {
        #[command(subcommand)]
        what: LossArguments,
    },
    /// Error of evaluations and shallow searches against deep values, and how often they order moves rightly
    Judge {
        #[command(subcommand)]
        what: JudgeArguments,
    },
}

const NO_INPUTS: [PathBuf; 0] = [];

impl LabArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let (sheets, to) = match self.experiment {
            Experiment::Loss { what } => return what.run(output),
            Experiment::Judge { what } => return what.run(output),
            Experiment::Breadth { games, strong, depth, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (
                    breadth::run(&BreadthExperiment {
                        games,
                        strong,
                        depth,
                        seed: work.seed,
                        jobs: work.jobs(),
                    }),
                    to,
                )
            }
            Experiment::Tree { rules, evaluation, discs, depths, positions, work, output: to } => {
                let to = to.claim([&evaluation])?;
                let (seed, jobs) = (work.seed, work.jobs());
                (tree::run(&TreeExperiment { rules, evaluation, discs, depths, positions, seed, jobs })?, to)
            }
            Experiment::Features { pairs, depth, plies, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (
                    features::run(&FeatureExperiment {
                        pairs,
                        depth,
                        plies,
                        seed: work.seed,
                        jobs: work.jobs(),
                    }),
                    to,
                )
            }
            Experiment::Colour { games, depth, plies, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (
                    colour::run(&ColourExperiment {
                        games,
                        depth,
                        plies,
                        seed: work.seed,
                        jobs: work.jobs(),
                    }),
                    to,
                )
            }
            Experiment::Cuts { rules, depth, positions, verify, confidence, seed, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                let positions = positions as usize;
                (cuts::run(&CutExperiment { rules, depth, positions, verify, confidence, seed }), to)
            }
            Experiment::WinRate { pairs, weights, work, output: to } => {
                let to = to.claim(&weights)?;
                let (seed, jobs) = (work.seed, work.jobs());
                (vec![win_rate::run(&WinRateExperiment { pairs, weights, seed, jobs })?], to)
            }
            Experiment::Speed { depth, positions, games, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                let (positions, seed, jobs) = (positions as usize, work.seed, work.jobs());
                (speed::run(&SpeedExperiment { depth, positions, games, seed, jobs })?, to)
            }
            Experiment::Generations { file, output: to } => {
                let to = to.claim([&file])?;
                (vec![generations::run(&file)?], to)
            }
            Experiment::Measures {
                file,
                players,
                pairs,
                random_pairs,
                match_pairs,
                match_factor,
                depth_nodes,
                positions,
                limit,
                work,
                output: to,
            } => {
                let to = to.claim([&file])?;
                let set = LossSet::load(&file)?;
                let measures = MeasureExperiment {
                    rules: set.rules(),
                    players: or_all(players, lab::players()),
                    pairs,
                    limit: limit.limit(),
                    match_pairs,
                    match_limit: limit.limit().times(match_factor),
                    random_pairs,
                    nodes: depth_nodes,
                    positions: positions as usize,
                    seed: work.seed,
                    jobs: work.jobs(),
                };
                (measures::run(&measures, &set)?, to)
            }
            Experiment::Depth {
                rules,
                players,
                discs,
                positions,
                pairs,
                evaluations,
                deepest,
                limit,
                work,
                output: to,
            } => {
                let to = to.claim(&evaluations)?;
                let depths = DepthExperiment {
                    rules,
                    players: or_all(players, depth::DEEPENING),
                    discs,
                    positions: positions as usize,
                    limit: limit.limit(),
                    pairs,
                    evaluations: or_all(evaluations, depth::EVALUATIONS),
                    deepest,
                    seed: work.seed,
                    jobs: work.jobs(),
                };
                (depth::run(&depths)?, to)
            }
        };
        to.write(&sheets, output)
    }
}

/// The names given, or all if none are.
fn or_all(names: Vec<String>, all: impl IntoIterator<Item = &'static str>) -> Vec<String> {
    if names.is_empty() { all.into_iter().map(String::from).collect() } else { names }
}
