//! Generations of a run of `ollehto tune`, next to the ranks in a report.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::published::RANKS;
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;

/// The first line of `generations.csv`.
const HEAD: &str = "generation,best,fitness,mean,yardstick";

/// Yardstick results in a mean.
const READINGS: usize = 5;

/// Shown besides those of the report.
const SHOWN: [u32; 6] = [20, 40, 400, 800, 1600, 2400];

#[derive(Debug, Error)]
pub enum GenerationsError {
    #[error("cannot read {}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{} does not begin with '{HEAD}': give the generations.csv of a run of `ollehto tune`", .0.display())]
    OtherKind(PathBuf),
    /// Lines are counted from 1.
    #[error("{}, line {}: {}", .0.display(), .1, .2)]
    Line(PathBuf, usize, String),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct GenerationRow {
    number: u32,
    /// Of the best.
    fitness: f64,
    /// Score of the best against the yardstick, if they played.
    yardstick: Option<f64>,
}

fn parse(line: &str) -> Result<GenerationRow, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let &[number, _, fitness, _, yardstick] = fields.as_slice() else {
        return Err(format!("{} fields instead of 5", fields.len()));
    };
    let share = |name: &str, text: &str| {
        text.parse().map_err(|_| format!("the {name} is '{text}' instead of a number"))
    };
    Ok(GenerationRow {
        number: number
            .parse()
            .map_err(|_| format!("the generation is '{number}' instead of a whole number"))?,
        fitness: share("fitness", fitness)?,
        yardstick: if yardstick.is_empty() { None } else { Some(share("yardstick", yardstick)?) },
    })
}

fn load(path: &Path) -> Result<Vec<GenerationRow>, GenerationsError> {
    let text = fs::read_to_string(path).map_err(|error| GenerationsError::File(path.into(), error))?;
    let mut lines = text.lines().enumerate();
    if lines.next().is_none_or(|(_, head)| head != HEAD) {
        return Err(GenerationsError::OtherKind(path.into()));
    }
    let parsed = lines.map(|(at, line)| {
        parse(line).map_err(|problem| GenerationsError::Line(path.into(), at + 1, problem))
    });
    parsed.collect()
}

/// Of the nearest yardstick results.
fn around(generations: &[GenerationRow], number: u32) -> SampleMean {
    let mut readings: Vec<(u32, f64)> = generations
        .iter()
        .filter_map(|generation| Some((generation.number.abs_diff(number), generation.yardstick?)))
        .collect();
    readings.sort_by_key(|&(distance, _)| distance);
    readings.into_iter().take(READINGS).map(|(_, share)| share).collect()
}

/// # Errors
/// If the file is not a table of generations.
pub fn run(path: &Path) -> Result<Sheet, GenerationsError> {
    let generations = load(path)?;
    let last = generations.last().map_or(0, |generation| generation.number);
    let said = |number: u32| RANKS.iter().find(|&&(at, _)| at == number).map(|&(_, rank)| rank);
    // Those of the report are shown even if the run did not get so far.
    let mut numbers: Vec<u32> = SHOWN.into_iter().filter(|&number| number <= last).collect();
    numbers.extend(RANKS.map(|(at, _)| at));
    numbers.sort_unstable();
    let columns =
        ["generation", "report's rank", "fitness of the best", "against the yardstick", "mean around it"];
    let mut sheet = Sheet::new("Generations of the genetic algorithm", 0, columns);
    for number in numbers {
        let here = generations.iter().find(|generation| generation.number == number);
        let yardstick = here.and_then(|generation| generation.yardstick);
        let mean = here.and_then(|_| around(&generations, number).mean());
        sheet.row(vec![
            u64::from(number).into(),
            said(number).map_or(Cell::Nothing, Cell::Count),
            Cell::said(here.map(|generation| generation.fitness), 3),
            Cell::said(yardstick, 3),
            Cell::of(mean, 3),
        ]);
    }
    sheet.note(format!(
        "Rank: in the course's ladder, as the report behind ga-minimax tells. Yardstick: share of the best of the generation \
         against the weights that the run was configured to be measured by; the mean is of the {READINGS} nearest readings. \
         The fitness is relative to the generation."
    ));
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_checked() {
        let whole = GenerationRow { number: 80, fitness: 0.6186, yardstick: Some(0.7762) };
        assert_eq!(parse("80,77.53,0.6186,0.5000,0.7762"), Ok(whole));
        assert_eq!(parse("81,80.57,0.6271,0.5000,").map(|generation| generation.yardstick), Ok(None));
        assert_eq!(parse("81,80.57"), Err("2 fields instead of 5".into()));
        assert_eq!(parse("x,1,0.5,0.5,"), Err("the generation is 'x' instead of a whole number".into()));
        assert_eq!(parse("1,1,0.5,0.5,y"), Err("the yardstick is 'y' instead of a number".into()));
    }

    #[test]
    fn the_nearest_readings_count() {
        let generation = |number| GenerationRow {
            number,
            fitness: 0.0,
            yardstick: number.is_multiple_of(20).then_some(f64::from(number)),
        };
        let generations: Vec<_> = (1..=800).map(generation).collect();
        assert_eq!(around(&generations, 80).mean().map(|mean| mean.value), Some(80.0));
        assert_eq!(around(&generations, 800).mean().map(|mean| mean.value), Some(760.0));
    }
}
