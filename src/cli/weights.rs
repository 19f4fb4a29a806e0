//! `ollehto weights`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::files::output::Destination;
use crate::numbers;
use crate::training::weights::{self, DRAWN, Drawing, Source};

use super::{ForceArgument, RulesArgument};

/// Look into the weights of the evaluation
///
/// Weights are kept in a packed and compressed file (.weights), which `ollehto train` writes. Without a file those that
/// come with the program are looked at.
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
    /// A file of weights [default: those that come with the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The rules of the weights that come with the program
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed", conflicts_with = "file")]
    rules: RulesArgument,
}

impl From<SourceArguments> for Source {
    fn from(arguments: SourceArguments) -> Self {
        arguments.file.map_or_else(|| Self::Shipped(arguments.rules.into()), Self::File)
    }
}

#[derive(Debug, Subcommand)]
enum What {
    /// Tell what weights are like: rules, origin, sizes, and how many and how large they are by stage and shape
    ///
    /// The sizes are those of the weights ready for use, of the same without what mirror images share, and of the file.
    Show {
        #[command(flatten)]
        source: SourceArguments,
        /// Print JSON instead of tables
        #[arg(long)]
        json: bool,
    },
    /// Turn a file of weights into a table of text, or such a table into a file of weights
    ///
    /// The names tell which: .weights or .csv. A table has a line for each weight that is not zero: the numbers of empty
    /// squares of its stage, the shape, the squares of the pattern (X the player to move, O the opponent, - empty) or a
    /// number of moves, and the weight in discs. Nothing is lost either way; a table is checked line by line.
    ///
    ///   ollehto weights convert mine.weights mine.csv
    ///   ollehto weights convert mine.csv mine.weights
    #[command(verbatim_doc_comment)]
    Convert {
        /// What to read
        #[arg(value_name = "IN")]
        input: PathBuf,
        /// What to write; - for standard output
        #[arg(value_name = "OUT")]
        output: Destination,
        #[command(flatten)]
        force: ForceArgument,
    },
    /// Draw weights: the value of squares, the best and worst edges, mobility and tempo
    ///
    /// The drawings are SVG, for a browser in the light or in the dark. Records of games tell how often patterns occur,
    /// so that common ones count for more.
    ///
    ///   ollehto weights draw mine.weights --output mine.svg
    ///   ollehto weights draw --rules standard --records games.olg --output drawings/
    #[command(verbatim_doc_comment)]
    Draw {
        #[command(flatten)]
        source: SourceArguments,
        /// Files of recorded games that tell how often patterns occur
        #[arg(long, value_name = "FILE", num_args = 1..)]
        records: Vec<PathBuf>,
        /// The numbers of empty squares to draw, with commas between them
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
                let facts = weights::facts(&source.into())?;
                if json {
                    serde_json::to_writer(&mut *output, &facts)?;
                    writeln!(output)?;
                } else {
                    write!(output, "{facts}")?;
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
