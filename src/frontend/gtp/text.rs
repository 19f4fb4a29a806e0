//! The texts of GTP replies.

use std::cmp::Ordering;
use std::fmt::Write;

use ollehto_protocol::setting::SettingName;

use crate::board::{Color, Move, Position, Size};
use crate::frontend::session::Session;
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::search::{Iteration, Line};

use super::LastMove;

/// Marks a legal move on GoGui's board: the ASCII character that looks most like a dot.
const MOVE_LABEL: &str = "O";
/// On every empty square when the side to move must pass.
const PASS_LABEL: &str = "pass";

/// GoGui's analyze menu.
pub(super) const ANALYZE_COMMANDS: &str = "\
gfx/Hints/ollehto-hints %m
gfx/Analyze until interrupted/ollehto-analyze %m
var/Best play/ollehto-pv %m
pspairs/Values of moves/ollehto-values %m
string/Evaluation/ollehto-eval
gfx/Status/gogui-rules_board_gfx
param/Settings/ollehto-param
none/Clear cache/clear_cache";

/// `D3` or `pass`.
pub(super) fn name(action: Move, size: Size) -> String {
    notation::vertex(action, size).to_string()
}

fn names(moves: impl IntoIterator<Item = Move>, size: Size) -> String {
    moves.into_iter().map(|action| name(action, size)).collect::<Vec<_>>().join(" ")
}

/// For GoGui: nothing if the game is over.
pub(super) fn legal_moves(position: &Position) -> String {
    if position.must_pass() {
        return name(Move::Pass, position.size());
    }
    names(position.moves().into_iter().map(Move::Place), position.size())
}

/// A diagram with row 1 at the top.
pub(super) fn board(game: &Game) -> String {
    let position = game.position();
    let side = position.size().side();
    let letters: Vec<String> = (0..side).map(|column| char::from(b'A' + column).to_string()).collect();
    let letters = format!("  {}\n", letters.join(" "));
    let mut text = letters.clone();
    for row in 0..side {
        let _ = writeln!(text, "{0} {1} {0}", row + 1, cells(position, row));
    }
    text += &letters;
    let count = |color| position.discs(color).len();
    let _ = writeln!(text, "Black (X) {}, White (O) {}", count(Color::Black), count(Color::White));
    let _ = writeln!(text, "Rules: {}: {}", game.rules(), goal(game.rules()));
    if position.is_over() {
        let _ = writeln!(text, "Game over: {}", final_result(game));
    } else {
        let _ = writeln!(text, "{} to move", position.side());
        let _ = writeln!(text, "Legal moves: {}", legal_moves(position));
    }
    text
}

/// For GoGui: row 1 at the bottom.
pub(super) fn rules_board(position: &Position) -> String {
    let rows: Vec<_> = (0..position.size().side()).rev().map(|row| cells(position, row)).collect();
    rows.join("\n")
}

fn cells(position: &Position, row: u8) -> String {
    let size = position.size();
    let cell = |column| match size.square(column, row) {
        Some(square) if position.discs(Color::Black).contains(square) => "X",
        Some(square) if position.discs(Color::White).contains(square) => "O",
        _ => ".",
    };
    (0..size.side()).map(cell).collect::<Vec<_>>().join(" ")
}

/// As in `B+12`.
pub(super) fn final_score(game: &Game) -> String {
    match game.result(Color::Black).0 {
        0 => "0".into(),
        score @ 1.. => format!("B+{score}"),
        score => format!("W+{}", -score),
    }
}

fn goal(rules: Rules) -> &'static str {
    match rules {
        Rules::Reversed => "the fewest discs win",
        Rules::Standard => "the most discs win",
    }
}

/// As in `White wins by 8 (reversed rules: the fewest discs win). Black 36, White 28`.
pub(super) fn final_result(game: &Game) -> String {
    let position = game.position();
    let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).len());
    let discs = format!("Black {black}, White {white}");
    if !position.is_over() {
        return format!("Not over yet. {discs}");
    }
    let verdict = match game.result(Color::Black).0 {
        0 => "Draw".into(),
        score @ 1.. => format!("Black wins by {score}"),
        score => format!("White wins by {}", -score),
    };
    let rules = game.rules();
    let text = format!("{verdict} ({rules} rules: {}). {discs}", goal(rules));
    let taker = match black.cmp(&white) {
        Ordering::Greater => Color::Black,
        Ordering::Less => Color::White,
        Ordering::Equal => return text,
    };
    match position.empties().len() {
        0 => text,
        empties => format!("{text}; empty squares ({empties}) count for {taker}"),
    }
}

/// GoGui's overlay: a label on each legal move, and the status line.
///
/// Labels rather than marks: an analysis replaces labels, while marks would strike its values through.
pub(super) fn board_graphics(game: &Game, last: Option<&LastMove>) -> String {
    let position = game.position();
    if position.is_over() {
        return format!("TEXT {}", final_result(game));
    }
    let (squares, label, turn) = if position.must_pass() {
        (position.empties(), PASS_LABEL, "has no move: press F2 to pass")
    } else {
        (position.moves(), MOVE_LABEL, "to move")
    };
    let named = squares.into_iter().map(|square| name(Move::Place(square), position.size()));
    let labels: Vec<_> = named.map(|square| format!("{square} {label}")).collect();
    let mut text = format!("LABEL {}\nTEXT {} {turn}", labels.join(" "), position.side());
    if let Some(LastMove { color, action, value, .. }) = last.filter(|last| last.is_of(game)) {
        let _ = write!(text, ". {color} {} {value}", name(*action, position.size()));
    }
    // Last, since GoGui truncates long texts and has the rules in its title too.
    text + &format!(" ({} rules)", game.rules())
}

pub(super) fn best_move(iteration: &Iteration, size: Size) -> String {
    name(iteration.best(), size)
}

/// GoGui's status line while a search runs.
pub(super) fn status(iteration: &Iteration, size: Size) -> String {
    format!("TEXT {}", summary(iteration, size))
}

/// The same as [`hints`], while the search runs.
pub(super) fn live_hints(iteration: &Iteration, size: Size) -> String {
    format!("\n{}\n", hints(iteration, size))
}

/// Values and best line on GoGui's board.
pub(super) fn hints(iteration: &Iteration, size: Size) -> String {
    let mut text = String::new();
    if let Some((best, _)) = placed(iteration).next() {
        let _ = writeln!(text, "COLOR #60c060 {}", name(best, size));
    }
    let labels: Vec<_> = placed(iteration)
        .map(|(action, line)| format!("{} {}", name(action, size), brief(line, iteration)))
        .collect();
    if !labels.is_empty() {
        let _ = writeln!(text, "LABEL {}", labels.join(" "));
    }
    text + &status(iteration, size)
}

/// As in `D3 +2.50 C4 -1.00`.
pub(super) fn values(iteration: &Iteration, size: Size) -> String {
    let pairs: Vec<_> =
        placed(iteration).map(|(action, line)| format!("{} {}", name(action, size), line.score)).collect();
    pairs.join(" ")
}

pub(super) fn principal_variation(iteration: &Iteration, size: Size) -> String {
    iteration.lines.first().map_or_else(String::new, |line| names(line.moves.iter().copied(), size))
}

/// Value, depth and best line.
pub(super) fn summary(iteration: &Iteration, size: Size) -> String {
    let Some(line) = iteration.lines.first() else { return "the game is over".into() };
    format!("{} {}", value(line, iteration), names(line.moves.iter().copied(), size))
}

/// As in `+2.50 depth 14`.
fn value(line: &Line, iteration: &Iteration) -> String {
    let depth = if iteration.exact { "exact".into() } else { format!("depth {}", iteration.depth) };
    format!("{} {depth}", line.score)
}

pub(super) fn best_value(iteration: &Iteration) -> String {
    iteration.lines.first().map_or_else(String::new, |line| value(line, iteration))
}

fn placed(iteration: &Iteration) -> impl Iterator<Item = (Move, &Line)> {
    iteration
        .lines
        .iter()
        .filter_map(|line| line.moves.first().map(|&action| (action, line)))
        .filter(|(action, _)| *action != Move::Pass)
}

/// Short enough for a square.
fn brief(line: &Line, iteration: &Iteration) -> String {
    if iteration.exact {
        format!("{:+.0}", line.score.discs())
    } else {
        format!("{:+.1}", line.score.discs())
    }
}

/// GoGui's settings dialog.
pub(super) fn parameters(session: &Session) -> String {
    let field = |name: SettingName| {
        let value = session.value(name);
        match name {
            SettingName::Ponder => format!("[bool] {name} {}", u8::from(session.settings.ponder)),
            _ => format!("[string] {name} {value}"),
        }
    };
    let names = SettingName::ALL.into_iter().filter(|name| !name.decides_the_game());
    names.map(field).collect::<Vec<_>>().join("\n")
}
