//! The referee: matches between engines good and bad, and what is told of them.

mod clock;
mod compliance;
mod faults;
mod journal;
mod matches;
mod outside;
mod report;
mod resume;
mod rules;
#[path = "../support/mod.rs"]
mod support;
