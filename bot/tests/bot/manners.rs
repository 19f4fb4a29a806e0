//! How the bot treats people and their games.

use std::time::Duration;

use crate::games::{CONFIG, clocks};
use crate::mailbox::Side;
use crate::program::{Folder, Running};
use crate::server::Server;
use crate::server::game::Game;
use crate::server::world::Wrongs;

#[test]
fn challenges_are_declined_with_a_reason() {
    let (folder, server) = (Folder::new(), Server::start(0, 2));
    let config = CONFIG
        .replace("max_games = 24", "max_games = 1\nmax_increment = 10\nblock = [\"player2\"]")
        .replace("abort_after = 0.8", "abort_after = 60");
    let bot = Running::start(&folder, &folder.file("bot.toml", &config), &server.url(), "debug");
    let [clock, .., slow, _] = &clocks();
    // The opponent does not begin, so that the bot stays busy.
    server.with(|world| world.challenge("antiflipello", clock, Side::White, true));
    server.wait_until(|world| world.games.values().any(|game| game.greetings == 1));
    server.with(|world| {
        world.challenge("antiflipello", clock, Side::Black, false);
        world.challenge("octagonflipello", clock, Side::Black, false);
        world.challenge("flipello", slow, Side::Black, false);
        world.challenge("flipello", clock, Side::Black, false);
    });
    server.wait_until(|world| world.totals.declined.values().sum::<u32>() == 4);
    let declined = server.with(|world| world.totals.declined.clone());
    let reasons: Vec<(&str, u32)> =
        declined.iter().map(|(reason, &count)| (reason.as_str(), count)).collect();
    assert_eq!(reasons, [("generic", 1), ("later", 1), ("tooslow", 1), ("variant", 1)]);
    let log = bot.kill();
    assert!(log.contains("declined (tooslow)"), "{log}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_the_games_or_leaves_them() {
    for (key, is_finished) in [("finish", true), ("leave", false)] {
        let (folder, server) = (Folder::new(), Server::start(0, 3));
        let config =
            format!("on_interrupt = \"{key}\"\n{CONFIG}").replace("abort_after = 0.8", "abort_after = 60");
        let bot = Running::start(&folder, &folder.file("bot.toml", &config), &server.url(), "info");
        let id =
            server.with(|world| world.challenge("antiflipello", &clocks()[0], Side::White, !is_finished));
        server.wait_until(|world| world.games.get(&id).is_some_and(|game| game.was_read));
        bot.interrupt();
        let (log, is_success) = bot.wait();
        assert!(is_success, "{log}");
        server.with(|world| {
            assert_eq!(world.games[&id].is_running(), !is_finished, "{log}");
            assert_eq!(world.wrongs, Wrongs::default());
        });
        assert_eq!(log.contains("goes on at the site"), !is_finished, "{log}");
    }
}

/// An accepted challenge is a game to come.
#[cfg(unix)]
#[test]
fn an_interrupt_waits_for_the_game_of_an_accepted_challenge() {
    let (folder, server) = (Folder::new(), Server::start(0, 7));
    let config =
        CONFIG.replace("timeout = 0.5", "timeout = 20").replace("abort_after = 0.8", "abort_after = 60");
    server.with(|world| world.holds_games = true);
    let bot = Running::start(&folder, &folder.file("bot.toml", &config), &server.url(), "info");
    let id = server.with(|world| world.challenge("antiflipello", &clocks()[0], Side::White, false));
    server.wait_until(|world| world.is_holding());
    bot.interrupt();
    server.with(|world| world.begin_held());
    let (log, is_success) = bot.wait();
    assert!(is_success, "{log}");
    server.with(|world| {
        assert!(world.games.get(&id).is_some_and(|game| !game.is_running()), "{log}");
        assert_eq!(world.totals.chats, 2, "the end does not cut the goodbye off: {log}");
        assert_eq!(world.wrongs, Wrongs::default());
    });
}

#[test]
fn a_game_is_resumed_after_a_restart() {
    let (folder, server) = (Folder::new(), Server::start(0, 4));
    let config = folder.file("bot.toml", CONFIG);
    let bot = Running::start(&folder, &config, &server.url(), "info");
    let id = server.with(|world| world.challenge("antiflipello", &clocks()[4], Side::White, false));
    server.wait_until(|world| world.games.get(&id).is_some_and(|game| game.moves.len() > 6));
    drop(bot.kill());
    server.restart(Duration::ZERO);
    let bot = Running::start(&folder, &config, &server.url(), "info");
    server.wait_until(|world| world.totals.finished == 1);
    let log = bot.kill();
    assert!(log.contains("against player1"), "{log}");
    server.with(|world| assert_eq!(world.wrongs, Wrongs::default()));
}

#[test]
fn a_hopeless_game_is_resigned_if_configured() {
    let (folder, server) = (Folder::new(), Server::start(0, 5));
    let config = CONFIG
        .replace("[game]", "[game]\nresign_after = 1\nresign_margin = 1")
        // A beginner, who loses to chance now and then; the last moves are solved all the same.
        .replace("depth = 2", "elo = 800");
    let bot = Running::start(&folder, &folder.file("bot.toml", &config), &server.url(), "info");
    server.wait_until(|world| {
        if world.running() + world.challenges.len() < 8 {
            world.challenge("antiflipello", &clocks()[0], Side::White, false);
        }
        world.wrongs.resigned > 0
    });
    drop(bot.kill());
}

#[test]
fn a_rematch_is_accepted_and_a_forced_pass_sent() {
    let (folder, server) = (Folder::new(), Server::start(0, 6));
    let bot = Running::start(&folder, &folder.file("bot.toml", CONFIG), &server.url(), "info");
    // Black, the bot, must pass; then White takes its last disc, and Black has won.
    let board = format!("OX{} X", "-".repeat(62));
    let fen = "pP6/8/8/8/8/8/8/8[PPpp] w - - 0 1";
    let game = Game::new("passgame", "antiflipello", &clocks()[3], Side::Black, "ann").from(&board, fen);
    server.with(|world| world.begin(game));
    server.wait_until(|world| !world.games["passgame"].is_running());
    server.with(|world| {
        let game = &world.games["passgame"];
        assert_eq!((game.moves.join(" ").as_str(), game.winner), ("b8b8 P@c8", Some(Side::Black)));
        assert_eq!(world.wrongs, Wrongs::default());
        world.offer_rematch("passgame");
    });
    server.wait_until(|world| world.games.get("passgamr").is_some_and(|game| !game.is_running()));
    // A greeting at the beginning of each game, and thanks at its end.
    server.wait_until(|world| world.totals.chats == 4);
    drop(bot.kill());
    server.with(|world| assert_eq!(world.wrongs, Wrongs::default()));
}
