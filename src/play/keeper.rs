//! Keeps every game on disk while it is played, so that nothing that ends the program can lose it.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::files::output::replace;
use crate::game_reader::{LastGame, ReadOptions};
use crate::time_source::Timestamp;

use super::record::{self, Choices, LoadError, Loaded};
use super::settings::GameSettings;
use super::state::State;

/// Writes the game after each move.
#[derive(Debug)]
pub struct Keeper {
    place: Place,
    /// The file of the present game, once it has a move.
    file: Option<PathBuf>,
    /// What it held when it was last read or written, if it is one of a folder. Another process may go on with the same
    /// game.
    known: Option<Vec<u8>>,
}

#[derive(Debug)]
enum Place {
    /// A file for each game.
    Folder(PathBuf),
    /// All games of this session, one a line: those before the present one, and the file.
    File { earlier: String, present: String, path: PathBuf },
    /// The system names no folder for such files.
    Nowhere,
}

impl Keeper {
    /// In the user's folder for the state of programs.
    #[must_use]
    pub fn of_user() -> Self {
        let place = games_folder().map_or(Place::Nowhere, Place::Folder);
        Self { place, file: None, known: None }
    }

    #[cfg(test)]
    pub const fn nowhere() -> Self {
        Self { place: Place::Nowhere, file: None, known: None }
    }

    /// In one file, which is replaced.
    #[must_use]
    pub fn in_file(path: PathBuf) -> Self {
        let place = Place::File { earlier: String::new(), present: String::new(), path: path.clone() };
        Self { place, file: Some(path), known: None }
    }

    /// Where the present game is kept.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The command that goes on with the present game.
    #[must_use]
    pub fn how_to_continue(&self) -> Option<String> {
        match &self.place {
            Place::Folder(_) => self.file.as_ref().map(|_| "ollehto play --continue".into()),
            Place::File { path, .. } => Some(format!("ollehto play {}", path.display())),
            Place::Nowhere => None,
        }
    }

    /// Another game has begun.
    pub fn begin(&mut self) {
        match &mut self.place {
            Place::File { earlier, present, .. } => earlier.push_str(&std::mem::take(present)),
            Place::Folder(_) | Place::Nowhere => self.file = None,
        }
    }

    /// The present game goes on in its file.
    fn go_on(&mut self, file: PathBuf) {
        if let Place::Folder(_) = self.place {
            self.known = fs::read(&file).ok();
            self.file = Some(file);
        }
    }

    /// A file that another process has changed stays as it is: the game goes on in a new one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, state: &State) -> io::Result<()> {
        let game = record::record(state);
        if game.moves.is_empty() && self.file.is_none() {
            return Ok(());
        }
        let line = format!("{game}\n");
        match &mut self.place {
            Place::Nowhere => Ok(()),
            Place::File { earlier, present, path } => {
                *present = line;
                replace(path, format!("{earlier}{present}").as_bytes())
            }
            Place::Folder(folder) => {
                let unchanged = |file: &PathBuf| fs::read(file).ok() == self.known;
                let file = match self.file.take().filter(unchanged) {
                    Some(file) => file,
                    None => {
                        let file = new_file(folder)?;
                        self.known = Some(Vec::new());
                        file
                    }
                };
                let written = replace(&file, line.as_bytes());
                self.file = Some(file);
                written?;
                self.known = Some(line.into_bytes());
                Ok(())
            }
        }
    }

    /// Goes on with the newest unfinished game.
    ///
    /// # Errors
    /// If there is none, or it is of other rules than were chosen.
    pub fn continue_last(&mut self, choices: &Choices, now: Timestamp) -> Result<Loaded, LoadError> {
        let Place::Folder(folder) = &self.place else { return Err(LoadError::NothingToContinue) };
        let file = last_unfinished(folder).ok_or(LoadError::NothingToContinue)?;
        let loaded = record::load(&file, choices, &GameSettings::default(), now)?;
        self.go_on(file);
        Ok(loaded)
    }

    #[must_use]
    pub fn has_unfinished(&self) -> bool {
        matches!(&self.place, Place::Folder(folder) if last_unfinished(folder).is_some())
    }
}

/// `ollehto/games` in the folder that the XDG specification names, or in the one of Windows.
fn games_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".local").join("state")))
        .or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("ollehto").join("games"))
}

/// An empty file with a name of its own.
fn new_file(folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let date = record::date(SystemTime::now()).replace(':', "");
    let mut names = (1..).map(|n| match n {
        1 => format!("{date}.ggf"),
        n => format!("{date}-{n}.ggf"),
    });
    loop {
        let Some(name) = names.next() else { return Err(io::ErrorKind::AlreadyExists.into()) };
        let path = folder.join(name);
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn last_unfinished(folder: &Path) -> Option<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ggf"))
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .collect();
    files.sort_by(|one, other| other.cmp(one));
    let is_unfinished = |path: &PathBuf| match record::read_last(path, &ReadOptions::new(None, None)) {
        Ok(LastGame { game: Some(read), .. }) => {
            let record = read.record();
            record.result.is_none() && !record.moves.is_empty()
        }
        _ => false,
    };
    files.into_iter().map(|(_, path)| path).find(is_unfinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_another_process_goes_on_with_is_not_replaced() {
        let folder = env::temp_dir().join(format!("ollehto-keeper-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let keeper = || Keeper { place: Place::Folder(folder.clone()), file: None, known: None };
        let now = Timestamp::now();
        let mut state = State::new(GameSettings::default(), now);
        let mut play = || {
            let square = state.position().moves().first().expect("it has only begun");
            state.play(square, None, now).expect("legal");
            state.clone()
        };
        let (mut one, mut other) = (keeper(), keeper());
        one.keep(&play()).expect("written");
        other.go_on(one.file().expect("kept").to_owned());
        one.keep(&play()).expect("written");
        let file = one.file().expect("kept").to_owned();
        let newer = fs::read(&file).expect("there");
        other.keep(&play()).expect("written");
        assert_eq!(fs::read(&file).expect("there"), newer);
        assert_ne!(other.file(), Some(file.as_path()));
        other.keep(&play()).expect("written");
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 2);
        let _ = fs::remove_dir_all(&folder);
    }
}
