//! Lines of moves, lines with a position or a link, and boards of several lines.

use ollehto_protocol::notation::{MoveList, parse_move_list};
use ollehto_protocol::obf::parse_problem;

use crate::board::{Position, Size};
use crate::game::Game;
use crate::notation;

use super::fault::{Fault, Hint, Problem, column_of};
use super::{ReadGame, ReadOptions, Reader, byte_of, fault_at, link, play_list, read_position};

/// The most squares in a row of a board, with the side to move behind the last one.
const LONGEST_ROW: usize = 9;

impl Reader<'_> {
    pub(super) fn read_line(&mut self) {
        let number = self.line;
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        if let Some((at, fragment)) = link::find(line) {
            self.advance(end);
            let mut read = link::read_at(fragment.trim_end(), number);
            if let Some(fault) = &mut read.fault {
                let before = link::characters_before_moves(line, at, fragment);
                fault.column = fault.column.map(|column| column + before);
            }
            self.close();
            self.add(read);
        } else if line.starts_with(['#', '%']) {
            self.advance(end);
        } else if let Some(end) = end_of_board(self.rest) {
            let text = self.advance(end);
            let read = read_position(text).map_err(|fault| {
                let at = fault.column.map(|column| byte_of(text, column));
                let found = at.map(|at| fault_at(text, number, at, fault.problem.clone()));
                Fault { hint: Hint::Forms, ..found.unwrap_or(Fault { line: number, ..fault }) }
            });
            self.add_position(read, number);
        } else {
            // A record may begin behind other words.
            let end = line.find("(;").unwrap_or(end);
            let line = self.advance(end);
            if is_position(line) { self.read_position(line, number) } else { self.read_moves(line, number) }
        }
    }

    fn add_position(&mut self, read: Result<Position, Fault>, number: usize) {
        match read {
            Ok(position) => {
                self.close();
                self.add(ReadGame::new(Game::from_position(self.options.rules, position), number));
            }
            Err(fault) => self.fail(fault),
        }
    }

    /// A position, perhaps with known values behind it.
    fn read_position(&mut self, line: &str, number: usize) {
        let fault = |problem, column| Fault { line: number, column, problem, hint: Hint::Forms };
        let read = parse_problem(line.as_bytes())
            .map_err(|error| {
                let column = column_of(&error);
                fault(Problem::Unreadable(error), column)
            })
            .and_then(|read| notation::position(&read.position).map_err(|_| fault(Problem::NoDiscs, None)));
        self.add_position(read, number);
    }

    fn read_moves(&mut self, line: &str, number: usize) {
        let list = parse_move_list(line.as_bytes());
        let goes_on = self.open.is_some() && list.number.is_some_and(|number| number > 1);
        if list.moves.is_empty() && !goes_on {
            let problem = list.error.map_or(Problem::NoMoves, Problem::Unreadable);
            let column = match &problem {
                Problem::Unreadable(error) => column_of(error),
                _ => None,
            };
            return self.fail(Fault { line: number, column, problem, hint: Hint::Forms });
        }
        match self.open.take() {
            Some(open) if self.continues(&open, &list) => self.play_line(open, &list, number),
            open => {
                if let Some(open) = open {
                    self.add(open);
                }
                let game = Game::new(self.options.rules, self.board_of(&list));
                self.play_line(ReadGame::new(game, number), &list, number);
            }
        }
    }

    fn board_of(&self, list: &MoveList) -> Size {
        let ReadOptions { size, other_sizes, .. } = self.options;
        let others = || Size::ALL.into_iter().rev().find(|&size| begins_on(list, size));
        if other_sizes && !begins_on(list, size) { others().unwrap_or(size) } else { size }
    }

    /// Whether a line goes on with the game before it: by its number, or by a move that can be made there and not at the
    /// start of a game.
    fn continues(&self, open: &ReadGame, list: &MoveList) -> bool {
        match list.number {
            Some(number) => number > 1,
            None if open.fault.is_some() || begins_on(list, open.game.position().size()) => false,
            None => list.moves.first().is_some_and(|&(vertex, _)| {
                let action = notation::action(vertex, open.game.position().size());
                action.is_some_and(|action| open.game.clone().follow(action).is_ok())
            }),
        }
    }

    /// Plays the moves of a line, unless the game has a fault already.
    fn play_line(&mut self, mut open: ReadGame, list: &MoveList, number: usize) {
        if open.fault.is_none()
            && let Some((column, problem)) = play_list(&mut open.game, list)
        {
            let is_first = open.game.moves().is_empty() && matches!(problem, Problem::Illegal { .. });
            let hint = if is_first && !self.options.other_sizes { Hint::Size } else { Hint::None };
            open.fault = Some(Box::new(Fault { line: number, column: Some(column), problem, hint }));
        }
        self.open = Some(open);
    }
}

/// Whether a list can begin a game on this board.
fn begins_on(list: &MoveList, size: Size) -> bool {
    let first = list.moves.first().and_then(|&(vertex, _)| notation::action(vertex, size));
    first.is_some_and(|action| Position::start(size).play(action).is_some())
}

fn is_symbol(c: char) -> bool {
    "-._XxOo0*BbWw".contains(c)
}

/// Whether a line is more like a position than like moves, which begin with a square, a number or a pass.
fn is_position(line: &str) -> bool {
    let symbols: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).take(4).collect();
    match symbols[..] {
        ['-', '-'] | ['-', '-', 'A'..='H' | 'a'..='h', '1'..='8'] => false,
        [first, second, ..] => is_symbol(first) && is_symbol(second),
        [first] => is_symbol(first),
        [] => false,
    }
}

/// Where a board ends that is written as its rows, each a line, with the side to move behind them.
fn end_of_board(text: &str) -> Option<usize> {
    let squares = |line: &str| {
        let count = line.chars().filter(|&c| is_symbol(c)).count();
        let is_row =
            (1..=LONGEST_ROW).contains(&count) && line.chars().all(|c| is_symbol(c) || c.is_whitespace());
        is_row.then_some(count)
    };
    let (mut end, mut all, mut rows) = (0, 0, 0);
    for line in text.split_inclusive('\n') {
        let Some(count) = squares(line) else { break };
        (end, all, rows) = (end + line.len(), all + count, rows + 1);
        if all > 64 {
            break;
        }
    }
    // Fewer are no board: each is told as a line of its own.
    (rows > 3 && all > 16).then_some(end)
}
