//! The error models of the selective search: how a value differs from the prediction of it, in discs.
//!
//! Made by `ollehto fit-probcut --positions 75 --depth 10 --seed 1`; fit again rather than edit.
//!
//! One line for each band of 4 empty squares, from 9 to 12 on. Spreads are logarithms of standard deviations.
//!
//! Where a shallow search of depth s predicts a deep one of depth d, up to 57 to 60 empty squares, the terms of
//! a mean are 1, s, d and (d & 1) - (s & 1); those of a spread are 1, s and d.
//!
//! Where it predicts the result of the game at e empty squares, up to 21 to 24, the terms of a mean are 1, s and
//! (e & 1) - (s & 1); those of a spread are 1 and s.

#![allow(clippy::approx_constant, reason = "a fitted number near a constant is not that constant")]

use super::probcut::{EndModel, Model};

/// How many bands of empty squares there are.
pub(super) const BANDS: usize = 13;

/// How many of them have a model of the end of the game.
pub(super) const END_BANDS: usize = 4;

/// Deep searches by reversed rules.
pub(super) static REVERSED: [Model; BANDS] = [
    Model { mean: [-0.3522, 0.1127, 0.0332, 1.1453], spread: [0.9199, -0.1085, 0.1063] },
    Model { mean: [-0.3696, 0.0436, 0.0660, 1.3115], spread: [0.5603, -0.0569, 0.0868] },
    Model { mean: [-0.3643, 0.0477, 0.0727, 1.1478], spread: [0.3724, -0.1232, 0.1057] },
    Model { mean: [-0.3077, 0.0120, 0.0630, 0.9473], spread: [0.7484, -0.1995, 0.0575] },
    Model { mean: [-0.3370, 0.0584, 0.0271, 0.5431], spread: [0.6725, -0.1860, 0.0852] },
    Model { mean: [-0.1665, 0.0611, -0.0132, 0.1541], spread: [0.1230, -0.1483, 0.1115] },
    Model { mean: [-0.1956, 0.0294, 0.0247, 0.0130], spread: [0.1690, -0.1578, 0.0869] },
    Model { mean: [-0.1095, 0.0121, 0.0201, -0.0768], spread: [-0.1211, -0.1207, 0.0782] },
    Model { mean: [-0.2160, 0.0160, 0.0297, 0.0528], spread: [0.1729, -0.1930, 0.0614] },
    Model { mean: [-0.1158, -0.0190, 0.0506, 0.6711], spread: [0.1306, -0.1369, 0.0593] },
    Model { mean: [-0.3828, 0.0063, 0.0629, 1.0843], spread: [0.2210, -0.2088, 0.0626] },
    Model { mean: [0.1993, -0.0388, 0.0022, 1.0941], spread: [0.2762, -0.1987, 0.0349] },
    Model { mean: [-0.5050, 0.1287, -0.0096, 1.0361], spread: [0.2757, -0.2471, 0.0583] },
];

/// Deep searches by standard rules.
pub(super) static STANDARD: [Model; BANDS] = [
    Model { mean: [-1.3316, 0.3035, -0.0179, 0.3170], spread: [1.6386, -0.1213, 0.0835] },
    Model { mean: [0.6242, 0.0711, -0.1872, 0.6976], spread: [1.7976, -0.0748, 0.0439] },
    Model { mean: [-2.3016, 0.2518, 0.3387, 1.3547], spread: [1.3505, -0.1256, 0.1293] },
    Model { mean: [-0.0402, -0.0691, 0.1073, 1.8134], spread: [1.4218, -0.1386, 0.0881] },
    Model { mean: [-1.0651, 0.0508, 0.2341, 1.5557], spread: [1.6277, -0.1233, 0.0633] },
    Model { mean: [-1.0340, 0.2000, 0.0460, 1.3282], spread: [1.0480, -0.1433, 0.1208] },
    Model { mean: [-0.0882, 0.0933, -0.0063, 1.2181], spread: [1.4700, -0.1170, 0.0791] },
    Model { mean: [-0.6913, 0.0483, 0.1201, 1.3389], spread: [1.1017, -0.1077, 0.1102] },
    Model { mean: [-0.0346, -0.0832, 0.0812, 1.0647], spread: [1.0069, -0.1540, 0.1209] },
    Model { mean: [-0.1657, -0.0198, 0.0794, 1.3326], spread: [1.7867, -0.1630, 0.0019] },
    Model { mean: [-0.4219, -0.0382, 0.1152, 1.0885], spread: [1.1441, -0.1563, 0.0573] },
    Model { mean: [0.4169, -0.1319, 0.0478, 0.5261], spread: [0.7519, -0.2284, 0.0534] },
    Model { mean: [-0.5096, 0.1800, -0.0370, 0.1786], spread: [0.5436, -0.2400, 0.0886] },
];

/// The end of the game by reversed rules.
pub(super) static REVERSED_END: [EndModel; END_BANDS] = [
    EndModel { mean: [0.3543, -0.0305, -1.2261], spread: [2.0212, -0.0578] },
    EndModel { mean: [0.3214, -0.0257, -0.8732], spread: [1.9341, -0.0382] },
    EndModel { mean: [0.9291, -0.0376, -1.3625], spread: [1.6703, -0.0098] },
    EndModel { mean: [0.1829, 0.0460, -1.5380], spread: [1.5959, -0.0239] },
];

/// The end of the game by standard rules.
pub(super) static STANDARD_END: [EndModel; END_BANDS] = [
    EndModel { mean: [-1.1093, 0.1808, 1.8257], spread: [2.5347, -0.0909] },
    EndModel { mean: [-1.1068, 0.0907, 3.7830], spread: [2.4820, -0.0554] },
    EndModel { mean: [2.0442, -0.1653, 2.0836], spread: [2.6122, -0.0739] },
    EndModel { mean: [0.7296, 0.0009, 3.7768], spread: [2.5676, -0.0620] },
];
