//! Time while the machine runs. A virtual machine that stood still for half a minute costs nobody his game.

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(5);

/// A longer tick means that the machine stood still, or had no processor for any of us.
const LONGEST_TICK: Duration = Duration::from_millis(100);

static MICROSECONDS: AtomicU64 = AtomicU64::new(0);
static TICKER: Once = Once::new();

/// A moment.
#[derive(Clone, Copy, Debug)]
pub struct AwakeInstant(Duration);

impl AwakeInstant {
    pub fn now() -> Self {
        TICKER.call_once(|| drop(thread::spawn(tick)));
        Self(Duration::from_micros(MICROSECONDS.load(Relaxed)))
    }

    pub fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

fn tick() {
    let mut last = Instant::now();
    loop {
        thread::sleep(TICK);
        let now = Instant::now();
        let passed = (now - last).min(LONGEST_TICK);
        MICROSECONDS.fetch_add(passed.as_micros() as u64, Relaxed);
        last = now;
    }
}
