//! Matches between players of all kinds, each opening with both colours.

use std::sync::Arc;
use std::time::Duration;

use crate::arena::openings::OpeningSource;
use crate::arena::opponents;
use crate::arena::opponents::evaluations::BoardEvaluator;
use crate::arena::statistics::elo::{Prior, SmoothedPentanomial};
use crate::arena::statistics::numeric::Z95;
use crate::arena::statistics::{Estimate, GameResult, PairScore, Pentanomial};
use crate::board::{Board, Color, Move, Position, Size};
use crate::engine::Search;
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Control, Iteration, Line, SearchResult, Searcher, Task};
use crate::selectivity::Selectivity;
use crate::time_source::Timestamp;

use super::search::{PlainSearch, SearchMethod};
use super::{PERFECT, each};

pub const ENGINE: &str = "ollehto";

/// MiB of table of the engine, a new one for each game.
const HASH: usize = 2;

/// More than any solve takes. Without a limit, opponents would keep to the five seconds of their arena.
pub(super) const ENDLESS: Limit = Limit::Time(Duration::from_secs(24 * 3600));

/// Of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    None,
    Nodes(u64),
    Time(Duration),
}

impl Limit {
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        match self {
            Self::None => Self::None,
            Self::Nodes(nodes) => Self::Nodes(nodes.saturating_mul(factor.into())),
            Self::Time(time) => Self::Time(time.saturating_mul(factor)),
        }
    }

    /// For a search that starts now.
    #[must_use]
    pub fn control(self) -> Control {
        let end = |time| Timestamp::now().checked_add(time);
        Control::new(&match self {
            Self::None => Budget::UNLIMITED,
            Self::Nodes(nodes) => Budget { nodes: Some(nodes), ..Budget::UNLIMITED },
            Self::Time(time) => Budget { soft: end(time), hard: end(time), ..Budget::UNLIMITED },
        })
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("no limit"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
        }
    }
}

/// From a seed.
type Maker = Box<dyn Fn(u64) -> Box<dyn Search> + Send + Sync>;

pub struct LabPlayer {
    pub name: String,
    make: Maker,
}

impl LabPlayer {
    /// The engine, or the opponent of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let make: Maker = if name == ENGINE {
            Box::new(|_| Box::new(Searcher::new(1, HASH)))
        } else {
            let known = *opponents::NAMES.iter().find(|&&known| known == name)?;
            Box::new(move |seed| opponents::by_name(known, seed).expect("it is one of the names"))
        };
        Some(Self { name: name.into(), make })
    }

    /// The same player without a limit from the empty squares where its report has it solve the game, the engine from 12.
    /// Players that only deepen keep their limit.
    #[must_use]
    pub fn exact_without_limit(self) -> Self {
        let from = if self.name == ENGINE {
            PERFECT
        } else {
            opponents::solves_from(&self.name).unwrap_or_default()
        };
        let make = self.make;
        let unlimited =
            move |seed| -> Box<dyn Search> { Box::new(ExactWithoutLimit { player: make(seed), from }) };
        Self { name: self.name, make: Box::new(unlimited) }
    }

    /// Searches to a fixed depth.
    pub fn fixed(name: impl Into<String>, depth: u8, rules: Rules, judge: BoardEvaluator) -> Self {
        let judge = Arc::new(judge);
        let make =
            move |_| -> Box<dyn Search> { Box::new(Fixed { judge: Arc::clone(&judge), depth, rules }) };
        Self { name: name.into(), make: Box::new(make) }
    }

    /// A random mover that plays perfectly at the end: the opponent of the Monte-Carlo measure.
    pub fn random_perfect(empties: u8) -> Self {
        let make = move |seed| -> Box<dyn Search> {
            Box::new(RandomPerfect { random: Random::new(seed), solver: Searcher::new(1, HASH), empties })
        };
        Self { name: "random, perfect at the end".into(), make: Box::new(make) }
    }

    /// A fresh player.
    #[must_use]
    pub fn player(&self, seed: u64) -> Box<dyn Search> {
        (self.make)(seed)
    }
}

struct Fixed {
    judge: Arc<BoardEvaluator>,
    depth: u8,
    rules: Rules,
}

impl Search for Fixed {
    fn search(&mut self, task: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        let mut search = PlainSearch::new(self.rules, self.judge.as_ref(), SearchMethod::Ordered);
        chosen(search.best_move(task.position.board(), self.depth).map_or(Move::Pass, Move::Place))
    }
}

struct ExactWithoutLimit {
    player: Box<dyn Search>,
    /// Empty squares.
    from: u8,
}

impl Search for ExactWithoutLimit {
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        if task.position.empties().len() <= self.from.into() {
            return self.player.search(task, &ENDLESS.control(), on_iteration);
        }
        self.player.search(task, control, on_iteration)
    }
}

struct RandomPerfect {
    random: Random,
    solver: Searcher,
    empties: u8,
}

impl Search for RandomPerfect {
    fn search(&mut self, task: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if task.position.empties().len() <= self.empties.into() {
            return self.solver.run(task, &Control::new(&Budget::UNLIMITED), &mut |_| {});
        }
        let moves: Vec<_> = task.position.moves().into_iter().collect();
        chosen(self.random.pick(&moves).map_or(Move::Pass, |&square| Move::Place(square)))
    }
}

/// A move without score or line.
fn chosen(action: Move) -> SearchResult {
    let lines = vec![Line { score: Score::default(), moves: vec![action] }];
    SearchResult {
        last: Iteration { depth: 0, selectivity: Selectivity::Off, exact: false, lines, nodes: 0 },
    }
}

/// Plays a game and returns the margin of Black.
pub fn play(
    start: Position,
    rules: Rules,
    black: &mut dyn Search,
    white: &mut dyn Search,
    limit: Limit,
) -> i32 {
    let mut position = start;
    while !position.is_over() {
        let action = if position.must_pass() {
            Move::Pass
        } else {
            let (task, control) = (Task::new(position, rules), limit.control());
            let found = match position.side() {
                Color::Black => black.search(&task, &control, &mut |_| {}),
                Color::White => white.search(&task, &control, &mut |_| {}),
            };
            found.best()
        };
        // An illegal move is replaced by the first legal one.
        let next = position.play(action).or_else(|| position.play(Move::Place(position.moves().first()?)));
        let Some(next) = next else { break };
        position = next;
    }
    let result = rules.result(position.with_side(Color::Black).board(), Size::Eight);
    result.0.into()
}

#[derive(Clone, Copy, Debug)]
pub struct Series {
    pub rules: Rules,
    /// Pairs of games for each pairing.
    pub pairs: u32,
    /// Random plies of an opening.
    pub plies: u32,
    /// What a player may spend on a move.
    pub limit: Limit,
    pub seed: u64,
    pub jobs: usize,
}

impl Series {
    pub(super) fn openings(&self) -> Vec<Position> {
        let games =
            OpeningSource::Random(self.plies).openings(self.rules, Size::Eight, self.seed, self.pairs);
        games.unwrap_or_default().iter().map(|game| *game.position()).collect()
    }

    /// The pairs of each pairing, for its first player.
    #[must_use]
    pub fn play(&self, pairings: &[[&LabPlayer; 2]]) -> Vec<Pentanomial> {
        let openings = self.openings();
        let pairs: Vec<_> = (0..pairings.len())
            .flat_map(|pairing| {
                (0_u64..).zip(&openings).map(move |(number, &opening)| (pairing, number, opening))
            })
            .collect();
        let scores = each("pairs", &pairs, self.jobs, |&(pairing, number, opening)| {
            let seed = Random::keyed(self.seed, number).draw();
            let play = |[black, white]: [&LabPlayer; 2], seed: u64| {
                let (mut black, mut white) = (black.player(seed), white.player(seed ^ 1));
                GameResult::of_margin(play(opening, self.rules, black.as_mut(), white.as_mut(), self.limit))
            };
            let [one, other] = pairings[pairing];
            PairScore::of(play([one, other], seed), play([other, one], seed ^ 2).reversed())
        });
        let mut found = vec![Pentanomial::default(); pairings.len()];
        for (&(pairing, ..), score) in pairs.iter().zip(scores) {
            found[pairing].count(score);
        }
        found
    }

    /// The pairs of the row's player against the column's.
    #[must_use]
    pub fn round_robin(&self, contestants: &[LabPlayer]) -> Vec<Vec<Pentanomial>> {
        let count = contestants.len();
        let places: Vec<_> =
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect();
        let pairings: Vec<_> =
            places.iter().map(|&(one, other)| [&contestants[one], &contestants[other]]).collect();
        let mut table = vec![vec![Pentanomial::default(); count]; count];
        for (&(one, other), pairs) in places.iter().zip(self.play(&pairings)) {
            table[one][other] = pairs;
            table[other][one] = pairs.reversed();
        }
        table
    }
}

/// Share of the points with its 95 % interval; none without pairs.
#[must_use]
pub fn share(pairs: &Pentanomial) -> Option<Estimate<f64>> {
    let value = pairs.score()?;
    let interval = SmoothedPentanomial::new(pairs, Prior::ONE_PAIR).interval(Z95);
    Some(Estimate { value, low: interval.low.min(value), high: interval.high.max(value) })
}

#[must_use]
pub fn total(row: &[Pentanomial]) -> Pentanomial {
    let mut sum = [0; 5];
    for pairs in row {
        sum.iter_mut().zip(pairs.counts()).for_each(|(sum, count)| *sum += count);
    }
    Pentanomial::new(sum)
}

/// A board with so many discs after random moves; none if the game ended before.
#[must_use]
pub fn random_board(discs: u32, random: &mut Random) -> Option<Board> {
    let mut position = Position::start(Size::Eight);
    loop {
        if position.must_pass() {
            position = position.play(Move::Pass)?;
        }
        let moves: Vec<_> = position.moves().into_iter().collect();
        if moves.is_empty() {
            return None;
        }
        if position.board().discs().len() == discs {
            return Some(position.board());
        }
        position = position.play(Move::Place(*random.pick(&moves)?))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(seed: u64, jobs: usize) -> Series {
        Series { rules: Rules::Reversed, pairs: 4, plies: 6, limit: Limit::Nodes(200), seed, jobs }
    }

    #[test]
    fn games_follow_from_the_seed() {
        let players: Vec<_> =
            ["random", "greedy", "maximax", ENGINE].into_iter().filter_map(LabPlayer::named).collect();
        let table = series(1, 2).round_robin(&players);
        assert_eq!(table, series(1, 1).round_robin(&players));
        for (one, row) in table.iter().enumerate() {
            assert_eq!(total(row).pairs(), 12);
            for (other, pairs) in row.iter().enumerate() {
                assert_eq!(*pairs, table[other][one].reversed());
            }
        }
        assert!(share(&total(&table[3])).is_some_and(|share| share.value > 0.8), "the engine leads");
        assert!(LabPlayer::named("nobody").is_none());
    }

    /// Few positions with 12 empty squares are solved within 200 nodes.
    #[test]
    fn exact_play_is_not_cut_off() {
        let positions = crate::training::positions::sample(Rules::Reversed, 52, 12, 1);
        let outcome = |contestant: &LabPlayer, limit: Limit, position| {
            let task = Task::new(position, Rules::Reversed);
            contestant.player(1).search(&task, &limit.control(), &mut |_| {}).last
        };
        let named = |name| LabPlayer::named(name).expect("a player");
        let few = Limit::Nodes(200);
        for name in ["greedy-invincible", ENGINE] {
            let (limited, exact) = (named(name), named(name).exact_without_limit());
            for &position in &positions {
                let found = outcome(&exact, few, position);
                assert_eq!(found.depth, 12, "{name} solves");
                assert_eq!(found.lines, outcome(&limited, ENDLESS, position).lines, "{name}");
            }
            let cut = positions.iter().filter(|&&position| outcome(&limited, few, position).depth < 12);
            assert!(cut.count() > 6, "{name}: a limit of 200 nodes is a limit");
        }
        // maximax deepens and has no exact play of its own: its limit stays.
        let position = positions[0];
        let [one, other] = [named("maximax"), named("maximax").exact_without_limit()]
            .map(|contestant| outcome(&contestant, few, position));
        assert_eq!((one.depth, one.lines, one.nodes), (other.depth, other.lines, other.nodes));
    }

    #[test]
    fn random_boards_have_the_discs_asked_for() {
        let mut random = Random::new(1);
        assert_eq!(random_board(4, &mut random), Some(Board::START));
        assert_eq!(random_board(30, &mut random).map(|board| board.discs().len()), Some(30));
    }
}
