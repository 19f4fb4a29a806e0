//! What makes a match, and why it cannot be held.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::board::Size;
use crate::files::output::{Destination, OutputError};
use crate::rules::Rules;
use crate::shard::Shard;

use super::game::GameConditions;
use super::journal::JournalError;
use super::openings::{OpeningError, OpeningSource};
use super::schedule::{MOST_PLAYERS, MatchFormat};
use super::spec::{PlayerKind, PlayerSpec};
use super::stderr::stderr_path;

#[derive(Clone, Debug)]
pub struct MatchConfig {
    pub players: Vec<PlayerSpec>,
    pub rules: Rules,
    pub size: Size,
    pub format: MatchFormat,
    /// Pairs of games for each pairing.
    pub pairs: u32,
    pub openings: OpeningSource,
    pub seed: u64,
    /// Games at a time.
    pub jobs: usize,
    pub conditions: GameConditions,
    /// The two hypotheses of a sequential test, in Elo.
    pub sprt: Option<[f64; 2]>,
    pub journal: PathBuf,
    pub resume: bool,
    /// The pairs of games to play.
    pub shard: Shard,
    pub ggf: Option<Destination>,
    /// Replace the GGF file if it exists.
    pub force: bool,
    /// Folder for the standard error of engines.
    pub logs: PathBuf,
}

#[derive(Debug, Error)]
pub enum MatchError {
    #[error("two players are called '{0}': rename one of them with name=…")]
    SameName(String),
    #[error("a match needs at least two players: --player A --player B")]
    TooFewPlayers,
    #[error("a match has at most {MOST_PLAYERS} players")]
    TooManyPlayers,
    #[error("--sprt is for two players")]
    SprtOfMany,
    #[error(transparent)]
    Openings(#[from] OpeningError),
    #[error("{0}: continue it with --resume, or choose another file with --journal")]
    JournalExists(JournalError),
    #[error(transparent)]
    Journal(JournalError),
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("player {0} cannot be started: {1}")]
    Start(String, io::Error),
    #[error(
        "player {name} {problem}: it may play for the most discs, but in this match the fewest win. If it plays for the \
         fewest by its own options or init=, add assume=reversed to the player; otherwise use --rules standard"
    )]
    Rules { name: String, problem: String },
    #[error(transparent)]
    System(io::Error),
    #[error("internal error: the workers have died, please report it; --resume continues from the last game")]
    WorkersDied,
}

impl From<JournalError> for MatchError {
    fn from(error: JournalError) -> Self {
        match &error {
            JournalError::File(_, cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                Self::JournalExists(error)
            }
            _ => Self::Journal(error),
        }
    }
}

impl MatchConfig {
    pub(super) fn stderr_files(&self) -> impl Iterator<Item = PathBuf> {
        let engines = self.players.iter().filter(|player| matches!(player.kind, PlayerKind::External(_)));
        engines.flat_map(|player| (0..self.jobs).map(|worker| stderr_path(&self.logs, &player.name, worker)))
    }

    /// The files that the match reads or adds to.
    pub(super) fn inputs(&self) -> Vec<PathBuf> {
        let mut inputs = vec![self.journal.clone()];
        inputs.extend(self.stderr_files());
        if let OpeningSource::File(path) = &self.openings {
            inputs.push(path.clone());
        }
        for player in &self.players {
            inputs.extend(player.weights_file.clone());
            if let PlayerKind::External(engine) = &player.kind {
                inputs.extend(engine.command.iter().map(PathBuf::from));
            }
        }
        inputs
    }
}
