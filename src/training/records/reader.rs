//! Reading files of games, a block at a time.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::vec;

use super::block::{Block, Damage, HEADER_LENGTH, Header, MAGIC, Settings};
use super::game::Game;

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum RecordError {
    /// It cannot be read or written.
    File(PathBuf, io::Error),
    /// It ends within a block.
    Torn {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
    },
    /// A block is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// What is wrong.
        damage: Damage,
    },
    /// Some block was made with other settings.
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        offset: u64,
        /// The settings in it.
        found: Settings,
        /// Those asked for.
        wanted: Settings,
    },
    /// Another process is writing it.
    InUse(PathBuf),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "games {}: {error}", path.display()),
            Self::Torn { path, offset } => write!(
                f,
                "games {}: the last block, at byte {offset}, is incomplete; the command that made the file plays it \
                 again, and 'truncate -s {offset}' cuts it off",
                path.display()
            ),
            Self::Damaged { path, offset: 0, damage: damage @ (Damage::NoBlock | Damage::Version(_)) } => {
                write!(f, "games {}: {damage}; is it the right file?", path.display())
            }
            Self::Damaged { path, offset, damage } => write!(
                f,
                "games {}, byte {offset}: {damage}; 'truncate -s {offset}' keeps what comes before, and the command that \
                 made the file plays the rest again",
                path.display()
            ),
            Self::OtherSettings { path, offset, found, wanted } => write!(
                f,
                "games {}, byte {offset}, were played with other settings ({found}; now {wanted}): give the same \
                 options, or another file",
                path.display()
            ),
            Self::InUse(path) => write!(f, "games {}: another process is writing them", path.display()),
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) => Some(error),
            _ => None,
        }
    }
}

/// The blocks of a file, one after the other. After an error there are no more.
#[derive(Debug)]
pub struct Reader<R> {
    path: PathBuf,
    input: R,
    offset: u64,
    failed: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|error| RecordError::File(path.to_owned(), error))?;
        Ok(Self::new(path, BufReader::with_capacity(1 << 16, file)))
    }
}

impl<R: Read> Reader<R> {
    /// Reads from anywhere; the path is for messages.
    pub fn new(path: &Path, input: R) -> Self {
        Self { path: path.to_owned(), input, offset: 0, failed: false }
    }

    /// Where the next block begins; after an error, where the block that is at fault does.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// All the games that are left, without the blocks.
    pub fn games(self) -> Games<R> {
        Games { blocks: self, games: Vec::new().into_iter() }
    }

    fn read_block(&mut self) -> Result<Option<Block>, RecordError> {
        let mut header = [0; HEADER_LENGTH];
        match self.fill(&mut header)? {
            0 => return Ok(None),
            HEADER_LENGTH => {}
            // Whoever mends a torn block must not cut a file of another kind.
            short if !header[..short].starts_with(&MAGIC[..short.min(MAGIC.len())]) => {
                return Err(self.damaged(Damage::NoBlock));
            }
            _ => return Err(self.torn()),
        }
        let header = Header::decode(&header).map_err(|damage| self.damaged(damage))?;
        let mut payload = vec![0; header.length as usize];
        if self.fill(&mut payload)? < payload.len() {
            return Err(self.torn());
        }
        let block = Block::decode(&header, &payload).map_err(|damage| self.damaged(damage))?;
        self.offset += (HEADER_LENGTH + payload.len()) as u64;
        Ok(Some(block))
    }

    fn torn(&self) -> RecordError {
        RecordError::Torn { path: self.path.clone(), offset: self.offset }
    }

    fn damaged(&self, damage: Damage) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), offset: self.offset, damage }
    }

    /// Reads until the buffer is full or the input at its end; how much that was.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, RecordError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.input.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(RecordError::File(self.path.clone(), error)),
            }
        }
        Ok(filled)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Block, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let block = self.read_block();
        self.failed = block.is_err();
        block.transpose()
    }
}

/// The games of a file, one after the other. After an error there are no more.
#[derive(Debug)]
pub struct Games<R> {
    blocks: Reader<R>,
    games: vec::IntoIter<Game>,
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.next() {
                return Some(Ok(game));
            }
            match self.blocks.next()? {
                Ok(block) => self.games = block.games.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The games of many files, one after the other; a file that cannot be read on ends with an error, and the next follows.
pub fn games_of<'a>(
    paths: impl IntoIterator<Item = &'a Path>,
) -> impl Iterator<Item = Result<Game, RecordError>> {
    paths.into_iter().flat_map(|path| {
        let (games, error) = match Reader::open(path) {
            Ok(reader) => (Some(reader.games()), None),
            Err(error) => (None, Some(Err(error))),
        };
        error.into_iter().chain(games.into_iter().flatten())
    })
}
