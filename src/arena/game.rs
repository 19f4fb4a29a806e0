//! One game under the referee's eyes: its own rules decide.

use std::time::Duration;

use crate::board::{Color, Move};
use crate::game::Game;
use crate::notation;
use crate::search::{Budget, Control, Searcher, Task};

use super::journal::{Ending, Evidence, Forfeit, GameRecord, MoveRecord};
use super::openings::move_list;
use super::player::{Fault, Player, Turn};
use crate::clock::{PlayerClock, TimeControl};
use crate::time_source::Timestamp;

/// What holds for all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// How far over its time a player may go.
    pub margin: Duration,
    /// How long an answer may stay out beyond that, where a player has no time of its own for it.
    pub hang: Duration,
    /// Exact solving decides from so many empty squares on.
    pub adjudicate: Option<u8>,
}

/// Nobody thinks longer about a move where there is no clock.
const LONGEST_THINK: Duration = Duration::from_secs(600);

/// A player at the board.
pub struct Seat<'a> {
    /// Its name in the record.
    pub name: &'a str,
    /// What it may spend.
    pub control: TimeControl,
    /// How long an answer may stay out beyond its time and the margin before the player is given up.
    pub hang: Duration,
    /// Itself.
    pub player: &'a mut dyn Player,
    /// What its chance is drawn from.
    pub seed: u64,
}

/// A game being played.
struct Play<'a, 'b> {
    seats: [Seat<'a>; 2],
    conditions: &'b Conditions,
    solver: &'b mut Searcher,
    game: Game,
    clocks: [PlayerClock; 2],
    times: Vec<Duration>,
    moves: Vec<MoveRecord>,
}

/// How a game came out: the result for Black, and how it was reached.
struct Verdict {
    score: i8,
    ending: Ending,
}

/// Plays a game from its opening to the end. `seats` are Black's and White's.
pub fn play(
    number: u32,
    opening: &Game,
    seats: [Seat<'_>; 2],
    conditions: &Conditions,
    solver: &mut Searcher,
) -> GameRecord {
    let names = [seats[0].name.to_owned(), seats[1].name.to_owned()];
    let clocks = [PlayerClock::new(seats[0].control), PlayerClock::new(seats[1].control)];
    let times = vec![Duration::ZERO; opening.moves().len()];
    let mut play =
        Play { seats, conditions, solver, game: opening.clone(), clocks, times, moves: Vec::new() };
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

/// A game lost by a fault.
struct Loss {
    /// Who has lost it.
    color: Color,
    reason: Forfeit,
    detail: String,
    /// What the player spent on the move that it did not make.
    spent: Option<Duration>,
}

const fn index(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

fn blame(color: Color) -> impl Fn(Fault) -> Loss {
    move |fault| {
        let (reason, detail) = fault.forfeit();
        Loss { color, reason, detail, spent: None }
    }
}

impl Play<'_, '_> {
    fn run(&mut self) -> Result<Verdict, Loss> {
        for color in [Color::Black, Color::White] {
            let seat = &mut self.seats[index(color)];
            seat.player.begin(&self.game, color, seat.seed).map_err(blame(color))?;
        }
        while !self.game.position().is_over() {
            if let Some(score) = self.adjudicate() {
                return Ok(Verdict { score, ending: Ending::Adjudicated });
            }
            self.turn()?;
        }
        Ok(Verdict { score: self.game.result(Color::Black).0, ending: Ending::Played })
    }

    fn turn(&mut self) -> Result<(), Loss> {
        let color = self.game.position().side();
        if self.game.position().must_pass() {
            // Nobody is asked for a move that is forced by the rules: engines differ in whether they say it.
            self.clocks[index(color)].pass();
            self.record(Move::Pass, Duration::ZERO, None, None);
            for listener in [Color::Black, Color::White] {
                self.seats[index(listener)].player.hear(color, Move::Pass).map_err(blame(listener))?;
            }
            return Ok(());
        }
        let limit = self.clocks[index(color)].limit();
        let allowed = limit.map_or(LONGEST_THINK, |limit| limit + self.conditions.margin);
        let patience = allowed + self.seats[index(color)].hang;
        let turn = Turn { game: &self.game, clocks: &self.clocks, times: &self.times, patience };
        let asked = Timestamp::now();
        let choice = self.seats[index(color)].player.choose(&turn);
        let choice = choice.map_err(|fault| Loss { spent: Some(asked.elapsed()), ..blame(color)(fault) })?;
        let spent = Some(choice.spent);
        if let Some(limit) = limit.filter(|&limit| choice.spent > limit + self.conditions.margin) {
            let detail = format!("took {:.3} s of {:.3} s", choice.spent.as_secs_f64(), limit.as_secs_f64());
            return Err(Loss { color, reason: Forfeit::Time, detail, spent });
        }
        if self.game.position().play(choice.action).is_none() {
            let name = notation::vertex(choice.action, self.game.position().size());
            let detail = name.to_string();
            return Err(Loss { color, reason: Forfeit::IllegalMove, detail, spent });
        }
        self.clocks[index(color)].charge(choice.spent);
        self.record(choice.action, choice.spent, choice.eval, choice.depth);
        let listener = color.opponent();
        self.seats[index(listener)].player.hear(color, choice.action).map_err(blame(listener))
    }

    /// Makes a move that is known to be legal.
    fn record(&mut self, action: Move, spent: Duration, eval: Option<f64>, depth: Option<u8>) {
        let text = notation::vertex(action, self.game.position().size()).to_string().to_lowercase();
        let played = self.game.follow(action);
        debug_assert!(played.is_ok(), "legal moves only");
        self.times.push(spent);
        self.moves.push(MoveRecord { text, seconds: spent.as_secs_f64(), eval, depth });
    }

    /// The result for Black of perfect play from here, if that is to decide.
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

    fn forfeit(&self, Loss { color, reason, detail, spent }: Loss) -> Verdict {
        let seconds = spent.map(|spent| spent.as_secs_f64());
        let evidence = Evidence { seconds, ..self.seats[index(color)].player.evidence(reason) };
        let all = self.game.position().size().area() as i8;
        let by = notation::side(color).to_string();
        let score = if color == Color::Black { -all } else { all };
        Verdict { score, ending: Ending::Forfeit { by, reason, detail, evidence } }
    }
}
