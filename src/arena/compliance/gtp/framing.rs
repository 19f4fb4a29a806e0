//! The format of answers.

use crate::arena::process::shortened;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FramingErrorKind {
    /// A line outside of any answer.
    Stray,
    /// The space between the sign or the id and the text.
    Blank,
    Id,
    /// The empty line that ends an answer.
    Ending,
    Ascii,
}

pub(super) struct FramingError {
    pub(super) kind: FramingErrorKind,
    pub(super) detail: String,
}

impl FramingError {
    pub(super) fn new(kind: FramingErrorKind, line: &str, problem: &str) -> Self {
        let shown = if line.is_empty() { "an empty line".into() } else { format!("'{}'", shortened(line)) };
        Self { kind, detail: format!("{shown} {problem}") }
    }
}

/// The text behind sign and id of the first line.
pub(super) fn read_first_line(line: &str, id: &str, framing_errors: &mut Vec<FramingError>) -> String {
    let mut note = |kind, problem: &str| framing_errors.push(FramingError::new(kind, line, problem));
    let rest = line.get(1..).unwrap_or_default();
    let text = match rest.strip_prefix(id) {
        Some(text) => text,
        None => {
            let apart = rest.trim_start().strip_prefix(id);
            let problem = if apart.is_some() { "has a blank before the id" } else { "lacks the id" };
            note(FramingErrorKind::Id, problem);
            apart.unwrap_or(rest)
        }
    };
    if !text.is_empty() && !text.starts_with(' ') {
        note(FramingErrorKind::Blank, "lacks the blank before the text");
    }
    text.trim().to_owned()
}

/// Checks an answer of one line. Only longer ones, such as boards, may begin or end in spaces: some clients take the last
/// two characters for the move.
pub(super) fn check_single_line(line: &str, framing_errors: &mut Vec<FramingError>) {
    if line.contains("  ") {
        framing_errors.push(FramingError::new(
            FramingErrorKind::Blank,
            line,
            "has more than one blank in a row",
        ));
    } else if line.split_once(' ').is_some_and(|(_, text)| text.ends_with([' ', '\t'])) {
        framing_errors.push(FramingError::new(FramingErrorKind::Blank, line, "ends in a blank"));
    }
}

/// Any later line of an answer, or the empty one that ends it.
pub(super) fn read_further_line(line: &str, framing_errors: &mut Vec<FramingError>) -> String {
    if !line.is_empty() && line.trim().is_empty() {
        framing_errors.push(FramingError::new(
            FramingErrorKind::Ending,
            line,
            "ends an answer, but is not empty",
        ));
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str, id: &str) -> (String, Vec<FramingErrorKind>) {
        let mut framing_errors = Vec::new();
        let text = read_first_line(line, id, &mut framing_errors);
        check_single_line(line, &mut framing_errors);
        (text, framing_errors.into_iter().map(|error| error.kind).collect())
    }

    #[test]
    fn framing_errors_of_first_lines() {
        for (line, id, text, framing_errors) in [
            ("= D3", "", "D3", &[][..]),
            ("=", "", "", &[]),
            ("= ", "", "", &[]),
            ("=7 D3", "7", "D3", &[]),
            ("?7 no", "7", "no", &[]),
            ("=D3", "", "D3", &[FramingErrorKind::Blank]),
            ("=  D3", "", "D3", &[FramingErrorKind::Blank]),
            ("= D3 ", "", "D3", &[FramingErrorKind::Blank]),
            ("= 7 D3", "7", "D3", &[FramingErrorKind::Id]),
            ("= D3", "7", "D3", &[FramingErrorKind::Id]),
        ] {
            assert_eq!(kinds(line, id), (text.to_owned(), framing_errors.to_vec()), "{line:?}");
        }
        let mut framing_errors = Vec::new();
        assert_eq!(read_further_line("", &mut framing_errors), "");
        assert!(framing_errors.is_empty());
        read_further_line(" ", &mut framing_errors);
        assert_eq!(framing_errors[0].kind, FramingErrorKind::Ending);
    }
}
