//! The game as lines of text: for pipes, scripts and terminals that cannot draw. The engine answers a move before the next
//! line is read, so that a script plays the same game whatever its speed.

use std::io::{self, Write};
use std::time::Duration;

use crossbeam_channel::{Receiver, never};

use crate::board::Color;
use crate::stdio::Input;
use crate::time_source::Timestamp;

use super::command::{COMMANDS, Command, CommandError, parse};
use super::controller::{Controller, Wake};
use super::notice::{Notice, Problem};
use super::settings::goal;
use super::state::Turn;
use super::{PlayEnd, PlayError, words};

pub struct Plain<W> {
    controller: Controller,
    output: W,
    /// Whether a person sees the prompt.
    prompts: bool,
    /// The position has changed since the board was shown.
    board_is_old: bool,
    /// The player was told that the game will be lost.
    warned: bool,
    ended: Option<PlayEnd>,
}

impl<W: Write> Plain<W> {
    pub const fn new(controller: Controller, output: W, prompts: bool) -> Self {
        Self { controller, output, prompts, board_is_old: true, warned: false, ended: None }
    }

    /// Plays until the input ends or the player leaves.
    ///
    /// # Errors
    /// If the output fails or an engine panics.
    pub fn run(mut self, lines: &Receiver<Input>) -> Result<PlayEnd, PlayError> {
        self.introduce()?;
        loop {
            self.controller.advance(Timestamp::now());
            self.show_notices()?;
            if let Some(end) = self.ended {
                take_leave(&self.controller, &mut self.output)?;
                self.output.flush()?;
                return Ok(end);
            }
            if self.is_busy() {
                self.wait(&never())?;
                continue;
            }
            if std::mem::take(&mut self.board_is_old) {
                self.show_board()?;
            }
            if self.prompts {
                write!(self.output, "> ")?;
            }
            self.output.flush()?;
            // Until there is something to do; meanwhile a flag may fall.
            while !self.wait(lines)? {
                self.controller.advance(Timestamp::now());
                self.show_notices()?;
            }
        }
    }

    /// Whether an engine works whose answer comes before the next line.
    fn is_busy(&self) -> bool {
        self.controller.engine_moves()
            || self.controller.opponent().is_thinking()
            || self.controller.adviser().is_busy()
    }

    /// Returns whether something has come that the loop must see to.
    fn wait(&mut self, lines: &Receiver<Input>) -> Result<bool, PlayError> {
        /// How late a flag may fall.
        const TICK: Duration = Duration::from_millis(200);
        match self.controller.wait(lines, TICK)? {
            Wake::Input(Input::Line { text, .. }) => self.line(&String::from_utf8_lossy(&text))?,
            Wake::Input(Input::Overlong { .. }) => {
                self.controller.report(Problem::Command(CommandError::Unknown("a very long line".into())));
            }
            Wake::Input(Input::End) | Wake::InputEnded => self.ended = Some(PlayEnd::Left),
            Wake::Interrupted => self.ended = Some(PlayEnd::Interrupted),
            Wake::Other => return Ok(self.is_busy() || self.board_is_old),
        }
        Ok(true)
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        match parse(line) {
            Ok(None) => {}
            Ok(Some(Command::Help)) => self.help()?,
            Ok(Some(Command::Board)) => self.board_is_old = true,
            Ok(Some(Command::Quit)) => self.quit()?,
            Ok(Some(command)) => self.controller.execute(command, Timestamp::now()),
            Err(error) => self.controller.report(Problem::Command(error)),
        }
        Ok(())
    }

    fn quit(&mut self) -> io::Result<()> {
        if self.controller.would_lose_game() && !std::mem::replace(&mut self.warned, true) {
            return writeln!(
                self.output,
                "This game is not on disk: save FILE keeps it, quit again loses it."
            );
        }
        self.ended = Some(PlayEnd::Left);
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        let settings = self.controller.state().settings();
        let side = settings.size.side();
        writeln!(
            self.output,
            "Ollehto on {side}x{side}, {} rules: {}.",
            settings.rules,
            goal(settings.rules)
        )?;
        let [black, white] = [Color::Black, Color::White].map(|color| settings.name(color));
        writeln!(self.output, "Black (X): {black}. White (O): {white}.")?;
        writeln!(self.output, "Type a square such as f5, or help.")
    }

    fn help(&mut self) -> io::Result<()> {
        for (command, meaning) in COMMANDS {
            writeln!(self.output, "{command:<26}{meaning}")?;
        }
        Ok(())
    }

    fn show_notices(&mut self) -> io::Result<()> {
        for notice in self.controller.take_notices() {
            match notice {
                Notice::Advised => self.show_advice()?,
                Notice::ReviewComplete => {
                    let review = self.controller.adviser().review().map(words::review).unwrap_or_default();
                    write!(self.output, "{review}")?;
                }
                Notice::Over(_) => {
                    self.show_board()?;
                    self.board_is_old = false;
                    writeln!(self.output, "Type review, new, undo, save FILE or quit.")?;
                }
                Notice::NewGame | Notice::Loaded(_) | Notice::Continued => {
                    writeln!(self.output, "{notice}")?;
                    self.introduce()?;
                    self.board_is_old = true;
                }
                Notice::Played { .. } | Notice::TakenBack(_) | Notice::Replayed(_) => {
                    writeln!(self.output, "{notice}")?;
                    self.board_is_old = true;
                }
                _ => writeln!(self.output, "{notice}")?,
            }
        }
        self.output.flush()
    }

    fn show_advice(&mut self) -> io::Result<()> {
        let position = self.controller.state().position();
        let Some(advice) = self.controller.adviser().advice(position) else { return Ok(()) };
        match words::value(advice) {
            _ if advice.is_hint => write!(self.output, "{}", words::hint(advice)),
            // The board comes with it.
            Some(value) if !self.board_is_old => writeln!(self.output, "Value: {value}."),
            _ => Ok(()),
        }
    }

    /// Of the position, if values are on.
    fn value(&self) -> Option<String> {
        let position = self.controller.state().position();
        let advice = self.controller.adviser().advice(position).filter(|_| self.controller.shows_values())?;
        words::value(advice)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let state = self.controller.state();
        write!(self.output, "\n{}", words::diagram(state))?;
        let count = |color| state.position().discs(color).len();
        let discs = format!("Black (X) {}, White (O) {}", count(Color::Black), count(Color::White));
        let to_move = state.position().side();
        match state.turn() {
            Turn::Over => writeln!(self.output, "{discs}. {}.", super::state::ResultInWords(state))?,
            Turn::Person(_) | Turn::Engine(_) => {
                writeln!(self.output, "{discs}: {}.", words::standing(state))?;
                let now = Timestamp::now();
                let left = |color| state.clocks().left(color, to_move, now).map(words::clock);
                if let (Some(black), Some(white)) = (left(Color::Black), left(Color::White)) {
                    writeln!(self.output, "Time: Black {black}, White {white}.")?;
                }
                if let Some(value) = self.value() {
                    writeln!(self.output, "Value: {value}.")?;
                }
                let waits = if state.is_paused() { " (the engine waits: type go)" } else { "" };
                writeln!(self.output, "{to_move} to move{waits}.")?;
            }
        }
        Ok(())
    }
}

/// Says where an unfinished game is.
pub fn take_leave(controller: &Controller, output: &mut impl Write) -> io::Result<()> {
    match controller.keeper().how_to_continue() {
        Some(how)
            if controller.state().outcome().is_none() && !controller.state().game().moves().is_empty() =>
        {
            writeln!(output, "The game is kept. Go on with: {how}")
        }
        _ => Ok(()),
    }
}
