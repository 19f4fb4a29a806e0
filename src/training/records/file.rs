//! Files of recorded games: reading them block by block, and adding to one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::block::{Block, BlockError, BlockHeader, FormatVersion, HEADER_LENGTH, MAGIC};
use super::game::TrainingGame;
use super::settings::SelfplaySettings;
use crate::files::append_file::{AppendError, AppendFile};
use crate::files::damage::{Damage, Place, report_left_out};

/// What messages call such a file.
const NAME: &str = "games";

/// How much is read at a time to find the next whole block.
const STEP: u64 = 1 << 16;

/// Why a file of games cannot be used. Offsets are where the block at fault begins.
#[derive(Debug, Error)]
pub enum RecordFileError {
    #[error("games {0}")]
    File(#[from] AppendError),
    #[error(
        "games {}: the last block, at byte {offset}, is incomplete; the command that made the file plays it again, and \
         'truncate -s {offset}' cuts it off",
        path.display()
    )]
    Torn { path: PathBuf, offset: u64 },
    #[error("games {}: {error}; is it the right file?", path.display())]
    OtherKind { path: PathBuf, error: BlockError },
    #[error(
        "games {}, byte {offset}: {error}; the `ollehto selfplay` that made the file leaves the block out and plays it again",
        path.display()
    )]
    Damaged { path: PathBuf, offset: u64, error: BlockError },
    #[error(
        "games {}, byte {offset}, were played with other settings ({found}; now {wanted}): give the same options, or \
         another file",
        path.display()
    )]
    OtherSettings { path: PathBuf, offset: u64, found: Box<SelfplaySettings>, wanted: Box<SelfplaySettings> },
    #[error(
        "games {} are of an older format (version 1) without the values of searches: they can be read, but new games need \
         another file",
        path.display()
    )]
    OlderFormat { path: PathBuf },
}

impl RecordFileError {
    /// What is wrong with a block, without the name of the file.
    fn problem(&self) -> String {
        match self {
            Self::OtherKind { error, .. } | Self::Damaged { error, .. } => error.to_string(),
            _ => "the block is incomplete".into(),
        }
    }
}

/// The blocks of a file. After an error there are no more.
#[derive(Debug)]
pub struct BlockReader<R> {
    path: PathBuf,
    input: R,
    /// Read, but not part of a block yet.
    ahead: Vec<u8>,
    offset: u64,
    failed: bool,
}

impl BlockReader<BufReader<File>> {
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> Result<Self, RecordFileError> {
        let file = File::open(path).map_err(|error| AppendError::Io(path.to_owned(), error))?;
        Ok(Self::new(path, BufReader::with_capacity(1 << 16, file)))
    }
}

impl<R: Read> BlockReader<R> {
    /// Reads from anywhere; the path is for messages.
    pub fn new(path: &Path, input: R) -> Self {
        Self { path: path.to_owned(), input, ahead: Vec::new(), offset: 0, failed: false }
    }

    /// Where the next block begins; after an error, where the block at fault does.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    fn read_block(&mut self) -> Result<Option<Block>, RecordFileError> {
        self.read_ahead(HEADER_LENGTH)?;
        let Some(header) = self.ahead.first_chunk() else {
            return match self.ahead.as_slice() {
                [] => Ok(None),
                // A torn block is cut off later; a file of another kind must not be.
                short if !short.starts_with(&MAGIC[..short.len().min(MAGIC.len())]) => {
                    Err(self.damaged(BlockError::NoBlock))
                }
                _ => Err(self.torn()),
            };
        };
        let header = BlockHeader::decode(header).map_err(|error| self.damaged(error))?;
        let length = HEADER_LENGTH + header.length as usize;
        self.read_ahead(length)?;
        let payload = self.ahead.get(HEADER_LENGTH..length).ok_or_else(|| self.torn())?;
        let block = Block::decode(&header, payload).map_err(|error| self.damaged(error))?;
        self.advance(length);
        Ok(Some(block))
    }

    /// After an error: goes on to the next header that agrees with its checksum. Returns whether there is one.
    ///
    /// # Errors
    /// If the input cannot be read.
    fn find_block(&mut self) -> Result<bool, RecordFileError> {
        let mut at = 1;
        loop {
            let rest = self.ahead.get(at..).unwrap_or_default();
            let mut windows = rest.windows(HEADER_LENGTH).filter_map(<[u8]>::first_chunk);
            if let Some(skipped) = windows.position(|header| BlockHeader::decode(header).is_ok()) {
                self.advance(at + skipped);
                self.failed = false;
                return Ok(true);
            }
            self.advance(self.ahead.len().saturating_sub(HEADER_LENGTH - 1));
            let before = self.ahead.len();
            self.read_ahead(before + STEP as usize)?;
            if self.ahead.len() == before {
                self.advance(before);
                return Ok(false);
            }
            at = 0;
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.ahead.drain(..bytes);
        self.offset += bytes as u64;
    }

    fn torn(&self) -> RecordFileError {
        RecordFileError::Torn { path: self.path.clone(), offset: self.offset }
    }

    fn damaged(&self, error: BlockError) -> RecordFileError {
        let (path, offset) = (self.path.clone(), self.offset);
        match error {
            BlockError::NoBlock | BlockError::Version(_) if offset == 0 => {
                RecordFileError::OtherKind { path, error }
            }
            _ => RecordFileError::Damaged { path, offset, error },
        }
    }

    /// Reads until there are so many bytes ahead, or the input ends.
    fn read_ahead(&mut self, bytes: usize) -> Result<(), RecordFileError> {
        let missing = bytes.saturating_sub(self.ahead.len()) as u64;
        let read = self.input.by_ref().take(missing).read_to_end(&mut self.ahead);
        read.map(drop).map_err(|error| AppendError::Io(self.path.clone(), error).into())
    }
}

impl<R: Read> Iterator for BlockReader<R> {
    type Item = Result<Block, RecordFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let block = self.read_block();
        self.failed = block.is_err();
        block.transpose()
    }
}

/// The games of many files. After an error of one file the next one follows.
pub fn games_of<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
) -> impl Iterator<Item = Result<TrainingGame, RecordFileError>> {
    let blocks = paths.into_iter().flat_map(|path| {
        let (blocks, error) = match BlockReader::open(path) {
            Ok(blocks) => (Some(blocks), None),
            Err(error) => (None, Some(Err(error))),
        };
        error.into_iter().chain(blocks.into_iter().flatten())
    });
    blocks.flat_map(|block| {
        let (games, error) = match block {
            Ok(block) => (block.games, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        games.into_iter().map(Ok).chain(error)
    })
}

/// A file open for more games; locked meanwhile.
#[derive(Debug)]
pub struct RecordFile(AppendFile);

/// What a file held when it was opened.
#[derive(Clone, Debug, Default)]
pub struct RecordContents {
    /// How many games there are from each first number of a block on.
    runs: BTreeMap<u64, u64>,
    /// The bytes of whole blocks.
    pub bytes: u64,
    /// The bytes of a torn last block, which was cut off.
    pub torn: u64,
}

impl RecordContents {
    #[must_use]
    pub fn games(&self) -> u64 {
        self.runs.values().sum()
    }

    /// The first number from this one on whose game is missing, as far as blocks follow each other.
    #[must_use]
    pub fn missing_from(&self, mut number: u64) -> u64 {
        while let Some(&count) = self.runs.get(&number) {
            number += count;
        }
        number
    }
}

impl RecordFile {
    /// Opens a file, or creates it, and passes every game to `visit`. A torn last block is cut off; damaged ones are left
    /// out, and standard error tells so.
    ///
    /// # Errors
    /// If it cannot be read or written, is in use, of an older format, or made with other settings; it is left alone then.
    pub fn open(
        path: &Path,
        settings: &SelfplaySettings,
        mut visit: impl FnMut(&TrainingGame),
    ) -> Result<(Self, RecordContents), RecordFileError> {
        let mut file = AppendFile::open(path)?;
        let mut contents = RecordContents::default();
        let length = file.len();
        let mut reader = BlockReader::new(path, BufReader::new(file.rewind()?));
        let (mut kept, mut damage): (Vec<Range<u64>>, _) = (Vec::new(), Vec::new());
        loop {
            let offset = reader.offset();
            match reader.next() {
                None => break,
                Some(Ok(block)) if block.version != FormatVersion::Values => {
                    return Err(RecordFileError::OlderFormat { path: path.to_owned() });
                }
                Some(Ok(block)) if block.settings != *settings => {
                    let (path, found, wanted) = (path.to_owned(), block.settings.into(), (*settings).into());
                    return Err(RecordFileError::OtherSettings { path, offset, found, wanted });
                }
                Some(Ok(block)) => {
                    block.games.iter().for_each(&mut visit);
                    let count = block.games.len() as u64;
                    let known = contents.runs.entry(block.first).or_default();
                    *known = count.max(*known);
                    kept.push(offset..reader.offset());
                }
                Some(Err(error @ (RecordFileError::File(_) | RecordFileError::OtherSettings { .. }))) => {
                    return Err(error);
                }
                Some(Err(error)) => match (reader.find_block()?, error) {
                    (false, RecordFileError::Torn { .. }) => contents.torn = length - offset,
                    (false, error @ RecordFileError::OtherKind { .. }) => return Err(error),
                    (_, error) => {
                        let place = Place::Bytes(offset..reader.offset());
                        damage.push(Damage { place, problem: error.problem() });
                    }
                },
            }
        }
        contents.bytes = kept.iter().map(|part| part.end - part.start).sum();
        if !damage.is_empty() {
            let aside = file.keep_only(&kept)?;
            report_left_out(NAME, path, &damage, &aside);
        } else if contents.torn > 0 {
            file.truncate(contents.bytes)?;
        }
        Ok((Self(file), contents))
    }

    /// Adds a block and returns how many bytes it takes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, block: &Block) -> Result<u64, RecordFileError> {
        let bytes = block.encode().unwrap_or_default();
        self.0.append(&bytes)?;
        Ok(bytes.len() as u64)
    }
}
