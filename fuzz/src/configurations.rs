//! Texts that people write for the program: TOML, players of a match.

use std::path::Path;

use ollehto::arena::spec::PlayerSpec;
use ollehto::lab::tune::config::Config;

// The whole bot would bring its network along, which takes longer to build than all else.
#[path = "../../bot/src/config/mod.rs"]
#[allow(dead_code, reason = "only a part is read here")]
mod bot_config;
#[path = "../../bot/src/ndjson.rs"]
#[allow(dead_code, reason = "only a part is read here")]
mod bot_lines;
#[path = "../../bot/src/site.rs"]
#[allow(dead_code, reason = "only a part is read here")]
mod bot_site;

pub fn tuning(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match Config::parse(text) {
        Ok(config) => {
            let written = toml::to_string(&config).expect("plain data");
            assert_eq!(Config::parse(&written).as_ref(), Ok(&config), "{written}");
            let _ = (config.settings(), config.included(), config.yardstick());
        }
        Err(error) => assert!(!error.is_empty()),
    }
}

pub fn bot(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match bot_config::Config::parse(Path::new("folder/bot.toml"), text) {
        Ok(config) => {
            let _ = (config.site(), config.strength.limits());
            for text in [&config.chat.greeting, &config.chat.goodbye] {
                assert!(text.to("somebody").is_none_or(|text| text.chars().count() <= 140));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What the site sends to the bot: events, games, lists of games.
pub fn bot_stream(data: &[u8]) {
    let mut lines = bot_lines::Lines::new(data);
    while let Some(line) = lines.next_line().expect("memory can be read") {
        let bot_lines::Line::Value(value) = line else { continue };
        let _ = bot_site::Event::read(&value);
        let _ = bot_site::GameLine::read(&value);
        let _ = serde_json::from_value::<bot_site::NowPlaying>(value.clone());
        let _ = serde_json::from_value::<bot_site::Account>(value);
    }
}

/// `--player` of a match.
pub fn player(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    match PlayerSpec::parse(text, |name| name == "greedy") {
        Ok(player) => assert!(!player.name.is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
