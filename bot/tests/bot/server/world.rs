//! What the server knows: the account, challenges, games, open streams, and what the bot did wrong.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::faults::Faults;
use super::game::{BOT, Game, Refusal};
use crate::mailbox::Side;

/// As many lines wait for a slow reader; older ones are lost.
const QUEUE: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    Events,
    Game(String),
}

#[derive(Debug)]
pub struct Stream {
    pub topic: Topic,
    pub lines: VecDeque<Value>,
    /// The server writes what is left and closes.
    pub is_closed: bool,
}

#[derive(Clone, Debug)]
pub struct Challenge {
    pub id: String,
    pub json: Value,
    variant: &'static str,
    clock: Value,
    bot: Side,
    challenger: String,
    is_no_show: bool,
    sent: Instant,
}

/// Nothing of this may happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrongs {
    pub illegal: u32,
    pub out_of_turn: u32,
    /// Another move for a turn that has had one.
    pub double: u32,
    /// A move once more, after its answer was lost: the game would have told.
    pub sent_again: u32,
    pub flags: u32,
    pub resigned: u32,
    pub aborted: u32,
    pub unauthorized: u32,
    pub unknown_routes: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Totals {
    pub finished: u32,
    pub no_shows: u32,
    pub won: u32,
    pub lost: u32,
    pub drawn: u32,
    pub bot_moves: u32,
    pub passes: u32,
    pub forgotten_moves: u32,
    /// Moves that the bot sent again though no answer was lost on purpose: the server was slow.
    pub sent_again: u32,
    /// Moves for a position that the server has forgotten.
    pub after_roll_back: u32,
    pub declined: BTreeMap<String, u32>,
    pub chats: u32,
    pub greeted: u32,
    /// More than once: the bot was killed.
    pub greeted_again: u32,
}

pub struct World {
    pub faults: Faults,
    pub is_bot: bool,
    pub games: BTreeMap<String, Game>,
    pub challenges: BTreeMap<String, Challenge>,
    pub streams: HashMap<u64, Stream>,
    /// Games of accepted challenges do not begin until asked to.
    pub holds_games: bool,
    held: Vec<Game>,
    next_stream: u64,
    next_id: u32,
    pub wrongs: Wrongs,
    pub totals: Totals,
    pub least_time: f64,
}

impl World {
    pub fn new(rate: u64, seed: u64) -> Self {
        Self {
            faults: Faults::new(rate, seed),
            is_bot: true,
            games: BTreeMap::new(),
            challenges: BTreeMap::new(),
            streams: HashMap::new(),
            holds_games: false,
            held: Vec::new(),
            next_stream: 0,
            next_id: 0,
            wrongs: Wrongs::default(),
            totals: Totals::default(),
            least_time: 1.0,
        }
    }

    pub fn running(&self) -> usize {
        self.games.values().filter(|game| game.is_running()).count()
    }

    /// Ends the older stream of the same topic.
    pub fn open_stream(&mut self, topic: Topic, lines: Vec<Value>) -> u64 {
        for stream in self.streams.values_mut().filter(|stream| stream.topic == topic) {
            stream.is_closed = true;
        }
        self.next_stream += 1;
        let stream = Stream { topic, lines: lines.into(), is_closed: false };
        self.streams.insert(self.next_stream, stream);
        self.next_stream
    }

    fn push(&mut self, topic: &Topic, line: &Value, is_last: bool) {
        for stream in self.streams.values_mut().filter(|stream| stream.topic == *topic && !stream.is_closed) {
            if stream.lines.len() == QUEUE {
                stream.lines.pop_front();
            }
            stream.lines.push_back(line.clone());
            stream.is_closed |= is_last;
        }
    }

    pub fn event(&mut self, line: &Value) {
        self.push(&Topic::Events, line, false);
    }

    /// A new challenge, and the bot hears of it.
    pub fn challenge(&mut self, variant: &'static str, clock: &Value, bot: Side, is_no_show: bool) -> String {
        self.next_id += 1;
        let id = format!("game{:04}", self.next_id);
        let challenger = format!("player{}", self.next_id);
        let json = json!({
            "id": id,
            "url": format!("http://127.0.0.1/{id}"),
            "status": "created",
            "challenger": {"id": challenger, "name": challenger, "title": null, "rating": 1500, "online": true},
            "challengerIsAnon": false,
            "destUser": {"id": BOT, "name": "Ollehto", "title": "BOT", "rating": 2000},
            "lib": 2,
            "variant": {"key": variant, "name": "AntiOthello", "short": "AntiOthello", "lib": 2},
            "rated": true,
            "speed": "blitz",
            "timeControl": time_control(clock),
            "playerIndex": "random",
            "finalPlayerIndex": super::game::name(bot.other()),
            "perf": {"icon": "*", "name": "AntiOthello"},
        });
        let sent = Instant::now();
        let clock = clock.clone();
        let challenge = Challenge { id, json, variant, clock, bot, challenger, is_no_show, sent };
        self.event(&json!({"type": "challenge", "challenge": challenge.json}));
        let id = challenge.id.clone();
        self.challenges.insert(id.clone(), challenge);
        id
    }

    /// Tells of challenges again that have had no answer for long: people do that.
    pub fn remind(&mut self, after: Duration) {
        let mut again = Vec::new();
        for challenge in self.challenges.values_mut().filter(|challenge| challenge.sent.elapsed() > after) {
            challenge.sent = Instant::now();
            again.push(json!({"type": "challenge", "challenge": challenge.json}));
        }
        again.iter().for_each(|line| self.event(line));
    }

    /// Returns whether there was such a challenge. A rematch gets an identifier of its own.
    pub fn accept(&mut self, id: &str) -> bool {
        let Some(challenge) = self.challenges.remove(id) else { return false };
        let Challenge { variant, clock, bot, challenger, is_no_show, .. } = challenge;
        let id = if self.games.contains_key(id) { format!("{}r", &id[..7]) } else { id.to_owned() };
        let mut game = Game::new(&id, variant, &clock, bot, &challenger);
        game.is_no_show = is_no_show;
        if self.holds_games {
            self.held.push(game);
        } else {
            self.begin(game);
        }
        true
    }

    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    pub fn begin_held(&mut self) {
        for game in std::mem::take(&mut self.held) {
            self.begin(game);
        }
    }

    pub fn begin(&mut self, game: Game) {
        let (id, line) = (game.id.clone(), game.event("gameStart"));
        self.games.insert(id.clone(), game);
        self.event(&line);
        self.answer_as_opponent(&id);
    }

    /// The opponent of a game that ended offers another one: a challenge with the game's identifier.
    pub fn offer_rematch(&mut self, id: &str) {
        let game = &self.games[id];
        let (variant, bot) = (game.variant, game.bot.other());
        let clock = game.full()["clock"].clone();
        let new = self.challenge(variant, &clock, bot, false);
        let mut challenge = self.challenges.remove(&new).expect("just made");
        for stream in self.streams.values_mut() {
            stream.lines.retain(|line| line["challenge"]["id"] != new.as_str());
        }
        challenge.json["id"] = json!(id);
        self.event(&json!({"type": "challenge", "challenge": challenge.json}));
        self.challenges.insert(id.to_owned(), Challenge { id: id.to_owned(), ..challenge });
    }

    pub fn decline(&mut self, id: &str, reason: &str) -> bool {
        *self.totals.declined.entry(reason.to_owned()).or_default() += 1;
        self.challenges.remove(id).is_some()
    }

    /// The opponent moves at random, until it is the bot's turn.
    fn answer_as_opponent(&mut self, id: &str) {
        loop {
            let Some(game) = self.games.get_mut(id) else { return };
            if !game.is_running() || game.side() == game.bot || game.is_no_show {
                return;
            }
            // On an unkind server it thinks now and then.
            if game.answer_at.is_none() && self.faults.chance(self.faults.rate) {
                let thought = Duration::from_millis(self.faults.below(100) as u64);
                game.answer_at = Some(Instant::now() + thought);
            }
            if game.answer_at.is_some_and(|at| Instant::now() < at) {
                return;
            }
            game.answer_at = None;
            let legal = game.legal();
            let chosen = self.faults.below(legal.len());
            let side = game.side();
            game.play(side, &legal[chosen].0).expect("it is legal");
            self.tell_state(id);
        }
    }

    /// Tells the state of a game, and of its end.
    fn tell_state(&mut self, id: &str) {
        let game = &self.games[id];
        let (state, is_over) = (game.state(), !game.is_running());
        let finish = game.event("gameFinish");
        self.push(&Topic::Game(id.to_owned()), &state, is_over);
        if is_over {
            self.count_end(id);
            self.event(&finish);
        }
    }

    fn count_end(&mut self, id: &str) {
        let game = &self.games[id];
        if game.is_no_show {
            self.totals.no_shows += 1;
            return;
        }
        self.totals.finished += 1;
        match game.winner {
            Some(winner) if winner == game.bot => self.totals.won += 1,
            Some(_) => self.totals.lost += 1,
            None => self.totals.drawn += 1,
        }
        self.totals.greeted += u32::from(game.greetings > 0);
        self.totals.greeted_again += u32::from(game.greetings > 1);
        self.least_time = self.least_time.min(game.least_time);
    }

    /// The bot's move.
    pub fn play(&mut self, id: &str, uci: &str, is_answer_lost: bool) -> Result<(), (u16, String)> {
        let error = |text: &str| Err((400, text.to_owned()));
        let Some(game) = self.games.get_mut(id) else { return Err((404, "No such game".into())) };
        let plies = game.moves.len();
        let turn = game.side() == game.bot;
        match game.play(game.bot, uci) {
            Ok(()) => {
                game.unanswered = is_answer_lost.then(|| uci.to_owned());
                game.bot_moves.push(uci.to_owned());
                game.is_rolled_back = false;
                self.totals.bot_moves += 1;
                self.totals.passes += u32::from(!uci.contains('@'));
                self.tell_state(id);
                self.answer_as_opponent(id);
                Ok(())
            }
            Err(Refusal::FlagFell) => {
                self.wrongs.flags += 1;
                self.tell_state(id);
                error("game is finished")
            }
            // The move was on its way when the server forgot; the bot finds out by this.
            Err(_) if game.is_rolled_back => {
                game.is_rolled_back = false;
                self.totals.after_roll_back += 1;
                error("Not your turn, or game already over")
            }
            Err(_) if game.unanswered.as_deref() == Some(uci) => {
                self.wrongs.sent_again += 1;
                error("Not your turn, or game already over")
            }
            // On a machine without a moment to spare, a request may be read many moves after the bot has given it up. No
            // square is taken twice.
            Err(_) if game.bot_moves.iter().any(|made| made == uci) => {
                self.totals.sent_again += 1;
                error("Not your turn, or game already over")
            }
            Err(Refusal::Illegal) => {
                eprintln!("game {id}: {uci} after {:?}, turn {turn}, is illegal", game.moves);
                self.wrongs.illegal += 1;
                error("Piece cannot move there")
            }
            Err(Refusal::NotYourTurn | Refusal::Over) => {
                eprintln!("game {id}: {uci} after {plies} moves {:?} is out of turn", game.moves);
                let is_second = game.moves.len() > 1 && game.moves.last().is_some_and(|last| last != uci);
                self.wrongs.double += u32::from(is_second && game.side() != game.bot);
                self.wrongs.out_of_turn += 1;
                error("Not your turn, or game already over")
            }
        }
    }

    pub fn chat(&mut self, id: &str) {
        self.totals.chats += 1;
        if let Some(game) = self.games.get_mut(id)
            && game.is_running()
        {
            game.greetings += 1;
        }
    }

    pub fn abort(&mut self, id: &str) -> Result<(), (u16, String)> {
        let Some(game) = self.games.get_mut(id) else { return Err((404, "No such game".into())) };
        if !game.is_abortable() {
            return Err((400, "This game can no longer be aborted".into()));
        }
        self.wrongs.aborted += u32::from(!game.is_no_show);
        game.finish("aborted", None);
        self.tell_state(id);
        Ok(())
    }

    pub fn resign(&mut self, id: &str) -> Result<(), (u16, String)> {
        let Some(game) = self.games.get_mut(id) else { return Err((404, "No such game".into())) };
        if !game.is_running() {
            return Err((400, "This game cannot be resigned".into()));
        }
        self.wrongs.resigned += 1;
        let winner = game.bot.other();
        game.finish("resign", Some(winner));
        self.tell_state(id);
        Ok(())
    }

    /// Moves of opponents who have thought, and flags of games in which the bot no longer moves.
    pub fn look_at_clocks(&mut self) {
        let thinking = self.games.values().filter(|game| game.answer_at.is_some());
        let thinking: Vec<String> = thinking.map(|game| game.id.clone()).collect();
        thinking.iter().for_each(|id| self.answer_as_opponent(id));
        let fallen: Vec<String> =
            self.games.values().filter(|game| game.flag_has_fallen()).map(|game| game.id.clone()).collect();
        for id in fallen {
            if let Some(game) = self.games.get_mut(&id) {
                eprintln!("game {id}: the bot's flag fell after {} moves", game.moves.len());
                let winner = game.bot.other();
                game.finish("outoftime", Some(winner));
            }
            self.wrongs.flags += 1;
            self.tell_state(&id);
        }
    }

    /// A restart loses the last moves of some games, and all streams.
    pub fn forget(&mut self) {
        self.streams.clear();
        let mut forgotten = 0;
        for game in self.games.values_mut().filter(|game| game.is_running() && game.moves.len() > 4) {
            let count = self.faults.below(4);
            if count > 0 {
                game.roll_back(count);
                forgotten += count as u32;
            }
        }
        self.totals.forgotten_moves += forgotten;
        let ids: Vec<String> = self.games.keys().cloned().collect();
        ids.iter().for_each(|id| self.answer_as_opponent(id));
    }
}

/// By the site's JSON of a game's clock, its JSON of a challenge's clock.
fn time_control(clock: &Value) -> Value {
    let seconds = |key: &str| clock[key].as_i64().unwrap_or(0) / 1000;
    let (minutes, limit) = (seconds("initial") / 60, seconds("initial"));
    let (increment, show) = match clock["clockType"].as_str() {
        Some("bronstein") => (seconds("delay"), format!("{minutes} d+{}", seconds("delay"))),
        Some("usdelay") => (seconds("delay"), format!("{minutes} d/{}", seconds("delay"))),
        Some("byoyomi") => {
            (seconds("byoyomi"), format!("{minutes}|{}({}x)", seconds("byoyomi"), clock["periods"]))
        }
        _ => (seconds("increment"), format!("{minutes}+{}", seconds("increment"))),
    };
    json!({"type": "clock", "limit": limit, "increment": increment, "show": show})
}
