//! Steps on lines and pings.

use std::time::Duration;

use crate::arena::compliance::{
    ANSWER_TIMEOUT, LineTester, STARTUP_TIMEOUT, STOP_TIMEOUT, StepFailure, StepResult, fail, games, pass,
    skip,
};
use crate::arena::process::shortened;
use crate::time_source::Timestamp;

use super::{DEEP, NBoardTester, SHALLOW, is_status};

/// Longer than any line, but fits into the buffer of a pipe.
const LONG_LINE: usize = 20_000;

impl NBoardTester {
    pub(super) fn starts(&mut self) -> StepResult {
        let start = Timestamp::now();
        self.ping_within(STARTUP_TIMEOUT)?;
        Ok(format!("took {:.3} s", start.elapsed().as_secs_f64()))
    }

    pub(super) fn takes_the_version(&mut self) -> StepResult {
        self.engine.stop_engine();
        self.engine.send("nboard 2")?;
        match self.ping_within(STARTUP_TIMEOUT)?.into_iter().find(|line| !is_status(line)) {
            Some(line) => fail(format!("'{}' comes before the pong", shortened(&line))),
            None => pass(),
        }
    }

    pub(super) fn answers_all_pings(&mut self) -> StepResult {
        // Numbers have gaps if the client has two engines.
        self.pings += 1000;
        self.ping()?;
        self.send("ping 2147483647")?;
        self.await_line(ANSWER_TIMEOUT, "pong 2147483647", |line| line == "pong 2147483647")?;
        self.send("ping 1\nping 2\nping 3")?;
        for pong in ["pong 1", "pong 2", "pong 3"] {
            let (_, line) = self.await_line(ANSWER_TIMEOUT, pong, |line| line.starts_with("pong"))?;
            if line != pong {
                return fail(format!("'{}' comes instead of {pong}", shortened(&line)));
            }
        }
        pass()
    }

    pub(super) fn is_named(&mut self) -> StepResult {
        for depth in ["set depth 1", "set depth 26", SHALLOW] {
            self.silent(depth)?;
        }
        match &self.name {
            Some(name) => Ok(format!("calls itself {}", shortened(name))),
            None => skip("it gives no name"),
        }
    }

    pub(super) fn takes_contempt(&mut self) -> StepResult {
        for contempt in [100, -100, 0] {
            self.silent(&format!("set contempt {contempt}"))?;
        }
        pass()
    }

    pub(super) fn ignores_the_unknown(&mut self) -> StepResult {
        for line in ["", "# comment", "hello world", "set colour red", "set", "clear"] {
            self.silent(line)?;
        }
        pass()
    }

    pub(super) fn learns(&mut self) -> StepResult {
        let game = games::finished(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.send("learn")?;
        let heard = self.ping()?;
        match heard.iter().find(|line| !is_status(line)).map(String::as_str) {
            Some("learned") => pass(),
            Some(other) => fail(format!("says '{}', not 'learned'", shortened(other))),
            None => skip("it does not learn"),
        }
    }

    pub(super) fn reads_carriage_returns(&mut self) -> StepResult {
        let game = games::before_pass(self.engine.rules());
        self.send(&format!("set game {}\r", super::game_text(&game, super::NO_CLOCK)))?;
        self.send("ping 77\r")?;
        self.await_line(ANSWER_TIMEOUT, "pong 77", |line| line == "pong 77")?;
        self.go(&game)?;
        pass()
    }

    pub(super) fn survives_a_long_line(&mut self) -> StepResult {
        self.survives(format!("set game {}\n", "x".repeat(LONG_LINE)).as_bytes())
    }

    pub(super) fn survives_junk(&mut self) -> StepResult {
        let junk: Vec<u8> = (0..=u8::MAX).filter(|byte| !b"\r\n".contains(byte)).collect();
        self.survives(&[&junk, &b"\nset game "[..], &[0xff, 0xfe, 0, 0x80], b"\n"].concat())
    }

    fn survives(&mut self, bytes: &[u8]) -> StepResult {
        let game = games::start(self.engine.rules());
        self.set_game(&game, SHALLOW)?;
        self.last_sent = String::from_utf8_lossy(bytes).into_owned();
        self.engine.send_bytes(bytes)?;
        self.ping()?;
        self.go(&game)?;
        pass()
    }

    pub(super) fn quits(&mut self) -> StepResult {
        self.send("quit")?;
        self.engine.await_end()
    }

    pub(super) fn ends_with_its_input(&mut self) -> StepResult {
        self.ping_within(STARTUP_TIMEOUT)?;
        self.engine.end_input()
    }

    pub(super) fn ends_in_the_midst_of_a_search(&mut self) -> StepResult {
        self.begin_deep_hint()?;
        self.engine.end_input()
    }

    /// Starts a long search and waits for its first hint.
    pub(super) fn begin_deep_hint(&mut self) -> Result<(), StepFailure> {
        self.set_game(&games::start(self.engine.rules()), DEEP)?;
        self.send("hint 64")?;
        self.await_hint().map(drop)
    }

    /// Waits for a hint. The first step without one fails, later ones are skipped.
    pub(super) fn await_hint(&mut self) -> Result<String, StepFailure> {
        if self.gives_hints == Some(false) {
            return skip("it gives no hints");
        }
        let is_hint = |line: &str| line.starts_with("search ") || line.starts_with("book ");
        let awaited = self.await_line(STARTUP_TIMEOUT, "hint", is_hint);
        self.gives_hints.get_or_insert(awaited.is_ok());
        Ok(awaited?.1)
    }

    pub(super) fn is_well_formed(&mut self) -> StepResult {
        no_errors(&self.malformed)
    }

    pub(super) fn keeps_to_ascii(&mut self) -> StepResult {
        no_errors(&self.non_ascii)
    }

    pub(super) fn answers_pings_while_searching(&mut self) -> StepResult {
        let mut slowest = Duration::ZERO;
        for _ in 0..3 {
            self.begin_deep_hint()?;
            let start = Timestamp::now();
            self.ping_within(STOP_TIMEOUT)?;
            slowest = slowest.max(start.elapsed());
        }
        Ok(format!("at most {:.3} s", slowest.as_secs_f64()))
    }
}

fn no_errors(framing_errors: &[String]) -> StepResult {
    match framing_errors {
        [] => pass(),
        [error] => fail(error.clone()),
        [error, more @ ..] => fail(format!("{error} (and {} more)", more.len())),
    }
}
