//! Commands that wait for their turn, and how many may wait.

use std::collections::VecDeque;

/// Bytes of commands from which on no more lines are read: tens of thousands of short ones. A client that writes on and
/// on has to wait then, and its commands do not fill our memory.
const FULL: usize = 1 << 20;

/// What a command takes beside its text.
const COMMAND: usize = 64;

pub(super) struct Backlog<T> {
    /// Each with its size.
    queue: VecDeque<(T, usize)>,
    bytes: usize,
}

impl<T> Default for Backlog<T> {
    fn default() -> Self {
        Self { queue: VecDeque::new(), bytes: 0 }
    }
}

impl<T> Backlog<T> {
    /// Appends a command that came in a line of this length.
    pub(super) fn push(&mut self, command: T, length: usize) {
        let size = length + COMMAND;
        self.bytes += size;
        self.queue.push_back((command, size));
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let (command, size) = self.queue.pop_front()?;
        self.bytes -= size;
        Some(command)
    }

    pub(super) fn front(&self) -> Option<&T> {
        self.queue.front().map(|(command, _)| command)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.queue.iter_mut().map(|(command, _)| command)
    }

    /// Leaves out the commands that are not wanted any more.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.queue.retain(|(command, _)| is_wanted(command));
        self.bytes = self.queue.iter().map(|(_, size)| size).sum();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) const fn is_full(&self) -> bool {
        self.bytes >= FULL
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }
}
