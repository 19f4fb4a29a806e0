//! The engine as the player of one game.

use std::io;
use std::time::Duration;

use crossbeam_channel::Receiver;
use ollehto::board::{Move, Position, Size};
use ollehto::book::{BookPlayer, BookSource, DEFAULT_VARIETY};
use ollehto::engine::{Event, RunningSearch, SearchReport};
use ollehto::frontend::{Begun, Session, Settings};
use ollehto::game::Game;
use ollehto::rules::Rules;
use ollehto::search::{Limits, SearchResult};
use ollehto::stdio::TrafficLog;
use ollehto::time_source::Timestamp;

use crate::clock::MoveClock;
use crate::config::Strength;

/// A move to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub position: Position,
    pub action: Move,
    pub reply: Option<Move>,
    /// In discs, if it is the result of perfect play.
    pub exact: Option<f64>,
}

pub struct Player {
    session: Session,
    limits: Limits,
    time_without_clock: Duration,
    reserve: Duration,
    search: Option<(RunningSearch, Position)>,
}

impl Player {
    /// # Errors
    /// If the system has no thread left.
    pub fn new(strength: &Strength, rules: Rules, reserve: Duration, seed: u64) -> io::Result<Self> {
        let limits = strength.limits();
        let settings = Settings {
            rules,
            size: Size::Eight,
            threads: strength.threads.get(),
            hash: strength.hash.get(),
            limits,
            ponder: strength.ponder,
            ..Settings::default()
        };
        let mut session = Session::with_search(settings, TrafficLog::default())?.with_seed(seed);
        if strength.book {
            session = session.with_opening(BookPlayer::new(BookSource::Shipped, DEFAULT_VARIETY, seed));
        }
        session.prepare_table();
        let time_without_clock = strength.time_without_clock.into();
        Ok(Self { session, limits, time_without_clock, reserve, search: None })
    }

    /// The game has come to this. A search for another position ends.
    pub fn follow(&mut self, game: &Game) {
        self.session.game = game.clone();
        self.session.review_pondering();
        // The site may leave out a pass: then we search for ourselves where the game has the opponent to move.
        let position = game.position();
        let is_other = |searched: &Position| searched.with_side(position.side()) != *position;
        if self.search.as_ref().is_some_and(|(_, searched)| is_other(searched)) {
            self.search = None;
        }
    }

    #[must_use]
    pub fn reports(&self) -> &Receiver<SearchReport> {
        self.session.engine().reports()
    }

    /// Looks for a move: returns one that needs no search, or begins to search unless that is under way already.
    pub fn think(&mut self, position: Position, clock: MoveClock, start: Timestamp) -> Option<Found> {
        if self.search.as_ref().is_some_and(|(_, searched)| *searched == position) {
            return None;
        }
        self.search = None;
        let moves = position.moves();
        if moves.len() <= 1 {
            let action = moves.first().map_or(Move::Pass, Move::Place);
            return Some(Found { position, action, reply: None, exact: None });
        }
        let mut limits = self.limits;
        if clock == MoveClock::None {
            let longest = self.time_without_clock;
            limits.time = Some(limits.time.map_or(longest, |time| time.min(longest)));
        }
        let (empties, rules) = (position.empties().len() as u8, self.session.game.rules());
        let budget = clock.budget(&limits, start, empties, rules, self.reserve);
        match self.session.search(position, &budget) {
            Begun::Known(result) => Some(found(position, &result)),
            Begun::Search(search, _) => {
                self.search = Some((search, position));
                None
            }
        }
    }

    /// Takes a report. Those of searches that were given up mean nothing.
    pub fn take(&mut self, report: SearchReport) -> Option<Found> {
        match &self.search {
            Some((search, position)) if search.id() == report.id => {
                let Event::Done(result) = report.event else { return None };
                let found = found(*position, &result);
                self.search = None;
                Some(found)
            }
            _ => {
                self.session.note(report);
                None
            }
        }
    }

    /// Thinks while the opponent does, if configured.
    pub fn ponder(&mut self, found: &Found) {
        if let Some(after) = found.position.play(found.action) {
            self.session.ponder(after, found.reply);
        }
    }
}

fn found(position: Position, result: &SearchResult) -> Found {
    let line = result.last.lines.first();
    let exact = line.filter(|_| result.last.exact).map(|line| line.score.discs());
    Found { position, action: result.best(), reply: result.reply(), exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_on_where_the_site_left_out_a_pass() {
        let strength = Strength { book: false, ..Strength::default() };
        let mut player =
            Player::new(&strength, Rules::Reversed, Duration::ZERO, 1).expect("there is a thread");
        let game = Game::new(Rules::Reversed, Size::Eight);
        let ours = game.position().with_side(game.position().side().opponent());
        player.follow(&game);
        assert_eq!(player.think(ours, MoveClock::None, Timestamp::now()), None, "it is searched");
        player.follow(&game);
        assert!(player.search.is_some());
        let mut later = game.clone();
        later.follow(Move::Place(ollehto::board::Square::D3)).expect("legal");
        player.follow(&later);
        assert!(player.search.is_none());
    }
}
