//! Names the sets of processor features that the kernels are written for.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(avx2)");
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    println!("cargo::rustc-check-cfg=cfg(neon)");
    println!("cargo::rustc-check-cfg=cfg(without_pext)");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has_all = |wanted: &[&str]| wanted.iter().all(|name| features.split(',').any(|have| have == *name));
    match env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("x86_64") => {}
        Ok("aarch64") if has_all(&["neon"]) => return println!("cargo::rustc-cfg=neon"),
        _ => return,
    }
    let avx2 = has_all(&["avx2", "bmi2", "popcnt"]);
    if avx2 {
        println!("cargo::rustc-cfg=avx2");
    }
    if avx2 && has_all(&["avx512f", "avx512bw", "avx512vl", "avx512cd"]) {
        println!("cargo::rustc-cfg=avx512");
    }
}
