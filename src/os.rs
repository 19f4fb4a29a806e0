//! Calls of the operating system. Without the feature `os`, and on systems other than Unix, each does nothing and says so.
#![allow(unsafe_code, reason = "advice on memory takes a raw pointer")]

#[cfg(feature = "arena")]
mod process_group;

use std::io;
use std::time::Duration;

#[cfg(feature = "arena")]
pub(crate) use process_group::ProcessGroup;

/// Asks for large pages under memory that was not touched yet. The system may ignore it.
#[cfg(not(loom))]
pub(crate) fn advise_large_pages<T>(items: &[T]) {
    #[cfg(all(feature = "os", target_os = "linux"))]
    {
        use rustix::mm::{Advice, madvise};
        // SAFETY: this advice changes how the memory is backed, never what it holds, and the range comes from a slice.
        let advised =
            unsafe { madvise(items.as_ptr().cast_mut().cast(), size_of_val(items), Advice::LinuxHugepage) };
        if let Err(error) = advised {
            log::debug!("no large pages: {error}");
        }
    }
    #[cfg(not(all(feature = "os", target_os = "linux")))]
    let _ = items;
}

/// Whether the address space of this process is known to have a limit. Without one, memory that is asked for is there.
#[cfg(not(loom))]
pub(crate) fn is_memory_limited() -> bool {
    #[cfg(all(feature = "os", target_os = "linux"))]
    {
        rustix::process::getrlimit(rustix::process::Resource::As).current.is_some()
    }
    #[cfg(not(all(feature = "os", target_os = "linux")))]
    false
}

/// CPU time of this process, all threads together.
#[must_use]
pub fn process_time() -> Option<Duration> {
    #[cfg(all(feature = "os", unix))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
    }
    #[cfg(not(all(feature = "os", unix)))]
    None
}

/// Writes to standard error without allocating, where there is a way to.
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the program's allocator calls it"))]
pub(crate) fn write_error(message: &[u8]) {
    #[cfg(all(feature = "os", unix))]
    let _ = rustix::io::write(rustix::stdio::stderr(), message);
    #[cfg(not(all(feature = "os", unix)))]
    let _ = io::Write::write_all(&mut io::stderr(), message);
}

/// Blocks until there is something to read on standard input, or nothing will come.
///
/// # Errors
/// If the system cannot tell.
pub(crate) fn wait_for_stdin() -> io::Result<()> {
    #[cfg(all(feature = "os", unix))]
    {
        wait_for(&rustix::stdio::stdin(), rustix::event::PollFlags::IN)
    }
    #[cfg(not(all(feature = "os", unix)))]
    Err(io::ErrorKind::WouldBlock.into())
}

/// Blocks until standard output takes more.
///
/// # Errors
/// If the system cannot tell.
pub(crate) fn wait_for_stdout() -> io::Result<()> {
    #[cfg(all(feature = "os", unix))]
    {
        wait_for(&rustix::stdio::stdout(), rustix::event::PollFlags::OUT)
    }
    #[cfg(not(all(feature = "os", unix)))]
    Err(io::ErrorKind::WouldBlock.into())
}

#[cfg(all(feature = "os", unix))]
fn wait_for(stream: &impl rustix::fd::AsFd, event: rustix::event::PollFlags) -> io::Result<()> {
    loop {
        match rustix::event::poll(&mut [rustix::event::PollFd::new(stream, event)], None) {
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Blocks until nobody reads standard output any more.
///
/// # Errors
/// If the system cannot tell.
pub(crate) fn wait_for_closed_stdout() -> io::Result<()> {
    #[cfg(all(feature = "os", unix))]
    {
        use rustix::event::{PollFd, PollFlags, poll};
        let stdout = rustix::stdio::stdout();
        loop {
            // Nothing is asked for: the system reports a closed other end unasked.
            let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut watched, None) {
                Ok(_) if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => return Ok(()),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    #[cfg(not(all(feature = "os", unix)))]
    Err(io::ErrorKind::Unsupported.into())
}
