//! A complete game against an engine that others wrote: GRhino, where it is installed.

use std::env;
use std::path::PathBuf;

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules};
use crate::support::referee::{GtpPlayer, Passes, play};

/// Debian puts games where not every path leads.
fn find_rhino() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([PathBuf::from("/usr/games")]).collect();
    folders.into_iter().map(|folder| folder.join("gtp-rhino")).find(|file| file.is_file())
}

#[test]
fn grhino_and_ours_agree_on_a_game() {
    let Some(rhino) = find_rhino() else {
        eprintln!("SKIPPED: gtp-rhino is not installed (Debian: apt install grhino)");
        return;
    };
    let first = Mailbox::start(8);
    for seats in [[0, 1], [1, 0]] {
        let gtp = Gtp::ollehto(&["--rules", "standard", "--time", "0.05"]);
        let mut ours = GtpPlayer::ours(gtp, &first, Rules::Standard, Passes::Implied);
        let mut gtp = Gtp::start(rhino.to_str().expect("a plain path"), &[]);
        // It has no other way to be told to hurry; the strength of its play is of no interest here.
        gtp.done("time_settings 10 0 0");
        let mut theirs = GtpPlayer::foreign(gtp);
        let last = play(first.clone(), &mut [&mut ours, &mut theirs], seats);
        eprintln!("ours in seat {seats:?}: {}", last.result(Rules::Standard));
        ours.quit();
        theirs.quit();
    }
}
