//! What `run.mjs` calls: searches with fixed depths, on one thread and without a clock.
#![allow(unsafe_code, reason = "functions that a host calls by name")]

use ollehto::bench;
use ollehto::rules::Rules;

/// Nodes of all positions of the bench, searched to a depth, by reversed (0) or standard (1) rules.
#[unsafe(no_mangle)]
pub extern "C" fn bench_nodes(rules: u32, depth: u32) -> u64 {
    let rules = if rules == 0 { Rules::Reversed } else { Rules::Standard };
    let depth = u8::try_from(depth).unwrap_or(u8::MAX);
    bench::positions().into_iter().map(|position| bench::nodes(position, rules, depth)).sum()
}
