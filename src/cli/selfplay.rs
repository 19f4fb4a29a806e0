//! `ollehto selfplay` and `records`.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::bench::evaluation_fingerprint;
use crate::board::Size;
use crate::eval::Evaluation;
use crate::files::output::Destination;
use crate::numbers;
use crate::rules::Rules;
use crate::shard::Shard;
use crate::terminal::interrupts::EXIT_CODE;
use crate::training::parallel;
use crate::training::records::SelfplaySettings;
use crate::training::records::export::{self, ExportOptions};
use crate::training::records::settings::MOST_DETOURS;
use crate::training::records::summary as records;
use crate::training::selfplay::{self, SelfplayOptions};

use super::{ForceArgument, resumable_file};

/// Play training games against itself
///
/// A game starts with random moves (--random), continues with searches to a fixed depth, and is solved from --exact empty
/// squares. It depends on these settings, the seed and its number only. Games are written in blocks of 64: after Ctrl-C
/// or a kill, run the same command to continue. Several processes share the work with --shard; join their files with cat.
///
///   ollehto selfplay --games 100000 --depth 6 --exact 14 --output games.olg
///   ollehto selfplay --games 100000 --shard 2/4 --output part2.olg
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SelfplayArguments {
    /// Rules: reversed (the fewest discs win) or standard (the most)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Games over all shards; more can be added later
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(1..=1_000_000_000_000))]
    games: u64,
    /// Search depth
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u8, _>(1..=30))]
    depth: u8,
    /// Empty squares from which the game is solved
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = numbers::whole::<u8, _>(0..=30))]
    exact: u8,
    /// Least and greatest number of random moves at the start
    #[arg(long, value_name = "MIN..MAX", default_value = "8..50", value_parser = parse_range)]
    random: (u8, u8),
    /// Rules that both sides play for until the solve [default: --rules]
    ///
    /// With the other rules games reach positions that good play avoids; `ollehto train` uses only their solved ends.
    #[arg(long, alias = "goal", value_enum, value_name = "RULES")]
    play_for: Option<Rules>,
    /// Play most of the last moves before the solve at random
    ///
    /// Of the last four all but the second are random, so that the solve begins at positions that a solver meets and good
    /// play avoids. `ollehto train` uses only the solved ends.
    #[arg(long, alias = "stray")]
    noise_before_solve: bool,
    /// Play so many moves between the random ones and the solve that are not the best
    ///
    /// Their plies are drawn at random, at least four apart. For what comes before the last of them the result of the
    /// game says nothing; `ollehto train` uses the values of the searches there.
    #[arg(long, value_name = "N", default_value_t = 0,
        value_parser = numbers::whole::<u8, _>(0..=MOST_DETOURS as u8))]
    detours: u8,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Games played in parallel [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
    threads: Option<u16>,
    /// Play only every N-th block of games, starting with the I-th
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Evaluate with the weights in a file, or `hand-made`, instead of the shipped weights
    #[arg(long, value_name = "FILE", value_parser = Evaluation::load)]
    weights: Option<Evaluation>,
    /// The file that games are added to
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
}

impl SelfplayArguments {
    pub(super) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let rules = self.rules;
        let play_for = self.play_for.unwrap_or(rules);
        let weights = self.weights.unwrap_or_default();
        let used: &[_] = if play_for == rules { &[rules] } else { &[rules, play_for] };
        weights.check_use(used, Size::Eight)?;
        let report = selfplay::run(&SelfplayOptions {
            settings: SelfplaySettings {
                rules,
                play_for,
                noise_before_solve: self.noise_before_solve,
                detours: self.detours,
                depth: self.depth,
                exact: self.exact,
                random: self.random,
                seed: self.seed,
                evaluation: evaluation_fingerprint(&weights, used),
            },
            games: self.games,
            threads: parallel::threads(self.threads),
            shard: self.shard,
            output: self.output,
            weights,
        })?;
        eprint!("{report}");
        Ok(if report.interrupted { ExitCode::from(EXIT_CODE) } else { ExitCode::SUCCESS })
    }
}

fn parse_range(text: &str) -> Result<(u8, u8), String> {
    let numbers =
        text.split_once("..").and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    numbers
        .filter(|&(least, most)| least <= most && most <= 60)
        .ok_or_else(|| "two numbers of moves up to 60 such as 8..50, the smaller one first".into())
}

/// Summarise game files, or export their positions
///
/// Reads them completely, which finds damage, and prints a table of their games by settings.
///
///   ollehto records games.olg
///   ollehto records export games.olg --output positions.bin
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct RecordsArguments {
    #[command(subcommand)]
    what: Option<RecordsCommand>,
    /// Files of `ollehto selfplay`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the first N games instead: number, result for Black, random moves, a bar, and the other moves
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(1..))]
    moves: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum RecordsCommand {
    /// Write all positions after the random moves as records of 20 bytes
    ///
    /// A record has the board, the result, the value of the search, the empty squares and the move; see docs/formats.md.
    /// All games must be by the same rules.
    Export {
        /// Files of `ollehto selfplay`
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Where the positions go; - is standard output
        #[arg(long, short, value_name = "FILE")]
        output: Destination,
        #[command(flatten)]
        force: ForceArgument,
    },
}

impl RecordsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self.what {
            None => records::run(&self.files, self.moves, &mut BufWriter::new(output))?,
            Some(RecordsCommand::Export { files, output, force }) => {
                let report = export::run(&ExportOptions { files, output, force: force.force })?;
                eprint!("{report}");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked() {
        assert_eq!(parse_range("8..50"), Ok((8, 50)));
        assert_eq!(parse_range("0..0"), Ok((0, 0)));
        for text in ["9..8", "8..61", "8", "..", "a..b", "8...9", ""] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
