//! The error models of the selective search: how a value differs from the prediction of it, in discs.
//!
//! Made by `ollehto fit-probcut --positions 160 --depth 10 --seed 1`; fit again rather than edit.
//!
//! One line for each band of 4 empty squares, from 9 to 12 on. Spreads are logarithms of standard deviations.
//!
//! Where a shallow search of depth s predicts a deep one of depth d, up to 57 to 60 empty squares, the terms of
//! a mean are 1, s, d and (d & 1) - (s & 1); those of a sigma are 1, s and d.
//!
//! Where it predicts the result of the game at e empty squares, up to 21 to 24, the terms of a mean are 1, s and
//! (e & 1) - (s & 1); those of a sigma are 1 and s.

#![allow(clippy::approx_constant, reason = "a fitted number near a constant is not that constant")]

use super::{EndgameErrorModel, ErrorModels, MidgameErrorModel};

/// By reversed rules.
pub(super) static REVERSED: ErrorModels = ErrorModels {
    deep: [
        MidgameErrorModel { mean: [-0.1685, 0.0072, 0.0563, 0.8122], log_sigma: [0.6373, -0.0860, 0.0775] },
        MidgameErrorModel { mean: [-0.4487, 0.0535, 0.0830, 0.7746], log_sigma: [0.6663, -0.0988, 0.0540] },
        MidgameErrorModel { mean: [-0.4365, 0.0706, 0.0325, 0.9718], log_sigma: [0.6731, -0.1123, 0.0407] },
        MidgameErrorModel { mean: [-0.2431, 0.0527, 0.0142, 1.0577], log_sigma: [0.4122, -0.1262, 0.0649] },
        MidgameErrorModel { mean: [-0.2629, 0.0403, 0.0282, 1.0730], log_sigma: [0.1962, -0.1466, 0.0865] },
        MidgameErrorModel { mean: [-0.2289, 0.0560, 0.0053, 0.8833], log_sigma: [0.3243, -0.1433, 0.0569] },
        MidgameErrorModel { mean: [-0.1181, 0.0098, 0.0233, 0.7838], log_sigma: [0.0900, -0.1298, 0.0692] },
        MidgameErrorModel { mean: [-0.1327, 0.0104, 0.0235, 0.7720], log_sigma: [0.1445, -0.1515, 0.0544] },
        MidgameErrorModel { mean: [-0.0311, 0.0056, 0.0113, 0.8605], log_sigma: [0.2869, -0.1784, 0.0475] },
        MidgameErrorModel { mean: [-0.1310, 0.0116, 0.0310, 0.7882], log_sigma: [0.3366, -0.1702, 0.0400] },
        MidgameErrorModel { mean: [-0.0860, 0.0068, 0.0130, 0.6864], log_sigma: [0.1594, -0.1450, 0.0486] },
        MidgameErrorModel { mean: [0.5684, -0.0813, -0.0216, 0.3140], log_sigma: [0.6982, -0.2582, 0.0264] },
        MidgameErrorModel { mean: [-1.4877, 0.3869, -0.0460, -0.7229], log_sigma: [0.8590, -0.1959, 0.0482] },
    ],
    end: [
        EndgameErrorModel { mean: [0.6221, -0.0493, 1.2229], log_sigma: [1.3021, -0.0267] },
        EndgameErrorModel { mean: [0.6029, -0.0509, 1.0543], log_sigma: [1.2354, -0.0307] },
        EndgameErrorModel { mean: [-0.0723, 0.0281, 0.7090], log_sigma: [1.1306, -0.0438] },
        EndgameErrorModel { mean: [0.4749, -0.0472, 1.3717], log_sigma: [1.1991, -0.0673] },
    ],
};

/// By standard rules.
pub(super) static STANDARD: ErrorModels = ErrorModels {
    deep: [
        MidgameErrorModel { mean: [-0.9324, 0.1382, 0.1391, 0.1738], log_sigma: [1.4175, -0.1445, 0.0696] },
        MidgameErrorModel { mean: [-0.7207, 0.1917, 0.0094, 0.5745], log_sigma: [1.2680, -0.1367, 0.0617] },
        MidgameErrorModel { mean: [-0.6817, 0.0957, 0.0381, 0.2612], log_sigma: [1.3359, -0.1437, 0.0593] },
        MidgameErrorModel { mean: [-0.4434, 0.0989, 0.0483, 0.8968], log_sigma: [1.3268, -0.1301, 0.0511] },
        MidgameErrorModel { mean: [-1.0090, 0.1397, 0.0990, 1.8195], log_sigma: [0.9412, -0.1402, 0.0839] },
        MidgameErrorModel { mean: [-0.0450, 0.0357, 0.0228, 2.0410], log_sigma: [1.1583, -0.1297, 0.0402] },
        MidgameErrorModel { mean: [-0.5420, 0.0559, 0.0819, 1.9651], log_sigma: [0.8194, -0.1183, 0.0830] },
        MidgameErrorModel { mean: [-0.3346, 0.0515, 0.0532, 1.7298], log_sigma: [0.8304, -0.1314, 0.0607] },
        MidgameErrorModel { mean: [-0.0993, 0.0212, 0.0090, 1.4731], log_sigma: [0.8696, -0.1349, 0.0742] },
        MidgameErrorModel { mean: [-0.2498, 0.0794, 0.0181, 1.5792], log_sigma: [0.9800, -0.1095, 0.0276] },
        MidgameErrorModel { mean: [-0.2151, 0.0170, 0.0283, 1.5972], log_sigma: [1.0063, -0.1502, 0.0226] },
        MidgameErrorModel { mean: [0.0399, -0.0746, 0.0466, 1.4663], log_sigma: [0.8563, -0.1101, 0.0194] },
        MidgameErrorModel { mean: [1.6202, -0.2039, -0.1163, 1.2954], log_sigma: [0.7549, -0.1510, 0.0332] },
    ],
    end: [
        EndgameErrorModel { mean: [0.8874, -0.0960, -0.2583], log_sigma: [2.1805, -0.1099] },
        EndgameErrorModel { mean: [0.4563, 0.0651, 0.1579], log_sigma: [1.9340, -0.0790] },
        EndgameErrorModel { mean: [0.1988, 0.0669, 0.2377], log_sigma: [2.0100, -0.0823] },
        EndgameErrorModel { mean: [1.8866, -0.2565, 1.0430], log_sigma: [1.9394, -0.0525] },
    ],
};
