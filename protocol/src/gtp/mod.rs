//! The Go Text Protocol, with GoGui's extensions and the engine's own commands.

mod arguments;
mod command;
mod line;
mod response;
mod table;

pub use command::Command;
pub use line::{GtpError, GtpId, GtpLine, GtpRequest, parse_line};
pub use response::Response;
pub use table::{COMMANDS, CommandSpec};
