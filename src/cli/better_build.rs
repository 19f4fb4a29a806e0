//! One download for all x86-64 processors: it has several builds of the program, and the one that runs on all of them
//! starts the fastest one that runs on this processor. Kernels are chosen when a build is made.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What a build is made for, as in its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// With AVX-512.
    V4,
    /// With AVX2 and a fast PEXT.
    V3,
    /// With AVX2, without PEXT: AMD's processors before Zen 3 take hundreds of cycles for it.
    V3WithoutPext,
}

impl Build {
    fn best() -> Option<Self> {
        macro_rules! has {
            ($($feature:tt)*) => { $(is_x86_feature_detected!($feature) &&)* true };
        }
        let v3 = has!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt");
        let v4 = v3 && has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl");
        match (v4, v3) {
            (true, _) => Some(Self::V4),
            (_, true) if has_slow_pext() => Some(Self::V3WithoutPext),
            (_, true) => Some(Self::V3),
            _ => None,
        }
    }

    const ALL: [Self; 3] = [Self::V4, Self::V3, Self::V3WithoutPext];

    const fn file_stem(self) -> &'static str {
        match self {
            Self::V4 => "ollehto-x86-64-v4",
            Self::V3 => "ollehto-x86-64-v3",
            Self::V3WithoutPext => "ollehto-x86-64-v3-without-pext",
        }
    }

    /// Beside the program that looks for it. None if that program has such a name itself or is what the name links to:
    /// it would start itself for ever.
    fn path(self, program: &Path) -> Option<PathBuf> {
        if Self::ALL.iter().any(|build| program.file_stem() == Some(build.file_stem().as_ref())) {
            return None;
        }
        let path = program.with_file_name(self.file_stem()).with_extension(env::consts::EXE_EXTENSION);
        let is_other = fs::canonicalize(&path).ok()? != fs::canonicalize(program).ok()?;
        (is_other && path.is_file()).then_some(path)
    }
}

/// Where PEXT is a microprogram: families 15h and 17h of AMD, and 18h of Hygon, whose cores are AMD's.
fn has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat();
    is_slow(&vendor, __cpuid(1).eax)
}

fn is_slow(vendor: &[u8], signature: u32) -> bool {
    let (base, extended) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
    let family = if base == 0xf { base + extended } else { base };
    (vendor == b"AuthenticAMD" || vendor == b"HygonGenuine") && (0x15..=0x18).contains(&family)
}

/// Goes on as the fastest build that is there. Returns if there is none or it does not start.
pub(super) fn start() {
    let Some(path) = env::current_exe().ok().and_then(|program| Build::best()?.path(&program)) else {
        return;
    };
    let error = go_on_as(Command::new(&path).args(env::args_os().skip(1)));
    eprintln!("ollehto: cannot start {}, going on without it: {error}", path.display());
}

/// Returns only if it fails.
#[cfg(unix)]
fn go_on_as(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

/// A process cannot become another program here. The other one has the same input and output, and ends with them.
#[cfg(not(unix))]
fn go_on_as(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_processors_are_known() {
        // Zen 2 (Ryzen 3000), Excavator, Hygon Dhyana; Zen 3, Zen 4, Intel Skylake.
        for (vendor, signature, slow) in [
            (b"AuthenticAMD", 0x0087_0f10, true),
            (b"AuthenticAMD", 0x0066_0f01, true),
            (b"HygonGenuine", 0x0090_0f01, true),
            (b"AuthenticAMD", 0x00a2_0f10, false),
            (b"AuthenticAMD", 0x00a6_0f12, false),
            (b"GenuineIntel", 0x0005_06e3, false),
        ] {
            assert_eq!(is_slow(vendor, signature), slow, "{signature:#x}");
        }
    }

    #[test]
    fn a_build_that_is_missing_is_none() {
        assert_eq!(Build::V3.path(Path::new("no/such/folder/ollehto")), None);
    }

    #[cfg(unix)]
    #[test]
    fn no_build_starts_itself() {
        let folder = env::temp_dir().join(format!("ollehto-builds-{}", std::process::id()));
        let [program, v3, v4] =
            ["ollehto", "ollehto-x86-64-v3", "ollehto-x86-64-v4"].map(|name| folder.join(name));
        fs::create_dir(&folder).expect("a folder");
        for file in [&program, &v3] {
            fs::write(file, "").expect("a file");
        }
        std::os::unix::fs::symlink(&program, &v4).expect("a link");
        assert_eq!(Build::V3.path(&program), Some(v3.clone()));
        assert_eq!(Build::V4.path(&program), None);
        assert_eq!(Build::V3.path(&v3), None);
        fs::remove_dir_all(&folder).expect("only these files");
    }
}
