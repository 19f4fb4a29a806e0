//! The solver against plain alpha-beta on as many late positions as one likes.
//!
//! `cargo bench --bench truth -- --positions 1000000 --values truth.values` finds the plain values once, keeps them in the
//! file, and then solves every position by either rules with 1, 2 and 16 threads. Every line must be legal, end the game
//! and bring the value. As many positions are solved at once as there are processors. Up to 12 empty squares a thread works
//! alone and without the shared table; `--shared N` more positions have 13 to 15, and threads share them.
//!
//! Other kernels: `RUSTFLAGS=""` has the portable ones, `RUSTFLAGS="-C target-cpu=x86-64-v3"` those
//! for AVX2, and the values of the file hold for all.

use std::error::Error;
use std::fmt;
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

/// The empty squares of ten positions that threads share: plain alpha-beta takes seconds for each.
const SHARED: [u32; 10] = [13, 14, 13, 13, 14, 13, 15, 13, 14, 13];

/// Checks the solver.
#[derive(Parser)]
struct Arguments {
    /// How many positions
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    /// How many more with 13 to 15 empty squares, which threads share
    #[arg(long, default_value_t = 20)]
    shared: usize,
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

/// What is solved.
#[derive(Clone, Copy, Debug)]
struct Positions {
    seed: u64,
    /// Those of [`SHARES`].
    late: usize,
    /// Those of [`SHARED`], which come first: they take longest.
    shared: usize,
}

impl Positions {
    fn len(self) -> usize {
        self.shared + self.late
    }

    /// A position, which depends on the seed and its number alone.
    fn discs(self, grid: &Grid, number: usize) -> Discs {
        let Some(late) = number.checked_sub(self.shared) else {
            // Numbers of their own, far behind the others.
            let random = &mut generator(self.seed << 32 | (1 << 31) | number as u64);
            return grid.random(random, SHARED[number % SHARED.len()]);
        };
        let mut place = late % 1000;
        let (empties, _) = SHARES
            .into_iter()
            .find(|&(_, share)| {
                let found = place < share;
                place = place.saturating_sub(share);
                found
            })
            .expect("the shares are a thousand");
        grid.random(&mut generator(self.seed << 32 | late as u64), empties)
    }
}

impl fmt::Display for Positions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, late, shared } = self;
        write!(f, "{late} positions and {shared} with 13 to 15 empty squares, seed {seed}")
    }
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
    fn find(positions: Positions, jobs: usize) -> Self {
        let grid = Grid::new(8);
        let values: Vec<_> = (0..2 * positions.len()).map(|_| AtomicUsize::new(0)).collect();
        for_all(
            positions.len(),
            jobs,
            "plain values".into(),
            || (),
            |(), number| {
                let discs = positions.discs(&grid, number);
                for (rules, value) in Rules::BOTH.into_iter().zip(&values[2 * number..]) {
                    value.store(grid.value(discs, rules) as usize, Relaxed);
                }
            },
        );
        Self(values.into_iter().map(|value| value.into_inner() as i8).collect())
    }

    /// From the file, if it is there.
    fn load_or_find(path: Option<&Path>, positions: Positions, jobs: usize) -> Result<Self, Box<dyn Error>> {
        let Some(path) = path else { return Ok(Self::find(positions, jobs)) };
        if path.exists() {
            let read = Self::read(&fs::read(path)?, positions);
            return Ok(read.map_err(|problem| {
                format!("{} {problem}: remove it, or name another file", path.display())
            })?);
        }
        let found = Self::find(positions, jobs);
        fs::write(path, found.file(positions))?;
        Ok(found)
    }

    /// A line that tells the positions and the checksum, and a byte for each value.
    fn file(&self, positions: Positions) -> Vec<u8> {
        let header = format!("plain values of {positions}, checksum {:08x}\n", self.checksum());
        [header.into_bytes(), self.bytes()].concat()
    }

    fn read(file: &[u8], positions: Positions) -> Result<Self, &'static str> {
        let beginning = format!("plain values of {positions}, checksum ");
        let rest = file.strip_prefix(beginning.as_bytes()).ok_or("has other positions")?;
        let (sum, values) = rest.split_at_checked("01234567\n".len()).ok_or("is damaged")?;
        let values = Self(values.iter().map(|&byte| byte as i8).collect());
        let is_whole = sum == format!("{:08x}\n", values.checksum()).as_bytes();
        if is_whole && values.0.len() == 2 * positions.len() { Ok(values) } else { Err("is damaged") }
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().map(|&value| value as u8).collect()
    }

    fn checksum(&self) -> u32 {
        crc32fast::hash(&self.bytes())
    }
}

/// Solves all positions with so many threads; how many were wrong.
fn wrong_solutions(
    values: &PlainValues,
    positions: Positions,
    rules: usize,
    threads: usize,
    jobs: usize,
) -> usize {
    let wrong = AtomicUsize::new(0);
    let message = format!("{threads} threads, {} rules", Rules::BOTH[rules].word());
    let state = || (Solver::new(8, Rules::BOTH[rules]), Searcher::new(threads, 1));
    for_all(positions.len(), jobs, message, state, |(solver, searcher), number| {
        let discs = positions.discs(&solver.grid, number);
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
    let &Arguments { positions: late, shared, seed, .. } = arguments;
    let positions = Positions { seed, late, shared };
    let jobs = thread::available_parallelism()?.get();
    let start = Instant::now();
    let values = PlainValues::load_or_find(arguments.values.as_deref(), positions, jobs)?;
    println!(
        "{positions}: plain values with checksum {:08x}, {:.0} s",
        values.checksum(),
        start.elapsed().as_secs_f64()
    );
    let mut all = 0;
    for &threads in &arguments.threads {
        for rules in 0..Rules::BOTH.len() {
            let start = Instant::now();
            let wrong = wrong_solutions(&values, positions, rules, threads, jobs);
            let (name, seconds) = (Rules::BOTH[rules].word(), start.elapsed().as_secs_f64());
            println!(
                "{name} rules, {threads} threads: {} solved, {wrong} wrong, {seconds:.0} s",
                positions.len()
            );
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
