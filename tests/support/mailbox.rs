//! The rules of the game once more, in the plainest form: an array of cells and rays walked one step
//! at a time.
//!
//! Slow on purpose. It shares no idea with a bitboard, so a mistake is unlikely to be made twice.

use std::fmt;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first, written `X`.
    Black,
    /// Written `O`.
    White,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// `b` or `w`, as scripts write it.
    pub fn letter(self) -> char {
        match self {
            Self::Black => 'b',
            Self::White => 'w',
        }
    }

    /// `black` or `white`, as Quarry writes it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::White => "white",
        }
    }
}

/// Who wins a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Fewest discs win.
    Reversed,
    /// Most discs win.
    Standard,
}

impl Rules {
    /// The word of the `--rules` option.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reversed => "reversed",
            Self::Standard => "standard",
        }
    }

    /// Both rule sets.
    pub const BOTH: [Self; 2] = [Self::Reversed, Self::Standard];
}

/// A turn: a disc on the cell with this index (row by row from a1), or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts a disc on a cell.
    Place(usize),
    /// Only without any cell to play on.
    Pass,
}

/// A board of 4, 6 or 8 cells a side and whose turn it is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mailbox {
    size: usize,
    cells: Vec<Option<Side>>,
    to_move: Side,
}

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Mailbox {
    /// The four discs in the middle, Black to move.
    pub fn start(size: usize) -> Self {
        let mut cells = vec![None; size * size];
        let (low, high) = (size / 2 - 1, size / 2);
        cells[low * size + low] = Some(Side::White);
        cells[high * size + high] = Some(Side::White);
        cells[low * size + high] = Some(Side::Black);
        cells[high * size + low] = Some(Side::Black);
        Self { size, cells, to_move: Side::Black }
    }

    /// Reads what [`Mailbox::text`] writes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (cells, side) = text.split_once(' ').ok_or_else(|| format!("no side to move in {text:?}"))?;
        let size = match cells.len() {
            16 => 4,
            36 => 6,
            64 => 8,
            length => return Err(format!("{length} cells in {text:?}")),
        };
        let cells = cells.chars().map(|c| match c {
            'X' => Ok(Some(Side::Black)),
            'O' => Ok(Some(Side::White)),
            '-' => Ok(None),
            _ => Err(format!("cell {c:?} in {text:?}")),
        });
        let to_move = match side {
            "X" => Side::Black,
            "O" => Side::White,
            _ => return Err(format!("side {side:?} in {text:?}")),
        };
        Ok(Self { size, cells: cells.collect::<Result<_, _>>()?, to_move })
    }

    /// The cells row by row from a1 (`X`, `O`, `-`), a blank, the side to move.
    pub fn text(&self) -> String {
        let side = if self.to_move == Side::Black { 'X' } else { 'O' };
        format!("{} {side}", self.cells_text('X'))
    }

    /// The cells alone, with the character for Black that the reader wants.
    pub fn cells_text(&self, black: char) -> String {
        let character = |cell: &Option<Side>| match cell {
            Some(Side::Black) => black,
            Some(Side::White) => 'O',
            None => '-',
        };
        self.cells.iter().map(character).collect()
    }

    /// Cells along one edge.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// How many discs a side has.
    pub fn count(&self, side: Side) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(side)).count()
    }

    /// How many cells have no disc.
    pub fn empties(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_none()).count()
    }

    /// The discs a disc of `side` on `cell` would turn over.
    fn flips(&self, cell: usize, side: Side) -> Vec<usize> {
        let mut flips = Vec::new();
        if self.cells[cell].is_some() {
            return flips;
        }
        let limit = self.size as isize;
        for (down, right) in DIRECTIONS {
            let (mut row, mut column) =
                ((cell / self.size) as isize + down, (cell % self.size) as isize + right);
            let before = flips.len();
            let closed = loop {
                if !(0..limit).contains(&row) || !(0..limit).contains(&column) {
                    break false;
                }
                let here = (row * limit + column) as usize;
                match self.cells[here] {
                    None => break false,
                    Some(owner) if owner == side => break true,
                    Some(_) => flips.push(here),
                }
                (row, column) = (row + down, column + right);
            };
            if !closed {
                flips.truncate(before);
            }
        }
        flips
    }

    /// The cells a side could play on, in board order.
    pub fn placements(&self, side: Side) -> Vec<usize> {
        (0..self.cells.len()).filter(|cell| !self.flips(*cell, side).is_empty()).collect()
    }

    /// Every legal turn: cells, or only the pass, or nothing when the game is over.
    pub fn moves(&self) -> Vec<Move> {
        let cells = self.placements(self.to_move);
        if !cells.is_empty() {
            return cells.into_iter().map(Move::Place).collect();
        }
        if self.placements(self.to_move.other()).is_empty() { Vec::new() } else { vec![Move::Pass] }
    }

    /// Whether neither side can ever move again.
    pub fn is_over(&self) -> bool {
        self.moves().is_empty()
    }

    /// Whether the side to move has to pass (and the game goes on).
    pub fn must_pass(&self) -> bool {
        self.moves() == [Move::Pass]
    }

    /// Plays a turn, or says why it is illegal and leaves the board alone.
    pub fn play(&mut self, turn: Move) -> Result<(), String> {
        if !self.moves().contains(&turn) {
            return Err(format!("{} is illegal in {}", self.name(turn), self.text()));
        }
        if let Move::Place(cell) = turn {
            for flipped in self.flips(cell, self.to_move) {
                self.cells[flipped] = Some(self.to_move);
            }
            self.cells[cell] = Some(self.to_move);
        }
        self.to_move = self.to_move.other();
        Ok(())
    }

    /// The board after a legal turn.
    pub fn after(&self, turn: Move) -> Self {
        let mut next = self.clone();
        next.play(turn).expect("the caller takes the turn from moves()");
        next
    }

    /// `D3` or `pass`.
    pub fn name(&self, turn: Move) -> String {
        match turn {
            Move::Pass => "pass".to_owned(),
            Move::Place(cell) => {
                let column = (b'A' + (cell % self.size) as u8) as char;
                format!("{column}{}", cell / self.size + 1)
            }
        }
    }

    /// Reads a square in any case, or a pass as any of the protocols writes it.
    pub fn read(&self, name: &str) -> Option<Move> {
        if ["pass", "pa", "--"].contains(&name.to_ascii_lowercase().as_str()) {
            return Some(Move::Pass);
        }
        let (&[column, row], true) = (name.as_bytes().first_chunk::<2>()?, name.len() == 2) else {
            return None;
        };
        let column = usize::from(column.to_ascii_uppercase().checked_sub(b'A')?);
        let row = usize::from(row.checked_sub(b'1')?);
        (column < self.size && row < self.size).then_some(Move::Place(row * self.size + column))
    }

    /// Discs of `side` minus discs of the other, the empty cells added for the side with more: the
    /// result of a game that ended here, turned round under reversed rules.
    pub fn final_score(&self, side: Side, rules: Rules) -> i32 {
        let [own, other] = [side, side.other()].map(|who| self.count(who) as i32);
        let standard = own - other + (own - other).signum() * self.empties() as i32;
        match rules {
            Rules::Standard => standard,
            Rules::Reversed => -standard,
        }
    }

    /// The winner and the margin as GTP writes them: `B+12`, `W+4`, `0`.
    pub fn result(&self, rules: Rules) -> String {
        match self.final_score(Side::Black, rules) {
            0 => "0".to_owned(),
            score if score > 0 => format!("B+{score}"),
            score => format!("W+{}", -score),
        }
    }

    /// The number of games after `depth` turns; a pass is a turn, a game that has ended counts once.
    pub fn perft(&self, depth: usize) -> u64 {
        let moves = self.moves();
        if depth == 0 || moves.is_empty() {
            return 1;
        }
        moves.into_iter().map(|turn| self.after(turn).perft(depth - 1)).sum()
    }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
