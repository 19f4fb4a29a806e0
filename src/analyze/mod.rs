//! `ollehto analyze`: games and positions reviewed, one after the other.

mod annotate;
mod input;
mod json;
mod page;
mod state;
mod stream;
mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::eval::Evaluation;
use crate::files::append_log::AppendLogError;
use crate::files::output::{ClaimedOutput, OutputError};
use crate::game_reader::{Contents, Fault, MAX_FAULTS, ReadOptions};
use crate::review::{Analyzer, Review};
use crate::search::{Limits, Searcher};
use crate::stdio::exit_with_output;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::plain::plain;
use crate::time_source::TimeSource;

pub use input::{GameInput, GameSource, InputError};

use json::JsonWriter;
use state::SavedState;
use table::LiveTable;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisFormat {
    /// A table for each game.
    Table,
    /// A line for each move, as it is searched.
    Json,
}

#[derive(Debug)]
pub struct AnalyzeOptions {
    pub sources: Vec<GameSource>,
    /// What games may not tell themselves.
    pub read: ReadOptions,
    /// For each position.
    pub limits: Limits,
    /// How many of the best moves are shown.
    pub lines: usize,
    pub threads: usize,
    /// In MiB.
    pub hash: usize,
    pub weights: Evaluation,
    pub format: AnalysisFormat,
    /// Only the last position, with the value of each depth.
    pub stream: bool,
    /// Where to save each reviewed move, and to continue from.
    pub resume: Option<PathBuf>,
    /// Annotated games.
    pub ggf: Option<ClaimedOutput>,
    /// The page.
    pub html: Option<ClaimedOutput>,
}

#[derive(Debug, Error)]
pub enum AnalyzeError {
    #[error("{0}")]
    Input(#[from] InputError),
    #[error("{0}: there is no game in it; {1}")]
    NoGame(String, &'static str),
    #[error("--stream takes one game or position, not {0}")]
    NotOne(usize),
    #[error("{0}; nothing is left to search")]
    Over(String),
    #[error("{0}")]
    State(#[from] AppendLogError),
    #[error("{0}")]
    File(#[from] OutputError),
    #[error("cannot write the analysis: {0}")]
    Output(#[source] io::Error),
    #[error("{0}")]
    System(#[source] io::Error),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalyzeEnd {
    Complete,
    /// Everything readable was analysed.
    Faulty,
    Interrupted,
}

/// What can be analysed, for people who gave something else.
const FORMS: &str = "give moves such as f5d6c3, GGF records or positions";

/// A game with its review, which may be incomplete after an interrupt.
struct ReviewedGame {
    /// From 1.
    number: usize,
    input: GameInput,
    review: Review,
}

/// Analyses all games, and writes each as soon as it is there.
///
/// # Errors
/// If there is no game, a file cannot be read or written, or the saved state is of other settings.
pub fn run(options: &AnalyzeOptions, output: &mut impl Write) -> Result<AnalyzeEnd, AnalyzeError> {
    // Before all threads, as it demands.
    let interrupts = Interrupts::of_terminal_and_batch().map_err(AnalyzeError::System)?;
    // An analysis may take hours: stop if nobody reads the output any more.
    exit_with_output().map_err(AnalyzeError::System)?;
    let Input { games, faults, fault_count } = read_all(options, &interrupts)?;
    if interrupts.is_raised() {
        return Ok(AnalyzeEnd::Interrupted);
    }
    let is_faulty = report_faults(&games, &faults, fault_count);
    if games.is_empty() && is_faulty {
        return Ok(AnalyzeEnd::Faulty);
    }
    if games.is_empty() {
        let names: Vec<_> = options.sources.iter().map(ToString::to_string).collect();
        return Err(AnalyzeError::NoGame(names.join(", "), FORMS));
    }
    let searcher =
        Searcher::new(options.threads, options.hash).with_evaluation(options.weights.clone()).batch();
    if options.stream {
        stream::run(options, &games, searcher, &interrupts, output)?;
    } else {
        analyze_all(options, games, searcher, &interrupts, output)?;
    }
    Ok(match is_faulty {
        _ if interrupts.is_raised() => AnalyzeEnd::Interrupted,
        true => AnalyzeEnd::Faulty,
        false => AnalyzeEnd::Complete,
    })
}

/// A review as the lines of JSON that `--json` prints.
#[must_use]
pub fn review_json(input: GameInput, review: Review) -> String {
    let game = ReviewedGame { number: 1, input, review };
    let mut output = Vec::new();
    let mut json = JsonWriter { output: &mut output };
    let written = json.positions(&game, game.review.actions().len()).and_then(|()| json.game(&game));
    written.expect("memory takes all that is written");
    String::from_utf8(output).expect("JSON is text")
}

/// The reviews of games, with what a saved state knows of them.
///
/// # Errors
/// If the state cannot be read, or is of other settings.
pub fn restore(
    path: &Path,
    options: &AnalyzeOptions,
    games: Vec<GameInput>,
) -> Result<Vec<(GameInput, Review)>, AppendLogError> {
    let mut reviewed = begin(games, options);
    SavedState::open(path, options, &mut reviewed)?;
    Ok(reviewed.into_iter().map(|game| (game.input, game.review)).collect())
}

fn begin(games: Vec<GameInput>, options: &AnalyzeOptions) -> Vec<ReviewedGame> {
    let begun = |(number, input): (usize, GameInput)| {
        let review = Review::new(&input.read.game, options.lines);
        ReviewedGame { number, input, review }
    };
    (1..).zip(games).map(begun).collect()
}

/// What all sources hold.
#[derive(Default)]
struct Input {
    games: Vec<GameInput>,
    /// The first ones of what is no game at all, each with its source.
    faults: Vec<(Arc<str>, Fault)>,
    fault_count: usize,
}

fn read_all(options: &AnalyzeOptions, interrupts: &Interrupts) -> Result<Input, InputError> {
    let mut all = Input::default();
    for source in &options.sources {
        let Contents { games, faults, fault_count, .. } = source.read(&options.read, interrupts)?;
        let source: Arc<str> = source.to_string().into();
        all.games.extend(games.into_iter().map(|read| GameInput { source: source.clone(), read }));
        all.faults.extend(faults.into_iter().map(|fault| (source.clone(), fault)));
        all.faults.truncate(MAX_FAULTS);
        all.fault_count += fault_count;
    }
    Ok(all)
}

/// Tells what is wrong with the input, of which strangers may have chosen the words. Returns whether anything is.
fn report_faults(games: &[GameInput], faults: &[(Arc<str>, Fault)], count: usize) -> bool {
    let torn = || games.iter().filter_map(|game| Some((&game.source, game.read.fault.as_deref()?)));
    let all = faults.iter().map(|(source, fault)| (source, fault, ""));
    let all = all.chain(torn().map(|(source, fault)| (source, fault, "; analysed up to here")));
    let mut told = 0;
    for (source, fault, consequence) in all.take(MAX_FAULTS) {
        eprintln!("{}", plain(&format!("ollehto: {source}, {fault}{consequence}")));
        told += 1;
    }
    let all = count + torn().count();
    if all > told {
        eprintln!("ollehto: and {} more such faults", all - told);
    }
    all > 0
}

fn analyze_all(
    options: &AnalyzeOptions,
    games: Vec<GameInput>,
    searcher: Searcher,
    interrupts: &Interrupts,
    output: &mut impl Write,
) -> Result<(), AnalyzeError> {
    let mut analyzer = Analyzer::new(searcher, options.limits, TimeSource::default());
    let mut reviewed = begin(games, options);
    let mut state =
        options.resume.as_ref().map(|path| SavedState::open(path, options, &mut reviewed)).transpose()?;
    let left = reviewed.iter().map(|game| game.review.positions_left()).sum();
    let mut live = LiveTable::new(left);
    let mut json = JsonWriter { output };
    for game in &mut reviewed {
        if interrupts.is_raised() {
            break;
        }
        // What was restored. Without the last position it comes with that one.
        if options.format == AnalysisFormat::Json && game.review.last().is_some() {
            json.positions(game, game.review.actions().len()).map_err(AnalyzeError::Output)?;
        }
        while let (Some(at), Some(task)) = (game.review.next_index(), game.review.next_task()) {
            let control = interrupts.control();
            control.set_budget(&analyzer.budget(&task));
            live.begin(game, at);
            let found = analyzer.search_next(&game.review, &control, &mut |iteration| live.show(iteration));
            // Half of a search is no basis for a judgement.
            if interrupts.is_raised() || !found.is_some_and(|found| game.review.record(&found)) {
                break;
            }
            live.end(game, at);
            if let Some(state) = &mut state {
                state.save(&game.review, at)?;
            }
            if options.format == AnalysisFormat::Json {
                json.positions(game, at).map_err(AnalyzeError::Output)?;
            }
        }
        match options.format {
            AnalysisFormat::Table => live.suspend(|| table::write(game, &mut *json.output)),
            AnalysisFormat::Json => json.game(game),
        }
        .map_err(AnalyzeError::Output)?;
    }
    drop(live);
    write_files(options, &reviewed, interrupts)
}

/// After an interrupt a run with a saved state completes the files later.
fn write_files(
    options: &AnalyzeOptions,
    reviewed: &[ReviewedGame],
    interrupts: &Interrupts,
) -> Result<(), AnalyzeError> {
    if interrupts.is_raised() && options.resume.is_some() {
        eprintln!("ollehto: interrupted; the same command goes on from here");
        return Ok(());
    }
    if let Some(ggf) = &options.ggf {
        ggf.write(annotate::games(reviewed))?;
    }
    if let Some(html) = &options.html {
        html.write(page::page(reviewed, options))?;
    }
    Ok(())
}
