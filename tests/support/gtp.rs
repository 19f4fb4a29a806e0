//! A GTP client that forgives nothing.

use super::process::Process;

/// One reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The id behind `=` or `?`.
    pub id: Option<u32>,
    /// The text: `Err` if it began with `?`.
    pub text: Result<String, String>,
}

/// A process that speaks GTP.
pub struct Gtp {
    /// The process, for whatever is not a command and its reply.
    pub process: Process,
}

impl Gtp {
    /// Starts the engine under test.
    pub fn ollehto(arguments: &[&str]) -> Self {
        Self { process: Process::ollehto(&[&["--protocol", "gtp"], arguments].concat()) }
    }

    /// Starts another engine.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        Self { process: Process::start(program, arguments) }
    }

    /// Sends a line without waiting for its reply.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// The next reply.
    #[track_caller]
    pub fn reply(&mut self) -> Reply {
        let first = self.line();
        let mut rest = Vec::new();
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            rest.push(line);
        }
        parse(&first, &rest).unwrap_or_else(|problem| self.process.fail(&problem))
    }

    #[track_caller]
    fn line(&mut self) -> String {
        self.process.receive().unwrap_or_else(|| self.process.fail("the output ended within a reply"))
    }

    /// Sends a command without an id and waits for its reply.
    #[track_caller]
    pub fn ask(&mut self, command: &str) -> Result<String, String> {
        self.send(command);
        let reply = self.reply();
        if reply.id.is_some() {
            self.process.fail(&format!("{command:?} had no id, its reply has one: {reply:?}"));
        }
        reply.text
    }

    /// Sends a command that must succeed.
    #[track_caller]
    pub fn ok(&mut self, command: &str) -> String {
        self.ask(command).unwrap_or_else(|text| self.process.fail(&format!("{command:?} failed: {text}")))
    }

    /// Sends a command that must succeed and has nothing to say.
    #[track_caller]
    pub fn done(&mut self, command: &str) {
        let text = self.ok(command);
        if !text.is_empty() {
            self.process.fail(&format!("{command:?} should have an empty reply, not {text:?}"));
        }
    }

    /// Sends a command that must fail.
    #[track_caller]
    pub fn refused(&mut self, command: &str) -> String {
        match self.ask(command) {
            Err(text) => text,
            Ok(text) => self.process.fail(&format!("{command:?} should fail, not answer {text:?}")),
        }
    }

    /// Ends the process by command, which must be the end of its output too.
    #[track_caller]
    pub fn quit(mut self) {
        self.done("quit");
        self.process.finish();
    }
}

/// Reads a reply: `=` or `?`, the id right behind it, one blank, the text.
pub fn parse(first: &str, rest: &[String]) -> Result<Reply, String> {
    let (failed, head) = match first.as_bytes().first() {
        Some(b'=') => (false, &first[1..]),
        Some(b'?') => (true, &first[1..]),
        _ => return Err(format!("expected a reply, not {first:?}")),
    };
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    let (id, text) = head.split_at(digits);
    let id = if id.is_empty() { None } else { Some(id.parse().map_err(|_| format!("id in {first:?}"))?) };
    if !text.is_empty() && !text.starts_with(' ') {
        return Err(format!("no blank before the text of {first:?}"));
    }
    let text = text.strip_prefix(' ').unwrap_or(text);
    if failed && text.is_empty() {
        return Err(format!("{first:?} does not say what is wrong"));
    }
    // A picture may be indented; the one line that scripts take apart may not.
    if rest.is_empty() && text.trim() != text {
        return Err(format!("blanks around the text of {first:?}"));
    }
    let text = [&[text.to_owned()], rest].concat().join("\n");
    Ok(Reply { id, text: if failed { Err(text) } else { Ok(text) } })
}
