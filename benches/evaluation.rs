//! What the learned evaluation costs: unpacking it, valuing a position, and keeping the numbers of its patterns.
//!
//!     cargo bench --bench evaluation

use std::hint::black_box;
use std::time::Instant;

use ollehto::board::{Position, Size, Square};
use ollehto::eval::{Evaluation, PatternState};
use ollehto::rules::Rules;
use ollehto::training::positions;

/// Positions of all stages, a few thousand, so that neither weights nor positions stay in the nearest cache.
const DISCS: [u32; 8] = [12, 18, 24, 30, 36, 42, 48, 54];
const EACH: usize = 100;
/// Positions with so many empty squares are often solved.
const SOLVED: usize = 22;
const ROUNDS: usize = 200;
const REPEATS: usize = 7;

fn main() {
    for rules in Rules::ALL {
        let begun = Instant::now();
        let evaluator = Evaluation::Shipped.evaluator(rules, Size::Eight);
        evaluator.prepare(SOLVED);
        let solvable = begun.elapsed();
        evaluator.prepare(60);
        let unpacked = begun.elapsed();
        let hand_made = Evaluation::HandMade.evaluator(rules, Size::Eight);
        let sample: Vec<Position> =
            DISCS.iter().flat_map(|&discs| positions::sample(rules, discs, EACH, 1)).collect();
        let views: Vec<PatternState> =
            sample.iter().map(|position| PatternState::new(position.board())).collect();
        let moves: Vec<(PatternState, Square)> = sample
            .iter()
            .filter_map(|position| Some((PatternState::new(position.board()), position.moves().first()?)))
            .collect();
        let value = |view: &PatternState| evaluator.evaluate(view).units();
        let move_on = |&(view, square): &(PatternState, Square)| view.after(square);
        println!("{rules} rules, {} positions, median of {REPEATS}", views.len());
        println!("  unpacking from {SOLVED} empty on     {:8.1} ms", solvable.as_secs_f64() * 1e3);
        println!("  unpacking all of it           {:8.1} ms", unpacked.as_secs_f64() * 1e3);
        println!("  a value                       {:8.1} ns", nanoseconds(&views, value));
        println!(
            "  a value, hand-made            {:8.1} ns",
            nanoseconds(&views, |view| hand_made.evaluate(view).units())
        );
        println!("  a move with its numbers       {:8.1} ns", nanoseconds(&moves, move_on));
        println!("  a move and its value          {:8.1} ns", nanoseconds(&moves, |at| value(&move_on(at))));
        println!(
            "  numbers of a board from none  {:8.1} ns",
            nanoseconds(&views, |view| PatternState::new(view.board))
        );
    }
}

/// How long something takes for each item.
fn nanoseconds<T, R>(items: &[T], of: impl Fn(&T) -> R) -> f64 {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let begun = Instant::now();
            for _ in 0..ROUNDS {
                items.iter().for_each(|item| {
                    black_box(of(black_box(item)));
                });
            }
            begun.elapsed().as_secs_f64() * 1e9 / (ROUNDS * items.len()) as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEATS / 2]
}
