use std::fs;

use crossbeam_channel::unbounded;

use crate::search::Budget;
use crate::time_source::Timestamp;

use super::super::*;
use super::*;

const START: &str = "-----OX--XO----- X";

pub(in crate::solve) fn options(rules: Rules, size: Size) -> SolveOptions {
    SolveOptions {
        source: PositionSource::Stdin,
        rules,
        size,
        wld: false,
        threads: 1,
        hash: Some(1),
        weights: Default::default(),
        format: SolutionFormat::Json,
        resume: None,
        save_every: Duration::MAX,
    }
}

/// Solves a text, with what is written and how it ends.
fn solve(
    options: &SolveOptions,
    text: &str,
    interrupts: &Interrupts,
) -> (Vec<String>, Result<SolveEnd, SolveError>) {
    let (sender, lines) = unbounded();
    for line in text.lines() {
        sender.send(Ok(Input::Line { text: line.into(), arrived: Timestamp::now() })).unwrap();
    }
    drop(sender);
    let mut output = Vec::new();
    let finish = solve_all(options, &lines, interrupts, &mut output);
    (String::from_utf8(output).unwrap().lines().map(str::to_owned).collect(), finish)
}

#[test]
fn known_values_decide_by_standard_rules_only() {
    let lines = format!("{START}; b1:-10;\n{START}; b1:-12;\n");
    let (solved, finish) = solve(&options(Rules::Standard, Size::Four), &lines, &Interrupts::default());
    assert_eq!(finish.unwrap(), SolveEnd::Wrong(1));
    assert!(solved[0].ends_with(r#""expected":-10,"right":true}"#), "{}", solved[0]);
    assert!(solved[1].ends_with(r#""expected":-12,"right":false}"#), "{}", solved[1]);
    let (solved, finish) = solve(&options(Rules::Reversed, Size::Four), &lines, &Interrupts::default());
    assert_eq!(finish.unwrap(), SolveEnd::Complete);
    assert!(!solved.concat().contains("expected"), "{solved:?}");
}

#[test]
fn the_outcome_alone_promises_no_score() {
    let wld = SolveOptions { wld: true, ..options(Rules::Reversed, Size::Four) };
    let (solved, finish) = solve(&wld, START, &Interrupts::default());
    assert_eq!(finish.unwrap(), SolveEnd::Complete);
    assert!(solved[0].ends_with(r#""exact":false,"outcome":"win"}"#), "{}", solved[0]);
    // Neither side can move, and both have as many discs: this is exact whatever was asked.
    let (solved, _) = solve(&wld, "X--------------O X", &Interrupts::default());
    assert!(solved[0].contains(r#""score":0,"best":null,"pv":[]"#), "{}", solved[0]);
    assert!(solved[0].ends_with(r#""exact":true,"outcome":"draw"}"#), "{}", solved[0]);
}

#[test]
fn every_position_costs_what_it_costs_alone() {
    let nodes =
        |line: &String| line.split(r#""nodes":"#).nth(1).unwrap().split(',').next().unwrap().to_owned();
    let (solved, _) =
        solve(&options(Rules::Reversed, Size::Four), &[START; 3].join("\n"), &Interrupts::default());
    let nodes: Vec<String> = solved.iter().map(nodes).collect();
    assert_eq!(nodes, [nodes[0].as_str(); 3]);
}

#[test]
fn an_interrupt_leaves_a_search_unfinished_and_says_so() {
    let options = options(Rules::Standard, Size::Four);
    let interrupts = Interrupts::raised();
    let mut solver = Solver::new(&options, &interrupts).unwrap();
    let problem = PositionToSolve { position: Position::start(Size::Four), known: Some(Discs(4)), job: None };
    let found = solver.solution(1, problem).unwrap();
    let solution = found.solution();
    assert!(!solution.exact && solution.is_right().is_none() && solution.moves.len() == 1, "{solution:?}");
    assert!(solve(&options, START, &interrupts).0.is_empty(), "nothing is begun after an interrupt");
}

#[test]
fn an_interrupt_is_how_it_ends() {
    let (solved, finish) = solve(&options(Rules::Standard, Size::Four), START, &Interrupts::raised());
    assert_eq!(finish.unwrap(), SolveEnd::Interrupted);
    assert!(solved.is_empty(), "{solved:?}");
}

#[test]
fn what_stands_before_an_unreadable_line_is_solved() {
    let lines = format!("# two of them\n{START}\n\n{START}\nX O\n{START}");
    let (solved, finish) = solve(&options(Rules::Reversed, Size::Four), &lines, &Interrupts::default());
    assert_eq!(solved.len(), 2);
    let message = finish.unwrap_err().to_string();
    assert!(message.starts_with("standard input, line 5: expected 16, 36 or 64 squares"), "{message}");
}

#[test]
fn the_table_has_the_size_for_the_position() {
    let position = |text: &str| input::parse(text.as_bytes(), Size::Eight).unwrap().unwrap().position;
    let nearly_full = position(&format!("{}--O X", "X".repeat(61)));
    let half_empty = position(&format!("{}{} X", "XO".repeat(16), "-".repeat(32)));
    for (hash, sizes) in [(None, [1, MAX_DEFAULT_HASH]), (Some(3), [3, 3])] {
        let options = SolveOptions { hash, ..options(Rules::Standard, Size::Eight) };
        let interrupts = Interrupts::default();
        let mut solver = Solver::new(&options, &interrupts).unwrap();
        for (position, size) in [nearly_full, half_empty].into_iter().zip(sizes) {
            solver.clear_table(position);
            assert_eq!(solver.mebibytes, size, "{hash:?}");
        }
    }
}

/// A position with 20 empty squares on 6×6.
fn middle_of_six() -> Position {
    let mut position = Position::start(Size::Six);
    while position.empties().len() > 20 {
        let square = position.moves().into_iter().last();
        position = position.play(square.map_or(Move::Pass, Move::Place)).unwrap();
    }
    position
}

/// A file of this name in the system's folder for such, removed before and after.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ollehto-{name}-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        Self(path)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn solve_and_save(
    options: &SolveOptions,
    interrupts: &Interrupts,
    question: Question,
    control: &Arc<Control>,
) -> Solution {
    let mut solver = Solver::new(options, interrupts).unwrap();
    let (solution, finished) = solver.solve(1, question, control);
    solver.save(Found::New { solution: solution.clone(), finished }).unwrap();
    solution
}

#[test]
fn an_interrupted_solve_goes_on_where_it_stopped() {
    let position = middle_of_six();
    let interrupts = Interrupts::default();
    let solve = |options: &SolveOptions, nodes: Option<u64>| {
        let control = Arc::new(Control::new(&Budget { nodes, ..Budget::UNLIMITED }));
        let solution = solve_and_save(options, &interrupts, Question { position, bound: None }, &control);
        (solution, control.nodes())
    };
    for wld in [false, true] {
        let file = TemporaryFile::new(&format!("interrupted-{wld}"));
        let plain = SolveOptions { wld, ..options(Rules::Reversed, Size::Six) };
        let (wanted, nodes) = solve(&plain, None);
        let resumed = SolveOptions { resume: Some(file.0.clone()), ..plain.clone() };
        let (unfinished, before) = solve(&resumed, Some(nodes * 3 / 4));
        assert!(!unfinished.exact && unfinished.outcome.is_none(), "{unfinished:?}");
        let saved = fs::read_to_string(&file.0).unwrap();
        assert!(saved.lines().count() > 100, "{saved}");
        let (found, after) = solve(&resumed, None);
        assert_eq!((found.score, found.outcome), (wanted.score, wanted.outcome));
        assert_eq!(found.nodes, before + after, "the effort of both runs");
        assert!(after < nodes / 2, "{after} of {nodes} nodes after {before}");
    }
}

#[test]
fn many_interrupts_cost_little() {
    let file = TemporaryFile::new("many-interrupts");
    let plain = options(Rules::Reversed, Size::Six);
    let resumed = SolveOptions { resume: Some(file.0.clone()), ..plain.clone() };
    let (interrupts, position) = (Interrupts::default(), middle_of_six());
    let solve = |options: &SolveOptions, nodes: Option<u64>| {
        let control = Arc::new(Control::new(&Budget { nodes, ..Budget::UNLIMITED }));
        solve_and_save(options, &interrupts, Question { position, bound: None }, &control)
    };
    let wanted = solve(&plain, None);
    let (mut runs, mut found) = (1, solve(&resumed, Some(wanted.nodes / 5)));
    while !found.exact {
        runs += 1;
        found = solve(&resumed, Some(wanted.nodes / 5));
        assert!(runs < 20, "{found:?}");
    }
    assert_eq!(found.score, wanted.score);
    assert!(runs > 4 && found.nodes < wanted.nodes * 2, "{} and {} nodes", found.nodes, wanted.nodes);
}

#[test]
fn bounds_are_proven_or_refuted() {
    for (rules, value) in [(Rules::Standard, -10), (Rules::Reversed, 4)] {
        let options = options(rules, Size::Four);
        for discs in -16..=16 {
            let lines = format!("{START}; {rules} >= {discs};\n{START}; {rules} <= {discs};");
            let (solved, finish) = solve(&options, &lines, &Interrupts::default());
            assert_eq!(finish.unwrap(), SolveEnd::Complete);
            for (line, bound) in
                solved.iter().zip([Bound::AtLeast(Discs(discs)), Bound::AtMost(Discs(discs))])
            {
                let proven = if bound.holds_for(Discs(value)) { bound } else { bound.negated() };
                let wanted = format!(r#""exact":false,"bound":"{bound}","proven":"{proven}","check":""#);
                assert!(line.contains(&wanted), "{line}");
            }
        }
    }
    let other_rules = format!("{START}; standard >= 2;");
    let (_, finish) = solve(&options(Rules::Reversed, Size::Four), &other_rules, &Interrupts::default());
    assert!(
        finish
            .unwrap_err()
            .to_string()
            .ends_with("line 1: the job is by standard rules; solve it with --rules standard")
    );
}

#[test]
fn bounds_of_finished_games_are_judged_too() {
    let (solved, _) = solve(
        &options(Rules::Standard, Size::Four),
        "X--------------O X; standard >= 2;",
        &Interrupts::default(),
    );
    assert!(solved[0].contains(r#""exact":true,"bound":">= +2","proven":"<= +0""#), "{}", solved[0]);
}

#[test]
fn a_bound_costs_less_than_the_value() {
    let position = middle_of_six();
    let (plain, interrupts) = (options(Rules::Reversed, Size::Six), Interrupts::default());
    let nodes = |bound: Option<Bound>| {
        let control = Arc::new(Control::new(&Budget::UNLIMITED));
        let question = Question { position, bound };
        let solution = solve_and_save(&plain, &interrupts, question, &control);
        (solution, control.nodes())
    };
    let (solution, whole) = nodes(None);
    for bound in [Bound::AtLeast(solution.score), Bound::AtMost(solution.score)] {
        let (answer, part) = nodes(Some(bound));
        assert_eq!(answer.proven, Some(bound));
        assert!(part < whole, "{part} and {whole} nodes");
    }
}

#[test]
fn what_is_solved_is_not_solved_again() {
    let file = TemporaryFile::new("solved");
    let options = SolveOptions { resume: Some(file.0.clone()), ..options(Rules::Standard, Size::Four) };
    let lines = [START, "X--------------O X"].join("\n");
    let (first, finish) = solve(&options, &lines, &Interrupts::default());
    assert_eq!(finish.unwrap(), SolveEnd::Complete);
    let (again, _) = solve(&options, &lines, &Interrupts::default());
    assert_eq!(first, again, "the seconds too");
    let (more, _) = solve(&options, &format!("{lines}\n{START}"), &Interrupts::default());
    assert_eq!((&more[..2], more.len()), (&first[..], 3));
    let (_, finish) = solve(&options, "X--------------O X", &Interrupts::default());
    let message = finish.unwrap_err().to_string();
    assert!(message.contains("is of other positions (number 1 there is -----OX--XO----- X"), "{message}");
    fs::write(&file.0, "my notes").unwrap();
    let (_, finish) = solve(&options, &lines, &Interrupts::default());
    assert!(finish.unwrap_err().to_string().contains("stays as it is"));
    assert_eq!(fs::read_to_string(&file.0).unwrap(), "my notes");
}
