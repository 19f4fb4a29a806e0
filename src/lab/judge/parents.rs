//! The positions of a judging set and the moves to judge, drawn by a seed.
//!
//! Every parent comes from a game of its own: random plies, then two players of different strength who now and then
//! play a random move. Most of those that are won by far are left out: few games are decided there.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::board::{Board, Color, Move, Position, Size, Square};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Control, Searcher, Task};

/// Added to the seed, so that no other command draws the same numbers: those use small seeds as they are.
const SEED_SPACE: u64 = 0x6a75_6467_696e_6721;

/// Random plies at the start, if the game is to be that long.
const RANDOM_PLIES: RangeInclusive<usize> = 8..=16;

/// Search depths of the players.
const DEPTHS: RangeInclusive<u8> = 1..=6;

/// One in so many moves is random.
const RANDOM_MOVE: [usize; 3] = [40, 20, 10];

/// Search depth for the value of a parent and its best move, which is always among the siblings.
const PARENT_DEPTH: u8 = 6;

/// Parents beyond this value are won by far; in discs.
const WON_BY_FAR: f64 = 10.0;

/// One in so many of these is kept.
const WON_BY_FAR_KEPT: usize = 4;

/// Games without a new position after which there are none left, as in the first plies.
const PATIENCE: u32 = 1000;

/// MiB of table.
const HASH: usize = 1;

/// A family without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnjudgedFamily {
    /// Within the band.
    pub number: u32,
    pub parent: Position,
    /// In board order.
    pub moves: Vec<Square>,
}

/// Families with so many empty squares, no two parents symmetric.
///
/// There may be fewer than `count`, as near the start of the game. A larger `count` gives the same ones first.
pub(super) fn draw(rules: Rules, empties: u8, count: u32, siblings: usize, seed: u64) -> Vec<UnjudgedFamily> {
    let band_seed = Random::keyed(seed.wrapping_add(SEED_SPACE), empties.into()).draw();
    let mut player = GamePlayer { rules, searcher: Searcher::new(1, HASH) };
    let mut seen: HashSet<Board> = HashSet::new();
    let family = |number| {
        let mut random = Random::keyed(band_seed, u64::from(number));
        (0..PATIENCE).find_map(|_| {
            let parent = player.play(empties, &mut random)?;
            let (good, value) = player.best_move(parent, PARENT_DEPTH)?;
            let is_wanted = value.discs().abs() <= WON_BY_FAR || random.below(WON_BY_FAR_KEPT) == 0;
            if !is_wanted || !seen.insert(parent.board().canonical().0) {
                return None;
            }
            let moves = draw_siblings(&parent, good, siblings, &mut random);
            Some(UnjudgedFamily { number, parent, moves })
        })
    };
    (0..count).map_while(family).collect()
}

struct GamePlayer {
    rules: Rules,
    searcher: Searcher,
}

impl GamePlayer {
    /// The position of a game with so many empty squares, if it is reached and there is a choice of moves.
    fn play(&mut self, empties: u8, random: &mut Random) -> Option<Position> {
        let mut position = Position::start(Size::Eight);
        let plies = (position.empties().len() as usize).saturating_sub(empties.into());
        let most = plies.min(*RANDOM_PLIES.end());
        let least = most.min(*RANDOM_PLIES.start());
        let random_plies = least + random.below(most - least + 1);
        let depths = [(); 2].map(|()| DEPTHS.start() + random.below(DEPTHS.len()) as u8);
        let random_move = random.pick(&RANDOM_MOVE).copied()?;
        for ply in 0..plies {
            position = with_turn(position)?;
            let is_random = ply < random_plies || random.below(random_move) == 0;
            let square = if is_random {
                let moves: Vec<Square> = position.moves().into_iter().collect();
                random.pick(&moves).copied()?
            } else {
                self.best_move(position, depths[usize::from(position.side() == Color::White)])?.0
            };
            position = position.play(Move::Place(square))?;
        }
        with_turn(position).filter(|parent| parent.moves().len() > 1)
    }

    fn best_move(&mut self, position: Position, depth: u8) -> Option<(Square, Score)> {
        // A move must not depend on earlier searches.
        self.searcher.clear();
        let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
        let found = self.searcher.run(&Task::new(position, self.rules), &control, &mut |_| {}).last;
        match found.best() {
            Move::Place(square) => Some((square, found.lines.first()?.score)),
            Move::Pass => None,
        }
    }
}

/// All moves, or a good one and others at random.
fn draw_siblings(parent: &Position, good: Square, most: usize, random: &mut Random) -> Vec<Square> {
    let mut moves: Vec<Square> = parent.moves().into_iter().collect();
    if moves.len() > most {
        random.shuffle(&mut moves);
        moves.sort_by_key(|&square| square != good);
        moves.truncate(most);
        moves.sort_unstable();
    }
    moves
}

/// After a pass if one is due; none if the game is over.
fn with_turn(position: Position) -> Option<Position> {
    let position =
        if position.must_pass() { position.with_side(position.side().opponent()) } else { position };
    (!position.moves().is_empty()).then_some(position)
}
