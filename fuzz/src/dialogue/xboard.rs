//! XBoard: every ping gets its pong, in order; the engine moves when it is its turn, and only then; it refuses what is
//! illegal on the model's board, and nothing else; every result is told.

use std::cmp::Ordering;
use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::XBoard;
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::PositionText;
use ollehto_protocol::xboard::{Command, parse_line};

use super::super::mailbox::{Mailbox, Move, Rules, Side};
use super::model::ModelGame;
use super::{Model, converse, one_ascii_line, one_of};

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
    let pads_passes = data.len().is_multiple_of(2);
    let start = |session, output| XBoard::new(session, output, None, pads_passes);
    let game = ModelGame::new(start_board(), Rules::Standard);
    let mut model = XBoardModel {
        game,
        pads_passes,
        plays: None,
        is_choosing: false,
        pings: VecDeque::new(),
        complaints: 0,
        results: 0,
    };
    let _ = converse(&mut Unstructured::new(data), Size::Eight, start, &mut model);
}

struct XBoardModel {
    game: ModelGame,
    pads_passes: bool,
    /// The colour that the engine plays.
    plays: Option<Side>,
    /// A move has to come, unless something else takes its place.
    is_choosing: bool,
    /// Pings without their pong.
    pings: VecDeque<String>,
    /// Lines that have to be refused at once.
    complaints: usize,
    /// Results that have to be told at once.
    results: usize,
}

impl Model for XBoardModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        command(script, &self.game).map(String::into_bytes)
    }

    fn is_harmless(&self, _: &[u8]) -> bool {
        true
    }

    fn sent(&mut self, line: &[u8]) {
        let command = parse_line(line);
        let is_good = match &command {
            Command::Ping(text) => {
                self.pings.push_back(text.clone());
                true
            }
            Command::New => {
                self.game.restart(start_board());
                (self.plays, self.is_choosing) = (Some(Side::Black), false);
                true
            }
            Command::SetBoard(text) => self.set_board(text.as_ref()),
            Command::Force => {
                (self.plays, self.is_choosing) = (None, false);
                true
            }
            Command::Go => {
                self.plays = Some(self.game.board.to_move());
                self.choose();
                true
            }
            Command::PlayOther => {
                self.plays = Some(self.game.board.to_move().other());
                true
            }
            Command::UserMove(_, vertex) => vertex.is_some_and(|vertex| self.user_move(vertex)),
            Command::Undo(count) => {
                self.is_choosing = false;
                self.game.undo(*count)
            }
            Command::Variant(name) => name == "reversi",
            Command::Unknown(_) => false,
            _ => true,
        };
        self.complaints += usize::from(!is_good);
    }

    fn sent_overlong(&mut self) {
        self.complaints += 1;
    }

    fn received(&mut self, text: &str) {
        text.lines().for_each(|line| self.receive(line));
        assert_eq!((self.complaints, self.results), (0, 0), "no complaint, no result after {text:?}");
        assert!(self.is_choosing || self.pings.is_empty(), "no pong to {:?}", self.pings);
    }

    /// Each square is refused or taken, and taken back.
    fn last_lines(&self) -> Vec<String> {
        let legal = self.game.board.placements(self.game.board.to_move());
        let mut lines = vec!["force".to_owned()];
        for cell in 0..64 {
            lines.push(format!("usermove {}", self.game.board.name(Move::Place(cell)).to_ascii_lowercase()));
            lines.extend(legal.contains(&cell).then(|| "undo".to_owned()));
        }
        lines.push("go".into());
        lines
    }

    fn ended(&mut self, quit: bool) {
        assert!(quit || self.pings.is_empty(), "no pong to {:?}", self.pings);
        assert!(quit || !self.is_choosing, "no move");
    }
}

impl XBoardModel {
    fn set_board(&mut self, text: Option<&PositionText>) -> bool {
        let board = text.map(|text| Mailbox::parse(&text.to_string()).expect("the same form"));
        let Some(board) = board.filter(|board| board.empties() < 64) else { return false };
        self.game.restart(board);
        self.is_choosing = false;
        true
    }

    fn user_move(&mut self, vertex: Vertex) -> bool {
        let turn = self.game.board.read(&vertex.to_string());
        let is_legal = turn.is_some_and(|turn| self.game.play(self.game.board.to_move(), turn));
        if is_legal {
            self.is_choosing = false;
            self.results += usize::from(self.game.board.is_over());
            self.choose();
        }
        is_legal
    }

    fn choose(&mut self) {
        let board = &self.game.board;
        self.is_choosing |= self.plays == Some(board.to_move()) && !board.is_over();
    }

    fn receive(&mut self, line: &str) {
        // A command without its word is repeated without it.
        super::super::lines::check_line(line.trim_end());
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "move" => {
                assert!(std::mem::take(&mut self.is_choosing), "nobody waits for {line}");
                let pass = if self.pads_passes { "P@@@@@" } else { "@@@@" };
                let turn = match rest.strip_prefix("P@") {
                    _ if rest == pass => Some(Move::Pass),
                    Some(name) => self.game.board.read(name).filter(|turn| *turn != Move::Pass),
                    None => None,
                };
                let turn = turn.unwrap_or_else(|| panic!("{line} is no move"));
                let board = self.game.board.clone();
                assert!(self.game.play(board.to_move(), turn), "{line} in {board:?}");
                self.results += usize::from(self.game.board.is_over());
            }
            "pong" => {
                let ping = self.pings.pop_front().expect("a pong to nothing");
                assert_eq!(rest, one_ascii_line(&ping));
            }
            "Error" | "Illegal" | "tellusererror" => {
                self.complaints = self.complaints.checked_sub(1).unwrap_or_else(|| panic!("{line}"));
            }
            "1-0" | "0-1" | "1/2-1/2" => self.check_result(word, rest),
            "feature" => {}
            // How the search gets on, which ends with its moves.
            _ => assert!(self.is_choosing && word.parse::<u8>().is_ok(), "{line}"),
        }
    }

    fn check_result(&mut self, result: &str, reason: &str) {
        self.results = self.results.checked_sub(1).expect("the game goes on");
        let board = &self.game.board;
        let [black, white] = [Side::Black, Side::White].map(|side| board.count(side));
        let (expected, winner) = match white.cmp(&black) {
            Ordering::Greater => ("1-0", "White wins"),
            Ordering::Less => ("0-1", "Black wins"),
            Ordering::Equal => ("1/2-1/2", "Draw"),
        };
        let text = format!("{{{winner}: Black {black}, White {white}}}");
        assert_eq!((result, reason), (expected, text.as_str()), "{board:?}");
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
        5 => format!("ping {}", one_of(script, &["1", "2", "3", "\u{e9}\u{7}?", ""])?),
        6 => one_of(script, &["force", "playother", "?", "undo", "remove", "new"])?.into(),
        7 => one_of(
            script,
            &[
                "setboard 8/8/8/3pP3/3Pp3/8/8/8 w",
                "setboard pP6/8/8/8/8/8/8/8 b",
                "setboard PPPPPPPP/pppppppp/8/8/8/8/8/8 w",
                // Black has to pass.
                "setboard Pp6/8/8/8/8/8/8/7p b",
                "setboard 8/8/8/8/8/8/8/8 w",
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
        _ => one_of(
            script,
            &[
                "protover 2",
                "xboard",
                "quit",
                "a1",
                "P@d3",
                "unknown",
                "",
                "variant \u{e9}",
                "usermove \u{e9}",
            ],
        )?
        .into(),
    })
}
