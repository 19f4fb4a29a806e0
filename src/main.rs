//! The `ollehto` program; see [`ollehto::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    ollehto::cli::main()
}
