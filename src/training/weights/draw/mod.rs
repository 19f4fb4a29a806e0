//! Drawings of the weights: square values, edges, mobility and tempo.

mod curves;
mod edges;
mod squares;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{WeightsCommandError, WeightsSource};
use crate::eval::PatternState;
use crate::eval::pattern::{self, TABLE_CENTRES};
use crate::eval::weights::{PackedWeights, stage};
use crate::files::output::{ClaimedOutput, Destination, Outputs};
use crate::rules::Rules;
use crate::svg::{Legend, Panel, document, stack, text, wrapped};
use crate::training::records::BlockReader;

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

/// The width of the column of one number of empty squares, with the gap to the next.
const COLUMN: f64 = 236.0;

const MARGIN: f64 = 24.0;

/// Weights with what the panels need.
struct WeightsDrawing {
    packed: PackedWeights,
    ties: &'static [u32],
    counts: Option<PatternCounts>,
    empties: Vec<u8>,
}

impl WeightsDrawing {
    /// The weights of the stage of so many empty squares, by pattern number.
    fn weights(&self, empties: u8) -> Vec<i16> {
        let weights = &self.packed.stages[stage(empties.into())];
        self.ties.iter().map(|&tie| weights[tie as usize]).collect()
    }

    /// How often each pattern number occurs there.
    fn occurrences(&self, empties: u8) -> Option<Vec<u32>> {
        self.counts.as_ref().map(|counts| counts.of_stage(stage(empties.into()), self.ties))
    }

    fn width(&self) -> f64 {
        // The chart by plies needs some room, however few boards there are.
        2.0 * MARGIN + COLUMN * self.empties.len().max(3) as f64
    }

    fn svg<'a>(&self, panels: impl IntoIterator<Item = &'a Panel>) -> String {
        const FONT: f64 = 12.0;
        let title = format!("Evaluation weights for {} rules", self.packed.rules);
        let mut content = text("title", MARGIN, 34.0, &title);
        let mut top = 52.0;
        for line in wrapped(&self.packed.origin, self.width() - 2.0 * MARGIN, FONT) {
            content += &text("note", MARGIN, top, &line);
            top += 16.0;
        }
        let (drawn, height) = stack(panels, top - 4.0);
        document(self.width(), height, &title, include_str!("style.css"), &(content + &drawn))
    }
}

/// Writes the drawing, or one file for each panel, and returns the paths.
///
/// # Errors
/// If weights or records cannot be read, or nothing can be written.
pub fn draw(drawing: &Drawing) -> Result<Vec<PathBuf>, WeightsCommandError> {
    let files = DrawingFiles::claim(drawing)?;
    let packed = drawing.source.load()?;
    let ties = pattern::canonical_indices();
    let counts = match &drawing.records[..] {
        [] => None,
        records => Some(PatternCounts::read(records, packed.rules, &drawing.empties, ties)?),
    };
    let subject = WeightsDrawing { packed, ties, counts, empties: drawing.empties.clone() };
    let panels = PANELS.map(|(_, panel)| panel(&subject));
    match files {
        DrawingFiles::One(output) => {
            output.write(subject.svg(&panels))?;
            Ok(output.path().map(Path::to_owned).into_iter().collect())
        }
        DrawingFiles::Each(outputs) => {
            for (panel, output) in panels.iter().zip(&outputs) {
                output.write(subject.svg([panel]))?;
            }
            Ok(outputs.iter().filter_map(ClaimedOutput::path).map(Path::to_owned).collect())
        }
    }
}

type DrawPanel = fn(&WeightsDrawing) -> Panel;

/// The panels of a drawing, with the names of their files.
const PANELS: [(&str, DrawPanel); 4] = [
    ("squares", squares::panel),
    ("edges", edges::panel),
    ("moves", curves::mobility),
    ("tempo", curves::tempo),
];

enum DrawingFiles {
    One(ClaimedOutput),
    /// One for each panel.
    Each(Vec<ClaimedOutput>),
}

impl DrawingFiles {
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
        Ok(Self::Each(PANELS.into_iter().map(file).collect::<Result<_, _>>()?))
    }
}

fn legend(room: [f64; 2], top: f64) -> Legend {
    Legend { room, top, class: "note", font_size: 12.0 }
}

fn heading(title: &str, lines: &[&str]) -> String {
    let notes = (0..).zip(lines).map(|(n, line)| text("note", MARGIN, 44.0 + 16.0 * f64::from(n), line));
    text("heading", MARGIN, 24.0, title) + &notes.collect::<String>()
}

/// The left edge of a column.
fn column(number: usize) -> f64 {
    MARGIN + COLUMN * number as f64
}

fn empties_text(empties: u8) -> String {
    if empties == 1 { "1 square empty".into() } else { format!("{empties} squares empty") }
}

/// How often each pattern occurs in recorded games, by stage. Mirror images count as one.
#[derive(Debug)]
struct PatternCounts(BTreeMap<usize, Vec<u32>>);

impl PatternCounts {
    fn read(
        records: &[PathBuf],
        rules: Rules,
        empties: &[u8],
        ties: &[u32],
    ) -> Result<Self, WeightsCommandError> {
        let different = pattern::unique_weights();
        let mut stages: BTreeMap<_, _> =
            empties.iter().map(|&empties| (stage(empties.into()), vec![0_u32; different])).collect();
        let mut any = false;
        for path in records {
            for block in BlockReader::open(path).map_err(WeightsCommandError::Records)? {
                let block = block.map_err(WeightsCommandError::Records)?;
                let games = block.games.iter().filter(|_| block.settings.rules == rules);
                for position in games.flat_map(|game| game.positions()) {
                    let board = position.board;
                    any = true;
                    let Some(counts) = stages.get_mut(&stage(64 - board.discs().len() as usize)) else {
                        continue;
                    };
                    let state = PatternState::new(board);
                    for (&centre, &number) in TABLE_CENTRES.iter().zip(&state.indices().0) {
                        counts[ties[(centre + i32::from(number)) as usize] as usize] += 1;
                    }
                }
            }
        }
        if any { Ok(Self(stages)) } else { Err(WeightsCommandError::NoPositions(rules)) }
    }

    /// By pattern number.
    fn of_stage(&self, stage: usize, ties: &[u32]) -> Vec<u32> {
        let counts = self.0.get(&stage);
        ties.iter().map(|&tie| counts.map_or(0, |counts| counts[tie as usize])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_of_zeroes_is_complete() {
        let origin = format!("<none> & \"nothing\" {}", "of many words ".repeat(20));
        let packed = PackedWeights { origin, ..PackedWeights::zeroes(Rules::Reversed) };
        let drawing =
            WeightsDrawing { packed, ties: pattern::canonical_indices(), counts: None, empties: vec![60, 1] };
        let svg = drawing.svg(&PANELS.map(|(_, panel)| panel(&drawing)));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("&lt;none&gt; &amp; &quot;nothing&quot;"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(!svg.contains("var("), "many programs know no CSS variables");
    }
}
