//! What holds of the statistics as a whole.

mod fixed;
mod simulation;
mod standings;
