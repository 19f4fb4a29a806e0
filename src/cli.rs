//! The command line: options, subcommands, logging and the exit code.

use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use crossbeam_channel::Receiver;
use ollehto_protocol::Protocol;
use ollehto_protocol::setting::{SettingName, parse_setting};

use crate::board::Size;
use crate::frontend::{DriveError, Frontend, Gtp, NBoard, Session, Settings, drive};
use crate::rules::Rules;
use crate::search::Limits;
use crate::stdio::{EndWithInput, Input, LoggedOutput, TrafficLog, exit_with_output, read_lines};
use crate::tools;

/// Plays Reversed Reversi (the fewest discs win) and Othello over GTP or NBoard on standard input and output.
///
/// Without a subcommand it waits for commands, one a line; `help` lists them in GTP. The protocol is told by the first
/// line unless --protocol names it. A move is limited by the tightest of clock, time, depth, nodes and level; if none
/// is set it takes one second.
#[derive(Debug, Parser)]
#[command(name = "ollehto", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,
    #[command(flatten)]
    engine: EngineArguments,
}

#[derive(Debug, clap::Args)]
struct EngineArguments {
    /// Speak this protocol instead of telling it by the first line
    #[arg(long, value_enum, value_name = "NAME")]
    protocol: Option<ProtocolName>,
    /// Who wins: reversed, the fewest discs, or standard, the most [default: reversed]
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<RulesArgument>,
    /// Squares on a side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// Search with so many threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Size of the transposition table in MiB, taken when the first search begins
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Search no more than so many plies, to the end of the game too
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Visit no more than so many positions for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Strength: search so many plies in the middle game and play perfectly from 2N empty squares on (N + 10 from level 10)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=60))]
    level: Option<u8>,
    /// Think no longer than so many seconds about a move
    #[arg(long, value_name = "SECONDS", value_parser = parse_time)]
    time: Option<Duration>,
    /// Think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Append all protocol traffic to a file, with times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Tool {
    /// Count the ends of all games of so many plies, a pass being a ply
    Perft {
        /// How many plies
        #[arg(value_parser = clap::value_parser!(u8).range(1..))]
        depth: u8,
        /// Squares on a side of the board: 4, 6 or 8
        #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
        size: Size,
    },
    /// Search fixed positions to a fixed depth and print how many positions that took: the signature of the search
    Bench {
        /// Only by these rules
        #[arg(long, value_enum, value_name = "RULES")]
        rules: Option<RulesArgument>,
        /// How many plies
        #[arg(long, value_name = "N", default_value_t = tools::bench::DEPTH, value_parser = clap::value_parser!(u8).range(1..=60))]
        depth: u8,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProtocolName {
    Gtp,
    Nboard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RulesArgument {
    Reversed,
    Standard,
}

impl From<RulesArgument> for Rules {
    fn from(argument: RulesArgument) -> Self {
        match argument {
            RulesArgument::Reversed => Self::Reversed,
            RulesArgument::Standard => Self::Standard,
        }
    }
}

fn parse_size(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::from_side)
        .ok_or_else(|| "the board can have 4, 6 or 8 squares on a side".into())
}

/// Times on the command line are read as those of the protocols are.
fn parse_time(text: &str) -> Result<Duration, String> {
    use ollehto_protocol::setting::Setting;
    match parse_setting(SettingName::Time, text.as_bytes()) {
        Ok(Setting::Time(Some(time))) => Ok(time),
        Ok(_) => Err("seconds are needed here; leave the option out for no limit".into()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let environment = env_logger::Env::new().filter_or("OLLEHTO_LOG", "warn");
    env_logger::Builder::from_env(environment).target(env_logger::Target::Stderr).init();
    let ended = match arguments.tool {
        Some(Tool::Perft { depth, size }) => {
            tools::perft::run(depth, size, &mut io::stdout()).map_err(DriveError::from)
        }
        Some(Tool::Bench { rules, depth }) => {
            tools::bench::run(rules.map(Rules::from), depth, &mut io::stdout()).map_err(DriveError::from)
        }
        None => converse(&arguments.engine),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads our output any more: there is nothing to complain about, and nobody to complain to.
        Err(DriveError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ollehto: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Holds a conversation as `ollehto ARGUMENTS` does, but within this process and over any input and output.
///
/// # Errors
/// If the arguments are wrong, the output fails or the searcher dies.
pub fn converse_over(
    arguments: &[&str],
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
) -> Result<(), DriveError> {
    let arguments = Arguments::try_parse_from(iter::once("ollehto").chain(arguments.iter().copied()))
        .map_err(|error| DriveError::SetUp(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
    let log = open_log(&arguments.engine)?;
    let lines = read_lines(input, log.clone(), EndWithInput::default()).map_err(DriveError::SetUp)?;
    // The process belongs to the caller: it does not end with this input.
    speak(&arguments.engine, &lines, output, log, &EndWithInput::default())
}

/// Holds a conversation over standard input and output.
fn converse(arguments: &EngineArguments) -> Result<(), DriveError> {
    let log = open_log(arguments)?;
    if io::stdin().is_terminal() {
        eprintln!("Ollehto {} speaks GTP and NBoard: try help, genmove b, quit", env!("CARGO_PKG_VERSION"));
    }
    exit_with_output().map_err(DriveError::SetUp)?;
    let end = EndWithInput::default();
    let lines = read_lines(io::stdin(), log.clone(), end.clone()).map_err(DriveError::SetUp)?;
    speak(arguments, &lines, BufWriter::new(io::stdout()), log, &end)
}

fn open_log(arguments: &EngineArguments) -> Result<TrafficLog, DriveError> {
    let log = TrafficLog::default();
    if let Some(path) = &arguments.log {
        log.open(Some(path)).map_err(|error| {
            let message =
                format!("cannot write the log {}: {error}; name another file with --log", path.display());
            DriveError::SetUp(io::Error::new(error.kind(), message))
        })?;
    }
    Ok(log)
}

fn speak(
    arguments: &EngineArguments,
    lines: &Receiver<Input>,
    output: impl Write + 'static,
    log: TrafficLog,
    end: &EndWithInput,
) -> Result<(), DriveError> {
    let session = Session::new(arguments.settings(), log.clone()).map_err(DriveError::SetUp)?;
    let output = LoggedOutput::new(output, log);
    let (protocol, first) = match arguments.protocol {
        Some(ProtocolName::Gtp) => (Protocol::Gtp, None),
        Some(ProtocolName::Nboard) => (Protocol::NBoard, None),
        None => detect(lines),
    };
    let mut frontend: Box<dyn Frontend> = match protocol {
        Protocol::Gtp => Box::new(Gtp::new(session, output, Some(Box::new(io::stderr())))),
        Protocol::NBoard => {
            // NBoard reads our standard error as if it were output.
            log::set_max_level(log::LevelFilter::Off);
            end.insist();
            Box::new(NBoard::new(session, output, arguments.rules.map(Rules::from)))
        }
    };
    drive(frontend.as_mut(), first, lines)
}

/// Waits for the first line that says something, and tells the protocol by it.
fn detect(lines: &Receiver<Input>) -> (Protocol, Option<Input>) {
    let says_nothing = |text: &[u8]| matches!(text.trim_ascii_start().first(), None | Some(b'#'));
    loop {
        match lines.recv().unwrap_or(Input::End) {
            Input::Line { text, .. } if says_nothing(&text) => {}
            Input::Line { text, arrived } => {
                return (ollehto_protocol::detect(&text), Some(Input::Line { text, arrived }));
            }
            other => return (Protocol::Gtp, Some(other)),
        }
    }
}

impl EngineArguments {
    fn settings(&self) -> Settings {
        Settings {
            rules: self.rules.map(Rules::from).unwrap_or_default(),
            size: self.size,
            threads: self.threads,
            hash: self.hash,
            limits: Limits {
                depth: self.depth,
                nodes: self.nodes,
                level: self.level,
                time: self.time,
                clock: None,
            },
            ponder: self.ponder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_and_times_are_checked() {
        assert_eq!(parse_size("6"), Ok(Size::Six));
        assert!(parse_size("7").is_err() && parse_size("x").is_err());
        assert_eq!(parse_time("0.25"), Ok(Duration::from_millis(250)));
        assert!(parse_time("0").is_err() && parse_time("off").is_err());
    }
}
