//! The config of an engine that speaks GTP.

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
    ANSWER_TIMEOUT, EngineConnection, EngineUnderTest, MAX_STRAY_LINES, MOVE_TIMEOUT, STARTUP_TIMEOUT,
    StepFailure, fail, games, skip,
};
use framing::{FormatError, FormatErrorKind, judge_single_line, read_first_line, read_further_line};

pub(super) use steps::STEPS;

/// An engine under config.
pub(super) struct GtpTester {
    engine: EngineConnection,
    known: BTreeSet<String>,
    /// Everything that was wrong about the form of its answers so far.
    format_errors: Vec<FormatError>,
    /// How long the very first answer took.
    first_answer: Option<Duration>,
}

impl EngineUnderTest for GtpTester {
    fn stop_engine(&mut self) {
        self.engine.stop_engine();
    }
}

/// An answer.
struct GtpResponse {
    is_error: bool,
    text: String,
    /// How long it took.
    after: Duration,
}

impl GtpTester {
    pub(super) fn new(engine: EngineConnection) -> Self {
        Self { engine, known: BTreeSet::new(), format_errors: Vec::new(), first_answer: None }
    }

    fn knows(&self, command: &str) -> bool {
        self.known.contains(command)
    }

    /// Skips a step if a command is missing that need not be there.
    fn needs(&self, commands: &[&str]) -> Result<(), StepFailure> {
        match commands.iter().find(|command| !self.knows(command)) {
            Some(missing) => skip(format!("{missing} is not listed")),
            None => Ok(()),
        }
    }

    /// Reads the next answer, which must have this id and come within this time and the margin. What is wrong about its
    /// form is kept for later.
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
                self.format_errors.push(FormatError::new(FormatErrorKind::Ascii, &line, "is not ASCII"));
            }
            if is_error.is_none() && !line.starts_with(['=', '?']) {
                self.format_errors.push(FormatError::new(
                    FormatErrorKind::Stray,
                    &line,
                    "stands outside of any answer",
                ));
            } else if is_error.is_none() {
                is_error = Some(line.starts_with('?'));
                lines.push(read_first_line(&line, id, &mut self.format_errors));
                first = line;
            } else if line.trim().is_empty() {
                read_further_line(&line, &mut self.format_errors);
                if lines.len() == 1 {
                    judge_single_line(&first, &mut self.format_errors);
                }
                let after = arrived.saturating_duration_since(start);
                return Ok(GtpResponse { is_error: is_error == Some(true), text: lines.join("\n"), after });
            } else {
                lines.push(read_further_line(&line, &mut self.format_errors));
            }
        }
        fail("talks without end")
    }

    /// Sends a command and reads the answer.
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

    /// Sends a command that must be accepted: the text of the answer.
    fn accepted(&mut self, command: &str) -> Result<String, StepFailure> {
        match self.ask(command)? {
            GtpResponse { is_error: false, text, .. } => Ok(text),
            GtpResponse { text, .. } => fail(format!("{command} is refused: {}", shortened(&text))),
        }
    }

    /// Sends a command that must be accepted without a word.
    fn done(&mut self, command: &str) -> Result<(), StepFailure> {
        let text = self.accepted(command)?;
        if text.is_empty() {
            Ok(())
        } else {
            fail(format!("{command} is answered with '{}', not with nothing", shortened(&text)))
        }
    }

    /// Sends a command that must be answered with exactly this text.
    fn exactly(&mut self, command: &str, expected: &str) -> Result<(), StepFailure> {
        let text = self.accepted(command)?;
        if text == expected {
            Ok(())
        } else {
            fail(format!("{command} says '{}', not '{}'", shortened(&text), shortened(expected)))
        }
    }

    /// Sends a command that must be refused.
    fn refused(&mut self, command: &str) -> Result<(), StepFailure> {
        match self.ask(command)? {
            GtpResponse { is_error: true, .. } => Ok(()),
            GtpResponse { text, .. } => fail(format!("{command} is accepted: '{}'", shortened(&text))),
        }
    }

    /// Sets up the start position, with a hurry if it can be told to.
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

    /// Brings the engine to the end of a game. Engines that take no passes are not told of them: other steps are about
    /// that.
    fn replay(&mut self, game: &Game) -> Result<(), StepFailure> {
        self.begin()?;
        for (color, action) in game.moves() {
            self.tell(color, action)?;
        }
        Ok(())
    }

    fn tell(&mut self, color: Color, action: Move) -> Result<(), StepFailure> {
        let command = format!("play {} {}", games::color(color), games::name(action));
        if action == Move::Pass { self.ask(&command).map(drop) } else { self.accepted(&command).map(drop) }
    }

    /// How long a move may stay out.
    fn thought(&self) -> Duration {
        if self.knows("time_settings") { self.engine.config.time + ANSWER_TIMEOUT } else { MOVE_TIMEOUT }
    }

    /// Asks for a move of the side to move, checks and plays it; tells how long it took.
    fn genmove(&mut self, game: &mut Game) -> Result<(Move, Duration), StepFailure> {
        let command = format!("genmove {}", games::color(game.position().side()));
        let answer = self.ask_within(&command, self.thought())?;
        let action = judge_move(&command, &answer, game)?;
        game.follow(action).map_err(|error| StepFailure::Fail(format!("{command}: {error}")))?;
        Ok((action, answer.after))
    }
}

/// The legal move that an answer names.
fn judge_move(command: &str, answer: &GtpResponse, game: &Game) -> Result<Move, StepFailure> {
    let text = shortened(&answer.text);
    if answer.is_error {
        return fail(format!("{command} is refused: {text}"));
    }
    let Some(action) = games::read(&answer.text) else {
        return fail(format!("{command} says '{text}', which is no move"));
    };
    if game.position().play(action).is_none() {
        return fail(format!("{command} says '{text}', which is illegal"));
    }
    Ok(action)
}
