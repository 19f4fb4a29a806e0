//! The log: lines on standard error, without the token.

use std::io::Write;

use env_logger::{Builder, Env};

use crate::token::Token;

/// Call it once. `RUST_LOG` overrides the level.
pub fn start(token: Option<Token>, is_verbose: bool) {
    let level = if is_verbose { "warn,ollehto_bot=debug" } else { "warn,ollehto_bot=info" };
    let mut builder = Builder::from_env(Env::default().default_filter_or(level));
    builder.format(move |output, record| {
        let message = record.args().to_string();
        let message = token.as_ref().map_or(message.as_str().into(), |token| token.hide_in(&message));
        let (time, level) = (output.timestamp(), record.level());
        writeln!(output, "{time} {level:5} {message}")
    });
    builder.init();
}
