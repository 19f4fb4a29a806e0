//! A program that speaks GTP, as a player.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::parse_moves;

use crate::board::{Color, Move, Position, Size};
use crate::game::Game;
use crate::notation;

use super::player::{Choice, Fault, Player, Turn};
use super::process::{EngineProcess, Heard, shortened};
use super::spec::{Colours, PlayerSpec};
use super::time::TimeControl;

/// A program may print so many lines that are no answer before it is held to talk nonsense.
const LONGEST_CHATTER: usize = 10_000;

/// A program that speaks GTP.
pub(super) struct GtpPlayer {
    process: EngineProcess,
    known: BTreeSet<String>,
    colours: Colours,
    control: TimeControl,
    /// How long a command other than `genmove` may take.
    patience: Duration,
    size: Size,
    /// GRhino and others take no pass: they see by the next move that there was one.
    hears_passes: bool,
    limits: Vec<String>,
}

/// An answer and when it came.
struct Answer {
    text: String,
    at: Instant,
}

impl GtpPlayer {
    /// Makes acquaintance with a program that was just started.
    pub(super) fn greet(
        process: EngineProcess,
        spec: &PlayerSpec,
        colours: Colours,
        init: &[String],
        patience: Duration,
    ) -> Result<Self, Fault> {
        let mut player = Self {
            process,
            known: BTreeSet::new(),
            colours,
            control: spec.control,
            patience,
            size: Size::Eight,
            hears_passes: true,
            limits: Vec::new(),
        };
        player.known = player.command("list_commands")?.split_whitespace().map(str::to_owned).collect();
        for command in init {
            player.command(command)?;
        }
        let limits = spec.limits;
        let wanted = [
            ("depth", limits.depth.map(u64::from)),
            ("nodes", limits.nodes),
            ("level", limits.level.map(u64::from)),
            ("threads", spec.threads.map(u64::from)),
            ("hash", spec.hash.map(u64::from)),
        ];
        for (name, value) in wanted {
            let Some(value) = value else { continue };
            if !player.known.contains(name) {
                return Err(Fault::Malformed(format!(
                    "has no command {name}: tell it in its own way by init="
                )));
            }
            player.limits.push(format!("{name} {value}"));
        }
        for command in player.limits.clone() {
            player.command(&command)?;
        }
        Ok(player)
    }

    /// Sends a command and reads the answer to it; an error as answer is the player's fault.
    fn command(&mut self, command: &str) -> Result<String, Fault> {
        self.ask(command, self.patience)?.map(|answer| answer.text).map_err(|text| {
            Fault::Malformed(format!("answered '{}' with an error: {}", shortened(command), shortened(&text)))
        })
    }

    /// Sends a command if the program has it.
    fn command_if_known(&mut self, name: &str, arguments: &str) -> Result<(), Fault> {
        if self.known.contains(name) {
            self.command(format!("{name} {arguments}").trim_end())?;
        }
        Ok(())
    }

    /// Tells a program about time, if it listens. GRhino and others understand whole seconds only; what they refuse
    /// they have to do without.
    fn tell_time(&mut self, command: String) -> Result<(), Fault> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.known.contains(name) {
            let _refused = self.ask(&command, self.patience)?;
        }
        Ok(())
    }

    /// Sends a command: the answer, or the text of an error.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<Result<Answer, String>, Fault> {
        self.process.send(command)?;
        let until = Instant::now() + patience;
        let Heard { text: first, at } = self.first_line(until)?;
        let mut lines = vec![String::from_utf8_lossy(&first[1..]).trim().to_owned()];
        loop {
            let line = String::from_utf8_lossy(&self.process.receive(until)?.text).trim().to_owned();
            if line.is_empty() {
                break;
            }
            if lines.len() > LONGEST_CHATTER {
                return Err(Fault::Malformed("talks without end".into()));
            }
            lines.push(line);
        }
        let text = lines.join("\n");
        Ok(if first.first() == Some(&b'=') { Ok(Answer { text, at }) } else { Err(text) })
    }

    /// The line an answer begins with; programs print all kinds of things before it.
    fn first_line(&self, until: Instant) -> Result<Heard, Fault> {
        for _ in 0..LONGEST_CHATTER {
            let heard = self.process.receive(until)?;
            if matches!(heard.text.first(), Some(b'=' | b'?')) {
                return Ok(heard);
            }
        }
        Err(Fault::Malformed("talks without end".into()))
    }

    fn color(&self, color: Color) -> &'static str {
        match (self.colours, color) {
            (Colours::Words, Color::Black) => "black",
            (Colours::Words, Color::White) => "white",
            (Colours::Lower, Color::Black) => "b",
            (Colours::Lower, Color::White) => "w",
            (Colours::Upper, Color::Black) => "B",
            (Colours::Upper, Color::White) => "W",
        }
    }

    fn set_up(&mut self, start: &Position) -> Result<(), Fault> {
        self.size = start.size();
        self.command(&format!("boardsize {}", start.size().side()))?;
        self.command("clear_board")?;
        self.command_if_known("clear_cache", "")?;
        if *start == Position::start(start.size()) {
            return Ok(());
        }
        let text = notation::position_text(start);
        if !self.known.contains("setboard") {
            return Err(Fault::Malformed("has no command setboard, and this opening is a position".into()));
        }
        self.command(&format!("setboard {text}")).map(drop)
    }
}

impl Player for GtpPlayer {
    fn begin(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), Fault> {
        self.command_if_known("rules", &game.rules().to_string())?;
        self.set_up(&game.first_position())?;
        let (main, period, moves) = self.control.gtp();
        self.tell_time(format!("time_settings {} {} {moves}", main.as_secs_f64(), period.as_secs_f64()))?;
        for (color, action) in game.moves() {
            self.hear(color, action)?;
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Choice, Fault> {
        let color = self.color(turn.color());
        if let Some((left, moves)) = turn.clock(turn.color()).gtp() {
            let milliseconds = left.as_millis() as f64;
            self.tell_time(format!("time_left {color} {} {moves}", milliseconds / 1000.0))?;
        }
        let sent = Instant::now();
        let answer = self.ask(&format!("genmove {color}"), turn.patience)?;
        let Answer { text, at } = answer.map_err(|text| {
            Fault::Malformed(format!("answered genmove with an error: {}", shortened(&text)))
        })?;
        if text.eq_ignore_ascii_case("resign") {
            return Err(Fault::Resigned);
        }
        let vertices = parse_moves(text.as_bytes()).unwrap_or_default();
        let action = match vertices.as_slice() {
            [vertex] => notation::action(*vertex, self.size),
            _ => None,
        };
        let action = action
            .ok_or_else(|| Fault::Malformed(format!("answered genmove with '{}'", shortened(&text))))?;
        Ok(Choice { action, spent: at.saturating_duration_since(sent), eval: None, depth: None })
    }

    fn hear(&mut self, color: Color, action: Move) -> Result<(), Fault> {
        let vertex = notation::vertex(action, self.size);
        if vertex == Vertex::Pass && !self.hears_passes {
            return Ok(());
        }
        let command = format!("play {} {vertex}", self.color(color));
        match self.ask(&command, self.patience)? {
            Ok(_) => Ok(()),
            Err(_) if vertex == Vertex::Pass => {
                self.hears_passes = false;
                Ok(())
            }
            Err(text) => Err(Fault::Malformed(format!("refused '{command}': {}", shortened(&text)))),
        }
    }

    fn dismiss(self: Box<Self>) {
        self.process.dismiss();
    }
}
