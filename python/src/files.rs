//! Files of the program: recorded games, journals, weights.

use std::fs;
use std::path::{Path, PathBuf};

use ollehto::arena::journal;
use ollehto::eval::pattern::{NAMES, unique_weight_ranges, unique_weights};
use ollehto::eval::weights::{
    MOBILITY_WEIGHTS, PackedNetwork, STAGES, StageOutput, decode, shipped_file, span,
};
use ollehto::training::records::export::{ExportReport, export};
use ollehto::training::records::{BlockReader, RecordFileError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::values;

/// How often reading looks for Ctrl-C.
const BLOCKS_AT_ONCE: usize = 256;

fn records_error(error: &RecordFileError) -> PyErr {
    match error {
        RecordFileError::File(_) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The positions of files of recorded games, twenty bytes each, the rules and the settings of the games.
#[pyfunction]
pub fn read_games<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
) -> PyResult<(Bound<'py, PyBytes>, Option<&'static str>, Vec<String>)> {
    let (mut records, mut report) = (Vec::new(), ExportReport::default());
    let (mut rules, mut settings) = (None, Vec::new());
    for path in &paths {
        let mut blocks = BlockReader::open(path).map_err(|error| records_error(&error))?;
        loop {
            let read: Vec<_> = py.detach(|| blocks.by_ref().take(BLOCKS_AT_ONCE).collect());
            py.check_signals()?;
            if read.is_empty() {
                break;
            }
            for block in read {
                let block = block.map_err(|error| records_error(&error))?;
                let (found, wanted) = (block.settings.rules, *rules.get_or_insert(block.settings.rules));
                if found != wanted {
                    let path = path.display();
                    return Err(PyValueError::new_err(format!(
                        "{path} has games by {found} rules after others by {wanted} rules: read them apart"
                    )));
                }
                let text = block.settings.to_string();
                if !settings.contains(&text) {
                    settings.push(text);
                }
                export(&block, &mut records, &mut report);
            }
        }
    }
    Ok((PyBytes::new(py, &records), rules.map(|rules| rules.word()), settings))
}

/// The header and the games of a journal as JSON.
#[pyfunction]
pub fn read_journal(path: PathBuf) -> PyResult<String> {
    let contents = journal::read(&path).map_err(|error| match error {
        journal::JournalError::File(..) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    })?;
    let games: Vec<_> = contents.games.values().collect();
    Ok(serde_json::json!({ "header": contents.header, "games": games }).to_string())
}

fn little_endian(numbers: impl IntoIterator<Item = i16>) -> Vec<u8> {
    numbers.into_iter().flat_map(i16::to_le_bytes).collect()
}

fn weights_bytes(path: Option<&Path>, rules: &str) -> PyResult<Vec<u8>> {
    let rules = values::rules(rules)?;
    match path {
        Some(path) => {
            fs::read(path).map_err(|error| PyOSError::new_err(format!("{}: {error}", path.display())))
        }
        None => shipped_file(rules)
            .map(Vec::from)
            .ok_or_else(|| PyValueError::new_err(format!("no weights for {rules} rules are built in"))),
    }
}

/// The parts of a file of weights, or of the shipped weights for these rules.
#[pyfunction]
pub fn read_weights<'py>(
    py: Python<'py>,
    path: Option<PathBuf>,
    rules: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let name = path.as_ref().map_or_else(|| "shipped weights".into(), |path| path.display().to_string());
    let packed = decode(&weights_bytes(path.as_deref(), rules)?)
        .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
    let mut parts: Vec<(&str, usize, usize)> = NAMES
        .into_iter()
        .zip(unique_weight_ranges())
        .map(|(name, range)| (name, range.start, range.end))
        .collect();
    let moves = unique_weights();
    parts.push(("own-moves", moves, moves + MOBILITY_WEIGHTS));
    parts.push(("other-moves", moves + MOBILITY_WEIGHTS, moves + 2 * MOBILITY_WEIGHTS));
    let found = PyDict::new(py);
    found.set_item("rules", packed.rules.word())?;
    found.set_item("origin", packed.origin)?;
    found.set_item("parts", parts)?;
    found.set_item("empties", (0..STAGES).map(span).collect::<Vec<_>>())?;
    found.set_item("tempo", PyBytes::new(py, &little_endian(packed.tempo)))?;
    found.set_item("stages", PyBytes::new(py, &little_endian(packed.stages.into_iter().flatten())))?;
    if let Some(PackedNetwork { outputs, rows }) = packed.network {
        let numbers = |of: fn(&StageOutput) -> &[i16]| {
            little_endian(outputs.iter().flat_map(|output| of(output).iter().copied()))
        };
        found.set_item("hidden_bias", PyBytes::new(py, &numbers(|output| &output.bias)))?;
        found.set_item("hidden_output", PyBytes::new(py, &numbers(|output| &output.weights)))?;
        let rows: Vec<u8> = rows.into_iter().flatten().map(i8::cast_unsigned).collect();
        found.set_item("hidden_rows", PyBytes::new(py, &rows))?;
    }
    Ok(found)
}
