//! Steps about commands and answers as such.

use std::time::Duration;

use crate::arena::compliance::{
    AT_ONCE, FIRST_PATIENCE, LONGEST_CHATTER, Objection, PATIENCE, Verdict, fail, fine, skip,
};
use crate::arena::process::shortened;
use crate::time_source::Timestamp;

use super::framing::Kind;
use super::{Answer, Gtp};

/// A first answer that takes longer is felt: GoGui starts an engine four times.
const QUICK: Duration = Duration::from_secs(3);

/// What no engine can do without.
const NEEDED: [&str; 10] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "play",
    "genmove",
];

/// Longer than any command, and short enough to fit into a pipe that nobody reads.
const LONG: usize = 20_000;

impl Gtp {
    pub(super) fn starts(&mut self) -> Verdict {
        let answer = self.ask_within("protocol_version", FIRST_PATIENCE)?;
        self.first_answer = Some(answer.after);
        if answer.is_error || answer.text != "2" {
            return fail(format!("protocol_version says '{}', not '2'", shortened(&answer.text)));
        }
        fine()
    }

    pub(super) fn starts_quickly(&mut self) -> Verdict {
        match self.first_answer {
            Some(after) if after > self.wire.within(QUICK) => {
                fail(format!("took {:.1} s", after.as_secs_f64()))
            }
            Some(after) => Ok(format!("took {:.3} s", after.as_secs_f64())),
            None => skip("there was no first answer"),
        }
    }

    pub(super) fn has_a_name(&mut self) -> Verdict {
        let mut words = Vec::new();
        for command in ["name", "version"] {
            let text = self.accepted(command)?;
            if text.contains('\n') {
                return fail(format!("{command} says more than one line: '{}'", shortened(&text)));
            }
            words.push(text);
        }
        match words[0].is_empty() {
            true => fail("name says nothing"),
            false => Ok(words.join(" ").trim_end().to_owned()),
        }
    }

    pub(super) fn lists_commands(&mut self) -> Verdict {
        let text = self.accepted("list_commands")?;
        self.known = text.split_whitespace().map(str::to_owned).collect();
        if let Some(line) = text.lines().find(|line| line.split_whitespace().count() != 1) {
            return fail(format!("'{}' is not one command", shortened(line)));
        }
        match NEEDED.into_iter().filter(|&name| !self.knows(name)).collect::<Vec<_>>().as_slice() {
            [] => Ok(format!("{} commands", self.known.len())),
            missing => fail(format!("not listed: {}", missing.join(", "))),
        }
    }

    pub(super) fn knows_commands(&mut self) -> Verdict {
        self.exactly("known_command genmove", "true")?;
        self.exactly("known_command no_such_command", "false")?;
        fine()
    }

    pub(super) fn echoes_ids(&mut self) -> Verdict {
        let before = self.flaws.len();
        for (id, command) in [("7", "protocol_version"), ("4000000", "name"), ("0", "no_such_command")] {
            self.wire.send(&format!("{id} {command}"))?;
            self.answer(id, PATIENCE)?;
        }
        if let Some(flaw) = self.flaws[before..].iter().find(|flaw| flaw.kind == Kind::Id) {
            let detail = flaw.detail.clone();
            return fail(detail);
        }
        // Edax, once given an id, prints it for ever; nothing is to come of that but the failure of this step.
        let answer = self.ask("protocol_version");
        self.wire.hang_up();
        match answer? {
            Answer { text, .. } if text == "2" => fine(),
            Answer { text, .. } => {
                fail(format!("without an id, protocol_version says '{}'", shortened(&text)))
            }
        }
    }

    pub(super) fn ignores_comments(&mut self) -> Verdict {
        let before = self.flaws.len();
        for line in ["", "   ", "\t", "# a comment", "   # another"] {
            self.wire.send(line)?;
        }
        self.exactly("protocol_version", "2")?;
        self.exactly("protocol_version # and a comment", "2")?;
        self.exactly("\tprotocol_version\t", "2")?;
        match self.flaws[before..].iter().find(|flaw| flaw.kind == Kind::Stray) {
            Some(flaw) => fail(flaw.detail.clone()),
            None => fine(),
        }
    }

    pub(super) fn refuses_the_unknown(&mut self) -> Verdict {
        for command in ["no_such_command", "no_such_command black d3"] {
            self.refused(command)?;
        }
        self.exactly("protocol_version", "2")?;
        fine()
    }

    pub(super) fn refuses_bad_syntax(&mut self) -> Verdict {
        self.begin()?;
        for command in
            ["play", "play black", "play purple d3", "play black z9", "play black d33", "boardsize x"]
        {
            self.refused(command)?;
        }
        self.accepted("play black d3")?;
        fine()
    }

    pub(super) fn answers_in_order(&mut self) -> Verdict {
        self.begin()?;
        let commands = "protocol_version\nname\nno_such_command\nclear_board\nplay black d3\ngenmove white\n\
                        protocol_version\n";
        self.wire.send_bytes(commands.as_bytes())?;
        let mut answers = Vec::new();
        for _ in commands.lines() {
            answers.push(self.answer("", self.thought())?);
        }
        let errors: Vec<bool> = answers.iter().map(|answer| answer.is_error).collect();
        let is_version = |answer: &Answer| answer.text == "2";
        let in_order = errors == [false, false, true, false, false, false, false]
            && is_version(&answers[0])
            && is_version(&answers[6])
            && answers[3].text.is_empty();
        if !in_order {
            let texts: Vec<String> = answers.iter().map(|answer| shortened(&answer.text)).collect();
            return fail(format!("the answers are '{}'", texts.join("', '")));
        }
        fine()
    }

    pub(super) fn reads_carriage_returns(&mut self) -> Verdict {
        self.begin()?;
        for line in ["\r\n", "# comment\r\n"] {
            self.wire.send_bytes(line.as_bytes())?;
        }
        self.accepted("play black d3\r")?;
        self.exactly("protocol_version\r", "2")?;
        fine()
    }

    pub(super) fn survives_a_long_line(&mut self) -> Verdict {
        self.survives(format!("play black {}\n", "d3 ".repeat(LONG / 3)).as_bytes())
    }

    pub(super) fn survives_junk(&mut self) -> Verdict {
        let junk: Vec<u8> = (0..=u8::MAX).filter(|byte| !b"\r\n".contains(byte)).collect();
        self.survives(&[&junk, &b"\n"[..], &[0xff, 0xfe, 0, 0x80], b" \xc3\n"].concat())
    }

    /// Whatever is said to this, the engine must answer afterwards.
    fn survives(&mut self, bytes: &[u8]) -> Verdict {
        self.wire.send_bytes(bytes)?;
        self.wire.send("protocol_version")?;
        let until = Timestamp::now() + self.wire.within(PATIENCE);
        for _ in 0..LONGEST_CHATTER {
            let line = String::from_utf8_lossy(&self.wire.receive(until)?.text).into_owned();
            if line.strip_prefix('=').is_some_and(|text| text.trim() == "2") {
                // The line that ends this answer.
                self.wire.receive(until)?;
                return fine();
            }
        }
        fail("talks without end")
    }

    pub(super) fn quits(&mut self) -> Verdict {
        self.exactly("protocol_version", "2")?;
        let Answer { is_error, text, .. } = self.ask_within("quit", AT_ONCE)?;
        if is_error || !text.is_empty() {
            return fail(format!("quit is answered with '{}'", shortened(&text)));
        }
        self.wire.await_end()
    }

    pub(super) fn ends_with_its_input(&mut self) -> Verdict {
        self.exactly("protocol_version", "2")?;
        self.wire.end_input()
    }

    pub(super) fn finishes_its_queue(&mut self) -> Verdict {
        self.wire.hang_up();
        self.wire
            .send_bytes(b"protocol_version\nboardsize 8\nclear_board\ngenmove black\nprotocol_version\n")?;
        self.wire.process()?.close_input();
        for number in 1..=5 {
            let answer = self.answer("", self.thought().max(FIRST_PATIENCE));
            answer.map_err(|_| Objection::Fail(format!("answer {number} of 5 does not come")))?;
        }
        self.wire.await_end()
    }

    fn without(&self, kind: Kind) -> Verdict {
        let mut flaws = self.flaws.iter().filter(|flaw| flaw.kind == kind);
        match (flaws.next(), flaws.count()) {
            (None, _) => fine(),
            (Some(flaw), 0) => fail(flaw.detail.clone()),
            (Some(flaw), more) => fail(format!("{} (and {more} more)", flaw.detail)),
        }
    }

    pub(super) fn says_nothing_unasked(&mut self) -> Verdict {
        self.without(Kind::Stray)
    }

    pub(super) fn puts_one_blank(&mut self) -> Verdict {
        self.without(Kind::Blank)
    }

    pub(super) fn ends_with_an_empty_line(&mut self) -> Verdict {
        self.without(Kind::Ending)
    }

    pub(super) fn keeps_to_ascii(&mut self) -> Verdict {
        self.without(Kind::Ascii)
    }
}
