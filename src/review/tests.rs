//! Reviews against plain minimax.

use super::*;
use crate::board::{Size, Square};
use crate::game::Game;
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Control, Limits, Searcher};
use crate::time_source::TimeSource;

/// Random moves, up to this many empty squares.
fn random_game(rules: Rules, size: Size, empties: u32, seed: u64) -> Game {
    let mut random = Random::keyed(seed, 0);
    let mut game = Game::new(rules, size);
    while !game.position().is_over() && game.position().empties().len() > empties {
        let moves: Vec<_> = game.position().moves().into_iter().map(Move::Place).collect();
        let action = random.pick(&moves).copied().unwrap_or(Move::Pass);
        game.follow(action).expect("legal");
    }
    game
}

fn minimax(position: &Position, rules: Rules) -> Score {
    if position.is_over() {
        return rules.result(position.board(), position.size()).into();
    }
    let squares = position.moves();
    let actions: Vec<_> = squares.into_iter().map(Move::Place).collect();
    let actions = if actions.is_empty() { vec![Move::Pass] } else { actions };
    let next = actions.into_iter().filter_map(|action| position.play(action));
    next.map(|next| -minimax(&next, rules)).max().expect("there is a move")
}

fn analyzer(limits: Limits) -> Analyzer {
    Analyzer::new(Searcher::new(1, 1), limits, TimeSource::default())
}

fn reviewed(game: &Game, limits: Limits, lines: usize) -> Review {
    let mut review = Review::new(game, lines);
    analyzer(limits).complete(&mut review, &mut |_, _| {});
    assert!(review.is_complete());
    review
}

const EXACT: Limits =
    Limits { depth: Some(60), nodes: None, level: None, elo: None, time: None, clock: None };

#[test]
fn exact_losses_are_those_of_minimax() {
    for (rules, size, least) in [
        (Rules::Reversed, Size::Four, 8),
        (Rules::Standard, Size::Four, 8),
        (Rules::Reversed, Size::Eight, 7),
    ] {
        for seed in 0..12 {
            let game = random_game(rules, size, 0, seed);
            let limits =
                if size == Size::Four { EXACT } else { Limits { level: Some(4), ..Limits::default() } };
            let review = reviewed(&game, limits, 1 + (seed % 3) as usize);
            assert_eq!(review.moves().len(), game.moves().len());
            for (at, reviewed) in review.reviewed().filter(|(_, each)| each.position.empties().len() <= least)
            {
                let next = &review.positions()[at + 1];
                assert!(reviewed.exact);
                assert_eq!(
                    reviewed.best_line().score,
                    minimax(&reviewed.position, rules),
                    "move {at} of {seed}"
                );
                assert_eq!(reviewed.played.score, -minimax(next, rules), "move {at} of {seed}");
            }
        }
    }
}

#[test]
fn a_played_move_never_looks_better_than_the_best() {
    let limits = Limits { level: Some(5), ..Limits::default() };
    for (rules, seed) in Rules::ALL.into_iter().cycle().zip(0..6) {
        let review = reviewed(&random_game(rules, Size::Eight, 0, seed), limits, 1 + (seed % 2) as usize);
        for (at, reviewed) in review.reviewed() {
            assert!(reviewed.played.score <= reviewed.best_line().score, "move {at}");
            assert_eq!(reviewed.loss().is_none(), reviewed.best_line() == &reviewed.played, "move {at}");
            assert_eq!(reviewed.action(), review.actions()[at]);
            let lines = reviewed.best.iter().chain([&reviewed.played]);
            for line in lines {
                let end =
                    line.moves.iter().try_fold(reviewed.position, |position, &action| position.play(action));
                assert!(end.is_some(), "an illegal line at move {at}");
            }
            if !reviewed.had_choice() {
                let (next, exact) = review.value(at + 1).expect("complete");
                assert_eq!((reviewed.played.score, reviewed.exact), (-next.score, exact));
            }
        }
    }
}

/// Estimates of the last move but one of a game, which is solved behind it.
#[test]
fn what_is_proven_replaces_the_estimate_of_a_best_move_only() {
    let game = random_game(Rules::Reversed, Size::Eight, 12, 3);
    let mut whole = Review::new(&game, 2);
    let mut analyzer = analyzer(EXACT);
    let control = Control::new(&analyzer.budget(&whole.next_task().expect("the last position")));
    assert!(analyzer.search_next(&whole, &control, &mut |_| {}).is_some_and(|found| whole.record(&found)));
    let at = whole.actions().len() - 1;
    let (next, exact) = whole.value(at + 1).expect("complete");
    assert!(exact && whole.positions()[at].moves().len() > 1);
    let proven = -next.score;
    let action = whole.actions()[at];
    let other = whole.positions()[at].moves().into_iter().map(Move::Place).find(|&other| other != action);
    let reviewed_as = |played: i16, best: i16| {
        let mut review = Review::new(&game, 1);
        assert!(review.restore_last(whole.last().expect("complete").clone()));
        let line = |action, units| Line { score: proven.plus(units), moves: vec![action] };
        let mut lines = vec![line(action, played), line(other.expect("a choice"), best)];
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let found = Iteration { depth: 9, selectivity: Selectivity::P73, exact: false, lines, nodes: 1 };
        assert!(review.record(&found));
        let reviewed = review.moves()[at].clone().expect("recorded");
        (reviewed.played.score.units() - proven.units(), reviewed.loss())
    };
    let none = Loss::default();
    assert_eq!(reviewed_as(40, -10), (0, none), "the best move is worth what follows it");
    assert_eq!(reviewed_as(-40, -10), (0, none), "it is proven to be better than the estimate of another");
    assert_eq!(reviewed_as(-40, 24), (-40, Loss::from_discs(2)), "estimates are compared with estimates");
}

#[test]
fn an_unfinished_game_ends_with_the_value_of_its_last_position() {
    let game = random_game(Rules::Reversed, Size::Eight, 9, 4);
    let review = reviewed(&game, Limits { level: Some(5), ..Limits::default() }, 2);
    let last = review.last().expect("complete");
    assert!(last.exact && last.lines.len() == 2);
    let (line, exact) = review.value(review.actions().len()).expect("complete");
    assert!(exact);
    assert_eq!(line.score, minimax(game.position(), Rules::Reversed));
    assert_eq!(review.curve(Color::Black).len(), review.moves().len() + 1);
}

#[test]
fn foreign_results_are_refused() {
    let mut review = Review::new(&random_game(Rules::Reversed, Size::Four, 4, 1), 1);
    let other = Line { score: Score::default(), moves: vec![Move::Place(Square::A1)] };
    let iteration =
        |lines| Iteration { depth: 1, selectivity: Selectivity::Off, exact: true, lines, nodes: 1 };
    for lines in [vec![other], Vec::new()] {
        assert!(!review.record(&iteration(lines)));
        assert_eq!(review.next_index(), Some(review.actions().len()));
    }
}

#[test]
fn a_restored_review_goes_on_where_it_was() {
    let game = random_game(Rules::Standard, Size::Four, 2, 3);
    let whole = reviewed(&game, EXACT, 2);
    for kept in 0..whole.moves().len() {
        let mut resumed = Review::new(&game, 2);
        assert!(resumed.restore_last(whole.last().expect("complete").clone()));
        for (at, reviewed) in whole.reviewed().skip(kept) {
            assert!(resumed.restore(at, reviewed.clone()));
        }
        analyzer(EXACT).complete(&mut resumed, &mut |_, _| {});
        let values = |review: &Review| -> Vec<_> {
            review
                .reviewed()
                .map(|(_, each)| (each.played.score, each.best_line().score, each.exact))
                .collect()
        };
        assert_eq!(values(&resumed), values(&whole));
    }
}

#[test]
fn summaries_count_what_had_a_choice() {
    let game = random_game(Rules::Reversed, Size::Six, 0, 8);
    let review = reviewed(&game, Limits { level: Some(4), ..Limits::default() }, 1);
    for color in [Color::Black, Color::White] {
        let summary = PlayerSummary::of(&review, color);
        let own = || review.reviewed().filter(|(_, each)| each.mover() == color && each.had_choice());
        let stages = Stage::ALL.map(|stage| *summary.stage(stage));
        assert_eq!(summary.whole_game.moves, own().count());
        assert_eq!(stages.iter().map(|stage| stage.moves).sum::<usize>(), own().count());
        assert_eq!(summary.whole_game.total_loss, own().map(|(_, each)| each.loss()).sum());
        for judgement in Judgement::ALL {
            let count = own().filter(|(_, each)| each.judgement() == judgement).count();
            assert_eq!(summary.whole_game.count(judgement), count);
        }
        let greatest = own().map(|(_, each)| each.loss()).max();
        assert_eq!(
            summary.worst.and_then(|at| review.moves()[at].as_ref()).map(ReviewedMove::loss),
            greatest
        );
    }
}
