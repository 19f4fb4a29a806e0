//! The searcher thread: jobs go in, reports come out, and a handle stops or changes a running search.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread::{self, Thread};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};
use parking_lot::Mutex;

use crate::board::Size;
use crate::rules::Rules;
use crate::search::{Budget, Control, Iteration, SearchHandle, SearchResult, Searcher, Task};
use crate::threads;
use crate::time_source::TimeSource;

/// Whatever finds moves: the engine's own search or a named opponent.
pub trait Search: Send {
    /// Searches until done, or until the control ends it, and reports every completed iteration. Polls the control
    /// often enough to stop within a millisecond. Always returns a legal move.
    fn search(
        &mut self,
        task: &Task,
        control: &Control,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> SearchResult;

    fn set_threads(&mut self, _threads: usize) {}

    /// Clears what it has stored and uses this much memory, in MiB.
    fn resize(&mut self, _mebibytes: usize) {}

    fn clear(&mut self) {}

    /// A search by these rules may come: prepares for it in the background without taking more memory than any search
    /// takes.
    fn prepare_evaluation(&mut self, _rules: Rules, _size: Size) {}

    /// A game has begun: prepares all memory in the background.
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

    fn clear(&mut self) {
        self.clear();
    }

    fn prepare_evaluation(&mut self, rules: Rules, size: Size) {
        self.prepare_evaluation(rules, size);
    }

    fn prepare_table(&mut self) {
        self.prepare_table();
    }
}

/// Unique in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchId(u64);

#[derive(Clone, Debug)]
pub struct SearchReport {
    pub id: SearchId,
    pub event: Event,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// A completed iteration.
    Iteration(Iteration),
    /// The last report of a search.
    Done(SearchResult),
}

enum Job {
    Search {
        id: SearchId,
        task: Task,
        control: Arc<Control>,
    },
    Threads(usize),
    Resize(usize),
    Clear,
    PrepareEvaluation(Rules, Size),
    PrepareTable,
    #[cfg(test)]
    Panic,
}

/// Dropping it stops the search.
#[derive(Debug)]
pub struct RunningSearch {
    id: SearchId,
    handle: SearchHandle,
}

impl RunningSearch {
    #[must_use]
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// The result is reported at once.
    pub fn stop(&self) {
        self.handle.stop();
    }

    /// So far, all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.handle.nodes()
    }

    /// Changes the limits, as on a ponder hit.
    pub fn set_budget(&self, budget: &Budget) {
        self.handle.set_budget(budget);
    }
}

/// Owner of the searcher thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Engine {
    place: Place,
    reports: Receiver<SearchReport>,
    time: TimeSource,
    searches: u64,
}

/// Where jobs are done.
enum Place {
    Thread {
        /// None while it is being dropped.
        jobs: Option<Sender<Job>>,
        searcher: Thread,
    },
    Caller {
        searcher: Mutex<Box<dyn Search>>,
        reports: Sender<SearchReport>,
    },
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Thread { .. } => "Thread",
            Self::Caller { .. } => "Caller",
        })
    }
}

impl Engine {
    /// Starts the searcher thread. Each of its reports unparks the calling thread.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn start(mut searcher: Box<dyn Search>, time: TimeSource) -> io::Result<Self> {
        let (jobs, job_queue) = unbounded();
        let (report_sender, reports) = unbounded();
        let owner = thread::current();
        let work = move || {
            let owner = UnparkOnDrop(owner);
            // Closed before the owner is woken, by a panic too.
            let report_sender = report_sender;
            serve(searcher.as_mut(), &job_queue, &report_sender, &owner.0);
        };
        let searcher = threads::spawn("searcher", work)?.thread().clone();
        let place = Place::Thread { jobs: Some(jobs), searcher };
        Ok(Self { place, reports, time, searches: 0 })
    }

    /// Starts no thread: a search is over, and all its reports wait, before [`Engine::search`] returns. For scripted
    /// searchers, whose reports then come in an order that does not depend on the system.
    #[must_use]
    pub fn in_calling_thread(searcher: Box<dyn Search>, time: TimeSource) -> Self {
        let (sender, reports) = unbounded();
        let place = Place::Caller { searcher: Mutex::new(searcher), reports: sender };
        Self { place, reports, time, searches: 0 }
    }

    #[must_use]
    pub const fn time(&self) -> &TimeSource {
        &self.time
    }

    /// Closed if the searcher has panicked.
    #[must_use]
    pub const fn reports(&self) -> &Receiver<SearchReport> {
        &self.reports
    }

    /// Begins after the searches before it have ended.
    pub fn search(&mut self, task: Task, budget: &Budget) -> RunningSearch {
        self.searches += 1;
        let id = SearchId(self.searches);
        let (handle, control) = SearchHandle::new(budget, self.time.clone());
        self.send(Job::Search { id, task, control });
        RunningSearch { id, handle }
    }

    pub fn set_threads(&self, threads: usize) {
        self.send(Job::Threads(threads));
    }

    /// In MiB.
    pub fn resize(&self, mebibytes: usize) {
        self.send(Job::Resize(mebibytes));
    }

    pub fn clear(&self) {
        self.send(Job::Clear);
    }

    /// See [`Search::prepare_evaluation`].
    pub fn prepare_evaluation(&self, rules: Rules, size: Size) {
        self.send(Job::PrepareEvaluation(rules, size));
    }

    /// See [`Search::prepare_table`].
    pub fn prepare_table(&self) {
        self.send(Job::PrepareTable);
    }

    #[cfg(test)]
    pub(crate) fn kill_searcher(&self) {
        self.send(Job::Panic);
    }

    fn send(&self, job: Job) {
        match &self.place {
            Place::Thread { jobs, searcher } => {
                // A dead searcher shows by its closed report channel.
                let _ = jobs.as_ref().map(|jobs| jobs.send(job));
                searcher.unpark();
            }
            Place::Caller { searcher, reports } => {
                execute(job, searcher.lock().as_mut(), |report| drop(reports.send(report)));
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Place::Thread { jobs, searcher } = &mut self.place {
            *jobs = None;
            searcher.unpark();
        }
    }
}

struct UnparkOnDrop(Thread);

impl Drop for UnparkOnDrop {
    fn drop(&mut self) {
        self.0.unpark();
    }
}

/// Does jobs until the engine is dropped. Parks between them: a channel's receiver would yield first, and on a busy machine
/// the next search would begin some time slices late.
fn serve(searcher: &mut dyn Search, jobs: &Receiver<Job>, reports: &Sender<SearchReport>, owner: &Thread) {
    loop {
        match jobs.try_recv() {
            Ok(job) => execute(job, searcher, |report| {
                // Nobody receives when the process is about to end.
                let _ = reports.send(report);
                owner.unpark();
            }),
            Err(TryRecvError::Empty) => thread::park(),
            Err(TryRecvError::Disconnected) => return,
        }
    }
}

fn execute(job: Job, searcher: &mut dyn Search, report: impl Fn(SearchReport)) {
    match job {
        Job::Search { id, task, control } => {
            let report = |event| report(SearchReport { id, event });
            let result = searcher.search(&task, &control, &mut |it| report(Event::Iteration(it.clone())));
            report(Event::Done(result));
        }
        Job::Threads(threads) => searcher.set_threads(threads),
        Job::Resize(mebibytes) => searcher.resize(mebibytes),
        Job::Clear => searcher.clear(),
        Job::PrepareEvaluation(rules, size) => searcher.prepare_evaluation(rules, size),
        Job::PrepareTable => searcher.prepare_table(),
        #[cfg(test)]
        Job::Panic => panic!("told to, by a test"),
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
                Event::Done(result) => Some((report.id, result)),
                Event::Iteration(_) => None,
            })
            .expect("the searcher lives")
    }

    #[test]
    fn an_unlimited_search_ends_when_its_handle_is_dropped() {
        let mut engine = Engine::start(Box::new(Searcher::new(2, 1)), TimeSource::default())
            .expect("threads are to be had");
        let first = engine.search(TASK, &Budget::UNLIMITED);
        let first_id = first.id();
        drop(first);
        let second = engine.search(TASK, &Budget { depth: Some(2), ..Budget::UNLIMITED });
        assert_eq!(done(&engine).0, first_id);
        let (id, result) = done(&engine);
        assert_eq!((id, result.last.depth), (second.id(), 2));
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
