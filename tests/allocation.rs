//! A search asks for memory when it begins and when a depth is done, and never in between: a hundred times the
//! positions cost no allocation more, but for the lines that more depths tell of.
//!
//! The counter belongs to the whole process, so this file has one test only: nothing else runs while a search does.

mod support;

use ollehto::bench;
use ollehto::board::Position;
use ollehto::rules::Rules;
use ollehto::search::{Budget, Control, SearchMode, Searcher, Task};
use support::allocations::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

/// A line is allocated when it is found, which may be some times in a depth, by each thread, and again when it is told
/// of.
const EACH_LINE: usize = 6;

/// Threads that wait for each other the first time make room for that.
const EACH_THREAD: usize = 8;

/// How many positions more the long search visits.
const FACTOR: u64 = 100;

/// What a search has cost.
#[derive(Debug)]
struct Cost {
    allocations: usize,
    nodes: u64,
    iterations: usize,
    exact: bool,
}

/// Searches with an empty table.
fn cost(searcher: &mut Searcher, task: &Task, nodes: Option<u64>) -> Cost {
    searcher.clear();
    let control = Control::new(&Budget { nodes, ..Budget::UNLIMITED });
    let mut iterations = 0;
    let (outcome, allocations) = ALLOCATOR.during(|| searcher.run(task, &control, &mut |_| iterations += 1));
    Cost { allocations, nodes: outcome.last.nodes, iterations, exact: outcome.last.exact }
}

/// The position of the bench with so many empty squares.
fn position(empties: u32) -> Position {
    bench::positions().into_iter().find(|position| position.empties().len() == empties).expect("there is one")
}

/// Searches until the limit, or to the end without one, and the same for far fewer nodes.
fn compare(threads: usize, task: &Task, limit: Option<u64>) {
    let mut searcher = Searcher::new(threads, 16);
    // Whoever searches first unpacks the weights.
    cost(&mut searcher, task, Some(1));
    let long = cost(&mut searcher, task, limit);
    let short = cost(&mut searcher, task, Some(long.nodes / (2 * FACTOR)));
    let case = format!("{threads} thread(s), {task:?}: {short:?} and {long:?}");
    assert!(long.nodes >= FACTOR * short.nodes, "the searches are too much alike: {case}");
    assert_eq!(long.exact, limit.is_none(), "{case}");
    // The depth that the short search was stopped in may have found lines too.
    let depths = long.iterations - short.iterations + 1;
    // A helper that is ahead may search a depth once more, and finds other lines then.
    let searches = 2 * threads - 1;
    let allowed = EACH_LINE * task.lines * depths * searches + EACH_THREAD * (threads - 1);
    assert!(long.allocations <= short.allocations + allowed, "{case}");
}

#[test]
fn a_search_allocates_for_its_lines_only() {
    for threads in [1, 2] {
        for rules in Rules::ALL {
            for (mode, lines) in
                [(SearchMode::BestMove, 1), (SearchMode::BestMove, 4), (SearchMode::FullWidth, 1)]
            {
                let task = Task { mode, lines, ..Task::new(position(42), rules) };
                compare(threads, &task, Some(500_000));
            }
            for lines in [1, 2] {
                let task = Task { lines, ..Task::new(position(16), rules) };
                compare(threads, &task, None);
            }
        }
    }
}
