//! The tables of a match for a terminal.

use super::elo::Elo;
use super::head_to_head::HeadToHead;
use super::numeric::Estimate;
use super::pairs::WinDrawLoss;
use super::sprt::{SequentialTest, Sprt, SprtDecision};
use super::standings::Standings;
use crate::arena::journal::{GameRecord, JournalHeader};
use crate::arena::schedule::MatchFormat;
use crate::terminal::table::{Align, TextTable};

const NOTES: &str = "\
Intervals are for 95 %, over pairs of games. Elo and ratings include a prior of one pair for each player, spread evenly
over the five scores. LOS: likelihood of superiority. Discs: mean per game, over pairs without a forfeit.
";

#[must_use]
pub fn report<'a>(header: &JournalHeader, games: impl IntoIterator<Item = &'a GameRecord>) -> String {
    standings_report(header, &Standings::of(header, games))
}

#[must_use]
pub fn standings_report(header: &JournalHeader, standings: &Standings) -> String {
    let mut parts = vec![title(header, standings)];
    match (standings.names(), standings.head_to_head(0, 1)) {
        ([first, second], Some(head_to_head)) => {
            parts.push(match_result(first, second, head_to_head, standings.test()))
        }
        _ => parts.extend([rating_list(standings), crosstable(standings), pairings(standings)]),
    }
    parts.extend([player_table(standings), time_table(standings)]);
    parts.extend(forfeit_table(standings));
    parts.push(NOTES.to_owned());
    parts.join("\n")
}

/// One line for a running match: score, Elo and sequential test of two players, or the leader of more.
#[must_use]
pub fn progress(standings: &Standings) -> String {
    if standings.games() == 0 {
        return "no games yet".to_owned();
    }
    let Some(head_to_head) = standings.head_to_head(0, 1).filter(|_| standings.names().len() == 2) else {
        return leader(standings);
    };
    let mut line = format!("{} {}", results(head_to_head.tally()), percent(head_to_head.tally().score()));
    if let Some(elo) = head_to_head.pairs().elo() {
        line += &format!(", Elo {:+.0} ± {:.0}", elo.value.0, elo.half_width());
    }
    if let Some(test) = standings.test() {
        let (lower, upper) = Sprt::bounds();
        line += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", test.llr());
    }
    line
}

fn leader(standings: &Standings) -> String {
    let players = standings.names().iter().zip(standings.players());
    let scores = players.filter_map(|(name, player)| Some((name, player.tally().score()?)));
    let best = scores.max_by(|(_, left), (_, right)| left.total_cmp(right));
    best.map_or_else(String::new, |(name, score)| format!("{name} leads with {}", percent(Some(score))))
}

fn title(header: &JournalHeader, standings: &Standings) -> String {
    let pairings = MatchFormat::parse(&header.format).pairings(header.players.len());
    let planned = 2 * pairings.len() * header.pairs as usize;
    // A decided test ends the match early.
    let decided = standings.test().is_some_and(SequentialTest::is_decided);
    let of = if decided { "of at most" } else { "of" };
    format!(
        "{} {of} {planned} games, {} rules, {side}×{side}, openings: {}\n",
        standings.games(),
        header.rules,
        header.openings,
        side = header.size,
    )
}

#[must_use]
pub fn match_result(
    first: &str,
    second: &str,
    head_to_head: &HeadToHead,
    test: Option<&SequentialTest>,
) -> String {
    let tally = head_to_head.tally();
    let [none, half, one, more, full] = head_to_head.pairs().counts();
    let mut lines = vec![
        format!("{first} against {second}"),
        format!(
            "  score        {} of {}, {}: {} won, {} drawn, {} lost",
            points(tally.points()),
            tally.games(),
            percent(tally.score()),
            tally.wins,
            tally.draws,
            tally.losses
        ),
        format!("  pairs        0: {none}, ½: {half}, 1: {one}, 1½: {more}, 2: {full}"),
        format!(
            "  Elo          {}",
            head_to_head.pairs().elo().map_or_else(|| "no pair yet".into(), elo_range)
        ),
        format!("  LOS          {}", percent(Some(head_to_head.pairs().los()))),
        format!(
            "  discs        {}",
            head_to_head.margins().mean().map_or_else(|| "no pair yet".into(), discs)
        ),
    ];
    lines.extend(test.map(|test| format!("  SPRT         {}", sprt_line(test))));
    lines.join("\n") + "\n"
}

#[must_use]
pub fn sprt_line(test: &SequentialTest) -> String {
    let Sprt { elo0: Elo(elo0), elo1: Elo(elo1) } = test.sprt();
    let (lower, upper) = Sprt::bounds();
    let decision = match test.decision() {
        SprtDecision::Continue => "undecided".to_owned(),
        SprtDecision::AcceptH0 => format!("H0 accepted (Elo {elo0})"),
        SprtDecision::AcceptH1 => format!("H1 accepted (Elo {elo1})"),
    };
    let pairs = test.seen().pairs();
    format!(
        "({elo0}, {elo1}): LLR {:.2} in ({lower:.2}, {upper:.2}), {decision} after {pairs} pairs",
        test.llr()
    )
}

/// Players with their ratings, the strongest first.
fn ranking(standings: &Standings) -> Vec<(usize, Estimate<Elo>)> {
    let mut ranking: Vec<_> = standings.ratings().into_iter().enumerate().collect();
    ranking.sort_by(|(_, left), (_, right)| right.value.0.total_cmp(&left.value.0));
    ranking
}

#[must_use]
pub fn rating_list(standings: &Standings) -> String {
    let mut table = TextTable::new(
        [("", Align::Right), ("player", Align::Left)]
            .into_iter()
            .chain(["Elo", "±", "games", "won", "drawn", "lost", "score"].map(|title| (title, Align::Right)))
            .map(|(title, align)| (title.to_owned(), align))
            .collect(),
    );
    for (rank, (player, rating)) in (1..).zip(ranking(standings)) {
        let tally = standings.players()[player].tally();
        let mut row = vec![rank.to_string(), standings.names()[player].clone()];
        row.extend([format!("{:+.0}", rating.value.0), format!("{:.0}", rating.half_width())]);
        row.extend([tally.games(), tally.wins, tally.draws, tally.losses].map(|count| count.to_string()));
        row.push(percent(tally.score()));
        table.row(row);
    }
    table.to_string()
}

/// In the order of the rating list.
#[must_use]
pub fn crosstable(standings: &Standings) -> String {
    let ranking = ranking(standings);
    let mut columns = vec![(String::new(), Align::Right), ("points of".to_owned(), Align::Left)];
    columns.extend((1..=ranking.len()).map(|rank| (rank.to_string(), Align::Right)));
    let mut table = TextTable::new(columns);
    for (rank, &(player, _)) in (1..).zip(&ranking) {
        let cell = |&(opponent, _): &(usize, _)| {
            let tally = standings.against(player, opponent);
            match tally.games() {
                0 if player == opponent => "\\".to_owned(),
                0 => "-".to_owned(),
                games => format!("{}/{games}", points(tally.points())),
            }
        };
        let mut row = vec![rank.to_string(), standings.names()[player].clone()];
        row.extend(ranking.iter().map(cell));
        table.row(row);
    }
    table.to_string()
}

#[must_use]
pub fn pairings(standings: &Standings) -> String {
    let titles = ["player", "against", "won-drawn-lost", "score", "Elo", "95 %", "LOS", "discs"];
    let mut table = TextTable::with_titles(2, &titles);
    for met in standings.pairings().filter(|met| met.head_to_head.tally().games() > 0) {
        let (tally, elo) = (met.head_to_head.tally(), met.head_to_head.pairs().elo());
        let [first, second] = [met.first, met.second].map(|player| standings.names()[player].clone());
        let range = |elo: Estimate<Elo>| format!("{:+.0} to {:+.0}", elo.low.0, elo.high.0);
        table.row(vec![
            first,
            second,
            results(tally),
            percent(tally.score()),
            or_dash(elo.map(|elo| format!("{:+.0}", elo.value.0))),
            or_dash(elo.map(range)),
            or_dash(elo.map(|_| percent(Some(met.head_to_head.pairs().los())))),
            or_dash(met.head_to_head.margins().mean().map(discs)),
        ]);
    }
    table.to_string()
}

#[must_use]
pub fn player_table(standings: &Standings) -> String {
    let titles = ["player", "games", "won-drawn-lost", "score", "as Black", "score", "as White", "score"];
    let mut table = TextTable::with_titles(1, &titles);
    for (name, player) in standings.names().iter().zip(standings.players()) {
        let mut row = vec![name.clone(), player.tally().games().to_string()];
        for tally in [player.tally(), player.black, player.white] {
            row.extend([results(tally), percent(tally.score())]);
        }
        table.row(row);
    }
    table.to_string()
}

#[must_use]
pub fn time_table(standings: &Standings) -> String {
    let titles =
        ["player", "moves", "mean time", "slowest", "slowest in game no.", "total", "mean depth", "forfeits"];
    let mut table = TextTable::with_titles(1, &titles);
    for (name, player) in standings.names().iter().zip(standings.players()) {
        let time = &player.time;
        table.row(vec![
            name.clone(),
            time.moves.to_string(),
            or_dash(time.mean().map(seconds)),
            or_dash(time.slowest.map(|slowest| seconds(slowest.seconds))),
            or_dash(time.slowest.map(|slowest| slowest.game.to_string())),
            seconds(time.total),
            or_dash(player.depths.mean().map(|depth| format!("{depth:.1}"))),
            player.forfeits.values().sum::<u32>().to_string(),
        ]);
    }
    table.to_string()
}

/// Forfeits by player and reason, with details of the first game of each; none without forfeits.
#[must_use]
pub fn forfeit_table(standings: &Standings) -> Option<String> {
    let titles =
        ["forfeits of", "reason", "games", "first game no.", "exit", "cause", "last on standard error"];
    let align =
        |title| if title == "games" || title == "first game no." { Align::Right } else { Align::Left };
    let mut table = TextTable::new(titles.map(|title| (title.to_owned(), align(title))).into());
    let mut any = false;
    for (name, player) in standings.names().iter().zip(standings.players()) {
        for ((reason, exit), cause) in &player.causes {
            table.row(vec![
                name.clone(),
                reason.to_string(),
                cause.games.to_string(),
                cause.first.to_string(),
                or_dash(exit.clone()),
                or_dash(Some(cause.detail.clone()).filter(|detail| !detail.is_empty())),
                or_dash(cause.stderr.as_deref().and_then(|text| text.lines().last()).map(shortened)),
            ]);
            any = true;
        }
    }
    any.then(|| table.to_string())
}

/// A line short enough for a table.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 60;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

fn results(tally: WinDrawLoss) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

fn percent(share: Option<f64>) -> String {
    or_dash(share.map(|share| format!("{:.1} %", 100.0 * share)))
}

fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

fn elo_range(elo: Estimate<Elo>) -> String {
    format!("{:+.1} (95 %: {:+.1} to {:+.1})", elo.value.0, elo.low.0, elo.high.0)
}

fn discs(mean: Estimate<f64>) -> String {
    let reach = mean.half_width();
    if reach.is_finite() {
        format!("{:+.1} ± {reach:.1}", mean.value)
    } else {
        format!("{:+.1}", mean.value)
    }
}

fn seconds(time: f64) -> String {
    match time {
        ..1.0 => format!("{:.1} ms", 1000.0 * time),
        ..100.0 => format!("{time:.2} s"),
        _ => format!("{time:.0} s"),
    }
}
