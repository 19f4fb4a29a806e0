//! What the engine promises about time and memory, measured from outside the process.
//!
//! `cargo bench --bench process` prints one row for each promise and fails if one is not kept.

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;

use support::gtp::Gtp;
use support::positions::{collect, generator, is_midgame, pick};

/// Searches stopped for each number of threads; the slowest three decide the 99th percentile.
const STOPS: usize = 300;

/// The longest time a search runs before it is stopped.
const LONGEST_SEARCH: Duration = Duration::from_millis(30);

/// Starts of the process.
const STARTS: usize = 50;

/// Half of the values or 99 of 100 are at most this.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted[rank.max(1) - 1]
}

/// The time from writing `stop` to the answer of the running `genmove`, over searches of all ages.
fn stop_latencies(threads: &str) -> Vec<Duration> {
    let mut rng = generator(51);
    let boards = collect(&mut rng, 8, 100, is_midgame);
    let mut gtp = Gtp::ollehto(&["--time", "3600", "--threads", threads]);
    let mut latencies = Vec::with_capacity(STOPS);
    for _ in 0..STOPS {
        let board = pick(&mut rng, &boards);
        gtp.done(&format!("setboard {}", board.text()));
        gtp.send(&format!("genmove {}", board.to_move().letter()));
        // Asleep, not spinning: the processors belong to the search.
        thread::sleep(rng.random_range(Duration::ZERO..LONGEST_SEARCH));
        let stopped = Instant::now();
        gtp.send("stop");
        let reply = gtp.reply();
        latencies.push(stopped.elapsed());
        assert!(reply.text.is_ok(), "genmove in {board:?} failed: {reply:?}");
        gtp.reply();
    }
    gtp.quit();
    latencies.sort();
    latencies
}

/// The time from the start of the process to its first answer.
fn start_times() -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..STARTS)
        .map(|_| {
            let begun = Instant::now();
            let mut gtp = Gtp::ollehto(&[]);
            gtp.ok("name");
            let time = begun.elapsed();
            gtp.quit();
            time
        })
        .collect();
    times.sort();
    times
}

/// The most memory the process ever held, in megabytes, after a search of two seconds.
fn peak_memory(threads: &str) -> f64 {
    let mut gtp = Gtp::ollehto(&["--no-book", "--threads", threads]);
    gtp.done("time 2");
    gtp.ok("genmove b");
    let status =
        fs::read_to_string(format!("/proc/{}/status", gtp.process.pid())).expect("Linux has this file");
    gtp.quit();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel keeps the peak");
    let kibibytes: f64 = peak.trim().trim_end_matches(" kB").parse().expect("a number of kB");
    kibibytes * 1024.0 / 1e6
}

/// Prints a row of the table; says whether the promise is kept.
fn row(name: &str, value: f64, unit: &str, target: Option<f64>) -> bool {
    let kept = target.is_none_or(|target| value < target);
    let promise = target.map(|target| format!("< {target:.0} {unit}")).unwrap_or_default();
    let verdict = match target {
        None => "",
        Some(_) if kept => "ok",
        Some(_) => "MISSED",
    };
    println!("{name:<44}{value:>10.2} {unit:<4}{promise:>12}  {verdict}");
    kept
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() -> ExitCode {
    println!("{:<44}{:>10} {:<4}{:>12}", "what", "measured", "", "target");
    let mut kept = true;
    for threads in ["1", "2"] {
        let latencies = stop_latencies(threads);
        let name = |what: &str| format!("stop to answer, {threads} thread(s), {what}");
        kept &= row(&name("p50"), milliseconds(percentile(&latencies, 50)), "ms", None);
        kept &= row(&name("p99"), milliseconds(percentile(&latencies, 99)), "ms", Some(10.0));
        kept &= row(&name("max"), milliseconds(percentile(&latencies, 100)), "ms", None);
    }
    let starts = start_times();
    kept &= row("start to first reply, p50", milliseconds(percentile(&starts, 50)), "ms", None);
    kept &= row("start to first reply, max", milliseconds(percentile(&starts, 100)), "ms", Some(50.0));
    for threads in ["1", "2"] {
        kept &= row(&format!("peak memory, {threads} thread(s)"), peak_memory(threads), "MB", Some(100.0));
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
