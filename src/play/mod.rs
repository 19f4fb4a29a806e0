//! `ollehto play`: a game between people and the engine in the terminal.
//!
//! `State` is the game as the players see it, without input, output or threads. The
//! `Controller` carries out commands on it and runs the engines: one as opponent, one as adviser,
//! so that what the adviser knows does not make the opponent stronger. Two front ends drive the controller by the same
//! commands: `screen` draws on a whole terminal, `plain` reads and writes lines.

mod adviser;
mod clocks;
mod command;
mod controller;
mod keeper;
mod notice;
mod opponent;
mod plain;
mod record;
mod screen;
mod settings;
mod state;
mod strength;
#[cfg(test)]
mod tests;
mod words;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::files::output::{OutputError, Outputs};
use crate::stdio::{TrafficLog, exit_with_output, read_lines};
use crate::terminal::interrupts::Interrupts;
use crate::time_source::Timestamp;

pub use record::{Choices, LoadError};
pub use settings::{GameSettings, People, parse_clock};
pub use strength::Strength;

use adviser::Adviser;
use controller::{Controller, EngineDied, Parts};
use keeper::Keeper;
use opponent::Opponent;
use plain::Plain;
use record::Loaded;
use state::State;

/// The game to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// Chosen in a menu, where there is a screen for it.
    Menu,
    New,
    Load(PathBuf),
    Continue,
}

#[derive(Clone, Debug)]
pub struct PlayOptions {
    pub start: Start,
    pub choices: Choices,
    /// Where the games are kept, in place of the user's folder.
    pub save: Option<PathBuf>,
    /// Replace that file if it exists.
    pub force: bool,
    pub values: bool,
    pub threads: usize,
    pub seed: u64,
    /// How the game is shown.
    pub display: Display,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Display {
    Screen,
    Lines {
        /// Whether a person types them.
        prompts: bool,
    },
}

/// How the program was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayEnd {
    Left,
    Interrupted,
}

#[derive(Debug, Error)]
pub enum PlayError {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    #[error("the terminal fails: {0}; --plain needs no terminal")]
    Terminal(#[source] io::Error),
    #[error("cannot write to standard output: {0}")]
    Write(#[from] io::Error),
    #[error(
        "an engine has died of an internal error; please report it. The game is kept: ollehto play --continue"
    )]
    EngineDied,
}

impl From<EngineDied> for PlayError {
    fn from(EngineDied: EngineDied) -> Self {
        Self::EngineDied
    }
}

/// How long the value of a position may take: on the screen it deepens while people think.
const VALUE_TIME: Duration = Duration::from_secs(1);
const VALUE_TIME_ON_SCREEN: Duration = Duration::from_secs(10);
/// The least time of an answer on the screen.
const PACE: Duration = Duration::from_millis(600);

/// Plays games until the player leaves.
///
/// # Errors
/// If a file cannot be read or written, the terminal fails, or an engine panics.
pub fn run(options: &PlayOptions) -> Result<PlayEnd, PlayError> {
    // Before any thread begins, which would take the signals.
    let interrupts = Interrupts::of_terminal_and_batch().map_err(PlayError::Thread)?;
    let is_screen = options.display == Display::Screen;
    let (pace, value_time) =
        if is_screen { (PACE, VALUE_TIME_ON_SCREEN) } else { (Duration::ZERO, VALUE_TIME) };
    let mut keeper = match &options.save {
        None => Keeper::of_user(),
        Some(path) => {
            Outputs::new(options.force).claim(path.as_path())?;
            Keeper::in_file(path.clone())
        }
    };
    let now = Timestamp::now();
    let Loaded { state, fault } = match &options.start {
        Start::Menu | Start::New => {
            Loaded { state: State::new(options.choices.or(&GameSettings::default()), now), fault: None }
        }
        Start::Load(path) => record::load(path, &options.choices, &GameSettings::default(), now)?,
        Start::Continue => keeper.continue_last(&options.choices, now)?,
    };
    let parts = Parts {
        opponent: Opponent::start(options.threads, options.seed, pace).map_err(PlayError::Thread)?,
        adviser: Adviser::start(options.threads, value_time).map_err(PlayError::Thread)?,
        keeper,
        interrupts,
        shows_values: options.values,
    };
    let mut controller = Controller::new(state, parts);
    controller.note_fault(fault);
    match options.display {
        Display::Screen => {
            let (end, controller) = screen::run(controller, options.start == Start::Menu)?;
            let mut output = io::stdout();
            plain::take_leave(&controller, &mut output)?;
            output.flush()?;
            Ok(end)
        }
        Display::Lines { prompts } => {
            exit_with_output().map_err(PlayError::Thread)?;
            let lines = read_lines(io::stdin(), TrafficLog::default()).map_err(PlayError::Thread)?;
            Plain::new(controller, BufWriter::new(io::stdout()), prompts).run(&lines)
        }
    }
}
