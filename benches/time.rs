//! How well the search uses its clock, and what solving costs.
//!
//! `cargo bench --bench time` plays games against itself under several clocks, some minutes in all, and tells of the
//! moves that were neither solved nor forced which part of the planned time they took, and by how much any move has
//! overstepped its limit. `cargo bench --bench time -- --games 1` is enough for a first look.
//!
//! `cargo bench --bench time -- --model` solves positions with 12 to 22 empty squares, and searches to the end once,
//! selectively, with 18 to 28, and fits the models by which the search predicts what solving costs
//! (`src/search/cost.rs`).

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::Parser;
use ollehto::board::{Move, Position, Size};
use ollehto::clock::{PlayerClock, TimeControl};
use ollehto::random::Random;
use ollehto::rules::Rules;
use ollehto::search::{Budget, Control, Limits, Searcher, Task};
use ollehto::terminal::table::TextTable;
use ollehto::time_source::Timestamp;
use ollehto::training::positions::sample;

/// What draws openings and positions: results can be compared only on the same ones.
const SEED: u64 = 1;

/// Mebibytes of table.
const HASH: usize = 64;

/// How many random plies a game begins with.
const RANDOM_PLIES: usize = 8;

/// Rounds from this depth on show how a search grows.
const GROWTH_FROM: u8 = 8;

/// From here on selective rounds to the end of the game come before the exact one, all of them from the second on.
const SELECTIVE_FROM: [u8; 2] = [18, 20];

/// So many more empty squares than are solved with, the first of these rounds is still soon over.
const FURTHER: u8 = 6;

/// Measures how the search uses its clock, on one thread.
#[derive(Parser)]
struct Arguments {
    /// Games for each clock, by either rules in turn
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    games: u16,
    /// Fit what solving costs instead
    #[arg(long)]
    model: bool,
    /// Positions for each number of empty squares
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(2..=1000))]
    positions: u16,
    /// Most empty squares to solve with
    #[arg(long, default_value_t = 22, value_parser = clap::value_parser!(u8).range(14..=30))]
    empties: u8,
    /// Said by cargo to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// What the moves under one clock have come to.
#[derive(Default)]
struct Tally {
    moves: u32,
    solved: u32,
    forced: u32,
    used: Duration,
    planned: Duration,
    /// Most by which a move has taken longer than it may; less than none is what was left at least.
    overrun: Option<f64>,
    /// What was left of the clocks when games were over.
    left: Vec<f64>,
}

impl Tally {
    fn row(&self, control: TimeControl) -> Vec<String> {
        let left = self.left.iter().sum::<f64>() / self.left.len().max(1) as f64;
        vec![
            control.to_string(),
            self.moves.to_string(),
            self.solved.to_string(),
            self.forced.to_string(),
            format!("{:.1} %", 100.0 * self.used.as_secs_f64() / self.planned.as_secs_f64()),
            format!("{:+.1} ms", 1000.0 * self.overrun.unwrap_or_default()),
            if self.left.is_empty() { String::new() } else { format!("{left:.2} s") },
        ]
    }
}

/// A position with a choice of openings behind it.
fn opening(random: &mut Random) -> Position {
    let mut position = Position::start(Size::Eight);
    for _ in 0..RANDOM_PLIES {
        let moves: Vec<_> = position.moves().into_iter().collect();
        let next = random.pick(&moves).and_then(|&square| position.play(Move::Place(square)));
        position = next.unwrap_or(position);
    }
    position
}

/// A game of the search against itself, each side with a table of its own.
fn play(rules: Rules, control: TimeControl, mut position: Position, tally: &mut Tally) {
    let mut searchers = [(); 2].map(|()| Searcher::new(1, HASH));
    let mut clocks = [PlayerClock::new(control); 2];
    let mut turn = 0;
    while !position.is_over() {
        let moves = position.moves().len();
        if moves == 0 {
            clocks[turn].pass();
            position = position.play(Move::Pass).unwrap_or(position);
            turn = 1 - turn;
            continue;
        }
        let time = if let TimeControl::PerMove(time) = control { Some(time) } else { None };
        let limits = Limits { time, clock: clocks[turn].search_clock(), ..Limits::default() };
        let start = Timestamp::now();
        let budget = limits.budget(start, position.empties().len() as u8, rules, Duration::ZERO);
        let task = Task::new(position, rules);
        let outcome = searchers[turn].run(&task, &Control::new(&budget), &mut |_| {});
        let spent = start.elapsed();
        tally.moves += 1;
        let planned = budget.soft.map_or(Duration::ZERO, |soft| soft.saturating_duration_since(start));
        match (outcome.last.exact, moves) {
            (true, _) => tally.solved += 1,
            (false, 1) => tally.forced += 1,
            (false, _) => {
                tally.used += spent;
                // Where a time for each move is set, all of it counts, with what is kept for the way to the client.
                tally.planned += time.unwrap_or(planned);
            }
        }
        let limit = clocks[turn].limit().unwrap_or(Duration::MAX);
        let over = spent.as_secs_f64() - limit.as_secs_f64();
        tally.overrun = Some(tally.overrun.map_or(over, |most| most.max(over)));
        clocks[turn].charge(spent);
        position = position.play(outcome.best()).unwrap_or(position);
        turn = 1 - turn;
    }
    if matches!(control, TimeControl::Game { .. }) {
        tally.left.extend(clocks.iter().filter_map(PlayerClock::limit).map(|left| left.as_secs_f64()));
    }
}

fn measure_games(games: u16) {
    let seconds = Duration::from_secs_f64;
    let game = |main, increment| TimeControl::Game { main: seconds(main), increment: seconds(increment) };
    let controls = [
        game(1.0, 0.0),
        game(5.0, 0.0),
        game(3.0, 0.1),
        TimeControl::ByoYomi { main: seconds(1.0), period: seconds(1.0), moves: 5 },
        TimeControl::PerMove(seconds(0.05)),
        TimeControl::PerMove(seconds(0.1)),
        TimeControl::PerMove(seconds(1.0)),
    ];
    let titles = ["clock", "moves", "solved", "forced", "used", "largest overrun", "left at the end"];
    let mut table = TextTable::with_titles(1, &titles);
    for control in controls {
        let mut tally = Tally::default();
        for number in 0..u64::from(games) {
            let rules = if number % 2 == 0 { Rules::Reversed } else { Rules::Standard };
            play(rules, control, opening(&mut Random::keyed(SEED, number)), &mut tally);
        }
        table.row(tally.row(control));
    }
    print!("{table}");
}

/// What a search to the end of the game has shown.
#[derive(Default)]
struct Solve {
    /// Positions, and the time taken, before the first round to the end.
    before: (u64, f64),
    /// The same after that round, and after the last.
    first: (u64, f64),
    whole: (u64, f64),
    /// How rounds have grown over the one before, short of the end of the game and to it.
    growth: Vec<f64>,
    next: Vec<f64>,
}

/// A part of a search: positions visited, and how many a second.
struct Part {
    nodes: f64,
    speed: f64,
}

impl Part {
    fn between(begin: (u64, f64), end: (u64, f64)) -> Self {
        let nodes = (end.0 - begin.0) as f64;
        Self { nodes, speed: nodes / (end.1 - begin.1) }
    }
}

/// Searches to the end of the game: until it is solved, or once only.
fn solve(searcher: &mut Searcher, position: Position, rules: Rules, once: bool) -> Solve {
    searcher.clear();
    let empties = position.empties().len() as u8;
    let (mut solve, mut rounds) = (Solve::default(), vec![0]);
    let control = Control::new(&Budget::UNLIMITED);
    let start = Timestamp::now();
    searcher.run(&Task::new(position, rules), &control, &mut |iteration| {
        let now = (iteration.nodes, start.elapsed().as_secs_f64());
        rounds.push(iteration.nodes);
        let grown = match rounds[..] {
            [.., earlier, before, last] => (last - before) as f64 / (before - earlier).max(1) as f64,
            _ => 1.0,
        };
        if iteration.depth < empties {
            solve.before = now;
            if iteration.depth >= GROWTH_FROM {
                solve.growth.push(grown);
            }
        } else if solve.first.0 == 0 {
            solve.first = now;
            if once {
                control.stop();
            }
        } else {
            solve.next.push(grown);
        }
        solve.whole = now;
    });
    solve
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The line through the points with the least squares, and how far they scatter about it.
fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / count;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let slope = mean(&|point| (point.0 - x) * (point.1 - y)) / mean(&|point| (point.0 - x).powi(2));
    let start = y - slope * x;
    (start, slope, mean(&|point| (point.1 - start - slope * point.0).powi(2)).sqrt())
}

/// So many positions of our own games with a choice of moves.
fn drawn(rules: Rules, empties: u8, count: usize) -> impl Iterator<Item = Position> {
    let positions = sample(rules, 64 - u32::from(empties), 2 * count, SEED);
    positions.into_iter().filter(|position| position.moves().len() > 1).take(count)
}

fn fit_model(count: usize, most: u8) {
    let titles = ["rules", "work", "log_factor", "growth", "scatter", "speed of the middle game's"];
    let mut models = TextTable::with_titles(2, &titles);
    let titles = ["rules", "speed in the middle game", "round's growth", "rounds to the end"];
    let mut rates = TextTable::with_titles(1, &titles);
    let mut searcher = Searcher::new(1, HASH);
    for rules in Rules::ALL {
        let (mut speeds, mut growths, mut nexts) = (vec![], vec![], [vec![], vec![]]);
        let mut fit = |work: &str, empties: RangeInclusive<u8>, once: bool| {
            let (mut points, mut ratios) = (vec![], vec![]);
            for empties in empties.step_by(2) {
                for position in drawn(rules, empties, count) {
                    let Solve { before, first, whole, growth, next } =
                        solve(&mut searcher, position, rules, once);
                    let middle = Part::between((0, 0.0), before);
                    let end = Part::between(before, if once { first } else { whole });
                    points.push((f64::from(empties), end.nodes.max(1.0).ln()));
                    growths.extend(growth);
                    if empties >= SELECTIVE_FROM[1] {
                        speeds.push(middle.speed / 1e6);
                        ratios.push(end.speed / middle.speed);
                        nexts.iter_mut().zip(next).for_each(|(all, one)| all.push(one));
                    }
                }
            }
            let (start, slope, scatter) = line(&points);
            models.row(vec![
                rules.to_string(),
                work.to_string(),
                format!("{start:.2}"),
                format!("{slope:.3}"),
                format!("{scatter:.2}"),
                format!("×{:.1}", median(ratios)),
            ]);
        };
        fit("solving", 12..=most, false);
        fit("first round", SELECTIVE_FROM[0]..=most + FURTHER, true);
        rates.row(vec![
            rules.to_string(),
            format!("{:.2} Mn/s", median(speeds)),
            format!("×{:.2}", median(growths)),
            nexts.map(|next| format!("×{:.1}", median(next))).join(" "),
        ]);
    }
    print!("{models}\n{rates}");
}

fn main() {
    let Arguments { games, model, positions, empties, .. } = Arguments::parse();
    if model { fit_model(positions.into(), empties) } else { measure_games(games) }
}
