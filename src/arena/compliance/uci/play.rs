//! Steps on positions, moves and games.

use std::time::Duration;

use crate::arena::compliance::{ANSWER_TIMEOUT, LineTester, StepFailure, StepResult, fail, games, pass};
use crate::arena::process::shortened;
use crate::arena::uci_player::{LastInfo, position_command};
use crate::board::{Color, Move};
use crate::game::Game;
use crate::notation::uci::{legal_moves, move_name, read_move};
use crate::random::Random;
use crate::time_source::Timestamp;

use super::{Found, UciTester, is_best_move};

impl UciTester {
    pub(super) fn moves_from_the_start(&mut self) -> StepResult {
        let game = games::start(self.engine.rules());
        let found = self.go(&game, "depth 1")?;
        Ok(move_name(game.position(), found.action))
    }

    pub(super) fn reads_positions(&mut self) -> StepResult {
        for seed in 1..4 {
            let game = games::random(self.engine.rules(), seed, 20);
            self.go(&game, "depth 1")?;
            // The same without its history.
            self.go(&Game::from_position(game.rules(), *game.position()), "depth 1")?;
        }
        pass()
    }

    pub(super) fn refuses_illegal_moves(&mut self) -> StepResult {
        let mut game = games::start(self.engine.rules());
        let e6 = games::parse_move("E6").unwrap_or(Move::Pass);
        game.follow(e6).map_err(|error| StepFailure::Fail(error.to_string()))?;
        for rest in ["P@a1", "e2e4 P@d3", "xyzzy"] {
            self.send(&format!("position startpos moves P@e3 {rest}"))?;
            let start = Timestamp::now();
            self.send("go depth 1")?;
            self.await_move(&game, ANSWER_TIMEOUT, start)?;
        }
        pass()
    }

    pub(super) fn answers_a_forced_pass(&mut self) -> StepResult {
        let game = games::before_pass(self.engine.rules());
        let found = self.go(&game, "depth 2")?;
        Ok(move_name(game.position(), found.action))
    }

    pub(super) fn has_no_move_at_the_end(&mut self) -> StepResult {
        let game = games::finished(self.engine.rules());
        self.send(&position_command(&game))?;
        self.send("go depth 2")?;
        let (_, line) = self.await_line(ANSWER_TIMEOUT, "bestmove", is_best_move)?;
        let text = line.split_whitespace().nth(1).unwrap_or_default();
        // Where squares are left, both may still pass.
        let passes = legal_moves(game.position(), 0);
        let may_pass = passes.first().is_some_and(|&action| move_name(game.position(), action) == text);
        if matches!(text, "(none)" | "0000") || may_pass {
            Ok(text.to_owned())
        } else {
            fail(format!("'{}', not (none)", shortened(&line)))
        }
    }

    pub(super) fn tells_a_score(&mut self) -> StepResult {
        let rules = self.engine.rules();
        for game in [games::start(rules), games::out_of_book(rules), games::random(rules, 3, 52)] {
            let found = self.go(&game, "depth 4")?;
            let mut info = LastInfo::default();
            found.before.iter().for_each(|line| info.add(line));
            if !info.has_score {
                return fail("no info with a score before bestmove");
            }
        }
        pass()
    }

    pub(super) fn shows_legal_lines(&mut self) -> StepResult {
        let mut moves = 0;
        for seed in 1..4 {
            let game = games::random(self.engine.rules(), seed, 44);
            let Found { before, .. } = self.go(&game, "depth 8")?;
            for line in before.iter().filter(|line| line.starts_with("info ")) {
                let Some((_, names)) = line.split_once(" pv ") else { continue };
                moves += check_line(&game, names)?;
            }
        }
        Ok(format!("{moves} moves"))
    }

    pub(super) fn plays_a_game(&mut self) -> StepResult {
        self.send("ucinewgame")?;
        let mut game = games::start(self.engine.rules());
        let mut random = Random::new(4);
        while !game.position().is_over() {
            if game.position().side() == Color::Black {
                let Found { action, .. } = self.go(&game, "depth 1")?;
                game.follow(action).map_err(|error| StepFailure::Fail(error.to_string()))?;
            } else {
                games::play_random(&mut game, &mut random);
            }
        }
        Ok(format!("{} moves", game.moves().len()))
    }

    pub(super) fn keeps_to_a_time(&mut self) -> StepResult {
        let limit = Duration::from_secs(self.engine.seconds());
        self.keeps_time(&format!("movetime {}", limit.as_millis()), limit)
    }

    pub(super) fn keeps_to_a_clock(&mut self) -> StepResult {
        let limit = Duration::from_secs(self.engine.seconds());
        let time = limit.as_millis();
        self.keeps_time(&format!("wtime {time} btime {time} winc 0 binc 0"), limit)
    }

    fn keeps_time(&mut self, limits: &str, limit: Duration) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        let Found { after, .. } = self.go(&game, limits)?;
        let told = format!("took {:.2} s of {} s", after.as_secs_f64(), limit.as_secs());
        if after > self.engine.within(limit) { fail(told) } else { Ok(told) }
    }
}

/// The number of moves in a line, all of which must be legal.
fn check_line(game: &Game, names: &str) -> Result<usize, StepFailure> {
    let mut position = *game.position();
    for name in names.split_whitespace() {
        let action = read_move(name, position.size());
        match action.and_then(|action| position.play(action)) {
            Some(next) => position = next,
            None => return fail(format!("{name} is illegal in the line {}", shortened(names))),
        }
    }
    Ok(names.split_whitespace().count())
}
