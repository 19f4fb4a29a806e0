//! Training: self-play, recorded games, the weights of the evaluation, the error models of the search, and the opening
//! book.

pub mod balanced_openings;
pub mod book;
pub mod fit_probcut;
pub mod opening_tree;
pub mod parallel;
pub mod position_values;
pub mod positions;
pub mod records;
pub mod selfplay;
pub mod train;
pub mod weights;
