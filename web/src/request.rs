//! The requests of the page.

use ollehto::bench;
use ollehto::game_reader::link;
use ollehto::rules::Rules;
use ollehto::search::Elo;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::explorer;
use crate::game::{GameText, Played, RulesWord};
use crate::reader;
use crate::review::WebReview;
use crate::search::{SearchRequest, WebSearcher};

#[derive(Debug, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    /// Every position of a game.
    Game {
        game: GameText,
    },
    /// The game in a text that somebody pasted. Rules and size hold where the text does not say.
    Read {
        text: String,
        rules: RulesWord,
        size: u8,
    },
    /// The part of an address after `#` that holds a game.
    WriteLink {
        game: GameText,
    },
    ReadLink {
        link: String,
    },
    /// A game as a GGF record.
    Ggf {
        game: GameText,
    },
    Search(SearchRequest),
    /// A good move of the book after a game, if it has one.
    BookMove {
        game: GameText,
        seed: u64,
    },
    /// The ratings that a search can play at.
    Strengths,
    /// Begins to review a game, with so much time for each position.
    Review {
        game: GameText,
        milliseconds: u64,
    },
    /// Searches the next position of the review.
    ReviewStep,
    /// What the shipped book knows of a position.
    Openings {
        game: GameText,
    },
    /// The nodes of the searches that `ollehto bench` makes.
    Bench {
        rules: RulesWord,
        depth: u8,
    },
}

/// What stays between requests.
#[derive(Default)]
pub struct Searches {
    searcher: WebSearcher,
    review: Option<WebReview>,
}

/// The fault is one of the page, not of its user.
pub fn handle(request: Request, searches: &mut Searches) -> Result<Value, String> {
    match request {
        Request::Game { game } => value(Played::new(&game).describe()),
        Request::Read { text, rules, size } => value(reader::read(&text, rules, size)),
        Request::WriteLink { game } => Ok(json!({ "link": link::write(&Played::new(&game).game) })),
        Request::ReadLink { link } => value(reader::read_link(&link)),
        Request::Ggf { game } => Ok(json!({ "ggf": Played::new(&game).ggf() })),
        Request::Search(request) => value(searches.searcher.search(&request)),
        Request::BookMove { game, seed } => value(explorer::book_move(&Played::new(&game), seed)),
        Request::Strengths => Ok(json!(Elo::steps().map(Elo::rating).collect::<Vec<_>>())),
        Request::Review { game, milliseconds } => {
            searches.review = Some(WebReview::new(&game, milliseconds));
            Ok(json!({}))
        }
        Request::ReviewStep => {
            let view = searches.review.as_mut().map(WebReview::step);
            if view.as_ref().is_none_or(|view| view.left == 0) {
                searches.review = None;
            }
            value(view)
        }
        Request::Openings { game } => value(explorer::explore(&Played::new(&game))),
        Request::Bench { rules, depth } => {
            let rules = Rules::from(rules);
            let nodes: u64 =
                bench::positions().into_iter().map(|position| bench::nodes(position, rules, depth)).sum();
            Ok(json!({ "nodes": nodes }))
        }
    }
}

fn value(reply: impl Serialize) -> Result<Value, String> {
    serde_json::to_value(reply).map_err(|error| error.to_string())
}
