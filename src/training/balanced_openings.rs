//! The search for balanced openings.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use crate::arena::openings::move_list;
use crate::board::Position;
use crate::random::Random;
use crate::rules::Rules;

use super::opening_tree::Tree;
use super::position_values::Values;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// Who wins.
    pub rules: Rules,
    /// How long the openings are.
    pub plies: u8,
    /// How deep each is searched.
    pub depth: u8,
    /// How far from a draw, in discs.
    pub within: f64,
    /// How many to look at; none: all.
    pub sample: Option<usize>,
    /// What the sample is drawn from.
    pub seed: u64,
    /// Positions searched at a time.
    pub jobs: usize,
    /// Where values are kept, as those of a book are.
    pub values: Option<PathBuf>,
    /// Look only at what was searched so deep already.
    pub known: bool,
}

/// Prints the openings whose value is near a draw, with what was looked at on top.
///
/// # Errors
/// If they cannot be written, or the file of values cannot be used.
pub fn run(hunt: &Hunt, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let &Hunt { rules, plies, depth, within, sample, seed, jobs, known, .. } = hunt;
    let mut values = Values::open(rules, hunt.values.as_deref())?;
    let tree = Tree::grow(plies);
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
