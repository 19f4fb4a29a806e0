//! A complete game against an engine that others wrote: GRhino, where it is installed.

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules};
use crate::support::process::find_program;
use crate::support::referee::{GtpPlayer, Passes, play};

#[test]
fn grhino_and_ours_agree_on_a_game() {
    let Some(rhino) = find_program("gtp-rhino", "grhino") else { return };
    let first = Mailbox::start(8);
    for seats in [[0, 1], [1, 0]] {
        let gtp = Gtp::ollehto(&["--rules", "standard", "--depth", "4"]);
        let mut ours = GtpPlayer::ours(gtp, &first, Rules::Standard, Passes::Implied);
        let mut gtp = Gtp::start(&rhino, &[]);
        // It has no other way to be told to hurry; the strength of its play is of no interest here.
        gtp.done("time_settings 3 0 0");
        let mut theirs = GtpPlayer::foreign(gtp);
        play(first.clone(), &mut [&mut ours, &mut theirs], seats);
        ours.quit();
        theirs.quit();
    }
}
