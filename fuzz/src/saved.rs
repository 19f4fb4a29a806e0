//! What commands read by name to go on with it: logs, results, tables.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::{env, fs, process};

use ollehto::analyze::{self, AnalysisFormat, AnalyzeOptions, GameInput};
use ollehto::arena::opponents::parameters::ParameterFile;
use ollehto::bench::evaluation_fingerprint;
use ollehto::eval::Evaluation;
use ollehto::eval::weights::{Compression, decode, encode};
use ollehto::files::checksum::{with_checksum, with_json_checksum};
use ollehto::game_reader::{ReadOptions, read_games};
use ollehto::lab::generations;
use ollehto::lab::judge::JudgeSet;
use ollehto::lab::loss::LossSet;
use ollehto::lab::tune::{self, config::Config};
use ollehto::rules::Rules;
use ollehto::search::Limits;
use ollehto::solve;
use ollehto::training::fit_probcut::samples::{SampleFile, SampleSettings};
use ollehto::training::position_values::PositionValues;
use ollehto::training::train::read_progress_text;
use ollehto::training::weights::read_table;
use serde_json::Value;

/// A file that goes with its target, in memory if there is such a place.
struct Scratch(PathBuf);

impl Scratch {
    fn new(bytes: &[u8]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
        let name = format!("ollehto-fuzz-{}-{}", process::id(), COUNT.fetch_add(1, Relaxed));
        let path = folder.join(name);
        fs::write(&path, bytes).expect("it can be written");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for path in [self.0.clone(), self.0.with_added_extension("damaged")] {
            let _ = fs::remove_file(path);
        }
    }
}

/// A log with this first line. The first byte tells whether the others get their checksums.
fn log(first: &str, data: &[u8]) -> Option<Scratch> {
    let (&choice, data) = data.split_first()?;
    let mut bytes = format!("{}\n", with_checksum(first)).into_bytes();
    if choice == 0 {
        bytes.extend(data);
    } else {
        let text = String::from_utf8_lossy(data);
        bytes.extend(text.lines().flat_map(|line| (with_checksum(line) + "\n").into_bytes()));
    }
    Some(Scratch::new(&bytes))
}

/// A log of this title. Its settings are the first line.
fn log_with_settings(title: &str, data: &[u8]) -> Option<Scratch> {
    let (choice, data) = data.split_at_checked(1)?;
    let end = data.iter().position(|&byte| byte == b'\n')?;
    let settings = String::from_utf8_lossy(&data[..end]);
    log(&format!("{title}: {settings}"), &[choice, &data[end + 1..]].concat())
}

/// Sets of `ollehto lab loss`.
pub fn loss(data: &[u8]) {
    let Some(file) = log_with_settings("ollehto loss 2", data) else { return };
    match LossSet::load(&file.0) {
        Ok(set) => assert!(!set.roots().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Sets of `ollehto lab judge`. What is left out of nothing is the set itself.
pub fn judge(data: &[u8]) {
    let Some(file) = log_with_settings("ollehto judge 2", data) else { return };
    let set = match JudgeSet::load(&file.0) {
        Ok(set) => set,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = Scratch::new(set.text_without(|_| false).as_bytes());
    let again = JudgeSet::load(&again.0).expect("our own writing");
    assert_eq!(again.positions(), set.positions());
}

/// Values of `ollehto openings`.
pub fn values(data: &[u8]) {
    static EVALUATION: LazyLock<u32> =
        LazyLock::new(|| evaluation_fingerprint(&Evaluation::Shipped, &[Rules::Reversed]));
    let first = format!("ollehto values 2: reversed rules, evaluation {:08x}", *EVALUATION);
    let Some(file) = log(&first, data) else { return };
    match PositionValues::open(Rules::Reversed, Some(&file.0)) {
        Ok(values) => drop(values),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Samples of `ollehto fit-probcut`.
pub fn samples(data: &[u8]) {
    let settings = SampleSettings { depth: 5, seed: 7, evaluation: 0xbeef };
    let Some(file) = log(&format!("ollehto fit-probcut samples 4: {settings}"), data) else { return };
    let samples = match SampleFile::open(&file.0, settings) {
        Ok((_, samples)) => samples,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = Scratch::new(b"");
    let (mut log, _) = SampleFile::open(&again.0, settings).expect("a new one");
    for (sampled, values) in &samples {
        log.append(sampled, values).expect("it can be written");
    }
    drop(log);
    assert_eq!(SampleFile::open(&again.0, settings).expect("our own writing").1, samples);
}

/// The game of the saved analyses.
const GAME: &str = "(;GM[Othello]PB[a]PW[b]TY[4a]BO[4 -----O*--*O----- *]B[A2]W[A3]B[A4]W[C1];)";

/// Saved analyses of `ollehto analyze --resume`.
pub fn analyses(data: &[u8]) {
    let options = AnalyzeOptions {
        sources: Vec::new(),
        read: ReadOptions::new(None, None),
        limits: Limits { depth: Some(1), ..Limits::default() },
        lines: 2,
        threads: 1,
        hash: 1,
        // Their fingerprint takes no memory.
        weights: Evaluation::HandMade,
        format: AnalysisFormat::Json,
        stream: false,
        resume: None,
        ggf: None,
        html: None,
    };
    // Files without the evaluation hold for any: the seeds stay good when the weights change.
    let Some(file) = log("ollehto analysis 2: multi 2, depth 1", data) else { return };
    let games = read_games(GAME, &options.read).games;
    let games = games.into_iter().map(|read| GameInput { source: "a game".into(), read }).collect();
    match analyze::restore(&file.0, &options, games) {
        Ok(reviews) => {
            for (game, review) in reviews {
                let lines = analyze::review_json(game, review);
                for line in lines.lines() {
                    serde_json::from_str::<Value>(line).expect("JSON");
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Results for `ollehto solve --join`. The first byte tells whether their checksums are made right.
pub fn results(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let text = if choice == 0 { text.into_owned() } else { text.lines().map(sealed_result).collect() };
    let jobs = include_bytes!("four.jobs").to_vec();
    match solve::read_results(Path::new("fuzzed"), jobs, &text) {
        Ok(proof) => assert!(!proof.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn sealed_result(line: &str) -> String {
    let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else { return format!("{line}\n") };
    let [position, rules, bound, proven] =
        ["position", "rules", "bound", "proven"].map(|name| fields.get(name).and_then(Value::as_str));
    if let (Some(position), Some(rules), Some(bound), Some(proven)) = (position, rules, bound, proven) {
        let sum = crc32fast::hash(format!("{position}; {rules} {bound}; {proven}").as_bytes());
        fields.insert("check".into(), format!("{sum:08x}").into());
    }
    format!("{}\n", Value::Object(fields))
}

/// Tables of weights. The first byte tells whether they are packed, which takes far longer than reading.
pub fn weights_table(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let Ok(text) = str::from_utf8(data) else { return };
    match read_table(text) {
        Ok(weights) if choice & 0x80 != 0 => {
            assert_eq!(decode(&encode(&weights, Compression::Fast)).as_ref(), Ok(&weights));
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Parameters of named opponents.
pub fn parameters(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let file = match toml::from_str::<ParameterFile>(text) {
        Ok(file) => file,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    match file.values() {
        Ok(values) => {
            drop(file.system.searcher(&values));
            for rules in Rules::ALL {
                drop(file.system.contestant(&values, rules));
            }
            let written = toml::to_string(&file).expect("plain data");
            assert_eq!(toml::from_str::<ParameterFile>(&written).as_ref(), Ok(&file), "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Tables of generations of `ollehto tune`.
pub fn generations(data: &[u8]) {
    let file = Scratch::new(&[b"generation,best,fitness,mean,yardstick\n", data].concat());
    match generations::run(&file.0) {
        Ok(sheet) => drop(sheet),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Logs of `ollehto tune`. By the lowest bit of the first byte the genetic algorithm or CMA-ES has made it, by the others
/// the lines get their checksums. The first line is added.
pub fn tune_history(data: &[u8]) {
    static CONFIGS: LazyLock<[Config; 2]> = LazyLock::new(|| {
        [GENETIC, CMA_ES].map(|method| Config::parse(&format!("{TUNED}{method}")).expect("a configuration"))
    });
    let Some((&choice, data)) = data.split_first() else { return };
    let config = &CONFIGS[usize::from(choice & 1)];
    let file = Scratch::new(b"");
    tune::read_history(&file.0, config).expect("a new one");
    let mut bytes = fs::read(&file.0).expect("it was written");
    if choice < 2 {
        bytes.extend(data);
    } else {
        let text = String::from_utf8_lossy(data);
        bytes.extend(text.lines().flat_map(|line| (with_json_checksum(line) + "\n").into_bytes()));
    }
    fs::write(&file.0, bytes).expect("it can be written");
    match tune::read_history(&file.0, config) {
        Ok(text) => assert_eq!(tune::read_history(&file.0, config).expect("our own writing"), text),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The configuration without its method.
const TUNED: &str = r#"
system = "maximax"
generations = 3
population = 4
fitness = { by = "monte-carlo", games = 2, depth = 1, exact = 4 }
"#;
const GENETIC: &str =
    "genetic = { elite = 1, parents = 2, crossover = \"uniform\", mutation = 0.3, sigma = 0.2 }\n";
const CMA_ES: &str = "method = \"cma-es\"\ncma-es = { sigma = 0.3 }\n";

/// The progress of `ollehto train`. The first byte tells whether it gets its checksum.
pub fn progress(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let text = if choice == 0 { text.into_owned() } else { with_json_checksum(&text) };
    match read_progress_text(Path::new("fuzzed"), text.into_bytes()) {
        Ok(written) => {
            let again = read_progress_text(Path::new("fuzzed"), written.clone().into_bytes());
            assert_eq!(again.expect("our own writing"), written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
