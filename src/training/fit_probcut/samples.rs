//! The file of searched positions: a header and then one line for each, written as its search ends.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use ollehto_protocol::notation::parse_position;

use crate::board::{Position, Size};
use crate::files::append_log::{Header, Ledger, LedgerError};
use crate::notation;
use crate::rules::Rules;

/// What the values in a file depend on. A file is added to only under the same settings.
///
/// How many positions are wanted is not among them: more can be added later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How deep positions are searched at most.
    pub depth: u8,
    /// What drew the positions.
    pub seed: u64,
    /// Stands for the evaluation: another one gives other values.
    pub evaluation: u32,
}

/// What every header begins with; the number is the version of the format.
const TITLE: &str = "ollehto fit-probcut samples 2";

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {}, seed {}, evaluation {:08x}", self.depth, self.seed, self.evaluation)
    }
}

/// A position to search by certain rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// Who wins.
    pub rules: Rules,
    /// The position.
    pub position: Position,
}

impl Subject {
    /// The deepest search that does not see the end of the game, at most this one.
    #[must_use]
    pub fn deepest(&self, depth: u8) -> u8 {
        depth.min((self.position.empties().len() as u8).saturating_sub(1))
    }
}

/// What the searches of a position gave, in units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// By depth; 0 is the evaluation. Depths that were skipped have none.
    pub by_depth: Vec<Option<i16>>,
    /// The result of the game, if the position was solved. It comes last in a line.
    pub exact: Option<i16>,
}

/// What stands for a depth without a value, and for the result where there is none.
const NO_VALUE: &str = "-";

/// A file open for more samples.
#[derive(Debug)]
pub struct SampleFile {
    ledger: Ledger,
}

impl SampleFile {
    /// Opens a file, or begins one where there is none, and tells what it holds. A last line that was torn by a kill is
    /// cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, is broken, in use, or made with other settings; it is left alone then.
    pub fn open(path: &Path, settings: Settings) -> Result<(Self, HashMap<Subject, Values>), LedgerError> {
        let header = Header { name: "samples", title: TITLE, settings: settings.to_string() };
        let mut samples = HashMap::new();
        let ledger = Ledger::open(path, &header, |line| {
            let (subject, values) = parse_line(line, settings.depth)?;
            samples.insert(subject, values);
            Ok(())
        })?;
        Ok((Self { ledger }, samples))
    }

    /// Adds what was found about a position.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, subject: &Subject, values: &Values) -> Result<(), LedgerError> {
        let mut line = format!("{} {}", subject.rules, notation::position_text(&subject.position));
        for value in values.by_depth.iter().chain([&values.exact]) {
            line.push(' ');
            line += &value.map_or_else(|| NO_VALUE.to_owned(), |value| value.to_string());
        }
        self.ledger.append(&line)
    }
}

fn parse_line(line: &str, depth: u8) -> Result<(Subject, Values), String> {
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let name = word();
    let rules = name.parse().map_err(|_| format!("'{name}' are no rules"))?;
    let text = format!("{} {}", word(), word());
    let text = parse_position(text.as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&text).map_err(|error| error.to_string())?;
    if position.size() != Size::Eight {
        return Err(format!("a board of {}", position.size()));
    }
    let value = |word: &str| match word {
        NO_VALUE => Ok(None),
        _ => word.parse().map(Some).map_err(|_| format!("'{word}' is no value")),
    };
    let mut by_depth = words.map(value).collect::<Result<Vec<_>, _>>()?;
    let subject = Subject { rules, position };
    // Those of all depths, the evaluation and the result.
    let (found, wanted) = (by_depth.len(), usize::from(subject.deepest(depth)) + 2);
    match by_depth.pop() {
        Some(exact) if found == wanted => Ok((subject, Values { by_depth, exact })),
        _ => Err(format!("{found} values where {wanted} belong")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::positions::sample;
    use std::path::PathBuf;
    use std::{env, fs, process};

    const SETTINGS: Settings = Settings { depth: 5, seed: 7, evaluation: 0xbeef };

    /// A path of a test's own; the file goes with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(env::temp_dir().join(format!("ollehto-samples-{name}-{}", process::id())))
        }

        fn open(&self) -> HashMap<Subject, Values> {
            SampleFile::open(&self.0, SETTINGS).expect("it can be used").1
        }

        fn problem(&self, settings: Settings) -> String {
            SampleFile::open(&self.0, settings).expect_err("it cannot be used").to_string()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn subjects() -> Vec<(Subject, Values)> {
        let by_depth = vec![Some(-3), Some(2048), None, Some(0), Some(-2048), Some(17)];
        // Some are solved, to either result, and some are not.
        let exact = [None, Some(-640), Some(0)].into_iter().cycle();
        let subject = |rules| move |position| Subject { rules, position };
        let reversed = sample(Rules::Reversed, 30, 3, 1).into_iter().map(subject(Rules::Reversed));
        let standard = sample(Rules::Standard, 30, 3, 1).into_iter().map(subject(Rules::Standard));
        let all = reversed.chain(standard).zip(exact);
        all.map(|(subject, exact)| (subject, Values { by_depth: by_depth.clone(), exact })).collect()
    }

    fn write(scratch: &Scratch) -> HashMap<Subject, Values> {
        let (mut file, before) = SampleFile::open(&scratch.0, SETTINGS).expect("it can be made");
        assert!(before.is_empty());
        for (subject, values) in subjects() {
            file.append(&subject, &values).expect("it can be written");
        }
        subjects().into_iter().collect()
    }

    #[test]
    fn samples_survive_being_written() {
        let scratch = Scratch::new("whole");
        let written = write(&scratch);
        assert_eq!(scratch.open(), written);
        let text = fs::read(&scratch.0).expect("it is there");
        assert_eq!(scratch.open(), written, "opening changes nothing");
        assert_eq!(fs::read(&scratch.0).expect("it still is"), text);
    }

    #[test]
    fn a_torn_last_line_is_cut_off_wherever_it_is_torn() {
        let scratch = Scratch::new("torn");
        let written = write(&scratch);
        let text = fs::read(&scratch.0).expect("it is there");
        for cut in 0..text.len() {
            fs::write(&scratch.0, &text[..cut]).expect("it can be cut");
            let whole = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
            let kept = scratch.open();
            assert_eq!(kept.len(), whole.saturating_sub(1), "cut at {cut}");
            assert!(kept.iter().all(|(subject, values)| written.get(subject) == Some(values)));
            let left = fs::read(&scratch.0).expect("it still is");
            assert!(left.ends_with(b"\n") && text.starts_with(&left), "cut at {cut}");
        }
    }

    #[test]
    fn other_settings_and_other_files_are_refused_and_left_alone() {
        let scratch = Scratch::new("other");
        write(&scratch);
        let text = fs::read(&scratch.0).expect("it is there");
        for settings in [
            Settings { depth: 6, ..SETTINGS },
            Settings { seed: 8, ..SETTINGS },
            Settings { evaluation: 0xfeed, ..SETTINGS },
        ] {
            let problem = scratch.problem(settings);
            assert!(problem.contains("other settings") && problem.contains("depth 5, seed 7"), "{problem}");
        }
        assert_eq!(fs::read(&scratch.0).expect("it still is"), text);
        let older = String::from_utf8_lossy(&text).replacen("samples 2", "samples 1", 1);
        for diary in ["my diary", "my diary\n", "\n", older.as_str()] {
            fs::write(&scratch.0, diary).expect("it can be written");
            assert!(scratch.problem(SETTINGS).contains("another kind of file"));
            assert_eq!(fs::read_to_string(&scratch.0).expect("it still is"), diary);
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let scratch = Scratch::new("broken");
        write(&scratch);
        let text = fs::read_to_string(&scratch.0).expect("it is there");
        for (from, to, expected) in [
            ("standard", "strange", "line 5: 'strange' are no rules"),
            (" 2048", " much", "line 2: 'much' is no value"),
            (" 2048", "", "line 2: 6 values where 7 belong"),
        ] {
            fs::write(&scratch.0, text.replacen(from, to, 1)).expect("it can be written");
            let problem = scratch.problem(SETTINGS);
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn two_processes_do_not_write_one_file() {
        let scratch = Scratch::new("locked");
        let _held = SampleFile::open(&scratch.0, SETTINGS).expect("it can be made");
        assert!(scratch.problem(SETTINGS).contains("another process"));
    }
}
