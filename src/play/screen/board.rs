//! The board as a widget.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Point, Rect, Size as Extent};
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::board::{Bitboard, Color, Position, Size, Square};

use super::theme::Theme;
use crate::play::state::PlayedMove;

/// How large squares are drawn: about twice as wide as high, as characters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellSize {
    Small,
    Medium,
    Large,
}

/// Columns for the numbers of the rows, and rows for the letters of the columns.
const MARGIN: u16 = 3;
const LETTER_ROWS: u16 = 2;

impl CellSize {
    const ALL: [Self; 3] = [Self::Large, Self::Medium, Self::Small];

    const fn extent(self) -> (u16, u16) {
        match self {
            Self::Small => (2, 1),
            Self::Medium => (4, 2),
            Self::Large => (6, 3),
        }
    }

    /// The room for a board with its letters and numbers.
    #[must_use]
    pub const fn board(self, size: Size) -> Extent {
        let (width, height) = self.extent();
        let side = size.side() as u16;
        Extent { width: side * width + 2 * MARGIN, height: side * height + LETTER_ROWS }
    }

    /// The largest that fits.
    #[must_use]
    pub fn fitting(size: Size, room: Extent) -> Option<Self> {
        Self::ALL.into_iter().find(|cell| {
            let board = cell.board(size);
            board.width <= room.width && board.height <= room.height
        })
    }
}

/// A text on a square.
#[derive(Clone, Debug)]
pub struct Label {
    pub square: Square,
    pub text: String,
    pub is_best: bool,
}

pub struct BoardView<'a> {
    pub position: &'a Position,
    pub last: Option<PlayedMove>,
    /// Marked by dots.
    pub moves: Bitboard,
    pub cursor: Option<Square>,
    pub labels: &'a [Label],
    pub cell: CellSize,
    pub theme: Theme,
}

impl BoardView<'_> {
    /// The part of the screen that a square takes, if the board is drawn in this area.
    fn place(&self, square: Square, area: Rect) -> Rect {
        let (width, height) = self.cell.extent();
        let (column, row) = self.position.size().place(square);
        let (x, y) = (area.x + MARGIN + u16::from(column) * width, area.y + 1 + u16::from(row) * height);
        Rect { x, y, width, height }
    }

    fn color_of(&self, square: Square) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|&color| self.position.discs(color).contains(square))
    }

    fn draw_frame(&self, area: Rect, buffer: &mut Buffer) {
        let (width, height) = self.cell.extent();
        let side = u16::from(self.position.size().side());
        let style = self.theme.dim();
        for n in 0..side {
            let letter = char::from(b'a' + n as u8).to_string();
            let x = area.x + MARGIN + n * width + (width - 1) / 2;
            buffer.set_string(x, area.y, &letter, style);
            buffer.set_string(x, area.y + 1 + side * height, &letter, style);
            let number = (n + 1).to_string();
            let y = area.y + 1 + n * height + height / 2;
            buffer.set_string(area.x + 1, y, &number, style);
            buffer.set_string(area.x + MARGIN + side * width + 1, y, &number, style);
        }
    }

    fn draw_square(&self, square: Square, place: Rect, buffer: &mut Buffer) {
        let (column, row) = self.position.size().place(square);
        let cell = self.theme.cell((column + row) % 2 == 0, self.cursor == Some(square));
        buffer.set_style(place, cell);
        let label = self.labels.iter().find(|label| label.square == square);
        match (self.color_of(square), label) {
            (Some(color), _) => self.draw_disc(square, color, place, buffer),
            (None, Some(label)) => {
                let text = format!("{:^1$}", label.text, usize::from(place.width));
                let y = place.y + place.height / 2;
                buffer.set_stringn(place.x, y, text, place.width.into(), self.theme.value(label.is_best));
            }
            (None, None) if self.moves.contains(square) => {
                self.draw_rows(self.dot(), place, self.theme.legal(), buffer)
            }
            (None, None) if !self.theme.is_colored() => {
                self.draw_rows(self.empty(), place, Style::new(), buffer)
            }
            (None, None) => {}
        }
    }

    fn draw_disc(&self, square: Square, color: Color, place: Rect, buffer: &mut Buffer) {
        let was_flipped = self.last.is_some_and(|last| last.flipped.contains(square));
        let is_last = self.last.is_some_and(|last| last.square == square);
        let rows = if self.theme.is_colored() { self.disc() } else { self.letters(color, is_last) };
        self.draw_rows(rows, place, self.theme.disc(color, was_flipped), buffer);
        if is_last && self.theme.is_colored() {
            self.draw_mark(color, place, buffer);
        }
    }

    /// The mark of the last disc in its middle.
    fn draw_mark(&self, color: Color, place: Rect, buffer: &mut Buffer) {
        let style = self.theme.mark(color);
        match self.cell {
            CellSize::Small => buffer.set_style(place, style),
            CellSize::Medium => buffer.set_string(place.x + 1, place.y + 1, "▝▘", style),
            CellSize::Large => buffer.set_string(place.x + 2, place.y + 1, "▐▌", style),
        }
    }

    fn draw_rows(&self, rows: &[&str], place: Rect, style: Style, buffer: &mut Buffer) {
        for (y, row) in (place.y..place.bottom()).zip(rows) {
            buffer.set_string(place.x, y, row, style);
        }
    }

    const fn disc(&self) -> &'static [&'static str] {
        match self.cell {
            CellSize::Small => &["● "],
            CellSize::Medium => &[" ▄▄ ", "▝██▘"],
            CellSize::Large => &[" ▗▄▄▖ ", " ████ ", " ▝▀▀▘ "],
        }
    }

    /// Without colours no shape says whether it is black or white: letters do.
    const fn letters(&self, color: Color, is_last: bool) -> &'static [&'static str] {
        match (self.cell, color, is_last) {
            (CellSize::Small, Color::Black, false) => &["X "],
            (CellSize::Small, Color::Black, true) => &["X<"],
            (CellSize::Small, Color::White, false) => &["O "],
            (CellSize::Small, Color::White, true) => &["O<"],
            (CellSize::Medium, Color::Black, false) => &[" XX ", " XX "],
            (CellSize::Medium, Color::Black, true) => &["[XX]", "[XX]"],
            (CellSize::Medium, Color::White, false) => &[" OO ", " OO "],
            (CellSize::Medium, Color::White, true) => &["[OO]", "[OO]"],
            (CellSize::Large, Color::Black, false) => &[" XXXX ", " XXXX ", " XXXX "],
            (CellSize::Large, Color::Black, true) => &["[XXXX]", "[XXXX]", "[XXXX]"],
            (CellSize::Large, Color::White, false) => &[" OOOO ", " OOOO ", " OOOO "],
            (CellSize::Large, Color::White, true) => &["[OOOO]", "[OOOO]", "[OOOO]"],
        }
    }

    const fn dot(&self) -> &'static [&'static str] {
        match self.cell {
            CellSize::Small => &["• "],
            CellSize::Medium => &["", " ▝▘ "],
            CellSize::Large => &["", "  ▐▌  "],
        }
    }

    const fn empty(&self) -> &'static [&'static str] {
        match self.cell {
            CellSize::Small => &["."],
            CellSize::Medium => &["", " ."],
            CellSize::Large => &["", "  ."],
        }
    }

    /// The square at a point of the screen, if the board is drawn in this area.
    #[must_use]
    pub fn square_at(size: Size, cell: CellSize, area: Rect, point: Point) -> Option<Square> {
        let (width, height) = cell.extent();
        let column = point.x.checked_sub(area.x + MARGIN)? / width;
        let row = point.y.checked_sub(area.y + 1)? / height;
        size.square(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    }
}

impl Widget for BoardView<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        self.draw_frame(area, buffer);
        for square in self.position.size().squares() {
            self.draw_square(square, self.place(square, area), buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_found_where_it_is_drawn() {
        let area = Rect::new(5, 2, 80, 40);
        for size in Size::ALL {
            let position = Position::start(size);
            for cell in CellSize::ALL {
                let view = BoardView {
                    position: &position,
                    last: None,
                    moves: Bitboard::EMPTY,
                    cursor: None,
                    labels: &[],
                    cell,
                    theme: Theme::COLORED,
                };
                for square in size.squares() {
                    let place = view.place(square, area);
                    for (x, y) in [(place.x, place.y), (place.right() - 1, place.bottom() - 1)] {
                        let found = BoardView::square_at(size, cell, area, Point { x, y });
                        assert_eq!(found, Some(square));
                    }
                }
                for outside in [(area.x, area.y), (area.right(), area.bottom()), (0, 0)] {
                    assert_eq!(BoardView::square_at(size, cell, area, Point::from(outside)), None);
                }
            }
        }
    }
}
