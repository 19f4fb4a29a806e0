//! Damages files in every way and checks what is found in them afterwards: one trial for all formats.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use super::disk::{Fault, with_fault};

/// What a format does, with errors in words.
pub struct LogTrial<'a> {
    /// Of the scratch folder.
    pub name: &'static str,
    /// The records of a whole file in order.
    pub records: &'a [String],
    /// Writes a new file with the first so many records.
    pub write: &'a dyn Fn(&Path, usize) -> Result<(), String>,
    /// Continues a file: returns the records that are there, and adds the others.
    pub resume: &'a dyn Fn(&Path) -> Result<Vec<String>, String>,
    /// A record is lost with all that follow it.
    pub is_chain: bool,
    /// Large files: one bit of each byte, by turns, instead of all eight.
    pub is_large: bool,
}

/// A folder that goes with the test, in memory if there is such a place.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new(name: &str) -> Self {
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
        let folder = base.join(format!("ollehto-trial-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder can be made");
        Self(folder)
    }

    pub(super) fn file(&self) -> PathBuf {
        self.0.join("file")
    }

    /// The names of all files, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("it is there").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    fn clear(&self) {
        for name in self.names() {
            fs::remove_file(self.0.join(name)).expect("it was ours");
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl LogTrial<'_> {
    /// Every truncation, every flipped bit, an error at every call.
    pub fn run(&self) {
        let scratch = Scratch::new(self.name);
        let (file, all) = (scratch.file(), self.records.len());
        let ends: Vec<usize> = (0..=all)
            .map(|count| {
                scratch.clear();
                (self.write)(&file, count).expect("it can be written");
                fs::read(&file).expect("it is there").len()
            })
            .collect();
        let whole = fs::read(&file).expect("it is there");
        self.expect(&file, all, "whole");
        assert_eq!(fs::read(&file).expect("it is there"), whole, "{}: nothing to change", self.name);
        self.truncate_everywhere(&scratch, &whole, &ends);
        self.flip_every_bit(&scratch, &whole, &ends);
        self.fail_at_every_call(&scratch, &whole, ends[1]);
        let bits = if self.is_large { 1 } else { 8 } * whole.len();
        eprintln!("{}: cut at each of {} bytes, {bits} bits flipped", self.name, whole.len());
    }

    fn resume(&self, file: &Path, what: &str) -> Vec<String> {
        (self.resume)(file).unwrap_or_else(|error| panic!("{}, {what}: {error}", self.name))
    }

    /// The file has the first so many records, and then all.
    fn expect(&self, file: &Path, count: usize, what: &str) {
        assert_eq!(
            sorted(self.resume(file, what)),
            sorted(self.records[..count].to_vec()),
            "{}, {what}",
            self.name
        );
        let all = sorted(self.records.to_vec());
        assert_eq!(sorted(self.resume(file, what)), all, "{}, {what}: continued", self.name);
    }

    fn truncate_everywhere(&self, scratch: &Scratch, whole: &[u8], ends: &[usize]) {
        for cut in 0..whole.len() {
            scratch.clear();
            fs::write(scratch.file(), &whole[..cut]).expect("it can be written");
            let count = ends[1..].iter().filter(|&&end| end <= cut).count();
            self.expect(&scratch.file(), count, &format!("cut at {cut}"));
            assert_eq!(scratch.names(), ["file"], "{}: cut at {cut}", self.name);
        }
    }

    fn flip_every_bit(&self, scratch: &Scratch, whole: &[u8], ends: &[usize]) {
        for (at, bit) in (0..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            if self.is_large && bit != at % 8 {
                continue;
            }
            scratch.clear();
            let (file, what) = (scratch.file(), format!("bit {bit} of byte {at}"));
            let mut bytes = whole.to_vec();
            bytes[at] ^= 1 << bit;
            fs::write(&file, &bytes).expect("it can be written");
            match (self.resume)(&file) {
                Err(error) => {
                    assert!(at < ends[0], "{}, {what}: {error}", self.name);
                    assert_eq!(
                        fs::read(&file).expect("it is there"),
                        bytes,
                        "{}, {what}: left alone",
                        self.name
                    );
                    assert_eq!(scratch.names(), ["file"], "{}, {what}", self.name);
                }
                Ok(found) => self.check_flipped(scratch, &found, &bytes, ends, (at, &what)),
            }
        }
    }

    /// The record with the bit is missing, and at most the one that it was run together with.
    fn check_flipped(
        &self,
        scratch: &Scratch,
        found: &[String],
        bytes: &[u8],
        ends: &[usize],
        (at, what): (usize, &str),
    ) {
        let (name, hit) = (self.name, ends[1..].iter().filter(|&&end| end <= at).count());
        let kept =
            |number: usize| if self.is_chain { number < hit } else { number < hit || number > hit + 1 };
        assert!(found.iter().all(|record| self.records.contains(record)), "{name}, {what}: {found:?}");
        assert!(!found.contains(&self.records[hit]), "{name}, {what}: a damaged record was used");
        for (number, record) in self.records.iter().enumerate() {
            assert!(!kept(number) || found.contains(record), "{name}, {what}: record {number} is lost");
        }
        // The end of the last record is missing: that is what a kill leaves, too.
        if scratch.names() != ["file"] {
            assert_eq!(scratch.names(), ["file", "file.damaged"], "{name}, {what}");
            let aside = fs::read(scratch.0.join("file.damaged")).expect("it is there");
            assert_eq!(aside, bytes, "{name}, {what}: the file as it was");
        }
        self.expect(&scratch.file(), self.records.len(), what);
    }

    fn fail_at_every_call(&self, scratch: &Scratch, whole: &[u8], first_end: usize) {
        let file = scratch.file();
        for fault in [Fault::Once, Fault::From] {
            for call in 1.. {
                scratch.clear();
                let write = || (self.write)(&file, self.records.len());
                let (written, calls) = with_fault(Some(fault(call)), write);
                if calls < call {
                    assert!(written.is_ok(), "{}: nothing failed", self.name);
                    break;
                }
                let what = format!("writing with {:?}: {written:?}", fault(call));
                let found = self.resume(&file, &what);
                assert_eq!(found, self.records[..found.len()], "{}, {what}", self.name);
                self.expect(&file, self.records.len(), &what);
                assert_eq!(scratch.names(), ["file"], "{}, {what}", self.name);
            }
            for call in 1.. {
                scratch.clear();
                fs::write(&file, whole).expect("it can be written");
                let (resumed, calls) = with_fault(Some(fault(call)), || (self.resume)(&file));
                if calls < call {
                    break;
                }
                let what = format!("reading with {:?}: {:?}", fault(call), resumed.map(|found| found.len()));
                assert_eq!(fs::read(&file).expect("it is there"), whole, "{}, {what}", self.name);
                assert_eq!(scratch.names(), ["file"], "{}, {what}", self.name);
            }
            for call in 1.. {
                scratch.clear();
                let mut bytes = whole.to_vec();
                // Within the last bytes of the first record.
                bytes[first_end - 4] ^= 1;
                fs::write(&file, &bytes).expect("it can be written");
                let (resumed, calls) = with_fault(Some(fault(call)), || (self.resume)(&file));
                if calls < call {
                    break;
                }
                let what = format!("mending with {:?}: {:?}", fault(call), resumed.map(|found| found.len()));
                let found = self.resume(&file, &what);
                assert!(found.iter().all(|record| self.records.contains(record)), "{}, {what}", self.name);
                let others = if self.is_chain { &[] } else { self.records.get(2..).unwrap_or_default() };
                let is_lost = |record| !found.contains(record);
                assert!(!others.iter().any(is_lost), "{}, {what}: a whole record is lost", self.name);
                self.expect(&file, self.records.len(), &what);
                let names = scratch.names();
                assert!(names == ["file", "file.damaged"], "{}, {what}: {names:?}", self.name);
                let aside = fs::read(scratch.0.join("file.damaged")).expect("it is there");
                assert_eq!(aside, bytes, "{}, {what}: the file as it was", self.name);
            }
        }
    }
}

/// A file that is written as a whole.
pub struct WholeTrial<'a> {
    pub name: &'static str,
    /// Two contents, each written over the other.
    pub save: &'a dyn Fn(&Path, bool) -> Result<(), String>,
    /// What is in it.
    pub load: &'a dyn Fn(&Path) -> Result<String, String>,
    /// Some formats of others have no checksums.
    pub has_checksum: bool,
}

impl WholeTrial<'_> {
    pub fn run(&self) {
        let scratch = Scratch::new(self.name);
        let (file, name) = (scratch.file(), self.name);
        let save = |second| {
            (self.save)(&file, second).expect("it can be written");
            (fs::read(&file).expect("it is there"), (self.load)(&file).expect("it is whole"))
        };
        let [(whole, first), (_, second)] = [save(false), save(true)];
        assert_ne!(first, second, "{name}");
        for cut in 0..whole.len() {
            fs::write(&file, &whole[..cut]).expect("it can be written");
            let found = (self.load)(&file);
            assert!(found.is_err(), "{name}, cut at {cut}: {found:?}");
        }
        for (at, bit) in (0..whole.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&file, &bytes).expect("it can be written");
            let found = (self.load)(&file);
            assert!(!self.has_checksum || found.is_err(), "{name}, bit {bit} of byte {at}: {found:?}");
        }
        for fault in [Fault::Once, Fault::From] {
            for call in 1.. {
                fs::write(&file, &whole).expect("it can be written");
                let (saved, calls) = with_fault(Some(fault(call)), || (self.save)(&file, true));
                if calls < call {
                    break;
                }
                let found = (self.load)(&file).expect("old or new, but whole");
                let what = format!("{name}, {:?}: {saved:?}", fault(call));
                assert_eq!(found, *if saved.is_ok() { &second } else { &first }, "{what}");
                assert_eq!(scratch.names(), ["file"], "{what}");
            }
        }
        eprintln!("{name}: cut at each of {} bytes, {} bits flipped", whole.len(), 8 * whole.len());
    }
}

fn sorted(mut records: Vec<String>) -> Vec<String> {
    records.sort_unstable();
    records
}
