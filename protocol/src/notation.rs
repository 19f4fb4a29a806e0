//! Positions and lists of moves as one-line texts.

use std::fmt;

use nom::branch::alt;
use nom::character::complete::{anychar, digit1, one_of, space0};
use nom::combinator::{eof, map, map_opt};
use nom::multi::{many_till, many0};
use nom::sequence::terminated;
use nom::{Offset, Parser};

use crate::coord::{A_VERTEX, ShortName, Side, Vertex, vertex};
use crate::error::TextError;
use crate::text::{self, GrammarError, Parsed, labelled};

const SIZES: [u8; 3] = [4, 6, 8];

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum CellText {
    Empty,
    Disc(Side),
}

impl CellText {
    fn from_symbol(symbol: char) -> Option<CellText> {
        match symbol {
            '-' | '.' | '_' => Some(CellText::Empty),
            'X' | 'x' | '*' | 'B' | 'b' => Some(CellText::Disc(Side::Black)),
            'O' | 'o' | '0' | 'W' | 'w' => Some(CellText::Disc(Side::White)),
            _ => None,
        }
    }

    /// The character for this cell, with the given one for a black disc.
    pub(crate) fn symbol(self, black: char) -> char {
        match self {
            CellText::Empty => '-',
            CellText::Disc(Side::Black) => black,
            CellText::Disc(Side::White) => 'O',
        }
    }
}

/// A board with the side to move, as a text shows it.
///
/// The number of cells is that of a 4x4, 6x6 or 8x8 board; nothing else is checked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PositionText {
    size: u8,
    cells: Vec<CellText>,
    to_move: Side,
}

impl PositionText {
    /// Cells row by row from a1.
    pub fn new(cells: Vec<CellText>, to_move: Side) -> Result<PositionText, TextError> {
        match SIZES.into_iter().find(|&size| area(size) == cells.len()) {
            Some(size) => Ok(PositionText { size, cells, to_move }),
            None => Err(TextError::Squares { size: None, found: cells.len() }),
        }
    }

    /// The edge of the board: 4, 6 or 8.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Row by row from a1.
    pub fn cells(&self) -> &[CellText] {
        &self.cells
    }

    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Writes the cells, a blank and the side to move, with the given character for Black.
    pub(crate) fn write(&self, black: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().map(|cell| cell.symbol(black)).collect();
        write!(f, "{cells} {}", CellText::Disc(self.to_move).symbol(black))
    }
}

impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write('X', f)
    }
}

fn area(size: u8) -> usize {
    usize::from(size) * usize::from(size)
}

/// Reads the squares of a board row by row from a1, then the side to move.
///
/// Black is `X x * B b`, White `O o 0 W w`, an empty square `- . _`; blanks may stand anywhere.
pub fn parse_position(text: &[u8]) -> Result<PositionText, TextError> {
    let text = text::clean(text);
    text::read_all(&text, &text, position(None))
}

/// Reads the rest of a text as a position, of this size if one is given.
pub(crate) fn position<'a>(size: Option<u8>) -> impl Fn(&'a str) -> Parsed<'a, PositionText> {
    move |input| {
        let (end, (symbols, _)) = many_till(symbol, eof).parse(input)?;
        let (squares, to_move) = divide(input, &symbols, size)?;
        match PositionText::new(squares.iter().map(|&(_, cell)| cell).collect(), to_move) {
            Ok(position) => Ok((end, position)),
            Err(_) => Err(GrammarError::squares(input, size, squares.len())),
        }
    }
}

/// A cell with the text that begins at its character.
type Symbol<'a> = (&'a str, CellText);

fn symbol(input: &str) -> Parsed<'_, Symbol<'_>> {
    let cell = terminated(map_opt(anychar, CellText::from_symbol), space0);
    map(labelled("a square (X, O or -)", cell), |cell| (input, cell)).parse(input)
}

/// Tells the squares from the side to move.
///
/// Both are written alike, so where the count is wrong it takes a blank to mark the last one as the side.
fn divide<'a, 's>(
    input: &'a str,
    symbols: &'s [Symbol<'a>],
    size: Option<u8>,
) -> Result<(&'s [Symbol<'a>], Side), nom::Err<GrammarError<'a>>> {
    const SIDE: &str = "the side to move (X or O)";
    let fits =
        |count| SIZES.into_iter().any(|each| size.is_none_or(|size| size == each) && area(each) == count);
    let after_blank = |at| input.get(..input.offset(at)).is_some_and(|before| before.ends_with(' '));
    match symbols.split_last() {
        Some((&(_, CellText::Disc(side)), squares)) if fits(squares.len()) => Ok((squares, side)),
        Some((&(at, CellText::Empty), squares)) if fits(squares.len()) => {
            Err(GrammarError::expected(at, SIDE))
        }
        Some((&(at, CellText::Disc(_)), squares)) if after_blank(at) => {
            Err(GrammarError::squares(input, size, squares.len()))
        }
        _ if fits(symbols.len()) => {
            Err(GrammarError::expected(input.get(input.len()..).unwrap_or(input), SIDE))
        }
        _ => Err(GrammarError::squares(input, size, symbols.len())),
    }
}

/// Reads moves such as `f5d6c3`, `F5 D6 PA C3` or `f5-d6,pass`.
///
/// Blanks, commas and hyphens may separate them; two hyphens together are a pass, as are `pass`, `pa`, `ps`.
pub fn parse_moves(text: &[u8]) -> Result<Vec<Vertex>, TextError> {
    let text = text::clean(text);
    text::read_all(&text, &text, moves)
}

/// Reads the rest of a text as moves.
pub(crate) fn moves(input: &str) -> Parsed<'_, Vec<Vertex>> {
    // A move is tried before a separator, so that the hyphens of a pass stay together.
    let step = alt((map(vertex, Some), map(one_of(" ,-"), |_| None)));
    map(many_till(labelled(A_VERTEX, step), eof), |(steps, _)| steps.into_iter().flatten().collect())
        .parse(input)
}

/// Moves with their columns, up to the first text that is no move.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct MoveList {
    /// Columns count characters from 1, as in [`TextError`].
    pub moves: Vec<(Vertex, usize)>,
    /// The number before the first move, if it has one.
    pub number: Option<u32>,
    pub error: Option<TextError>,
}

/// A part of a move list.
#[derive(Clone, Copy)]
enum Step {
    Move(Vertex),
    Number(Option<u32>),
    Separator,
}

/// Reads moves as [`parse_moves`] does, perhaps with numbers: `1. f5 d6 2. c3` or `1.f5 2.d6`.
pub fn parse_move_list(text: &[u8]) -> MoveList {
    let text = text::clean(text);
    // A number of any length is one, if only it is not the first.
    let number =
        map((digit1, many0(one_of(".):"))), |(digits, _): (&str, _)| Step::Number(digits.parse().ok()));
    let separator = map(one_of(" ,-"), |_| Step::Separator);
    let mut step = labelled(A_VERTEX, alt((map(vertex, Step::Move), number, separator)));
    let mut list = MoveList::default();
    let mut rest = text.as_str();
    let mut column = 1;
    while !rest.is_empty() {
        match step.parse(rest) {
            Ok((behind, step)) => {
                match step {
                    Step::Move(vertex) => list.moves.push((vertex, column)),
                    Step::Number(number) if list.moves.is_empty() => list.number = number,
                    Step::Number(_) | Step::Separator => {}
                }
                column += rest.get(..rest.offset(behind)).map_or(0, |read| read.chars().count());
                rest = behind;
            }
            Err(error) => {
                list.error = Some(text::located(&text, error));
                break;
            }
        }
    }
    list
}

/// Writes moves in the shortest form, such as `f5d6c3pa`.
pub fn print_moves(moves: &[Vertex]) -> String {
    moves.iter().map(|&vertex| ShortName(vertex).to_string().to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::Coord;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn place(column: u8, row: u8) -> Vertex {
        Vertex::Place(Coord::new(column, row).unwrap())
    }

    fn position_error(text: &str) -> String {
        parse_position(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn positions_read_and_print_back() {
        let start = parse_position(START.as_bytes()).unwrap();
        assert_eq!((start.size(), start.to_move()), (8, Side::Black));
        assert_eq!(start.cells()[27], CellText::Disc(Side::White));
        assert_eq!(start.cells()[28], CellText::Disc(Side::Black));
        assert_eq!(start.to_string(), START);
        for (size, area) in [(4, 16), (6, 36)] {
            let position = parse_position(format!("{}w", "x".repeat(area)).as_bytes()).unwrap();
            assert_eq!((position.size(), position.to_move()), (size, Side::White));
        }
    }

    #[test]
    fn all_symbols_and_blanks_anywhere() {
        let text = b" - . _ X\tx * B b\r\nO o 0 W\nw - - -\n w \r\n";
        let position = parse_position(text).unwrap();
        assert_eq!(position.to_string(), "---XXXXXOOOOO--- O");
    }

    #[test]
    fn wrong_counts_tell_what_was_found() {
        let needed = "expected 16, 36 or 64 squares and then the side to move (X or O), found";
        assert_eq!(position_error(&format!("{} X", "-".repeat(63))), format!("{needed} 63"));
        assert_eq!(position_error(&format!("{} X", "-".repeat(65))), format!("{needed} 65"));
        assert_eq!(position_error(""), format!("{needed} 0"));
        assert_eq!(position_error("X"), format!("{needed} 1"));
        assert_eq!(
            PositionText::new(vec![CellText::Empty; 10], Side::Black).unwrap_err().to_string(),
            format!("{needed} 10")
        );
    }

    #[test]
    fn a_missing_side_is_not_a_missing_square() {
        let side = "expected the side to move (X or O) at column";
        assert_eq!(position_error(&"-".repeat(64)), format!("{side} 65, found nothing"));
        assert_eq!(position_error(&"X".repeat(16)), format!("{side} 17, found nothing"));
        assert_eq!(position_error(&format!("{} -", "-".repeat(64))), format!("{side} 66, found '-'"));
    }

    #[test]
    fn odd_characters_are_pointed_at() {
        assert_eq!(position_error("--z-- X"), "expected a square (X, O or -) at column 3, found 'z--'");
    }

    #[test]
    fn moves_in_every_spelling() {
        let moves = vec![place(5, 4), place(3, 5), Vertex::Pass, place(2, 2)];
        let spellings = [
            "f5d6pac3",
            "F5 D6 PA C3",
            "f5-d6-pass-c3",
            "f5, d6, ps, c3",
            "f5d6--c3",
            " f5 d6 -- c3 \r\n",
            "F5d6PASSc3",
        ];
        for text in spellings {
            assert_eq!(parse_moves(text.as_bytes()).as_deref(), Ok(&moves[..]), "{text:?}");
        }
        assert_eq!(print_moves(&moves), "f5d6pac3");
        assert_eq!(parse_moves(b" "), Ok(vec![]));
        assert_eq!(parse_moves(b"----"), Ok(vec![Vertex::Pass; 2]));
        assert_eq!(print_moves(&[]), "");
    }

    #[test]
    fn move_lists_take_numbers_and_keep_what_comes_before_a_fault() {
        let (f5, d6) = (place(5, 4), place(3, 5));
        for (text, columns) in [
            ("f5d6", [1, 3]),
            ("1. f5 d6", [4, 7]),
            ("1.f5 2.d6", [3, 8]),
            (" 1) F5 2) D6 \r\n", [5, 11]),
            ("1: f5 1... d6", [4, 12]),
        ] {
            let list = parse_move_list(text.as_bytes());
            assert_eq!(list.moves, [(f5, columns[0]), (d6, columns[1])], "{text:?}");
            assert_eq!(list.error, None, "{text:?}");
        }
        assert_eq!(parse_move_list(b"7. f5").number, Some(7));
        assert_eq!(parse_move_list(b"f5 2. d6").number, None);
        let torn = parse_move_list(b"1. f5 2. d9 3. c3");
        assert_eq!(torn.moves, [(f5, 4)]);
        let error = torn.error.unwrap().to_string();
        assert_eq!(error, "expected a square (a1 to h8) or pass at column 10, found 'd9'");
        assert_eq!(parse_move_list(b" "), MoveList::default());
    }

    #[test]
    fn bad_moves_are_pointed_at() {
        let error = parse_moves(b"f5d9").unwrap_err();
        assert_eq!(error.to_string(), "expected a square (a1 to h8) or pass at column 3, found 'd9'");
        assert!(parse_moves(b"f5 d").is_err());
    }
}
