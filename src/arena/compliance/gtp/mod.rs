//! Compliance of a GTP engine.

mod commands;
mod framing;
mod gogui;
mod play;
mod steps;

use std::collections::BTreeSet;
use std::time::Duration;

use crate::arena::process::{ReceivedLine, shortened};
use crate::board::{Color, Move};
use crate::game::Game;
use crate::time_source::Timestamp;

use super::{
    ANSWER_TIMEOUT, EngineConnection, MAX_STRAY_LINES, MOVE_TIMEOUT, STARTUP_TIMEOUT, StepFailure, Tester,
    fail, games, skip,
};
use framing::{FramingError, FramingErrorKind, check_single_line, read_first_line, read_further_line};

pub(super) use steps::STEPS;

pub(super) struct GtpTester {
    engine: EngineConnection,
    known: BTreeSet<String>,
    /// Of all answers so far.
    framing_errors: Vec<FramingError>,
    /// The time of the first answer.
    first_answer: Option<Duration>,
}

impl Tester for GtpTester {
    fn engine(&mut self) -> &mut EngineConnection {
        &mut self.engine
    }
}

struct GtpResponse {
    is_error: bool,
    text: String,
    after: Duration,
}

impl GtpTester {
    pub(super) fn new(engine: EngineConnection) -> Self {
        Self { engine, known: BTreeSet::new(), framing_errors: Vec::new(), first_answer: None }
    }

    fn knows(&self, command: &str) -> bool {
        self.known.contains(command)
    }

    /// Skips the step if an optional command is missing.
    fn needs(&self, commands: &[&str]) -> Result<(), StepFailure> {
        match commands.iter().find(|command| !self.knows(command)) {
            Some(missing) => skip(format!("{missing} is not listed")),
            None => Ok(()),
        }
    }

    /// Reads the next answer within the time and the margin, and records its format errors.
    fn answer(&mut self, id: &str, timeout: Duration) -> Result<GtpResponse, StepFailure> {
        let start = Timestamp::now();
        let until = start + self.engine.within(timeout);
        let mut lines = Vec::new();
        let mut is_error = None;
        let mut first = String::new();
        for _ in 0..MAX_STRAY_LINES {
            let ReceivedLine { text, arrived } = self.engine.receive(until)?;
            let line = String::from_utf8_lossy(&text).into_owned();
            if !line.is_ascii() {
                self.framing_errors.push(FramingError::new(FramingErrorKind::Ascii, &line, "is not ASCII"));
            }
            if is_error.is_none() && !line.starts_with(['=', '?']) {
                self.framing_errors.push(FramingError::new(
                    FramingErrorKind::Stray,
                    &line,
                    "is outside of any answer",
                ));
            } else if is_error.is_none() {
                is_error = Some(line.starts_with('?'));
                lines.push(read_first_line(&line, id, &mut self.framing_errors));
                first = line;
            } else if line.trim().is_empty() {
                read_further_line(&line, &mut self.framing_errors);
                if lines.len() == 1 {
                    check_single_line(&first, &mut self.framing_errors);
                }
                let after = arrived.saturating_duration_since(start);
                return Ok(GtpResponse { is_error: is_error == Some(true), text: lines.join("\n"), after });
            } else {
                lines.push(read_further_line(&line, &mut self.framing_errors));
            }
        }
        fail("never stops writing")
    }

    fn ask_within(&mut self, command: &str, timeout: Duration) -> Result<GtpResponse, StepFailure> {
        let timeout = if self.engine.is_running() { timeout } else { timeout.max(STARTUP_TIMEOUT) };
        self.engine.send(command)?;
        let answer = self.answer("", timeout);
        answer.map_err(|failure| match failure {
            StepFailure::Fail(detail) => StepFailure::Fail(format!("{}: {detail}", shortened(command))),
            other => other,
        })
    }

    fn ask(&mut self, command: &str) -> Result<GtpResponse, StepFailure> {
        self.ask_within(command, ANSWER_TIMEOUT)
    }

    /// Sends a command that must succeed, and returns the text of the answer.
    fn accepted(&mut self, command: &str) -> Result<String, StepFailure> {
        match self.ask(command)? {
            GtpResponse { is_error: false, text, .. } => Ok(text),
            GtpResponse { text, .. } => fail(format!("{command} is refused: {}", shortened(&text))),
        }
    }

    /// Sends a command that must succeed with an empty answer.
    fn done(&mut self, command: &str) -> Result<(), StepFailure> {
        let text = self.accepted(command)?;
        if text.is_empty() {
            Ok(())
        } else {
            fail(format!("{command} is answered with '{}', not with an empty answer", shortened(&text)))
        }
    }

    fn exactly(&mut self, command: &str, expected: &str) -> Result<(), StepFailure> {
        let text = self.accepted(command)?;
        if text == expected {
            Ok(())
        } else {
            fail(format!("{command} says '{}', not '{}'", shortened(&text), shortened(expected)))
        }
    }

    fn refused(&mut self, command: &str) -> Result<(), StepFailure> {
        match self.ask(command)? {
            GtpResponse { is_error: true, .. } => Ok(()),
            GtpResponse { text, .. } => fail(format!("{command} is accepted: '{}'", shortened(&text))),
        }
    }

    /// Sets up the start position and the time per move.
    fn begin(&mut self) -> Result<Game, StepFailure> {
        self.accepted("boardsize 8")?;
        if self.knows("rules") {
            let rules = self.engine.rules();
            self.accepted(&format!("rules {rules}"))?;
        }
        self.accepted("clear_board")?;
        if self.knows("time_settings") {
            let seconds = self.engine.seconds();
            self.accepted(&format!("time_settings 0 {seconds} 1"))?;
        }
        Ok(games::start(self.engine.rules()))
    }

    /// Replays a game on the engine. Refused passes are ignored: other steps test them.
    fn replay(&mut self, game: &Game) -> Result<(), StepFailure> {
        self.begin()?;
        for (color, action) in game.moves() {
            self.send_move(color, action)?;
        }
        Ok(())
    }

    fn send_move(&mut self, color: Color, action: Move) -> Result<(), StepFailure> {
        let command = format!("play {} {}", games::color(color), games::name(action));
        if action == Move::Pass { self.ask(&command).map(drop) } else { self.accepted(&command).map(drop) }
    }

    fn move_timeout(&self) -> Duration {
        if self.knows("time_settings") { self.engine.config.time + ANSWER_TIMEOUT } else { MOVE_TIMEOUT }
    }

    /// Asks for a move, checks and plays it; returns it with its time.
    fn genmove(&mut self, game: &mut Game) -> Result<(Move, Duration), StepFailure> {
        let command = format!("genmove {}", games::color(game.position().side()));
        let answer = self.ask_within(&command, self.move_timeout())?;
        let action = check_move(&command, &answer, game)?;
        game.follow(action).map_err(|error| StepFailure::Fail(format!("{command}: {error}")))?;
        Ok((action, answer.after))
    }
}

/// The move of an answer, which must be legal.
fn check_move(command: &str, answer: &GtpResponse, game: &Game) -> Result<Move, StepFailure> {
    let text = shortened(&answer.text);
    if answer.is_error {
        return fail(format!("{command} is refused: {text}"));
    }
    let Some(action) = games::parse_move(&answer.text) else {
        return fail(format!("{command} says '{text}', which is not a move"));
    };
    if game.position().play(action).is_none() {
        return fail(format!("{command} says '{text}', which is illegal"));
    }
    Ok(action)
}
