//! `ollehto solve`.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::board::Size;
use crate::eval::Evaluation;
use crate::frontend::Settings;
use crate::numbers;
use crate::solve::{Finish, Format, Setup, Source, run};
use crate::stdio::exit_with_output;
use crate::terminal::interrupts::EXIT_CODE;

use super::{RulesArgument, parse_size};

/// Solve positions to the end of the game
///
/// Prints for every position the score for the side to move, the best move, the line of play and what it cost. One
/// position a line: the squares row by row from a1 (X black, O white, - empty), then the side to move. Values known by
/// standard rules may follow, as OBF writes them, and are compared under those rules:
///
///   O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;
///
/// Blank lines and lines that begin with # or % are skipped; a line that cannot be read ends the work. Ctrl-C stops the
/// position under way and prints what is known of it. The exit code is 0 if everything was solved and nothing was found
/// to be other than known.
///
///   ollehto solve positions.txt --rules standard --threads 4
///   echo '-----OX--XO----- X' | ollehto solve --size 4 --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SolveArguments {
    /// A file of positions, one a line; - or nothing for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Who wins: reversed, the fewest discs, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// Squares on a side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// Find out who wins, and not by how much
    #[arg(long)]
    wld: bool,
    /// Search with so many threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads, value_parser = numbers::threads)]
    threads: u32,
    /// Size of the transposition table in MiB, else what each position is worth, 64 at most; it is emptied before each
    #[arg(long, value_name = "MIB", value_parser = numbers::hash)]
    hash: Option<u32>,
    /// Order moves by the weights in a file, or `hand-made`, instead of those that come with the program
    #[arg(long, value_name = "FILE", value_parser = Evaluation::load)]
    weights: Option<Evaluation>,
    /// Print a line of JSON for each position instead of a table
    #[arg(long)]
    json: bool,
}

impl SolveArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let setup = self.setup();
        if setup.source == Source::Input && io::stdin().is_terminal() {
            eprintln!("One position a line: {} squares and the side to move, X or O", setup.size.area());
        }
        // A solution may be hours away, and nobody may be left to read it.
        exit_with_output()?;
        Ok(match run(&setup, output)? {
            Finish::Complete => ExitCode::SUCCESS,
            Finish::Wrong(_) => ExitCode::FAILURE,
            Finish::Interrupted => ExitCode::from(EXIT_CODE),
        })
    }

    fn setup(self) -> Setup {
        Setup {
            source: self.file.filter(|file| file != Path::new("-")).map_or(Source::Input, Source::File),
            rules: self.rules.into(),
            size: self.size,
            wld: self.wld,
            threads: self.threads as usize,
            hash: self.hash.map(|mebibytes| mebibytes as usize),
            weights: self.weights.unwrap_or_default(),
            format: if self.json { Format::Json } else { Format::Table },
        }
    }
}
