//! UCI: every `go` gets one legal `bestmove`, in order; `isready` is answered at once; the board is the model's.

use std::collections::{BTreeSet, VecDeque};

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::Uci;
use ollehto_protocol::uci::{Command, GoRequest, Start, parse_fen, parse_line, parse_move};

use super::super::mailbox::{Mailbox, Move, Rules};
use super::model::{ModelGame, with_side};
use super::{Model, converse, one_of};

pub fn uci(data: &[u8]) {
    let start = |session, output| Uci::new(session, output);
    let game = ModelGame::new(Mailbox::start(8), Rules::Reversed);
    let mut model = UciModel {
        game,
        passes: 0,
        variant: (8, Rules::Reversed),
        queue: VecDeque::new(),
        goes: VecDeque::new(),
        boards: VecDeque::new(),
        moves: None,
        stopped: 0,
        ready: 0,
        introduced: 0,
    };
    let _ = converse(&mut Unstructured::new(data), Size::Eight, start, &mut model);
}

struct UciModel {
    game: ModelGame,
    /// Just before the present position.
    passes: u32,
    variant: (usize, Rules),
    /// Commands behind a `go` without its move.
    queue: VecDeque<Command>,
    /// The board, and the passes before it, of the `go` without its move.
    goes: VecDeque<(Mailbox, u32)>,
    /// What `d` has to show, with the passes before it.
    boards: VecDeque<(Mailbox, u32)>,
    /// The board whose moves the next line has to name.
    moves: Option<(Mailbox, u32)>,
    /// How many of the next moves were told to come at once, which `quit` waits for, too.
    stopped: usize,
    ready: usize,
    introduced: usize,
}

impl Model for UciModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        command(script).map(String::into_bytes)
    }

    fn is_harmless(&self, line: &[u8]) -> bool {
        match parse_line(line) {
            Ok(Command::SetOption { name, .. }) => !name.to_ascii_lowercase().contains("log"),
            // Deep ones take as long as they are asked to.
            Ok(Command::Go(request)) => request.perft.is_none_or(|depth| depth <= 2),
            _ => true,
        }
    }

    fn sent(&mut self, line: &[u8]) {
        match parse_line(line) {
            Ok(Command::IsReady) => self.ready += 1,
            Ok(Command::Uci) => self.introduced += 1,
            Ok(Command::Stop) => {
                let is_waiting =
                    |command: &&Command| matches!(command, Command::Go(request) if is_search(request));
                self.stopped = self.goes.len() + self.queue.iter().filter(is_waiting).count();
            }
            Ok(command) => {
                self.queue.push_back(command);
                self.work();
            }
            Err(_) => {}
        }
    }

    fn received(&mut self, text: &str) {
        text.lines().for_each(|line| self.receive(line));
        assert_eq!((self.ready, self.introduced), (0, 0), "answers that wait");
    }

    fn last_lines(&self) -> Vec<String> {
        vec!["d".into()]
    }

    fn ended(&mut self, quit: bool) {
        assert_eq!(self.stopped, 0, "no moves after a stop");
        if !quit {
            assert!(
                self.goes.is_empty() && self.queue.is_empty() && self.boards.is_empty(),
                "answers are missing"
            );
        }
    }
}

impl UciModel {
    fn work(&mut self) {
        while let Some(command) = self.queue.front() {
            if matches!(command, Command::Go(_)) && !self.goes.is_empty() {
                return;
            }
            let Some(command) = self.queue.pop_front() else { return };
            match command {
                Command::Position { start, moves } => self.set_position(&start, &moves),
                Command::NewGame => self.begin(),
                Command::SetOption { name, value } if name.eq_ignore_ascii_case("uci_variant") => {
                    self.set_variant(&value.unwrap_or_default());
                }
                Command::Go(request) if is_search(&request) => {
                    self.goes.push_back((self.game.board.clone(), self.passes));
                }
                Command::Display => self.boards.push_back((self.game.board.clone(), self.passes)),
                _ => {}
            }
        }
    }

    fn begin(&mut self) {
        self.game = ModelGame::new(Mailbox::start(self.variant.0), self.variant.1);
        self.passes = 0;
    }

    fn set_variant(&mut self, name: &str) {
        let known =
            ["antiflipello", "flipello", "ps-antiflipello", "ps-flipello", "antiflipello6", "flipello6"];
        let name = name.to_ascii_lowercase();
        if known.contains(&name.as_str()) {
            let rules = if name.contains("anti") { Rules::Reversed } else { Rules::Standard };
            self.variant = (if name.ends_with('6') { 6 } else { 8 }, rules);
            self.begin();
        }
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        match start {
            Start::Startpos => self.begin(),
            Start::Fen(fen) => {
                let board = Mailbox::parse(&fen.position.to_string()).expect("the same form");
                if board.empties() == board.size() * board.size() {
                    return;
                }
                self.game.restart(board);
                self.passes = 0;
            }
        }
        for text in moves {
            let size = self.game.board.size() as u8;
            let turn = parse_move(text, size).and_then(|vertex| self.game.board.read(&vertex.to_string()));
            if !turn.is_some_and(|turn| self.play(turn)) {
                return;
            }
        }
    }

    fn play(&mut self, turn: Move) -> bool {
        if turn != Move::Pass && self.game.board.must_pass() {
            return self.play(Move::Pass) && self.play(turn);
        }
        if !may_play(&self.game.board, self.passes, turn) {
            return false;
        }
        self.passes = if turn == Move::Pass { self.passes + 1 } else { 0 };
        let board = &self.game.board;
        let next = match turn {
            Move::Pass => with_side(board, board.to_move().other()),
            Move::Place(_) => board.after(turn),
        };
        self.game.restart(next);
        true
    }

    fn receive(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "readyok" => self.ready = self.ready.checked_sub(1).expect("it was asked"),
            "uciok" => self.introduced = self.introduced.checked_sub(1).expect("it was asked"),
            "bestmove" => {
                let (board, passes) = self.goes.pop_front().expect("a move without a go");
                check_move(&board, passes, rest.split(' ').next().unwrap_or(rest));
                self.stopped = self.stopped.saturating_sub(1);
                self.work();
            }
            "Fen:" => {
                let (board, passes) = self.boards.pop_front().expect("nobody asked for the board");
                let fen = parse_fen(rest.as_bytes()).expect("our own writing");
                assert_eq!(fen.position.to_string(), board.text());
                self.moves = Some((board, passes));
            }
            "Moves:" => {
                let (board, passes) = self.moves.take().expect("moves without a board");
                check_moves(&board, passes, rest);
            }
            _ => {}
        }
    }
}

fn is_search(request: &GoRequest) -> bool {
    request.perft.is_none()
}

/// By the rules of Fairy-Stockfish: passes are moves, also at the end, until both have passed.
fn may_play(board: &Mailbox, passes: u32, turn: Move) -> bool {
    let cells = board.placements(board.to_move());
    match turn {
        Move::Place(cell) => cells.contains(&cell),
        Move::Pass => {
            cells.is_empty() && passes < 2 && board.empties() > 0 && board.count(board.to_move()) > 0
        }
    }
}

/// All legal moves, each once.
fn check_moves(board: &Mailbox, passes: u32, names: &str) {
    let names: BTreeSet<&str> = names.split_whitespace().collect();
    names.iter().for_each(|name| check_move(board, passes, name));
    let cells = board.placements(board.to_move()).len();
    let may_only_pass = cells == 0 && may_play(board, passes, Move::Pass);
    // A side without discs has no square to name its pass by; whether it may pass then, clients differ.
    let has_discs = board.count(board.to_move()) > 0;
    assert!(!has_discs || names.len() == cells.max(usize::from(may_only_pass)), "{names:?} in {board:?}");
}

fn check_move(board: &Mailbox, passes: u32, name: &str) {
    if name == "(none)" {
        assert!(board.placements(board.to_move()).is_empty(), "no move in {board:?}");
        assert!(!may_play(board, passes, Move::Pass), "no pass in {board:?}");
        return;
    }
    let vertex = parse_move(name, board.size() as u8).unwrap_or_else(|| panic!("{name} is no move"));
    let turn = board.read(&vertex.to_string()).unwrap_or_else(|| panic!("{name} is off the board"));
    let has_discs = board.count(board.to_move()) > 0;
    // A side without discs must pass too, and has no square to name.
    assert!(may_play(board, passes, turn) || (!has_discs && turn == Move::Pass), "{name} in {board:?}");
}

fn command(script: &mut Unstructured<'_>) -> Result<String> {
    Ok(match script.int_in_range(0..=11)? {
        0..=2 => format!("go {}", one_of(script, &GOES)?),
        3 | 4 => {
            let mut line = format!("position {} moves", one_of(script, &POSITIONS)?);
            for _ in 0..script.int_in_range(0..=6)? {
                let number = script.int_in_range(0..=64)?;
                line += &match number {
                    64 => " 0000".to_owned(),
                    _ => format!(" P@{}{}", char::from(b'a' + number % 8), number / 8 + 1),
                };
            }
            line
        }
        5 => "position startpos moves P@e3 P@f3 P@f4 P@g3".into(),
        6 => "stop".into(),
        7 => "ponderhit".into(),
        8 => one_of(script, &["isready", "uci", "ucinewgame", "d"])?.into(),
        9 => format!("setoption name {}", one_of(script, &OPTIONS)?),
        10 => "d".into(),
        _ => one_of(script, &["quit", "debug on", "", "position", "go perft 2"])?.into(),
    })
}

const GOES: [&str; 10] = [
    "",
    "infinite",
    "ponder wtime 1000 btime 1000",
    "wtime 1000 btime 1000 winc 10 binc 10",
    "wtime 18446744073709551615 btime 18446744073709551615 winc 18446744073709551615 movestogo 4294967295",
    "movetime 1",
    "depth 3 nodes 5",
    "searchmoves P@e3 P@a1 depth 2",
    "wtime 0 btime -5 movestogo 1",
    "infinite searchmoves P@e3",
];

const POSITIONS: [&str; 5] = [
    "startpos",
    "fen 8/8/8/3pP3/3Pp3/8/8/8[PPPppp] w - - 0 1",
    "fen pP6/8/8/8/8/8/8/8 b - - 0 1",
    "fen 6/6/2pP2/2Pp2/6/6 w - - 4294967295 4294967295",
    "fen PPPPPPPP/8/8/8/8/8/8/8 b",
];

const OPTIONS: [&str; 10] = [
    "UCI_Variant value flipello",
    "UCI_Variant value antiflipello6",
    "UCI_Variant value chess",
    "MultiPV value 4",
    "UCI_LimitStrength value true",
    "UCI_Elo value 900",
    "UCI_AnalyseMode value true",
    "Clear Hash",
    "Move Overhead value 5000",
    "Ponder value true",
];
