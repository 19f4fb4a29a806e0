//! Hints to the processor and the operating system, both free to ignore them.
#![allow(unsafe_code, reason = "both take raw pointers")]

/// Brings the cache line at the start of a value near, where the processor can be told so.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program could see, and the pointer comes from a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Asks for large pages under a slice that was not touched yet.
#[cfg(not(loom))]
pub(super) fn want_large_pages<T>(items: &[T]) {
    #[cfg(target_os = "linux")]
    // SAFETY: this advice changes how the memory is backed, never what it holds, and the range comes from a slice.
    let advised = unsafe {
        use rustix::mm::{Advice, madvise};
        madvise(items.as_ptr().cast_mut().cast(), size_of_val(items), Advice::LinuxHugepage)
    };
    #[cfg(target_os = "linux")]
    if let Err(error) = advised {
        log::debug!("no large pages: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = items;
}
