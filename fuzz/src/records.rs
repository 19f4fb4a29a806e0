//! Positions, moves and games as texts.

use ollehto::board::{Color, Move, Position, Size};
use ollehto::game::Game;
use ollehto::game_reader::{ReadGame, ReadOptions, link, read_games, read_last_game};
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto::solve;
use ollehto_protocol::ggf::{self, GgfGame};
use ollehto_protocol::notation::{parse_move_list, parse_moves, parse_position, print_moves};
use ollehto_protocol::obf::parse_problem;
use ollehto_protocol::uci::parse_fen;

use super::mailbox::{self, Mailbox};

pub fn ggf(data: &[u8]) {
    for game in ggf::parse_games(data).into_iter().flatten() {
        check_game(&game);
    }
    if let Ok(game) = ggf::parse_game(data) {
        check_game(&game);
    }
}

/// A record is written as it is read, but for signs that would end a field and for rounded numbers, and these only once.
/// What can be played gives the same game again.
pub(crate) fn check_game(game: &GgfGame) {
    let text = game.to_string();
    let again = ggf::parse_game(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again.to_string(), text);
    assert_eq!((&again.board, again.kind, again.clocks), (&game.board, game.kind, game.clocks), "{text}");
    assert_eq!(again.moves.len(), game.moves.len());
    let rules = if game.kind.anti { Rules::Reversed } else { Rules::Standard };
    let Ok(played) = notation::game(game, rules) else {
        assert!(notation::game(&again, rules).is_err());
        return;
    };
    let record = notation::record(&played).to_string();
    let read = ggf::parse_game(record.as_bytes()).expect("our own writing");
    let replayed = notation::game(&read, rules).expect("legal moves");
    assert_eq!((replayed.moves(), replayed.position()), (played.moves(), played.position()), "{record}");
}

pub fn position(data: &[u8]) {
    if let Ok(text) = parse_position(data) {
        assert_eq!(parse_position(text.to_string().as_bytes()).as_ref(), Ok(&text));
        if let Ok(position) = notation::position(&text) {
            assert_eq!(notation::position_text(&position), text);
            check_rules(&position);
        }
    }
    if let Ok(fen) = parse_fen(data) {
        assert_eq!(parse_fen(fen.to_string().as_bytes()), Ok(fen));
    }
}

/// The bitboards and the mailbox agree about a position and all that follow it.
fn check_rules(position: &Position) {
    let mailbox = to_mailbox(position);
    let moves: Vec<Move> = position.moves().into_iter().map(Move::Place).collect();
    let names: Vec<String> = moves.iter().map(|&action| name(action, position.size())).collect();
    let expected = mailbox.placements(mailbox.to_move());
    let expected: Vec<String> =
        expected.into_iter().map(|cell| mailbox.name(mailbox::Move::Place(cell))).collect();
    assert_eq!(names, expected, "{mailbox:?}");
    assert_eq!((position.is_over(), position.must_pass()), (mailbox.is_over(), mailbox.must_pass()));
    for (action, name) in moves.into_iter().zip(names) {
        let next = position.play(action).expect("legal");
        let turn = mailbox.read(&name).expect("a square");
        assert_eq!(to_mailbox(&next), mailbox.after(turn));
    }
    for rules in Rules::ALL {
        let (side, by) = match (position.side(), rules) {
            (Color::Black, Rules::Reversed) => (mailbox::Side::Black, mailbox::Rules::Reversed),
            (Color::Black, Rules::Standard) => (mailbox::Side::Black, mailbox::Rules::Standard),
            (Color::White, Rules::Reversed) => (mailbox::Side::White, mailbox::Rules::Reversed),
            (Color::White, Rules::Standard) => (mailbox::Side::White, mailbox::Rules::Standard),
        };
        let result = rules.result(position.board(), position.size());
        assert_eq!(i32::from(result.0), mailbox.final_score(side, by), "{mailbox:?}");
    }
}

pub(crate) fn to_mailbox(position: &Position) -> Mailbox {
    Mailbox::parse(&notation::position_text(position).to_string()).expect("our own writing")
}

pub(crate) fn name(action: Move, size: Size) -> String {
    notation::vertex(action, size).to_string()
}

pub fn moves(data: &[u8]) {
    let list = parse_move_list(data);
    let Ok(moves) = parse_moves(data) else { return };
    let listed: Vec<_> = list.moves.iter().map(|&(vertex, _)| vertex).collect();
    assert_eq!((&listed, &list.error), (&moves, &None), "both readers agree");
    assert_eq!(parse_moves(print_moves(&moves).as_bytes()).as_ref(), Ok(&moves));
    for size in [Size::Four, Size::Six, Size::Eight] {
        play_both(&moves, size);
    }
}

/// Follows a list of moves on both boards, as far as it is legal.
fn play_both(moves: &[ollehto_protocol::coord::Vertex], size: Size) {
    let mut game = Game::new(Rules::Reversed, size);
    let mut mailbox = Mailbox::start(size.side().into());
    for vertex in moves {
        let played = notation::action(*vertex, size).is_some_and(|action| game.follow(action).is_ok());
        let turn = mailbox.read(&vertex.to_string());
        if mailbox.is_over() {
            // Ours takes passes after the end.
            return;
        }
        if mailbox.must_pass() && turn.is_some_and(|turn| turn != mailbox::Move::Pass) {
            mailbox.play(mailbox::Move::Pass).expect("forced");
        }
        let expected = turn.is_some_and(|turn| mailbox.play(turn).is_ok());
        assert_eq!(played, expected, "{vertex} of {mailbox:?}");
        if !played {
            return;
        }
        assert_eq!(to_mailbox(game.position()), mailbox);
    }
}

pub fn obf(data: &[u8]) {
    if let Ok(problem) = parse_problem(data) {
        assert_eq!(parse_problem(problem.to_string().as_bytes()), Ok(problem));
    }
    for size in [Size::Four, Size::Six, Size::Eight] {
        match solve::parse_position(data, size) {
            Ok(Some(problem)) => assert_eq!(problem.position.size(), size),
            Ok(None) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// What `analyze`, `play` and the page read: GGF, lists of moves, positions and links, mixed.
pub fn games(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let size = [None, Some(Size::Eight), Some(Size::Six), Some(Size::Four)][usize::from(choice) % 4];
    let rules = [None, Some(Rules::Reversed), Some(Rules::Standard)][usize::from(choice) / 4 % 3];
    let options = ReadOptions::new(rules, size);
    let text = String::from_utf8_lossy(text);
    let contents = read_games(&text, &options);
    contents.games.iter().for_each(check_read);
    for fault in &contents.faults {
        assert!(!fault.to_string().is_empty());
    }
    let last = read_last_game(&text, &options);
    let moves = |game: Option<&ReadGame>| game.map(|read| read.game.moves());
    assert_eq!(moves(last.game.as_ref()), moves(contents.games.last()), "both find the same last game");
    assert!(last.game.is_some() || last.fault.is_some() == (contents.fault_count > 0));
}

/// The part of a link behind its `#`, as the page finds it in its address.
pub fn page_link(data: &[u8]) {
    let read = link::read(&String::from_utf8_lossy(data));
    check_read(&read);
}

/// A game can be written and read again.
fn check_read(read: &ReadGame) {
    let record = notation::record(&read.game).to_string();
    ggf::parse_game(record.as_bytes()).expect("our own writing");
    assert!(read.record().moves.len() <= read.game.moves().len());
    let again = link::read(&link::write(&read.game));
    assert_eq!(again.fault, None);
    assert_eq!((again.game.rules(), again.game.position()), (read.game.rules(), read.game.position()));
}
