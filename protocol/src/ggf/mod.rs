//! Game records in the Generic Game Format.

mod clock;
mod game;
mod match_type;
mod move_text;
mod read;

pub use clock::GgfClock;
pub use game::{GgfEnding, GgfGame, GgfPlayer, GgfResult};
pub use match_type::MatchType;
pub use move_text::{GgfMove, MoveText};
pub use read::{parse_game, parse_games};

pub(crate) use move_text::move_text;
pub(crate) use read::game;
