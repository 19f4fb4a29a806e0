//! What the host does for the engine: it tells the time and takes reports.

use std::panic;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use ollehto::time_source::TimeSource;

#[cfg(target_family = "wasm")]
mod imports {
    #[allow(unsafe_code, reason = "functions of the host")]
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since any fixed moment.
        pub safe fn now() -> f64;
        /// A JSON text, during a request.
        pub safe fn report(text: *const u8, length: usize);
        /// The last words of a panic.
        pub safe fn fail(text: *const u8, length: usize);
        /// Gives the host a moment for other things. Not 0 if the search shall stop.
        pub safe fn pause() -> u32;
    }
}

/// Stand-ins, so that the whole workspace builds natively.
#[cfg(not(target_family = "wasm"))]
mod imports {
    pub fn now() -> f64 {
        0.0
    }

    pub fn report(_text: *const u8, _length: usize) {}

    pub fn fail(_text: *const u8, _length: usize) {}

    pub fn pause() -> u32 {
        0
    }
}

/// How long a search runs before it pauses.
const PAUSE_EVERY: Duration = Duration::from_millis(50);

/// Beyond every deadline.
const THE_END: Duration = Duration::from_secs(u32::MAX as u64);

/// The host's clock for one search with a deadline. Such a search looks at it often, so this is where it pauses, and a stop
/// takes the clock beyond the deadline.
pub fn clock() -> TimeSource {
    let now = || Duration::from_secs_f64(imports::now().max(0.0) / 1000.0);
    let last_pause = Mutex::new(now());
    TimeSource::of_host(move || {
        let mut last_pause = last_pause.lock().unwrap_or_else(PoisonError::into_inner);
        if *last_pause == THE_END {
            return THE_END;
        }
        let present = now();
        if present < *last_pause + PAUSE_EVERY {
            return present;
        }
        let stop = imports::pause() != 0;
        *last_pause = if stop { THE_END } else { now() };
        *last_pause
    })
}

pub fn report(text: &str) {
    imports::report(text.as_ptr(), text.len());
}

/// Tells the host why the engine dies, as WebAssembly alone does not.
pub fn report_panics() {
    static HOOK: Once = Once::new();
    if cfg!(target_family = "wasm") {
        HOOK.call_once(|| {
            panic::set_hook(Box::new(|info| {
                let words = info.to_string();
                imports::fail(words.as_ptr(), words.len());
            }));
        });
    }
}
