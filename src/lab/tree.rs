//! Nodes of the reports' searches, by depth and disc count.

use super::chart::{Axis, Chart, Point};
use super::evaluations;
use super::games::random_board;
use super::published;
use super::search::{PlainSearch, SearchMethod, minimax_nodes};
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;
use super::{LabError, each};
use crate::arena::opponents::evaluations::BoardEvaluator;
use crate::board::{Board, Color, Position, Size};
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};

/// MiB of table for the engine.
const HASH: usize = 4;

#[derive(Clone, Debug)]
pub struct TreeExperiment {
    pub rules: Rules,
    pub evaluation: String,
    /// Disc counts.
    pub discs: Vec<u32>,
    pub depths: Vec<u8>,
    /// Positions of random games for each disc count.
    pub positions: u64,
    pub seed: u64,
    pub jobs: usize,
}

/// Of one position at one depth.
struct Nodes {
    minimax: u64,
    /// Alpha-beta, with ordering, with table.
    pruned: [u64; 3],
    engine: u64,
}

const NAMES: [&str; 5] = ["minimax", "alpha-beta", "ordered", "table", "ollehto"];

/// # Errors
/// If there is no such evaluation.
pub fn run(tree: &TreeExperiment) -> Result<Vec<Sheet>, LabError> {
    let judge = evaluations::named(&tree.evaluation, tree.rules)?;
    let of_discs = |&discs: &u32| {
        let found = (0..tree.positions).filter_map(move |number| {
            // Games that end too early are drawn again.
            (0..100).find_map(|again| random_board(discs, &mut Random::keyed(tree.seed + again, number)))
        });
        found.map(move |board| (discs, board))
    };
    let boards: Vec<(u32, Board)> = tree.discs.iter().flat_map(of_discs).collect();
    let counted = each("positions", &boards, tree.jobs, |&(_, board)| {
        tree.depths.iter().map(|&depth| count(board, depth, tree.rules, &judge)).collect::<Vec<_>>()
    });
    let rows = || {
        tree.discs.iter().flat_map(|&discs| {
            let here: Vec<&Vec<Nodes>> = boards
                .iter()
                .zip(&counted)
                .filter(|((at, _), _)| *at == discs)
                .map(|(_, nodes)| nodes)
                .collect();
            tree.depths.iter().enumerate().map(move |(number, &depth)| {
                (discs, depth, here.iter().map(|nodes| &nodes[number]).collect::<Vec<_>>())
            })
        })
    };
    Ok(vec![nodes_sheet(tree, rows()), breadth_sheet(tree, rows())])
}

fn count(board: Board, depth: u8, rules: Rules, judge: &BoardEvaluator) -> Nodes {
    let nodes = |method| PlainSearch::new(rules, judge, method).run(board, depth).0;
    Nodes {
        minimax: minimax_nodes(board, depth),
        pruned: [SearchMethod::AlphaBeta, SearchMethod::Ordered, SearchMethod::Table].map(nodes),
        engine: engine_nodes(board, depth, rules),
    }
}

/// Of the engine with its own evaluation, at full width.
pub(super) fn engine_nodes(board: Board, depth: u8, rules: Rules) -> u64 {
    let Some(position) = Position::new(board.own(), board.other(), Color::Black, Size::Eight) else {
        return 0;
    };
    let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
    let task = Task { mode: SearchMode::FullWidth, ..Task::new(position, rules) };
    Searcher::new(1, HASH).run(&task, &control, &mut |_| {}).last.nodes
}

impl Nodes {
    fn of(&self, search: usize) -> u64 {
        match search {
            0 => self.minimax,
            1..=3 => self.pruned[search - 1],
            _ => self.engine,
        }
    }
}

type NodesRow<'a> = (u32, u8, Vec<&'a Nodes>);

fn mean(nodes: &[&Nodes], of: impl Fn(&Nodes) -> f64) -> Cell {
    let sample: SampleMean = nodes.iter().map(|nodes| of(nodes)).collect();
    Cell::of(sample.mean(), 0)
}

fn nodes_sheet<'a>(tree: &TreeExperiment, rows: impl Iterator<Item = NodesRow<'a>>) -> Sheet {
    let title = format!("Nodes by depth, {} rules, evaluation of {}", tree.rules, tree.evaluation);
    let head = ["discs", "depth", "n", "report a-b"];
    let mut sheet = Sheet::new(title, 0, head.into_iter().chain(NAMES));
    let deepest = tree.depths.iter().copied().max().unwrap_or(0);
    let mut chart = Chart {
        title: format!("Nodes to depth {deepest}"),
        x: "discs on the board".into(),
        axis: Axis::Tenfold,
        curves: NAMES.map(|name| (name.to_owned(), Vec::new())).into(),
    };
    for (discs, depth, nodes) in rows {
        let head = [
            Cell::Count(discs.into()),
            Cell::Count(depth.into()),
            (nodes.len() as u64).into(),
            Cell::said(published::nodes(discs, depth), 0),
        ];
        let means: Vec<_> =
            (0..NAMES.len()).map(|search| mean(&nodes, |nodes| nodes.of(search) as f64)).collect();
        if depth == deepest {
            for ((_, points), cell) in chart.curves.iter_mut().zip(&means) {
                if let Cell::Estimate(mean, _) = cell {
                    let y = mean.value.max(1.0);
                    points.push(Point {
                        x: discs.into(),
                        y,
                        ends: [mean.low.max(1.0).min(y), mean.high.max(y)],
                    });
                }
            }
        }
        sheet.row(head.into_iter().chain(means).collect());
    }
    sheet.note(
        "Positions of random games. alpha-beta: board order; ordered: by the evaluation of the next board; table: \
         deepened ply by ply with a transposition table, all depths counted; ollehto: the engine's search and \
         evaluation, full width. The report's are averages of some twenty games of a program that turns discs in one \
         direction only, as its author's public code shows.",
    );
    sheet.draw(chart);
    sheet
}

fn breadth_sheet<'a>(tree: &TreeExperiment, rows: impl Iterator<Item = NodesRow<'a>>) -> Sheet {
    let title = format!("Effective breadth, {} rules, evaluation of {}", tree.rules, tree.evaluation);
    let columns = [
        "discs",
        "depth",
        "breadth",
        "root of it",
        "alpha-beta",
        "ordered",
        "table",
        "minimax/a-b",
        "report",
        "minimax/ordered",
        "exponent a-b",
        "exponent ordered",
    ];
    let mut sheet = Sheet::new(title, 0, columns);
    for (discs, depth, nodes) in rows {
        let of = |value: &dyn Fn(&Nodes) -> f64, decimals| {
            let sample: SampleMean =
                nodes.iter().map(|nodes| value(nodes)).filter(|v| v.is_finite()).collect();
            Cell::of(sample.mean(), decimals)
        };
        let breadth = |nodes: &Nodes, search| (nodes.of(search) as f64).powf(1.0 / f64::from(depth));
        let ratio = |nodes: &Nodes, search| nodes.minimax as f64 / nodes.of(search) as f64;
        let exponent = |nodes: &Nodes, search| (nodes.of(search) as f64).ln() / (nodes.minimax as f64).ln();
        let said = (discs == 25 && depth == 8).then_some(published::PRUNED);
        sheet.row(vec![
            Cell::Count(discs.into()),
            Cell::Count(depth.into()),
            of(&|nodes| breadth(nodes, 0), 2),
            of(&|nodes| breadth(nodes, 0).sqrt(), 2),
            of(&|nodes| breadth(nodes, 1), 2),
            of(&|nodes| breadth(nodes, 2), 2),
            of(&|nodes| breadth(nodes, 3), 2),
            of(&|nodes| ratio(nodes, 1), 1),
            Cell::said(said, 1),
            of(&|nodes| ratio(nodes, 2), 1),
            of(&|nodes| exponent(nodes, 1), 3),
            of(&|nodes| exponent(nodes, 2), 3),
        ]);
    }
    sheet.note(format!(
        "breadth: the depth-th root of the nodes. An exponent of 0.5 is the square root of minimax: the best that \
         alpha-beta can do. Means over positions. The report takes {} to the power of 8 for the nodes of minimax; its mean \
         breadth is {:.2} as stated and {:.3} by the numbers it prints.",
        published::PRUNED_BREADTH,
        published::MEAN_BREADTH,
        published::mean_of_breadths()
    ));
    sheet
}
