//! Moves: `P@e3`, and `c3c3` for a pass.

use crate::coord::{Coord, Vertex, square};

/// Reads a move on a board of this edge. A pass may name any square, or none: `0000`, and `@@@@` as XBoard has it.
pub fn parse_move(text: &str, size: u8) -> Option<Vertex> {
    if matches!(text, "0000" | "@@@@") {
        return Some(Vertex::Pass);
    }
    if let Some(name) = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")) {
        return parse_square(name, size).map(Vertex::Place);
    }
    let (from, to) = text.split_at_checked(2)?;
    let is_same = parse_square(from, size)? == parse_square(to, size)?;
    is_same.then_some(Vertex::Pass)
}

/// A disc placed on this square.
pub fn print_drop(coord: Coord, size: u8) -> String {
    format!("P@{}", print_square(coord, size))
}

/// A pass, as a move of the disc on this square.
pub fn print_pass(coord: Coord, size: u8) -> String {
    let name = print_square(coord, size);
    format!("{name}{name}")
}

fn parse_square(name: &str, size: u8) -> Option<Coord> {
    let (rest, named) = square(name).ok()?;
    let inside = rest.is_empty() && named.column() < size && named.row() < size;
    if inside { mirrored(named, size) } else { None }
}

fn print_square(coord: Coord, size: u8) -> String {
    mirrored(coord, size).unwrap_or(coord).to_string().to_ascii_lowercase()
}

/// Ranks count from the bottom, rows from the top.
fn mirrored(coord: Coord, size: u8) -> Option<Coord> {
    Coord::new(coord.column(), (size - 1).checked_sub(coord.row())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_mirrored_rows() {
        let e6 = Coord::new(4, 5).unwrap();
        assert_eq!(parse_move("P@e3", 8), Some(Vertex::Place(e6)));
        assert_eq!(print_drop(e6, 8), "P@e3");
        assert_eq!(print_drop(e6, 6), "P@e1");
        assert_eq!(print_pass(Coord::new(0, 7).unwrap(), 8), "a1a1");
    }

    #[test]
    fn all_squares_read_back() {
        for size in [4, 6, 8] {
            for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
                let coord = Coord::new(column, row).unwrap();
                assert_eq!(parse_move(&print_drop(coord, size), size), Some(Vertex::Place(coord)));
                assert_eq!(parse_move(&print_pass(coord, size), size), Some(Vertex::Pass));
            }
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "P@", "P@e9", "P@i1", "e3", "e2e4", "Q@e3", "e3e3q", "P@e3x", "é3é3", "@@@", "pass"]
        {
            assert_eq!(parse_move(text, 8), None, "{text:?}");
        }
        assert_eq!(parse_move("P@g1", 6), None, "outside of this board");
        assert_eq!((parse_move("0000", 8), parse_move("p@E3", 8).is_some()), (Some(Vertex::Pass), true));
    }
}
