//! Game records in the Generic Game Format.

mod clock;
mod game;
mod kind;
mod read;
mod turn;

pub use clock::Clock;
pub use game::{Ending, Game, Outcome, Player};
pub use kind::MatchType;
pub use read::{parse_game, parse_games};
pub use turn::{MoveText, Turn};

pub(crate) use read::game;
pub(crate) use turn::move_text;
