//! The value of one position, depth by depth, until it is solved or stopped.

use std::io::{self, Write};

use serde::Serialize;

use crate::board::Position;
use crate::notation;
use crate::search::{Iteration, Limits, Searcher, Task};
use crate::terminal::interrupts::Interrupts;
use crate::time_source::Timestamp;

use super::input::GameInput;
use super::json::{LineRecord, line_records};
use super::{AnalysisFormat, AnalyzeError, AnalyzeOptions};

#[derive(Serialize)]
struct IterationRecord {
    #[serde(rename = "type")]
    kind: &'static str,
    position: String,
    rules: &'static str,
    depth: u8,
    /// In percent.
    selectivity: u8,
    exact: bool,
    nodes: u64,
    seconds: f64,
    lines: Vec<LineRecord>,
}

/// Searches the last position of the only game. Without limits it goes on until the position is solved.
pub(super) fn run(
    options: &AnalyzeOptions,
    games: &[GameInput],
    mut searcher: Searcher,
    interrupts: &Interrupts,
    output: &mut impl Write,
) -> Result<(), AnalyzeError> {
    let [input] = games else { return Err(AnalyzeError::NotOne(games.len())) };
    let position = *input.read.game.position();
    if position.is_over() {
        return Err(AnalyzeError::Over("the game is over".into()));
    }
    let rules = input.read.game.rules();
    let task = Task { lines: options.lines, ..Task::new(position, rules) };
    let control = interrupts.control();
    let start = Timestamp::now();
    if options.limits != Limits::default() {
        let empties = position.empties().len() as u8;
        control.set_budget(&options.limits.budget(start, empties, rules, std::time::Duration::ZERO));
    }
    let mut written = match options.format {
        AnalysisFormat::Table => header(&position, output),
        AnalysisFormat::Json => Ok(()),
    };
    searcher.run(&task, &control, &mut |iteration| {
        let seconds = start.elapsed().as_secs_f64();
        let result = match options.format {
            AnalysisFormat::Table => rows(iteration, &position, seconds, output),
            AnalysisFormat::Json => json(iteration, &position, rules.word(), seconds, output),
        };
        if let Err(error) = result {
            control.stop();
            written = Err(error);
        }
    });
    written.map_err(AnalyzeError::Output)
}

fn header(position: &Position, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{}, {} to move", notation::position_text(position), position.side())?;
    writeln!(output, "{:>8}  {:>7}  {:>12}  {:>8}  line", "depth", "value", "nodes", "seconds")?;
    output.flush()
}

fn rows(iteration: &Iteration, position: &Position, seconds: f64, output: &mut impl Write) -> io::Result<()> {
    let percent = iteration.selectivity.percent();
    let depth = if iteration.exact { "exact".into() } else { format!("{}@{percent}%", iteration.depth) };
    for (at, line) in iteration.lines.iter().enumerate() {
        let moves = notation::names(&line.moves, position.size()).join(" ");
        if at == 0 {
            let nodes = iteration.nodes;
            writeln!(
                output,
                "{depth:>8}  {:>7}  {nodes:>12}  {seconds:>8.3}  {moves}",
                line.score.to_string()
            )?;
        } else {
            writeln!(output, "{:>8}  {:>7}  {:>12}  {:>8}  {moves}", "", line.score.to_string(), "", "")?;
        }
    }
    output.flush()
}

fn json(
    iteration: &Iteration,
    position: &Position,
    rules: &'static str,
    seconds: f64,
    output: &mut impl Write,
) -> io::Result<()> {
    let record = IterationRecord {
        kind: "iteration",
        position: notation::position_text(position).to_string(),
        rules,
        depth: iteration.depth,
        selectivity: iteration.selectivity.percent(),
        exact: iteration.exact,
        nodes: iteration.nodes,
        seconds,
        lines: line_records(&iteration.lines, position),
    };
    serde_json::to_writer(&mut *output, &record)?;
    writeln!(output)?;
    output.flush()
}
