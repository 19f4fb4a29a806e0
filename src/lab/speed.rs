//! How fast the reports' searches are here: the speed-ups of one report and the moves of another that took too long.

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

/// What to look at.
#[derive(Clone, Copy, Debug)]
pub struct SpeedExperiment {
    /// How deep the searches are whose speed is compared.
    pub depth: u8,
    /// Middle-game positions of our own games for them.
    pub positions: usize,
    /// Games for each depth of `minimax3`.
    pub games: u32,
    /// What chance is drawn from.
    pub seed: u64,
    /// Positions or games at a time.
    pub jobs: usize,
}

const RULES: Rules = Rules::Reversed;

/// The discs of a middle-game position.
const DISCS: u32 = 30;

/// What a move may take in the reports' arena.
const ALLOWED: Duration = Duration::from_secs(5);

/// How a search of the report's table is done here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Implementation {
    By(SearchMethod),
    /// With all that the engine has, nothing left out.
    Engine,
    /// There is nothing like it.
    NotHere,
}

/// The searches that are timed: the name in the report's table or ours, and how it is done here.
const SEARCHES: [(&str, Implementation); 7] = [
    ("bare", Implementation::By(SearchMethod::AlphaBeta)),
    ("move ordering", Implementation::By(SearchMethod::Squares)),
    ("flips taken back", Implementation::NotHere),
    ("Numba", Implementation::NotHere),
    ("all", Implementation::Engine),
    ("ordering by evaluation", Implementation::By(SearchMethod::Ordered)),
    ("with table, deepened", Implementation::By(SearchMethod::Table)),
];

/// The speed-ups of the report behind `staged`, and the overruns of the one behind `minimax3`. Nodes follow from the
/// seed; times depend on the machine.
///
/// # Errors
/// If an evaluation cannot be read, which does not happen.
pub fn run(speed: &SpeedExperiment) -> Result<Vec<Sheet>, LabError> {
    Ok(vec![speed_ups(speed)?, overruns(speed)])
}

/// The nodes and the time of one search.
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

fn mean_of(efforts: &[SearchCost], of: impl Fn(&SearchCost) -> f64, decimals: usize) -> Cell {
    Cell::of(efforts.iter().map(of).collect::<SampleMean>().mean(), decimals)
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
    // The weights are unpacked when the engine first needs them.
    boards.first().map(|&board| engine_nodes(board, 1, RULES));
    let title =
        format!("Search to depth {} with {DISCS} discs, evaluation of staged, {RULES} rules", speed.depth);
    let columns = ["search", "report s", "report times", "n", "nodes", "times fewer", "ms", "times faster"];
    let mut sheet = Sheet::new(title, 1, columns);
    let mean = |seconds: &[f64; 5]| seconds.iter().sum::<f64>() / seconds.len() as f64;
    let bare_seconds = mean(&SPEED_UPS[0].1);
    let searched: Vec<_> = SEARCHES.iter().map(|&(_, how)| search(how)).collect();
    let bare = &searched[0];
    for ((name, how), efforts) in SEARCHES.into_iter().zip(&searched) {
        let said = SPEED_UPS.iter().find(|&&(known, _)| known == name).map(|(_, seconds)| mean(seconds));
        let mut cells =
            vec![name.into(), Cell::said(said, 2), Cell::said(said.map(|said| bare_seconds / said), 2)];
        if how == Implementation::NotHere {
            cells.extend(std::iter::repeat_n(Cell::Nothing, 5));
        } else {
            let total =
                |efforts: &[SearchCost], of: fn(&SearchCost) -> f64| efforts.iter().map(of).sum::<f64>();
            let times = |of| Cell::Number(total(bare, of) / total(efforts, of), 2);
            cells.extend([
                (efforts.len() as u64).into(),
                mean_of(efforts, SearchCost::nodes, 0),
                times(SearchCost::nodes),
                mean_of(efforts, SearchCost::milliseconds, 3),
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

/// The moves of one player in one game.
type Moves = Vec<SearchCost>;

/// A game of `minimax3` to some depth against itself: the moves of each side.
fn game(depth: u8, opening: Position) -> [Moves; 2] {
    let mut players = [opponents::minimax_to(depth), opponents::minimax_to(depth)];
    let mut moves = [Moves::new(), Moves::new()];
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
        let games: Vec<Moves> = each("games", &openings, speed.jobs, |&opening| game(depth, opening))
            .into_iter()
            .flatten()
            .collect();
        let of_games = |of: &dyn Fn(&Moves) -> f64, decimals| {
            Cell::of(games.iter().map(of).collect::<SampleMean>().mean(), decimals)
        };
        let mean = |moves: &Moves, of: fn(&SearchCost) -> f64| {
            moves.iter().map(of).sum::<f64>() / moves.len().max(1) as f64
        };
        // The limit that as many moves of a game overrun as the report tells of: what the next largest one takes.
        let nth = |moves: &Moves, of: fn(&SearchCost) -> f64| {
            let mut efforts: Vec<f64> = moves.iter().map(of).collect();
            efforts.sort_by(|one, other| other.total_cmp(one));
            efforts.get(said as usize).copied().unwrap_or_default()
        };
        sheet.row(vec![
            u64::from(depth).into(),
            said.into(),
            (games.len() as u64).into(),
            of_games(&|moves| moves.iter().filter(|effort| effort.time > ALLOWED).count() as f64, 2),
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
