//! How deep players look within the same limit, and whether deeper is better.

use super::evaluations;
use super::games::{Contestant, ENGINE, Limit, Series, share};
use super::published::DEPTHS;
use super::sheet::{Cell, Sheet};
use super::statistics::Sample;
use super::{UnknownPlayer, contestants, work};
use crate::rules::Rules;
use crate::search::Task;
use crate::tools::positions;

/// What to look at.
#[derive(Clone, Debug)]
pub struct Depths {
    /// Who wins.
    pub rules: Rules,
    /// The players.
    pub players: Vec<String>,
    /// Numbers of discs on the board.
    pub discs: Vec<u32>,
    /// Positions of our own games for each.
    pub positions: usize,
    /// What a move may take.
    pub limit: Limit,
    /// Pairs of games of every depth against the one before.
    pub pairs: u32,
    /// The evaluations that are looked at so.
    pub evaluations: Vec<String>,
    /// The deepest of them.
    pub deepest: u8,
    /// What chance is drawn from.
    pub seed: u64,
    /// Positions or pairs at a time.
    pub jobs: usize,
}

/// The players that look for as deep as they can; the others have depths of their own.
pub const DEEPENING: [&str; 4] = [ENGINE, "staged", "maximax", "ga-minimax"];

/// The evaluations whose depths play each other.
pub const EVALUATIONS: [&str; 4] = ["maximax", "ga-minimax", "staged", evaluations::SHIPPED];

/// The depth reached by disc count, and the score of each depth against the one before.
///
/// # Errors
/// If there is no player or no evaluation of some name.
pub fn run(depths: &Depths) -> Result<Vec<Sheet>, Box<dyn std::error::Error>> {
    Ok(vec![reached(depths)?, deeper(depths)?])
}

fn reached(depths: &Depths) -> Result<Sheet, UnknownPlayer> {
    let rules = depths.rules;
    let players = contestants(&depths.players)?;
    let title = format!("Depth reached, {rules} rules, {}", depths.limit);
    let counts = depths.discs.iter().map(|discs| format!("{discs} discs"));
    let head = [String::from("player"), String::from("n")].into_iter().chain(counts);
    let mut sheet = Sheet::new(title, 1, head.chain([String::from("report")]));
    let positions: Vec<_> = depths
        .discs
        .iter()
        .map(|&discs| positions::sample(rules, discs, depths.positions, depths.seed))
        .collect();
    for player in &players {
        let mut cells = vec![player.name.as_str().into(), Cell::Count(depths.positions as u64)];
        for positions in &positions {
            let found = work::each(
                &player.name,
                positions,
                depths.jobs,
                || (),
                |(), &position| {
                    let control = depths.limit.control();
                    player
                        .player(depths.seed)
                        .think(&Task::new(position, rules), &control, &mut |_| {})
                        .last
                        .depth
                },
            );
            cells.push(Cell::of(found.into_iter().map(f64::from).collect::<Sample>().mean(), 2));
        }
        let said = if player.name == "maximax" {
            format!("{}, {} in 5 s", DEPTHS[0], DEPTHS[1])
        } else {
            "-".into()
        };
        cells.push(said.into());
        sheet.row(cells);
    }
    sheet.note(
        "The last depth completed; a position that is solved counts by its empty squares. Positions of our own games. \
         staged goes no deeper than 10. The engine leaves deepening for solving some plies before the end: where its limit \
         is reached then, the depth before counts.",
    );
    Ok(sheet)
}

fn deeper(depths: &Depths) -> Result<Sheet, String> {
    let rules = depths.rules;
    let title = format!("Is deeper better? The share of depth n against depth n − 1, {rules} rules");
    let head = ["evaluation".to_owned()]
        .into_iter()
        .chain((2..=depths.deepest).map(|depth| format!("depth {depth}")));
    let mut sheet = Sheet::new(title, 1, head.chain(["pairs".to_owned()]));
    for name in &depths.evaluations {
        let player =
            |depth| Ok(Contestant::fixed(name.clone(), depth, rules, evaluations::named(name, rules)?));
        let players = (1..=depths.deepest).map(player).collect::<Result<Vec<_>, String>>()?;
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
