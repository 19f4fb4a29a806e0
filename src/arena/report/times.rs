//! The time that players used, and their longest thinks.

use super::markup::{Escaped, seconds};
use super::matches::{ReplayedGame, ReplayedMatch};
use crate::arena::statistics::{PlayerSummary, Standings};

/// How many of the longest thinks are listed.
const LONGEST: usize = 12;

/// The whole section about time.
pub(super) fn section(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let rows: String =
        (0..).zip(standings.players()).map(|(player, summary)| row(replayed, player, summary)).collect();
    format!(
        "<div class=\"table-scroll\"><table class=\"wide\"><thead><tr><th scope=\"col\">Player</th>\
         <th scope=\"col\" class=\"number\">Moves</th><th scope=\"col\" class=\"number\">Total</th>\
         <th scope=\"col\" class=\"number\">Mean</th><th scope=\"col\" class=\"number\">Slowest</th>\
         <th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">Mean depth</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>\
         <p class=\"explain\">By the referee’s clock; passes that the referee made are left out.</p>{}",
        longest(replayed)
    )
}

fn row(replayed: &ReplayedMatch, player: usize, summary: &PlayerSummary) -> String {
    let time = &summary.time;
    let mean = time.mean().map_or("–".into(), seconds);
    let depth = summary.depths.mean().map_or("–".into(), |depth| format!("{depth:.1}"));
    let slowest = time.slowest.map_or("–".into(), |slowest| seconds(slowest.seconds));
    let place = time.slowest.and_then(|slowest| {
        let game = replayed.games.iter().find(|game| game.record.number == slowest.game)?;
        Some(link(game, game.opening + slowest.ply + 1))
    });
    format!(
        "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
         <td class=\"number\">{mean}</td><td class=\"number\">{slowest}</td><td class=\"where\">{}</td>\
         <td class=\"number\">{depth}</td></tr>",
        Escaped(replayed.name(player)),
        time.moves,
        seconds(time.total),
        place.unwrap_or_default(),
    )
}

/// A link to the position after a move of a game.
fn link(game: &ReplayedGame, ply: usize) -> String {
    let ply = ply.min(game.plies.len());
    let number = game.record.number;
    let made =
        ply.checked_sub(1).map_or(String::new(), |at| format!(", {}", game.plies[at].vertex).to_lowercase());
    format!("<a href=\"#game={number}&amp;move={ply}\">game {number}, move {ply}{made}</a>")
}

/// The longest thinks of all.
fn longest(replayed: &ReplayedMatch) -> String {
    let mut thinks: Vec<_> = replayed
        .games
        .iter()
        .flat_map(|game| game.thinks().map(move |(color, ply, seconds)| (game, color, ply, seconds)))
        .filter(|(.., seconds)| *seconds > 0.0)
        .collect();
    thinks.sort_by(|a, b| b.3.total_cmp(&a.3));
    if thinks.is_empty() {
        return String::new();
    }
    let rows: String = thinks
        .into_iter()
        .take(LONGEST)
        .map(|(game, color, ply, time)| {
            format!(
                "<tr><td class=\"number\">{}</td><td class=\"name\">{}</td><td class=\"where\">{}</td></tr>",
                seconds(time),
                Escaped(replayed.name(game.player(color))),
                link(game, ply)
            )
        })
        .collect();
    format!(
        "<h3>Longest thinks</h3><div class=\"table-scroll\"><table><thead><tr>\
         <th scope=\"col\" class=\"number\">Time</th><th scope=\"col\">Player</th><th scope=\"col\">Where</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>"
    )
}
