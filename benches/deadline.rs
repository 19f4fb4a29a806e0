//! How far answers overstep a time for each move, beside a control that only sleeps.
//!
//! `cargo bench --bench deadline` plays moves at 50 ms each and, in turn, asks a process that sleeps to the very deadline
//! the engine sets itself on an idle machine and then answers. The engine's latest answers are to be hardly later than
//! the control's. `--busy 4` runs four processes beside both that only compute; `--fresh 4` starts both anew after every
//! four moves, to measure the first moves of a process.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use clap::Parser;
use ollehto::board::Position;
use ollehto::notation::position_text;
use ollehto::rules::Rules;
use ollehto::search::Limits;
use ollehto::time_source::Timestamp;
use ollehto::training::positions;

const OLLEHTO: &str = env!("CARGO_BIN_EXE_ollehto");

/// What the engine's latest answers may be later than the control's.
const ALLOWED: Duration = Duration::from_millis(5);

#[derive(Debug, Parser)]
struct Arguments {
    /// Moves of each
    #[arg(long, value_name = "N", default_value_t = 2000)]
    moves: usize,
    /// Milliseconds for each move
    #[arg(long, value_name = "N", default_value_t = 50)]
    time: u64,
    /// Processes that compute meanwhile
    #[arg(long, value_name = "N", default_value_t = 0)]
    busy: usize,
    /// Start the processes anew after so many moves
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    fresh: usize,
    /// The engine to measure, if not the one just built
    #[arg(long, value_name = "PROGRAM", default_value = OLLEHTO)]
    engine: String,
    /// Be the control: answer each line at the deadline for so many milliseconds
    #[arg(long, hide = true)]
    control: Option<u64>,
    /// Be busy
    #[arg(long, hide = true)]
    spin: bool,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// A process that is asked for moves.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(program: &str, arguments: &[String]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn ask(&mut self, command: &str) -> Duration {
        let asked = Timestamp::now();
        writeln!(self.input, "{command}").expect("it reads");
        let mut line = String::new();
        while line != "\n" {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("it answers") > 0, "{command}: no answer");
        }
        asked.elapsed()
    }

    fn end(self) {
        let Self { mut child, input, .. } = self;
        drop(input);
        child.wait().expect("it ends");
    }
}

/// Answers each line at the end of the time that the engine gives its search.
fn control(time: Duration) {
    for line in io::stdin().lines() {
        let arrived = Timestamp::now();
        if line.expect("text").starts_with("genmove") {
            let limits = Limits { time: Some(time), ..Limits::default() };
            let end = limits.budget(arrived, 40, Rules::Reversed, Duration::ZERO).hard.expect("timed");
            thread::sleep(end.saturating_duration_since(Timestamp::now()));
        }
        print!("=\n\n");
        io::stdout().flush().expect("somebody reads");
    }
}

/// Ends a process when dropped.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // One that has ended by itself needs neither.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The time that so many of a thousand answers do not exceed.
fn quantile(sorted: &[Duration], per_mille: usize) -> Duration {
    sorted[(sorted.len() * per_mille).div_ceil(1000).max(1) - 1]
}

fn row(name: &str, sorted: &[Duration], limit: Duration) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let [p50, p99, p999] = [500, 990, 999].map(|per_mille| ms(quantile(sorted, per_mille)));
    let late = sorted.iter().filter(|&&time| time > limit).count();
    let longest = ms(sorted[sorted.len() - 1]);
    println!("{name:<10}{p50:>10.2}{p99:>10.2}{p999:>10.2}{longest:>10.2}{late:>8}");
}

fn main() -> ExitCode {
    let Arguments { moves, time, busy, fresh, engine, control: sleeps, spin, .. } = Arguments::parse();
    if spin {
        loop {
            std::hint::spin_loop();
        }
    }
    if let Some(time) = sleeps {
        control(Duration::from_millis(time));
        return ExitCode::SUCCESS;
    }
    let own = env::current_exe().expect("its own path");
    let own = own.to_str().expect("a path in UTF-8");
    let boards: Vec<Position> =
        [16, 24, 32].iter().flat_map(|&discs| positions::sample(Rules::Reversed, discs, 40, 5)).collect();
    let seconds = Duration::from_millis(time).as_secs_f64().to_string();
    let spinning = || Killed(Command::new(own).arg("--spin").spawn().expect("it starts"));
    let spinners: Vec<Killed> = (0..busy).map(|_| spinning()).collect();
    let (mut engine_times, mut control_times) = (Vec::new(), Vec::new());
    let positions: Vec<&Position> = boards.iter().cycle().take(moves).collect();
    for positions in positions.chunks(fresh) {
        let mut player = Player::start(&engine, &["--no-book".into(), "--time".into(), seconds.clone()]);
        let mut sleeper = Player::start(own, &["--control".into(), time.to_string()]);
        for board in positions {
            player.ask(&format!("setboard {}", position_text(board)));
            engine_times.push(player.ask(&format!("reg_genmove {}", ollehto::notation::side(board.side()))));
            control_times.push(sleeper.ask("genmove"));
        }
        player.end();
        sleeper.end();
    }
    drop(spinners);
    engine_times.sort_unstable();
    control_times.sort_unstable();
    let limit = Duration::from_millis(time);
    println!("{moves} moves at {time} ms, {busy} busy processes; answers in ms");
    println!("{:<10}{:>10}{:>10}{:>10}{:>10}{:>8}", "", "p50", "p99", "p99.9", "longest", "late");
    row("engine", &engine_times, limit);
    row("control", &control_times, limit);
    let [engine, control] = [engine_times, control_times].map(|times| quantile(&times, 999));
    let kept = engine <= control + ALLOWED;
    println!("p99.9 {} the control's plus 5 ms", if kept { "is within" } else { "EXCEEDS" });
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
