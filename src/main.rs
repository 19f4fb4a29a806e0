//! The `ollehto` program.

fn main() {}
