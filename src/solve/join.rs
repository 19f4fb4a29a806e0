//! `ollehto solve --join`: the value of a position from the results of its jobs.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ollehto_protocol::notation::parse_position;
use serde::Deserialize;
use thiserror::Error;

use crate::notation;
use crate::rules::Rules;

use super::bound::{Bound, Interval};
use super::jobs::{Job, JobList};
use super::proof::{CanonicalBoard, Memo};

/// How many problems a message names.
const SHOWN: usize = 10;

#[derive(Debug, Error)]
pub enum JoinError {
    #[error("cannot read {}: {}; name a file of results, JSON lines of `ollehto solve --json`", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error("{}", listed(.0))]
    Problems(Vec<ResultProblem>),
    #[error(
        "the results contradict each other: {position} would be {lower} at least and {upper} at most; solve its jobs again"
    )]
    Contradiction { position: String, lower: i8, upper: i8 },
}

/// What is wrong with a result, or that there is none. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResultProblem {
    #[error("result {0} is no JSON line of `ollehto solve --json`: {1}")]
    Unreadable(usize, String),
    #[error("result {0} is by {1} rules, the jobs by {2} rules")]
    OtherRules(usize, String, Rules),
    #[error("result {0} is of no job: its position is not in the list")]
    OtherPosition(usize),
    #[error("result {0} answers '{1}', which is not the bound of its job")]
    OtherBound(usize, String),
    #[error("result {0} has no bound: solve the line of the job itself")]
    NoBound(usize),
    #[error("result {0} is not proven: the search was interrupted; solve the job again")]
    Unproven(usize),
    #[error("result {0} was altered: its checksum is wrong; solve the job again")]
    Altered(usize),
    #[error("results {0} and {1} contradict each other; solve the job again")]
    Contradiction(usize, usize),
    /// The number of the job and its line.
    #[error("job {0} has no result: {1}")]
    Missing(usize, String),
}

fn listed(problems: &[ResultProblem]) -> String {
    let mut lines: Vec<String> = problems.iter().take(SHOWN).map(ToString::to_string).collect();
    if problems.len() > SHOWN {
        lines.push(format!("and {} more", problems.len() - SHOWN));
    }
    lines.join("\n")
}

/// Of a result line; its other fields do not matter.
#[derive(Deserialize)]
struct ResultRecord {
    position: String,
    rules: String,
    bound: Option<String>,
    proven: Option<String>,
    check: Option<String>,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    seconds: f64,
}

/// A checksum over all that a proof takes from a result.
pub(super) fn result_checksum(position: &str, rules: Rules, bound: Bound, proven: Bound) -> String {
    format!("{:08x}", crc32fast::hash(format!("{position}; {rules} {bound}; {proven}").as_bytes()))
}

/// What the results prove.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Joined {
    /// The value of the root.
    pub(super) bounds: Interval,
    jobs: usize,
    /// Jobs whose bound was refuted.
    refuted: usize,
    nodes: u64,
    seconds: f64,
}

impl fmt::Display for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bounds: Interval { lower, upper }, jobs, refuted, nodes, seconds } = *self;
        if self.bounds.is_exact() {
            write!(f, "proven: {lower} for the side to move")?;
        } else {
            write!(f, "not proven: from {lower} to {upper} for the side to move")?;
        }
        write!(f, "; {jobs} jobs, {refuted} of them refuted, {nodes} nodes, {seconds:.3} s")
    }
}

/// Whether every job needs a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    All,
    /// The next round repeats those without.
    Some,
}

/// Reads results and adds what they prove to the tree of the list.
///
/// # Errors
/// If a result is wrong or missing.
pub(super) fn join(
    results: &Path,
    list: &mut JobList,
    completeness: Completeness,
) -> Result<Joined, JoinError> {
    let text = fs::read(results).map_err(|error| JoinError::Read(results.to_owned(), error))?;
    join_text(&String::from_utf8_lossy(&text), list, completeness)
}

/// The same with the text of a file of results.
pub(super) fn join_text(
    text: &str,
    list: &mut JobList,
    completeness: Completeness,
) -> Result<Joined, JoinError> {
    let jobs: HashSet<Job> = list.jobs.iter().copied().collect();
    let boards: HashSet<CanonicalBoard> = list.jobs.iter().map(|job| job.board).collect();
    let mut found: HashMap<Job, (usize, Bound)> = HashMap::new();
    let mut problems = Vec::new();
    let (mut nodes, mut seconds) = (0, 0.0);
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        match read_result(line, text, list, &jobs, &boards) {
            Err(problem) => problems.push(problem),
            Ok((job, proven, record)) => {
                nodes += record.nodes;
                seconds += record.seconds;
                match found.get(&job) {
                    Some(&(earlier, other)) if other != proven => {
                        problems.push(ResultProblem::Contradiction(earlier, line));
                    }
                    _ => drop(found.insert(job, (line, proven))),
                }
            }
        }
    }
    if completeness == Completeness::All {
        let without = list.jobs.iter().zip(1..).filter(|(job, _)| !found.contains_key(job));
        problems.extend(without.map(|(job, number)| ResultProblem::Missing(number, list.line(job))));
    }
    if !problems.is_empty() {
        return Err(JoinError::Problems(problems));
    }
    for (job, (_, proven)) in &found {
        list.tree.learn(job.board, Interval::unknown(list.tree.size).and_bound(*proven));
    }
    let bounds = prove(list)?;
    let refuted = found.iter().filter(|(job, (_, proven))| job.bound != *proven).count();
    Ok(Joined { bounds, jobs: found.len(), refuted, nodes, seconds })
}

fn read_result(
    line: usize,
    text: &str,
    list: &JobList,
    jobs: &HashSet<Job>,
    boards: &HashSet<CanonicalBoard>,
) -> Result<(Job, Bound, ResultRecord), ResultProblem> {
    let record: ResultRecord =
        serde_json::from_str(text).map_err(|error| ResultProblem::Unreadable(line, error.to_string()))?;
    let rules = list.tree.rules;
    if record.rules != rules.word() {
        return Err(ResultProblem::OtherRules(line, record.rules, rules));
    }
    let question = record.bound.as_deref().ok_or(ResultProblem::NoBound(line))?;
    let board =
        parse_position(record.position.as_bytes()).ok().and_then(|text| notation::position(&text).ok());
    let board = board.filter(|position| position.size() == list.tree.size);
    let board: CanonicalBoard = board.ok_or(ResultProblem::OtherPosition(line))?.board().into();
    if !boards.contains(&board) {
        return Err(ResultProblem::OtherPosition(line));
    }
    let other_bound = || ResultProblem::OtherBound(line, question.to_owned());
    let job = Job { board, bound: question.parse().map_err(|_| other_bound())? };
    if !jobs.contains(&job) {
        return Err(other_bound());
    }
    let proven = record.proven.as_deref().ok_or(ResultProblem::Unproven(line))?;
    let altered = ResultProblem::Altered(line);
    let Ok(proven) = proven.parse::<Bound>() else { return Err(altered) };
    let check = result_checksum(&record.position, rules, job.bound, proven);
    let answers = proven == job.bound || proven == job.bound.negated();
    if !answers || record.check.as_deref() != Some(check.as_str()) {
        return Err(altered);
    }
    Ok((job, proven, record))
}

/// The bounds on the root by the rules of the game and all that is known of the leaves.
fn prove(list: &JobList) -> Result<Interval, JoinError> {
    let mut memo = Memo::new();
    let bounds = list.tree.bounds(list.root.board().into(), &mut memo);
    match memo.iter().find(|(_, interval)| interval.is_contradiction()) {
        None => Ok(bounds),
        Some((board, interval)) => Err(JoinError::Contradiction {
            position: board.text(list.tree.size),
            lower: interval.lower.0,
            upper: interval.upper.0,
        }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::solver::tests::options;
    use super::super::split::split;
    use super::*;
    use crate::board::{Position, Size};
    use crate::score::Discs;
    use crate::solve::proof::ProofTree;

    fn list(value: i8) -> JobList {
        let tree = ProofTree::new(Rules::Reversed, Size::Four);
        let options = options(Rules::Reversed, Size::Four);
        split(Position::start(Size::Four), tree, Some(Discs(value)), 6, &options)
    }

    fn result(list: &JobList, job: &Job, proven: Bound) -> String {
        let (position, rules) = (job.board.text(list.tree.size), list.tree.rules);
        let check = result_checksum(&position, rules, job.bound, proven);
        let bound = job.bound;
        format!(
            r#"{{"position":"{position}","rules":"{rules}","bound":"{bound}","proven":"{proven}","check":"{check}"}}"#
        )
    }

    fn results(list: &JobList) -> Vec<String> {
        list.jobs.iter().map(|job| result(list, job, job.bound)).collect()
    }

    fn problems(list: &JobList, lines: &[String]) -> Vec<ResultProblem> {
        match join_text(&lines.join("\n"), &mut list.clone(), Completeness::All) {
            Err(JoinError::Problems(problems)) => problems,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_results_prove_the_value() {
        let list = list(4);
        let joined = join_text(&results(&list).join("\n"), &mut list.clone(), Completeness::All).unwrap();
        assert_eq!(joined.bounds, Interval::exactly(Discs(4)));
        let twice = [results(&list), results(&list)].concat().join("\n");
        assert_eq!(join_text(&twice, &mut list.clone(), Completeness::All).unwrap().jobs, joined.jobs);
    }

    #[test]
    fn wrong_results_are_named() {
        let list = list(4);
        let good = results(&list);
        assert_eq!(problems(&list, &good[1..]), [ResultProblem::Missing(1, list.line(&list.jobs[0]))]);
        let with = |line: String| problems(&list, &[good.clone(), vec![line]].concat());
        let last = good.len() + 1;
        let (first, job) = (&good[0], list.jobs[0]);
        assert_eq!(with(result(&list, &job, job.bound.negated())), [ResultProblem::Contradiction(1, last)]);
        let standard = first.replace("reversed", "standard");
        assert_eq!(with(standard), [ResultProblem::OtherRules(last, "standard".into(), Rules::Reversed)]);
        let other = Job { bound: Bound::AtLeast(Discs(12)), ..job };
        assert_eq!(
            with(result(&list, &other, other.bound)),
            [ResultProblem::OtherBound(last, ">= +12".into())]
        );
        let root = Job { board: list.root.board().into(), ..job };
        assert_eq!(with(result(&list, &root, root.bound)), [ResultProblem::OtherPosition(last)]);
        let flipped = first.replacen(
            &format!("\"proven\":\"{}\"", job.bound),
            &format!("\"proven\":\"{}\"", job.bound.negated()),
            1,
        );
        assert_eq!(with(flipped), [ResultProblem::Altered(last)]);
        let unproven = first.replacen("\"proven\"", "\"other\"", 1);
        assert_eq!(with(unproven), [ResultProblem::Unproven(last)]);
        let exact = first.replacen("\"bound\"", "\"other\"", 1);
        assert_eq!(with(exact), [ResultProblem::NoBound(last)]);
        assert!(matches!(with("nonsense".into())[..], [ResultProblem::Unreadable(..)]));
    }

    #[test]
    fn a_wrong_estimate_is_not_proven() {
        let list = list(6);
        let lines: Vec<String> = list
            .jobs
            .iter()
            .map(|job| {
                // As they really are: the 4×4 game is worth 4.
                let tree = ProofTree::new(Rules::Reversed, Size::Four);
                let exact = super::super::split::tests::exhaust(&tree, job.board);
                let proven = if job.bound.holds_for(exact) { job.bound } else { job.bound.negated() };
                result(&list, job, proven)
            })
            .collect();
        let joined = join_text(&lines.join("\n"), &mut list.clone(), Completeness::All).unwrap();
        assert!(!joined.bounds.is_exact() && joined.refuted > 0, "{joined}");
        assert!(joined.bounds.lower <= Discs(4) && Discs(4) <= joined.bounds.upper, "{joined}");
    }

    proptest! {
        /// Any change of a result is named, or changes nothing that a proof takes from it.
        #[test]
        fn altered_results_prove_nothing_else(at in 0_usize..10_000, to in b' '..=b'~') {
            let list = list(4);
            let mut bytes = results(&list).join("\n").into_bytes();
            let at = at % bytes.len();
            bytes[at] = to;
            let text = String::from_utf8(bytes).expect("ASCII");
            if let Ok(joined) = join_text(&text, &mut list.clone(), Completeness::All) {
                prop_assert_eq!(joined.bounds, Interval::exactly(Discs(4)));
            }
        }
    }
}
