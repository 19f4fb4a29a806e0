//! How much faster several threads search than one, and what they do meanwhile.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use ollehto_protocol::obf::parse_problem;

use crate::board::Position;
use crate::notation;
use crate::os;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Control, Searcher, Task, ThreadStatistics};
use crate::terminal::progress::CommandProgress;
use crate::terminal::table::TextTable;

/// FFO #40 to #59.
const FFO: &str = include_str!("../../tests/data/ffo.obf");

/// Positions with 52 empty squares: even openings of either rules in turn. Behind each, by reversed and by standard rules,
/// the first depth up to 49 that takes one thread 24 million nodes, some three seconds.
const MIDGAME: &str = include_str!("midgame.txt");

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PositionSet {
    /// FFO #40 to #49, solved
    Ffo,
    /// FFO #50 to #55, solved
    FfoHard,
    /// FFO #45 to #49, solved
    FfoMiddle,
    /// 24 positions with 52 empty squares, each searched to a depth that takes one thread some seconds
    Midgame,
}

/// A position, and how deep it is searched; none: to the end of the game.
#[derive(Clone, Copy)]
struct Problem {
    position: Position,
    depth: Option<u8>,
}

impl Problem {
    /// Behind a semicolon there may be depths by reversed and by standard rules.
    fn read(line: &str, rules: Rules) -> Self {
        let (text, depths) = line.split_once(';').unwrap_or((line, ""));
        let problem = parse_problem(text.as_bytes()).expect("the positions of the bench are well formed");
        let position = notation::position(&problem.position).expect("they have discs");
        let mut depths = depths.split_whitespace().filter_map(|depth| depth.parse().ok());
        let depth = match rules {
            Rules::Reversed => depths.next(),
            Rules::Standard => depths.nth(1),
        };
        Self { position, depth }
    }
}

impl PositionSet {
    fn problems(self, rules: Rules) -> Vec<Problem> {
        let (text, from, to) = match self {
            Self::Ffo => (FFO, 40, 49),
            Self::FfoMiddle => (FFO, 45, 49),
            Self::FfoHard => (FFO, 50, 55),
            Self::Midgame => (MIDGAME, 1, 24),
        };
        let first = if text == FFO { 40 } else { 1 };
        let lines = text.lines().skip(from - first).take(to + 1 - from);
        lines.map(|line| Problem::read(line, rules)).collect()
    }
}

pub struct ThreadBench {
    pub set: PositionSet,
    pub rules: Rules,
    /// Of the midgame set, instead of each position's own.
    pub depth: Option<u8>,
    pub counts: Vec<usize>,
    pub rounds: usize,
    /// MiB of table.
    pub hash: usize,
    /// Whether to measure what as many independent searches get done.
    pub ceiling: bool,
}

/// One search of the whole set.
struct Run {
    wall: Duration,
    processor: Duration,
    nodes: u64,
    /// By position.
    scores: Vec<Score>,
    threads: Vec<ThreadStatistics>,
}

impl ThreadBench {
    /// Prints a row for each number of threads: medians of all rounds, in which the numbers take turns.
    ///
    /// # Errors
    /// If it cannot be written, or if solves with different numbers of threads have different results.
    pub fn run(&self, output: &mut impl Write) -> io::Result<()> {
        let problems = self.problems();
        let mut progress =
            CommandProgress::new("searches", self.rounds * self.counts.len() * problems.len(), 0)
                .with_lines();
        let mut runs: Vec<Vec<Run>> = self.counts.iter().map(|_| Vec::new()).collect();
        let mut scores = Vec::new();
        for _ in 0..self.rounds {
            for (&threads, runs) in self.counts.iter().zip(&mut runs) {
                runs.push(self.search(&problems, threads, || progress.advance(1)));
                scores.push(runs.last().map(|run| (threads, run.scores.clone())));
            }
        }
        drop(progress);
        if self.set != PositionSet::Midgame {
            agree(scores.into_iter().flatten())?;
        }
        let runs: Vec<Run> = runs.into_iter().map(median).collect();
        let Some(first) = runs.first() else { return Ok(()) };
        let titles = [
            "threads",
            "seconds",
            "times as fast",
            "processor s",
            "nodes, M",
            "nodes",
            "waiting",
            "given up",
        ];
        let mut table = TextTable::with_titles(0, &titles);
        for (&threads, run) in self.counts.iter().zip(&runs) {
            let mut all = ThreadStatistics::default();
            run.threads.iter().for_each(|thread| all += thread);
            let share = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole);
            table.row(vec![
                threads.to_string(),
                format!("{:.3}", run.wall.as_secs_f64()),
                format!("{:.2}", first.wall.as_secs_f64() / run.wall.as_secs_f64()),
                format!("{:.2}", run.processor.as_secs_f64()),
                format!("{:.1}", run.nodes as f64 / 1e6),
                format!("{:.2}", run.nodes as f64 / first.nodes as f64),
                share(all.waiting.as_secs_f64(), run.wall.as_secs_f64() * threads as f64),
                share(all.given_up as f64, run.nodes as f64),
            ]);
        }
        let set = self.set.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        writeln!(output, "{set}, {} rules, median of {}\n\n{table}", self.rules, self.rounds)?;
        if self.ceiling
            && let Some(&threads) = self.counts.last()
        {
            let factor = self.ceiling(&problems, threads, first.wall);
            writeln!(output, "ceiling: {threads} independent searches get {factor:.2} times as much done")?;
        }
        Ok(())
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = self.set.problems(self.rules);
        for problem in &mut problems {
            problem.depth = problem.depth.map(|own| self.depth.unwrap_or(own));
        }
        problems
    }

    fn search(&self, problems: &[Problem], threads: usize, mut on_position: impl FnMut()) -> Run {
        let mut searcher = Searcher::new(threads, self.hash).batch();
        // Unpacks the weights of all stages that are needed.
        for &Problem { position, .. } in problems {
            let control = Control::new(&Budget { depth: Some(1), ..Budget::UNLIMITED });
            searcher.run(&Task::new(position, self.rules), &control, &mut |_| {});
        }
        searcher.take_statistics();
        let (mut wall, mut processor, mut nodes) = (Duration::ZERO, Duration::ZERO, 0);
        let mut scores = Vec::new();
        for &Problem { position, depth } in problems {
            searcher.clear();
            let (start, busy) = (Instant::now(), os::process_time());
            let control = Control::new(&Budget { depth, ..Budget::UNLIMITED });
            let found = searcher.run(&Task::new(position, self.rules), &control, &mut |_| {}).last;
            nodes += found.nodes;
            scores.extend(found.lines.first().map(|line| line.score));
            wall += start.elapsed();
            processor += os::process_time().zip(busy).map_or(Duration::ZERO, |(now, then)| now - then);
            on_position();
        }
        Run { wall, processor, nodes, scores, threads: searcher.take_statistics() }
    }

    /// How many times as much `threads` searchers with one thread each get done as one of them alone.
    fn ceiling(&self, problems: &[Problem], threads: usize, alone: Duration) -> f64 {
        let walls = thread::scope(|scope| {
            let searches: Vec<_> =
                (0..threads).map(|_| scope.spawn(|| self.search(problems, 1, || {}).wall)).collect();
            searches.into_iter().filter_map(|search| search.join().ok()).collect::<Vec<_>>()
        });
        walls.iter().map(|wall| alone.as_secs_f64() / wall.as_secs_f64()).sum()
    }
}

/// Fails if results differ.
fn agree(mut results: impl Iterator<Item = (usize, Vec<Score>)>) -> io::Result<()> {
    let Some((first_threads, first)) = results.next() else { return Ok(()) };
    for (threads, scores) in results {
        if let Some(at) = (0..first.len()).find(|&at| first.get(at) != scores.get(at)) {
            let number = at + 1;
            return Err(io::Error::other(format!(
                "position {number} of the set has different results with {first_threads} and {threads} threads"
            )));
        }
    }
    Ok(())
}

fn median(mut runs: Vec<Run>) -> Run {
    runs.sort_by_key(|run| run.wall);
    runs.swap_remove(runs.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn midgame_positions_have_a_depth_for_each_rule_set_and_the_others_are_solved() {
        let first = |set: PositionSet, rules| set.problems(rules)[0].depth;
        let depths = [Rules::Reversed, Rules::Standard].map(|rules| first(PositionSet::Midgame, rules));
        assert_eq!(depths, [Some(45), Some(49)]);
        assert_eq!(first(PositionSet::Ffo, Rules::Standard), None);
        let all = PositionSet::Midgame.problems(Rules::Reversed);
        assert!(all.len() == 24 && all.iter().all(|problem| problem.depth.is_some()));
    }

    #[test]
    fn different_results_are_an_error_that_names_position_and_threads() {
        let scores = |units: [i32; 2]| units.map(Score::from_units).to_vec();
        let same = [(1, scores([3, 4])), (2, scores([3, 4]))];
        assert!(agree(same.into_iter()).is_ok());
        let different = [(1, scores([3, 4])), (2, scores([3, 4])), (8, scores([3, 5]))];
        let error = agree(different.into_iter()).expect_err("they differ").to_string();
        assert_eq!(error, "position 2 of the set has different results with 1 and 8 threads");
    }
}
