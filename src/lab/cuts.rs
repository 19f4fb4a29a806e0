//! Selective cuts: where the nodes of their checks go, and how often they are wrong.

use std::collections::BTreeMap;
use std::ops::{AddAssign, RangeInclusive};

use super::sheet::{Cell, Sheet};
use super::statistics::share;
use crate::board::Position;
use crate::rules::Rules;
use crate::search::{Budget, Control, CutCounts, CutSite, CutStatistics, Searcher, Task, check_depths};
use crate::selectivity::Selectivity;
use crate::terminal::progress::CommandProgress;
use crate::training::positions;

/// MiB of table, cleared before each search.
const HASH: usize = 16;

/// 44 to 30 empty squares: more than the deepest search, so that none reaches the end of the game.
const DISCS: RangeInclusive<u32> = 20..=34;

/// From one position to the next, so that a few positions are spread over all disc counts. No divisor of their number.
const DISC_STEP: usize = 7;

#[derive(Clone, Copy, Debug)]
pub struct CutExperiment {
    pub rules: Rules,
    pub depth: u8,
    pub positions: usize,
    /// One cut in so many is verified; none with 0.
    pub verify: u64,
    /// Of cuts below a verified node.
    pub confidence: Selectivity,
    pub seed: u64,
}

#[must_use]
pub fn run(cuts: &CutExperiment) -> Vec<Sheet> {
    let statistics = measure(cuts);
    vec![depth_sheet(cuts, &statistics), nesting_sheet(&statistics), wrong_sheet(cuts, &statistics)]
}

fn measure(cuts: &CutExperiment) -> CutStatistics {
    let mut statistics = CutStatistics::new(cuts.verify, cuts.confidence);
    let mut searcher = Searcher::new(1, HASH).batch();
    let positions = draw(cuts.rules, cuts.positions, cuts.seed);
    let mut progress = CommandProgress::new("positions", positions.len(), 0);
    for position in positions {
        // The figures of a position must not depend on the one before.
        searcher.clear();
        let control = Control::new(&Budget { depth: Some(cuts.depth), ..Budget::UNLIMITED });
        searcher.measure_cuts(&Task::new(position, cuts.rules), &control, &mut statistics);
        progress.advance(1);
    }
    statistics
}

fn draw(rules: Rules, count: usize, seed: u64) -> Vec<Position> {
    let disc_counts = DISCS.count();
    let games = positions::sample_each(rules, DISCS, count.div_ceil(disc_counts), seed);
    let position = |n: usize| games[n * DISC_STEP % disc_counts].get(n / disc_counts).copied();
    (0..count).filter_map(position).collect()
}

/// The predictions of a node, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct NodeCuts {
    /// Nodes with a try.
    tries: u64,
    /// Checks searched.
    checks: u64,
    /// By the static value, the first and the second check.
    cuts: [u64; 3],
    nodes_of_cuts: u64,
    nodes_of_failures: u64,
}

impl NodeCuts {
    fn all_cuts(&self) -> u64 {
        self.cuts.iter().sum()
    }

    fn nodes(&self) -> u64 {
        self.nodes_of_cuts + self.nodes_of_failures
    }
}

impl AddAssign<(CutSite, CutCounts)> for NodeCuts {
    fn add_assign(&mut self, (site, counts): (CutSite, CutCounts)) {
        let [first, second] = check_depths(site.depth);
        // A node tries its predictions in turn: each node has a try of the first one it has.
        let tried_first = [first, second].into_iter().find(|&check| check > 0).unwrap_or(0);
        if site.check == tried_first {
            self.tries += counts.tries;
        }
        let kind = match site.check {
            0 => 0,
            check if check == first => 1,
            _ => 2,
        };
        self.cuts[kind] += counts.cuts;
        self.checks += counts.searches;
        self.nodes_of_cuts += counts.nodes_of_cuts;
        self.nodes_of_failures += counts.nodes_of_failures;
    }
}

fn gather(statistics: &CutStatistics, by: impl Fn(CutSite) -> u8) -> BTreeMap<u8, NodeCuts> {
    let mut groups: BTreeMap<u8, NodeCuts> = BTreeMap::new();
    for (site, counts) in statistics.sites() {
        *groups.entry(by(site)).or_default() += (site, counts);
    }
    groups
}

fn percent(part: u64, of: u64) -> Cell {
    Cell::said((of > 0).then(|| 100.0 * part as f64 / of as f64), 1)
}

fn depth_sheet(cuts: &CutExperiment, statistics: &CutStatistics) -> Sheet {
    let CutExperiment { rules, depth, positions, .. } = cuts;
    let title = format!("Selective cuts by depth, {rules} rules, {positions} positions to depth {depth}");
    let columns = [
        "depth",
        "tries",
        "checks",
        "static cuts",
        "first cuts",
        "second cuts",
        "cut %",
        "nodes, cut",
        "nodes, failed",
        "nodes %",
    ];
    let mut sheet = Sheet::new(title, 0, columns);
    for (depth, node) in gather(statistics, |site| site.depth) {
        let counts = [depth.into(), node.tries, node.checks].into_iter().chain(node.cuts);
        let cells = counts.map(Cell::Count).chain([
            percent(node.all_cuts(), node.tries),
            node.nodes_of_cuts.into(),
            node.nodes_of_failures.into(),
            percent(node.nodes(), statistics.nodes()),
        ]);
        sheet.row(cells.collect());
    }
    sheet.note(format!(
        "{} nodes in all iterations. tries: nodes in which a cut was tried. checks: shallow searches for one. first and \
         second: the checks of about a quarter and about half of the depth; depths 3 to 6 have the second only, lesser ones \
         the static value. nodes: in checks that cut and that failed, with the checks inside them; a node inside several \
         checks counts in several rows.",
        statistics.nodes()
    ));
    sheet
}

fn nesting_sheet(statistics: &CutStatistics) -> Sheet {
    let mut sheet = Sheet::new(
        "Nodes by nesting",
        0,
        ["nesting", "tries", "checks", "cuts", "cut %", "nodes", "nodes %"],
    );
    // Those of the checks around the present nesting.
    let mut around = statistics.nodes();
    for (nesting, node) in gather(statistics, |site| site.nesting) {
        let nodes = around - node.nodes();
        sheet.row(vec![
            Cell::Count(nesting.into()),
            node.tries.into(),
            node.checks.into(),
            node.all_cuts().into(),
            percent(node.all_cuts(), node.tries),
            nodes.into(),
            percent(nodes, statistics.nodes()),
        ]);
        around = node.nodes();
    }
    sheet.note(
        "nesting: how many checks a node is inside of; 0 is the main search, and the checks in its row are made by it. \
         Every node counts once.",
    );
    sheet
}

fn wrong_sheet(cuts: &CutExperiment, statistics: &CutStatistics) -> Sheet {
    let columns = ["depth", "check", "nesting", "cuts", "verified", "wrong", "wrong %"];
    let mut sheet = Sheet::new("Wrong cuts", 0, columns);
    for (site, counts) in statistics.sites().filter(|(_, counts)| counts.cuts > 0) {
        let wrong = share(counts.wrong, counts.verified).map(|share| share.map(|share| 100.0 * share));
        sheet.row(vec![
            Cell::Count(site.depth.into()),
            Cell::Count(site.check.into()),
            Cell::Count(site.nesting.into()),
            counts.cuts.into(),
            counts.verified.into(),
            counts.wrong.into(),
            Cell::of(wrong, 1),
        ]);
    }
    sheet.note(format!(
        "check: depth of the check, 0 for the static value. wrong: a search of the node without this cut, with {} below it, \
         is on the other side of the bound. By its confidence a check that just reaches its limit is wrong in \
         14 % of all cases, one that goes beyond it in fewer; the static value must go further. 95 % intervals as if cuts \
         were independent. Verification took {} nodes more.",
        match cuts.confidence {
            Selectivity::Off => "no cuts".to_owned(),
            confidence => format!("cuts of {} % confidence", confidence.percent()),
        },
        statistics.verification_nodes()
    ));
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: CutExperiment = CutExperiment {
        rules: Rules::Reversed,
        depth: 8,
        positions: 4,
        verify: 4,
        confidence: Selectivity::P73,
        seed: 1,
    };

    #[test]
    fn a_few_positions_are_spread_over_all_disc_counts() {
        let discs = |count| -> Vec<u32> {
            let drawn = draw(Rules::Standard, count, 1);
            drawn.iter().map(|position| position.board().discs().len()).collect()
        };
        assert_eq!(discs(4), [20, 27, 34, 26]);
        let mut twice = discs(30);
        twice.sort_unstable();
        assert!(DISCS.flat_map(|discs| [discs; 2]).eq(twice));
    }

    #[test]
    fn groups_agree_with_each_other_and_with_all_nodes() {
        let statistics = measure(&SMALL);
        let by_depth = gather(&statistics, |site| site.depth);
        let by_nesting = gather(&statistics, |site| site.nesting);
        let sum =
            |groups: &BTreeMap<u8, NodeCuts>, of: fn(&NodeCuts) -> u64| groups.values().map(of).sum::<u64>();
        for of in [|node: &NodeCuts| node.tries, NodeCuts::all_cuts, NodeCuts::nodes] {
            assert_eq!(sum(&by_depth, of), sum(&by_nesting, of));
        }
        assert!(
            by_depth.values().all(|node| node.all_cuts() <= node.tries && node.nodes() <= statistics.nodes())
        );
        let inside: Vec<u64> = by_nesting.values().map(NodeCuts::nodes).collect();
        assert!(inside.is_sorted_by(|outer, inner| outer >= inner), "{inside:?}");
        assert!(by_nesting.len() > 1 && inside[0] < statistics.nodes());
        assert_eq!(measure(&SMALL), statistics, "the seed decides all");
    }

    #[test]
    fn tables_have_what_was_measured() {
        let text: Vec<String> = run(&SMALL).iter().map(ToString::to_string).collect();
        assert!(text[0].starts_with("Selective cuts by depth, reversed rules, 4 positions to depth 8\n"));
        assert!(
            text[2].lines().nth(2).is_some_and(|row| row.contains('±') || row.contains("..")),
            "{}",
            text[2]
        );
    }
}
