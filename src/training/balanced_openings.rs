//! `ollehto openings`: all openings of a length that are near a draw.

use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use crate::arena::openings::move_list;
use crate::board::Position;
use crate::files::append_log::AppendLogError;
use crate::random::Random;
use crate::rules::Rules;

use super::opening_tree::OpeningTree;
use super::position_values::PositionValues;

#[derive(Clone, Debug)]
pub struct OpeningsOptions {
    pub rules: Rules,
    /// Length of the openings.
    pub plies: u8,
    /// Search depth.
    pub depth: u8,
    /// Distance from a draw, in discs.
    pub within: f64,
    /// How many openings to draw; none: all.
    pub sample: Option<usize>,
    pub seed: u64,
    pub jobs: usize,
    /// The log of values, as for a book.
    pub values: Option<PathBuf>,
    /// Use only openings that the log has at this depth.
    pub known: bool,
}

#[derive(Debug, Error)]
#[error("{0}")]
pub enum OpeningsError {
    Values(#[from] AppendLogError),
    Output(#[from] io::Error),
}

/// Prints the openings near a draw, after two comment lines.
///
/// # Errors
/// If they cannot be written, or the log of values cannot be used.
pub fn run(options: &OpeningsOptions, output: &mut impl Write) -> Result<(), OpeningsError> {
    let &OpeningsOptions { rules, plies, depth, within, sample, seed, jobs, known, .. } = options;
    let mut values = PositionValues::open(rules, options.values.as_deref())?;
    let tree = OpeningTree::grow(plies);
    let position = |&at: &usize| tree.nodes()[at].position;
    let mut openings: Vec<usize> = tree.leaves().filter(|&at| tree.nodes()[at].ply == plies).collect();
    let all = openings.len();
    openings.retain(|at| !known || values.get(&position(at), depth).is_some());
    Random::new(seed).shuffle(&mut openings);
    openings.truncate(sample.unwrap_or(all));
    let positions: Vec<Position> = openings.iter().map(position).collect();
    values.search(&positions, depth, jobs)?;
    let is_near = |at: &&usize| {
        let value = values.get(&position(at), depth);
        value.is_some_and(|value| value.discs().abs() <= within)
    };
    let mut lines: Vec<_> =
        openings.iter().filter(is_near).map(|&at| move_list(&tree.game(rules, at))).collect();
    lines.sort();
    writeln!(
        output,
        "# Openings of {plies} plies within {within} discs of a draw at depth {depth}, {rules} rules."
    )?;
    writeln!(
        output,
        "# {} of {} looked at, of {all} that differ in more than symmetry.",
        lines.len(),
        openings.len()
    )?;
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))?;
    Ok(())
}
