//! The files that commands write.
//!
//! A command claims all its outputs before it begins: [`Outputs::claim`] refuses a file that exists, unless `--force` was
//! given, and one that the command reads or writes under another name. A file is written under a temporary name and
//! renamed when it is complete. `-` is standard output. Files that grow over many runs are in [`super::append_file`].

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use thiserror::Error;

use super::disk::{self, DiskWriter};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    Stdout,
    File(PathBuf),
}

impl From<OsString> for Destination {
    fn from(text: OsString) -> Self {
        if text == "-" { Self::Stdout } else { Self::File(text.into()) }
    }
}

impl From<&Path> for Destination {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<&Destination> for Destination {
    fn from(to: &Destination) -> Self {
        to.clone()
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("standard output"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[derive(Debug, Error)]
pub enum OutputError {
    #[error("{} exists already: name another file, or replace it with --force", .0.display())]
    Exists(PathBuf),
    #[error("{}: give the output a file of its own", if path == input {
        format!("{} is an input", path.display())
    } else {
        format!("{} is the same file as the input {}", path.display(), input.display())
    })]
    IsInput { path: PathBuf, input: PathBuf },
    #[error("only one output can go to standard output: give the others a file each")]
    TwoOnStdout,
    #[error("{} is named for two outputs: give each a file of its own", .0.display())]
    Twice(PathBuf),
    #[error("{} is a folder: name a file", .0.display())]
    IsFolder(PathBuf),
    #[error("cannot write {}: {}; {}", .0.display(), .1, advice(.1))]
    Write(PathBuf, #[source] io::Error),
    #[error("cannot write to standard output: {0}")]
    Stdout(#[source] io::Error),
    /// The result was kept under another name.
    #[error("{} was written by somebody else meanwhile: the result is in {}", path.display(), kept.display())]
    Appeared { path: PathBuf, kept: PathBuf },
}

/// What to do about it.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room, or name a file on another disk"
        }
        _ => "name a file in a folder that exists and may be written to",
    }
}

#[derive(Debug, Default)]
pub struct Outputs {
    force: bool,
    inputs: Vec<PathBuf>,
    claimed: Vec<Destination>,
}

impl Outputs {
    #[must_use]
    pub fn new(force: bool) -> Self {
        Self { force, ..Self::default() }
    }

    /// The files that the command reads or extends: no output may be one of them. A name that is no file does no harm.
    #[must_use]
    pub fn with_inputs<P: Into<PathBuf>>(mut self, inputs: impl IntoIterator<Item = P>) -> Self {
        self.inputs.extend(inputs.into_iter().map(Into::into));
        self
    }

    /// # Errors
    /// If the output would overwrite something that must be kept, or cannot be written.
    pub fn claim(&mut self, to: impl Into<Destination>) -> Result<ClaimedOutput, OutputError> {
        let to = to.into();
        if self.claimed.iter().any(|other| is_same(other, &to)) {
            return Err(match to {
                Destination::Stdout => OutputError::TwoOnStdout,
                Destination::File(path) => OutputError::Twice(path),
            });
        }
        if let Destination::File(path) = &to {
            self.check(path)?;
        }
        self.claimed.push(to.clone());
        Ok(ClaimedOutput { to, replace: self.force })
    }

    fn check(&self, path: &Path) -> Result<(), OutputError> {
        if let Some(input) = self.inputs.iter().find(|input| is_same_file(path, input)) {
            return Err(OutputError::IsInput { path: path.to_owned(), input: input.clone() });
        }
        // Of the name itself: a dangling link exists, too.
        match fs::symlink_metadata(path) {
            Ok(_) if path.is_dir() => Err(OutputError::IsFolder(path.to_owned())),
            Ok(_) if !self.force && !is_special(path) => Err(OutputError::Exists(path.to_owned())),
            Ok(_) => Ok(()),
            // Before hours of work, not after.
            Err(_) => match fs::metadata(folder_of(path)) {
                Ok(folder) if folder.is_dir() => Ok(()),
                Ok(_) => Err(failed(path, io::ErrorKind::NotADirectory.into())),
                Err(error) => Err(failed(path, error)),
            },
        }
    }
}

/// An output that can be written once its content is known.
#[derive(Clone, Debug)]
pub struct ClaimedOutput {
    to: Destination,
    replace: bool,
}

impl ClaimedOutput {
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        self.to == Destination::Stdout
    }

    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.to {
            Destination::Stdout => None,
            Destination::File(path) => Some(path),
        }
    }

    /// # Errors
    /// If the content cannot be written; an older file is unchanged then.
    pub fn write(&self, content: impl AsRef<[u8]>) -> Result<(), OutputError> {
        self.stream(|stream| stream.write_all(content.as_ref()))
    }

    /// Writes what is too large to be kept in memory, part by part.
    ///
    /// # Errors
    /// Those of `produce`, or if the content cannot be written; an older file is unchanged then.
    pub fn stream<E: From<OutputError>>(
        &self,
        produce: impl FnOnce(&mut OutputStream<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let to = &self.to;
        match to {
            Destination::Stdout => {
                let mut stdout = io::stdout().lock();
                produce(&mut OutputStream { to, writer: &mut stdout })?;
                Ok(stdout.flush().map_err(OutputError::Stdout)?)
            }
            Destination::File(path) if is_special(path) => {
                let opened = OpenOptions::new().write(true).open(path);
                let mut file = opened.map_err(|error| failed(path, error))?;
                produce(&mut OutputStream { to, writer: &mut file })
            }
            Destination::File(path) => {
                // Through a link, so that it stays one.
                let target = if self.replace { future(path) } else { path.clone() };
                let (beside, mut file) = create_beside(&target).map_err(|error| failed(path, error))?;
                let written = produce(&mut OutputStream { to, writer: &mut DiskWriter(&mut file) })
                    .and_then(|()| Ok(disk::sync(&file).map_err(|error| failed(path, error))?));
                written.inspect_err(|_| drop(fs::remove_file(&beside)))?;
                let published = if self.replace {
                    rename(&beside, &target).map_err(|error| failed(path, error))
                } else {
                    publish(&beside, path)
                };
                Ok(published?)
            }
        }
    }
}

/// Takes the content of an output part by part.
pub struct OutputStream<'a> {
    to: &'a Destination,
    writer: &'a mut dyn Write,
}

impl OutputStream<'_> {
    /// # Errors
    /// If it cannot be written.
    pub fn write_all(&mut self, part: &[u8]) -> Result<(), OutputError> {
        self.writer.write_all(part).map_err(|error| match self.to {
            Destination::Stdout => OutputError::Stdout(error),
            Destination::File(path) => failed(path, error),
        })
    }
}

/// Replaces a file of our own, such as a checkpoint.
///
/// # Errors
/// If it cannot be written; the older file is unchanged then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by(path, content, |_| Ok(())).map(drop)
}

/// The same, and the new file has a lock before it has the name.
///
/// # Errors
/// If it cannot be written or locked; the older file is unchanged then.
pub fn replace_locked(path: &Path, content: &[u8]) -> io::Result<File> {
    replace_by(path, content, |file| Ok(file.try_lock()?))
}

fn replace_by(
    path: &Path,
    content: &[u8],
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<File> {
    // Through a link, so that it stays one.
    let path = future(path);
    let (beside, mut file) = create_beside(&path)?;
    let written = disk::write_all(&mut file, content).and_then(|()| disk::sync(&file));
    written.and_then(|()| prepare(&file)).inspect_err(|_| drop(fs::remove_file(&beside)))?;
    rename(&beside, &path)?;
    Ok(file)
}

/// Gives a temporary file its name, in place of another file.
fn rename(beside: &Path, path: &Path) -> io::Result<()> {
    disk::rename(beside, path).inspect_err(|_| drop(fs::remove_file(beside)))
}

/// Gives a temporary file its name, which must be free.
fn publish(beside: &Path, path: &Path) -> Result<(), OutputError> {
    // Renaming would replace a file; a second link is refused where there is one.
    let linked = disk::hard_link(beside, path);
    match linked {
        Ok(()) => {
            drop(fs::remove_file(beside));
            Ok(())
        }
        Err(_) if fs::symlink_metadata(path).is_ok() => {
            Err(OutputError::Appeared { path: path.to_owned(), kept: beside.to_owned() })
        }
        // Not every file system has links.
        Err(_) => rename(beside, path).map_err(|error| failed(path, error)),
    }
}

fn failed(path: &Path, error: io::Error) -> OutputError {
    OutputError::Write(path.to_owned(), error)
}

/// A temporary file in the same folder, with its name.
pub(super) fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut attempt = 0;
    loop {
        // The process id tells two runs apart; the count skips files that a killed one has left.
        let beside = path.with_added_extension(format!("{}-{attempt}.new", process::id()));
        match disk::create_new(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Whether a path is a pipe, a terminal or a device: written to, but never replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn is_same(one: &Destination, other: &Destination) -> bool {
    match (one, other) {
        (Destination::Stdout, Destination::Stdout) => true,
        (Destination::File(one), Destination::File(other)) => is_same_file(one, other),
        _ => false,
    }
}

/// Whether two paths lead to the same file, by whatever names and links, also if it does not exist yet.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (identity(one), identity(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => future(one) == future(other),
        _ => false,
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok()?;
    // Many programs may write to one pipe or terminal.
    (found.is_file() || found.is_dir()).then(|| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// Where a missing file would be created, links resolved.
pub(super) fn future(path: &Path) -> PathBuf {
    /// Longer chains of links are circles.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    let folder = fs::canonicalize(folder_of(&path)).unwrap_or_else(|_| folder_of(&path).to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path of a file that runs are resumed from, which cannot be standard output.
///
/// # Errors
/// If it is `-`.
pub fn parse_file(text: OsString) -> Result<PathBuf, &'static str> {
    match Destination::from(text) {
        Destination::File(path) => Ok(path),
        Destination::Stdout => {
            Err("a file is needed, not standard output: an interrupted run continues from it")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::checksum::{with_checksum, without_checksum};
    use crate::files::disk::{Fault, with_fault};
    use crate::files::trial::WholeTrial;
    use std::env;

    /// A folder that goes with the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("ollehto-output-{name}-{}", process::id()));
            fs::create_dir_all(&path).expect("a folder can be made");
            Self(path)
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).expect("it can be written");
            path
        }

        fn names(&self) -> Vec<String> {
            let found = fs::read_dir(&self.0).expect("it is there").flatten();
            let mut names: Vec<_> =
                found.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).expect("it is there")
    }

    #[test]
    fn a_file_is_replaced_only_by_force() {
        let scratch = Scratch::new("force");
        let old = scratch.file("old", "old");
        let refused = Outputs::new(false).claim(old.as_path()).expect_err("it exists");
        assert!(refused.to_string().contains("--force"), "{refused}");
        let output = Outputs::new(true).claim(old.as_path()).expect("forced");
        assert_eq!(text(&old), "old", "nothing happens before there is something to write");
        output.write("new").expect("written");
        assert_eq!(text(&old), "new");
        let output = Outputs::new(false).claim(scratch.0.join("fresh").as_path()).expect("a new one");
        output.write("fresh").expect("written");
        assert_eq!(scratch.names(), ["fresh", "old"], "and nothing else is left");
    }

    #[test]
    fn an_input_is_never_an_output_by_whatever_name() {
        let scratch = Scratch::new("input");
        let input = scratch.file("input", "data");
        let hard = scratch.0.join("hard");
        fs::hard_link(&input, &hard).expect("a link");
        let detour = scratch.0.join("..").join(scratch.0.file_name().expect("a name")).join("input");
        let mut names = vec![input.clone(), hard, detour];
        #[cfg(unix)]
        {
            let soft = scratch.0.join("soft");
            std::os::unix::fs::symlink(&input, &soft).expect("a link");
            names.push(soft);
        }
        for name in names {
            let refused = Outputs::new(true).with_inputs([&input]).claim(name.as_path());
            assert!(matches!(refused, Err(OutputError::IsInput { .. })), "{}: {refused:?}", name.display());
        }
        assert_eq!(text(&input), "data");
    }

    #[test]
    fn two_outputs_are_two_files() {
        let scratch = Scratch::new("twice");
        let mut outputs = Outputs::new(true);
        outputs.claim(scratch.0.join("a").as_path()).expect("the first");
        let same = scratch.0.join(".").join("a");
        assert!(matches!(outputs.claim(same.as_path()), Err(OutputError::Twice(_))));
        outputs.claim(Destination::Stdout).expect("the first");
        assert!(matches!(outputs.claim(Destination::Stdout), Err(OutputError::TwoOnStdout)));
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_kept() {
        let scratch = Scratch::new("meanwhile");
        let path = scratch.0.join("late");
        let output = Outputs::new(false).claim(path.as_path()).expect("a new one");
        scratch.file("late", "somebody's");
        let Err(OutputError::Appeared { kept, .. }) = output.write("ours") else { panic!("it was there") };
        assert_eq!((text(&path), text(&kept)), ("somebody's".into(), "ours".into()));
    }

    #[test]
    fn folders_are_refused_and_missing_ones_noticed_at_once() {
        let scratch = Scratch::new("folder");
        let refused = Outputs::new(true).claim(scratch.0.as_path());
        assert!(matches!(refused, Err(OutputError::IsFolder(_))), "{refused:?}");
        let refused = Outputs::new(true).claim(scratch.0.join("none/file").as_path());
        assert!(matches!(refused, Err(OutputError::Write(..))), "{refused:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_devices() {
        let scratch = Scratch::new("links");
        let target = scratch.file("target", "old");
        let link = scratch.0.join("link");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        assert!(matches!(Outputs::new(false).claim(link.as_path()), Err(OutputError::Exists(_))));
        Outputs::new(true).claim(link.as_path()).expect("forced").write("new").expect("written");
        assert_eq!(text(&target), "new");
        assert!(link.is_symlink());
        let (nowhere, nothing) = (scratch.0.join("nowhere"), scratch.0.join("nothing"));
        std::os::unix::fs::symlink(Path::new("nothing"), &nowhere).expect("a link");
        assert!(is_same_file(&nowhere, &nothing) && !is_same_file(&nowhere, &target));
        assert!(matches!(Outputs::new(false).claim(nowhere.as_path()), Err(OutputError::Exists(_))));
        Outputs::new(true).claim(nowhere.as_path()).expect("forced").write("now").expect("written");
        assert_eq!(text(&nothing), "now");
        let null = Path::new("/dev/null");
        Outputs::new(false).claim(null).expect("a device").write("nothing").expect("written");
        assert!(is_special(null));
    }

    #[test]
    fn a_file_is_old_or_new_but_whole() {
        let content = |second| with_checksum(if second { "new" } else { "old" });
        let load = |path: &Path| {
            let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
            without_checksum(&text).map(str::to_owned)
        };
        let replaced = |path: &Path, second| {
            replace(path, content(second).as_bytes()).map_err(|error| error.to_string())
        };
        let forced = |path: &Path, second| {
            let output = Outputs::new(true).claim(path).map_err(|error| error.to_string())?;
            output.write(content(second)).map_err(|error| error.to_string())
        };
        WholeTrial { name: "replaced", save: &replaced, load: &load, has_checksum: true }.run();
        WholeTrial { name: "forced", save: &forced, load: &load, has_checksum: true }.run();
    }

    /// A name that was free gets the whole content or nothing.
    #[test]
    fn a_new_file_is_whole_or_missing() {
        let scratch = Scratch::new("faults");
        let path = scratch.0.join("new");
        for fault in [Fault::Once, Fault::From] {
            for call in 1.. {
                let write =
                    || Outputs::new(false).claim(path.as_path()).and_then(|output| output.write("new"));
                let (written, calls) = with_fault(Some(fault(call)), write);
                let names = scratch.names();
                assert_eq!(names, if written.is_ok() { vec!["new"] } else { vec![] }, "{:?}", fault(call));
                if written.is_ok() {
                    assert_eq!(text(&path), "new");
                    fs::remove_file(&path).expect("it was ours");
                }
                if calls < call {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_full_disk_is_named() {
        let error = OutputError::Write("out".into(), io::ErrorKind::StorageFull.into()).to_string();
        assert!(error.contains("make room"), "{error}");
    }
}
