//! The position: `position`, `d`, `go perft`.

use std::fmt::Write as _;
use std::io::{self, Write};

use ollehto_protocol::uci::Start;

use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::notation::uci::{Counters, Variant, legal_moves, move_name, read_move};

use super::Uci;

impl<W: Write> Uci<W> {
    /// The first position of the variant.
    pub(super) fn begin_game(&mut self) {
        let Variant { rules, size, .. } = self.options.variant;
        self.session.set_rules(rules);
        self.session.restart(size);
        self.counters = Counters::start(size);
        self.passes = 0;
    }

    /// A position that cannot be read changes nothing. Moves count up to the first illegal one.
    pub(super) fn set_position(&mut self, start: &Start, moves: &[String]) -> io::Result<()> {
        match start {
            Start::Startpos => self.begin_game(),
            Start::Fen(fen) => match Counters::read(fen) {
                Ok((position, counters)) => {
                    self.session.game = Game::from_position(self.session.game.rules(), position);
                    (self.counters, self.passes) = (counters, 0);
                }
                Err(error) => return self.tell(format!("position: {error}")),
            },
        }
        for (number, text) in (1..).zip(moves) {
            let action = read_move(text, self.session.game.position().size());
            if !action.is_some_and(|action| self.play(action)) {
                return self.tell(format!(
                    "position: move {number}, {text}, is illegal here; it and those after it are ignored"
                ));
            }
        }
        Ok(())
    }

    /// Plays a legal move; a forced pass before it may be left out.
    fn play(&mut self, action: Move) -> bool {
        if action != Move::Pass && self.session.game.position().must_pass() {
            return self.play(Move::Pass) && self.play(action);
        }
        let position = *self.session.game.position();
        if !legal_moves(&position, self.passes).contains(&action) {
            return false;
        }
        let played = self.session.game.play(position.side(), action);
        debug_assert!(played.is_ok(), "it is legal");
        self.counters = self.counters.after(position.side(), action);
        self.passes = if action == Move::Pass { self.passes + 1 } else { 0 };
        true
    }

    /// The names of the moves that may be made.
    pub(super) fn move_names(&self) -> Vec<String> {
        let position = self.session.game.position();
        let moves = legal_moves(position, self.passes).into_iter();
        moves.map(|action| move_name(position, action)).collect()
    }

    /// In the form of Fairy-Stockfish as far as programs read it.
    pub(super) fn show_board(&mut self) -> io::Result<()> {
        let position = self.session.game.position();
        let mut text = diagram(position);
        let _ = writeln!(text, "\nFen: {}", self.counters.fen(position));
        let _ = writeln!(text, "Rules: {}", self.session.game.rules());
        let _ = writeln!(text, "Moves: {}", self.move_names().join(" "));
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    /// Each move with the number of leaves below it, and their sum.
    pub(super) fn show_perft(&mut self, depth: u32) -> io::Result<()> {
        let position = *self.session.game.position();
        let mut sum = 0;
        for action in legal_moves(&position, self.passes).into_iter().filter(|_| depth > 0) {
            let leaves = leaves_after(&position, action, self.passes, depth - 1);
            sum += leaves;
            writeln!(self.output, "{}: {leaves}", move_name(&position, action))?;
        }
        writeln!(self.output, "\nNodes searched: {sum}\n")?;
        self.output.flush()
    }
}

fn leaves_after(position: &Position, action: Move, passes: u32, depth: u32) -> u64 {
    let passes = if action == Move::Pass { passes + 1 } else { 0 };
    let Some(next) = position.play(action).filter(|_| depth > 0) else { return 1 };
    legal_moves(&next, passes).into_iter().map(|reply| leaves_after(&next, reply, passes, depth - 1)).sum()
}

/// With the highest rank, Othello's first row, at the top.
fn diagram(position: &Position) -> String {
    let size = position.size();
    let mut text = String::new();
    for row in 0..size.side() {
        let cell = |column| match size.square(column, row) {
            Some(square) if position.discs(Color::Black).contains(square) => "P",
            Some(square) if position.discs(Color::White).contains(square) => "p",
            _ => ".",
        };
        let cells: Vec<_> = (0..size.side()).map(cell).collect();
        let _ = writeln!(text, "{} {}", size.side() - row, cells.join(" "));
    }
    let files: Vec<String> = (0..size.side()).map(|file| char::from(b'a' + file).to_string()).collect();
    let _ = writeln!(text, "  {}", files.join(" "));
    text
}
