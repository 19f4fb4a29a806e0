//! A file of games that is added to.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use super::block::{Block, Settings};
use super::game::Game;
use super::reader::{Reader, RecordError};

/// A file open for more games. Nobody else can open it so meanwhile.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

/// What a file held when it was opened.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// How many games there are from each first number of a block on.
    runs: BTreeMap<u64, u64>,
    /// The bytes of whole blocks.
    pub bytes: u64,
    /// The bytes of a last block that was torn and is gone now.
    pub torn: u64,
}

impl Contents {
    /// How many games there are in all.
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
    /// Opens a file, or begins one where there is none, and tells what it holds; every game is shown to `visit`. A last
    /// block that was torn by a kill is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, is damaged, in use, or made with other settings; it is left alone then.
    pub fn open(
        path: &Path,
        settings: &Settings,
        mut visit: impl FnMut(&Game),
    ) -> Result<(Self, Contents), RecordError> {
        let failed = |error| RecordError::File(path.to_owned(), error);
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut contents = Contents::default();
        let mut reader = Reader::new(path, BufReader::new(&file));
        loop {
            let offset = reader.offset();
            match reader.next() {
                None => break,
                Some(Ok(block)) if block.settings != *settings => {
                    let (found, wanted) = (block.settings, *settings);
                    return Err(RecordError::OtherSettings { path: path.to_owned(), offset, found, wanted });
                }
                Some(Ok(block)) => {
                    block.games.iter().for_each(&mut visit);
                    let count = block.games.len() as u64;
                    let known = contents.runs.entry(block.first).or_default();
                    *known = count.max(*known);
                }
                Some(Err(RecordError::Torn { offset, .. })) => {
                    contents.torn = file.metadata().map_err(failed)?.len().saturating_sub(offset);
                    break;
                }
                Some(Err(error)) => return Err(error),
            }
        }
        contents.bytes = reader.offset();
        if contents.torn > 0 {
            file.set_len(contents.bytes).map_err(failed)?;
        }
        Ok((Self { path: path.to_owned(), file }, contents))
    }

    /// Adds a block in one go, so that a kill tears the last one at most; how many bytes it takes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, block: &Block) -> Result<u64, RecordError> {
        let bytes = block.encode().unwrap_or_default();
        self.file.write_all(&bytes).map_err(|error| RecordError::File(self.path.clone(), error))?;
        Ok(bytes.len() as u64)
    }
}
