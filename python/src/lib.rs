//! The engine for Python: conversions, and calls that release the interpreter while they search.
//!
//! The package in `ollehto/` has the interface that people use; this module has what it is made of. Arrays cross over as
//! bytes, so that neither numpy nor its version matters here.

mod batch;
mod board;
mod engine;
mod files;
mod review;
mod values;
mod waiting;

use pyo3::prelude::*;

#[pymodule(name = "_native", gil_used = false)]
mod native {
    #[pymodule_export]
    use super::batch::{evaluate, label};
    #[pymodule_export]
    use super::board::{Board, move_index, move_name};
    #[pymodule_export]
    use super::engine::{Engine, Search, opponents, table_to_solve};
    #[pymodule_export]
    use super::files::{read_games, read_journal, read_weights};
    #[pymodule_export]
    use super::review::analyze;
}
