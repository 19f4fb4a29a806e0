//! NBoard: every ping gets its pong, in order; a line stops what was asked for before it; every `go` gets a legal move.

use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::NBoard;
use ollehto_protocol::ggf::GgfGame;
use ollehto_protocol::nboard::{Command, NBoardError, parse_line};
use ollehto_protocol::setting::{BookName, Setting};

use super::super::mailbox::{Mailbox, Move, Rules};
use super::gtp::plain_side;
use super::model::ModelGame;
use super::{Model, converse, one_ascii_line, one_of, vertex};

pub fn nboard(data: &[u8]) {
    let start = |session, output| NBoard::new(session, output, None);
    let mut script = Unstructured::new(data);
    let Ok(size) = script.choose(&[Size::Four, Size::Four, Size::Six, Size::Eight]).copied() else { return };
    let game = ModelGame::new(Mailbox::start(size.side().into()), Rules::Standard);
    let mut model = NBoardModel {
        game,
        queue: VecDeque::new(),
        pings: VecDeque::new(),
        learned: 0,
        is_choosing: false,
        shows: Shows::Nothing,
        has_quit: false,
    };
    let _ = converse(&mut script, size, start, &mut model);
}

/// What may be shown of the running search.
#[derive(Clone, Debug, PartialEq)]
enum Shows {
    Nothing,
    /// At most so many moves in an iteration, and those shown of the present one.
    Hints(usize, Vec<Move>),
    Analysis,
}

struct NBoardModel {
    game: ModelGame,
    /// Commands behind a `go` without its move.
    queue: VecDeque<Command>,
    /// Pings without their pong.
    pings: VecDeque<String>,
    /// `learn` without its answer.
    learned: usize,
    is_choosing: bool,
    shows: Shows,
    /// Nothing comes after it.
    has_quit: bool,
}

impl Model for NBoardModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        command(script, &self.game).map(String::into_bytes)
    }

    fn is_harmless(&self, line: &[u8]) -> bool {
        !matches!(
            parse_line(line),
            Ok(Command::Set(Setting::Log(Some(_)) | Setting::Book(BookName::File(_))))
        )
    }

    fn sent(&mut self, line: &[u8]) {
        match parse_line(line) {
            Ok(Command::Blank) => {}
            Ok(command) => {
                self.shows = Shows::Nothing;
                self.queue.push_back(command);
                self.work();
            }
            Err(NBoardError::Unknown | NBoardError::Bad { .. }) => self.shows = Shows::Nothing,
        }
    }

    fn sent_overlong(&mut self) {
        self.shows = Shows::Nothing;
    }

    fn received(&mut self, text: &str) {
        text.lines().for_each(|line| self.receive(line));
    }

    fn last_lines(&self) -> Vec<String> {
        // Hints name all moves, `go` one at least.
        ["ping the end", "hint 64", "go"].map(String::from).into()
    }

    fn ended(&mut self, quit: bool) {
        assert!(!quit || self.has_quit, "ends without quit");
        assert!(self.pings.is_empty() && self.learned == 0, "no pong to {:?}", self.pings);
        assert!(!self.is_choosing && self.queue.is_empty(), "no move");
    }
}

impl NBoardModel {
    /// Carries out commands up to a `go`.
    fn work(&mut self) {
        while !self.is_choosing
            && let Some(command) = self.queue.pop_front()
        {
            self.shows = Shows::Nothing;
            match command {
                Command::Ping(text) => self.pings.push_back(text),
                Command::Go => self.is_choosing = true,
                Command::Hint(lines) => self.shows = Shows::Hints(lines as usize, Vec::new()),
                Command::Analyze => self.shows = Shows::Analysis,
                Command::Quit => {
                    self.has_quit = true;
                    self.queue.clear();
                }
                Command::Learn => self.learned += 1,
                Command::New => self.game.restart(Mailbox::start(self.game.board.size())),
                Command::Set(Setting::Size(size)) => self.game.restart(Mailbox::start(size.into())),
                Command::SetGame(record) => self.set_game(&record),
                Command::Move(text) => {
                    if let Some(turn) = self.game.board.read(&text.vertex.to_string()) {
                        self.game.follow(turn);
                    }
                }
                _ => {}
            }
        }
    }

    /// Keeps the old game if the record is not playable.
    fn set_game(&mut self, record: &GgfGame) {
        let board = Mailbox::parse(&record.board.to_string()).expect("the same form");
        if board.empties() == board.size() * board.size() {
            return;
        }
        let mut game = ModelGame::new(board, Rules::Standard);
        for turn in &record.moves {
            let vertex = game.board.read(&turn.text.vertex.to_string());
            if !vertex.is_some_and(|vertex| game.play(plain_side(turn.side), vertex)) {
                return;
            }
        }
        self.game = game;
    }

    fn receive(&mut self, line: &str) {
        super::super::lines::check_line(line);
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "pong" => {
                let ping = self.pings.pop_front().expect("a pong to nothing");
                assert_eq!(rest, one_ascii_line(&ping), "to ping {ping:?}");
            }
            "===" => {
                assert!(std::mem::take(&mut self.is_choosing), "a move without a go: {line}");
                self.check_move(rest.split('/').next().unwrap_or(rest));
                self.work();
            }
            "search" => {
                let turn = self.check_move(rest.split(['-', ' ']).next().unwrap_or(rest));
                let Shows::Hints(_, shown) = &mut self.shows else { panic!("{line} after {:?}", self.shows) };
                assert!(!shown.contains(&turn), "{line} twice");
                shown.push(turn);
            }
            "analysis" => assert_eq!(self.shows, Shows::Analysis, "{line}"),
            "nodestats" => match &mut self.shows {
                Shows::Hints(lines, shown) => {
                    let all = self.game.board.moves().len();
                    assert_eq!(shown.len(), all.min(*lines), "{shown:?} in {:?}", self.game.board);
                    shown.clear();
                }
                _ => assert!(self.is_choosing, "{line}"),
            },
            "learned" => self.learned = self.learned.checked_sub(1).expect("it was asked to learn"),
            "status" | "set" => {}
            _ => panic!("{line:?}"),
        }
    }

    fn check_move(&self, name: &str) -> Move {
        let board = &self.game.board;
        let turn = board.read(name).unwrap_or_else(|| panic!("{name} is no move"));
        let cells = board.placements(board.to_move());
        match turn {
            Move::Pass => assert!(cells.is_empty(), "a pass in {board:?}"),
            Move::Place(cell) => assert!(cells.contains(&cell), "{name} in {board:?}"),
        }
        turn
    }
}

fn command(script: &mut Unstructured<'_>, game: &ModelGame) -> Result<String> {
    Ok(match script.int_in_range(0..=15)? {
        0 | 1 => "go".into(),
        2 | 3 => format!("hint {}", script.int_in_range(0..=9)?),
        4 => format!("ping {}", script.int_in_range(0..=999)?),
        5 => format!("ping {}", one_of(script, &["7  x", "\u{e9}\t\u{7}?", " \u{2028}end ", "a\u{feff}b"])?),
        6..=8 => {
            let moves = game.board.moves();
            let turn = if moves.is_empty() { Move::Pass } else { *script.choose(&moves)? };
            format!("move {}", game.board.name(turn))
        }
        9 => format!("move {}/1.5/{}", vertex(script)?, one_of(script, &["0.2", "1e19", "", "-1"])?),
        10 => "analyze".into(),
        11 => {
            let texts = [
                "set game (;GM[Othello]TY[4]BO[4 -----O*--*O----- *]B[A2//1]W[A1];)",
                "set game (;GM[Othello]TI[1e18/1e18/0]TY[6a]BO[6 ---------------O*----*O-------------- *];)",
                "set game (;GM[Othello]TI[0:01]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5//1e18];)",
                "set game (;GM[Othello]TY[4]BO[4 OX-------------- O];)",
            ];
            one_of(script, &texts)?.into()
        }
        12 => one_of(
            script,
            &["set depth 3", "set contempt -100", "set rules reversed", "set ponder on", "set ponder off"],
        )?
        .into(),
        13 => one_of(
            script,
            &["set size 4", "set size 6", "set size 8", "new", "clear", "set elo 900", "set elo off"],
        )?
        .into(),
        14 => one_of(
            script,
            &["learn", "nboard 2", "unknown", "", "# comment", "set time 0.01", "set time off"],
        )?
        .into(),
        _ => one_of(script, &["quit", "ping", "hint", "go on", "PA"])?.into(),
    })
}
