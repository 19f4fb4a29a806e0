//! What all grammars share: clean input, words, and errors with a column.

use nom::bytes::complete::take_till;
use nom::character::complete::space0;
use nom::combinator::{all_consuming, rest};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::terminated;
use nom::{IResult, Offset, Parser};

use crate::error::TextError;

/// Longer words are cut in messages.
const LONGEST_QUOTE: usize = 24;

/// Bytes as readable text: odd bytes replaced, tabs and line ends made blanks, other controls dropped.
///
/// A byte order mark counts as a control character: some shells send one ahead of the first line.
pub(crate) fn clean(bytes: &[u8]) -> String {
    let visible = |c: &char| !(c.is_control() || *c == '\u{feff}');
    let blank = |c| if matches!(c, '\t' | '\n') { ' ' } else { c };
    String::from_utf8_lossy(bytes).chars().map(blank).filter(visible).collect()
}

/// A text as one line that any client can take: ASCII without control characters or blanks at the ends.
pub(crate) fn ascii_line(text: &str) -> String {
    let blank = |c: char| if c.is_whitespace() { ' ' } else { c };
    let plain = |c: char| if c.is_ascii() { c } else { '?' };
    let line: String = text.chars().map(blank).filter(|c| !c.is_control()).map(plain).collect();
    line.trim_matches(' ').to_owned()
}

pub(crate) type Parsed<'a, T> = IResult<&'a str, T, GrammarError<'a>>;

/// The error type of the grammars: what is wrong with the text that begins at `at`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct GrammarError<'a> {
    at: &'a str,
    reason: Reason,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Reason {
    Expected(&'static str),
    BadValue { option: &'static str, accepted: &'static str },
    Squares { size: Option<u8>, found: usize },
}

impl<'a> GrammarError<'a> {
    /// Something else than `what` begins at `at`.
    pub(crate) fn expected(at: &'a str, what: &'static str) -> nom::Err<GrammarError<'a>> {
        nom::Err::Error(GrammarError { at, reason: Reason::Expected(what) })
    }

    /// What begins at `at` is no value for this option.
    pub(crate) fn bad_value(
        at: &'a str,
        option: &'static str,
        accepted: &'static str,
    ) -> nom::Err<GrammarError<'a>> {
        nom::Err::Error(GrammarError { at, reason: Reason::BadValue { option, accepted } })
    }

    /// The position that begins at `at` has a wrong number of squares.
    pub(crate) fn squares(at: &'a str, size: Option<u8>, found: usize) -> nom::Err<GrammarError<'a>> {
        nom::Err::Error(GrammarError { at, reason: Reason::Squares { size, found } })
    }

    /// The error as seen from the whole text, of which `at` is a part.
    fn locate(self, whole: &str) -> TextError {
        let (before, from) = whole.split_at_checked(whole.offset(self.at)).unwrap_or((whole, ""));
        let column = before.chars().count() + 1;
        match self.reason {
            Reason::Expected(what) => TextError::Expected { what, column, found: quote(from) },
            Reason::BadValue { option, accepted } => {
                TextError::BadValue { option, accepted, column, found: quote(from) }
            }
            Reason::Squares { size, found } => TextError::Squares { size, found },
        }
    }
}

impl<'a> ParseError<&'a str> for GrammarError<'a> {
    fn from_error_kind(at: &'a str, kind: ErrorKind) -> Self {
        let what = if kind == ErrorKind::Eof { "nothing more" } else { "another text" };
        GrammarError { at, reason: Reason::Expected(what) }
    }

    fn append(_: &'a str, _: ErrorKind, first: Self) -> Self {
        first
    }
}

/// The first word of a text, short enough for a message.
fn quote(text: &str) -> String {
    let end = text.char_indices().find(|&(at, c)| c == ' ' || (at > 0 && matches!(c, '[' | ']')));
    let word = end.and_then(|(at, _)| text.get(..at)).unwrap_or(text);
    match word.char_indices().nth(LONGEST_QUOTE) {
        Some((at, _)) => format!("{}...", word.get(..at).unwrap_or(word)),
        None => word.to_owned(),
    }
}

/// Runs a grammar over the whole of `part`, which lies within the text `whole` that a person sees.
pub(crate) fn read_all<'a, T>(
    whole: &'a str,
    part: &'a str,
    grammar: impl Parser<&'a str, Output = T, Error = GrammarError<'a>>,
) -> Result<T, TextError> {
    let read = all_consuming(grammar).parse(part.trim_matches(' '));
    read.map(|(_, value)| value).map_err(|error| located(whole, error))
}

/// What is wrong, as seen from the text `whole` that a person sees.
pub(crate) fn located(whole: &str, error: nom::Err<GrammarError<'_>>) -> TextError {
    match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => error.locate(whole),
        // Only streaming grammars ask for more, and there are none here.
        nom::Err::Incomplete(_) => {
            let column = whole.chars().count() + 1;
            TextError::Expected { what: "more text", column, found: String::new() }
        }
    }
}

/// Whatever goes wrong in `grammar`, say that `what` was expected where it began.
pub(crate) fn labelled<'a, T>(
    what: &'static str,
    mut grammar: impl Parser<&'a str, Output = T, Error = GrammarError<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| grammar.parse(input).map_err(|_| GrammarError::expected(input, what))
}

/// The characters up to the next blank, and past the blanks after them.
pub(crate) fn word(input: &str) -> Parsed<'_, &str> {
    terminated(take_till(|c| c == ' '), space0).parse(input)
}

/// One word, all of which `grammar` must read.
pub(crate) fn argument<'a, T>(
    what: &'static str,
    mut grammar: impl Parser<&'a str, Output = T, Error = GrammarError<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        let (rest, word) = word(input)?;
        match grammar.parse(word) {
            Ok(("", value)) => Ok((rest, value)),
            _ => Err(GrammarError::expected(input, what)),
        }
    }
}

/// The rest of the text, which must not be empty.
pub(crate) fn remainder<'a>(what: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, String> {
    move |input| match rest(input)? {
        (_, "") => Err(GrammarError::expected(input, what)),
        (end, text) => Ok((end, text.to_owned())),
    }
}

/// `grammar`, unless the text is at its end.
///
/// Unlike nom's `opt` this keeps the error of a text that is there but wrong.
pub(crate) fn optional<'a, T>(
    mut grammar: impl Parser<&'a str, Output = T, Error = GrammarError<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, Option<T>> {
    move |input| match input {
        "" => Ok((input, None)),
        _ => grammar.parse(input).map(|(rest, value)| (rest, Some(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::{A_COLOUR, Side, colour};

    #[test]
    fn cleaning_keeps_words_apart_and_drops_the_rest() {
        assert_eq!(clean(b"play\tb\x07 d3\r\n"), "play b d3 ");
        assert_eq!(clean(b"\xef\xbb\xbfname"), "name");
        assert_eq!(clean(b"PB[J\xf6rg]"), "PB[J\u{fffd}rg]");
        assert_eq!(ascii_line(" a\tb\r\nJörg\u{7} "), "a b  J?rg");
    }

    #[test]
    fn errors_count_characters_and_quote_one_word() {
        let line = "é play x y";
        let part = &line[8..];
        let error = read_all(line, part, argument(A_COLOUR, colour)).unwrap_err();
        assert_eq!(error, TextError::Expected { what: A_COLOUR, column: 8, found: "x".to_owned() });
    }

    #[test]
    fn surplus_words_are_pointed_at() {
        let line = "genmove b  x";
        let error = read_all(line, &line[8..], argument(A_COLOUR, colour)).unwrap_err();
        assert_eq!(error.to_string(), "expected nothing more at column 12, found 'x'");
    }

    #[test]
    fn optional_is_none_at_the_end_only() {
        let read = |text| read_all(text, text, optional(argument(A_COLOUR, colour)));
        assert_eq!(read(" "), Ok(None));
        assert_eq!(read("w"), Ok(Some(Side::White)));
        assert!(read("z").is_err());
    }

    #[test]
    fn long_words_are_cut_in_messages() {
        assert_eq!(quote(&"é".repeat(30)), format!("{}...", "é".repeat(24)));
        assert_eq!(quote("Z9]W[D6]"), "Z9");
        assert_eq!(quote("] x"), "]");
    }
}
