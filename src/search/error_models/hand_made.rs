//! The error models of the selective search: how a value differs from the prediction of it, in discs.
//!
//! Made by `ollehto fit-probcut --positions 160 --depth 10 --seed 1 --weights hand-made`; fit again rather than edit.
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
        MidgameErrorModel { mean: [0.3729, -0.0568, -0.0105, 1.4948], log_sigma: [0.8932, -0.1283, 0.0987] },
        MidgameErrorModel { mean: [-0.5805, 0.0905, 0.0610, 1.5512], log_sigma: [0.8345, -0.1069, 0.0815] },
        MidgameErrorModel { mean: [-0.1590, 0.0242, 0.0074, 1.2755], log_sigma: [0.4026, -0.0921, 0.0996] },
        MidgameErrorModel { mean: [-0.3836, 0.0996, 0.0042, 1.2043], log_sigma: [0.2679, -0.1169, 0.0870] },
        MidgameErrorModel { mean: [-0.0519, 0.0114, -0.0100, 0.7486], log_sigma: [0.2311, -0.1123, 0.0893] },
        MidgameErrorModel { mean: [-0.0597, 0.0466, -0.0353, 0.3350], log_sigma: [-0.0710, -0.1321, 0.1085] },
        MidgameErrorModel { mean: [0.0052, 0.0246, -0.0175, 0.1385], log_sigma: [0.1272, -0.1545, 0.0646] },
        MidgameErrorModel {
            mean: [-0.0309, 0.0038, -0.0026, -0.0201],
            log_sigma: [-0.0464, -0.1555, 0.0821],
        },
        MidgameErrorModel { mean: [-0.0967, 0.0004, 0.0192, 0.0836], log_sigma: [0.1704, -0.1884, 0.0667] },
        MidgameErrorModel { mean: [-0.1397, -0.0041, 0.0358, 0.6293], log_sigma: [0.1844, -0.1456, 0.0619] },
        MidgameErrorModel { mean: [-0.2350, -0.0225, 0.0556, 1.0579], log_sigma: [0.0138, -0.1563, 0.0745] },
        MidgameErrorModel { mean: [0.2371, -0.0437, 0.0005, 1.1047], log_sigma: [0.2904, -0.2186, 0.0409] },
        MidgameErrorModel { mean: [-0.5050, 0.1287, -0.0096, 1.0361], log_sigma: [0.2757, -0.2471, 0.0583] },
    ],
    end: [
        EndgameErrorModel { mean: [0.1188, -0.0390, -0.9567], log_sigma: [1.9233, -0.0302] },
        EndgameErrorModel { mean: [0.1307, 0.0231, -1.5351], log_sigma: [1.8568, -0.0316] },
        EndgameErrorModel { mean: [0.1794, 0.0407, -2.2600], log_sigma: [1.7773, -0.0192] },
        EndgameErrorModel { mean: [0.0238, 0.0200, -1.3098], log_sigma: [1.7233, -0.0357] },
    ],
};

/// By standard rules.
pub(super) static STANDARD: ErrorModels = ErrorModels {
    deep: [
        MidgameErrorModel { mean: [-1.1972, 0.2435, 0.0088, 1.6821], log_sigma: [1.6817, -0.1423, 0.0961] },
        MidgameErrorModel { mean: [-0.3939, 0.1333, -0.0372, 1.9676], log_sigma: [1.8467, -0.0700, 0.0368] },
        MidgameErrorModel { mean: [-0.9903, 0.1789, 0.0433, 2.1602], log_sigma: [1.4874, -0.1285, 0.1017] },
        MidgameErrorModel { mean: [-0.5845, 0.1873, -0.0472, 2.4902], log_sigma: [1.4670, -0.1459, 0.0891] },
        MidgameErrorModel { mean: [-0.6940, 0.2431, -0.0551, 1.9865], log_sigma: [1.3329, -0.1021, 0.0781] },
        MidgameErrorModel { mean: [-0.2500, 0.1269, -0.0757, 1.5583], log_sigma: [1.0044, -0.1342, 0.1070] },
        MidgameErrorModel { mean: [-0.2079, 0.0870, -0.0255, 1.4429], log_sigma: [1.3930, -0.0716, 0.0370] },
        MidgameErrorModel { mean: [-0.7525, 0.1523, 0.0134, 1.3339], log_sigma: [0.9719, -0.0706, 0.0701] },
        MidgameErrorModel { mean: [-0.2571, 0.0945, -0.0393, 1.3917], log_sigma: [1.1535, -0.1679, 0.0617] },
        MidgameErrorModel { mean: [-0.3462, 0.0545, 0.0241, 1.6088], log_sigma: [1.8024, -0.1540, 0.0080] },
        MidgameErrorModel { mean: [0.1421, -0.0904, 0.0440, 1.2060], log_sigma: [0.8559, -0.1244, 0.0848] },
        MidgameErrorModel { mean: [0.4728, -0.1343, 0.0329, 0.6628], log_sigma: [0.7510, -0.2108, 0.0597] },
        MidgameErrorModel { mean: [-0.5096, 0.1800, -0.0370, 0.1786], log_sigma: [0.5436, -0.2400, 0.0886] },
    ],
    end: [
        EndgameErrorModel { mean: [-1.1560, 0.1082, 1.3776], log_sigma: [2.7076, -0.0986] },
        EndgameErrorModel { mean: [-0.6630, 0.0798, 1.0712], log_sigma: [2.6252, -0.0655] },
        EndgameErrorModel { mean: [-0.0073, 0.0812, 1.0951], log_sigma: [2.6554, -0.0496] },
        EndgameErrorModel { mean: [-0.2759, -0.0428, 1.1107], log_sigma: [2.6146, -0.0522] },
    ],
};
