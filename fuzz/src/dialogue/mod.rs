//! Whole conversations with the front ends, by a scripted searcher and a clock that the script sets.
//!
//! The bytes are a script: lines of the protocol, mostly real ones, and when the reports of searches arrive between
//! them. Nothing depends on threads or real time, so a script always gives the same conversation. OLLEHTO_FUZZ_SHOW=1
//! writes it to standard error.

mod cassio;
mod gtp;
mod model;
mod nboard;
mod searcher;
mod uci;
mod xboard;

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbitrary::{Arbitrary, Result, Unstructured};
use ollehto::board::Size;
use ollehto::engine::Engine;
use ollehto::frontend::{Flow, Frontend, Session, Settings};
use ollehto::stdio::TrafficLog;
use ollehto::time_source::TimeSource;

use searcher::ScriptedSearcher;

pub use cassio::cassio;
pub use gtp::gtp;
pub use nboard::nboard;
pub use uci::uci;
pub use xboard::xboard;

/// Steps of a script: enough for a game on a small board.
const LONGEST_SCRIPT: usize = 80;

/// The beginning of a line that is too long.
const OVERLONG: &[u8] = b"7 name";

/// What a front end writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("one thread").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output {
    /// What was written since the last call, which are whole lines of ASCII.
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("one thread"));
        let text = String::from_utf8(bytes).expect("ASCII");
        assert!(text.is_ascii() && (text.is_empty() || text.ends_with('\n')), "{text:?}");
        text
    }
}

/// A clock that only the script moves.
#[derive(Clone)]
struct ScriptedClock(Arc<AtomicU64>);

impl ScriptedClock {
    fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_000_000_000)))
    }

    fn source(&self) -> TimeSource {
        let nanoseconds = self.0.clone();
        TimeSource::of_host(move || Duration::from_nanos(nanoseconds.load(Relaxed)))
    }

    fn advance(&self, time: Duration) {
        let _ = self.0.fetch_add(time.as_nanos() as u64, Relaxed);
    }
}

/// Knows what a front end must write.
trait Model {
    /// A line of the protocol.
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>>;

    /// Whether the line may be sent: it names no file.
    fn is_harmless(&self, line: &[u8]) -> bool;

    /// The line is about to be sent.
    fn sent(&mut self, line: &[u8]);

    /// [`OVERLONG`] is about to be sent.
    fn sent_overlong(&mut self) {}

    /// The front end has written this.
    fn received(&mut self, text: &str);

    /// What is sent last, to see whether the front end has the model's state.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// `quit` has ended it, or all input is read and all reports are delivered.
    fn ended(&mut self, quit: bool);
}

/// Plays a script and returns nothing: the model panics where the front end is wrong.
fn converse<F: Frontend>(
    script: &mut Unstructured<'_>,
    size: Size,
    start: impl FnOnce(Session, Output) -> F,
    model: &mut impl Model,
) -> Result<()> {
    let clock = ScriptedClock::new();
    let searcher = ScriptedSearcher::new(u64::arbitrary(script)?);
    let engine = Engine::in_calling_thread(Box::new(searcher), clock.source());
    let settings = Settings { size, hash: 1, ..Settings::default() };
    let session = Session::with_engine("Ollehto".into(), engine, settings, TrafficLog::default());
    let output = Output::default();
    let frontend = start(session, output.clone());
    let is_shown = std::env::var_os("OLLEHTO_FUZZ_SHOW").is_some();
    let mut conversation = Conversation { frontend, output, model, clock, is_shown };
    for _ in 0..LONGEST_SCRIPT {
        if script.is_empty() {
            break;
        }
        if conversation.step(script)? == Flow::Exit {
            conversation.model.ended(true);
            return Ok(());
        }
    }
    for line in conversation.model.last_lines() {
        let flow = match conversation.send(line.as_bytes())? {
            Flow::Continue => conversation.deliver(usize::MAX)?,
            Flow::Exit => Flow::Exit,
        };
        if flow == Flow::Exit {
            conversation.model.ended(true);
            return Ok(());
        }
    }
    let flow = conversation.finish();
    assert_eq!(flow, Flow::Exit, "the conversation ends with its input");
    conversation.model.ended(false);
    Ok(())
}

struct Conversation<'a, F, M> {
    frontend: F,
    output: Output,
    model: &'a mut M,
    clock: ScriptedClock,
    /// Writes everything to standard error.
    is_shown: bool,
}

impl<F: Frontend, M: Model> Conversation<'_, F, M> {
    fn step(&mut self, script: &mut Unstructured<'_>) -> Result<Flow> {
        match script.int_in_range(0..=15)? {
            0..=8 => {
                let line = self.model.line(script)?;
                self.send(&line)
            }
            9 => {
                let length = script.int_in_range(0..=40)?;
                let line = script.bytes(length.min(script.len()))?.to_vec();
                if line.contains(&b'\n') { Ok(Flow::Continue) } else { self.send(&line) }
            }
            10..=12 => self.deliver(script.int_in_range(1..=3)?),
            13 => self.deliver(usize::MAX),
            14 => {
                let milliseconds = 1 << script.int_in_range(0..=20)?;
                self.clock.advance(Duration::from_millis(milliseconds));
                self.overdue()
            }
            _ => {
                self.model.sent_overlong();
                let flow = self.frontend.overlong_line(OVERLONG, 70_000).expect("memory");
                self.receive();
                Ok(flow)
            }
        }
    }

    /// Gives the model what the front end has written.
    fn receive(&mut self) {
        let text = self.output.take();
        if self.is_shown {
            text.lines().for_each(|line| eprintln!("< {line}"));
        }
        self.model.received(&text);
    }

    fn send(&mut self, line: &[u8]) -> Result<Flow> {
        if !self.model.is_harmless(line) {
            return Ok(Flow::Continue);
        }
        if self.is_shown {
            eprintln!("> {}", String::from_utf8_lossy(line));
        }
        self.model.sent(line);
        let flow = self.frontend.line(line, self.clock.source().now()).expect("memory");
        self.receive();
        Ok(flow)
    }

    /// Hands on so many reports of searches.
    fn deliver(&mut self, count: usize) -> Result<Flow> {
        let reports = self.frontend.reports();
        for _ in 0..count {
            let Ok(report) = reports.try_recv() else { break };
            let flow = self.frontend.report(report).expect("memory");
            self.receive();
            if flow == Flow::Exit {
                return Ok(flow);
            }
        }
        Ok(Flow::Continue)
    }

    /// What the driver does when a search does not end in time.
    fn overdue(&mut self) -> Result<Flow> {
        let now = self.clock.source().now();
        if self.frontend.overdue_at().is_none_or(|at| at > now) {
            return Ok(Flow::Continue);
        }
        if self.is_shown {
            eprintln!("> (overdue)");
        }
        let flow = self.frontend.overdue().expect("memory");
        self.receive();
        Ok(flow)
    }

    /// The input ends; every search comes to its end.
    fn finish(&mut self) -> Flow {
        if self.is_shown {
            eprintln!("> (end of input)");
        }
        let mut flow = self.frontend.end_of_input().expect("memory");
        self.receive();
        // A front end may begin other searches meanwhile.
        while flow == Flow::Continue {
            let Ok(report) = self.frontend.reports().try_recv() else { return flow };
            flow = self.frontend.report(report).expect("memory");
            self.receive();
        }
        flow
    }
}

/// A text as one line of ASCII, as protocols repeat it.
fn one_ascii_line(text: &str) -> String {
    let plain = |c: char| match c {
        _ if c.is_whitespace() => Some(' '),
        _ if c.is_control() => None,
        _ => Some(if c.is_ascii() { c } else { '?' }),
    };
    text.chars().filter_map(plain).collect::<String>().trim_matches(' ').to_owned()
}

/// One of the texts.
fn one_of<'t>(script: &mut Unstructured<'_>, texts: &[&'t str]) -> Result<&'t str> {
    script.choose(texts).copied()
}

/// A square on or off the board, or a pass.
fn vertex(script: &mut Unstructured<'_>) -> Result<String> {
    let number = script.int_in_range(0..=66)?;
    Ok(match number {
        0..64 => format!("{}{}", char::from(b'a' + number % 8), number / 8 + 1),
        64 => "pass".into(),
        65 => "PA".into(),
        _ => "--".into(),
    })
}
