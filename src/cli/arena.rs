//! `ollehto match`, `report` and `compliance`.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use crate::arena::compliance::{self, ComplianceConfig};
use crate::arena::config::MatchConfig;
use crate::arena::game::GameConditions;
use crate::arena::openings::{OpeningList, OpeningSource};
use crate::arena::opponents;
use crate::arena::report::MatchReport;
use crate::arena::run::run;
use crate::arena::schedule::MatchFormat;
use crate::arena::spec::{
    ColorSpelling, EngineSpec, PlayerKind, PlayerProtocol, PlayerSpec, SpecError, words,
};
use crate::board::Size;
use crate::files::output::{ClaimedOutput, Destination, Outputs};
use crate::numbers;
use crate::rules::Rules;
use crate::shard::Shard;
use crate::terminal::interrupts::{Completion, EXIT_CODE};

use super::watchdog::Watchdog;
use super::{ForceArgument, parse_size, resumable_file};

/// Play a match between any engines
///
/// Plays every opening twice with colours swapped, writes every finished game to a journal and prints the result. A
/// player is built in, or any program that speaks GTP, NBoard or UCI:
///
///   --player ollehto,time=0.1
///   --player greedy,name=Greedy
///   --player 'cmd="./engine --fast",proto=nboard,name=Other,tc=60+0.5'
///
/// Options of a player, separated by commas (double quotes protect commas and spaces): cmd, proto=gtp|nboard|uci, name, dir,
/// colours=words|lower|upper, init="a command" (repeat for more), assume=reversed, hang=SECONDS (overrides --hang).
/// Limits: time=SECONDS per move, tc=MAIN+INCREMENT, byo=MAIN/PERIOD/MOVES, depth, nodes, level, elo; one second per move if
/// there are none. Settings: threads, hash, memory=MIB (the most that a program may use); for ollehto also weights=FILE, ponder and book (the opening book, which needs
/// openings shorter than its lines).
///
/// In a reversed match a program has to confirm the rules before the first game: over GTP it accepts 'rules reversed',
/// over NBoard 'hint 1' gives the right signs for two decided positions in a game of type 8a, over UCI it offers the
/// variant antiflipello. assume=reversed skips the check, for programs that play for the fewest discs by their own options.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct MatchArguments {
    /// Player specification; at least two
    #[arg(long = "player", value_name = "SPEC", required = true, value_parser = parse_player)]
    players: Vec<PlayerSpec>,
    /// Who wins: the fewest discs (reversed) or the most (standard)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Squares on a side of the board: 4, 6 or 8
    #[arg(long, value_name = "N", default_value = "8", value_parser = parse_size)]
    size: Size,
    /// All pairings, the first player against all others, or each against the next three
    #[arg(long, value_enum, default_value_t)]
    format: MatchFormat,
    /// Pairs of games for each pairing
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = numbers::whole::<u32, _>(1..=1_000_000))]
    pairs: u32,
    /// Openings: balanced or even (built-in lists), random:PLIES, or a file of move lists or positions [default: balanced
    /// on 8×8, else random:4]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<OpeningSource>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u64, _>(0..))]
    seed: u64,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::whole::<u16, _>(1..=256))]
    jobs: u16,
    /// How far a player may overstep its time before it loses
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = numbers::seconds)]
    margin: Duration,
    /// How long to wait beyond that before the player is killed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = numbers::seconds)]
    hang: Duration,
    /// Number of empty squares from which exact solving decides the game
    #[arg(long, value_name = "EMPTIES", value_parser = numbers::whole::<u8, _>(1..=24))]
    adjudicate: Option<u8>,
    /// Stop as soon as a sequential test has decided between two Elo differences of the first player
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt)]
    sprt: Option<[f64; 2]>,
    /// Journal of finished games
    #[arg(long, value_name = "FILE", default_value = "match.jsonl", value_parser = resumable_file())]
    journal: PathBuf,
    /// Continue the match of the journal; more --pairs extend it
    #[arg(long)]
    resume: bool,
    /// Play only every N-th pair of games, starting with the I-th; their journals have the header of the whole match
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, conflicts_with = "sprt")]
    shard: Shard,
    /// Write the games as GGF at the end; - for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    ggf: Option<Destination>,
    /// Folder for the standard error of engines [default: beside the journal]
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Replace the --ggf file if it exists; a journal is never replaced
    #[arg(long)]
    force: bool,
}

fn parse_player(text: &str) -> Result<PlayerSpec, SpecError> {
    PlayerSpec::parse(text, |name| opponents::NAMES.contains(&name))
}

fn parse_sprt(text: &str) -> Result<[f64; 2], String> {
    let bounds: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match bounds.as_deref() {
        Some(&[low, high]) if low < high && low.is_finite() && high.is_finite() => Ok([low, high]),
        _ => Err("give two numbers, the smaller one first, such as 0,20".into()),
    }
}

impl MatchArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let openings = self.openings.unwrap_or(if self.size == Size::Eight {
            OpeningSource::Listed(OpeningList::Balanced)
        } else {
            OpeningSource::Random(4)
        });
        for PlayerSpec { name, weights, .. } in &self.players {
            weights
                .check_use(&[self.rules], self.size)
                .map_err(|problem| format!("player {name}: {problem}"))?;
        }
        let logs = self.logs.unwrap_or_else(|| self.journal.with_extension("logs"));
        let config = MatchConfig {
            players: self.players,
            rules: self.rules,
            size: self.size,
            format: self.format,
            pairs: self.pairs,
            openings,
            seed: self.seed,
            jobs: self.jobs.into(),
            conditions: GameConditions { margin: self.margin, hang: self.hang, adjudicate: self.adjudicate },
            sprt: self.sprt,
            journal: self.journal,
            resume: self.resume,
            shard: self.shard,
            ggf: self.ggf,
            force: self.force,
            logs,
        };
        let is_program = |player: &PlayerSpec| matches!(player.kind, PlayerKind::External(_));
        let _watchdog = config.players.iter().any(is_program).then(Watchdog::start);
        Ok(match run(config, output)? {
            Completion::Complete => ExitCode::SUCCESS,
            Completion::Interrupted => ExitCode::from(EXIT_CODE),
        })
    }
}

/// Summarise a match: tables, HTML page, CSV
#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// Journal of the match
    journal: PathBuf,
    /// Write a self-contained HTML page with every game to replay; - for standard output instead of the tables
    #[arg(long, value_name = "FILE")]
    html: Option<Destination>,
    /// Write a line for each game; - for standard output instead of the tables
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
        let report = MatchReport::load(&self.journal)?;
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

/// Test whether an engine follows its protocol
///
/// Runs a script of steps that GUIs rely on and prints pass, FAIL, or skip (an optional feature that the engine does not
/// have) for each. The exit code is 0 if no step fails.
///
///   ollehto compliance "./engine --fast"
///   ollehto compliance "./engine" --proto nboard --rules standard
///   ollehto compliance fairy-stockfish --proto uci --rules standard
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ComplianceArguments {
    /// Program with its arguments; single quotes protect spaces
    #[arg(value_name = "CMD")]
    command: String,
    /// Protocol
    #[arg(long, value_enum, value_name = "PROTOCOL", default_value = "gtp")]
    proto: PlayerProtocol,
    /// Working directory
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Who wins: the fewest discs (reversed) or the most (standard)
    #[arg(long, value_enum, value_name = "RULES", default_value = "reversed")]
    rules: Rules,
    /// Time per move, rounded up to whole seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = numbers::time)]
    time: Duration,
    /// How far it may overstep any time limit; more for a busy machine
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = numbers::seconds)]
    margin: Duration,
}

impl ComplianceArguments {
    pub(super) fn run(self, output: &mut impl Write) -> Result<ExitCode, Box<dyn Error>> {
        let engine = EngineSpec {
            command: words(&self.command)?,
            protocol: self.proto,
            directory: self.dir,
            colours: ColorSpelling::default(),
            init: Vec::new(),
            hang: None,
            memory: None,
            assumes_reversed: false,
        };
        let config = ComplianceConfig { engine, rules: self.rules, time: self.time, margin: self.margin };
        let _watchdog = Watchdog::start();
        let summary = compliance::run(config, output)?;
        Ok(if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
