//! Plays Reversed Reversi and Othello on PlayStrategy.
//!
//! ```text
//! main → bot → game → player, feed, tracker → api → http → token, ndjson
//! ```
//!
//! `bot` reads the account's events, answers challenges and starts a thread for each game. `game` is that thread's loop:
//! the site's stream of the game (`feed`), what is known of the game (`tracker`) and the engine (`player`).

pub mod api;
pub mod backoff;
pub mod bot;
pub mod challenge;
pub mod clock;
pub mod config;
mod feed;
pub mod game;
pub mod http;
pub mod logging;
pub mod ndjson;
pub mod notation;
mod player;
pub mod site;
pub mod token;
mod tracker;
