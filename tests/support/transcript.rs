//! Golden transcripts: dialogues written down, and the comparison with what really comes.
//!
//! A dialogue begins with `$ ollehto ARGUMENTS`. After it `> text` is a line sent, `< text` the next
//! line expected, `#` begins a comment line. In an expected line `{}` stands for any run of
//! characters and `{number}` for any number; `< ...` alone stands for any number of lines. Blanks at
//! the end of a line do not count. Whatever is expected after a `>` has to come before the next one
//! is sent, so two `>` in a row are sent without waiting. A file may hold several dialogues.
//!
//! The dialogues of a Markdown text are for readers: they show what was really printed, without
//! placeholders. Of that only measured times may differ, which every protocol but GTP has somewhere.

/// Stands for any run of characters in an expected line.
const ANYTHING: &str = "{}";

/// Stands for any number in an expected line.
const NUMBER: &str = "{number}";

/// The other end of a dialogue, whatever carries it.
pub trait Peer {
    /// Delivers a line.
    fn send(&mut self, line: &str);
    /// No line will follow.
    fn close(&mut self);
    /// The next line of output, or nothing after the last.
    fn receive(&mut self) -> Option<String>;
}

/// One step of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this line.
    Send(String),
    /// This line must come.
    Expect(String),
    /// Any lines may come before the next expected one.
    Any,
}

/// A dialogue from its first line to the end of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialogue {
    /// File and line of its beginning.
    pub origin: String,
    /// What follows the program's name.
    pub arguments: Vec<String>,
    /// The steps, each with its line number.
    pub steps: Vec<(usize, Step)>,
}

/// Reads all dialogues of a transcript file.
pub fn parse(name: &str, text: &str) -> Result<Vec<Dialogue>, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    parse_lines(name, lines)
}

/// Reads the dialogues of a Markdown text: its `console` blocks that begin with `$ ollehto`. They
/// must show real output; measured times are compared as numbers, everything else literally.
pub fn parse_markdown(name: &str, text: &str) -> Result<Vec<Dialogue>, String> {
    let mut dialogues = Vec::new();
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    while let Some((_, line)) = lines.next() {
        if line.trim() != "```console" {
            continue;
        }
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| line.trim() != "```").collect();
        if block.first().is_some_and(|(_, first)| program_arguments(first).is_some()) {
            dialogues.extend(parse_lines(name, block.into_iter())?);
        }
    }
    for (number, step) in dialogues.iter_mut().flat_map(|dialogue| &mut dialogue.steps) {
        if let Step::Expect(line) = step {
            if line.contains(ANYTHING) {
                return Err(format!("{name}:{number}: {line:?} hides what the engine prints"));
            }
            if let Some(start) = start_of_time(line) {
                line.replace_range(start.., NUMBER);
            }
            *line = without_uci_times(line);
        }
    }
    Ok(dialogues)
}

/// Where the measured time at the end of a line begins: `nodestats NODES SECONDS` or
/// `=== MOVE/VALUE/SECONDS` of NBoard, `…, time SECONDS` of Cassio.
fn start_of_time(line: &str) -> Option<usize> {
    const MARK: &str = ", time ";
    if let Some((before, _)) = line.rsplit_once(MARK).filter(|(_, time)| is_number(time)) {
        return Some(before.len() + MARK.len());
    }
    let fields = match line.split_once(' ')? {
        ("nodestats", _) => line.rsplit_once(' '),
        ("===", fields) if fields.matches('/').count() == 2 => line.rsplit_once('/'),
        _ => None,
    };
    fields.filter(|(_, time)| is_number(time)).map(|(before, _)| before.len() + 1)
}

/// A line of a UCI search without its measured speed and time: `info … nps NUMBER time NUMBER …`.
fn without_uci_times(line: &str) -> String {
    if !line.starts_with("info depth ") {
        return line.to_owned();
    }
    let words: Vec<&str> = line.split(' ').collect();
    let before = |at: usize| at.checked_sub(1).map_or("", |at| words[at]);
    let word = |at: usize| if matches!(before(at), "nps" | "time") { NUMBER } else { words[at] };
    (0..words.len()).map(word).collect::<Vec<_>>().join(" ")
}

fn parse_lines<'a>(
    name: &str,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<Dialogue>, String> {
    let mut dialogues: Vec<Dialogue> = Vec::new();
    for (number, line) in lines {
        let line = line.trim_end();
        let step = if line.is_empty() || line.starts_with('#') {
            continue;
        } else if let Some(arguments) = program_arguments(line) {
            let arguments = arguments.split_whitespace().map(str::to_owned).collect();
            dialogues.push(Dialogue { origin: format!("{name}:{number}"), arguments, steps: Vec::new() });
            continue;
        } else if let Some(text) = marked(line, '>') {
            Step::Send(text.to_owned())
        } else if line == "< ..." {
            Step::Any
        } else if let Some(text) = marked(line, '<') {
            Step::Expect(text.to_owned())
        } else {
            return Err(format!("{name}:{number}: {line:?} is neither sent (>) nor expected (<)"));
        };
        match dialogues.last_mut() {
            Some(dialogue) => dialogue.steps.push((number, step)),
            None => return Err(format!("{name}:{number}: no `$ ollehto` before this line")),
        }
    }
    Ok(dialogues)
}

/// What follows `$ ollehto`.
fn program_arguments(line: &str) -> Option<&str> {
    line.strip_prefix("$ ollehto").filter(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The text behind a mark and one blank; a mark alone is an empty line.
fn marked(line: &str, mark: char) -> Option<&str> {
    let text = line.strip_prefix(mark)?;
    if text.is_empty() { Some(text) } else { text.strip_prefix(' ') }
}

/// Holds a dialogue with a peer, to the end of its output.
pub fn run(dialogue: &Dialogue, peer: &mut impl Peer) -> Result<(), String> {
    let name = dialogue.origin.split(':').next().unwrap_or_default();
    let mut skipping = false;
    let mut sent = "";
    for (number, step) in &dialogue.steps {
        match step {
            Step::Send(line) => {
                peer.send(line);
                sent = line;
            }
            Step::Any => skipping = true,
            Step::Expect(pattern) => {
                expect(pattern, skipping, peer)
                    .map_err(|problem| format!("{name}:{number}: after sending {sent:?}: {problem}"))?;
                skipping = false;
            }
        }
    }
    peer.close();
    while let Some(line) = peer.receive() {
        if !skipping {
            return Err(format!("{}: after the end of input came {line:?}", dialogue.origin));
        }
    }
    Ok(())
}

/// Receives a line that matches the pattern, the next one unless others may be skipped.
fn expect(pattern: &str, skipping: bool, peer: &mut impl Peer) -> Result<(), String> {
    let mut skipped = Vec::new();
    loop {
        let Some(line) = peer.receive() else {
            return Err(format!("expected {pattern:?}, but the output ended after {skipped:?}"));
        };
        if matches(pattern, line.trim_end()) {
            return Ok(());
        }
        if !skipping {
            return Err(format!("expected {pattern:?}, received {line:?}"));
        }
        skipped.push(line);
    }
}

/// Whether a line is what the pattern says, `{}` being any run of characters and `{number}` any number.
pub fn matches(pattern: &str, line: &str) -> bool {
    let split = [ANYTHING, NUMBER]
        .into_iter()
        .filter_map(|mark| pattern.split_once(mark).map(|(head, tail)| (head, mark, tail)))
        .min_by_key(|(head, ..)| head.len());
    let Some((head, mark, tail)) = split else { return pattern == line };
    let Some(rest) = line.strip_prefix(head) else { return false };
    (0..=rest.len()).any(|length| {
        rest.split_at_checked(length)
            .is_some_and(|(run, rest)| (mark == ANYTHING || is_number(run)) && matches(tail, rest))
    })
}

fn is_number(text: &str) -> bool {
    text.parse().is_ok_and(f64::is_finite)
}
