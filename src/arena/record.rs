//! Games of a match as GGF.

use std::time::Duration;

use ollehto_protocol::coord::Side;
use ollehto_protocol::ggf::{self, Ending as GgfEnding, MoveText, Outcome, Turn};
use ollehto_protocol::notation::{parse_moves, parse_position};

use super::journal::{ForfeitReason, GameEnding, GameRecord, JournalHeader};
use super::spec::PlayerSpec;
use crate::clock::PlayerClock;

/// A game of a match as a record with times and evaluations; none if the journal was tampered with.
#[must_use]
pub fn ggf(header: &JournalHeader, players: &[PlayerSpec], game: &GameRecord) -> Option<ggf::Game> {
    let mut record = ggf::Game::new(parse_position(game.start.as_bytes()).ok()?);
    record.place = Some("Ollehto".into());
    record.black.name.clone_from(&game.black);
    record.white.name.clone_from(&game.white);
    record.kind.anti = header.rules == "reversed";
    let clock = |name: &str| {
        let spec = players.iter().find(|spec| spec.name == name);
        let clock = spec.map(|spec| PlayerClock::new(spec.control).ggf(Duration::ZERO));
        // Clients show a clock that is no limit as one that has run out.
        clock.filter(|clock| !clock.is_unlimited())
    };
    record.clocks = [clock(&game.black), clock(&game.white)];
    let ending = match game.ending {
        GameEnding::Played | GameEnding::Adjudicated => GgfEnding::Normal,
        GameEnding::Forfeit { reason: ForfeitReason::Time | ForfeitReason::Hang, .. } => GgfEnding::Timeout,
        GameEnding::Forfeit { .. } => GgfEnding::Resigned,
    };
    record.result = Some(Outcome { score: game.score.into(), ending });
    record.moves = turns(game, record.board.to_move())?;
    Some(record)
}

fn turns(game: &GameRecord, first: Side) -> Option<Vec<Turn>> {
    let opening = parse_moves(game.opening.as_bytes()).ok()?;
    let opening = opening.into_iter().map(|vertex| MoveText { vertex, eval: None, seconds: None });
    let played = game.moves.iter().map(|played| {
        let vertex = *parse_moves(played.text.as_bytes()).ok()?.first()?;
        let seconds = Duration::try_from_secs_f64(played.seconds).ok();
        Some(MoveText { vertex, eval: played.eval, seconds })
    });
    // Passes are written out in both lists, so the sides take turns.
    let sides = std::iter::successors(Some(first), |side| Some(side.opponent()));
    let texts = opening.map(Some).chain(played);
    sides.zip(texts).map(|(side, text)| text.map(|text| Turn { side, text })).collect()
}
