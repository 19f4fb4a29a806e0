//! A program that speaks NBoard's protocol, as a player.

use std::time::Duration;

use ollehto_protocol::coord::Side;
use ollehto_protocol::nboard::{Command, MoveText, parse_line};
use ollehto_protocol::notation::parse_position;

use crate::board::{Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::journal::{Evidence, Forfeit};
use super::player::{Agreement, Choice, Fault, Player, Turn};
use super::process::{EngineProcess, Heard, shortened};
use super::spec::{External, PlayerSpec};

/// A program that speaks NBoard's protocol.
pub(super) struct NBoardPlayer {
    process: EngineProcess,
    spec: PlayerSpec,
    external: External,
    pings: u32,
    patience: Duration,
    /// Whether it is known to play by the rules of the match.
    agreed: bool,
    /// The game as it was when the opening had been played. Game texts begin there: moves of the opening were none of
    /// the player's, and would earn it increments.
    base: Option<Game>,
}

impl NBoardPlayer {
    /// A program that was just started.
    pub(super) fn new(
        process: EngineProcess,
        spec: &PlayerSpec,
        external: &External,
        patience: Duration,
    ) -> Self {
        Self {
            process,
            spec: spec.clone(),
            external: external.clone(),
            pings: 0,
            patience,
            agreed: false,
            base: None,
        }
    }

    /// Makes acquaintance with the program.
    pub(super) fn greet(&mut self) -> Result<(), Fault> {
        self.process.send("nboard 2")?;
        for line in &self.external.init {
            self.process.send(line)?;
        }
        if let Some(level) = self.spec.limits.level.or(self.spec.limits.depth) {
            self.process.send(&format!("set depth {level}"))?;
        }
        self.synchronise().map(drop)
    }

    /// Waits until the program has worked off everything sent before; the last value of a position that it has told
    /// meanwhile.
    fn synchronise(&mut self) -> Result<Option<f64>, Fault> {
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings))?;
        let until = Timestamp::now() + self.patience;
        let pong = format!("pong {}", self.pings);
        let mut value = None;
        self.wait_for(until, |line| {
            value = hinted_value(line).or(value);
            line == pong
        })?;
        Ok(value)
    }

    /// What the program says a position is worth to the side to move, in a game that the fewest discs win; none if it
    /// does not say.
    fn hint(&mut self, position: Position) -> Result<Option<f64>, Fault> {
        let game = Game::from_position(Rules::Reversed, position);
        self.process.send(&format!("set game {}", notation::record(&game)))?;
        self.synchronise()?;
        self.process.send("hint 1")?;
        let until = Timestamp::now() + self.patience;
        match self.wait_for(until, |line| hinted_value(line).is_some()) {
            // It may go on to think; what it says last is best.
            Ok((line, _)) => Ok(self.synchronise()?.or(hinted_value(&line))),
            Err(Fault::Hang(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The next line that passes the test; all others are chatter.
    fn wait_for(
        &self,
        until: Timestamp,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<(String, Timestamp), Fault> {
        loop {
            let Heard { text, at } = self.process.receive(until)?;
            let line = String::from_utf8_lossy(&text).trim().to_owned();
            if wanted(&line) {
                return Ok((line, at));
            }
        }
    }

    /// The game as NBoard writes it, with both clocks and the times used.
    fn game_text(&self, turn: &Turn) -> String {
        let base = self.base.as_ref().unwrap_or(turn.game);
        let opening = base.moves().len();
        let mut game = Game::from_position(base.rules(), *base.position());
        for &(color, action) in &turn.game.moves()[opening..] {
            let played = game.play(color, action);
            debug_assert!(played.is_ok(), "they were played before");
        }
        let mut record = notation::record(&game);
        let mut spent = [Duration::ZERO; 2];
        for (index, played) in record.moves.iter_mut().enumerate() {
            let time = turn.times.get(opening + index).copied().unwrap_or_default();
            played.text.seconds = Some(time);
            spent[usize::from(played.side == Side::White)] += time;
        }
        record.clocks = [0, 1].map(|at: usize| Some(turn.clocks[at].ggf(spent[at])));
        let (own, other) = match turn.color() {
            Color::Black => (&mut record.black, &mut record.white),
            Color::White => (&mut record.white, &mut record.black),
        };
        own.name.clone_from(&self.spec.name);
        other.name = "opponent".into();
        record.result = None;
        record.to_string()
    }
}

impl Player for NBoardPlayer {
    /// The protocol has no word for it: the type of the game, `8a`, says that the fewest discs win, and programs that do
    /// not know the letter pass over it in silence. So the program is asked for the values of positions with a single
    /// move left, which one player wins by any rules and the other by the opposite ones.
    fn agree(&mut self, rules: Rules, size: Size) -> Result<Agreement, Fault> {
        if self.agreed || rules == Rules::Standard || self.external.assumes_reversed {
            return Ok(Agreement::Certain);
        }
        for (position, wins_reversed) in decided_positions(size) {
            let problem = match self.hint(position)? {
                None => "does not answer 'hint 1', by which it could show that it knows the rules",
                Some(value) if (value > 0.0) == wins_reversed && value != 0.0 => continue,
                Some(_) => "values positions of a game of type 8a as if the most discs won",
            };
            return Ok(Agreement::Doubtful(problem.into()));
        }
        self.agreed = true;
        Ok(Agreement::Certain)
    }

    fn evidence(&self, reason: Forfeit) -> Evidence {
        self.process.evidence(reason)
    }

    fn begin(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), Fault> {
        if let Agreement::Doubtful(problem) = self.agree(game.rules(), game.position().size())? {
            return Err(Fault::Malformed(problem));
        }
        self.base = Some(game.clone());
        // Novello's tournaments do the same: nothing of the last game is to help in this one.
        self.process.send("clear")?;
        self.synchronise().map(drop)
    }

    fn choose(&mut self, turn: &Turn) -> Result<Choice, Fault> {
        self.process.send(&format!("set game {}", self.game_text(turn)))?;
        self.synchronise()?;
        let sent = Timestamp::now();
        self.process.send("go")?;
        let (line, at) = self.wait_for(sent + turn.patience, |line| line.starts_with("==="))?;
        let nonsense = || Fault::Malformed(format!("answered go with '{}'", shortened(&line)));
        // Edax separates the parts of its answer by blanks.
        let answer = line.trim_start_matches('=').split_whitespace().collect::<Vec<_>>().join("/");
        let parsed = parse_line(format!("move {answer}").as_bytes());
        let Ok(Command::Move(MoveText { vertex, eval, .. })) = parsed else { return Err(nonsense()) };
        let action = notation::action(vertex, turn.game.position().size()).ok_or_else(nonsense)?;
        Ok(Choice { action, spent: at.saturating_duration_since(sent), eval, depth: None })
    }

    fn hear(&mut self, _color: Color, _action: Move) -> Result<(), Fault> {
        Ok(())
    }

    fn dismiss(self: Box<Self>) {
        self.process.dismiss();
    }
}

/// The value of a position in a line of hints, such as `search C1 -64.00 0 100%`.
fn hinted_value(line: &str) -> Option<f64> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "search" || word == "book")?;
    // A pair of values, for draws, is written with a comma.
    words.nth(1)?.split(',').next()?.parse().ok()
}

/// Positions with one legal move, after which the game is over, and whether the side to move wins if the fewest discs
/// do: one in which it takes the opponent's last disc, and one in which it keeps next to none.
fn decided_positions(size: Size) -> impl Iterator<Item = (Position, bool)> {
    let squares = usize::from(size.area());
    let texts = [
        (format!("XO{} X", "-".repeat(squares - 2)), false),
        (format!("-OX{} X", "O".repeat(squares - 3)), true),
    ];
    texts.into_iter().filter_map(|(text, wins)| {
        let position = notation::position(&parse_position(text.as_bytes()).ok()?).ok()?;
        Some((position, wins))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_from_hints() {
        assert_eq!(hinted_value("search C1 -64.00 0 100%"), Some(-64.0));
        assert_eq!(hinted_value("book F5d6 +1.5,-0.5 12 20"), Some(1.5));
        for other in ["search C1", "search", "status search C1 5", "=== C1/5", "pong 3", "search C1 x 0 1"] {
            assert_eq!(hinted_value(other), None, "{other}");
        }
    }

    #[test]
    fn the_positions_are_decided_as_they_say() {
        for size in Size::ALL {
            let mut count = 0;
            for (position, wins) in decided_positions(size) {
                count += 1;
                let moves: Vec<_> = position.moves().into_iter().collect();
                assert_eq!(moves.len(), 1);
                let mut game = Game::from_position(Rules::Reversed, position);
                game.follow(Move::Place(moves[0])).expect("legal");
                assert!(game.position().is_over());
                assert_eq!(game.result(Color::Black).0 > 0, wins);
            }
            assert_eq!(count, 2);
        }
    }
}
