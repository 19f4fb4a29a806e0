//! `ollehto match`, `report` and `compliance`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::arena::compliance::{self, Examination};
use crate::arena::game::Conditions;
use crate::arena::openings::Source;
use crate::arena::opponents;
use crate::arena::report::Report;
use crate::arena::run::{Finish, Match, run};
use crate::arena::schedule::Format;
use crate::arena::spec::{Colours, External, PlayerSpec, words};
use crate::board::Size;
use crate::files::output::{ClaimedOutput, Destination, Outputs};
use crate::numbers;

use super::engine::ProtocolName;
use super::{ForceArgument, RulesArgument, parse_size, resumable_file};

/// Told to the shell when the user has ended a match, as shells themselves do.
const INTERRUPTED: u8 = 130;

/// Hold a match between any engines
///
/// Plays every opening twice with colours swapped, keeps every finished game in a journal, and prints the result. A
/// player is one of our own or any program that speaks GTP or NBoard:
///
///   --player ollehto,time=0.1
///   --player greedy,name=Greedy
///   --player 'cmd="./engine --fast",proto=nboard,name=Other,tc=60+0.5'
///
/// Options of a player, separated by commas (double quotes protect commas and blanks): cmd, proto=gtp|nboard, name, dir,
/// colours=words|lower|upper, init="a command" (again for more), assume=reversed, hang=SECONDS (instead of --hang: some
/// load for long), and its limits: time=SECONDS a move, tc=MAIN+INCREMENT, byo=MAIN/PERIOD/MOVES, depth, nodes, level;
/// threads, hash, and for ollehto weights=FILE, ponder and book (the opening book, which matters only if games begin
/// before it ends). One second a move where nothing is said.
///
/// Where the fewest discs win a program has to show that it knows: over GTP by accepting 'rules reversed', over NBoard by
/// the values that 'hint 1' gives of two decided positions in a game of type 8a. For one that cannot, and plays for the
/// fewest discs all the same, say assume=reversed; without it the match does not start.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MatchArguments {
    /// A player; at least two
    #[arg(long = "player", value_name = "SPEC", required = true, value_parser = parse_player)]
    players: Vec<PlayerSpec>,
    /// Who wins: reversed, the fewest discs, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// Squares on a side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// Who plays whom: everyone everyone, or the first player all others
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Pairs of games for each pairing
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u32, _>(1..=1_000_000))]
    pairs: u32,
    /// Where openings come from: balanced (the list that comes with the program), random:PLIES, or a file of move lists
    /// or positions [default: balanced on 8×8, else random:4]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<Source>,
    /// What chance is drawn from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: u16,
    /// How far over its time a player may go before it loses
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = numbers::seconds)]
    margin: Duration,
    /// How long an answer may stay out beyond that before the player is killed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = numbers::seconds)]
    hang: Duration,
    /// Decide games by exact solving from so many empty squares on
    #[arg(long, value_name = "EMPTIES", value_parser = numbers::whole::<u8, _>(1..=24))]
    adjudicate: Option<u8>,
    /// Stop as soon as a sequential test has decided between two strengths of the first player, in Elo
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt)]
    sprt: Option<[f64; 2]>,
    /// Where finished games are kept
    #[arg(long, value_name = "FILE", default_value = "match.jsonl", value_parser = resumable_file())]
    journal: PathBuf,
    /// Go on with the match of the journal; with more --pairs it is extended
    #[arg(long)]
    resume: bool,
    /// Write the games as GGF when the match ends; - for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    ggf: Option<Destination>,
    /// Folder for the standard error of other programs [default: beside the journal]
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Replace the file of --ggf if it exists already; a journal is never replaced
    #[arg(long)]
    force: bool,
}

fn parse_player(text: &str) -> Result<PlayerSpec, String> {
    PlayerSpec::parse(text, |name| opponents::NAMES.contains(&name)).map_err(|error| error.to_string())
}

fn parse_sprt(text: &str) -> Result<[f64; 2], String> {
    let bounds: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match bounds.as_deref() {
        Some(&[low, high]) if low < high && low.is_finite() && high.is_finite() => Ok([low, high]),
        _ => Err("two numbers are needed, the smaller first, such as 0,20".into()),
    }
}

impl MatchArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let openings = self.openings.unwrap_or(if self.size == Size::Eight {
            Source::Balanced
        } else {
            Source::Random(4)
        });
        let logs = self.logs.unwrap_or_else(|| self.journal.with_extension("logs"));
        let setup = Match {
            players: self.players,
            rules: self.rules.into(),
            size: self.size,
            format: self.format,
            pairs: self.pairs,
            openings,
            seed: self.seed,
            jobs: self.jobs.into(),
            conditions: Conditions { margin: self.margin, hang: self.hang, adjudicate: self.adjudicate },
            sprt: self.sprt,
            journal: self.journal,
            resume: self.resume,
            ggf: self.ggf,
            force: self.force,
            logs,
        };
        Ok(match run(setup, output)? {
            Finish::Complete => ExitCode::SUCCESS,
            Finish::Interrupted => ExitCode::from(INTERRUPTED),
        })
    }
}

/// Show what a match has brought: tables, a page to look at, a file for spreadsheets
#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// The journal of the match
    journal: PathBuf,
    /// Write one page that needs nothing else, with every game to replay; - for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    html: Option<Destination>,
    /// Write one line for each game; - for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    csv: Option<Destination>,
    #[command(flatten)]
    force: ForceArgument,
}

impl ReportArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<(), Box<dyn Error>> {
        let mut outputs = Outputs::new(self.force.force).with_inputs([&self.journal]);
        let html = self.html.map(|to| outputs.claim(to)).transpose()?;
        let csv = self.csv.map(|to| outputs.claim(to)).transpose()?;
        let report = Report::load(&self.journal)?;
        if !html.iter().chain(&csv).any(ClaimedOutput::is_stdout) {
            write!(output, "{}", report.tables())?;
        }
        if let Some(html) = html {
            html.write(report.page())?;
        }
        if let Some(csv) = csv {
            csv.write(report.csv())?;
        }
        Ok(())
    }
}

/// Examine how any engine keeps to its protocol
///
/// Goes through a script of steps, each with what the clients in use rely on, and prints a table of them: pass, FAIL, or
/// skip for what the engine does not offer and need not. The exit code is 0 if nothing has failed.
///
///   ollehto compliance "./engine --fast"
///   ollehto compliance "./engine" --proto nboard --rules standard
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ComplianceArguments {
    /// The program with its arguments; single quotes protect blanks
    #[arg(value_name = "CMD")]
    command: String,
    /// What it speaks
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value = "gtp")]
    proto: ProtocolName,
    /// Where it is started
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// What it plays: reversed, the fewest discs win, or standard, the most
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: RulesArgument,
    /// What it may spend on a move, rounded up to whole seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = numbers::time)]
    time: Duration,
    /// How far over any time limit it may go: more for a busy machine
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = numbers::seconds)]
    margin: Duration,
}

impl ComplianceArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let engine = External {
            command: words(&self.command)?,
            protocol: self.proto.into(),
            directory: self.dir,
            colours: Colours::default(),
            init: Vec::new(),
            hang: None,
            assumes_reversed: false,
        };
        let examination =
            Examination { engine, rules: self.rules.into(), time: self.time, margin: self.margin };
        let tally = compliance::run(examination, output)?;
        Ok(if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_tests_need_two_numbers_in_order() {
        assert_eq!(parse_sprt("-5, 0"), Ok([-5.0, 0.0]));
        for wrong in ["", "1", "5,0", "0,nan", "1,2,3"] {
            assert!(parse_sprt(wrong).is_err(), "{wrong}");
        }
    }
}
