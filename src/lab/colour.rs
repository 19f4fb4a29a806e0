//! Results of strong play: winners, margins, passes, corners and stable discs.

use super::sheet::{Cell, Sheet};
use super::statistics::{SampleMean, share};
use super::{STRONG_EXACT, each, strong_games};
use crate::arena::opponents::evaluations::edge_stable;
use crate::board::{Board, Color, Move, Position, Size, Square};
use crate::random::Random;
use crate::rules::Rules;

#[derive(Clone, Copy, Debug)]
pub struct ColourExperiment {
    /// For each rule set.
    pub games: u64,
    /// Search depth.
    pub depth: u8,
    /// Random moves at the start.
    pub plies: u8,
    pub seed: u64,
    pub jobs: usize,
}

/// Facts of a game.
struct GameFacts {
    /// Of Black.
    margin: i32,
    /// Empty squares at the end.
    empty: u32,
    passes: u32,
    /// Whether a side has no disc left.
    wiped: bool,
    /// Who took the first corner, and the discs on the board after that.
    corner: Option<(Color, u32)>,
    /// Of Black and White at the end.
    corners: [u32; 2],
    /// Edge discs connected to an own corner at the end, of Black and White.
    edge_stable: [u32; 2],
    /// Stable discs with [`STRONG_EXACT`] empty squares, of Black and White.
    stable: [u32; 2],
}

type ColourRow<'a> = (&'a str, &'a dyn Fn(&[GameFacts]) -> Cell);

#[must_use]
pub fn run(colours: &ColourExperiment) -> Vec<Sheet> {
    let &ColourExperiment { games: count, depth, plies, seed, jobs } = colours;
    let games = BOTH.map(|rules| {
        let played = strong_games(rules, count, depth, (plies, plies), seed, jobs);
        played.iter().filter_map(|game| facts(game.moves(), rules)).collect::<Vec<_>>()
    });
    let under = format!("strong play at depth {depth}, exact from {} empty squares on", STRONG_EXACT);
    let sheet = |title: String, rows: &[ColourRow]| {
        let mut sheet = Sheet::new(title, 1, ["", "reversed", "standard"]);
        for (name, cell) in rows {
            sheet.row(vec![(*name).into(), cell(&games[0]), cell(&games[1])]);
        }
        sheet
    };
    let by_taker = |game: &GameFacts| {
        game.corner.map(|(taker, _)| if taker == Color::Black { game.margin } else { -game.margin })
    };
    let shares = sheet(
        format!("Shares of games, {under}"),
        &[
            ("games", &|games| (games.len() as u64).into()),
            ("Black wins", &|games| part(games, |game| game.margin > 0)),
            ("drawn", &|games| part(games, |game| game.margin == 0)),
            ("White wins", &|games| part(games, |game| game.margin < 0)),
            ("ends before the board is full", &|games| part(games, |game| game.empty > 0)),
            ("a side is wiped out", &|games| part(games, |game| game.wiped)),
            ("a corner is taken", &|games| part(games, |game| game.corner.is_some())),
            ("who takes the first corner wins", &|games| {
                let margins: Vec<i32> = games.iter().filter_map(by_taker).collect();
                let won = margins.iter().filter(|&&margin| margin > 0).count();
                Cell::of(share(won as u64, margins.len() as u64), 3)
            }),
        ],
    );
    let mut means = sheet(
        format!("Means of games, {under}"),
        &[
            ("margin of Black, discs", &|games| mean(games, |game| Some(game.margin))),
            ("margin of the winner, discs", &|games| mean(games, |game| Some(game.margin.abs()))),
            ("margin of who takes the first corner", &|games| mean(games, by_taker)),
            ("discs when the first corner is taken", &|games| {
                mean(games, |game| game.corner.map(|(_, discs)| discs as i32))
            }),
            ("passes", &|games| mean(games, |game| Some(game.passes as i32))),
        ],
    );
    means.note(format!("Self-play games after {plies} random moves."));
    let numbers: Vec<u64> = (0..count).collect();
    let by_chance = each("random games", &numbers, jobs, |&number| random_moves(seed, number));
    let by_chance =
        BOTH.map(|rules| by_chance.iter().filter_map(|moves| facts(moves, rules)).collect::<Vec<_>>());
    let [reversed, standard] = games;
    let [random_reversed, random_standard] = by_chance;
    vec![shares, means, winners(&[random_reversed, random_standard, reversed, standard], depth)]
}

const BOTH: [Rules; 2] = [Rules::Reversed, Rules::Standard];

/// A count for Black and White.
type OfSides = fn(&GameFacts) -> [u32; 2];

/// Corners and stable discs of winners and losers; drawn games have neither.
fn winners(games: &[Vec<GameFacts>; 4], depth: u8) -> Sheet {
    let columns =
        ["", "report", "random, reversed", "random, standard", "strong, reversed", "strong, standard"];
    let mut sheet = Sheet::new("Corners and stable discs of the winner and the loser", 1, columns);
    let decided = games.iter().map(|games| games.iter().filter(|game| game.margin != 0).count() as u64);
    sheet.row(["games won".into(), Cell::Nothing].into_iter().chain(decided.map(Cell::from)).collect());
    let measured: [(&str, OfSides); 3] = [
        ("corners", |game| game.corners),
        ("edge discs in touch with an own corner", |game| game.edge_stable),
        ("stable discs, 12 empty squares", |game| game.stable),
    ];
    for (name, of) in measured {
        let [winner, loser, more] =
            ["winner", "loser", "winner less loser"].map(|who| format!("{name}: {who}"));
        let sides = |game: &GameFacts| {
            let [black, white] = of(game).map(|count| count as i32);
            (game.margin != 0).then_some(if game.margin > 0 { (black, white) } else { (white, black) })
        };
        let mut row = |name: String, of: &dyn Fn((i32, i32)) -> i32| {
            let cells = games.iter().map(|games| mean(games, |game| sides(game).map(of)));
            sheet.row([name.into(), Cell::Nothing].into_iter().chain(cells).collect());
        };
        row(winner, &|(winner, _)| winner);
        row(loser, &|(_, loser)| loser);
        row(more, &|(winner, loser)| winner - loser);
    }
    sheet.note(format!(
        "Means over the games that were won. random: random games, the same for both rule sets. strong: the games \
         above, depth {depth}. Corners and edge discs are those of the final board. The report behind maximax has this \
         experiment as a heading (4.1.3) and no figures."
    ));
    sheet
}

/// A random game without its passes.
fn random_moves(seed: u64, number: u64) -> Vec<Square> {
    let mut random = Random::keyed(seed, number);
    let mut position = Position::start(Size::Eight);
    let mut played = Vec::new();
    while !position.is_over() {
        let moves: Vec<_> = position.moves().into_iter().collect();
        let square = random.pick(&moves).copied();
        played.extend(square);
        let Some(next) = position.play(square.map_or(Move::Pass, Move::Place)) else { break };
        position = next;
    }
    played
}

fn part(games: &[GameFacts], is: impl Fn(&GameFacts) -> bool) -> Cell {
    let hits = games.iter().filter(|game| is(game)).count();
    Cell::of(share(hits as u64, games.len() as u64), 3)
}

fn mean(games: &[GameFacts], of: impl Fn(&GameFacts) -> Option<i32>) -> Cell {
    Cell::of(games.iter().filter_map(of).map(f64::from).collect::<SampleMean>().mean(), 2)
}

/// Counts for Black and White; `of` counts for the side to move.
fn of_sides(position: Position, of: impl Fn(Board) -> u32) -> [u32; 2] {
    [Color::Black, Color::White].map(|color| of(position.with_side(color).board()))
}

/// Replays a game without passes; none if a move is illegal.
fn facts(moves: &[Square], rules: Rules) -> Option<GameFacts> {
    let mut position = Position::start(Size::Eight);
    let (mut passes, mut corner, mut stable) = (0, None, [0; 2]);
    for &square in moves {
        if position.must_pass() {
            position = position.play(Move::Pass)?;
            passes += 1;
        }
        let mover = position.side();
        position = position.play(Move::Place(square))?;
        if corner.is_none() && Size::Eight.corners().contains(square) {
            corner = Some((mover, position.board().discs().len()));
        }
        if position.empties().len() >= STRONG_EXACT.into() {
            stable = of_sides(position, |board| board.stable(Size::Eight.squares()).len());
        }
    }
    let board = position.board();
    Some(GameFacts {
        margin: rules.result(position.with_side(Color::Black).board(), Size::Eight).0.into(),
        empty: position.empties().len(),
        passes,
        wiped: board.own().is_empty() || board.other().is_empty(),
        corner,
        corners: of_sides(position, |board| (board.own() & Size::Eight.corners()).len()),
        edge_stable: of_sides(position, edge_stable),
        stable,
    })
}
