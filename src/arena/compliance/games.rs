//! Fixed games for the steps.

use ollehto_protocol::notation::parse_moves;

use crate::board::{Color, Move, Position, Size, Square};
use crate::game::Game;
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;

pub(super) fn start(rules: Rules) -> Game {
    Game::new(rules, Size::Eight)
}

/// A game of at most `plies` random plies.
pub(super) fn random(rules: Rules, seed: u64, plies: usize) -> Game {
    let mut game = start(rules);
    let mut random = Random::new(seed);
    while game.moves().len() < plies && !game.position().is_over() {
        play_random(&mut game, &mut random);
    }
    game
}

/// A position that takes a search and is in no opening book.
pub(super) fn out_of_book(rules: Rules) -> Game {
    random(rules, 1, 12)
}

/// Plays a random move, or the forced pass.
pub(super) fn play_random(game: &mut Game, random: &mut Random) -> Move {
    let moves: Vec<Square> = game.position().moves().into_iter().collect();
    let action = random.pick(&moves).map_or(Move::Pass, |&square| Move::Place(square));
    game.follow(action).expect("the move was just found to be legal");
    action
}

/// A game whose side to move has to pass.
pub(super) fn before_pass(rules: Rules) -> Game {
    for seed in 0.. {
        let mut game = start(rules);
        let mut random = Random::new(seed);
        while !game.position().is_over() {
            if game.position().must_pass() {
                return game;
            }
            play_random(&mut game, &mut random);
        }
    }
    unreachable!("passes are common")
}

pub(super) fn finished(rules: Rules) -> Game {
    random(rules, 1, usize::MAX)
}

pub(super) fn name(action: Move) -> String {
    notation::vertex(action, Size::Eight).to_string()
}

pub(super) fn color(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// None unless the text is exactly one move.
pub(super) fn parse_move(text: &str) -> Option<Move> {
    match parse_moves(text.as_bytes()).ok()?.as_slice() {
        [vertex] => notation::action(*vertex, Size::Eight),
        _ => None,
    }
}

/// In board order, in capitals.
pub(super) fn legal(position: &Position) -> Vec<String> {
    position.moves().into_iter().map(|square| square.to_string()).collect()
}

/// The first legal move in board order.
pub(super) fn any_move(game: &Game) -> Move {
    game.position().moves().first().map_or(Move::Pass, Move::Place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_as_named() {
        for rules in Rules::ALL {
            assert!(before_pass(rules).position().must_pass());
            assert!(finished(rules).position().is_over());
            assert_eq!(random(rules, 3, 7).moves().len(), 7);
        }
        assert_eq!(parse_move("d3"), Some(Move::Place(Square::D3)));
        assert_eq!(
            (parse_move("PASS"), parse_move("d3 c4"), parse_move("resign")),
            (Some(Move::Pass), None, None)
        );
    }
}
