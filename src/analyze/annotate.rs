//! Games as GGF with the values found.

use ollehto_protocol::ggf::{GgfGame, MatchType};

use crate::notation;
use crate::review::{Judgement, Review};

use super::ReviewedGame;

/// A record on a line for each game.
pub(super) fn games(reviewed: &[ReviewedGame]) -> String {
    reviewed.iter().map(|game| annotated(game).to_string() + "\n").collect()
}

/// The value of every move as the evaluation of its player, and the bad moves in the comment.
fn annotated(game: &ReviewedGame) -> GgfGame {
    let review = &game.review;
    // With implied passes written out, as the review has them.
    let mut record = notation::record(&game.input.read.game);
    let original = game.input.read.record();
    let mut times = original.moves.iter().peekable();
    for turn in &mut record.moves {
        if let Some(same) =
            times.next_if(|other| other.side == turn.side && other.text.vertex == turn.text.vertex)
        {
            turn.text.seconds = same.text.seconds;
        }
    }
    for (turn, reviewed) in record.moves.iter_mut().zip(review.moves()) {
        turn.text.eval = reviewed.as_ref().map(|reviewed| reviewed.played.score.discs());
    }
    let comment = comment(review);
    let comments = original.comment.iter().chain(comment.as_ref()).map(String::as_str).collect::<Vec<_>>();
    let comment = (!comments.is_empty()).then(|| comments.join(" | "));
    // A result by other rules, or of moves that are left out, is none of this game.
    let is_whole = game.input.read.fault.is_none() && original.kind.anti == record.kind.anti;
    GgfGame {
        moves: record.moves,
        result: original.result.filter(|_| is_whole).or(record.result),
        kind: MatchType { anti: record.kind.anti, ..original.kind },
        comment,
        ..original.into_owned()
    }
}

/// The bad moves with what was better.
fn comment(review: &Review) -> Option<String> {
    let bad = review.reviewed().filter(|(_, reviewed)| reviewed.judgement() > Judgement::Good);
    let notes: Vec<_> = bad
        .map(|(at, reviewed)| {
            let size = reviewed.position.size();
            let [played, best] = [&reviewed.played, reviewed.best_line()]
                .map(|line| notation::names(&line.moves, size).into_iter().next().unwrap_or_default());
            let exact = if reviewed.exact { " exactly" } else { "" };
            let word = reviewed.judgement().word();
            format!(
                "{}. {played}: {word}, {best} is better by {}{exact}",
                review.move_number(at),
                reviewed.loss()
            )
        })
        .collect();
    (!notes.is_empty()).then(|| notes.join(", "))
}
