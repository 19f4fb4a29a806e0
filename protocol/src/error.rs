//! What is wrong with a text, and where.

use std::fmt;

/// Why a text could not be read.
///
/// Columns count characters from 1 over the whole text given to the parser, as a person sees it: control
/// characters, which are dropped before reading, do not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TextError {
    Expected {
        /// In words.
        what: &'static str,
        column: usize,
        /// The word that stood there; empty at the end of the text.
        found: String,
    },
    /// A value that an option does not take.
    BadValue {
        option: &'static str,
        /// The values it takes, in words.
        accepted: &'static str,
        column: usize,
        /// The word that stood there; empty at the end of the text.
        found: String,
    },
    /// A position with too few or too many squares.
    Squares {
        /// The edge of the board, where the text names it.
        size: Option<u8>,
        found: usize,
    },
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Expected { what, column, found } => {
                write!(f, "expected {what} at column {column}, found {}", Quoted(found))
            }
            TextError::BadValue { option, accepted, column, found } => {
                write!(f, "{option} takes {accepted}, found {} at column {column}", Quoted(found))
            }
            TextError::Squares { size, found } => {
                let needed = match size {
                    Some(size) => (usize::from(*size) * usize::from(*size)).to_string(),
                    None => "16, 36 or 64".to_owned(),
                };
                write!(f, "expected {needed} squares and then the side to move (X or O), found {found}")
            }
        }
    }
}

impl std::error::Error for TextError {}

struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("nothing"),
            word => write!(f, "'{word}'"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_place_need_and_find() {
        let found = "x".to_owned();
        let error = TextError::Expected { what: "a colour", column: 6, found: found.clone() };
        assert_eq!(error.to_string(), "expected a colour at column 6, found 'x'");
        let error = TextError::Expected { what: "a colour", column: 5, found: String::new() };
        assert_eq!(error.to_string(), "expected a colour at column 5, found nothing");
        let error = TextError::BadValue { option: "ponder", accepted: "on or off", column: 9, found };
        assert_eq!(error.to_string(), "ponder takes on or off, found 'x' at column 9");
        let error = TextError::Squares { size: None, found: 63 };
        assert_eq!(
            error.to_string(),
            "expected 16, 36 or 64 squares and then the side to move (X or O), found 63"
        );
        let error = TextError::Squares { size: Some(6), found: 64 };
        assert!(error.to_string().starts_with("expected 36 squares"));
    }
}
