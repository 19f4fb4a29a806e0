//! A block: games with consecutive numbers and the same settings.
//!
//! All numbers are little-endian. The header has a checksum of its own, which makes its lengths reliable: a block torn
//! at the end of a file can be told from a damaged one.

use std::fmt;

use thiserror::Error;

use crate::rules::Rules;

use super::game::{BitReader, BitWriter, TrainingGame};

pub const MAGIC: [u8; 4] = *b"OLRG";

pub const VERSION: u8 = 1;

pub const HEADER_LENGTH: usize = 44;

/// Where the checksum of the header is, of all bytes before it.
const HEADER_CHECK: usize = HEADER_LENGTH - 4;

/// No game takes more bytes: six bits for the random moves and for each of sixty others.
const LONGEST_GAME: usize = 46;

/// What the games of a block depend on, besides their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SelfplaySettings {
    pub rules: Rules,
    /// Whom both sides play for until the solve: for the other rules, games reach positions that good play avoids.
    pub play_for: Rules,
    /// Whether most of the last moves before the solve are random.
    pub noise_before_solve: bool,
    /// Search depth.
    pub depth: u8,
    /// Empty squares from which the game is solved.
    pub exact: u8,
    /// The least and the greatest number of random moves at the start.
    pub random: (u8, u8),
    pub seed: u64,
    /// Fingerprint of the evaluation.
    pub evaluation: u32,
}

impl fmt::Display for SelfplaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, play_for, noise_before_solve, depth, exact, random, seed, evaluation } = self;
        let noise = if *noise_before_solve { "noise before the solve, " } else { "" };
        write!(f, "{rules} rules, playing for {play_for}, {noise}depth {depth}, exact from {exact}, ")?;
        write!(f, "random {}..{}, seed {seed}, evaluation {evaluation:08x}", random.0, random.1)
    }
}

/// What is wrong with the bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    #[error("no block of games begins here")]
    NoBlock,
    #[error("version {0} of the format, but this program knows {VERSION} only")]
    Version(u8),
    #[error("the header of the block does not agree with its checksum")]
    Header,
    #[error("the header of the block has impossible values")]
    Impossible,
    #[error("the games of the block do not agree with their checksum")]
    Payload,
    /// The checksum is right.
    #[error("the block does not hold the moves of its games")]
    Games,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    pub settings: SelfplaySettings,
    /// The number of the first game.
    pub first: u64,
    /// Games.
    pub count: u16,
    /// Bytes after the header.
    pub length: u32,
    payload_check: u32,
}

impl BlockHeader {
    fn encode(&self) -> [u8; HEADER_LENGTH] {
        let SelfplaySettings { rules, play_for, noise_before_solve, depth, exact, random, seed, evaluation } =
            self.settings;
        let mut bytes = [0; HEADER_LENGTH];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&MAGIC);
        put(&[VERSION, kind_code(rules, play_for, noise_before_solve), depth, exact, random.0, random.1]);
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

    /// # Errors
    /// If the bytes are no header.
    pub fn decode(bytes: &[u8; HEADER_LENGTH]) -> Result<Self, BlockError> {
        let mut rest = bytes.as_slice();
        if take(&mut rest) != MAGIC {
            return Err(BlockError::NoBlock);
        }
        let [version, kind, depth, exact, least, most] = take(&mut rest);
        if version != VERSION {
            return Err(BlockError::Version(version));
        }
        let count = u16::from_le_bytes(take(&mut rest));
        let seed = u64::from_le_bytes(take(&mut rest));
        let first = u64::from_le_bytes(take(&mut rest));
        let [evaluation, length, payload_check, check] =
            [(); 4].map(|()| u32::from_le_bytes(take(&mut rest)));
        if check != crc32fast::hash(&bytes[..HEADER_CHECK]) {
            return Err(BlockError::Header);
        }
        let (rules, play_for, noise_before_solve) = kind_of(kind).ok_or(BlockError::Impossible)?;
        let settings = SelfplaySettings {
            rules,
            play_for,
            noise_before_solve,
            depth,
            exact,
            random: (least, most),
            seed,
            evaluation,
        };
        let last = first.checked_add(count.into());
        if last.is_none() || count == 0 || length as usize > usize::from(count) * LONGEST_GAME {
            return Err(BlockError::Impossible);
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

/// Bit 0: standard rules; bit 1: both sides play for the other rules; bit 2: noise before the solve.
fn kind_code(rules: Rules, play_for: Rules, noise_before_solve: bool) -> u8 {
    u8::from(rules == Rules::Standard) | u8::from(rules != play_for) << 1 | u8::from(noise_before_solve) << 2
}

fn kind_of(code: u8) -> Option<(Rules, Rules, bool)> {
    let pairs = Rules::ALL.into_iter().flat_map(|rules| Rules::ALL.map(|play_for| (rules, play_for)));
    let mut kinds = pairs.flat_map(|(rules, play_for)| {
        [false, true].map(|noise_before_solve| (rules, play_for, noise_before_solve))
    });
    kinds
        .find(|&(rules, play_for, noise_before_solve)| kind_code(rules, play_for, noise_before_solve) == code)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub settings: SelfplaySettings,
    /// The number of the first game.
    pub first: u64,
    /// One at least, all by the rules of the settings.
    pub games: Vec<TrainingGame>,
}

impl Block {
    /// The bytes of the block; none without games or with more than 65535.
    #[must_use]
    pub fn encode(&self) -> Option<Vec<u8>> {
        let count = u16::try_from(self.games.len()).ok().filter(|&count| count > 0)?;
        let mut bits = BitWriter::default();
        self.games.iter().for_each(|game| game.encode(&mut bits));
        let payload = bits.finish();
        let header = BlockHeader {
            settings: self.settings,
            first: self.first,
            count,
            length: u32::try_from(payload.len()).ok()?,
            payload_check: crc32fast::hash(&payload),
        };
        Some([header.encode().as_slice(), &payload].concat())
    }

    /// # Errors
    /// If the payload does not hold the games of the header.
    pub fn decode(header: &BlockHeader, payload: &[u8]) -> Result<Self, BlockError> {
        if payload.len() != header.length as usize || crc32fast::hash(payload) != header.payload_check {
            return Err(BlockError::Payload);
        }
        let BlockHeader { settings, first, count, .. } = *header;
        let mut bits = BitReader::new(payload);
        let games: Option<Vec<_>> =
            (0..count).map(|_| TrainingGame::decode(settings.rules, &mut bits)).collect();
        let games = games.filter(|_| bits.is_at_end()).ok_or(BlockError::Games)?;
        Ok(Self { settings, first, games })
    }
}
