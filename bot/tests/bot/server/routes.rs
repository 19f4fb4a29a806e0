//! The routes of the bot API.

use serde_json::{Value, json};

use super::game::BOT;
use super::http::{Request, error};
use super::world::{Topic, World};

pub enum Reply {
    Json(u16, Value),
    /// The number of a new stream.
    Stream(u64),
}

fn ok() -> Reply {
    Reply::Json(200, json!({"ok": true}))
}

fn not_found(text: &str) -> Reply {
    Reply::Json(404, error(text))
}

fn done(result: Result<(), (u16, String)>) -> Reply {
    result.map_or_else(|(status, text)| Reply::Json(status, error(&text)), |()| ok())
}

pub fn route(request: &Request, is_answer_lost: bool, world: &mut World) -> Reply {
    let path = request.path.split('?').next().unwrap_or_default();
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match (request.method.as_str(), &parts[..]) {
        ("GET", ["api", "account"]) => account(world),
        ("GET", ["api", "account", "playing"]) => {
            let running = world.games.values().filter(|game| game.is_running());
            let games: Vec<Value> = running.take(50).map(|game| game.preview()).collect();
            Reply::Json(200, json!({ "nowPlaying": games }))
        }
        ("GET", ["api", "stream", "event"]) => {
            let mut lines: Vec<Value> = world
                .games
                .values()
                .filter(|game| game.is_running())
                .map(|game| game.event("gameStart"))
                .collect();
            let challenges = world.challenges.values();
            lines.extend(challenges.map(|c| json!({"type": "challenge", "challenge": c.json})));
            Reply::Stream(world.open_stream(Topic::Events, lines))
        }
        ("POST", ["api", "challenge", id, "accept"]) if world.accept(id) => ok(),
        ("POST", ["api", "challenge", id, "decline"])
            if world.decline(id, request.body.trim_start_matches("reason=")) =>
        {
            ok()
        }
        ("POST", ["api", "challenge", _, "accept" | "decline"]) => not_found("Not found"),
        ("POST", ["api", "bot", "account", "upgrade"]) => {
            world.is_bot = true;
            ok()
        }
        (method, ["api", "bot", "game", rest @ ..]) => {
            if !world.is_bot {
                return Reply::Json(400, error("This endpoint can only be used with a Bot account."));
            }
            game(method, rest, &request.body, is_answer_lost, world)
        }
        _ => unknown(request, world),
    }
}

fn account(world: &World) -> Reply {
    let mut account = json!({"id": BOT, "username": "Ollehto", "online": true, "perfs": {},
        "createdAt": 1_750_000_000_000_i64, "count": {"all": 0}});
    if world.is_bot {
        account["title"] = json!("BOT");
    }
    Reply::Json(200, account)
}

fn game(method: &str, parts: &[&str], body: &str, is_answer_lost: bool, world: &mut World) -> Reply {
    let id = match (method, parts) {
        ("GET", ["stream", id]) | ("POST", [id, ..]) => *id,
        _ => return not_found("No such command"),
    };
    if !world.games.contains_key(id) {
        return not_found("No such game");
    }
    match parts {
        ["stream", _] => {
            let Some(game) = world.games.get_mut(id) else { return not_found("No such game") };
            game.was_read = true;
            let (full, is_over) = (game.full(), !game.is_running());
            let stream = world.open_stream(Topic::Game(id.to_owned()), vec![full]);
            if let Some(stream) = world.streams.get_mut(&stream) {
                stream.is_closed = is_over;
            }
            Reply::Stream(stream)
        }
        [_, "move", uci] => done(world.play(id, uci, is_answer_lost)),
        [_, "chat"] if body.contains("room=player") && body.contains("text=") => {
            world.chat(id);
            ok()
        }
        [_, "abort"] => done(world.abort(id)),
        [_, "resign"] => done(world.resign(id)),
        [_, "draw", _] => ok(),
        _ => {
            world.wrongs.unknown_routes += 1;
            not_found("No such command")
        }
    }
}

fn unknown(request: &Request, world: &mut World) -> Reply {
    eprintln!("unknown route: {} {}", request.method, request.path);
    world.wrongs.unknown_routes += 1;
    not_found("Not found")
}
