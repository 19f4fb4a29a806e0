//! Games in files: what is written of a game, and what can be continued.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ollehto_protocol::ggf::{GgfClock, GgfEnding, GgfGame, GgfMove, GgfResult, MoveText};
use thiserror::Error;

use crate::board::{Color, Size};
use crate::clock::{PlayerClock, TimeControl};
use crate::files::bounded::read_bounded;
use crate::game::Game;
use crate::game_reader::{LastGame, ReadGame, ReadOptions, read_last_game};
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::terminal::plain::plain;
use crate::time_source::Timestamp;

use super::settings::{GameSettings, People};
use super::state::{Note, Outcome, State};
use super::strength::Strength;

/// The field PC of games that were played here: of these the names tell who plays and how strong.
const PLACE: &str = "Ollehto play";
/// In bytes. The screen waits while a file is read.
const LARGEST: u64 = 4 << 20;

const PERSON: &str = "You";
const ENGINE: &str = "Ollehto, ";

/// What was chosen explicitly: it overrides what a record or the defaults say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    pub rules: Option<Rules>,
    pub size: Option<Size>,
    pub people: Option<People>,
    pub strength: Option<Strength>,
    pub clock: Option<TimeControl>,
}

impl Choices {
    /// These, and others where nothing was chosen.
    #[must_use]
    pub fn or(&self, others: &GameSettings) -> GameSettings {
        GameSettings {
            rules: self.rules.unwrap_or(others.rules),
            size: self.size.unwrap_or(others.size),
            people: self.people.unwrap_or(others.people),
            strength: self.strength.unwrap_or(others.strength),
            clock: self.clock.unwrap_or(others.clock),
        }
    }
}

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    #[error("{} is no file of games", .0.display())]
    NoFile(PathBuf),
    #[error("{} has more than {size} MiB: copy the game that you want to a file of its own", .0.display(), size = LARGEST >> 20)]
    TooLarge(PathBuf),
    #[error("there is no game in {}: {}", .0.display(), .1)]
    Fault(PathBuf, String),
    #[error("{} holds no game", .0.display())]
    Empty(PathBuf),
    #[error("{} is a game by {rules} rules: leave out --rules {other}", path.display())]
    OtherRules { path: PathBuf, rules: Rules, other: Rules },
    #[error("there is no unfinished game: start one with `ollehto play`")]
    NothingToContinue,
}

/// A game that goes on.
#[derive(Debug)]
pub struct Loaded {
    pub state: State,
    /// What comes behind it and cannot be read or played, in words.
    pub fault: Option<String>,
}

/// The game with what is known of its moves.
#[must_use]
pub fn record(state: &State) -> GgfGame {
    let settings = state.settings();
    let mut record = notation::record(state.game());
    record.place = Some(PLACE.into());
    record.date = Some(date(SystemTime::now()));
    record.black.name = settings.name(Color::Black);
    record.white.name = settings.name(Color::White);
    let clock = Some(PlayerClock::new(settings.clock).ggf(Duration::ZERO));
    // Clients show an unlimited clock as one that has run out.
    record.clocks = [clock.filter(|clock| !clock.is_unlimited()); 2];
    for (turn, note) in record.moves.iter_mut().zip(state.notes()) {
        annotate(turn, note);
    }
    let lost = |loser, ending| {
        let all = f64::from(settings.size.area());
        GgfResult { score: if loser == Color::Black { -all } else { all }, ending }
    };
    match state.outcome() {
        Some(Outcome::Resigned(loser)) => record.result = Some(lost(loser, GgfEnding::Resigned)),
        Some(Outcome::OutOfTime(loser)) => record.result = Some(lost(loser, GgfEnding::Timeout)),
        // Its discs tell it.
        Some(Outcome::Played) | None => {}
    }
    record
}

fn annotate(turn: &mut GgfMove, note: Note) {
    let MoveText { eval, seconds, .. } = &mut turn.text;
    *eval = note.value.map(Score::discs);
    *seconds = (!note.spent.is_zero()).then_some(note.spent);
}

/// Reads the last game of a file, up to its fault. What neither was chosen nor is in the record is as in `others`.
///
/// # Errors
/// If it cannot be read, holds no game, or tells other rules than were chosen.
pub fn load(
    path: &Path,
    choices: &Choices,
    others: &GameSettings,
    now: Timestamp,
) -> Result<Loaded, LoadError> {
    let options = ReadOptions {
        rules: choices.rules.unwrap_or(others.rules),
        size: others.size,
        ..ReadOptions::new(choices.rules, None)
    };
    let LastGame { game, fault, .. } = read_last(path, &options)?;
    // Strangers may have chosen the words.
    let fault = fault.map(|fault| plain(&fault.to_string()).into_owned());
    let path = path.to_owned();
    match (game, fault) {
        (Some(game), fault) => {
            let state = restore(&game, choices, others, now)
                .map_err(|OtherRules { rules, other }| LoadError::OtherRules { path, rules, other })?;
            Ok(Loaded { state, fault })
        }
        (None, Some(fault)) => Err(LoadError::Fault(path, fault)),
        (None, None) => Err(LoadError::Empty(path)),
    }
}

/// # Errors
/// If it is no file, is too large, or cannot be read.
pub fn read_last(path: &Path, options: &ReadOptions) -> Result<LastGame, LoadError> {
    let failed = |error| LoadError::Read(path.to_owned(), error);
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(LoadError::NoFile(path.to_owned()));
    }
    let bytes = File::open(path).and_then(|file| read_bounded(file, LARGEST)).map_err(failed)?;
    let bytes = bytes.ok_or_else(|| LoadError::TooLarge(path.to_owned()))?;
    Ok(read_last_game(&String::from_utf8_lossy(&bytes), options))
}

/// A game tells other rules than were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherRules {
    pub rules: Rules,
    pub other: Rules,
}

/// # Errors
/// If it tells other rules than were chosen.
pub fn restore(
    read: &ReadGame,
    choices: &Choices,
    others: &GameSettings,
    now: Timestamp,
) -> Result<State, OtherRules> {
    let (record, game) = (&*read.record(), &read.game);
    let own = match record.place.as_deref() {
        _ if read.tells_rules => Some(game.rules()),
        // What is written here is marked if it is reversed.
        Some(PLACE) => Some(Rules::Standard),
        _ => None,
    };
    if let (Some(rules), Some(other)) = (own, choices.rules)
        && rules != other
    {
        return Err(OtherRules { rules, other });
    }
    let settings = of_record(record, choices, others);
    let note = |turn: &GgfMove| Note {
        spent: turn.text.seconds.unwrap_or_default(),
        value: turn
            .text
            .eval
            .map(|discs| Score::from_units((discs * f64::from(Score::UNITS)).round() as i32)),
    };
    let notes = notes_by_move(record, game, note);
    let loser = |score: f64| if score < 0.0 { Color::Black } else { Color::White };
    // That of a game with a fault belongs to moves which are not there.
    let result = record.result.filter(|_| read.fault.is_none());
    let outcome = result.and_then(|result| match result.ending {
        GgfEnding::Resigned => Some(Outcome::Resigned(loser(result.score))),
        GgfEnding::Timeout => Some(Outcome::OutOfTime(loser(result.score))),
        GgfEnding::Normal | GgfEnding::Adjourned => None,
    });
    Ok(State::from_game(settings, game, &notes, outcome, now))
}

/// A record may leave out passes, the game has them.
fn notes_by_move(record: &GgfGame, game: &Game, note: impl Fn(&GgfMove) -> Note) -> Vec<Note> {
    let mut turns = record.moves.iter().peekable();
    let mut next = |color| turns.next_if(|turn| notation::color(turn.side) == color);
    let unknown = Note { spent: Duration::ZERO, value: None };
    game.moves().into_iter().map(|(color, _)| next(color).map_or(unknown, &note)).collect()
}

fn of_record(record: &GgfGame, choices: &Choices, others: &GameSettings) -> GameSettings {
    if record.place.as_deref() != Some(PLACE) {
        return choices.or(others);
    }
    let names = [&record.black.name, &record.white.name];
    let strength = names.iter().find_map(|name| name.strip_prefix(ENGINE)?.parse().ok());
    let people = match names.map(|name| name == PERSON) {
        [true, true] => People::Both,
        [true, false] => People::Black,
        [false, true] => People::White,
        [false, false] => People::None,
    };
    let control = |&GgfClock { main, increment, .. }: &GgfClock| TimeControl::Game { main, increment };
    choices.or(&GameSettings {
        people,
        strength: strength.unwrap_or(others.strength),
        clock: record.clocks[0].as_ref().map_or(TimeControl::Unlimited, control),
        ..*others
    })
}

/// As in `2026-11-18T07:02:22Z`.
#[must_use]
pub fn date(time: SystemTime) -> String {
    const DAY: u64 = 86_400;
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil(seconds / DAY);
    let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day so many days after 1 January 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    fn read(text: &str, choices: &Choices) -> ReadGame {
        read_last_game(text, &ReadOptions::new(choices.rules, None)).game.expect("a game")
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400 + 3_661), "2000-02-29T01:01:01Z");
        assert_eq!(at(1_798_761_599), "2026-12-31T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    fn played(settings: GameSettings, moves: usize, now: Timestamp) -> State {
        let mut state = State::new(settings, now);
        let times = iter::successors(Some(now), |time| Some(*time + Duration::from_millis(1250)));
        for time in times.skip(1).take(moves) {
            let Some(square) = state.position().moves().last() else { break };
            state.play(square, Some(Score::from_units(35)), time).expect("legal");
        }
        state
    }

    #[test]
    fn a_game_goes_on_from_its_record() {
        let now = Timestamp::now();
        let clock = TimeControl::Game { main: Duration::from_secs(300), increment: Duration::from_secs(3) };
        for people in People::ALL {
            for rules in Rules::ALL {
                for (size, moves) in [(Size::Four, 60), (Size::Eight, 21)] {
                    let settings = GameSettings { rules, size, people, strength: Strength::level(3), clock };
                    let state = played(settings, moves, now);
                    let text = record(&state).to_string();
                    let read = read(&text, &Choices::default());
                    let again = restore(&read, &Choices::default(), &GameSettings::default(), now)
                        .expect("its own rules");
                    let expected = match people {
                        // No engine plays, so none has a strength.
                        People::Both => GameSettings { strength: Strength::default(), ..settings },
                        _ => settings,
                    };
                    assert_eq!(again.settings(), &expected);
                    assert_eq!(again.game().moves(), state.game().moves());
                    assert!(again.notes().eq(state.notes()), "{text}");
                    assert_eq!(again.outcome(), state.outcome());
                    for color in [Color::Black, Color::White] {
                        let left = |state: &State| state.clocks().left(color, state.position().side(), now);
                        assert_eq!(left(&again), left(&state), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn resignation_and_time_are_kept() {
        let now = Timestamp::now();
        let mut resigned = played(GameSettings::default(), 4, now);
        assert_eq!(resigned.resign(), Some(Color::Black));
        let text = record(&resigned).to_string();
        assert!(text.contains("RE[-64:r]"), "{text}");
        let restored = |text: &str| {
            let read = read(text, &Choices::default());
            restore(&read, &Choices::default(), &GameSettings::default(), now).expect("its own rules")
        };
        assert_eq!(restored(&text).outcome(), Some(Outcome::Resigned(Color::Black)));
        let torn = text.replace(";)", "W[");
        assert_eq!((restored(&torn).outcome(), restored(&torn).game().moves().len()), (None, 4));
    }

    #[test]
    fn a_record_from_elsewhere_takes_the_settings_of_the_user() {
        let text = "(;GM[Othello]PB[You]PW[Ollehto, level 9]TI[0:01]TY[8a]BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1/2];)";
        let choices = Choices { people: Some(People::White), ..Choices::default() };
        let state = restore(&read(text, &choices), &choices, &GameSettings::default(), Timestamp::now())
            .expect("its own rules");
        let settings = state.settings();
        assert_eq!((settings.rules, settings.people), (Rules::Reversed, People::White));
        assert_eq!((settings.strength, settings.clock), (Strength::default(), TimeControl::Unlimited));
    }

    #[test]
    fn chosen_rules_hold_where_the_record_is_silent() {
        let text =
            "(;PC[x]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
        for (text, chosen, expected) in [
            (text.to_owned(), None, Ok(Rules::Standard)),
            (text.to_owned(), Some(Rules::Reversed), Ok(Rules::Reversed)),
            (text.replace("TY[8]", "TY[8a]"), None, Ok(Rules::Reversed)),
            (
                text.replace("TY[8]", "TY[8a]"),
                Some(Rules::Standard),
                Err(OtherRules { rules: Rules::Reversed, other: Rules::Standard }),
            ),
            (
                text.replace("PC[x]", &format!("PC[{PLACE}]")),
                Some(Rules::Reversed),
                Err(OtherRules { rules: Rules::Standard, other: Rules::Reversed }),
            ),
        ] {
            let choices = Choices { rules: chosen, ..Choices::default() };
            let state = restore(&read(&text, &choices), &choices, &GameSettings::default(), Timestamp::now());
            assert_eq!(state.map(|state| state.settings().rules), expected, "{text} {chosen:?}");
        }
    }
}
