//! Tables of an experiment, as text, JSON and CSV.

use std::fmt;

use serde_json::{Map, Value, json};

use super::chart::{self, Chart};
use crate::arena::statistics::Estimate;
use crate::svg::{Panel, document, stack};
use crate::terminal::table::{TextTable, csv_line};

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Nothing,
    Text(String),
    Count(u64),
    /// Without an interval, such as a figure of a report; with so many decimals.
    Number(f64, usize),
    /// With its 95 % interval; with so many decimals.
    Estimate(Estimate<f64>, usize),
}

impl Cell {
    #[must_use]
    pub fn of(estimate: Option<Estimate<f64>>, decimals: usize) -> Self {
        estimate.map_or(Self::Nothing, |estimate| Self::Estimate(estimate, decimals))
    }

    /// A figure of a report, if there is one.
    #[must_use]
    pub fn said(number: Option<f64>, decimals: usize) -> Self {
        number.map_or(Self::Nothing, |number| Self::Number(number, decimals))
    }

    fn json(&self) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Text(text) => json!(text),
            Self::Count(count) => json!(count),
            Self::Number(number, _) => json!(number),
            Self::Estimate(Estimate { value, low, high }, _) => {
                json!({ "value": value, "low": low, "high": high })
            }
        }
    }

    /// CSV fields: an estimate has its ends beside it.
    fn fields(&self, with_ends: bool) -> Vec<String> {
        let mut fields = match self {
            Self::Estimate(Estimate { value, low, high }, _) => {
                return [value, low, high].map(ToString::to_string).into();
            }
            Self::Nothing => vec![String::new()],
            Self::Text(text) => vec![text.clone()],
            Self::Count(count) => vec![count.to_string()],
            Self::Number(number, _) => vec![number.to_string()],
        };
        fields.resize(if with_ends { 3 } else { 1 }, String::new());
        fields
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nothing => f.write_str("-"),
            Self::Text(ref text) => f.write_str(text),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number, decimals) => write!(f, "{number:.decimals$}"),
            Self::Estimate(estimate, decimals) => {
                let Estimate { value, low, high } = estimate;
                write!(f, "{value:.decimals$}")?;
                let reach = estimate.half_width();
                if !reach.is_finite() {
                    return Ok(());
                }
                let even = ((high - value) - (value - low)).abs() <= 0.1 * reach;
                if even {
                    write!(f, " ±{reach:.decimals$}")
                } else {
                    write!(f, " ({low:.decimals$}..{high:.decimals$})")
                }
            }
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

#[derive(Clone, Debug)]
pub struct Sheet {
    title: String,
    columns: Vec<String>,
    /// How many of the first columns are text.
    texts: usize,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
    chart: Option<Chart>,
}

impl Sheet {
    /// The first `texts` columns are text, the others numbers.
    pub fn new<S: Into<String>>(
        title: impl Into<String>,
        texts: usize,
        columns: impl IntoIterator<Item = S>,
    ) -> Self {
        Self {
            title: title.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            texts,
            rows: Vec::new(),
            notes: Vec::new(),
            chart: None,
        }
    }

    /// With a cell for each column.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows.push(cells);
    }

    /// A line below the table.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub fn draw(&mut self, chart: Chart) {
        self.chart = Some(chart);
    }

    /// The chart, or else each column of estimates by the names of the rows.
    pub(super) fn panels(&self) -> Vec<(String, Panel)> {
        if let Some(chart) = &self.chart {
            return vec![chart.panel()];
        }
        if self.texts == 0 {
            return Vec::new();
        }
        let rows_of = |column: usize| {
            let estimates = self.rows.iter().filter_map(|row| match row.get(column) {
                Some(Cell::Estimate(estimate, _)) => Some((row.first()?.to_string(), *estimate)),
                _ => None,
            });
            estimates.collect::<Vec<_>>()
        };
        let columns = self.columns.iter().enumerate().map(|(column, name)| (name, rows_of(column)));
        let drawn = columns.filter(|(_, rows)| !rows.is_empty());
        drawn.map(|(name, rows)| chart::rows(&self.title, name, &rows)).collect()
    }

    fn json(&self) -> Value {
        let rows = self.rows.iter().map(|cells| {
            let pairs = self.columns.iter().cloned().zip(cells.iter().map(Cell::json));
            Value::Object(pairs.collect::<Map<_, _>>())
        });
        json!({ "title": self.title, "rows": rows.collect::<Vec<_>>(), "notes": self.notes })
    }

    fn csv(&self) -> String {
        let has_ends =
            |column: usize| self.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Estimate(..))));
        let head = self.columns.iter().enumerate().flat_map(|(column, name)| {
            let ends = ["", " low", " high"].map(|end| format!("{name}{end}"));
            ends.into_iter().take(if has_ends(column) { 3 } else { 1 })
        });
        let head = std::iter::once("table".to_owned()).chain(head).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|cells| {
            let fields = cells.iter().enumerate().flat_map(|(column, cell)| cell.fields(has_ends(column)));
            std::iter::once(self.title.clone()).chain(fields).collect::<Vec<_>>()
        });
        std::iter::once(head).chain(rows).map(|fields| csv_line(&fields)).collect()
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let mut table = TextTable::with_titles(self.texts, &columns);
        for cells in &self.rows {
            table.row(cells.iter().map(ToString::to_string).collect());
        }
        write!(f, "{table}")?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}

#[must_use]
pub fn json(sheets: &[Sheet]) -> Value {
    json!({ "tables": sheets.iter().map(Sheet::json).collect::<Vec<_>>() })
}

/// With an empty line between tables.
#[must_use]
pub fn csv(sheets: &[Sheet]) -> String {
    sheets.iter().map(Sheet::csv).collect::<Vec<_>>().join("\r\n")
}

/// The drawings of all tables, one below the other.
#[must_use]
pub fn svg(sheets: &[Sheet]) -> String {
    let (titles, panels): (Vec<_>, Vec<_>) = sheets.iter().flat_map(Sheet::panels).unzip();
    let (content, height) = stack(&panels, 0.0);
    document(chart::WIDTH, height, &titles.join("; "), include_str!("style.css"), &content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::chart::{Axis, Point};

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new("Moves, \"reversed\"", 1, ["player", "moves", "report"]);
        let estimate = Estimate { value: 4.5, low: 4.0, high: 5.0 };
        sheet.row(vec!["a".into(), Cell::Estimate(estimate, 2), Cell::said(Some(4.625), 3)]);
        let open = Estimate { value: 3.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        sheet.row(vec!["b,c".into(), Cell::Estimate(open, 1), Cell::said(None, 3)]);
        sheet.row(vec!["d".into(), Cell::Estimate(Estimate { high: 9.0, ..estimate }, 0), 7.into()]);
        sheet.note("Two games.");
        sheet
    }

    #[test]
    fn people_read_aligned_columns() {
        let lines = [
            "Moves, \"reversed\"",
            "player       moves  report",
            "a       4.50 ±0.50   4.625",
            "b,c            3.0       -",
            "d         4 (4..9)       7",
            "Two games.",
            "",
        ];
        assert_eq!(sheet().to_string(), lines.join("\n"));
    }

    #[test]
    fn programs_read_every_digit() {
        let lines = [
            "table,player,moves,moves low,moves high,report",
            "\"Moves, \"\"reversed\"\"\",a,4.5,4,5,4.625",
            "\"Moves, \"\"reversed\"\"\",\"b,c\",3,-inf,inf,",
            "\"Moves, \"\"reversed\"\"\",d,4.5,4,9,7",
            "",
        ];
        assert_eq!(csv(&[sheet()]), lines.join("\r\n"));
        let found = json(&[sheet()]);
        assert_eq!(found["tables"][0]["rows"][0]["moves"]["high"], 5.0);
        assert!(found["tables"][0]["rows"][1]["moves"]["high"].is_null());
        assert_eq!(found["tables"][0]["notes"][0], "Two games.");
    }

    #[test]
    fn drawings_are_whole_whatever_they_show() {
        let point = |x, y: f64| Point { x, y, ends: [y - 1.0, f64::INFINITY] };
        let some = Chart {
            title: "a < b".into(),
            x: "discs".into(),
            axis: Axis::Tenfold,
            curves: vec![("one & two".into(), vec![point(1.0, 10.0), point(2.0, 1000.0)])],
        };
        let mut curves = Sheet::new("curves", 1, ["name"]);
        curves.draw(some);
        let mut nothing = Sheet::new("nothing", 1, ["name"]);
        nothing.draw(Chart::default());
        let mut rows = Sheet::new("rows", 1, ["name", "share"]);
        let open = Estimate { value: 0.5, low: f64::NEG_INFINITY, high: f64::INFINITY };
        rows.row(vec!["<them>".into(), Cell::Estimate(open, 1)]);
        let drawn = svg(&[curves, nothing, rows]);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert!(drawn.contains("rows: share") && drawn.contains("&lt;them&gt;"));
        assert!(drawn.contains("a &lt; b") && drawn.contains("one &amp; two"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        assert!(!drawn.contains("var("), "many programs know no CSS variables");
    }
}
