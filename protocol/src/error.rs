//! What is wrong with a text, and where.

use std::fmt;

use crate::setting::SettingName;

/// Why a text could not be read.
///
/// Columns count characters from 1 over the whole text given to the parser, as a person sees it: control
/// characters, which are dropped before reading, do not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Error {
    /// Something else than what the grammar asks for.
    Expected {
        /// What had to stand there, in words.
        what: &'static str,
        /// Where it had to stand.
        column: usize,
        /// The word that stood there; empty at the end of the text.
        found: String,
    },
    /// A value that an option does not take.
    Setting {
        /// The option.
        name: SettingName,
        /// Where the value had to stand.
        column: usize,
        /// The word that stood there; empty at the end of the text.
        found: String,
    },
    /// A position with too few or too many squares.
    Squares {
        /// The edge of the board, where the text names it.
        size: Option<u8>,
        /// How many squares the position has.
        found: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Expected { what, column, found } => {
                write!(f, "expected {what} at column {column}, found {}", Quoted(found))
            }
            Error::Setting { name, column, found } => {
                write!(f, "{name} takes {}, found {} at column {column}", name.accepted(), Quoted(found))
            }
            Error::Squares { size, found } => {
                let needed = match size {
                    Some(size) => (usize::from(*size) * usize::from(*size)).to_string(),
                    None => "16, 36 or 64".to_owned(),
                };
                write!(f, "expected {needed} squares and then the side to move (X or O), found {found}")
            }
        }
    }
}

impl std::error::Error for Error {}

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
        let error = Error::Expected { what: "a colour", column: 6, found: found.clone() };
        assert_eq!(error.to_string(), "expected a colour at column 6, found 'x'");
        let error = Error::Expected { what: "a colour", column: 5, found: String::new() };
        assert_eq!(error.to_string(), "expected a colour at column 5, found nothing");
        let error = Error::Setting { name: SettingName::Threads, column: 9, found };
        assert_eq!(error.to_string(), "threads takes a whole number from 1 to 256, found 'x' at column 9");
        let error = Error::Squares { size: None, found: 63 };
        assert_eq!(
            error.to_string(),
            "expected 16, 36 or 64 squares and then the side to move (X or O), found 63"
        );
        let error = Error::Squares { size: Some(6), found: 64 };
        assert!(error.to_string().starts_with("expected 36 squares"));
    }
}
