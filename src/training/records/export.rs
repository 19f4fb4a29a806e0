//! `ollehto records export`: the positions of game files as records of fixed size, for trainers that map a file into
//! memory.

use std::fs;
use std::path::PathBuf;
use std::{fmt, io};

use thiserror::Error;

use super::{Block, BlockReader, RecordFileError, SearchValue, TrainingPosition};
use crate::files::output::{Destination, OutputError, OutputStream, Outputs};
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::CommandProgress;

pub const RECORD_LENGTH: usize = 20;

/// In the byte of the empty squares: the result is fair.
const FAIR: u8 = 1 << 6;
/// The same: the position was solved.
const SOLVED: u8 = 1 << 7;
/// In the byte of the move: it is a detour.
const DETOUR: u8 = 1 << 6;
/// The same: the position is the first one of its game.
const FIRST: u8 = 1 << 7;

#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// Recorded games.
    pub files: Vec<PathBuf>,
    pub output: Destination,
    /// Replace an existing file.
    pub force: bool,
}

#[derive(Debug, Error)]
pub enum ExportError {
    #[error("{0}")]
    Records(#[from] RecordFileError),
    #[error("{0}")]
    Output(#[from] OutputError),
    #[error("{0}")]
    System(#[from] io::Error),
    #[error("{} has games by {found} rules after others by {wanted} rules: export them to a file of their own", path.display())]
    OtherRules { path: PathBuf, found: Rules, wanted: Rules },
    #[error("interrupted: nothing is written")]
    Interrupted,
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    games: u64,
    positions: u64,
    values: u64,
    fair: u64,
}

impl fmt::Display for ExportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, values, fair } = self;
        writeln!(
            f,
            "{games} games, {positions} positions, {values} with a search value, {fair} with a fair result"
        )
    }
}

/// # Errors
/// If a file cannot be used, or the games are by different rules.
pub fn run(options: &ExportOptions) -> Result<ExportReport, ExportError> {
    let output = Outputs::new(options.force).with_inputs(&options.files).claim(&options.output)?;
    let interrupts = Interrupts::of_terminal()?;
    let mut report = ExportReport::default();
    output.stream(|stream| write_positions(options, &interrupts, stream, &mut report))?;
    Ok(report)
}

fn write_positions(
    options: &ExportOptions,
    interrupts: &Interrupts,
    stream: &mut OutputStream<'_>,
    report: &mut ExportReport,
) -> Result<(), ExportError> {
    let length = |path| fs::metadata(path).map_or(0, |found| found.len());
    let total = options.files.iter().map(length).sum::<u64>();
    let mut progress = CommandProgress::new("bytes", total as usize, 0);
    let mut rules = None;
    let mut records = Vec::new();
    for path in &options.files {
        let mut blocks = BlockReader::open(path)?;
        let mut done = 0;
        while let Some(block) = blocks.next() {
            if interrupts.is_raised() {
                return Err(ExportError::Interrupted);
            }
            let block = block?;
            let (found, wanted) = (block.settings.rules, *rules.get_or_insert(block.settings.rules));
            if found != wanted {
                return Err(ExportError::OtherRules { path: path.clone(), found, wanted });
            }
            records.clear();
            export(&block, &mut records, report);
            stream.write_all(&records)?;
            progress.advance((blocks.offset() - done) as usize);
            done = blocks.offset();
        }
    }
    Ok(())
}

/// Adds the positions of a block, [`RECORD_LENGTH`] bytes each.
pub fn export(block: &Block, records: &mut Vec<u8>, report: &mut ExportReport) {
    for game in &block.games {
        report.games += 1;
        let mut is_first = true;
        for position in game.positions() {
            report.positions += 1;
            report.values += u64::from(position.value.is_some());
            report.fair += u64::from(position.has_fair_result);
            records.extend(record(&position, block.settings.exact, is_first));
            is_first = false;
        }
    }
}

fn record(position: &TrainingPosition, exact: u8, is_first: bool) -> [u8; RECORD_LENGTH] {
    let empties = 64 - position.board.discs().len() as u8;
    let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    let mut bytes = [0; RECORD_LENGTH];
    bytes[..8].copy_from_slice(&position.board.own().0.to_le_bytes());
    bytes[8..16].copy_from_slice(&position.board.other().0.to_le_bytes());
    bytes[16] = position.result.0.cast_unsigned();
    bytes[17] = SearchValue::to_code(position.value).cast_unsigned();
    bytes[18] = empties | flag(position.has_fair_result, FAIR) | flag(empties <= exact, SOLVED);
    bytes[19] = position.square.index() as u8 | flag(position.is_detour, DETOUR) | flag(is_first, FIRST);
    bytes
}
