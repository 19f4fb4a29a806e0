//! `ollehto lab`.

mod loss;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::files::output::{Destination, Output, OutputError, Outputs};
use crate::lab::breadth::{self, Breadth};
use crate::lab::colour::{self, Colours};
use crate::lab::depth::{self, Depths};
use crate::lab::features::{self, Features};
use crate::lab::games::Limit;
use crate::lab::generations;
use crate::lab::loss::LossSet;
use crate::lab::measures::{self, Measures};
use crate::lab::speed::{self, Speed};
use crate::lab::tree::{self, Tree};
use crate::lab::win_rate::{self, WinRate};
use crate::lab::{self, Sheet, chart, sheet};
use crate::numbers;

use super::{ForceArgument, RulesArgument};
use loss::LossArguments;

/// Repeat the experiments of the founding reports, by the right rules
///
/// Each prints tables with our figures, the number of samples and 95 % intervals, and what the reports say beside them.
/// The same seed gives the same figures, but where a clock is asked for. docs/laboratory.md tells what was found.
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

/// Where the tables go besides standard output.
#[derive(Debug, Args)]
struct OutputArguments {
    /// Write the tables as JSON to a file, or instead of the tables to standard output with -
    #[arg(long, value_name = "FILE")]
    json: Option<Destination>,
    /// Write the tables as comma-separated values to a file, or to standard output with -
    #[arg(long, value_name = "FILE")]
    csv: Option<Destination>,
    /// Draw the tables into a file, or to standard output with -
    #[arg(long, value_name = "FILE")]
    svg: Option<Destination>,
    #[command(flatten)]
    force: ForceArgument,
}

/// The outputs of an experiment, known to be free before it begins.
struct SheetOutputs {
    json: Option<Output>,
    csv: Option<Output>,
    svg: Option<Output>,
}

impl OutputArguments {
    /// Asks for the outputs of an experiment that reads these files; evaluations may be named, which are none.
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
        if !all.into_iter().flatten().any(Output::is_stdout) {
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
            svg.write(chart::svg(sheets))?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
struct WorkArguments {
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// How many things are worked on at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
    jobs: Option<u16>,
}

impl WorkArguments {
    fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// What a player may spend on a move.
#[derive(Debug, Args)]
struct LimitArguments {
    /// Nodes that a player may visit for a move
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = numbers::whole::<u64, _>(1..))]
    nodes: u64,
    /// Seconds a move instead of nodes; the figures depend on the machine then
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
    /// How many moves there are to choose from, by discs on the board, under random and under strong play
    Breadth {
        /// Games of random moves
        #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = numbers::whole::<u64, _>(2..))]
        games: u64,
        /// Games of the engine against itself, for each rule set
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<u64, _>(2..))]
        strong: u64,
        /// How deep the engine searches in them
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u8, _>(1..=30))]
        depth: u8,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// How large the trees of minimax, alpha-beta, ordering and table are, by depth and discs on the board
    Tree {
        /// Who wins: reversed, the fewest discs, or standard, the most
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: RulesArgument,
        /// The evaluation that trees are searched with, by name or a file of weights
        #[arg(long, value_name = "NAME", default_value = "maximax")]
        evaluation: String,
        /// Numbers of discs on the board, with commas between them
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [4, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60], value_parser = numbers::whole::<u32, _>(4..=63))]
        discs: Vec<u32>,
        /// Depths, with commas between them
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [2, 4, 6], value_parser = numbers::whole::<u8, _>(1..=12))]
        depths: Vec<u8>,
        /// Positions of random games for each number of discs
        #[arg(long, value_name = "N", default_value_t = 40, value_parser = numbers::whole::<u64, _>(2..))]
        positions: u64,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Which evaluation that looks at a single feature wins, and with which sign
    Features {
        /// Pairs of games for each pairing
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// How deep both sides search
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = numbers::whole::<u8, _>(1..=10))]
        depth: u8,
        /// Random plies that every opening has
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u32, _>(0..=40))]
        plies: u32,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// The four measures of strength for all players, and how well each foretells a match
    ///
    /// Round robin, Monte-Carlo win rate against a random mover that plays the last 12 plies perfectly, structural
    /// minimax loss, and the depth of one search in equal nodes.
    Measures {
        /// A set of true values that `ollehto lab loss make` has made; its rules are those of all games
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
        /// Pairs of games for each pairing of the match that is to be foretold
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u32, _>(1..))]
        match_pairs: u32,
        /// How many times the limit of a move the players have in that match
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u32, _>(1..=1000))]
        match_factor: u32,
        /// Nodes for the search of equal nodes
        #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = numbers::whole::<u64, _>(1..))]
        depth_nodes: u64,
        /// Positions for it with each of 20, 30, 40 and 50 discs
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = numbers::whole::<u32, _>(2..))]
        positions: u32,
        #[command(flatten)]
        limit: LimitArguments,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// How deep players look within the same limit, and whether deeper is better
    Depth {
        /// Who wins: reversed, the fewest discs, or standard, the most
        #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
        rules: RulesArgument,
        /// A player: ollehto or a named opponent; again for more [default: those that deepen]
        #[arg(long = "player", value_name = "NAME")]
        players: Vec<String>,
        /// Numbers of discs on the board, with commas between them
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [20, 30, 40, 50], value_parser = numbers::whole::<u32, _>(4..=63))]
        discs: Vec<u32>,
        /// Positions of our own games for each of them
        #[arg(long, value_name = "N", default_value_t = 25, value_parser = numbers::whole::<u32, _>(2..))]
        positions: u32,
        /// Pairs of games of every depth against the one before
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// An evaluation for them, by name or a file of weights; again for more [default: maximax, ga-minimax, staged,
        /// shipped]
        #[arg(long = "evaluation", value_name = "NAME")]
        evaluations: Vec<String>,
        /// The deepest of them
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = numbers::whole::<u8, _>(2..=10))]
        deepest: u8,
        #[command(flatten)]
        limit: LimitArguments,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Monte-Carlo win rate of weights without a search: the reports', ours, and others
    ///
    /// Each set of weights of maximax plays one ply ahead against a random mover, both sides perfect in the last 12 plies.
    WinRate {
        /// Pairs of games for each set of weights
        #[arg(long, value_name = "N", default_value_t = 500, value_parser = numbers::whole::<u32, _>(1..))]
        pairs: u32,
        /// More weights of maximax: a file of `ollehto tune`; again for more
        #[arg(long = "weights", value_name = "FILE")]
        weights: Vec<String>,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// How fast the reports' searches are here, and how many moves would take too long
    ///
    /// The nodes follow from the seed; the times depend on the machine.
    Speed {
        /// The depth of the searches whose speed is compared
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=12))]
        depth: u8,
        /// Positions with 30 discs of our own games for them
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
    /// How the generations of a run of `ollehto tune` went, beside the ranks that a report tells of
    Generations {
        /// The generations.csv of the run
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Who wins under strong play of both rule sets, by how much, and what happens on the way; the winner's corners and stable discs
    Colour {
        /// Games for each rule set
        #[arg(long, value_name = "N", default_value_t = 1000, value_parser = numbers::whole::<u64, _>(2..))]
        games: u64,
        /// How deep both sides search
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=30))]
        depth: u8,
        /// Random moves that each game begins with
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(0..=40))]
        plies: u8,
        #[command(flatten)]
        work: WorkArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Structural minimax loss: how far evaluations are from the truth over whole trees
    Loss {
        #[command(subcommand)]
        what: LossArguments,
    },
}

/// For experiments that read no files.
const NO_INPUTS: [PathBuf; 0] = [];

impl LabArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let (sheets, to) = match self.experiment {
            Experiment::Loss { what } => return what.run(output),
            Experiment::Breadth { games, strong, depth, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (breadth::run(&Breadth { games, strong, depth, seed: work.seed, jobs: work.jobs() }), to)
            }
            Experiment::Tree { rules, evaluation, discs, depths, positions, work, output: to } => {
                let to = to.claim([&evaluation])?;
                let rules = rules.into();
                let (seed, jobs) = (work.seed, work.jobs());
                (tree::run(&Tree { rules, evaluation, discs, depths, positions, seed, jobs })?, to)
            }
            Experiment::Features { pairs, depth, plies, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (features::run(&Features { pairs, depth, plies, seed: work.seed, jobs: work.jobs() }), to)
            }
            Experiment::Colour { games, depth, plies, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                (colour::run(&Colours { games, depth, plies, seed: work.seed, jobs: work.jobs() }), to)
            }
            Experiment::WinRate { pairs, weights, work, output: to } => {
                let to = to.claim(&weights)?;
                let (seed, jobs) = (work.seed, work.jobs());
                (vec![win_rate::run(&WinRate { pairs, weights, seed, jobs })?], to)
            }
            Experiment::Speed { depth, positions, games, work, output: to } => {
                let to = to.claim(NO_INPUTS)?;
                let (positions, seed, jobs) = (positions as usize, work.seed, work.jobs());
                (speed::run(&Speed { depth, positions, games, seed, jobs })?, to)
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
                let measures = Measures {
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
                let depths = Depths {
                    rules: rules.into(),
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
