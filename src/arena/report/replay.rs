//! A journal as the report needs it: names resolved, and every game replayed through by the rules.

use std::collections::HashMap;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::{parse_moves, parse_position};
use ollehto_protocol::setting::RulesName;

use crate::arena::journal::{GameEnding, GameRecord, JournalContents, JournalHeader, MoveRecord};
use crate::board::{Color, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

/// A match with its games.
pub(super) struct ReplayedMatch {
    pub header: JournalHeader,
    pub rules: Rules,
    pub size: Size,
    pub games: Vec<ReplayedGame>,
}

/// A game of the match.
pub(super) struct ReplayedGame {
    pub record: GameRecord,
    /// The players with the black and the white discs, as places in the header.
    pub players: [usize; 2],
    pub start: Position,
    /// What happened on the board, the opening first.
    pub plies: Vec<Ply>,
    /// How many of the plies are the opening.
    pub opening: usize,
    /// A recorded move that the rules do not allow; nothing after it is shown.
    pub refused: Option<MoveRecord>,
    /// The position after all plies.
    pub last: Position,
}

/// A move on the board, a pass included.
pub(super) struct Ply {
    pub color: Color,
    pub vertex: Vertex,
    /// What the journal keeps about it; none for an opening move or a pass that was left out.
    pub record: Option<MoveRecord>,
}

impl ReplayedMatch {
    /// The match that a journal tells, or what is wrong with it.
    pub fn new(contents: JournalContents) -> Result<Self, String> {
        let JournalContents { header, games } = contents;
        let rules = match header.rules.as_str() {
            "reversed" => notation::rules(RulesName::Reversed),
            "standard" => notation::rules(RulesName::Standard),
            other => return Err(format!("there are no rules called {other:?}")),
        };
        let size = Size::from_side(header.size.into())
            .ok_or_else(|| format!("a board of {0}×{0} squares; there are 4×4, 6×6 and 8×8", header.size))?;
        let places: HashMap<_, _> =
            header.players.iter().map(|player| player.name.as_str()).zip(0..).collect();
        let games = games
            .into_values()
            .map(|record| {
                let number = record.number;
                replay(record, &places, rules, size).map_err(|problem| format!("game {number}: {problem}"))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { header, rules, size, games })
    }

    /// The names of the players, in the order of the header.
    pub fn name(&self, player: usize) -> &str {
        &self.header.players[player].name
    }

    /// How many games the match has when it is finished.
    pub fn scheduled(&self) -> usize {
        let players = self.header.players.len();
        let pairings = match self.header.format.as_str() {
            "gauntlet" => players.saturating_sub(1),
            _ => players * players.saturating_sub(1) / 2,
        };
        pairings * 2 * self.header.pairs as usize
    }
}

impl ReplayedGame {
    /// The number of the pair that the game belongs to.
    pub fn pair(&self) -> u32 {
        self.record.number / 2
    }

    /// The player with a colour.
    pub fn player(&self, color: Color) -> usize {
        match color {
            Color::Black => self.players[0],
            Color::White => self.players[1],
        }
    }

    /// The thinking of the players: who, at which ply of the game (from 1), and how long.
    pub fn thinks(&self) -> impl Iterator<Item = (Color, usize, f64)> {
        let legal = (1..).zip(&self.plies);
        let legal = legal.filter_map(|(at, ply)| ply.record.as_ref().map(|r| (ply.color, at, r.seconds)));
        // A refused move took its time too; the position before it is where one looks.
        let refused = self.refused.iter().map(|r| (self.last.side(), self.plies.len(), r.seconds));
        legal.chain(refused).chain(self.forfeited())
    }

    /// The thinking that led to no move but to a forfeit.
    fn forfeited(&self) -> Option<(Color, usize, f64)> {
        let GameEnding::Forfeit { by, diagnostics, .. } = &self.record.ending else { return None };
        let color = if by == "black" { Color::Black } else { Color::White };
        diagnostics.seconds.map(|seconds| (color, self.plies.len(), seconds))
    }
}

/// Plays a recorded game through.
fn replay(
    record: GameRecord,
    places: &HashMap<&str, usize>,
    rules: Rules,
    size: Size,
) -> Result<ReplayedGame, String> {
    let place = |name: &str| {
        places.get(name).copied().ok_or_else(|| format!("the header knows no player called {name:?}"))
    };
    let players = [place(&record.black)?, place(&record.white)?];
    let start = parse_position(record.start.as_bytes()).map_err(|error| format!("its start: {error}"))?;
    let start = notation::position(&start).map_err(|error| format!("its start: {error}"))?;
    if start.size() != size {
        return Err("its start is a board of another size".into());
    }
    let mut game = Game::from_position(rules, start);
    for vertex in parse_moves(record.opening.as_bytes()).map_err(|error| format!("its opening: {error}"))? {
        if !follow(&mut game, vertex) {
            return Err(format!("its opening: {vertex} is illegal"));
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
        // A pass that was left out comes before the move and has nothing said about it.
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

/// Plays a move for whoever can make it; false if nobody can.
fn follow(game: &mut Game, vertex: Vertex) -> bool {
    notation::action(vertex, game.position().size()).is_some_and(|action| game.follow(action).is_ok())
}
