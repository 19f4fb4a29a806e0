//! `ollehto bench-threads`.

use std::io::{self, Write};

use clap::Args;

use crate::bench::{PositionSet, ThreadBench};
use crate::frontend::Settings;
use crate::numbers;
use crate::rules::Rules;

/// Measure how much faster several threads search than one
///
/// Searches the positions of a set with each number of threads in turn, from an empty table, and prints medians:
/// seconds, how many times as fast as the first number of threads, processor time, nodes, the share of time that
/// threads waited for work, and nodes that were given up since another thread had the result, as a share of all.
///
///   ollehto bench-threads --set ffo --rules standard --threads 1,2,4,8,16 --rounds 3
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct BenchThreadsArguments {
    /// The positions
    #[arg(long, value_enum, value_name = "SET", default_value = "ffo")]
    set: PositionSet,
    /// Rules: reversed (the fewest discs win) or standard (the most)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Numbers of threads, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2", value_parser = numbers::threads)]
    threads: Vec<u32>,
    /// Depth of the midgame searches, instead of one for each position
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u8, _>(1..=60))]
    depth: Option<u8>,
    /// Times that each search is done
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u8, _>(1..))]
    rounds: u8,
    /// Transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash, value_parser = numbers::hash)]
    hash: u32,
    /// Also measure what as many independent searches as the last number of threads get done
    #[arg(long)]
    ceiling: bool,
}

impl BenchThreadsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> io::Result<()> {
        let bench = ThreadBench {
            set: self.set,
            rules: self.rules,
            depth: self.depth,
            counts: self.threads.into_iter().map(|threads| threads as usize).collect(),
            rounds: self.rounds.into(),
            hash: self.hash as usize,
            ceiling: self.ceiling,
        };
        bench.run(output)
    }
}
