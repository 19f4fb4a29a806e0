//! `ollehto book`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::parse_moves;

use crate::book::Book;
use crate::numbers;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::book::{BookOptions, build, print_missing, show};
use crate::training::parallel;

use super::{ForceArgument, resumable_file};

/// Build or show an opening book
#[derive(Debug, Args)]
pub(super) struct BookArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    // Its help is that of its arguments: a line here would hide all but the first of it.
    Build(BuildArguments),
    Show(ShowArguments),
}

/// Build a book by our own search
///
/// All positions after some plies are searched, symmetries apart, then deeper those that good play leads to or that are
/// near a draw; negamax carries the values back to the start. The book has the positions that a player near the best
/// moves can meet, whatever the opponent does. Searched values are written at once: after Ctrl-C or a kill, run the same
/// command to continue.
#[derive(Debug, Args)]
struct BuildArguments {
    /// Rules: reversed (the fewest discs win) or standard (the most)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Book file
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgument,
    /// Plies from the start
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = numbers::whole::<u8, _>(1..=9))]
    plies: u8,
    /// Search depth of all positions after them
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=40))]
    depth: u8,
    /// Search depth of those that matter
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = numbers::whole::<u8, _>(1..=40))]
    deep: u8,
    /// What a move may lose against the best one to be near it
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = parse_units)]
    near: u16,
    /// Distance from a draw within which all positions are searched deep [default: --near]
    #[arg(long, value_name = "DISCS", value_parser = parse_units)]
    balance: Option<u16>,
    /// Search threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: Option<u16>,
    /// Log of searched values [default: beside the book]
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    values: Option<PathBuf>,
    /// Print the positions that would be searched next, each after its depth, and build nothing
    #[arg(long)]
    missing: bool,
}

/// Print the book moves of a position, with their values in discs, the expected line and the name of the opening
#[derive(Debug, Args)]
struct ShowArguments {
    /// A book file, if not the shipped one, then moves such as f5 d6
    #[arg(value_name = "FILE|MOVES")]
    words: Vec<String>,
    /// Rules of the shipped book
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
}

/// Discs in units of [`Score`].
fn parse_units(text: &str) -> Result<u16, String> {
    let hundredths = u32::from(numbers::discs(text)?);
    Ok((hundredths * u32::from(Score::UNITS.unsigned_abs()) / 100) as u16)
}

impl BookArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self.action {
            Action::Build(arguments) if arguments.missing => Ok(print_missing(&arguments.options(), output)?),
            Action::Build(arguments) => Ok(build(&arguments.options(), output)?),
            Action::Show(arguments) => arguments.run(output),
        }
    }
}

impl BuildArguments {
    fn options(self) -> BookOptions {
        BookOptions {
            rules: self.rules,
            plies: self.plies,
            depth: self.depth,
            deep: self.deep,
            near: self.near,
            balance: self.balance.unwrap_or(self.near),
            jobs: parallel::threads(self.jobs),
            values: self.values.unwrap_or_else(|| self.output.with_extension("values")),
            output: self.output,
            force: self.force.force,
        }
    }
}

impl ShowArguments {
    fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let (file, words) = match self.words.split_first() {
            Some((first, rest)) if read_moves(first).is_err() => (Some(first), rest),
            _ => (None, &self.words[..]),
        };
        let moves: Vec<Vertex> =
            words.iter().map(|word| read_moves(word)).collect::<Result<Vec<_>, _>>()?.concat();
        let loaded;
        let book = match file {
            Some(path) => {
                loaded = Book::load(Path::new(path))?;
                &loaded
            }
            None => Book::shipped(self.rules).ok_or("our own book cannot be read")?,
        };
        Ok(show(book, &moves, output)?)
    }
}

fn read_moves(word: &str) -> Result<Vec<Vertex>, String> {
    parse_moves(word.as_bytes()).map_err(|error| format!("{word}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_are_read_as_hundredths_and_as_units() {
        for (text, hundredths, units) in [("0.5", 50, 16), ("0", 0, 0), ("64", 6400, 64 * 32)] {
            assert_eq!((numbers::discs(text), parse_units(text)), (Ok(hundredths), Ok(units)));
        }
        for wrong in ["", "-1", "65", "x", "off"] {
            assert!(numbers::discs(wrong).is_err() && parse_units(wrong).is_err(), "{wrong}");
        }
    }
}
