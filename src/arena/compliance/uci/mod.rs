//! Compliance of a UCI engine.

mod commands;
mod play;
mod searches;
mod steps;

use std::time::Duration;

use crate::arena::process::shortened;
use crate::arena::uci_player::{UciOptions, position_command};
use crate::board::{Move, Size};
use crate::game::Game;
use crate::notation;
use crate::notation::uci::{move_name, read_move};
use crate::time_source::Timestamp;

use super::{
    ANSWER_TIMEOUT, EngineConnection, LineTester, MOVE_TIMEOUT, STARTUP_TIMEOUT, StepFailure, Tester, fail,
};

pub(super) use steps::STEPS;

pub(super) struct UciTester {
    engine: EngineConnection,
    options: UciOptions,
    /// The name of the game of the test, once it is known.
    variant: Option<&'static str>,
    non_ascii: Vec<String>,
}

/// What came after a `go`.
struct Found {
    action: Move,
    /// All lines before `bestmove`.
    before: Vec<String>,
    after: Duration,
}

impl Tester for UciTester {
    fn engine(&mut self) -> &mut EngineConnection {
        &mut self.engine
    }
}

impl LineTester for UciTester {
    /// The next line, or none at the timeout.
    fn next_line(&mut self, until: Timestamp) -> Result<Option<String>, StepFailure> {
        let Some(heard) = self.engine.receive_any(until)? else { return Ok(None) };
        let line = String::from_utf8_lossy(&heard.text).trim_end().to_owned();
        if !line.is_ascii() {
            self.non_ascii.push(shortened(&line));
        }
        Ok(Some(line))
    }
}

impl UciTester {
    pub(super) fn new(engine: EngineConnection) -> Self {
        Self { engine, options: UciOptions::default(), variant: None, non_ascii: Vec::new() }
    }

    /// Sends a line. A new process is first told the protocol and the game.
    fn send(&mut self, line: &str) -> Result<(), StepFailure> {
        if !self.engine.is_running() {
            self.introduce()?;
            if let Some(name) = self.variant {
                self.engine.send(&format!("setoption name UCI_Variant value {name}"))?;
            }
        }
        self.engine.send(line)
    }

    /// Sends `uci` and takes the options.
    fn introduce(&mut self) -> Result<Vec<String>, StepFailure> {
        self.engine.send("uci")?;
        let (lines, _) = self.await_line(STARTUP_TIMEOUT, "uciok", |line| line == "uciok")?;
        self.options = UciOptions::default();
        lines.iter().for_each(|line| self.options.add(line));
        Ok(lines)
    }

    /// Waits until everything sent before is processed. Returns the lines that came meanwhile.
    fn synchronize(&mut self) -> Result<Vec<String>, StepFailure> {
        self.send("isready")?;
        Ok(self.await_line(ANSWER_TIMEOUT, "readyok", |line| line == "readyok")?.0)
    }

    /// Asks for a move in a game, which must be legal.
    fn go(&mut self, game: &Game, limits: &str) -> Result<Found, StepFailure> {
        self.send(&position_command(game))?;
        let start = Timestamp::now();
        self.send(&format!("go {limits}"))?;
        self.await_move(game, MOVE_TIMEOUT, start)
    }

    fn await_move(&mut self, game: &Game, timeout: Duration, start: Timestamp) -> Result<Found, StepFailure> {
        let (before, line) = self.await_line(timeout, "bestmove", is_best_move)?;
        let after = start.elapsed();
        let text = line.split_whitespace().nth(1).unwrap_or_default();
        let position = game.position();
        let Some(action) = read_move(text, Size::Eight) else {
            return fail(format!("'{}' names no move", shortened(&line)));
        };
        if position.play(action).is_none() || move_name(position, action) != text {
            let at = notation::position_text(position);
            return fail(format!("'{}' is illegal in {at}", shortened(&line)));
        }
        Ok(Found { action, before, after })
    }

    /// Fails if a move comes within a time.
    fn no_move_comes(&mut self, time: Duration, after: &str) -> Result<(), StepFailure> {
        self.none_comes(time, is_best_move, after)
    }
}

fn is_best_move(line: &str) -> bool {
    line.split(' ').next() == Some("bestmove")
}
