//! The saved state of an analysis: a line for each position that was searched.

use std::collections::HashMap;
use std::path::Path;

use ollehto_protocol::notation::parse_moves;
use serde::{Deserialize, Serialize};

use crate::bench::evaluation_fingerprint;
use crate::board::{Move, Size};
use crate::files::append_log::{AppendLog, AppendLogError, LogFormat, OlderFormat};
use crate::notation;
use crate::review::{Review, ReviewedMove};
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Iteration, Line};
use crate::selectivity::Selectivity;

use super::{AnalyzeOptions, ReviewedGame, json};

const FORMAT: LogFormat = LogFormat {
    name: "saved analyses",
    title: "ollehto analysis 2",
    older: OlderFormat { title: "ollehto analysis 1", has_checksums: true },
};

/// A position that was searched. Games are told apart by rules, start and moves, so that files may be reordered.
#[derive(Serialize, Deserialize)]
struct SavedPosition {
    game: String,
    at: usize,
    depth: u8,
    /// In percent.
    selectivity: u8,
    exact: bool,
    /// None for the last position of a game.
    played: Option<SavedLine>,
    best: Vec<SavedLine>,
}

#[derive(Serialize, Deserialize)]
struct SavedLine {
    /// In the units of [`Score`].
    score: i16,
    moves: String,
}

impl SavedLine {
    fn new(line: &Line, size: Size) -> Self {
        Self { score: line.score.units(), moves: json::moves_text(&line.moves, size) }
    }

    fn line(&self, size: Size) -> Option<Line> {
        let vertices = parse_moves(self.moves.as_bytes()).ok()?;
        let moves: Option<Vec<Move>> =
            vertices.into_iter().map(|vertex| notation::action(vertex, size)).collect();
        Some(Line { score: Score::from_units(self.score.into()), moves: moves? })
    }
}

/// What tells a game from others.
fn key(review: &Review) -> String {
    let start = notation::position_text(&review.positions()[0]);
    format!("{} {start} {}", review.rules(), json::move_text(review))
}

pub(super) struct SavedState {
    log: AppendLog,
}

impl SavedState {
    /// Opens a state, or begins one, and restores what it knows of the games.
    pub(super) fn open(
        path: &Path,
        options: &AnalyzeOptions,
        games: &mut [ReviewedGame],
    ) -> Result<Self, AppendLogError> {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, game) in games.iter().enumerate() {
            places.entry(key(&game.review)).or_default().push(at);
        }
        let wanted = settings(options);
        let mut restored = Self::restore(path, &wanted, &places, games);
        // Older files do not tell their weights.
        let silent = wanted.rsplit_once(WEIGHTS).map_or(wanted.as_str(), |(silent, _)| silent);
        if matches!(&restored, Err(AppendLogError::OtherSettings { found, .. }) if found == silent) {
            eprintln!(
                "ollehto: {} does not tell the weights of its values: they are only right if these were the same; \
                 if in doubt, name another file",
                path.display()
            );
            restored = Self::restore(path, silent, &places, games);
        }
        let (log, restored) = restored?;
        if restored > 0 {
            eprintln!("continuing with {restored} positions of {}", path.display());
        }
        Ok(Self { log })
    }

    fn restore(
        path: &Path,
        settings: &str,
        places: &HashMap<String, Vec<usize>>,
        games: &mut [ReviewedGame],
    ) -> Result<(AppendLog, usize), AppendLogError> {
        let mut restored = 0;
        let log = AppendLog::open(path, &FORMAT, settings, |text| {
            let saved: SavedPosition = serde_json::from_str(text).map_err(|error| error.to_string())?;
            for &at in places.get(&saved.game).into_iter().flatten() {
                restored +=
                    usize::from(saved.restore(&mut games[at].review).ok_or("it does not fit its game")?);
            }
            Ok(())
        })?;
        Ok((log, restored))
    }

    /// Appends what was found at a position of a game.
    pub(super) fn save(&mut self, review: &Review, at: usize) -> Result<(), AppendLogError> {
        let Some(saved) = SavedPosition::of(review, at) else { return Ok(()) };
        let text = serde_json::to_string(&saved).expect("no map has keys other than text");
        self.log.append(&text)
    }
}

impl SavedPosition {
    fn of(review: &Review, at: usize) -> Option<Self> {
        let size = review.positions()[at].size();
        let lines = |lines: &[Line]| lines.iter().map(|line| SavedLine::new(line, size)).collect();
        let game = key(review);
        Some(match review.moves().get(at) {
            Some(reviewed) => {
                let ReviewedMove { played, best, depth, selectivity, exact, .. } = reviewed.as_ref()?;
                let (selectivity, played) = (selectivity.percent(), Some(SavedLine::new(played, size)));
                Self { game, at, depth: *depth, selectivity, exact: *exact, played, best: lines(best) }
            }
            None => {
                let last = review.last()?;
                let (selectivity, best) = (last.selectivity.percent(), lines(&last.lines));
                Self { game, at, depth: last.depth, selectivity, exact: last.exact, played: None, best }
            }
        })
    }

    /// Gives a review what is saved. Returns whether it was new; none if it does not fit.
    fn restore(&self, review: &mut Review) -> Option<bool> {
        let position = *review.positions().get(self.at)?;
        let size = position.size();
        let best: Vec<_> = self.best.iter().map(|line| line.line(size)).collect::<Option<_>>()?;
        let selectivity = Selectivity::from_percent(self.selectivity)?;
        let &Self { depth, exact, at, .. } = self;
        let fits = match &self.played {
            Some(played) => {
                let played = played.line(size)?;
                review.restore(at, ReviewedMove { position, played, best, depth, selectivity, exact })
            }
            None => review.restore_last(Iteration { depth, selectivity, exact, lines: best, nodes: 0 }),
        };
        fits.then_some(true)
    }
}

/// Comes before the fingerprint of the evaluation.
const WEIGHTS: &str = ", evaluation ";

/// What the values depend on.
fn settings(options: &AnalyzeOptions) -> String {
    let limits = &options.limits;
    let mut parts = vec![format!("multi {}", options.lines)];
    parts.extend(limits.time.map(|time| format!("time {} s", time.as_secs_f64())));
    parts.extend(limits.depth.map(|depth| format!("depth {depth}")));
    parts.extend(limits.level.map(|level| format!("level {level}")));
    parts.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    let fingerprint = evaluation_fingerprint(&options.weights, &Rules::ALL);
    format!("{}{WEIGHTS}{fingerprint:08x}", parts.join(", "))
}
