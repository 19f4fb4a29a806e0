//! The history of a run: JSON lines with every individual of every generation.
//!
//! The first line says what the run depends on. Then each generation has a line for each individual and one that sums it
//! up. A generation is written in one go when it is done; what a kill leaves of one that was not is cut off, and it is
//! played again, with the same outcome.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::TuneError;
use super::config::{Config, Contest};
use super::genome::{Id, Individual};
use crate::arena::statistics::WinDrawLoss;

/// The version of the format.
const VERSION: u32 = 1;

/// An individual and how it did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) generation: u32,
    pub(super) id: Id,
    pub(super) parents: Vec<Id>,
    pub(super) values: Vec<f64>,
    /// None where no games decide.
    #[serde(flatten)]
    pub(super) games: Option<Games>,
    pub(super) fitness: f64,
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Games {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl From<WinDrawLoss> for Games {
    fn from(WinDrawLoss { wins, draws, losses }: WinDrawLoss) -> Self {
        Self { wins, draws, losses }
    }
}

impl From<Games> for WinDrawLoss {
    fn from(Games { wins, draws, losses }: Games) -> Self {
        Self { wins, draws, losses }
    }
}

/// A generation in one line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Summary {
    pub(super) generation: u32,
    /// The best one.
    pub(super) best: Id,
    /// Its fitness.
    pub(super) fitness: f64,
    /// The mean of all.
    pub(super) mean: f64,
    /// What it did against the yardstick, if it played it.
    pub(super) yardstick: Option<Games>,
}

/// A generation that is done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Generation {
    pub(super) entries: Vec<Entry>,
    pub(super) summary: Summary,
}

/// The file.
pub(super) struct History {
    path: PathBuf,
    file: File,
}

/// What a file that is there already holds.
pub(super) struct Past {
    /// All of it.
    text: String,
    /// Where the next generation would begin.
    at: usize,
    /// The number of its line.
    line: usize,
    population: usize,
}

fn header(config: &Config) -> String {
    let names: Vec<_> = config.system.parameters().into_iter().map(|parameter| parameter.name).collect();
    json!({ "ollehto-tune": VERSION, "settings": config.settings(), "parameters": names }).to_string()
}

impl History {
    /// Opens the file to go on with it, or begins one.
    ///
    /// # Errors
    /// If it cannot be used, is there although nobody wants to go on with it, or was made otherwise.
    pub(super) fn open(path: &Path, config: &Config, resume: bool) -> Result<(Self, Past), TuneError> {
        let failed = |error| TuneError::File(path.to_owned(), error);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TuneError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut history = Self { path: path.to_owned(), file };
        let mut text = String::new();
        history.file.read_to_string(&mut text).map_err(failed)?;
        let first = header(config) + "\n";
        if !text.is_empty() && !resume {
            return Err(TuneError::Exists(path.to_owned()));
        }
        if first.starts_with(&text) && text != first {
            // Nothing yet, or the beginning of this very line.
            history.cut(0)?;
            history.write(&first)?;
            text.clone_from(&first);
        }
        if !text.starts_with(&first) {
            return Err(TuneError::OtherRun(path.to_owned(), difference(&text, config)));
        }
        let past = Past { text, at: first.len(), line: 2, population: config.population };
        Ok((history, past))
    }

    /// Cuts off what is beyond some bytes.
    pub(super) fn cut(&mut self, bytes: usize) -> Result<(), TuneError> {
        self.file.set_len(bytes as u64).map_err(|error| self.failed(error))
    }

    /// Adds a generation.
    pub(super) fn append(&mut self, generation: &Generation) -> Result<(), TuneError> {
        self.write(&generation.text())
    }

    fn write(&mut self, text: &str) -> Result<(), TuneError> {
        self.file.write_all(text.as_bytes()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> TuneError {
        TuneError::File(self.path.clone(), error)
    }
}

impl Past {
    /// The next generation that is whole; none if there is no other. `asked` is what its individuals have to be.
    pub(super) fn next(
        &mut self,
        path: &Path,
        asked: &[Individual],
    ) -> Result<Option<Generation>, TuneError> {
        let wrong = |line: usize, problem: &str| TuneError::Line(path.to_owned(), line, problem.to_owned());
        let rest = &self.text[self.at..];
        let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
        let Some(end) = ends.nth(self.population) else { return Ok(None) };
        let mut lines = (self.line..).zip(rest[..end].lines());
        let mut entries = Vec::with_capacity(self.population);
        for ((number, line), individual) in lines.by_ref().take(self.population).zip(asked) {
            let entry: Entry =
                serde_json::from_str(line).map_err(|error| wrong(number, &error.to_string()))?;
            if (entry.id, &entry.parents, &entry.values)
                != (individual.id, &individual.parents, &individual.values)
            {
                return Err(wrong(number, "this is not the individual that follows from those before"));
            }
            entries.push(entry);
        }
        let Some((number, line)) = lines.next() else { return Ok(None) };
        let summary = serde_json::from_str(line).map_err(|error| wrong(number, &error.to_string()))?;
        self.at += end;
        self.line += self.population + 1;
        Ok(Some(Generation { entries, summary }))
    }

    /// How many bytes are of whole generations.
    pub(super) fn whole(&self) -> usize {
        self.at
    }
}

impl Generation {
    /// How many games its individuals have played with each other, or with somebody else.
    pub(super) fn games(&self, contest: Contest) -> u64 {
        let games = self.entries.iter().filter_map(|entry| entry.games);
        let sum: u64 = games.map(|games| u64::from(WinDrawLoss::from(games).games())).sum();
        if contest == Contest::RoundRobin { sum / 2 } else { sum }
    }

    fn text(&self) -> String {
        let line = |value: Result<String, serde_json::Error>| value.expect("plain data") + "\n";
        let entries = self.entries.iter().map(|entry| line(serde_json::to_string(entry)));
        entries.collect::<String>() + &line(serde_json::to_string(&self.summary))
    }
}

/// What differs between the settings that a file was made with and those of now.
fn difference(text: &str, config: &Config) -> String {
    let found: Option<Value> = text.lines().next().and_then(|line| serde_json::from_str(line).ok());
    let Some(found) = found.as_ref().and_then(|first| first.get("settings")).and_then(Value::as_object)
    else {
        return "it is another kind of file".into();
    };
    let wanted = config.settings();
    let differs = |(key, value): &(&String, &Value)| found.get(*key) != Some(value);
    match wanted.as_object().and_then(|wanted| wanted.iter().find(differs)) {
        Some((key, value)) => {
            format!("{key} was {}, now it is {value}", found.get(key).unwrap_or(&Value::Null))
        }
        None => "another version has made it".into(),
    }
}
