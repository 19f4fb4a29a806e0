//! The loss on small sets, against values worked out another way.

use std::path::PathBuf;
use std::{env, fs, process};

use super::file::true_value;
use super::*;
use crate::search::Searcher;

fn options(name: &str, rules: Rules) -> LossSetOptions {
    let out: PathBuf = env::temp_dir().join(format!("ollehto-loss-{name}-{}", process::id()));
    // A file of an earlier process with the same number is of no use.
    let _ = fs::remove_file(&out);
    LossSetOptions { rules, positions: 6, empties: 8, depth: 2, seed: 3, jobs: 2, out }
}

fn make_set(name: &str, rules: Rules) -> LossSet {
    let options = options(name, rules);
    assert_eq!(make(&options).expect("it can be made"), 6);
    let set = LossSet::load(&options.out).expect("it can be read");
    fs::remove_file(&options.out).expect("it was ours");
    set
}

#[test]
fn every_value_is_that_of_the_solver() {
    for rules in [Rules::Reversed, Rules::Standard] {
        let set = make_set(&format!("solver-{rules}"), rules);
        let mut searcher = Searcher::new(1, 1);
        for root in set.roots() {
            let mut seen = 0;
            visit(root.board, set.depth(), &mut root.values.iter(), &mut |board, value| {
                assert_eq!(value, true_value(board, rules, &mut searcher));
                seen += 1;
            });
            assert!(seen > 3);
        }
    }
}

#[test]
fn the_truth_loses_nothing_in_any_unit() {
    let set = make_set("truth", Rules::Reversed);
    let truth = |board| {
        let mut searcher = Searcher::new(1, 1);
        f64::from(true_value(board, Rules::Reversed, &mut searcher))
    };
    let scale = set.scale(&|board| 5.0 * truth(board) - 7.0);
    assert!((scale.slope - 0.2).abs() < 1e-9 && (scale.offset - 1.4).abs() < 1e-9, "{scale:?}");
    for loss in set.losses(1, &|board| 5.0 * truth(board)) {
        assert!(loss.loss.value < 1e-9 && loss.cost.value.abs() < 1e-9, "{loss:?}");
    }
}

#[test]
fn constant_and_inverted_evaluations_lose_the_standard_deviation() {
    let set = make_set("nothing", Rules::Standard);
    let contrary = |board| -f64::from(true_value(board, Rules::Standard, &mut Searcher::new(1, 1)));
    assert_eq!(set.scale(&contrary).slope, 0.0);
    assert!((set.loss(0, &contrary) - set.sigma()).abs() < 1e-9);
    assert!(set.sigma() > 1.0);
}

/// The estimate by its definition.
fn estimate(board: Board, plies: usize, rules: Rules, evaluate: &dyn Fn(Board) -> f64) -> f64 {
    let next = children(board);
    if next.is_empty() {
        return rules.result(board, Size::Eight).0.into();
    }
    if plies == 0 {
        return evaluate(board);
    }
    next.into_iter()
        .map(|child| -estimate(child, plies - 1, rules, evaluate))
        .fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn losses_are_those_of_the_definition() {
    let set = make_set("definition", Rules::Reversed);
    let mobility = |board: Board| f64::from(board.moves(Size::Eight.squares()).len());
    let scale = set.scale(&mobility);
    let in_discs = |board| scale.discs(mobility(board));
    for loss in set.losses(3, &mobility) {
        let mut by_root = Vec::new();
        for root in set.roots() {
            let mut squares = Vec::new();
            visit(root.board, set.depth(), &mut root.values.iter(), &mut |board, value| {
                squares.push(
                    (estimate(board, loss.plies, Rules::Reversed, &in_discs) - f64::from(value)).powi(2),
                );
            });
            by_root.push(squares.iter().sum::<f64>() / squares.len() as f64);
        }
        let mean = by_root.iter().sum::<f64>() / by_root.len() as f64;
        assert!((loss.loss.value - mean.sqrt()).abs() < 1e-9, "{} plies", loss.plies);
        assert!(loss.cost.value >= 0.0);
    }
}

#[test]
fn a_file_grows_and_is_checked() {
    let options = options("grows", Rules::Reversed);
    let fewer = LossSetOptions { positions: 4, jobs: 1, ..options.clone() };
    assert_eq!(make(&fewer).expect("it can be made"), 4);
    let first = LossSet::load(&options.out).expect("it can be read");
    assert_eq!(make(&options).expect("it can be added to"), 2);
    let second = LossSet::load(&options.out).expect("it can be read");
    assert_eq!(first.roots()[..], second.roots()[..4]);
    let other = make(&LossSetOptions { depth: 1, ..options.clone() }).expect_err("another depth").to_string();
    assert!(other.contains("other settings (reversed rules, 8 empties, depth 2, seed 3"), "{other}");
    let text = fs::read_to_string(&options.out).expect("it is there");
    fs::write(&options.out, text.replacen(',', ",-", 1)).expect("it can be written");
    // The first comma stands in the header, which is another set then.
    assert!(matches!(LossSet::load(&options.out), Err(LossFileError::Line(_, 1, _))));
    let values = text.lines().nth(2).and_then(|line| line.split(' ').nth(3)).expect("a line of values");
    fs::write(&options.out, text.replacen(values, &values.replacen(',', ",1", 1), 1)).expect("written");
    let error = LossSet::load(&options.out).expect_err("a wrong value").to_string();
    assert!(error.contains("line 3: the checksum is wrong"), "{error}");
    fs::write(&options.out, &text[..text.len() - 5]).expect("it can be written");
    assert_eq!(LossSet::load(&options.out).expect("all but the last").roots().len(), 5);
    fs::remove_file(&options.out).expect("it was ours");
}
