//! Searches: from `go` to `bestmove`.

use std::io::{self, Write};

use ollehto_protocol::uci::{Command, GoRequest, Reply, ScoreText, SearchInfo};

use crate::board::{Bitboard, Color, Move, Position};
use crate::clock::Clock;
use crate::engine::{RunningSearch, SearchId};
use crate::frontend::deadline::Deadline;
use crate::notation::uci::{legal_moves, line_names, move_name, read_move};
use crate::score::Score;
use crate::search::{Budget, Iteration, Limits, Line, SearchMode, SearchResult, Task};
use crate::time_source::Timestamp;

use super::Uci;

/// The deepest search; clients ask for more.
const MAX_DEPTH: u32 = 60;

/// A `go` without its `bestmove`.
pub(super) struct RunningGo {
    pub(super) state: State,
    pub(super) position: Position,
    /// The moves that were asked for; none: all.
    pub(super) only: Bitboard,
    /// When its time began to count.
    start: Timestamp,
    wait: Wait,
    /// Its answer is due at once.
    pub(super) stopped: bool,
}

pub(super) enum State {
    Searching {
        search: RunningSearch,
        /// With the last iteration, which the client has seen.
        deadline: Deadline,
        /// Has no limit at all: only a stop ends it, or the solution.
        endless: bool,
    },
    /// Done before the client may be told.
    Answered(Answer),
}

/// What has to come before the answer.
enum Wait {
    Nothing,
    Stop,
    /// `ponderhit` or a stop; the limits hold from then on.
    PonderHit(Box<Limits>),
}

pub(super) struct Answer {
    best: Option<String>,
    ponder: Option<String>,
}

impl RunningGo {
    pub(super) fn is_of(&self, id: SearchId) -> bool {
        matches!(&self.state, State::Searching { search, .. } if search.id() == id)
    }
}

impl<W: Write> Uci<W> {
    pub(super) fn go(&mut self, request: &GoRequest, start: Timestamp, stopped: bool) -> io::Result<()> {
        if !request.ignored.is_empty() {
            self.tell(format!("go: ignored {}", request.ignored.join(" ")))?;
        }
        if let Some(depth) = request.perft {
            return self.show_perft(depth);
        }
        let position = *self.session.game.position();
        let limits = self.limits(request, position.side());
        let wait = match request {
            _ if stopped => Wait::Nothing,
            GoRequest { ponder: true, .. } => Wait::PonderHit(Box::new(limits)),
            GoRequest { infinite: true, .. } => Wait::Stop,
            _ => Wait::Nothing,
        };
        let only = self.chosen_moves(request)?;
        let state = match self.known_answer(&position, request, only)? {
            Some(answer) => State::Answered(answer),
            None => self.begin(position, &limits, request, start, only),
        };
        if let (State::Searching { search, .. }, true) = (&state, stopped) {
            search.stop();
        }
        self.running = Some(RunningGo { state, position, only, start, wait, stopped });
        if self.input_ended {
            self.release(true)?;
        }
        self.answer_if_ready()
    }

    fn begin(
        &mut self,
        position: Position,
        limits: &Limits,
        request: &GoRequest,
        start: Timestamp,
        only: Bitboard,
    ) -> State {
        let budget = if request.infinite || request.ponder {
            limits.untimed(position.empties().len() as u8)
        } else if *limits == Limits::default() {
            Budget::UNLIMITED
        } else {
            self.session.budget(limits, &position, start)
        };
        let mode = self.mode(request);
        // A weaker player has one move in mind.
        let lines = if mode == SearchMode::BestMove { self.options.lines } else { 1 };
        let for_play = !request.infinite && self.plays(request, only);
        let task = Task { lines, only, mode, for_play, ..Task::new(position, self.session.game.rules()) };
        let search = self.session.search_task(task, &budget);
        let endless = budget == Budget::UNLIMITED && mode == SearchMode::BestMove;
        State::Searching { search, deadline: Deadline::new(&self.session, &budget, None), endless }
    }

    /// The client's limits, and those of the command line.
    fn limits(&self, request: &GoRequest, side: Color) -> Limits {
        let own = usize::from(side == Color::White);
        let clock = request.clocks[own].map(|left| Clock {
            left,
            increment: request.increments[own],
            moves: request.moves_to_go,
        });
        let settings = self.session.settings.limits;
        let depth = request.depth.map(|depth| depth.min(MAX_DEPTH) as u8);
        Limits {
            depth: [settings.depth, depth].into_iter().flatten().min(),
            nodes: [settings.nodes, request.nodes].into_iter().flatten().min(),
            time: [settings.time, request.move_time].into_iter().flatten().min(),
            clock,
            ..settings
        }
    }

    /// Whether a move is wanted for a game, rather than the value of something.
    fn plays(&self, request: &GoRequest, only: Bitboard) -> bool {
        let on_clock = request.clocks.iter().any(Option::is_some) || request.move_time.is_some();
        on_clock && self.options.lines == 1 && only.is_empty() && !self.options.analyses
    }

    /// Analyses are at full strength.
    fn mode(&mut self, request: &GoRequest) -> SearchMode {
        if self.options.analyses || request.infinite { SearchMode::BestMove } else { self.session.mode() }
    }

    /// The moves to search; none of them: all.
    fn chosen_moves(&mut self, request: &GoRequest) -> io::Result<Bitboard> {
        let position = *self.session.game.position();
        let legal = legal_moves(&position, self.passes);
        let mut chosen = Bitboard::EMPTY;
        for text in &request.search_moves {
            match read_move(text, position.size()).filter(|action| legal.contains(action)) {
                Some(Move::Place(square)) => chosen |= square.into(),
                Some(Move::Pass) => {}
                None => self.tell(format!("go: searchmoves: {text} is illegal here"))?,
            }
        }
        Ok(chosen)
    }

    /// The answer where there is nothing to search: at the end of the game, and from the book.
    fn known_answer(
        &mut self,
        position: &Position,
        request: &GoRequest,
        only: Bitboard,
    ) -> io::Result<Option<Answer>> {
        if position.is_over() {
            let best = legal_moves(position, self.passes).first().map(|&pass| move_name(position, pass));
            let result = Score::from(self.session.game.result(position.side()));
            self.say(&Reply::Over(end_score(result, last_passes(*position, self.passes))))?;
            return Ok(Some(Answer { best, ponder: None }));
        }
        let full_strength = self.session.settings.limits.elo.is_none();
        if !(self.plays(request, only) && full_strength && self.options.own_book) {
            return Ok(None);
        }
        let Some(known) = self.session.book_move(position) else { return Ok(None) };
        self.show_lines(position, &known.last, self.session.now())?;
        Ok(Some(answer(position, &known)))
    }

    /// The opponent has made the expected move: the clock runs from now on.
    pub(super) fn ponder_hit(&mut self, arrived: Timestamp) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let Wait::PonderHit(limits) = &running.wait else {
            self.ponder_hit_of_queued(arrived);
            return Ok(());
        };
        if let State::Searching { search, deadline, endless } = &mut running.state
            && **limits != Limits::default()
        {
            let budget = self.session.budget(limits, &running.position, arrived);
            search.set_budget(&budget);
            deadline.change(&budget);
            *endless = false;
        }
        running.wait = Wait::Nothing;
        self.answer_if_ready()
    }

    /// The same for a `go ponder` that waits for the answer of another search.
    fn ponder_hit_of_queued(&mut self, arrived: Timestamp) {
        let waiting = self.queue.iter_mut().find_map(|queued| match &mut queued.command {
            Ok(Command::Go(request)) if request.ponder => Some((request, &mut queued.arrived)),
            _ => None,
        });
        if let Some((request, from)) = waiting {
            (request.ponder, *from) = (false, arrived);
        }
    }

    /// Ends the running search, or only one that nothing else ends.
    pub(super) fn release(&mut self, endless_only: bool) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        let endless = matches!(running.state, State::Searching { endless: true, .. });
        if endless_only && !endless && matches!(running.wait, Wait::Nothing) {
            return Ok(());
        }
        running.wait = Wait::Nothing;
        running.stopped = true;
        if let State::Searching { search, .. } = &running.state {
            search.stop();
        }
        self.answer_if_ready()
    }

    /// Shows an iteration of the running search and keeps it.
    pub(super) fn show(&mut self, running: &mut RunningGo, iteration: Iteration) -> io::Result<()> {
        self.show_lines(&running.position, &iteration, running.start)?;
        if let State::Searching { deadline, .. } = &mut running.state {
            deadline.last = Some(iteration);
        }
        Ok(())
    }

    /// A search has ended, or must not be waited for any longer.
    pub(super) fn finish(&mut self, mut running: RunningGo, result: SearchResult) -> io::Result<()> {
        let State::Searching { deadline, .. } = &running.state else { return Ok(()) };
        let (end, waits) = (deadline.end, !matches!(running.wait, Wait::Nothing));
        if deadline.last.as_ref().is_none_or(|last| last.lines != result.last.lines) {
            self.show_lines(&running.position, &result.last, running.start)?;
        }
        // Stops it: it may still run if its time is over.
        running.state = State::Answered(answer(&running.position, &result));
        self.running = Some(running);
        self.answer_if_ready()?;
        if !waits {
            self.session.note_answer(end, self.answered);
        }
        Ok(())
    }

    fn answer_if_ready(&mut self) -> io::Result<()> {
        let is_ready = |running: &mut RunningGo| {
            matches!((&running.state, &running.wait), (State::Answered(_), Wait::Nothing))
        };
        let Some(State::Answered(answer)) = self.running.take_if(is_ready).map(|running| running.state)
        else {
            return Ok(());
        };
        let Answer { best, ponder } = answer;
        self.say(&Reply::BestMove { best, ponder })?;
        self.answered = self.session.now();
        Ok(())
    }

    fn show_lines(&mut self, position: &Position, iteration: &Iteration, start: Timestamp) -> io::Result<()> {
        let elapsed = self.session.since(start);
        if let Some(line) = iteration.lines.first().filter(|_| iteration.exact) {
            self.tell(format!("solved: {:+.0} discs", line.score.discs()))?;
        }
        for (rank, line) in (1..).zip(&iteration.lines) {
            let score = if iteration.exact { exact_score(position, line) } else { centidiscs(line.score) };
            let info = SearchInfo {
                depth: iteration.depth,
                rank,
                score,
                nodes: iteration.nodes,
                elapsed,
                line: line_names(*position, &line.moves),
            };
            self.say(&Reply::Info(info))?;
        }
        Ok(())
    }
}

fn answer(position: &Position, result: &SearchResult) -> Answer {
    let line = result.last.lines.first().map(|line| line_names(*position, &line.moves)).unwrap_or_default();
    let mut names = line.into_iter();
    Answer { best: names.next(), ponder: names.next() }
}

fn centidiscs(score: Score) -> ScoreText {
    ScoreText::Centidiscs((score.discs() * 100.0).round() as i32)
}

/// The value of perfect play on a line.
fn exact_score(position: &Position, line: &Line) -> ScoreText {
    let plies = line_names(*position, &line.moves).len();
    let end = line.moves.iter().try_fold(*position, |position, &action| position.play(action));
    let left =
        end.map_or(0, |end| if end.is_over() { last_passes(end, 0) } else { end.empties().len() as usize });
    end_score(line.score, plies + left)
}

/// The value of a game that is over after so many plies, in moves of the side to move if it is won or lost. UCI has no
/// number for a game that the side to move has won already.
fn end_score(score: Score, plies: usize) -> ScoreText {
    let moves = plies.div_ceil(2) as i32;
    match (score.units(), moves) {
        (0, _) | (1.., 0) => centidiscs(score),
        (1.., _) => ScoreText::Mate(moves),
        _ => ScoreText::Mate(-moves),
    }
}

/// How often the players still pass where neither can move.
fn last_passes(position: Position, passes: u32) -> usize {
    match legal_moves(&position, passes).first() {
        Some(&pass) => position.play(pass).map_or(0, |next| 1 + last_passes(next, passes + 1)),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Size, Square};

    fn mate(own: &[Square], other: &[Square], moves: &[Move], discs: i8) -> ScoreText {
        let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        let position = Position::new(set(own), set(other), Color::Black, Size::Eight).expect("disjoint");
        let score = Score::from(crate::score::Discs(discs));
        exact_score(&position, &Line { score, moves: moves.to_vec() })
    }

    /// As in Fairy-Stockfish, both players pass before a game is over that leaves squares empty.
    #[test]
    fn the_passes_at_the_end_count() {
        use Square::{A1, B1, C1, H1};
        let takes_b1 = [Move::Place(C1)];
        // A side without discs cannot pass: the game ends at once.
        assert_eq!(mate(&[A1], &[B1], &takes_b1, -64), ScoreText::Mate(-1));
        // White passes, Black passes, and it is over: Black's move and its pass.
        assert_eq!(mate(&[A1], &[B1, H1], &takes_b1, -61), ScoreText::Mate(-2));
        assert_eq!(mate(&[A1], &[B1, H1], &takes_b1, 61), ScoreText::Mate(2));
    }

    #[test]
    fn a_full_board_ends_with_its_last_move() {
        let rest: Vec<Square> =
            Size::Eight.squares().into_iter().filter(|&square| square != Square::A1).collect();
        let (own, other): (Vec<_>, Vec<_>) = rest.into_iter().partition(|&square| square == Square::C1);
        assert_eq!(mate(&own, &other, &[Move::Place(Square::A1)], -58), ScoreText::Mate(-1));
    }
}
