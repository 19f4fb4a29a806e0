//! A game as the page holds it, and what the page shows of it.

use ollehto::board::{Bitboard, Color, Move, Position, Size};
use ollehto::game::Game;
use ollehto::game_reader::{play_moves, read_position};
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::print_moves;
use serde::{Deserialize, Serialize};

use crate::reader::Problem;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RulesWord {
    #[default]
    Reversed,
    Standard,
}

impl From<RulesWord> for Rules {
    fn from(word: RulesWord) -> Self {
        match word {
            RulesWord::Reversed => Self::Reversed,
            RulesWord::Standard => Self::Standard,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColorWord {
    Black,
    White,
}

impl From<Color> for ColorWord {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// Moves have no passes: those are forced.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameText {
    pub rules: RulesWord,
    pub size: u8,
    /// If it is not the usual one.
    #[serde(default)]
    pub start: Option<String>,
    pub moves: String,
}

/// A game as far as its moves are legal.
pub struct Played {
    pub game: Game,
    pub problem: Option<Problem>,
}

/// A position as the page draws it. A side that must pass has done so.
#[derive(Debug, Serialize)]
pub struct PositionView {
    /// Row by row from a1: `X`, `O` or `-`.
    board: String,
    side: ColorWord,
    /// Who passed before.
    passed: Option<ColorWord>,
    legal: Vec<String>,
    over: bool,
    black: u32,
    white: u32,
}

#[derive(Debug, Serialize)]
pub struct Step {
    #[serde(rename = "move")]
    square: String,
    side: ColorWord,
    flips: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct GameView {
    game: GameText,
    /// One more than the steps.
    positions: Vec<PositionView>,
    steps: Vec<Step>,
    /// For Black, if the game is over: positive is a win, rules applied.
    result: Option<i8>,
    problem: Option<Problem>,
}

impl Played {
    /// Stops at the first move that cannot be read or made.
    pub fn new(text: &GameText) -> Self {
        let rules = Rules::from(text.rules);
        let usual = Position::start(size(text.size));
        let (game, fault) = match text.start.as_deref().map(read_position) {
            Some(Err(fault)) => (Game::from_position(rules, usual), Some(fault)),
            Some(Ok(start)) => play_moves(rules, start, &text.moves),
            None => play_moves(rules, usual, &text.moves),
        };
        Self { game, problem: fault.as_ref().map(Problem::from) }
    }

    /// The position after all moves and a forced pass.
    pub fn position(&self) -> Position {
        ready(*self.game.position())
    }

    pub fn ggf(&self) -> String {
        notation::record(&self.game).to_string()
    }

    pub fn describe(self) -> GameView {
        let size = self.game.position().size();
        let mut positions = vec![view(self.game.first_position())];
        let mut steps = Vec::new();
        for ((side, action), before) in self.game.moves().into_iter().zip(self.game.positions()) {
            let Move::Place(square) = action else { continue };
            let flips = before.board().flips(square);
            steps.push(Step {
                square: square_name(action, size),
                side: side.into(),
                flips: names(flips, size),
            });
            positions.extend(before.play(action).map(view));
        }
        let result = self.game.position().is_over().then(|| self.game.result(Color::Black).0);
        GameView { game: game_text(&self.game), positions, steps, result, problem: self.problem }
    }
}

/// A game as the page keeps it.
pub fn game_text(game: &Game) -> GameText {
    let first = game.first_position();
    let size = first.size();
    let moves: Vec<Vertex> = game
        .moves()
        .into_iter()
        .filter(|&(_, action)| action != Move::Pass)
        .map(|(_, action)| notation::vertex(action, size))
        .collect();
    GameText {
        rules: match game.rules() {
            Rules::Reversed => RulesWord::Reversed,
            Rules::Standard => RulesWord::Standard,
        },
        size: size.side(),
        start: (first != Position::start(size)).then(|| notation::position_text(&first).to_string()),
        moves: print_moves(&moves),
    }
}

/// The position in which the next disc is placed.
fn ready(position: Position) -> Position {
    if position.must_pass() { position.play(Move::Pass).unwrap_or(position) } else { position }
}

fn view(position: Position) -> PositionView {
    let text = notation::position_text(&position).to_string();
    let board = text.split(' ').next().unwrap_or_default().to_owned();
    let next = ready(position);
    PositionView {
        board,
        side: next.side().into(),
        passed: (next != position).then(|| position.side().into()),
        legal: names(next.moves(), next.size()),
        over: next.is_over(),
        black: next.discs(Color::Black).len(),
        white: next.discs(Color::White).len(),
    }
}

/// The usual size if it is none.
pub fn size(side: u8) -> Size {
    Size::from_side(side.into()).unwrap_or_default()
}

pub fn square_name(action: Move, size: Size) -> String {
    notation::vertex(action, size).to_string().to_lowercase()
}

pub fn names(squares: Bitboard, size: Size) -> Vec<String> {
    squares.into_iter().map(|square| square_name(Move::Place(square), size)).collect()
}
