//! What it costs to solve the positions of the FFO endgame test, by either rules.
//!
//! `cargo bench --bench endgame` solves #40 to #44 with one thread, `cargo bench --bench endgame -- --all` also #45 to
//! #49 with one thread and with two, which takes minutes. It fails if a value is wrong or a target missed.
//!
//! Seconds differ from machine to machine and from hour to hour. So the times are told as multiples of a fixed piece of
//! work as well, which is done again and again in between: a plain count of the games of up to nine plies, here
//! called plain perft 9.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use indicatif::ProgressBar;
use ollehto::board::Position;
use ollehto::frontend::Settings;
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto::score::Score;
use ollehto::search::{Budget, Control, Searcher, Task};
use ollehto::terminal::table::TextTable;
use ollehto_protocol::obf::parse_problem;
use rustix::time::{ClockId, clock_gettime};

const POSITIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/ffo.obf");

/// The number of the first position in the file.
const FIRST: usize = 40;

/// How many are solved with one thread, and how many after them with two as well.
const ALONE: usize = 5;
const TOGETHER: usize = 5;

/// Processor time of two threads, against that of one.
const THREADS_TARGET: f64 = 1.15;

const RULES: [Rules; 2] = [Rules::Standard, Rules::Reversed];

/// Measures the solver.
#[derive(Parser)]
struct Arguments {
    /// Also solve harder positions, with one thread and with two
    #[arg(long)]
    all: bool,
    /// How often to solve #40 to #44; the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    rounds: u8,
    /// Said by cargo to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A position of the test.
struct Problem {
    number: usize,
    position: Position,
    /// By standard rules.
    known: f64,
}

fn problems() -> Vec<Problem> {
    let text = fs::read_to_string(POSITIONS).expect("the positions are part of the project");
    let problem = |(number, line): (usize, &str)| {
        let problem = parse_problem(line.as_bytes()).expect("a position");
        let known = problem.value().expect("a known value").into();
        Problem { number, position: notation::position(&problem.position).expect("discs"), known }
    };
    (FIRST..).zip(text.lines()).map(problem).collect()
}

/// What a position has cost.
#[derive(Clone, Copy)]
struct Cost {
    nodes: u64,
    processor: Duration,
    wall: Duration,
}

impl Cost {
    /// All of them together.
    fn sum<'a>(costs: impl IntoIterator<Item = &'a Self>) -> Self {
        let none = Self { nodes: 0, processor: Duration::ZERO, wall: Duration::ZERO };
        costs.into_iter().fold(none, |sum, cost| Self {
            nodes: sum.nodes + cost.nodes,
            processor: sum.processor + cost.processor,
            wall: sum.wall + cost.wall,
        })
    }
}

/// Processor time of this process, all threads together.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let part = |number: i64| u64::try_from(number).expect("time goes on from zero");
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The fixed piece of work, and how long it took each time.
#[derive(Default)]
struct PlainPerft(Vec<Duration>);

impl PlainPerft {
    /// All depths up to nine, as perft commands print them.
    const COUNTS: [u64; 9] = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];

    fn measure(&mut self) {
        let start = processor_time();
        for (depth, count) in (1..).zip(Self::COUNTS) {
            assert_eq!(plain_perft(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, depth, false), count);
        }
        self.0.push(processor_time() - start);
    }

    fn median(&self) -> Duration {
        median(self.0.clone())
    }

    /// A time as a multiple of the median.
    fn multiple(&self, time: Duration) -> f64 {
        time.as_secs_f64() / self.median().as_secs_f64()
    }
}

/// The discs that one on an empty square would turn, found by walking from it in all directions.
fn plain_flips(own: u64, other: u64, square: i32) -> u64 {
    let mut flips = 0;
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let (mut row, mut column, mut run) = (square / 8 + down, square % 8 + right, 0);
        while (0..8).contains(&row) && (0..8).contains(&column) {
            let here = 1_u64 << (8 * row + column);
            if other & here == 0 {
                flips |= if own & here == 0 { 0 } else { run };
                break;
            }
            run |= here;
            (row, column) = (row + down, column + right);
        }
    }
    flips
}

/// Games of so many plies, every one played to its end. Nothing here is to be made faster: it is a unit.
fn plain_perft(own: u64, other: u64, depth: u32, passed: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let empty = |square: &i32| (own | other) >> square & 1 == 0;
    let flips = |square| (square, plain_flips(own, other, square));
    let moves: Vec<_> = (0..64).filter(empty).map(flips).filter(|&(_, flips)| flips != 0).collect();
    match moves.is_empty() {
        true if passed => 1,
        true => plain_perft(other, own, depth - 1, true),
        false => moves
            .into_iter()
            .map(|(square, flips)| plain_perft(other & !flips, own | flips | 1 << square, depth - 1, false))
            .sum(),
    }
}

/// Solves and remembers what turned out wrong.
#[derive(Default)]
struct Bench {
    yardstick: PlainPerft,
    wrong: Vec<String>,
}

impl Bench {
    /// Solves a position with an empty table, having done the fixed piece of work; its value and cost.
    fn solve(&mut self, searcher: &mut Searcher, problem: &Problem, rules: Rules) -> (Score, Cost) {
        self.yardstick.measure();
        searcher.clear();
        let control = Control::new(&Budget::UNLIMITED);
        let (wall, processor) = (Instant::now(), processor_time());
        let last = searcher.run(&Task::new(problem.position, rules), &control, &mut |_| {}).last;
        let cost = Cost { nodes: last.nodes, processor: processor_time() - processor, wall: wall.elapsed() };
        let score = last.lines.first().map_or_else(Score::default, |line| line.score);
        if !last.exact || rules == Rules::Standard && score.discs() != problem.known {
            self.wrong.push(format!("#{} by {rules} rules: {score}", problem.number));
        }
        (score, cost)
    }

    /// Solves positions with one thread; prints a row for each and the total by each rule set.
    fn alone(&mut self, problems: &[Problem], rounds: u8) {
        let mut searcher = Searcher::new(1, hash());
        let progress = ProgressBar::new((RULES.len() * problems.len() * usize::from(rounds)) as u64);
        let mut costs = vec![Vec::new(); RULES.len() * problems.len()];
        let mut scores = vec![Score::default(); costs.len()];
        for _ in 0..rounds {
            let cases = RULES.into_iter().flat_map(|rules| problems.iter().map(move |p| (rules, p)));
            for (at, (rules, problem)) in cases.enumerate() {
                let (score, cost) = self.solve(&mut searcher, problem, rules);
                scores[at] = score;
                costs[at].push(cost);
                progress.inc(1);
            }
        }
        progress.finish_and_clear();
        let costs: Vec<Cost> = costs.into_iter().map(|rounds| middle(&rounds)).collect();
        println!("One thread, medians of {rounds} round(s)");
        let titles = ["rules", "position", "empties", "score", "nodes", "CPU s", "Mn/s", "plain perft 9"];
        let mut table = TextTable::with_titles(2, &titles);
        let mut totals = Vec::new();
        let of_rules = costs.chunks(problems.len()).zip(scores.chunks(problems.len()));
        for (rules, (costs, scores)) in RULES.into_iter().zip(of_rules) {
            for ((problem, cost), score) in problems.iter().zip(costs).zip(scores) {
                let empties = problem.position.empties().len().to_string();
                let name = format!("#{}", problem.number);
                table.row(self.row(rules, &name, empties, format!("{:+}", score.discs()), cost));
            }
            let total = Cost::sum(costs);
            table.row(self.row(rules, "all", String::new(), String::new(), &total));
            totals.push(total);
        }
        print!("{table}");
        if let [standard, reversed] = totals[..] {
            println!(
                "reversed / standard: {:.2} of the nodes, {:.2} of the CPU time",
                reversed.nodes as f64 / standard.nodes as f64,
                reversed.processor.as_secs_f64() / standard.processor.as_secs_f64()
            );
        }
        self.tell_unit();
    }

    fn row(&self, rules: Rules, name: &str, empties: String, score: String, cost: &Cost) -> Vec<String> {
        let seconds = cost.processor.as_secs_f64();
        vec![
            rules.to_string(),
            name.into(),
            empties,
            score,
            cost.nodes.to_string(),
            format!("{seconds:.2}"),
            format!("{:.1}", cost.nodes as f64 / seconds / 1e6),
            format!("{:.2}", self.yardstick.multiple(cost.processor)),
        ]
    }

    fn tell_unit(&self) {
        let (unit, times) = (self.yardstick.median().as_secs_f64(), self.yardstick.0.len());
        println!("plain perft 9: {unit:.3} s CPU, the median of {times}");
    }

    /// Solves positions with one thread and with two; whether the second costs little.
    fn together(&mut self, problems: &[Problem]) -> bool {
        let mut searchers = [1, 2].map(|threads| Searcher::new(threads, hash()));
        let progress = ProgressBar::new((2 * RULES.len() * problems.len()) as u64);
        let titles =
            ["rules", "position", "nodes, one", "two", "CPU s, one", "two", "two / one", "wall two / one"];
        let mut table = TextTable::with_titles(2, &titles);
        let mut all = Vec::new();
        for rules in RULES {
            let mut of_rules = Vec::new();
            for problem in problems {
                let [(one_score, one), (two_score, two)] = searchers.each_mut().map(|searcher| {
                    let solved = self.solve(searcher, problem, rules);
                    progress.inc(1);
                    solved
                });
                if one_score != two_score {
                    let case = format!("#{} by {rules} rules", problem.number);
                    self.wrong.push(format!("{case}: {one_score} with one thread, {two_score} with two"));
                }
                table.row(comparison(rules, &format!("#{}", problem.number), one, two));
                of_rules.push((one, two));
            }
            let (one, two) = sums(&of_rules);
            table.row(comparison(rules, "all", one, two));
            all.extend(of_rules);
        }
        progress.finish_and_clear();
        println!("\nOne thread and two");
        print!("{table}");
        let (one, two) = sums(&all);
        let ratio = two.processor.as_secs_f64() / one.processor.as_secs_f64();
        let met = ratio <= THREADS_TARGET;
        println!(
            "CPU time two / one {ratio:.3}, target {THREADS_TARGET}: {}; wall {:.2}; one thread {:.2} plain perft 9",
            if met { "met" } else { "MISSED" },
            two.wall.as_secs_f64() / one.wall.as_secs_f64(),
            self.yardstick.multiple(one.processor)
        );
        self.tell_unit();
        met
    }
}

/// Mebibytes of table: as many as the solver has unless told otherwise.
fn hash() -> usize {
    Settings::default().hash as usize
}

/// The cost of the round in the middle: with one thread they differ in time alone.
fn middle(rounds: &[Cost]) -> Cost {
    let processor = median(rounds.iter().map(|cost| cost.processor).collect());
    let wall = median(rounds.iter().map(|cost| cost.wall).collect());
    Cost { nodes: rounds[0].nodes, processor, wall }
}

fn sums(costs: &[(Cost, Cost)]) -> (Cost, Cost) {
    (Cost::sum(costs.iter().map(|(one, _)| one)), Cost::sum(costs.iter().map(|(_, two)| two)))
}

fn comparison(rules: Rules, name: &str, one: Cost, two: Cost) -> Vec<String> {
    let ratio = |two: Duration, one: Duration| format!("{:.3}", two.as_secs_f64() / one.as_secs_f64());
    vec![
        rules.to_string(),
        name.into(),
        one.nodes.to_string(),
        two.nodes.to_string(),
        format!("{:.2}", one.processor.as_secs_f64()),
        format!("{:.2}", two.processor.as_secs_f64()),
        ratio(two.processor, one.processor),
        ratio(two.wall, one.wall),
    ]
}

fn main() -> ExitCode {
    let Arguments { all, rounds, .. } = Arguments::parse();
    let problems = problems();
    let mut bench = Bench::default();
    bench.alone(&problems[..ALONE], rounds);
    let met = !all || bench.together(&problems[ALONE..ALONE + TOGETHER]);
    for wrong in &bench.wrong {
        println!("WRONG: {wrong}");
    }
    if met && bench.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
