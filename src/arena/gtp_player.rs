//! An engine that speaks GTP, as a player.

use std::collections::BTreeSet;
use std::time::Duration;

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::parse_moves;

use crate::board::{Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::journal::{Diagnostics, ForfeitReason};
use super::player::{ChosenMove, MatchPlayer, MoveRequest, PlayerError, RulesCheck};
use super::process::{EngineProcess, ReceivedLine, shortened};
use super::spec::{ColorSpelling, EngineSpec, PlayerSpec};

/// Lines outside of an answer, or in one, before the engine is at fault.
const MAX_STRAY_LINES: usize = 10_000;

pub(super) struct GtpPlayer {
    process: EngineProcess,
    spec: PlayerSpec,
    engine: EngineSpec,
    known: BTreeSet<String>,
    /// For commands other than `genmove`.
    timeout: Duration,
    size: Size,
    /// GRhino and others refuse passes: the next move implies them.
    accepts_passes: bool,
}

struct GtpAnswer {
    text: String,
    arrived: Timestamp,
}

impl GtpPlayer {
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
            known: BTreeSet::new(),
            timeout,
            size: Size::Eight,
            accepts_passes: true,
        }
    }

    /// Asks for the commands and sends the settings.
    pub(super) fn handshake(&mut self) -> Result<(), PlayerError> {
        self.known = self.command("list_commands")?.split_whitespace().map(str::to_owned).collect();
        for command in self.engine.init.clone() {
            self.command(&command)?;
        }
        let limits = self.spec.limits;
        let settings = [
            ("depth", limits.depth.map(u64::from)),
            ("nodes", limits.nodes),
            ("level", limits.level.map(u64::from)),
            ("elo", limits.elo.map(|elo| elo.rating().into())),
            ("threads", self.spec.threads.map(u64::from)),
            ("hash", self.spec.hash.map(u64::from)),
        ];
        let settings: Vec<_> =
            settings.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        if let Some((name, _)) = settings.iter().find(|(name, _)| !self.known.contains(*name)) {
            return Err(PlayerError::Malformed(format!(
                "has no command {name}: set it with a command of its own by init="
            )));
        }
        for (name, value) in settings {
            self.command(&format!("{name} {value}"))?;
        }
        Ok(())
    }

    /// Whether the engine has to accept the rules.
    fn requires_rules(&self, rules: Rules) -> bool {
        rules == Rules::Reversed && !self.engine.assumes_reversed
    }

    /// Sends a command that has to succeed, and returns the answer.
    fn command(&mut self, command: &str) -> Result<String, PlayerError> {
        self.ask(command, self.timeout)?.map(|answer| answer.text).map_err(|text| {
            PlayerError::Malformed(format!(
                "answered '{}' with an error: {}",
                shortened(command),
                shortened(&text)
            ))
        })
    }

    fn command_if_known(&mut self, name: &str, arguments: &str) -> Result<(), PlayerError> {
        if self.known.contains(name) {
            self.command(format!("{name} {arguments}").trim_end())?;
        }
        Ok(())
    }

    /// Sends a time command if the engine has it. An error is ignored: GRhino and others accept whole seconds only.
    fn send_time(&mut self, command: String) -> Result<(), PlayerError> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.known.contains(name) {
            let _refused = self.ask(&command, self.timeout)?;
        }
        Ok(())
    }

    /// Sends a command. The inner error is the text of a GTP error.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<Result<GtpAnswer, String>, PlayerError> {
        self.process.send(command)?;
        let until = Timestamp::now() + timeout;
        let ReceivedLine { text: first, arrived } = self.first_line(until)?;
        let mut lines = vec![String::from_utf8_lossy(&first[1..]).trim().to_owned()];
        loop {
            let line = String::from_utf8_lossy(&self.process.receive(until)?.text).trim().to_owned();
            if line.is_empty() {
                break;
            }
            if lines.len() > MAX_STRAY_LINES {
                return Err(PlayerError::Malformed("never stops writing".into()));
            }
            lines.push(line);
        }
        let text = lines.join("\n");
        Ok(if first.first() == Some(&b'=') { Ok(GtpAnswer { text, arrived }) } else { Err(text) })
    }

    /// The first line of an answer; engines print all kinds of lines before it.
    fn first_line(&self, until: Timestamp) -> Result<ReceivedLine, PlayerError> {
        for _ in 0..MAX_STRAY_LINES {
            let heard = self.process.receive(until)?;
            if matches!(heard.text.first(), Some(b'=' | b'?')) {
                return Ok(heard);
            }
        }
        Err(PlayerError::Malformed("never stops writing".into()))
    }

    fn color(&self, color: Color) -> &'static str {
        match (self.engine.colours, color) {
            (ColorSpelling::Words, Color::Black) => "black",
            (ColorSpelling::Words, Color::White) => "white",
            (ColorSpelling::Lower, Color::Black) => "b",
            (ColorSpelling::Lower, Color::White) => "w",
            (ColorSpelling::Upper, Color::Black) => "B",
            (ColorSpelling::Upper, Color::White) => "W",
        }
    }

    fn set_up(&mut self, start: &Position) -> Result<(), PlayerError> {
        self.size = start.size();
        self.command(&format!("boardsize {}", start.size().side()))?;
        self.command("clear_board")?;
        self.command_if_known("clear_cache", "")?;
        if *start == Position::start(start.size()) {
            return Ok(());
        }
        let text = notation::position_text(start);
        if !self.known.contains("setboard") {
            return Err(PlayerError::Malformed(
                "has no command setboard, and the opening is a position".into(),
            ));
        }
        self.command(&format!("setboard {text}")).map(drop)
    }
}

impl MatchPlayer for GtpPlayer {
    /// Without `rules` an engine plays for the most discs, so only a reversed match needs the confirmation.
    fn negotiate_rules(&mut self, rules: Rules, _size: Size) -> Result<RulesCheck, PlayerError> {
        let problem = if self.known.contains("rules") {
            let command = format!("rules {rules}");
            match self.ask(&command, self.timeout)? {
                Ok(_) => return Ok(RulesCheck::Confirmed),
                Err(text) => format!("answers '{command}' with an error ({})", shortened(&text)),
            }
        } else {
            "has no command 'rules'".into()
        };
        Ok(if self.requires_rules(rules) { RulesCheck::Unconfirmed(problem) } else { RulesCheck::Confirmed })
    }

    fn diagnostics(&self, reason: ForfeitReason) -> Diagnostics {
        self.process.diagnostics(reason)
    }

    fn start_game(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), PlayerError> {
        self.require_rules(game)?;
        self.set_up(&game.first_position())?;
        let (main, period, moves) = self.spec.control.gtp();
        self.send_time(format!("time_settings {} {} {moves}", main.as_secs_f64(), period.as_secs_f64()))?;
        for (color, action) in game.moves() {
            self.notify_move(color, action)?;
        }
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        let color = self.color(request.color());
        if let Some((left, moves)) = request.clock(request.color()).gtp() {
            let milliseconds = left.as_millis() as f64;
            self.send_time(format!("time_left {color} {} {moves}", milliseconds / 1000.0))?;
        }
        let sent = Timestamp::now();
        let answer = self.ask(&format!("genmove {color}"), request.timeout)?;
        let GtpAnswer { text, arrived } = answer.map_err(|text| {
            PlayerError::Malformed(format!("answered genmove with an error: {}", shortened(&text)))
        })?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(PlayerError::Resigned);
        }
        let vertices = parse_moves(text.as_bytes()).unwrap_or_default();
        let action = match vertices.as_slice() {
            [vertex] => notation::action(*vertex, self.size),
            _ => None,
        };
        let action = action
            .ok_or_else(|| PlayerError::Malformed(format!("answered genmove with '{}'", shortened(&text))))?;
        Ok(ChosenMove { action, spent: arrived.saturating_duration_since(sent), eval: None, depth: None })
    }

    fn notify_move(&mut self, color: Color, action: Move) -> Result<(), PlayerError> {
        let vertex = notation::vertex(action, self.size);
        if vertex == Vertex::Pass && !self.accepts_passes {
            return Ok(());
        }
        let command = format!("play {} {vertex}", self.color(color));
        match self.ask(&command, self.timeout)? {
            Ok(_) => Ok(()),
            Err(_) if vertex == Vertex::Pass => {
                self.accepts_passes = false;
                Ok(())
            }
            Err(text) => Err(PlayerError::Malformed(format!("refused '{command}': {}", shortened(&text)))),
        }
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}
