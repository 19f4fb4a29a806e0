//! The file that weights are kept in.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `OLWT` |
//! | 1 | version of this format, 3 |
//! | 1 | rule set: 0 reversed, 1 standard |
//! | 2 | number of stages |
//! | 4 | number of different weights of a stage |
//! | 2 | length of the origin |
//! | n | the origin, UTF-8 |
//! | 128 | the 64 weights of being to move |
//! | 4 for each stage | length of its part |
//! | 4 | CRC-32 of all bytes before this one and of all after it |
//! | m for each stage | its part, deflated: the low bytes of its weights, then their high bytes |
//!
//! Numbers are little-endian. Weights of a part are folded to be positive (0, -1, 1, -2, …) before their bytes are parted:
//! most are small. Each part can be read without the others, so that nobody has to wait for stages that he does not need.

use std::error::Error;
use std::fmt;
use std::iter;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use super::{Packed, STAGES};
use crate::rules::Rules;

const MAGIC: [u8; 4] = *b"OLWT";

/// The version of the format.
pub const VERSION: u8 = 3;

/// The most bytes that an origin can have.
pub const LONGEST_ORIGIN: usize = u16::MAX as usize;

/// How hard to try to make a file small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// For files that are gone soon.
    Little = 1,
    /// For those that are packed once and unpacked by everybody.
    Much = 9,
}

/// Why bytes are not a file of weights that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// It does not begin like one.
    NotWeights,
    /// It was written by another version.
    Version(u8),
    /// It ends too soon.
    Short,
    /// Its contents are not what was written.
    Damaged,
    /// Its weights are for another set of patterns or stages.
    OtherShapes,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWeights => write!(f, "this is not a file of weights: it does not begin with OLWT"),
            Self::Version(version) => write!(
                f,
                "these weights have version {version} and this program reads version {VERSION}: train or fetch others"
            ),
            Self::Short => write!(f, "the file ends too soon: copy it again"),
            Self::Damaged => write!(f, "the file is damaged, its checksum is wrong: copy it again"),
            Self::OtherShapes => {
                write!(f, "these weights are for other patterns than this program's: train others")
            }
        }
    }
}

impl Error for WeightsError {}

/// The bytes of a file.
#[must_use]
pub fn encode(packed: &Packed, effort: Effort) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend([VERSION, rules_byte(packed.rules)]);
    let different = packed.stages.first().map_or(0, Vec::len);
    bytes.extend((packed.stages.len() as u16).to_le_bytes());
    bytes.extend((different as u32).to_le_bytes());
    let origin = truncated(&packed.origin, LONGEST_ORIGIN);
    bytes.extend((origin.len() as u16).to_le_bytes());
    bytes.extend(origin.as_bytes());
    bytes.extend(packed.tempo.iter().flat_map(|weight| weight.to_le_bytes()));
    let parts: Vec<Vec<u8>> = packed.stages.iter().map(|stage| deflated(stage, effort)).collect();
    bytes.extend(parts.iter().flat_map(|part| (part.len() as u32).to_le_bytes()));
    let parts = parts.concat();
    bytes.extend(checksum(&bytes, &parts).to_le_bytes());
    bytes.extend(parts);
    bytes
}

/// The part of a stage.
fn deflated(stage: &[i16], effort: Effort) -> Vec<u8> {
    let folded = stage.iter().copied().map(fold);
    let low = folded.clone().map(|word| word as u8);
    let planes: Vec<u8> = low.chain(folded.map(|word| (word >> 8) as u8)).collect();
    compress_to_vec(&planes, effort as u8)
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they are anything else.
pub fn decode(bytes: &[u8]) -> Result<Packed, WeightsError> {
    let file = File::open(bytes)?;
    let stages: Result<_, _> = (0..STAGES).map(|at| file.stage(at)).collect();
    Ok(Packed { rules: file.rules, origin: file.origin, tempo: file.tempo, stages: stages? })
}

/// A file that was written like this one, with its stages still as they are in it.
#[derive(Debug)]
pub(super) struct File<'a> {
    pub(super) rules: Rules,
    pub(super) origin: String,
    pub(super) tempo: [i16; 64],
    parts: Vec<&'a [u8]>,
}

impl<'a> File<'a> {
    /// Looks at everything but the weights of the stages.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, WeightsError> {
        let mut rest = bytes;
        if take::<4>(&mut rest).map_err(|_| WeightsError::NotWeights)? != MAGIC {
            return Err(WeightsError::NotWeights);
        }
        let [version, rules] = take(&mut rest)?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let stages = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let different = u32::from_le_bytes(take(&mut rest)?) as usize;
        let length = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let origin = split_off(&mut rest, length)?;
        let mut tempo = [0; 64];
        for weight in &mut tempo {
            *weight = i16::from_le_bytes(take(&mut rest)?);
        }
        let lengths: Result<Vec<_>, _> =
            (0..stages).map(|_| take(&mut rest).map(u32::from_le_bytes)).collect();
        let before = &bytes[..bytes.len() - rest.len()];
        let sum = u32::from_le_bytes(take(&mut rest)?);
        let after = rest;
        let parts: Result<_, _> =
            lengths?.into_iter().map(|length| split_off(&mut rest, length as usize)).collect();
        let parts = parts?;
        if !rest.is_empty() || checksum(before, after) != sum {
            return Err(WeightsError::Damaged);
        }
        let rules = rules_of(rules).ok_or(WeightsError::Damaged)?;
        if stages != STAGES || different != Packed::stage_length() {
            return Err(WeightsError::OtherShapes);
        }
        Ok(Self { rules, origin: String::from_utf8_lossy(origin).into_owned(), tempo, parts })
    }

    /// The weights of a stage.
    pub(super) fn stage(&self, at: usize) -> Result<Vec<i16>, WeightsError> {
        let mut planes = vec![0; 2 * Packed::stage_length()];
        let inflated = decompress_slice_iter_to_slice(&mut planes, iter::once(self.parts[at]), false, true);
        if inflated != Ok(planes.len()) {
            return Err(WeightsError::Damaged);
        }
        let (low, high) = planes.split_at(planes.len() / 2);
        Ok(low.iter().zip(high).map(|(&low, &high)| unfold(u16::from_le_bytes([low, high]))).collect())
    }
}

/// The first of the bytes, which are then without them.
fn split_off<'a>(bytes: &mut &'a [u8], count: usize) -> Result<&'a [u8], WeightsError> {
    let (first, rest) = bytes.split_at_checked(count).ok_or(WeightsError::Short)?;
    *bytes = rest;
    Ok(first)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], WeightsError> {
    let (first, rest) = bytes.split_first_chunk().ok_or(WeightsError::Short)?;
    *bytes = rest;
    Ok(*first)
}

fn checksum(before: &[u8], after: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(after);
    hasher.finalize()
}

/// The beginning of a text that has at most so many bytes.
fn truncated(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

const fn rules_byte(rules: Rules) -> u8 {
    match rules {
        Rules::Reversed => 0,
        Rules::Standard => 1,
    }
}

const fn rules_of(byte: u8) -> Option<Rules> {
    match byte {
        0 => Some(Rules::Reversed),
        1 => Some(Rules::Standard),
        _ => None,
    }
}

/// Numbers near zero become small, whatever their sign.
const fn fold(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unfold(word: u16) -> i16 {
    (word >> 1) as i16 ^ -((word & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn some() -> Packed {
        let mut random = Random::new(5);
        let mut packed = Packed { origin: "a test".into(), ..Packed::zeroes(Rules::Standard) };
        for weight in packed.tempo.iter_mut().chain(packed.stages.iter_mut().flatten().step_by(997)) {
            *weight = random.draw() as i16;
        }
        packed
    }

    #[test]
    fn what_was_written_is_read() {
        let packed = some();
        assert_eq!(decode(&encode(&packed, Effort::Little)), Ok(packed));
    }

    #[test]
    fn anything_else_is_refused() {
        let bytes = encode(&some(), Effort::Much);
        assert_eq!(decode(b""), Err(WeightsError::NotWeights));
        assert_eq!(decode(b"PNG\0and more"), Err(WeightsError::NotWeights));
        let mut random = Random::new(6);
        for _ in 0..200 {
            assert!(decode(&bytes[..random.below(bytes.len())]).is_err());
            let mut damaged = bytes.clone();
            damaged[random.below(bytes.len())] ^= 1 << random.below(8);
            assert!(decode(&damaged).is_err());
        }
        let other_version: Vec<u8> = [&bytes[..4], &[9], &bytes[5..]].concat();
        assert_eq!(decode(&other_version), Err(WeightsError::Version(9)));
        let longer: Vec<u8> = [&bytes[..], b"x"].concat();
        assert_eq!(decode(&longer), Err(WeightsError::Damaged));
    }

    #[test]
    fn folding_keeps_every_number() {
        assert_eq!([0, -1, 1, -2].map(fold), [0, 1, 2, 3]);
        assert!((i16::MIN..=i16::MAX).all(|value| unfold(fold(value)) == value));
    }
}
