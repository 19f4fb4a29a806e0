//! A program that speaks NBoard's protocol, as a player.

use std::time::{Duration, Instant};

use ollehto_protocol::coord::Side;
use ollehto_protocol::nboard::{Command, MoveText, parse_line};

use crate::board::{Color, Move};
use crate::game::Game;
use crate::notation;

use super::player::{Choice, Fault, Player, Turn};
use super::process::{EngineProcess, Heard, shortened};
use super::spec::PlayerSpec;

/// A program that speaks NBoard's protocol.
pub(super) struct NBoardPlayer {
    process: EngineProcess,
    name: String,
    pings: u32,
    patience: Duration,
    /// The game as it was when the opening had been played. Game texts begin there: moves of the opening were none of
    /// the player's, and would earn it increments.
    base: Option<Game>,
}

impl NBoardPlayer {
    /// Makes acquaintance with a program that was just started.
    pub(super) fn greet(
        mut process: EngineProcess,
        spec: &PlayerSpec,
        init: &[String],
        patience: Duration,
    ) -> Result<Self, Fault> {
        process.send("nboard 2")?;
        for line in init {
            process.send(line)?;
        }
        if let Some(level) = spec.limits.level.or(spec.limits.depth) {
            process.send(&format!("set depth {level}"))?;
        }
        let mut player = Self { process, name: spec.name.clone(), pings: 0, patience, base: None };
        player.synchronise()?;
        Ok(player)
    }

    /// Waits until the program has worked off everything sent before.
    fn synchronise(&mut self) -> Result<(), Fault> {
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings))?;
        let until = Instant::now() + self.patience;
        let pong = format!("pong {}", self.pings);
        self.wait_for(until, |line| line == pong).map(drop)
    }

    /// The next line that passes the test; all others are chatter.
    fn wait_for(&self, until: Instant, wanted: impl Fn(&str) -> bool) -> Result<(String, Instant), Fault> {
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
        own.name.clone_from(&self.name);
        other.name = "opponent".into();
        record.result = None;
        record.to_string()
    }
}

impl Player for NBoardPlayer {
    fn begin(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), Fault> {
        self.base = Some(game.clone());
        // Novello's tournaments do the same: nothing of the last game is to help in this one.
        self.process.send("clear")?;
        self.synchronise()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Choice, Fault> {
        self.process.send(&format!("set game {}", self.game_text(turn)))?;
        self.synchronise()?;
        let sent = Instant::now();
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
