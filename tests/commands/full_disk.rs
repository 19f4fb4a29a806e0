//! A disk that is full: the shell limits the size of files, so that writes fail in the middle of a record.

use std::fs;
use std::process::Command;

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

/// Files that runs continue: the file names itself, nothing in it is torn, and the next run completes it.
#[test]
fn work_on_a_full_disk_goes_on_elsewhere_or_later() {
    let folder = Folder::new("full-disk");
    let game = "(;GM[Othello]PB[a]PW[b]TY[4a]BO[4 -----O*--*O----- *]B[A2]W[A3]B[A4]W[C1];)\n";
    folder.write("game.ggf", game);
    folder.write("positions", "-----OX--XO----- X\n-----XO--OOO---- X\n");
    for (name, command) in [
        (
            "journal",
            "match --player random --player greedy --size 4 --pairs 3 --jobs 1 --seed 1 --resume --journal IN/journal",
        ),
        ("games", "selfplay --games 300 --depth 1 --exact 4 --threads 1 --seed 1 --output IN/games"),
        ("loss", "lab loss make --positions 20 --empties 6 --depth 1 --jobs 1 --out IN/loss"),
        ("values", "openings --plies 4 --depth 1 --jobs 1 --values IN/values"),
        ("saved", "analyze IN/game.ggf --depth 1 --threads 1 --resume IN/saved"),
        ("checkpoint", "solve --size 4 --resume IN/checkpoint IN/positions"),
    ] {
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

fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.file("")).expect("it is there").flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}
