"""Rust for other targets: by rustup, or by a nightly toolchain that builds the standard library itself."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The exit code of scripts that cannot build here.
CANNOT_BUILD = 3
WINDOWS_COMPILER = "x86_64-w64-mingw32-gcc"


class CannotBuild(Exception):
    """What is missing on this machine."""


def output_of(*command):
    """None if the command fails or is missing."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=120).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def sysroot(toolchain):
    path = output_of("rustc", *toolchain, "--print", "sysroot")
    return Path(path) if path else None


def has_target(toolchain, target):
    root = sysroot(toolchain)
    return bool(root) and (root / "lib" / "rustlib" / target / "lib").is_dir()


def release(toolchain):
    """1.97 for a compiler of version 1.97.0-nightly."""
    found = re.match(r"rustc (\d+\.\d+)", output_of("rustc", *toolchain, "--version") or "")
    return found and found[1]


def source_release(library):
    """The release of the standard library's source: by rustup's file, or by the name of Debian's folder; none if unknown."""
    folder = library.resolve().parent
    version = folder / "version"
    text = version.read_text() if version.is_file() else folder.name.removeprefix("rustc-")
    found = re.match(r"\d+\.\d+", text.strip())
    return found and found[0]


def std_source_problem():
    """Why a nightly toolchain cannot build the standard library itself; none if it can."""
    toolchain = ["+nightly"]
    compiler, root = release(toolchain), sysroot(toolchain)
    if not compiler or not root:
        return "there is no nightly toolchain either"
    library = root / "lib" / "rustlib" / "src" / "rust" / "library"
    if not (library / "std" / "Cargo.toml").is_file():
        return (
            f"the nightly toolchain (Rust {compiler}) has no source of the standard library at {library.relative_to(root)}. "
            f"Run `rustup component add rust-src --toolchain nightly`, or unpack Debian's rust-src {compiler} "
            "(`dpkg -x`) and link its library/ there"
        )
    source = source_release(library)
    if source and source != compiler:
        return f"the source of the standard library is of Rust {source}, the nightly compiler of {compiler}"
    return None


def cargo_for(target, crates, verb="build"):
    """The cargo command that builds for a target, up to its options. `crates` of the standard library are needed."""
    if not has_target([], target):
        output_of("rustup", "target", "add", target)
    if has_target([], target):
        return ["cargo", verb]
    problem = std_source_problem()
    if problem is None:
        return ["cargo", "+nightly", verb, "-Z", f"build-std={crates}"]
    raise CannotBuild(f"rustup cannot add the target {target}, and {problem}.")


def cross_environment(target, compiler):
    """Links with a C compiler for the target, and builds for all processors of its kind."""
    if not shutil.which(compiler):
        raise CannotBuild(f"there is no {compiler}")
    variable = f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER"
    return {**os.environ, "CARGO_INCREMENTAL": "0", variable: compiler, "RUSTFLAGS": "-C target-feature=+crt-static"}


def mend_wine(folder):
    """Wine before 9 lacks a library that Rust's programs ask for random numbers, which every Windows has since 8."""
    source = folder / "random.c"
    source.write_text(
        "#include <windows.h>\n#include <ntsecapi.h>\n"
        "BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }\n"
    )
    library = folder / "bcryptprimitives.dll"
    subprocess.run([WINDOWS_COMPILER, "-shared", "-o", library, source, "-ladvapi32"], check=True)
