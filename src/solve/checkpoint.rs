//! The file of `solve --resume`: what is solved, and what is proven of the position that is being solved.
//!
//! Text: a header, a JSON line for each record, and a CRC-32 of all lines before it. Only bounds of searches to the end of
//! the game without selective cuts are in it, so they hold for any evaluation.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::board::{Board, Size};
use crate::files::output::{OutputError, Outputs, replace_locked};
use crate::notation;
use crate::rules::Rules;
use crate::search::{CompletedIteration, ProvenBounds, proven_below};
use crate::tt::Table;

use super::records::{
    IterationRecord, Record, bound_record, bounds_of, check_sum, duration, parse_bound, position_of,
    square_name,
};
use super::{PositionSource, Question, Solution, SolveOptions};

/// The start of every such file, whatever its version.
const KIND: &str = "ollehto solve checkpoint ";

const VERSION: &str = "1";

/// Some MiB. Each bound is about as much work as all those below it, so that the ones left out are soon found again.
const MAX_BOUNDS: usize = 1 << 16;

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error("cannot read {}: {}; name a checkpoint of `ollehto solve`, or a new file", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error("{}: another process is writing it", .0.display())]
    InUse(PathBuf),
    #[error("{0}")]
    Write(#[source] OutputError),
    #[error("cannot save {}: {}; what was saved before is still there", .0.display(), .1)]
    Save(PathBuf, #[source] io::Error),
    #[error("{} is no checkpoint of `ollehto solve` and stays as it is: name another file", .0.display())]
    OtherKind(PathBuf),
    #[error("{} has version {found} of its format, not {VERSION}: name another file", path.display())]
    OtherVersion { path: PathBuf, found: String },
    #[error(
        "{} was made with other settings ({found}, now {wanted}): give the same options, or another file",
        path.display()
    )]
    OtherSettings { path: PathBuf, found: String, wanted: String },
    /// Lines are counted from 1.
    #[error("{}, line {line}: {problem}: the file is damaged; delete it to begin anew", path.display())]
    Damaged { path: PathBuf, line: usize, problem: String },
    #[error(
        "{} is of other positions (number {number} there is {found}, now {wanted}): give the same positions, or another file",
        path.display()
    )]
    OtherPosition { path: PathBuf, number: usize, found: String, wanted: String },
}

/// What was spent on a position, in all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Effort {
    pub(super) nodes: u64,
    pub(super) time: Duration,
    /// CPU time of all threads, if the system tells.
    pub(super) processor: Option<Duration>,
}

impl Effort {
    #[must_use]
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_add(other.nodes),
            time: self.time.saturating_add(other.time),
            processor: self.processor.zip(other.processor).map(|(one, more)| one.saturating_add(more)),
        }
    }
}

/// How far the runs so far have come with a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SolveProgress {
    pub(super) effort: Effort,
    pub(super) completed: Option<CompletedIteration>,
}

/// A position that is being solved.
#[derive(Clone, Debug, PartialEq)]
struct Unfinished {
    question: Question,
    progress: SolveProgress,
    bounds: HashMap<Board, ProvenBounds>,
}

#[derive(Debug)]
pub(super) struct Checkpoint {
    path: PathBuf,
    rules: Rules,
    size: Size,
    wld: bool,
    /// In the order of the input.
    solved: Vec<Solution>,
    current: Option<Unfinished>,
    is_new: bool,
    /// The file, locked; none if it was only read.
    lock: Option<File>,
}

impl Checkpoint {
    /// Reads a checkpoint, or writes a new one. It stays locked.
    ///
    /// # Errors
    /// If the file is none of these settings, cannot be read or written, or another process has it; it stays untouched
    /// then.
    pub(super) fn open(path: &Path, options: &SolveOptions) -> Result<Self, CheckpointError> {
        if let Some(mut file) = open_locked(path)? {
            let mut bytes = Vec::new();
            let failed = |error| CheckpointError::Read(path.to_owned(), error);
            file.read_to_end(&mut bytes).map_err(failed)?;
            return Ok(Self { lock: Some(file), ..Self::read(path, &bytes, options)? });
        }
        let input = match &options.source {
            PositionSource::File(input) => Some(input.clone()),
            PositionSource::Stdin | PositionSource::Start => None,
        };
        let new = Self { is_new: true, ..Self::new(path, options) };
        // Refuses also a link to nothing, and what has appeared meanwhile.
        let claimed = Outputs::new(false).with_inputs(input).claim(path);
        claimed.and_then(|claimed| claimed.write(new.text())).map_err(CheckpointError::Write)?;
        Ok(Self { lock: open_locked(path)?, ..new })
    }

    /// The path is for messages, and to save it.
    pub(super) fn read(path: &Path, bytes: &[u8], options: &SolveOptions) -> Result<Self, CheckpointError> {
        Self::new(path, options).with_contents(bytes)
    }

    fn new(path: &Path, options: &SolveOptions) -> Self {
        let SolveOptions { rules, size, wld, .. } = *options;
        Self {
            path: path.to_owned(),
            rules,
            size,
            wld,
            solved: Vec::new(),
            current: None,
            is_new: false,
            lock: None,
        }
    }

    /// What the contents depend on beside the positions.
    fn settings(&self) -> String {
        let Self { rules, size, wld, .. } = self;
        let (side, only) = (size.side(), if *wld { ", win, draw or loss only" } else { "" });
        format!("{rules} rules, {side}x{side} board{only}")
    }

    fn with_contents(mut self, bytes: &[u8]) -> Result<Self, CheckpointError> {
        let path = || self.path.clone();
        if !bytes.starts_with(KIND.as_bytes()) {
            return Err(CheckpointError::OtherKind(path()));
        }
        let damaged =
            |line, problem: &str| CheckpointError::Damaged { path: path(), line, problem: problem.into() };
        let text = str::from_utf8(bytes).map_err(|_| damaged(1, "this is no UTF-8"))?;
        let (header, below) = text.split_once('\n').ok_or_else(|| damaged(1, "there is nothing below"))?;
        let settings = header[KIND.len()..].split_once(": ");
        let (version, found) = settings.ok_or_else(|| damaged(1, "the header is incomplete"))?;
        if version != VERSION {
            return Err(CheckpointError::OtherVersion { path: path(), found: version.to_owned() });
        }
        check_sum(text).map_err(|problem| damaged(text.lines().count(), problem))?;
        let wanted = self.settings();
        if found != wanted {
            return Err(CheckpointError::OtherSettings { path: path(), found: found.to_owned(), wanted });
        }
        for (line, text) in (2..).zip(below.lines()) {
            self.take(text).map_err(|problem| CheckpointError::Damaged {
                path: self.path.clone(),
                line,
                problem,
            })?;
        }
        Ok(self)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        match serde_json::from_str(line).map_err(|error| error.to_string())? {
            Record::Solved(record) if self.current.is_none() => {
                let solution = record.solution(self.rules, self.size)?;
                self.solved.push(solution);
            }
            Record::Solving { position, bound, nodes, seconds, cpu, iteration } if self.current.is_none() => {
                let position = position_of(&position, self.size)?;
                let question = Question { position, bound: parse_bound(bound)? };
                let (time, processor) = (duration(seconds)?, cpu.map(duration).transpose()?);
                let effort = Effort { nodes, time, processor };
                let completed = iteration.map(|record| record.iteration(position)).transpose()?;
                let progress = SolveProgress { effort, completed };
                self.current = Some(Unfinished { question, progress, bounds: HashMap::new() });
            }
            Record::Bound(position, lower, upper, best) => {
                let bounds = bounds_of(&position, [lower, upper], &best, self.size)?;
                let current = self.current.as_mut().ok_or("a bound of no position")?;
                current.bounds.insert(bounds.board, bounds);
            }
            Record::Crc32(_) => {}
            Record::Solved(_) | Record::Solving { .. } => {
                return Err("there is another position below".into());
            }
        }
        Ok(())
    }

    /// In words; none if it is a new one.
    pub(super) fn summary(&self) -> Option<String> {
        let solved = self.solved.len();
        let noun = if solved == 1 { "position" } else { "positions" };
        (!self.is_new).then(|| match &self.current {
            None => format!("{}: {solved} {noun} solved", self.path.display()),
            Some(current) => {
                format!(
                    "{}: {solved} {noun} solved, {} bounds of the next one",
                    self.path.display(),
                    current.bounds.len()
                )
            }
        })
    }

    /// The solution of a position of the input, if it is there. Numbers count from 1.
    ///
    /// # Errors
    /// If the file has another position of this number.
    pub(super) fn solution(
        &self,
        number: usize,
        wanted: Question,
    ) -> Result<Option<&Solution>, CheckpointError> {
        let solved = self.solved.get(number - 1);
        let next = self.current.as_ref().filter(|_| number == self.solved.len() + 1);
        match solved.map(Solution::question).or(next.map(|current| current.question)) {
            Some(found) if found != wanted => {
                let (path, found, wanted) = (self.path.clone(), found.to_string(), wanted.to_string());
                Err(CheckpointError::OtherPosition { path, number, found, wanted })
            }
            _ => Ok(solved),
        }
    }

    /// What is known of a position that follows those solved.
    pub(super) fn begin(&mut self, question: Question) -> (SolveProgress, Vec<ProvenBounds>) {
        let effort = Effort { processor: Some(Duration::ZERO), ..Effort::default() };
        let progress = SolveProgress { effort, completed: None };
        let new = || Unfinished { question, progress, bounds: HashMap::new() };
        let current = self.current.get_or_insert_with(new);
        (current.progress, current.bounds.values().copied().collect())
    }

    /// Takes what a search has proven from its table. Returns the number of bounds.
    pub(super) fn collect(&mut self, table: &Table, progress: SolveProgress) -> usize {
        let Some(current) = &mut self.current else { return 0 };
        current.progress = progress;
        for found in proven_below(table, current.question.position, MAX_BOUNDS) {
            // The table forgets; the file need not.
            let known = current.bounds.entry(found.board).or_insert(found);
            known.lower = known.lower.max(found.lower);
            known.upper = known.upper.min(found.upper);
            known.best = found.best.or(known.best);
        }
        if current.bounds.len() > MAX_BOUNDS {
            let mut sorted: Vec<ProvenBounds> = current.bounds.values().copied().collect();
            sorted.sort_unstable_by_key(|bounds| (bounds.board.discs().len(), bounds.board.hash()));
            current.bounds = sorted[..MAX_BOUNDS].iter().map(|bounds| (bounds.board, *bounds)).collect();
        }
        current.bounds.len()
    }

    pub(super) fn add_solved(&mut self, solution: Solution) {
        self.current = None;
        self.solved.push(solution);
    }

    /// # Errors
    /// If the file cannot be written; an older one is unchanged then.
    pub(super) fn save(&mut self) -> Result<(), CheckpointError> {
        let saved = replace_locked(&self.path, self.text().as_bytes());
        self.lock = Some(saved.map_err(|error| CheckpointError::Save(self.path.clone(), error))?);
        Ok(())
    }

    pub(super) fn text(&self) -> String {
        let mut text = format!("{KIND}{VERSION}: {}\n", self.settings());
        let mut add = |record: &Record| {
            text += &serde_json::to_string(record).expect("texts and numbers");
            text.push('\n');
        };
        self.solved.iter().for_each(|solution| add(&Record::Solved(solution.into())));
        if let Some(Unfinished { question, progress, bounds }) = &self.current {
            let SolveProgress { effort, completed } = progress;
            add(&Record::Solving {
                position: notation::position_text(&question.position).to_string(),
                bound: question.bound.map(|bound| bound.to_string()),
                nodes: effort.nodes,
                seconds: effort.time.as_secs_f64(),
                cpu: effort.processor.map(|time| time.as_secs_f64()),
                iteration: completed.map(|completed| IterationRecord {
                    depth: completed.depth,
                    selectivity: completed.selectivity.percent(),
                    score: completed.score.units(),
                    best: square_name(completed.best, self.size),
                }),
            });
            let mut bounds: Vec<&ProvenBounds> = bounds.values().collect();
            bounds.sort_unstable_by_key(|bounds| (bounds.board.discs().len(), bounds.board.hash()));
            bounds.into_iter().for_each(|bounds| add(&bound_record(bounds, self.size)));
        }
        let sum = Record::Crc32(format!("{:08x}", crc32fast::hash(text.as_bytes())));
        let _ = writeln!(text, "{}", serde_json::to_string(&sum).expect("a text"));
        text
    }
}

/// The file with a lock on it; none if it does not exist.
fn open_locked(path: &Path) -> Result<Option<File>, CheckpointError> {
    let failed = |error| CheckpointError::Read(path.to_owned(), error);
    // Some systems lock only what may be written.
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bound::Bound;
    use super::*;
    use crate::board::{Move, Position};
    use crate::files::trial::WholeTrial;
    use crate::score::{Discs, Score};
    use crate::selectivity::Selectivity;

    fn options() -> SolveOptions {
        super::super::solver::tests::options(Rules::Reversed, Size::Six)
    }

    /// A checkpoint of a file that does not exist.
    fn new() -> Checkpoint {
        Checkpoint::new(Path::new("no-such-checkpoint"), &options())
    }

    fn full() -> Checkpoint {
        let mut checkpoint = new();
        let start = Position::start(Size::Six);
        let moves: Vec<Move> = start.moves().into_iter().map(Move::Place).collect();
        checkpoint.add_solved(Solution {
            position: start,
            rules: Rules::Reversed,
            score: Discs(4),
            moves: vec![moves[0], Move::Pass],
            nodes: 17,
            time: Duration::from_millis(1250),
            processor: None,
            exact: true,
            bound: None,
            proven: None,
            outcome: None,
            known: None,
        });
        let next = start.play(moves[1]).expect("legal");
        checkpoint.begin(Question { position: next, bound: Some(Bound::AtLeast(Discs(2))) });
        let current = checkpoint.current.as_mut().expect("begun");
        current.progress.completed = Some(CompletedIteration {
            depth: 7,
            selectivity: Selectivity::P73,
            score: Score::from_units(-33),
            best: next.moves().first().expect("there are moves"),
        });
        for (square, best) in next.moves().into_iter().zip([None, Some(())]) {
            let child = next.play(Move::Place(square)).expect("legal");
            let best = best.and_then(|()| child.moves().first());
            let bounds = ProvenBounds { board: child.board(), lower: Discs(-4), upper: Discs(36), best };
            current.bounds.insert(bounds.board, bounds);
        }
        checkpoint
    }

    fn read(text: &[u8]) -> Result<Checkpoint, CheckpointError> {
        new().with_contents(text)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let written = full();
        let text = written.text();
        let found = read(text.as_bytes()).expect("our own writing");
        assert_eq!((&found.solved, &found.current), (&written.solved, &written.current));
        assert_eq!(found.text(), text);
    }

    #[test]
    fn checkpoints_survive_damage() {
        let trial = WholeTrial {
            name: "checkpoint",
            save: &|path, second| {
                let mut checkpoint = Checkpoint { path: path.to_owned(), ..full() };
                checkpoint.solved[0].nodes += u64::from(second);
                checkpoint.save().map_err(|error| error.to_string())
            },
            load: &|path| match Checkpoint::open(path, &options()) {
                Ok(checkpoint) => Ok(checkpoint.text()),
                Err(error) => Err(error.to_string()),
            },
            has_checksum: true,
        };
        trial.run();
    }

    #[test]
    fn other_files_positions_and_settings_are_named() {
        let text = full().text();
        let message = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert!(message("").contains("is no checkpoint of `ollehto solve` and stays as it is"));
        assert!(
            message(&text.replacen("checkpoint 1:", "checkpoint 2:", 1))
                .contains("has version 2 of its format")
        );
        let torn = &text[..text.len() - 9];
        assert!(message(torn).contains("the file is damaged; delete it"), "{}", message(torn));
        let other = Checkpoint { rules: Rules::Standard, wld: true, ..new() }.with_contents(text.as_bytes());
        let other = other.unwrap_err().to_string();
        assert!(
            other.contains(
                "(reversed rules, 6x6 board, now standard rules, 6x6 board, win, draw or loss only)"
            ),
            "{other}"
        );
        let found = read(text.as_bytes()).expect("our own writing");
        let start = Question { position: Position::start(Size::Six), bound: None };
        assert_eq!(
            found.solution(1, start).expect("the same").map(|solution| solution.score),
            Some(Discs(4))
        );
        assert_eq!(found.solution(3, start).expect("nothing is known"), None);
        let message = found.solution(2, start).unwrap_err().to_string();
        assert!(
            message.contains("number 2 there is ") && message.contains("give the same positions"),
            "{message}"
        );
    }

    #[test]
    fn bounds_only_become_tighter() {
        let mut checkpoint = full();
        let Unfinished { progress, bounds: known, .. } = checkpoint.current.clone().expect("begun");
        let table = Table::new(1);
        assert_eq!(checkpoint.collect(&table, progress), known.len(), "an empty table takes nothing away");
        assert_eq!(checkpoint.current.expect("still").bounds, known);
    }

    proptest! {
        #[test]
        fn no_change_of_a_byte_goes_unnoticed(at in 0_usize..1000, to in any::<u8>()) {
            let mut bytes = full().text().into_bytes();
            let at = at % bytes.len();
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            prop_assert!(read(&bytes).is_err());
        }

        #[test]
        fn no_text_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0_usize..1000) {
            let mut text = full().text().into_bytes();
            text.truncate(cut % text.len());
            text.extend(bytes);
            prop_assert!(read(&text).is_err());
        }

        /// Damage that has a right checksum still makes no bounds that are none.
        #[test]
        fn wrong_records_are_refused(record in "\\{\"(bound|solved|solving|crc32)\":[\\[\\]{}\",:a-zXO0-9-]{0,60}\\}") {
            let mut text = full().text();
            text.truncate(text.trim_end().rfind('\n').expect("lines") + 1);
            text += &record;
            text.push('\n');
            let sum = crc32fast::hash(text.as_bytes());
            let _ = writeln!(text, "{{\"crc32\":\"{sum:08x}\"}}");
            if let Ok(found) = read(text.as_bytes()) {
                let area = 36;
                let within = |b: &ProvenBounds| b.lower <= b.upper && b.lower.0 >= -area && b.upper.0 <= area;
                prop_assert!(found.current.expect("begun").bounds.values().all(within));
            }
        }
    }

    /// A file may name any time.
    #[test]
    fn no_effort_is_too_large() {
        let effort = Effort { nodes: u64::MAX, time: Duration::MAX, processor: Some(Duration::MAX) };
        assert_eq!(effort.plus(effort), effort);
    }
}
