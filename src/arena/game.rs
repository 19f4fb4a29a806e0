//! One game under the referee, which alone decides on legal moves, time and result.

use std::time::Duration;

use crate::board::{Color, Move};
use crate::game::Game;
use crate::notation;
use crate::search::{Budget, Control, Searcher, Task};

use super::journal::{Diagnostics, ForfeitReason, GameEnding, GameRecord, MoveRecord};
use super::openings::move_list;
use super::player::{MatchPlayer, MoveRequest, PlayerError};
use crate::clock::{PlayerClock, TimeControl};
use crate::time_source::Timestamp;

/// Settings for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct GameConditions {
    /// How far a player may overstep its time.
    pub margin: Duration,
    /// How long to wait beyond that before the player is killed; a player may have its own value.
    pub hang: Duration,
    /// The number of empty squares from which exact solving decides the game.
    pub adjudicate: Option<u8>,
}

/// For a move without a clock.
const MAX_MOVE_TIME: Duration = Duration::from_secs(600);

/// A player of one game.
pub struct Participant<'a> {
    pub name: &'a str,
    pub control: TimeControl,
    /// As [`GameConditions::hang`].
    pub hang: Duration,
    pub player: &'a mut dyn MatchPlayer,
    pub seed: u64,
}

struct RunningGame<'a, 'b> {
    participants: [Participant<'a>; 2],
    conditions: &'b GameConditions,
    solver: &'b mut Searcher,
    game: Game,
    clocks: [PlayerClock; 2],
    times: Vec<Duration>,
    moves: Vec<MoveRecord>,
}

struct GameVerdict {
    /// For Black, in discs.
    score: i8,
    ending: GameEnding,
}

/// Plays a game from its opening to the end. Black is the first participant.
pub fn play(
    number: u32,
    opening: &Game,
    participants: [Participant<'_>; 2],
    conditions: &GameConditions,
    solver: &mut Searcher,
) -> GameRecord {
    let names = [participants[0].name.to_owned(), participants[1].name.to_owned()];
    let clocks = [PlayerClock::new(participants[0].control), PlayerClock::new(participants[1].control)];
    let times = vec![Duration::ZERO; opening.moves().len()];
    let mut play = RunningGame {
        participants,
        conditions,
        solver,
        game: opening.clone(),
        clocks,
        times,
        moves: Vec::new(),
    };
    let verdict = match play.run() {
        Ok(verdict) => verdict,
        Err(loss) => play.forfeit(loss),
    };
    let [black, white] = names;
    GameRecord {
        number,
        black,
        white,
        start: notation::position_text(&opening.first_position()).to_string(),
        opening: move_list(opening),
        moves: play.moves,
        score: verdict.score,
        ending: verdict.ending,
    }
}

struct ForfeitedGame {
    /// Who has lost.
    color: Color,
    reason: ForfeitReason,
    detail: String,
    /// The time for the move that was not made.
    spent: Option<Duration>,
}

const fn index(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

fn forfeited_by(color: Color) -> impl Fn(PlayerError) -> ForfeitedGame {
    move |error| {
        let (reason, detail) = error.forfeit();
        ForfeitedGame { color, reason, detail, spent: None }
    }
}

impl RunningGame<'_, '_> {
    fn run(&mut self) -> Result<GameVerdict, ForfeitedGame> {
        for color in [Color::Black, Color::White] {
            let participant = &mut self.participants[index(color)];
            participant
                .player
                .start_game(&self.game, color, participant.seed)
                .map_err(forfeited_by(color))?;
        }
        while !self.game.position().is_over() {
            if let Some(score) = self.adjudicate() {
                return Ok(GameVerdict { score, ending: GameEnding::Adjudicated });
            }
            self.turn()?;
        }
        Ok(GameVerdict { score: self.game.result(Color::Black).0, ending: GameEnding::Played })
    }

    fn turn(&mut self) -> Result<(), ForfeitedGame> {
        let color = self.game.position().side();
        if self.game.position().must_pass() {
            // Engines differ in whether they answer `pass`, so they are not asked.
            self.clocks[index(color)].pass();
            self.record(Move::Pass, Duration::ZERO, None, None);
            for listener in [Color::Black, Color::White] {
                self.participants[index(listener)]
                    .player
                    .notify_move(color, Move::Pass)
                    .map_err(forfeited_by(listener))?;
            }
            return Ok(());
        }
        let limit = self.clocks[index(color)].limit();
        let allowed = limit.map_or(MAX_MOVE_TIME, |limit| limit + self.conditions.margin);
        let timeout = allowed + self.participants[index(color)].hang;
        let request = MoveRequest { game: &self.game, clocks: &self.clocks, times: &self.times, timeout };
        let asked = Timestamp::now();
        let choice = self.participants[index(color)].player.choose_move(&request);
        let choice = choice
            .map_err(|error| ForfeitedGame { spent: Some(asked.elapsed()), ..forfeited_by(color)(error) })?;
        let spent = Some(choice.spent);
        if let Some(limit) = limit.filter(|&limit| choice.spent > limit + self.conditions.margin) {
            let detail = format!("took {:.3} s of {:.3} s", choice.spent.as_secs_f64(), limit.as_secs_f64());
            return Err(ForfeitedGame { color, reason: ForfeitReason::Time, detail, spent });
        }
        if self.game.position().play(choice.action).is_none() {
            let name = notation::vertex(choice.action, self.game.position().size());
            let detail = name.to_string();
            return Err(ForfeitedGame { color, reason: ForfeitReason::IllegalMove, detail, spent });
        }
        self.clocks[index(color)].charge(choice.spent);
        self.record(choice.action, choice.spent, choice.eval, choice.depth);
        let listener = color.opponent();
        self.participants[index(listener)]
            .player
            .notify_move(color, choice.action)
            .map_err(forfeited_by(listener))
    }

    /// Makes a legal move.
    fn record(&mut self, action: Move, spent: Duration, eval: Option<f64>, depth: Option<u8>) {
        let text = notation::vertex(action, self.game.position().size()).to_string().to_lowercase();
        let played = self.game.follow(action);
        debug_assert!(played.is_ok(), "legal moves only");
        self.times.push(spent);
        self.moves.push(MoveRecord { text, seconds: spent.as_secs_f64(), eval, depth });
    }

    /// The result for Black by exact solving, if that is to decide already.
    fn adjudicate(&mut self) -> Option<i8> {
        let position = *self.game.position();
        let empties = position.empties().len() as u8;
        self.conditions.adjudicate.filter(|&from| empties <= from)?;
        let task = Task::new(position, self.game.rules());
        let outcome = self.solver.run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {});
        let score =
            outcome.last.lines.first().filter(|_| outcome.last.exact)?.score.whole_discs_below() as i8;
        Some(if position.side() == Color::Black { score } else { -score })
    }

    fn forfeit(&self, ForfeitedGame { color, reason, detail, spent }: ForfeitedGame) -> GameVerdict {
        let seconds = spent.map(|spent| spent.as_secs_f64());
        let diagnostics =
            Diagnostics { seconds, ..self.participants[index(color)].player.diagnostics(reason) };
        let all = self.game.position().size().area() as i8;
        let by = notation::side(color).to_string();
        let score = if color == Color::Black { -all } else { all };
        GameVerdict { score, ending: GameEnding::Forfeit { by, reason, detail, diagnostics } }
    }
}
