//! Games and positions in texts, in any of the forms that people paste or keep in files: the one reader of `analyze`, of
//! `play` and of the page in the browser.
//!
//! A text holds any number of GGF records, lists of moves, positions and links to the page, each recognised by itself.
//! What cannot be read is a [`Fault`] that names its place; a game is kept up to its fault, and reading goes on behind it.

mod fault;
mod ggf;
mod lines;
pub mod link;

use std::borrow::Cow;
use std::collections::VecDeque;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::ggf::GgfGame;
use ollehto_protocol::notation::{MoveList, parse_move_list, parse_position};

use crate::board::{Color, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;

pub use fault::{Fault, Problem};

use fault::{Hint, column_of};

/// Faults that are kept one by one: a text pasted by mistake has thousands.
pub const MAX_FAULTS: usize = 10;

/// Games that are kept of one text: more than anybody analyses in a year.
pub const MAX_GAMES: usize = 100_000;

/// What a text may not say itself.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// Of moves and positions.
    pub rules: Rules,
    /// Of records without `a` in their type, which may be of either rules: NBoard writes it for neither.
    pub unmarked: Rules,
    /// Of moves.
    pub size: Size,
    /// Whether moves of which the first is illegal there are tried on the other boards.
    pub other_sizes: bool,
}

impl ReadOptions {
    /// By what was given explicitly.
    #[must_use]
    pub fn new(rules: Option<Rules>, size: Option<Size>) -> Self {
        Self {
            rules: rules.unwrap_or_default(),
            unmarked: rules.unwrap_or(Rules::Standard),
            size: size.unwrap_or_default(),
            other_sizes: size.is_none(),
        }
    }
}

/// A game, or a position without moves.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// That it begins at, from 1.
    pub line: usize,
    /// Up to its fault.
    pub game: Game,
    /// Whether the text tells the rules.
    pub tells_rules: bool,
    pub fault: Option<Box<Fault>>,
    /// With the moves that could be played.
    ggf: Option<Box<GgfGame>>,
}

impl ReadGame {
    const fn new(game: Game, line: usize) -> Self {
        Self { line, game, tells_rules: false, fault: None, ggf: None }
    }

    /// The game as a record: with names, times and the like, if it was one.
    #[must_use]
    pub fn record(&self) -> Cow<'_, GgfGame> {
        match &self.ggf {
            Some(ggf) => Cow::Borrowed(ggf),
            None => Cow::Owned(notation::record(&self.game)),
        }
    }

    /// Of a player, if it is known.
    #[must_use]
    pub fn name(&self, color: Color) -> Option<&str> {
        let ggf = self.ggf.as_ref()?;
        let player = match color {
            Color::Black => &ggf.black,
            Color::White => &ggf.white,
        };
        Some(player.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Whether there is neither a move nor a position of its own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let first = self.game.first_position();
        self.game.moves().is_empty() && first == Position::start(first.size())
    }
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// In their order, [`MAX_GAMES`] at most.
    pub games: Vec<ReadGame>,
    /// Whether there are more games, and the rest was not read.
    pub has_more: bool,
    /// What is no game at all, [`MAX_FAULTS`] at most.
    pub faults: Vec<Fault>,
    /// All of these.
    pub fault_count: usize,
}

/// The last game of a text: files of games grow at their ends.
#[derive(Clone, Debug, Default)]
pub struct LastGame {
    pub game: Option<ReadGame>,
    /// In the text.
    pub games: usize,
    /// The first fault in the game or behind it; without a game the first of all. None if the text is empty.
    pub fault: Option<Fault>,
}

/// Reads all games of a text.
#[must_use]
pub fn read_games(text: &str, options: &ReadOptions) -> Contents {
    let mut contents = Contents::default();
    let mut reader = Reader::new(text, *options);
    while let Some(read) = reader.read_next() {
        match read {
            Ok(_) if contents.games.len() == MAX_GAMES => {
                contents.has_more = true;
                break;
            }
            Ok(game) => contents.games.push(game),
            Err(fault) => {
                contents.fault_count += 1;
                if contents.faults.len() < MAX_FAULTS {
                    contents.faults.push(fault);
                }
            }
        }
    }
    contents
}

/// Reads the last game of a text.
#[must_use]
pub fn read_last_game(text: &str, options: &ReadOptions) -> LastGame {
    let mut last = LastGame::default();
    let mut reader = Reader::new(text, *options);
    while let Some(read) = reader.read_next() {
        match read {
            Ok(game) => {
                last.fault = game.fault.as_deref().cloned();
                last.game = Some(game);
                last.games += 1;
            }
            Err(fault) => drop(last.fault.get_or_insert(fault)),
        }
    }
    last
}

/// Plays the moves of a text from a position, up to a fault.
#[must_use]
pub fn play_moves(rules: Rules, start: Position, moves: &str) -> (Game, Option<Fault>) {
    let mut game = Game::from_position(rules, start);
    let fault = play_list(&mut game, &parse_move_list(moves.as_bytes())).map(|(column, problem)| Fault {
        line: 1,
        column: Some(column),
        problem,
        hint: Hint::None,
    });
    (game, fault)
}

/// # Errors
/// If it has not the squares of a board and a side to move, or no disc.
pub fn read_position(text: &str) -> Result<Position, Fault> {
    let fault = |problem, column| Fault { line: 1, column, problem, hint: Hint::None };
    let read = parse_position(text.as_bytes()).map_err(|error| {
        let column = column_of(&error);
        fault(Problem::Unreadable(error), column)
    })?;
    notation::position(&read).map_err(|_| fault(Problem::NoDiscs, None))
}

/// Plays a list up to a fault. Returns it with its column.
fn play_list(game: &mut Game, list: &MoveList) -> Option<(usize, Problem)> {
    for &(vertex, column) in &list.moves {
        if let Err(problem) = play(game, None, vertex) {
            return Some((column, problem));
        }
    }
    let error = list.error.clone()?;
    Some((column_of(&error).unwrap_or(1), Problem::Unreadable(error)))
}

/// Plays a move of this colour, or of the side that can make it. False if it was left out: a pass after the end, which some
/// records have, means nothing.
fn play(game: &mut Game, mover: Option<Color>, vertex: Vertex) -> Result<bool, Problem> {
    let position = *game.position();
    if vertex == Vertex::Pass && position.is_over() {
        return Ok(false);
    }
    let played = notation::action(vertex, position.size()).is_some_and(|action| match mover {
        Some(mover) => game.play(mover, action).is_ok(),
        None => game.follow(action).is_ok(),
    });
    let discs = |position: &Position| position.board().discs().len() as usize;
    let illegal = || Problem::Illegal {
        number: discs(&position) - discs(&game.first_position()) + 1,
        mover: mover.unwrap_or(position.side()),
        vertex,
        position,
    };
    if played { Ok(true) } else { Err(illegal()) }
}

struct Reader<'a> {
    options: ReadOptions,
    /// The text that is not read yet.
    rest: &'a str,
    /// The number of its first line.
    line: usize,
    /// The characters of that line that are read already.
    before: usize,
    /// A list of moves that the next line may continue.
    open: Option<ReadGame>,
    /// What was read and not taken yet.
    ready: VecDeque<Result<ReadGame, Fault>>,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str, options: ReadOptions) -> Self {
        Self { options, rest: text, line: 1, before: 0, open: None, ready: VecDeque::new() }
    }

    /// The next game, or what is no game at all.
    fn read_next(&mut self) -> Option<Result<ReadGame, Fault>> {
        loop {
            if let Some(read) = self.ready.pop_front() {
                return Some(read);
            }
            // Some editors put a byte order mark ahead of the first line.
            let text = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.advance(self.rest.len() - text.len());
            if self.rest.is_empty() {
                self.close();
                return self.ready.pop_front();
            }
            let (line, before) = (self.line, self.before);
            if ggf::begins(self.rest) {
                self.close();
                let earlier = self.ready.len();
                self.read_ggf();
                self.shift_columns(earlier, line, before);
            } else {
                self.read_line();
                self.shift_columns(0, line, before);
            }
        }
    }

    /// The faults just found in this line were counted from what was left of it: so many characters are before that.
    fn shift_columns(&mut self, earlier: usize, line: usize, before: usize) {
        let ready = self.ready.iter_mut().skip(earlier).filter_map(|read| match read {
            Ok(game) => game.fault.as_deref_mut(),
            Err(fault) => Some(fault),
        });
        let open = self.open.as_mut().and_then(|game| game.fault.as_deref_mut());
        for fault in ready.chain(open).filter(|fault| fault.line == line) {
            fault.column = fault.column.map(|column| column + before);
        }
    }

    /// Takes a game, unless it is nothing but a fault.
    fn add(&mut self, game: ReadGame) {
        let is_empty = game.is_empty();
        self.ready.push_back(match game.fault {
            Some(fault) if is_empty => Err(*fault),
            fault => Ok(ReadGame { fault, ..game }),
        });
    }

    /// No line continues the list any more.
    fn close(&mut self) {
        if let Some(game) = self.open.take() {
            self.add(game);
        }
    }

    fn fail(&mut self, fault: Fault) {
        self.close();
        self.ready.push_back(Err(fault));
    }

    /// Takes so many bytes from the rest.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.before = match taken.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.before + taken.chars().count(),
        };
        taken
    }
}

/// A fault at a byte of a text that begins at this line.
fn fault_at(text: &str, line: usize, at: usize, problem: Problem) -> Fault {
    let before = text.get(..at).unwrap_or(text);
    let line = line + before.matches('\n').count();
    let column = before.rsplit('\n').next().map_or(0, |part| part.chars().count()) + 1;
    Fault { line, column: Some(column), problem, hint: Hint::None }
}

/// The byte of a column, which counts what the parser sees.
fn byte_of(text: &str, column: usize) -> usize {
    let seen = text.char_indices().filter(|&(_, c)| matches!(c, '\t' | '\n') || !c.is_control());
    seen.map(|(at, _)| at).nth(column.saturating_sub(1)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
