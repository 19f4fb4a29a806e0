use crossbeam_channel::bounded;
use ollehto::board::{Move, Size, Square};
use serde_json::json;

use super::*;
use crate::http::Http;
use crate::token::Token;

/// A game at a site that nobody serves.
fn game() -> GameLoop {
    let (config, token) = (Config::default(), Token::new("token").expect("a word"));
    let api = Api::new(Http::new("http://127.0.0.1:9", token, &config.network), config.network.clone());
    let id = Id::try_from("abcd1234".to_owned()).expect("an identifier");
    GameLoop::new(api, Arc::new(config), id, "ollehto".into(), bounded(0).0)
}

fn full(moves: &str) -> GameFull {
    serde_json::from_value(json!({
        "variant": {"key": "antiflipello"},
        "p1": {"id": "ollehto"},
        "p2": {"id": "ann"},
        "state": {"moves": moves, "wtime": 60_000, "btime": 60_000, "status": "started"},
    }))
    .expect("a game")
}

#[test]
fn a_pause_that_ends_between_two_looks_at_the_clock_is_not_slept_over() {
    let mut game = game();
    let (position, action) = (Position::start(Size::Eight), Move::Place(Square::D3));
    game.found = Some(Found { position, action, reply: None, exact: None });
    game.retry_at = Some(Instant::now());
    assert!(game.next_deadline() <= Instant::now());
    game.act().expect("nothing to do");
    assert_eq!(game.retry_at, None);
    assert!(game.next_deadline() == game.reread_at, "once");
}

#[test]
fn a_stream_must_begin_as_soon_as_any_answer_must_come() {
    let mut game = game();
    let network = game.config.network.clone();
    game.reread(Duration::ZERO).expect("there is a thread");
    assert!(game.next_deadline() <= Instant::now() + Duration::from(network.timeout));
    let before = Instant::now();
    game.synchronise(full("P@c5"), Timestamp::now()).expect("nothing to do");
    assert!(game.next_deadline() >= before + Duration::from(network.refresh));
}

#[test]
fn pauses_between_streams_stop_growing_where_the_game_goes_on() {
    let mut game = game();
    for (moves, failures) in [("", 1), ("", 2), ("P@c5", 0), ("P@c5", 1), ("P@c5 P@c6", 0)] {
        game.stream_pauses.pause();
        game.synchronise(full(moves), Timestamp::now()).expect("nothing to do");
        assert_eq!(game.stream_pauses.failures(), failures, "{moves:?}");
    }
}
