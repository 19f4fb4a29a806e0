//! Tables of errors. Those of the midgame are measured, extrapolated to greater depths, or borrowed from another band;
//! those of the endgame are measured, or borrowed from a shallower check.

use std::collections::BTreeMap;

use super::fit::{self, ErrorModel, PredictionError};
use super::predictors::{
    Constant, ConstantModel, DEPTHS, DepthErrorModel, DepthPair, END_CHECKS, EndgameErrors, MidgameErrors,
    PREDICTIONS, StaticErrorModel, StaticTo, ToEnd, predictions,
};

/// Of predictions with `enough` errors.
fn measure<C: Copy + Ord>(errors: &[PredictionError<C>], enough: usize) -> BTreeMap<C, ConstantModel> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for &PredictionError { predictors, discs } in errors {
        groups.entry(predictors).or_default().push(PredictionError { predictors: Constant, discs });
    }
    let known = groups.into_iter().filter(|(_, errors)| errors.len() >= enough);
    known.filter_map(|(predictors, errors)| Some((predictors, fit::fit(&errors)?))).collect()
}

/// What is known of a band from its own positions.
#[derive(Clone, Debug)]
pub(super) struct MeasuredBand {
    pairs: BTreeMap<DepthPair, ConstantModel>,
    beyond: Option<Extrapolation>,
}

impl MeasuredBand {
    /// Of pairs with `enough` errors; `depth` is the deepest search.
    pub(super) fn new(errors: &[PredictionError<DepthPair>], enough: usize, depth: u8) -> Self {
        let pairs = measure(errors, enough);
        let beyond = Extrapolation::new(errors, &pairs, depth);
        Self { pairs, beyond }
    }

    pub(super) fn is_measured(&self, pair: DepthPair) -> bool {
        self.pairs.contains_key(&pair)
    }

    fn model(&self, pair: DepthPair) -> Option<ConstantModel> {
        let extrapolated = || self.beyond.and_then(|beyond| beyond.model(pair));
        self.pairs.get(&pair).copied().or_else(extrapolated)
    }
}

/// The errors of searches deeper than the deepest one.
#[derive(Clone, Copy, Debug)]
struct Extrapolation {
    depth: u8,
    searches: DepthErrorModel,
    /// Its mean is not used.
    of_static: StaticErrorModel,
    /// For even and for odd depths: those of the two deepest searches.
    static_means: [f64; 2],
}

impl Extrapolation {
    /// The errors of shallower searches grow in other ways.
    const LEAST_DEEP: u8 = 5;

    /// None if the deepest searches are not measured: they are what is gone on from.
    fn new(
        errors: &[PredictionError<DepthPair>],
        measured: &BTreeMap<DepthPair, ConstantModel>,
        depth: u8,
    ) -> Option<Self> {
        let static_mean = |deep| measured.get(&DepthPair { shallow: 0, deep }).map(|model| model.mean[0]);
        let mut static_means = [static_mean(depth)?, static_mean(depth - 1)?];
        static_means.rotate_left(usize::from(depth & 1));
        let errors = errors.iter().copied().filter(|error| error.predictors.deep >= Self::LEAST_DEEP);
        let (of_static, searches): (Vec<_>, Vec<PredictionError<_>>) =
            errors.partition(|error| error.predictors.shallow == 0);
        let of_static: Vec<_> = of_static
            .into_iter()
            .map(|PredictionError { predictors: DepthPair { deep, .. }, discs }| PredictionError {
                predictors: StaticTo { deep },
                discs,
            })
            .collect();
        Some(Self { depth, searches: fit::fit(&searches)?, of_static: fit::fit(&of_static)?, static_means })
    }

    fn model(&self, pair: DepthPair) -> Option<ConstantModel> {
        let DepthPair { shallow, deep } = pair;
        if deep <= self.depth {
            return None;
        }
        let (mean, sigma) = match shallow {
            0 => (self.static_means[usize::from(deep & 1)], self.of_static.sigma(StaticTo { deep })),
            _ => (self.searches.mean(pair), self.searches.sigma(pair)),
        };
        Some(ErrorModel { mean: [mean], log_sigma: [sigma.ln()] })
    }
}

/// The error of a prediction in a band, from the nearest band that knows it; none if no band does.
pub(super) fn model(bands: &[MeasuredBand], band: usize, pair: DepthPair) -> Option<ConstantModel> {
    let mut nearest: Vec<_> = bands.iter().enumerate().collect();
    nearest.sort_by_key(|(other, _)| other.abs_diff(band));
    nearest.into_iter().find_map(|(_, other)| other.model(pair))
}

/// The table of a band; none if some error is known of no band.
pub(super) fn midgame_errors(bands: &[MeasuredBand], band: usize) -> Option<MidgameErrors> {
    let mut table = [[[0; 2]; PREDICTIONS]; DEPTHS];
    for (deep, errors) in (1..).zip(&mut table) {
        for (shallow, error) in predictions(deep).into_iter().zip(errors) {
            let model = model(bands, band, DepthPair { shallow, deep })?;
            *error = hundredths(&model);
        }
    }
    Some(table)
}

/// What is known of predicting the result in a band.
#[derive(Clone, Debug)]
pub(super) struct MeasuredEnd {
    checks: BTreeMap<ToEnd, ConstantModel>,
}

impl MeasuredEnd {
    /// Of checks with `enough` errors.
    pub(super) fn new(errors: &[PredictionError<ToEnd>], enough: usize) -> Self {
        Self { checks: measure(errors, enough) }
    }

    pub(super) fn is_measured(&self, check: ToEnd) -> bool {
        self.checks.contains_key(&check)
    }

    /// Of the deepest check up to this one that is measured.
    pub(super) fn model(&self, check: ToEnd) -> Option<ConstantModel> {
        let up_to_it = self.checks.range(ToEnd { shallow: 0, ..check }..=check);
        up_to_it.last().map(|(_, &model)| model)
    }

    /// None if not even the static value is measured for each parity.
    pub(super) fn errors(&self) -> Option<EndgameErrors> {
        let mut table = [[[0; 2]; 2]; END_CHECKS];
        for (shallow, errors) in (0..).zip(&mut table) {
            for (parity, error) in (0..).zip(errors) {
                *error = hundredths(&self.model(ToEnd { parity, shallow })?);
            }
        }
        Some(table)
    }
}

/// Mean and sigma as in a table.
fn hundredths(model: &ConstantModel) -> [i16; 2] {
    // Saturates.
    [model.mean(Constant), model.sigma(Constant)].map(|discs| (100.0 * discs).round() as i16)
}

#[cfg(test)]
mod tests {
    use super::super::predictors::is_of_use;
    use super::*;

    /// The deepest search.
    const DEPTH: u8 = 10;
    const ENOUGH: usize = 6;

    const SEARCHES: DepthErrorModel =
        ErrorModel { mean: [0.1, 0.02, -0.03, 0.4], log_sigma: [0.5, -0.1, 0.05, 0.2] };

    /// Even depths have another mean than odd ones.
    const STATIC: StaticErrorModel = ErrorModel { mean: [0.2, 1.0], log_sigma: [0.3, 0.2] };

    fn truth(pair: DepthPair) -> [f64; 2] {
        let DepthPair { shallow, deep } = pair;
        match shallow {
            0 => [STATIC.mean(StaticTo { deep }), STATIC.sigma(StaticTo { deep })],
            _ => [SEARCHES.mean(pair), SEARCHES.sigma(pair)],
        }
    }

    /// Errors with exactly the true mean, moved by `shift`, and the true sigma, for pairs up to `depth`.
    fn errors(depth: u8, shift: f64, each: usize) -> Vec<PredictionError<DepthPair>> {
        let pairs = (1..=depth).flat_map(|deep| (0..deep).map(move |shallow| DepthPair { shallow, deep }));
        let errors = |predictors| {
            let [mean, sigma] = truth(predictors);
            let side = [-sigma, sigma].into_iter().cycle().take(each);
            side.map(move |side| PredictionError { predictors, discs: mean + shift + side })
        };
        pairs.filter(|&pair| is_of_use(pair)).flat_map(errors).collect()
    }

    fn band(depth: u8, shift: f64, each: usize) -> MeasuredBand {
        MeasuredBand::new(&errors(depth, shift, each), ENOUGH, DEPTH)
    }

    #[track_caller]
    fn assert_errors(table: &MidgameErrors, depths: impl Iterator<Item = u8>, shift: f64) {
        for deep in depths {
            for (n, shallow) in predictions(deep).into_iter().enumerate() {
                let [mean, sigma] = truth(DepthPair { shallow, deep });
                let expected = [mean + shift, sigma].map(|discs| discs * 100.0);
                let found = table[usize::from(deep) - 1][n].map(f64::from);
                let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 0.6);
                assert!(near, "{shallow} for {deep}: {found:?} for {expected:?}");
            }
        }
    }

    #[test]
    fn what_is_measured_is_taken_and_the_rest_extrapolated() {
        let table = midgame_errors(&[band(DEPTH, 0.0, ENOUGH)], 0).expect("all depths are known");
        assert_errors(&table, 1..=DEPTHS as u8, 0.0);
        for deep in [1, 2] {
            assert_eq!(table[deep - 1], [table[deep - 1][0]; PREDICTIONS], "static values only");
        }
    }

    #[test]
    fn what_a_band_lacks_comes_from_the_nearest_that_has_it() {
        let (few, shallow) = (band(DEPTH, 3.0, ENOUGH - 1), band(6, 2.0, ENOUGH));
        let bands = [few, shallow, band(DEPTH, 0.0, ENOUGH), band(DEPTH, 1.0, ENOUGH)];
        let table = |band| midgame_errors(&bands, band).expect("all depths are known");
        for band in [0, 1] {
            assert_errors(&table(band), 1..=6, 2.0);
            assert_errors(&table(band), 7..=DEPTHS as u8, 0.0);
        }
        assert_errors(&table(2), 1..=DEPTHS as u8, 0.0);
        assert_errors(&table(3), 1..=DEPTHS as u8, 1.0);
    }

    #[test]
    fn a_depth_that_no_band_knows_is_noticed() {
        assert_eq!(midgame_errors(&[], 0), None);
        assert_eq!(midgame_errors(&[band(DEPTH, 0.0, ENOUGH - 1), band(6, 0.0, ENOUGH)], 0), None);
    }

    /// Hundredths, other ones for each check.
    fn end_truth(ToEnd { parity, shallow }: ToEnd) -> [i16; 2] {
        let (parity, shallow) = (i16::from(parity), i16::from(shallow));
        [100 * parity - 7 * shallow, 400 - 11 * shallow + 30 * parity]
    }

    /// Errors with exactly the true mean and sigma.
    fn end_errors(check: ToEnd, each: usize) -> impl Iterator<Item = PredictionError<ToEnd>> {
        let [mean, sigma] = end_truth(check).map(|hundredths| f64::from(hundredths) / 100.0);
        let side = [-sigma, sigma].into_iter().cycle().take(each);
        side.map(move |side| PredictionError { predictors: check, discs: mean + side })
    }

    fn checks() -> impl Iterator<Item = ToEnd> {
        (0..2).flat_map(|parity| (0..END_CHECKS as u8).map(move |shallow| ToEnd { parity, shallow }))
    }

    fn found(table: &EndgameErrors, ToEnd { parity, shallow }: ToEnd) -> [i16; 2] {
        table[usize::from(shallow)][usize::from(parity)]
    }

    #[test]
    fn every_check_of_the_end_has_its_own_error() {
        let errors: Vec<_> = checks().flat_map(|check| end_errors(check, ENOUGH)).collect();
        let measured = MeasuredEnd::new(&errors, ENOUGH);
        let table = measured.errors().expect("all checks are known");
        for check in checks() {
            assert!(measured.is_measured(check), "{check:?}");
            assert_eq!(found(&table, check), end_truth(check), "{check:?}");
        }
    }

    #[test]
    fn a_check_with_too_few_errors_has_those_of_a_shallower_one() {
        // One of even numbers of empty squares in between, and the last ones of odd numbers.
        let is_known = |check: ToEnd| match check.parity {
            0 => check.shallow != 5,
            _ => check.shallow <= 9,
        };
        let each = |check| if is_known(check) { ENOUGH } else { ENOUGH - 1 };
        let errors: Vec<_> = checks().flat_map(|check| end_errors(check, each(check))).collect();
        let measured = MeasuredEnd::new(&errors, ENOUGH);
        let table = measured.errors().expect("shallower checks are known");
        for check in checks() {
            assert_eq!(measured.is_measured(check), is_known(check), "{check:?}");
            let from = match check {
                ToEnd { parity: 0, shallow: 5 } => ToEnd { shallow: 4, ..check },
                ToEnd { parity: 1, shallow: 10.. } => ToEnd { shallow: 9, ..check },
                _ => check,
            };
            assert_eq!(found(&table, check), end_truth(from), "{check:?}");
        }
    }

    #[test]
    fn a_parity_without_errors_is_noticed() {
        for parity in 0..2 {
            let one_parity = checks().filter(|check| check.parity == parity);
            let errors: Vec<_> = one_parity.flat_map(|check| end_errors(check, ENOUGH)).collect();
            assert_eq!(MeasuredEnd::new(&errors, ENOUGH).errors(), None);
        }
        // Nothing is taken from a deeper check.
        let without_static = checks().filter(|check| check.shallow > 0);
        let errors: Vec<_> = without_static.flat_map(|check| end_errors(check, ENOUGH)).collect();
        assert_eq!(MeasuredEnd::new(&errors, ENOUGH).errors(), None);
    }
}
