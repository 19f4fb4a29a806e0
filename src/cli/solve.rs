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
use crate::score::Discs;
use crate::solve::{
    INTERRUPTED, JoinEnd, PositionSource, SolutionFormat, SolveEnd, SolveOptions, run, run_join, run_split,
};

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
/// Solves on many processors: --split N writes N jobs, one a line, that decide the value of one position. Each is a
/// position with a bound to prove, `POSITION; RULES >= +2;`, and takes less than a solve. Solve the lines in any
/// order, on any machines, as JSON; --join proves the value from the results by the rules of the game, and names what
/// is missing or wrong. If the value was estimated wrongly, --join with --split writes the jobs that are still needed.
///
///   ollehto solve --split 1000 position.txt > jobs
///   grep -v '^#' jobs | parallel --pipe -N1 ollehto solve --json > results
///   ollehto solve --join results --jobs jobs
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
    /// Write about N jobs that decide the value of the position, instead of solving it
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u32, _>(1..=1_000_000), conflicts_with_all = ["wld", "json", "resume"])]
    split: Option<u32>,
    /// The value that the jobs of --split are to prove, an even number [default: by a search]
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true, requires = "split", conflicts_with = "join", value_parser = even_discs)]
    value: Option<Discs>,
    /// Prove the value of a position from the results of its jobs; with --split, write the next round of jobs
    #[arg(long, value_name = "RESULTS", requires = "jobs", conflicts_with_all = ["file", "start", "wld", "json", "resume"])]
    join: Option<PathBuf>,
    /// The list of jobs that --split has written
    #[arg(long, value_name = "JOBS", requires = "join")]
    jobs: Option<PathBuf>,
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
    pub(super) fn run(mut self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let (join, jobs, value) = (self.join.take(), self.jobs.take(), self.value);
        let split = self.split.map(|jobs| jobs as usize);
        let options = self.options();
        options.weights.check_use(&[options.rules], options.size)?;
        if let Some((results, jobs)) = join.zip(jobs) {
            return Ok(match run_join(&options, &results, &jobs, split, output)? {
                JoinEnd::Open if split.is_none() => ExitCode::FAILURE,
                JoinEnd::Open | JoinEnd::Proven => ExitCode::SUCCESS,
            });
        }
        if options.source == PositionSource::Stdin && io::stdin().is_terminal() {
            eprintln!("One position a line: {} squares and the side to move, X or O", options.size.area());
        }
        if let Some(jobs) = split {
            run_split(&options, jobs, value, output)?;
            return Ok(ExitCode::SUCCESS);
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

/// Results are even.
fn even_discs(text: &str) -> Result<Discs, String> {
    let discs = text.parse().ok().filter(|discs: &i8| discs.unsigned_abs() <= 64 && discs % 2 == 0);
    discs.map(Discs).ok_or_else(|| format!("an even number from -64 to 64 is needed, not '{text}'"))
}
