//! Tables as aligned text and as comma-separated values.

use std::borrow::Cow;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    #[must_use]
    pub fn new(columns: Vec<(String, Align)>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    /// The first `texts` columns are aligned left, the others right.
    #[must_use]
    pub fn with_titles(texts: usize, titles: &[&str]) -> Self {
        let align = |n| if n < texts { Align::Left } else { Align::Right };
        Self::new(titles.iter().enumerate().map(|(n, title)| ((*title).to_owned(), align(n))).collect())
    }

    /// Adds a row, with a cell for each column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles: Vec<_> = self.columns.iter().map(|(title, _)| title.clone()).collect();
        let lines = || std::iter::once(&titles).chain(&self.rows);
        let wide = |n: usize| lines().filter_map(|cells| cells.get(n)).map(|c| c.chars().count()).max();
        let widths: Vec<_> = (0..titles.len()).map(|n| wide(n).unwrap_or(0)).collect();
        for cells in lines() {
            let mut line = String::new();
            for ((cell, &width), (_, align)) in cells.iter().zip(&widths).zip(&self.columns) {
                line += &match align {
                    Align::Left => format!("{cell:<width$}  "),
                    Align::Right => format!("{cell:>width$}  "),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A field that no spreadsheet computes: an apostrophe goes before what begins like a formula and is no number.
#[must_use]
pub fn csv_text(field: &str) -> Cow<'_, str> {
    let is_formula = field.starts_with(FORMULA) && field.parse::<f64>().is_err();
    if is_formula { format!("'{field}").into() } else { field.into() }
}

/// The field before [`csv_text`].
#[must_use]
pub fn from_csv_text(field: &str) -> &str {
    field.strip_prefix('\'').filter(|rest| rest.starts_with(FORMULA)).unwrap_or(field)
}

/// How a formula begins. Some programs skip a tab or a line end before it.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A line of comma-separated values, quoted by RFC 4180.
#[must_use]
pub fn csv_line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        let field = csv_text(field);
        match field.contains([',', '"', '\r', '\n']) {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field.into_owned(),
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters() {
        let mut table = TextTable::with_titles(1, &["player", "Elo", "±"]);
        table.row(vec!["a".into(), "+12".into(), "3".into()]);
        table.row(vec!["a longer one".into(), "−1234".into(), "44".into()]);
        let lines = ["player          Elo   ±", "a               +12   3", "a longer one  −1234  44", ""];
        assert_eq!(table.to_string(), lines.join("\n"));
    }

    #[test]
    fn no_field_is_a_formula() {
        let fields = ["=cmd|'/C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "-1+2", "-6", "+0.5", "-inf", "a=b"];
        let line = csv_line(&fields.map(String::from));
        assert_eq!(line, "'=cmd|'/C calc'!A0,'@SUM(1),'\t=1,\"'\r=1\",'-1+2,-6,+0.5,-inf,a=b\r\n");
        for field in fields.into_iter().chain(["'", "'a", ""]) {
            assert_eq!(from_csv_text(&csv_text(field)), field);
        }
    }
}
