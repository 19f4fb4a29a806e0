//! The `ollehto` program; see [`ollehto::cli`].

use std::process::ExitCode;

use ollehto::cli::ExitWhenOutOfMemory;

#[global_allocator]
static ALLOCATOR: ExitWhenOutOfMemory = ExitWhenOutOfMemory;

fn main() -> ExitCode {
    ollehto::cli::main()
}
