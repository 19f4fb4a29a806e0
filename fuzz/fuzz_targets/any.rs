//! All targets in one program: OLLEHTO_FUZZ_TARGET names one of them.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ollehto_fuzz::{TARGETS, Target};

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("OLLEHTO_FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("set OLLEHTO_FUZZ_TARGET to one of {}", names.join(", "));
        std::process::exit(2);
    })
});

fuzz_target!(
    init: {
        LazyLock::force(&TARGET);
    },
    |data: &[u8]| ollehto_fuzz::run(&TARGET, data)
);
