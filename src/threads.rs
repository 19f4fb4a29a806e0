//! Starting threads where memory may be short.

use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

use crate::memory;

/// Bytes that have to be free beside a new thread: its stack, and what it and others allocate next. More than the largest
/// size that makes the C library change how it allocates.
const ROOM: usize = 40 << 20;

/// # Errors
/// If there is no memory or no thread left, with what may be the reason.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    // Little enough to say so if there is not more: a program of few threads runs within less than ROOM.
    const LEAST: usize = 4 << 20;
    check_room(LEAST)?;
    thread::Builder::new().name(name.into()).spawn(work).map_err(no_thread)
}

/// For a helper, which the others can do without.
///
/// # Errors
/// As [`spawn`], and if there would be little memory left.
pub(crate) fn spawn_helper<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    check_room(ROOM)?;
    thread::Builder::new().spawn_scoped(scope, work).map_err(no_thread)
}

/// # Errors
/// If there is not the memory for another thread with all that it needs.
pub(crate) fn check_helper_room() -> io::Result<()> {
    check_room(ROOM)
}

fn check_room(bytes: usize) -> io::Result<()> {
    if memory::is_free(bytes) { Ok(()) } else { Err(no_thread(io::ErrorKind::OutOfMemory.into())) }
}

fn no_thread(error: io::Error) -> io::Error {
    let message =
        format!("cannot start a thread: {error}; memory or threads may be limited (ulimit -v, ulimit -u)");
    io::Error::new(error.kind(), message)
}
