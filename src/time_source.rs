//! Where the engine gets the time from: the system, or in tests a clock of their own.

#[cfg(test)]
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
#[cfg(test)]
use std::time::Duration;
use std::time::Instant;

/// Tells the time. Clones tell the same.
#[derive(Clone, Debug, Default)]
pub struct TimeSource {
    #[cfg(test)]
    simulation: Option<Arc<Simulation>>,
}

/// A time that passes as a search visits nodes, or as a test says.
#[cfg(test)]
#[derive(Debug)]
struct Simulation {
    origin: Instant,
    nanoseconds: AtomicU64,
    nanoseconds_a_node: u64,
}

impl TimeSource {
    /// The present instant.
    #[must_use]
    pub fn now(&self) -> Instant {
        #[cfg(test)]
        if let Some(simulation) = &self.simulation {
            return simulation.origin + Duration::from_nanos(simulation.nanoseconds.load(Relaxed));
        }
        Instant::now()
    }

    /// A search has visited so many nodes. The system's time passes by itself.
    #[inline]
    pub(crate) fn spend(&self, _nodes: u64) {
        #[cfg(test)]
        if let Some(simulation) = &self.simulation {
            simulation.nanoseconds.fetch_add(_nodes * simulation.nanoseconds_a_node, Relaxed);
        }
    }
}

#[cfg(test)]
impl TimeSource {
    /// A clock that stands still until a search visits nodes, each of which takes so long.
    pub(crate) fn simulated(node: Duration) -> Self {
        let nanoseconds_a_node = node.as_nanos() as u64;
        let simulation =
            Simulation { origin: Instant::now(), nanoseconds: AtomicU64::new(0), nanoseconds_a_node };
        Self { simulation: Some(Arc::new(simulation)) }
    }

    /// Lets time pass on a simulated clock.
    pub(crate) fn advance(&self, time: Duration) {
        let simulation = self.simulation.as_ref().expect("a simulated clock");
        simulation.nanoseconds.fetch_add(time.as_nanos() as u64, Relaxed);
    }
}
