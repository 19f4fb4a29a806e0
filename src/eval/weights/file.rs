//! The file format of weights.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `OLWT` |
//! | 1 | version of this format, 4 |
//! | 1 | rule set: 0 reversed, 1 standard |
//! | 2 | number of stages |
//! | 4 | number of weights of a stage |
//! | 2 | length of the origin |
//! | n | the origin, UTF-8 |
//! | 128 | the 64 weights of being to move |
//! | 4 for each stage | length of its part |
//! | 4 | length of the hidden layer's part; 0 if there is none |
//! | 4 | CRC-32 of all bytes before this one and of all after it |
//! | m for each stage | its part, deflated: the low bytes of its weights, then their high bytes |
//! | k | the hidden layer |
//!
//! Numbers are little-endian. Weights are zigzag-encoded (0, -1, 1, -2, …) before their bytes are separated: most are
//! small. The hidden layer has for each stage the bias and the output weights, each in two bytes; a bit for each row,
//! lowest first, that tells whether it is anything but zeroes; and those rows, a byte for each number. Version 3 has no
//! hidden layer and not its length. Each part can be read without the others, so that a stage is unpacked only when it
//! is needed.

use std::error::Error;
use std::fmt;
use std::iter;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use super::layout::STAGES;
use super::network::PackedNetwork;
use super::packed::PackedWeights;
use crate::eval::rows::{Row, WIDTH};
use crate::rules::Rules;

const MAGIC: [u8; 4] = *b"OLWT";

pub const VERSION: u8 = 4;

/// Read, but not written.
const WITHOUT_NETWORK: u8 = 3;

pub const MAX_ORIGIN_BYTES: usize = u16::MAX as usize;

/// The deflate level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Fast = 1,
    Best = 9,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The magic number is missing.
    NotWeights,
    Version(u8),
    /// The file ends too soon.
    Short,
    /// The checksum is wrong.
    Damaged,
    /// The weights are for another set of patterns or stages.
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

#[must_use]
pub fn encode(packed: &PackedWeights, compression: Compression) -> Vec<u8> {
    let mut bytes = Vec::from(MAGIC);
    bytes.extend([VERSION, packed.rules.code()]);
    let stage_length = packed.stages.first().map_or(0, Vec::len);
    bytes.extend((packed.stages.len() as u16).to_le_bytes());
    bytes.extend((stage_length as u32).to_le_bytes());
    let origin = truncated(&packed.origin, MAX_ORIGIN_BYTES);
    bytes.extend((origin.len() as u16).to_le_bytes());
    bytes.extend(origin.as_bytes());
    bytes.extend(packed.tempo.iter().flat_map(|weight| weight.to_le_bytes()));
    let stages = packed.stages.iter().map(|stage| deflate(stage, compression));
    let network = packed.network.as_ref().map(network_bytes);
    let parts: Vec<Vec<u8>> = stages.chain([network.unwrap_or_default()]).collect();
    bytes.extend(parts.iter().flat_map(|part| (part.len() as u32).to_le_bytes()));
    let parts = parts.concat();
    bytes.extend(checksum(&bytes, &parts).to_le_bytes());
    bytes.extend(parts);
    bytes
}

fn deflate(stage: &[i16], compression: Compression) -> Vec<u8> {
    let words = stage.iter().copied().map(zigzag);
    let low = words.clone().map(|word| word as u8);
    let planes: Vec<u8> = low.chain(words.map(|word| (word >> 8) as u8)).collect();
    compress_to_vec(&planes, compression as u8)
}

/// Not deflated: that would save a tenth of the file, and take longer to unpack than a quick move may take.
fn network_bytes(network: &PackedNetwork) -> Vec<u8> {
    let outputs = network.outputs.iter().flat_map(|output| output.bias.into_iter().chain(output.weights));
    let is_used = |row: &Row| row.iter().any(|&number| number != 0);
    let mut used = vec![0; network.rows.len().div_ceil(8)];
    for (at, _) in network.rows.iter().enumerate().filter(|(_, row)| is_used(row)) {
        used[at / 8] |= 1 << (at % 8);
    }
    let rows = network.rows.iter().filter(|row| is_used(row)).flatten().map(|&number| number as u8);
    outputs.flat_map(i16::to_le_bytes).chain(used).chain(rows).collect()
}

/// Reads a whole file.
///
/// # Errors
/// If it is anything else.
pub fn decode(bytes: &[u8]) -> Result<PackedWeights, WeightsError> {
    let file = WeightsFile::open(bytes)?;
    let stages: Result<_, _> = (0..STAGES).map(|at| file.stage(at)).collect();
    let network = file.network()?;
    Ok(PackedWeights { rules: file.rules, origin: file.origin, tempo: file.tempo, stages: stages?, network })
}

/// A file with its stages still packed.
#[derive(Debug)]
pub(super) struct WeightsFile<'a> {
    pub(super) rules: Rules,
    pub(super) origin: String,
    pub(super) tempo: [i16; 64],
    parts: Vec<&'a [u8]>,
    /// Empty if there is no hidden layer.
    network: &'a [u8],
}

impl<'a> WeightsFile<'a> {
    /// Reads the header and checks the checksum.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, WeightsError> {
        let mut rest = bytes;
        if take::<4>(&mut rest).map_err(|_| WeightsError::NotWeights)? != MAGIC {
            return Err(WeightsError::NotWeights);
        }
        let [version, rules] = take(&mut rest)?;
        if ![VERSION, WITHOUT_NETWORK].contains(&version) {
            return Err(WeightsError::Version(version));
        }
        let stages = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let stage_length = u32::from_le_bytes(take(&mut rest)?) as usize;
        let length = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let origin = split_off(&mut rest, length)?;
        let mut tempo = [0; 64];
        for weight in &mut tempo {
            *weight = i16::from_le_bytes(take(&mut rest)?);
        }
        let count = if version == WITHOUT_NETWORK { stages } else { stages + 1 };
        let lengths: Result<Vec<_>, _> =
            (0..count).map(|_| take(&mut rest).map(u32::from_le_bytes)).collect();
        let before = &bytes[..bytes.len() - rest.len()];
        let sum = u32::from_le_bytes(take(&mut rest)?);
        let after = rest;
        let parts: Result<Vec<_>, _> =
            lengths?.into_iter().map(|length| split_off(&mut rest, length as usize)).collect();
        let mut parts = parts?;
        let network = parts.split_off(stages).pop().unwrap_or_default();
        if !rest.is_empty() || checksum(before, after) != sum {
            return Err(WeightsError::Damaged);
        }
        let rules = Rules::from_code(rules).ok_or(WeightsError::Damaged)?;
        if stages != STAGES || stage_length != PackedWeights::stage_length() {
            return Err(WeightsError::OtherShapes);
        }
        Ok(Self { rules, origin: String::from_utf8_lossy(origin).into_owned(), tempo, parts, network })
    }

    /// Unpacks a stage.
    pub(super) fn stage(&self, at: usize) -> Result<Vec<i16>, WeightsError> {
        let mut planes = vec![0; 2 * PackedWeights::stage_length()];
        let inflated = decompress_slice_iter_to_slice(&mut planes, iter::once(self.parts[at]), false, true);
        if inflated != Ok(planes.len()) {
            return Err(WeightsError::Damaged);
        }
        let (low, high) = planes.split_at(planes.len() / 2);
        Ok(low.iter().zip(high).map(|(&low, &high)| unzigzag(u16::from_le_bytes([low, high]))).collect())
    }

    /// Unpacks the hidden layer.
    pub(super) fn network(&self) -> Result<Option<PackedNetwork>, WeightsError> {
        if self.network.is_empty() {
            return Ok(None);
        }
        let mut network = PackedNetwork::zeroes();
        let mut rest = self.network;
        for output in network.outputs.iter_mut() {
            for number in output.bias.iter_mut().chain(&mut output.weights) {
                *number = i16::from_le_bytes(take(&mut rest)?);
            }
        }
        let used = split_off(&mut rest, network.rows.len().div_ceil(8))?;
        let rows = network.rows.iter_mut().enumerate();
        for (_, row) in rows.filter(|(at, _)| used[at / 8] >> (at % 8) & 1 == 1) {
            *row = take::<WIDTH>(&mut rest)?.map(|byte| byte as i8);
        }
        if rest.is_empty() && network.is_within_limits() {
            Ok(Some(network))
        } else {
            Err(WeightsError::Damaged)
        }
    }
}

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

fn truncated(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Numbers near zero become small, whatever their sign.
const fn zigzag(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

const fn unzigzag(word: u16) -> i16 {
    (word >> 1) as i16 ^ -((word & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::rows::ROW_LIMIT;
    use crate::eval::weights::OUTPUT_LIMIT;
    use crate::random::Random;

    fn some() -> PackedWeights {
        let mut random = Random::new(5);
        let mut packed = PackedWeights { origin: "a test".into(), ..PackedWeights::zeroes(Rules::Standard) };
        for weight in packed.tempo.iter_mut().chain(packed.stages.iter_mut().flatten().step_by(997)) {
            *weight = random.draw() as i16;
        }
        packed
    }

    fn some_network() -> PackedNetwork {
        let mut random = Random::new(7);
        let mut network = PackedNetwork::zeroes();
        for output in network.outputs.iter_mut() {
            for number in output.bias.iter_mut().chain(&mut output.weights) {
                *number = random.draw() as i16 / 10;
            }
        }
        for number in network.rows.iter_mut().flatten().step_by(101) {
            *number = random.draw() as i8 / 3;
        }
        network
    }

    #[test]
    fn what_was_written_is_read() {
        let packed = some();
        assert_eq!(decode(&encode(&packed, Compression::Fast)), Ok(packed.clone()));
        let packed = PackedWeights { network: Some(some_network()), ..packed };
        assert_eq!(decode(&encode(&packed, Compression::Fast)), Ok(packed));
    }

    #[test]
    fn what_may_overflow_is_refused() {
        let refused = |change: fn(&mut PackedNetwork)| {
            let mut network = some_network();
            change(&mut network);
            let packed = PackedWeights { network: Some(network), ..some() };
            decode(&encode(&packed, Compression::Fast)) == Err(WeightsError::Damaged)
        };
        assert!(!refused(|network| network.rows[5][3] = ROW_LIMIT));
        assert!(refused(|network| network.rows[5][3] = ROW_LIMIT + 1));
        assert!(refused(|network| network.outputs[2].weights[3] = -OUTPUT_LIMIT - 1));
        assert!(refused(|network| network.outputs[2].bias[3] = i16::MAX));
    }

    #[test]
    fn version_3_is_read() {
        let packed = some();
        let mut bytes = encode(&packed, Compression::Fast);
        // Without the length of the hidden layer, and with another checksum.
        let lengths = 14 + packed.origin.len() + 128;
        let parts = lengths + 4 * (STAGES + 1);
        bytes[4] = WITHOUT_NETWORK;
        let before = &bytes[..lengths + 4 * STAGES];
        let sum = checksum(before, &bytes[parts + 4..]);
        let old: Vec<u8> = [before, &sum.to_le_bytes(), &bytes[parts + 4..]].concat();
        assert_eq!(decode(&old), Ok(packed));
    }

    #[test]
    fn anything_else_is_refused() {
        let packed = PackedWeights { network: Some(some_network()), ..some() };
        let bytes = encode(&packed, Compression::Best);
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
    fn zigzag_keeps_every_number() {
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        assert!((i16::MIN..=i16::MAX).all(|value| unzigzag(zigzag(value)) == value));
    }
}
