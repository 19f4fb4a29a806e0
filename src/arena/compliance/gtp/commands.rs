//! Steps on commands and answers.

use std::time::Duration;

use crate::arena::compliance::{
    ANSWER_TIMEOUT, MAX_STRAY_LINES, STARTUP_TIMEOUT, STOP_TIMEOUT, StepFailure, StepResult, fail, pass, skip,
};
use crate::arena::process::shortened;
use crate::time_source::Timestamp;

use super::framing::FramingErrorKind;
use super::{GtpResponse, GtpTester};

/// For the first answer: GoGui starts an engine four times.
const QUICK: Duration = Duration::from_secs(3);

const REQUIRED_COMMANDS: [&str; 10] = [
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

/// Longer than any command, but fits into the buffer of a pipe.
const LONG_LINE: usize = 20_000;

impl GtpTester {
    pub(super) fn starts(&mut self) -> StepResult {
        let answer = self.ask_within("protocol_version", STARTUP_TIMEOUT)?;
        self.first_answer = Some(answer.after);
        if answer.is_error || answer.text != "2" {
            return fail(format!("protocol_version says '{}', not '2'", shortened(&answer.text)));
        }
        pass()
    }

    pub(super) fn starts_quickly(&mut self) -> StepResult {
        match self.first_answer {
            Some(after) if after > self.engine.within(QUICK) => {
                fail(format!("took {:.1} s", after.as_secs_f64()))
            }
            Some(after) => Ok(format!("took {:.3} s", after.as_secs_f64())),
            None => skip("there was no first answer"),
        }
    }

    pub(super) fn has_a_name(&mut self) -> StepResult {
        let mut words = Vec::new();
        for command in ["name", "version"] {
            let text = self.accepted(command)?;
            if text.contains('\n') {
                return fail(format!("{command} answers more than one line: '{}'", shortened(&text)));
            }
            words.push(text);
        }
        match words[0].is_empty() {
            true => fail("name says nothing"),
            false => Ok(words.join(" ").trim_end().to_owned()),
        }
    }

    pub(super) fn lists_commands(&mut self) -> StepResult {
        let text = self.accepted("list_commands")?;
        self.known = text.split_whitespace().map(str::to_owned).collect();
        if let Some(line) = text.lines().find(|line| line.split_whitespace().count() != 1) {
            return fail(format!("'{}' is not one command", shortened(line)));
        }
        match REQUIRED_COMMANDS.into_iter().filter(|&name| !self.knows(name)).collect::<Vec<_>>().as_slice() {
            [] => Ok(format!("{} commands", self.known.len())),
            missing => fail(format!("not listed: {}", missing.join(", "))),
        }
    }

    pub(super) fn knows_commands(&mut self) -> StepResult {
        self.exactly("known_command genmove", "true")?;
        self.exactly("known_command no_such_command", "false")?;
        pass()
    }

    pub(super) fn echoes_ids(&mut self) -> StepResult {
        let before = self.framing_errors.len();
        for (id, command) in [("7", "protocol_version"), ("4000000", "name"), ("0", "no_such_command")] {
            self.engine.send(&format!("{id} {command}"))?;
            self.answer(id, ANSWER_TIMEOUT)?;
        }
        if let Some(error) =
            self.framing_errors[before..].iter().find(|error| error.kind == FramingErrorKind::Id)
        {
            let detail = error.detail.clone();
            return fail(detail);
        }
        // Edax prints an id in all later answers: a new process keeps other steps from failing, too.
        let answer = self.ask("protocol_version");
        self.engine.stop_engine();
        match answer? {
            GtpResponse { text, .. } if text == "2" => pass(),
            GtpResponse { text, .. } => {
                fail(format!("without an id, protocol_version says '{}'", shortened(&text)))
            }
        }
    }

    pub(super) fn ignores_comments(&mut self) -> StepResult {
        let before = self.framing_errors.len();
        for line in ["", "   ", "\t", "# a comment", "   # another"] {
            self.engine.send(line)?;
        }
        self.exactly("protocol_version", "2")?;
        self.exactly("protocol_version # and a comment", "2")?;
        self.exactly("\tprotocol_version\t", "2")?;
        match self.framing_errors[before..].iter().find(|error| error.kind == FramingErrorKind::Stray) {
            Some(error) => fail(error.detail.clone()),
            None => pass(),
        }
    }

    pub(super) fn refuses_the_unknown(&mut self) -> StepResult {
        for command in ["no_such_command", "no_such_command black d3"] {
            self.refused(command)?;
        }
        self.exactly("protocol_version", "2")?;
        pass()
    }

    pub(super) fn refuses_bad_syntax(&mut self) -> StepResult {
        self.begin()?;
        for command in
            ["play", "play black", "play purple d3", "play black z9", "play black d33", "boardsize x"]
        {
            self.refused(command)?;
        }
        self.accepted("play black d3")?;
        pass()
    }

    pub(super) fn answers_in_order(&mut self) -> StepResult {
        self.begin()?;
        let commands = "protocol_version\nname\nno_such_command\nclear_board\nplay black d3\ngenmove white\n\
                        protocol_version\n";
        self.engine.send_bytes(commands.as_bytes())?;
        let mut answers = Vec::new();
        for _ in commands.lines() {
            answers.push(self.answer("", self.move_timeout())?);
        }
        let errors: Vec<bool> = answers.iter().map(|answer| answer.is_error).collect();
        let is_version = |answer: &GtpResponse| answer.text == "2";
        let in_order = errors == [false, false, true, false, false, false, false]
            && is_version(&answers[0])
            && is_version(&answers[6])
            && answers[3].text.is_empty();
        if !in_order {
            let texts: Vec<String> = answers.iter().map(|answer| shortened(&answer.text)).collect();
            return fail(format!("the answers are '{}'", texts.join("', '")));
        }
        pass()
    }

    pub(super) fn reads_carriage_returns(&mut self) -> StepResult {
        self.begin()?;
        for line in ["\r\n", "# comment\r\n"] {
            self.engine.send_bytes(line.as_bytes())?;
        }
        self.accepted("play black d3\r")?;
        self.exactly("protocol_version\r", "2")?;
        pass()
    }

    pub(super) fn survives_a_long_line(&mut self) -> StepResult {
        self.survives(format!("play black {}\n", "d3 ".repeat(LONG_LINE / 3)).as_bytes())
    }

    pub(super) fn survives_junk(&mut self) -> StepResult {
        let junk: Vec<u8> = (0..=u8::MAX).filter(|byte| !b"\r\n".contains(byte)).collect();
        self.survives(&[&junk, &b"\n"[..], &[0xff, 0xfe, 0, 0x80], b" \xc3\n"].concat())
    }

    /// Whatever the answer is, the engine must answer later commands.
    fn survives(&mut self, bytes: &[u8]) -> StepResult {
        self.engine.send_bytes(bytes)?;
        self.engine.send("protocol_version")?;
        let until = Timestamp::now() + self.engine.within(ANSWER_TIMEOUT);
        for _ in 0..MAX_STRAY_LINES {
            let line = String::from_utf8_lossy(&self.engine.receive(until)?.text).into_owned();
            if line.strip_prefix('=').is_some_and(|text| text.trim() == "2") {
                // The empty line.
                self.engine.receive(until)?;
                return pass();
            }
        }
        fail("never stops writing")
    }

    pub(super) fn quits(&mut self) -> StepResult {
        self.exactly("protocol_version", "2")?;
        let GtpResponse { is_error, text, .. } = self.ask_within("quit", STOP_TIMEOUT)?;
        if is_error || !text.is_empty() {
            return fail(format!("quit is answered with '{}'", shortened(&text)));
        }
        self.engine.await_end()
    }

    pub(super) fn ends_with_its_input(&mut self) -> StepResult {
        self.exactly("protocol_version", "2")?;
        self.engine.end_input()
    }

    pub(super) fn finishes_its_queue(&mut self) -> StepResult {
        self.engine.stop_engine();
        self.engine
            .send_bytes(b"protocol_version\nboardsize 8\nclear_board\ngenmove black\nprotocol_version\n")?;
        self.engine.process()?.close_input();
        for number in 1..=5 {
            let answer = self.answer("", self.move_timeout().max(STARTUP_TIMEOUT));
            answer.map_err(|_| StepFailure::Fail(format!("answer {number} of 5 does not come")))?;
        }
        self.engine.await_end()
    }

    fn without(&self, kind: FramingErrorKind) -> StepResult {
        let mut framing_errors = self.framing_errors.iter().filter(|error| error.kind == kind);
        match (framing_errors.next(), framing_errors.count()) {
            (None, _) => pass(),
            (Some(error), 0) => fail(error.detail.clone()),
            (Some(error), more) => fail(format!("{} (and {more} more)", error.detail)),
        }
    }

    pub(super) fn says_nothing_unasked(&mut self) -> StepResult {
        self.without(FramingErrorKind::Stray)
    }

    pub(super) fn puts_one_blank(&mut self) -> StepResult {
        self.without(FramingErrorKind::Blank)
    }

    pub(super) fn ends_with_an_empty_line(&mut self) -> StepResult {
        self.without(FramingErrorKind::Ending)
    }

    pub(super) fn keeps_to_ascii(&mut self) -> StepResult {
        self.without(FramingErrorKind::Ascii)
    }
}
