//! The signature of the search: nodes to a fixed depth, with one thread and an empty table.
//!
//! It changes with the search and the evaluation and with nothing else: no clock, no randomness.

#[cfg(feature = "cli")]
mod threads;

use std::io::{self, Write};
use std::time::Duration;

use ollehto_protocol::notation::parse_position;

use crate::board::{KERNEL, Position, Size};
use crate::eval::{Evaluation, PatternState};
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{Budget, Control, Searcher, Task};
use crate::time_source::Timestamp;

#[cfg(feature = "cli")]
pub use threads::{PositionSet, ThreadBench};

pub const DEPTH: u8 = 13;

/// Part of the signature.
const TABLE_MEBIBYTES: usize = 16;

/// From the opening to one that is solved at [`DEPTH`].
const POSITIONS: [&str; 8] = [
    "-----------O-------OO------OX------OXX----O--X------------------ X",
    "--------------------XO----XXX-----XOXO--OOO-XX--------X--------X X",
    "--------XXXXX---OXXXX---XOXOX-----OOXX----OO-O------------------ X",
    "----------OOO-----OOOOO--OOXXO---OXXOX--O-OXXX----OXXX-----X---- X",
    "--OX-----XXX-OOO-XXXXX--XXXXXX--OOOOXX---OOOX-----OOO------O-O-- X",
    "----OX-----OOO----XXOO-OXXXOOOO-XXXOOOO-XXOOXXOOX-XXXX----X--XX- X",
    "OOOO----OXXO----OXXOOO--OXXXOO--OXXXXOO-OXOXOOO-OOXXOOO-OOOOOOO- X",
    "OOO-----XOXXX--OXOOXXXOXXOXOXOXXXOXXOXXXXOOOXOXXX-OXOOOXXOOOOO-- X",
];

#[must_use]
pub fn positions() -> Vec<Position> {
    let read =
        |text: &str| parse_position(text.as_bytes()).expect("the positions of the bench are well formed");
    POSITIONS.into_iter().map(|text| notation::position(&read(text)).expect("they have discs")).collect()
}

/// Nodes of a search to this depth, with an empty table.
#[must_use]
pub fn nodes(position: Position, rules: Rules, depth: u8) -> u64 {
    let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
    let task = Task::new(position, rules);
    Searcher::new(1, TABLE_MEBIBYTES).run(&task, &control, &mut |_| {}).last.nodes
}

/// Changes with the evaluation of these rule sets. Files of search results carry it, as results of another evaluation are
/// useless.
#[must_use]
pub fn evaluation_fingerprint(evaluation: &Evaluation, rules: &[Rules]) -> u32 {
    let values = rules.iter().flat_map(|&rules| {
        let evaluator = evaluation.evaluator(rules, Size::Eight);
        let states = positions().into_iter().map(|position| PatternState::new(position.board()));
        states.map(move |state| evaluator.evaluate(&state).units())
    });
    let mixed = values.fold(0, |mixed, units| Random::keyed(mixed, units as u64).draw());
    (mixed >> 32) as u32
}

/// Prints the nodes of every position, and the signature of each rule set.
///
/// # Errors
/// If they cannot be written.
pub fn run(rules: Option<Rules>, depth: u8, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "depth {depth}, one thread, {KERNEL} kernels")?;
    for rules in Rules::ALL.into_iter().filter(|&r| rules.is_none_or(|wanted| wanted == r)) {
        let (mut total, mut time) = (0, Duration::ZERO);
        for (number, position) in (1..).zip(positions()) {
            let start = Timestamp::now();
            let nodes = nodes(position, rules, depth);
            time += start.elapsed();
            total += nodes;
            writeln!(output, "{rules} {number}: {nodes}")?;
        }
        let speed = total as f64 / time.as_secs_f64() / 1e6;
        writeln!(output, "{rules} signature {total} ({:.2} s, {speed:.1} Mn/s)", time.as_secs_f64())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same for every build on every machine. Take new numbers from `ollehto bench` and state them in the commit.
    #[test]
    fn the_search_has_its_signature() {
        let signature =
            |rules| -> u64 { positions().into_iter().map(|position| nodes(position, rules, DEPTH)).sum() };
        assert_eq!(signature(Rules::Reversed), 177_942, "reversed");
        assert_eq!(signature(Rules::Standard), 129_808, "standard");
    }
}
