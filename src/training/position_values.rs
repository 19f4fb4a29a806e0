//! Values of positions by searches to fixed depths, kept in a log if one is named.

use std::collections::HashMap;
use std::path::Path;

use super::{parallel, positions};
use crate::bench::evaluation_fingerprint;
use crate::board::{Board, Color, Position, Size};
use crate::eval::Evaluation;
use crate::files::append_log::{AppendLog, AppendLogError, LogFormat, OlderFormat};
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Searcher, Task};
use crate::terminal::progress::CommandProgress;

const FORMAT: LogFormat = LogFormat {
    name: "values",
    title: "ollehto values 2",
    older: OlderFormat { title: "ollehto values 1", has_checksums: false },
};

/// Searches up to this depth use a small table: clearing a larger one would take longer than the search.
const SHALLOW: u8 = 8;

/// MiB of table up to that depth.
const SHALLOW_HASH: usize = 1;

/// MiB of table for deeper searches.
const DEEP_HASH: usize = 16;

/// Values of 8×8 positions by one rule set.
#[derive(Debug)]
pub struct PositionValues {
    rules: Rules,
    /// By canonical board and depth.
    known: HashMap<(Board, u8), Score>,
    log: Option<AppendLog>,
}

impl PositionValues {
    /// Reads the values of a log, to which every search is added; none without a path.
    ///
    /// # Errors
    /// If the log cannot be used, or has values of other rules or another evaluation.
    pub fn open(rules: Rules, path: Option<&Path>) -> Result<Self, AppendLogError> {
        let mut known = HashMap::new();
        let open = |path| {
            let evaluation = evaluation_fingerprint(&Evaluation::Shipped, &[rules]);
            let settings = format!("{rules} rules, evaluation {evaluation:08x}");
            AppendLog::open(path, &FORMAT, &settings, |line| {
                let (key, value) = parse_line(line)?;
                known.insert(key, value);
                Ok(())
            })
        };
        let log = path.map(open).transpose()?;
        Ok(Self { rules, known, log })
    }

    #[must_use]
    pub fn get(&self, position: &Position, depth: u8) -> Option<Score> {
        self.known.get(&(position.board().canonical().0, depth)).copied()
    }

    /// Searches the positions without a value at this depth, on several threads. Values do not depend on how many these
    /// are. Returns how many positions were searched.
    ///
    /// # Errors
    /// If a value cannot be written.
    pub fn search(
        &mut self,
        positions: &[Position],
        depth: u8,
        jobs: usize,
    ) -> Result<usize, AppendLogError> {
        let new = self.unknown(positions, depth);
        let mut progress = CommandProgress::new("positions", positions.len(), positions.len() - new.len());
        progress.set_status(format_args!("depth {depth}"));
        let (rules, hash) = (self.rules, if depth <= SHALLOW { SHALLOW_HASH } else { DEEP_HASH });
        let searcher = || Searcher::new(1, hash);
        let search = |searcher: &mut _, &board: &Board| Some(value(searcher, board, rules, depth));
        parallel::for_each(&new, jobs, searcher, search, |at, value| {
            progress.advance(1);
            self.keep(new[at], depth, value)
        })?;
        Ok(new.len())
    }

    /// The positions without a value at this depth, in canonical orientation.
    #[must_use]
    pub fn missing(&self, positions: &[Position], depth: u8) -> Vec<Position> {
        self.unknown(positions, depth).into_iter().map(position).collect()
    }

    fn unknown(&self, positions: &[Position], depth: u8) -> Vec<Board> {
        let boards = positions.iter().map(|position| position.board().canonical().0);
        boards.filter(|&board| !self.known.contains_key(&(board, depth))).collect()
    }

    fn keep(&mut self, board: Board, depth: u8, value: Score) -> Result<(), AppendLogError> {
        if let Some(log) = &mut self.log {
            let text = notation::position_text(&position(board));
            log.append(&format!("{depth} {text} {}", value.units()))?;
        }
        self.known.insert((board, depth), value);
        Ok(())
    }
}

/// The side to move does not matter to a value.
fn position(board: Board) -> Position {
    Position::new(board.own(), board.other(), Color::Black, Size::Eight).expect("a board has disjoint discs")
}

fn value(searcher: &mut Searcher, board: Board, rules: Rules, depth: u8) -> Score {
    // A value must not depend on what was searched before it.
    searcher.clear();
    let budget = Budget { depth: Some(depth), ..Budget::UNLIMITED };
    searcher.score(&Task::new(position(board), rules), &budget)
}

fn parse_line(line: &str) -> Result<((Board, u8), Score), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let &[depth, squares, side, units] = words.as_slice() else {
        return Err(format!("{} words where a depth, a position and a value belong", words.len()));
    };
    let depth = depth.parse().map_err(|_| format!("'{depth}' is no depth"))?;
    let units: i16 = units.parse().map_err(|_| format!("'{units}' is no value"))?;
    let position = positions::parse(squares, side)?;
    Ok(((position.board().canonical().0, depth), Score::from_units(units.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::checksum::{with_checksum, without_checksum};
    use crate::training::opening_tree::OpeningTree;
    use std::{env, fs, process};

    fn leaves(plies: u8) -> Vec<Position> {
        let tree = OpeningTree::grow(plies);
        tree.leaves().map(|at| tree.nodes()[at].position).collect()
    }

    #[test]
    fn values_do_not_depend_on_the_number_of_threads() {
        let positions = leaves(3);
        let with = |jobs| {
            let mut values = PositionValues::open(Rules::Standard, None).expect("no file");
            assert_eq!(values.search(&positions, 4, jobs).expect("no file"), positions.len());
            positions.iter().map(|position| values.get(position, 4)).collect::<Vec<_>>()
        };
        assert_eq!(with(1), with(3));
        assert!(with(1).iter().all(Option::is_some));
    }

    #[test]
    fn a_log_has_every_depth_of_one_rule_set() {
        let path = env::temp_dir().join(format!("ollehto-values-{}", process::id()));
        let positions = leaves(3);
        let search = |depth, jobs| {
            let mut values = PositionValues::open(Rules::Reversed, Some(&path)).expect("it can be used");
            let searched = values.search(&positions, depth, jobs).expect("it can be written");
            (searched, positions.iter().map(|position| values.get(position, depth)).collect::<Vec<_>>())
        };
        let (searched, found) = search(3, 2);
        assert_eq!(searched, positions.len());
        assert_eq!(search(2, 1).0, positions.len(), "another depth is another value");
        assert_eq!(search(3, 1), (0, found));
        let text = fs::read_to_string(&path).expect("it is there");
        assert_eq!(text.lines().count(), 1 + 2 * positions.len());
        let other = PositionValues::open(Rules::Standard, Some(&path)).expect_err("other rules").to_string();
        assert!(other.contains("other settings (reversed rules"), "{other}");
        let texts = text.lines().map(|line| without_checksum(line).expect("our own writing"));
        let texts = texts.collect::<Vec<_>>().join("\n").replacen("\n3 ", "\nx ", 1);
        let lines: String = texts.lines().map(|line| with_checksum(line) + "\n").collect();
        fs::write(&path, lines).expect("it can be written");
        let broken = PositionValues::open(Rules::Reversed, Some(&path)).expect_err("a bad line").to_string();
        assert!(broken.contains("line 2: 'x' is no depth"), "{broken}");
        fs::remove_file(&path).expect("it was ours");
    }
}
