//! How well evaluations and shallow searches agree with the values of a judging set.
//!
//! Estimates are for the positions after the moves, so a depth of n is what a search of depth n + 1 sees of the moves.
//! All families weigh the same, and intervals are over families: siblings are much alike.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::{Family, JudgeSet};
use crate::arena::statistics::Estimate;
use crate::board::{Board, Position, Size};
use crate::eval::{Evaluation, EvaluationError, Evaluator, PatternState};
use crate::lab::each_with;
use crate::lab::evaluations::SHIPPED;
use crate::lab::sheet::{Cell, Sheet};
use crate::lab::statistics::SampleMean;
use crate::notation;
use crate::rules::Rules;
use crate::search::{Budget, SearchMode, Searcher, Task};
use crate::training::positions;

/// Differences between siblings from which their order counts, in discs.
const APART: [f64; 2] = [1.0, 2.0];

/// MiB of table for the shallow searches.
const HASH: usize = 4;

#[derive(Clone, Debug)]
pub struct JudgeExperiment {
    /// [`SHIPPED`], `hand-made` or a weights file.
    pub evaluations: Vec<String>,
    /// Files of values by other programs, in the form of [`positions_text`].
    pub values: Vec<PathBuf>,
    /// 0 is the evaluation itself.
    pub depths: Vec<u8>,
    /// Whether searches leave nothing out.
    pub full_width: bool,
    pub jobs: usize,
}

#[derive(Debug, Error)]
pub enum JudgeReportError {
    #[error("{0}: give shipped, hand-made or a weights file")]
    Evaluation(EvaluationError),
    #[error("{0}: these weights are for {1} rules, the judging set is for {2} rules")]
    OtherRules(String, Rules, Rules),
    #[error("cannot read {}: {}", .0.display(), .1)]
    ReadValues(PathBuf, #[source] io::Error),
    /// Lines are counted from 1.
    #[error("{}, line {}: {}; a line is a position and its value in discs for the side to move", .0.display(), .1, .2)]
    ValueLine(PathBuf, usize, String),
    #[error("{}: there is no value of {}; `ollehto lab judge positions` prints all positions", .0.display(), .1)]
    NoValue(PathBuf, String),
}

/// Estimates of the positions after the moves of each family, in discs for the side to move there.
type FamilyEstimates = Vec<Vec<f64>>;

/// The table for all evaluations, depths and bands.
///
/// # Errors
/// If an evaluation or a file of values cannot be used.
pub fn report(set: &JudgeSet, experiment: &JudgeExperiment) -> Result<Sheet, JudgeReportError> {
    let evaluations: Result<Vec<_>, _> =
        experiment.evaluations.iter().map(|name| Ok((name, load(name, set.settings().rules)?))).collect();
    let values: Result<Vec<_>, _> =
        experiment.values.iter().map(|path| Ok((path, read_estimates(path, set)?))).collect();
    let (evaluations, values) = (evaluations?, values?);
    let mut sheet = empty_sheet(set, experiment.full_width);
    for (path, estimates) in values {
        add_rows(&mut sheet, &path.display().to_string(), "-", set, &estimates);
    }
    for (name, evaluation) in evaluations {
        let by_depth = estimates(set, &evaluation, experiment);
        for (depth, estimates) in experiment.depths.iter().zip(by_depth) {
            add_rows(&mut sheet, name, &depth.to_string(), set, &estimates);
        }
    }
    Ok(sheet)
}

fn load(name: &str, rules: Rules) -> Result<Evaluation, JudgeReportError> {
    if name == SHIPPED {
        return Ok(Evaluation::Shipped);
    }
    let evaluation = Evaluation::load(name).map_err(JudgeReportError::Evaluation)?;
    match &evaluation {
        Evaluation::Loaded(weights) if weights.rules() != rules => {
            Err(JudgeReportError::OtherRules(name.to_owned(), weights.rules(), rules))
        }
        _ => Ok(evaluation),
    }
}

/// By depth.
fn estimates(set: &JudgeSet, evaluation: &Evaluation, experiment: &JudgeExperiment) -> Vec<FamilyEstimates> {
    let families: Vec<&Family> = set.families().collect();
    let judge = || ShallowJudge::new(evaluation, set.settings().rules, experiment.full_width);
    let by_family = each_with("positions", &families, experiment.jobs, judge, |judge, family| {
        let of_depth =
            |&depth: &u8| family.positions().map(|(child, _)| judge.estimate(child, depth)).collect();
        experiment.depths.iter().map(of_depth).collect::<FamilyEstimates>()
    });
    let depths = 0..experiment.depths.len();
    depths.map(|at| by_family.iter().map(|by_depth| by_depth[at].clone()).collect()).collect()
}

struct ShallowJudge {
    evaluator: Evaluator,
    searcher: Searcher,
    rules: Rules,
    mode: SearchMode,
}

impl ShallowJudge {
    fn new(evaluation: &Evaluation, rules: Rules, full_width: bool) -> Self {
        Self {
            evaluator: evaluation.evaluator(rules, Size::Eight),
            searcher: Searcher::new(1, HASH).with_evaluation(evaluation.clone()),
            rules,
            mode: if full_width { SearchMode::FullWidth } else { SearchMode::BestMove },
        }
    }

    /// In discs for the side to move.
    fn estimate(&mut self, position: Position, depth: u8) -> f64 {
        if depth == 0 && !position.is_over() {
            return self.evaluator.evaluate(&PatternState::new(position.board())).discs();
        }
        // An estimate must not depend on what was searched before it.
        self.searcher.clear();
        let task = Task { mode: self.mode, ..Task::new(position, self.rules) };
        self.searcher.score(&task, &Budget { depth: Some(depth), ..Budget::UNLIMITED }).discs()
    }
}

/// The positions after all moves, a line each with the value in discs for the side to move.
#[must_use]
pub fn positions_text(set: &JudgeSet) -> String {
    let positions = set.families().flat_map(Family::positions);
    positions
        .map(|(child, value)| format!("{} {}\n", notation::position_text(&child), value.discs()))
        .collect()
}

/// Estimates by another program.
fn read_estimates(path: &Path, set: &JudgeSet) -> Result<FamilyEstimates, JudgeReportError> {
    let text =
        fs::read_to_string(path).map_err(|error| JudgeReportError::ReadValues(path.to_owned(), error))?;
    let mut values = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let (board, value) = parse_value(line)
            .map_err(|problem| JudgeReportError::ValueLine(path.to_owned(), number, problem))?;
        values.insert(board, value);
    }
    let value = |(child, _): (Position, _)| {
        let missing =
            || JudgeReportError::NoValue(path.to_owned(), notation::position_text(&child).to_string());
        values.get(&child.board()).copied().ok_or_else(missing)
    };
    set.families().map(|family| family.positions().map(value).collect()).collect()
}

fn parse_value(line: &str) -> Result<(Board, f64), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[squares, side, value] = words.as_slice() else {
        return Err(format!("{} words where a position and a value belong", words.len()));
    };
    let number: f64 = value.parse().map_err(|_| format!("'{value}' is no value"))?;
    if !number.is_finite() {
        return Err(format!("'{value}' is no value"));
    }
    Ok((positions::parse(squares, side)?.board(), number))
}

fn empty_sheet(set: &JudgeSet, full_width: bool) -> Sheet {
    let settings = set.settings();
    let width = if full_width { "full width" } else { "selective" };
    let title = format!("Judging set, {} rules, {width}", settings.rules);
    let order = APART.map(|apart| format!("order {apart}"));
    let head = ["evaluation", "depth", "empties", "positions", "sigma", "error", "mean error", "bias"];
    let head = head.into_iter().map(String::from).chain(order).chain(["best", "loss"].map(String::from));
    let mut sheet = Sheet::new(title, 3, head);
    sheet.note(format!(
        "{} parents; positions: those after a move, with values by solving up to {} empty squares, else to depth {} with \
         {} % confidence. sigma: standard deviation of these. error: root mean squared difference from them; mean error: \
         mean absolute one; bias: mean one, above 0 if the side to move is overrated; in discs. order n: share of the \
         pairs of siblings with values at least n discs apart in the right order. best: share of parents whose best move \
         is found; loss: discs that the move found gives away. Parents weigh the same. 95 % intervals over parents.",
        set.families().count(),
        settings.exact,
        settings.depth,
        settings.confidence.percent()
    ));
    sheet
}

fn add_rows(sheet: &mut Sheet, name: &str, depth: &str, set: &JudgeSet, estimates: &FamilyEstimates) {
    let mut bands: BTreeMap<u8, Agreement> = BTreeMap::new();
    let mut all = Agreement::default();
    for (family, estimates) in set.families().zip(estimates) {
        bands.entry(family.empties()).or_default().add(family, estimates);
        all.add(family, estimates);
    }
    let rows = bands.iter().map(|(empties, agreement)| (empties.to_string(), agreement));
    for (empties, agreement) in rows.chain([("all".to_owned(), &all)]) {
        let head = [name.into(), depth.into(), empties.into()];
        sheet.row(head.into_iter().chain(agreement.cells()).collect());
    }
}

/// Of the estimates with the values, over families.
#[derive(Clone, Debug, Default)]
pub(super) struct Agreement {
    values: SampleMean,
    squares: SampleMean,
    absolute: SampleMean,
    bias: SampleMean,
    order: [SampleMean; APART.len()],
    best: SampleMean,
    loss: SampleMean,
}

impl Agreement {
    /// The estimates are for the side to move after each move.
    pub(super) fn add(&mut self, family: &Family, estimates: &[f64]) {
        let pairs: Vec<(f64, f64)> = family
            .positions()
            .zip(estimates)
            .map(|((_, value), &estimate)| (value.discs(), estimate))
            .collect();
        pairs.iter().for_each(|&(value, _)| self.values.add(value));
        let mean = |of: fn(f64) -> f64| {
            pairs.iter().map(|(value, estimate)| of(estimate - value)).sum::<f64>() / pairs.len() as f64
        };
        self.squares.add(mean(|error| error * error));
        self.absolute.add(mean(f64::abs));
        self.bias.add(mean(|error| error));
        for (order, apart) in self.order.iter_mut().zip(APART) {
            if let Some(share) = share_in_order(&pairs, apart) {
                order.add(share);
            }
        }
        // The best move leaves the least to the opponent.
        let least = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).fold(f64::INFINITY, f64::min);
        let (best, chosen) = (least(|pair| pair.0), least(|pair| pair.1));
        let chosen: Vec<f64> =
            pairs.iter().filter(|pair| pair.1 <= chosen).map(|&(value, _)| value - best).collect();
        let of_chosen =
            |of: fn(f64) -> f64| chosen.iter().map(|&loss| of(loss)).sum::<f64>() / chosen.len() as f64;
        self.best.add(of_chosen(|loss| f64::from(u8::from(loss <= 0.0))));
        self.loss.add(of_chosen(|loss| loss));
    }

    pub(super) fn error(&self) -> Option<Estimate<f64>> {
        Some(self.squares.mean()?.map(|square| square.max(0.0).sqrt()))
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let head = [Cell::Count(self.values.count()), Cell::Number(self.values.deviation(), 2)];
        let errors = [self.error(), self.absolute.mean(), self.bias.mean()].map(|mean| Cell::of(mean, 2));
        let order = self.order.map(|order| Cell::of(order.mean(), 3));
        let choice = [Cell::of(self.best.mean(), 3), Cell::of(self.loss.mean(), 2)];
        head.into_iter().chain(errors).chain(order).chain(choice)
    }
}

/// The share of the pairs of values so far apart that the estimates put in the same order; equal estimates are right by
/// half. None if there is no such pair.
fn share_in_order(pairs: &[(f64, f64)], apart: f64) -> Option<f64> {
    let mut order = SampleMean::default();
    for (at, one) in pairs.iter().enumerate() {
        for other in &pairs[at + 1..] {
            let difference = one.0 - other.0;
            if difference.abs() >= apart {
                let agreement = (one.1 - other.1) * difference.signum();
                order.add(if agreement > 0.0 {
                    1.0
                } else if agreement < 0.0 {
                    0.0
                } else {
                    0.5
                });
            }
        }
    }
    order.mean().map(|mean| mean.value)
}
