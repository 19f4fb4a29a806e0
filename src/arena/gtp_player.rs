//! A program that speaks GTP, as a player.

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

/// A program may print so many lines that are no answer before it is held to talk nonsense.
const MAX_STRAY_LINES: usize = 10_000;

/// A program that speaks GTP.
pub(super) struct GtpPlayer {
    process: EngineProcess,
    spec: PlayerSpec,
    external: EngineSpec,
    known: BTreeSet<String>,
    /// How long a command other than `genmove` may take.
    timeout: Duration,
    size: Size,
    /// GRhino and others take no pass: they see by the next move that there was one.
    accepts_passes: bool,
}

/// An answer and when it came.
struct GtpAnswer {
    text: String,
    at: Timestamp,
}

impl GtpPlayer {
    /// A program that was just started.
    pub(super) fn new(
        process: EngineProcess,
        spec: &PlayerSpec,
        external: &EngineSpec,
        timeout: Duration,
    ) -> Self {
        Self {
            process,
            spec: spec.clone(),
            external: external.clone(),
            known: BTreeSet::new(),
            timeout,
            size: Size::Eight,
            accepts_passes: true,
        }
    }

    /// Makes acquaintance with the program.
    pub(super) fn handshake(&mut self) -> Result<(), PlayerError> {
        self.known = self.command("list_commands")?.split_whitespace().map(str::to_owned).collect();
        for command in self.external.init.clone() {
            self.command(&command)?;
        }
        let limits = self.spec.limits;
        let wanted = [
            ("depth", limits.depth.map(u64::from)),
            ("nodes", limits.nodes),
            ("level", limits.level.map(u64::from)),
            ("threads", self.spec.threads.map(u64::from)),
            ("hash", self.spec.hash.map(u64::from)),
        ];
        let wanted: Vec<_> = wanted.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        if let Some((name, _)) = wanted.iter().find(|(name, _)| !self.known.contains(*name)) {
            return Err(PlayerError::Malformed(format!(
                "has no command {name}: tell it in its own way by init="
            )));
        }
        for (name, value) in wanted {
            self.command(&format!("{name} {value}"))?;
        }
        Ok(())
    }

    /// Whether it matters that the program takes the rules from us.
    fn requires_rules(&self, rules: Rules) -> bool {
        rules == Rules::Reversed && !self.external.assumes_reversed
    }

    /// Sends a command and reads the answer to it; an error as answer is the player's fault.
    fn command(&mut self, command: &str) -> Result<String, PlayerError> {
        self.ask(command, self.timeout)?.map(|answer| answer.text).map_err(|text| {
            PlayerError::Malformed(format!(
                "answered '{}' with an error: {}",
                shortened(command),
                shortened(&text)
            ))
        })
    }

    /// Sends a command if the program has it.
    fn command_if_known(&mut self, name: &str, arguments: &str) -> Result<(), PlayerError> {
        if self.known.contains(name) {
            self.command(format!("{name} {arguments}").trim_end())?;
        }
        Ok(())
    }

    /// Tells a program about time, if it listens. GRhino and others understand whole seconds only; what they refuse
    /// they have to do without.
    fn tell_time(&mut self, command: String) -> Result<(), PlayerError> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.known.contains(name) {
            let _refused = self.ask(&command, self.timeout)?;
        }
        Ok(())
    }

    /// Sends a command: the answer, or the text of an error.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<Result<GtpAnswer, String>, PlayerError> {
        self.process.send(command)?;
        let until = Timestamp::now() + timeout;
        let ReceivedLine { text: first, at } = self.first_line(until)?;
        let mut lines = vec![String::from_utf8_lossy(&first[1..]).trim().to_owned()];
        loop {
            let line = String::from_utf8_lossy(&self.process.receive(until)?.text).trim().to_owned();
            if line.is_empty() {
                break;
            }
            if lines.len() > MAX_STRAY_LINES {
                return Err(PlayerError::Malformed("talks without end".into()));
            }
            lines.push(line);
        }
        let text = lines.join("\n");
        Ok(if first.first() == Some(&b'=') { Ok(GtpAnswer { text, at }) } else { Err(text) })
    }

    /// The line an answer begins with; programs print all kinds of things before it.
    fn first_line(&self, until: Timestamp) -> Result<ReceivedLine, PlayerError> {
        for _ in 0..MAX_STRAY_LINES {
            let heard = self.process.receive(until)?;
            if matches!(heard.text.first(), Some(b'=' | b'?')) {
                return Ok(heard);
            }
        }
        Err(PlayerError::Malformed("talks without end".into()))
    }

    fn color(&self, color: Color) -> &'static str {
        match (self.external.colours, color) {
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
                "has no command setboard, and this opening is a position".into(),
            ));
        }
        self.command(&format!("setboard {text}")).map(drop)
    }
}

impl MatchPlayer for GtpPlayer {
    /// Reversi engines play for the most discs unless told otherwise, so one that takes no rules is doubted only where
    /// the fewest win.
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
        if let RulesCheck::Unconfirmed(problem) =
            self.negotiate_rules(game.rules(), game.position().size())?
        {
            return Err(PlayerError::Malformed(problem));
        }
        self.set_up(&game.first_position())?;
        let (main, period, moves) = self.spec.control.gtp();
        self.tell_time(format!("time_settings {} {} {moves}", main.as_secs_f64(), period.as_secs_f64()))?;
        for (color, action) in game.moves() {
            self.notify_move(color, action)?;
        }
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        let color = self.color(request.color());
        if let Some((left, moves)) = request.clock(request.color()).gtp() {
            let milliseconds = left.as_millis() as f64;
            self.tell_time(format!("time_left {color} {} {moves}", milliseconds / 1000.0))?;
        }
        let sent = Timestamp::now();
        let answer = self.ask(&format!("genmove {color}"), request.timeout)?;
        let GtpAnswer { text, at } = answer.map_err(|text| {
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
        Ok(ChosenMove { action, spent: at.saturating_duration_since(sent), eval: None, depth: None })
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
