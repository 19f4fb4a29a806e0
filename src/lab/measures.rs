//! Four measures of strength, and how well each predicts a match.

use super::evaluations;
use super::games::{ENGINE, LabPlayer, Limit, Series, share, total};
use super::loss::LossSet;
use super::search::{PlainSearch, SearchMethod};
use super::sheet::{Cell, Sheet};
use super::statistics::{SampleMean, spearman};
use super::{LabError, PERFECT, each, lab_players, published};
use crate::arena::opponents::evaluations::BoardEvaluator;
use crate::arena::statistics::Estimate;
use crate::board::Board;
use crate::rules::Rules;
use crate::training::positions;

/// Disc counts of the positions for the depth measure.
const DISCS: [u32; 4] = [20, 30, 40, 50];

#[derive(Clone, Debug)]
pub struct MeasureExperiment {
    pub rules: Rules,
    pub players: Vec<String>,
    /// Pairs of games for each pairing of the round robin.
    pub pairs: u32,
    /// Of a move there and against the random mover.
    pub limit: Limit,
    /// Pairs of games for each pairing of the match to predict.
    pub match_pairs: u32,
    /// Of a move there.
    pub match_limit: Limit,
    /// Pairs of games against the random mover.
    pub random_pairs: u32,
    /// Nodes for the depth measure.
    pub nodes: u64,
    /// Positions for the depth measure, for each disc count.
    pub positions: usize,
    pub seed: u64,
    pub jobs: usize,
}

/// The values of a measure by player, as far as they exist.
type Column = Vec<Option<Estimate<f64>>>;

/// # Errors
/// If there is no player of some name.
pub fn run(measures: &MeasureExperiment, set: &LossSet) -> Result<Vec<Sheet>, LabError> {
    let players: Vec<_> =
        lab_players(&measures.players)?.into_iter().map(LabPlayer::exact_without_limit).collect();
    let series = Series {
        rules: measures.rules,
        pairs: measures.pairs,
        plies: super::OPENING_PLIES,
        limit: measures.limit,
        seed: measures.seed,
        jobs: measures.jobs,
    };
    let shares = |series: &Series| -> Column {
        series.round_robin(&players).iter().map(|row| share(&total(row))).collect()
    };
    let truth = Series {
        pairs: measures.match_pairs,
        limit: measures.match_limit,
        // Other openings, so that the round robin does not predict its own games.
        seed: measures.seed.wrapping_add(1),
        ..series
    };
    let columns = [
        ("round robin", shares(&series), 1.0),
        ("win rate", monte_carlo(measures, &series, &players), 1.0),
        ("loss", losses(measures, set), -1.0),
        ("depth", depths(measures), 1.0),
    ];
    let matched = shares(&truth);
    Ok(vec![table(measures, set, &columns, &matched), prediction(measures, &columns, &matched)])
}

fn monte_carlo(measures: &MeasureExperiment, series: &Series, players: &[LabPlayer]) -> Column {
    let random = LabPlayer::random_perfect(PERFECT);
    let pairings: Vec<_> = players.iter().map(|player| [player, &random]).collect();
    let series = Series { pairs: measures.random_pairs, plies: 0, ..*series };
    series.play(&pairings).iter().map(share).collect()
}

fn judge_of(player: &str, rules: Rules) -> Option<BoardEvaluator> {
    let name = match player {
        ENGINE => evaluations::SHIPPED,
        "greedy-invincible" => "maximax",
        name => name,
    };
    evaluations::named(name, rules).ok()
}

/// A measure of the evaluation of each player; those without one get a constant evaluation.
fn of_evaluations(
    measures: &MeasureExperiment,
    find: impl Fn(&BoardEvaluator) -> Option<Estimate<f64>> + Sync,
) -> Column {
    each("evaluations", &measures.players, measures.jobs, |player| {
        find(&judge_of(player, measures.rules).unwrap_or_else(|| Box::new(|_| 0.0)))
    })
}

fn losses(measures: &MeasureExperiment, set: &LossSet) -> Column {
    of_evaluations(measures, |judge| set.losses(0, judge).first().map(|loss| loss.loss))
}

fn depths(measures: &MeasureExperiment) -> Column {
    let sampled =
        DISCS.map(|discs| positions::sample(measures.rules, discs, measures.positions, measures.seed));
    let boards: Vec<Board> = sampled.iter().flatten().map(|position| position.board()).collect();
    of_evaluations(measures, |judge| {
        let depth = |&board: &Board| {
            f64::from(
                PlainSearch::new(measures.rules, judge, SearchMethod::Table)
                    .depth_within(board, measures.nodes),
            )
        };
        boards.iter().map(depth).collect::<SampleMean>().mean()
    })
}

fn table(
    measures: &MeasureExperiment,
    set: &LossSet,
    columns: &[(&str, Column, f64); 4],
    matched: &Column,
) -> Sheet {
    let title = format!("Four measures of strength, {} rules", measures.rules);
    let names = columns.iter().map(|&(name, ..)| name);
    let head = ["player"].into_iter().chain(names).chain(["report win rate", "match"]);
    let mut sheet = Sheet::new(title, 1, head);
    for (number, player) in measures.players.iter().enumerate() {
        let mut cells = vec![Cell::from(player.as_str())];
        cells.extend(columns.iter().map(|(_, column, _)| Cell::of(column[number], 3)));
        let said = published::win_rate(player).filter(|_| measures.rules == Rules::Reversed);
        cells.extend([Cell::said(said, 2), Cell::of(matched[number], 3)]);
        sheet.row(cells);
    }
    sheet.note(format!(
        "round robin: share of the points, {} pairs a pairing, {}. win rate: share against a random mover that plays \
         the last {PERFECT} plies perfectly, {} pairs from the start position. loss: structural minimax loss of the evaluation, 0 \
         plies, {} positions with {} empty squares ({:.2} for a constant evaluation). depth: of the same search within {} nodes, {} \
         positions. match: share of the points in another round robin, {} pairs a pairing, {}. Exact play, where a player \
         searches to the end of the game as its report says, has no limit.",
        measures.pairs,
        measures.limit,
        measures.random_pairs,
        set.roots().len(),
        set.empties(),
        set.sigma(),
        measures.nodes,
        DISCS.len() * measures.positions,
        measures.match_pairs,
        measures.match_limit
    ));
    sheet
}

fn prediction(measures: &MeasureExperiment, columns: &[(&str, Column, f64); 4], matched: &Column) -> Sheet {
    let title = "How well each measure predicts the match: Spearman's rank correlation";
    let mut sheet = Sheet::new(
        title,
        1,
        ["measure", "all players", "n", "players with an evaluation of their own", "n "],
    );
    for (name, column, sign) in columns {
        let correlation = |is: &dyn Fn(&str) -> bool| {
            let pairs: Vec<(f64, f64)> = measures
                .players
                .iter()
                .zip(column.iter().zip(matched))
                .filter(|(player, _)| is(player))
                .filter_map(|(_, (one, other))| Some((sign * one.as_ref()?.value, other.as_ref()?.value)))
                .collect();
            [Cell::of(spearman(&pairs, measures.seed), 2), (pairs.len() as u64).into()]
        };
        let own = |player: &str| player != "greedy-invincible" && judge_of(player, measures.rules).is_some();
        let cells = correlation(&|_| true).into_iter().chain(correlation(&own));
        sheet.row([Cell::from(*name)].into_iter().chain(cells).collect());
    }
    sheet.note(
        "A small loss counts as strong. 95 % intervals by drawing players anew (2000 times): wide, since players are few.",
    );
    sheet
}
