//! Compliance of an NBoard engine.

mod commands;
mod hints;
mod line;
mod play;
mod steps;

use std::time::Duration;

use crate::arena::process::shortened;
use crate::board::Move;
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::{
    ANSWER_TIMEOUT, EngineConnection, LineTester, MOVE_TIMEOUT, STARTUP_TIMEOUT, StepFailure, Tester, fail,
    games,
};
use line::{MoveLine, answers_a_request, format_problem};

pub(super) use steps::STEPS;

const SHALLOW: &str = "set depth 4";

/// A long search for any engine.
const DEEP: &str = "set depth 60";

const NO_CLOCK: &str = "0//0";

pub(super) struct NBoardTester {
    engine: EngineConnection,
    pings: u32,
    /// Lines that NBoard cannot parse.
    malformed: Vec<String>,
    non_ascii: Vec<String>,
    /// From `set myname`.
    name: Option<String>,
    /// The last line sent, apart from pings.
    last_sent: String,
    /// Known after the first request.
    gives_hints: Option<bool>,
}

impl Tester for NBoardTester {
    fn engine(&mut self) -> &mut EngineConnection {
        &mut self.engine
    }
}

impl LineTester for NBoardTester {
    /// The next line, or none at the timeout. Records format errors.
    fn next_line(&mut self, until: Timestamp) -> Result<Option<String>, StepFailure> {
        let heard = self.engine.receive_any(until).map_err(|failure| match failure {
            StepFailure::Fail(detail) => {
                StepFailure::Fail(format!("{detail} after '{}'", shortened(&self.last_sent)))
            }
            other => other,
        })?;
        let Some(heard) = heard else { return Ok(None) };
        let line = String::from_utf8_lossy(&heard.text).trim_end().to_owned();
        if !line.is_ascii() {
            self.non_ascii.push(shortened(&line));
        }
        if let Some(problem) = format_problem(&line) {
            self.malformed.push(format!("'{}' {problem}", shortened(&line)));
        }
        if let Some(name) = line.strip_prefix("set myname ") {
            self.name = Some(name.to_owned());
        }
        Ok(Some(line))
    }
}

impl NBoardTester {
    pub(super) fn new(engine: EngineConnection) -> Self {
        Self {
            engine,
            pings: 0,
            malformed: Vec::new(),
            non_ascii: Vec::new(),
            name: None,
            last_sent: String::new(),
            gives_hints: None,
        }
    }

    /// Sends a line; a new process gets `nboard 2` first, as from NBoard.
    fn send(&mut self, line: &str) -> Result<(), StepFailure> {
        if !self.engine.is_running() {
            self.engine.send("nboard 2")?;
            self.ping_within(STARTUP_TIMEOUT)?;
        }
        line.clone_into(&mut self.last_sent);
        self.engine.send(line)
    }

    /// Waits until everything sent before is processed. Returns the lines that came meanwhile.
    fn ping_within(&mut self, timeout: Duration) -> Result<Vec<String>, StepFailure> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        let ping = format!("ping {}", self.pings);
        self.engine.send(&ping)?;
        Ok(self.await_line(timeout, &pong, |line| line == pong)?.0)
    }

    fn ping(&mut self) -> Result<Vec<String>, StepFailure> {
        self.ping_within(ANSWER_TIMEOUT)
    }

    /// Sends a line that must not be answered.
    fn silent(&mut self, line: &str) -> Result<(), StepFailure> {
        self.send(line)?;
        match self.ping()?.into_iter().find(|line| !is_status(line)) {
            Some(said) => fail(format!("'{}' is answered with '{}'", shortened(line), shortened(&said))),
            None => Ok(()),
        }
    }

    /// Fails if an answer comes within a time without a request.
    fn nothing_comes(&mut self, time: Duration, after: &str) -> Result<(), StepFailure> {
        self.none_comes(time, answers_a_request, after)
    }

    /// Sends a game and a depth, and waits until they are processed.
    fn set_game(&mut self, game: &Game, depth: &str) -> Result<(), StepFailure> {
        self.send(&format!("set game {}", game_text(game, NO_CLOCK)))?;
        self.send(depth)?;
        self.ping().map(drop)
    }

    /// Asks for a move, which must be legal in the game. Returns it with its line and time.
    fn go(&mut self, game: &Game) -> Result<(Move, MoveLine, Duration), StepFailure> {
        let start = Timestamp::now();
        self.send("go")?;
        let (_, line) = self.await_line(MOVE_TIMEOUT, "answer to go", |line| line.starts_with("==="))?;
        let after = start.elapsed();
        let Ok(answer) = MoveLine::parse(&line) else {
            return fail(format!("go is answered with '{}', which is not a move", shortened(&line)));
        };
        if game.position().play(answer.action).is_none() {
            let text = notation::position_text(game.position());
            return fail(format!("go is answered with '{}', which is illegal in {text}", shortened(&line)));
        }
        Ok((answer.action, answer, after))
    }
}

/// Name and status, which NBoard takes at any time.
fn is_status(line: &str) -> bool {
    line.is_empty() || line.starts_with("set myname ") || line == "status" || line.starts_with("status ")
}

fn ggf_move(action: Move) -> String {
    match action {
        Move::Place(square) => square.to_string(),
        Move::Pass => "PA".into(),
    }
}

/// GGF as NBoard sends it.
fn game_text(game: &Game, clock: &str) -> String {
    game_text_with(game, clock, |_, name| name)
}

fn game_text_with(game: &Game, clock: &str, note: impl Fn(usize, String) -> String) -> String {
    let kind = if game.rules() == Rules::Reversed { "8a" } else { "8" };
    let position = notation::position_text(&game.first_position()).to_string().replace('X', "*");
    let moves: String = game
        .moves()
        .into_iter()
        .enumerate()
        .map(|(number, (color, action))| {
            let letter = games::color(color)[..1].to_uppercase();
            format!("{letter}[{}]", note(number, ggf_move(action)))
        })
        .collect();
    format!(
        "(;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[human]PW[engine]RE[?]TI[{clock}]TY[{kind}]\
         BO[8 {position}]{moves};)"
    )
}
