//! The review of a game: the board to step through, the curve of values, and the worst moves of both players.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph, Wrap};

use crate::board::{Bitboard, Color, Move};
use crate::play::state::PlayedMove;
use crate::play::words;
use crate::review::{Review, ReviewedMove};
use crate::score::Score;

use super::board::{BoardView, CellSize, Label};
use super::theme::Theme;

#[derive(Clone, Copy, Debug, Default)]
pub struct ReviewView {
    /// The position that is shown.
    at: usize,
}

/// Whether the player has left the review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    Yes,
    No,
}

impl ReviewView {
    /// At the end of the game.
    #[must_use]
    pub fn new(review: &Review) -> Self {
        Self { at: review.actions().len() }
    }

    pub fn key(&mut self, key: KeyEvent, review: &Review) -> Leave {
        let last = review.actions().len();
        match key.code {
            KeyCode::Left | KeyCode::Up => self.at = self.at.saturating_sub(1),
            KeyCode::Right | KeyCode::Down => self.at = (self.at + 1).min(last),
            KeyCode::PageUp => self.at = self.at.saturating_sub(10),
            KeyCode::PageDown => self.at = (self.at + 10).min(last),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = last,
            KeyCode::Char('n') | KeyCode::Tab => self.jump(review, true),
            KeyCode::Char('p') | KeyCode::BackTab => self.jump(review, false),
            KeyCode::Char('q' | 'w') | KeyCode::Esc | KeyCode::Enter => return Leave::Yes,
            _ => {}
        }
        Leave::No
    }

    /// To the position before the next or previous bad move, in a circle.
    fn jump(&mut self, review: &Review, forwards: bool) {
        let mut places: Vec<usize> = bad_moves(review).into_iter().map(|(at, _)| at).collect();
        if !forwards {
            places.reverse();
        }
        let beyond = |place: &usize| if forwards { *place > self.at } else { *place < self.at };
        if let Some(&place) = places.iter().find(|place| beyond(place)).or(places.first()) {
            self.at = place;
        }
    }

    pub fn draw(&self, review: &Review, theme: Theme, cell: CellSize, area: Rect, frame: &mut Frame<'_>) {
        let position = &review.positions()[self.at];
        let board = cell.board(position.size());
        let [left, _, right] =
            Layout::horizontal([Constraint::Length(board.width), Constraint::Length(1), Constraint::Fill(1)])
                .areas(area);
        let labels = self.labels(review);
        let view = BoardView {
            position,
            last: self.last_move(review),
            moves: Bitboard::EMPTY,
            cursor: None,
            labels: &labels,
            cell,
            theme,
        };
        frame.render_widget(view, Rect { height: board.height.min(left.height), ..left });
        let details = self.details(review);
        let worst = worst_lines(review);
        let [text, chart, summary] = Layout::vertical([
            Constraint::Length(5),
            Constraint::Fill(1),
            Constraint::Length(worst.len() as u16 + 4),
        ])
        .areas(right);
        frame.render_widget(Paragraph::new(details).wrap(Wrap { trim: false }), text);
        self.draw_curve(review, theme, chart, frame);
        let mut lines: Vec<_> =
            [Color::Black, Color::White].map(|color| Line::raw(words::short_summary(review, color))).into();
        lines.insert(0, Line::default());
        lines.push(Line::default());
        lines.extend(worst.into_iter().map(|(at, text)| {
            let style = if at == self.at { theme.selected() } else { theme.dim() };
            Line::styled(text, style)
        }));
        frame.render_widget(Paragraph::new(lines), summary);
    }

    fn last_move(&self, review: &Review) -> Option<PlayedMove> {
        let before = self.at.checked_sub(1)?;
        let (position, after) = (&review.positions()[before], &review.positions()[self.at]);
        let Move::Place(square) = review.actions()[before] else { return None };
        let color = position.side();
        let flipped = position.discs(color.opponent()) & after.discs(color);
        Some(PlayedMove { color, square, flipped, passes: false })
    }

    /// The move that was played next and the best one.
    fn labels(&self, review: &Review) -> Vec<Label> {
        let Some(Some(reviewed)) = review.moves().get(self.at) else { return Vec::new() };
        let best = reviewed.best_line();
        let lines = [(&reviewed.played, false), (best, true)];
        let label = |(line, is_best): (&crate::search::Line, bool)| match line.moves.first() {
            Some(&Move::Place(square)) => Some(Label { square, text: short(line.score), is_best }),
            _ => None,
        };
        // The best one last is found first if both are the same.
        lines.into_iter().rev().filter_map(label).collect()
    }

    fn details(&self, review: &Review) -> Vec<Line<'static>> {
        let moves = review.actions().len();
        let placed = review.move_number(moves) - 1;
        let place = match review.move_number(self.at) {
            number if number > placed => "the end".into(),
            number => format!("move {number} of {placed}"),
        };
        let mut lines = vec![Line::raw(format!("Review: {place}"))];
        match review.moves().get(self.at) {
            Some(Some(reviewed)) => lines.extend(describe(reviewed).into_iter().map(Line::raw)),
            Some(None) => lines.push(Line::raw("Not searched yet …")),
            None => {}
        }
        if !review.is_complete() {
            let done = review.reviewed().count();
            lines.push(Line::raw(format!("Searching backwards: {done} of {moves} moves")));
        }
        lines
    }

    fn draw_curve(&self, review: &Review, theme: Theme, area: Rect, frame: &mut Frame<'_>) {
        if area.height < 5 {
            return;
        }
        let curve = review.curve(Color::Black);
        let points: Vec<(f64, f64)> = curve
            .iter()
            .enumerate()
            .filter_map(|(at, score)| Some((at as f64, score.as_ref()?.discs())))
            .collect();
        // With room for the title above the curve.
        let largest = points.iter().map(|(_, value)| value.abs()).fold(4.0, f64::max).ceil() * 1.25;
        let length = review.actions().len() as f64;
        let zero = [(0.0, 0.0), (length, 0.0)];
        let here = [(self.at as f64, -largest), (self.at as f64, largest)];
        let line = |data, style, marker| {
            Dataset::default().data(data).graph_type(GraphType::Line).marker(marker).style(style)
        };
        let datasets = vec![
            line(&zero, theme.dim(), Marker::Dot),
            line(&here, theme.dim(), Marker::Braille),
            line(&points, theme.curve(), Marker::Braille),
        ];
        let bounds = |discs: f64| format!("{discs:+.0}");
        let chart =
            Chart::new(datasets).x_axis(Axis::default().bounds([0.0, length]).style(theme.dim())).y_axis(
                Axis::default()
                    .title("Black's value")
                    .bounds([-largest, largest])
                    .labels([bounds(-largest), "0".into(), bounds(largest)])
                    .style(theme.dim()),
            );
        frame.render_widget(chart, area);
    }
}

fn bad_moves(review: &Review) -> Vec<(usize, &ReviewedMove)> {
    let mut moves: Vec<_> = [Color::Black, Color::White]
        .into_iter()
        .flat_map(|color| words::worst_moves(review, color))
        .collect();
    moves.sort_by_key(|(at, _)| *at);
    moves
}

fn worst_lines(review: &Review) -> Vec<(usize, String)> {
    let line = |(at, reviewed): (usize, &ReviewedMove)| {
        let size = reviewed.position.size();
        let best =
            reviewed.best_line().moves.first().map(|&action| words::name(action, size)).unwrap_or_default();
        let played = words::name(reviewed.action(), size);
        let number = review.move_number(at);
        let word = reviewed.judgement().word();
        (
            at,
            format!(
                "{number:>2} {} {played} loses {:.1} to {best}: {word}",
                reviewed.mover(),
                reviewed.loss().discs()
            ),
        )
    };
    bad_moves(review).into_iter().map(line).collect()
}

fn describe(reviewed: &ReviewedMove) -> Vec<String> {
    let size = reviewed.position.size();
    let (played, best) = (&reviewed.played, reviewed.best_line());
    let sure = if reviewed.exact { "exact".into() } else { format!("depth {}", reviewed.depth) };
    let mut lines = vec![format!(
        "{} plays {}{}: {} ({sure})",
        reviewed.mover(),
        words::name(reviewed.action(), size),
        reviewed.judgement().mark(),
        played.score,
    )];
    if reviewed.loss().is_none() {
        lines.push("No move is better".into());
    } else {
        lines.push(format!("Better: {} {}", best.score, words::line(best, size, 6)));
    }
    lines
}

/// A value in four characters.
pub(super) fn short(score: Score) -> String {
    let discs = score.discs();
    if discs.abs() >= 9.95 { format!("{discs:+.0}") } else { format!("{discs:+.1}") }
}
