//! Players as given on the command line.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::arena::opponents::parameters::{ParameterError, System};
use crate::clock::TimeControl;
use crate::eval::{Evaluation, EvaluationError};
use crate::numbers;
use crate::search::Limits;

#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    pub name: String,
    /// As on the command line.
    pub text: String,
    pub kind: PlayerKind,
    pub control: TimeControl,
    /// Depth, nodes, level and Elo.
    pub limits: Limits,
    pub threads: Option<u32>,
    /// In mebibytes.
    pub hash: Option<u32>,
    /// Of `ollehto`.
    pub weights: Evaluation,
    /// A file, or a name that stands for weights.
    pub weights_file: Option<PathBuf>,
    /// Whether `ollehto` plays from its opening book.
    pub book: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// In this process, as all but `External`.
    Ollehto,
    /// By name.
    Opponent(String),
    /// A named opponent with other parameters than its own.
    Tuned(System, Vec<f64>),
    External(EngineSpec),
}

/// What another program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum PlayerProtocol {
    Gtp,
    #[cfg_attr(feature = "cli", value(name = "nboard"))]
    NBoard,
    Uci,
}

/// Another program as a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Program and arguments.
    pub command: Vec<String>,
    pub protocol: PlayerProtocol,
    pub directory: Option<PathBuf>,
    pub colours: ColorSpelling,
    /// Commands to send first.
    pub init: Vec<String>,
    /// Instead of the value of the match.
    pub hang: Option<Duration>,
    /// The most that its processes may use, in mebibytes.
    pub memory: Option<u32>,
    /// Skip the check of its rules in a reversed match.
    pub assumes_reversed: bool,
}

/// Colours in GTP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorSpelling {
    /// `black`, `white`, which every known engine accepts.
    #[default]
    Words,
    /// `b`, `w`.
    Lower,
    /// `B`, `W`.
    Upper,
}

#[derive(Debug, Error)]
#[error("player '{spec}': {problem}")]
pub struct SpecError {
    spec: String,
    problem: SpecProblem,
}

#[derive(Debug, Error)]
pub enum SpecProblem {
    #[error("'{0}' is no option; options are key=value: {KEYS}")]
    NotAnOption(String),
    #[error("there is no option '{0}'; there are {KEYS}")]
    UnknownKey(String),
    #[error("{key} is {allowed}, not '{value}'")]
    Choice { key: &'static str, allowed: &'static str, value: String },
    /// The message of a number that is out of range.
    #[error("{0}")]
    Value(String),
    #[error("byo is MAIN/PERIOD/MOVES, as in byo=60/10/1")]
    ByoYomi,
    #[error("the moves of a period are a whole number above 0, not '{0}'")]
    PeriodMoves(String),
    #[error("{0}={1} leaves no time at all for a move")]
    NoTime(String, String),
    #[error("give only one of time, tc and byo")]
    TwoTimeControls,
    #[error("give either a built-in player or cmd=")]
    TwoPlayers,
    #[error("give a built-in player, or cmd=\"program arguments\"")]
    NoPlayer,
    #[error("there is no built-in player '{0}'; other programs are cmd=…")]
    UnknownPlayer(String),
    #[error("proto, dir, colours, init, assume, hang and memory are for programs given by cmd")]
    EngineOnly,
    #[error("only ollehto plays from the opening book")]
    Book,
    #[error("UCI has no levels: give depth=, nodes= or a time instead of level=")]
    UciLevel,
    #[error("only ollehto ponders")]
    Ponder,
    #[error("only ollehto can play at an Elo: the other built-in players have one strength")]
    Elo,
    #[error("weights are for built-in players")]
    Weights,
    #[error("name= needs a name")]
    NoName,
    #[error("{name} has no weights to replace: only ollehto, {tunable}")]
    NotTunable { name: String, tunable: String },
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    #[error("this program's own path is unknown: {0}")]
    OwnPath(io::Error),
    #[error(transparent)]
    Command(#[from] CommandError),
}

impl From<String> for SpecProblem {
    fn from(message: String) -> Self {
        Self::Value(message)
    }
}

/// Why a text cannot be split into words.
#[derive(Debug, Error)]
pub enum CommandError {
    #[error("a quote {0} is not closed")]
    OpenQuote(char),
    #[error("cmd names no program")]
    Empty,
}

/// Of a move, for a player without limits.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Of a program, in mebibytes: a tebibyte.
const MOST_MEMORY: u32 = 1 << 20;

const KEYS: &str = "cmd, proto, name, dir, colours, init, assume, hang, memory, time, tc, byo, depth, nodes, level, elo, \
                    threads, hash, weights, ponder, book";

impl PlayerSpec {
    /// Parses the text after `--player`. `is_opponent` knows the named opponents.
    ///
    /// # Errors
    /// The error says what is allowed.
    pub fn parse(text: &str, is_opponent: impl Fn(&str) -> bool) -> Result<Self, SpecError> {
        let fail = |problem: SpecProblem| SpecError { spec: text.to_owned(), problem };
        let mut parser = SpecParser::default();
        for (number, item) in split(text).map_err(|error| fail(error.into()))?.into_iter().enumerate() {
            match item.split_once('=') {
                Some((key, value)) => parser.set(key.trim(), value.trim()).map_err(fail)?,
                None if number > 0 && item.trim() == "ponder" => parser.ponder = true,
                None if number > 0 && item.trim() == "book" => parser.book = true,
                None if number == 0 => parser.builtin = Some(item.trim().to_owned()),
                None => return Err(fail(SpecProblem::NotAnOption(item))),
            }
        }
        parser.finish(text, is_opponent).map_err(fail)
    }

    /// The hang time of this player, given that of the match.
    #[must_use]
    pub fn hang(&self, default: Duration) -> Duration {
        match &self.kind {
            PlayerKind::External(engine) => engine.hang.unwrap_or(default),
            PlayerKind::Ollehto | PlayerKind::Opponent(_) | PlayerKind::Tuned(..) => default,
        }
    }
}

#[derive(Default)]
struct SpecParser {
    builtin: Option<String>,
    command: Option<Vec<String>>,
    protocol: Option<PlayerProtocol>,
    name: Option<String>,
    directory: Option<PathBuf>,
    colours: Option<ColorSpelling>,
    init: Vec<String>,
    hang: Option<Duration>,
    memory: Option<u32>,
    assumes_reversed: bool,
    control: Option<TimeControl>,
    limits: Limits,
    threads: Option<u32>,
    hash: Option<u32>,
    weights: Option<String>,
    ponder: bool,
    book: bool,
}

impl SpecParser {
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecProblem> {
        match key {
            "cmd" => self.command = Some(words(value)?),
            "proto" => {
                self.protocol = Some(match value {
                    "gtp" => PlayerProtocol::Gtp,
                    "nboard" => PlayerProtocol::NBoard,
                    "uci" => PlayerProtocol::Uci,
                    _ => return Err(choice("proto", "gtp, nboard or uci", value)),
                });
            }
            "name" if value.is_empty() => return Err(SpecProblem::NoName),
            "name" => self.name = Some(value.to_owned()),
            "dir" => self.directory = Some(value.into()),
            "colours" | "colors" => {
                self.colours = Some(match value {
                    "words" => ColorSpelling::Words,
                    "lower" => ColorSpelling::Lower,
                    "upper" => ColorSpelling::Upper,
                    _ => return Err(choice("colours", "words, lower or upper", value)),
                });
            }
            "init" => self.init.push(value.to_owned()),
            "hang" => self.hang = Some(numbers::seconds(value)?),
            "memory" => self.memory = Some(numbers::whole(1..=MOST_MEMORY)(value)?),
            "assume" if value == "reversed" => self.assumes_reversed = true,
            "assume" => return Err(choice("assume", "reversed", value)),
            "time" | "tc" | "byo" => self.set_control(key, value)?,
            "depth" => self.limits.depth = Some(numbers::depth(value)?),
            "nodes" => self.limits.nodes = Some(numbers::nodes(value)?),
            "level" => self.limits.level = Some(numbers::level(value)?),
            "elo" => self.limits.elo = Some(numbers::elo(value)?),
            "threads" => self.threads = Some(numbers::threads(value)?),
            "hash" => self.hash = Some(numbers::hash(value)?),
            "weights" => self.weights = Some(value.to_owned()),
            "ponder" => self.ponder = switch("ponder", value)?,
            "book" => self.book = switch("book", value)?,
            _ => return Err(SpecProblem::UnknownKey(key.to_owned())),
        }
        Ok(())
    }

    fn set_control(&mut self, key: &str, value: &str) -> Result<(), SpecProblem> {
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
                    moves: period_moves(moves)?,
                },
                _ => return Err(SpecProblem::ByoYomi),
            },
        };
        if control.is_nothing() {
            return Err(SpecProblem::NoTime(key.to_owned(), value.to_owned()));
        }
        match self.control.replace(control) {
            None => Ok(()),
            Some(_) => Err(SpecProblem::TwoTimeControls),
        }
    }

    fn finish(self, text: &str, is_opponent: impl Fn(&str) -> bool) -> Result<PlayerSpec, SpecProblem> {
        let external_only = self.protocol.is_some()
            || self.directory.is_some()
            || self.colours.is_some()
            || self.assumes_reversed
            || !self.init.is_empty()
            || self.hang.is_some()
            || self.memory.is_some();
        let kind = match (self.builtin.as_deref(), self.command) {
            (Some(_), Some(_)) => return Err(SpecProblem::TwoPlayers),
            (None, None) => return Err(SpecProblem::NoPlayer),
            (None, Some(_)) if self.book => return Err(SpecProblem::Book),
            (None, Some(_)) if self.protocol == Some(PlayerProtocol::Uci) && self.limits.level.is_some() => {
                return Err(SpecProblem::UciLevel);
            }
            (None, Some(command)) => PlayerKind::External(EngineSpec {
                command,
                protocol: self.protocol.unwrap_or(PlayerProtocol::Gtp),
                directory: self.directory,
                colours: self.colours.unwrap_or_default(),
                init: self.init,
                hang: self.hang,
                memory: self.memory,
                assumes_reversed: self.assumes_reversed,
            }),
            (Some(_), None) if external_only => return Err(SpecProblem::EngineOnly),
            (Some("ollehto"), None) if self.ponder => {
                PlayerKind::External(pondering_ollehto(self.weights.as_deref(), self.book)?)
            }
            (Some("ollehto"), None) => PlayerKind::Ollehto,
            (Some(_), None) if self.book => return Err(SpecProblem::Book),
            (Some(_), None) if self.ponder => return Err(SpecProblem::Ponder),
            (Some(_), None) if self.limits.elo.is_some() => return Err(SpecProblem::Elo),
            (Some(name), None) if is_opponent(name) => match &self.weights {
                None => PlayerKind::Opponent(name.to_owned()),
                Some(source) => tuned(name, source)?,
            },
            (Some(name), None) => return Err(SpecProblem::UnknownPlayer(name.to_owned())),
        };
        let weights_file = self.weights.as_ref().map(PathBuf::from);
        let weights = match (self.weights, self.builtin.as_deref()) {
            (Some(_), None) => return Err(SpecProblem::Weights),
            (Some(name), Some("ollehto")) => Evaluation::load(&name)?,
            (None, _) | (Some(_), Some(_)) => Evaluation::Shipped,
        };
        let name = self.name.unwrap_or_else(|| match &kind {
            // With its options, so that two settings of an engine differ.
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

/// A named opponent with the parameters of a file or of a set with a name.
fn tuned(name: &str, source: &str) -> Result<PlayerKind, SpecProblem> {
    let system = System::ALL.into_iter().find(|system| system.name() == name);
    let system = system.ok_or_else(|| {
        let tunable = System::ALL.map(System::name).join(" and ");
        SpecProblem::NotTunable { name: name.to_owned(), tunable }
    })?;
    Ok(PlayerKind::Tuned(system, system.named(source)?))
}

/// Pondering takes a process of its own: the referee's thread waits for the opponent meanwhile.
fn pondering_ollehto(weights: Option<&str>, book: bool) -> Result<EngineSpec, SpecProblem> {
    let program = std::env::current_exe().map_err(SpecProblem::OwnPath)?;
    let mut command = vec![program.display().to_string(), "--ponder".into()];
    command.extend(weights.map(|name| format!("--weights={name}")));
    if !book {
        command.push("--no-book".into());
    }
    Ok(EngineSpec {
        command,
        protocol: PlayerProtocol::Gtp,
        directory: None,
        colours: ColorSpelling::default(),
        init: Vec::new(),
        hang: None,
        memory: None,
        assumes_reversed: false,
    })
}

fn choice(key: &'static str, allowed: &'static str, value: &str) -> SpecProblem {
    SpecProblem::Choice { key, allowed, value: value.to_owned() }
}

fn switch(key: &'static str, value: &str) -> Result<bool, SpecProblem> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(choice(key, "on or off", value)),
    }
}

fn period_moves(value: &str) -> Result<u32, SpecProblem> {
    let moves = value.trim().parse().map(NonZeroU32::get);
    moves.map_err(|_| SpecProblem::PeriodMoves(value.to_owned()))
}

/// Splits at commas outside double quotes, and drops the quotes.
fn split(text: &str) -> Result<Vec<String>, CommandError> {
    split_at(text, ',', '"')
}

/// Splits a command at spaces outside single quotes; double quotes are taken by the spec.
///
/// # Errors
/// If there is no word, or a quote is not closed.
pub fn words(text: &str) -> Result<Vec<String>, CommandError> {
    let words: Vec<_> = split_at(text, ' ', '\'')?.into_iter().filter(|word| !word.is_empty()).collect();
    if words.is_empty() { Err(CommandError::Empty) } else { Ok(words) }
}

fn split_at(text: &str, separator: char, quote: char) -> Result<Vec<String>, CommandError> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        if c == quote {
            quoted = !quoted;
        } else if !quoted && c == separator {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    if quoted { Err(CommandError::OpenQuote(quote)) } else { Ok(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayerSpec, SpecError> {
        PlayerSpec::parse(text, |name| name == "greedy")
    }

    #[test]
    fn built_in_players() {
        let player = parse("ollehto,time=0.1,threads=2").expect("good");
        assert_eq!(player.kind, PlayerKind::Ollehto);
        assert_eq!(player.control, TimeControl::PerMove(Duration::from_millis(100)));
        assert_eq!((player.threads, player.name.as_str()), (Some(2), "ollehto,time=0.1,threads=2"));
        assert_eq!(parse("greedy,name=G").expect("good").name, "G");
        assert_eq!(parse("greedy").expect("good").control, TimeControl::PerMove(DEFAULT_TIME));
        assert_eq!(parse("ollehto,depth=3").expect("good").control, TimeControl::Unlimited);
    }

    #[test]
    fn pondering_takes_a_process() {
        let player = parse("ollehto,ponder,time=1").expect("good");
        assert_eq!(player.name, "ollehto,ponder,time=1");
        assert!(
            matches!(player.kind, PlayerKind::External(EngineSpec { command, .. }) if command[1] == "--ponder")
        );
        assert!(parse("greedy,ponder").is_err() && parse("ollehto,ponder=maybe").is_err());
    }

    #[test]
    fn only_ollehto_plays_from_the_book_and_only_if_asked() {
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
    fn external_engines() {
        let text = "cmd=\"./engine --book 'my book, 2' -x\",proto=nboard,name=E,dir=/tmp,init=\"a, b\",init=c,hang=3,\
                    memory=512,tc=60+0.5";
        let player = parse(text).expect("good");
        let PlayerKind::External(external) = player.kind else { panic!("external") };
        assert_eq!(external.command, ["./engine", "--book", "my book, 2", "-x"]);
        assert_eq!(external.protocol, PlayerProtocol::NBoard);
        assert_eq!(external.init, ["a, b", "c"]);
        assert_eq!(external.hang, Some(Duration::from_secs(3)));
        assert_eq!(external.memory, Some(512));
        let half = Duration::from_millis(500);
        assert_eq!(player.control, TimeControl::Game { main: Duration::from_secs(60), increment: half });
    }

    #[test]
    fn errors_say_what_is_allowed() {
        for (text, part) in [
            ("nobody", "no built-in player 'nobody'"),
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
            ("cmd=x,memory=0", "from 1 to"),
            ("ollehto,speed=3", "there is no option 'speed'"),
            ("ollehto,fast", "'fast' is no option"),
            ("ollehto,dir=x", "for programs"),
            ("ollehto,hang=1", "for programs"),
            ("ollehto,assume=reversed", "for programs"),
            ("cmd=x,assume=standard", "assume is reversed"),
            ("cmd=x,proto=uci,level=5", "UCI has no levels"),
            ("cmd=\"x", "not closed"),
            ("cmd=\"\"", "no program"),
            ("greedy,name=", "name= needs a name"),
        ] {
            let problem = parse(text).expect_err(text).to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }
}
