//! The config of an engine that speaks NBoard's protocol.

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
    ANSWER_TIMEOUT, EngineConnection, EngineUnderTest, MAX_STRAY_LINES, MOVE_TIMEOUT, STARTUP_TIMEOUT,
    StepFailure, fail, games,
};
use line::{MoveLine, is_of_a_request, problem_of};

pub(super) use steps::STEPS;

/// How deep an engine is told to look where its strength does not matter.
const SHALLOW: &str = "set depth 4";

/// A depth that takes any engine long.
const DEEP: &str = "set depth 60";

/// No clock at all.
const NO_CLOCK: &str = "0//0";

/// An engine under config.
pub(super) struct NBoardTester {
    engine: EngineConnection,
    pings: u32,
    /// Lines that NBoard cannot read.
    malformed: Vec<String>,
    /// Lines with other characters than ASCII.
    foreign: Vec<String>,
    /// What it wants to be called.
    name: Option<String>,
    /// The last line that it was sent, apart from pings.
    said: String,
    /// Whether it gives hints, once it was asked for any.
    gives_hints: Option<bool>,
}

impl EngineUnderTest for NBoardTester {
    fn stop_engine(&mut self) {
        self.engine.stop_engine();
    }
}

impl NBoardTester {
    pub(super) fn new(engine: EngineConnection) -> Self {
        Self {
            engine,
            pings: 0,
            malformed: Vec::new(),
            foreign: Vec::new(),
            name: None,
            said: String::new(),
            gives_hints: None,
        }
    }

    /// Sends a line, before all others the one that NBoard itself begins with.
    fn send(&mut self, line: &str) -> Result<(), StepFailure> {
        if !self.engine.is_running() {
            self.engine.send("nboard 2")?;
            self.ping_within(STARTUP_TIMEOUT)?;
        }
        line.clone_into(&mut self.said);
        self.engine.send(line)
    }

    /// The next line if one comes before a moment. What is wrong about its form is kept for later.
    fn next_line(&mut self, until: Timestamp) -> Result<Option<String>, StepFailure> {
        let heard = self.engine.receive_any(until).map_err(|failure| match failure {
            StepFailure::Fail(detail) => {
                StepFailure::Fail(format!("{detail} after '{}'", shortened(&self.said)))
            }
            other => other,
        })?;
        let Some(heard) = heard else { return Ok(None) };
        let line = String::from_utf8_lossy(&heard.text).trim_end().to_owned();
        if !line.is_ascii() {
            self.foreign.push(shortened(&line));
        }
        if let Some(problem) = problem_of(&line) {
            self.malformed.push(format!("'{}' {problem}", shortened(&line)));
        }
        if let Some(name) = line.strip_prefix("set myname ") {
            self.name = Some(name.to_owned());
        }
        Ok(Some(line))
    }

    /// Waits for a line, for this time and the margin: those that came before it, and itself.
    fn await_line(
        &mut self,
        timeout: Duration,
        what: &str,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<(Vec<String>, String), StepFailure> {
        let timeout = self.engine.within(timeout);
        let until = Timestamp::now() + timeout;
        let mut before = Vec::new();
        for _ in 0..MAX_STRAY_LINES {
            match self.next_line(until)? {
                Some(line) if wanted(&line) => return Ok((before, line)),
                Some(line) => before.push(line),
                None => return fail(format!("no {what} within {:.1} s", timeout.as_secs_f64())),
            }
        }
        fail(format!("talks without end instead of {what}"))
    }

    /// Waits until everything sent before is worked off: the lines that came meanwhile.
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

    /// Sends a line that must bring nothing, then checks that the engine is still there.
    fn silent(&mut self, line: &str) -> Result<(), StepFailure> {
        self.send(line)?;
        match self.ping()?.into_iter().find(|line| !is_about_itself(line)) {
            Some(said) => fail(format!("'{}' is answered with '{}'", shortened(line), shortened(&said))),
            None => Ok(()),
        }
    }

    /// Fails if anything of a request comes within a time in which nothing was asked.
    fn nothing_comes(&mut self, time: Duration, after: &str) -> Result<(), StepFailure> {
        let until = Timestamp::now() + time;
        while let Some(line) = self.next_line(until)? {
            if is_of_a_request(&line) {
                return fail(format!("'{}' comes after {after}", shortened(&line)));
            }
        }
        Ok(())
    }

    /// Tells a game and a depth, and waits until they are taken in.
    fn set_game(&mut self, game: &Game, depth: &str) -> Result<(), StepFailure> {
        self.send(&format!("set game {}", game_text(game, NO_CLOCK)))?;
        self.send(depth)?;
        self.ping().map(drop)
    }

    /// Asks for a move, which must be legal in the game: the move, the answer and how long it took.
    fn go(&mut self, game: &Game) -> Result<(Move, MoveLine, Duration), StepFailure> {
        let start = Timestamp::now();
        self.send("go")?;
        let (_, line) = self.await_line(MOVE_TIMEOUT, "answer to go", |line| line.starts_with("==="))?;
        let after = start.elapsed();
        let Ok(answer) = MoveLine::read(&line) else {
            return fail(format!("go is answered with '{}', which is no move", shortened(&line)));
        };
        if game.position().play(answer.action).is_none() {
            let text = notation::position_text(game.position());
            return fail(format!("go is answered with '{}', which is illegal in {text}", shortened(&line)));
        }
        Ok((answer.action, answer, after))
    }
}

/// Whether a line is about the engine as such: NBoard takes it at any time.
fn is_about_itself(line: &str) -> bool {
    line.is_empty() || line.starts_with("set myname ") || line == "status" || line.starts_with("status ")
}

/// A move in a game text.
fn short_name(action: Move) -> String {
    match action {
        Move::Place(square) => square.to_string(),
        Move::Pass => "PA".into(),
    }
}

/// The game as NBoard sends it.
fn game_text(game: &Game, clock: &str) -> String {
    game_text_with(game, clock, |_, name| name)
}

/// The game as NBoard sends it, with notes to its moves.
fn game_text_with(game: &Game, clock: &str, note: impl Fn(usize, String) -> String) -> String {
    let kind = if game.rules() == Rules::Reversed { "8a" } else { "8" };
    let position = notation::position_text(&game.first_position()).to_string().replace('X', "*");
    let moves: String = game
        .moves()
        .into_iter()
        .enumerate()
        .map(|(number, (color, action))| {
            let letter = games::color(color)[..1].to_uppercase();
            format!("{letter}[{}]", note(number, short_name(action)))
        })
        .collect();
    format!(
        "(;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[human]PW[engine]RE[?]TI[{clock}]TY[{kind}]\
         BO[8 {position}]{moves};)"
    )
}
