//! The command line: options, subcommands, logging and the exit code.

mod allocator;
mod analyze;
mod arena;
mod bench_threads;
#[cfg(all(target_arch = "x86_64", any(not(avx2), test)))]
#[cfg_attr(avx2, allow(dead_code, reason = "only the build for all processors looks for others"))]
mod better_build;
#[cfg(feature = "training")]
mod book;
mod engine;
#[cfg(feature = "training")]
mod fit;
#[cfg(feature = "lab")]
mod lab;
mod manual;
#[cfg(feature = "training")]
mod openings;
mod play;
#[cfg(feature = "training")]
mod selfplay;
mod solve;
#[cfg(feature = "training")]
mod train;
#[cfg(feature = "lab")]
mod tune;
mod watchdog;
#[cfg(feature = "training")]
mod weights;

use std::any::TypeId;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use ollehto_protocol::obf::parse_problem;

use crate::board::Size;
use crate::eval::Evaluation;
use crate::files::output;
use crate::numbers;
use crate::rules::Rules;
use crate::search::Elo;
use crate::shard::Shard;
use crate::terminal::plain::{PlainWriter, plain};
use crate::{bench, perft};

pub use allocator::ExitWhenOutOfMemory;
pub use engine::converse_over;

use analyze::AnalyzeArguments;
use arena::{ComplianceArguments, MatchArguments, ReportArguments};
use bench_threads::BenchThreadsArguments;
#[cfg(feature = "training")]
use book::BookArguments;
use engine::EngineArguments;
#[cfg(feature = "training")]
use fit::FitArguments;
#[cfg(feature = "lab")]
use lab::LabArguments;
#[cfg(feature = "training")]
use openings::OpeningsArguments;
use play::PlayArguments;
#[cfg(feature = "training")]
use selfplay::{RecordsArguments, SelfplayArguments};
use solve::SolveArguments;
#[cfg(feature = "training")]
use train::TrainArguments;
#[cfg(feature = "lab")]
use tune::TuneArguments;
#[cfg(feature = "training")]
use weights::WeightsArguments;

/// Plays Reversed Reversi (the fewest discs win) and Othello over GTP, NBoard, UCI and other protocols on standard input
/// and output.
///
/// Without a subcommand it reads commands, one per line; `help` lists them in GTP. The protocol is detected from the
/// first line unless --protocol names it. The tightest of clock, time, depth, nodes and level limits a move; without
/// any limit a move takes one second.
#[derive(Debug, Parser)]
#[command(name = "ollehto", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,
    #[command(flatten)]
    engine: EngineArguments,
}

impl Arguments {
    fn read(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let mut command = take_negative_numbers(Self::command());
        let words = like_edax(words.into_iter().map(|word| protect_position(word.into())).collect());
        let matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// othelloTk starts every engine as it starts Edax, with the arguments `-xboard -n THREADS`, and programs around Edax use
/// `-cassio`. Other options of Edax are not taken.
fn like_edax(words: Vec<OsString>) -> Vec<OsString> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|other| other == word);
    let protocol = match ["-xboard", "-cassio"].map(|word| is(1, word)) {
        [true, _] => "xboard",
        [_, true] => "cassio",
        [false, false] => return words,
    };
    let mut own: Vec<OsString> =
        ["ollehto", "--like-edax", "--protocol", protocol].map(OsString::from).into();
    if let Some(threads) = words.get(3).filter(|_| is(2, "-n")) {
        own.extend(["--threads".into(), threads.clone()]);
    }
    own
}

/// A position that begins with an empty square looks like an option; a blank ahead of it does no harm.
fn protect_position(word: OsString) -> OsString {
    let is_position = word.to_str().is_some_and(|text| {
        text.starts_with('-')
            && text.len() > usize::from(Size::Four.area())
            && parse_problem(text.as_bytes()).is_ok()
    });
    if is_position { [OsStr::new(" "), &word].into_iter().collect() } else { word }
}

/// Lets every numeric option check negative numbers itself: a message about its range helps more than one about an
/// unknown option.
fn take_negative_numbers(command: Command) -> Command {
    let judge = |argument: Arg| match (takes_numbers(&argument), argument.is_positional()) {
        (true, false) => argument.allow_hyphen_values(true),
        (true, true) => argument.allow_negative_numbers(true),
        (false, _) => argument,
    };
    command.mut_args(judge).mut_subcommands(take_negative_numbers)
}

fn takes_numbers(argument: &Arg) -> bool {
    let numbers = [
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
        TypeId::of::<f32>(),
        TypeId::of::<f64>(),
        TypeId::of::<[f64; 2]>(),
        TypeId::of::<(u8, u8)>(),
        TypeId::of::<Duration>(),
        TypeId::of::<Size>(),
        TypeId::of::<Elo>(),
        TypeId::of::<Shard>(),
    ];
    let kind = argument.get_value_parser().type_id();
    argument.get_action().takes_values() && numbers.iter().any(|number| kind == *number)
}

#[derive(Debug, Subcommand)]
enum Tool {
    // Their help is the doc comment of their arguments.
    Play(PlayArguments),
    /// Count the leaf nodes of the game tree to a depth; a pass is a ply
    Perft {
        /// Plies
        #[arg(value_parser = numbers::whole::<u8, _>(1..))]
        depth: u8,
        /// Squares per side of the board: 4, 6 or 8
        #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
        size: Size,
    },
    /// Search fixed positions to a fixed depth and print the nodes: the signature of the search
    Bench {
        /// Only these rules
        #[arg(long, value_enum, value_name = "RULES")]
        rules: Option<Rules>,
        /// Plies
        #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = numbers::whole::<u8, _>(1..=60))]
        depth: u8,
    },
    BenchThreads(BenchThreadsArguments),
    // Their help is the doc comment of their arguments.
    Analyze(AnalyzeArguments),
    Solve(SolveArguments),
    Match(MatchArguments),
    Report(ReportArguments),
    #[cfg(feature = "training")]
    Openings(OpeningsArguments),
    #[cfg(feature = "training")]
    Book(BookArguments),
    #[cfg(feature = "training")]
    FitProbcut(FitArguments),
    #[cfg(feature = "training")]
    Train(TrainArguments),
    #[cfg(feature = "training")]
    Selfplay(SelfplayArguments),
    #[cfg(feature = "training")]
    Records(RecordsArguments),
    #[cfg(feature = "training")]
    Weights(WeightsArguments),
    #[cfg(feature = "lab")]
    Tune(TuneArguments),
    #[cfg(feature = "lab")]
    Lab(LabArguments),
    Compliance(ComplianceArguments),
    /// Print a page of the manual for man(1): of the program, or of a subcommand
    ///
    /// `ollehto manual solve | man -l -` shows it, `ollehto manual lab judge` prints that of a subcommand's subcommand.
    Manual {
        subcommand: Vec<String>,
    },
    /// Print a script that completes commands and options in a shell
    Completions {
        shell: Shell,
    },
    /// Wait for the end of the input, then kill the engines that a process has started
    #[command(hide = true)]
    KillEngines {
        /// The process that has started this one
        #[arg(value_parser = numbers::whole::<u32, _>(1..))]
        referee: u32,
    },
}

/// Of every command that writes files.
#[derive(Clone, Copy, Debug, Args)]
struct ForceArgument {
    /// Replace existing output files
    #[arg(long)]
    force: bool,
}

/// A file that many runs append to; it cannot be standard output.
fn resumable_file() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().try_map(output::parse_file)
}

#[derive(Clone, Debug)]
struct WeightsArgument {
    evaluation: Evaluation,
    /// A file, or [`HAND_MADE`](crate::eval::HAND_MADE).
    file: PathBuf,
}

fn parse_weights(text: &str) -> Result<WeightsArgument, String> {
    let evaluation = Evaluation::load(text).map_err(|error| error.to_string())?;
    Ok(WeightsArgument { evaluation, file: text.into() })
}

fn parse_size(text: &str) -> Result<Size, String> {
    text.parse()
        .ok()
        .and_then(Size::from_side)
        .ok_or_else(|| "the board can have 4, 6 or 8 squares on a side".into())
}

#[must_use]
pub fn main() -> ExitCode {
    #[cfg(all(target_arch = "x86_64", not(avx2)))]
    better_build::start();
    allocator::save_address_space();
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    let environment = env_logger::Env::new().filter_or("OLLEHTO_LOG", "warn");
    env_logger::Builder::from_env(environment).target(env_logger::Target::Stderr).init();
    match run(arguments) {
        Ok(code) => code,
        Err(error) => complain(error.as_ref()),
    }
}

/// Prints help, version or what is wrong with the arguments.
fn explain(error: &clap::Error) -> ExitCode {
    match error.print() {
        Ok(()) => u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => complain(&error),
    }
}

fn complain(error: &(dyn Error + 'static)) -> ExitCode {
    // Nobody reads our output any more, so nobody would read a complaint.
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("ollehto: {}", plain(&error.to_string()));
    ExitCode::FAILURE
}

fn run(arguments: Arguments) -> Result<ExitCode, Box<dyn Error>> {
    let output = &mut PlainWriter(io::stdout());
    match arguments.tool {
        None => engine::converse(&arguments.engine)?,
        Some(Tool::Play(arguments)) => return arguments.run(),
        Some(Tool::Perft { depth, size }) => perft::run(depth, size, output)?,
        Some(Tool::Bench { rules, depth }) => bench::run(rules, depth, output)?,
        Some(Tool::BenchThreads(arguments)) => arguments.run(output)?,
        Some(Tool::Analyze(arguments)) => return arguments.run(output),
        Some(Tool::Solve(arguments)) => return arguments.run(output),
        Some(Tool::Match(arguments)) => return arguments.run(output),
        Some(Tool::Report(arguments)) => arguments.run(output)?,
        #[cfg(feature = "training")]
        Some(Tool::Openings(arguments)) => arguments.run(output)?,
        #[cfg(feature = "training")]
        Some(Tool::Book(arguments)) => arguments.run(output)?,
        #[cfg(feature = "training")]
        Some(Tool::FitProbcut(arguments)) => arguments.run()?,
        #[cfg(feature = "training")]
        Some(Tool::Train(arguments)) => arguments.run(output)?,
        #[cfg(feature = "training")]
        Some(Tool::Selfplay(arguments)) => return arguments.run(),
        #[cfg(feature = "training")]
        Some(Tool::Records(arguments)) => arguments.run(output)?,
        #[cfg(feature = "training")]
        Some(Tool::Weights(arguments)) => arguments.run(output)?,
        #[cfg(feature = "lab")]
        Some(Tool::Tune(arguments)) => return arguments.run(output),
        #[cfg(feature = "lab")]
        Some(Tool::Lab(arguments)) => arguments.run(output)?,
        Some(Tool::Compliance(arguments)) => return arguments.run(output),
        Some(Tool::Manual { subcommand }) => manual::print(Arguments::command(), &subcommand, output)?,
        Some(Tool::Completions { shell }) => {
            // It panics where it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "ollehto", &mut script);
            output.write_all(&script)?;
        }
        Some(Tool::KillEngines { referee }) => watchdog::run(referee)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let mut causes = iter::successors(Some(error), |&error| error.source());
    causes.any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    /// With the subcommands that it belongs to.
    fn numeric_arguments(command: &Command, path: &[String]) -> Vec<(Vec<String>, Arg)> {
        let own = command.get_arguments().filter(|argument| takes_numbers(argument));
        let mut all: Vec<_> = own.map(|argument| (path.to_vec(), argument.clone())).collect();
        for inner in command.get_subcommands() {
            all.extend(numeric_arguments(inner, &[path, &[inner.get_name().to_owned()]].concat()));
        }
        all
    }

    /// The complaint about this value of an argument, if there is one.
    fn judged(path: &[String], argument: &Arg, value: &str) -> Result<(), String> {
        let mut words = vec!["ollehto".to_owned()];
        words.extend_from_slice(path);
        words.extend(argument.get_long().map(|name| format!("--{name}")));
        words.push(value.to_owned());
        let Err(error) = Arguments::read(&words) else { return Ok(()) };
        match error.kind() {
            ErrorKind::ValueValidation | ErrorKind::InvalidValue => Err(error.to_string()),
            // Another argument is missing: this value is fine.
            ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand => Ok(()),
            other => panic!("{words:?}: {other:?}: {error}"),
        }
    }

    fn name(path: &[String], argument: &Arg) -> String {
        [path, &[argument.get_id().to_string()]].concat().join(" ")
    }

    #[test]
    fn every_number_is_checked() {
        let arguments = numeric_arguments(&Arguments::command(), &[]);
        assert!(arguments.len() > 60, "only {} arguments take numbers", arguments.len());
        for (path, argument) in &arguments {
            let name = name(path, argument);
            let wrong = [
                "nan",
                "NaN",
                "inf",
                "-inf",
                "-1",
                "-0.5",
                "1e400",
                "99999999999999999999999",
                "x",
                "1x",
                "",
            ];
            // After a single hyphen a word is parsed as short options.
            for value in wrong.into_iter().filter(|value| *value != "-inf" || !argument.is_positional()) {
                let Err(problem) = judged(path, argument, value) else { panic!("{name} takes '{value}'") };
                let shown = argument.get_long().map_or("<".into(), |long| format!("--{long}"));
                assert!(problem.contains(&shown) && problem.contains(value), "{name} {value}: {problem}");
            }
            for default in argument.get_default_values() {
                let value = default.to_str().expect("plain text");
                assert_eq!(judged(path, argument, value), Ok(()), "{name}: the default {value}");
            }
        }
    }

    /// Where zero makes sense; elsewhere it is refused.
    #[test]
    fn zero_is_refused_where_it_makes_no_sense() {
        let sensible = [
            "variety",
            "match margin",
            "match hang",
            "compliance margin",
            "openings within",
            "book build near",
            "book build balance",
            "selfplay exact",
            "selfplay detours",
            "train recent",
            "train passes",
            "train value_mix",
            "train mix",
            "lab features plies",
            "lab colour plies",
            "lab cuts verify",
            "lab judge make exact",
            "lab judge report depth",
            "lab loss make depth",
            "lab loss report plies",
        ];
        let takes_zero = |(path, argument): &(Vec<String>, Arg)| judged(path, argument, "0").is_ok();
        let arguments = numeric_arguments(&Arguments::command(), &[]);
        let taken = arguments.iter().filter(|argument| takes_zero(argument));
        let names: BTreeSet<String> = taken.map(|(path, argument)| name(path, argument)).collect();
        let seeds = names.iter().filter(|name| name.ends_with("seed"));
        let expected: BTreeSet<String> =
            sensible.iter().map(|name| (*name).to_owned()).chain(seeds.cloned()).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn negative_numbers_get_a_message_about_the_range() {
        for (words, part) in [
            (&["--depth", "-1"][..], "depth takes a whole number from 1 to 60"),
            (&["--threads", "-1"], "threads takes a whole number from 1 to 256"),
            (&["train", "games", "--output", "x", "--ridge", "-1"], "a number above 0"),
            (&["train", "games", "--output", "x", "--ridge=-1"], "a number above 0"),
            (&["train", "games", "--output", "x", "--mix", "nan"], "a number from 0 to 1"),
            (&["openings", "--within", "nan"], "a number of discs from 0 to 64"),
            (&["openings", "--within", "-1"], "a number of discs from 0 to 64"),
            (&["perft", "-1"], "a whole number from 1 is needed, not '-1'"),
            (&["selfplay", "--games", "-5"], "a whole number from 1 to 1000000000000 is needed"),
            (&["match", "--margin", "-1"], "a number of seconds from 0"),
        ] {
            let error =
                Arguments::read(["ollehto"].iter().chain(words)).expect_err("a wrong number").to_string();
            assert!(error.contains(part), "{words:?}: {error}");
        }
        let sprt = ["ollehto", "match", "--player", "greedy", "--player", "random", "--sprt", "-5,0"];
        assert!(Arguments::read(sprt).is_ok());
    }

    #[test]
    fn a_position_is_no_option() {
        let position = "-----OX--XO----- X";
        assert_eq!(protect_position(position.into()), " -----OX--XO----- X");
        for option in ["--", "-", "--rules", "------------------", "f5d6"] {
            assert_eq!(protect_position(option.into()), option);
        }
        let words = ["ollehto", "analyze", position, "--depth", "3"];
        assert!(Arguments::read(words).is_ok());
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(parse_size("6"), Ok(Size::Six));
        assert!(parse_size("7").is_err() && parse_size("x").is_err());
    }
}
