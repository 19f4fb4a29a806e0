//! Steps on lines and options.

use std::cmp::Ordering;

use crate::arena::compliance::{
    ANSWER_TIMEOUT, LineTester, STARTUP_TIMEOUT, StepResult, fail, games, pass, skip,
};
use crate::arena::decided::decided_positions;
use crate::arena::process::shortened;
use crate::arena::uci_player::{DECIDED_DEPTH, LastInfo};
use crate::board::Size;
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::UciTester;

/// Longer than any line, but fits into the buffer of a pipe.
const LONG_LINE: usize = 20_000;

impl UciTester {
    pub(super) fn starts(&mut self) -> StepResult {
        let start = Timestamp::now();
        let lines = self.introduce()?;
        if !lines.iter().any(|line| line.starts_with("id name ")) {
            return fail("no id name before uciok");
        }
        Ok(format!("took {:.3} s", start.elapsed().as_secs_f64()))
    }

    pub(super) fn is_ready(&mut self) -> StepResult {
        self.send("isready")?;
        self.await_line(STARTUP_TIMEOUT, "readyok", |line| line == "readyok")?;
        pass()
    }

    pub(super) fn offers_the_variant(&mut self) -> StepResult {
        let rules = self.engine.rules();
        let Some(name) = self.options.variant(rules, Size::Eight) else {
            return fail(format!("no option UCI_Variant with a variant of {rules} rules"));
        };
        self.variant = Some(name);
        self.send(&format!("setoption name UCI_Variant value {name}"))?;
        self.synchronize()?;
        Ok(name.to_owned())
    }

    /// An engine may offer a variant by its name and play another game.
    pub(super) fn plays_by_the_rules(&mut self) -> StepResult {
        let rules = self.engine.rules();
        for (position, wins_reversed) in decided_positions(Size::Eight) {
            let wins = wins_reversed == (rules == Rules::Reversed);
            let expected = if wins { Ordering::Greater } else { Ordering::Less };
            let found = self.go(&Game::from_position(rules, position), &format!("depth {DECIDED_DEPTH}"))?;
            let mut info = LastInfo::default();
            found.before.iter().for_each(|line| info.add(line));
            if info.has_score && info.sign != expected {
                let name = self.variant.unwrap_or("its game");
                let word = if wins { "won" } else { "lost" };
                let at = notation::position_text(&position);
                return fail(format!("by {rules} rules {at} is {word}, but {name} is played by others"));
            }
        }
        pass()
    }

    pub(super) fn takes_options(&mut self) -> StepResult {
        for line in [
            "setoption name Hash value 16",
            "setoption   name  hash   value  8",
            "setoption name Threads value 1",
            "setoption name No Such Option value some words",
            "setoption name UCI_Chess960 value false",
            "setoption name Ponder value true",
        ] {
            self.send(line)?;
        }
        self.synchronize()?;
        pass()
    }

    pub(super) fn ignores_the_unknown(&mut self) -> StepResult {
        for line in ["", "hello world", "debug off", "register later", "position", "ucinewgame"] {
            self.send(line)?;
        }
        self.synchronize()?;
        let game = games::start(self.engine.rules());
        self.go(&game, "depth 1")?;
        pass()
    }

    pub(super) fn reads_carriage_returns(&mut self) -> StepResult {
        let game = games::start(self.engine.rules());
        self.send("position startpos\r")?;
        let start = Timestamp::now();
        self.send("go depth 1\r")?;
        self.await_move(&game, ANSWER_TIMEOUT, start)?;
        pass()
    }

    pub(super) fn survives_a_long_line(&mut self) -> StepResult {
        self.survives(format!("position startpos moves{}\n", " x".repeat(LONG_LINE / 2)).as_bytes())
    }

    pub(super) fn survives_junk(&mut self) -> StepResult {
        let junk: Vec<u8> = (0..=u8::MAX).filter(|byte| !b"\r\n".contains(byte)).collect();
        self.survives(&[&b"x"[..], &junk, b"\n"].concat())
    }

    fn survives(&mut self, bytes: &[u8]) -> StepResult {
        self.synchronize()?;
        self.engine.send_bytes(bytes)?;
        self.synchronize()?;
        let game = games::start(self.engine.rules());
        self.go(&game, "depth 1")?;
        pass()
    }

    pub(super) fn keeps_to_ascii(&mut self) -> StepResult {
        match self.non_ascii.as_slice() {
            [] => pass(),
            [line, ..] => fail(format!("'{line}'")),
        }
    }

    pub(super) fn counts_leaves(&mut self) -> StepResult {
        self.send("position startpos")?;
        self.send("go perft 3")?;
        match self.await_line(ANSWER_TIMEOUT, "count", |line| line.starts_with("Nodes searched")) {
            Ok((_, line)) if line == "Nodes searched: 56" => pass(),
            Ok((_, line)) => fail(format!("'{}', not 56 leaves at depth 3", shortened(&line))),
            Err(_) => {
                // It may search instead.
                self.send("stop")?;
                self.synchronize()?;
                skip("no go perft")
            }
        }
    }

    pub(super) fn quits(&mut self) -> StepResult {
        self.send("quit")?;
        self.engine.await_end()
    }

    pub(super) fn ends_with_its_input(&mut self) -> StepResult {
        self.synchronize()?;
        self.engine.end_input()
    }

    pub(super) fn ends_in_the_midst_of_a_search(&mut self) -> StepResult {
        self.begin_endless(&games::out_of_book(self.engine.rules()), "infinite")?;
        self.engine.end_input()
    }
}
