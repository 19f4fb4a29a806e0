//! What each fuzz target checks, as functions of bytes that panic where something is wrong.
//!
//! Without any fuzzer in it, so that `tests/seeds.rs` can run the seeds and all past findings in a stable build.

pub mod configurations;
pub mod dialogue;
pub mod files;
pub mod lines;
#[path = "../../tests/support/mailbox.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod mailbox;
pub mod records;
pub mod saved;

/// A target: its name, what it checks, and what it may use of memory.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]),
    pub memory: Memory,
}

/// The most memory that reading an input may take, whatever lengths the input names.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// In bytes, for any input.
    base: usize,
    /// For each byte of input.
    factor: usize,
}

impl Memory {
    pub const fn limit(self, input: usize) -> usize {
        self.base + self.factor * input
    }
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// Texts become values of a few times their size.
const TEXT: Memory = Memory { base: 256 * KIB, factor: 128 };
/// The reader of TOML goes on after a mistake and keeps each; a line of dots is one mistake for each dot.
const TOML: Memory = Memory { base: 256 * KIB, factor: 512 };
/// Conversations keep a game and what waits in queues.
const CONVERSATION: Memory = Memory { base: MIB, factor: 512 };

const fn target(name: &'static str, check: fn(&[u8]), memory: Memory) -> Target {
    Target { name, check, memory }
}

pub const TARGETS: [Target; 37] = [
    target("gtp_line", lines::gtp, TEXT),
    target("nboard_line", lines::nboard, TEXT),
    target("uci_line", lines::uci, TEXT),
    target("xboard_line", lines::xboard, TEXT),
    target("cassio_line", lines::cassio, TEXT),
    target("ggf", records::ggf, TEXT),
    target("position", records::position, TEXT),
    target("moves", records::moves, TEXT),
    target("obf", records::obf, TEXT),
    target("games", records::games, TEXT),
    target("page_link", records::page_link, TEXT),
    target("selfplay", files::selfplay, Memory { base: 16 * MIB, factor: 128 }),
    target("weights", files::weights, Memory { base: 64 * MIB, factor: 16 }),
    target("book", files::book, Memory { base: MIB, factor: 2048 }),
    target("journal", files::journal, Memory { base: MIB, factor: 256 }),
    target("checkpoint", files::checkpoint, TEXT),
    target("jobs", files::jobs, TEXT),
    target("results", saved::results, Memory { base: MIB, factor: 256 }),
    target("analyses", saved::analyses, Memory { base: MIB, factor: 256 }),
    target("samples", saved::samples, Memory { base: MIB, factor: 256 }),
    target("values", saved::values, Memory { base: 128 * MIB, factor: 256 }),
    target("loss", saved::loss, Memory { base: MIB, factor: 256 }),
    target("judge", saved::judge, Memory { base: MIB, factor: 256 }),
    target("progress", saved::progress, TEXT),
    target("generations", saved::generations, TEXT),
    target("weights_table", saved::weights_table, Memory { base: 64 * MIB, factor: 128 }),
    target("parameters", saved::parameters, TOML),
    target("tune_history", saved::tune_history, Memory { base: MIB, factor: 256 }),
    target("tune_config", configurations::tuning, TOML),
    target("bot_config", configurations::bot, TOML),
    target("bot_stream", configurations::bot_stream, Memory { base: MIB, factor: 128 }),
    target("player", configurations::player, TEXT),
    target("dialogue_gtp", dialogue::gtp, CONVERSATION),
    target("dialogue_nboard", dialogue::nboard, CONVERSATION),
    target("dialogue_uci", dialogue::uci, CONVERSATION),
    target("dialogue_xboard", dialogue::xboard, CONVERSATION),
    target("dialogue_cassio", dialogue::cassio, CONVERSATION),
];

#[path = "../../tests/support/allocations.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod allocations;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting::new();

/// Checks an input and what memory it takes.
///
/// # Panics
/// If something is wrong.
pub fn run(target: &Target, data: &[u8]) {
    let ((), peak) = ALLOCATOR.peak_during(|| (target.check)(data));
    let limit = target.memory.limit(data.len());
    assert!(
        peak <= limit,
        "{}: {} bytes of input took {peak} bytes of memory, more than {limit}",
        target.name,
        data.len()
    );
}
