//! `ollehto solve` over days and over many processors: `--resume`, `--start`, `--split` and `--join`.

use std::fs;

use crate::support::mailbox::Mailbox;
use crate::support::positions::{collect, generator};
use crate::support::process::Process;
use crate::support::tournament::{Finished, Folder};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The 4×4 start, worth -10 by standard rules.
const SMALL: &str = "-----OX--XO----- X";

/// Nobody has ever solved it.
const HOPELESS: &str = "---------------------------OX------XO--------------------------- X";

fn late(seed: u64, size: usize, empties: usize) -> Mailbox {
    let found =
        collect(&mut generator(seed), size, 1, |board| !board.is_over() && board.empties() == empties);
    found.into_iter().next().expect("one was collected")
}

fn signal(process: &Process, signal: Signal) {
    kill_process(Pid::from_raw(process.pid()).expect("a process"), signal).expect("it runs");
}

/// The rest of the output and the exit code.
fn rest(process: &mut Process) -> (Vec<String>, Option<i32>) {
    let mut lines = Vec::new();
    while let Some(line) = process.receive() {
        lines.push(line);
    }
    (lines, process.wait().code())
}

/// A refusal, which leaves the file as it is.
#[track_caller]
fn refused(folder: &Folder, command: &str, file: &str) -> String {
    let before = fs::read(folder.file(file)).expect("it is there");
    let finished = folder.run(command);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert_eq!(fs::read(folder.file(file)).expect("it is still there"), before);
    finished.stderr
}

#[test]
fn the_start_needs_no_input() {
    let folder = Folder::new("solve-start");
    let run = folder.run("solve --size 4 --rules standard --start --json").well();
    let record: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&record["position"], &record["score"]), (&SMALL.into(), &(-10).into()));
    let both = folder.run("solve --start IN/positions.txt");
    assert!(both.code == Some(2) && both.stderr.contains("cannot be used with"), "{both:#?}");
}

#[test]
fn a_killed_solve_goes_on_and_an_interrupted_one_too() {
    let folder = Folder::new("solve-resume");
    let easy: String = (1..=3).map(|seed| late(seed, 8, 8).text() + "\n").collect();
    let positions = folder.write("positions.txt", &format!("{easy}{HOPELESS}\n"));
    let checkpoint = folder.text("checkpoint");
    let arguments = ["solve", "--json", "--resume", &checkpoint, "--save-every", "1", &positions];
    let mut first_lines: Vec<String> = Vec::new();
    for (run, end) in [Signal::KILL, Signal::TERM, Signal::INT].into_iter().enumerate() {
        let mut process = Process::ollehto(&arguments);
        let lines: Vec<String> = (0..3).map(|_| process.receive().expect("what is solved")).collect();
        if run == 0 {
            // A save while the last position is searched.
            let saved = || fs::read_to_string(&checkpoint).is_ok_and(|text| text.contains("\"solving\""));
            while !saved() {
                std::thread::yield_now();
            }
            first_lines = lines;
        } else {
            assert_eq!(lines, first_lines, "printed from the file, the seconds too");
        }
        signal(&process, end);
        let (lines, code) = rest(&mut process);
        if end == Signal::KILL {
            assert_eq!((lines.len(), code), (0, None));
            continue;
        }
        assert_eq!(code, Some(130), "{lines:?}");
        // None if the signal came before the search.
        if let Some(line) = lines.first() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!((&record["position"], &record["exact"]), (&HOPELESS.into(), &false.into()));
        }
        let said = process.stderr();
        assert!(said.starts_with(&format!("continuing {checkpoint}: 3 positions solved, ")), "{said}");
    }
}

#[test]
fn only_a_checkpoint_of_the_same_work_is_continued() {
    let folder = Folder::new("solve-checkpoint");
    folder.write("small.txt", SMALL);
    folder.write("other.txt", "-OOO-OX--XO----- X");
    folder.run("solve --size 4 --resume IN/done IN/small.txt").well();
    let options = |options: &str| format!("solve --resume IN/done {options}");
    let said = refused(&folder, &options("--size 4 --rules standard IN/small.txt"), "done");
    assert!(said.contains("made with other settings (reversed rules, 4x4 board, now standard"), "{said}");
    let said = refused(&folder, &options("--size 4 --wld IN/small.txt"), "done");
    assert!(said.contains("give the same options, or another file"), "{said}");
    let said = refused(&folder, &options("--size 4 IN/other.txt"), "done");
    assert!(said.contains(&format!("number 1 there is {SMALL}, now -OOO-OX")), "{said}");
    let said = refused(&folder, "solve --size 4 --resume IN/small.txt IN/small.txt", "small.txt");
    assert!(said.contains("is no checkpoint of `ollehto solve` and stays as it is"), "{said}");
    let text = fs::read_to_string(folder.file("done")).expect("the checkpoint");
    folder.write("torn", &text[..text.len() - 20]);
    let said = refused(&folder, "solve --size 4 --resume IN/torn IN/small.txt", "torn");
    assert!(said.contains("the file is damaged; delete it to begin anew"), "{said}");
    let nowhere = folder.run("solve --size 4 --resume IN/no/such/folder IN/small.txt");
    assert!(nowhere.code == Some(1) && nowhere.stderr.contains("cannot write"), "{nowhere:#?}");
}

/// A position, its rules and its value by a direct solve.
struct Problem {
    folder: Folder,
    options: String,
    score: i64,
}

impl Problem {
    fn new(name: &str, board: &Mailbox, options: &str) -> Self {
        let folder = Folder::new(name);
        folder.write("position.txt", &board.text());
        let run = folder.run(&format!("solve --json {options} IN/position.txt")).well();
        let record: Value = serde_json::from_str(&run.stdout).expect("JSON");
        Self { folder, options: options.to_owned(), score: record["score"].as_i64().expect("a score") }
    }

    /// Writes the jobs and tells how many there are.
    fn write_jobs(&self, run: Finished) -> usize {
        self.folder.write("jobs", &run.well().stdout);
        self.jobs().len()
    }

    fn jobs(&self) -> Vec<String> {
        let text = fs::read_to_string(self.folder.file("jobs")).expect("the list");
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    }

    fn split(&self, options: &str) -> usize {
        self.write_jobs(self.folder.run(&format!("solve {} --split {options} IN/position.txt", self.options)))
    }

    /// Solves the jobs with four processes at the same time.
    fn solve_jobs(&self) {
        let jobs = self.jobs();
        let start = |worker: usize| {
            let share: String = jobs.iter().skip(worker).step_by(4).map(|job| format!("{job}\n")).collect();
            let mut arguments = vec!["solve", "--json"];
            arguments.extend(self.options.split_ascii_whitespace());
            let mut process = Process::ollehto(&arguments);
            process.send_bytes(share.as_bytes());
            process.close_input();
            process
        };
        let workers: Vec<Process> = (0..4).map(start).collect();
        let mut results = String::new();
        for mut process in workers {
            let (lines, code) = rest(&mut process);
            assert_eq!(code, Some(0), "{lines:?}");
            results.extend(lines.into_iter().map(|line| line + "\n"));
        }
        self.folder.write("results", &results);
    }

    fn join(&self) -> Finished {
        self.folder.run("solve --join IN/results --jobs IN/jobs")
    }

    /// Solves and joins until the value is proven. Returns the number of rounds.
    fn prove(&self, jobs: usize) -> usize {
        for round in 1..20 {
            self.solve_jobs();
            let joined = self.join();
            if joined.code == Some(0) {
                assert!(joined.stdout.contains(&format!(": proven: {:+} for", self.score)), "{joined:#?}");
                return round;
            }
            assert_eq!(joined.code, Some(1), "{joined:#?}");
            assert!(joined.stdout.contains(": not proven: from "), "{joined:#?}");
            assert!(joined.stderr.contains("--split "), "it says how to go on: {joined:#?}");
            let next = self.folder.run(&format!("solve --join IN/results --jobs IN/jobs --split {jobs}"));
            assert!(self.write_jobs(next) > 0);
        }
        panic!("the rounds do not end");
    }
}

#[test]
fn four_processes_prove_the_value_of_the_direct_solve() {
    let cases = [
        ("split-reversed", late(81, 8, 16), "--rules reversed"),
        ("split-standard", late(82, 8, 16), "--rules standard"),
        ("split-six", late(83, 6, 16), "--size 6"),
    ];
    for (name, board, options) in cases {
        let problem = Problem::new(name, &board, options);
        let jobs = problem.split("24");
        assert!((24..60).contains(&jobs), "{name}: {jobs} jobs");
        problem.prove(24);
    }
}

#[test]
fn a_wrong_estimate_takes_more_rounds() {
    let problem = Problem::new("split-wrong", &late(84, 8, 14), "--rules reversed");
    for wrong in [problem.score + 4, problem.score - 6] {
        problem.split(&format!("12 --value {wrong}"));
        let rounds = problem.prove(12);
        assert!(rounds > 1, "{wrong} cannot be proven");
    }
}

#[test]
fn results_that_do_not_fit_are_named() {
    let problem = Problem::new("join-wrong", &late(85, 8, 12), "--rules reversed");
    let jobs = problem.split("8");
    problem.solve_jobs();
    let (folder, good) = (&problem.folder, fs::read_to_string(problem.folder.file("results")).expect("them"));
    let lines: Vec<&str> = good.lines().collect();
    let said_of = |results: &str| {
        folder.write("results", results);
        let finished = problem.join();
        assert_eq!((finished.code, finished.stdout.as_str()), (Some(1), ""), "{finished:#?}");
        finished.stderr
    };
    let missing = said_of(&lines[1..].join("\n"));
    assert!(missing.contains("has no result: ") && missing.contains("; reversed "), "{missing}");
    let negated = if lines[0].contains("\"proven\":\">=") {
        ["\"proven\":\">=", "\"proven\":\"<="]
    } else {
        ["\"proven\":\"<=", "\"proven\":\">="]
    };
    let altered = said_of(&good.replacen(negated[0], negated[1], 1));
    assert!(altered.contains("result 1 was altered"), "{altered}");
    let rules = said_of(&good.replacen("\"reversed\"", "\"standard\"", 1));
    assert!(rules.contains("result 1 is by standard rules, the jobs by reversed rules"), "{rules}");
    let unfinished = said_of(&good.replacen("\"proven\"", "\"unproven\"", 1));
    assert!(unfinished.contains("result 1 is not proven"), "{unfinished}");
    folder.write("results", &good);
    let list = fs::read_to_string(folder.file("jobs")).expect("the list");
    folder.write("jobs", &list.replacen("# node ", "# nose ", 1));
    let said = problem.join().refusal();
    assert!(said.contains("the list was altered: its checksum is wrong"), "{said}");
    folder.write("jobs", &list);
    let joined = problem.join().well().stdout;
    assert!(joined.contains(&format!("; {jobs} jobs, ")), "{joined}");
    // The jobs are for these rules only.
    let other = folder.run("solve --rules standard IN/jobs");
    assert!(other.stderr.contains("line 1: the job is by reversed rules"), "{other:#?}");
    let two = folder.run("solve --split 4 IN/jobs");
    assert!(two.code == Some(1) && two.stderr.contains("positions: --split takes one"), "{two:#?}");
}
