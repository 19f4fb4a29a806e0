//! Plays one game.

use crate::board::{Bitboard, Move, Position, Size, Square};
use crate::eval::Evaluation;
use crate::random::Random;
use crate::score::Score;
use crate::search::{Budget, Control, Searcher, Task};
use crate::training::records::game::{Detours, GameMoves, GameValues};
use crate::training::records::{SearchValue, SelfplaySettings, TrainingGame};

/// MiB of table: it is cleared before every game, so it is no larger than a few searches can fill.
const HASH: usize = 1;

/// The least number of plies from one detour to the next.
const DETOUR_DISTANCE: usize = 4;

pub(crate) struct SelfPlayer {
    searcher: Searcher,
    /// Searches by `play_for` where these are other rules: the two must not share a table.
    other_searcher: Option<Searcher>,
    settings: SelfplaySettings,
}

impl SelfPlayer {
    pub(crate) fn new(settings: SelfplaySettings, weights: Evaluation) -> Self {
        let searcher = || Searcher::new(1, HASH).with_evaluation(weights.clone());
        Self {
            searcher: searcher(),
            other_searcher: (settings.play_for != settings.rules).then(searcher),
            settings,
        }
    }

    /// Plays the game with this number; none if `is_stopped` before its end.
    pub(crate) fn play(&mut self, number: u64, is_stopped: impl Fn() -> bool) -> Option<TrainingGame> {
        // The table of other games would change this one.
        self.searcher.clear();
        self.other_searcher.iter_mut().for_each(Searcher::clear);
        let mut random = Random::keyed(self.settings.seed, number);
        let (least, most) = self.settings.random;
        let drawn = usize::from(least) + random.below(usize::from(most.saturating_sub(least)) + 1);
        let planned = self.draw_detours(drawn, &mut random);
        let mut position = Position::start(Size::Eight);
        let (mut moves, mut values, mut detours) = (GameMoves::new(), GameValues::new(), Detours::new());
        // The rest of the game once it is solved, last move first.
        let mut solution = Vec::new();
        while !position.is_over() {
            let legal = position.moves();
            if legal.is_empty() {
                position = position.play(Move::Pass)?;
                continue;
            }
            let ply = moves.len() as u8;
            let mut value = None;
            let square = if moves.len() < drawn || self.is_noise(&position) {
                nth(legal, random.below(legal.len() as usize))?
            } else if is_stopped() {
                return None;
            } else {
                let (best, score) = self.choose(&position, &mut solution)?;
                value = score.filter(|_| self.settings.keeps_value(ply, legal.len())).map(SearchValue::new);
                let others = legal - best.into();
                if planned.contains(&ply) && !others.is_empty() {
                    detours.push(ply);
                    nth(others, random.below(others.len() as usize))?
                } else {
                    best
                }
            };
            position = position.play(Move::Place(square))?;
            moves.push(square);
            values.push(value);
        }
        let random_plies = drawn.min(moves.len()) as u8;
        TrainingGame::new(&self.settings, random_plies, moves, values, detours)
    }

    /// The plies of the detours: any between the random moves and the solve, but not too near to each other. Fewer than
    /// wanted if there is no room.
    fn draw_detours(&self, drawn: usize, random: &mut Random) -> Detours {
        let plies = usize::from(self.settings.solve_ply()).saturating_sub(drawn);
        let count = usize::from(self.settings.detours).min(plies.div_ceil(DETOUR_DISTANCE));
        // Drawn as if a detour took one ply, then moved apart.
        let between = DETOUR_DISTANCE - 1;
        let mut places: Vec<usize> = (0..plies - count.saturating_sub(1) * between).collect();
        if count == 0 {
            return Detours::new();
        }
        random.shuffle(&mut places);
        places.truncate(count);
        places.sort_unstable();
        places.iter().enumerate().map(|(at, place)| (drawn + place + at * between) as u8).collect()
    }

    /// Whether the next move is random: the first, third and fourth of the last four before the solve. The second is
    /// searched, since a solver meets all moves of one side with the best replies of the other.
    fn is_noise(&self, position: &Position) -> bool {
        let before = (position.empties().len() as u8).checked_sub(self.settings.exact);
        self.settings.noise_before_solve && matches!(before, Some(1 | 2 | 4))
    }

    /// The next move of the solution if there is one, the only move, or the best one with the value of its search.
    fn choose(&mut self, position: &Position, solution: &mut Vec<Square>) -> Option<(Square, Option<Score>)> {
        let legal = position.moves();
        // A solution may end before the game does; then the position is solved again.
        if let Some(square) = solution.pop().filter(|&square| legal.contains(square)) {
            return Some((square, None));
        }
        if legal.len() == 1 {
            return legal.first().map(|square| (square, None));
        }
        let empties = position.empties().len() as u8;
        let solves = empties <= self.settings.exact;
        let depth = if solves { empties } else { self.settings.depth };
        let (searcher, rules) = match &mut self.other_searcher {
            Some(other) if !solves => (other, self.settings.play_for),
            _ => (&mut self.searcher, self.settings.rules),
        };
        let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
        let task = Task::new(*position, rules);
        let result = searcher.run(&task, &control, &mut |_| {}).last;
        let line = result.lines.into_iter().next()?;
        let mut squares = line.moves.into_iter().filter_map(|action| match action {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        });
        let best = squares.next()?;
        solution.clear();
        if result.exact && solves {
            solution.extend(squares);
            solution.reverse();
        }
        Some((best, Some(line.score)))
    }
}

fn nth(squares: Bitboard, rank: usize) -> Option<Square> {
    squares.into_iter().nth(rank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::Rules;
    use crate::training::records::TrainingPosition;

    fn settings(rules: Rules) -> SelfplaySettings {
        SelfplaySettings {
            rules,
            play_for: rules,
            noise_before_solve: false,
            detours: 0,
            depth: 2,
            exact: 8,
            random: (4, 20),
            seed: 5,
            evaluation: 0,
        }
    }

    fn play(player: &mut SelfPlayer, number: u64) -> TrainingGame {
        player.play(number, || false).expect("it is not stopped")
    }

    #[test]
    fn a_game_depends_on_its_number_alone() {
        for rules in Rules::ALL {
            let settings = SelfplaySettings { detours: 3, ..settings(rules) };
            let mut player = SelfPlayer::new(settings, Evaluation::HandMade);
            let games: Vec<_> = (0..12).map(|number| play(&mut player, number)).collect();
            for (number, game) in games.iter().enumerate().rev().map(|(at, game)| (at as u64, game)) {
                assert_eq!(play(&mut player, number), *game);
                assert_eq!(play(&mut SelfPlayer::new(settings, Evaluation::HandMade), number), *game);
                assert!((4..=20).contains(&game.random_plies()));
            }
            assert!(games.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }

    #[test]
    fn the_end_is_played_perfectly() {
        for (rules, play_for) in
            Rules::ALL.into_iter().flat_map(|rules| Rules::ALL.map(|play_for| (rules, play_for)))
        {
            let settings =
                SelfplaySettings { play_for, noise_before_solve: play_for == rules, ..settings(rules) };
            let mut player = SelfPlayer::new(settings, Evaluation::HandMade);
            let mut solver = Searcher::new(1, 1);
            for number in 0..10 {
                for TrainingPosition { board, result, .. } in play(&mut player, number).positions() {
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
    fn noise_comes_just_before_the_solve() {
        let plain = settings(Rules::Standard);
        let mut players = [plain, SelfplaySettings { noise_before_solve: true, ..plain }]
            .map(|settings| SelfPlayer::new(settings, Evaluation::HandMade));
        let mut changed = 0;
        for number in 0..12 {
            let [good, noisy] = players.each_mut().map(|player| play(player, number));
            // The fourth move before eight squares are left is the first that may differ.
            let same = 60 - 8 - 4;
            assert_eq!(good.moves()[..same], noisy.moves()[..same]);
            changed += usize::from(good.moves()[same..] != noisy.moves()[same..]);
        }
        assert!(changed >= 6, "{changed} of 12 games");
    }

    #[test]
    fn every_search_before_the_solve_is_recorded() {
        let plain = settings(Rules::Reversed);
        for settings in [
            plain,
            SelfplaySettings { detours: 2, ..plain },
            SelfplaySettings { noise_before_solve: true, ..plain },
            SelfplaySettings { play_for: Rules::Standard, ..plain },
        ] {
            let mut player = SelfPlayer::new(settings, Evaluation::HandMade);
            for number in 0..10 {
                for position in play(&mut player, number).positions() {
                    let empties = 64 - position.board.discs().len();
                    let is_noise = settings.noise_before_solve && matches!(empties, 9 | 10 | 12);
                    let is_searched = empties > 8
                        && position.board.moves(Size::Eight.squares()).len() > 1
                        && !is_noise
                        && settings.play_for == settings.rules;
                    assert_eq!(position.value.is_some(), is_searched, "{position:?}");
                }
            }
        }
    }

    #[test]
    fn detours_leave_the_path_between_the_random_moves_and_the_solve() {
        let plain = settings(Rules::Standard);
        let mut straight = SelfPlayer::new(plain, Evaluation::HandMade);
        let mut player = SelfPlayer::new(SelfplaySettings { detours: 3, ..plain }, Evaluation::HandMade);
        let mut plies = Vec::new();
        for number in 0..40 {
            let mut random = Random::keyed(plain.seed, number);
            let drawn = usize::from(plain.random.0) + random.below(17);
            let planned = player.draw_detours(drawn, &mut random);
            assert_eq!(planned.len(), 3, "there is room");
            assert!(planned.iter().all(|&ply| (drawn..60 - 8).contains(&ply.into())));
            assert!(planned.windows(2).all(|pair| pair[1] - pair[0] >= DETOUR_DISTANCE as u8));
            plies.extend(planned.iter().copied());
            let game = play(&mut player, number);
            assert_eq!(usize::from(game.random_plies()), drawn);
            // Only where there is no choice a detour is left out.
            assert!(game.detours().iter().all(|ply| planned.contains(ply)));
            for (ply, position) in (drawn as u8..).zip(game.positions()) {
                let has_choice = position.board.moves(Size::Eight.squares()).len() > 1;
                assert_eq!(position.is_detour, planned.contains(&ply) && has_choice);
            }
        }
        assert!(plies.iter().min() < Some(&12) && plies.iter().max() > Some(&48), "{plies:?}");
        // No room, little room.
        for (drawn, count) in [(60, 0), (52, 0), (51, 1), (48, 1), (47, 2)] {
            assert_eq!(player.draw_detours(drawn, &mut Random::new(1)).len(), count);
        }
        assert_eq!(play(&mut straight, 1).detours(), [0; 0]);
    }

    #[test]
    fn a_player_is_stopped_when_told() {
        assert_eq!(SelfPlayer::new(settings(Rules::Reversed), Evaluation::HandMade).play(1, || true), None);
    }
}
