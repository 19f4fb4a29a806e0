//! The program's allocator: where memory runs out, the process ends with a message and an exit code. Rust's own would
//! abort.
#![allow(unsafe_code, reason = "the trait of allocators is unsafe; every call is handed on as it is")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Write};
use std::process;

use crate::memory::allocation_may_fail;
use crate::os;

/// The system's allocator, which ends the process where the caller cannot do with less.
#[derive(Debug)]
pub struct ExitWhenOutOfMemory;

// SAFETY: all memory comes from and goes back to the system's allocator.
unsafe impl GlobalAlloc for ExitWhenOutOfMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the system's conditions.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Where the address space is limited, has all threads share one arena of the C library: each of its arenas reserves 64
/// MiB, used or not.
pub(super) fn save_address_space() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if os::is_memory_limited() {
        // SAFETY: it only sets a number, before there are other threads.
        let set = unsafe { nix::libc::mallopt(nix::libc::M_ARENA_MAX, 1) };
        debug_assert_eq!(set, 1);
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && !allocation_may_fail() {
        exit(size);
    }
    memory
}

#[cold]
fn exit(size: usize) -> ! {
    let mut message = Cursor::new([0; 160]);
    // Without allocating. A message that does not fit, or that nobody reads, changes nothing.
    let _ = writeln!(
        message,
        "ollehto: not enough memory for {size} bytes more: lower --hash or --threads, or raise the limit (ulimit -v)"
    );
    let end = message.position() as usize;
    os::write_error(&message.get_ref()[..end]);
    process::exit(1)
}
