//! A block: games with consecutive numbers that were played with the same settings.
//!
//! All numbers are little-endian. The header has a checksum of its own, so that its lengths can be relied on: a block
//! that was torn at the end of a file is told from one that was damaged.

use std::fmt;

use crate::rules::Rules;

use super::bits::{BitReader, BitWriter};
use super::game::Game;

/// What every block begins with.
pub const MAGIC: [u8; 4] = *b"OLRG";

/// The version of the format.
pub const VERSION: u8 = 1;

/// The length of a header in bytes.
pub const HEADER_LENGTH: usize = 44;

/// Where the checksum of the header lies, over all before it.
const HEADER_CHECK: usize = HEADER_LENGTH - 4;

/// No game takes more bytes: six bits for the random moves and for each of sixty others.
const LONGEST_GAME: usize = 46;

/// What the games of a block depend on, besides their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Who wins.
    pub rules: Rules,
    /// What both sides played for until play was perfect: with the other goal games go where good play does not.
    pub goal: Rules,
    /// Whether the last moves before play was perfect went astray: most of them were drawn at random.
    pub stray: bool,
    /// How deep moves were searched.
    pub depth: u8,
    /// From how many empty squares on play was perfect.
    pub exact: u8,
    /// The least and the greatest number of random moves at the beginning.
    pub random: (u8, u8),
    /// What chance was drawn from.
    pub seed: u64,
    /// Stands for the evaluation that chose the moves.
    pub evaluation: u32,
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, goal, stray, depth, exact, random: (least, most), seed, evaluation } = self;
        let astray = if *stray { "going astray, " } else { "" };
        write!(f, "{rules} rules, {goal} goal, {astray}depth {depth}, exact from {exact}, ")?;
        write!(f, "random {least}..{most}, seed {seed}, evaluation {evaluation:08x}")
    }
}

/// What is wrong with the bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It does not begin as blocks do.
    NoBlock,
    /// It is of a version that this program does not know.
    Version(u8),
    /// The header does not agree with its checksum.
    Header,
    /// The header says what cannot be.
    Impossible,
    /// The games do not agree with their checksum.
    Payload,
    /// The bytes are no games, though they agree with their checksum.
    Games,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoBlock => "no block of games begins here",
            Self::Version(version) => {
                return write!(f, "version {version} of the format, but this program knows {VERSION} only");
            }
            Self::Header => "the header of the block does not agree with its checksum",
            Self::Impossible => "the header of the block says what cannot be",
            Self::Payload => "the games of the block do not agree with their checksum",
            Self::Games => "the block does not hold the moves of its games",
        })
    }
}

/// The beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How its games were played.
    pub settings: Settings,
    /// The number of the first one.
    pub first: u64,
    /// How many there are.
    pub count: u16,
    /// How many bytes follow the header.
    pub length: u32,
    /// Their checksum.
    payload_check: u32,
}

impl Header {
    fn encode(&self) -> [u8; HEADER_LENGTH] {
        let Settings { rules, goal, stray, depth, exact, random, seed, evaluation } = self.settings;
        let mut bytes = [0; HEADER_LENGTH];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&MAGIC);
        put(&[VERSION, kind_code(rules, goal, stray), depth, exact, random.0, random.1]);
        put(&self.count.to_le_bytes());
        put(&seed.to_le_bytes());
        put(&self.first.to_le_bytes());
        put(&evaluation.to_le_bytes());
        put(&self.length.to_le_bytes());
        put(&self.payload_check.to_le_bytes());
        let check = crc32fast::hash(&bytes[..HEADER_CHECK]);
        bytes[HEADER_CHECK..].copy_from_slice(&check.to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// If the bytes are none.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<Self, Damage> {
        let mut rest = bytes.as_slice();
        if take(&mut rest) != MAGIC {
            return Err(Damage::NoBlock);
        }
        let [version, kind, depth, exact, least, most] = take(&mut rest);
        if version != VERSION {
            return Err(Damage::Version(version));
        }
        let count = u16::from_le_bytes(take(&mut rest));
        let seed = u64::from_le_bytes(take(&mut rest));
        let first = u64::from_le_bytes(take(&mut rest));
        let [evaluation, length, payload_check, check] =
            [(); 4].map(|()| u32::from_le_bytes(take(&mut rest)));
        if check != crc32fast::hash(&bytes[..HEADER_CHECK]) {
            return Err(Damage::Header);
        }
        let (rules, goal, stray) = kind_of(kind).ok_or(Damage::Impossible)?;
        let settings = Settings { rules, goal, stray, depth, exact, random: (least, most), seed, evaluation };
        let last = first.checked_add(count.into());
        if last.is_none() || count == 0 || length as usize > usize::from(count) * LONGEST_GAME {
            return Err(Damage::Impossible);
        }
        Ok(Self { settings, first, count, length, payload_check })
    }
}

/// The next field of a header.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    // The fields fill a header exactly, so there are always as many.
    let (field, rest) = bytes.split_first_chunk().unwrap_or((&[0; N], &[]));
    *bytes = rest;
    *field
}

/// The lowest bit tells who wins, the next one whether both sides played for the opposite, the third whether the last
/// moves before the perfect ones went astray.
fn kind_code(rules: Rules, goal: Rules, stray: bool) -> u8 {
    u8::from(rules == Rules::Standard) | u8::from(rules != goal) << 1 | u8::from(stray) << 2
}

fn kind_of(code: u8) -> Option<(Rules, Rules, bool)> {
    let pairs = Rules::ALL.into_iter().flat_map(|rules| Rules::ALL.map(|goal| (rules, goal)));
    let mut kinds = pairs.flat_map(|(rules, goal)| [false, true].map(|stray| (rules, goal, stray)));
    kinds.find(|&(rules, goal, stray)| kind_code(rules, goal, stray) == code)
}

/// Some games with consecutive numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// How they were played.
    pub settings: Settings,
    /// The number of the first one.
    pub first: u64,
    /// From the first one on: one at least, and all by the rules of the settings.
    pub games: Vec<Game>,
}

impl Block {
    /// The bytes of the block; none without games or with more than 65535.
    #[must_use]
    pub fn encode(&self) -> Option<Vec<u8>> {
        let count = u16::try_from(self.games.len()).ok().filter(|&count| count > 0)?;
        let mut bits = BitWriter::default();
        self.games.iter().for_each(|game| game.encode(&mut bits));
        let payload = bits.finish();
        let header = Header {
            settings: self.settings,
            first: self.first,
            count,
            length: u32::try_from(payload.len()).ok()?,
            payload_check: crc32fast::hash(&payload),
        };
        Some([header.encode().as_slice(), &payload].concat())
    }

    /// Reads the bytes after a header.
    ///
    /// # Errors
    /// If they are not the games that it tells of.
    pub fn decode(header: &Header, payload: &[u8]) -> Result<Self, Damage> {
        if payload.len() != header.length as usize || crc32fast::hash(payload) != header.payload_check {
            return Err(Damage::Payload);
        }
        let Header { settings, first, count, .. } = *header;
        let mut bits = BitReader::new(payload);
        let games: Option<Vec<_>> = (0..count).map(|_| Game::decode(settings.rules, &mut bits)).collect();
        let games = games.filter(|_| bits.is_done()).ok_or(Damage::Games)?;
        Ok(Self { settings, first, games })
    }
}
