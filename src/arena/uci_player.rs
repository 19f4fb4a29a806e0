//! An engine that speaks UCI, as a player.

use std::cmp::Ordering;
use std::time::Duration;

use crate::board::{Color, Move, Position, Size};
use crate::clock::{PlayerClock, TimeControl};
use crate::game::Game;
use crate::notation::uci::{Counters, Variant, line_names, read_move};
use crate::rules::Rules;
use crate::search::DEFAULT_TIME;
use crate::time_source::Timestamp;

use super::decided::decided_positions;
use super::journal::{Diagnostics, ForfeitReason};
use super::player::{ChosenMove, MatchPlayer, MoveRequest, PlayerError, RulesCheck};
use super::process::{EngineProcess, shortened};
use super::spec::{EngineSpec, PlayerSpec};

/// Of a search in a position with one move before the end; some engines need plies for the passes after it.
pub(super) const DECIDED_DEPTH: u8 = 6;

pub(super) struct UciPlayer {
    process: EngineProcess,
    spec: PlayerSpec,
    engine: EngineSpec,
    /// For commands other than `go`.
    timeout: Duration,
    options: UciOptions,
    confirmed: Option<(Rules, Size)>,
}

/// What an engine says that it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UciOptions {
    /// In small letters.
    names: Vec<String>,
    /// Those of `UCI_Variant`.
    variants: Vec<String>,
}

impl UciOptions {
    /// Takes a line such as `option name UCI_Variant type combo default chess var chess var flipello`.
    pub(super) fn add(&mut self, line: &str) {
        let Some(option) = line.strip_prefix("option name ") else { return };
        let (name, rest) = option.split_once(" type ").unwrap_or((option, ""));
        if name.eq_ignore_ascii_case("uci_variant") {
            self.variants = rest.split(" var ").skip(1).map(|variant| variant.trim().to_owned()).collect();
        }
        self.names.push(name.trim().to_ascii_lowercase());
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The engine's name for a game.
    pub(super) fn variant(&self, rules: Rules, size: Size) -> Option<&'static str> {
        let names = Variant::of(rules, size).map(|variant| variant.name);
        names.into_iter().find(|name| self.variants.iter().any(|known| known == name))
    }
}

/// The last value and depth that a search has told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LastInfo {
    /// In discs. None if the game is won or lost, which UCI tells without the margin.
    pub(super) eval: Option<f64>,
    pub(super) depth: Option<u8>,
    /// Whether the last value is a win or a loss for the side to move.
    pub(super) sign: Ordering,
    pub(super) has_score: bool,
}

impl Default for LastInfo {
    fn default() -> Self {
        Self { eval: None, depth: None, sign: Ordering::Equal, has_score: false }
    }
}

impl LastInfo {
    /// Takes a line such as `info depth 12 multipv 1 score cp -250 pv P@e3`.
    pub(super) fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") || words.get(1) == Some(&"string") {
            return;
        }
        let after = |name: &str| words.iter().position(|&word| word == name).map(|at| &words[at + 1..]);
        let number = |name: &str| after(name)?.first()?.parse::<i64>().ok();
        if number("multipv").is_some_and(|rank| rank != 1) {
            return;
        }
        match after("score") {
            Some(["cp", value, ..]) => {
                self.eval = value.parse::<f64>().ok().map(|value| value / 100.0);
                self.sign = self.eval.map_or(Ordering::Equal, |value| value.total_cmp(&0.0));
            }
            Some(["mate", moves, ..]) => {
                self.eval = None;
                // Who is mated already has lost.
                let is_won = moves.parse::<i64>().is_ok_and(|moves| moves > 0);
                self.sign = if is_won { Ordering::Greater } else { Ordering::Less };
            }
            _ => return,
        }
        self.has_score = true;
        self.depth = number("depth").and_then(|depth| u8::try_from(depth).ok()).or(self.depth);
    }
}

impl UciPlayer {
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
            timeout,
            options: UciOptions::default(),
            confirmed: None,
        }
    }

    /// Asks for the options and sets those of the player.
    pub(super) fn handshake(&mut self) -> Result<(), PlayerError> {
        self.process.send("uci")?;
        let until = Timestamp::now() + self.timeout;
        let mut options = UciOptions::default();
        self.process.wait_for(until, |line| {
            options.add(line);
            line == "uciok"
        })?;
        self.options = options;
        for line in &self.engine.init {
            self.process.send(line)?;
        }
        let elo = self.spec.limits.elo.map(|elo| elo.rating().to_string());
        let settings = [
            ("Threads", self.spec.threads.map(|threads| threads.to_string())),
            ("Hash", self.spec.hash.map(|mebibytes| mebibytes.to_string())),
            ("UCI_LimitStrength", elo.as_ref().map(|_| "true".to_owned())),
            ("UCI_Elo", elo),
        ];
        for (name, value) in settings {
            let Some(value) = value else { continue };
            if !self.options.has(name) {
                return Err(PlayerError::Malformed(format!("has no option {name}")));
            }
            self.process.send(&format!("setoption name {name} value {value}"))?;
        }
        self.synchronize()
    }

    /// Waits until the engine has taken everything sent before.
    fn synchronize(&mut self) -> Result<(), PlayerError> {
        self.process.send("isready")?;
        self.process.wait_for(Timestamp::now() + self.timeout, |line| line == "readyok").map(drop)
    }

    /// Whether the last score of a shallow search is a win; none without a score.
    fn judgement(&mut self, position: Position) -> Result<Option<Ordering>, PlayerError> {
        self.process.send(&position_command(&Game::from_position(Rules::Reversed, position)))?;
        self.process.send(&format!("go depth {DECIDED_DEPTH}"))?;
        let mut info = LastInfo::default();
        let answer = self.process.wait_for(Timestamp::now() + self.timeout, |line| {
            info.add(line);
            line.starts_with("bestmove")
        });
        match answer {
            Ok(_) => Ok(info.has_score.then_some(info.sign)),
            Err(PlayerError::Hang(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The clocks and limits after `go`.
    fn limits(&self, clocks: &[PlayerClock; 2], color: Color) -> String {
        let limits = &self.spec.limits;
        let mut words = match self.spec.control {
            TimeControl::PerMove(time) => vec![format!("movetime {}", time.as_millis())],
            TimeControl::Game { .. } | TimeControl::ByoYomi { .. } => clock_words(clocks, color),
            // An engine with a rating may need no limit, but others would never end.
            TimeControl::Unlimited if limits.depth.is_none() && limits.nodes.is_none() => {
                vec![format!("movetime {}", DEFAULT_TIME.as_millis())]
            }
            TimeControl::Unlimited => Vec::new(),
        };
        words.extend(limits.depth.map(|depth| format!("depth {depth}")));
        words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
        words.join(" ")
    }
}

fn clock_words(clocks: &[PlayerClock; 2], color: Color) -> Vec<String> {
    let mut words = Vec::new();
    for (letter, clock) in ["w", "b"].into_iter().zip(clocks) {
        let Some(clock) = clock.search_clock() else { continue };
        words.push(format!("{letter}time {}", clock.left.as_millis()));
        words.push(format!("{letter}inc {}", clock.increment.as_millis()));
    }
    let own = clocks[usize::from(color == Color::White)].search_clock();
    words.extend(own.and_then(|clock| clock.moves).map(|moves| format!("movestogo {moves}")));
    words
}

/// `position` with the game so far. The board is written out unless it is the usual one.
pub(super) fn position_command(game: &Game) -> String {
    let first = game.first_position();
    let start = if first == Position::start(first.size()) {
        "startpos".to_owned()
    } else {
        format!("fen {}", Counters::start(first.size()).fen(&first))
    };
    let moves: Vec<Move> = game.moves().into_iter().map(|(_, action)| action).collect();
    match line_names(first, &moves) {
        names if names.is_empty() => format!("position {start}"),
        names => format!("position {start} moves {}", names.join(" ")),
    }
}

impl MatchPlayer for UciPlayer {
    /// The variant's name alone proves nothing: PlayStrategy's Fairy-Stockfish has `ps-antiflipello` and still plays for
    /// the most discs. So the engine also has to search positions whose winner depends on the rules.
    fn negotiate_rules(&mut self, rules: Rules, size: Size) -> Result<RulesCheck, PlayerError> {
        if self.confirmed == Some((rules, size)) {
            return Ok(RulesCheck::Confirmed);
        }
        let assumed = self.engine.assumes_reversed.then_some(Rules::Standard);
        let name = self.options.variant(rules, size).or_else(|| self.options.variant(assumed?, size));
        match name {
            Some(name) => self.process.send(&format!("setoption name UCI_Variant value {name}"))?,
            None if rules == Rules::Reversed && !self.engine.assumes_reversed => {
                let wanted = Variant::of(rules, size).next().map_or("for this board", |variant| variant.name);
                return Ok(RulesCheck::Unconfirmed(format!("offers no UCI_Variant {wanted}")));
            }
            // Its own options or `init=` may have set the game.
            None => {}
        }
        self.synchronize()?;
        let asked = (rules == Rules::Reversed && !self.engine.assumes_reversed).then_some(size);
        for (position, wins_reversed) in asked.into_iter().flat_map(decided_positions) {
            let expected = if wins_reversed { Ordering::Greater } else { Ordering::Less };
            let problem = match self.judgement(position)? {
                None => {
                    "tells no score of a search, by which it could show that it knows the rules".to_owned()
                }
                Some(sign) if sign == expected => continue,
                Some(_) => {
                    format!("values positions of {} as if the most discs won", name.unwrap_or("its game"))
                }
            };
            return Ok(RulesCheck::Unconfirmed(problem));
        }
        self.confirmed = Some((rules, size));
        Ok(RulesCheck::Confirmed)
    }

    fn diagnostics(&self, reason: ForfeitReason) -> Diagnostics {
        self.process.diagnostics(reason)
    }

    fn start_game(&mut self, game: &Game, _color: Color, _seed: u64) -> Result<(), PlayerError> {
        self.require_rules(game)?;
        self.process.send("ucinewgame")?;
        self.synchronize()
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        self.process.send(&position_command(request.game))?;
        let go = format!("go {}", self.limits(request.clocks, request.color()));
        let sent = Timestamp::now();
        self.process.send(&go)?;
        let mut info = LastInfo::default();
        let (line, arrived) = self.process.wait_for(sent + request.timeout, |line| {
            info.add(line);
            line.starts_with("bestmove")
        })?;
        let best = line.split_whitespace().nth(1);
        let action = best.and_then(|text| read_move(text, request.game.position().size()));
        let action = action
            .ok_or_else(|| PlayerError::Malformed(format!("answered go with '{}'", shortened(&line))))?;
        let spent = arrived.saturating_duration_since(sent);
        Ok(ChosenMove { action, spent, eval: info.eval, depth: info.depth })
    }

    fn notify_move(&mut self, _color: Color, _action: Move) -> Result<(), PlayerError> {
        Ok(())
    }

    fn quit(self: Box<Self>) {
        self.process.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    #[test]
    fn options_and_variants_are_read() {
        let mut options = UciOptions::default();
        for line in [
            "id name X",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_Variant type combo default chess var chess var ps-antiflipello var flipello",
            "option name Clear Hash type button",
        ] {
            options.add(line);
        }
        assert!(options.has("move overhead") && options.has("Clear Hash") && !options.has("Hash"));
        assert_eq!(options.variant(Rules::Standard, Size::Eight), Some("flipello"));
        assert_eq!(options.variant(Rules::Reversed, Size::Eight), Some("ps-antiflipello"));
        assert_eq!(options.variant(Rules::Reversed, Size::Six), None);
    }

    #[test]
    fn the_last_score_of_the_best_line_counts() {
        let mut info = LastInfo::default();
        info.add("info depth 3 multipv 1 score cp -250 nodes 1 pv P@e3");
        info.add("info depth 3 multipv 2 score cp -900 pv P@f4");
        info.add("info string score cp 5");
        info.add("info depth 4 nodes 77");
        let sign = Ordering::Less;
        assert_eq!(info, LastInfo { eval: Some(-2.5), depth: Some(3), sign, has_score: true });
        info.add("info depth 9 score mate -4 pv P@e3");
        assert_eq!(info, LastInfo { eval: None, depth: Some(9), sign, has_score: true });
        info.add("info depth 9 score mate 1 pv P@e3");
        assert_eq!(info.sign, Ordering::Greater);
    }

    #[test]
    fn a_game_is_told_with_its_moves() {
        let mut game = Game::new(Rules::Standard, Size::Eight);
        assert_eq!(position_command(&game), "position startpos");
        game.follow(Move::Place(Square::E6)).expect("legal");
        assert_eq!(position_command(&game), "position startpos moves P@e3");
        let other = Game::from_position(Rules::Standard, *game.position());
        assert!(position_command(&other).starts_with("position fen 8/8/8/3pP3/3PP3/4P3/8/8[PP"));
    }
}
