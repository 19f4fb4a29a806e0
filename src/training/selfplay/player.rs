//! Playing one game, which its number and the settings alone determine.

use crate::board::{Bitboard, Move, Position, Size, Square};
use crate::eval::Evaluation;
use crate::random::Random;
use crate::search::{Budget, Control, Searcher, Task};
use crate::training::records::Settings;
use crate::training::records::game::{Game, Squares};

/// Mebibytes of table: it is wiped before every game, so it is to be no larger than a few searches can fill.
const HASH: usize = 1;

/// Plays both sides of one game after another.
pub(crate) struct SelfPlayer {
    searcher: Searcher,
    /// Searches for the other goal, where games are led astray.
    astray: Option<Searcher>,
    settings: Settings,
}

impl SelfPlayer {
    pub(crate) fn new(settings: Settings, weights: Evaluation) -> Self {
        let searcher = || Searcher::new(1, HASH).with_evaluation(weights.clone());
        Self { searcher: searcher(), astray: (settings.goal != settings.rules).then(searcher), settings }
    }

    /// Plays the game with this number; none if it was told to give up on the way.
    pub(crate) fn play(&mut self, number: u64, gives_up: impl Fn() -> bool) -> Option<Game> {
        // What is left of other games would change this one, and there are others in every process.
        self.searcher.forget();
        self.astray.iter_mut().for_each(Searcher::forget);
        let mut random = Random::keyed(self.settings.seed, number);
        let (least, most) = self.settings.random;
        let drawn = usize::from(least) + random.below(usize::from(most.saturating_sub(least)) + 1);
        let mut position = Position::start(Size::Eight);
        let mut moves = Squares::new();
        // The rest of the game once it is solved, last move first.
        let mut solution = Vec::new();
        while !position.is_over() {
            let legal = position.moves();
            if legal.is_empty() {
                position = position.play(Move::Pass)?;
                continue;
            }
            let square = if moves.len() < drawn || self.strays(&position) {
                nth(legal, random.below(legal.len() as usize))?
            } else if gives_up() {
                return None;
            } else {
                self.choose(&position, &mut solution)?
            };
            position = position.play(Move::Place(square))?;
            moves.push(square);
        }
        let random_plies = drawn.min(moves.len()) as u8;
        Game::new(self.settings.rules, random_plies, moves)
    }

    /// Whether the next move is one of those before perfect play that go astray. One is left to the search: a solver
    /// looks at all moves of one side and at the best replies of the other, and last of all at moves that may be neither.
    fn strays(&self, position: &Position) -> bool {
        let before = (position.empties().len() as u8).checked_sub(self.settings.exact);
        self.settings.stray && matches!(before, Some(1 | 2 | 4))
    }

    /// The next move: that of the solution if there is one, the only one, or the best.
    fn choose(&mut self, position: &Position, solution: &mut Vec<Square>) -> Option<Square> {
        let legal = position.moves();
        // A solution that ends before the game does is followed by another.
        if let Some(square) = solution.pop().filter(|&square| legal.contains(square)) {
            return Some(square);
        }
        if legal.len() == 1 {
            return legal.first();
        }
        let empties = position.empties().len() as u8;
        let solves = empties <= self.settings.exact;
        let depth = if solves { empties } else { self.settings.depth };
        let (searcher, rules) = match &mut self.astray {
            Some(astray) if !solves => (astray, self.settings.goal),
            _ => (&mut self.searcher, self.settings.rules),
        };
        let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
        let task = Task::new(*position, rules);
        let found = searcher.run(&task, &control, &mut |_| {}).last;
        let mut squares =
            found.lines.into_iter().next()?.moves.into_iter().filter_map(|action| match action {
                Move::Place(square) => Some(square),
                Move::Pass => None,
            });
        let best = squares.next();
        solution.clear();
        if found.exact && solves {
            solution.extend(squares);
            solution.reverse();
        }
        best
    }
}

/// The square of this rank in a set.
fn nth(squares: Bitboard, rank: usize) -> Option<Square> {
    squares.into_iter().nth(rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::Rules;

    fn settings(rules: Rules) -> Settings {
        Settings {
            rules,
            goal: rules,
            stray: false,
            depth: 2,
            exact: 8,
            random: (4, 20),
            seed: 5,
            evaluation: 0,
        }
    }

    fn play(player: &mut SelfPlayer, number: u64) -> Game {
        player.play(number, || false).expect("nobody gives up")
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        for rules in Rules::ALL {
            let mut player = SelfPlayer::new(settings(rules), Evaluation::HandMade);
            let games: Vec<_> = (0..12).map(|number| play(&mut player, number)).collect();
            for (number, game) in games.iter().enumerate().rev().map(|(at, game)| (at as u64, game)) {
                assert_eq!(play(&mut player, number), *game);
                assert_eq!(play(&mut SelfPlayer::new(settings(rules), Evaluation::HandMade), number), *game);
                assert!((4..=20).contains(&game.random_plies()));
            }
            assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn the_end_is_played_perfectly() {
        for (rules, goal) in Rules::ALL.into_iter().flat_map(|rules| Rules::ALL.map(|goal| (rules, goal))) {
            let settings = Settings { goal, stray: goal == rules, ..settings(rules) };
            let mut player = SelfPlayer::new(settings, Evaluation::HandMade);
            let mut solver = Searcher::new(1, 1);
            for number in 0..10 {
                for (board, result) in play(&mut player, number).positions() {
                    let empties = (!board.discs()).len();
                    if empties > 8 {
                        continue;
                    }
                    let position = Position::new(board.own(), board.other(), Color::Black, Size::Eight)
                        .expect("a board of a game");
                    let control = Control::new(&Budget::UNLIMITED);
                    let solved = solver.run(&Task::new(position, rules), &control, &mut |_| {}).last;
                    assert!(solved.exact);
                    assert_eq!(solved.lines[0].score, result.into());
                }
            }
        }
    }

    #[test]
    fn games_go_astray_just_before_the_end() {
        let plain = settings(Rules::Standard);
        let mut players = [plain, Settings { stray: true, ..plain }]
            .map(|settings| SelfPlayer::new(settings, Evaluation::HandMade));
        let mut changed = 0;
        for number in 0..12 {
            let [good, stray] = players.each_mut().map(|player| play(player, number));
            // The fourth move before eight squares are left is the first that may differ.
            let same = 60 - 8 - 4;
            assert_eq!(good.moves()[..same], stray.moves()[..same]);
            changed += usize::from(good.moves()[same..] != stray.moves()[same..]);
        }
        assert!(changed >= 6, "{changed} of 12 games");
    }

    #[test]
    fn a_player_gives_up_when_told() {
        assert_eq!(SelfPlayer::new(settings(Rules::Reversed), Evaluation::HandMade).play(1, || true), None);
    }
}
