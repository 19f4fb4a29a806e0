//! Lists of jobs: positions with bounds to prove, which together decide the value of another position.
//!
//! A job is a line that `ollehto solve` takes: `POSITION; RULES >= +2;`. Comments below the jobs hold the root, the
//! positions between it and the jobs, what earlier rounds have proven, and a CRC-32 of all lines before it. So line N is
//! job N.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ollehto_protocol::notation::parse_position;
use thiserror::Error;

use crate::board::{Position, Size};
use crate::notation;
use crate::rules::Rules;
use crate::score::Discs;

use super::bound::{Bound, Interval};
use super::proof::{CanonicalBoard, ProofTree};

const TITLE: &str = "# ollehto solve jobs 1";

#[derive(Debug, Error)]
pub enum JobListError {
    #[error("cannot read {}: {}; name a list of jobs written by `ollehto solve --split`", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error("{} is no list of jobs: name a file written by `ollehto solve --split`", .0.display())]
    OtherKind(PathBuf),
    /// Lines are counted from 1.
    #[error("{}, line {line}: {problem}; write the list anew with --split", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
}

/// A position and a bound to prove or to refute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Job {
    pub(super) board: CanonicalBoard,
    pub(super) bound: Bound,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JobList {
    pub(super) root: Position,
    /// What the jobs are to prove of the root.
    pub(super) value: Discs,
    pub(super) jobs: Vec<Job>,
    pub(super) tree: ProofTree,
}

impl JobList {
    pub(super) fn line(&self, job: &Job) -> String {
        format!("{}; {} {};", job.board.text(self.tree.size), self.tree.rules, job.bound)
    }

    pub(super) fn text(&self) -> String {
        let ProofTree { rules, size, expanded, known } = &self.tree;
        let mut text = String::new();
        for job in &self.jobs {
            text += &self.line(job);
            text.push('\n');
        }
        let root = notation::position_text(&self.root);
        let _ = writeln!(text, "{TITLE}\n# root {root}; {rules} {}", self.value);
        // In a fixed order: the same list has the same text.
        let mut nodes: Vec<String> =
            expanded.iter().map(|board| format!("# node {}\n", board.text(*size))).collect();
        let fact = |(board, interval): (&CanonicalBoard, &Interval)| {
            format!("# known {}; {} {}\n", board.text(*size), interval.lower, interval.upper)
        };
        let mut facts: Vec<String> = known.iter().map(fact).collect();
        nodes.sort_unstable();
        facts.sort_unstable();
        text.extend(nodes);
        text.extend(facts);
        let sum = crc32fast::hash(text.as_bytes());
        let _ = writeln!(text, "# crc32 {sum:08x}");
        text
    }

    /// # Errors
    /// If the file cannot be read, is no such list, or was altered.
    pub(super) fn read(path: &Path) -> Result<Self, JobListError> {
        let bytes = fs::read(path).map_err(|error| JobListError::Read(path.to_owned(), error))?;
        Self::read_bytes(path, bytes)
    }

    /// The path is for messages.
    pub(super) fn read_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, JobListError> {
        let other_kind = || JobListError::OtherKind(path.to_owned());
        let text = String::from_utf8(bytes).map_err(|_| other_kind())?;
        if !text.lines().any(|line| line == TITLE) {
            return Err(other_kind());
        }
        Self::parse(&text).map_err(|(line, problem)| JobListError::Line {
            path: path.to_owned(),
            line,
            problem,
        })
    }

    fn parse(text: &str) -> Result<Self, (usize, String)> {
        let count = text.lines().count();
        check_sum(text).map_err(|problem| (count, problem.to_owned()))?;
        let missing = || (count, "there is no root".to_owned());
        let (at, root) =
            (1..).zip(text.lines()).find(|(_, line)| line.starts_with("# root ")).ok_or_else(missing)?;
        let (root, rules, value) = parse_root(root).map_err(|problem| (at, problem))?;
        let tree = ProofTree::new(rules, root.size());
        let mut list = Self { root, value, jobs: Vec::new(), tree };
        for (at, line) in (1..).zip(text.lines()) {
            list.take(line).map_err(|problem| (at, problem))?;
        }
        Ok(list)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let size = self.tree.size;
        if let Some(node) = line.strip_prefix("# node ") {
            self.tree.expanded.insert(board_of(node, size)?);
        } else if let Some(fact) = line.strip_prefix("# known ") {
            let (position, interval) = fact.split_once("; ").ok_or("there are no bounds")?;
            let (lower, upper) = interval.split_once(' ').ok_or("there is one bound only")?;
            let interval = Interval { lower: discs(lower)?, upper: discs(upper)? };
            self.tree.learn(board_of(position, size)?, interval);
        } else if !line.starts_with('#') {
            let (position, question) = line.split_once("; ").ok_or("there is no bound")?;
            let question: JobQuestion = question.parse().map_err(|error: QuestionError| error.to_string())?;
            let JobQuestion { rules, bound } = question;
            if rules != self.tree.rules {
                return Err(format!("the job is for {rules} rules, the root for {}", self.tree.rules));
            }
            self.jobs.push(Job { board: board_of(position, size)?, bound });
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected rules and a bound, such as 'reversed >= +2;', found '{0}'")]
pub struct QuestionError(String);

/// What follows the position of a job: `RULES >= +2;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobQuestion {
    pub rules: Rules,
    pub bound: Bound,
}

impl FromStr for JobQuestion {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Self, QuestionError> {
        let error = || QuestionError(text.trim().to_owned());
        let words = text.trim().trim_end_matches(';').trim_end();
        let (rules, bound) = words.split_once(' ').ok_or_else(error)?;
        Ok(Self { rules: rules.parse().map_err(|_| error())?, bound: bound.parse().map_err(|_| error())? })
    }
}

fn parse_root(line: &str) -> Result<(Position, Rules, Discs), String> {
    let parts = line.strip_prefix("# root ").and_then(|line| line.split_once("; "));
    let (position, rest) = parts.ok_or("the root is incomplete")?;
    let (rules, value) = rest.split_once(' ').ok_or("the root has no value")?;
    let rules = rules.parse().map_err(|_| format!("unknown rules '{rules}'"))?;
    let parsed = parse_position(position.as_bytes()).map_err(|error| error.to_string())?;
    Ok((notation::position(&parsed).map_err(|error| error.to_string())?, rules, discs(value)?))
}

fn board_of(text: &str, size: Size) -> Result<CanonicalBoard, String> {
    let parsed = parse_position(text.as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&parsed).map_err(|error| error.to_string())?;
    if position.size() != size {
        return Err(format!("the board is {}, not {size}", position.size()));
    }
    Ok(position.board().into())
}

fn discs(text: &str) -> Result<Discs, String> {
    let discs = text.parse().ok().filter(|discs: &i8| discs.unsigned_abs() <= 64);
    discs.map(Discs).ok_or_else(|| format!("expected a value from -64 to +64, found '{text}'"))
}

/// Whether the last line has the checksum of those before it.
fn check_sum(text: &str) -> Result<(), &'static str> {
    let trimmed = text.strip_suffix('\n').ok_or("the last line is incomplete")?;
    let start = trimmed.rfind('\n').map_or(0, |end| end + 1);
    let sum = trimmed[start..].strip_prefix("# crc32 ").ok_or("there is no checksum")?;
    let found = crc32fast::hash(&text.as_bytes()[..start]);
    if sum == format!("{found:08x}") { Ok(()) } else { Err("the list was altered: its checksum is wrong") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn list() -> JobList {
        let root = Position::start(Size::Four);
        let mut tree = ProofTree::new(Rules::Reversed, Size::Four);
        let board = CanonicalBoard::from(root.board());
        let child = tree.children(board)[0];
        tree.expanded.extend([board, child]);
        let leaves = tree.children(child);
        tree.learn(leaves[0], Interval { lower: Discs(-16), upper: Discs(2) });
        let job = |&board| Job { board, bound: Bound::AtLeast(Discs(4)) };
        JobList { root, value: Discs(4), jobs: leaves.iter().map(job).collect(), tree }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let list = list();
        assert_eq!(JobList::parse(&list.text()), Ok(list.clone()));
        assert!(list.text().lines().next().is_some_and(|line| line.ends_with(" X; reversed >= +4;")));
    }

    proptest! {
        #[test]
        fn no_change_of_a_byte_goes_unnoticed(at in 0_usize..1000, to in 0_u8..128) {
            let mut bytes = list().text().into_bytes();
            let at = at % bytes.len();
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            let text = String::from_utf8(bytes).expect("ASCII");
            prop_assert!(JobList::parse(&text).is_err());
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,40}", cut in 0_usize..1000) {
            let mut whole = list().text();
            whole.truncate(cut % whole.len());
            prop_assert!(JobList::parse(&(whole + &text)).is_err());
        }
    }
}
