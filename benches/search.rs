//! What the table is worth between two moves, and how soon a search stops once a line has asked for it.
//!
//! `cargo bench --bench search` prints both with their targets and fails if one is missed.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread::{self, Thread};
use std::time::Duration;

use crossbeam_channel::Sender;
use ollehto::bench;
use ollehto::board::Position;
use ollehto::frontend::{Gtp, Session, Settings, drive};
use ollehto::rules::Rules;
use ollehto::search::{Budget, Control, SearchResult, Searcher, Task};
use ollehto::stdio::{Input, TrafficLog};
use ollehto::time_source::Timestamp;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How deep each of the two moves is searched.
const DEPTH: u8 = 10;
/// Nodes with the table of the last move, against nodes without.
const WARM_TARGET: f64 = 0.60;
/// From the line read to its search stopped.
const STOP_TARGET: Duration = Duration::from_millis(1);
const STOPS: usize = 1000;

fn main() -> ExitCode {
    let table = measure_table();
    let stops = [1, 2].map(measure_stops);
    if table && stops.into_iter().all(|met| met) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

/// Searches a position, then the one after the move found and the reply expected, with and without what was learned.
fn measure_table() -> bool {
    println!("Nodes to reach depth {DEPTH} two plies after a search of depth {DEPTH}, by the expected reply");
    let (mut warm, mut cold) = (0, 0);
    for rules in Rules::ALL {
        for position in bench::positions().into_iter().filter(|p| p.empties().len() > 2 * u32::from(DEPTH)) {
            let mut searcher = Searcher::new(1, 64);
            let first = search(&mut searcher, position, rules);
            let reply = first.reply().expect("a deep search expects a reply");
            let next = position.play(first.best()).and_then(|p| p.play(reply)).expect("lines are legal");
            let with = search(&mut searcher, next, rules).last.nodes;
            let without = search(&mut Searcher::new(1, 64), next, rules).last.nodes;
            println!(
                "  {rules}, {} empty: {with} of {without} ({:.0} %)",
                next.empties().len(),
                percent(with, without)
            );
            warm += with;
            cold += without;
        }
    }
    let share = percent(warm, cold);
    let met = share <= 100.0 * WARM_TARGET;
    println!("  in all {share:.1} %, target {:.0} %: {}", 100.0 * WARM_TARGET, verdict(met));
    met
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn search(searcher: &mut Searcher, position: Position, rules: Rules) -> SearchResult {
    let control = Control::new(&Budget { depth: Some(DEPTH), ..Budget::UNLIMITED });
    searcher.run(&Task::new(position, rules), &control, &mut |_| {})
}

/// Tells when something was written.
struct Stamps(mpsc::Sender<Timestamp>);

impl Write for Stamps {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.send(Timestamp::now());
        Ok(())
    }
}

/// Stops searches at random moments; the answer is written once the search has ended.
fn measure_stops(threads: u32) -> bool {
    let (stamps, stamped) = mpsc::channel();
    let (lines, input) = crossbeam_channel::unbounded();
    let driver = thread::spawn(move || {
        let settings = Settings { threads, ..Settings::default() };
        let session = Session::with_search(settings, TrafficLog::default()).expect("a thread");
        drive(&mut Gtp::new(session, Stamps(stamps), None), None, &input).expect("memory can be written to");
    });
    let answer = || stamped.recv().expect("the driver lives");
    send(&lines, driver.thread(), "time 3600");
    answer();
    let mut random = StdRng::seed_from_u64(1);
    let mut delays: Vec<Duration> = (0..STOPS)
        .map(|_| {
            send(&lines, driver.thread(), "reg_genmove b");
            thread::sleep(Duration::from_micros(random.random_range(0..8000)));
            let read = send(&lines, driver.thread(), "stop");
            let delay = answer() - read;
            answer();
            delay
        })
        .collect();
    drop(lines);
    driver.thread().unpark();
    driver.join().expect("the driver ends with its input");
    delays.sort_unstable();
    let at = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize];
    let met = at(0.99) < STOP_TARGET;
    println!(
        "From the line read to the search stopped and answered, {threads} thread(s), {STOPS} stops: \
         p50 {:?}, p99 {:?}, most {:?}; target p99 below {STOP_TARGET:?}: {}",
        at(0.5),
        at(0.99),
        at(1.0),
        verdict(met)
    );
    met
}

fn send(lines: &Sender<Input>, driver: &Thread, text: &str) -> Timestamp {
    let arrived = Timestamp::now();
    lines.send(Input::Line { text: text.into(), arrived }).expect("the driver lives");
    driver.unpark();
    arrived
}
