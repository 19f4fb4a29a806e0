//! The search for balanced openings.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use indicatif::ProgressBar;

use crate::board::Size;
use crate::game::Game;
use crate::random::Random;
use crate::referee::openings::{enumerate, move_list};
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Control, Searcher, Task};

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Hunt {
    /// Who wins.
    pub rules: Rules,
    /// How long the openings are.
    pub plies: u32,
    /// How deep each is searched.
    pub depth: u8,
    /// How far from a draw, in discs.
    pub within: f64,
    /// How many to look at; none: all.
    pub sample: Option<usize>,
    /// What the sample is drawn from.
    pub seed: u64,
    /// Positions searched at a time.
    pub jobs: usize,
}

/// Mebibytes of table for each thread.
const HASH: usize = 64;

/// Prints the openings whose value is near a draw, with the command that found them on top.
///
/// # Errors
/// If they cannot be written.
pub fn run(hunt: &Hunt, output: &mut impl Write) -> io::Result<()> {
    let Hunt { rules, plies, depth, within, sample, seed, jobs } = *hunt;
    let mut openings = enumerate(rules, Size::Eight, plies);
    let all = openings.len();
    Random::new(seed).shuffle(&mut openings);
    openings.truncate(sample.unwrap_or(all));
    let values = evaluate(&openings, depth, jobs);
    let near = |score: &Score| score.discs().abs() <= within;
    let kept = openings.iter().zip(values).filter(|(_, value)| near(value));
    let mut lines: Vec<_> = kept.map(|(game, _)| move_list(game)).collect();
    lines.sort();
    writeln!(
        output,
        "# Openings of {plies} plies within {within} discs of a draw at depth {depth}, {rules} rules."
    )?;
    writeln!(
        output,
        "# {} of {} looked at, of {all} that differ in more than symmetry.",
        lines.len(),
        openings.len()
    )?;
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))
}

/// The values of positions by a search of fixed depth, in their order.
fn evaluate(openings: &[Game], depth: u8, jobs: usize) -> Vec<Score> {
    let progress = ProgressBar::new(openings.len() as u64);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut searcher = Searcher::new(1, HASH);
        let mut found = Vec::new();
        while let at = next.fetch_add(1, Relaxed)
            && let Some(game) = openings.get(at)
        {
            let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
            let task = Task::new(*game.position(), game.rules());
            // Values must not depend on which thread has looked at what before.
            searcher.clear();
            let outcome = searcher.run(&task, &control, &mut |_| {});
            found.push((at, outcome.last.lines.first().map_or(Score::default(), |line| line.score)));
            progress.inc(1);
        }
        found
    };
    let mut values: Vec<(usize, Score)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a search does not panic")).collect()
    });
    progress.finish_and_clear();
    values.sort_by_key(|&(at, _)| at);
    values.into_iter().map(|(_, value)| value).collect()
}
