//! A block: games with consecutive numbers and the same settings.
//!
//! All numbers are little-endian. The header has a checksum of its own, which makes its lengths reliable: a block torn
//! at the end of a file can be told from a damaged one.

use thiserror::Error;

use crate::rules::Rules;

use super::bits::{BitReader, BitWriter};
use super::game::TrainingGame;
use super::settings::{MOST_DETOURS, SelfplaySettings};

pub const MAGIC: [u8; 4] = *b"OLRG";

/// What a block keeps of its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatVersion {
    /// Moves only; not written any more.
    Moves = 1,
    /// The values of searches and the plies of detours, too.
    Values = 2,
}

impl FormatVersion {
    const fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Moves),
            2 => Some(Self::Values),
            _ => None,
        }
    }

    /// No game takes more bytes. Six bits for the random moves and for each of sixty others; then six for each detour
    /// and eight for each value.
    const fn longest_game(self) -> usize {
        match self {
            Self::Moves => 46,
            Self::Values => (6 + MOST_DETOURS * 6 + 60 * (6 + 8)).div_ceil(8),
        }
    }
}

pub const HEADER_LENGTH: usize = 44;

/// Where the checksum of the header is, of all bytes before it.
const HEADER_CHECK: usize = HEADER_LENGTH - 4;

/// What is wrong with the bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BlockError {
    #[error("no block of games begins here")]
    NoBlock,
    #[error("version {0} of the format, but this program knows 1 and 2 only")]
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
    pub version: FormatVersion,
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
        let SelfplaySettings { depth, exact, random, seed, evaluation, .. } = self.settings;
        let mut bytes = [0; HEADER_LENGTH];
        let mut at = 0;
        let mut put = |field: &[u8]| {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        };
        put(&MAGIC);
        put(&[self.version as u8, kind_code(&self.settings), depth, exact, random.0, random.1]);
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
        let version = FormatVersion::of_byte(version).ok_or(BlockError::Version(version))?;
        let count = u16::from_le_bytes(take(&mut rest));
        let seed = u64::from_le_bytes(take(&mut rest));
        let first = u64::from_le_bytes(take(&mut rest));
        let [evaluation, length, payload_check, check] =
            [(); 4].map(|()| u32::from_le_bytes(take(&mut rest)));
        if check != crc32fast::hash(&bytes[..HEADER_CHECK]) {
            return Err(BlockError::Header);
        }
        let (rules, play_for) = rules_of(kind);
        let settings = SelfplaySettings {
            rules,
            play_for,
            noise_before_solve: kind & NOISE != 0,
            detours: kind >> DETOURS_SHIFT,
            depth,
            exact,
            random: (least, most),
            seed,
            evaluation,
        };
        let most_detours = if version == FormatVersion::Moves { 0 } else { MOST_DETOURS };
        if usize::from(settings.detours) > most_detours {
            return Err(BlockError::Impossible);
        }
        let last = first.checked_add(count.into());
        if last.is_none() || count == 0 || length as usize > usize::from(count) * version.longest_game() {
            return Err(BlockError::Impossible);
        }
        Ok(Self { version, settings, first, count, length, payload_check })
    }
}

/// The next field of a header.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    // The fields fill a header exactly, so there are always as many.
    let (field, rest) = bytes.split_first_chunk().unwrap_or((&[0; N], &[]));
    *bytes = rest;
    *field
}

const STANDARD: u8 = 1;
/// Both sides play for the other rules.
const OTHER_GOAL: u8 = 2;
/// Noise before the solve.
const NOISE: u8 = 4;
/// The number of detours is in the bits from here on.
const DETOURS_SHIFT: u32 = 3;

fn kind_code(settings: &SelfplaySettings) -> u8 {
    let bit = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
    bit(settings.rules == Rules::Standard, STANDARD)
        | bit(settings.rules != settings.play_for, OTHER_GOAL)
        | bit(settings.noise_before_solve, NOISE)
        | settings.detours << DETOURS_SHIFT
}

/// The rules of the games, and those that both sides play for.
const fn rules_of(kind: u8) -> (Rules, Rules) {
    match (kind & STANDARD != 0, kind & OTHER_GOAL != 0) {
        (false, false) => (Rules::Reversed, Rules::Reversed),
        (false, true) => (Rules::Reversed, Rules::Standard),
        (true, false) => (Rules::Standard, Rules::Standard),
        (true, true) => (Rules::Standard, Rules::Reversed),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub version: FormatVersion,
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
        let with_values = self.version == FormatVersion::Values;
        self.games.iter().for_each(|game| game.encode(&self.settings, with_values, &mut bits));
        let payload = bits.finish();
        let header = BlockHeader {
            version: self.version,
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
        let BlockHeader { version, settings, first, count, .. } = *header;
        let with_values = version == FormatVersion::Values;
        let mut bits = BitReader::new(payload);
        let games: Option<Vec<_>> =
            (0..count).map(|_| TrainingGame::decode(&settings, with_values, &mut bits)).collect();
        let games = games.filter(|_| bits.is_at_end()).ok_or(BlockError::Games)?;
        Ok(Self { version, settings, first, games })
    }
}
