//! The match of a journal with every game replayed by the rules.

use std::collections::HashMap;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::error::TextError;
use ollehto_protocol::notation::{parse_moves, parse_position};

use thiserror::Error;

use crate::arena::journal::{GameEnding, GameRecord, JournalContents, JournalHeader, MoveRecord};
use crate::arena::schedule::{MOST_PLAYERS, MatchFormat};
use crate::board::{Color, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

/// Why a readable journal is inconsistent.
#[derive(Debug, Error)]
pub enum ContentError {
    #[error("there are no rules called {0:?}")]
    Rules(String),
    #[error("a board of {0}×{0} squares; there are 4×4, 6×6 and 8×8")]
    Size(u8),
    #[error("{0} players; a match has at most {MOST_PLAYERS}")]
    Players(usize),
    #[error("game {number}: {error}")]
    Game { number: u32, error: GameError },
}

#[derive(Debug, Error)]
pub enum GameError {
    #[error("the header knows no player called {0:?}")]
    Player(String),
    #[error("its start: {0}")]
    Start(TextError),
    #[error("its start: {0}")]
    Empty(#[from] notation::NoDiscs),
    #[error("its start is a board of another size")]
    Size,
    #[error("its opening: {0}")]
    Opening(TextError),
    #[error("its opening: {0} is illegal")]
    IllegalOpening(Vertex),
}

pub(super) struct ReplayedMatch {
    pub header: JournalHeader,
    pub rules: Rules,
    pub size: Size,
    pub games: Vec<ReplayedGame>,
}

pub(super) struct ReplayedGame {
    pub record: GameRecord,
    /// Indices of Black and White in the header.
    pub players: [usize; 2],
    pub start: Position,
    /// Opening included.
    pub plies: Vec<Ply>,
    /// Number of opening plies.
    pub opening: usize,
    /// An illegal move, which ends the replay.
    pub refused: Option<MoveRecord>,
    pub last: Position,
}

/// A move or a pass.
pub(super) struct Ply {
    pub color: Color,
    pub vertex: Vertex,
    /// None for an opening move or an implied pass.
    pub record: Option<MoveRecord>,
}

impl ReplayedMatch {
    pub fn new(contents: JournalContents) -> Result<Self, ContentError> {
        let JournalContents { header, games } = contents;
        let rules = header.rules.parse().map_err(|_| ContentError::Rules(header.rules.clone()))?;
        let size = Size::from_side(header.size.into()).ok_or(ContentError::Size(header.size))?;
        if header.players.len() > MOST_PLAYERS {
            return Err(ContentError::Players(header.players.len()));
        }
        let places: HashMap<_, _> =
            header.players.iter().map(|player| player.name.as_str()).zip(0..).collect();
        let games = games
            .into_values()
            .map(|record| {
                let number = record.number;
                replay(record, &places, rules, size).map_err(|error| ContentError::Game { number, error })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { header, rules, size, games })
    }

    pub fn name(&self, player: usize) -> &str {
        &self.header.players[player].name
    }

    /// Games of the whole match.
    pub fn scheduled(&self) -> usize {
        let pairings = MatchFormat::parse(&self.header.format).pairings(self.header.players.len());
        pairings.len() * 2 * self.header.pairs as usize
    }
}

impl ReplayedGame {
    pub fn pair(&self) -> u32 {
        self.record.number / 2
    }

    pub fn player(&self, color: Color) -> usize {
        match color {
            Color::Black => self.players[0],
            Color::White => self.players[1],
        }
    }

    /// Who searched at which ply (from 1), and for how many seconds.
    pub fn thinks(&self) -> impl Iterator<Item = (Color, usize, f64)> {
        let legal = (1..).zip(&self.plies);
        let legal = legal.filter_map(|(at, ply)| ply.record.as_ref().map(|r| (ply.color, at, r.seconds)));
        // An illegal move took its time too; it belongs to the position before it.
        let refused = self.refused.iter().map(|r| (self.last.side(), self.plies.len(), r.seconds));
        legal.chain(refused).chain(self.forfeited())
    }

    /// The search that ended in a forfeit instead of a move.
    fn forfeited(&self) -> Option<(Color, usize, f64)> {
        let GameEnding::Forfeit { by, diagnostics, .. } = &self.record.ending else { return None };
        let color = if by == "black" { Color::Black } else { Color::White };
        diagnostics.seconds.map(|seconds| (color, self.plies.len(), seconds))
    }
}

fn replay(
    record: GameRecord,
    places: &HashMap<&str, usize>,
    rules: Rules,
    size: Size,
) -> Result<ReplayedGame, GameError> {
    let place = |name: &str| places.get(name).copied().ok_or_else(|| GameError::Player(name.to_owned()));
    let players = [place(&record.black)?, place(&record.white)?];
    let start = parse_position(record.start.as_bytes()).map_err(GameError::Start)?;
    let start = notation::position(&start)?;
    if start.size() != size {
        return Err(GameError::Size);
    }
    let mut game = Game::from_position(rules, start);
    for vertex in parse_moves(record.opening.as_bytes()).map_err(GameError::Opening)? {
        if !follow(&mut game, vertex) {
            return Err(GameError::IllegalOpening(vertex));
        }
    }
    let opening = game.moves().len();
    let mut records = Vec::new();
    let mut refused = None;
    for made in &record.moves {
        let vertex = parse_moves(made.text.as_bytes()).ok().filter(|moves| moves.len() == 1);
        if !vertex.is_some_and(|moves| follow(&mut game, moves[0])) {
            refused = Some(made.clone());
            break;
        }
        // An implied pass comes before the move and has no record.
        records.resize(game.moves().len() - opening - 1, None);
        records.push(Some(made.clone()));
    }
    let records = std::iter::repeat_n(None, opening).chain(records);
    let plies = game.moves().into_iter().zip(records);
    let plies = plies
        .map(|((color, action), record)| Ply { color, vertex: notation::vertex(action, size), record })
        .collect();
    Ok(ReplayedGame { record, players, start, plies, opening, refused, last: *game.position() })
}

/// Plays a move for the side that can make it; false if neither can, or the game is over.
fn follow(game: &mut Game, vertex: Vertex) -> bool {
    !game.position().is_over()
        && notation::action(vertex, game.position().size()).is_some_and(|action| game.follow(action).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(players: usize, moves: usize) -> JournalContents {
        let players: Vec<_> = (0..players).map(|at| format!(r#"{{"name":"{at}","spec":""}}"#)).collect();
        let header = format!(
            r#"{{"header":{{"version":1,"rules":"reversed","size":4,"players":[{}],"format":"round-robin","pairs":1,
            "openings":"","seed":1,"adjudicate":null,"sprt":null,"margin":0}}}}"#,
            players.join(",")
        );
        let moves = vec![r#"{"move":"pass","seconds":0}"#; moves].join(",");
        let game = format!(
            r#"{{"game":{{"number":0,"black":"0","white":"1","start":"XXXXXXXXXXXXXXX- X","opening":"","moves":[{moves}],
            "score":0,"ending":{{"kind":"played"}}}}}}"#
        );
        let text = [header, game].map(|line| line.replace('\n', "") + "\n").concat();
        crate::arena::journal::read_from(std::path::Path::new("journal"), text.as_bytes()).expect("a journal")
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        let replayed = ReplayedMatch::new(journal(2, 3)).expect("a match");
        assert_eq!((replayed.games[0].plies.len(), replayed.games[0].refused.is_some()), (0, true));
    }

    #[test]
    fn a_header_with_too_many_players_is_refused() {
        assert!(ReplayedMatch::new(journal(MOST_PLAYERS, 0)).is_ok());
        let error = ReplayedMatch::new(journal(MOST_PLAYERS + 1, 0)).map(drop).expect_err("too many");
        assert_eq!(error.to_string(), "257 players; a match has at most 256");
    }
}
