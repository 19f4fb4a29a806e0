//! The history of a run: JSON lines with every individual of every generation.
//!
//! The first line has the settings. Then each generation has a line for each individual and a summary. A generation is
//! written at once when it is done; an incomplete one is cut off and played again, with the same result. Each follows
//! from those before, so a damaged one is left out with all that follow.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::TuneError;
use super::config::{Config, FitnessKind};
use super::genome::{Individual, IndividualId};
use crate::arena::statistics::WinDrawLoss;
use crate::files::append_file::AppendFile;
use crate::files::checksum::{self, with_json_checksum, without_json_checksum};
use crate::files::damage::{Damage, Place, report_cut_off, report_left_out};

/// Of the format.
const VERSION: u32 = 2;

/// The version without checksums, which is read and extended.
const UNCHECKED: u32 = 1;

/// What messages call the file.
const NAME: &str = "tuning log";

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

impl LoggedResults {
    /// None if there are more than a `u32` counts.
    fn count(self) -> Option<u32> {
        self.wins.checked_add(self.draws)?.checked_add(self.losses)
    }
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

pub(super) struct History {
    file: AppendFile,
    has_checksums: bool,
}

/// The generations of an existing history.
pub(super) struct HistoryReader {
    bytes: Vec<u8>,
    has_checksums: bool,
    damage: Option<Damage>,
    /// The byte and the line at which the next generation begins.
    at: usize,
    line: usize,
    /// Its number.
    generation: u32,
    population: usize,
}

fn header(config: &Config, version: u32) -> String {
    let names: Vec<_> = config.system.parameters().into_iter().map(|parameter| parameter.name).collect();
    let text = json!({ "ollehto-tune": version, "settings": config.settings(), "parameters": names });
    line_text(text.to_string(), version != UNCHECKED)
}

fn line_text(object: String, has_checksum: bool) -> String {
    (if has_checksum { with_json_checksum(&object) } else { object }) + "\n"
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
        let (first, older) = (header(config, VERSION), header(config, UNCHECKED));
        if !resume && !file.is_empty() {
            return Err(TuneError::Exists(path.to_owned()));
        }
        file.begin(first.as_bytes())?;
        let bytes = file.bytes()?;
        let found = [&first, &older].into_iter().find(|header| bytes.starts_with(header.as_bytes()));
        let Some(found) = found else {
            return Err(TuneError::OtherRun(path.to_owned(), difference(&bytes, config)));
        };
        let (at, has_checksums, population) = (found.len(), *found == first, config.population);
        let reader =
            HistoryReader { bytes, has_checksums, damage: None, at, line: 2, generation: 1, population };
        Ok((Self { file, has_checksums }, reader))
    }

    /// Cuts off everything after the generations that were read.
    pub(super) fn truncate(&mut self, read: &HistoryReader) -> Result<(), TuneError> {
        let (at, rest) = (read.at as u64, self.file.len() - read.at as u64);
        if let Some(damage) = &read.damage {
            let whole = 0..at;
            let aside = self.file.keep_only(std::slice::from_ref(&whole))?;
            report_left_out(NAME, self.file.path(), std::slice::from_ref(damage), &aside);
        } else if rest > 0 {
            self.file.truncate(at)?;
            report_cut_off(NAME, self.file.path(), &Place::Line(read.line), rest);
        }
        Ok(())
    }

    pub(super) fn append(&mut self, generation: &JudgedGeneration) -> Result<(), TuneError> {
        Ok(self.file.append(generation.text(self.has_checksums).as_bytes())?)
    }
}

impl HistoryReader {
    /// The next whole generation, whose individuals must be those of `asked`.
    pub(super) fn next(
        &mut self,
        path: &Path,
        asked: &[Individual],
    ) -> Result<Option<JudgedGeneration>, TuneError> {
        let wrong = |line: usize, problem: &str| TuneError::Line(path.to_owned(), line, problem.to_owned());
        let rest = &self.bytes[self.at..];
        let lines: Vec<&[u8]> =
            rest.split_inclusive(|&byte| byte == b'\n').take(self.population + 1).collect();
        if lines.len() <= self.population || !lines[self.population].ends_with(b"\n") {
            return Ok(None);
        }
        let end: usize = lines.iter().map(|line| line.len()).sum();
        let objects: Result<Vec<_>, _> =
            (self.line..).zip(lines).map(|(number, line)| self.object(number, line)).collect();
        let objects = match objects {
            Ok(objects) => objects,
            Err(damage) => {
                self.damage = Some(damage);
                return Ok(None);
            }
        };
        let mut lines = objects.iter().map(|(number, line)| (*number, line.as_str()));
        let mut entries = Vec::with_capacity(self.population);
        for ((number, line), individual) in lines.by_ref().take(self.population).zip(asked) {
            let entry: JudgedIndividual =
                serde_json::from_str(line).map_err(|error| wrong(number, &error.to_string()))?;
            if (entry.id, &entry.parents, &entry.values)
                != (individual.id, &individual.parents, &individual.values)
            {
                return Err(wrong(number, "this is not the individual that follows from those before"));
            }
            self.check(entry.generation, entry.games).map_err(|problem| wrong(number, &problem))?;
            entries.push(entry);
        }
        let Some((number, line)) = lines.next() else { return Ok(None) };
        let summary: GenerationSummary =
            serde_json::from_str(line).map_err(|error| wrong(number, &error.to_string()))?;
        self.check(summary.generation, summary.yardstick).map_err(|problem| wrong(number, &problem))?;
        self.at += end;
        self.line += self.population + 1;
        self.generation += 1;
        Ok(Some(JudgedGeneration { entries, summary }))
    }

    fn check(&self, generation: u32, games: Option<LoggedResults>) -> Result<(), String> {
        if generation != self.generation {
            return Err(format!("generation {generation} instead of {}", self.generation));
        }
        let too_many = games.is_some_and(|games| games.count().is_none());
        if too_many { Err("more games than can be counted".into()) } else { Ok(()) }
    }

    /// A line with its number, without its checksum.
    fn object(&self, number: usize, line: &[u8]) -> Result<(usize, String), Damage> {
        let damage = |problem: String| Damage { place: Place::Line(number), problem };
        let text = str::from_utf8(line).map_err(|_| damage("this is no UTF-8".into()))?.trim_end();
        if !self.has_checksums {
            return Ok((number, text.to_owned()));
        }
        let object = without_json_checksum(text).map_err(damage)?;
        Ok((number, object.ok_or_else(|| damage(checksum::MISSING.into()))?))
    }
}

impl JudgedGeneration {
    /// Games for the fitness.
    pub(super) fn games(&self, kind: FitnessKind) -> u64 {
        let games = self.entries.iter().filter_map(|entry| entry.games);
        let sum: u64 = games.map(|games| u64::from(WinDrawLoss::from(games).games())).sum();
        if kind == FitnessKind::RoundRobin { sum / 2 } else { sum }
    }

    fn text(&self, has_checksums: bool) -> String {
        let line =
            |value: Result<String, serde_json::Error>| line_text(value.expect("plain data"), has_checksums);
        let entries = self.entries.iter().map(|entry| line(serde_json::to_string(entry)));
        entries.collect::<String>() + &line(serde_json::to_string(&self.summary))
    }
}

/// The first difference between the settings of a file and those of this run.
fn difference(bytes: &[u8], config: &Config) -> String {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if let Err(problem) = without_json_checksum(&String::from_utf8_lossy(first)) {
        return format!("line 1: {problem}");
    }
    let found: Option<Value> = serde_json::from_slice(first).ok();
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

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::super::{optimizer, read_history};
    use super::*;
    use crate::files::trial::LogTrial;

    const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/formats/tune.toml");
    const GENERATIONS: u32 = 2;

    fn fitness(generation: &[Individual]) -> Vec<f64> {
        generation.iter().map(|individual| individual.values[0] / 7.0).collect()
    }

    fn judged(generation: u32, individuals: &[Individual]) -> JudgedGeneration {
        let judge = |(individual, fitness): (&Individual, f64)| JudgedIndividual {
            generation,
            id: individual.id,
            parents: individual.parents.clone(),
            values: individual.values.clone(),
            games: None,
            fitness,
        };
        let entries = individuals.iter().zip(fitness(individuals)).map(judge).collect();
        let best = individuals[0].id;
        let summary = GenerationSummary { generation, best, fitness: 1.5, mean: -0.1, yardstick: None };
        JudgedGeneration { entries, summary }
    }

    /// The generations of a history; then those up to `until` are added.
    fn go_on(path: &Path, config: &Config, until: u32) -> Result<Vec<String>, TuneError> {
        let (mut history, mut past) = History::open(path, config, true)?;
        let mut optimizer = optimizer(config).expect("a method");
        let (mut found, mut is_past) = (Vec::new(), true);
        for generation in 1..=until {
            let asked = optimizer.ask(generation);
            let read = if is_past { past.next(path, &asked)? } else { None };
            match read {
                Some(read) => found.push(read.text(true)),
                None => {
                    if is_past {
                        history.truncate(&past)?;
                    }
                    is_past = false;
                    history.append(&judged(generation, &asked))?;
                }
            }
            let fitness = fitness(&asked);
            optimizer.tell(asked, &fitness);
        }
        Ok(found)
    }

    #[test]
    fn histories_survive_damage() {
        let mut config = Config::load(Path::new(CONFIG)).expect("a configuration");
        config.population = 4;
        let mut optimizer = optimizer(&config).expect("a method");
        let mut records = Vec::new();
        for generation in 1..=GENERATIONS {
            let asked = optimizer.ask(generation);
            records.push(judged(generation, &asked).text(true));
            let fitness = fitness(&asked);
            optimizer.tell(asked, &fitness);
        }
        let trial = LogTrial {
            name: "history",
            records: &records,
            write: &|path, count| {
                go_on(path, &config, count as u32).map(drop).map_err(|error| error.to_string())
            },
            resume: &|path| go_on(path, &config, GENERATIONS).map_err(|error| error.to_string()),
            is_chain: true,
            is_large: true,
        };
        trial.run();
    }

    /// The log was changed, and its checksums made right.
    #[test]
    fn generations_out_of_order_and_impossible_games_are_named() {
        let mut config = Config::load(Path::new(CONFIG)).expect("a configuration");
        config.population = 4;
        let asked = optimizer(&config).expect("a method").ask(1);
        let mut swapped = judged(1, &asked);
        swapped.entries[2].generation = 0;
        let mut late = judged(1, &asked);
        late.summary.generation = 2;
        let mut many = judged(1, &asked);
        many.entries[3].games = Some(LoggedResults { wins: u32::MAX, draws: 0, losses: 1 });
        let mut all_but_too_many = judged(1, &asked);
        all_but_too_many.summary.yardstick = Some(LoggedResults { wins: u32::MAX, draws: 0, losses: 0 });
        let path = env::temp_dir().join(format!("ollehto-history-{}", process::id()));
        let read = |generation: &JudgedGeneration| {
            let (mut history, _) = History::open(&path, &config, false).expect("a new one");
            history.append(generation).expect("it can be written");
            drop(history);
            let read = read_history(&path, &config).map_err(|error| error.to_string());
            fs::remove_file(&path).expect("it was there");
            read
        };
        let error_of = |generation| read(generation).expect_err("it is wrong");
        assert!(error_of(&swapped).contains("line 4: generation 0 instead of 1"), "{}", error_of(&swapped));
        assert!(error_of(&late).contains("line 6: generation 2 instead of 1"), "{}", error_of(&late));
        assert!(error_of(&many).contains("line 5: more games than can be counted"), "{}", error_of(&many));
        assert!(read(&all_but_too_many).expect("it counts").starts_with("generation,best,"));
    }
}
