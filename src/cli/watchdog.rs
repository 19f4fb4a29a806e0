//! A second process beside a match: it kills the engines if the match is killed.

use std::env;
use std::io::{self, Read};
use std::process::{self, Child, Command, Stdio};

use crate::arena::orphans::kill_engines_of;

/// The subcommand that is the other side of it.
const SUBCOMMAND: &str = "kill-engines";

/// Engines that ignore the end of their input would outlive a match that has no time to kill them.
pub(super) struct Watchdog(Option<Child>);

impl Watchdog {
    /// Its input ends with this process, however that ends.
    pub(super) fn start() -> Self {
        Self(spawn().inspect_err(|error| log::debug!("no watchdog: {error}")).ok())
    }
}

fn spawn() -> io::Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args([SUBCOMMAND, &process::id().to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Whatever a terminal sends to the match is not meant for it.
        command.process_group(0).current_dir("/");
    }
    command.spawn()
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            drop(child.stdin.take());
            // There is nothing to do if it was killed.
            let _ = child.wait();
        }
    }
}

/// Waits for the end of the input, and with it of the process that has started this one.
pub(super) fn run(referee: u32) -> io::Result<()> {
    io::stdin().read_to_end(&mut Vec::new())?;
    kill_engines_of(referee);
    Ok(())
}
