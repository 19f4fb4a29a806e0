//! Drawings of what the engine has come to like and fear.

mod boards;
mod counts;
mod edges;
mod effects;
mod moves;
mod tempo;

use std::fs;
use std::path::{Path, PathBuf};

use super::{WeightsCommandError, WeightsSource};
use crate::arena::report::drawing::{Legend, text, whole};
use crate::eval::pattern;
use crate::eval::weights::{Packed, stage};
use crate::files::output::{ClaimedOutput, Destination, Outputs};

use counts::Counts;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The weights.
    pub source: WeightsSource,
    /// Games whose positions tell how often patterns occur.
    pub records: Vec<PathBuf>,
    /// The numbers of empty squares to look at.
    pub empties: Vec<u8>,
    /// A file for one drawing, or a folder for one of each kind.
    pub output: Destination,
    /// Whether files that are there already are replaced.
    pub force: bool,
}

/// The numbers of empty squares to look at unless others are named.
pub const DRAWN: [u8; 5] = [50, 40, 30, 20, 10];

/// The room of one number of empty squares, with what lies between them.
const COLUMN: f64 = 236.0;

/// What lies between the drawing and its edges.
const MARGIN: f64 = 24.0;

/// The room of the lines above and below the parts.
const HEAD: f64 = 64.0;

/// A part of the drawing.
struct Part {
    content: String,
    height: f64,
}

/// The weights with all that the parts need to know of them.
struct Subject {
    packed: Packed,
    ties: &'static [u32],
    counts: Option<Counts>,
    empties: Vec<u8>,
}

impl Subject {
    /// The weights of the stage of so many empty squares, by number.
    fn weights(&self, empties: u8) -> Vec<i16> {
        let weights = &self.packed.stages[stage(empties.into())];
        self.ties.iter().map(|&tie| weights[tie as usize]).collect()
    }

    /// How often the numbers occur there.
    fn occurrences(&self, empties: u8) -> Option<Vec<u32>> {
        self.counts.as_ref().map(|counts| counts.of_stage(stage(empties.into()), self.ties))
    }

    fn width(&self) -> f64 {
        // The chart by plies needs some room, however few boards there are.
        2.0 * MARGIN + COLUMN * self.empties.len().max(3) as f64
    }

    /// A whole drawing of some parts.
    fn svg(&self, parts: &[&Part]) -> String {
        let (width, height) = (self.width(), HEAD + parts.iter().map(|part| part.height).sum::<f64>());
        let title = format!("What weights for {} rules like and fear", self.packed.rules);
        let mut content = text("title", MARGIN, 34.0, &title);
        content += &text("note", MARGIN, 52.0, &self.packed.origin);
        let mut top = HEAD;
        for part in parts {
            content += &format!("<g transform=\"translate(0 {top:.1})\">{}</g>", part.content);
            top += part.height;
        }
        whole(width, height, &title, include_str!("style.css"), &content)
    }
}

/// Makes the drawing, or the drawings, and tells where they are.
///
/// # Errors
/// If weights or records cannot be read, or nothing can be written.
pub fn draw(drawing: &Drawing) -> Result<Vec<PathBuf>, WeightsCommandError> {
    let sheets = Sheets::claim(drawing)?;
    let packed = drawing.source.load()?;
    let ties = pattern::ties();
    let counts = match &drawing.records[..] {
        [] => None,
        records => Some(Counts::read(records, packed.rules, &drawing.empties, ties)?),
    };
    let subject = Subject { packed, ties, counts, empties: drawing.empties.clone() };
    let parts = PARTS.map(|(_, part)| part(&subject));
    match sheets {
        Sheets::One(output) => {
            output.write(subject.svg(&parts.each_ref()))?;
            Ok(output.path().map(Path::to_owned).into_iter().collect())
        }
        Sheets::Each(outputs) => {
            for (part, output) in parts.iter().zip(&outputs) {
                output.write(subject.svg(&[part]))?;
            }
            Ok(outputs.iter().filter_map(ClaimedOutput::path).map(Path::to_owned).collect())
        }
    }
}

/// Draws a part.
type Draw = fn(&Subject) -> Part;

/// The parts of a drawing, with the names of their files.
const PARTS: [(&str, Draw); 4] =
    [("squares", boards::part), ("edges", edges::part), ("moves", moves::part), ("tempo", tempo::part)];

/// Where the parts go.
enum Sheets {
    /// Together.
    One(ClaimedOutput),
    /// Each to a file of its own.
    Each(Vec<ClaimedOutput>),
}

impl Sheets {
    fn claim(drawing: &Drawing) -> Result<Self, WeightsCommandError> {
        let weights = match &drawing.source {
            WeightsSource::File(path) => Some(path),
            WeightsSource::Shipped(_) => None,
        };
        let mut outputs = Outputs::new(drawing.force).with_inputs(drawing.records.iter().chain(weights));
        let folder = match &drawing.output {
            Destination::File(path) if path.is_dir() || path.extension().is_none() => path,
            one => return Ok(Self::One(outputs.claim(one)?)),
        };
        fs::create_dir_all(folder).map_err(|error| WeightsCommandError::Folder(folder.clone(), error))?;
        let file = |(name, _)| outputs.claim(folder.join(name).with_extension("svg").as_path());
        Ok(Self::Each(PARTS.into_iter().map(file).collect::<Result<_, _>>()?))
    }
}

/// A legend in the size of notes.
fn legend(room: [f64; 2], top: f64) -> Legend {
    Legend { room, top, class: "note", size: 12.0 }
}

/// The heading of a part, with lines that explain it.
fn heading(title: &str, lines: &[&str]) -> String {
    let notes = (0..).zip(lines).map(|(n, line)| text("note", MARGIN, 44.0 + 16.0 * f64::from(n), line));
    text("heading", MARGIN, 24.0, title) + &notes.collect::<String>()
}

/// Where the column of the so manieth number of empty squares begins.
fn column(number: usize) -> f64 {
    MARGIN + COLUMN * number as f64
}

/// So many empty squares, in words.
fn empties_text(empties: u8) -> String {
    if empties == 1 { "1 square empty".into() } else { format!("{empties} squares empty") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn a_drawing_of_nothing_is_whole() {
        let packed = Packed { origin: "<none> & \"nothing\"".into(), ..Packed::zeroes(Rules::Reversed) };
        let subject = Subject { packed, ties: pattern::ties(), counts: None, empties: vec![60, 1] };
        let parts =
            [boards::part(&subject), edges::part(&subject), moves::part(&subject), tempo::part(&subject)];
        let svg = subject.svg(&parts.each_ref());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("&lt;none&gt; &amp; &quot;nothing&quot;"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(!svg.contains("var("), "many programs know no CSS variables");
    }
}
