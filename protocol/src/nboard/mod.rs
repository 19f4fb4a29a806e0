//! The NBoard protocol, versions 1 and 2.

mod command;
mod reply;

pub use crate::ggf::MoveText;
pub use command::{Command, NBoardError, parse_line};
pub use reply::{DepthText, Reply};
