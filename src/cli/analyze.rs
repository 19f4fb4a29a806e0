//! `ollehto analyze`.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Args;

use crate::analyze::{AnalysisFormat, AnalyzeEnd, AnalyzeOptions, GameSource, run};
use crate::board::Size;
use crate::eval::Evaluation;
use crate::files::output::{ClaimedOutput, Destination, Outputs};
use crate::game_reader::ReadOptions;
use crate::numbers;
use crate::rules::Rules;
use crate::search::{DEFAULT_TIME, Limits};
use crate::terminal::interrupts::EXIT_CODE;

use super::{ForceArgument, parse_size, resumable_file};

/// Analyse games: the value of each move, the best one, and what was lost
///
/// Takes games as moves (f5d6c3, with or without numbers and passes), GGF records or links to the page, and positions (the
/// squares row by row from a1: X black, O white, - empty; then the side to move). Each is a file with any number of them,
/// - for standard input, or the game itself. GGF of type 8a and links tell their rules, other games take --rules.
///
/// For each move: its value and that of the best one for the side that moves, in discs, the loss, a mark (?! inaccuracy, ?
/// mistake, ?? blunder), the depth, and the best line. Values are exact where the position was solved. Below: the moves that
/// turned the game, mean loss, accuracy and blunders by stage for both players.
///
/// The analysis goes backwards through a game. A game with a fault is analysed up to it, and the place is named; the exit
/// code is then 1. Ctrl-C prints what there is; with --resume FILE the same command continues.
///
///   ollehto analyze game.ggf --html game.html
///   ollehto analyze f5d6c3d3c4f4 --time 0.2
///   ollehto analyze games.txt --level 10 --json > moves.jsonl
///   ollehto analyze '-----OX--XO----- X' --stream
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct AnalyzeArguments {
    /// Files of games, - for standard input, or games themselves [default: standard input]
    #[arg(value_name = "GAMES")]
    games: Vec<String>,
    /// Rules of games that do not tell them: reversed (the fewest discs win) or standard (the most) [default: reversed;
    /// standard for GGF without `a` in its type]
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Rules>,
    /// Squares per side of the board of games given as moves: 4, 6 or 8 [default: 8, or by the first move]
    #[arg(long, value_name = "N", value_parser = parse_size)]
    size: Option<Size>,
    /// Seconds for each position [default: 1, unless another limit is set]
    #[arg(long, value_name = "SECONDS", value_parser = numbers::time)]
    time: Option<Duration>,
    /// Depth in plies, endgame included
    #[arg(long, value_name = "N", value_parser = numbers::depth)]
    depth: Option<u8>,
    /// N plies in the midgame, exact from 2N empty squares on (N + 10 from level 10 on)
    #[arg(long, value_name = "N", value_parser = numbers::level)]
    level: Option<u8>,
    /// Show the N best moves of each position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u8, _>(1..=60))]
    multi: u8,
    /// Show the value of one position, or of the last one of a game, depth by depth until it is solved or limited
    #[arg(long, conflicts_with_all = ["ggf", "html", "resume"])]
    stream: bool,
    /// Search threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    threads: Option<u32>,
    /// Transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = numbers::hash)]
    hash: u32,
    /// Weights of the evaluation from a file, or `hand-made`, instead of the shipped weights
    #[arg(long, value_name = "FILE", value_parser = Evaluation::load)]
    weights: Option<Evaluation>,
    /// Print a line of JSON for each position as it is searched, and for each game, instead of tables
    #[arg(long)]
    json: bool,
    /// Write the games as GGF, with the values of the moves and a comment on the bad ones
    #[arg(long, value_name = "FILE")]
    ggf: Option<Destination>,
    /// Write a self-contained HTML page to step through the games
    #[arg(long, value_name = "FILE")]
    html: Option<Destination>,
    /// Save each position that was searched to this file, and continue from it if it exists
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    resume: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgument,
}

impl AnalyzeArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let options = self.options()?;
        if options.sources.contains(&GameSource::Stdin) && io::stdin().is_terminal() {
            eprintln!("Paste games (moves such as f5d6c3, or GGF) or positions, then Ctrl-D");
        }
        // Tables would be mixed with a file on standard output.
        let to_stdout = options.ggf.iter().chain(&options.html).any(|file| file.is_stdout());
        let end = if to_stdout { run(&options, &mut io::sink())? } else { run(&options, output)? };
        Ok(match end {
            AnalyzeEnd::Complete => ExitCode::SUCCESS,
            AnalyzeEnd::Faulty => ExitCode::FAILURE,
            AnalyzeEnd::Interrupted => ExitCode::from(EXIT_CODE),
        })
    }

    fn options(self) -> Result<AnalyzeOptions, Box<dyn Error>> {
        let mut sources: Vec<_> =
            self.games.iter().map(|argument| GameSource::of_argument(argument)).collect();
        if sources.is_empty() {
            sources.push(GameSource::Stdin);
        }
        let inputs = sources.iter().filter_map(|source| match source {
            GameSource::File(path) => Some(path.clone()),
            GameSource::Stdin | GameSource::Text(_) => None,
        });
        let mut outputs = Outputs::new(self.force.force).with_inputs(inputs.chain(self.resume.clone()));
        let ggf = self.ggf.map(|to| outputs.claim(to)).transpose()?;
        let html = self.html.map(|to| outputs.claim(to)).transpose()?;
        if self.json && ggf.iter().chain(&html).any(ClaimedOutput::is_stdout) {
            return Err("--json and another output are both to standard output: give that one a file".into());
        }
        let is_limited = self.time.is_some() || self.depth.is_some() || self.level.is_some();
        // A stream goes on until it is stopped.
        let time = self.time.or((!is_limited && !self.stream).then_some(DEFAULT_TIME));
        let limits = Limits { time, depth: self.depth, level: self.level, ..Limits::default() };
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        Ok(AnalyzeOptions {
            sources,
            read: ReadOptions::new(self.rules, self.size),
            limits,
            lines: self.multi.into(),
            threads: self.threads.map_or_else(processors, |threads| threads as usize),
            hash: self.hash as usize,
            weights: self.weights.unwrap_or_default(),
            format: if self.json { AnalysisFormat::Json } else { AnalysisFormat::Table },
            stream: self.stream,
            resume: self.resume,
            ggf,
            html,
        })
    }
}
