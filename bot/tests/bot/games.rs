//! Hundreds of games on a server that does everything wrong but the rules.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::mailbox::Side;
use crate::program::{Folder, Running};
use crate::server::Server;
use crate::server::world::{World, Wrongs};

/// Fast moves, and pauses a fraction of the usual ones, as the server's clocks run faster.
pub const CONFIG: &str = r#"
[challenges]
max_games = 24

[strength]
depth = 2
hash = 1

[chat]
greeting = "Hello {opponent}!"
goodbye = "Thank you."

[game]
abort_after = 0.8

[network]
timeout = 0.5
silence = 0.5
first_pause = 0.01
longest_pause = 0.3
rate_limit_pause = 0.02
reserve = 0.1
confirm = 0.15
refresh = 0.6
renew = 1
"#;

const GAMES: u32 = 200;
const NO_SHOWS: u32 = 8;

/// At the same time.
const AT_ONCE: usize = 16;

/// Of a thousand requests, and of a thousand lines of a stream.
const FAULT_RATE: u64 = 90;

pub fn clocks() -> [Value; 6] {
    [
        json!({"initial": 180_000, "increment": 2000, "clockType": "fischer"}),
        json!({"initial": 60_000, "increment": 0, "clockType": "fischer"}),
        json!({"initial": 120_000, "delay": 3000, "clockType": "bronstein"}),
        json!({"initial": 120_000, "delay": 3000, "clockType": "usdelay"}),
        json!({"initial": 60_000, "increment": 0, "byoyomi": 20_000, "periods": 3, "clockType": "byoyomi"}),
        json!({"initial": 60_000, "increment": 1000, "byoyomi": 30_000, "periods": 1, "clockType": "byoyomi"}),
    ]
}

/// Sends challenges as long as more games are wanted. Returns whether all are over.
fn keep_playing(world: &mut World, finished: u32) -> bool {
    world.look_at_clocks();
    world.remind(Duration::from_secs(1));
    let begun = world.games.len() + world.challenges.len();
    let all = (GAMES + NO_SHOWS) as usize;
    let busy = world.running() + world.challenges.len();
    for number in begun..all.min(begun + AT_ONCE.saturating_sub(busy)) {
        let variant = if number % 2 == 0 { "antiflipello" } else { "flipello" };
        let side = if number / 2 % 2 == 0 { Side::Black } else { Side::White };
        let clocks = clocks();
        let no_shows_every = all / NO_SHOWS as usize;
        world.challenge(variant, &clocks[number % clocks.len()], side, number % no_shows_every == 3);
    }
    world.totals.finished >= finished
}

#[test]
fn two_hundred_games_on_an_unkind_server() {
    let (folder, server) = (Folder::new(), Server::start(FAULT_RATE, 20_261_118));
    let start = |change: &str| {
        let config = folder.file("bot.toml", &CONFIG.replace("depth = 2", change));
        Running::start(&folder, &config, &server.url(), "info")
    };
    // The site is down, and the bot is killed, in the middle of games.
    let mut bot = start("depth = 2");
    server.wait_until(|world| keep_playing(world, 50));
    drop(bot.kill());
    bot = start("elo = 2400");
    server.wait_until(|world| keep_playing(world, 90));
    server.restart(Duration::from_millis(200));
    server.wait_until(|world| keep_playing(world, 130));
    drop(bot.kill());
    server.restart(Duration::from_millis(50));
    bot = start("depth = 2\nponder = true");
    server.wait_until(|world| keep_playing(world, 170));
    // What is forgotten now no new start of the bot puts right.
    server.restart(Duration::from_millis(100));
    server.wait_until(|world| keep_playing(world, GAMES) && world.totals.no_shows >= NO_SHOWS);
    drop(bot.kill());
    server.with(|world| report(world));
    // Nothing is kept of all the connections that were cut.
    server.wait_until(|_| !server.is_connected());
}

fn report(world: &World) {
    let totals = &world.totals;
    let mut text = format!(
        "\n{} games on the unkind server: {} won, {} lost, {} drawn; {} of {} opponents who never moved were left\n\
         {} moves of the bot, {} of them passes; {} sent again to a slow server, {} for a position that the server \
         had forgotten; {} moves forgotten by the server\n\
         least part of its time that the bot had left: {:.0} %; {} games greeted, {} twice after a kill\n",
        totals.finished,
        totals.won,
        totals.lost,
        totals.drawn,
        totals.no_shows,
        NO_SHOWS,
        totals.bot_moves,
        totals.passes,
        totals.sent_again,
        totals.after_roll_back,
        totals.forgotten_moves,
        100.0 * world.least_time,
        totals.greeted,
        totals.greeted_again,
    );
    for (fault, count) in &world.faults.seen {
        text += &format!("{count:6}  {fault}\n");
    }
    text += &format!("{:?}\ndeclined: {:?}\n", world.wrongs, totals.declined);
    // The test's own output is hidden when it succeeds.
    let _ = std::io::stderr().write_all(text.as_bytes());
    assert_eq!(world.wrongs, Wrongs::default());
    assert_eq!((totals.finished, totals.no_shows), (GAMES, NO_SHOWS));
    assert_eq!(world.running(), 0);
    assert_eq!(world.faults.seen.len(), 18, "every kind of fault has happened");
    assert!(totals.forgotten_moves > 0);
    assert!(totals.greeted_again <= 2 * AT_ONCE as u32);
}
