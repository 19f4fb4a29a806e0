//! Positions that show by which rules an engine plays.

use ollehto_protocol::notation::parse_position;

use crate::board::{Position, Size};
use crate::notation;

/// Positions with one legal move, which ends the game, and whether the side to move wins by reversed rules: it takes the
/// opponent's last disc in the first one and keeps almost none in the second.
pub(super) fn decided_positions(size: Size) -> impl Iterator<Item = (Position, bool)> {
    let squares = usize::from(size.area());
    let texts = [
        (format!("XO{} X", "-".repeat(squares - 2)), false),
        (format!("-OX{} X", "O".repeat(squares - 3)), true),
    ];
    texts.into_iter().filter_map(|(text, wins)| {
        let position = notation::position(&parse_position(text.as_bytes()).ok()?).ok()?;
        Some((position, wins))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Move};
    use crate::game::Game;
    use crate::rules::Rules;

    #[test]
    fn decided_positions_are_decided_as_claimed() {
        for size in Size::ALL {
            let mut count = 0;
            for (position, wins) in decided_positions(size) {
                count += 1;
                let moves: Vec<_> = position.moves().into_iter().collect();
                assert_eq!(moves.len(), 1);
                let mut game = Game::from_position(Rules::Reversed, position);
                game.follow(Move::Place(moves[0])).expect("legal");
                assert!(game.position().is_over());
                assert_eq!(game.result(Color::Black).0 > 0, wins);
            }
            assert_eq!(count, 2);
        }
    }
}
