//! Lines of moves, and lines with a position.

use ollehto_protocol::notation::{MoveList, parse_move_list};
use ollehto_protocol::obf::parse_problem;

use crate::game::Game;
use crate::notation;

use super::{Fault, GameInput, OpenList, Reader, problem};

/// What can stand in a line, for people who wrote something else.
const FORMS: &str = "give moves such as f5d6c3, a position (the squares row by row from a1 as X, O and -, then a blank \
                     and X or O to move), or a GGF record (;GM[Othello]...;)";

impl Reader<'_> {
    pub(super) fn read_line(&mut self) {
        let number = self.line;
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.advance(end);
        if line.starts_with(['#', '%']) {
            return;
        }
        if is_position(line) {
            self.open_list = None;
            self.add_position(line, number);
            return;
        }
        let list = parse_move_list(line.as_bytes());
        // A game may take several lines, which only their numbers tell from a game for each.
        let continues = list.number.is_some_and(|number| number > 1);
        match self.open_list.take() {
            Some(OpenList::Skipped) if continues => self.open_list = Some(OpenList::Skipped),
            Some(OpenList::Game(at)) if continues => self.continue_game(at, &list, number),
            _ => self.begin_game(&list, number),
        }
    }

    fn add_position(&mut self, line: &str, number: usize) {
        let read = parse_problem(line.as_bytes());
        let position = read
            .map_err(|error| problem(&error))
            .and_then(|read| notation::position(&read.position).map_err(|error| (None, error.to_string())));
        match position {
            Ok(position) => {
                let game = Game::from_position(self.rules, position);
                let source = self.source.to_string();
                let record = notation::record(&game);
                self.contents.add(GameInput { source, line: number, game, record, fault: None });
            }
            Err((column, problem)) => {
                self.contents.faults.push(self.fault(number, column, format!("{problem}; {FORMS}")));
            }
        }
    }

    fn begin_game(&mut self, list: &MoveList, number: usize) {
        if list.moves.is_empty() {
            let no_moves = || (None, "found no moves".to_owned());
            let (column, problem) = list.error.as_ref().map_or_else(no_moves, problem);
            self.contents.faults.push(self.fault(number, column, format!("{problem}; {FORMS}")));
            return;
        }
        let game = Game::new(self.rules, self.size);
        let (source, record) = (self.source.to_string(), notation::record(&game));
        let games = self.contents.games.len();
        self.contents.games.push(GameInput { source, line: number, game, record, fault: None });
        self.continue_game(games, list, number);
        // Nothing but a fault is no game.
        if let Some(game) = self.contents.games.pop() {
            self.contents.add(game);
        }
    }

    /// Plays the moves of a line, up to a fault.
    fn continue_game(&mut self, at: usize, list: &MoveList, number: usize) {
        let size = self.contents.games[at].game.position().size();
        let mut game = self.contents.games[at].game.clone();
        let mut fault = None;
        for &(vertex, column) in &list.moves {
            let action = notation::action(vertex, size);
            if action.is_some_and(|action| game.follow(action).is_ok()) {
                continue;
            }
            let position = game.position();
            let name = vertex.to_string().to_ascii_lowercase();
            let hint = if game.moves().is_empty() { "; is it a game of another --size?" } else { "" };
            let problem = super::illegal(position, game.moves().len() + 1, position.side(), &name) + hint;
            fault = Some(self.fault(number, Some(column), problem));
            break;
        }
        let unreadable = |reader: &Self| -> Option<Fault> {
            let (column, problem) = problem(list.error.as_ref()?);
            Some(reader.fault(number, column, problem))
        };
        let fault = fault.or_else(|| unreadable(self));
        self.open_list = Some(if fault.is_some() { OpenList::Skipped } else { OpenList::Game(at) });
        let input = &mut self.contents.games[at];
        (input.record, input.game, input.fault) = (notation::record(&game), game, fault);
    }
}

/// Whether a line is more like a position than like moves, which begin with a square or a number.
fn is_position(line: &str) -> bool {
    let mut symbols = line.chars().filter(|c| !c.is_whitespace());
    match (symbols.next(), symbols.next()) {
        (Some('B' | 'b' | 'W' | 'w'), Some(second)) => "-._XxOo0*BbWw".contains(second),
        (Some(first), _) => "-._XxOo0*".contains(first),
        (None, _) => false,
    }
}
