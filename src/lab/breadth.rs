//! Branching factor: legal moves by disc count.

use super::chart::{Chart, Point};
use super::published::{BREADTHS, MEAN_BREADTH, MIDDLE, MIDDLE_BREADTH, mean_of_breadths};
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;
use super::{STRONG_RANDOM, each, strong_games};
use crate::board::{Move, Position, Size, Square};
use crate::random::Random;
use crate::rules::Rules;

#[derive(Clone, Copy, Debug)]
pub struct BreadthExperiment {
    /// Random games.
    pub games: u64,
    /// Self-play games for each rule set.
    pub strong: u64,
    /// Search depth in these.
    pub depth: u8,
    pub seed: u64,
    pub jobs: usize,
}

/// Discs on the board and number of legal moves, ply by ply.
type Course = Vec<(u32, u32)>;

/// Under random play, and under strong play by both rule sets. As in the report, a pass counts as no legal moves.
#[must_use]
pub fn run(breadth: &BreadthExperiment) -> Vec<Sheet> {
    let &BreadthExperiment { games, strong: strong_count, depth, seed, jobs } = breadth;
    let numbers: Vec<u64> = (0..games).collect();
    let by_chance = each("random games", &numbers, jobs, |&number| random(seed, number));
    let strong = [Rules::Reversed, Rules::Standard].map(|rules| {
        let played = strong_games(rules, strong_count, depth, STRONG_RANDOM, seed, jobs);
        played.iter().map(|game| course(game.random_plies().into(), game.moves().iter().copied())).collect()
    });
    let [reversed, standard] = strong;
    let kinds = [("random", by_chance), ("strong reversed", reversed), ("strong standard", standard)];
    vec![by_discs(&kinds, breadth), means(&kinds)]
}

fn random(seed: u64, number: u64) -> Course {
    let mut random = Random::keyed(seed, number);
    let mut position = Position::start(Size::Eight);
    let mut course = Course::new();
    while !position.is_over() {
        let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
        course.push((position.board().discs().len(), moves.len() as u32));
        let action = random.pick(&moves).copied().unwrap_or(Move::Pass);
        let Some(next) = position.play(action) else { break };
        position = next;
    }
    course
}

/// Of the plies after the random moves.
fn course(random_plies: usize, moves: impl Iterator<Item = Square>) -> Course {
    let mut position = Position::start(Size::Eight);
    let mut course = Course::new();
    for (ply, square) in moves.enumerate() {
        if position.must_pass() {
            if ply >= random_plies {
                course.push((position.board().discs().len(), 0));
            }
            let Some(next) = position.play(Move::Pass) else { break };
            position = next;
        }
        if ply >= random_plies {
            course.push((position.board().discs().len(), position.moves().len()));
        }
        let Some(next) = position.play(Move::Place(square)) else { break };
        position = next;
    }
    course
}

fn by_discs(kinds: &[(&str, Vec<Course>); 3], breadth: &BreadthExperiment) -> Sheet {
    let title = "Legal moves by discs on the board";
    let counted = kinds.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("{name} n")]);
    let mut sheet = Sheet::new(title, 0, ["discs", "report"].map(String::from).into_iter().chain(counted));
    let mut chart = Chart { title: title.into(), x: "discs on the board".into(), ..Chart::default() };
    let report =
        (4..).zip(BREADTHS).map(|(discs, moves)| Point { x: f64::from(discs), y: moves, ends: [moves; 2] });
    chart.curves.push(("report".into(), report.collect()));
    chart.curves.extend(kinds.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())));
    for (discs, said) in (4..).zip(BREADTHS) {
        let mut row = vec![Cell::Count(discs.into()), Cell::Number(said, 2)];
        for (number, (_, courses)) in kinds.iter().enumerate() {
            let here = courses.iter().flatten().filter(|&&(at, _)| at == discs);
            let sample: SampleMean = here.map(|&(_, moves)| f64::from(moves)).collect();
            let mean = sample.mean().filter(|_| sample.count() > 1);
            row.extend([Cell::of(mean, 2), sample.count().into()]);
            let point =
                mean.map(|mean| Point { x: f64::from(discs), y: mean.value, ends: [mean.low, mean.high] });
            chart.curves[number + 1].1.extend(point);
        }
        sheet.row(row);
    }
    sheet.note(format!(
        "{} random games (the same for both rule sets) and {} self-play games at depth {} for each rule set, starting with \
         {} to {} random moves that do not count. A pass counts as no moves. The figures of the report are from some \
         forty games of a program that flips discs in one direction only, as its author's public code shows.",
        breadth.games, breadth.strong, breadth.depth, STRONG_RANDOM.0, STRONG_RANDOM.1
    ));
    sheet.draw(chart);
    sheet
}

/// The sample is a game, since its plies are not independent.
fn means(kinds: &[(&str, Vec<Course>); 3]) -> Sheet {
    let (first, last) = MIDDLE;
    let middle = format!("{first} to {last} discs");
    let mut sheet = Sheet::new("Mean legal moves of a game", 1, ["play", "games", "all", middle.as_str()]);
    sheet.row(vec![
        "report (random), as stated".into(),
        Cell::Nothing,
        Cell::Number(MEAN_BREADTH, 3),
        Cell::Number(MIDDLE_BREADTH, 3),
    ]);
    // Those of the middle game have the mean that is stated.
    let printed = Cell::Number(mean_of_breadths(), 3);
    sheet.row(vec![
        "report (random), numbers it prints".into(),
        Cell::Nothing,
        printed,
        Cell::Number(MIDDLE_BREADTH, 3),
    ]);
    for (name, courses) in kinds {
        let mean = |within: &dyn Fn(u32) -> bool| -> SampleMean {
            let of_game = |course: &Course| {
                let moves: SampleMean = course
                    .iter()
                    .filter(|&&(discs, _)| within(discs))
                    .map(|&(_, moves)| f64::from(moves))
                    .collect();
                moves.mean().map(|mean| mean.value)
            };
            courses.iter().filter_map(of_game).collect()
        };
        let all = mean(&|_| true);
        let middle = mean(&|discs| (first..=last).contains(&discs));
        sheet.row(vec![
            (*name).into(),
            all.count().into(),
            Cell::of(all.mean(), 3),
            Cell::of(middle.mean(), 3),
        ]);
    }
    sheet
}
