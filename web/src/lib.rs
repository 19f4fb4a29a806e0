//! The engine for the page in the browser: JSON requests in, JSON replies out.
//!
//! The host writes a request into the buffer that [`request_buffer`] gives it, calls [`handle_request`], and reads the
//! reply. A search reports each iteration through the imported function `report` while it runs. These few functions need
//! no generated bindings.
//!
//! A search can pause: the host suspends this code and goes on later. It must not call in the meantime.
//!
//! Requests about games hold the whole game, so that the page has one state and this has none. Only searches
//! leave something behind: a transposition table, and a review that goes on.

mod explorer;
mod game;
mod host;
mod reader;
mod request;
mod review;
mod search;

use std::cell::RefCell;

use request::{Request, Searches, handle};

#[derive(Default)]
struct State {
    searches: Searches,
    request: Vec<u8>,
    reply: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Makes room for a request of this length and tells where it is.
#[allow(unsafe_code, reason = "a function that the host calls by name")]
#[unsafe(no_mangle)]
pub extern "C" fn request_buffer(length: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.request = vec![0; length];
        state.request.as_mut_ptr()
    })
}

/// Carries out the request in the buffer. Returns the length of the reply.
#[allow(unsafe_code, reason = "a function that the host calls by name")]
#[unsafe(no_mangle)]
pub extern "C" fn handle_request() -> usize {
    host::report_panics();
    STATE.with_borrow_mut(|state| {
        state.reply = answer(&state.request, &mut state.searches);
        state.reply.len()
    })
}

/// Where the reply is.
#[allow(unsafe_code, reason = "a function that the host calls by name")]
#[unsafe(no_mangle)]
pub extern "C" fn reply_buffer() -> *const u8 {
    STATE.with_borrow(|state| state.reply.as_ptr())
}

fn answer(request: &[u8], searches: &mut Searches) -> Vec<u8> {
    let reply = serde_json::from_slice::<Request>(request)
        .map_err(|error| error.to_string())
        .and_then(|request| handle(request, searches))
        .unwrap_or_else(|fault| serde_json::json!({ "fault": fault }));
    reply.to_string().into_bytes()
}
