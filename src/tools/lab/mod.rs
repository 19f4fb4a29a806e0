//! The laboratory: experiments of the founding reports, repeated by the right rules and with many more samples.
//!
//! Every experiment gives [`Sheet`]s: tables with our figures, how many samples they rest on, their 95 % intervals, and
//! what the reports say beside them. Chance comes from a seed alone, so an experiment without a clock can be repeated to
//! the last digit. `docs/laboratory.md` tells what was found.

pub mod chart;
pub mod evaluations;
pub mod loss;
pub mod sheet;
pub mod statistics;
mod work;

pub use sheet::Sheet;
