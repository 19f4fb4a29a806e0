//! A process and what it starts, to be killed together.

use std::io;
use std::process::{Child, Command};

#[cfg(not(windows))]
pub(crate) use unix::ProcessGroup;
#[cfg(windows)]
pub(crate) use windows::ProcessGroup;

#[cfg(not(windows))]
mod unix {
    use super::{Child, Command, io};

    /// A group of processes of its own, which also keeps Ctrl-C from them.
    #[derive(Debug)]
    pub(crate) struct ProcessGroup {
        /// The leader's process. Other members may outlive it.
        id: u32,
    }

    impl ProcessGroup {
        /// Starts a child as the leader of a group. Each of its processes may use so many bytes of memory.
        pub(crate) fn spawn(command: &mut Command, memory: Option<u64>) -> io::Result<(Child, Self)> {
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(command, 0);
            let mut child = command.spawn()?;
            let id = child.id();
            if let Some(bytes) = memory
                && let Err(error) = limit_memory(id, bytes)
            {
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
            Ok((child, Self { id }))
        }

        pub(crate) fn kill(&self) {
            #[cfg(unix)]
            {
                use rustix::process::{Pid, Signal, kill_process_group};
                if let Some(pid) = i32::try_from(self.id).ok().and_then(Pid::from_raw) {
                    // It may have ended by itself in this very moment.
                    let _ = kill_process_group(pid, Signal::KILL);
                }
            }
            #[cfg(not(unix))]
            let _ = self.id;
        }
    }

    /// Of memory that a process can write to. What it only reserves, as Java does by the gigabyte, does not count.
    #[cfg(target_os = "linux")]
    fn limit_memory(id: u32, bytes: u64) -> io::Result<()> {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let process = i32::try_from(id).ok().and_then(Pid::from_raw);
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        prlimit(process, Resource::Data, limit).map(drop).map_err(io::Error::from)
    }

    #[cfg(not(target_os = "linux"))]
    fn limit_memory(_: u32, _: u64) -> io::Result<()> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "this system cannot limit the memory of another process",
        ))
    }
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "job objects have raw handles")]
mod windows {
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::os::windows::process::CommandExt;
    use std::ptr;

    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_JOB_MEMORY,
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
        JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
    };
    use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

    use super::{Child, Command, io};

    /// A job. The system kills its processes, too, when the last handle of it is closed: at the end of this process at the
    /// latest.
    #[derive(Debug)]
    pub(crate) struct ProcessGroup {
        job: OwnedHandle,
    }

    impl ProcessGroup {
        /// Starts a child in a job, and in a group of its own, which keeps Ctrl-C from it. What the child starts before it
        /// is in the job, within microseconds, escapes.
        /// All its processes together may use so many bytes of memory.
        pub(crate) fn spawn(command: &mut Command, memory: Option<u64>) -> io::Result<(Child, Self)> {
            let job = new_job(memory)?;
            let mut child = command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn()?;
            // SAFETY: both handles are open while they are borrowed.
            let assigned = unsafe { AssignProcessToJobObject(job.as_raw_handle(), child.as_raw_handle()) };
            if let Err(error) = succeeded(assigned) {
                let _ = child.kill();
                return Err(error);
            }
            Ok((child, Self { job }))
        }

        pub(crate) fn kill(&self) {
            // SAFETY: the handle is open. Nothing is left to do if there are no processes any more.
            unsafe { TerminateJobObject(self.job.as_raw_handle(), 1) };
        }
    }

    fn new_job(memory: Option<u64>) -> io::Result<OwnedHandle> {
        // SAFETY: null stands for no attributes and no name.
        let handle = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new, and nobody else closes it.
        let job = unsafe { OwnedHandle::from_raw_handle(handle) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        if let Some(bytes) = memory {
            limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            limits.JobMemoryLimit = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        // SAFETY: the limits are of the class that is named, of this size, and only read.
        let set = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        succeeded(set)?;
        Ok(job)
    }

    fn succeeded(result: i32) -> io::Result<()> {
        if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}
