//! Files that the program writes and reads again.
//!
//! Most have a checksum, which hardly any change would survive: the targets make it right before they read the file.

use std::path::Path;
use std::time::Duration;

use miniz_oxide::deflate::compress_to_vec;
use ollehto::arena::journal::{self, JournalContents};
use ollehto::arena::report::MatchReport;
use ollehto::board::Size;
use ollehto::book::Book;
use ollehto::eval::Evaluation;
use ollehto::eval::weights::{Compression, decode, encode};
use ollehto::files::checksum::with_json_checksum;
use ollehto::rules::Rules;
use ollehto::solve::{PositionSource, SolutionFormat, SolveOptions, read_checkpoint, read_jobs};
use ollehto::training::records::BlockReader;
use ollehto::training::records::block::HEADER_LENGTH;

/// For messages.
fn path() -> &'static Path {
    Path::new("fuzzed")
}

/// Self-play files. The first byte tells whether the checksums of the first block are made right.
pub fn selfplay(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut bytes = data.to_vec();
    if choice != 0 {
        seal_block(&mut bytes);
    }
    let mut written = Vec::new();
    for block in BlockReader::new(path(), bytes.as_slice()) {
        match block {
            Ok(block) => written.extend(block.encode().expect("as many games as a block may have")),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert_eq!(written, bytes[..written.len()], "blocks are written as they are read");
}

/// Makes the rest of the bytes the payload of the first header.
fn seal_block(bytes: &mut [u8]) {
    let Some((header, payload)) = bytes.split_first_chunk_mut::<HEADER_LENGTH>() else { return };
    header[..4].copy_from_slice(b"OLRG");
    header[32..36].copy_from_slice(&(payload.len() as u32).to_le_bytes());
    header[36..40].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    let check = crc32fast::hash(&header[..40]);
    header[40..].copy_from_slice(&check.to_le_bytes());
}

/// Weight files. The first byte tells whether the checksum is made right.
pub fn weights(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut bytes = data.to_vec();
    if choice != 0 {
        seal_weights(&mut bytes);
    }
    match decode(&bytes) {
        // Packing takes far longer than reading.
        Ok(weights) if choice & 0x80 != 0 => {
            let again = decode(&encode(&weights, Compression::Fast));
            assert_eq!(again.as_ref(), Ok(&weights));
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn seal_weights(bytes: &mut [u8]) {
    let word = |at: usize| Some(usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?])));
    let (Some(stages), Some(origin)) = (word(6), word(12)) else { return };
    let parts = stages + usize::from(bytes[4] == 4);
    let at = 14 + origin + 128 + 4 * parts;
    let Some((before, rest)) = bytes.split_at_mut_checked(at) else { return };
    let Some((sum, after)) = rest.split_first_chunk_mut::<4>() else { return };
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(before);
    hasher.update(after);
    *sum = hasher.finalize().to_le_bytes();
}

/// Where the number of positions is in a book, and its body.
const BOOK_COUNT: usize = 21;
const BOOK_BODY: usize = 29;

/// Books. By the first byte, the bytes are a book; or one whose checksum is made right; or a header and the unpacked body,
/// tried with all small numbers of positions.
pub fn book(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    match choice {
        0 => check_book(data),
        1 => {
            let Some(whole) = data.get(..data.len().saturating_sub(4)) else { return };
            check_book(&sealed_book(whole.to_vec()));
        }
        _ => {
            let Some((header, body)) = data.split_at_checked(12) else { return };
            let mut bytes = b"OLLEBOOK\x01".to_vec();
            bytes.extend(header);
            bytes.extend([0; 4]);
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(compress_to_vec(body, 1));
            assert!(bytes.len() > BOOK_BODY);
            for count in 0..9_u32.min(body.len() as u32 + 1) {
                bytes[BOOK_COUNT..BOOK_COUNT + 4].copy_from_slice(&count.to_le_bytes());
                check_book(&sealed_book(bytes.clone()));
            }
        }
    }
}

fn sealed_book(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

fn check_book(bytes: &[u8]) {
    match Book::from_bytes(bytes) {
        Ok(book) => assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Journals of matches, with the report on them. Lines of a version with checksums get theirs.
pub fn journal(data: &[u8]) {
    let sealed = match str::from_utf8(data) {
        Ok(text) if text.contains(&format!("\"version\":{}", journal::VERSION)) => Some(sealed_lines(text)),
        _ => None,
    };
    let contents = match journal::read_from(path(), sealed.as_ref().map_or(data, String::as_bytes)) {
        Ok(contents) => contents,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = journal::read_from(path(), journal_text(&contents).as_slice());
    assert_eq!(again.ok().as_ref(), Some(&contents));
    match MatchReport::new(contents) {
        Ok(report) => {
            let _ = (report.tables(), report.page(), report.csv());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn journal_text(contents: &JournalContents) -> Vec<u8> {
    let header = serde_json::json!({ "header": contents.header }).to_string();
    let games = contents.games.values().map(|game| serde_json::json!({ "game": game }).to_string());
    let lines = std::iter::once(header).chain(games).map(|line| line + "\n");
    let text = lines.collect::<String>();
    if contents.header.version == journal::VERSION { sealed_lines(&text) } else { text }.into_bytes()
}

/// Whole lines with a checksum each, instead of the one they may have.
fn sealed_lines(text: &str) -> String {
    let sealed = |line: &str| {
        let Some(line) = line.strip_suffix('\n') else { return line.to_owned() };
        let fields = line.rsplit_once(",\"crc32\":\"").map(|(fields, _)| format!("{fields}}}"));
        with_json_checksum(fields.as_deref().unwrap_or(line)) + "\n"
    };
    text.split_inclusive('\n').map(sealed).collect()
}

/// Checkpoints of `ollehto solve`. The first byte tells the settings; the header and the checksum are added.
pub fn checkpoint(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let size = [Size::Eight, Size::Six, Size::Four][usize::from(choice) % 3];
    let rules = if choice & 0x80 == 0 { Rules::Reversed } else { Rules::Standard };
    let options = SolveOptions {
        source: PositionSource::Start,
        rules,
        size,
        wld: choice & 0x40 != 0,
        threads: 1,
        hash: None,
        weights: Evaluation::Shipped,
        format: SolutionFormat::Json,
        resume: None,
        save_every: Duration::from_secs(60),
    };
    let only = if options.wld { ", win, draw or loss only" } else { "" };
    let side = size.side();
    let mut text =
        format!("ollehto solve checkpoint 1: {rules} rules, {side}x{side} board{only}\n").into_bytes();
    text.extend(data);
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    text.extend(format!("{{\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(&text)).into_bytes());
    match read_checkpoint(path(), &text, &options) {
        Ok(written) => {
            let again = read_checkpoint(path(), written.as_bytes(), &options).expect("our own writing");
            assert_eq!(again, written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Lists of jobs of `ollehto solve --split`. The title and the checksum are added.
pub fn jobs(data: &[u8]) {
    let mut text = data.to_vec();
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text.extend(b"# ollehto solve jobs 1\n");
    text.extend(format!("# crc32 {:08x}\n", crc32fast::hash(&text)).into_bytes());
    match read_jobs(path(), text) {
        Ok(written) => {
            let again = read_jobs(path(), written.clone().into_bytes()).expect("our own writing");
            assert_eq!(again, written);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
