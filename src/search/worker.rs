//! One search thread: what it looks at, and its count of visited positions.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crate::board::{Bitboard, Board, Size};
use crate::eval::Evaluator;
use crate::rules::Rules;
use crate::tt::Table;

use super::Task;
use super::control::{Control, Stopped};

/// The state of one search thread. The search itself is in the sibling modules.
pub(super) struct Worker<'a> {
    pub(super) table: &'a Table,
    pub(super) control: &'a Control,
    pub(super) evaluator: Evaluator,
    pub(super) rules: Rules,
    pub(super) size: Size,
    pub(super) area: Bitboard,
    /// Whether search threads take up all processors.
    crowded: bool,
    /// Raised when the thread whose result counts has finished.
    done: &'a AtomicBool,
    /// Positions visited and not yet accounted for.
    unspent: u64,
}

/// How many positions are visited between two looks at the control: some ten microseconds.
const POLL_INTERVAL: u64 = 256;

impl<'a> Worker<'a> {
    pub(super) fn new(
        task: &Task,
        table: &'a Table,
        control: &'a Control,
        crowded: bool,
        done: &'a AtomicBool,
    ) -> Self {
        let size = task.position.size();
        Self {
            table,
            control,
            evaluator: Evaluator::new(task.rules, size),
            rules: task.rules,
            size,
            area: size.squares(),
            crowded,
            done,
            unspent: 0,
        }
    }

    /// Counts a position and looks now and then whether to go on.
    #[inline]
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        self.unspent += 1;
        if self.unspent < POLL_INTERVAL { Ok(()) } else { self.poll() }
    }

    /// Accounts for what was visited and looks whether to go on.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        if self.crowded {
            // Else the thread that brings a stop may wait for the rest of our time slice: milliseconds.
            thread::yield_now();
        }
        let visited = std::mem::take(&mut self.unspent);
        self.control.spend(visited)?;
        if self.done.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// The number of empty squares.
    #[inline]
    pub(super) fn empties(&self, board: Board) -> u8 {
        (self.area - board.discs()).len() as u8
    }
}
