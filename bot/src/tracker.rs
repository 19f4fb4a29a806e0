//! A game as the site tells it: always by the whole list of moves, so that repeated and late states do no harm.

use std::fmt;

use ollehto::board::{Color, Position, Size};
use ollehto::game::Game;

use crate::clock::MoveClock;
use crate::config::Variant;
use crate::notation::{parse_fen, parse_move};
use crate::site::{GameClock, GameFull, GameState};

#[derive(Clone, Debug)]
pub struct Tracker {
    me: Color,
    opponent: String,
    variant: Variant,
    start: Position,
    clock: Option<GameClock>,
    moves: Vec<String>,
    game: Game,
    state: GameState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrackError {
    Variant(String),
    NotMine,
    Fen(String),
    /// The number of a move from 1, and the move.
    Move(usize, String),
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant(key) => write!(f, "the variant {key} cannot be played"),
            Self::NotMine => f.write_str("it is a game of others"),
            Self::Fen(fen) => write!(f, "the position {fen} cannot be read"),
            Self::Move(number, text) => write!(f, "move {number} ({text}) is illegal or cannot be read"),
        }
    }
}

/// What a state means to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// More moves than before, or the same with another clock or status.
    Current,
    /// Older than what is known, or of another game: to be checked.
    Doubtful,
}

impl Tracker {
    /// # Errors
    /// If the game cannot be played.
    pub fn new(full: GameFull, my_id: &str) -> Result<Self, TrackError> {
        let variant = Variant::from_key(&full.variant.key)
            .ok_or_else(|| TrackError::Variant(full.variant.key.clone()))?;
        let is_me = |id: &Option<String>| id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(my_id));
        let (me, opponent) = match (is_me(&full.p1.id), is_me(&full.p2.id)) {
            (true, _) => (Color::Black, full.p2),
            (_, true) => (Color::White, full.p1),
            _ => return Err(TrackError::NotMine),
        };
        let start = match full.initial_fen.as_str() {
            "startpos" => Position::start(Size::Eight),
            fen => parse_fen(fen).ok_or_else(|| TrackError::Fen(fen.to_owned()))?,
        };
        let moves = words(&full.state.moves);
        let game = replay(variant, start, &moves)?;
        let opponent = opponent.name.or(opponent.id).unwrap_or_else(|| "stranger".into());
        Ok(Self { me, opponent, variant, start, clock: full.clock, moves, game, state: full.state })
    }

    /// Takes note of a state from the stream.
    ///
    /// # Errors
    /// If it cannot be followed.
    pub fn follow(&mut self, state: GameState) -> Result<News, TrackError> {
        // The end of a game is told once.
        if !self.state.is_running() {
            return Ok(News::Doubtful);
        }
        let moves = words(&state.moves);
        if !state.is_running() {
            // Nothing is to be played any more, whatever the moves are.
            if let Ok(game) = replay(self.variant, self.start, &moves) {
                (self.game, self.moves) = (game, moves);
            }
            self.state = state;
            return Ok(News::Current);
        }
        if !moves.starts_with(&self.moves) {
            return Ok(News::Doubtful);
        }
        if moves != self.moves {
            self.game = replay(self.variant, self.start, &moves)?;
            self.moves = moves;
        }
        self.state = state;
        Ok(News::Current)
    }

    #[must_use]
    pub fn opponent(&self) -> &str {
        &self.opponent
    }

    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    #[must_use]
    pub const fn me(&self) -> Color {
        self.me
    }

    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    #[must_use]
    pub const fn state(&self) -> &GameState {
        &self.state
    }

    /// The number of moves that the site lists.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position, if it is our turn in a running game.
    #[must_use]
    pub fn my_turn(&self) -> Option<Position> {
        let position = *self.game.position();
        if !self.state.is_running() || position.is_over() {
            return None;
        }
        // The site lists passes; should it pass for a player instead, it says who is to move.
        let active = match self.state.active_player.as_deref() {
            Some("p1") => Some(Color::Black),
            Some("p2") => Some(Color::White),
            _ => None,
        };
        let side = active.filter(|_| position.must_pass()).unwrap_or(position.side());
        (side == self.me).then(|| position.with_side(side))
    }

    /// Whether the opponent has made a move.
    #[must_use]
    pub fn opponent_moved(&self) -> bool {
        self.game.moves().iter().any(|&(color, _)| color != self.me)
    }

    #[must_use]
    pub fn move_clock(&self) -> MoveClock {
        let left = if self.me == Color::Black { self.state.wtime } else { self.state.btime };
        MoveClock::new(self.clock.as_ref(), left)
    }

    #[must_use]
    pub const fn is_offered_draw(&self) -> bool {
        match self.me {
            Color::Black => self.state.bdraw,
            Color::White => self.state.wdraw,
        }
    }

    /// How the game ended for us.
    #[must_use]
    pub fn result(&self) -> &'static str {
        let mine = if self.me == Color::Black { "p1" } else { "p2" };
        match self.state.winner.as_deref() {
            Some(winner) if winner == mine => "won",
            Some(_) => "lost",
            None if self.state.status == "aborted" => "aborted",
            None => "drawn",
        }
    }
}

/// A comma would join the actions of one turn.
fn words(moves: &str) -> Vec<String> {
    moves.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn replay(variant: Variant, start: Position, moves: &[String]) -> Result<Game, TrackError> {
    let mut game = Game::from_position(variant.rules(), start);
    for (number, text) in (1..).zip(moves) {
        let illegal = || TrackError::Move(number, text.clone());
        let action = parse_move(text).ok_or_else(illegal)?;
        game.follow(action).map_err(|_| illegal())?;
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn full(moves: &str, my_side: &str) -> GameFull {
        let other = if my_side == "p1" { "p2" } else { "p1" };
        serde_json::from_value(json!({
            "id": "abcd1234",
            "variant": {"key": "antiflipello"},
            "clock": {"initial": 180_000, "increment": 2000, "clockType": "fischer"},
            my_side: {"id": "ollehto", "name": "Ollehto", "title": "BOT"},
            other: {"id": "ann", "name": "Ann"},
            "initialFen": "startpos",
            "type": "gameFull",
            "state": state_json(moves),
        }))
        .expect("a game")
    }

    fn state_json(moves: &str) -> serde_json::Value {
        json!({"type": "gameState", "moves": moves, "wtime": 170_000, "btime": 160_000, "winc": 2000,
            "binc": 2000, "wdraw": false, "bdraw": true, "status": "started", "abortable": false})
    }

    fn state(moves: &str) -> GameState {
        serde_json::from_value(state_json(moves)).expect("a state")
    }

    #[test]
    fn the_first_player_is_black() {
        let black = Tracker::new(full("", "p1"), "Ollehto").expect("mine");
        assert_eq!((black.me(), black.opponent()), (Color::Black, "Ann"));
        assert_eq!(black.my_turn(), Some(Position::start(Size::Eight)));
        assert!(black.is_offered_draw() && !black.opponent_moved());
        assert!(matches!(black.move_clock(), MoveClock::Fischer { left, .. } if left.as_secs() == 170));
        let white = Tracker::new(full("", "p2"), "ollehto").expect("mine");
        assert_eq!(white.my_turn(), None);
        assert!(matches!(white.move_clock(), MoveClock::Fischer { left, .. } if left.as_secs() == 160));
        assert_eq!(Tracker::new(full("", "p2"), "bob").err(), Some(TrackError::NotMine));
    }

    #[test]
    fn repeated_states_are_the_same_and_old_ones_doubtful() {
        let mut tracker = Tracker::new(full("P@c5", "p2"), "ollehto").expect("mine");
        assert!(tracker.my_turn().is_some());
        assert_eq!(tracker.follow(state("P@c5 P@c6")), Ok(News::Current));
        assert_eq!(tracker.follow(state("P@c5 P@c6")), Ok(News::Current));
        assert_eq!(tracker.my_turn(), None);
        assert_eq!(tracker.follow(state("P@c5")), Ok(News::Doubtful));
        assert_eq!(tracker.follow(state("P@e3 P@f3 P@f4")), Ok(News::Doubtful));
        assert_eq!(tracker.plies(), 2);
        assert_eq!(tracker.follow(state("P@c5 P@c6 P@a1")), Err(TrackError::Move(3, "P@a1".into())));
        assert_eq!(tracker.plies(), 2, "unchanged");
    }

    #[test]
    fn the_end_of_a_game_counts_whatever_its_moves_are() {
        for moves in ["P@c5 P@c6", "P@c5", "P@e3 P@f3 P@f4", "P@c5 P@c6 P@a1", "nonsense"] {
            let mut tracker = Tracker::new(full("P@c5 P@c6", "p1"), "ollehto").expect("mine");
            let ended = GameState { status: "resign".into(), winner: Some("p1".into()), ..state(moves) };
            assert_eq!(tracker.follow(ended.clone()), Ok(News::Current), "{moves}");
            assert_eq!((tracker.my_turn(), tracker.result()), (None, "won"));
            assert_eq!(tracker.follow(ended), Ok(News::Doubtful), "once");
        }
    }

    #[test]
    fn a_pass_that_the_site_makes_or_leaves_out_is_understood() {
        // The second player is to move and has no move; the first one has one.
        let mut game = full("", "p1");
        game.initial_fen = "8/8/8/8/8/8/8/Pp6[] b - - 0 1".into();
        let tracker = Tracker::new(game.clone(), "ollehto").expect("a game");
        assert_eq!(tracker.my_turn(), None, "the second player must pass first");
        let mut left_out = game.clone();
        left_out.state.moves = "P@c1".into();
        let left_out = Tracker::new(left_out, "ollehto").expect("a pass is implied");
        assert!(left_out.game().position().is_over() && left_out.my_turn().is_none());
        game.state.active_player = Some("p1".into());
        let tracker = Tracker::new(game, "ollehto").expect("a game");
        assert_eq!(tracker.my_turn().map(|position| position.moves().len()), Some(1));
    }
}
