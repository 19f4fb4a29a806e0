//! Values of positions by searches of fixed depths, kept in a file if one is named.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;
use ollehto_protocol::notation::parse_position;

use crate::board::{Board, Color, Position, Size};
use crate::eval::Evaluation;
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Control, Searcher, Task};

use crate::bench::evaluation_fingerprint;
use crate::files::append_log::{Header, Ledger, LedgerError};
use crate::terminal::progress;

/// What every file of values begins with; the number is the version of the format.
const TITLE: &str = "ollehto values 1";

/// Searches up to this depth use a small table: emptying a larger one would take longer than they do.
const SHALLOW: u8 = 8;

/// Mebibytes of table for such searches.
const SHALLOW_HASH: usize = 1;

/// Mebibytes of table for deeper ones.
const DEEP_HASH: usize = 16;

/// What is known of the positions of an 8×8 game by certain rules.
#[derive(Debug)]
pub struct Values {
    rules: Rules,
    /// By board, turned to be canonical, and depth.
    known: HashMap<(Board, u8), Score>,
    ledger: Option<Ledger>,
}

impl Values {
    /// What a file has; nothing without one. The file is added to by every search.
    ///
    /// # Errors
    /// If the file cannot be used, or has values of other rules or another evaluation.
    pub fn open(rules: Rules, path: Option<&Path>) -> Result<Self, LedgerError> {
        let mut known = HashMap::new();
        let ledger = match path {
            None => None,
            Some(path) => {
                let settings = format!(
                    "{rules} rules, evaluation {:08x}",
                    evaluation_fingerprint(&Evaluation::Shipped, &[rules])
                );
                let header = Header { name: "values", title: TITLE, settings };
                Some(Ledger::open(path, &header, |line| {
                    let (key, value) = parse_line(line)?;
                    known.insert(key, value);
                    Ok(())
                })?)
            }
        };
        Ok(Self { rules, known, ledger })
    }

    /// What a search to this depth has given for a position.
    #[must_use]
    pub fn get(&self, position: &Position, depth: u8) -> Option<Score> {
        self.known.get(&(position.board().canonical().0, depth)).copied()
    }

    /// Searches those of the positions that were not searched to this depth yet, so many at a time. What is found does
    /// not depend on how many that are. Returns how many were searched.
    ///
    /// # Errors
    /// If the values cannot be written.
    pub fn search(&mut self, positions: &[Position], depth: u8, jobs: usize) -> Result<usize, LedgerError> {
        let boards: Vec<Board> = positions.iter().map(|position| position.board().canonical().0).collect();
        let open: Vec<Board> =
            boards.iter().filter(|&&board| !self.known.contains_key(&(board, depth))).copied().collect();
        let bar = progress::bar(boards.len(), boards.len() - open.len());
        bar.set_message(format!(" to depth {depth}"));
        let (rules, next) = (self.rules, AtomicUsize::new(0));
        let (sender, found) = unbounded();
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, open.len().max(1)) {
                let (sender, next, open) = (sender.clone(), &next, &open);
                scope.spawn(move || {
                    let mut searcher =
                        Searcher::new(1, if depth <= SHALLOW { SHALLOW_HASH } else { DEEP_HASH });
                    while let Some(&board) = open.get(next.fetch_add(1, Relaxed)) {
                        if sender.send((board, value(&mut searcher, board, rules, depth))).is_err() {
                            // What we find can no longer be kept.
                            return;
                        }
                    }
                });
            }
            drop(sender);
            // Moved in here, so that it is gone as soon as keeping has failed and the threads see it.
            let found = found;
            for (board, value) in &found {
                self.keep(board, depth, value)?;
                bar.inc(1);
            }
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok(open.len())
    }

    fn keep(&mut self, board: Board, depth: u8, value: Score) -> Result<(), LedgerError> {
        if let Some(ledger) = &mut self.ledger {
            let text = notation::position_text(&position(board));
            ledger.append(&format!("{depth} {text} {}", value.units()))?;
        }
        self.known.insert((board, depth), value);
        Ok(())
    }
}

/// A board as a position; who is to move does not matter to its value.
fn position(board: Board) -> Position {
    Position::new(board.own(), board.other(), Color::Black, Size::Eight).expect("a board has disjoint discs")
}

fn value(searcher: &mut Searcher, board: Board, rules: Rules, depth: u8) -> Score {
    let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
    // A value must not depend on what was searched before it.
    searcher.forget();
    let outcome = searcher.run(&Task::new(position(board), rules), &control, &mut |_| {});
    let finished = || rules.result(board, Size::Eight).into();
    outcome.last.lines.first().map_or_else(finished, |line| line.score)
}

fn parse_line(line: &str) -> Result<((Board, u8), Score), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let &[depth, squares, side, units] = words.as_slice() else {
        return Err(format!("{} words where a depth, a position and a value belong", words.len()));
    };
    let depth = depth.parse().map_err(|_| format!("'{depth}' is no depth"))?;
    let units: i16 = units.parse().map_err(|_| format!("'{units}' is no value"))?;
    let text = parse_position(format!("{squares} {side}").as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&text).map_err(|error| error.to_string())?;
    if position.size() != Size::Eight {
        return Err(format!("a board of {}", position.size()));
    }
    Ok(((position.board().canonical().0, depth), Score::from_units(units.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::opening_tree::Tree;
    use std::{env, fs, process};

    fn leaves(plies: u8) -> Vec<Position> {
        let tree = Tree::grow(plies);
        tree.leaves().map(|at| tree.nodes()[at].position).collect()
    }

    #[test]
    fn values_do_not_depend_on_how_many_are_searched_at_a_time() {
        let positions = leaves(3);
        let with = |jobs| {
            let mut values = Values::open(Rules::Standard, None).expect("no file");
            assert_eq!(values.search(&positions, 4, jobs).expect("no file"), positions.len());
            positions.iter().map(|position| values.get(position, 4)).collect::<Vec<_>>()
        };
        assert_eq!(with(1), with(3));
        assert!(with(1).iter().all(Option::is_some));
    }

    #[test]
    fn a_file_remembers_every_depth_of_one_rule_set() {
        let path = env::temp_dir().join(format!("ollehto-values-{}", process::id()));
        let positions = leaves(3);
        let search = |depth, jobs| {
            let mut values = Values::open(Rules::Reversed, Some(&path)).expect("it can be used");
            let searched = values.search(&positions, depth, jobs).expect("it can be written");
            (searched, positions.iter().map(|position| values.get(position, depth)).collect::<Vec<_>>())
        };
        let (searched, found) = search(3, 2);
        assert_eq!(searched, positions.len());
        assert_eq!(search(2, 1).0, positions.len(), "another depth is another value");
        assert_eq!(search(3, 1), (0, found));
        let text = fs::read_to_string(&path).expect("it is there");
        assert_eq!(text.lines().count(), 1 + 2 * positions.len());
        let other = Values::open(Rules::Standard, Some(&path)).expect_err("other rules").to_string();
        assert!(other.contains("other settings (reversed rules"), "{other}");
        fs::write(&path, text.replacen("\n3 ", "\nx ", 1)).expect("it can be written");
        let broken = Values::open(Rules::Reversed, Some(&path)).expect_err("a bad line").to_string();
        assert!(broken.contains("line 2: 'x' is no depth"), "{broken}");
        fs::remove_file(&path).expect("it was ours");
    }
}
