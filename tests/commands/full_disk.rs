//! A disk that is full: the shell limits the size of files, so that writes fail in the middle of a record. And one that must
//! not be written at all.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::support::process::OLLEHTO;
use crate::support::tournament::Folder;

/// Runs a command that may not make a file longer than so many blocks of the shell. Its exit code, and what it says.
fn run_limited(folder: &Folder, blocks: u32, command: &str) -> (Option<i32>, String) {
    let words = command.replace("IN/", &folder.text(""));
    // Without the trap a write that is too long ends the process.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{OLLEHTO}' {words}");
    let ended = Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
    (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

/// Commands that write as they go: the file, and the command.
const WORK: [(&str, &str); 6] = [
    (
        "journal",
        "match --player random --player greedy --size 4 --pairs 3 --jobs 1 --seed 1 --resume --journal IN/journal",
    ),
    ("games", "selfplay --games 300 --depth 1 --exact 4 --threads 1 --seed 1 --output IN/games"),
    ("loss", "lab loss make --positions 20 --empties 6 --depth 1 --jobs 1 --out IN/loss"),
    ("values", "openings --plies 4 --depth 1 --jobs 1 --values IN/values"),
    ("saved", "analyze IN/game.ggf --depth 1 --threads 1 --resume IN/saved"),
    ("checkpoint", "solve --size 4 --resume IN/checkpoint IN/positions"),
];

fn write_inputs(folder: &Folder) {
    let game = "(;GM[Othello]PB[a]PW[b]TY[4a]BO[4 -----O*--*O----- *]B[A2]W[A3]B[A4]W[C1];)\n";
    folder.write("game.ggf", game);
    folder.write("positions", "-----OX--XO----- X\n-----XO--OOO---- X\n");
}

/// Files that runs continue: the file names itself, nothing in it is torn, and the next run completes it.
#[test]
fn work_on_a_full_disk_goes_on_elsewhere_or_later() {
    let folder = Folder::new("full-disk");
    write_inputs(&folder);
    for (name, command) in WORK {
        folder.run(command).well();
        let whole = fs::read(folder.file(name)).expect("a whole file");
        for blocks in [0, 1, 2] {
            fs::remove_file(folder.file(name)).expect("it was ours");
            let (code, said) = run_limited(&folder, blocks, command);
            if code == Some(0) && blocks > 0 {
                // It fits.
                continue;
            }
            assert_eq!(code, Some(1), "{command}: {said}");
            assert!(
                said.contains(&folder.text(name)) && said.contains("File too large"),
                "{command}: {said}"
            );
            let resumed = folder.run(command).well();
            assert!(!resumed.stderr.contains("damaged"), "{command}: {}", resumed.stderr);
            let found = fs::read(folder.file(name)).expect("it is there");
            // Times differ.
            if !["journal", "checkpoint"].contains(&name) {
                assert_eq!(found, whole, "{command} after {blocks} blocks");
            }
            let left: Vec<_> = names(&folder).into_iter().filter(|file| file.ends_with(".new")).collect();
            assert!(left.is_empty(), "{command}: {left:?}");
        }
    }
}

/// Whole files are whole or not there.
#[test]
fn an_output_on_a_full_disk_is_not_there() {
    let folder = Folder::new("full-output");
    let play = "match --player random --player greedy --size 4 --pairs 1 --journal IN/journal";
    folder.run(play).well();
    let (code, said) = run_limited(&folder, 1, "report IN/journal --html IN/page.html");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("page.html: File too large") && said.contains("make room"), "{said}");
    assert!(!names(&folder).iter().any(|name| name.starts_with("page")), "{:?}", names(&folder));
    #[cfg(target_os = "linux")]
    for output in ["--html /dev/full", "--csv /dev/full"] {
        let said = folder.run(&format!("report IN/journal {output}")).refusal();
        assert!(said.contains("/dev/full: No space left on device"), "{said}");
    }
}

/// The user `nobody`, as whom root tries what root is never refused.
const NOBODY: u32 = 65_534;

/// The exit code of a command run without root's powers, and what it says; none, with a line on standard error, if nobody
/// may start the program here.
fn run_unprivileged(folder: &Folder, command: &str) -> Option<(Option<i32>, String)> {
    let words = command.split_ascii_whitespace().map(|word| word.replace("IN/", &folder.text("")));
    let mut program = Command::new(OLLEHTO);
    program.args(words).stdin(Stdio::null());
    if rustix::process::geteuid().is_root() {
        program.uid(NOBODY).gid(NOBODY);
    }
    match program.output() {
        Ok(ended) => Some((ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())),
        Err(error) => {
            // Not by `eprintln!`: the harness hides what a passing test prints by it.
            let _ = writeln!(
                io::stderr(),
                "SKIPPED work_that_must_not_be_written_is_refused: nobody may not run {OLLEHTO}: {error}"
            );
            None
        }
    }
}

/// The file is named, and stays as it was.
#[test]
fn work_that_must_not_be_written_is_refused() {
    let folder = Folder::new("read-only");
    write_inputs(&folder);
    let mode = |name: &str, mode| {
        fs::set_permissions(folder.file(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    for (name, command) in WORK {
        mode("", 0o555);
        let Some((code, said)) = run_unprivileged(&folder, command) else { return mode("", 0o755) };
        mode("", 0o755);
        assert_eq!(code, Some(1), "{command}: {said}");
        assert!(said.contains(&folder.text(name)) && said.contains("Permission denied"), "{command}: {said}");
        assert!(!folder.file(name).exists(), "{command}");
        folder.run(command).well();
        let whole = fs::read(folder.file(name)).expect("it is there");
        let before = names(&folder);
        mode(name, 0o444);
        mode("", 0o555);
        let (code, said) = run_unprivileged(&folder, command).expect("as before");
        mode("", 0o755);
        // There may be nothing left to write.
        assert!(code == Some(0) || said.contains(&folder.text(name)), "{command}: {said}");
        assert_eq!(fs::read(folder.file(name)).expect("it is there"), whole, "{command}");
        assert_eq!(names(&folder), before, "{command}");
    }
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.file("")).expect("it is there").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}
