//! Steps on limits, stops and pondering.

use std::time::Duration;

use crate::arena::compliance::{
    LineTester, STARTUP_TIMEOUT, STOP_TIMEOUT, StepFailure, StepResult, fail, games, pass, skip,
};
use crate::arena::uci_player::position_command;
use crate::board::{Move, Size};
use crate::game::Game;
use crate::notation::uci::{move_name, read_move};
use crate::time_source::Timestamp;

use super::{Found, UciTester};

/// Before a search is stopped.
const SEARCH_TIME: Duration = Duration::from_millis(300);

impl UciTester {
    /// Starts a search that must not end by itself, and watches it for a while.
    pub(super) fn begin_endless(&mut self, game: &Game, limits: &str) -> Result<(), StepFailure> {
        self.send(&position_command(game))?;
        self.send(&format!("go {limits}"))?;
        self.no_move_comes(SEARCH_TIME, &format!("go {limits}"))
    }

    /// Stops the search, which must answer once.
    fn stop(&mut self, game: &Game) -> Result<Found, StepFailure> {
        let start = Timestamp::now();
        self.send("stop")?;
        let found = self.await_move(game, STOP_TIMEOUT, start)?;
        self.no_move_comes(SEARCH_TIME, "bestmove")?;
        Ok(found)
    }

    pub(super) fn stops(&mut self) -> StepResult {
        let rules = self.engine.rules();
        let mut slowest = Duration::ZERO;
        for game in [games::start(rules), games::out_of_book(rules), games::random(rules, 3, 30)] {
            self.begin_endless(&game, "infinite")?;
            slowest = slowest.max(self.stop(&game)?.after);
        }
        Ok(format!("at most {:.3} s", slowest.as_secs_f64()))
    }

    pub(super) fn waits_when_solved(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 3, 56);
        self.begin_endless(&game, "infinite")?;
        self.stop(&game)?;
        pass()
    }

    pub(super) fn is_ready_while_searching(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        self.begin_endless(&game, "infinite")?;
        let start = Timestamp::now();
        self.send("isready")?;
        self.await_line(STOP_TIMEOUT, "readyok", |line| line == "readyok")?;
        let after = start.elapsed();
        self.no_move_comes(SEARCH_TIME, "isready")?;
        self.stop(&game)?;
        Ok(format!("after {:.3} s", after.as_secs_f64()))
    }

    pub(super) fn ignores_idle_stops(&mut self) -> StepResult {
        for line in ["stop", "ponderhit", "stop"] {
            self.send(line)?;
        }
        self.synchronize()?;
        self.no_move_comes(SEARCH_TIME, "stop")?;
        pass()
    }

    pub(super) fn answers_each_stop_once(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        for _ in 0..50 {
            self.send(&position_command(&game))?;
            self.send("go infinite")?;
            let start = Timestamp::now();
            self.send("stop")?;
            self.await_move(&game, STOP_TIMEOUT, start)?;
        }
        self.no_move_comes(SEARCH_TIME, "the last bestmove")?;
        pass()
    }

    pub(super) fn ponders(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        let limit = Duration::from_secs(self.engine.seconds());
        let time = limit.as_millis();
        self.begin_endless(&game, &format!("ponder wtime {time} btime {time}"))?;
        let start = Timestamp::now();
        self.send("ponderhit")?;
        let Found { after, .. } = self.await_move(&game, limit, start)?;
        self.no_move_comes(SEARCH_TIME, "bestmove")?;
        Ok(format!("took {:.2} s after ponderhit", after.as_secs_f64()))
    }

    pub(super) fn stops_pondering(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        self.begin_endless(&game, "ponder wtime 1000 btime 1000")?;
        self.stop(&game)?;
        pass()
    }

    pub(super) fn searches_the_moves_asked_for(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        for square in game.position().moves() {
            let wanted = Move::Place(square);
            let name = move_name(game.position(), wanted);
            let Found { action, .. } = self.go(&game, &format!("depth 2 searchmoves {name}"))?;
            if action != wanted {
                let played = move_name(game.position(), action);
                return fail(format!("{played} is played where only {name} is asked for"));
            }
        }
        pass()
    }

    pub(super) fn keeps_to_nodes(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        self.send(&position_command(&game))?;
        let start = Timestamp::now();
        self.send("go nodes 2000")?;
        self.await_move(&game, STARTUP_TIMEOUT, start)?;
        pass()
    }

    pub(super) fn shows_several_lines(&mut self) -> StepResult {
        const LINES: usize = 3;
        if !self.options.has("MultiPV") {
            return skip("no option MultiPV");
        }
        self.send(&format!("setoption name MultiPV value {LINES}"))?;
        let game = games::random(self.engine.rules(), 6, 12);
        let found = self.go(&game, "depth 4");
        self.send("setoption name MultiPV value 1")?;
        let before = found?.before;
        let mut first_moves = Vec::new();
        for rank in 1..=LINES {
            let mark = format!(" multipv {rank} ");
            let last = before.iter().rev().find(|line| line.contains(&mark));
            let Some((_, names)) = last.and_then(|line| line.split_once(" pv ")) else {
                return fail(format!("no line {rank} of {LINES}"));
            };
            let first = names.split_whitespace().next().and_then(|name| read_move(name, Size::Eight));
            if first.is_none() || first_moves.contains(&first) {
                return fail(format!("line {rank} begins as one before it"));
            }
            first_moves.push(first);
        }
        pass()
    }

    pub(super) fn plays_weaker(&mut self) -> StepResult {
        if !(self.options.has("UCI_LimitStrength") && self.options.has("UCI_Elo")) {
            return skip("no option UCI_Elo");
        }
        self.send("setoption name UCI_LimitStrength value true")?;
        self.send("setoption name UCI_Elo value 1500")?;
        let game = games::out_of_book(self.engine.rules());
        let found = self.go(&game, "movetime 1000");
        self.send("setoption name UCI_LimitStrength value false")?;
        self.synchronize()?;
        found?;
        pass()
    }
}
