//! The little numerical analysis that the statistics need.

use std::f64::consts::TAU;

/// The standard normal quantile that leaves 2.5 % above it: 95 % intervals reach so many standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate<T> {
    /// The best single value.
    pub value: T,
    /// The lower end of the interval.
    pub low: T,
    /// The upper end of the interval.
    pub high: T,
}

impl<T> Estimate<T> {
    /// The same on another scale, which must increase with the first one.
    pub fn map<U>(self, scale: impl Fn(T) -> U) -> Estimate<U> {
        Estimate { value: scale(self.value), low: scale(self.low), high: scale(self.high) }
    }
}

impl<T: Into<f64> + Copy> Estimate<T> {
    /// Half the width of the interval: what is written after `±`.
    pub fn half_width(&self) -> f64 {
        (self.high.into() - self.low.into()) / 2.0
    }

    /// Whether a value lies in the interval.
    pub fn covers(&self, truth: T) -> bool {
        (self.low.into()..=self.high.into()).contains(&truth.into())
    }
}

/// The standard normal distribution function, Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …), to some 15 decimals.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    /// Beyond it 1 − Φ(z) is below 10⁻¹⁵, and the series slow.
    const TAIL: f64 = 8.0;
    if z.abs() > TAIL {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
    }
    (0.5 + sum * (-z * z / 2.0).exp() / TAU.sqrt()).clamp(0.0, 1.0)
}

/// The quantile of Student's distribution that leaves 2.5 % above it.
///
/// Exact for one and two degrees of freedom; from three on by its expansion in powers of 1/ν around [`Z95`] (within 1 %
/// at three, within 10⁻³ from five on).
#[must_use]
pub fn student95(freedom: u64) -> f64 {
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706_204_736,
        2 => 4.302_652_730,
        _ => {
            let (z, v) = (Z95, freedom as f64);
            let square = z * z;
            let first = z * (square + 1.0) / 4.0;
            let second = z * ((5.0 * square + 16.0) * square + 3.0) / 96.0;
            let third = z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
            z + (first + (second + third / v) / v) / v
        }
    }
}

/// Where a function changes sign between two places; it is positive at the first of them and negative at the second.
///
/// The function gives its value and its slope: Newton's steps are taken from the start on as long as they get shorter
/// and stay between the places where the sign is known, halvings of that range otherwise. The ends are never evaluated.
pub fn root(mut positive: f64, mut negative: f64, start: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    /// More than it takes to halve any range down to the precision of numbers.
    const STEPS: u32 = 200;
    let (mut x, mut length) = (start, f64::INFINITY);
    for _ in 0..STEPS {
        let (value, slope) = function(x);
        *(if value > 0.0 { &mut positive } else { &mut negative }) = x;
        let newton = x - value / slope;
        let inside = positive.min(negative) < newton && newton < positive.max(negative);
        let shorter = 2.0 * (newton - x).abs() < length;
        let next = if inside && shorter { newton } else { f64::midpoint(positive, negative) };
        length = (next - x).abs();
        x = next;
        if length <= f64::EPSILON * x.abs().max(1.0) {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_agrees_with_its_table_and_its_integral() {
        for (z, probability) in
            [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (Z95, 0.975), (-3.0, 0.001_349_898_031_630)]
        {
            assert!((normal_cdf(z) - probability).abs() < 1e-14, "{z}");
        }
        let (step, mut sum) = (1e-4, 0.5);
        for n in 0..60_000 {
            let z = (f64::from(n) + 0.5) * step;
            sum += step * (-z * z / 2.0).exp() / TAU.sqrt();
            assert!((normal_cdf(z + step / 2.0) - sum).abs() < 1e-9, "{z}");
        }
        assert_eq!((normal_cdf(-40.0), normal_cdf(40.0)), (0.0, 1.0));
    }

    #[test]
    fn students_quantiles_agree_with_the_tables() {
        for (freedom, value, tolerance) in [
            (1, 12.706, 1e-3),
            (2, 4.303, 1e-3),
            (3, 3.182, 0.03),
            (4, 2.776, 0.01),
            (5, 2.571, 4e-3),
            (10, 2.228, 1e-3),
            (30, 2.042, 1e-3),
            (1_000_000, 1.960, 1e-3),
        ] {
            assert!((student95(freedom) - value).abs() < tolerance, "{freedom}: {}", student95(freedom));
        }
    }

    #[test]
    fn roots_are_found_from_either_side() {
        let square = |x: f64| (x * x - 2.0, 2.0 * x);
        let falling = |x: f64| (2.0 - x * x, -2.0 * x);
        for start in [1e-9, 1.0, 1.999] {
            assert!((root(2.0, 0.0, start, square) - 2_f64.sqrt()).abs() < 1e-15);
            assert!((root(0.0, 2.0, start, falling) - 2_f64.sqrt()).abs() < 1e-15);
        }
        // Newton's method alone runs away from here; without slopes the range is halved.
        assert!(root(40.0, -50.0, 30.0, |x| (x.atan(), 1.0 / (1.0 + x * x))).abs() < 1e-15);
        assert!((root(9.0, 0.0, 5.0, |x| (x.ln(), f64::NAN)) - 1.0).abs() < 1e-15);
    }
}
