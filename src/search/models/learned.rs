//! The error models of the selective search: how a value differs from the prediction of it, in discs.
//!
//! Made by `ollehto fit-probcut --positions 160 --depth 10 --seed 1`; fit again rather than edit.
//!
//! One line for each band of 4 empty squares, from 9 to 12 on. Spreads are logarithms of standard deviations.
//!
//! Where a shallow search of depth s predicts a deep one of depth d, up to 57 to 60 empty squares, the terms of
//! a mean are 1, s, d and (d & 1) - (s & 1); those of a spread are 1, s and d.
//!
//! Where it predicts the result of the game at e empty squares, up to 21 to 24, the terms of a mean are 1, s and
//! (e & 1) - (s & 1); those of a spread are 1 and s.

#![allow(clippy::approx_constant, reason = "a fitted number near a constant is not that constant")]

use crate::search::probcut::{EndModel, Model, Models};

/// By reversed rules.
pub(in crate::search) static REVERSED: Models = Models {
    deep: [
        Model { mean: [-0.1685, 0.0072, 0.0563, 0.8122], spread: [0.6373, -0.0860, 0.0775] },
        Model { mean: [-0.4487, 0.0535, 0.0830, 0.7746], spread: [0.6663, -0.0988, 0.0540] },
        Model { mean: [-0.4365, 0.0706, 0.0325, 0.9718], spread: [0.6731, -0.1123, 0.0407] },
        Model { mean: [-0.2431, 0.0527, 0.0142, 1.0577], spread: [0.4122, -0.1262, 0.0649] },
        Model { mean: [-0.2629, 0.0403, 0.0282, 1.0730], spread: [0.1962, -0.1466, 0.0865] },
        Model { mean: [-0.2289, 0.0560, 0.0053, 0.8833], spread: [0.3243, -0.1433, 0.0569] },
        Model { mean: [-0.1181, 0.0098, 0.0233, 0.7838], spread: [0.0900, -0.1298, 0.0692] },
        Model { mean: [-0.1327, 0.0104, 0.0235, 0.7720], spread: [0.1445, -0.1515, 0.0544] },
        Model { mean: [-0.0311, 0.0056, 0.0113, 0.8605], spread: [0.2869, -0.1784, 0.0475] },
        Model { mean: [-0.1310, 0.0116, 0.0310, 0.7882], spread: [0.3366, -0.1702, 0.0400] },
        Model { mean: [-0.0860, 0.0068, 0.0130, 0.6864], spread: [0.1594, -0.1450, 0.0486] },
        Model { mean: [0.5684, -0.0813, -0.0216, 0.3140], spread: [0.6982, -0.2582, 0.0264] },
        Model { mean: [-1.4877, 0.3869, -0.0460, -0.7229], spread: [0.8590, -0.1959, 0.0482] },
    ],
    end: [
        EndModel { mean: [0.6221, -0.0493, 1.2229], spread: [1.3021, -0.0267] },
        EndModel { mean: [0.6029, -0.0509, 1.0543], spread: [1.2354, -0.0307] },
        EndModel { mean: [-0.0723, 0.0281, 0.7090], spread: [1.1306, -0.0438] },
        EndModel { mean: [0.4749, -0.0472, 1.3717], spread: [1.1991, -0.0673] },
    ],
};

/// By standard rules.
pub(in crate::search) static STANDARD: Models = Models {
    deep: [
        Model { mean: [-1.1723, 0.1101, 0.1939, 0.2251], spread: [1.2375, -0.1292, 0.0834] },
        Model { mean: [-1.1609, 0.1501, 0.1145, 1.2111], spread: [1.1615, -0.1286, 0.0766] },
        Model { mean: [-1.2884, 0.2088, 0.1206, 1.8889], spread: [1.1607, -0.1044, 0.0663] },
        Model { mean: [-0.8202, 0.1367, 0.0720, 2.1627], spread: [1.1663, -0.1410, 0.0613] },
        Model { mean: [-0.7026, 0.1387, 0.0376, 1.9436], spread: [0.9531, -0.1082, 0.0535] },
        Model { mean: [-0.3349, 0.0962, 0.0164, 1.9790], spread: [1.2826, -0.1653, 0.0342] },
        Model { mean: [-0.3419, 0.0383, 0.0489, 1.9908], spread: [0.9431, -0.1357, 0.0714] },
        Model { mean: [-0.3745, 0.0382, 0.0704, 1.7432], spread: [0.8241, -0.1374, 0.0695] },
        Model { mean: [-0.0613, 0.0172, 0.0069, 1.5234], spread: [0.8945, -0.1384, 0.0721] },
        Model { mean: [-0.1905, 0.0703, 0.0139, 1.6042], spread: [1.0094, -0.1197, 0.0282] },
        Model { mean: [-0.2151, 0.0170, 0.0283, 1.5972], spread: [1.0063, -0.1502, 0.0226] },
        Model { mean: [0.0399, -0.0746, 0.0466, 1.4663], spread: [0.8563, -0.1101, 0.0194] },
        Model { mean: [1.6202, -0.2039, -0.1163, 1.2954], spread: [0.7549, -0.1510, 0.0332] },
    ],
    end: [
        EndModel { mean: [0.9061, -0.1266, 0.6330], spread: [1.9990, -0.1090] },
        EndModel { mean: [0.4795, 0.0195, 1.0994], spread: [1.9576, -0.0845] },
        EndModel { mean: [0.7462, -0.0326, 2.2648], spread: [1.9891, -0.0889] },
        EndModel { mean: [0.7137, -0.0936, 2.0390], spread: [1.6665, -0.0352] },
    ],
};
