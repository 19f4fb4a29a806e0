//! `ollehto book`: building an opening book, and looking into one.
//!
//! All positions after some plies are searched, and negamax carries their values back to the start. The book has the
//! positions that a player near the best moves can meet, whatever the opponent does. Where play near the best moves
//! leads from there is searched deeper. That changes which moves are near the best, so the choice is repeated until
//! nothing is new.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::print_moves;
use thiserror::Error;

use crate::bench::evaluation_fingerprint;
use crate::board::{Move, Position, Size};
use crate::book::{Book, BookSettings, OpeningNames, ScoredMove};
use crate::eval::Evaluation;
use crate::files::append_log::AppendLogError;
use crate::files::output::{OutputError, Outputs};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;

use super::opening_tree::OpeningTree;
use super::position_values::PositionValues;

#[derive(Clone, Debug)]
pub struct BookOptions {
    pub rules: Rules,
    /// Plies from the start.
    pub plies: u8,
    /// Search depth of all leaves.
    pub depth: u8,
    /// Search depth of the leaves that matter.
    pub deep: u8,
    /// What a move may lose against the best one to be near it, in units of [`Score`].
    pub near: u16,
    /// Distance from a draw within which all leaves are searched deep, in units.
    pub balance: u16,
    pub jobs: usize,
    /// The log of searched positions.
    pub values: PathBuf,
    pub output: PathBuf,
    /// Replace an existing book.
    pub force: bool,
}

#[derive(Debug, Error)]
#[error("{0}")]
pub enum BookBuildError {
    Values(#[from] AppendLogError),
    Output(#[from] OutputError),
    Report(#[from] io::Error),
}

/// Builds a book and reports each step.
///
/// # Errors
/// If the file of values cannot be used, or something cannot be written.
pub fn build(options: &BookOptions, report: &mut impl Write) -> Result<(), BookBuildError> {
    let &BookOptions { rules, plies, depth, deep, near, jobs, .. } = options;
    let mut outputs = Outputs::new(options.force).with_inputs([&options.values]);
    let output = outputs.claim(options.output.as_path())?;
    let mut values = PositionValues::open(rules, Some(&options.values))?;
    let mut builder = BookBuilder { tree: OpeningTree::grow(plies), deepened: HashSet::new(), options };
    let all: Vec<usize> = builder.tree.leaves().collect();
    let searched = values.search(&builder.positions(&all), depth, jobs)?;
    writeln!(report, "{} positions at depth {depth}, {searched} of them searched now", all.len())?;
    loop {
        let wanted = builder.wanted(&values);
        if wanted.is_empty() {
            break;
        }
        let searched = values.search(&builder.positions(&wanted), deep, jobs)?;
        writeln!(report, "{} at depth {deep}, {searched} of them searched now", wanted.len())?;
        builder.deepened.extend(wanted);
    }
    let settings = BookSettings {
        rules,
        plies,
        depth,
        deep_depth: deep,
        margin: near,
        evaluation: evaluation_fingerprint(&Evaluation::Shipped, &[rules]),
    };
    let book = builder.book(settings, &values);
    let bytes = book.to_bytes();
    output.write(&bytes)?;
    let start = builder.backed_up(&values).first().copied().unwrap_or_default();
    writeln!(
        report,
        "{}: {} positions, {} bytes; {} searched deep; the start is worth {start}",
        options.output.display(),
        book.len(),
        bytes.len(),
        builder.deepened.len()
    )?;
    Ok(())
}

/// Prints the positions that [`build`] would search next, each after its depth. Nothing if all values are known.
///
/// # Errors
/// If the file of values cannot be used, or nothing can be written.
pub fn print_missing(options: &BookOptions, output: &mut impl Write) -> Result<(), BookBuildError> {
    let values = PositionValues::open(options.rules, Some(&options.values))?;
    let mut builder =
        BookBuilder { tree: OpeningTree::grow(options.plies), deepened: HashSet::new(), options };
    let all: Vec<usize> = builder.tree.leaves().collect();
    let (mut missing, mut depth) = (values.missing(&builder.positions(&all), options.depth), options.depth);
    while missing.is_empty() {
        let wanted = builder.wanted(&values);
        if wanted.is_empty() {
            break;
        }
        (missing, depth) = (values.missing(&builder.positions(&wanted), options.deep), options.deep);
        builder.deepened.extend(wanted);
    }
    for position in missing {
        writeln!(output, "{depth} {}", notation::position_text(&position))?;
    }
    Ok(())
}

struct BookBuilder<'a> {
    tree: OpeningTree,
    /// The leaves searched deep. Other deep values in the log must not change the book.
    deepened: HashSet<usize>,
    options: &'a BookOptions,
}

impl BookBuilder<'_> {
    fn positions(&self, nodes: &[usize]) -> Vec<Position> {
        nodes.iter().map(|&at| self.tree.nodes()[at].position).collect()
    }

    fn at_depth(&self, values: &PositionValues, node: usize, depth: u8) -> Score {
        values.get(&self.tree.nodes()[node].position, depth).unwrap_or_default()
    }

    /// The values of all nodes, by the deepest search of each leaf.
    fn backed_up(&self, values: &PositionValues) -> Vec<Score> {
        let BookOptions { depth, deep, .. } = *self.options;
        self.tree
            .negamax(|at| self.at_depth(values, at, if self.deepened.contains(&at) { deep } else { depth }))
    }

    /// The nodes that a player near the best moves can meet, whatever the opponent does.
    fn met(&self, backed_up: &[Score]) -> Vec<bool> {
        let from_start = |at| at == 0;
        let [black, white] = [0, 1].map(|us| {
            self.tree.reached(backed_up, from_start, |mover, loss| mover != us || self.is_near(loss))
        });
        black.into_iter().zip(white).map(|(black, white)| black || white).collect()
    }

    fn is_near(&self, loss: i16) -> bool {
        i32::from(loss) <= i32::from(self.options.near)
    }

    /// The leaves to search deep next: those that play near the best moves of both sides reaches from the book, and
    /// those near a draw.
    fn wanted(&self, values: &PositionValues) -> Vec<usize> {
        let backed_up = self.backed_up(values);
        let met = self.met(&backed_up);
        let inner = |at: usize| met[at] && !self.tree.nodes()[at].moves.is_empty();
        let matters = self.tree.reached(&backed_up, inner, |_, loss| self.is_near(loss));
        let is_level = |at| {
            let shallow = self.at_depth(values, at, self.options.depth);
            shallow.units().unsigned_abs() <= self.options.balance
        };
        self.tree
            .leaves()
            .filter(|&at| (matters[at] || is_level(at)) && !self.deepened.contains(&at))
            .collect()
    }

    fn book(&self, settings: BookSettings, values: &PositionValues) -> Book {
        let backed_up = self.backed_up(values);
        let met = self.met(&backed_up);
        let mut book = Book::new(settings);
        for (node, _) in
            self.tree.nodes().iter().zip(met).filter(|(node, met)| *met && !node.moves.is_empty())
        {
            let known = |&(square, child): &(_, usize)| ScoredMove { square, value: -backed_up[child] };
            book.insert(&node.position, node.moves.iter().map(known));
        }
        book
    }
}

#[derive(Debug, Error)]
pub enum BookShowError {
    /// Moves are counted from 1.
    #[error("move {number}, {vertex}, is illegal")]
    Illegal { number: usize, vertex: Vertex },
    #[error("{0}")]
    Output(#[from] io::Error),
}

/// The fingerprint of the weights that a book was built with, and whether they ship with this program.
fn weights(settings: &BookSettings) -> String {
    let (of_book, shipped) =
        (settings.evaluation, evaluation_fingerprint(&Evaluation::Shipped, &[settings.rules]));
    if of_book == shipped {
        format!("the weights {of_book:08x}, which come with this program")
    } else {
        format!("the weights {of_book:08x}; this program comes with others, {shipped:08x}")
    }
}

/// Prints each book move after some moves, with its value, the expected line and the name of the opening.
///
/// # Errors
/// If a move is illegal, or nothing can be written.
pub fn show(book: &Book, moves: &[Vertex], output: &mut impl Write) -> Result<(), BookShowError> {
    let settings = book.settings();
    let size = Size::Eight;
    let mut game = Game::new(settings.rules, size);
    for (number, &vertex) in (1..).zip(moves) {
        let played = notation::action(vertex, size).map(|action| game.follow(action));
        if !matches!(played, Some(Ok(()))) {
            return Err(BookShowError::Illegal { number, vertex });
        }
    }
    writeln!(
        output,
        "{} positions by {} rules, of {} plies at depth {} and {}, by {}",
        book.len(),
        settings.rules,
        settings.plies,
        settings.depth,
        settings.deep_depth,
        weights(settings)
    )?;
    let position = game.position();
    let Some(known) = book.probe(position) else {
        writeln!(output, "the book does not know this position")?;
        return Ok(());
    };
    writeln!(output, "{} to move", position.side())?;
    let names = OpeningNames::new(book);
    for known in known {
        let action = Move::Place(known.square);
        let mut line = vec![known.square];
        let next = position.play(action);
        line.extend(next.map(|next| book.line(&next)).unwrap_or_default());
        let name = next.and_then(|next| names.get(next.board())).map(ToString::to_string);
        let line: Vec<Vertex> =
            line.into_iter().map(|square| notation::vertex(Move::Place(square), size)).collect();
        writeln!(
            output,
            "{:<4}{:>+7.2}  {:<18}{}",
            line[0].to_string().to_lowercase(),
            known.value.discs(),
            print_moves(&line),
            name.unwrap_or_default()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::{env, process};

    /// Builds a small book in a folder of its own.
    fn small(name: &str, rules: Rules, jobs: usize) -> (Book, String) {
        let folder = env::temp_dir().join(format!("ollehto-book-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let options = BookOptions {
            rules,
            plies: 3,
            depth: 2,
            deep: 4,
            near: 32,
            balance: 0,
            jobs,
            values: folder.join("values"),
            output: folder.join("book"),
            force: true,
        };
        let mut report = Vec::new();
        build(&options, &mut report).expect("it can be built");
        let book = Book::load(&options.output).expect("it was just written");
        // ScoredMove values are not searched again.
        let mut again = Vec::new();
        build(&options, &mut again).expect("it can be built");
        let again = String::from_utf8(again).expect("text");
        let is_summary = |line: &&str| line.contains("searched deep");
        assert!(
            again.lines().filter(|line| !is_summary(line)).all(|line| line.contains(" 0 of them")),
            "{again}"
        );
        assert_eq!(Book::load(&options.output).expect("written again"), book);
        fs::remove_dir_all(&folder).expect("it was ours");
        (book, String::from_utf8(report).expect("text"))
    }

    #[test]
    fn a_small_book_is_consistent() {
        for rules in Rules::ALL {
            let (book, report) = small("consistent", rules, 2);
            assert!(report.starts_with("14 positions at depth 2, 14 of them searched now\n"), "{report}");
            let tree = OpeningTree::grow(2);
            let mut positions = 0;
            for node in tree.nodes() {
                let Some(moves) = book.probe(&node.position) else { continue };
                positions += 1;
                assert_eq!(moves.len(), node.position.moves().len() as usize, "every move has a value");
                for known in moves {
                    let next = node.position.play(Move::Place(known.square)).expect("legal");
                    if let Some(replies) = book.probe(&next) {
                        assert_eq!(known.value, -replies[0].value, "worth the best reply");
                    }
                }
            }
            assert_eq!(positions, book.len());
            assert_eq!(positions, 1 + 1 + 3, "Black's first moves are one, and any of White's may be met");
            assert_eq!(book.line(&Position::start(Size::Eight)).len(), 3);
        }
    }

    #[test]
    fn a_book_does_not_depend_on_the_number_of_threads() {
        assert_eq!(small("one", Rules::Reversed, 1).0, small("two", Rules::Reversed, 2).0);
    }
}
