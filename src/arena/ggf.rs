//! Games of a match as GGF.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::time::Duration;

use ollehto_protocol::coord::Side;
use ollehto_protocol::ggf::{GgfEnding, GgfGame, GgfMove, GgfResult, MoveText};
use ollehto_protocol::notation::{parse_moves, parse_position};

use super::config::{MatchConfig, MatchError};
use super::journal::{ForfeitReason, GameEnding, GameRecord, JournalHeader};
use super::spec::PlayerSpec;
use crate::clock::PlayerClock;
use crate::files::output::{ClaimedOutput, OutputError, Outputs};

/// The games as GGF, if asked for: written when the match ends.
pub(super) struct GgfOutput<'a> {
    output: Option<ClaimedOutput>,
    header: &'a JournalHeader,
    players: Vec<PlayerSpec>,
    /// By game number.
    records: BTreeMap<u32, String>,
}

impl<'a> GgfOutput<'a> {
    pub(super) fn claim(config: &MatchConfig, header: &'a JournalHeader) -> Result<Self, MatchError> {
        // A match that is resumed may have written the file; see `begin`.
        let mut outputs = Outputs::new(config.force || config.resume).with_inputs(config.inputs());
        let output = config.ggf.as_ref().map(|to| outputs.claim(to)).transpose()?;
        Ok(Self { output, header, players: config.players.clone(), records: BTreeMap::new() })
    }

    /// Adds the games played before. Without `force` an existing file must hold nothing but these.
    pub(super) fn begin<'b>(
        &mut self,
        games: impl Iterator<Item = &'b GameRecord>,
        force: bool,
    ) -> Result<(), MatchError> {
        games.for_each(|game| self.add(game));
        let Some(path) =
            self.output.as_ref().and_then(ClaimedOutput::path).filter(|path| !force && path.is_file())
        else {
            return Ok(());
        };
        let text = fs::read(path).map_err(|error| MatchError::File(path.to_owned(), error))?;
        let own: HashSet<_> = self.records.values().map(String::as_bytes).collect();
        let is_own = text.split_inclusive(|byte| *byte == b'\n').all(|line| own.contains(line));
        if is_own { Ok(()) } else { Err(OutputError::Exists(path.to_owned()).into()) }
    }

    pub(super) fn add(&mut self, game: &GameRecord) {
        if self.output.is_none() {
            return;
        }
        if let Some(record) = record(self.header, &self.players, game) {
            self.records.insert(game.number, format!("{record}\n"));
        }
    }

    pub(super) fn is_stdout(&self) -> bool {
        self.output.as_ref().is_some_and(ClaimedOutput::is_stdout)
    }

    pub(super) fn write(&self) -> Result<(), MatchError> {
        let Some(output) = &self.output else { return Ok(()) };
        let text: String = self.records.values().map(String::as_str).collect();
        Ok(output.write(text)?)
    }
}

/// A game with times and evaluations; none if the journal is inconsistent.
fn record(header: &JournalHeader, players: &[PlayerSpec], game: &GameRecord) -> Option<GgfGame> {
    let mut record = GgfGame::new(parse_position(game.start.as_bytes()).ok()?);
    record.place = Some("Ollehto".into());
    record.black.name.clone_from(&game.black);
    record.white.name.clone_from(&game.white);
    record.kind.anti = header.rules == "reversed";
    let clock = |name: &str| {
        let spec = players.iter().find(|spec| spec.name == name);
        let clock = spec.map(|spec| PlayerClock::new(spec.control).ggf(Duration::ZERO));
        // Clients show an unlimited clock as one that has run out.
        clock.filter(|clock| !clock.is_unlimited())
    };
    record.clocks = [clock(&game.black), clock(&game.white)];
    let ending = match game.ending {
        GameEnding::Played | GameEnding::Adjudicated => GgfEnding::Normal,
        GameEnding::Forfeit { reason: ForfeitReason::Time | ForfeitReason::Hang, .. } => GgfEnding::Timeout,
        GameEnding::Forfeit { .. } => GgfEnding::Resigned,
    };
    record.result = Some(GgfResult { score: game.score.into(), ending });
    record.moves = turns(game, record.board.to_move())?;
    Some(record)
}

fn turns(game: &GameRecord, first: Side) -> Option<Vec<GgfMove>> {
    let opening = parse_moves(game.opening.as_bytes()).ok()?;
    let opening = opening.into_iter().map(|vertex| MoveText { vertex, eval: None, seconds: None });
    let played = game.moves.iter().map(|played| {
        let vertex = *parse_moves(played.text.as_bytes()).ok()?.first()?;
        let seconds = Duration::try_from_secs_f64(played.seconds).ok();
        Some(MoveText { vertex, eval: played.eval, seconds })
    });
    // Both lists have the passes, so the sides alternate.
    let sides = std::iter::successors(Some(first), |side| Some(side.opponent()));
    let texts = opening.map(Some).chain(played);
    sides.zip(texts).map(|(side, text)| text.map(|text| GgfMove { side, text })).collect()
}
