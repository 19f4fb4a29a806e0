//! Steps on hints and analysis.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::arena::compliance::{
    LineTester, STARTUP_TIMEOUT, STOP_TIMEOUT, StepFailure, StepResult, fail, games, pass, skip,
};
use crate::arena::process::shortened;
use crate::board::Move;
use crate::game::Game;
use crate::time_source::Timestamp;

use super::line::HintLine;
use super::{DEEP, NBoardTester, SHALLOW, game_text};

/// A silence after which a search is considered finished.
const PAUSE: Duration = Duration::from_secs(1);

/// A running search prints something within this time.
const SILENCE: Duration = Duration::from_millis(600);

impl NBoardTester {
    /// All hints of a shallow search in a game.
    fn hints(&mut self, game: &Game, count: u32) -> Result<Vec<HintLine>, StepFailure> {
        self.set_game(game, SHALLOW)?;
        self.send(&format!("hint {count}"))?;
        let mut lines = vec![self.await_hint()?];
        while let Some(line) = self.next_line(Timestamp::now() + PAUSE)? {
            lines.push(line);
        }
        lines.extend(self.ping()?);
        let mut hints = Vec::new();
        for line in lines.iter().filter(|line| line.starts_with("search ") || line.starts_with("book ")) {
            match HintLine::parse(line) {
                Ok(hint) => hints.push(hint),
                Err(problem) => return fail(format!("'{}' {problem}", shortened(line))),
            }
        }
        if let Some(hint) = hints.iter().find(|hint| game.position().play(hint.action).is_none()) {
            return fail(format!("hint {count} values {}, which is illegal", games::name(hint.action)));
        }
        Ok(hints)
    }

    pub(super) fn values_moves(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 6, 12);
        let mut told = Vec::new();
        for count in [1, 2, 4] {
            let hints = self.hints(&game, count)?;
            told.push(format!("{} lines for hint {count}", hints.len()));
        }
        Ok(told.join(", "))
    }

    pub(super) fn values_all_moves(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 6, 12);
        let legal = game.position().moves().len() as usize;
        let hints = self.hints(&game, 64)?;
        let depths = by_depth(&hints);
        for (number, set) in (1..).zip(&depths) {
            let moves: BTreeSet<String> = set.iter().map(|hint| games::name(hint.action)).collect();
            // The last depth may be incomplete.
            if moves.len() != legal && (number < depths.len() || number == 1) {
                let depth = &set[0].depth;
                return fail(format!("{} of {legal} moves at depth {depth}", moves.len()));
            }
        }
        Ok(format!("{legal} moves at {} depths", depths.len()))
    }

    pub(super) fn sorts_moves(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 6, 12);
        let hints = self.hints(&game, 64)?;
        for set in by_depth(&hints) {
            if let Some(pair) = set.windows(2).find(|pair| pair[0].value < pair[1].value) {
                let [worse, better] = [0, 1].map(|at: usize| games::name(pair[at].action));
                return fail(format!(
                    "{worse} comes before {better}, which is better, at depth {}",
                    set[0].depth
                ));
            }
        }
        pass()
    }

    pub(super) fn values_a_pass(&mut self) -> StepResult {
        let game = games::before_pass(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.send("hint 4")?;
        let until = Timestamp::now() + PAUSE;
        while let Some(line) = self.next_line(until)? {
            if HintLine::parse(&line).is_ok_and(|hint| hint.action != Move::Pass) {
                return fail(format!("'{}' where there is no move", shortened(&line)));
            }
        }
        self.ping()?;
        pass()
    }

    pub(super) fn stops_on_any_line(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 1, 1);
        let lines = [
            "set contempt 0".to_owned(),
            DEEP.to_owned(),
            format!("set game {}", game_text(&game, super::NO_CLOCK)),
        ];
        for line in lines {
            self.begin_deep_hint()?;
            self.send(&line)?;
            self.falls_silent(&line)?;
            self.ping()?;
        }
        pass()
    }

    /// Waits for a silence, which must begin soon: hints may still be on their way.
    fn falls_silent(&mut self, line: &str) -> Result<(), StepFailure> {
        let until = Timestamp::now() + self.engine.within(STOP_TIMEOUT);
        while let Some(heard) = self.next_line(Timestamp::now() + SILENCE)? {
            if Timestamp::now() > until {
                return fail(format!("'{}' still comes after '{}'", shortened(&heard), shortened(line)));
            }
        }
        Ok(())
    }

    pub(super) fn separates_requests(&mut self) -> StepResult {
        let rules = self.engine.rules();
        // Without a common legal move.
        let positions = [games::start(rules), games::random(rules, 1, 1)];
        self.set_game(&positions[0], DEEP)?;
        for round in 0..10 {
            let game = &positions[round % 2];
            self.send(&format!("set game {}", game_text(game, super::NO_CLOCK)))?;
            self.ping()?;
            self.nothing_comes(Duration::from_millis(20), "the pong")?;
            self.send("hint 64")?;
            let line = self.await_hint()?;
            let action = HintLine::parse(&line).map(|hint| hint.action);
            if action.is_ok_and(|action| game.position().play(action).is_none()) {
                return fail(format!("'{}' is of an older request", shortened(&line)));
            }
        }
        self.ping()?;
        self.nothing_comes(SILENCE, "the pong")?;
        pass()
    }

    pub(super) fn analyzes(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 7, 10);
        self.set_game(&game, "set depth 2")?;
        self.send("analyze")?;
        let mut values = BTreeMap::new();
        let until = Timestamp::now() + self.engine.within(STARTUP_TIMEOUT);
        while values.len() <= game.moves().len() {
            let Some(line) = self.next_line(until)? else { break };
            let words: Vec<&str> = line.split_whitespace().collect();
            let &["analysis", number, value] = words.as_slice() else { continue };
            match number.parse::<usize>() {
                Ok(number) if number <= game.moves().len() => values.insert(number, value.to_owned()),
                _ => {
                    return fail(format!("'{}' in a game of {} moves", shortened(&line), game.moves().len()));
                }
            };
        }
        self.ping()?;
        match values.len() {
            0 => skip("it does not analyze"),
            found if found <= game.moves().len() => {
                fail(format!("{found} of {} positions", game.moves().len() + 1))
            }
            all => Ok(format!("{all} positions")),
        }
    }
}

/// The hints of the search by depth.
fn by_depth(hints: &[HintLine]) -> Vec<Vec<&HintLine>> {
    let searched: Vec<&HintLine> = hints.iter().filter(|hint| !hint.is_book).collect();
    searched.chunk_by(|one, next| one.depth == next.depth).map(<[&HintLine]>::to_vec).collect()
}
