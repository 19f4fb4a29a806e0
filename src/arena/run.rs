//! A match from its first game to its last. Workers play, the journal keeps every finished game, Ctrl-C loses none.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crossbeam_channel::{Receiver, select_biased};

use crate::files::output::{OutputError, is_same_file};
use crate::game::Game;
use crate::random::Random;
use crate::terminal::interrupts::{Completion, Interrupts};
use crate::terminal::progress::CommandProgress;

use super::config::{MatchConfig, MatchError};
use super::ggf::GgfOutput;
use super::handshake::check_engines;
use super::journal::{GameRecord, Journal, JournalHeader, PlayerEntry, VERSION};
use super::openings::OpeningSource;
use super::schedule::{MOST_PLAYERS, schedule};
use super::spec::PlayerSpec;
use super::statistics::report::standings_report;
use super::statistics::{self, SequentialTest, Standings};
use super::worker::WorkerPool;

/// Plays a match and writes its tables. Complete also if the sequential test has decided before all games are played.
///
/// # Errors
/// If it cannot be set up or its journal not be written.
pub fn run(config: MatchConfig, output: &mut impl Write) -> Result<Completion, MatchError> {
    check(&config)?;
    let openings = config.openings.openings(config.rules, config.size, config.seed, config.pairs)?;
    let header_of = |pairs| header(&config, &openings, pairs);
    let header = header_of(config.pairs);
    let mut ggf = GgfOutput::claim(&config, &header)?;
    let interrupts = Interrupts::first_of_terminal().map_err(MatchError::System)?;
    if check_engines(&config, interrupts.arrived())? == Completion::Interrupted {
        return Ok(Completion::Interrupted);
    }
    let (journal, games) = if config.resume {
        Journal::resume(&config.journal, config.pairs, header_of)?
    } else {
        (Journal::create(&config.journal, &header)?, BTreeMap::new())
    };
    let mut all = schedule(config.players.len(), config.format, config.pairs);
    all.retain(|game| config.shard.has(u64::from(game.number) / 2) || games.contains_key(&game.number));
    let missing: Vec<_> = all.iter().filter(|game| !games.contains_key(&game.number)).copied().collect();
    ggf.begin(games.values(), config.force)?;
    let mut recorder = MatchRecorder {
        journal,
        ggf,
        standings: Standings::of(&header, games.values()),
        progress: CommandProgress::new("games", all.len(), games.len()).with_lines(),
    };
    let pool = WorkerPool::start(config, openings, &missing).map_err(MatchError::System)?;
    let completion = recorder.record(missing.len(), pool.results(), interrupts.arrived());
    pool.shutdown(recorder.standings.games() as usize == all.len());
    drop(recorder.progress);
    if !recorder.ggf.is_stdout() {
        let failed = |error| MatchError::File("standard output".into(), error);
        write!(output, "{}", standings_report(&header, &recorder.standings)).map_err(failed)?;
    }
    recorder.ggf.write()?;
    completion
}

/// Where finished games go.
struct MatchRecorder<'a> {
    journal: Journal,
    ggf: GgfOutput<'a>,
    standings: Standings,
    progress: CommandProgress,
}

impl MatchRecorder<'_> {
    /// Records games as they finish until all are played, the sequential test has decided or the user interrupts.
    fn record(
        &mut self,
        missing: usize,
        results: &Receiver<GameRecord>,
        interrupts: &Receiver<()>,
    ) -> Result<Completion, MatchError> {
        for _ in 0..missing {
            if self.standings.test().is_some_and(SequentialTest::is_decided) {
                break;
            }
            let game = select_biased! {
                recv(interrupts) -> _ => return Ok(Completion::Interrupted),
                recv(results) -> game => game.map_err(|_| MatchError::WorkersDied)?,
            };
            self.journal.append(&game)?;
            self.ggf.add(&game);
            self.standings.add(&game);
            self.progress.advance_to(1, statistics::progress(&self.standings));
        }
        Ok(Completion::Complete)
    }
}

fn check(config: &MatchConfig) -> Result<(), MatchError> {
    let players = &config.players;
    if players.len() < 2 {
        return Err(MatchError::TooFewPlayers);
    }
    if players.len() > MOST_PLAYERS {
        return Err(MatchError::TooManyPlayers);
    }
    if config.sprt.is_some() && players.len() > 2 {
        return Err(MatchError::SprtOfMany);
    }
    for (number, player) in players.iter().enumerate() {
        if players[..number].iter().any(|other| other.name == player.name) {
            return Err(MatchError::SameName(player.name.clone()));
        }
    }
    if config.stderr_files().next().is_some() {
        fs::create_dir_all(&config.logs).map_err(|error| MatchError::File(config.logs.clone(), error))?;
    }
    match config.stderr_files().find(|log| is_same_file(log, &config.journal)) {
        None => Ok(()),
        Some(log) => Err(OutputError::Twice(log).into()),
    }
}

/// The header that the match would have with so many pairs.
fn header(config: &MatchConfig, openings: &[Game], pairs: u32) -> JournalHeader {
    let source = match &config.openings {
        // The file may change before the match is resumed. A longer match needs the same openings at its start only.
        OpeningSource::File(_) => {
            let first = &openings[..openings.len().min(pairs as usize)];
            format!("{} ({:08x})", config.openings, fingerprint(first))
        }
        source => source.to_string(),
    };
    // The files may change before the match is resumed. Some names stand for weights without a file.
    let checksum = |file: &PathBuf| Some(format!("{:08x}", crc32fast::hash(&fs::read(file).ok()?)));
    let entry = |player: &PlayerSpec| PlayerEntry {
        name: player.name.clone(),
        spec: player.text.clone(),
        weights: player.weights_file.as_ref().and_then(checksum),
    };
    JournalHeader {
        version: VERSION,
        rules: config.rules.to_string(),
        size: config.size.side(),
        players: config.players.iter().map(entry).collect(),
        format: config.format.to_string(),
        pairs,
        openings: source,
        seed: config.seed,
        adjudicate: config.conditions.adjudicate,
        sprt: config.sprt,
        margin: config.conditions.margin.as_secs_f64(),
    }
}

/// A hash of the openings in their order.
fn fingerprint(openings: &[Game]) -> u32 {
    let mixed = openings
        .iter()
        .fold(0, |mixed: u64, game| Random::keyed(mixed, game.position().board().hash()).draw());
    (mixed >> 32) as u32
}
