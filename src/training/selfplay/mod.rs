//! Games of the engine against itself, to learn from.
//!
//! Each begins with some moves drawn at random, so that no two are the same, goes on with searches to a fixed depth, and
//! ends with perfect play. A game is determined by the settings and its number alone: threads, [`Shard`]s and
//! interruptions change the order in which games are kept, and nothing else.

mod plan;
pub(crate) mod player;
mod progress;
mod tally;

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, unbounded};

use crate::eval::Evaluation;
use crate::training::records::{Block, RecordError, RecordFile, Settings};

pub use plan::{BLOCK_GAMES, NoShard, Shard};
pub use tally::Tally;

use crate::terminal::interrupts::Interrupts;
use plan::Plan;
use player::SelfPlayer;
use progress::Progress;

/// What to play, and where it goes.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// How games are played.
    pub settings: Settings,
    /// How many there are, over all shards.
    pub games: u64,
    /// Games played at a time.
    pub threads: usize,
    /// The part that this process plays.
    pub shard: Shard,
    /// The file that they are added to.
    pub output: PathBuf,
    /// What values positions.
    pub weights: Evaluation,
}

/// Why no games are played.
#[derive(Debug)]
pub enum SelfplayError {
    /// The file of games is at fault.
    Records(RecordError),
    /// The operating system refuses something.
    System(io::Error),
}

impl fmt::Display for SelfplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(error) => error.fmt(f),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelfplayError {}

impl From<RecordError> for SelfplayError {
    fn from(error: RecordError) -> Self {
        Self::Records(error)
    }
}

/// What has come of a campaign.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether the user has ended it before all games were played.
    pub interrupted: bool,
    /// Games of this shard that should be in the file at the end.
    wanted: u64,
    /// Those that are.
    kept: u64,
    /// Those that were played this time.
    played: Tally,
    /// The bytes that these take.
    bytes: u64,
    time: Duration,
    /// All games of the file.
    all: Tally,
    output: PathBuf,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.output.display();
        let (played, seconds) = (self.played.games, self.time.as_secs_f64());
        if self.interrupted {
            writeln!(
                f,
                "interrupted: {} of {} games are in {path}; the same command goes on",
                self.kept, self.wanted
            )?;
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
pub fn run(campaign: &Campaign) -> Result<Report, SelfplayError> {
    let begun = Instant::now();
    let mut all = Tally::default();
    let (mut file, contents) = RecordFile::open(&campaign.output, &campaign.settings, |game| all.add(game))?;
    let path = campaign.output.display();
    if contents.torn > 0 {
        eprintln!("{path}: the last block was torn; its {} bytes are cut off", contents.torn);
    }
    let plan = Plan::new(campaign.games, campaign.shard, &contents);
    if plan.done > 0 {
        eprintln!("{path}: {} of {} games are there already", plan.done, plan.games());
    }
    let interrupts = Interrupts::of_terminal().map_err(SelfplayError::System)?;
    let mut progress = Progress::new(plan.games(), plan.done);
    let (mut played, mut bytes) = (Tally::default(), 0);
    play_all(campaign, &plan.open, &interrupts, |block| {
        bytes += file.append(&block)?;
        block.games.iter().for_each(|game| played.add(game));
        progress.add(block.games.len() as u64, played.positions);
        Ok(())
    })?;
    drop(progress);
    all.merge(&played);
    let (wanted, kept) = (plan.games(), plan.done + played.games);
    Ok(Report {
        interrupted: interrupts.is_raised() && kept < wanted,
        wanted,
        kept,
        played,
        bytes,
        time: begun.elapsed(),
        all,
        output: campaign.output.clone(),
    })
}

/// Plays all games and hands over each block as it is done.
fn play_all(
    campaign: &Campaign,
    open: &[Range<u64>],
    interrupts: &Interrupts,
    mut keep: impl FnMut(Block) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let next = AtomicUsize::new(0);
    let (sender, done) = unbounded();
    thread::scope(|scope| {
        for _ in 0..campaign.threads.min(open.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || play_blocks(campaign, open, next, interrupts, &sender));
        }
        drop(sender);
        // Moved in here, so that it is gone as soon as keeping has failed and the threads see it.
        let done = done;
        done.iter().try_for_each(&mut keep)
    })
}

/// Plays one block after another until none is left.
fn play_blocks(
    campaign: &Campaign,
    open: &[Range<u64>],
    next: &AtomicUsize,
    interrupts: &Interrupts,
    sender: &Sender<Block>,
) {
    let settings = campaign.settings;
    let mut player = SelfPlayer::new(settings, campaign.weights.clone());
    while let Some(numbers) = open.get(next.fetch_add(1, Relaxed)) {
        let games: Option<Vec<_>> =
            numbers.clone().map(|number| player.play(number, || interrupts.is_raised())).collect();
        let Some(games) = games else { return };
        if sender.send(Block { settings, first: numbers.start, games }).is_err() {
            // What we play can no longer be kept.
            return;
        }
    }
}
