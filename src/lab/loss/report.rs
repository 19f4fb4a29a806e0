//! The losses of evaluations side by side.

use super::super::evaluations;
use super::super::sheet::{Cell, Sheet};
use super::super::work;
use super::{LossSet, MOST_PLIES};

/// The losses of evaluations on a set, by plies of the estimate; so many evaluations at a time.
///
/// # Errors
/// If there is no evaluation of some name.
pub fn report(set: &LossSet, names: &[String], plies: usize, jobs: usize) -> Result<Sheet, String> {
    let plies = plies.min(MOST_PLIES);
    let judges: Result<Vec<_>, _> =
        names.iter().map(|name| Ok::<_, String>((name, evaluations::named(name, set.rules())?))).collect();
    let judges = judges?;
    let losses = work::each(
        "evaluations",
        &judges,
        jobs,
        || (),
        |(), (_, judge)| (set.scale(judge), set.losses(plies, judge)),
    );
    let title = format!(
        "Structural minimax loss, {} rules, {} empty squares, trees of depth {}",
        set.rules(),
        set.empties(),
        set.depth()
    );
    let of_plies = |what: &'static str| (0..=plies).map(move |n| format!("{what} {n}"));
    let head = ["evaluation", "discs/unit"].map(String::from);
    let mut sheet = Sheet::new(title, 1, head.into_iter().chain(of_plies("loss")).chain(of_plies("cost")));
    for ((name, _), (scale, losses)) in judges.iter().zip(&losses) {
        let cells = losses.iter().map(|loss| Cell::Estimate(loss.loss, 2));
        let costs = losses.iter().map(|loss| Cell::Estimate(loss.cost, 2));
        let head = [name.as_str().into(), Cell::Number(scale.slope, 5)];
        sheet.row(head.into_iter().chain(cells).chain(costs).collect());
    }
    sheet.note(format!(
        "{} positions, {} nodes; an evaluation that says nothing loses {:.2}. loss n: root mean squared difference of \
         the n-ply estimate from the true value, in discs; cost n: discs given away by the move with the best n-ply \
         estimate. 95 % intervals over positions. The report defines the loss and gives no figures.",
        set.roots().len(),
        set.nodes(),
        set.spread()
    ));
    Ok(sheet)
}
