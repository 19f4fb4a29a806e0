//! The shipped book as a tree to walk.

use std::collections::HashSet;
use std::sync::OnceLock;

use ollehto::board::{Board, Color, Move, Position, Size, Square};
use ollehto::book::{Book, BookPlayer, BookSource, DEFAULT_VARIETY, OpeningName, OpeningNames};
use ollehto::rules::Rules;
use serde::Serialize;

use crate::game::{ColorWord, Played, square_name};

#[derive(Debug, Serialize)]
pub struct NameView {
    /// A word that the page translates, such as `tiger`.
    family: Option<String>,
    /// After the family's own moves.
    rest: Vec<String>,
    /// All moves, the first of them f5.
    moves: Vec<String>,
}

/// Moves that lead to the same class of symmetric positions.
#[derive(Debug, Serialize)]
pub struct MoveView {
    moves: Vec<String>,
    /// In discs, for the side that moves.
    value: f64,
    name: Option<NameView>,
    /// Positions of the book from there on.
    positions: usize,
    /// The best play after it as far as the book goes.
    line: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct OpeningView {
    name: Option<NameView>,
    side: ColorWord,
    /// In discs, for Black.
    value: Option<f64>,
    /// Best first. Empty where the book ends.
    moves: Vec<MoveView>,
    positions: usize,
    plies: u8,
    depth: u8,
    deep_depth: u8,
}

/// None without a book: for other boards than 8×8.
pub fn explore(played: &Played) -> Option<OpeningView> {
    let position = played.position();
    let book = Book::shipped(played.game.rules()).filter(|_| position.size() == Size::Eight)?;
    let names = names(played.game.rules(), book);
    let settings = book.settings();
    let known = book.probe(&position).unwrap_or_default();
    let value = known.first().map(|best| match position.side() {
        Color::Black => best.value.discs(),
        Color::White => -best.value.discs(),
    });
    // By the class that they lead to, in the order of the best of each.
    let mut classes: Vec<(Board, MoveView)> = Vec::new();
    for scored in known {
        let Some(next) = position.play(Move::Place(scored.square)) else { continue };
        let class = next.board().canonical().0;
        let square = square_text(scored.square);
        match classes.iter_mut().find(|(other, _)| *other == class) {
            Some((_, view)) => view.moves.push(square),
            None => classes.push((
                class,
                MoveView {
                    moves: vec![square],
                    value: scored.value.discs(),
                    name: names.get(class).map(name_view),
                    positions: positions_from(book, &next),
                    line: book.line(&next).into_iter().map(square_text).collect(),
                },
            )),
        }
    }
    Some(OpeningView {
        name: names.get(position.board()).map(name_view),
        side: position.side().into(),
        value,
        moves: classes.into_iter().map(|(_, view)| view).collect(),
        positions: book.len(),
        plies: settings.plies,
        depth: settings.depth,
        deep_depth: settings.deep_depth,
    })
}

fn names(rules: Rules, book: &Book) -> &'static OpeningNames {
    static REVERSED: OnceLock<OpeningNames> = OnceLock::new();
    static STANDARD: OnceLock<OpeningNames> = OnceLock::new();
    let cell = match rules {
        Rules::Reversed => &REVERSED,
        Rules::Standard => &STANDARD,
    };
    cell.get_or_init(|| OpeningNames::new(book))
}

fn name_view(name: &OpeningName) -> NameView {
    let moves: Vec<String> = name.moves.iter().copied().map(square_text).collect();
    NameView {
        family: name.family.map(|family| family.word().to_lowercase()),
        rest: moves[name.family_moves..].to_vec(),
        moves,
    }
}

fn square_text(square: Square) -> String {
    square_name(Move::Place(square), Size::Eight)
}

/// How many classes of positions of the book can follow, with this one.
fn positions_from(book: &Book, position: &Position) -> usize {
    let mut seen = HashSet::new();
    let mut stack = vec![*position];
    while let Some(position) = stack.pop() {
        let Some(moves) = book.probe(&position) else { continue };
        if seen.insert(position.board().canonical().0) {
            stack.extend(moves.iter().filter_map(|scored| position.play(Move::Place(scored.square))));
        }
    }
    seen.len()
}

#[derive(Debug, Serialize)]
pub struct BookMoveView {
    #[serde(rename = "move")]
    square: Option<String>,
}

/// Draws one of the good moves of the book.
pub fn book_move(played: &Played, seed: u64) -> BookMoveView {
    let mut player = BookPlayer::new(BookSource::Shipped, DEFAULT_VARIETY, seed);
    let found = player.choose(&played.position(), played.game.rules());
    BookMoveView { square: found.and_then(|found| found.line.first().copied()).map(square_text) }
}
