//! `ollehto play`.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::board::Size;
use crate::clock::TimeControl;
use crate::frontend::Settings;
use crate::numbers;
use crate::play::{Choices, Display, People, PlayEnd, PlayOptions, Start, Strength, parse_clock, run};
use crate::rules::Rules;
use crate::search::Elo;
use crate::terminal::interrupts;

use super::{ForceArgument, parse_size};

/// Play against the engine in the terminal
///
/// Without options a menu asks for rules, colour, strength and board; Enter starts a game at once. On the board type a
/// square such as f5, use the arrow keys and Enter, or click; ? lists all keys. Where there is no terminal, and with
/// --plain, the game is played line by line, and the same commands are words.
///
/// Every game is kept on disk after each move: --continue goes on with the last unfinished one, whatever ended the
/// program.
///
///   ollehto play
///   ollehto play --color white --elo 1200 --clock 5+3
///   ollehto play --continue
///   ollehto play game.ggf --color both
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PlayArguments {
    /// Go on with the last game of a file
    #[arg(value_name = "FILE", conflicts_with = "last")]
    file: Option<PathBuf>,
    /// Go on with the last unfinished game
    #[arg(long = "continue", conflicts_with_all = ["load", "size", "save"])]
    last: bool,
    /// The same as FILE
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    load: Option<PathBuf>,
    /// Keep the games of this session in a file, one a line, instead of the folder for unfinished games
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Who wins: reversed, the fewest discs; standard, the most [default: reversed]
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Rules>,
    /// Squares per side of the board: 4, 6 or 8 [default: 8]
    #[arg(long, value_name = "N", value_parser = parse_size, conflicts_with_all = ["file", "load"])]
    size: Option<Size>,
    /// The side that you play [default: black]
    #[arg(long, value_enum, value_name = "COLOR")]
    color: Option<People>,
    /// Strength of the engine by rating: from 800 (a beginner) to 3200, or full [default: 1400]
    #[arg(long, value_name = "N", value_parser = parse_elo, allow_hyphen_values = true, conflicts_with = "level")]
    elo: Option<Rating>,
    /// Strength of the engine by depth: N plies in the midgame, perfect play from 2N empty squares on
    #[arg(long, value_name = "N", value_parser = numbers::level)]
    level: Option<u8>,
    /// The most seconds of the engine for each move; alone it means full strength
    #[arg(long, value_name = "SECONDS", value_parser = numbers::time)]
    time: Option<Duration>,
    /// Clock of both sides: minutes for the game and seconds added by each move [default: no clock]
    #[arg(long, value_name = "MIN+INC", value_parser = parse_clock)]
    clock: Option<TimeControl>,
    /// Show the value of every position
    #[arg(long)]
    values: bool,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads, value_parser = numbers::threads)]
    threads: u32,
    /// Random seed of book and mistakes, to repeat a game [default: random]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(0..))]
    seed: Option<u64>,
    /// Lines of text instead of a screen
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    force: ForceArgument,
}

/// None is full strength.
#[derive(Clone, Copy, Debug)]
struct Rating(Option<Elo>);

fn parse_elo(text: &str) -> Result<Rating, String> {
    if text == "full" {
        return Ok(Rating(None));
    }
    numbers::elo(text).map(|elo| Rating(Some(elo))).map_err(|problem| format!("{problem}; or full"))
}

impl PlayArguments {
    pub(super) fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let choices = self.choices();
        let display = self.display();
        let start = match self.file.or(self.load) {
            Some(file) => Start::Load(file),
            None if self.last => Start::Continue,
            None if choices == Choices::default() => Start::Menu,
            None => Start::New,
        };
        let end = run(&PlayOptions {
            start,
            choices,
            save: self.save,
            force: self.force.force,
            values: self.values,
            threads: self.threads as usize,
            seed: self.seed.unwrap_or_else(rand::random),
            display,
        })?;
        Ok(match end {
            PlayEnd::Left => ExitCode::SUCCESS,
            PlayEnd::Interrupted => interrupts::EXIT_CODE.into(),
        })
    }

    fn choices(&self) -> Choices {
        let (level, time) = (self.level, self.time);
        let strength = match self.elo {
            Some(Rating(elo)) => Some(Strength { elo, level, time }),
            None => (level.is_some() || time.is_some()).then_some(Strength { elo: None, level, time }),
        };
        Choices { rules: self.rules, size: self.size, people: self.color, strength, clock: self.clock }
    }

    /// A screen needs a terminal at both ends that can move its cursor.
    fn display(&self) -> Display {
        let types = io::stdin().is_terminal();
        let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
        if types && io::stdout().is_terminal() && !is_dumb && !self.plain {
            Display::Screen
        } else {
            Display::Lines { prompts: types && io::stdout().is_terminal() }
        }
    }
}
