//! Boards: immutable, so that they can be keys and travel to other processes.

use ollehto::board::{Bitboard, Color, Move, Position, Size, Symmetry};
use ollehto::game::Game;
use ollehto::notation;
use ollehto_protocol::notation::parse_position;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::values::{self, MoveArgument, color, color_number, name, wrong};

/// A position: the discs, the side to move and the size of the board. It never changes; :meth:`play` returns the next one.
///
/// ``Board()`` is the start position on 8×8, ``Board(4)`` and ``Board(6)`` those of the smaller boards.
///
/// >>> from ollehto import Board
/// >>> board = Board().play("d3")
/// >>> board.moves()
/// ['c3', 'e3', 'c5']
/// >>> print(board)
/// -------------------X-------XX------XO--------------------------- O
#[pyclass(frozen, eq, hash, from_py_object, module = "ollehto")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(pub Position);

/// The names of squares row by row.
fn names(squares: Bitboard, size: Size) -> Vec<String> {
    squares.into_iter().map(|square| name(Move::Place(square), size)).collect()
}

fn on_board(own: u64, opponent: u64, to_move: Color, size: Size) -> PyResult<Position> {
    let [black, white] = match to_move {
        Color::Black => [own, opponent],
        Color::White => [opponent, own],
    };
    Position::new(Bitboard(black), Bitboard(white), to_move, size)
        .ok_or_else(|| wrong("discs", format!("a square holds two discs or lies outside of a {size} board")))
}

impl Board {
    fn size_of(&self) -> Size {
        self.0.size()
    }

    /// None if the move is illegal. Nobody passes at the end of the game.
    fn next(&self, action: Move) -> Option<Position> {
        if action == Move::Pass && !self.0.must_pass() { None } else { self.0.play(action) }
    }

    fn after(&self, action: Move) -> PyResult<Position> {
        self.next(action).ok_or_else(|| {
            let size = self.size_of();
            let legal = match names(self.0.moves(), size) {
                _ if self.0.is_over() => "the game is over".to_owned(),
                moves if moves.is_empty() => format!("{} has to pass", self.0.side()),
                moves => format!("{} can play {}", self.0.side(), moves.join(" ")),
            };
            wrong("move", format!("{} is illegal: {legal}", name(action, size)))
        })
    }

    /// One byte for each square, row by row.
    fn cells(&self, of: impl Fn(&Position, ollehto::board::Square) -> i8) -> Vec<u8> {
        self.size_of().squares().into_iter().map(|square| of(&self.0, square).cast_unsigned()).collect()
    }

    fn array<'py>(&self, py: Python<'py>, cells: &[u8], kind: &str) -> PyResult<Bound<'py, PyAny>> {
        let side = self.size_of().side();
        let flat = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, cells), kind))?;
        flat.call_method1("reshape", (side, side))?.call_method0("copy")
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (size = 8))]
    fn new(size: i64) -> PyResult<Self> {
        Ok(Self(Position::start(values::size(size)?)))
    }

    /// Reads the squares row by row from a1 (``X`` Black, ``O`` White, ``-`` empty), then the side to move.
    #[classmethod]
    fn from_text(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let read = parse_position(text.as_bytes()).map_err(|error| wrong("text", error))?;
        notation::position(&read).map(Self).map_err(|error| wrong("text", error))
    }

    /// The position after a list of moves such as ``"f5d6c3"``. Forced passes may be left out.
    #[classmethod]
    #[pyo3(signature = (moves, size = 8))]
    fn from_moves(_class: &Bound<'_, PyType>, moves: &str, size: i64) -> PyResult<Self> {
        Self(Position::start(values::size(size)?)).play_all(moves)
    }

    /// The position of an array of 4×4, 6×6 or 8×8 numbers: -1 a black disc, 1 a white one, 0 an empty square. The
    /// first row is row 1.
    #[classmethod]
    fn from_numpy(_class: &Bound<'_, PyType>, array: &Bound<'_, PyAny>, to_move: i64) -> PyResult<Self> {
        let py = array.py();
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("asarray", (array,))?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let size = match shape.as_slice() {
            &[rows, columns] if rows == columns => Size::from_side(rows as u32),
            _ => None,
        };
        let size =
            size.ok_or_else(|| wrong("array", format!("the shape is {shape:?}, not 4×4, 6×6 or 8×8")))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if !["i", "u", "f"].contains(&kind.as_str()) {
            return Err(PyTypeError::new_err("array: its items have to be numbers"));
        }
        let known = numpy.call_method1("isin", (&array, [-1, 0, 1]))?.call_method0("all")?;
        if !known.is_truthy()? {
            return Err(wrong(
                "array",
                "-1 is a black disc, 1 a white one, 0 an empty square, and nothing else",
            ));
        }
        let cells: Vec<u8> = array.call_method1("astype", ("int8",))?.call_method0("tobytes")?.extract()?;
        let of = |number: i8| -> Bitboard {
            let squares = size.squares().into_iter().zip(&cells);
            squares.filter(|&(_, &cell)| cell.cast_signed() == number).map(|(square, _)| square).collect()
        };
        let to_move = color(to_move)?;
        let position = Position::new(of(values::BLACK), of(values::WHITE), to_move, size);
        position.map(Self).ok_or_else(|| wrong("array", "a square holds two discs"))
    }

    /// The position of two sets of squares: bit 0 is a1, bit 1 b1, bit 63 h8. Smaller boards lie in the middle of the
    /// 8×8 one.
    #[classmethod]
    #[pyo3(
        signature = (own, opponent, to_move = -1, size = 8),
        text_signature = "(own, opponent, to_move=-1, size=8)"
    )]
    fn from_bitboards(
        _class: &Bound<'_, PyType>,
        own: u64,
        opponent: u64,
        to_move: i64,
        size: i64,
    ) -> PyResult<Self> {
        on_board(own, opponent, color(to_move)?, values::size(size)?).map(Self)
    }

    /// Squares on a side.
    #[getter]
    fn size(&self) -> u8 {
        self.size_of().side()
    }

    /// -1 for Black, 1 for White.
    #[getter(to_move)]
    fn side_to_move(&self) -> i8 {
        color_number(self.0.side())
    }

    /// The discs of the side to move as a set of bits; see :meth:`from_bitboards`.
    #[getter]
    fn own(&self) -> u64 {
        self.0.board().own().0
    }

    /// The discs of the other side as a set of bits.
    #[getter]
    fn opponent(&self) -> u64 {
        self.0.board().other().0
    }

    /// The number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.empties().len()
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Whether the side to move has to pass; false when the game is over.
    #[getter]
    fn must_pass(&self) -> bool {
        self.0.must_pass()
    }

    /// The discs of a colour.
    fn count(&self, color: i64) -> PyResult<u32> {
        Ok(self.0.discs(values::color(color)?).len())
    }

    /// The names of the legal moves row by row from a1; ``['pass']`` if there is none but the game goes on.
    fn moves(&self) -> Vec<String> {
        if self.0.must_pass() { vec!["pass".to_owned()] } else { names(self.0.moves(), self.size_of()) }
    }

    /// A numpy array of truth values: where the side to move may place a disc.
    fn moves_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let legal = self.0.moves();
        self.array(py, &self.cells(|_, square| i8::from(legal.contains(square))), "bool")
    }

    /// Whether a move is legal. A pass is legal only without another move.
    fn is_legal(&self, r#move: MoveArgument) -> PyResult<bool> {
        Ok(self.next(r#move.action(self.size_of())?).is_some())
    }

    /// The squares that a legal move flips.
    fn flips(&self, r#move: MoveArgument) -> PyResult<Vec<String>> {
        let action = r#move.action(self.size_of())?;
        self.after(action)?;
        Ok(match action {
            Move::Place(square) => names(self.0.board().flips(square), self.size_of()),
            Move::Pass => Vec::new(),
        })
    }

    /// The position after a move: ``"d3"`` or ``"pass"``, a number row by row from 0 for a1 (the number of squares is a
    /// pass), or a row and a column from 0.
    fn play(&self, r#move: MoveArgument) -> PyResult<Self> {
        self.after(r#move.action(self.size_of())?).map(Self)
    }

    /// The position after a list of moves such as ``"f5d6c3"``. Forced passes may be left out.
    fn play_all(&self, moves: &str) -> PyResult<Self> {
        // The rules only tell who wins.
        let mut game = Game::from_position(ollehto::rules::Rules::default(), self.0);
        for (number, action) in (1..).zip(values::moves(moves, self.size_of())?) {
            game.follow(action).map_err(|error| wrong("moves", format!("move {number}: {error}")))?;
        }
        Ok(Self(*game.position()))
    }

    /// The result of a finished game in discs: positive is a win by these rules. For the side to move unless a colour is
    /// given. Empty squares count for the side with more discs. None while the game goes on.
    #[pyo3(signature = (rules = "reversed", color = None))]
    fn result(&self, rules: &str, color: Option<i64>) -> PyResult<Option<i8>> {
        let side = color.map_or(Ok(self.0.side()), values::color)?;
        let discs = values::rules(rules)?.result(self.0.with_side(side).board(), self.size_of());
        Ok(self.0.is_over().then_some(discs.0))
    }

    /// The eight images of the board, itself first.
    fn symmetries(&self) -> Vec<Self> {
        let image = |symmetry: Symmetry| {
            let board = symmetry.map_board(self.0.board());
            on_board(board.own().0, board.other().0, self.0.side(), self.size_of()).map_or(*self, Self)
        };
        Symmetry::ALL.into_iter().map(image).collect()
    }

    /// The least of the eight images: the same for all of them.
    fn canonical(&self) -> Self {
        let board = self.0.board().canonical().0;
        on_board(board.own().0, board.other().0, self.0.side(), self.size_of()).map_or(*self, Self)
    }

    /// A numpy array of int8: -1 a black disc, 1 a white one, 0 an empty square.
    #[pyo3(name = "to_numpy")]
    fn numpy_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cell = |position: &Position, square| {
            let holds = |color| position.discs(color).contains(square);
            let found = [Color::Black, Color::White].into_iter().find(|&color| holds(color));
            found.map_or(0, color_number)
        };
        self.array(py, &self.cells(cell), "int8")
    }

    /// The board for people to look at, with a ``*`` on each legal move.
    fn diagram(&self) -> String {
        let size = self.size_of();
        let legal = self.0.moves();
        let columns: String = ('a'..).take(size.side().into()).flat_map(|column| [' ', column]).collect();
        let mut text = format!(" {columns}\n");
        for (at, square) in size.squares().into_iter().enumerate() {
            let side = usize::from(size.side());
            if at % side == 0 {
                text += &(at / side + 1).to_string();
            }
            text.push(' ');
            text.push(match square {
                _ if self.0.discs(Color::Black).contains(square) => 'X',
                _ if self.0.discs(Color::White).contains(square) => 'O',
                _ if legal.contains(square) => '*',
                _ => '-',
            });
            if at % side == side - 1 {
                text.push('\n');
            }
        }
        let turn =
            if self.0.is_over() { "the game is over".into() } else { format!("{} to move", self.0.side()) };
        text + &turn
    }

    fn __str__(&self) -> String {
        notation::position_text(&self.0).to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board.from_text({:?})", self.__str__())
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u64, u64, i8, u8))> {
        let make = py.get_type::<Self>().getattr("from_bitboards")?;
        Ok((make, (self.own(), self.opponent(), self.side_to_move(), self.size())))
    }
}

/// Row by row from 0 for a1; the number of squares stands for a pass.
#[pyfunction]
#[pyo3(signature = (r#move, size = 8))]
pub fn move_index(r#move: MoveArgument, size: i64) -> PyResult<u8> {
    let size = values::size(size)?;
    Ok(values::index(r#move.action(size)?, size))
}

/// The name of a move, such as ``"d3"`` or ``"pass"``.
#[pyfunction]
#[pyo3(signature = (r#move, size = 8))]
pub fn move_name(r#move: MoveArgument, size: i64) -> PyResult<String> {
    let size = values::size(size)?;
    Ok(name(r#move.action(size)?, size))
}
