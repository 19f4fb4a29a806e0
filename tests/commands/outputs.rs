//! Every command that writes a file: what is there stays, unless `--force` says otherwise, and inputs stay in any case.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::tournament::Folder;

/// What somebody would be sorry to lose.
const PRECIOUS: &str = "three weeks of work\n";

/// A command with an output, where `OUT` stands for it and `IN/` for the folder of the inputs.
struct Case {
    command: &'static str,
    /// Files that the command reads, in the folder of the inputs.
    inputs: &'static [&'static str],
    /// How the name of the output has to end.
    ending: &'static str,
    /// What the output begins with when all went well; none for work that takes too long to be done here.
    begins: Option<&'static [u8]>,
}

const CASES: [Case; 18] = [
    Case {
        command: "match --player random --player greedy --size 4 --openings IN/openings --pairs 2 --journal IN/journal \
                  --resume --ggf OUT",
        inputs: &["journal", "openings"],
        ending: ".ggf",
        begins: Some(b"(;GM[Othello]"),
    },
    Case {
        command: "report IN/journal --html OUT",
        inputs: &["journal"],
        ending: "",
        begins: Some(b"<!DOCTYPE"),
    },
    Case {
        command: "report IN/journal --csv OUT",
        inputs: &["journal"],
        ending: "",
        begins: Some(b"number,"),
    },
    Case { command: LAB_JSON, inputs: &[], ending: "", begins: Some(b"{\"tables\":[") },
    Case { command: LAB_CSV, inputs: &[], ending: "", begins: Some(b"table,") },
    Case { command: LAB_SVG, inputs: &[], ending: "", begins: Some(b"<svg") },
    Case {
        command: "lab loss worth IN/small.loss --csv OUT",
        inputs: &["small.loss"],
        ending: "",
        begins: Some(b"table,"),
    },
    Case {
        command: "lab loss report IN/small.loss --plies 0 --evaluation IN/made.weights --json OUT",
        inputs: &["small.loss", "made.weights"],
        ending: "",
        begins: Some(b"{\"tables\":["),
    },
    Case {
        command: "lab judge report IN/small.judge --depth 0 --evaluation IN/made.weights --values IN/judged.txt --csv OUT",
        inputs: &["small.judge", "made.weights", "judged.txt"],
        ending: "",
        begins: Some(b"table,"),
    },
    Case {
        command: "lab judge check IN/small.judge IN/games.olg --out OUT",
        inputs: &["small.judge", "games.olg"],
        ending: "",
        begins: Some(b"ollehto judge 2: "),
    },
    Case {
        command: "lab measures IN/small.loss --player random --player greedy --pairs 1 --random-pairs 1 --match-pairs 1 \
                  --positions 2 --nodes 50 --depth-nodes 50 --json OUT",
        inputs: &["small.loss"],
        ending: "",
        begins: Some(b"{\"tables\":["),
    },
    Case {
        command: "fit-probcut --samples IN/samples --weights IN/made.weights --output OUT",
        inputs: &["samples", "made.weights"],
        ending: "",
        begins: None,
    },
    Case {
        command: "train IN/games.olg --begin IN/made.weights --passes 0 --output OUT",
        inputs: &["games.olg", "made.weights"],
        ending: "",
        begins: Some(b"OLWT"),
    },
    Case {
        command: "records export IN/games.olg --output OUT",
        inputs: &["games.olg"],
        ending: "",
        begins: None,
    },
    Case {
        command: "weights convert IN/made.csv OUT",
        inputs: &["made.csv"],
        ending: ".weights",
        begins: Some(b"OLWT"),
    },
    Case {
        command: "weights convert IN/made.weights OUT",
        inputs: &["made.weights"],
        ending: ".csv",
        begins: Some(b"empties,"),
    },
    Case {
        command: "weights draw IN/made.weights --records IN/games.olg --output OUT",
        inputs: &["made.weights", "games.olg"],
        ending: ".svg",
        begins: Some(b"<svg"),
    },
    Case {
        command: "book build --plies 2 --depth 1 --deep 1 --values IN/values --output OUT",
        inputs: &["values"],
        ending: "",
        begins: Some(b"OLLE"),
    },
];

const LAB_JSON: &str = "lab breadth --games 2 --strong 2 --depth 1 --json OUT";
const LAB_CSV: &str = "lab breadth --games 2 --strong 2 --depth 1 --csv OUT";
const LAB_SVG: &str = "lab breadth --games 2 --strong 2 --depth 1 --svg OUT";

/// A folder with all that the commands read. What takes long is made once; each test has copies of its own.
fn inputs() -> Folder {
    static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
        let folder = Folder::new("output-inputs");
        let table =
            "empties,shape,pattern,discs\n,rules,reversed,\n,origin,by hand,\n0-1,corner,X--------,3\n";
        folder.write("made.csv", table);
        folder.write("openings", "b1\n");
        for command in [
            "weights convert IN/made.csv IN/made.weights",
            "selfplay --games 64 --depth 1 --exact 4 --weights hand-made --threads 1 --output IN/games.olg",
            "lab loss make --positions 2 --empties 6 --depth 1 --out IN/small.loss",
            "lab judge make --positions 2 --empties 6,20 --depth 1 --out IN/small.judge",
            "book build --plies 2 --depth 1 --deep 1 --values IN/values --output IN/made.book",
        ] {
            folder.run(command).well();
        }
        folder.write("judged.txt", &folder.run("lab judge positions IN/small.judge").well().stdout);
        let read = |name: String| {
            let bytes = fs::read(folder.file(&name)).expect("it is there");
            (name, bytes)
        };
        names(&folder.file("")).into_iter().map(read).collect()
    });
    let folder = Folder::new("output-inputs");
    for (name, bytes) in &*FILES {
        fs::write(folder.file(name), bytes).expect("a file can be written");
    }
    // A journal names the file of its openings.
    let players = "--player random --player greedy --size 4";
    folder.run(&format!("match {players} --openings IN/openings --pairs 2 --journal IN/journal")).well();
    folder
}

impl Case {
    /// The command line with this output.
    fn with(&self, output: &str) -> String {
        self.command.replace("OUT", output)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let found = fs::read_dir(folder).expect("it is there").flatten();
    let mut names: Vec<_> = found.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// As much of what was written as is compared.
fn begin<'a>(written: &'a [u8], expected: &[u8]) -> std::borrow::Cow<'a, str> {
    String::from_utf8_lossy(&written[..written.len().min(expected.len())])
}

#[test]
fn what_is_there_stays_unless_it_is_to_be_replaced() {
    let inputs = inputs();
    for case in CASES {
        let folder = Folder::new("outputs");
        let name = format!("precious{}", case.ending);
        let output = folder.write(&name, PRECIOUS);
        let command = case.with(&output);
        let said = inputs.run(&command).refusal();
        assert!(said.contains(&name) && said.contains("--force"), "{command}: {said}");
        assert_eq!(fs::read_to_string(&output).expect("it is there"), PRECIOUS, "{command}");
        assert_eq!(names(&folder.file("")), [name.as_str()], "{command}: nothing else is left");
        if let Some(begins) = case.begins {
            inputs.run(&format!("{command} --force")).well();
            let written = fs::read(&output).expect("it is there");
            assert_eq!(begin(&written, begins), String::from_utf8_lossy(begins), "{command}");
            assert_eq!(names(&folder.file("")), [name], "{command}: nothing else is left");
        }
    }
}

/// Under its own name or another, `--force` or not.
#[test]
fn no_input_is_an_output() {
    let inputs = inputs();
    for case in CASES {
        for input in case.inputs {
            let path = inputs.file(input);
            let before = fs::read(&path).ok();
            let other = inputs.file(&format!("other{}", case.ending));
            if before.is_some() {
                fs::hard_link(&path, &other).expect("another name");
            } else {
                std::os::unix::fs::symlink(&path, &other).expect("another name");
            }
            let command = case.with(other.to_str().expect("a plain path"));
            for command in [command.clone(), format!("{command} --force")] {
                let said = inputs.run(&command).refusal();
                assert!(said.contains("a file of its own"), "{command}: {said}");
                assert_eq!(fs::read(&path).ok(), before, "{command}");
            }
            fs::remove_file(&other).expect("it was ours");
        }
    }
}

/// Where a result can be a stream `-` is standard output, with nothing between.
#[test]
fn a_dash_is_standard_output() {
    let inputs = inputs();
    let is_file_only = |case: &Case| case.command.starts_with("train") || case.command.starts_with("book");
    for case in CASES {
        let command = case.with("-");
        if is_file_only(&case) {
            assert!(inputs.run(&command).refusal().contains("a file is needed"), "{command}");
        } else if let Some(begins) = case.begins {
            let finished = inputs.run(&command).well();
            assert_eq!(
                begin(finished.stdout.as_bytes(), begins),
                String::from_utf8_lossy(begins),
                "{command}"
            );
            assert!(!finished.stdout.contains("\nplayer "), "{command}: tables are in the way");
        }
        assert!(!Path::new("-").exists(), "{command}");
    }
    let both = format!("{LAB_JSON} --csv -").replace("OUT", "-");
    assert!(inputs.run(&both).refusal().contains("only one output"));
}

/// Files that are added to over many runs: something else under their name is left alone.
#[test]
fn work_that_is_gone_on_with_leaves_other_files_alone() {
    let folder = Folder::new("resumed");
    let config = folder.write("tiny.toml", TINY_TUNING);
    let precious = folder.write("precious", PRECIOUS);
    let torn = folder.write("torn", PRECIOUS.trim_end());
    let tuned = folder.text("tuned");
    fs::create_dir(&tuned).expect("a folder can be made");
    for command in [
        "match --player random --player greedy --size 4 --pairs 1 --journal OUT",
        "match --player random --player greedy --size 4 --pairs 1 --journal OUT --resume",
        "selfplay --games 64 --depth 1 --exact 4 --threads 1 --output OUT",
        "lab loss make --positions 2 --empties 6 --depth 1 --out OUT",
        "openings --plies 2 --depth 1 --values OUT",
        "fit-probcut --positions 3 --depth 6 --samples OUT",
    ] {
        for file in [&precious, &torn] {
            let before = fs::read(file).expect("it is there");
            let command = command.replace("OUT", file);
            folder.run(&command).refusal();
            assert_eq!(fs::read(file).expect("it is there"), before, "{command}");
        }
        assert!(folder.run(&command.replace("OUT", "-")).refusal().contains("a file is needed"), "{command}");
    }
    for (name, way_out) in [
        ("history.jsonl", "--resume"),
        ("best.toml", "--force"),
        ("generations.csv", "--force"),
        ("fitness.svg", "--force"),
    ] {
        let path = Path::new(&tuned).join(name);
        fs::write(&path, PRECIOUS).expect("it can be written");
        let command = format!("tune {config} --out {tuned}");
        let said = folder.run(&command).refusal();
        assert!(said.contains(name) && said.contains(way_out), "{said}");
        folder.run(&format!("{command} --resume")).refusal();
        assert_eq!(fs::read_to_string(&path).expect("it is there"), PRECIOUS, "{name}");
        fs::remove_file(&path).expect("it was ours");
        assert_eq!(names(Path::new(&tuned)), [""; 0], "a run that cannot begin leaves nothing");
    }
    // What a run has written itself it replaces when it goes on.
    folder.run(&format!("tune {config} --out {tuned} --jobs 1")).well();
    folder.run(&format!("tune {config} --out {tuned} --jobs 1 --resume")).well();
}

const TINY_TUNING: &str = r#"
system = "maximax"
generations = 1
population = 2

[fitness]
by = "monte-carlo"
games = 2
depth = 1
exact = 4

[genetic]
elite = 1
parents = 2
crossover = "uniform"
mutation = 0.3
sigma = 0.2

[final]
candidates = 2
games = 2
"#;

/// What another training has saved beside the same output is not lost either.
#[test]
fn the_progress_of_another_training_stays() {
    let inputs = inputs();
    let folder = Folder::new("other-training");
    for ending in ["progress", "part"] {
        let saved = folder.write(&format!("out.weights.{ending}"), PRECIOUS);
        let (games, output) = (inputs.text("games.olg"), folder.text("out.weights"));
        let command = format!("train {games} --passes 0 --output {output}");
        let said = inputs.run(&command).refusal();
        assert!(said.contains(ending) && said.contains("--force"), "{said}");
        assert_eq!(fs::read_to_string(&saved).expect("it is there"), PRECIOUS);
        fs::remove_file(&saved).expect("it was ours");
    }
}

/// The games of a match that was broken off are written again with those that follow, and no others are lost for it.
#[test]
fn a_resumed_match_goes_on_with_its_own_games_only() {
    let folder = Folder::new("resumed-ggf");
    let (journal, ggf) = (folder.text("journal"), folder.text("games.ggf"));
    let command = format!(
        "match --player random --player greedy --size 4 --pairs 2 --journal {journal} --ggf {ggf} --resume"
    );
    folder.run(&command).well();
    let whole = fs::read_to_string(&ggf).expect("the games are written");
    // As if the match had been interrupted after three games.
    let cut = |text: String, lines: usize| text.split_inclusive('\n').take(lines).collect::<String>();
    fs::write(&journal, cut(fs::read_to_string(&journal).expect("it is there"), 4)).expect("cut");
    fs::write(&ggf, cut(whole.clone(), 3)).expect("cut");
    folder.run(&command).well();
    assert_eq!(fs::read_to_string(&ggf).expect("it is there").lines().count(), whole.lines().count());
    // The journal of another match, or none: the games in the file are somebody else's.
    fs::remove_file(&journal).expect("it was ours");
    assert!(folder.run(&command).refusal().contains("--force"));
    assert_eq!(fs::read_to_string(&ggf).expect("it is there").lines().count(), whole.lines().count());
}

#[test]
fn a_log_is_no_input() {
    let inputs = inputs();
    for option in ["--weights", "--book"] {
        let path = if option == "--book" { inputs.text("made.book") } else { inputs.text("made.weights") };
        let before = fs::read(&path).expect("it is there");
        assert!(inputs.run(&format!("{option} {path} --log {path}")).refusal().contains("a file of its own"));
        assert_eq!(fs::read(&path).expect("it is there"), before);
    }
}
