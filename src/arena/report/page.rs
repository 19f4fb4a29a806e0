//! The HTML page.

use super::markup::counted;
use super::replay::ReplayedMatch;
use super::{charts, export, tables};
use crate::arena::schedule::MatchFormat;
use crate::arena::statistics::Standings;
use crate::page::{self, fill};
use crate::rules::Rules;
use crate::svg::Escaped;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The parts of the script; the last one starts it.
const SCRIPT: [&str; 4] = [
    include_str!("page/evaluations.js"),
    include_str!("page/viewer.js"),
    include_str!("page/games.js"),
    include_str!("page/start.js"),
];

/// A self-contained page.
pub(super) fn page(replayed: &ReplayedMatch) -> String {
    let standings = Standings::of(&replayed.header, replayed.games.iter().map(|game| &game.record));
    let (title, heading) = titles(replayed);
    fill(
        TEMPLATE,
        &[
            ("title", &title),
            ("heading", &heading),
            ("kicker", &kicker(replayed)),
            ("lead", &lead(replayed, &standings)),
            ("style", &(page::STYLE.to_owned() + STYLE)),
            ("result", &tables::result(replayed, &standings)),
            ("crosstable", &tables::crosstable(replayed, &standings)),
            ("progress", &progress(replayed)),
            ("margins", &margins(replayed)),
            ("time", &tables::times(replayed, &standings)),
            ("forfeits", &tables::forfeits(replayed, &standings)),
            ("settings", &settings(replayed)),
            ("version", env!("CARGO_PKG_VERSION")),
            ("data", &export::json(replayed)),
            ("script", &page::script(&SCRIPT)),
        ],
    )
}

/// The title of the window, and the heading.
fn titles(replayed: &ReplayedMatch) -> (String, String) {
    match &replayed.header.players[..] {
        [first, second] => {
            let (first, second) = (Escaped(&first.name), Escaped(&second.name));
            (
                format!("{first} against {second}"),
                format!("{first} <span class=\"versus\">against</span> {second}"),
            )
        }
        players => {
            let what = match MatchFormat::parse(&replayed.header.format) {
                MatchFormat::RoundRobin => "Round robin",
                MatchFormat::Gauntlet => "Gauntlet",
                MatchFormat::Ladder => "Ladder",
            };
            let title = format!("{what} of {} players", players.len());
            (title.clone(), title)
        }
    }
}

fn kicker(replayed: &ReplayedMatch) -> String {
    let rules = match replayed.rules {
        Rules::Reversed => "Reversed Reversi, the fewest discs win",
        Rules::Standard => "Reversi, the most discs win",
    };
    format!("{rules} · {0}×{0}", replayed.size.side())
}

fn lead(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let (finished, scheduled) = (replayed.games.len(), replayed.scheduled());
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
    let pairs = format!("{at_most}{}", counted(replayed.header.pairs as usize, "pair"));
    match &replayed.header.players[..] {
        [_, _] => format!("{games}, {pairs} with colours swapped."),
        players => {
            let names: Vec<_> = players.iter().map(|player| Escaped(&player.name).to_string()).collect();
            format!("{games}, {pairs} for each pairing: {}.", names.join(", "))
        }
    }
}

/// The players with charts: of two only the first, as the other is its mirror image.
fn shown(replayed: &ReplayedMatch) -> std::ops::Range<usize> {
    match replayed.header.players.len() {
        2 => 0..1,
        count => 0..count,
    }
}

/// One wide chart, or many small ones.
fn panels(replayed: &ReplayedMatch, chart: impl Fn(usize, charts::Frame) -> (String, String)) -> String {
    let players = shown(replayed);
    let frame = if players.len() == 1 { charts::WIDE } else { charts::SMALL };
    let class = if players.len() == 1 { "panel" } else { "panels" };
    let figures: String = players
        .map(|player| {
            let (note, chart) = chart(player, frame);
            let name = Escaped(replayed.name(player));
            format!("<figure><figcaption><b>{name}</b> <span>{note}</span></figcaption>{chart}</figure>")
        })
        .collect();
    format!("<div class=\"{class}\">{figures}</div>")
}

fn progress(replayed: &ReplayedMatch) -> String {
    let panels = panels(replayed, |player, frame| {
        let scores = charts::scores(replayed, player);
        let note = counted(scores.last().map_or(0, |score| score.pairs), "pair");
        (note, charts::score(&scores, frame, replayed.name(player)))
    });
    format!(
        "{panels}<p class=\"explain\">Score after each pair in the order of the schedule, with its 95 % band. One pair \
         spread evenly over the five scores is added, as for the Elo.</p>"
    )
}

fn margins(replayed: &ReplayedMatch) -> String {
    let panels = panels(replayed, |player, frame| {
        let histogram = charts::margin_histogram(replayed, player);
        let games: u32 = histogram.bars.values().sum();
        let forfeits = match histogram.forfeits {
            0 => String::new(),
            count => format!(", {} left out", counted(count as usize, "forfeit")),
        };
        let chart = charts::margins(&histogram, replayed.size.area(), frame, replayed.name(player));
        (counted(games as usize, "game") + &forfeits, chart)
    });
    format!("{panels}<p class=\"explain\">Games by disc margin: wins to the right, losses to the left.</p>")
}

fn settings(replayed: &ReplayedMatch) -> String {
    let header = &replayed.header;
    let rows = [
        ("Rules", header.rules.clone()),
        ("Board", format!("{0}×{0}", header.size)),
        ("Format", header.format.clone()),
        ("Pairs for each pairing", header.pairs.to_string()),
        ("Openings", header.openings.clone()),
        ("Seed", header.seed.to_string()),
        (
            "Adjudication",
            header.adjudicate.map_or("none".into(), |n| format!("exact solving from {n} empty squares")),
        ),
        (
            "Sequential test",
            header.sprt.map_or("none".into(), |[zero, one]| format!("{zero} against {one} Elo")),
        ),
        ("Time margin", format!("{} s", header.margin)),
    ];
    let rows: String =
        rows.map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", Escaped(value))).concat();
    let players: String = header
        .players
        .iter()
        .map(|player| {
            let (name, spec) = (Escaped(&player.name), Escaped(&player.spec));
            format!("<tr><th scope=\"row\" class=\"name\">{name}</th><td><code>{spec}</code></td></tr>")
        })
        .collect();
    format!(
        "<dl class=\"settings\">{rows}</dl><div class=\"table-scroll\"><table><thead><tr><th scope=\"col\">Player</th>\
         <th scope=\"col\">Specification</th></tr></thead><tbody>{players}</tbody></table></div>"
    )
}
