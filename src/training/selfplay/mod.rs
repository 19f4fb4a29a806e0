//! Self-play: the engine plays games against itself for training.
//!
//! A game starts with random moves, continues with searches to a fixed depth, and is solved at the end. It depends on
//! the settings and its number only: threads, [`Shard`]s and interruptions change nothing but the order in the file.

mod plan;
pub(crate) mod player;

use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fmt, io};

use thiserror::Error;

use super::parallel;
use super::records::summary::GameCounts;
use super::records::{Block, FormatVersion, RecordFile, RecordFileError, SelfplaySettings};
use crate::eval::Evaluation;
use crate::shard::Shard;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::CommandProgress;

pub use plan::BLOCK_GAMES;

use plan::RemainingGames;
use player::SelfPlayer;

#[derive(Clone, Debug)]
pub struct SelfplayOptions {
    pub settings: SelfplaySettings,
    /// Games over all shards.
    pub games: u64,
    pub threads: usize,
    pub shard: Shard,
    /// The file that games are added to.
    pub output: PathBuf,
    pub weights: Evaluation,
}

#[derive(Debug, Error)]
#[error("{0}")]
pub enum SelfplayError {
    Records(#[from] RecordFileError),
    System(#[from] io::Error),
}

#[derive(Clone, Debug)]
pub struct SelfplayReport {
    /// Whether Ctrl-C came before all games were played.
    pub interrupted: bool,
    /// Games of this shard that the file should have at the end.
    wanted: u64,
    /// Those that it has.
    kept: u64,
    /// Those of this run.
    played: GameCounts,
    /// Their bytes.
    bytes: u64,
    time: Duration,
    /// All games of the file.
    all: GameCounts,
    output: PathBuf,
}

impl fmt::Display for SelfplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.output.display();
        let (played, seconds) = (self.played.games, self.time.as_secs_f64());
        if self.interrupted {
            let (kept, wanted) = (self.kept, self.wanted);
            writeln!(f, "interrupted: {kept} of {wanted} games are in {path}; the same command goes on")?;
        }
        if played > 0 {
            let each = self.bytes as f64 / played as f64;
            let speed = played as f64 / seconds;
            writeln!(f, "{played} games in {seconds:.1} s, {speed:.1} games/s, {each:.1} bytes a game")?;
        }
        writeln!(f, "{path}: {} games with {}", self.all.games, self.all)
    }
}

/// Plays the games that are not in the file yet.
///
/// # Errors
/// If the file cannot be used.
pub fn run(options: &SelfplayOptions) -> Result<SelfplayReport, SelfplayError> {
    let begun = Instant::now();
    let mut all = GameCounts::default();
    let (mut file, contents) = RecordFile::open(&options.output, &options.settings, |game| all.add(game))?;
    let path = options.output.display();
    if contents.torn > 0 {
        eprintln!("{path}: the last block was torn; its {} bytes are cut off", contents.torn);
    }
    let plan = RemainingGames::new(options.games, options.shard, &contents);
    if plan.done > 0 {
        eprintln!("{path}: {} of {} games are there already", plan.done, plan.games());
    }
    let interrupts = Interrupts::of_terminal()?;
    let mut progress = CommandProgress::new("games", plan.games() as usize, plan.done as usize).with_lines();
    let (mut played, mut bytes) = (GameCounts::default(), 0);
    let settings = options.settings;
    let player = || SelfPlayer::new(settings, options.weights.clone());
    parallel::for_each(
        &plan.blocks,
        options.threads,
        player,
        |player, numbers| {
            let play = |number| player.play(number, || interrupts.is_raised());
            let games: Option<Vec<_>> = numbers.clone().map(play).collect();
            Some(Block { version: FormatVersion::Values, settings, first: numbers.start, games: games? })
        },
        |_, block| {
            bytes += file.append(&block)?;
            block.games.iter().for_each(|game| played.add(game));
            progress.advance_to(block.games.len(), format_args!("{} positions", played.positions));
            Ok::<_, RecordFileError>(())
        },
    )?;
    drop(progress);
    all.merge(&played);
    let (wanted, kept) = (plan.games(), plan.done + played.games);
    Ok(SelfplayReport {
        interrupted: interrupts.is_raised() && kept < wanted,
        wanted,
        kept,
        played,
        bytes,
        time: begun.elapsed(),
        all,
        output: options.output.clone(),
    })
}
