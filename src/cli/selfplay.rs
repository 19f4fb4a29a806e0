//! `ollehto selfplay` and `records`.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Args;

use crate::bench::evaluation_fingerprint;
use crate::eval::Evaluation;
use crate::numbers;
use crate::rules::Rules;
use crate::terminal::interrupts::EXIT_CODE;
use crate::training::records::Settings;
use crate::training::records::summary as records;
use crate::training::selfplay::{self, Campaign, Shard};

use super::{RulesArgument, resumable_file};

/// Play games against itself, to learn from
///
/// Every game begins with moves drawn at random, as many as are drawn from the range of --random; then the engine plays
/// both sides, searching to a fixed depth, and perfectly from --exact empty squares on. A game depends on these
/// settings, the seed and its number alone. Finished games are added to the file, a block of 64 at a time: after Ctrl-C
/// or a kill the same command goes on where it was. Many processes share the work by --shard; their files are put
/// together by cat.
///
///   ollehto selfplay --games 100000 --depth 6 --exact 14 --output games.olg
///   ollehto selfplay --games 100000 --shard 2/4 --output part2.olg
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SelfplayArguments {
    /// Who wins: reversed, the fewest discs, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// Games in all, over all shards; more of them can be added later
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(1..=1_000_000_000_000))]
    games: u64,
    /// How deep moves are searched
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = numbers::whole::<u8, _>(1..=30))]
    depth: u8,
    /// Play perfectly from so many empty squares on
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = numbers::whole::<u8, _>(0..=30))]
    exact: u8,
    /// The least and the greatest number of moves drawn at random at the beginning
    #[arg(long, value_name = "MIN..MAX", default_value = "8..50", value_parser = parse_range)]
    random: (u8, u8),
    /// What both sides play for until play is perfect [default: to win by --rules]
    ///
    /// Games played for the other goal reach positions that good play avoids; `ollehto train` takes only their perfect
    /// ends.
    #[arg(long, value_enum, value_name = "RULES")]
    goal: Option<RulesArgument>,
    /// Let the last moves before perfect play go astray
    ///
    /// Of the last four all but the third before it are drawn at random, so that it begins where a solver has to look:
    /// behind moves that nobody would play. `ollehto train` takes only the perfect ends.
    #[arg(long)]
    stray: bool,
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Games played at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=1024))]
    threads: Option<u16>,
    /// Play only the I-th of N parts of the games
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Value positions by the weights in a file, or `hand-made`, instead of those that come with the program
    #[arg(long, value_name = "FILE", value_parser = Evaluation::load)]
    weights: Option<Evaluation>,
    /// The file that games are added to
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
}

impl SelfplayArguments {
    pub(super) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let rules = Rules::from(self.rules);
        let goal = self.goal.map_or(rules, Rules::from);
        let weights = self.weights.unwrap_or_default();
        let used: &[_] = if goal == rules { &[rules] } else { &[rules, goal] };
        let report = selfplay::run(&Campaign {
            settings: Settings {
                rules,
                goal,
                stray: self.stray,
                depth: self.depth,
                exact: self.exact,
                random: self.random,
                seed: self.seed,
                evaluation: evaluation_fingerprint(&weights, used),
            },
            games: self.games,
            threads: self.threads.map_or_else(processors, usize::from),
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

/// Tell what files of games hold
///
/// Reads them from end to end, so that damage is found, and prints a table of their games by settings.
#[derive(Debug, Args)]
pub(super) struct RecordsArguments {
    /// Files that selfplay has made
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the first N games instead: number, result for Black, the moves drawn at random, a bar, and the others
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(1..))]
    moves: Option<u64>,
}

impl RecordsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        Ok(records::run(&self.files, self.moves, &mut BufWriter::new(output))?)
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
