//! An instrument: what selective cuts cost, and how often they are wrong. Off in play.

use std::collections::BTreeMap;

use crate::selectivity::Selectivity;
use crate::tt::Table;

use super::endgame_cache::EndgameCache;

/// Where predictions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CutSite {
    /// Of the predicted search.
    pub depth: u8,
    /// The depth of the search that predicts it; 0 for the static value.
    pub check: u8,
    /// How many checks the node is inside of; 0 in the main search.
    pub nesting: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CutCounts {
    /// Also those in which the static value ruled the check out.
    pub tries: u64,
    /// Tries in which the check was searched.
    pub searches: u64,
    pub cuts: u64,
    /// In checks that cut, with the checks inside them.
    pub nodes_of_cuts: u64,
    /// In checks that failed to cut, with the checks inside them.
    pub nodes_of_failures: u64,
    /// Cuts that were compared with the search that they replace.
    pub verified: u64,
    /// Those for which the value was on the other side of the bound.
    pub wrong: u64,
}

/// The cuts of one search or several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CutStatistics {
    verify_every: u64,
    confidence: Selectivity,
    by_site: BTreeMap<CutSite, CutCounts>,
    nodes: u64,
    verification_nodes: u64,
}

impl CutStatistics {
    /// Of each site, the first cut and then every so many are verified; none with 0. Searches that verify a cut make
    /// cuts of this confidence at least.
    #[must_use]
    pub fn new(verify_every: u64, confidence: Selectivity) -> Self {
        Self { verify_every, confidence, ..Self::default() }
    }

    /// In order.
    pub fn sites(&self) -> impl Iterator<Item = (CutSite, CutCounts)> {
        self.by_site.iter().map(|(&site, &counts)| (site, counts))
    }

    /// Of the searches, without verification.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Spent on verification.
    #[must_use]
    pub const fn verification_nodes(&self) -> u64 {
        self.verification_nodes
    }

    /// Adds the nodes of a finished search, with those of its verification.
    pub(super) fn add_search(&mut self, nodes: u64, verification_before: u64) {
        self.nodes += nodes - (self.verification_nodes - verification_before);
    }
}

/// Records the cuts of one search.
pub(super) struct CutRecorder<'a> {
    statistics: &'a mut CutStatistics,
    /// Verification has a table and a cache of its own: those of the search would gain entries by it, and the search
    /// would be another one.
    pub(super) table: &'a Table,
    pub(super) cache: EndgameCache,
    nesting: u8,
    /// Of this search.
    verification_nodes: u64,
}

impl<'a> CutRecorder<'a> {
    pub(super) fn new(statistics: &'a mut CutStatistics, table: &'a Table) -> Self {
        Self { statistics, table, cache: EndgameCache::new(), nesting: 0, verification_nodes: 0 }
    }

    /// Of all nodes visited, those of the search itself.
    fn without_verification(&self, visited: u64) -> u64 {
        visited - self.verification_nodes
    }

    /// Returns what [`end_check`](Self::end_check) needs.
    pub(super) fn begin_check(&mut self, visited: u64) -> u64 {
        self.nesting += 1;
        self.without_verification(visited)
    }

    /// The nodes of the check.
    pub(super) fn end_check(&mut self, begun: u64, visited: u64) -> u64 {
        self.nesting -= 1;
        self.without_verification(visited) - begun
    }

    pub(super) const fn site(&self, depth: u8, check: u8) -> CutSite {
        CutSite { depth, check, nesting: self.nesting }
    }

    /// Returns whether the cut is to be verified.
    pub(super) fn record(&mut self, site: CutSite, nodes: u64, is_cut: bool) -> bool {
        let counts = self.statistics.by_site.entry(site).or_default();
        counts.tries += 1;
        counts.searches += u64::from(nodes > 0);
        if !is_cut {
            counts.nodes_of_failures += nodes;
            return false;
        }
        counts.nodes_of_cuts += nodes;
        counts.cuts += 1;
        let every = self.statistics.verify_every;
        every > 0 && (counts.cuts - 1).is_multiple_of(every)
    }

    pub(super) const fn confidence(&self) -> Selectivity {
        self.statistics.confidence
    }

    /// `wrong` is none if the verification was stopped.
    pub(super) fn record_verification(&mut self, site: CutSite, nodes: u64, wrong: Option<bool>) {
        self.verification_nodes += nodes;
        self.statistics.verification_nodes += nodes;
        if let Some(wrong) = wrong {
            let counts = self.statistics.by_site.entry(site).or_default();
            counts.verified += 1;
            counts.wrong += u64::from(wrong);
        }
    }
}
