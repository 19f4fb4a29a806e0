//! Questions and help in front of the board.

use ratatui::Frame;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::menu::centered;
use super::theme::Theme;

/// The keys and what they do.
pub const KEYS: [(&str, &str); 15] = [
    ("f5", "type a square: it is played with its digit"),
    ("arrows, Enter", "move the cursor and play there; or click"),
    ("u, Backspace", "undo: take back your move and the answer"),
    ("r", "redo: replay what was taken back"),
    ("t, hh", "hint: the values of all moves, at full strength"),
    ("v", "value of the position on or off"),
    ("m", "engine moves: at once, or for you on your turn"),
    ("n", "new game"),
    ("s", "save the game as GGF"),
    ("l", "load a game from a file"),
    ("x", "resign"),
    ("w", "review: curve of values and worst moves"),
    ("Esc", "drop what you have typed, or the hint"),
    ("?, F1", "this help"),
    ("q, Ctrl-C", "quit; the game is kept"),
];

pub fn draw_help(frame: &mut Frame<'_>, theme: Theme) {
    let mut lines: Vec<_> =
        KEYS.iter().map(|(keys, meaning)| Line::raw(format!(" {keys:<15}{meaning}"))).collect();
    lines.push(Line::default());
    lines.push(Line::raw(" A side without a move passes by itself. Red: the last disc;"));
    lines.push(Line::raw(" tinted: the discs it flipped; dots: legal moves."));
    lines.push(Line::default());
    lines.push(Line::styled(" Any key goes back", theme.dim()));
    let area = centered(frame.area(), 66, lines.len() as u16 + 2);
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(Line::styled(" Keys ", theme.title()));
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// A box with a question and what was typed as an answer.
pub fn draw_question(title: &str, text: &str, answer: Option<&str>, frame: &mut Frame<'_>, theme: Theme) {
    let mut lines = vec![Line::raw(text.to_owned())];
    if let Some(answer) = answer {
        lines.push(Line::styled(format!("> {answer}_"), theme.strong()));
    }
    let area = centered(frame.area(), 60, if text.len() < 100 { 6 } else { 10 });
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(Line::styled(format!(" {title} "), theme.title()));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }).block(block), area);
}
