//! GTP: every command gets one reply, in order, and the board is the model's.

use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::Gtp;
use ollehto_protocol::coord::{Coord, Side, Vertex};
use ollehto_protocol::ggf::GgfGame;
use ollehto_protocol::gtp::{Command, GtpId, GtpLine, GtpRequest, parse_line};
use ollehto_protocol::setting::{BookName, RulesName, Setting};

use super::super::mailbox::{self, Mailbox, Move};
use super::model::{ModelGame, with_side};
use super::{Model, OVERLONG, converse, one_of, vertex};

pub fn gtp(data: &[u8]) {
    let start = |session, output| Gtp::new(session, output, Some(Box::new(std::io::sink())));
    let mut script = Unstructured::new(data);
    let Ok(size) = script.choose(&[Size::Four, Size::Four, Size::Six, Size::Eight]).copied() else { return };
    let game = ModelGame::new(Mailbox::start(size.side().into()), mailbox::Rules::Reversed);
    let mut model = GtpModel { game, waiting: VecDeque::new(), text: String::new(), has_quit: false };
    let _ = converse(&mut script, size, start, &mut model);
}

struct GtpModel {
    game: ModelGame,
    /// Commands without a reply; none where the line cannot be read.
    waiting: VecDeque<(Option<GtpId>, Option<Command>)>,
    /// An incomplete reply.
    text: String,
    /// Nothing comes after it.
    has_quit: bool,
}

impl Model for GtpModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let line = command(script, &self.game)?;
        let numbered = script.ratio(1, 3)?;
        let line = if numbered { format!("{} {line}", script.int_in_range(0..=999)?) } else { line };
        Ok(line.into_bytes())
    }

    fn is_harmless(&self, line: &[u8]) -> bool {
        let GtpLine::Request(GtpRequest { command: Ok(Command::Set(setting)), .. }) = parse_line(line) else {
            return true;
        };
        !matches!(setting, Setting::Log(Some(_)) | Setting::Book(BookName::File(_)))
    }

    fn sent(&mut self, line: &[u8]) {
        if let GtpLine::Request(GtpRequest { id, command }) = parse_line(line) {
            self.waiting.push_back((id, command.ok()));
        }
    }

    fn sent_overlong(&mut self) {
        let GtpLine::Request(GtpRequest { id, .. }) = parse_line(OVERLONG) else { return };
        self.waiting.push_back((id, None));
    }

    fn received(&mut self, text: &str) {
        self.text += text;
        while let Some((reply, rest)) = self.text.split_once("\n\n") {
            let (reply, rest) = (reply.to_owned(), rest.to_owned());
            self.text = rest;
            self.reply(&reply);
        }
    }

    fn last_lines(&self) -> Vec<String> {
        ["showposition", "gogui-rules_legal_moves", "final_score"].map(String::from).into()
    }

    fn ended(&mut self, quit: bool) {
        assert_eq!(self.text, "", "half a reply");
        assert!(!quit || self.has_quit, "no reply to quit");
        assert!(self.has_quit || self.waiting.is_empty(), "no reply to {:?}", self.waiting);
    }
}

impl GtpModel {
    fn reply(&mut self, reply: &str) {
        assert!(!self.has_quit, "{reply:?} after quit");
        let (id, command) = self.waiting.pop_front().expect("a reply to nothing");
        let is_success = reply.starts_with('=');
        assert!(is_success || reply.starts_with('?'), "{reply:?}");
        let (head, text) = reply[1..].split_once([' ', '\n']).unwrap_or((&reply[1..], ""));
        assert_eq!(head, id.map_or(String::new(), |id| id.to_string()), "{reply:?} to {command:?}");
        let Some(command) = command else { return assert!(!is_success, "{reply}") };
        let answer = is_success.then_some(text);
        if let Some(expected) = self.expected(&command, answer) {
            assert_eq!(answer, expected.as_deref(), "{command:?} on {:?}", self.game.board);
        }
    }

    /// The text of the right reply, none for a failure; nothing where any text may be right. Plays along.
    #[allow(clippy::option_option, reason = "a failure is not an unknown reply")]
    fn expected(&mut self, command: &Command, answer: Option<&str>) -> Option<Option<String>> {
        let board = &self.game.board;
        let done = |is_legal: bool| is_legal.then(String::new);
        let is_legal = match command {
            Command::Play { side, vertex } => self.play(&[(*side, *vertex)]),
            Command::GoguiPlaySequence(moves) => self.play(moves),
            Command::PlayMoves(moves) => self.follow(moves),
            Command::Undo => self.game.undo(1),
            Command::GgUndo(count) => self.game.undo(*count as usize),
            Command::BoardSize(size) => {
                let is_legal = [4, 6, 8].contains(size);
                if is_legal {
                    self.game.restart(Mailbox::start(*size as usize));
                }
                is_legal
            }
            Command::ClearBoard => {
                self.game.restart(Mailbox::start(board.size()));
                true
            }
            Command::SetBoard(text) => self.set_board(&text.to_string()),
            Command::LoadGame(record) => self.load(record),
            Command::GoguiSetup(discs) => self.set_up(discs),
            Command::GoguiSetupPlayer(side) => {
                self.game.restart(with_side(board, plain_side(*side)));
                true
            }
            Command::Set(Setting::Rules(name)) => {
                self.game.rules = plain_rules(*name);
                true
            }
            Command::Quit => {
                self.has_quit = true;
                true
            }
            Command::GenMove(side) => return self.generated(*side, answer, true),
            Command::RegGenMove(side) => return self.generated(*side, answer, false),
            Command::ShowPosition => return Some(Some(board.text())),
            Command::FinalScore => return Some(Some(board.result(self.game.rules))),
            Command::RulesBoardSize => return Some(Some(board.size().to_string())),
            Command::RulesSideToMove => return Some(Some(board.to_move().word().to_owned())),
            Command::RulesLegalMoves => {
                let names: Vec<String> = board.moves().into_iter().map(|turn| board.name(turn)).collect();
                return Some(Some(names.join(" ")));
            }
            Command::RulesCapturedCount => {
                let [white, black] =
                    [mailbox::Side::White, mailbox::Side::Black].map(|side| board.count(side));
                return Some(Some(format!("{white} {black}")));
            }
            _ => return None,
        };
        // Failures have reasons, which are not the model's business.
        match (is_legal, answer) {
            (false, None) => None,
            _ => Some(done(is_legal)),
        }
    }

    fn play(&mut self, moves: &[(Side, Vertex)]) -> bool {
        for (played, &(side, vertex)) in moves.iter().enumerate() {
            let turn = self.game.board.read(&vertex.to_string());
            if !turn.is_some_and(|turn| self.game.play(plain_side(side), turn)) {
                return !self.game.undo(played);
            }
        }
        true
    }

    fn follow(&mut self, moves: &[Vertex]) -> bool {
        for (played, vertex) in moves.iter().enumerate() {
            let turn = self.game.board.read(&vertex.to_string());
            if !turn.is_some_and(|turn| self.game.follow(turn)) {
                return !self.game.undo(played);
            }
        }
        true
    }

    fn set_board(&mut self, text: &str) -> bool {
        let board = Mailbox::parse(text).expect("the same form");
        let is_legal = board.empties() < board.size() * board.size();
        if is_legal {
            self.game.restart(board);
        }
        is_legal
    }

    fn load(&mut self, record: &GgfGame) -> bool {
        let rules = if record.kind.anti { RulesName::Reversed } else { RulesName::Standard };
        let board = Mailbox::parse(&record.board.to_string()).expect("the same form");
        if board.empties() == board.size() * board.size() {
            return false;
        }
        let mut game = ModelGame::new(board, plain_rules(rules));
        for turn in &record.moves {
            let vertex = game.board.read(&turn.text.vertex.to_string());
            if !vertex.is_some_and(|vertex| game.play(plain_side(turn.side), vertex)) {
                return false;
            }
        }
        self.game = game;
        true
    }

    fn set_up(&mut self, discs: &[(Side, Coord)]) -> bool {
        let size = self.game.board.size();
        let mut cells = vec!['-'; size * size];
        for (side, coord) in discs {
            let (column, row) = (usize::from(coord.column()), usize::from(coord.row()));
            if column >= size || row >= size || cells[row * size + column] != '-' {
                return false;
            }
            cells[row * size + column] = if *side == Side::Black { 'X' } else { 'O' };
        }
        self.set_board(&format!("{} X", cells.into_iter().collect::<String>()))
    }

    /// A legal move, or a pass where there is none.
    #[allow(clippy::option_option, reason = "a failure is not an unknown reply")]
    fn generated(&mut self, side: Side, answer: Option<&str>, plays: bool) -> Option<Option<String>> {
        let side = plain_side(side);
        let Some(board) = self.game.turn_of(side) else {
            assert_eq!(answer, None, "it is not the turn of {side:?} in {:?}", self.game.board);
            return None;
        };
        let answer = answer.expect("a move");
        let turn = board.read(answer).unwrap_or_else(|| panic!("{answer} is no move"));
        let cells = board.placements(side);
        match turn {
            Move::Pass => assert!(cells.is_empty(), "a pass in {board:?}"),
            Move::Place(cell) => assert!(cells.contains(&cell), "{answer} in {board:?}"),
        }
        if plays {
            assert!(self.game.play(side, turn), "{answer} in {board:?}");
        }
        None
    }
}

pub(super) fn plain_side(side: Side) -> mailbox::Side {
    match side {
        Side::Black => mailbox::Side::Black,
        Side::White => mailbox::Side::White,
    }
}

pub(super) fn plain_rules(name: RulesName) -> mailbox::Rules {
    match name {
        RulesName::Reversed => mailbox::Rules::Reversed,
        RulesName::Standard => mailbox::Rules::Standard,
    }
}

/// A command, most often one that makes sense now.
fn command(script: &mut Unstructured<'_>, game: &ModelGame) -> Result<String> {
    let side = one_of(script, &["b", "w"])?;
    Ok(match script.int_in_range(0..=19)? {
        0..=2 => format!("genmove {}", likely_side(script, game)?),
        3 => format!("reg_genmove {side}"),
        4..=6 => {
            let moves = game.board.moves();
            let turn = if moves.is_empty() { Move::Pass } else { *script.choose(&moves)? };
            format!("play {} {}", game.board.to_move().letter(), game.board.name(turn))
        }
        7 => format!("play {side} {}", vertex(script)?),
        8 => format!("play_moves {}{}", vertex(script)?, vertex(script)?),
        9 => "undo".into(),
        10 => format!("gg-undo {}", script.int_in_range(0..=9)?),
        11 => format!("boardsize {}", one_of(script, &["4", "6", "8", "5"])?),
        12 => one_of(
            script,
            &[
                "clear_board",
                "showposition",
                "final_score",
                "gogui-rules_legal_moves",
                "gogui-rules_side_to_move",
            ],
        )?
        .into(),
        13 => {
            let texts =
                ["stop", "# interrupt", "ollehto-analyze", "ollehto-hints", "ollehto-pv", "ollehto-values"];
            one_of(script, &texts)?.into()
        }
        14 => {
            let texts = [
                "ponder on",
                "ponder off",
                "rules standard",
                "rules reversed",
                "elo 1200",
                "elo off",
                "clear_cache",
            ];
            one_of(script, &texts)?.into()
        }
        15 => {
            let texts = ["time_settings 1 0 0", "time_settings 0 1 1", "time_settings 1e18 1e18 4294967295"];
            one_of(script, &texts)?.into()
        }
        16 => format!(
            "time_left {side} {} {}",
            one_of(script, &["0", "-5", "0.01", "1e18"])?,
            script.int_in_range(0..=3)?
        ),
        17 => {
            let texts = [
                "setboard -OX--XO--XX-OO-- X",
                "setboard XXXXXXXXXXXXXXX- O",
                "setboard OX-------------- O",
                "gogui-setup b a1 w b1 b c3",
                "gogui-setup_player white",
                "gogui-play_sequence b b1 w a1",
                "loadggf (;GM[Othello]TY[4a]BO[4 -----O*--*O----- *]B[A2]W[A1];)",
            ];
            one_of(script, &texts)?.into()
        }
        18 => one_of(
            script,
            &["level 3", "depth 4", "nodes 100", "time 0.01", "time 1e15", "hash 2", "threads 3"],
        )?
        .into(),
        _ => one_of(
            script,
            &["name", "quit", "showmoves", "showggf", "gogui-version 1", "cputime x", "", "# comment"],
        )?
        .into(),
    })
}

/// Mostly the one to move.
fn likely_side(script: &mut Unstructured<'_>, game: &ModelGame) -> Result<char> {
    let to_move = game.board.to_move();
    Ok(if script.ratio(1, 8)? { to_move.other() } else { to_move }.letter())
}
