//! `ollehto book`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, Subcommand};
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::parse_moves;

use crate::book::Book;
use crate::numbers;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::book::{Campaign, build, show};

use super::{ForceArgument, RulesArgument, resumable_file};

/// Make an opening book, or look into one
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

/// Make a book by our own search
///
/// All different positions after some plies are searched, then more deeply those that good play leads to or that are
/// near a draw, and the values carried back to the start. The book has the positions that a player near the best moves
/// can meet, whatever the opponent does. The values of searched positions are kept as they come: after Ctrl-C or a kill
/// the same command goes on where it was.
#[derive(Debug, Args)]
struct BuildArguments {
    /// Who wins: reversed, the fewest discs, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// Where the book goes
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgument,
    /// How many plies from the start are looked at
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = numbers::whole::<u8, _>(1..=9))]
    plies: u8,
    /// How deep all positions after them are searched
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = numbers::whole::<u8, _>(1..=40))]
    depth: u8,
    /// How deep those that matter are
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = numbers::whole::<u8, _>(1..=40))]
    deep: u8,
    /// What a move may lose against the best one to be near it
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = parse_units)]
    near: u16,
    /// How far from a draw positions are searched deeply whatever leads there [default: as --near]
    #[arg(long, value_name = "DISCS", value_parser = parse_units)]
    balance: Option<u16>,
    /// Positions searched at a time [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: Option<u16>,
    /// Where the values of searched positions are kept [default: beside the book]
    #[arg(long, value_name = "FILE", value_parser = resumable_file())]
    values: Option<PathBuf>,
}

/// Print what a book knows of a position: each move with its value in discs and the play expected
#[derive(Debug, Args)]
struct ShowArguments {
    /// A file if not the book that comes with the program, then moves such as f5 d6
    #[arg(value_name = "FILE|MOVES")]
    words: Vec<String>,
    /// Which of the books that come with the program
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
}

/// Discs in units of values.
fn parse_units(text: &str) -> Result<u16, String> {
    let hundredths = u32::from(numbers::discs(text)?);
    Ok((hundredths * u32::from(Score::UNITS.unsigned_abs()) / 100) as u16)
}

impl BookArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        match self.action {
            Action::Build(arguments) => Ok(build(&arguments.campaign(), output)?),
            Action::Show(arguments) => arguments.run(output),
        }
    }
}

impl BuildArguments {
    fn campaign(self) -> Campaign {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        Campaign {
            rules: self.rules.into(),
            plies: self.plies,
            depth: self.depth,
            deep: self.deep,
            near: self.near,
            balance: self.balance.unwrap_or(self.near),
            jobs: self.jobs.map_or_else(processors, usize::from),
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
            None => Book::shipped(Rules::from(self.rules)).ok_or("our own book cannot be read")?,
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
