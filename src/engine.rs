//! The searcher as an actor: jobs go in, reports come out, and a running search is held by its handle.

use std::io;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::board::Size;
use crate::rules::Rules;
use crate::search::{Budget, Control, Iteration, SearchHandle, SearchResult, Searcher, Task};
use crate::time_source::TimeSource;

/// Whatever finds moves: the engine's own search, or a named opponent.
pub trait Search: Send {
    /// Thinks about a task until it is done with it or its control ends it, telling of every completed depth. It looks
    /// at the control often enough to stop within a millisecond, and always has a legal move.
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult;

    /// Uses so many threads from the next task on, if it can use more than one.
    fn set_threads(&mut self, _threads: usize) {}

    /// Uses so many mebibytes to remember what it found, if it does, and forgets it now.
    fn resize(&mut self, _mebibytes: usize) {}

    /// Forgets what it found.
    fn forget(&mut self) {}

    /// A search by these rules on such a board may come: makes ready for it in the background what takes no more memory
    /// than the search itself will take at least.
    fn prepare_evaluation(&mut self, _rules: Rules, _size: Size) {}

    /// A game has begun: makes all memory ready in the background.
    fn prepare_table(&mut self) {}
}

impl Search for Searcher {
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        self.run(task, control, on_iteration)
    }

    fn set_threads(&mut self, threads: usize) {
        self.set_threads(threads);
    }

    fn resize(&mut self, mebibytes: usize) {
        self.resize(mebibytes);
    }

    fn forget(&mut self) {
        self.forget();
    }

    fn prepare_evaluation(&mut self, rules: Rules, size: Size) {
        self.prepare_evaluation(rules, size);
    }

    fn prepare_table(&mut self) {
        self.prepare_table();
    }
}

/// Names one search for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchId(u64);

/// Something a search has to tell.
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// Which search.
    pub id: SearchId,
    /// What.
    pub event: Event,
}

/// What a search can tell.
#[derive(Clone, Debug)]
pub enum Event {
    /// A depth is completed.
    Iteration(Iteration),
    /// The search has ended; nothing more comes from it.
    Done(SearchResult),
}

enum Job {
    RunningSearch {
        id: SearchId,
        task: Task,
        control: Arc<Control>,
    },
    Threads(usize),
    Resize(usize),
    Forget,
    PrepareEvaluation(Rules, Size),
    PrepareTable,
    #[cfg(test)]
    Panic,
}

/// A search under way. Dropping it stops the search.
#[derive(Debug)]
pub struct RunningSearch {
    id: SearchId,
    handle: SearchHandle,
}

impl RunningSearch {
    /// The name under which its reports come.
    #[must_use]
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// Ends the search; its outcome will be reported at once.
    pub fn stop(&self) {
        self.handle.stop();
    }

    /// Lets it go on under another budget.
    pub fn set_budget(&self, budget: &Budget) {
        self.handle.set_budget(budget);
    }
}

/// The searcher thread, seen from outside. It ends when this is dropped.
#[derive(Debug)]
pub struct Engine {
    jobs: Sender<Job>,
    reports: Receiver<SearchReport>,
    time: TimeSource,
    searches: u64,
}

impl Engine {
    /// Starts the thread in which a searcher thinks, by the time of this source.
    ///
    /// # Errors
    /// If the operating system gives no thread.
    pub fn start(mut searcher: Box<dyn Search>, time: TimeSource) -> io::Result<Self> {
        let (jobs, job_queue) = unbounded();
        let (report_sender, reports) = unbounded();
        let work = move || serve(searcher.as_mut(), &job_queue, &report_sender);
        thread::Builder::new().name("searcher".into()).spawn(work)?;
        Ok(Self { jobs, reports, time, searches: 0 })
    }

    /// Where reports come in. The channel is closed if the searcher has died.
    #[must_use]
    pub const fn reports(&self) -> &Receiver<SearchReport> {
        &self.reports
    }

    /// Begins a search once those before it have ended.
    pub fn search(&mut self, task: Task, budget: &Budget) -> RunningSearch {
        self.searches += 1;
        let id = SearchId(self.searches);
        let (handle, control) = SearchHandle::new(budget, self.time.clone());
        self.send(Job::RunningSearch { id, task, control });
        RunningSearch { id, handle }
    }

    /// Uses so many threads from the next search on.
    pub fn set_threads(&self, threads: usize) {
        self.send(Job::Threads(threads));
    }

    /// Uses an empty table of so many mebibytes from the next search on.
    pub fn resize(&self, mebibytes: usize) {
        self.send(Job::Resize(mebibytes));
    }

    /// Forgets all that was found out.
    pub fn forget(&self) {
        self.send(Job::Forget);
    }

    /// See [`Search::prepare_evaluation`].
    pub fn prepare_evaluation(&self, rules: Rules, size: Size) {
        self.send(Job::PrepareEvaluation(rules, size));
    }

    /// See [`Search::prepare_table`].
    pub fn prepare_table(&self) {
        self.send(Job::PrepareTable);
    }

    /// Makes the searcher panic, as a fault in it would.
    #[cfg(test)]
    pub(crate) fn kill_searcher(&self) {
        self.send(Job::Panic);
    }

    fn send(&self, job: Job) {
        // A dead searcher shows itself by its closed report channel.
        let _ = self.jobs.send(job);
    }
}

fn serve(searcher: &mut dyn Search, jobs: &Receiver<Job>, reports: &Sender<SearchReport>) {
    for job in jobs {
        match job {
            Job::RunningSearch { id, task, control } => {
                // Nobody listens any more when the process is about to end.
                let report = |event| drop(reports.send(SearchReport { id, event }));
                let outcome =
                    searcher.search(&task, &control, &mut |it| report(Event::Iteration(it.clone())));
                report(Event::Done(outcome));
            }
            Job::Threads(threads) => searcher.set_threads(threads),
            Job::Resize(mebibytes) => searcher.resize(mebibytes),
            Job::Forget => searcher.forget(),
            Job::PrepareEvaluation(rules, size) => searcher.prepare_evaluation(rules, size),
            Job::PrepareTable => searcher.prepare_table(),
            #[cfg(test)]
            Job::Panic => panic!("told to, by a test"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    const TASK: Task = Task::new(Position::start(Size::Eight), Rules::Reversed);

    fn done(engine: &Engine) -> (SearchId, SearchResult) {
        engine
            .reports()
            .iter()
            .find_map(|report| match report.event {
                Event::Done(outcome) => Some((report.id, outcome)),
                Event::Iteration(_) => None,
            })
            .expect("the searcher lives")
    }

    #[test]
    fn an_unlimited_search_ends_when_its_reins_are_dropped() {
        let mut engine = Engine::start(Box::new(Searcher::new(2, 1)), TimeSource::default())
            .expect("threads are to be had");
        let first = engine.search(TASK, &Budget::UNLIMITED);
        let first_id = first.id();
        drop(first);
        let second = engine.search(TASK, &Budget { depth: Some(2), ..Budget::UNLIMITED });
        assert_eq!(done(&engine).0, first_id);
        let (id, outcome) = done(&engine);
        assert_eq!((id, outcome.last.depth), (second.id(), 2));
    }

    #[test]
    fn a_new_budget_reaches_a_running_search_without_restarting_it() {
        let mut engine = Engine::start(Box::new(Searcher::new(1, 1)), TimeSource::default())
            .expect("threads are to be had");
        let search = engine.search(TASK, &Budget::UNLIMITED);
        let mut depths = Vec::new();
        for report in engine.reports() {
            assert_eq!(report.id, search.id());
            match report.event {
                Event::Iteration(iteration) => depths.push(iteration.depth),
                Event::Done(_) => break,
            }
            if depths.len() == 4 {
                search.set_budget(&Budget { depth: Some(7), ..Budget::UNLIMITED });
            }
        }
        let wanted: Vec<u8> = (1..=*depths.last().expect("not empty")).collect();
        assert_eq!(depths, wanted, "each depth once, in order");
        assert!(depths.len() >= 7);
    }

    #[test]
    fn a_panic_in_the_searcher_closes_its_channel() {
        let engine = Engine::start(Box::new(Searcher::new(1, 1)), TimeSource::default())
            .expect("threads are to be had");
        engine.kill_searcher();
        assert!(engine.reports().iter().next().is_none());
    }
}
