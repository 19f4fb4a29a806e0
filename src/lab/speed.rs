//! Speed of the reports' searches, and moves over their time limit.

use std::time::{Duration, Instant};

use super::games::{ENDLESS, Limit, Series};
use super::published::{OVERRUNS, SPEED_UPS};
use super::search::{PlainSearch, SearchMethod};
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;
use super::tree::engine_nodes;
use super::{LabError, each, evaluations};
use crate::arena::opponents;
use crate::board::{Board, Move, Position};
use crate::rules::Rules;
use crate::search::Task;
use crate::training::positions;

#[derive(Clone, Copy, Debug)]
pub struct SpeedExperiment {
    /// Search depth.
    pub depth: u8,
    /// Middle-game positions of our own games.
    pub positions: usize,
    /// Games for each depth of `minimax3`.
    pub games: u32,
    pub seed: u64,
    pub jobs: usize,
}

const RULES: Rules = Rules::Reversed;

const DISCS: u32 = 30;

/// The time limit of a move in the reports' arena.
const ALLOWED: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Implementation {
    By(SearchMethod),
    /// At full width.
    Engine,
    NotHere,
}

/// By name in the report or here.
const SEARCHES: [(&str, Implementation); 7] = [
    ("bare", Implementation::By(SearchMethod::AlphaBeta)),
    ("move ordering", Implementation::By(SearchMethod::Squares)),
    ("flips taken back", Implementation::NotHere),
    ("Numba", Implementation::NotHere),
    ("all", Implementation::Engine),
    ("ordering by evaluation", Implementation::By(SearchMethod::Ordered)),
    ("with table, deepened", Implementation::By(SearchMethod::Table)),
];

/// Nodes depend on the seed only, times on the machine.
///
/// # Errors
/// Never: the evaluation is one of ours.
pub fn run(speed: &SpeedExperiment) -> Result<Vec<Sheet>, LabError> {
    Ok(vec![speed_ups(speed)?, overruns(speed)])
}

#[derive(Clone, Copy, Debug)]
struct SearchCost {
    nodes: u64,
    time: Duration,
}

impl SearchCost {
    const fn nodes(&self) -> f64 {
        self.nodes as f64
    }

    fn milliseconds(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }
}

fn mean_of(costs: &[SearchCost], of: impl Fn(&SearchCost) -> f64, decimals: usize) -> Cell {
    Cell::of(costs.iter().map(of).collect::<SampleMean>().mean(), decimals)
}

fn speed_ups(speed: &SpeedExperiment) -> Result<Sheet, LabError> {
    let judge = evaluations::named("staged", RULES)?;
    let boards: Vec<Board> = positions::sample(RULES, DISCS, speed.positions, speed.seed)
        .iter()
        .map(|position| position.board())
        .collect();
    let search = |how: Implementation| {
        let cost = |&board: &Board| {
            let began = Instant::now();
            let nodes = match how {
                Implementation::By(method) => {
                    PlainSearch::new(RULES, &judge, method).run(board, speed.depth).0
                }
                Implementation::Engine => engine_nodes(board, speed.depth, RULES),
                Implementation::NotHere => 0,
            };
            SearchCost { nodes, time: began.elapsed() }
        };
        each("positions", &boards, speed.jobs, cost)
    };
    // The first search unpacks the weights.
    boards.first().map(|&board| engine_nodes(board, 1, RULES));
    let title =
        format!("Search to depth {} with {DISCS} discs, evaluation of staged, {RULES} rules", speed.depth);
    let columns = ["search", "report s", "report times", "n", "nodes", "times fewer", "ms", "times faster"];
    let mut sheet = Sheet::new(title, 1, columns);
    let mean = |seconds: &[f64; 5]| seconds.iter().sum::<f64>() / seconds.len() as f64;
    let bare_seconds = mean(&SPEED_UPS[0].1);
    let searched: Vec<_> = SEARCHES.iter().map(|&(_, how)| search(how)).collect();
    let bare = &searched[0];
    for ((name, how), costs) in SEARCHES.into_iter().zip(&searched) {
        let said = SPEED_UPS.iter().find(|&&(known, _)| known == name).map(|(_, seconds)| mean(seconds));
        let mut cells =
            vec![name.into(), Cell::said(said, 2), Cell::said(said.map(|said| bare_seconds / said), 2)];
        if how == Implementation::NotHere {
            cells.extend(std::iter::repeat_n(Cell::Nothing, 5));
        } else {
            let total = |costs: &[SearchCost], of: fn(&SearchCost) -> f64| costs.iter().map(of).sum::<f64>();
            let times = |of| Cell::Number(total(bare, of) / total(costs, of), 2);
            cells.extend([
                (costs.len() as u64).into(),
                mean_of(costs, SearchCost::nodes, 0),
                times(SearchCost::nodes),
                mean_of(costs, SearchCost::milliseconds, 3),
                times(SearchCost::milliseconds),
            ]);
        }
        sheet.row(cells);
    }
    sheet.note(
        "report: means of its five searches of one middle-game board, in Python on an AMD Ryzen 7 5800H. times: of the bare \
         search, all positions together. move ordering: by the table values of squares; all: the engine's search, full \
         width, with an evaluation of its own, the making of its table included. Flips taken back and Numba have no \
         counterpart: a board is two machine words, whose copy costs as little, and the program is compiled. The last two \
         rows are not in the report. Milliseconds depend on the machine.",
    );
    Ok(sheet)
}

/// Of one player in a game.
type MoveCosts = Vec<SearchCost>;

/// A game of `minimax3` against itself.
fn game(depth: u8, opening: Position) -> [MoveCosts; 2] {
    let mut players = [opponents::minimax_to(depth), opponents::minimax_to(depth)];
    let mut moves = [MoveCosts::new(), MoveCosts::new()];
    let mut position = opening;
    while !position.is_over() {
        let action = if position.must_pass() {
            Move::Pass
        } else {
            let side = usize::from(position.side() != opening.side());
            let (control, began) = (ENDLESS.control(), Instant::now());
            let found = players[side].search(&Task::new(position, RULES), &control, &mut |_| {});
            moves[side].push(SearchCost { nodes: found.last.nodes, time: began.elapsed() });
            found.best()
        };
        let Some(next) = position.play(action) else { break };
        position = next;
    }
    moves
}

fn overruns(speed: &SpeedExperiment) -> Sheet {
    let series = Series {
        rules: RULES,
        pairs: speed.games,
        plies: super::OPENING_PLIES,
        limit: Limit::None,
        seed: speed.seed,
        jobs: speed.jobs,
    };
    let openings = series.openings();
    let title = format!("Moves of minimax3 over {} s, {RULES} rules", ALLOWED.as_secs());
    let columns = [
        "depth",
        "report",
        "games",
        "over 5 s a game",
        "nodes a move",
        "ms a move",
        "longest, ms",
        "nodes for as many",
        "ms for as many",
    ];
    let mut sheet = Sheet::new(title, 0, columns);
    for (depth, said) in OVERRUNS {
        let games: Vec<MoveCosts> = each("games", &openings, speed.jobs, |&opening| game(depth, opening))
            .into_iter()
            .flatten()
            .collect();
        let of_games = |of: &dyn Fn(&MoveCosts) -> f64, decimals| {
            Cell::of(games.iter().map(of).collect::<SampleMean>().mean(), decimals)
        };
        let mean = |moves: &MoveCosts, of: fn(&SearchCost) -> f64| {
            moves.iter().map(of).sum::<f64>() / moves.len().max(1) as f64
        };
        // The limit that as many moves overrun as in the report: the cost of the next largest one.
        let nth = |moves: &MoveCosts, of: fn(&SearchCost) -> f64| {
            let mut costs: Vec<f64> = moves.iter().map(of).collect();
            costs.sort_by(|one, other| other.total_cmp(one));
            costs.get(said as usize).copied().unwrap_or_default()
        };
        sheet.row(vec![
            u64::from(depth).into(),
            said.into(),
            (games.len() as u64).into(),
            of_games(&|moves| moves.iter().filter(|cost| cost.time > ALLOWED).count() as f64, 2),
            of_games(&|moves| mean(moves, SearchCost::nodes), 0),
            of_games(&|moves| mean(moves, SearchCost::milliseconds), 3),
            of_games(&|moves| moves.iter().map(SearchCost::milliseconds).fold(0.0, f64::max), 3),
            of_games(&|moves| nth(moves, SearchCost::nodes), 0),
            of_games(&|moves| nth(moves, SearchCost::milliseconds), 3),
        ]);
    }
    sheet.note(format!(
        "A game is that of one player, against itself after {} random plies. The last two columns: the limit that as many \
         moves of a game would overrun as in the report. Milliseconds depend on the machine.",
        super::OPENING_PLIES
    ));
    sheet
}
