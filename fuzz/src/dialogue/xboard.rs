//! XBoard: every ping gets its pong, in order; all moves are legal on the model's board.

use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::XBoard;
use ollehto_protocol::xboard::{Command, parse_line};

use super::super::mailbox::{Mailbox, Move, Rules};
use super::model::ModelGame;
use super::{Model, converse, one_of};

/// White begins, with the discs that Othello's Black has.
fn start_board() -> Mailbox {
    let cells = Mailbox::start(8).cells_text('X');
    let swapped: String = cells
        .chars()
        .map(|cell| match cell {
            'X' => 'O',
            'O' => 'X',
            other => other,
        })
        .collect();
    Mailbox::parse(&format!("{swapped} O")).expect("the same form")
}

pub fn xboard(data: &[u8]) {
    let start = |session, output| XBoard::new(session, output, None, data.len().is_multiple_of(2));
    let game = ModelGame::new(start_board(), Rules::Standard);
    let mut model = XBoardModel { game, pings: VecDeque::new() };
    let _ = converse(&mut Unstructured::new(data), Size::Eight, start, &mut model);
}

struct XBoardModel {
    game: ModelGame,
    /// Pings without their pong.
    pings: VecDeque<String>,
}

impl Model for XBoardModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        command(script, &self.game).map(String::into_bytes)
    }

    fn is_harmless(&self, _: &[u8]) -> bool {
        true
    }

    fn sent(&mut self, line: &[u8]) {
        match parse_line(line) {
            Command::Ping(text) => self.pings.push_back(text),
            Command::New => self.game.restart(start_board()),
            Command::SetBoard(Some(text)) => {
                let board = Mailbox::parse(&text.to_string()).expect("the same form");
                if board.empties() < 64 {
                    self.game.restart(board);
                }
            }
            Command::UserMove(_, Some(vertex)) => {
                if let Some(turn) = self.game.board.read(&vertex.to_string()) {
                    self.game.play(self.game.board.to_move(), turn);
                }
            }
            Command::Undo(count) => {
                self.game.undo(count);
            }
            _ => {}
        }
    }

    fn received(&mut self, text: &str) {
        text.lines().for_each(|line| self.receive(line));
    }

    fn ended(&mut self, quit: bool) {
        assert!(quit || self.pings.is_empty(), "no pong to {:?}", self.pings);
    }
}

impl XBoardModel {
    fn receive(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "move" => {
                let name = rest.trim_start_matches("P@");
                let turn = if name == "@@@@" { Some(Move::Pass) } else { self.game.board.read(name) };
                let turn = turn.unwrap_or_else(|| panic!("{line} is no move"));
                let board = self.game.board.clone();
                assert!(self.game.play(board.to_move(), turn), "{line} in {board:?}");
            }
            "pong" => {
                let ping = self.pings.pop_front().expect("a pong to nothing");
                assert_eq!(rest.trim(), ping.trim());
            }
            _ => {}
        }
    }
}

fn command(script: &mut Unstructured<'_>, game: &ModelGame) -> Result<String> {
    Ok(match script.int_in_range(0..=11)? {
        0 | 1 => "go".into(),
        2..=4 => {
            let moves = game.board.moves();
            let turn = if moves.is_empty() { Move::Pass } else { *script.choose(&moves)? };
            let name = match turn {
                Move::Pass => "@@@@".into(),
                Move::Place(_) => game.board.name(turn).to_ascii_lowercase(),
            };
            format!("usermove {name}")
        }
        5 => format!("ping {}", script.int_in_range(0..=999)?),
        6 => one_of(script, &["force", "playother", "?", "undo", "remove", "new"])?.into(),
        7 => one_of(
            script,
            &[
                "setboard 8/8/8/3pP3/3Pp3/8/8/8 w",
                "setboard pP6/8/8/8/8/8/8/8 b",
                "setboard PPPPPPPP/pppppppp/8/8/8/8/8/8 w",
            ],
        )?
        .into(),
        8 => one_of(
            script,
            &["level 40 5 0", "level 0 1e300 1", "level 0 1e15 1e15", "level 1 0:01 0", "st 1", "st 1e18"],
        )?
        .into(),
        9 => one_of(
            script,
            &["time 9223372036854775807", "time -5", "otim 5", "sd 200", "memory 1", "cores 4"],
        )?
        .into(),
        10 => one_of(script, &["hard", "easy", "post", "nopost", "variant reversi", "variant chess"])?.into(),
        _ => one_of(script, &["protover 2", "xboard", "quit", "a1", "P@d3", "unknown", ""])?.into(),
    })
}
