//! Little memory: the engine plays with what there is, or ends with a message.

use crate::support::mailbox::Mailbox;
use crate::support::process::{OLLEHTO, Process};

/// Runs the engine within so many KiB of address space. The shell has its input ready before it
/// starts: an engine that ends without reading must not fail the writer.
fn within(limit: u32, arguments: &str) -> Process {
    let engine = format!("exec {OLLEHTO} --no-book --depth 5 {arguments}");
    let command = format!("ulimit -c 0; ulimit -v {limit}; {engine} <<END\ngenmove b\nreg_genmove w\nEND\n");
    Process::start("sh", &["-c", &command])
}

/// What it takes to start the program at all, in KiB.
fn least_to_start() -> u32 {
    let starts = |limit: &u32| {
        let command = format!("ulimit -c 0; ulimit -v {limit}; exec {OLLEHTO} --version");
        Process::start("sh", &["-c", &command]).wait().success()
    };
    (1..1000).map(|step| step << 11).find(starts).expect("a gibibyte is enough")
}

#[test]
fn too_little_memory_is_told() {
    let least = least_to_start();
    let mut played = [false; 3];
    for limit in
        [0, 1, 2, 4, 6, 9, 14, 20, 30, 45, 60, 80, 110, 200, 400].map(|mebibytes| least + (mebibytes << 10))
    {
        for (arguments, played) in
            ["", "--threads 3", "--hash 4096 --threads 64"].into_iter().zip(&mut played)
        {
            let mut process = within(limit, arguments);
            let mut lines = Vec::new();
            while let Some(line) = process.receive() {
                lines.push(line);
            }
            let (code, errors) = (process.wait().code(), process.stderr());
            let context = format!("{arguments} within {limit} KiB: {code:?}, {lines:?}\n{errors}");
            assert!(!errors.contains("panicked") && !errors.contains("backtrace"), "{context}");
            match code {
                Some(0) => {
                    let start = Mailbox::start(8);
                    let turn = lines[0].strip_prefix("= ").and_then(|name| start.read(name));
                    assert!(turn.is_some_and(|turn| start.moves().contains(&turn)), "{context}");
                    assert_eq!(lines.len(), 4, "{context}");
                    *played = true;
                }
                Some(1) => assert!(errors.contains("memory"), "{context}"),
                _ => panic!("{context}"),
            }
        }
    }
    assert_eq!(played, [true; 3], "it plays with enough memory");
}
