//! Where the engine gets the time from: the system, a host that has a clock of its own, or in tests a simulation.

use std::fmt;
use std::ops::{Add, Sub};
use std::sync::Arc;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::sync::LazyLock;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A point in time, as the time since the source's beginning. `std::time::Instant` panics where the system has no clock, as
/// in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(Duration);

impl Timestamp {
    /// The present by the system's clock. Where there is none it stands still.
    #[must_use]
    pub fn now() -> Self {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        {
            static ORIGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
            Self(ORIGIN.elapsed())
        }
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        Self(Duration::ZERO)
    }

    /// This much later, unless that is beyond all time.
    #[must_use]
    pub fn checked_add(self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }

    /// The time since an earlier point, or nothing if it is a later one.
    #[must_use]
    pub fn checked_duration_since(self, earlier: Self) -> Option<Duration> {
        self.0.checked_sub(earlier.0)
    }

    /// The time since an earlier point; zero if it is a later one.
    #[must_use]
    pub fn saturating_duration_since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time that has passed since by the system's clock.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Self::now().saturating_duration_since(self)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;
    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl Sub for Timestamp {
    type Output = Duration;
    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

/// Tells the time. Clones tell the same.
#[derive(Clone, Debug, Default)]
pub struct TimeSource(Source);

#[derive(Clone, Default)]
enum Source {
    #[default]
    System,
    Host(Arc<dyn Fn() -> Duration + Send + Sync>),
    #[cfg(test)]
    Simulation(Arc<Simulation>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Host(_) => "Host",
            #[cfg(test)]
            Self::Simulation(_) => "Simulation",
        })
    }
}

/// A time that passes as a search visits nodes, or as a test says.
#[cfg(test)]
struct Simulation {
    nanoseconds: AtomicU64,
    nanoseconds_a_node: u64,
}

impl TimeSource {
    /// The clock of a host, as the time since any fixed moment. It never goes back.
    #[must_use]
    pub fn of_host(clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Source::Host(Arc::new(clock)))
    }

    /// The present.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::now(),
            Source::Host(clock) => Timestamp(clock()),
            #[cfg(test)]
            Source::Simulation(simulation) => {
                Timestamp(Duration::from_nanos(simulation.nanoseconds.load(Relaxed)))
            }
        }
    }

    /// A search has visited so many nodes. Only simulated time passes by that.
    #[inline]
    pub(crate) fn spend(&self, _nodes: u64) {
        #[cfg(test)]
        if let Source::Simulation(simulation) = &self.0 {
            simulation.nanoseconds.fetch_add(_nodes * simulation.nanoseconds_a_node, Relaxed);
        }
    }
}

#[cfg(test)]
impl TimeSource {
    /// A clock that stands still until a search visits nodes, each of which takes so long.
    pub(crate) fn simulated(node: Duration) -> Self {
        let nanoseconds_a_node = node.as_nanos() as u64;
        // A day, so that tests can name times before the first.
        let nanoseconds = AtomicU64::new(Duration::from_hours(24).as_nanos() as u64);
        Self(Source::Simulation(Arc::new(Simulation { nanoseconds, nanoseconds_a_node })))
    }

    /// Lets time pass on a simulated clock.
    pub(crate) fn advance(&self, time: Duration) {
        let Source::Simulation(simulation) = &self.0 else { panic!("a clock that is not simulated") };
        simulation.nanoseconds.fetch_add(time.as_nanos() as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_tells_the_time() {
        let time = TimeSource::of_host(|| Duration::from_secs(3));
        assert_eq!(time.now(), Timestamp(Duration::from_secs(3)));
        assert_eq!(time.clone().now() - time.now(), Duration::ZERO);
    }
}
