//! Files of recorded games: reading them block by block, and adding to one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::block::{Block, BlockError, BlockHeader, FormatVersion, HEADER_LENGTH, MAGIC};
use super::game::TrainingGame;
use super::settings::SelfplaySettings;
use crate::files::append_log::{AppendError, AppendFile};

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
        "games {}, byte {offset}: {error}; 'truncate -s {offset}' keeps what comes before, and the command that made the \
         file plays the rest again",
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

/// The blocks of a file. After an error there are no more.
#[derive(Debug)]
pub struct BlockReader<R> {
    path: PathBuf,
    input: R,
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
        Self { path: path.to_owned(), input, offset: 0, failed: false }
    }

    /// Where the next block begins; after an error, where the block at fault does.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    fn read_block(&mut self) -> Result<Option<Block>, RecordFileError> {
        let mut header = [0; HEADER_LENGTH];
        match self.fill(&mut header)? {
            0 => return Ok(None),
            HEADER_LENGTH => {}
            // A torn block is cut off later; a file of another kind must not be.
            short if !header[..short].starts_with(&MAGIC[..short.min(MAGIC.len())]) => {
                return Err(self.damaged(BlockError::NoBlock));
            }
            _ => return Err(self.torn()),
        }
        let header = BlockHeader::decode(&header).map_err(|error| self.damaged(error))?;
        let mut payload = vec![0; header.length as usize];
        if self.fill(&mut payload)? < payload.len() {
            return Err(self.torn());
        }
        let block = Block::decode(&header, &payload).map_err(|error| self.damaged(error))?;
        self.offset += (HEADER_LENGTH + payload.len()) as u64;
        Ok(Some(block))
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

    /// Reads until the buffer is full or the input ends; returns how many bytes that was.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, RecordFileError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(AppendError::Io(self.path.clone(), error).into()),
            }
        }
        Ok(filled)
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
    /// Opens a file, or creates it, and passes every game to `visit`. A torn last block is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, is damaged, in use, of an older format, or made with other settings; it is left alone then.
    pub fn open(
        path: &Path,
        settings: &SelfplaySettings,
        mut visit: impl FnMut(&TrainingGame),
    ) -> Result<(Self, RecordContents), RecordFileError> {
        let mut file = AppendFile::open(path)?;
        let mut contents = RecordContents::default();
        let input = file.rewind()?;
        let length = input.metadata().map_err(|error| AppendError::Io(path.to_owned(), error))?.len();
        let mut reader = BlockReader::new(path, BufReader::new(input));
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
                }
                Some(Err(RecordFileError::Torn { offset, .. })) => {
                    contents.torn = length.saturating_sub(offset);
                    break;
                }
                Some(Err(error)) => return Err(error),
            }
        }
        contents.bytes = reader.offset();
        if contents.torn > 0 {
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
