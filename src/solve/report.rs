//! Solutions as a table or as JSON lines.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::notation;

use super::join::result_checksum;
use super::{Solution, SolutionFormat, SolveOptions, WldResult};

#[derive(Serialize)]
struct SolutionRecord {
    position: String,
    rules: String,
    score: i8,
    best: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<String>,
    /// Of what a proof takes from a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<WldResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
}

impl From<&Solution> for SolutionRecord {
    fn from(solution: &Solution) -> Self {
        let pv = notation::names(&solution.moves, solution.position.size());
        let position = notation::position_text(&solution.position).to_string();
        let answer = solution.bound.zip(solution.proven);
        let check = answer.map(|(bound, proven)| result_checksum(&position, solution.rules, bound, proven));
        Self {
            position,
            rules: solution.rules.to_string(),
            score: solution.score.0,
            best: pv.first().cloned(),
            pv,
            nodes: solution.nodes,
            seconds: solution.time.as_secs_f64(),
            exact: solution.exact,
            bound: solution.bound.map(|bound| bound.to_string()),
            proven: solution.proven.map(|bound| bound.to_string()),
            check,
            outcome: solution.outcome,
            expected: solution.known.map(|known| known.0),
            right: solution.is_right(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Total {
    positions: usize,
    nodes: u64,
    time: Duration,
    processor: Option<Duration>,
    known: usize,
    right: usize,
}

impl Total {
    fn add(&mut self, solution: &Solution) {
        self.positions += 1;
        self.nodes += solution.nodes;
        self.time += solution.time;
        let so_far = self.processor.unwrap_or_default();
        self.processor = solution.processor.map(|time| time + so_far);
        let right = solution.is_right();
        self.known += usize::from(right.is_some());
        self.right += usize::from(right == Some(true));
    }

    fn line(&self) -> String {
        let Self { positions, nodes, time, processor, known, right } = *self;
        let noun = if positions == 1 { "position" } else { "positions" };
        let mut line = format!("{positions} {noun}: {nodes} nodes in {:.3} s", time.as_secs_f64());
        if let Some(processor) = processor {
            line += &format!(" ({:.3} s CPU)", processor.as_secs_f64());
        }
        line += &format!(", {:.1} Mn/s", speed(nodes, time));
        if known > 0 {
            line += &format!("; {right} of {known} known values right");
        }
        line
    }
}

/// Million nodes a second.
fn speed(nodes: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { nodes as f64 / time.as_secs_f64() / 1e6 }
}

pub(super) struct SolutionWriter<'a, W> {
    output: &'a mut W,
    format: SolutionFormat,
    wld: bool,
    /// None before the table has begun; else whether it has a column for known values.
    column: Option<bool>,
    total: Total,
}

impl<'a, W: Write> SolutionWriter<'a, W> {
    pub(super) fn new(options: &SolveOptions, output: &'a mut W) -> Self {
        Self { output, format: options.format, wld: options.wld, column: None, total: Total::default() }
    }

    /// Solutions that differ from the known values.
    pub(super) fn wrong(&self) -> usize {
        self.total.known - self.total.right
    }

    pub(super) fn positions(&self) -> usize {
        self.total.positions
    }

    pub(super) fn add(&mut self, solution: &Solution) -> io::Result<()> {
        self.total.add(solution);
        match self.format {
            SolutionFormat::Json => {
                serde_json::to_writer(&mut *self.output, &SolutionRecord::from(solution))?;
                writeln!(self.output)?;
            }
            SolutionFormat::Table => self.row(solution)?,
        }
        self.output.flush()
    }

    /// Writes the totals.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self.format {
            SolutionFormat::Json => {}
            SolutionFormat::Table if self.total.positions == 0 => writeln!(self.output, "no positions")?,
            SolutionFormat::Table => writeln!(self.output, "{}", self.total.line())?,
        }
        self.output.flush()
    }

    fn row(&mut self, solution: &Solution) -> io::Result<()> {
        // The first known value may come in the middle of the table.
        let column = solution.known.is_some() || self.column == Some(true);
        if self.column != Some(column) {
            self.column = Some(column);
            let value = if self.wld { "outcome" } else { "score" };
            let titles = ["#", "empties", value, "best", "nodes", "seconds", "Mn/s", "known", "line"];
            writeln!(self.output, "{}", aligned(titles, column))?;
        }
        let moves = notation::names(&solution.moves, solution.position.size());
        let cells: [&str; 9] = [
            &self.total.positions.to_string(),
            &solution.position.empties().len().to_string(),
            &value(solution),
            moves.first().map_or("-", String::as_str),
            &solution.nodes.to_string(),
            &format!("{:.3}", solution.time.as_secs_f64()),
            &format!("{:.1}", speed(solution.nodes, solution.time)),
            &known_cell(solution),
            &moves.join(" "),
        ];
        writeln!(self.output, "{}", aligned(cells, column))
    }
}

/// A tilde marks a value that is not proven.
fn value(solution: &Solution) -> String {
    if let Some(proven) = solution.proven {
        return proven.to_string();
    }
    match solution.outcome {
        Some(WldResult::Win) => "win".into(),
        Some(WldResult::Draw) => "draw".into(),
        Some(WldResult::Loss) => "loss".into(),
        None if solution.exact => solution.score.to_string(),
        None => format!("~{}", solution.score),
    }
}

fn known_cell(solution: &Solution) -> String {
    let Some(known) = solution.known else { return "-".into() };
    match solution.is_right() {
        Some(true) => format!("{known} right"),
        Some(false) => format!("{known} WRONG"),
        None => known.to_string(),
    }
}

/// Widths are fixed, since a row is shown before the next one is known.
fn aligned(cells: [&str; 9], with_known: bool) -> String {
    let [number, empties, value, best, nodes, seconds, speed, known, line] = cells;
    let known = if with_known { format!("  {known:<9}") } else { String::new() };
    let row = format!(
        "{number:>4}  {empties:>7}  {value:>7}  {best:<4}  {nodes:>13}  {seconds:>9}  {speed:>6}{known}  {line}"
    );
    row.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Position, Size, Square};
    use crate::rules::Rules;
    use crate::score::Discs;
    use crate::solve::PositionSource;

    fn solution(known: Option<i8>) -> Solution {
        Solution {
            position: Position::start(Size::Four),
            rules: Rules::Standard,
            score: Discs(-10),
            moves: vec![Move::Place(Square::D3), Move::Pass],
            nodes: 12_345_678,
            time: Duration::from_millis(1500),
            processor: Some(Duration::from_millis(1250)),
            exact: true,
            bound: None,
            proven: None,
            outcome: None,
            known: known.map(Discs),
        }
    }

    fn options(format: SolutionFormat, wld: bool) -> SolveOptions {
        let (rules, size) = (Rules::Standard, Size::Four);
        SolveOptions {
            source: PositionSource::Stdin,
            rules,
            size,
            wld,
            threads: 1,
            hash: Some(1),
            weights: Default::default(),
            format,
            resume: None,
            save_every: Duration::MAX,
        }
    }

    fn written(options: &SolveOptions, solutions: &[Solution]) -> Vec<String> {
        let mut output = Vec::new();
        let mut report = SolutionWriter::new(options, &mut output);
        solutions.iter().for_each(|solution| report.add(solution).unwrap());
        report.finish().unwrap();
        String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_table_is_aligned_and_summed_up() {
        let lines = written(&options(SolutionFormat::Table, false), &[solution(None), solution(None)]);
        let expected = [
            "   #  empties    score  best          nodes    seconds    Mn/s  line",
            "   1       12      -10  b1         12345678      1.500     8.2  b1 pass",
            "   2       12      -10  b1         12345678      1.500     8.2  b1 pass",
            "2 positions: 24691356 nodes in 3.000 s (2.500 s CPU), 8.2 Mn/s",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn known_values_have_a_column_as_soon_as_there_are_any() {
        let solutions = [solution(None), solution(Some(-10)), solution(None), solution(Some(4))];
        let lines = written(&options(SolutionFormat::Table, false), &solutions);
        let expected = [
            "   #  empties    score  best          nodes    seconds    Mn/s  line",
            "   1       12      -10  b1         12345678      1.500     8.2  b1 pass",
            "   #  empties    score  best          nodes    seconds    Mn/s  known      line",
            "   2       12      -10  b1         12345678      1.500     8.2  -10 right  b1 pass",
            "   3       12      -10  b1         12345678      1.500     8.2  -          b1 pass",
            "   4       12      -10  b1         12345678      1.500     8.2  +4 WRONG   b1 pass",
            "4 positions: 49382712 nodes in 6.000 s (5.000 s CPU), 8.2 Mn/s; 1 of 2 known values right",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_is_not_proven_is_marked() {
        let unfinished = Solution { exact: false, known: Some(Discs(4)), ..solution(None) };
        let lines = written(&options(SolutionFormat::Table, false), &[unfinished]);
        assert_eq!(
            lines[1],
            "   1       12     ~-10  b1         12345678      1.500     8.2  +4         b1 pass"
        );
        assert!(lines[2].ends_with("Mn/s"), "nothing was judged: {}", lines[2]);
    }

    #[test]
    fn outcomes_take_the_place_of_scores() {
        let lost = Solution { exact: false, outcome: Some(WldResult::Loss), ..solution(None) };
        let lines = written(&options(SolutionFormat::Table, true), &[lost]);
        assert!(lines[0].starts_with("   #  empties  outcome  best"), "{}", lines[0]);
        assert!(lines[1].starts_with("   1       12     loss  b1"), "{}", lines[1]);
    }

    #[test]
    fn a_finished_game_has_no_move() {
        let over = Solution { moves: Vec::new(), nodes: 0, time: Duration::ZERO, ..solution(None) };
        let table = written(&options(SolutionFormat::Table, false), std::slice::from_ref(&over));
        assert_eq!(table[1], "   1       12      -10  -                 0      0.000     0.0");
        let json = written(&options(SolutionFormat::Json, false), &[over]);
        assert!(json[0].contains(r#""best":null,"pv":[],"nodes":0,"#), "{}", json[0]);
    }

    #[test]
    fn json_has_a_line_for_each_position_and_nothing_else() {
        let lines = written(&options(SolutionFormat::Json, false), &[solution(None), solution(Some(4))]);
        let plain = concat!(
            r#"{"position":"-----OX--XO----- X","rules":"standard","score":-10,"best":"b1","#,
            r#""pv":["b1","pass"],"nodes":12345678,"seconds":1.5,"exact":true"#
        );
        assert_eq!(lines, [format!("{plain}}}"), format!(r#"{plain},"expected":4,"right":false}}"#)]);
    }

    #[test]
    fn nothing_to_solve_is_said() {
        assert_eq!(written(&options(SolutionFormat::Table, false), &[]), ["no positions"]);
        assert_eq!(written(&options(SolutionFormat::Json, false), &[]), [""; 0]);
    }
}
