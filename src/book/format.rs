//! Books as files.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OLLEBOOK` |
//! | 1 | the version of the format, 1 |
//! | 1 | the rules: 0 reversed, 1 standard |
//! | 1, 1, 1 | plies looked at, depth of the shallow searches, depth of the deep ones |
//! | 2 | how near to the best play was searched deep, in 1/32 of a disc |
//! | 4 | a number that stands for the evaluation |
//! | 2 | the value of the start for the side to move, signed, in 1/32 of a disc |
//! | 4 | how many positions follow |
//! | 4 | the size of the unpacked body |
//! | … | the body, packed by raw deflate |
//! | 4 | the CRC-32 of all bytes before |
//!
//! The body holds no boards: it is the walk that finds them. Beginning with the start, every position in turn, turned to
//! be canonical, has a number for each of its legal moves in board order: what the move loses against the best one in
//! 1/32 of a disc, doubled, and one more if the position it leads to is in the book. Those not met before, made
//! canonical, are appended to the positions to come. Values follow: a position is worth the negative of the move that
//! led to it. Numbers are written in groups of seven bits, the lowest first, all but the last with the top bit set.

use std::collections::{HashSet, VecDeque};
use std::fmt;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::board::{Board, Size};
use crate::rules::Rules;
use crate::score::Score;

use super::{Book, Known, Making};

const MAGIC: [u8; 8] = *b"OLLEBOOK";
const VERSION: u8 = 1;
/// The smallest file that deflate makes.
const COMPRESSION: u8 = 10;
/// No book is larger when unpacked; a damaged length cannot take all memory.
const LARGEST_BODY: usize = 1 << 24;

/// Why bytes are no book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// They begin otherwise.
    NoBook,
    /// They are of a version that we do not know.
    Version(u8),
    /// They are not what was written once.
    Damaged,
    /// They are what was written, but that makes no sense.
    Inconsistent,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBook => f.write_str("this is no opening book"),
            Self::Version(version) => {
                write!(f, "a book of version {version}, where version {VERSION} can be read: build it again")
            }
            Self::Damaged => f.write_str("the book is damaged"),
            Self::Inconsistent => f.write_str("the book contradicts itself"),
        }
    }
}

impl std::error::Error for FormatError {}

impl Book {
    /// The book as a file has it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Making { rules, plies, depth, deep, near, evaluation } = self.making;
        let rules = match rules {
            Rules::Reversed => 0,
            Rules::Standard => 1,
        };
        let mut body = Vec::new();
        let mut count: u32 = 0;
        let mut walk = Walk::new();
        while let Some((board, moves)) =
            walk.next().and_then(|board| Some((board, self.positions.get(&board)?)))
        {
            count += 1;
            let best = best(moves);
            for &Known { square, value } in moves {
                let next = board.play(square).map(|next| next.canonical().0);
                let follows = next.filter(|next| self.positions.contains_key(next));
                let loss = u32::from(best.units().abs_diff(value.units()));
                write_number(loss * 2 + u32::from(follows.is_some()), &mut body);
                if let Some(next) = follows {
                    walk.meet(next);
                }
            }
        }
        let value = self.positions.get(&start()).map_or(Score::default(), |moves| best(moves));
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, rules, plies, depth, deep]);
        bytes.extend(near.to_le_bytes());
        bytes.extend(evaluation.to_le_bytes());
        bytes.extend(value.units().to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(compress_to_vec(&body, COMPRESSION));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The book of a file's bytes.
    ///
    /// # Errors
    /// If they are none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(FormatError::NoBook)?;
        match rest.first() {
            Some(&VERSION) => {}
            Some(&version) => return Err(FormatError::Version(version)),
            None => return Err(FormatError::Damaged),
        }
        let (whole, sum) = bytes.split_last_chunk().ok_or(FormatError::Damaged)?;
        if crc32fast::hash(whole) != u32::from_le_bytes(*sum) {
            return Err(FormatError::Damaged);
        }
        let mut reader = Reader(&whole[MAGIC.len() + 1..]);
        let [rules, plies, depth, deep] = reader.take()?;
        let rules = match rules {
            0 => Rules::Reversed,
            1 => Rules::Standard,
            _ => return Err(FormatError::Inconsistent),
        };
        let near = u16::from_le_bytes(reader.take()?);
        let evaluation = u32::from_le_bytes(reader.take()?);
        let value = i16::from_le_bytes(reader.take()?);
        let count = u32::from_le_bytes(reader.take()?) as usize;
        let length = u32::from_le_bytes(reader.take()?) as usize;
        let body = decompress_to_vec_with_limit(reader.0, length.min(LARGEST_BODY))
            .map_err(|_| FormatError::Inconsistent)?;
        let mut book = Self::new(Making { rules, plies, depth, deep, near, evaluation });
        book.positions.reserve(count.min(body.len()));
        book.read_body(&body, value.into())?;
        if book.len() == count && body.len() == length { Ok(book) } else { Err(FormatError::Inconsistent) }
    }

    fn read_body(&mut self, body: &[u8], value: i32) -> Result<(), FormatError> {
        let mut reader = Reader(body);
        let mut walk = Walk::new();
        // The values of the positions of the walk that are still to come.
        let mut values = VecDeque::from([value]);
        while !reader.0.is_empty() {
            let (Some(board), Some(value)) = (walk.next(), values.pop_front()) else {
                return Err(FormatError::Inconsistent);
            };
            let mut moves = Vec::new();
            for square in board.moves(Size::Eight.squares()) {
                let number = reader.number()?;
                let of_move = value - (number / 2) as i32;
                moves.push(Known { square, value: Score::from_units(of_move) });
                if number % 2 == 1
                    && let Some(next) = board.play(square)
                    && walk.meet(next.canonical().0)
                {
                    values.push_back(-of_move);
                }
            }
            if moves.is_empty() || i32::from(best(&moves).units()) != value {
                return Err(FormatError::Inconsistent);
            }
            self.positions.insert(board, moves);
        }
        if values.is_empty() || self.is_empty() { Ok(()) } else { Err(FormatError::Inconsistent) }
    }
}

fn start() -> Board {
    Board::START.canonical().0
}

/// The value of a position with these moves.
fn best(moves: &[Known]) -> Score {
    moves.iter().map(|known| known.value).max().unwrap_or_default()
}

/// The order in which positions are written: by their distance from the start, each once.
struct Walk {
    coming: VecDeque<Board>,
    met: HashSet<Board>,
}

impl Walk {
    fn new() -> Self {
        Self { coming: VecDeque::from([start()]), met: HashSet::from([start()]) }
    }

    fn next(&mut self) -> Option<Board> {
        self.coming.pop_front()
    }

    /// A move leads to a position; whether it does for the first time.
    fn meet(&mut self, board: Board) -> bool {
        let new = self.met.insert(board);
        if new {
            self.coming.push_back(board);
        }
        new
    }
}

fn write_number(mut number: u32, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    /// A number of at most three groups: no loss is larger.
    fn number(&mut self) -> Result<u32, FormatError> {
        let mut number = 0;
        for shift in [0, 7, 14] {
            let [byte] = self.take()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(FormatError::Inconsistent)
    }
}
