//! Lines of the board as bits.

/// Columns b to g: discs that a row or a diagonal can run through.
pub const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The distance between neighbours on rows, columns and the two diagonals.
pub const STEPS: [u32; 4] = [1, 8, 9, 7];

/// For each square, the four rays towards higher squares and the four towards lower ones, in the order of [`STEPS`].
pub static RAYS: [Rays; 64] = rays();

/// The eight rays from a square, without the square itself.
#[repr(align(64))]
pub struct Rays {
    pub up: [u64; 4],
    pub down: [u64; 4],
}

const fn rays() -> [Rays; 64] {
    const EMPTY: Rays = Rays { up: [0; 4], down: [0; 4] };
    let mut table = [EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            // Column and row change per step; 7 runs up the board to the left.
            let (right, down) = [(1, 0), (0, 1), (1, 1), (-1, 1)][line];
            table[square].up[line] = ray(square as i32, right, down);
            table[square].down[line] = ray(square as i32, -right, -down);
            line += 1;
        }
        square += 1;
    }
    table
}

const fn ray(square: i32, right: i32, down: i32) -> u64 {
    let (mut column, mut row, mut bits) = (square % 8 + right, square / 8 + down, 0);
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        bits |= 1 << (row * 8 + column);
        column += right;
        row += down;
    }
    bits
}

/// Masks for finding stable discs along one of [`STEPS`].
#[derive(Clone, Copy)]
pub struct LineMasks {
    /// Squares from which a step towards higher squares stays on the board.
    pub inner: u64,
    /// Squares at an end of their line.
    pub border: u64,
    /// Squares reached from others by one, two and four steps towards higher squares, and towards lower ones.
    pub reached: [[u64; 2]; 3],
}

pub const LINE_MASKS: [LineMasks; 4] = [
    line_masks(1, 0x7f7f_7f7f_7f7f_7f7f),
    line_masks(8, 0x00ff_ffff_ffff_ffff),
    line_masks(9, 0x007f_7f7f_7f7f_7f7f),
    line_masks(7, 0x00fe_fefe_fefe_fefe),
];

const fn line_masks(step: u32, inner: u64) -> LineMasks {
    let (mut up, mut down, mut step) = (inner << step, inner, step);
    let border = !(up & down);
    let mut reached = [[0; 2]; 3];
    let mut doubling = 0;
    while doubling < reached.len() {
        reached[doubling] = [up, down];
        (up, down) = (up & up << step, down & down >> step);
        step *= 2;
        doubling += 1;
    }
    LineMasks { inner, border, reached }
}
