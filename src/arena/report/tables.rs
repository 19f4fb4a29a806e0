//! The tables and key numbers of the page.

use std::collections::BTreeSet;

use super::charts;
use super::markup::{percent, points, seconds};
use super::replay::{ReplayedGame, ReplayedMatch};
use crate::arena::journal::GameEnding;
use crate::arena::statistics::{
    Elo, Estimate, HeadToHead, PlayerSummary, SequentialTest, Sprt, SprtDecision, Standings, WinDrawLoss,
};
use crate::board::Color;
use crate::svg::{Escaped, signed};

/// Key numbers for two players, a rating list for more.
pub(super) fn result(replayed: &ReplayedMatch, standings: &Standings) -> String {
    if standings.games() == 0 {
        return "<p class=\"notice\">No game is finished yet.</p>".into();
    }
    match (standings.head_to_head(0, 1), standings.names().len()) {
        (Some(head_to_head), 2) => two_player_result(replayed, head_to_head, standings),
        _ => rating_list(replayed, standings),
    }
}

/// The best first.
fn ranking(standings: &Standings) -> Vec<(usize, Estimate<Elo>)> {
    let mut ranking: Vec<_> = standings.ratings().into_iter().enumerate().collect();
    ranking.sort_by(|(_, a), (_, b)| b.value.0.total_cmp(&a.value.0));
    ranking
}

fn two_player_result(replayed: &ReplayedMatch, head_to_head: &HeadToHead, standings: &Standings) -> String {
    let tally = head_to_head.tally();
    let name = Escaped(replayed.name(0));
    let share = tally.score().map_or("–".into(), percent);
    let of = format!("{} of {} points", points(tally.points()), tally.games());
    let mut numbers = number(&format!("Score of {name}"), &share, &of);
    if let Some(elo) = head_to_head.pairs().elo() {
        let range = format!("95 %: {} to {}", signed(elo.low.0, 1), signed(elo.high.0, 1));
        let value = format!("{} ± {:.1}", signed(elo.value.0, 1), elo.half_width());
        numbers += &number("Elo difference", &value, &range);
        let pairs = format!("over {} pairs", head_to_head.pairs().pairs());
        numbers += &number("Likelihood of superiority", &percent(head_to_head.pairs().los()), &pairs);
    }
    if let Some(mean) = head_to_head.margins().mean() {
        let reach = mean.half_width();
        let reach =
            if reach.is_finite() { format!("± {reach:.2} discs a game") } else { "discs a game".into() };
        numbers += &number("Mean margin", &signed(mean.value, 2), &reach);
    }
    numbers += &standings.test().map(sprt).unwrap_or_default();
    let chart =
        head_to_head.pairs().elo().map(|elo| charts::ratings(&[(replayed.name(0), elo)])).unwrap_or_default();
    format!(
        "<dl class=\"numbers\">{numbers}</dl>{}<div class=\"columns\">{}{}</div><h3>Elo of {name} against {}</h3>{chart}\
         <p class=\"explain\">The interval counts pairs of games, not games. One extra pair, spread evenly over the \
         five scores, keeps a score of 100 % finite.</p>",
        bar(tally),
        pentanomial(head_to_head, replayed.name(0)),
        by_colour(replayed, standings),
        Escaped(replayed.name(1))
    )
}

fn number(title: &str, value: &str, note: &str) -> String {
    format!("<div><dt>{title}</dt><dd>{value}<small>{note}</small></dd></div>")
}

fn sprt(test: &SequentialTest) -> String {
    let (lower, upper) = Sprt::bounds();
    let hypotheses = test.sprt();
    let (zero, one) = (signed(hypotheses.elo0.0, 1), signed(hypotheses.elo1.0, 1));
    let decision = match test.decision() {
        SprtDecision::Continue => "undecided".into(),
        SprtDecision::AcceptH0 => format!("H0 accepted: {zero} Elo"),
        SprtDecision::AcceptH1 => format!("H1 accepted: {one} Elo"),
    };
    let state = format!(
        "{zero} against {one}, LLR {} in ({}, {}) after {} pairs",
        signed(test.llr(), 2),
        signed(lower, 2),
        signed(upper, 2),
        test.seen().pairs()
    );
    number("Sequential test", &decision, &state)
}

/// Wins, draws and losses as a bar.
fn bar(tally: WinDrawLoss) -> String {
    let part = |class: &str, what: &str, count: u32| {
        // A narrow part has room for its colour only.
        let text = if count * 10 < tally.games() { String::new() } else { format!("{count} {what}") };
        format!("<span class=\"{class}\" style=\"flex:{count}\" title=\"{count} {what}\">{text}</span>")
    };
    format!(
        "<div class=\"wdl\">{}{}{}</div>",
        part("win", "won", tally.wins),
        part("draw", "drawn", tally.draws),
        part("loss", "lost", tally.losses)
    )
}

fn pentanomial(head_to_head: &HeadToHead, name: &str) -> String {
    let head: String = ["0", "½", "1", "1½", "2"]
        .map(|points| format!("<th scope=\"col\" class=\"number\">{points}</th>"))
        .concat();
    let cells: String =
        head_to_head.pairs().counts().map(|count| format!("<td class=\"number\">{count}</td>")).concat();
    format!(
        "<div><h3>Pairs by the points of {} (pentanomial)</h3><div class=\"table-scroll\"><table>\
         <thead><tr><th scope=\"col\">Points</th>{head}</tr></thead>\
         <tbody><tr><th scope=\"row\">Pairs</th>{cells}</tr></tbody></table></div></div>",
        Escaped(name)
    )
}

fn wdl(tally: WinDrawLoss) -> String {
    format!("{}–{}–{}", tally.wins, tally.draws, tally.losses)
}

fn by_colour(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let rows: String = (0..)
        .zip(standings.players())
        .map(|(player, summary)| {
            let cells = [summary.tally(), summary.black, summary.white]
                .map(|tally| format!("<td class=\"number\">{}</td>", wdl(tally)));
            format!(
                "<tr><th scope=\"row\" class=\"name\">{}</th>{}</tr>",
                Escaped(replayed.name(player)),
                cells.concat()
            )
        })
        .collect();
    format!(
        "<div><h3>By colour</h3><div class=\"table-scroll\"><table><thead><tr>\
         <th scope=\"col\">Won–drawn–lost</th><th scope=\"col\" class=\"number\">All</th>\
         <th scope=\"col\" class=\"number\">Black</th><th scope=\"col\" class=\"number\">White</th></tr></thead>\
         <tbody>{rows}</tbody></table></div></div>"
    )
}

fn rating_list(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let ranking = ranking(standings);
    let rows: String = (1..)
        .zip(&ranking)
        .map(|(rank, &(player, elo))| {
            let summary = &standings.players()[player];
            let tally = summary.tally();
            let share = tally.score().map_or("–".into(), percent);
            format!(
                "<tr><td class=\"number\">{rank}</td><th scope=\"row\" class=\"name\">{}</th>\
                 <td class=\"number\">{}</td><td class=\"number\">± {:.0}</td><td class=\"number\">{share}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
                Escaped(replayed.name(player)),
                signed(elo.value.0, 0),
                elo.half_width(),
                points(tally.points()),
                tally.games(),
                wdl(tally),
                wdl(summary.black),
                wdl(summary.white),
            )
        })
        .collect();
    let head: String = ["Elo", "95 %", "Score", "Points", "Games", "Won–drawn–lost", "Black", "White"]
        .map(|title| format!("<th scope=\"col\" class=\"number\">{title}</th>"))
        .concat();
    let chart: Vec<_> = ranking.iter().map(|&(player, elo)| (replayed.name(player), elo)).collect();
    format!(
        "<div class=\"table-scroll\"><table class=\"wide\"><thead><tr><th scope=\"col\" class=\"number\">#</th>\
         <th scope=\"col\">Player</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>\
         <h3>Ratings with 95 % intervals</h3>{}\
         <p class=\"explain\">Maximum-likelihood ratings, with mean 0. The intervals count pairs of games. \
         Every player has one extra pair, spread evenly over all scores and opponents, so that an unbeaten \
         player has a finite rating.</p>",
        charts::ratings(&chart)
    )
}

/// The best first.
pub(super) fn crosstable(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let order: Vec<_> = ranking(standings).into_iter().map(|(player, _)| player).collect();
    let head: String = (1..)
        .zip(&order)
        .map(|(rank, &player)| {
            format!("<th scope=\"col\" title=\"{}\">{rank}</th>", Escaped(replayed.name(player)))
        })
        .collect();
    let rows: String = (1..)
        .zip(&order)
        .map(|(rank, &player)| {
            let cells: String =
                order.iter().map(|&opponent| cross_cell(standings, player, opponent)).collect();
            let tally = standings.players()[player].tally();
            format!(
                "<tr><td class=\"number\">{rank}</td><th scope=\"row\" class=\"name\">{}</th>{cells}\
                 <td>{}<small>of {}</small></td></tr>",
                Escaped(replayed.name(player)),
                points(tally.points()),
                tally.games()
            )
        })
        .collect();
    format!(
        "<div class=\"table-scroll\"><table class=\"cross\"><caption>Points of the player in the row; below, won–drawn–lost</caption>\
         <thead><tr><th scope=\"col\" class=\"number\">#</th><th scope=\"col\" class=\"name\">Player</th>{head}<th scope=\"col\">Points</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn cross_cell(standings: &Standings, player: usize, opponent: usize) -> String {
    /// How strong the colour of a cell can be, in per cent: the text on it must stay readable.
    const STRONGEST: f64 = 45.0;
    if player == opponent {
        return "<td class=\"self\"></td>".into();
    }
    let tally = standings.against(player, opponent);
    let Some(score) = tally.score() else { return "<td>–</td>".into() };
    let class = if score >= 0.5 { "good" } else { "bad" };
    let share = (score - 0.5).abs() * 2.0 * STRONGEST;
    format!(
        "<td class=\"{class}\" style=\"--share:{share:.0}%\">{}<small>{}</small></td>",
        points(tally.points()),
        wdl(tally)
    )
}

/// Forfeits by player and reason.
pub(super) fn forfeits(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let reasons: BTreeSet<_> = standings.players().iter().flat_map(|player| player.forfeits.keys()).collect();
    if reasons.is_empty() {
        return "<p>No game was forfeited.</p>".into();
    }
    let head: String =
        reasons.iter().map(|reason| format!("<th scope=\"col\" class=\"number\">{reason}</th>")).collect();
    let rows: String = (0..)
        .zip(standings.players())
        .map(|(player, summary)| {
            let count = |reason| summary.forfeits.get(reason).copied().unwrap_or(0);
            let cells: String = reasons
                .iter()
                .map(|&reason| format!("<td class=\"number\">{}</td>", count(reason)))
                .collect();
            let all: u32 = summary.forfeits.values().sum();
            let name = Escaped(replayed.name(player));
            format!(
                "<tr><th scope=\"row\" class=\"name\">{name}</th>{cells}<td class=\"number\">{all}</td></tr>"
            )
        })
        .collect();
    format!(
        "<div class=\"table-scroll\"><table><thead><tr><th scope=\"col\">Forfeited by</th>{head}\
         <th scope=\"col\" class=\"number\">All</th></tr></thead><tbody>{rows}</tbody></table></div>\
         <p class=\"explain\">The filter of the games below selects them.</p>{}",
        forfeited_games(replayed)
    )
}

/// The first forfeited games with their details.
fn forfeited_games(replayed: &ReplayedMatch) -> String {
    const LISTED: usize = 50;
    let mut rows = String::new();
    let forfeited = |game: &&ReplayedGame| matches!(game.record.ending, GameEnding::Forfeit { .. });
    for game in replayed.games.iter().filter(forfeited).take(LISTED) {
        let GameEnding::Forfeit { by, reason, detail, diagnostics } = &game.record.ending else { continue };
        let color = if by == "black" { Color::Black } else { Color::White };
        let number = game.record.number;
        let time = diagnostics.seconds.map_or("–".into(), seconds);
        let exit = Escaped(diagnostics.exit.as_deref().unwrap_or("–"));
        let stderr = diagnostics.stderr.as_deref().map(|text| format!("<pre>{}</pre>", Escaped(text)));
        rows += &format!(
            "<tr><td class=\"where\"><a href=\"#game={number}&amp;move={}\">game {number}</a></td>\
             <th scope=\"row\" class=\"name\">{}</th><td>{reason}</td><td>{}</td><td class=\"number\">{time}</td>\
             <td>{exit}</td><td>{}</td></tr>",
            game.plies.len(),
            Escaped(replayed.name(game.player(color))),
            Escaped(if detail.is_empty() { "–" } else { detail }),
            stderr.as_deref().unwrap_or("–"),
        );
    }
    let head = ["Game", "Player", "Reason", "ForfeitCause", "Time", "Exit", "Last on standard error"];
    let head = head.map(|title| format!("<th scope=\"col\">{title}</th>")).concat();
    format!(
        "<div class=\"table-scroll\"><table class=\"wide faults\"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>\
         </table></div>"
    )
}

/// The time of every player, and the longest thinks of all.
pub(super) fn times(replayed: &ReplayedMatch, standings: &Standings) -> String {
    let rows: String =
        (0..).zip(standings.players()).map(|(player, summary)| time_row(replayed, player, summary)).collect();
    format!(
        "<div class=\"table-scroll\"><table class=\"wide\"><thead><tr><th scope=\"col\">Player</th>\
         <th scope=\"col\" class=\"number\">Moves</th><th scope=\"col\" class=\"number\">Total</th>\
         <th scope=\"col\" class=\"number\">Mean</th><th scope=\"col\" class=\"number\">Slowest</th>\
         <th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">Mean depth</th></tr></thead>\
         <tbody>{rows}</tbody></table></div>\
         <p class=\"explain\">By the referee’s clock; passes that the referee made are left out.</p>{}",
        longest_thinks(replayed)
    )
}

fn time_row(replayed: &ReplayedMatch, player: usize, summary: &PlayerSummary) -> String {
    let time = &summary.time;
    let mean = time.mean().map_or("–".into(), seconds);
    let depth = summary.depths.mean().map_or("–".into(), |depth| format!("{depth:.1}"));
    let slowest = time.slowest.map_or("–".into(), |slowest| seconds(slowest.seconds));
    let place = time.slowest.and_then(|slowest| {
        let game = replayed.games.iter().find(|game| game.record.number == slowest.game)?;
        Some(position_link(game, game.opening + slowest.ply + 1))
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
fn position_link(game: &ReplayedGame, ply: usize) -> String {
    let ply = ply.min(game.plies.len());
    let number = game.record.number;
    let made =
        ply.checked_sub(1).map_or(String::new(), |at| format!(", {}", game.plies[at].vertex).to_lowercase());
    format!("<a href=\"#game={number}&amp;move={ply}\">game {number}, move {ply}{made}</a>")
}

fn longest_thinks(replayed: &ReplayedMatch) -> String {
    const LISTED: usize = 12;
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
        .take(LISTED)
        .map(|(game, color, ply, time)| {
            format!(
                "<tr><td class=\"number\">{}</td><td class=\"name\">{}</td><td class=\"where\">{}</td></tr>",
                seconds(time),
                Escaped(replayed.name(game.player(color))),
                position_link(game, ply)
            )
        })
        .collect();
    format!(
        "<h3>Longest thinks</h3><div class=\"table-scroll\"><table><thead><tr>\
         <th scope=\"col\" class=\"number\">Time</th><th scope=\"col\">Player</th><th scope=\"col\">Where</th>\
         </tr></thead><tbody>{rows}</tbody></table></div>"
    )
}
