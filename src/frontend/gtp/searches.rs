//! Searches that GTP commands run: from the command to its answer.

use std::fmt;
use std::io::{self, Write};

use ollehto_protocol::gtp::GtpId;

use crate::board::{Position, Size};
use crate::engine::RunningSearch;
use crate::frontend::Flow;
use crate::frontend::deadline::Deadline;
use crate::frontend::session::Begun;
use crate::search::{Budget, Iteration, Limits, SearchResult};
use crate::time_source::Timestamp;

use super::{Gtp, LastMove, text};

/// What the searches of a command have in common.
pub(super) struct SearchKind {
    /// For the log.
    name: &'static str,
    /// Multi-PV.
    lines: usize,
    time: TimeLimit,
    /// Whether the best move is played on our own board.
    plays: bool,
    /// What GoGui draws while it runs.
    graphics: fn(&Iteration, Size) -> String,
    answer: fn(&Iteration, Size) -> String,
}

enum TimeLimit {
    /// The game's clock and the time for each move.
    Clock,
    /// The time for each move.
    Move,
    /// Until stopped.
    Endless,
}

pub(super) const GENMOVE: SearchKind = SearchKind {
    name: "genmove",
    lines: 1,
    time: TimeLimit::Clock,
    plays: true,
    graphics: text::status,
    answer: text::best_move,
};
pub(super) const REG_GENMOVE: SearchKind = SearchKind { name: "reg_genmove", plays: false, ..GENMOVE };
pub(super) const VARIATION: SearchKind =
    SearchKind { name: "variation", time: TimeLimit::Move, answer: text::principal_variation, ..REG_GENMOVE };
pub(super) const EVALUATION: SearchKind =
    SearchKind { name: "evaluation", answer: text::summary, ..VARIATION };
pub(super) const VALUES: SearchKind =
    SearchKind { name: "values", lines: usize::MAX, answer: text::values, ..VARIATION };
pub(super) const HINTS: SearchKind =
    SearchKind { name: "hints", graphics: text::live_hints, answer: text::hints, ..VALUES };
pub(super) const ANALYSIS: SearchKind = SearchKind { name: "analysis", time: TimeLimit::Endless, ..HINTS };

impl SearchKind {
    pub(super) const fn lines(&self) -> usize {
        self.lines
    }

    pub(super) const fn plays(&self) -> bool {
        self.plays
    }
}

impl fmt::Debug for SearchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The command that is being carried out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) id: Option<GtpId>,
    /// When its time began to count.
    pub(super) start: Timestamp,
}

/// A command that waits for its search.
pub(super) struct RunningCommand {
    pub(super) ticket: Ticket,
    pub(super) kind: &'static SearchKind,
    pub(super) search: RunningSearch,
    pub(super) position: Position,
    pub(super) deadline: Deadline,
    /// Only a stop ends it.
    pub(super) endless: bool,
}

impl<W: Write> Gtp<W> {
    /// Begins the search of a command. A move from the book answers it at once.
    pub(super) fn begin(
        &mut self,
        ticket: Ticket,
        kind: &'static SearchKind,
        position: Position,
    ) -> io::Result<()> {
        let limits = self.session.settings.limits;
        let budget = match kind.time {
            TimeLimit::Clock => {
                let limits = Limits { clock: self.clocks.clock(position.side()), ..limits };
                self.session.budget(&limits, &position, ticket.start)
            }
            TimeLimit::Move => self.session.budget(&limits, &position, ticket.start),
            TimeLimit::Endless => limits.untimed(position.empties().len() as u8),
        };
        let begun = if kind.plays {
            self.session.search(position, &budget)
        } else {
            Begun::Search(self.session.analyse(position, kind.lines, &budget), None)
        };
        let (search, pondered) = match begun {
            Begun::Search(search, pondered) => (search, pondered),
            Begun::Known(result) => return self.conclude(ticket, kind, &position, &result, None),
        };
        let endless = budget == Budget::UNLIMITED && !(kind.plays && limits.elo.is_some());
        if self.stops_queued > 0 || (endless && (self.input_ended || self.queue.is_full())) {
            search.stop();
        }
        let deadline = Deadline::new(&self.session, &budget, pondered);
        self.running = Some(RunningCommand { ticket, kind, search, position, deadline, endless });
        Ok(())
    }

    /// Answers a command by the result of its search, which had to end at `end`.
    fn conclude(
        &mut self,
        ticket: Ticket,
        kind: &SearchKind,
        position: &Position,
        result: &SearchResult,
        end: Option<Timestamp>,
    ) -> io::Result<()> {
        let Iteration { depth, nodes, .. } = result.last;
        let spent = self.session.since(ticket.start);
        let allowed = |end: Timestamp| format!(" of {:?}", end.saturating_duration_since(ticket.start));
        log::debug!(
            "{kind:?}: depth {depth}, {nodes} nodes, {spent:?}{}",
            end.map(allowed).unwrap_or_default()
        );
        self.draw("CLEAR");
        if kind.plays {
            let (color, action) = (position.side(), result.best());
            self.clocks.charge(color, spent);
            let played = self.session.game.play(color, action);
            debug_assert!(played.is_ok(), "the search returns legal moves");
            let after = *self.session.game.position();
            self.last_move = Some(LastMove { color, action, after, value: text::best_value(&result.last) });
        }
        self.answer(ticket.id, Ok((kind.answer)(&result.last, position.size())))?;
        if kind.plays && !self.input_ended {
            self.session.ponder(*self.session.game.position(), result.reply());
        }
        Ok(())
    }

    /// Answers the command that waits for a search and goes on with the queue.
    pub(super) fn finish(&mut self, running: RunningCommand, result: &SearchResult) -> io::Result<Flow> {
        let RunningCommand { ticket, kind, search, position, deadline, .. } = running;
        // Stops it: it may still run if its time is over.
        drop(search);
        self.conclude(ticket, kind, &position, result, deadline.end)?;
        self.session.note_answer(deadline.end, self.answered);
        self.work()
    }

    pub(super) fn show_iteration(&mut self, running: &RunningCommand, iteration: &Iteration) {
        self.draw(&(running.kind.graphics)(iteration, running.position.size()));
    }

    /// Draws on GoGui's board while a command runs.
    fn draw(&mut self, commands: &str) {
        if let Some(graphics) = self.graphics.as_mut().filter(|_| self.graphics_wanted) {
            // Graphics that cannot be shown are no reason to end a game.
            let _ = writeln!(graphics, "gogui-gfx: {commands}");
        }
    }
}
