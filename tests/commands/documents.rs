//! The documents: they name only files that are there, and their drawings can be shown by any program.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of the repository; a path that begins with one is a path in it.
const FOLDERS: [&str; 12] = [
    "benches/",
    "bot/",
    "docs/",
    "fuzz/",
    "protocol/",
    "python/",
    "scripts/",
    "src/",
    "tests/",
    "training/",
    "web/",
    ".ci/",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names end like this.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|ending| ending == extension) {
            found.push(path);
        }
    }
    found
}

#[test]
fn documents_name_only_files_that_are_there() {
    let mut documents = files(&root().join("docs"), "md");
    documents.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    for document in documents {
        let text = fs::read_to_string(&document).expect("a text");
        let words = text.split(|c: char| c.is_whitespace() || "`()[]|'\",;:=".contains(c));
        // A link may name a heading of a file.
        let paths = words.map(|word| word.split('#').next().unwrap_or(word).trim_end_matches('.'));
        let paths = paths.filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)));
        // What a build makes is not there, and some names stand for many files.
        let paths = paths.filter(|path| !path.starts_with("web/dist/"));
        for path in paths.filter(|path| !path.contains(['*', '{', '<', '$', '…']) && !path.contains("RULES"))
        {
            assert!(root().join(path).exists(), "{} names {path}, which is not there", document.display());
        }
    }
}

#[test]
fn drawings_can_be_shown_by_any_program() {
    let drawings = files(&root().join("docs"), "svg");
    assert!(!drawings.is_empty());
    for drawing in drawings {
        let text = fs::read_to_string(&drawing).expect("a text");
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{} is whole", drawing.display());
        assert!(!text.contains("var("), "{}: many programs know no CSS variables", drawing.display());
    }
}
