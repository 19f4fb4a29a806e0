//! How games between strong players go: who wins, by how much, and what happens on the way.

use super::sheet::{Cell, Sheet};
use super::statistics::{Sample, share};
use super::strong;
use crate::board::{Color, Move, Position, Size};
use crate::records::Game;
use crate::rules::Rules;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    /// Games for each rule set.
    pub games: u64,
    /// How deep both sides search.
    pub depth: u8,
    /// Random moves that each game begins with.
    pub plies: u8,
    /// What chance is drawn from.
    pub seed: u64,
    /// Games at a time.
    pub jobs: usize,
}

/// What happened in a game, seen by Black.
struct Story {
    margin: i32,
    /// Squares empty at the end.
    empty: u32,
    passes: u32,
    /// Whether a side had no disc left.
    wiped: bool,
    /// Who took the first corner, and with how many discs on the board after it.
    corner: Option<(Color, u32)>,
}

/// What a table tells of games, by name.
type Row<'a> = (&'a str, &'a dyn Fn(&[Story]) -> Cell);

/// Who wins under strong play of both rule sets, by how much, and how.
#[must_use]
pub fn run(colours: &Colours) -> Vec<Sheet> {
    let &Colours { games, depth, plies, seed, jobs } = colours;
    let stories = [Rules::Reversed, Rules::Standard].map(|rules| {
        let played = strong::play(rules, games, depth, (plies, plies), seed, jobs);
        played.iter().filter_map(story).collect::<Vec<_>>()
    });
    let under = format!("strong play at depth {depth}, exact from {} empty squares on", strong::EXACT);
    let sheet = |title: String, rows: &[Row]| {
        let mut sheet = Sheet::new(title, 1, ["", "reversed", "standard"]);
        for (name, cell) in rows {
            sheet.row(vec![(*name).into(), cell(&stories[0]), cell(&stories[1])]);
        }
        sheet
    };
    let by_taker = |story: &Story| {
        story.corner.map(|(taker, _)| if taker == Color::Black { story.margin } else { -story.margin })
    };
    let shares = sheet(
        format!("Shares of games, {under}"),
        &[
            ("games", &|stories| (stories.len() as u64).into()),
            ("Black wins", &|stories| part(stories, |story| story.margin > 0)),
            ("drawn", &|stories| part(stories, |story| story.margin == 0)),
            ("White wins", &|stories| part(stories, |story| story.margin < 0)),
            ("ends before the board is full", &|stories| part(stories, |story| story.empty > 0)),
            ("a side is wiped out", &|stories| part(stories, |story| story.wiped)),
            ("a corner is taken", &|stories| part(stories, |story| story.corner.is_some())),
            ("who takes the first corner wins", &|stories| {
                let margins: Vec<i32> = stories.iter().filter_map(by_taker).collect();
                let won = margins.iter().filter(|&&margin| margin > 0).count();
                Cell::of(share(won as u64, margins.len() as u64), 3)
            }),
        ],
    );
    let mut means = sheet(
        format!("Means of games, {under}"),
        &[
            ("margin of Black, discs", &|stories| mean(stories, |story| Some(story.margin))),
            ("margin of the winner, discs", &|stories| mean(stories, |story| Some(story.margin.abs()))),
            ("margin of who takes the first corner", &|stories| mean(stories, by_taker)),
            ("discs when the first corner is taken", &|stories| {
                mean(stories, |story| story.corner.map(|(_, discs)| discs as i32))
            }),
            ("passes", &|stories| mean(stories, |story| Some(story.passes as i32))),
        ],
    );
    means.note(format!(
        "Games of the engine against itself after {plies} random moves. The reports announce such an experiment (corners \
         and stable discs of the winner) and give no figures."
    ));
    vec![shares, means]
}

fn part(stories: &[Story], is: impl Fn(&Story) -> bool) -> Cell {
    let hits = stories.iter().filter(|story| is(story)).count();
    Cell::of(share(hits as u64, stories.len() as u64), 3)
}

fn mean(stories: &[Story], of: impl Fn(&Story) -> Option<i32>) -> Cell {
    Cell::of(stories.iter().filter_map(of).map(f64::from).collect::<Sample>().mean(), 2)
}

/// Plays a game over; none if it cannot be.
fn story(game: &Game) -> Option<Story> {
    let mut position = Position::start(Size::Eight);
    let (mut passes, mut corner) = (0, None);
    for &square in game.moves() {
        if position.must_pass() {
            position = position.play(Move::Pass)?;
            passes += 1;
        }
        let mover = position.side();
        position = position.play(Move::Place(square))?;
        if corner.is_none() && Size::Eight.corners().contains(square) {
            corner = Some((mover, position.board().discs().len()));
        }
    }
    let board = position.board();
    Some(Story {
        margin: game.result().0.into(),
        empty: position.empties().len(),
        passes,
        wiped: board.own().is_empty() || board.other().is_empty(),
        corner,
    })
}
