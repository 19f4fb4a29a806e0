use super::probcut::{EndModel, Model};
pub(super) static REVERSED: [Model; 1] = [Model { mean: [0.0; 4], spread: [1.1, -0.05, 0.03] }];
pub(super) static STANDARD: [Model; 1] = [Model { mean: [0.0; 4], spread: [1.7, -0.05, 0.03] }];
pub(super) static REVERSED_END: [EndModel; 1] = [EndModel { mean: [0.0; 3], spread: [1.5, -0.05] }];
pub(super) static STANDARD_END: [EndModel; 1] = [EndModel { mean: [0.0; 3], spread: [2.1, -0.05] }];
