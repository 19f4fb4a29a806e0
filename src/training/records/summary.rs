//! What files of games hold.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::board::Square;
use crate::terminal::table::TextTable;
use crate::training::records::{Game, Reader, RecordError, Settings};
use crate::training::selfplay::Tally;

/// Why files cannot be shown.
#[derive(Debug)]
pub enum ShowError {
    /// A file is at fault.
    Records(RecordError),
    /// Nothing can be written.
    Output(io::Error),
}

impl fmt::Display for ShowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ShowError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Records(error) => Some(error),
            Self::Output(error) => Some(error),
        }
    }
}

impl From<io::Error> for ShowError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The games of one file that were played with the same settings.
struct Row {
    file: String,
    settings: Settings,
    tally: Tally,
}

/// Reads files from end to end and prints a table of what they hold, or so many of their games as lines of moves.
///
/// # Errors
/// If a file is damaged, after what was read before it; or if nothing can be written.
pub fn run(files: &[PathBuf], moves: Option<u64>, output: &mut impl Write) -> Result<(), ShowError> {
    let mut rows = Vec::new();
    let mut left = moves;
    let mut problem = None;
    for path in files {
        if left == Some(0) {
            break;
        }
        if let Err(error) = read(path, &mut rows, &mut left, output) {
            problem = Some(error);
            break;
        }
    }
    if moves.is_none() {
        write!(output, "{}", table(&rows))?;
    }
    output.flush()?;
    problem.map_or(Ok(()), Err)
}

fn read(
    path: &Path,
    rows: &mut Vec<Row>,
    left: &mut Option<u64>,
    output: &mut impl Write,
) -> Result<(), ShowError> {
    let begin = rows.len();
    for block in Reader::open(path).map_err(ShowError::Records)? {
        let block = block.map_err(ShowError::Records)?;
        if let Some(left) = left {
            for (number, game) in
                (block.first..).zip(&block.games).take(usize::try_from(*left).unwrap_or(usize::MAX))
            {
                *left -= 1;
                writeln!(output, "{}", line(number, game))?;
            }
            if *left == 0 {
                return Ok(());
            }
            continue;
        }
        let settings = block.settings;
        let at = rows[begin..].iter().position(|row| row.settings == settings).unwrap_or_else(|| {
            rows.push(Row { file: path.display().to_string(), settings, tally: Tally::default() });
            rows.len() - 1 - begin
        });
        block.games.iter().for_each(|game| rows[begin + at].tally.add(game));
    }
    Ok(())
}

/// A game as its number, its result for Black, and its moves, a bar between those drawn at random and the others.
fn line(number: u64, game: &Game) -> String {
    let (random, played) = game.moves().split_at(game.random_plies().into());
    let text = |squares: &[Square]| {
        squares.iter().map(|square| square.to_string().to_lowercase()).collect::<String>()
    };
    format!("{number} {} {}|{}", game.result(), text(random), text(played))
}

fn table(rows: &[Row]) -> TextTable {
    let titles = [
        "file",
        "rules",
        "goal",
        "stray",
        "games",
        "positions",
        "depth",
        "exact",
        "random",
        "seed",
        "evaluation",
        "Black",
        "drawn",
        "White",
        "mean",
    ];
    let mut table = TextTable::with_titles(4, &titles);
    let results = |tally: &Tally| {
        [tally.black, tally.draws, tally.white]
            .map(|n| n.to_string())
            .into_iter()
            .chain([format!("{:+.2}", tally.mean())])
    };
    let mut total = Tally::default();
    for Row { file, settings, tally } in rows {
        total.merge(tally);
        let mut cells = vec![file.clone(), settings.rules.to_string(), settings.goal.to_string()];
        cells.push(if settings.stray { "yes" } else { "no" }.to_owned());
        cells.extend([tally.games, tally.positions].map(|n| n.to_string()));
        cells.extend([settings.depth, settings.exact].map(|n| n.to_string()));
        cells.push(format!("{}..{}", settings.random.0, settings.random.1));
        cells.extend([settings.seed.to_string(), format!("{:08x}", settings.evaluation)]);
        cells.extend(results(tally));
        table.row(cells);
    }
    if rows.len() != 1 {
        let mut cells = vec![
            "all".to_owned(),
            String::new(),
            String::new(),
            String::new(),
            total.games.to_string(),
            total.positions.to_string(),
        ];
        cells.extend((0..5).map(|_| String::new()));
        cells.extend(results(&total));
        table.row(cells);
    }
    table
}
