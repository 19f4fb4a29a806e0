//! What is told of a damaged file.

use std::fmt;
use std::ops::Range;
use std::path::Path;

/// How many parts a message names.
const SHOWN: usize = 10;

/// Where the damage is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// From 1.
    Line(usize),
    Bytes(Range<u64>),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Bytes(Range { start, end }) => write!(f, "bytes {start} to {end}"),
        }
    }
}

/// A part of a file that is not what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub place: Place,
    pub problem: String,
}

/// Says on standard error which parts of a file were left out; `aside` is the file as it was.
pub fn report_left_out(name: &str, path: &Path, damage: &[Damage], aside: &Path) {
    let path = path.display();
    for Damage { place, problem } in damage.iter().take(SHOWN) {
        eprintln!("ollehto: {name} {path}, {place}: {problem}; left out");
    }
    if damage.len() > SHOWN {
        eprintln!("ollehto: {name} {path}: and {} more parts", damage.len() - SHOWN);
    }
    eprintln!(
        "ollehto: {name} {path}: everything else is kept, what is missing is done again; the file as it was is {}",
        aside.display()
    );
}

/// Says on standard error that a kill had torn the last record.
pub fn report_cut_off(name: &str, path: &Path, place: &Place, bytes: u64) {
    eprintln!("ollehto: {name} {}, {place}: incomplete; its {bytes} bytes are cut off", path.display());
}
