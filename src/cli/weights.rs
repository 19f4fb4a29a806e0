//! `ollehto weights`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::files::output::Destination;
use crate::numbers;
use crate::rules::Rules;
use crate::training::weights::{self, DRAWN, Drawing, WeightsSource};

use super::ForceArgument;

/// Show, convert or draw the weights of the evaluation
///
/// `ollehto train` writes weights to a compressed file (.weights). Without a file the shipped weights are used.
///
///   ollehto weights show --rules standard
///   ollehto weights convert mine.weights mine.csv
///   ollehto weights draw mine.weights --records games.olg --output mine.svg
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct WeightsArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Args)]
struct SourceArguments {
    /// A weights file [default: the shipped weights]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Rules of the shipped weights
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed", conflicts_with = "file")]
    rules: Rules,
}

impl From<SourceArguments> for WeightsSource {
    fn from(arguments: SourceArguments) -> Self {
        arguments.file.map_or_else(|| Self::Shipped(arguments.rules), Self::File)
    }
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print rules, origin, sizes, and the number and size of weights by stage and shape
    ///
    /// The sizes are those in memory, without symmetric duplicates, and of the file.
    Show {
        #[command(flatten)]
        source: SourceArguments,
        /// Print JSON instead of tables
        #[arg(long)]
        json: bool,
    },
    /// Convert a weights file to CSV, or back
    ///
    /// The extensions decide: .weights or .csv. The CSV has a line for each weight that is not zero: the empty squares of
    /// its stage, the shape, the pattern (X the side to move, O the opponent, - empty) or a number of moves, and the
    /// weight in discs. Nothing is lost either way; every line is checked.
    ///
    ///   ollehto weights convert mine.weights mine.csv
    ///   ollehto weights convert mine.csv mine.weights
    #[command(verbatim_doc_comment)]
    Convert {
        /// Input
        #[arg(value_name = "IN")]
        input: PathBuf,
        /// Output; - for standard output
        #[arg(value_name = "OUT")]
        output: Destination,
        #[command(flatten)]
        force: ForceArgument,
    },
    /// Draw the value of squares, the best and worst edges, mobility, and being to move
    ///
    /// The drawings are SVG for light and dark mode. Recorded games weigh patterns by how often they occur.
    ///
    ///   ollehto weights draw mine.weights --output mine.svg
    ///   ollehto weights draw --rules standard --records games.olg --output drawings/
    #[command(verbatim_doc_comment)]
    Draw {
        #[command(flatten)]
        source: SourceArguments,
        /// Recorded games that weigh the patterns
        #[arg(long, value_name = "FILE", num_args = 1..)]
        records: Vec<PathBuf>,
        /// Numbers of empty squares, separated by commas
        #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = DRAWN, value_parser = numbers::whole::<u8, _>(1..=60))]
        empties: Vec<u8>,
        /// A file for one drawing, or a folder for one of each kind; - for standard output
        #[arg(long, short, value_name = "FILE")]
        output: Destination,
        #[command(flatten)]
        force: ForceArgument,
    },
}

impl WeightsArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self.what {
            What::Show { source, json } => {
                let summary = weights::summary(&source.into())?;
                if json {
                    serde_json::to_writer(&mut *output, &summary)?;
                    writeln!(output)?;
                } else {
                    write!(output, "{summary}")?;
                }
            }
            What::Convert { input, output, force } => weights::convert(&input, &output, force.force)?,
            What::Draw { source, records, empties, output: to, force } => {
                let (source, force) = (source.into(), force.force);
                for path in weights::draw(&Drawing { source, records, empties, output: to, force })? {
                    writeln!(output, "{}", path.display())?;
                }
            }
        }
        Ok(())
    }
}
