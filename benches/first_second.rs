//! How much a process searches in the first second of a game, by the size of its table.
//!
//! `cargo bench --bench first_second` prints nodes for tables of 16 to 4,096 MiB in three situations, as parts of what a
//! process with 64 MiB and two idle seconds reaches, and fails where a part is too small.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use clap::Parser;

const OLLEHTO: &str = env!("CARGO_BIN_EXE_ollehto");

/// Sizes of the table in MiB.
const SIZES: [u32; 5] = [16, 64, 256, 1024, 4096];

/// The size that the others are held against.
const USUAL: u32 = 64;

/// Where the game stands: six moves from the start.
const OPENING: &str = "play_moves f5d6c3d3c4f4";

#[derive(Debug, Parser)]
struct Arguments {
    /// Processes for each figure, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// What a process has done before the search that counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Two idle seconds after `time_settings`.
    Idle,
    /// Nothing: `genmove` is the first command that asks for a search, right after the start.
    Nothing,
    /// A search, and `clear_cache` after it.
    Cleared,
}

impl Before {
    const ALL: [Self; 3] = [Self::Idle, Self::Nothing, Self::Cleared];

    fn title(self) -> &'static str {
        match self {
            Self::Idle => "two idle seconds",
            Self::Nothing => "genmove first",
            Self::Cleared => "after clear_cache",
        }
    }

    /// The least part of the usual figure.
    fn target(self) -> f64 {
        match self {
            Self::Idle | Self::Cleared => 0.9,
            Self::Nothing => 0.7,
        }
    }
}

/// A process that tells of its searches on standard error.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(hash: u32) -> Self {
        let mut child = Command::new(OLLEHTO)
            .args(["--no-book", "--time", "1", "--hash", &hash.to_string()])
            .env("OLLEHTO_LOG", "ollehto=debug")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn ask(&mut self, command: &str) {
        writeln!(self.input, "{command}").expect("it reads");
        let mut line = String::new();
        while line != "\n" {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("it answers") > 0, "{command}: no answer");
            assert!(!line.starts_with('?'), "{command}: {line}");
        }
    }

    /// The nodes of the last search.
    fn end(mut self) -> u64 {
        drop(self.input);
        let mut told = String::new();
        self.child.stderr.take().expect("piped").read_to_string(&mut told).expect("text");
        self.child.wait().expect("it ends");
        let last = told.lines().rfind(|line| line.contains(" nodes")).expect("it tells of its search");
        let (before, _) = last.split_once(" nodes").expect("just found");
        before.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number of nodes")
    }
}

fn nodes(hash: u32, before: Before) -> u64 {
    let mut engine = Engine::start(hash);
    match before {
        Before::Nothing => {}
        Before::Idle => {
            engine.ask("time_settings 0 1 1");
            thread::sleep(Duration::from_secs(2));
        }
        Before::Cleared => {
            engine.ask("time_settings 0 1 1");
            engine.ask("genmove b");
            thread::sleep(Duration::from_secs(2));
            engine.ask("clear_board");
            engine.ask("clear_cache");
        }
    }
    engine.ask(OPENING);
    engine.ask("genmove b");
    engine.end()
}

fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    values[values.len() / 2] as f64
}

fn main() -> ExitCode {
    let runs = Arguments::parse().runs.max(1);
    // Interleaved, so that a busy minute strikes all of them.
    let mut all = vec![[const { Vec::new() }; Before::ALL.len()]; SIZES.len()];
    for _ in 0..runs {
        for (row, hash) in all.iter_mut().zip(SIZES) {
            for (cell, before) in row.iter_mut().zip(Before::ALL) {
                cell.push(nodes(hash, before));
            }
        }
    }
    let figures: Vec<[f64; 3]> = all.into_iter().map(|row| row.map(median)).collect();
    let usual = figures[SIZES.iter().position(|&size| size == USUAL).expect("it is one of them")][0];
    println!("nodes in the first second, median of {runs}; 100 % is {:.2} million", usual / 1e6);
    println!("{:>6}{}", "MiB", Before::ALL.map(|before| format!("{:>20}", before.title())).concat());
    let mut kept = true;
    for (row, hash) in figures.iter().zip(SIZES) {
        let cell = |(&nodes, before): (&f64, Before)| {
            let part = nodes / usual;
            kept &= part >= before.target();
            let mark = if part >= before.target() { "" } else { " MISSED" };
            format!("{:>20}", format!("{:.0} %{mark}", 100.0 * part))
        };
        println!("{hash:>6}{}", row.iter().zip(Before::ALL).map(cell).collect::<String>());
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
