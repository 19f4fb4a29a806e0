//! How deep the search gets in a given time, at four stages of the game by either rules.
//!
//! `cargo bench --bench depth` takes 5 seconds for each of 400 positions, more than half an hour in all;
//! `cargo bench --bench depth -- --seconds 0.1 --positions 10` is enough for a first look, and `--rules` takes one rule set,
//! so that two processors can share the work.

use std::time::Duration;

use clap::Parser;
use indicatif::ProgressBar;
use ollehto::board::Position;
use ollehto::rules::Rules;
use ollehto::search::{Budget, Control, SearchResult, Searcher, Task};
use ollehto::terminal::table::TextTable;
use ollehto::time_source::Timestamp;
use ollehto::training::positions::sample;

/// How many discs are on the board at each stage.
const STAGES: [u32; 4] = [20, 30, 40, 50];

/// What draws the positions: results can be compared only on the same ones.
const SEED: u64 = 1;

/// Mebibytes of table.
const HASH: usize = 64;

/// Measures how deep the search gets, on one thread.
#[derive(Parser)]
struct Arguments {
    /// For each position
    #[arg(long, default_value = "5", value_parser = parse_seconds)]
    seconds: Duration,
    /// For each rule set and number of discs
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    positions: u16,
    /// By these rules alone, so that two of them can run side by side
    #[arg(long, value_parser = parse_rules)]
    rules: Option<Rules>,
    /// Said by cargo to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "a number of seconds is needed, such as 0.1".into())
}

fn parse_rules(text: &str) -> Result<Rules, String> {
    let named = Rules::ALL.into_iter().find(|rules| rules.to_string() == text);
    named.ok_or_else(|| "rules are reversed or standard".into())
}

/// What the searches of one stage have come to.
#[derive(Default)]
struct Tally {
    depths: Vec<u8>,
    solved: usize,
    nodes: u64,
    time: Duration,
}

impl Tally {
    fn add(&mut self, outcome: &SearchResult, time: Duration) {
        self.depths.push(outcome.last.depth);
        self.solved += usize::from(outcome.last.exact);
        self.nodes += outcome.last.nodes;
        self.time += time;
    }

    fn row(&self, rules: Rules, discs: u32) -> Vec<String> {
        let count = self.depths.len() as f64;
        let mean = self.depths.iter().copied().map(f64::from).sum::<f64>() / count;
        let least = self.depths.iter().min().copied().unwrap_or(0);
        vec![
            rules.to_string(),
            discs.to_string(),
            self.depths.len().to_string(),
            format!("{mean:.2}"),
            least.to_string(),
            format!("{:.0} %", 100.0 * self.solved as f64 / count),
            format!("{:.2}", self.nodes as f64 / self.time.as_secs_f64() / 1e6),
        ]
    }
}

/// Positions with a choice to make: a search with a clock does not go deep into a forced move.
fn positions(rules: Rules, discs: u32, count: usize) -> Vec<Position> {
    let drawn = sample(rules, discs, 2 * count, SEED);
    drawn.into_iter().filter(|position| position.moves().len() > 1).take(count).collect()
}

/// Searches with an empty table for so long; also tells how long it took, which is less where the position was solved.
fn search(
    searcher: &mut Searcher,
    position: Position,
    rules: Rules,
    limit: Duration,
) -> (SearchResult, Duration) {
    searcher.clear();
    let start = Timestamp::now();
    let control = Control::new(&Budget { hard: start.checked_add(limit), ..Budget::UNLIMITED });
    let outcome = searcher.run(&Task::new(position, rules), &control, &mut |_| {});
    (outcome, start.elapsed())
}

fn main() {
    let Arguments { seconds, positions: count, rules, .. } = Arguments::parse();
    let count = usize::from(count);
    let rule_sets = rules.map_or_else(|| Rules::ALL.to_vec(), |rules| vec![rules]);
    let mut table =
        TextTable::with_titles(1, &["rules", "discs", "positions", "mean depth", "least", "solved", "Mn/s"]);
    let progress = ProgressBar::new((rule_sets.len() * STAGES.len() * count) as u64);
    let mut searcher = Searcher::new(1, HASH);
    for rules in rule_sets {
        for discs in STAGES {
            let mut tally = Tally::default();
            for position in positions(rules, discs, count) {
                let (outcome, time) = search(&mut searcher, position, rules, seconds);
                tally.add(&outcome, time);
                progress.inc(1);
            }
            table.row(tally.row(rules, discs));
        }
    }
    progress.finish_and_clear();
    println!("{seconds:?} for each position, one thread, {HASH} MiB of table");
    print!("{table}");
}
