//! `ollehto solve`.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::board::Size;
use crate::eval::Evaluation;
use crate::frontend::Settings;
use crate::numbers;
use crate::rules::Rules;
use crate::solve::{INTERRUPTED, PositionSource, SolutionFormat, SolveEnd, SolveOptions, run};

use super::parse_size;

/// Solve positions to the end of the game
///
/// Prints the score for the side to move, the best move, the best line, nodes and time of each position. One position a
/// line: the squares row by row from a1 (X black, O white, - empty), then the side to move. Known values by standard
/// rules may follow in OBF; --rules standard compares them:
///
///   O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;
///
/// Blank lines and lines that begin with # or % are skipped. Stops at the first unreadable line; earlier results are
/// printed. Ctrl-C stops the running position and prints the best result so far. The exit code is 0 if everything was
/// solved and all known values agree.
///
/// Solves of days and weeks: --resume FILE saves each minute, and at Ctrl-C or SIGTERM, what is proven so far. The same
/// command continues from there, also after a kill. Positions that are solved already are printed from FILE.
///
///   ollehto solve positions.txt --rules standard --threads 4
///   echo '-----OX--XO----- X' | ollehto solve --size 4 --json
///   ollehto solve --size 6 --start --threads 4 --hash 1024 --resume start6.checkpoint
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SolveArguments {
    /// A file of positions, one a line; - or nothing for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Solve the starting position of the board
    #[arg(long, conflicts_with = "file")]
    start: bool,
    /// Rules: reversed (the fewest discs win) or standard (the most)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Squares on a side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// Win, draw or loss only
    #[arg(long)]
    wld: bool,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads, value_parser = numbers::threads)]
    threads: u32,
    /// Transposition table in MiB, cleared before each position [default: by position, at most 64]
    #[arg(long, value_name = "MIB", value_parser = numbers::hash)]
    hash: Option<u32>,
    /// Order moves by the weights in a file, or `hand-made`, instead of the shipped weights
    #[arg(long, value_name = "FILE", value_parser = Evaluation::load)]
    weights: Option<Evaluation>,
    /// Print a line of JSON for each position instead of a table
    #[arg(long)]
    json: bool,
    /// Save what is proven to this file now and then, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Seconds between two saves of --resume
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "resume", value_parser = numbers::whole::<u32, _>(1..))]
    save_every: u32,
}

impl SolveArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let options = self.options();
        if options.source == PositionSource::Stdin && io::stdin().is_terminal() {
            eprintln!("One position a line: {} squares and the side to move, X or O", options.size.area());
        }
        Ok(match run(&options, output)? {
            SolveEnd::Complete => ExitCode::SUCCESS,
            SolveEnd::Wrong(_) => ExitCode::FAILURE,
            SolveEnd::Interrupted => ExitCode::from(INTERRUPTED),
        })
    }

    fn options(self) -> SolveOptions {
        let file = self.file.filter(|file| file != Path::new("-"));
        SolveOptions {
            source: match file {
                _ if self.start => PositionSource::Start,
                Some(file) => PositionSource::File(file),
                None => PositionSource::Stdin,
            },
            rules: self.rules,
            size: self.size,
            wld: self.wld,
            threads: self.threads as usize,
            hash: self.hash.map(|mebibytes| mebibytes as usize),
            weights: self.weights.unwrap_or_default(),
            format: if self.json { SolutionFormat::Json } else { SolutionFormat::Table },
            resume: self.resume,
            save_every: Duration::from_secs(self.save_every.into()),
        }
    }
}
