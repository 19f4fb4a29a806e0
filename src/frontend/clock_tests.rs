//! Whole games over all protocols on a simulated clock, which only the nodes of the searches advance: each answer is
//! on time, and most of the time is used. No machine is too slow for these tests.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use ollehto_protocol::Protocol;
use ollehto_protocol::notation::parse_moves;
use ollehto_protocol::uci;
use parking_lot::Mutex;

use super::{Cassio, Frontend, Gtp, NBoard, Session, Settings, Uci};
use crate::board::{Color, Move, Size};
use crate::clock::{PlayerClock, TimeControl};
use crate::engine::Search;
use crate::game::Game;
use crate::notation;
use crate::notation::uci::{Variant, line_names};
use crate::rules::Rules;
use crate::search::{Budget, Control, Iteration, SearchResult, Searcher, Task};
use crate::stdio::TrafficLog;
use crate::time_source::TimeSource;

/// Time of a node on the simulated machine: slow, so that real ones play a game in a second.
const NODE: Duration = Duration::from_micros(4);

/// Of an answer to its client.
const ON_THE_WAY: Duration = Duration::from_millis(1);

/// Output that both ends can read.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client that plays both sides of a game.
trait Client {
    fn protocol(&self) -> Protocol;
    /// The lines before the first move.
    fn begin(&self, rules: Rules, control: TimeControl) -> Vec<String>;
    /// The lines that ask for a move.
    fn ask(&self, game: &Game, clocks: &[PlayerClock; 2]) -> Vec<String>;
    /// The move in an answer, once complete.
    fn read(&self, answer: &str) -> Option<String>;
    /// The line that reports a chosen move, where the protocol needs one.
    fn tell(&self, name: &str, spent: Duration) -> Option<String>;
}

struct GtpClient;

impl Client for GtpClient {
    fn protocol(&self) -> Protocol {
        Protocol::Gtp
    }

    fn begin(&self, rules: Rules, control: TimeControl) -> Vec<String> {
        let (main, period, moves) = control.gtp();
        let time = match control {
            TimeControl::PerMove(time) => format!("time {}", time.as_secs_f64()),
            _ => format!("time_settings {} {} {moves}", main.as_secs_f64(), period.as_secs_f64()),
        };
        vec![format!("rules {rules}"), time]
    }

    fn ask(&self, game: &Game, _clocks: &[PlayerClock; 2]) -> Vec<String> {
        vec![format!("genmove {}", notation::side(game.position().side()))]
    }

    fn read(&self, answer: &str) -> Option<String> {
        Some(answer.strip_prefix("= ")?.strip_suffix("\n\n")?.to_owned())
    }

    fn tell(&self, _name: &str, _spent: Duration) -> Option<String> {
        None
    }
}

struct NBoardClient;

impl Client for NBoardClient {
    fn protocol(&self) -> Protocol {
        Protocol::NBoard
    }

    fn begin(&self, rules: Rules, control: TimeControl) -> Vec<String> {
        let TimeControl::Game { main, increment } = control else { unreachable!("no other clock in GGF") };
        let anti = if rules == Rules::Reversed { "a" } else { "" };
        let (main, increment) = (main.as_secs(), increment.as_secs());
        let board = "---------------------------O*------*O---------------------------";
        vec![
            "nboard 2".into(),
            format!(
                "set game (;GM[Othello]PB[b]PW[w]RE[?]TI[0:{main:02}/0:{increment:02}]TY[8{anti}]BO[8 {board} *];)"
            ),
        ]
    }

    fn ask(&self, _game: &Game, _clocks: &[PlayerClock; 2]) -> Vec<String> {
        vec!["go".into()]
    }

    fn read(&self, answer: &str) -> Option<String> {
        let choice = answer.lines().find_map(|line| line.strip_prefix("=== "))?;
        choice.split('/').next().map(str::to_owned)
    }

    fn tell(&self, name: &str, spent: Duration) -> Option<String> {
        Some(format!("move {name}//{:.2}", spent.as_secs_f64()))
    }
}

struct UciClient;

impl Client for UciClient {
    fn protocol(&self) -> Protocol {
        Protocol::Uci
    }

    fn begin(&self, rules: Rules, _control: TimeControl) -> Vec<String> {
        let name = Variant::of(rules, Size::Eight).next().expect("there is one").name;
        vec!["uci".into(), format!("setoption name UCI_Variant value {name}")]
    }

    fn ask(&self, game: &Game, clocks: &[PlayerClock; 2]) -> Vec<String> {
        let moves: Vec<Move> = game.moves().into_iter().map(|(_, action)| action).collect();
        let names = line_names(game.first_position(), &moves);
        let clock = &clocks[usize::from(game.position().side() == Color::White)];
        let go = match clock.search_clock() {
            None => format!("go movetime {}", clock.limit().expect("timed").as_millis()),
            Some(_) => {
                let words: Vec<String> = ["w", "b"]
                    .into_iter()
                    .zip(clocks.iter().filter_map(PlayerClock::search_clock))
                    .map(|(letter, clock)| {
                        let (left, more) = (clock.left.as_millis(), clock.increment.as_millis());
                        format!("{letter}time {left} {letter}inc {more}")
                    })
                    .collect();
                format!("go {}", words.join(" "))
            }
        };
        vec![format!("position startpos moves {}", names.join(" ")), go]
    }

    fn read(&self, answer: &str) -> Option<String> {
        let name = answer.lines().find_map(|line| line.strip_prefix("bestmove "))?.split(' ').next()?;
        uci::parse_move(name, 8).map(|vertex| vertex.to_string())
    }

    fn tell(&self, _name: &str, _spent: Duration) -> Option<String> {
        None
    }
}

/// A search that ignores the clock and runs for as many nodes as four seconds have.
struct IgnoresTheClock {
    searcher: Searcher,
    time: TimeSource,
}

impl Search for IgnoresTheClock {
    fn search(&mut self, task: &Task, _: &Control, on_iteration: &mut dyn FnMut(&Iteration)) -> SearchResult {
        let budget = Budget { nodes: Some(1_000_000), ..Budget::UNLIMITED };
        self.searcher.run(task, &Control::with_time(&budget, self.time.clone()), on_iteration)
    }
}

#[derive(Clone, Copy)]
enum Plays {
    Ours,
    IgnoringTheClock,
}

/// An engine behind a protocol, and the clock that both read.
struct SimulatedEngine {
    frontend: Box<dyn Frontend>,
    output: Output,
    time: TimeSource,
}

impl SimulatedEngine {
    fn start(protocol: Protocol, who: Plays) -> Self {
        let (time, output) = (TimeSource::simulated(NODE), Output::default());
        let searcher = Searcher::new(1, 1);
        let searcher: Box<dyn Search> = match who {
            Plays::Ours => Box::new(searcher),
            Plays::IgnoringTheClock => Box::new(IgnoresTheClock { searcher, time: time.clone() }),
        };
        let settings = Settings { hash: 1, ..Settings::default() };
        let session =
            Session::with_time("test".into(), searcher, settings, TrafficLog::default(), time.clone())
                .expect("a thread");
        let frontend: Box<dyn Frontend> = match protocol {
            Protocol::Gtp => Box::new(Gtp::new(session, output.clone(), None)),
            Protocol::NBoard => Box::new(NBoard::new(session, output.clone(), None)),
            Protocol::Uci => Box::new(Uci::new(session, output.clone())),
            Protocol::Cassio => Box::new(Cassio::new(session, output.clone(), None)),
            Protocol::XBoard => unreachable!("no client here"),
        };
        Self { frontend, output, time }
    }

    fn say(&mut self, line: &str) {
        self.output.0.lock().clear();
        self.frontend.line(line.as_bytes(), self.time.now()).expect("written to memory");
    }

    /// The output since the last line, once it is an answer.
    fn hear(&mut self, read: impl Fn(&str) -> Option<String>) -> String {
        let reports = self.frontend.reports();
        loop {
            let said = String::from_utf8(self.output.0.lock().clone()).expect("ASCII");
            if let Some(answer) = read(&said) {
                return answer;
            }
            let report = reports.recv().expect("the searcher lives");
            self.frontend.report(report).expect("written to memory");
        }
    }
}

/// The share of its time that an engine used in a game against itself until it could be solved, or which move was
/// late.
type Played = Result<f64, String>;

fn play(client: &dyn Client, rules: Rules, control: TimeControl, who: Plays) -> Played {
    let mut engine = SimulatedEngine::start(client.protocol(), who);
    for line in client.begin(rules, control) {
        engine.say(&line);
    }
    let mut game = Game::new(rules, Size::Eight);
    let mut clocks = [PlayerClock::new(control); 2];
    let (mut used, mut had) = (Duration::ZERO, Duration::ZERO);
    while !game.position().is_over() {
        let color = game.position().side();
        if game.position().moves().is_empty() {
            game.follow(Move::Pass).expect("a forced pass");
            if let Some(line) = client.tell("PA", Duration::ZERO) {
                engine.say(&line);
            }
            continue;
        }
        let asked = engine.time.now();
        client.ask(&game, &clocks).iter().for_each(|line| engine.say(line));
        let clock = &mut clocks[usize::from(color == Color::White)];
        let name = engine.hear(|said| client.read(said));
        engine.time.advance(ON_THE_WAY);
        let spent = engine.time.now() - asked;
        let limit = clock.limit().expect("timed");
        let empties = game.position().empties().len();
        if spent > limit {
            return Err(format!("{control}, {empties} empty: {spent:?} of {limit:?}"));
        }
        if empties > SOLVED {
            used += spent;
            had += if let TimeControl::Game { .. } = control { Duration::ZERO } else { limit };
        }
        clock.charge(spent);
        let vertex = parse_moves(name.as_bytes()).expect("a move")[0];
        game.follow(notation::action(vertex, Size::Eight).expect("on the board")).expect("legal");
        if let Some(line) = client.tell(&name, spent) {
            engine.say(&line);
        }
    }
    if let TimeControl::Game { main, increment } = control {
        had = 2 * (main + increment * 30);
    }
    Ok(used.as_secs_f64() / had.as_secs_f64())
}

/// With so many empty squares a move may be solved in less than its time.
const SOLVED: u32 = 24;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Every clock that a client can set over GTP, and the least share that a game uses of it.
const CLOCKS: [(TimeControl, f64); 6] = [
    (TimeControl::PerMove(ms(20)), 0.85),
    (TimeControl::PerMove(ms(100)), 0.9),
    (TimeControl::Game { main: ms(2000), increment: Duration::ZERO }, 0.5),
    (TimeControl::Game { main: ms(6000), increment: Duration::ZERO }, 0.5),
    (TimeControl::ByoYomi { main: Duration::ZERO, period: ms(50), moves: 1 }, 0.85),
    (TimeControl::ByoYomi { main: ms(1000), period: ms(500), moves: 10 }, 0.05),
];

/// The clocks of NBoard's game records.
const GAME_TEXT_CLOCKS: [(TimeControl, f64); 2] = [
    (TimeControl::Game { main: ms(2000), increment: Duration::ZERO }, 0.5),
    (TimeControl::Game { main: ms(3000), increment: ms(1000) }, 0.3),
];

/// The clocks that UCI can tell.
const UCI_CLOCKS: [(TimeControl, f64); 3] = [
    (TimeControl::PerMove(ms(20)), 0.85),
    (TimeControl::Game { main: ms(2000), increment: Duration::ZERO }, 0.5),
    (TimeControl::Game { main: ms(1000), increment: ms(20) }, 0.3),
];

fn keeps_to(client: &dyn Client, clocks: &[(TimeControl, f64)]) {
    for &(control, least) in clocks {
        for rules in Rules::ALL {
            let share = play(client, rules, control, Plays::Ours).expect("in time");
            println!("{control}, {rules} rules: {share:.2} used");
            assert!(share > least, "{control}, {rules} rules: {share:.2} used");
        }
    }
}

/// These games detect every engine that ignores the clock.
fn finds_out(client: &dyn Client, clocks: &[(TimeControl, f64)]) {
    for &(control, _) in clocks {
        let late = play(client, Rules::Reversed, control, Plays::IgnoringTheClock).expect_err("it is late");
        println!("{late}");
    }
}

#[test]
fn gtp_keeps_to_its_clocks() {
    keeps_to(&GtpClient, &CLOCKS);
}

#[test]
fn nboard_keeps_to_the_clock_of_the_game() {
    keeps_to(&NBoardClient, &GAME_TEXT_CLOCKS);
}

#[test]
fn uci_keeps_to_its_clocks() {
    keeps_to(&UciClient, &UCI_CLOCKS);
}

#[test]
fn an_engine_that_ignores_the_clock_fails_these_tests() {
    finds_out(&GtpClient, &CLOCKS);
    finds_out(&NBoardClient, &GAME_TEXT_CLOCKS);
    finds_out(&UciClient, &UCI_CLOCKS);
}

/// The number after a word, in each line that has one.
fn numbers_after(text: &str, word: &str) -> Vec<f64> {
    let number = |line: &str| line.split_once(word)?.1.split_whitespace().next()?.parse().ok();
    text.lines().filter_map(number).collect()
}

/// A script may send the next search before the answer to the last one. That search was timed from its arrival: it ended at
/// once, and all later ones kept its delay in reserve.
#[test]
fn the_time_of_a_queued_uci_search_begins_with_its_turn() {
    let mut engine = SimulatedEngine::start(Protocol::Uci, Plays::Ours);
    engine.say("setoption name OwnBook value false");
    // The start position's moves are all alike, and need no search.
    engine.say("position startpos moves P@e3 P@d3");
    let began = engine.time.now();
    for _ in 0..3 {
        engine.say("go movetime 100");
    }
    let said = engine.hear(|said| (said.matches("bestmove").count() == 3).then(|| said.to_owned()));
    let spent = engine.time.now() - began;
    assert!(spent > ms(285) && spent <= ms(300), "{spent:?}");
    let times = numbers_after(&said, " time ");
    assert!(times.iter().all(|&time| time <= 100.0), "{times:?}");
}

#[test]
fn the_time_of_a_queued_cassio_search_begins_with_its_turn() {
    let mut engine = SimulatedEngine::start(Protocol::Cassio, Plays::Ours);
    let began = engine.time.now();
    for _ in 0..2 {
        engine.say(
            "ENGINE-PROTOCOL midgame-search \
             ---------------------------OX------XO---------------------------X -64 64 8 100",
        );
    }
    let said = engine.hear(|said| (said.matches("ready.").count() == 2).then(|| said.to_owned()));
    let spent = (engine.time.now() - began).as_secs_f64();
    let times = numbers_after(&said, "time ");
    assert_eq!(times.len(), 2, "{said}");
    assert!((times.iter().sum::<f64>() - spent).abs() < 0.002, "{times:?} of {spent}");
}
