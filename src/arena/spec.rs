//! Players as they are named on the command line.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use ollehto_protocol::Protocol;

use crate::arena::opponents::parameters::System;
use crate::eval::Evaluation;
use crate::numbers;
use crate::search::Limits;

use crate::clock::TimeControl;

/// A player of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// The name in tables.
    pub name: String,
    /// The text it was read from.
    pub text: String,
    /// What plays.
    pub kind: PlayerKind,
    /// What it may spend.
    pub control: TimeControl,
    /// Limits other than the clock: depth, nodes and level.
    pub limits: Limits,
    /// Search threads.
    pub threads: Option<u32>,
    /// Mebibytes of its table.
    pub hash: Option<u32>,
    /// What our own search values positions by.
    pub weights: Evaluation,
    /// The file, or the name, that its weights come from.
    pub weights_file: Option<PathBuf>,
    /// Whether our own search in this process plays from the opening book that comes with the program.
    pub book: bool,
}

/// What plays.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// Our own search, in this process.
    Ollehto,
    /// A named opponent, in this process.
    Opponent(String),
    /// A named opponent with other weights than its own, in this process.
    Tuned(System, Vec<f64>),
    /// Another program.
    External(EngineSpec),
}

/// Another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Where it is started.
    pub directory: Option<PathBuf>,
    /// How colours are written for it.
    pub colours: ColorSpelling,
    /// What it is told after its start.
    pub init: Vec<String>,
    /// How long an answer may stay out, if not as long as the match allows everyone.
    pub hang: Option<Duration>,
    /// Whether the user vouches for it to play for the fewest discs in a match by reversed rules.
    pub assumes_reversed: bool,
}

/// How colours are written in GTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorSpelling {
    /// `black`, `white`: what every engine we know of understands.
    #[default]
    Words,
    /// `b`, `w`.
    Lower,
    /// `B`, `W`.
    Upper,
}

/// Why a player cannot be made out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    spec: String,
    problem: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player '{}': {}", self.spec, self.problem)
    }
}

impl std::error::Error for SpecError {}

/// A move's time for a player of whom nothing is said.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// What the options of a player can be, for messages.
const KEYS: &str = "cmd, proto, name, dir, colours, init, assume, hang, time, tc, byo, depth, nodes, level, threads, hash, \
                    weights, ponder, book";

impl PlayerSpec {
    /// Reads what stands after `--player`. `is_opponent` knows the named opponents.
    ///
    /// # Errors
    /// If it makes no sense; the error says what would.
    pub fn parse(text: &str, is_opponent: impl Fn(&str) -> bool) -> Result<Self, SpecError> {
        let fail = |problem: String| SpecError { spec: text.to_owned(), problem };
        let mut draft = Draft::default();
        for (number, item) in split(text).map_err(fail)?.into_iter().enumerate() {
            match item.split_once('=') {
                Some((key, value)) => draft.set(key.trim(), value.trim()).map_err(fail)?,
                None if number > 0 && item.trim() == "ponder" => draft.ponder = true,
                None if number > 0 && item.trim() == "book" => draft.book = true,
                None if number == 0 => draft.builtin = Some(item.trim().to_owned()),
                None => return Err(fail(format!("'{item}' is no option; options are key=value: {KEYS}"))),
            }
        }
        draft.finish(text, is_opponent).map_err(fail)
    }

    /// How long an answer of this player may stay out in a match that allows this much to those of whom nothing is said.
    #[must_use]
    pub fn hang(&self, usual: Duration) -> Duration {
        match &self.kind {
            PlayerKind::External(external) => external.hang.unwrap_or(usual),
            PlayerKind::Ollehto | PlayerKind::Opponent(_) | PlayerKind::Tuned(..) => usual,
        }
    }
}

#[derive(Default)]
struct Draft {
    builtin: Option<String>,
    command: Option<Vec<String>>,
    protocol: Option<Protocol>,
    name: Option<String>,
    directory: Option<PathBuf>,
    colours: Option<ColorSpelling>,
    init: Vec<String>,
    hang: Option<Duration>,
    assumes_reversed: bool,
    control: Option<TimeControl>,
    limits: Limits,
    threads: Option<u32>,
    hash: Option<u32>,
    weights: Option<String>,
    ponder: bool,
    book: bool,
}

impl Draft {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => self.command = Some(words(value)?),
            "proto" => {
                self.protocol = Some(match value {
                    "gtp" => Protocol::Gtp,
                    "nboard" => Protocol::NBoard,
                    _ => return Err(format!("proto is gtp or nboard, not '{value}'")),
                });
            }
            "name" => self.name = Some(value.to_owned()),
            "dir" => self.directory = Some(value.into()),
            "colours" | "colors" => {
                self.colours = Some(match value {
                    "words" => ColorSpelling::Words,
                    "lower" => ColorSpelling::Lower,
                    "upper" => ColorSpelling::Upper,
                    _ => return Err(format!("colours are words, lower or upper, not '{value}'")),
                });
            }
            "init" => self.init.push(value.to_owned()),
            "hang" => self.hang = Some(numbers::seconds(value)?),
            "assume" if value == "reversed" => self.assumes_reversed = true,
            "assume" => {
                return Err(format!("assume is reversed, not '{value}': nothing else has to be assumed"));
            }
            "time" | "tc" | "byo" => self.set_control(key, value)?,
            "depth" => self.limits.depth = Some(numbers::depth(value)?),
            "nodes" => self.limits.nodes = Some(numbers::nodes(value)?),
            "level" => self.limits.level = Some(numbers::level(value)?),
            "threads" => self.threads = Some(numbers::threads(value)?),
            "hash" => self.hash = Some(numbers::hash(value)?),
            "weights" => self.weights = Some(value.to_owned()),
            "ponder" => self.ponder = switch(key, value)?,
            "book" => self.book = switch(key, value)?,
            _ => return Err(format!("there is no option '{key}'; there are {KEYS}")),
        }
        Ok(())
    }

    fn set_control(&mut self, key: &str, value: &str) -> Result<(), String> {
        let control = match key {
            "time" => TimeControl::PerMove(numbers::time(value)?),
            "tc" => {
                let (main, increment) = value.split_once('+').unwrap_or((value, "0"));
                TimeControl::Game { main: numbers::seconds(main)?, increment: numbers::seconds(increment)? }
            }
            _ => match value.split('/').collect::<Vec<_>>().as_slice() {
                [main, period, moves] => TimeControl::ByoYomi {
                    main: numbers::seconds(main)?,
                    period: numbers::seconds(period)?,
                    moves: moves_of_a_period(moves)?,
                },
                _ => return Err("byo is MAIN/PERIOD/MOVES, as in byo=60/10/1".into()),
            },
        };
        if control.is_nothing() {
            return Err(format!("{key}={value} leaves no time at all for a move"));
        }
        match self.control.replace(control) {
            None => Ok(()),
            Some(_) => Err("only one of time, tc and byo can hold".into()),
        }
    }

    fn finish(self, text: &str, is_opponent: impl Fn(&str) -> bool) -> Result<PlayerSpec, String> {
        let external_only = self.protocol.is_some()
            || self.directory.is_some()
            || self.colours.is_some()
            || self.assumes_reversed
            || !self.init.is_empty()
            || self.hang.is_some();
        let kind = match (self.builtin.as_deref(), self.command) {
            (Some(_), Some(_)) => return Err("it is either a player of our own or a cmd".into()),
            (None, None) => {
                return Err("it needs a name of a player of our own, or cmd=\"program arguments\"".into());
            }
            (None, Some(_)) if self.book => return Err("only ollehto plays from our book".into()),
            (None, Some(command)) => PlayerKind::External(EngineSpec {
                command,
                protocol: self.protocol.unwrap_or(Protocol::Gtp),
                directory: self.directory,
                colours: self.colours.unwrap_or_default(),
                init: self.init,
                hang: self.hang,
                assumes_reversed: self.assumes_reversed,
            }),
            (Some(_), None) if external_only => {
                return Err("proto, dir, colours, init, assume and hang are for programs named by cmd".into());
            }
            (Some("ollehto"), None) if self.ponder => {
                PlayerKind::External(pondering_ollehto(self.weights.as_deref(), self.book)?)
            }
            (Some("ollehto"), None) => PlayerKind::Ollehto,
            (Some(_), None) if self.book => return Err("only ollehto plays from our book".into()),
            (Some(_), None) if self.ponder => return Err("only ollehto thinks on the opponent's time".into()),
            (Some(name), None) if is_opponent(name) => match &self.weights {
                None => PlayerKind::Opponent(name.to_owned()),
                Some(source) => bred(name, source)?,
            },
            (Some(name), None) => {
                return Err(format!("there is no player called '{name}'; other programs are cmd=…"));
            }
        };
        let weights_file = self.weights.as_ref().map(PathBuf::from);
        let weights = match (self.weights, self.builtin.as_deref()) {
            (Some(_), None) => return Err("weights are for players of our own".into()),
            (Some(name), Some("ollehto")) => Evaluation::named(&name)?,
            (None, _) | (Some(_), Some(_)) => Evaluation::Shipped,
        };
        let name = self.name.unwrap_or_else(|| match &kind {
            // The program with its options tells two versions of an engine apart.
            PlayerKind::External(external) if self.builtin.is_none() => external.command.join(" "),
            _ => text.to_owned(),
        });
        let other_limit = self.limits != Limits::default();
        let default = if other_limit { TimeControl::Unlimited } else { TimeControl::PerMove(DEFAULT_TIME) };
        Ok(PlayerSpec {
            name,
            text: text.to_owned(),
            kind,
            control: self.control.unwrap_or(default),
            limits: self.limits,
            threads: self.threads,
            hash: self.hash,
            weights,
            weights_file,
            book: self.book,
        })
    }
}

/// A named opponent with weights that a file has, or that it is known with.
fn bred(name: &str, source: &str) -> Result<PlayerKind, String> {
    let system = System::ALL.into_iter().find(|system| system.name() == name);
    let system = system.ok_or_else(|| {
        let names = System::ALL.map(System::name).join(" and ");
        format!("{name} has no weights that could be others: only ollehto, {names}")
    })?;
    Ok(PlayerKind::Tuned(system, system.named(source)?))
}

/// Our own search with a process to itself: within the referee it would think at the opponent's expense.
fn pondering_ollehto(weights: Option<&str>, book: bool) -> Result<EngineSpec, String> {
    let program =
        std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
    let mut command = vec![program.display().to_string(), "--ponder".into()];
    command.extend(weights.map(|name| format!("--weights={name}")));
    if !book {
        command.push("--no-book".into());
    }
    Ok(EngineSpec {
        command,
        protocol: Protocol::Gtp,
        directory: None,
        colours: ColorSpelling::default(),
        init: Vec::new(),
        hang: None,
        assumes_reversed: false,
    })
}

fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("{key} is on or off, not '{value}'")),
    }
}

fn moves_of_a_period(value: &str) -> Result<u32, String> {
    let moves = value.trim().parse().map(NonZeroU32::get);
    moves.map_err(|_| format!("the moves of a period are a whole number above 0, not '{value}'"))
}

/// Splits at commas outside double quotes, and drops the quotes.
fn split(text: &str) -> Result<Vec<String>, String> {
    split_at(text, |c| c == ',', |_| false)
}

/// Splits a command at blanks; single quotes protect them, double ones having been used up already.
///
/// # Errors
/// If there is no word, or a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<_> =
        split_at(text, |_| false, |c| c == ' ')?.into_iter().filter(|word| !word.is_empty()).collect();
    if words.is_empty() { Err("cmd names no program".into()) } else { Ok(words) }
}

fn split_at(text: &str, comma: fn(char) -> bool, blank: fn(char) -> bool) -> Result<Vec<String>, String> {
    let quote = if comma(',') { '"' } else { '\'' };
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        if c == quote {
            quoted = !quoted;
        } else if !quoted && (comma(c) || blank(c)) {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    if quoted { Err(format!("a quote {quote} is not closed")) } else { Ok(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayerSpec, SpecError> {
        PlayerSpec::parse(text, |name| name == "greedy")
    }

    #[test]
    fn players_of_our_own() {
        let player = parse("ollehto,time=0.1,threads=2").expect("good");
        assert_eq!(player.kind, PlayerKind::Ollehto);
        assert_eq!(player.control, TimeControl::PerMove(Duration::from_millis(100)));
        assert_eq!((player.threads, player.name.as_str()), (Some(2), "ollehto,time=0.1,threads=2"));
        assert_eq!(parse("greedy,name=G").expect("good").name, "G");
        assert_eq!(parse("greedy").expect("good").control, TimeControl::PerMove(DEFAULT_TIME));
        assert_eq!(parse("ollehto,depth=3").expect("good").control, TimeControl::Unlimited);
    }

    #[test]
    fn thinking_on_the_opponents_time_takes_a_process() {
        let player = parse("ollehto,ponder,time=1").expect("good");
        assert_eq!(player.name, "ollehto,ponder,time=1");
        assert!(
            matches!(player.kind, PlayerKind::External(EngineSpec { command, .. }) if command[1] == "--ponder")
        );
        assert!(parse("greedy,ponder").is_err() && parse("ollehto,ponder=maybe").is_err());
    }

    #[test]
    fn only_our_own_search_plays_from_our_book_and_only_if_asked() {
        assert!(!parse("ollehto").expect("good").book);
        assert!(parse("ollehto,book").expect("good").book && parse("ollehto,book=on").expect("good").book);
        let command = |text| match parse(text).expect("good").kind {
            PlayerKind::External(external) => external.command,
            other => panic!("{other:?}"),
        };
        assert!(command("ollehto,ponder").contains(&"--no-book".to_owned()));
        assert!(!command("ollehto,ponder,book").contains(&"--no-book".to_owned()));
        for wrong in ["greedy,book", "cmd=x,book", "ollehto,book=big"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_programs() {
        let text = "cmd=\"./engine --book 'my book, 2' -x\",proto=nboard,name=E,dir=/tmp,init=\"a, b\",init=c,hang=3,tc=60+0.5";
        let player = parse(text).expect("good");
        let PlayerKind::External(external) = player.kind else { panic!("external") };
        assert_eq!(external.command, ["./engine", "--book", "my book, 2", "-x"]);
        assert_eq!(external.protocol, Protocol::NBoard);
        assert_eq!(external.init, ["a, b", "c"]);
        assert_eq!(external.hang, Some(Duration::from_secs(3)));
        let half = Duration::from_millis(500);
        assert_eq!(player.control, TimeControl::Game { main: Duration::from_secs(60), increment: half });
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (text, part) in [
            ("nobody", "no player called 'nobody'"),
            ("ollehto,cmd=x", "either"),
            ("time=1", "cmd="),
            ("ollehto,time=x", "number of seconds"),
            ("ollehto,time=1,tc=2", "only one"),
            ("ollehto,byo=1/2", "MAIN/PERIOD/MOVES"),
            ("ollehto,byo=1/2/0", "above 0"),
            ("ollehto,threads=0", "threads takes a whole number from 1 to 256, not '0'"),
            ("ollehto,hash=9999999", "hash takes a whole number of MiB from 1 to 65536, not '9999999'"),
            ("ollehto,level=99", "level takes a whole number from 1 to 60, not '99'"),
            ("ollehto,depth=0", "depth takes a whole number from 1 to 60"),
            ("ollehto,nodes=0", "nodes takes a whole number from 1"),
            ("ollehto,time=0", "above 0"),
            ("ollehto,time=-1", "above 0"),
            ("ollehto,time=nan", "above 0"),
            ("ollehto,tc=inf", "from 0 to 1000000"),
            ("ollehto,tc=60+-1", "from 0 to 1000000"),
            ("ollehto,tc=0", "no time at all"),
            ("ollehto,byo=0/0/1", "no time at all"),
            ("ollehto,byo=1e300/1/1", "from 0 to 1000000"),
            ("cmd=x,hang=-1", "from 0 to 1000000"),
            ("ollehto,speed=3", "there is no option 'speed'"),
            ("ollehto,fast", "'fast' is no option"),
            ("ollehto,dir=x", "for programs"),
            ("ollehto,hang=1", "for programs"),
            ("ollehto,assume=reversed", "for programs"),
            ("cmd=x,assume=standard", "assume is reversed"),
            ("cmd=\"x", "not closed"),
            ("cmd=\"\"", "no program"),
        ] {
            let problem = parse(text).expect_err(text).to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }
}
