//! The searcher as an actor: jobs go in, reports come out, and a running search is held by its reins.

use std::io;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::board::Size;
use crate::rules::Rules;
use crate::search::{Budget, Control, Iteration, Outcome, Reins, Searcher, Task};
use crate::time_source::TimeSource;

/// Whatever finds moves: the engine's own search, or a named opponent.
pub trait Thinker: Send {
    /// Thinks about a task until it is done with it or its control ends it, telling of every completed depth. It looks
    /// at the control often enough to stop within a millisecond, and always has a legal move.
    fn think(&mut self, task: &Task, control: &Control, on_iteration: &mut dyn FnMut(&Iteration)) -> Outcome;

    /// Uses so many threads from the next task on, if it can use more than one.
    fn set_threads(&mut self, _threads: usize) {}

    /// Uses so many mebibytes to remember what it found, if it does, and forgets it now.
    fn resize(&mut self, _mebibytes: usize) {}

    /// Forgets what it found.
    fn forget(&mut self) {}

    /// A search by these rules on such a board may come: makes ready for it in the background what takes no more memory
    /// than the search itself will take at least.
    fn expect(&mut self, _rules: Rules, _size: Size) {}

    /// A game has begun: makes all memory ready in the background.
    fn expect_play(&mut self) {}
}

impl Thinker for Searcher {
    fn think(&mut self, task: &Task, control: &Control, on_iteration: &mut dyn FnMut(&Iteration)) -> Outcome {
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

    fn expect(&mut self, rules: Rules, size: Size) {
        self.expect(rules, size);
    }

    fn expect_play(&mut self) {
        self.expect_play();
    }
}

/// Names one search for the life of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchId(u64);

/// Something a search has to tell.
#[derive(Clone, Debug)]
pub struct Report {
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
    Done(Outcome),
}

enum Job {
    Search {
        id: SearchId,
        task: Task,
        control: Arc<Control>,
    },
    Threads(usize),
    Resize(usize),
    Forget,
    Expect(Rules, Size),
    ExpectPlay,
    #[cfg(test)]
    Panic,
}

/// A search under way. Dropping it stops the search.
#[derive(Debug)]
pub struct Search {
    id: SearchId,
    reins: Reins,
}

impl Search {
    /// The name under which its reports come.
    #[must_use]
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// Ends the search; its outcome will be reported at once.
    pub fn stop(&self) {
        self.reins.stop();
    }

    /// Lets it go on under another budget.
    pub fn impose(&self, budget: &Budget) {
        self.reins.impose(budget);
    }
}

/// The searcher thread, seen from outside. It ends when this is dropped.
#[derive(Debug)]
pub struct Engine {
    jobs: Sender<Job>,
    reports: Receiver<Report>,
    time: TimeSource,
    searches: u64,
}

impl Engine {
    /// Starts the thread in which a thinker thinks, by the time of this source.
    ///
    /// # Errors
    /// If the operating system gives no thread.
    pub fn start(mut thinker: Box<dyn Thinker>, time: TimeSource) -> io::Result<Self> {
        let (jobs, job_queue) = unbounded();
        let (report_sender, reports) = unbounded();
        let work = move || serve(thinker.as_mut(), &job_queue, &report_sender);
        thread::Builder::new().name("searcher".into()).spawn(work)?;
        Ok(Self { jobs, reports, time, searches: 0 })
    }

    /// Where reports come in. The channel is closed if the searcher has died.
    #[must_use]
    pub const fn reports(&self) -> &Receiver<Report> {
        &self.reports
    }

    /// Begins a search once those before it have ended.
    pub fn search(&mut self, task: Task, budget: &Budget) -> Search {
        self.searches += 1;
        let id = SearchId(self.searches);
        let (reins, control) = Reins::new(budget, self.time.clone());
        self.send(Job::Search { id, task, control });
        Search { id, reins }
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

    /// See [`Thinker::expect`].
    pub fn expect(&self, rules: Rules, size: Size) {
        self.send(Job::Expect(rules, size));
    }

    /// See [`Thinker::expect_play`].
    pub fn expect_play(&self) {
        self.send(Job::ExpectPlay);
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

fn serve(thinker: &mut dyn Thinker, jobs: &Receiver<Job>, reports: &Sender<Report>) {
    for job in jobs {
        match job {
            Job::Search { id, task, control } => {
                // Nobody listens any more when the process is about to end.
                let report = |event| drop(reports.send(Report { id, event }));
                let outcome = thinker.think(&task, &control, &mut |it| report(Event::Iteration(it.clone())));
                report(Event::Done(outcome));
            }
            Job::Threads(threads) => thinker.set_threads(threads),
            Job::Resize(mebibytes) => thinker.resize(mebibytes),
            Job::Forget => thinker.forget(),
            Job::Expect(rules, size) => thinker.expect(rules, size),
            Job::ExpectPlay => thinker.expect_play(),
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

    fn done(engine: &Engine) -> (SearchId, Outcome) {
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
                search.impose(&Budget { depth: Some(7), ..Budget::UNLIMITED });
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
