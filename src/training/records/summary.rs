//! `ollehto records`: a summary of game files.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{BlockReader, RecordFileError, SelfplaySettings, TrainingGame};
use crate::board::Square;
use crate::terminal::table::TextTable;

#[derive(Debug, Error)]
#[error("{0}")]
pub enum SummaryError {
    Records(#[from] RecordFileError),
    Output(#[from] io::Error),
}

/// Games, training positions and results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    pub games: u64,
    /// Positions after the random moves.
    pub positions: u64,
    /// Positions with the value of a search.
    pub values: u64,
    /// Positions with a fair result.
    pub fair: u64,
    pub detours: u64,
    /// Won by Black.
    pub black: u64,
    pub draws: u64,
    /// Won by White.
    pub white: u64,
    /// The sum of all results for Black.
    discs: i64,
}

impl GameCounts {
    pub fn add(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.positions += (game.moves().len() - usize::from(game.random_plies())) as u64;
        self.values += game.values().iter().flatten().count() as u64;
        self.fair += game.fair_positions() as u64;
        self.detours += game.detours().len() as u64;
        let discs = i64::from(game.result().0);
        self.discs += discs;
        match discs.signum() {
            1 => self.black += 1,
            0 => self.draws += 1,
            _ => self.white += 1,
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.positions += other.positions;
        self.values += other.values;
        self.fair += other.fair;
        self.detours += other.detours;
        self.black += other.black;
        self.draws += other.draws;
        self.white += other.white;
        self.discs += other.discs;
    }

    /// The mean result for Black, in discs; 0 without games.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.discs as f64 / self.games.max(1) as f64
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, black, draws, white, .. } = self;
        write!(
            f,
            "{positions} positions; Black won {black}, drew {draws}, lost {white}, {:+.2} discs a game",
            self.mean()
        )
    }
}

/// The games of one file with the same settings.
struct SummaryRow {
    file: String,
    settings: SelfplaySettings,
    counts: GameCounts,
}

/// Reads files completely and prints a table of their games, or the first `moves` games as lines of moves.
///
/// # Errors
/// At the first damaged file, after the summary of everything before it; or if nothing can be written.
pub fn run(files: &[PathBuf], moves: Option<u64>, output: &mut impl Write) -> Result<(), SummaryError> {
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
    rows: &mut Vec<SummaryRow>,
    left: &mut Option<u64>,
    output: &mut impl Write,
) -> Result<(), SummaryError> {
    let begin = rows.len();
    for block in BlockReader::open(path)? {
        let block = block?;
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
            rows.push(SummaryRow {
                file: path.display().to_string(),
                settings,
                counts: GameCounts::default(),
            });
            rows.len() - 1 - begin
        });
        block.games.iter().for_each(|game| rows[begin + at].counts.add(game));
    }
    Ok(())
}

/// Number, result for Black, random moves, a bar, and the other moves.
fn line(number: u64, game: &TrainingGame) -> String {
    let (random, played) = game.moves().split_at(game.random_plies().into());
    let text = |squares: &[Square]| {
        squares.iter().map(|square| square.to_string().to_lowercase()).collect::<String>()
    };
    format!("{number} {} {}|{}", game.result(), text(random), text(played))
}

fn table(rows: &[SummaryRow]) -> TextTable {
    let titles = "file,rules,plays for,noise,games,positions,values,fair results,detours,depth,exact,random,seed,evaluation,Black,drawn,White,mean";
    let titles: Vec<&str> = titles.split(',').collect();
    let mut table = TextTable::with_titles(4, &titles);
    let sizes = |counts: &GameCounts| {
        [counts.games, counts.positions, counts.values, counts.fair, counts.detours].map(|n| n.to_string())
    };
    let results = |counts: &GameCounts| {
        [counts.black, counts.draws, counts.white]
            .map(|n| n.to_string())
            .into_iter()
            .chain([format!("{:+.2}", counts.mean())])
    };
    let mut total = GameCounts::default();
    for SummaryRow { file, settings, counts } in rows {
        total.merge(counts);
        let mut cells = vec![file.clone(), settings.rules.to_string(), settings.play_for.to_string()];
        cells.push(if settings.noise_before_solve { "yes" } else { "no" }.to_owned());
        cells.extend(sizes(counts));
        cells.extend([settings.depth, settings.exact].map(|n| n.to_string()));
        cells.push(format!("{}..{}", settings.random.0, settings.random.1));
        cells.extend([settings.seed.to_string(), format!("{:08x}", settings.evaluation)]);
        cells.extend(results(counts));
        table.row(cells);
    }
    if rows.len() != 1 {
        let empty = |cells: usize| std::iter::repeat_n(String::new(), cells);
        let mut cells = vec!["all".to_owned()];
        cells.extend(empty(3).chain(sizes(&total)).chain(empty(5)).chain(results(&total)));
        table.row(cells);
    }
    table
}
