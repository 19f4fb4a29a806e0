//! Steps on moves and games.

use std::time::Duration;

use crate::arena::compliance::{
    ANSWER_TIMEOUT, LineTester, STOP_TIMEOUT, StepFailure, StepResult, fail, games, pass, skip,
};
use crate::arena::process::shortened;
use crate::board::{Color, Move};
use crate::random::Random;
use crate::time_source::Timestamp;

use super::line::MoveLine;
use super::{DEEP, NBoardTester, SHALLOW, game_text, game_text_with, ggf_move};

/// Before a search is stopped.
const SEARCH_TIME: Duration = Duration::from_millis(300);

impl NBoardTester {
    pub(super) fn moves_from_the_start(&mut self) -> StepResult {
        self.engine.stop_engine();
        let game = games::start(self.engine.rules());
        self.send(SHALLOW)?;
        let (_, answer, _) = self.go(&game)?;
        Ok(answer.text)
    }

    pub(super) fn does_not_play_itself(&mut self) -> StepResult {
        let game = games::random(self.engine.rules(), 2, 5);
        self.set_game(&game, SHALLOW)?;
        for _ in 0..3 {
            self.go(&game)?;
        }
        pass()
    }

    pub(super) fn reads_game_texts(&mut self) -> StepResult {
        let mut game = games::before_pass(self.engine.rules());
        game.follow(Move::Pass).map_err(|error| StepFailure::Fail(error.to_string()))?;
        let last = game.moves().len() - 1;
        // Number formats that Java writes in some locales.
        let note = |number: usize, name: String| match number % 5 {
            _ if number == last => format!("{name}//3.107"),
            0 => format!("{name}//4.22"),
            1 => format!("{name}/-0,43/0.1"),
            2 => format!("{name}/1.50/5.0E-4"),
            3 => format!("{}/2/2.7680000000000002", name.to_lowercase()),
            _ => name,
        };
        self.send(&format!("set game {}", game_text_with(&game, "5:00", note)))?;
        self.send(SHALLOW)?;
        self.ping()?;
        self.go(&game)?;
        pass()
    }

    pub(super) fn answers_a_forced_pass(&mut self) -> StepResult {
        let game = games::before_pass(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.go(&game)?;
        pass()
    }

    pub(super) fn passes_at_the_end(&mut self) -> StepResult {
        let game = games::finished(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.send("go")?;
        let until = Timestamp::now() + self.engine.within(ANSWER_TIMEOUT);
        while let Some(line) = self.next_line(until)? {
            if line.starts_with("===") {
                return match MoveLine::parse(&line) {
                    Ok(MoveLine { action: Move::Pass, .. }) => pass(),
                    _ => fail(format!("says '{}', not PA", shortened(&line))),
                };
            }
        }
        skip("no answer; NBoard never asks")
    }

    pub(super) fn follows_moves(&mut self) -> StepResult {
        let mut game = games::start(self.engine.rules());
        self.set_game(&game, "set depth 1")?;
        let mut random = Random::new(4);
        while !game.position().is_over() {
            let text = if game.position().side() == Color::Black {
                let (action, answer, _) = self.go(&game)?;
                game.follow(action).map_err(|error| StepFailure::Fail(error.to_string()))?;
                answer.text
            } else {
                format!("{}//0.5", ggf_move(games::play_random(&mut game, &mut random)))
            };
            self.send(&format!("move {text}"))?;
            self.ping()?;
        }
        Ok(format!("{} moves", game.moves().len()))
    }

    pub(super) fn takes_bare_moves(&mut self) -> StepResult {
        let game = games::start(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.send("F5")?;
        self.ping()?;
        let mut after = game.clone();
        let f5 = games::parse_move("F5").unwrap_or(Move::Pass);
        after.follow(f5).map_err(|error| StepFailure::Fail(error.to_string()))?;
        match self.go(&after) {
            Ok(_) => pass(),
            // Legal before the move but not after it: the line was ignored.
            Err(_) if self.engine.is_running() && self.go(&game).is_ok() => {
                skip("moves of version 1 are not understood")
            }
            Err(failure) => Err(failure),
        }
    }

    pub(super) fn keeps_the_game(&mut self) -> StepResult {
        // Only a pass is right here, so that another position is detected.
        let game = games::before_pass(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        let start = game_text(&games::start(self.engine.rules()), super::NO_CLOCK);
        let open = start.replace(";)", "");
        for text in ["rubbish".into(), "(;GM[Othello]".into(), format!("{open}B[A1];)")] {
            self.send(&format!("set game {text}"))?;
            self.ping()?;
            self.go(&game)?;
        }
        pass()
    }

    pub(super) fn keeps_its_time(&mut self) -> StepResult {
        let seconds = self.engine.seconds();
        let game = games::random(self.engine.rules(), 9, 8);
        let clock = format!("{}:{:02}//0:00", seconds / 60, seconds % 60);
        self.send(&format!("set game {}", game_text(&game, &clock)))?;
        self.send(DEEP)?;
        self.ping()?;
        let (_, _, after) = self.go(&game)?;
        let told = format!("took {:.2} s of {seconds} s", after.as_secs_f64());
        if after > self.engine.within(Duration::from_secs(seconds)) { fail(told) } else { Ok(told) }
    }

    pub(super) fn stops_choosing(&mut self) -> StepResult {
        let game = games::out_of_book(self.engine.rules());
        self.set_game(&game, DEEP)?;
        self.send("go")?;
        let until = Timestamp::now() + SEARCH_TIME;
        while let Some(line) = self.next_line(until)? {
            if line.starts_with("===") {
                return skip("it moved before it could be stopped");
            }
        }
        self.ping_within(STOP_TIMEOUT)?;
        self.nothing_comes(SEARCH_TIME, "the pong")?;
        pass()
    }
}
