//! Perfect play by plain alpha-beta, on sets of cells and rays walked step by step: quick enough for
//! thousands of late positions.
//!
//! No table, no bound that is not a result, nothing of the engine's. [`super::mailbox`] vouches for the
//! moves.

use rand::RngExt;
use rand::rngs::StdRng;

use super::mailbox::{Move, Rules};

/// The discs of both sides, a bit for each cell, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Discs {
    /// Of the side to move.
    pub own: u64,
    /// Of the side that waits.
    pub other: u64,
}

impl Discs {
    /// Seen by the other side.
    pub fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }
}

/// A board of so many cells a side. Cells count row by row from a1, as in a mailbox.
pub struct Grid {
    size: usize,
    /// From each cell in each direction the cells up to the border, nearest first, a bit for each.
    rays: Vec<Vec<Vec<u64>>>,
}

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// With fewer empty cells sorting the moves costs more than it saves.
const SORTED_FROM: u32 = 6;

impl Grid {
    /// A board of this size.
    pub fn new(size: usize) -> Self {
        let limit = size as isize;
        let on_board = |row, column| (0..limit).contains(&row) && (0..limit).contains(&column);
        let ray = |cell: usize, (down, right): (isize, isize)| -> Vec<u64> {
            let (row, column) = ((cell / size) as isize, (cell % size) as isize);
            (1..limit)
                .map(|step| (row + step * down, column + step * right))
                .take_while(|&(row, column)| on_board(row, column))
                .map(|(row, column)| 1 << (row * limit + column))
                .collect()
        };
        let rays = (0..size * size).map(|cell| DIRECTIONS.map(|to| ray(cell, to)).into());
        Self { size, rays: rays.collect() }
    }

    /// Cells along one edge.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The four discs in the middle, Black to move.
    pub fn start(&self) -> Discs {
        let (low, high) = (self.size / 2 - 1, self.size / 2);
        let cell = |row, column| 1_u64 << (row * self.size + column);
        Discs { own: cell(low, high) | cell(high, low), other: cell(low, low) | cell(high, high) }
    }

    /// How many cells have no disc.
    pub fn empties(&self, discs: Discs) -> u32 {
        self.rays.len() as u32 - (discs.own | discs.other).count_ones()
    }

    /// The position after a disc on an empty cell, seen by the next side; nothing if none would turn.
    fn place(&self, discs: Discs, cell: usize) -> Option<Discs> {
        let mut flips = 0;
        for ray in &self.rays[cell] {
            let mut run = 0;
            for &here in ray {
                if discs.other & here != 0 {
                    run |= here;
                } else {
                    if discs.own & here != 0 {
                        flips |= run;
                    }
                    break;
                }
            }
        }
        let own = discs.own | flips | 1 << cell;
        (flips != 0).then_some(Discs { own: discs.other & !flips, other: own })
    }

    /// Every cell to play on, with the position after it.
    pub fn placements(&self, discs: Discs) -> Vec<(usize, Discs)> {
        let is_empty = |cell: &usize| (discs.own | discs.other) >> cell & 1 == 0;
        let next = |cell| self.place(discs, cell).map(|next| (cell, next));
        (0..self.rays.len()).filter(is_empty).filter_map(next).collect()
    }

    /// Whether neither side can ever move again.
    pub fn is_over(&self, discs: Discs) -> bool {
        self.placements(discs).is_empty() && self.placements(discs.passed()).is_empty()
    }

    /// The position after a legal turn.
    pub fn after(&self, discs: Discs, turn: Move) -> Option<Discs> {
        let placements = self.placements(discs);
        match turn {
            Move::Place(cell) => placements.into_iter().find(|&(at, _)| at == cell).map(|(_, next)| next),
            Move::Pass => (placements.is_empty() && !self.is_over(discs)).then_some(discs.passed()),
        }
    }

    /// The result for the side to move of a game that ended here, the empty cells added for the side with
    /// more discs.
    pub fn final_score(&self, discs: Discs, rules: Rules) -> i32 {
        let [own, other] = [discs.own, discs.other].map(|cells| cells.count_ones() as i32);
        let standard = own - other + (own - other).signum() * self.empties(discs) as i32;
        match rules {
            Rules::Standard => standard,
            Rules::Reversed => -standard,
        }
    }

    /// Whether perfect play brings the side to move more than this.
    pub fn exceeds(&self, discs: Discs, rules: Rules, bound: i32) -> bool {
        self.search(discs, rules, bound, bound + 1) > bound
    }

    /// What perfect play brings the side to move.
    pub fn value(&self, discs: Discs, rules: Rules) -> i32 {
        let most = self.rays.len() as i32;
        self.search(discs, rules, -most, most)
    }

    /// The value where it lies between `alpha` and `beta`, else a bound on it from the same side.
    fn search(&self, discs: Discs, rules: Rules, alpha: i32, beta: i32) -> i32 {
        let mut next = self.placements(discs);
        if next.is_empty() {
            let passed = discs.passed();
            return if self.placements(passed).is_empty() {
                self.final_score(discs, rules)
            } else {
                -self.search(passed, rules, -beta, -alpha)
            };
        }
        if self.empties(discs) >= SORTED_FROM {
            next.sort_by_cached_key(|&(_, next)| self.placements(next).len());
        }
        let mut best = -i32::MAX;
        for (_, next) in next {
            best = best.max(-self.search(next, rules, -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// A position of a random game that goes on, with so many empty cells.
    pub fn random(&self, rng: &mut StdRng, empties: u32) -> Discs {
        loop {
            let mut discs = self.start();
            while self.empties(discs) > empties {
                let placements = self.placements(discs);
                discs = match placements.len() {
                    0 if self.is_over(discs) => break,
                    0 => discs.passed(),
                    count => placements[rng.random_range(0..count)].1,
                };
            }
            if self.empties(discs) == empties && !self.is_over(discs) {
                return discs;
            }
        }
    }

    /// The position turned and mirrored in all eight ways.
    pub fn images(&self, discs: Discs) -> [Discs; 8] {
        let last = self.size - 1;
        let image = |way: usize, cells: u64| -> u64 {
            let to = |cell: usize| {
                let (row, column) = (cell / self.size, cell % self.size);
                let (row, column) = if way & 1 == 0 { (row, column) } else { (column, row) };
                let row = if way & 2 == 0 { row } else { last - row };
                let column = if way & 4 == 0 { column } else { last - column };
                1_u64 << (row * self.size + column)
            };
            (0..self.rays.len()).filter(|cell| cells >> cell & 1 == 1).map(to).sum()
        };
        std::array::from_fn(|way| Discs { own: image(way, discs.own), other: image(way, discs.other) })
    }

    /// The cells as a mailbox writes them, the side to move being X.
    pub fn text(&self, discs: Discs) -> String {
        let character = |cell: usize| match (discs.own >> cell & 1, discs.other >> cell & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        format!("{} X", (0..self.rays.len()).map(character).collect::<String>())
    }
}
