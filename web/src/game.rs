//! A game as the page holds it, and what the page shows of it.

use ollehto::board::{Bitboard, Color, Move, Position, Size};
use ollehto::game::Game;
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::{parse_moves, parse_position, print_moves};
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
        let (start, mut problem) = match start(text) {
            Ok(start) => (start, None),
            Err(problem) => (Position::start(size(text.size)), Some(problem)),
        };
        let (moves, unreadable) = readable_moves(&text.moves);
        let mut played = Self { game: Game::from_position(rules, start), problem: None };
        if problem.is_none() {
            problem = played.follow(&moves).or(unreadable);
        }
        Self { problem, ..played }
    }

    /// Plays moves until one is illegal.
    pub fn follow(&mut self, moves: &[Vertex]) -> Option<Problem> {
        let size = self.game.position().size();
        for (number, &vertex) in (1..).zip(moves) {
            // A pass after the end is in some records, and means nothing.
            if vertex == Vertex::Pass && self.game.position().is_over() {
                continue;
            }
            let played = notation::action(vertex, size).map(|action| self.game.follow(action));
            if !matches!(played, Some(Ok(()))) {
                return Some(Problem::Illegal { number, played: name(vertex) });
            }
        }
        None
    }

    /// The position after all moves and a forced pass.
    pub fn position(&self) -> Position {
        ready(*self.game.position())
    }

    pub fn text(&self) -> GameText {
        let game = &self.game;
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
        GameView { game: self.text(), positions, steps, result, problem: self.problem }
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

fn start(text: &GameText) -> Result<Position, Problem> {
    let Some(start) = &text.start else { return Ok(Position::start(size(text.size))) };
    let read = parse_position(start.as_bytes()).map_err(|error| Problem::from_text(&error))?;
    notation::position(&read).map_err(|_| Problem::NoDiscs)
}

/// The usual size if it is none.
pub fn size(side: u8) -> Size {
    Size::from_side(side.into()).unwrap_or_default()
}

/// The moves up to the first word that is none, and that word.
pub fn readable_moves(text: &str) -> (Vec<Vertex>, Option<Problem>) {
    match parse_moves(text.as_bytes()) {
        Ok(moves) => (moves, None),
        Err(error) => {
            let problem = Problem::from_text(&error);
            let before = match &problem {
                Problem::Unreadable { column, .. } => text.chars().take(column - 1).collect::<String>(),
                _ => String::new(),
            };
            (parse_moves(before.as_bytes()).unwrap_or_default(), Some(problem))
        }
    }
}

pub fn square_name(action: Move, size: Size) -> String {
    name(notation::vertex(action, size))
}

fn name(vertex: Vertex) -> String {
    vertex.to_string().to_lowercase()
}

pub fn names(squares: Bitboard, size: Size) -> Vec<String> {
    squares.into_iter().map(|square| square_name(Move::Place(square), size)).collect()
}
