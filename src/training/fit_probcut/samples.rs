//! The log of searched positions.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use crate::board::Position;
use crate::files::append_log::{AppendLog, AppendLogError, LogFormat, OlderFormat};
use crate::notation;
use crate::rules::Rules;
use crate::training::positions;

/// What the values depend on; the number of positions is not part of it, since more can be added later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSettings {
    /// The deepest search.
    pub depth: u8,
    pub seed: u64,
    /// Fingerprint.
    pub evaluation: u32,
}

const FORMAT: LogFormat = LogFormat {
    name: "samples",
    title: "ollehto fit-probcut samples 4",
    older: OlderFormat { title: "ollehto fit-probcut samples 3", has_checksums: false },
};

impl fmt::Display for SampleSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "depth {}, seed {}, evaluation {:08x}", self.depth, self.seed, self.evaluation)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SampledPosition {
    pub rules: Rules,
    pub position: Position,
}

impl SampledPosition {
    /// The deepest search up to `depth` that does not see the end of the game.
    #[must_use]
    pub fn deepest(&self, depth: u8) -> u8 {
        depth.min((self.position.empties().len() as u8).saturating_sub(1))
    }
}

/// In units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DepthValues {
    /// 0 is the static evaluation; skipped depths have none.
    pub by_depth: Vec<Option<i16>>,
    /// The result, if the position was solved; last in a line.
    pub exact: Option<i16>,
}

const NO_VALUE: &str = "-";

#[derive(Debug)]
pub struct SampleFile {
    log: AppendLog,
}

impl SampleFile {
    /// Opens or begins a log and reads its samples.
    ///
    /// # Errors
    /// As [`AppendLog::open`].
    pub fn open(
        path: &Path,
        settings: SampleSettings,
    ) -> Result<(Self, HashMap<SampledPosition, DepthValues>), AppendLogError> {
        let mut samples = HashMap::new();
        let log = AppendLog::open(path, &FORMAT, &settings.to_string(), |line| {
            let (sampled, values) = parse_line(line, settings.depth)?;
            samples.insert(sampled, values);
            Ok(())
        })?;
        Ok((Self { log }, samples))
    }

    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, sampled: &SampledPosition, values: &DepthValues) -> Result<(), AppendLogError> {
        let mut line = format!("{} {}", sampled.rules, notation::position_text(&sampled.position));
        for value in values.by_depth.iter().chain([&values.exact]) {
            line.push(' ');
            line += &value.map_or_else(|| NO_VALUE.to_owned(), |value| value.to_string());
        }
        self.log.append(&line)
    }
}

fn parse_line(line: &str, depth: u8) -> Result<(SampledPosition, DepthValues), String> {
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default();
    let name = word();
    let rules = name.parse().map_err(|_| format!("'{name}' are no rules"))?;
    let position = positions::parse(word(), word())?;
    let value = |word: &str| match word {
        NO_VALUE => Ok(None),
        _ => word.parse().map(Some).map_err(|_| format!("'{word}' is no value")),
    };
    let mut by_depth = words.map(value).collect::<Result<Vec<_>, _>>()?;
    let sampled = SampledPosition { rules, position };
    // Those of all depths, the evaluation and the result.
    let (found, wanted) = (by_depth.len(), usize::from(sampled.deepest(depth)) + 2);
    match by_depth.pop() {
        Some(exact) if found == wanted => Ok((sampled, DepthValues { by_depth, exact })),
        _ => Err(format!("{found} values where {wanted} belong")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::checksum::{with_checksum, without_checksum};
    use crate::training::positions::sample;
    use std::path::PathBuf;
    use std::{env, fs, process};

    const SETTINGS: SampleSettings = SampleSettings { depth: 5, seed: 7, evaluation: 0xbeef };

    /// A path of a test's own; the file goes with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(env::temp_dir().join(format!("ollehto-samples-{name}-{}", process::id())))
        }

        fn open(&self) -> HashMap<SampledPosition, DepthValues> {
            SampleFile::open(&self.0, SETTINGS).expect("it can be used").1
        }

        fn problem(&self, settings: SampleSettings) -> String {
            SampleFile::open(&self.0, settings).expect_err("it cannot be used").to_string()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn sampled_positions() -> Vec<(SampledPosition, DepthValues)> {
        let by_depth = vec![Some(-3), Some(2048), None, Some(0), Some(-2048), Some(17)];
        // Some are solved, to either result, and some are not.
        let exact = [None, Some(-640), Some(0)].into_iter().cycle();
        let sampled = |rules| move |position| SampledPosition { rules, position };
        let reversed = sample(Rules::Reversed, 30, 3, 1).into_iter().map(sampled(Rules::Reversed));
        let standard = sample(Rules::Standard, 30, 3, 1).into_iter().map(sampled(Rules::Standard));
        let all = reversed.chain(standard).zip(exact);
        all.map(|(sampled, exact)| (sampled, DepthValues { by_depth: by_depth.clone(), exact })).collect()
    }

    fn write(scratch: &Scratch) -> HashMap<SampledPosition, DepthValues> {
        let (mut file, before) = SampleFile::open(&scratch.0, SETTINGS).expect("it can be made");
        assert!(before.is_empty());
        for (sampled, values) in sampled_positions() {
            file.append(&sampled, &values).expect("it can be written");
        }
        sampled_positions().into_iter().collect()
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
            assert!(kept.iter().all(|(sampled, values)| written.get(sampled) == Some(values)));
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
            SampleSettings { depth: 6, ..SETTINGS },
            SampleSettings { seed: 8, ..SETTINGS },
            SampleSettings { evaluation: 0xfeed, ..SETTINGS },
        ] {
            let problem = scratch.problem(settings);
            assert!(problem.contains("other settings") && problem.contains("depth 5, seed 7"), "{problem}");
        }
        assert_eq!(fs::read(&scratch.0).expect("it still is"), text);
        let older = String::from_utf8_lossy(&text).replacen("samples 4", "samples 2", 1);
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
            // As another program would have written it; what is only damaged is left out.
            let texts = text.lines().map(|line| without_checksum(line).expect("our own writing"));
            let texts = texts.collect::<Vec<_>>().join("\n").replacen(from, to, 1);
            let lines: String = texts.lines().map(|line| with_checksum(line) + "\n").collect();
            fs::write(&scratch.0, lines).expect("it can be written");
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
