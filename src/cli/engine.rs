//! `ollehto` without a subcommand: a conversation over standard input and output.

use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::iter;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use crossbeam_channel::Receiver;
use ollehto_protocol::Protocol;

use crate::arena::opponents;
use crate::board::Size;
use crate::book::{BookPlayer, BookSource};
use crate::engine::Search;
use crate::files::output::is_same_file;
use crate::frontend::{Cassio, DriveError, Frontend, Gtp, NBoard, Session, Settings, Uci, XBoard, drive};
use crate::numbers;
use crate::rules::Rules;
use crate::search::{Elo, Limits, Searcher};
use crate::stdio::{
    BlockingStdin, BlockingStdout, Input, LoggedOutput, TrafficLog, exit_with_output, read_lines,
};

use super::{Arguments, WeightsArgument, parse_size, parse_weights};

#[derive(Debug, clap::Args)]
pub(super) struct EngineArguments {
    /// Protocol, instead of detecting it from the first line
    #[arg(long, value_enum, value_name = "NAME")]
    protocol: Option<ProtocolName>,
    /// Who wins: reversed, the fewest discs; standard, the most [default: reversed]
    #[arg(long, value_enum, value_name = "RULES")]
    rules: Option<Rules>,
    /// Squares per side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = Settings::default().threads, value_parser = numbers::threads)]
    threads: u32,
    /// Transposition table in MiB; its memory is taken when play begins
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash, value_parser = numbers::hash)]
    hash: u32,
    /// Maximum depth in plies, endgame included
    #[arg(long, value_name = "N", value_parser = numbers::depth)]
    depth: Option<u8>,
    /// Maximum nodes per move
    #[arg(long, value_name = "N", value_parser = numbers::nodes)]
    nodes: Option<u64>,
    /// Depth: N plies in the midgame, perfect play from 2N empty squares on (N + 10 from level 10 on)
    #[arg(long, value_name = "N", value_parser = numbers::level)]
    level: Option<u8>,
    /// Strength of its moves by rating, from 800 (a beginner) to 3200; hints stay at full strength
    #[arg(long, value_name = "N", value_parser = numbers::elo, conflicts_with_all = ["play_as", "level"])]
    elo: Option<Elo>,
    /// Maximum seconds per move
    #[arg(long, value_name = "SECONDS", value_parser = numbers::time)]
    time: Option<Duration>,
    /// Evaluation weights: a file, or `hand-made` for the evaluation without patterns [default: the shipped weights]
    #[arg(long, value_name = "FILE", value_parser = parse_weights)]
    weights: Option<WeightsArgument>,
    /// Search without selective cuts, to compare evaluations at equal depth
    #[arg(long, conflicts_with = "play_as")]
    full_width: bool,
    /// Think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Opening book for its rules [default: the shipped book]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_book", "play_as"])]
    book: Option<PathBuf>,
    /// Play without an opening book
    #[arg(long)]
    no_book: bool,
    /// The most that a book move may lose against the best one; 0 chooses among equal moves only
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = numbers::discs)]
    variety: u16,
    /// Random seed, to repeat a game [default: random]
    #[arg(long, value_name = "N", value_parser = numbers::whole::<u64, _>(0..))]
    seed: Option<u64>,
    /// Play as a named opponent, with 5 seconds per move unless another limit is set
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(opponents::NAMES))]
    play_as: Option<String>,
    /// Started as othelloTk and others start Edax, as in `-xboard -n 1`
    #[arg(long, hide = true)]
    like_edax: bool,
    /// Append all protocol traffic to a file, with times
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// The time per move of the reports that describe the opponents.
const OPPONENTS_TIME: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProtocolName {
    Gtp,
    Nboard,
    Uci,
    Xboard,
    Cassio,
}

impl From<ProtocolName> for Protocol {
    fn from(name: ProtocolName) -> Self {
        match name {
            ProtocolName::Gtp => Self::Gtp,
            ProtocolName::Nboard => Self::NBoard,
            ProtocolName::Uci => Self::Uci,
            ProtocolName::Xboard => Self::XBoard,
            ProtocolName::Cassio => Self::Cassio,
        }
    }
}

/// The same as `ollehto ARGUMENTS`, within this process and over any input and output.
///
/// # Errors
/// If the arguments are wrong, the output fails or the searcher panics.
pub fn converse_over(
    arguments: &[&str],
    input: impl Read + Send + 'static,
    output: impl Write + 'static,
) -> Result<(), DriveError> {
    let arguments = Arguments::read(iter::once("ollehto").chain(arguments.iter().copied()))
        .map_err(|error| DriveError::SetUp(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
    let log = open_log(&arguments.engine)?;
    let lines = read_lines(input, log.clone()).map_err(DriveError::SetUp)?;
    speak(&arguments.engine, &lines, output, log)
}

pub(super) fn converse(arguments: &EngineArguments) -> Result<(), DriveError> {
    let log = open_log(arguments)?;
    if io::stdin().is_terminal() {
        eprintln!(
            "Ollehto {} speaks GTP, NBoard, UCI, XBoard and Cassio's protocol: try help, genmove b, quit",
            env!("CARGO_PKG_VERSION")
        );
    }
    exit_with_output().map_err(DriveError::SetUp)?;
    let lines = read_lines(BlockingStdin(io::stdin()), log.clone()).map_err(DriveError::SetUp)?;
    speak(arguments, &lines, BufWriter::new(BlockingStdout(io::stdout())), log)
}

fn open_log(arguments: &EngineArguments) -> Result<TrafficLog, DriveError> {
    let log = TrafficLog::default();
    if let Some(path) = &arguments.log {
        let mut inputs = arguments.weights.iter().map(|weights| &weights.file).chain(&arguments.book);
        if inputs.any(|input| is_same_file(path, input)) {
            let message =
                format!("{} is an input: give the log a file of its own with --log", path.display());
            return Err(DriveError::SetUp(io::Error::new(io::ErrorKind::InvalidInput, message)));
        }
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
) -> Result<(), DriveError> {
    if let Some(WeightsArgument { evaluation, .. }) = &arguments.weights
        && let Err(problem) = evaluation.check_use(&[arguments.rules.unwrap_or_default()], arguments.size)
    {
        // The client may ask for other rules.
        log::warn!("{problem}");
    }
    let (name, searcher) = arguments.searcher();
    let mut session = Session::new(name, searcher, arguments.settings(), log.clone())
        .map_err(DriveError::SetUp)?
        .with_seed(arguments.seed());
    if let Some(opening) = arguments.opening()? {
        session = session.with_opening(opening);
    }
    let output = LoggedOutput::new(output, log);
    let (protocol, first) = match arguments.protocol {
        Some(name) => (name.into(), None),
        None => detect(lines, || session.get_ready()),
    };
    let mut frontend: Box<dyn Frontend> = match protocol {
        Protocol::Gtp => Box::new(Gtp::new(session, output, Some(Box::new(io::stderr())))),
        Protocol::NBoard => {
            // NBoard reads our standard error as if it were output.
            log::set_max_level(log::LevelFilter::Off);
            Box::new(NBoard::new(session, output, arguments.rules))
        }
        Protocol::Uci => Box::new(Uci::new(session, output)),
        Protocol::XBoard => Box::new(XBoard::new(session, output, arguments.rules, arguments.like_edax)),
        Protocol::Cassio => Box::new(Cassio::new(session, output, arguments.rules)),
    };
    drive(frontend.as_mut(), first, lines)
}

/// A client that speaks first, as GoGui does to its rules copies, has spoken by then.
const FIRST_LINE_WAIT: Duration = Duration::from_millis(20);

/// Waits for the first line and detects the protocol from it. Calls `prepare` if the line takes longer than a moment.
fn detect(lines: &Receiver<Input>, prepare: impl FnOnce()) -> (Protocol, Option<Input>) {
    let says_nothing = |text: &[u8]| matches!(text.trim_ascii_start().first(), None | Some(b'#'));
    let mut first = lines.recv_timeout(FIRST_LINE_WAIT).ok();
    if first.is_none() {
        prepare();
    }
    loop {
        match first.take().or_else(|| lines.recv().ok()).unwrap_or(Input::End) {
            Input::Line { text, .. } if says_nothing(&text) => {}
            Input::Line { text, arrived } => {
                return (ollehto_protocol::detect(&text), Some(Input::Line { text, arrived }));
            }
            other => return (Protocol::Gtp, Some(other)),
        }
    }
}

impl EngineArguments {
    /// The searcher and its name.
    fn searcher(&self) -> (String, Box<dyn Search>) {
        match &self.play_as {
            // Games of a random opponent are to differ.
            Some(name) => match opponents::by_name(name, self.seed()) {
                Some(opponent) => (name.clone(), opponent),
                None => unreachable!("the command line takes the names of opponents only"),
            },
            None => {
                let weights = self.weights.clone().map(|weights| weights.evaluation).unwrap_or_default();
                let searcher = Searcher::new(self.threads as usize, self.hash as usize)
                    .with_evaluation(weights)
                    .with_full_width(self.full_width)
                    .for_play();
                ("Ollehto".into(), Box::new(searcher))
            }
        }
    }

    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }

    /// None for a named opponent.
    fn opening(&self) -> Result<Option<BookPlayer>, DriveError> {
        let source = match &self.book {
            _ if self.play_as.is_some() => return Ok(None),
            _ if self.no_book => BookSource::Off,
            None => BookSource::Shipped,
            Some(path) => BookSource::load(path.clone())
                .map_err(|error| DriveError::SetUp(io::Error::new(io::ErrorKind::InvalidData, error)))?,
        };
        Ok(Some(BookPlayer::new(source, self.variety, self.seed())))
    }

    fn settings(&self) -> Settings {
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            level: self.level,
            elo: self.elo,
            time: self.time,
            clock: None,
        };
        Settings {
            rules: self.rules.unwrap_or_default(),
            size: self.size,
            threads: self.threads,
            hash: self.hash,
            limits: if self.play_as.is_some() && limits == Limits::default() {
                Limits { time: Some(OPPONENTS_TIME), ..limits }
            } else {
                limits
            },
            ponder: self.ponder,
            overhead: Duration::ZERO,
        }
    }
}
