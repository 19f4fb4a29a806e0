//! The history of a run: JSON lines with every individual of every generation.
//!
//! The first line has the settings. Then each generation has a line for each individual and a summary. A generation is
//! written at once when it is done; an incomplete one is cut off and played again, with the same result.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::TuneError;
use super::config::{Config, FitnessKind};
use super::genome::{Individual, IndividualId};
use crate::arena::statistics::WinDrawLoss;
use crate::files::append_log::AppendFile;

/// Of the format.
const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct JudgedIndividual {
    pub(super) generation: u32,
    pub(super) id: IndividualId,
    pub(super) parents: Vec<IndividualId>,
    pub(super) values: Vec<f64>,
    /// None with the loss.
    #[serde(flatten)]
    pub(super) games: Option<LoggedResults>,
    pub(super) fitness: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LoggedResults {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl From<WinDrawLoss> for LoggedResults {
    fn from(WinDrawLoss { wins, draws, losses }: WinDrawLoss) -> Self {
        Self { wins, draws, losses }
    }
}

impl From<LoggedResults> for WinDrawLoss {
    fn from(LoggedResults { wins, draws, losses }: LoggedResults) -> Self {
        Self { wins, draws, losses }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GenerationSummary {
    pub(super) generation: u32,
    pub(super) best: IndividualId,
    /// Of the best.
    pub(super) fitness: f64,
    /// Of all.
    pub(super) mean: f64,
    /// Of the best against the yardstick, if they played.
    pub(super) yardstick: Option<LoggedResults>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct JudgedGeneration {
    pub(super) entries: Vec<JudgedIndividual>,
    pub(super) summary: GenerationSummary,
}

pub(super) struct History(AppendFile);

/// The generations of an existing history.
pub(super) struct HistoryReader {
    text: String,
    /// The byte and the line at which the next generation begins.
    at: usize,
    line: usize,
    population: usize,
}

fn header(config: &Config) -> String {
    let names: Vec<_> = config.system.parameters().into_iter().map(|parameter| parameter.name).collect();
    json!({ "ollehto-tune": VERSION, "settings": config.settings(), "parameters": names }).to_string()
}

impl History {
    /// Opens a history to resume it, or begins one.
    ///
    /// # Errors
    /// If it cannot be used, has other settings, or exists without `resume`.
    pub(super) fn open(
        path: &Path,
        config: &Config,
        resume: bool,
    ) -> Result<(Self, HistoryReader), TuneError> {
        let mut file = AppendFile::open(path)?;
        let first = header(config) + "\n";
        if !resume && !file.text()?.is_empty() {
            return Err(TuneError::Exists(path.to_owned()));
        }
        file.begin(first.as_bytes())?;
        let text = file.text()?;
        if !text.starts_with(&first) {
            return Err(TuneError::OtherRun(path.to_owned(), difference(&text, config)));
        }
        let reader = HistoryReader { text, at: first.len(), line: 2, population: config.population };
        Ok((Self(file), reader))
    }

    /// Cuts off everything after the generations that were read.
    pub(super) fn truncate(&mut self, read: &HistoryReader) -> Result<(), TuneError> {
        Ok(self.0.truncate(read.at as u64)?)
    }

    pub(super) fn append(&mut self, generation: &JudgedGeneration) -> Result<(), TuneError> {
        Ok(self.0.append(generation.text().as_bytes())?)
    }
}

impl HistoryReader {
    /// The next complete generation, whose individuals must be those of `asked`.
    pub(super) fn next(
        &mut self,
        path: &Path,
        asked: &[Individual],
    ) -> Result<Option<JudgedGeneration>, TuneError> {
        let wrong = |line: usize, problem: &str| TuneError::Line(path.to_owned(), line, problem.to_owned());
        let rest = &self.text[self.at..];
        let mut ends = rest.match_indices('\n').map(|(at, _)| at + 1);
        let Some(end) = ends.nth(self.population) else { return Ok(None) };
        let mut lines = (self.line..).zip(rest[..end].lines());
        let mut entries = Vec::with_capacity(self.population);
        for ((number, line), individual) in lines.by_ref().take(self.population).zip(asked) {
            let entry: JudgedIndividual =
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
        Ok(Some(JudgedGeneration { entries, summary }))
    }
}

impl JudgedGeneration {
    /// Games for the fitness.
    pub(super) fn games(&self, kind: FitnessKind) -> u64 {
        let games = self.entries.iter().filter_map(|entry| entry.games);
        let sum: u64 = games.map(|games| u64::from(WinDrawLoss::from(games).games())).sum();
        if kind == FitnessKind::RoundRobin { sum / 2 } else { sum }
    }

    fn text(&self) -> String {
        let line = |value: Result<String, serde_json::Error>| value.expect("plain data") + "\n";
        let entries = self.entries.iter().map(|entry| line(serde_json::to_string(entry)));
        entries.collect::<String>() + &line(serde_json::to_string(&self.summary))
    }
}

/// The first difference between the settings of a file and those of this run.
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
