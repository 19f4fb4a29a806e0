//! Moves, flips and stable discs on raw bits: portable code, and the choice between it and its SIMD twin.
//!
//! The choice is made when the program is built. At run time it would make every call from the search opaque to the
//! compiler, which costs far more than SIMD gains.

#[cfg(neon)]
mod neon;
#[cfg_attr(any(avx2, neon), allow(dead_code, reason = "the twin is in use"))]
pub(super) mod portable;
#[cfg(avx2)]
pub(super) mod simd;
mod tables;

#[cfg(neon)]
pub(super) use neon::KernelBoard;
#[cfg(not(any(avx2, neon)))]
pub(super) use portable::KernelBoard;
#[cfg(not(avx2))]
pub(super) use portable::{last_gain, stable};
#[cfg(avx2)]
pub(super) use simd::{KernelBoard, last_gain, stable};

/// The name of the kernels of this build.
pub const NAME: &str = if cfg!(avx512) {
    "avx512"
} else if cfg!(avx2) {
    "avx2"
} else if cfg!(neon) {
    "neon"
} else {
    "portable"
};
