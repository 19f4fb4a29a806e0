//! `ollehto fit-probcut` as a process: what it writes, and that it never searches a position twice.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use rustix::process::Signal;

use crate::support::tournament::{Finished, Folder, Running};

const POSITIONS: usize = 3;
const BANDS: usize = 13;
const END_BANDS: usize = 3;
const DEPTHS: usize = 30;
const END_CHECKS: usize = 13;
const SHOWN_PAIRS: usize = 5;
/// For even and for odd numbers of empty squares.
const SHOWN_CHECKS: usize = 2 * 5;
/// Of both rule sets.
const ALL: usize = 2 * BANDS * POSITIONS;

fn start(folder: &Folder, options: &str) -> Running {
    let (samples, output) = (folder.text("samples"), folder.text("models.rs"));
    let mut arguments = vec!["fit-probcut", "--samples", &samples, "--output", &output, "--force"];
    arguments.extend(options.split_ascii_whitespace());
    Running::start(&arguments)
}

/// As few positions as there can be, and a seed whose positions are solved soon.
const TINY: &str = "--positions 3 --depth 6 --seed 29 --jobs 2";

/// Fits until it is done: what was said, and the models.
#[track_caller]
fn fit(folder: &Folder, options: &str) -> (Finished, String) {
    let finished = start(folder, options).wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.stdout, "", "the models go to the file");
    (finished, fs::read_to_string(folder.file("models.rs")).expect("the models are written"))
}

/// What a fit says, the models and the samples: searched once, looked at by all tests.
static FITTED: LazyLock<(Finished, String, String)> = LazyLock::new(|| {
    let folder = Folder::new("fit");
    let (finished, models) = fit(&folder, TINY);
    (finished, models, samples(&folder))
});

/// A folder with the samples of that fit.
fn fitted(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("samples", &FITTED.2);
    folder
}

fn samples(folder: &Folder) -> String {
    fs::read_to_string(folder.file("samples")).expect("the samples are there")
}

/// The lines after the header; which comes first is a matter of chance.
fn lines(text: &str) -> BTreeSet<&str> {
    text.lines().skip(1).collect()
}

#[track_caller]
fn assert_searched(finished: &Finished, known: usize, searched: usize) {
    let expected = format!("{known} positions known, {searched} searched");
    assert!(
        finished.stderr.lines().any(|line| line == expected),
        "expected {expected}, got {}",
        finished.stderr
    );
}

#[test]
fn models_and_their_quality_are_written() {
    let (finished, models, samples) = &*FITTED;
    assert_searched(finished, 0, ALL);
    let is_row = |line: &&str| line.starts_with("reversed") || line.starts_with("standard");
    let rows = finished.stderr.lines().filter(is_row).count();
    let shown = BANDS * SHOWN_PAIRS + END_BANDS * SHOWN_CHECKS;
    assert_eq!(rows, 2 * shown, "rows for each band in\n{}", finished.stderr);
    for rules in ["reversed", "standard"] {
        let (name, options) = (rules.to_uppercase(), "--positions 3 --depth 6 --seed 29");
        let models_of = format!("static {name}: ErrorModels = ErrorModels {{\n");
        let made_by = format!("    made_by: \"ollehto fit-probcut --rules {rules} {options}\",\n");
        assert!(models.contains(&(models_of + &made_by)), "{models}");
    }
    for (start, count) in
        [("        // ", BANDS + END_BANDS), ("            [[", BANDS * DEPTHS + END_BANDS * END_CHECKS)]
    {
        let rows = models.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!(rows, 2 * count, "{start} in\n{models}");
    }
    assert!(!models.contains("NaN") && !models.contains("inf"), "{models}");
    assert_eq!(lines(samples).len(), ALL);
    let solved = lines(samples)
        .into_iter()
        .filter(|line| line.split(' ').rev().nth(1).is_none_or(|value| value != "-"))
        .count();
    assert_eq!(solved, 2 * END_BANDS * POSITIONS);
}

#[test]
fn what_is_in_the_file_is_not_searched_again() {
    let folder = fitted("fit-again");
    let (_, models, whole) = &*FITTED;
    let (again, same) = fit(&folder, TINY);
    assert_searched(&again, ALL, 0);
    assert_eq!((&samples(&folder), &same), (whole, models));
    // As if it had been killed while it wrote its last but tenth line.
    let kept: Vec<_> = whole.lines().take(1 + ALL - 10).collect();
    let torn = format!("{}\n{}", kept.join("\n"), &whole.lines().last().expect("there are lines")[..40]);
    fs::write(folder.file("samples"), torn).expect("the samples can be cut");
    let (resumed, same) = fit(&folder, TINY);
    assert_searched(&resumed, ALL - 10, 10);
    assert_eq!(lines(&samples(&folder)), lines(whole));
    assert_eq!(same, *models);
    // More positions are added to those there are.
    let (more, _) = fit(&folder, &TINY.replace("--positions 3", "--positions 4"));
    assert_searched(&more, ALL, 2 * BANDS);
    assert!(lines(&samples(&folder)).is_superset(&lines(whole)));
}

#[test]
fn the_models_of_the_other_rules_are_kept() {
    let folder = Folder::new("fit-one");
    let (finished, models) = fit(&folder, &format!("{TINY} --rules reversed"));
    assert_searched(&finished, 0, ALL / 2);
    let standard = |models: &str| models.split_once("\n/// By standard").map(|(_, rest)| rest.to_owned());
    let shipped = include_str!("../../src/search/error_models/learned.rs");
    assert_eq!(standard(&models), standard(shipped));
    let reversed = |models: &str| models.split("\n/// By").nth(1).map(str::to_owned);
    assert_eq!(reversed(&models), reversed(&FITTED.1), "as if both had been fitted");
}

#[test]
fn an_interrupt_loses_nothing() {
    let folder = Folder::new("fit-interrupt");
    let count = || fs::read_to_string(folder.file("samples")).map_or(0, |text| text.matches('\n').count());
    let mut running = start(&folder, TINY);
    assert!(running.until(|| count() > 5), "it searches");
    // On a stalled machine the interrupt may come too late to interrupt anything: the rest holds all the same.
    running.signal(Signal::INT);
    running.wait();
    let before = samples(&folder);
    let whole = &before[..=before.rfind('\n').expect("there are whole lines")];
    let (resumed, _) = fit(&folder, TINY);
    let known = lines(whole).len();
    let after = samples(&folder);
    assert_searched(&resumed, known, lines(&after).len() - known);
    assert!(after.starts_with(whole));
    assert_eq!(after.lines().count(), 1 + lines(&after).len(), "no position twice");
}

#[test]
fn samples_of_other_settings_are_refused() {
    let folder = fitted("fit-other");
    let before = samples(&folder);
    for other in [TINY.replace("--depth 6", "--depth 7"), TINY.replace("--seed 29", "--seed 6")] {
        let finished = start(&folder, &other).wait();
        assert_eq!(finished.code, Some(1), "{finished:#?}");
        assert!(finished.stderr.contains("other settings (depth 6, seed 29"), "{}", finished.stderr);
        assert_eq!(samples(&folder), before);
    }
}
