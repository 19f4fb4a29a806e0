//! Steps about lines as such.

use std::time::Duration;

use crate::arena::compliance::{
    AT_ONCE, FIRST_PATIENCE, Objection, PATIENCE, Verdict, fail, fine, games, skip,
};
use crate::arena::process::shortened;
use crate::time_source::Timestamp;

use super::{DEEP, NBoard, SHALLOW, is_about_itself};

/// Longer than any line, and short enough to fit into a pipe that nobody reads.
const LONG: usize = 20_000;

impl NBoard {
    pub(super) fn starts(&mut self) -> Verdict {
        let start = Timestamp::now();
        self.synchronise_within(FIRST_PATIENCE)?;
        Ok(format!("took {:.3} s", start.elapsed().as_secs_f64()))
    }

    pub(super) fn takes_the_version(&mut self) -> Verdict {
        self.wire.hang_up();
        self.wire.send("nboard 2")?;
        match self.synchronise_within(FIRST_PATIENCE)?.into_iter().find(|line| !is_about_itself(line)) {
            Some(line) => fail(format!("'{}' comes before the pong", shortened(&line))),
            None => fine(),
        }
    }

    pub(super) fn answers_all_pings(&mut self) -> Verdict {
        // The numbers have gaps for an engine that shares its client with another.
        self.pings += 1000;
        self.synchronise()?;
        self.send("ping 2147483647")?;
        self.await_line(PATIENCE, "pong 2147483647", |line| line == "pong 2147483647")?;
        self.send("ping 1\nping 2\nping 3")?;
        for pong in ["pong 1", "pong 2", "pong 3"] {
            let (_, line) = self.await_line(PATIENCE, pong, |line| line.starts_with("pong"))?;
            if line != pong {
                return fail(format!("'{}' comes instead of {pong}", shortened(&line)));
            }
        }
        fine()
    }

    pub(super) fn is_named(&mut self) -> Verdict {
        for depth in ["set depth 1", "set depth 26", SHALLOW] {
            self.silent(depth)?;
        }
        match &self.name {
            Some(name) => Ok(format!("calls itself {}", shortened(name))),
            None => skip("it gives no name"),
        }
    }

    pub(super) fn takes_contempt(&mut self) -> Verdict {
        for contempt in [100, -100, 0] {
            self.silent(&format!("set contempt {contempt}"))?;
        }
        fine()
    }

    pub(super) fn ignores_the_unknown(&mut self) -> Verdict {
        for line in ["", "# comment", "hello world", "set colour red", "set", "clear"] {
            self.silent(line)?;
        }
        fine()
    }

    pub(super) fn learns(&mut self) -> Verdict {
        let game = games::finished(self.wire.rules());
        self.set_game(&game, SHALLOW)?;
        self.send("learn")?;
        let heard = self.synchronise()?;
        match heard.iter().find(|line| !is_about_itself(line)).map(String::as_str) {
            Some("learned") => fine(),
            Some(other) => fail(format!("says '{}', not 'learned'", shortened(other))),
            None => skip("it does not learn"),
        }
    }

    pub(super) fn reads_carriage_returns(&mut self) -> Verdict {
        let game = games::before_pass(self.wire.rules());
        self.send(&format!("set game {}\r", super::game_text(&game, super::NO_CLOCK)))?;
        self.send("ping 77\r")?;
        self.await_line(PATIENCE, "pong 77", |line| line == "pong 77")?;
        self.go(&game)?;
        fine()
    }

    pub(super) fn survives_a_long_line(&mut self) -> Verdict {
        self.survives(format!("set game {}\n", "x".repeat(LONG)).as_bytes())
    }

    pub(super) fn survives_junk(&mut self) -> Verdict {
        let junk: Vec<u8> = (0..=u8::MAX).filter(|byte| !b"\r\n".contains(byte)).collect();
        self.survives(&[&junk, &b"\nset game "[..], &[0xff, 0xfe, 0, 0x80], b"\n"].concat())
    }

    fn survives(&mut self, bytes: &[u8]) -> Verdict {
        let game = games::start(self.wire.rules());
        self.set_game(&game, SHALLOW)?;
        self.said = String::from_utf8_lossy(bytes).into_owned();
        self.wire.send_bytes(bytes)?;
        self.synchronise()?;
        self.go(&game)?;
        fine()
    }

    pub(super) fn quits(&mut self) -> Verdict {
        self.send("quit")?;
        self.wire.await_end()
    }

    pub(super) fn ends_with_its_input(&mut self) -> Verdict {
        self.synchronise_within(FIRST_PATIENCE)?;
        self.wire.end_input()
    }

    pub(super) fn ends_in_the_midst_of_a_search(&mut self) -> Verdict {
        self.begin_deep_hint()?;
        self.wire.end_input()
    }

    /// Has it search for long, and waits until it does.
    pub(super) fn begin_deep_hint(&mut self) -> Result<(), Objection> {
        self.set_game(&games::start(self.wire.rules()), DEEP)?;
        self.send("hint 64")?;
        self.await_hint().map(drop)
    }

    /// Waits for the first hint. An engine that gives none is at fault once, and not asked again.
    pub(super) fn await_hint(&mut self) -> Result<String, Objection> {
        if self.gives_hints == Some(false) {
            return skip("it gives no hints");
        }
        let is_hint = |line: &str| line.starts_with("search ") || line.starts_with("book ");
        let awaited = self.await_line(FIRST_PATIENCE, "hint", is_hint);
        self.gives_hints.get_or_insert(awaited.is_ok());
        Ok(awaited?.1)
    }

    pub(super) fn is_well_formed(&mut self) -> Verdict {
        all_clear(&self.malformed)
    }

    pub(super) fn keeps_to_ascii(&mut self) -> Verdict {
        all_clear(&self.foreign)
    }

    pub(super) fn answers_pings_while_searching(&mut self) -> Verdict {
        let mut slowest = Duration::ZERO;
        for _ in 0..3 {
            self.begin_deep_hint()?;
            let start = Timestamp::now();
            self.synchronise_within(AT_ONCE)?;
            slowest = slowest.max(start.elapsed());
        }
        Ok(format!("at most {:.3} s", slowest.as_secs_f64()))
    }
}

fn all_clear(flaws: &[String]) -> Verdict {
    match flaws {
        [] => fine(),
        [flaw] => fail(flaw.clone()),
        [flaw, more @ ..] => fail(format!("{flaw} (and {} more)", more.len())),
    }
}
