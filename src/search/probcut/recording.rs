//! Records cuts for [`CutStatistics`](crate::search::CutStatistics). Nothing here runs in play.

use std::mem;

use super::Predicted;
use crate::eval::PatternState;
use crate::score::Score;
use crate::search::control::Stopped;
use crate::search::cut_statistics::CutSite;
use crate::search::worker::Worker;

impl Worker<'_> {
    /// What [`end_check`](Self::end_check) needs; none in play.
    #[inline]
    pub(super) fn begin_check(&mut self) -> Option<u64> {
        self.cuts.as_ref()?;
        let visited = self.visited();
        self.cuts.as_mut().map(|cuts| cuts.begin_check(visited))
    }

    /// Records a check of depth `check` in a node of depth `depth`.
    #[cold]
    pub(super) fn end_check(
        &mut self,
        begun: u64,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        check: u8,
        predicted: Option<Predicted>,
    ) -> Result<(), Stopped> {
        let visited = self.visited();
        let Some(cuts) = &mut self.cuts else { return Ok(()) };
        let nodes = cuts.end_check(begun, visited);
        let site = cuts.site(depth, check);
        let is_due = cuts.record(site, nodes, predicted.is_some());
        match predicted.filter(|_| is_due) {
            Some(predicted) => self.verify(state, site, alpha, predicted),
            None => Ok(()),
        }
    }

    /// Records a prediction by the static value.
    #[cold]
    #[inline(never)]
    pub(super) fn record_static_cut(
        &mut self,
        state: &PatternState,
        depth: u8,
        alpha: Score,
        predicted: Option<Predicted>,
    ) {
        let Some(cuts) = &mut self.cuts else { return };
        let site = cuts.site(depth, 0);
        let is_due = cuts.record(site, 0, predicted.is_some());
        if let Some(predicted) = predicted.filter(|_| is_due) {
            // After a stop the next poll ends the search.
            let _ = self.verify(state, site, alpha, predicted);
        }
    }

    /// Searches the node on as if it had not been cut; below it, cuts have the confidence of verification.
    fn verify(
        &mut self,
        state: &PatternState,
        site: CutSite,
        alpha: Score,
        predicted: Predicted,
    ) -> Result<(), Stopped> {
        // Taken out meanwhile: cuts below are neither recorded nor verified in turn.
        let Some(mut cuts) = self.cuts.take() else { return Ok(()) };
        let (before, selectivity) = (self.visited(), self.selectivity);
        self.selectivity = selectivity.max(cuts.confidence());
        let table = mem::replace(&mut self.table, cuts.table);
        mem::swap(self.cache, &mut cuts.cache);
        let found = self.null_window_uncut(state, site.depth, alpha);
        mem::swap(self.cache, &mut cuts.cache);
        (self.table, self.selectivity) = (table, selectivity);
        let wrong = found.map(|score| !predicted.agrees_with(score, alpha));
        cuts.record_verification(site, self.visited() - before, wrong.ok());
        self.cuts = Some(cuts);
        wrong.map(|_| ())
    }
}
