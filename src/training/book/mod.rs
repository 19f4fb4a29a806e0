//! Making an opening book, and looking into one.
//!
//! All positions after some plies are searched, and their values carried back to the start. A player who keeps near the
//! best moves meets few of them, whatever the opponent does: those positions make the book. What their values come down
//! to, when both sides go on near the best moves, is searched deeper, and since that changes which moves are near the
//! best, the choice is made again until there is nothing new to search.

mod show;

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::board::Position;
use crate::book::{Book, BookSettings, ScoredMove};
use crate::eval::Evaluation;
use crate::files::output::{OutputError, Outputs};
use crate::rules::Rules;
use crate::score::Score;

use super::opening_tree::Tree;
use super::position_values::Values;
use crate::bench::evaluation_fingerprint;
use crate::files::append_log::LedgerError;

pub use show::{ShowError, show};

/// What book to make.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Who wins.
    pub rules: Rules,
    /// How many plies from the start are looked at.
    pub plies: u8,
    /// How deep all positions after them are searched.
    pub depth: u8,
    /// How deep those that matter are.
    pub deep: u8,
    /// What a move may lose against the best one to be near it, in units of [`Score`].
    pub near: u16,
    /// How far from a draw positions are searched deep although no good play leads there, in units.
    pub balance: u16,
    /// Positions searched at a time.
    pub jobs: usize,
    /// Where the values of searched positions are kept.
    pub values: PathBuf,
    /// Where the book goes.
    pub output: PathBuf,
    /// Whether a file that is there already is replaced.
    pub force: bool,
}

/// Why there is no book.
#[derive(Debug)]
pub enum BuildError {
    /// The file of values is at fault.
    Values(LedgerError),
    /// The book cannot be written.
    Output(OutputError),
    /// What there is to tell cannot be told.
    Report(io::Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Values(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Report(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Values(error) => Some(error),
            Self::Output(error) => Some(error),
            Self::Report(error) => Some(error),
        }
    }
}

impl From<LedgerError> for BuildError {
    fn from(error: LedgerError) -> Self {
        Self::Values(error)
    }
}

/// Makes a book and tells how far it has come.
///
/// # Errors
/// If the file of values cannot be used, or something cannot be written.
pub fn build(campaign: &Campaign, report: &mut impl Write) -> Result<(), BuildError> {
    let &Campaign { rules, plies, depth, deep, near, jobs, .. } = campaign;
    let mut outputs = Outputs::new(campaign.force).with_inputs([&campaign.values]);
    let output = outputs.claim(campaign.output.as_path()).map_err(BuildError::Output)?;
    let mut values = Values::open(rules, Some(&campaign.values))?;
    let mut plan = Plan { tree: Tree::grow(plies), deepened: HashSet::new(), campaign };
    let all: Vec<usize> = plan.tree.leaves().collect();
    let mut tell = |text: String| writeln!(report, "{text}").map_err(BuildError::Report);
    let searched = values.search(&plan.positions(&all), depth, jobs)?;
    tell(format!("{} positions at depth {depth}, {searched} of them searched now", all.len()))?;
    loop {
        let wanted = plan.wanted(&values);
        if wanted.is_empty() {
            break;
        }
        let searched = values.search(&plan.positions(&wanted), deep, jobs)?;
        tell(format!("{} at depth {deep}, {searched} of them searched now", wanted.len()))?;
        plan.deepened.extend(wanted);
    }
    let settings = BookSettings {
        rules,
        plies,
        depth,
        deep_depth: deep,
        margin: near,
        evaluation: evaluation_fingerprint(&Evaluation::Shipped, &[rules]),
    };
    let book = plan.book(settings, &values);
    let bytes = book.to_bytes();
    output.write(&bytes).map_err(BuildError::Output)?;
    let start = plan.backed_up(&values).first().copied().unwrap_or_default();
    tell(format!(
        "{}: {} positions, {} bytes; {} searched deep; the start is worth {start}",
        campaign.output.display(),
        book.len(),
        bytes.len(),
        plan.deepened.len()
    ))
}

/// What is known on the way to a book.
struct Plan<'a> {
    tree: Tree,
    /// The places of those searched deep. Only they count: what else a file of values may have of other campaigns must
    /// not change the book.
    deepened: HashSet<usize>,
    campaign: &'a Campaign,
}

impl Plan<'_> {
    fn positions(&self, places: &[usize]) -> Vec<Position> {
        places.iter().map(|&at| self.tree.nodes()[at].position).collect()
    }

    fn at_depth(&self, values: &Values, place: usize, depth: u8) -> Score {
        values.get(&self.tree.nodes()[place].position, depth).unwrap_or_default()
    }

    /// The values of all positions, by the best that is known of the last ones.
    fn backed_up(&self, values: &Values) -> Vec<Score> {
        let Campaign { depth, deep, .. } = *self.campaign;
        self.tree
            .negamax(|at| self.at_depth(values, at, if self.deepened.contains(&at) { deep } else { depth }))
    }

    /// The positions that a player near the best play may meet, whatever the other one does.
    fn met(&self, backed_up: &[Score]) -> Vec<bool> {
        let from_start = |at| at == 0;
        let [black, white] = [0, 1].map(|us| {
            self.tree.reached(backed_up, from_start, |mover, loss| mover != us || self.is_near(loss))
        });
        black.into_iter().zip(white).map(|(black, white)| black || white).collect()
    }

    fn is_near(&self, loss: i16) -> bool {
        i32::from(loss) <= i32::from(self.campaign.near)
    }

    /// The last positions that matter and are not searched deep yet: those that near play by both sides leads to from
    /// what the book will have, and those near a draw.
    fn wanted(&self, values: &Values) -> Vec<usize> {
        let backed_up = self.backed_up(values);
        let met = self.met(&backed_up);
        let inner = |at: usize| met[at] && !self.tree.nodes()[at].moves.is_empty();
        let matters = self.tree.reached(&backed_up, inner, |_, loss| self.is_near(loss));
        let is_level = |at| {
            let shallow = self.at_depth(values, at, self.campaign.depth);
            shallow.units().unsigned_abs() <= self.campaign.balance
        };
        self.tree
            .leaves()
            .filter(|&at| (matters[at] || is_level(at)) && !self.deepened.contains(&at))
            .collect()
    }

    fn book(&self, settings: BookSettings, values: &Values) -> Book {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Size};
    use std::fs;
    use std::{env, process};

    /// Makes a small book in a folder of its own, which goes again.
    fn small(name: &str, rules: Rules, jobs: usize) -> (Book, String) {
        let folder = env::temp_dir().join(format!("ollehto-book-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        let campaign = Campaign {
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
        build(&campaign, &mut report).expect("it can be built");
        let book = Book::load(&campaign.output).expect("it was just written");
        // What is kept is not searched again, and leads to the same book.
        let mut again = Vec::new();
        build(&campaign, &mut again).expect("it can be built");
        let again = String::from_utf8(again).expect("text");
        let is_summary = |line: &&str| line.contains("searched deep");
        assert!(
            again.lines().filter(|line| !is_summary(line)).all(|line| line.contains(" 0 of them")),
            "{again}"
        );
        assert_eq!(Book::load(&campaign.output).expect("written again"), book);
        fs::remove_dir_all(&folder).expect("it was ours");
        (book, String::from_utf8(report).expect("text"))
    }

    #[test]
    fn a_small_book_is_consistent() {
        for rules in Rules::ALL {
            let (book, report) = small("consistent", rules, 2);
            assert!(report.starts_with("14 positions at depth 2, 14 of them searched now\n"), "{report}");
            let tree = Tree::grow(2);
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
    fn a_book_does_not_depend_on_how_many_are_searched_at_a_time() {
        assert_eq!(small("one", Rules::Reversed, 1).0, small("two", Rules::Reversed, 2).0);
    }
}
