//! The seeds of the fuzz targets, past findings among them, and a length bomb for each format: small inputs that name
//! huge numbers of things, or that unpack to them.

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fuzz::{TARGETS, Target};
use miniz_oxide::deflate::compress_to_vec;
use ollehto::random::Random;

fn target(name: &str) -> &'static Target {
    TARGETS.iter().find(|target| target.name == name).expect("a target")
}

fn check(name: &str, input: &[u8]) {
    fuzz::run(target(name), input);
}

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds")
}

#[test]
fn every_seed_passes() {
    for target in &TARGETS {
        let folder = fs::read_dir(seeds().join(target.name)).expect("every target has seeds");
        for seed in folder {
            let path = seed.expect("readable").path();
            eprintln!("{}", path.display());
            fuzz::run(target, &fs::read(path).expect("readable"));
        }
    }
}

/// How many inputs that nobody has chosen a test tries, the same ones each time.
fn tries(least: usize) -> usize {
    env::var("OLLEHTO_FUZZ_TRIES")
        .map_or(least, |count| count.parse().expect("OLLEHTO_FUZZ_TRIES is a number"))
}

#[test]
fn random_dialogues_pass() {
    for target in TARGETS.iter().filter(|target| target.name.starts_with("dialogue_")) {
        let mut random = Random::new(1);
        for number in 0..tries(200) {
            let script: Vec<u8> = (0..random.below(1500)).map(|_| random.draw() as u8).collect();
            eprintln!("{} {number}", target.name);
            fuzz::run(target, &script);
        }
    }
}

/// Seeds with a few bytes changed, lost or repeated.
#[test]
fn damaged_seeds_pass() {
    for target in &TARGETS {
        let mut random = Random::new(2);
        let mut seeds: Vec<_> =
            fs::read_dir(seeds().join(target.name)).expect("every target has seeds").flatten().collect();
        seeds.sort_by_key(DirEntry::path);
        for number in 0..tries(20) {
            let seed = seeds[number % seeds.len()].path();
            let mut bytes = fs::read(&seed).expect("readable");
            for _ in 0..=random.below(4) {
                damage(&mut bytes, &mut random);
            }
            eprintln!("{} {number}: {}", seed.display(), String::from_utf8_lossy(&bytes));
            fuzz::run(target, &bytes);
        }
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let (at, length) = (random.below(bytes.len() + 1), random.below(12));
    let part = at..(at + length).min(bytes.len());
    match random.below(5) {
        0 if at < bytes.len() => bytes[at] = random.draw() as u8,
        1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        2 => drop(bytes.drain(part)),
        3 => {
            let copy = bytes[part].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        _ => {
            let digits = ["0", "-1", "255", "65536", "1e308", "\"", "[]", "{", ",", " ", "\n", "\u{e9}"];
            bytes.splice(at..at, digits[random.below(digits.len())].bytes());
        }
    }
}

/// Bytes with their CRC-32 behind them.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// A book that claims so many positions, with this body.
fn book(count: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"\0OLLEBOOK\x01\0".to_vec();
    // Plies, depths, margin, evaluation, value.
    bytes.extend([0; 11]);
    bytes.extend(count.to_le_bytes());
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(compress_to_vec(body, 9));
    let sum = crc32fast::hash(&bytes[1..]).to_le_bytes();
    bytes.extend(sum);
    bytes
}

/// A block of self-play games with nothing behind its header.
fn block(count: u16, length: u32) -> Vec<u8> {
    let mut header = b"OLRG\x02\0\x08\x0c\0\0".to_vec();
    header.extend(count.to_le_bytes());
    header.extend([0; 20]);
    header.extend(length.to_le_bytes());
    header.extend([0; 4]);
    [b"\0".to_vec(), sealed(header)].concat()
}

fn journal(players: usize, pairs: u64, moves: usize) -> Vec<u8> {
    let players: Vec<_> = (0..players).map(|at| format!("{{\"name\":\"{at}\",\"spec\":\"\"}}")).collect();
    let moves = vec!["{\"move\":\"pass\",\"seconds\":0}"; moves].join(",");
    format!(
        "{{\"header\":{{\"version\":1,\"rules\":\"reversed\",\"size\":4,\"players\":[{}],\"format\":\"round-robin\",\
         \"pairs\":{pairs},\"openings\":\"\",\"seed\":1,\"adjudicate\":null,\"sprt\":null,\"margin\":0}}}}\n\
         {{\"game\":{{\"number\":4294967295,\"black\":\"0\",\"white\":\"1\",\"start\":\"XXXXXXXXXXXXXXXX X\",\
         \"opening\":\"\",\"moves\":[{moves}],\"score\":0,\"ending\":{{\"kind\":\"played\"}}}}}}\n",
        players.join(",")
    )
    .into_bytes()
}

#[test]
fn no_length_bomb_takes_memory() {
    let long = |text: &str| text.repeat(60_000 / text.len());
    check("uci_line", format!("position fen {} w", long("/")).as_bytes());
    check("uci_line", format!("position fen {}[{}] w", long("8/"), long("P")).as_bytes());
    check("position", long("8/").as_bytes());
    check("position", long("X").as_bytes());
    check("xboard_line", format!("setboard {} w", long("9")).as_bytes());
    check("xboard_line", format!("setboard {} w", long("/")).as_bytes());
    check("cassio_line", format!("ENGINE-PROTOCOL endgame-search {}X -64 64 100", long("-")).as_bytes());
    check("gtp_line", format!("play_moves {}", long("pass")).as_bytes());
    check("nboard_line", format!("set game (;BO[4294967295 {} *];)", long("-")).as_bytes());
    check("ggf", format!("(;BO[65536 {} *]TY[{}];)", long("-"), long("9")).as_bytes());
    check(
        "ggf",
        format!("(;RE[1e308]KM[1e308]BO[4 -----O*--*O----- *]{};)", long("B[PA/1e308/1e308]")).as_bytes(),
    );
    check("moves", long("--").as_bytes());
    check("obf", format!("-----OX--XO----- X;{}", long("a1:+64;")).as_bytes());
    for part in ["(;", "f5\n", "a1\n", "a\n", "f5--\n", "f5zz\n", "1.", "#", "#1r8=f5\n", "-\n", "[", "(;BO["]
    {
        check("games", format!("\0{}", long(part)).as_bytes());
    }
    check("page_link", format!("1r8={}", long("--")).as_bytes());
    check("page_link", format!("1r8@{}=", long("X")).as_bytes());
    check("selfplay", &block(u16::MAX, u32::MAX));
    check("selfplay", &block(u16::MAX, 65_535 * 117));
    for count in [0, u32::MAX] {
        for byte in 0..2 {
            check("book", &book(count, &vec![byte; (1 << 24) - 1]));
        }
        check("book", &book(count, &vec![0; 1 << 26]));
    }
    check("weights", b"\x01OLWT\x04\0\xff\xff\xff\xff\xff\xff\xff\xff");
    check("journal", &journal(2, u64::from(u32::MAX), 1));
    check("journal", &journal(2, 1 << 40, 1));
    check("journal", &journal(2_000, 1, 1));
    check("journal", &journal(2, 1, 2_000));
    let checked =
        String::from_utf8(journal(2_000, 1, 2_000)).expect("text").replace("\"version\":1", "\"version\":2");
    check("journal", checked.as_bytes());
    check("checkpoint", format!("\x02{{\"solved\":{}", long("[")).as_bytes());
    check("jobs", long("# root ").as_bytes());
    check("results", format!("\x01{{\"position\":{}", long("[")).as_bytes());
    check("results", format!("\x01{}", long("{}\n")).as_bytes());
    check("analyses", format!("\x01{{\"best\":{}", long("[")).as_bytes());
    check("analyses", format!("\0{}", long("\n")).as_bytes());
    check("samples", format!("\x01reversed {} X 1", long("-")).as_bytes());
    check("samples", format!("\x01reversed {} X{}", "X".repeat(64), long(" 1")).as_bytes());
    check("values", format!("\x011 {} X 1", long("-")).as_bytes());
    check(
        "loss",
        format!("\x01reversed rules, 4 empties, depth 255, seed 1\n0 {} X {}1", "X".repeat(64), long("1,"))
            .as_bytes(),
    );
    check("judge", format!("\x01{}\n", long(", ")).as_bytes());
    check("progress", format!("\x01{{\"done\":{}", long("[")).as_bytes());
    check("generations", long(",").as_bytes());
    check("generations", long("4294967295,1,1,1,\n").as_bytes());
    check("weights_table", format!("\0empties,shape,pattern,discs\n{}", long(",")).as_bytes());
    check("weights_table", format!("\0empties,shape,pattern,discs\n,origin,\"{}", long("\"\"")).as_bytes());
    check("parameters", format!("system = \"maximax\"\n[parameters]\n{}=1", long("a.")).as_bytes());
    check("parameters", long("[a.").as_bytes());
    check("tune_config", format!("population = 18446744073709551615\nkeep = {}", long("[")).as_bytes());
    check("tune_config", long("[a.").as_bytes());
    check("bot_config", format!("[challenges]\nallow = {}", long("[")).as_bytes());
    check("bot_config", format!("[strength]\nthreads = 99999999\n{} = 1", long("a.")).as_bytes());
    check("bot_stream", format!("{}\n{}\n", long("{\"a\":"), long("[")).as_bytes());
    check("player", format!("cmd={}", long("\\\"")).as_bytes());
}

/// The files that the program ships or writes as they are: none of the limits above keeps one from being read.
#[test]
fn large_files_of_our_own_pass() {
    for name in ["reversed", "standard"] {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book/shipped").join(name);
        let book = fs::read(shipped.with_extension("book")).expect("readable");
        check("book", &[b"\0", book.as_slice()].concat());
    }
}
