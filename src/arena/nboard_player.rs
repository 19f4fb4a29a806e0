//! An engine that speaks the NBoard protocol, as a player.

use std::time::Duration;

use ollehto_protocol::coord::Side;
use ollehto_protocol::nboard::{Command, MoveText, parse_line};

use crate::board::{Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::decided::decided_positions;
use super::journal::{Diagnostics, ForfeitReason};
use super::player::{ChosenMove, MatchPlayer, MoveRequest, PlayerError, RulesCheck};
use super::process::{EngineProcess, shortened};
use super::spec::{EngineSpec, PlayerSpec};

pub(super) struct NBoardPlayer {
    process: EngineProcess,
    spec: PlayerSpec,
    engine: EngineSpec,
    pings: u32,
    timeout: Duration,
    rules_confirmed: bool,
    /// The game after the opening. Game texts begin there: opening moves would earn the player increments.
    base: Option<Game>,
}

impl NBoardPlayer {
    pub(super) fn new(
        process: EngineProcess,
        spec: &PlayerSpec,
        engine: &EngineSpec,
        timeout: Duration,
    ) -> Self {
        Self {
            process,
            spec: spec.clone(),
            engine: engine.clone(),
            pings: 0,
            timeout,
            rules_confirmed: false,
            base: None,
        }
    }

    pub(super) fn handshake(&mut self) -> Result<(), PlayerError> {
        self.process.send("nboard 2")?;
        for line in &self.engine.init {
            self.process.send(line)?;
        }
        if let Some(level) = self.spec.limits.level.or(self.spec.limits.depth) {
            self.process.send(&format!("set depth {level}"))?;
        }
        self.ping().map(drop)
    }

    /// Waits until the engine has processed everything sent before. Returns the last hint value it has sent meanwhile.
    fn ping(&mut self) -> Result<Option<f64>, PlayerError> {
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings))?;
        let until = Timestamp::now() + self.timeout;
        let pong = format!("pong {}", self.pings);
        let mut value = None;
        self.process.wait_for(until, |line| {
            value = hinted_value(line).or(value);
            line == pong
        })?;
        Ok(value)
    }

    /// The engine's value of a position for the side to move, in a reversed game; none if it gives no hints.
    fn hint(&mut self, position: Position) -> Result<Option<f64>, PlayerError> {
        let game = Game::from_position(Rules::Reversed, position);
        self.process.send(&format!("set game {}", notation::record(&game)))?;
        self.ping()?;
        self.process.send("hint 1")?;
        let until = Timestamp::now() + self.timeout;
        match self.process.wait_for(until, |line| hinted_value(line).is_some()) {
            // The last value is of the deepest search.
            Ok((line, _)) => Ok(self.ping()?.or(hinted_value(&line))),
            Err(PlayerError::Hang(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The game as NBoard writes it, with both clocks and the times used.
    fn game_text(&self, request: &MoveRequest) -> String {
        let base = self.base.as_ref().unwrap_or(request.game);
        let opening = base.moves().len();
        let mut game = Game::from_position(base.rules(), *base.position());
        for &(color, action) in &request.game.moves()[opening..] {
            let played = game.play(color, action);
            debug_assert!(played.is_ok(), "they were played before");
        }
        let mut record = notation::record(&game);
        let mut spent = [Duration::ZERO; 2];
        for (index, played) in record.moves.iter_mut().enumerate() {
            let time = request.times.get(opening + index).copied().unwrap_or_default();
            played.text.seconds = Some(time);
            spent[usize::from(played.side == Side::White)] += time;
        }
        record.clocks = [0, 1].map(|at: usize| Some(request.clocks[at].ggf(spent[at])));
        let (own, other) = match request.color() {
            Color::Black => (&mut record.black, &mut record.white),
            Color::White => (&mut record.white, &mut record.black),
        };
        own.name.clone_from(&self.spec.name);
        other.name = "opponent".into();
        record.result = None;
        record.to_string()
    }
}

impl MatchPlayer for NBoardPlayer {
    /// The protocol has no command for the rules. A game of type `8a` is reversed, and engines that do not know the
    /// letter ignore it. So the engine is asked for hints in positions with a single move left, whose winner depends on
    /// the rules.
    fn negotiate_rules(&mut self, rules: Rules, size: Size) -> Result<RulesCheck, PlayerError> {
        if self.rules_confirmed || rules == Rules::Standard || self.engine.assumes_reversed {
            return Ok(RulesCheck::Confirmed);
        }
        for (position, wins_reversed) in decided_positions(size) {
            let problem = match self.hint(position)? {
                None => "does not answer 'hint 1', by which it could show that it knows the rules",
                Some(value) if (value > 0.0) == wins_reversed && value != 0.0 => continue,
                Some(_) => "values positions of a game of type 8a as if the most discs won",
            };
            return Ok(RulesCheck::Unconfirmed(problem.into()));
        }
        self.rules_confirmed = true;
        Ok(RulesCheck::Confirmed)
    }

    fn diagnostics(&self, reason: ForfeitReason) -> Diagnostics {
        self.process.diagnostics(reason)
    }

    fn start_game(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), PlayerError> {
        self.require_rules(game)?;
        self.base = Some(game.clone());
        // As in Novello's tournaments: games do not profit from earlier ones.
        self.process.send("clear")?;
        self.ping().map(drop)
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        self.process.send(&format!("set game {}", self.game_text(request)))?;
        self.ping()?;
        let sent = Timestamp::now();
        self.process.send("go")?;
        let (line, arrived) =
            self.process.wait_for(sent + request.timeout, |line| line.starts_with("==="))?;
        let nonsense = || PlayerError::Malformed(format!("answered go with '{}'", shortened(&line)));
        // Edax separates the parts of its answer by spaces.
        let answer = line.trim_start_matches('=').split_whitespace().collect::<Vec<_>>().join("/");
        let parsed = parse_line(format!("move {answer}").as_bytes());
        let Ok(Command::Move(MoveText { vertex, eval, .. })) = parsed else { return Err(nonsense()) };
        let action = notation::action(vertex, request.game.position().size()).ok_or_else(nonsense)?;
        Ok(ChosenMove { action, spent: arrived.saturating_duration_since(sent), eval, depth: None })
    }

    fn notify_move(&mut self, _color: Color, _action: Move) -> Result<(), PlayerError> {
        Ok(())
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}

/// The value in a hint such as `search C1 -64.00 0 100%`.
fn hinted_value(line: &str) -> Option<f64> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "search" || word == "book")?;
    // Two values, for two ways to count draws, are separated by a comma.
    words.nth(1)?.split(',').next()?.parse().ok()
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
}
