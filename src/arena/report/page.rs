//! The page as a whole.

use super::markup::{Text, counted, fill};
use super::matches::Match;
use super::{charts, data, figures, tables, times};
use crate::arena::statistics::Standings;
use crate::rules::Rules;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The parts of the script; the last one starts it.
const SCRIPT: [&str; 5] = [
    include_str!("page/board.js"),
    include_str!("page/drawing.js"),
    include_str!("page/viewer.js"),
    include_str!("page/games.js"),
    include_str!("page/start.js"),
];

/// The report as a page that needs nothing but itself.
pub(super) fn page(played: &Match) -> String {
    let standings = Standings::of(&played.header, played.games.iter().map(|game| &game.record));
    let (title, heading) = titles(played);
    fill(
        TEMPLATE,
        &[
            ("title", &title),
            ("heading", &heading),
            ("kicker", &kicker(played)),
            ("lead", &lead(played, &standings)),
            ("style", STYLE),
            ("result", &tables::result(played, &standings)),
            ("crosstable", &tables::crosstable(played, &standings)),
            ("progress", &progress(played)),
            ("margins", &margins(played)),
            ("time", &times::section(played, &standings)),
            ("forfeits", &tables::forfeits(played, &standings)),
            ("settings", &settings(played)),
            ("version", env!("CARGO_PKG_VERSION")),
            ("data", &data::json(played)),
            // Strict, and with no names that the browser could already know.
            ("script", &format!("\"use strict\";\n{{\n{}}}\n", SCRIPT.concat())),
        ],
    )
}

/// The title of the window, and the heading.
fn titles(played: &Match) -> (String, String) {
    match &played.header.players[..] {
        [first, second] => {
            let (first, second) = (Text(&first.name), Text(&second.name));
            (
                format!("{first} against {second}"),
                format!("{first} <span class=\"versus\">against</span> {second}"),
            )
        }
        players => {
            let what = if played.header.format == "gauntlet" { "Gauntlet" } else { "Round robin" };
            let title = format!("{what} of {} players", players.len());
            (title.clone(), title)
        }
    }
}

fn kicker(played: &Match) -> String {
    let rules = match played.rules {
        Rules::Reversed => "Reversed Reversi, the fewest discs win",
        Rules::Standard => "Reversi, the most discs win",
    };
    format!("{rules} · {0}×{0}", played.size.side())
}

fn lead(played: &Match, standings: &Standings) -> String {
    let (finished, scheduled) = (played.games.len(), played.scheduled());
    let decided = standings.test().filter(|test| test.is_decided());
    let games = match decided {
        Some(test) => {
            let pairs = counted(test.seen().pairs() as usize, "pair");
            format!(
                "Decided by the sequential test after {pairs}: {finished} of at most {}",
                counted(scheduled, "game")
            )
        }
        None if finished == scheduled => counted(finished, "game"),
        None => format!("{finished} of {} finished", counted(scheduled, "game")),
    };
    let at_most = if decided.is_some() { "at most " } else { "" };
    let pairs = format!("{at_most}{}", counted(played.header.pairs as usize, "pair"));
    match &played.header.players[..] {
        [_, _] => format!("{games}, {pairs} with colours swapped."),
        players => {
            let names: Vec<_> = players.iter().map(|player| Text(&player.name).to_string()).collect();
            format!("{games}, {pairs} for each pairing: {}.", names.join(", "))
        }
    }
}

/// The players to draw charts of: of two one is enough, as the other is its mirror.
fn shown(played: &Match) -> std::ops::Range<usize> {
    match played.header.players.len() {
        2 => 0..1,
        count => 0..count,
    }
}

/// One chart as wide as the page, or many small ones.
fn panels(played: &Match, chart: impl Fn(usize, charts::Frame) -> (String, String)) -> String {
    let players = shown(played);
    let frame = if players.len() == 1 { charts::WIDE } else { charts::SMALL };
    let class = if players.len() == 1 { "panel" } else { "panels" };
    let figures: String = players
        .map(|player| {
            let (note, chart) = chart(player, frame);
            let name = Text(played.name(player));
            format!("<figure><figcaption><b>{name}</b> <span>{note}</span></figcaption>{chart}</figure>")
        })
        .collect();
    format!("<div class=\"{class}\">{figures}</div>")
}

fn progress(played: &Match) -> String {
    let panels = panels(played, |player, frame| {
        let scores = figures::scores(played, player);
        let note = counted(scores.last().map_or(0, |score| score.pairs), "pair");
        (note, charts::score(&scores, frame, played.name(player)))
    });
    format!(
        "{panels}<p class=\"explain\">Score after each pair in the order of the schedule, with its 95 % band. One pair \
         spread evenly over the five scores is added, as for the Elo.</p>"
    )
}

fn margins(played: &Match) -> String {
    let panels = panels(played, |player, frame| {
        let histogram = figures::margins(played, player);
        let games: u32 = histogram.bars.values().sum();
        let forfeits = match histogram.forfeits {
            0 => String::new(),
            count => format!(", {} left out", counted(count as usize, "forfeit")),
        };
        let chart = charts::margins(&histogram, played.size.area(), frame, played.name(player));
        (counted(games as usize, "game") + &forfeits, chart)
    });
    format!("{panels}<p class=\"explain\">Games by the discs they were won (right) or lost (left) by.</p>")
}

fn settings(played: &Match) -> String {
    let header = &played.header;
    let rows = [
        ("Rules", header.rules.clone()),
        ("Board", format!("{0}×{0}", header.size)),
        ("Format", header.format.clone()),
        ("Pairs for each pairing", header.pairs.to_string()),
        ("Openings", header.openings.clone()),
        ("Seed", header.seed.to_string()),
        (
            "Adjudication",
            header.adjudicate.map_or("none".into(), |n| format!("solved exactly from {n} empty squares on")),
        ),
        (
            "Sequential test",
            header.sprt.map_or("none".into(), |[zero, one]| format!("{zero} against {one} Elo")),
        ),
        ("Time margin", format!("{} s", header.margin)),
    ];
    let rows: String = rows.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", Text(value))).concat();
    let players: String = header
        .players
        .iter()
        .map(|player| {
            let (name, spec) = (Text(&player.name), Text(&player.spec));
            format!("<tr><th scope=\"row\" class=\"name\">{name}</th><td><code>{spec}</code></td></tr>")
        })
        .collect();
    format!(
        "<dl class=\"settings\">{rows}</dl><div class=\"table-scroll\"><table><thead><tr><th scope=\"col\">Player</th>\
         <th scope=\"col\">As it was asked for</th></tr></thead><tbody>{players}</tbody></table></div>"
    )
}
