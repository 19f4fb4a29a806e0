//! A game at the server, by the plain rules of the mailbox board.

use std::time::Instant;

use serde_json::{Value, json};

use super::awake_time::AwakeInstant;
use super::site_clock::SiteClock;
use crate::mailbox::{Mailbox, Move, Rules, Side};

/// The bot's account.
pub const BOT: &str = "ollehto";

/// Clock seconds that pass in a real one: whole games fit into a test.
pub const CLOCK_SPEED: u32 = 4;

#[derive(Clone, Debug)]
struct Moment {
    board: Mailbox,
    clocks: [SiteClock; 2],
}

#[derive(Clone, Debug)]
pub struct Game {
    pub id: String,
    pub variant: &'static str,
    pub bot: Side,
    pub opponent: String,
    /// Of a game that the opponent does not begin.
    pub is_no_show: bool,
    fen: String,
    pub moves: Vec<String>,
    pub status: &'static str,
    pub winner: Option<Side>,
    clock: Value,
    present: Moment,
    past: Vec<Moment>,
    turn_began: AwakeInstant,
    /// When the opponent moves, if it thinks.
    pub answer_at: Option<Instant>,
    /// The part of its first time that the bot had left at the least.
    pub least_time: f64,
    /// Those that were forgotten, too.
    pub bot_moves: Vec<String>,
    /// The last of them, if its answer was lost.
    pub unanswered: Option<String>,
    /// Moves were forgotten, and the bot has not moved since.
    pub is_rolled_back: bool,
    pub greetings: u32,
    /// The bot has had a running game to play.
    pub was_read: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    NotYourTurn,
    Over,
    Illegal,
    FlagFell,
}

fn key(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % 8) as u8), 8 - cell / 8)
}

fn index(side: Side) -> usize {
    usize::from(side == Side::White)
}

pub fn name(side: Side) -> &'static str {
    ["p1", "p2"][index(side)]
}

impl Game {
    pub fn new(id: &str, variant: &'static str, clock: &Value, bot: Side, opponent: &str) -> Self {
        let clocks = [SiteClock::new(clock), SiteClock::new(clock)];
        Self {
            id: id.to_owned(),
            variant,
            bot,
            opponent: opponent.to_owned(),
            is_no_show: false,
            fen: "startpos".to_owned(),
            moves: Vec::new(),
            status: "started",
            winner: None,
            clock: clock.clone(),
            present: Moment { board: Mailbox::start(8), clocks },
            past: Vec::new(),
            turn_began: AwakeInstant::now(),
            answer_at: None,
            least_time: 1.0,
            bot_moves: Vec::new(),
            unanswered: None,
            is_rolled_back: false,
            greetings: 0,
            was_read: false,
        }
    }

    /// The same from another position, as the mailbox and the site write it.
    pub fn from(mut self, board: &str, fen: &str) -> Self {
        self.present.board = Mailbox::parse(board).expect("a position");
        self.fen = fen.to_owned();
        self
    }

    pub fn is_running(&self) -> bool {
        self.status == "started"
    }

    pub fn side(&self) -> Side {
        self.present.board.to_move()
    }

    pub fn is_abortable(&self) -> bool {
        self.is_running() && self.moves.len() < 2
    }

    /// Legal moves as the site writes them: drops, or the null move of the lowest own disc.
    pub fn legal(&self) -> Vec<(String, Move)> {
        let board = &self.present.board;
        board
            .moves()
            .into_iter()
            .map(|turn| match turn {
                Move::Place(cell) => (format!("P@{}", key(cell)), turn),
                Move::Pass => {
                    let (text, disc) = (board.text(), [b'X', b'O'][index(board.to_move())]);
                    let own = (0..64).filter(|&cell| text.as_bytes()[cell] == disc);
                    let lowest = own.min_by_key(|&cell| (7 - cell / 8, cell % 8)).expect("it has discs");
                    (key(lowest).repeat(2), turn)
                }
            })
            .collect()
    }

    /// Milliseconds on the clock since the turn began. The clock starts when both have moved.
    fn spent(&self) -> i64 {
        if self.moves.len() < 2 { 0 } else { (self.turn_began.elapsed() * CLOCK_SPEED).as_millis() as i64 }
    }

    fn time(&self, side: Side) -> i64 {
        let pending = if side == self.side() && self.is_running() { self.spent() } else { 0 };
        (self.present.clocks[index(side)].reported() - pending).max(0)
    }

    pub fn play(&mut self, side: Side, uci: &str) -> Result<(), Refusal> {
        if !self.is_running() {
            return Err(Refusal::Over);
        }
        if self.side() != side {
            return Err(Refusal::NotYourTurn);
        }
        let legal = self.legal().into_iter().find(|(text, _)| text == uci);
        let (_, turn) = legal.ok_or(Refusal::Illegal)?;
        let spent = if side == self.bot { self.spent() } else { 0 };
        let before = self.present.clone();
        if !self.present.clocks[index(side)].charge(spent) {
            self.finish("outoftime", Some(side.other()));
            return Err(Refusal::FlagFell);
        }
        if side == self.bot {
            let all = SiteClock::new(&self.clock).reported();
            let left = self.present.clocks[index(side)].reported();
            self.least_time = self.least_time.min(left as f64 / all as f64);
        }
        self.present.board.play(turn).expect("it is legal");
        self.past.push(before);
        self.moves.push(uci.to_owned());
        self.turn_began = AwakeInstant::now();
        if self.present.board.is_over() {
            self.finish_by_discs();
        }
        Ok(())
    }

    fn finish_by_discs(&mut self) {
        let board = &self.present.board;
        let [first, second] = [Side::Black, Side::White].map(|side| board.count(side));
        let most = if first > second { Side::Black } else { Side::White };
        let winner = if self.variant == "flipello" { most } else { most.other() };
        let is_draw = first == second;
        self.finish(if is_draw { "draw" } else { "variantEnd" }, (!is_draw).then_some(winner));
        let rules = if self.variant == "flipello" { Rules::Standard } else { Rules::Reversed };
        assert_eq!(
            self.present.board.final_score(Side::Black, rules).signum(),
            match self.winner {
                None => 0,
                Some(Side::Black) => 1,
                Some(Side::White) => -1,
            }
        );
    }

    pub fn finish(&mut self, status: &'static str, winner: Option<Side>) {
        (self.status, self.winner) = (status, winner);
    }

    /// Loses so many of the last moves.
    pub fn roll_back(&mut self, count: usize) {
        for _ in 0..count {
            if let Some(before) = self.past.pop() {
                self.present = before;
                self.moves.pop();
            }
        }
        self.turn_began = AwakeInstant::now();
        self.unanswered = None;
        self.is_rolled_back = true;
    }

    pub fn state(&self) -> Value {
        self.state_after(self.moves.len())
    }

    /// The state with so many moves only, as an old line shows it.
    pub fn state_after(&self, plies: usize) -> Value {
        let mut state = json!({
            "type": "gameState",
            "moves": self.moves[..plies].join(" "),
            "activeplayer": name(self.side()),
            "wtime": self.time(Side::Black),
            "btime": self.time(Side::White),
            "winc": self.present.clocks[0].increment(),
            "binc": self.present.clocks[1].increment(),
            "wdraw": false,
            "bdraw": false,
            "status": if plies == self.moves.len() { self.status } else { "started" },
            "abortable": self.is_abortable(),
            "selectedsquares": null,
        });
        if let (Some(winner), true) = (self.winner, plies == self.moves.len()) {
            state["winner"] = json!(name(winner));
        }
        state
    }

    pub fn full(&self) -> Value {
        let bot = json!({"id": BOT, "name": "Ollehto", "title": "BOT", "rating": 2000});
        let opponent = json!({"id": self.opponent, "name": self.opponent, "title": null, "rating": 1500});
        json!({
            "id": self.id,
            "variant": {"key": self.variant, "name": "AntiOthello", "short": "AntiOthello", "lib": 2,
                "boardSize": {"width": 8, "height": 8}},
            "clock": self.clock,
            "speed": "blitz",
            "perf": {"name": "AntiOthello"},
            "rated": true,
            "createdAt": 1_750_000_000_000_i64,
            "p1": if self.bot == Side::Black { &bot } else { &opponent },
            "p2": if self.bot == Side::Black { &opponent } else { &bot },
            "initialFen": self.fen,
            "type": "gameFull",
            "state": self.state(),
        })
    }

    /// As in a list of running games.
    pub fn preview(&self) -> Value {
        json!({
            "fullId": format!("{}abcd", self.id),
            "gameId": self.id,
            "fen": "8/8/8/3pP3/3Pp3/8/8/8[] w - - 0 1",
            "playerIndex": name(self.bot),
            "lastMove": "",
            "source": "friend",
            "status": {"id": 20, "name": self.status},
            "variant": {"gameLogic": {"id": 2, "name": "FairySF"}, "gameFamily": "flipello",
                "key": self.variant, "name": "AntiOthello", "boardSize": null},
            "speed": "blitz",
            "perf": self.variant,
            "rated": true,
            "hasMoved": false,
            "opponent": {"id": self.opponent, "username": self.opponent, "rating": 1500},
            "isMyTurn": self.side() == self.bot,
        })
    }

    /// As in an event.
    pub fn event(&self, kind: &str) -> Value {
        let mut game = self.preview();
        game["id"] = json!(self.id);
        game["compat"] = json!({"bot": true, "board": false});
        game["abortable"] = json!(self.is_abortable());
        json!({"type": kind, "game": game})
    }

    /// Whether the bot's flag has fallen.
    pub fn flag_has_fallen(&self) -> bool {
        self.is_running() && self.side() == self.bot && self.time(self.bot) == 0
    }
}
