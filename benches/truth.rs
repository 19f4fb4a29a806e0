//! The solver against plain alpha-beta on as many late positions as one likes.
//!
//! `cargo bench --bench truth -- --positions 1000000 --values truth.values` finds the plain values once, keeps them in the
//! file, and then solves every position by either rules with 1, 2 and 16 threads. Every line must be legal, end the game
//! and bring the value. Other kernels: `RUSTFLAGS=""` has the portable ones, `RUSTFLAGS="-C target-cpu=x86-64-v3"` those
//! for AVX2, and the values of the file hold for all.

use std::error::Error;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use clap::Parser;
use indicatif::ProgressBar;
use ollehto::search::{SearchMode, Searcher};

use support::exhaustive::{Discs, Grid};
use support::mailbox::Rules;
use support::positions::generator;
use support::solver::Solver;

#[path = "../tests/support/mod.rs"]
mod support;

/// Empty squares, and how many of a thousand positions have so many: the plain search takes three times as long for one
/// more.
const SHARES: [(u32, usize); 12] = [
    (1, 10),
    (2, 10),
    (3, 20),
    (4, 30),
    (5, 50),
    (6, 220),
    (7, 230),
    (8, 210),
    (9, 150),
    (10, 62),
    (11, 7),
    (12, 1),
];

/// Checks the solver.
#[derive(Parser)]
struct Arguments {
    /// How many positions
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    /// The same seed gives the same positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Numbers of threads to solve with
    #[arg(long, value_delimiter = ',', default_value = "1,2,16")]
    threads: Vec<usize>,
    /// Where to keep the plain values, and to take them from
    #[arg(long)]
    values: Option<PathBuf>,
    /// Said by cargo to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A position, which depends on its number and the seed alone.
fn position(grid: &Grid, seed: u64, number: usize) -> Discs {
    let mut place = number % 1000;
    let (empties, _) = SHARES
        .into_iter()
        .find(|&(_, share)| {
            let found = place < share;
            place = place.saturating_sub(share);
            found
        })
        .expect("the shares are a thousand");
    grid.random(&mut generator(seed << 32 | number as u64), empties)
}

/// Calls `work` with all numbers, on all processors, with a bar.
fn for_all<T: Send>(
    count: usize,
    jobs: usize,
    message: String,
    state: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, usize) + Sync,
) {
    let (next, bar) = (AtomicUsize::new(0), ProgressBar::new(count as u64).with_message(message));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let mut state = state();
                while let Some(number) = Some(next.fetch_add(1, Relaxed)).filter(|&number| number < count) {
                    work(&mut state, number);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
}

/// The values of all positions, by the rules of [`Rules::BOTH`] one after the other.
struct PlainValues(Vec<i8>);

impl PlainValues {
    fn header(seed: u64, positions: usize) -> String {
        format!("plain values of {positions} positions, seed {seed}\n")
    }

    fn find(seed: u64, positions: usize, jobs: usize) -> Self {
        let grid = Grid::new(8);
        let values: Vec<_> = (0..2 * positions).map(|_| AtomicUsize::new(0)).collect();
        for_all(
            positions,
            jobs,
            "plain values".into(),
            || (),
            |(), number| {
                let discs = position(&grid, seed, number);
                for (rules, value) in Rules::BOTH.into_iter().zip(&values[2 * number..]) {
                    value.store(grid.value(discs, rules) as usize, Relaxed);
                }
            },
        );
        Self(values.into_iter().map(|value| value.into_inner() as i8).collect())
    }

    /// From the file, if it is there.
    fn load_or_find(
        path: Option<&Path>,
        seed: u64,
        positions: usize,
        jobs: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let header = Self::header(seed, positions);
        let Some(path) = path else { return Ok(Self::find(seed, positions, jobs)) };
        if path.exists() {
            let bytes = fs::read(path)?;
            let values = bytes.strip_prefix(header.as_bytes()).filter(|values| values.len() == 2 * positions);
            let values = values.ok_or_else(|| {
                format!("{} has other positions: remove it, or name another file", path.display())
            })?;
            return Ok(Self(values.iter().map(|&byte| byte as i8).collect()));
        }
        let found = Self::find(seed, positions, jobs);
        fs::write(path, [header.into_bytes(), found.bytes()].concat())?;
        Ok(found)
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().map(|&value| value as u8).collect()
    }

    fn checksum(&self) -> u32 {
        crc32fast::hash(&self.bytes())
    }
}

/// Solves all positions with so many threads; how many were wrong.
fn wrong_solutions(values: &PlainValues, rules: usize, seed: u64, threads: usize, jobs: usize) -> usize {
    let wrong = AtomicUsize::new(0);
    let message = format!("{threads} threads, {} rules", Rules::BOTH[rules].word());
    let state = || (Solver::new(8, Rules::BOTH[rules]), Searcher::new(threads, 1));
    for_all(values.0.len() / 2, jobs.div_ceil(threads), message, state, |(solver, searcher), number| {
        let discs = position(&solver.grid, seed, number);
        let check = AssertUnwindSafe(|| {
            let answer = solver.search(searcher, discs, SearchMode::BestMove);
            solver.replay(discs, &answer);
            assert_eq!(answer.score, i32::from(values.0[2 * number + rules]), "{}", solver.case(discs));
        });
        // The message says which position.
        if panic::catch_unwind(check).is_err() {
            wrong.fetch_add(1, Relaxed);
        }
    });
    wrong.into_inner()
}

fn run(arguments: &Arguments) -> Result<usize, Box<dyn Error>> {
    let &Arguments { positions, seed, .. } = arguments;
    let jobs = thread::available_parallelism()?.get();
    let start = Instant::now();
    let values = PlainValues::load_or_find(arguments.values.as_deref(), seed, positions, jobs)?;
    println!(
        "{positions} positions, seed {seed}: plain values with checksum {:08x}, {:.0} s",
        values.checksum(),
        start.elapsed().as_secs_f64()
    );
    let mut all = 0;
    for &threads in &arguments.threads {
        for rules in 0..Rules::BOTH.len() {
            let start = Instant::now();
            let wrong = wrong_solutions(&values, rules, seed, threads, jobs);
            let (name, seconds) = (Rules::BOTH[rules].word(), start.elapsed().as_secs_f64());
            println!("{name} rules, {threads} threads: {positions} solved, {wrong} wrong, {seconds:.0} s");
            all += wrong;
        }
    }
    Ok(all)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("truth: {error}");
            ExitCode::FAILURE
        }
    }
}
