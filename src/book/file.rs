//! The file format of books.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OLLEBOOK` |
//! | 1 | the version of the format, 1 |
//! | 1 | the rules: 0 reversed, 1 standard |
//! | 1, 1, 1 | plies, search depth, search depth near the best play |
//! | 2 | margin of the best play, in 1/32 of a disc |
//! | 4 | fingerprint of the evaluation |
//! | 2 | the value of the start for the side to move, signed, in 1/32 of a disc |
//! | 4 | how many positions follow |
//! | 4 | the size of the unpacked body |
//! | … | the body, packed by raw deflate |
//! | 4 | the CRC-32 of all bytes before |
//!
//! The body holds no boards: it is a breadth-first walk from the start. Every position in turn, in its canonical form, has
//! a number for each of its legal moves in board order: what the move loses against the best one in 1/32 of a disc,
//! doubled, plus one if the position it leads to is in the book. New positions, made canonical, join the queue. A
//! position is worth the negative of the move that led to it. Numbers are LEB128: groups of seven bits, the lowest
//! first, all but the last with the top bit set.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fmt, fs, io};

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::board::{Board, Size};
use crate::rules::Rules;
use crate::score::Score;

use super::book::{Book, BookSettings, ScoredMove};

const MAGIC: [u8; 8] = *b"OLLEBOOK";
const VERSION: u8 = 1;
/// The best deflate level.
const COMPRESSION: u8 = 10;
/// So that a damaged length cannot take all memory.
const MAX_BODY_BYTES: usize = 1 << 24;
/// Nor can a small file that unpacks to a large one. Real bodies are 1.3 times as long as they are packed.
const MAX_PACKING: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The magic number is missing.
    NoBook,
    Version(u8),
    /// The checksum is wrong.
    Damaged,
    /// The checksum is right, but the values contradict each other.
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

#[derive(Debug)]
pub enum BookError {
    File(PathBuf, io::Error),
    Format(PathBuf, FormatError),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "book {}: {error}", path.display()),
            Self::Format(path, error) => write!(f, "book {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            Self::Format(_, error) => Some(error),
        }
    }
}

impl Book {
    /// The book built into the program; unpacked at the first call.
    #[must_use]
    pub fn shipped(rules: Rules) -> Option<&'static Self> {
        static REVERSED: OnceLock<Option<Book>> = OnceLock::new();
        static STANDARD: OnceLock<Option<Book>> = OnceLock::new();
        let (cell, bytes): (_, &[u8]) = match rules {
            Rules::Reversed => (&REVERSED, include_bytes!("shipped/reversed.book")),
            Rules::Standard => (&STANDARD, include_bytes!("shipped/standard.book")),
        };
        // A test has checked it.
        let unpack = || Self::unpack(bytes).inspect_err(|error| log::error!("our own book: {error}")).ok();
        cell.get_or_init(unpack).as_ref()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged, or is another kind of file.
    pub fn load(path: &Path) -> Result<Self, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::File(path.to_owned(), error))?;
        Self::from_bytes(&bytes).map_err(|error| BookError::Format(path.to_owned(), error))
    }

    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let BookSettings { rules, plies, depth, deep_depth, margin, evaluation } = self.settings;
        let (body, count) = self.body();
        let value = self.positions.get(&start()).map_or(Score::default(), |moves| best(moves));
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, rules.code(), plies, depth, deep_depth]);
        bytes.extend(margin.to_le_bytes());
        bytes.extend(evaluation.to_le_bytes());
        bytes.extend(value.units().to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(compress_to_vec(&body, COMPRESSION));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The body, and how many positions are in it.
    fn body(&self) -> (Vec<u8>, u32) {
        let mut body = Vec::new();
        let mut count: u32 = 0;
        let mut queue = PositionQueue::new();
        while let Some((board, moves)) =
            queue.pop().and_then(|board| Some((board, self.positions.get(&board)?)))
        {
            count += 1;
            let best = best(moves);
            for &ScoredMove { square, value } in moves {
                let next = board.play(square).map(|next| next.canonical().0);
                let follows = next.filter(|next| self.positions.contains_key(next));
                let loss = u32::from(best.units().abs_diff(value.units()));
                write_number(loss * 2 + u32::from(follows.is_some()), &mut body);
                if let Some(next) = follows {
                    queue.push(next);
                }
            }
        }
        (body, count)
    }

    /// # Errors
    /// If the bytes are no book, or a damaged one, or if two moves disagree about the position they lead to.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let book = Self::unpack(bytes)?;
        book.check_transpositions()?;
        Ok(book)
    }

    /// A position is in the book for all moves that lead to it or for none, and worth the same after each.
    fn check_transpositions(&self) -> Result<(), FormatError> {
        let agrees = |board: &Board, scored: &ScoredMove| {
            let next = board.play(scored.square).and_then(|next| self.positions.get(&next.canonical().0));
            next.is_none_or(|moves| best(moves) == -scored.value)
        };
        let all_agree =
            self.positions.iter().all(|(board, moves)| moves.iter().all(|scored| agrees(board, scored)));
        if all_agree { Ok(()) } else { Err(FormatError::Inconsistent) }
    }

    fn unpack(bytes: &[u8]) -> Result<Self, FormatError> {
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
        let mut reader = ByteReader(&whole[MAGIC.len() + 1..]);
        let [rules, plies, depth, deep_depth] = reader.take()?;
        let rules = Rules::from_code(rules).ok_or(FormatError::Inconsistent)?;
        let margin = u16::from_le_bytes(reader.take()?);
        let evaluation = u32::from_le_bytes(reader.take()?);
        let value = i16::from_le_bytes(reader.take()?);
        let count = u32::from_le_bytes(reader.take()?) as usize;
        let length = u32::from_le_bytes(reader.take()?) as usize;
        let longest = MAX_BODY_BYTES.min(MAX_PACKING * reader.0.len());
        let body = decompress_to_vec_with_limit(reader.0, length.min(longest))
            .map_err(|_| FormatError::Inconsistent)?;
        let mut book = Self::new(BookSettings { rules, plies, depth, deep_depth, margin, evaluation });
        book.read_body(&body, value.into())?;
        if book.len() == count && body.len() == length { Ok(book) } else { Err(FormatError::Inconsistent) }
    }

    fn read_body(&mut self, body: &[u8], value: i32) -> Result<(), FormatError> {
        let mut reader = ByteReader(body);
        let mut queue = PositionQueue::new();
        // Of the positions in the queue.
        let mut values = VecDeque::from([value]);
        while !reader.0.is_empty() {
            let (Some(board), Some(value)) = (queue.pop(), values.pop_front()) else {
                return Err(FormatError::Inconsistent);
            };
            let mut moves = Vec::new();
            for square in board.moves(Size::Eight.squares()) {
                let number = reader.number()?;
                let of_move = value - (number / 2) as i32;
                moves.push(ScoredMove { square, value: Score::from_units(of_move) });
                if number % 2 == 1
                    && let Some(next) = board.play(square)
                    && queue.push(next.canonical().0)
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
fn best(moves: &[ScoredMove]) -> Score {
    moves.iter().map(|scored| scored.value).max().unwrap_or_default()
}

/// Breadth-first order, each position once.
struct PositionQueue {
    queue: VecDeque<Board>,
    seen: HashSet<Board>,
}

impl PositionQueue {
    fn new() -> Self {
        Self { queue: VecDeque::from([start()]), seen: HashSet::from([start()]) }
    }

    fn pop(&mut self) -> Option<Board> {
        self.queue.pop_front()
    }

    /// Returns whether the position is new.
    fn push(&mut self, board: Board) -> bool {
        let new = self.seen.insert(board);
        if new {
            self.queue.push_back(board);
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

struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(FormatError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    /// At most three groups: no loss is larger.
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
