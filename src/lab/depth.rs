//! Depth reached within the same limit, and whether deeper is better.

use std::time::{Duration, Instant};

use super::evaluations;
use super::games::{ENGINE, LabPlayer, Limit, Series, share};
use super::published::{DEPTHS, unused_time};
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;
use super::{LabError, each, lab_players};
use crate::board::Position;
use crate::rules::Rules;
use crate::search::Task;
use crate::training::positions;

#[derive(Clone, Debug)]
pub struct DepthExperiment {
    pub rules: Rules,
    pub players: Vec<String>,
    /// Disc counts.
    pub discs: Vec<u32>,
    /// Positions of our own games for each disc count.
    pub positions: usize,
    pub limit: Limit,
    /// Pairs of games of each depth against the one below.
    pub pairs: u32,
    /// For these games.
    pub evaluations: Vec<String>,
    /// The deepest search in these games.
    pub deepest: u8,
    pub seed: u64,
    pub jobs: usize,
}

/// The players that deepen iteratively; the others have fixed depths.
pub const DEEPENING: [&str; 4] = [ENGINE, "staged", "maximax", "ga-minimax"];

pub const EVALUATIONS: [&str; 4] = ["maximax", "ga-minimax", "staged", evaluations::SHIPPED];

/// The depth reached by disc count, the time left unused if there is a clock, and the score of each depth against the one
/// below.
///
/// # Errors
/// If there is no player or no evaluation of some name.
pub fn run(depths: &DepthExperiment) -> Result<Vec<Sheet>, LabError> {
    let searches = time_searches(depths)?;
    let mut sheets = vec![reached(depths, &searches)];
    if let Limit::Time(time) = depths.limit {
        sheets.push(unused(depths, time, &searches));
    }
    sheets.push(deeper(depths)?);
    Ok(sheets)
}

struct TimedSearch {
    depth: u8,
    time: Duration,
}

/// By player and disc count.
fn time_searches(depths: &DepthExperiment) -> Result<Vec<Vec<Vec<TimedSearch>>>, LabError> {
    let sample = |&discs: &u32| positions::sample(depths.rules, discs, depths.positions, depths.seed);
    let positions: Vec<Vec<Position>> = depths.discs.iter().map(sample).collect();
    let all: Vec<Position> = positions.iter().flatten().copied().collect();
    let of_player = |player: &LabPlayer| {
        let time_searches = |&position: &Position| {
            let mut player = player.player(depths.seed);
            let (control, began) = (depths.limit.control(), Instant::now());
            let found = player.search(&Task::new(position, depths.rules), &control, &mut |_| {});
            TimedSearch { depth: found.last.depth, time: began.elapsed() }
        };
        let mut found = each(&player.name, &all, depths.jobs, time_searches).into_iter();
        positions.iter().map(|positions| found.by_ref().take(positions.len()).collect()).collect()
    };
    Ok(lab_players(&depths.players)?.iter().map(of_player).collect())
}

fn by_discs<'a>(depths: &DepthExperiment, title: String, last: impl IntoIterator<Item = &'a str>) -> Sheet {
    let counts = depths.discs.iter().map(|discs| format!("{discs} discs"));
    let head = ["player", "n"].map(String::from).into_iter().chain(counts);
    Sheet::new(title, 1, head.chain(last.into_iter().map(String::from)))
}

fn reached(depths: &DepthExperiment, searches: &[Vec<Vec<TimedSearch>>]) -> Sheet {
    let title = format!("Depth reached, {} rules, {}", depths.rules, depths.limit);
    let mut sheet = by_discs(depths, title, ["report"]);
    for (player, searches) in depths.players.iter().zip(searches) {
        let mean = |searches: &Vec<TimedSearch>| {
            Cell::of(searches.iter().map(|search| f64::from(search.depth)).collect::<SampleMean>().mean(), 2)
        };
        let mut cells = vec![player.as_str().into(), Cell::Count(depths.positions as u64)];
        cells.extend(searches.iter().map(mean));
        let said =
            if player == "maximax" { format!("{}, {} in 5 s", DEPTHS[0], DEPTHS[1]) } else { "-".into() };
        cells.push(said.into());
        sheet.row(cells);
    }
    sheet.note(
        "The last depth completed; a position that is solved counts by its empty squares. Positions of our own games. \
         staged goes no deeper than 10. The engine leaves deepening for solving some plies before the end: where its limit \
         is reached then, the depth before counts.",
    );
    sheet
}

fn unused(depths: &DepthExperiment, time: Duration, searches: &[Vec<Vec<TimedSearch>>]) -> Sheet {
    let title = format!("Share of the time left unused, {} rules, {}", depths.rules, depths.limit);
    let mut sheet = by_discs(depths, title, ["all", "report"]);
    // A move that takes longer than it may leaves nothing.
    let share = |search: &TimedSearch| 1.0 - search.time.min(time).div_duration_f64(time);
    for (player, searches) in depths.players.iter().zip(searches) {
        let mut cells = vec![player.as_str().into(), Cell::Count(depths.positions as u64)];
        let mean = |searches: &Vec<TimedSearch>| {
            Cell::of(searches.iter().map(share).collect::<SampleMean>().mean(), 2)
        };
        cells.extend(searches.iter().map(mean));
        let all = searches.iter().flatten().map(share).collect::<SampleMean>();
        cells.extend([Cell::of(all.mean(), 3), Cell::said(unused_time(player), 2)]);
        sheet.row(cells);
    }
    sheet.note(
        "The same searches. A search ends before its time where the player expects that another ply would not fit, where it \
         goes no deeper, and where the position is solved. The reports: 20 % of five seconds unused by maximax, and four \
         seconds a move on average by ga-minimax.",
    );
    sheet
}

fn deeper(depths: &DepthExperiment) -> Result<Sheet, LabError> {
    let rules = depths.rules;
    let title = format!("Is deeper better? The share of depth n against depth n − 1, {rules} rules");
    let head = ["evaluation".to_owned()]
        .into_iter()
        .chain((2..=depths.deepest).map(|depth| format!("depth {depth}")));
    let mut sheet = Sheet::new(title, 1, head.chain(["pairs".to_owned()]));
    for name in &depths.evaluations {
        let player =
            |depth| Ok(LabPlayer::fixed(name.clone(), depth, rules, evaluations::named(name, rules)?));
        let players = (1..=depths.deepest).map(player).collect::<Result<Vec<_>, LabError>>()?;
        let pairings: Vec<_> = players.windows(2).map(|pair| [&pair[1], &pair[0]]).collect();
        let series = Series {
            rules,
            pairs: depths.pairs,
            plies: super::OPENING_PLIES,
            limit: Limit::None,
            seed: depths.seed,
            jobs: depths.jobs,
        };
        let shares = series.play(&pairings);
        let cells = shares.iter().map(|pairs| Cell::of(share(pairs), 3));
        sheet.row(
            [Cell::from(name.as_str())]
                .into_iter()
                .chain(cells)
                .chain([u64::from(depths.pairs).into()])
                .collect(),
        );
    }
    sheet.note(format!(
        "The same alpha-beta search by the same evaluation, one ply deeper, after {} random plies, both colours. The \
         report assumes that a good evaluation is not worse for a deeper search, and proves that it may be.",
        super::OPENING_PLIES
    ));
    Ok(sheet)
}
